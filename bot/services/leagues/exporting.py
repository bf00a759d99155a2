"""Export a season as a league file, or a whole league: how it ended is in it, the reasons people typed aren't."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from bot.exporters.archives import packed
from bot.league.checking.by_hand import BY_HAND, FORGOTTEN
from bot.league.checking.league_file import writing
from bot.league.checking.league_file.league_list import (
    LIST,
    Person,
    SeasonInLeague,
    StartRatings,
    WholeLeague,
    to_json,
)
from bot.league.checking.season_end import decided, end_difference, final_of
from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.season.model import Ended, Final, Name, Round, Season
from bot.league.season.phases import LIVE, SeasonPhase
from bot.services.base import cached, hooks
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, ReadTransaction, numbered, read_transaction
from bot.services.leagues.making_room import days_of
from bot.services.matches import season_ladders
from bot.services.matches.days_played import days_played
from storage import rated_seasons, rules_season
from storage.database import Connection
from storage.rows import LeagueId, PlayerId, SeasonId, SeasonRow
from storage.tables import imports, matches, rounds, seasons
from storage.tables.field import entrants
from storage.tables.people import players


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A league file and the name to save it under, of which nothing comes from people; in some no one was paired."""

    filename: str
    text: str
    checkable: bool = True


def export(conn: Connection, order: Order, *, season_number: int | None = None) -> ExportedFile:
    """Return a season, by default the newest, as a league file for an organiser; raises NotAllowed and NotFound."""
    tx = read_transaction(conn, order, numbered(season_number), by=ORGANISER)
    row = tx.season
    return file_of(tx.conn, row)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedLeague:
    """A whole league: its list of people and seasons, and the league file of each season, with their names."""

    files: tuple[tuple[str, str], ...]


def export_league(conn: Connection, order: Order) -> ExportedLeague:
    """Return all seasons and people of a league, without accounts; raises NotAllowed, and NotFound without a season."""
    tx = read_transaction(conn, order, by=ORGANISER)
    rows, people = seasons.of_league(conn, tx.league.id), players.of_league(conn, tx.league.id)
    if not rows:
        raise NotFound(f"{tx.league.name} has no season yet, so there's nothing to take out.")
    former, aliases = players.all_former_names(conn, tx.league.id), dict[PlayerId, list[str]]()
    for alias, player_id in sorted(imports.aliases(conn, tx.league.id).items()):
        aliases.setdefault(player_id, []).append(alias)
    called = {row.id: Name(row.name) for row in people}
    files, ratings = [file_of(conn, row) for row in rows], _start_ratings(conn, tx.league.id)
    league = WholeLeague(
        people=tuple(
            Person(
                name=Name(row.name),
                former_names=tuple(map(Name, former.get(row.id, ()))),
                aliases=tuple(aliases.get(row.id, ())),
            )
            for row in people
        ),
        seasons=tuple(
            SeasonInLeague(
                file=file.filename,
                days=days_of(tx, row),
                over=row.phase not in LIVE and not rounds.published(conn, row.id),
                ratings=ratings.get(row.id, StartRatings.NOTED) if row.started_at else StartRatings.NOTED,
                worked_out=_worked_out(conn, row),
                played=_played(tx, row),
                called=_called(conn, row, called),
            )
            for row, file in zip(rows, files, strict=True)
        ),
    )
    return ExportedLeague(files=((LIST, to_json(league)), *((file.filename, file.text) for file in files)))


def zipped(league: ExportedLeague) -> bytes:
    """Return a whole league as a zip; the same bytes for the same league."""
    return packed((name, text.encode()) for name, text in league.files)


def _start_ratings(conn: Connection, league_id: LeagueId) -> dict[SeasonId, StartRatings]:
    """Return what the ratings noted at the start of seasons count as, where that isn't as usual."""
    given = imports.with_given_ratings(conn, league_id)
    outdated = rated_seasons.outdated_starts(conn, league_id)
    return dict.fromkeys(given, StartRatings.GIVEN) | dict.fromkeys(outdated, StartRatings.OUTDATED)


def _worked_out(conn: Connection, row: SeasonRow) -> tuple[Name, ...]:
    """Return whose rating at the start of a season isn't noted, but worked out from earlier seasons for its file."""
    noted, whole = rules_season.load(conn, row.id), cached.complete(conn, row)
    entrants_ = zip(noted.entrants, whole.entrants, strict=True)
    substitutes = zip(noted.substitutes, whole.substitutes, strict=True)
    return (
        *(entrant.name for before, entrant in entrants_ if before.rating is None and entrant.rating is not None),
        *(taken.player for before, taken in substitutes if before.rating is None and taken.rating is not None),
    )


def _played(tx: ReadTransaction, row: SeasonRow) -> tuple[tuple[date | None, ...], ...]:
    """Return the day of each match of a season by rounds; nothing where no day is known."""
    days = days_played(tx, row.id)
    if not days:
        return ()
    return tuple(
        tuple(days.get(match.id) for match in matches.of_round(tx.conn, round_.id))
        for round_ in rounds.published(tx.conn, row.id)
    )


def _called(conn: Connection, row: SeasonRow, called: Mapping[PlayerId, Name]) -> dict[Name, Name]:
    """Return what people are called now who had another name in a season."""
    people = sorted(cached.people_of(conn, row).items())
    return {name: called[player_id] for name, player_id in people if called[player_id] != name}


def file_of(conn: Connection, row: SeasonRow) -> ExportedFile:
    """Return a season as a league file, with nothing in it that someone typed as a reason."""
    season = hooks.with_all_parts(conn, row, cached.complete(conn, row))
    season = season_ladders.with_ladder(conn, row, replace(season, rounds=tuple(map(_without_reason, season.rounds))))
    final, paired = _final(conn, row, season), by_key(season.format).paired
    if final is not None:
        # A draw that decided may have had the name of someone who is forgotten; with groups no end is compared anyway.
        kept = season.forgotten and not season.groups and end_difference(season, final) is not None
        season = replace(season, final=replace(final, kept=kept))
    return ExportedFile(
        filename=f"fairpair-season-{season.number}.json", text=writing.to_json(season), checkable=paired
    )


def _without_reason(round_: Round) -> Round:
    return round_ if round_.by_hand in (None, FORGOTTEN) else replace(round_, by_hand=BY_HAND)


def _final(conn: Connection, row: SeasonRow, season: Season) -> Final | None:
    """Return how a season ended, once it's over and a round of it was played; of a recorded one who its champion is."""
    over = row.phase in (SeasonPhase.CANCELLED, SeasonPhase.FINISHED)
    if not over or not season.rounds:
        return None
    if not by_key(season.format).paired and row.champion_id is None:
        return None
    champion = None if row.champion_id is None else Name(entrants.get(conn, row.champion_id).name)
    return final_of(cached.table(conn, row).values(), _ended(row, season), champion)


def _ended(row: SeasonRow, season: Season) -> Ended:
    if row.phase is SeasonPhase.CANCELLED:
        return Ended.CANCELLED
    return Ended.RULES if row.champion_id is not None or _no_one_is_left(season) else Ended.FINISHED


def _no_one_is_left(season: Season) -> bool:
    """Whether the rules ended a season without a champion; else an organiser did."""
    end = decided(season)
    return end is not None and end.name is None
