"""What is counted of a season: the standings as they are now, and the ratings its players brought into it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.counting.ratings import Carried, RatedSeason, after_each, new_rating, with_brought
from bot.league.counting.standings import Standing
from bot.league.formats import by_key
from bot.league.season.model import Name, Rating, Season, Status
from storage import rated_seasons, rules_season
from storage.cache import Cache, InTurn, in_turn, keep_in_turn, known_in_turn, memoized
from storage.database import Connection
from storage.rated_seasons import EVERY_IMPORT
from storage.rows import LeagueId, PlayerId, SeasonRow
from storage.tables import ties
from storage.tables.field import entrants, substitutions


def table(conn: Connection, row: SeasonRow) -> Mapping[Name, Standing]:
    """Return each player's line of the standings as they are now, in order."""

    def lines() -> Mapping[Name, Standing]:
        return {line.name: line for line in by_key(row.format).standings(complete(conn, row))}

    return memoized(conn, row.id, "table", lines, size=len)


def struck(conn: Connection, row: SeasonRow) -> frozenset[Name]:
    """Return the players who have left and whose results count for nobody."""
    format_ = by_key(row.format)
    if not format_.in_groups:
        return frozenset()
    return memoized(conn, row.id, "struck", lambda: format_.struck(complete(conn, row)), size=len)


def shown_table(conn: Connection, row: SeasonRow) -> Mapping[Name, Standing]:
    """Return the table as people are shown it: in a tie about who goes on nobody is in the finals, or out."""
    waiting = (tie for tie in ties.waiting(conn, row.id) if tie.about_going_on)
    lines, tied = table(conn, row), {name for tie in waiting for name in tie.names}
    if not tied:
        return lines
    return {name: _undecided(line) if name in tied else line for name, line in lines.items()}


def _undecided(line: Standing) -> Standing:
    decided = line.status in (Status.QUALIFIED, Status.ELIMINATED)
    return replace(line, status=Status.ACTIVE) if decided else line


MOST_IN_A_TRANSACTION = 1000
"""As many rated matches are rated while others wait; they take some 10 ms."""
_Taken = tuple[Carried[PlayerId], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What is to be rated so that everyone's rating after each of a league's first seasons is known.

    `first` is what is known after the first of them already, `rest` are the others.
    """

    league_id: LeagueId
    imports: int
    turns: tuple[InTurn, ...]
    first: _Taken
    rest: tuple[RatedSeason[PlayerId], ...]

    def keep(self, cache: Cache, rated: _Taken) -> None:
        """Keep what was rated, for as long as no season of these changes."""
        taken = (*self.first, *rated)
        size = sum(len(carried.ratings) for carried in taken)
        keep_in_turn(cache, _key(self.league_id, self.imports), self.turns, taken, size=size)


def _key(league_id: LeagueId, imports: int) -> tuple[str, LeagueId, int]:
    return "taken out", league_id, imports


def rated(brought: Carried[PlayerId] | None, seasons: Sequence[RatedSeason[PlayerId]]) -> _Taken:
    """Return what everyone takes out of each of these seasons, in one pass; a second for 50,000 matches."""
    return after_each(seasons, brought)


def _turns(conn: Connection, league_id: LeagueId, before: int) -> tuple[InTurn, ...]:
    turns = conn.once(("turns", league_id), lambda: in_turn(conn, league_id))
    return tuple(turn for turn in turns if turn.number < before)


def taken_out(conn: Connection, league_id: LeagueId, before: int, *, imports: int = EVERY_IMPORT) -> Carried[PlayerId]:
    """Return what everyone takes out of all seasons before a number, imports after the one of an id left out.

    It's kept for as long as no season before that number changes; a transaction that changes one asks before it does.
    """

    def worked_out() -> Carried[PlayerId]:
        past = to_rate(conn, league_id, before, imports=imports)
        if not past.rest:
            return past.first[-1] if past.first else Carried()  # of a league without seasons
        rated_now = rated(past.first[-1] if past.first else None, past.rest)
        if conn.cache is not None and not conn.changes:
            past.keep(conn.cache, rated_now)
        return rated_now[-1]

    return conn.once(("taken out", league_id, before, imports), worked_out)


def to_rate(conn: Connection, league_id: LeagueId, before: int, *, imports: int = EVERY_IMPORT) -> Past:
    """Return what is known of a league's ratings before a number, and what is to be rated."""
    turns = _turns(conn, league_id, before)
    known_part: _Taken = known_in_turn(conn, _key(league_id, imports), turns)
    rest: tuple[RatedSeason[PlayerId], ...] = ()
    if len(known_part) < len(turns):
        since = turns[len(known_part)].number
        rest = rated_seasons.of_league(conn, league_id, since=since, before=before, imports=imports)
    return Past(league_id=league_id, imports=imports, turns=turns, first=known_part, rest=rest)


def is_known(conn: Connection, season: SeasonRow) -> bool:
    """Whether what players bring into a season is known, or at least soon worked out."""
    before, imports = season.number or 0, rated_seasons.last_that_counts(conn, season)
    turns = _turns(conn, season.league_id, before)
    known_part = known_in_turn(conn, _key(season.league_id, imports), turns)
    if len(known_part) == len(turns):
        return True
    return (
        rated_seasons.how_many(conn, season.league_id, turns[len(known_part)].number, before) <= MOST_IN_A_TRANSACTION
    )


def unknown(conn: Connection, season: SeasonRow) -> Past | None:
    """Return what is to be rated before players can enter a season; None where that is known or soon done."""
    if is_known(conn, season):
        return None
    imports = rated_seasons.last_that_counts(conn, season)
    return to_rate(conn, season.league_id, season.number or 0, imports=imports)


def ratings_before(
    conn: Connection, league_id: LeagueId, number: int, *, imports: int = EVERY_IMPORT
) -> Mapping[PlayerId, Rating]:
    """Return everyone's rating after all seasons before a number, imports after the one of an id left out."""
    return taken_out(conn, league_id, number, imports=imports).ratings


def brought(conn: Connection, season: SeasonRow) -> Mapping[PlayerId, Rating]:
    """Return what players bring into a season, by what is known before it starts, or was when it did."""
    imports = rated_seasons.last_that_counts(conn, season)
    return ratings_before(conn, season.league_id, season.number or 0, imports=imports)


def rating_now(conn: Connection, season: SeasonRow, player_id: PlayerId) -> Rating:
    """Return the rating a player who enters late starts with, by what was known when the season started."""
    return brought(conn, season).get(player_id) or new_rating(rules_season.settings_of(season).rating)


def people_of(conn: Connection, row: SeasonRow) -> Mapping[Name, PlayerId]:
    """Return which player each name of a season is, those of substitutes too."""
    ids = {Name(taken.name): taken.player_id for taken in substitutions.of_season(conn, row.id)}
    return ids | {Name(entrant.name): entrant.player_id for entrant in entrants.of_season(conn, row.id)}


def complete(conn: Connection, row: SeasonRow) -> Season:
    """Return a season with every rating at its start, those of recorded ones from the history before it."""
    season = rules_season.load(conn, row.id)
    if all(entrant.rating is not None for entrant in (*season.entrants, *season.substitutes)):
        return season

    def completed() -> Season:
        return with_brought(season, people_of(conn, row), ratings_before(conn, row.league_id, row.number or 0))

    # Its rounds are those of the season, which are kept there.
    return memoized(conn, row.id, "complete", completed, size=lambda whole: len(whole.entrants))
