"""Which lists are due together: those of the season or of one round, who hands them in, and who hasn't yet."""

from dataclasses import dataclass

from bot.league.bracket.match_names import FINAL
from bot.league.season.in_words import first_few
from bot.league.season.list_rules import ListRules
from bot.league.season.model import Status
from bot.league.season.phases import LIVE, RoundPhase
from bot.services.base import cached
from bot.services.base.transaction import ReadTransaction
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow, SeasonRow
from storage.tables import lists, matches, rounds
from storage.tables.field import entrants, sat_out
from storage.tables.lists import ListSetRow

_NAMED = 10
_PLAYING_ON = (Status.ACTIVE, Status.QUALIFIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a set of lists is: who is to hand some in, and which of them haven't handed in all of theirs."""

    scope: ListSetRow
    words: str
    expected: tuple[EntrantRow, ...]
    missing: tuple[EntrantRow, ...]


def begin(conn: Connection, season: SeasonRow, round_: int | None) -> ListSetRow:
    """Return the set of a season's lists or those of a round, new where no one could hand them in before."""
    existing = lists.set_of(conn, season.id, round_)
    return existing or lists.add_set(conn, season_id=season.id, round=round_)


def prepare(conn: Connection, season: SeasonRow) -> None:
    """Begin the set of a season's lists, or that of its next round, if its settings want lists."""
    rules = rules_season.settings_of(season).lists
    if rules is not None:
        latest = rounds.latest(conn, season.id)
        begin(conn, season, None if rules.for_season else 1 if latest is None else latest.number + 1)


def words_of(conn: Connection, scope: ListSetRow) -> str:
    """Return what lists are for, within a sentence: `the season`, `round 3`, `the quarter-finals`, `the next round`."""
    if scope.round is None:
        return "the season"
    row = rounds.by_number(conn, scope.season_id, scope.round)
    return coming_words(scope.round) if row is None or row.phase is RoundPhase.DRAFT else row.words


def coming_words(number: int) -> str:
    """Return what a round is called that isn't posted yet: later ones may belong to the finals."""
    return "round 1" if number == 1 else "the next round"


def progress_of(conn: Connection, season: SeasonRow, scope: ListSetRow) -> Progress:
    """Return how far a set of lists is."""
    rules = rules_season.settings_of(season).lists
    expected = _expected(conn, season, scope)
    number = 0 if rules is None else rules.number
    handed_in = [row.entrant_id for row in lists.of_set(conn, scope.id) if row.number <= number]
    missing = tuple(entrant for entrant in expected if handed_in.count(entrant.id) < number)
    return Progress(scope=scope, words=words_of(conn, scope), expected=expected, missing=missing)


def cost_of_starting(tx: ReadTransaction) -> str:
    """Return which lists would be missing if the season started now; nothing where none is due by then."""
    rules = tx.settings.lists
    scope = lists.set_of(tx.conn, tx.season.id, None if rules is None or rules.for_season else 1)
    if rules is None or rules.due_hours or scope is None:
        return ""
    progress = progress_of(tx.conn, tx.season, scope)
    if not progress.missing:
        return ""
    names = first_few([entrant.called for entrant in progress.missing], _NAMED)
    return (
        f"{len(progress.missing)} of {len(progress.expected)} players haven't handed in their lists: {names}. "
        "They can still do so after the start; it's marked late."
    )


def owner_of(conn: Connection, scope: ListSetRow, entrant_id: EntrantId) -> EntrantRow:
    """Return whose an entrant's lists are: theirs who sits in the seat now, or in the round the lists are for."""
    if scope.round is None:
        return entrants.get(conn, entrant_id)
    return entrants.one_in_round(conn, entrant_id, scope.round)


def owners(conn: Connection, scope: ListSetRow) -> tuple[EntrantRow, ...]:
    """Return whose the lists of a set are, for all entrants of its season."""
    if scope.round is None:
        return entrants.of_season(conn, scope.season_id)
    return entrants.in_round(conn, scope.season_id, scope.round)


def _expected(conn: Connection, season: SeasonRow, scope: ListSetRow) -> tuple[EntrantRow, ...]:
    """Return who hands in lists of a set: who plays in its round, or may play in the next one."""
    people = tuple(entrant for entrant in owners(conn, scope) if entrant.active)
    latest = rounds.latest(conn, season.id)
    if scope.round is None or latest is None:
        return people
    row = rounds.by_number(conn, season.id, scope.round)
    if row is not None and row.phase is not RoundPhase.DRAFT:
        playing = {seat.entrant_id for seat in matches.seats(conn, row.id) if seat.match_id is not None}
        return tuple(entrant for entrant in people if entrant.id in playing)
    still_in = {name for name, line in cached.shown_table(conn, season).items() if line.status in _PLAYING_ON}
    away = {out.entrant_id for out in sat_out.of_season(conn, season.id) if out.round == scope.round}
    return tuple(entrant for entrant in people if entrant.name in still_in and entrant.id not in away)


def going_on(conn: Connection, season: SeasonRow) -> tuple[ListSetRow, ...]:
    """Return the sets players hand in lists for: the season's, or those of the last posted and the next round.

    Those of the next one only where they have to be there before it's posted.
    """
    rules = rules_season.settings_of(season).lists
    if rules is None or season.phase not in LIVE:
        return ()
    scopes = [lists.set_of(conn, season.id, round_) for round_ in _rounds(conn, season, rules)]
    return tuple(scope for scope in scopes if scope is not None)


def _rounds(conn: Connection, season: SeasonRow, rules: ListRules) -> tuple[int | None, ...]:
    if rules.for_season:
        return (None,)
    latest = rounds.latest(conn, season.id)
    if latest is None:
        return (1,)
    only = latest.name == FINAL or rules.due_hours > 0
    return (latest.number,) if only else (latest.number, latest.number + 1)


def due_words(rules: ListRules, words: str) -> str:
    """Return when lists without a date are due, within a sentence: `before round 3 is posted`."""
    start = "the season starts" if rules.for_season else f"{words} is posted"
    return f"before {start}" if rules.due_hours == 0 else f"{rules.due_hours} hours after {start}"
