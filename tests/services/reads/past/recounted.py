"""The records of a league, counted slowly, match by match, from what its league files say."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot import publishing
from bot.league.counting.rating_formula import rate
from bot.league.counting.ratings import ENOUGH_MATCHES, shown_rating
from bot.league.season.model import Rating
from bot.league.season.scales import RatingScale
from bot.league.summaries.league_records import LeagueRecords, Shared, Single, record_lines
from bot.services.base import cached
from bot.services.base.order import Order
from bot.services.leagues import exporting
from bot.services.reads.past import champions
from bot.site.pages import looked_back
from storage.database import Connection, Database
from storage.rows import LeagueId, SeasonRow
from storage.tables import seasons
from storage.tables.field import entrants

SCALE = RatingScale()
NEW = Rating(mu=SCALE.mu, sigma=SCALE.sigma)
Total = tuple[int, tuple[int, ...]]
"""A number, and everyone who has it."""
Place = tuple[int, int, int, int]
"""A number, the season and the round, and who."""


class Recounted(NamedTuple):
    """The records of a league: those of careers, then the longest run, the highest score and the biggest upset."""

    titles: Total | None
    matches: Total | None
    run: Place | None
    score: Place | None
    upset: Place | None = None


class Told(NamedTuple):
    """A season: its league file, the number of the person each of its names is, and of its champion."""

    file: dict[str, Any]
    called: Mapping[Any, int]
    champion: int | None


def recounted(seasons: Sequence[Told], *, upsets: bool) -> Recounted:
    """Count what league files say.

    Upsets only where everyone's ratings are carried from season to season, at the usual scale.
    """
    titles, played, runs, ratings = Counter[int](), Counter[int](), Counter[int](), dict[int, Rating]()
    longest, scores, lower = list[Place](), list[Place](), list[tuple[int, int, int, int, int]]()
    for file, called, champion in seasons:
        titles.update([champion] if champion is not None else [])
        for round_ in file["rounds"]:
            at, seats = (file["season"], round_["number"]), _seats(file, round_["number"])
            for match in round_["matches"]:
                if match["kind"] == "open":
                    continue
                sides = [called[seats.get(name, name)] for name in match["players"]]
                won = match["winner"] not in (None, "draw")
                winner = called[seats.get(match["winner"], match["winner"])] if won else None
                for side, own in zip(sides, match.get("score") or (None, None), strict=True):
                    runs[side] = runs[side] + 1 if side == winner else 0
                    longest += [(-runs[side], *at, side)] if runs[side] else []
                    scores += [] if own is None else [(-own, *at, side)]
                if match["kind"] in ("played", "adjudicated"):
                    enough = all(played[side] >= ENOUGH_MATCHES for side in sides)
                    played.update(sides)
                    if winner is not None:
                        (loser,) = (side for side in sides if side != winner)
                        before = ratings.get(winner, NEW), ratings.get(loser, NEW)
                        mine, theirs = (shown_rating(rating, SCALE, 0).value for rating in before)
                        lower += [(mine - theirs, -theirs, *at, winner)] if enough and mine < theirs else []
                        ratings[winner], ratings[loser] = rate(*before, SCALE)
    upset = None
    if lower and upsets:
        number, _, season, round_number, who = min(lower)
        upset = (-number, season, round_number, who)
    return Recounted(_most(titles), _most(played), _first(longest), _first(scores), upset)


def _seats(file: dict[str, Any], number: int) -> dict[str, str]:
    """Return who else than its first person sits in each seat in a round."""
    taken = sorted(file.get("substitutes", ()), key=lambda row: row["round"])
    return {row["seat"]: row["player"] for row in taken if row["round"] <= number}


def _most(numbers: Counter[int]) -> Total | None:
    most = max(numbers.values(), default=0)
    return (most, tuple(sorted(who for who, number in numbers.items() if number == most))) if most else None


def _first(places: Sequence[Place]) -> Place | None:
    return _turned(min(places)) if places else None


def _turned(place: Any) -> Place:
    number, *where = place
    return (-number, *where)


def in_short(records: LeagueRecords, *, upsets: bool) -> Recounted:
    """Return records as they are counted here."""
    run = records.run and (records.run.number, records.run.last.season, records.run.last.round, records.run.person)
    upset = _single(records.upset) if upsets else None
    return Recounted(_shared(records.titles), _shared(records.matches), run, _single(records.score), upset)


def _shared(record: Shared | None) -> Total | None:
    return None if record is None else (record.number, record.people)


def _single(record: Single | None) -> Place | None:
    return record and (record.number, record.match.season, record.match.round, record.person)


async def require_recounted(db: Database, asked: Order, *, upsets: bool) -> None:
    """Fail unless the records on Discord and those on pages are those of a slow count."""
    shown = await db.read(champions.champions, asked)
    assert in_short(shown.records, upsets=upsets) == recounted(await db.read(_seasons, asked), upsets=upsets)
    _, on_pages = looked_back(await publishing.facts_of(db, asked))
    assert on_pages == shown.records
    assert all(line.people for line in record_lines(shown.records, shown.names))


def _seasons(conn: Connection, asked: Order) -> list[Told]:
    return [
        Told(json.loads(exporting.file_of(conn, row).text), cached.people_of(conn, row), _champion(conn, row))
        for row in seasons.of_league(conn, LeagueId(asked.league_id or 0))
    ]


def _champion(conn: Connection, row: SeasonRow) -> int | None:
    return None if row.champion_id is None else entrants.get(conn, row.champion_id).person_id
