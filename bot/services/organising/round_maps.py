"""Maps or scenarios of rounds: typed by organisers as lines, shown wherever the round is."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.league.bracket.match_names import THIRD_PLACE, round_of
from bot.league.errors import Invalid, NotFound
from bot.league.season.model import Stage
from bot.services.base.order import Order
from bot.services.base.transaction import (
    ORGANISER,
    ReadTransaction,
    Transaction,
    live_if_any,
    prepared_if_any,
    read_transaction,
    transaction,
)
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, RoundRow, SeasonRow
from storage.tables import matches, rounds
from storage.tables.rounds import MapRow

MOST_MAPS = 100
LONGEST_NAME, LONGEST_NOTE, LONGEST_LINK = 80, 200, 300
_MOST_ROUNDS = 99
THIRD = THIRD_PLACE.casefold()
_FINALS = (THIRD, "play-in round", *(round_of(2**size).casefold() for size in range(1, 8)))
_LINK = re.compile(r"https://[a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?::\d{1,5})?(?:[/?#][!-;=?-Z_a-z~%]*)?", re.IGNORECASE)
"""A link of plain characters, without a name before its server, brackets or quotes."""
_HOW = "Write one map a line: round, map, note, link. Note and link can be left out."


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonMaps:
    """The maps of a season, the prepared one if there is no other."""

    league: LeagueRow
    season: SeasonRow
    maps: tuple[MapRow, ...]

    @property
    def lines(self) -> str:
        """The maps as an organiser types them."""
        return "\n".join(_line(row) for row in self.maps)


def season_maps(conn: Connection, order: Order) -> SeasonMaps:
    """Return the maps of the season an organiser can give some; raises NotAllowed and NotFound."""
    tx = read_transaction(conn, order, _with_maps, by=ORGANISER)
    season = tx.season
    return SeasonMaps(league=tx.league, season=season, maps=rounds.maps_of(tx.conn, season.id))


def change_maps(conn: Connection, order: Order, *, lines: str) -> SeasonMaps:
    """Give the season the maps of these lines in place of those it has; raises Invalid with the line that is wrong.

    Cards that are posted show them, without a new message.
    """
    tx = transaction(conn, order, _with_maps, by=ORGANISER)
    season = tx.season
    before, wanted = rounds.maps_of(tx.conn, season.id), read_maps(lines)
    if wanted != before:
        rounds.set_maps(tx.conn, season.id, wanted)
        states: list[Any] = [{"maps": [_line(row) for row in rows]} for rows in (before, wanted)]
        tx.note("season.maps", _called(season), before=states[0], after=states[1])
        _invalidate(tx)
    return SeasonMaps(league=tx.league, season=season, maps=wanted)


def _with_maps(tx: ReadTransaction) -> SeasonRow:
    season_found = live_if_any(tx) or prepared_if_any(tx)
    if season_found is None:
        raise NotFound(f"{tx.league.name} has no season to give maps to. Prepare one with /season create.")
    return season_found


def _called(season: SeasonRow) -> str:
    return "the next season" if season.number is None else f"season {season.number}"


def _invalidate(tx: Transaction) -> None:
    latest = rounds.latest(tx.conn, tx.season.id)
    for row in () if latest is None else rounds.at_once(tx.conn, latest):
        tx.invalidate(row)


def of_round(conn: Connection, row: RoundRow) -> tuple[MapRow, ...]:
    """Return the maps of a round, given by its number or, in the finals, its name; with those for third place."""
    names = () if row.stage is Stage.REGULAR else (row.name, *(match.name for match in matches.of_round(conn, row.id)))
    places = {str(row.number), *(name.casefold() for name in names)}
    return tuple(map_row for map_row in rounds.maps_of(conn, row.season_id) if map_row.place in places)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchMaps:
    """The maps a match is played on."""

    maps: tuple[MapRow, ...]


def on_match(tx: ReadTransaction, round_: RoundRow, sides: Sequence[EntrantRow]) -> MatchMaps:
    """Return the maps of a match: those of its round; the match for third place can have others than the final."""
    maps_here = of_round(tx.conn, round_)
    match = matches.in_round(tx.conn, round_.id, sides[0].id)
    own = tuple(map_row for map_row in maps_here if map_row.place == THIRD)
    if match is not None and match.name.casefold() == THIRD and own:
        return MatchMaps(maps=own)
    return MatchMaps(maps=tuple(map_row for map_row in maps_here if map_row not in own))


def read_maps(lines: str) -> tuple[MapRow, ...]:
    """Return the maps of lines as organisers type them; raises Invalid."""
    read_rows = tuple(_read(lines))
    if len(read_rows) > MOST_MAPS:
        raise Invalid(f"These are {len(read_rows)} maps; a season takes at most {MOST_MAPS}.")
    return read_rows


def _read(lines: str) -> Iterator[MapRow]:
    for number, line in enumerate(map(_plain, lines.splitlines()), start=1):
        if line:
            yield _map(next(csv.reader([line], skipinitialspace=True)), number)


def _plain(line: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in line).split())


def _map(fields: list[str], number: int) -> MapRow:
    """Return the map of one line; commas in its note are its own."""
    place, name, *more = [*(field.strip() for field in fields), ""]
    rest = [field for field in more if field]
    link = rest.pop() if rest and re.match(r"[a-z]+://", rest[-1], re.IGNORECASE) else ""
    new_map = MapRow(place=_place(place, number), name=name, note=", ".join(rest), link=link)
    if not name:
        raise Invalid(f"Line {number}: the map is missing. {_HOW}")
    for what, text, most in (("map", name, LONGEST_NAME), ("note", new_map.note, LONGEST_NOTE)):
        if len(text) > most:
            raise Invalid(f"Line {number}: the {what} has {len(text)} characters; at most {most} fit.")
    if link and (_LINK.fullmatch(link) is None or len(link) > LONGEST_LINK):
        raise Invalid(f"Line {number}: that link can't be posted. Use one that begins with https:// and has no spaces.")
    return new_map


def _place(typed: str, number: int) -> str:
    """Return a round's number, or the name of one of the finals as it is kept."""
    place_name = typed.casefold().removeprefix("round ").strip()
    if re.fullmatch("[0-9]{1,9}", place_name) and 1 <= int(place_name) <= _MOST_ROUNDS:
        return str(int(place_name))
    named = next((name for name in _FINALS if typed.casefold().rstrip("s") == name.rstrip("s")), None)
    if named is None:
        raise Invalid(
            f"Line {number}: “{typed[:30]}” isn't a round. Begin with its number, or with final, semi-finals, "
            "quarter-finals or round of 16."
        )
    return named


def _line(row: MapRow) -> str:
    name = f'"{row.name.replace(chr(34), chr(34) * 2)}"' if "," in row.name or '"' in row.name else row.name
    return ", ".join(part for part in (row.place, name, row.note, row.link) if part)
