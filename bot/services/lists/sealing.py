"""When lists are sealed and revealed, and who is told that theirs are missing."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.league.season.list_rules import ListRules, fingerprint
from bot.services.base import outbox
from bot.services.base.events import (
    FieldChanged,
    Paused,
    RoundPosted,
    RoundTakenBack,
    SeasonOver,
    SeatTaken,
    SettingsChanged,
)
from bot.services.base.order import by_bot
from bot.services.base.outbox import ROUND
from bot.services.base.transaction import Transaction, transaction
from bot.services.lists import list_sets
from bot.services.lists.list_posts import LISTS_MISSING, SEALS, SEALS_A_PAGE, MissingListsFacts, SealsFacts
from bot.services.play.field.eligibility import next_round
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, PlayerRow
from storage.tables import lists, rounds, seasons
from storage.tables.field import entrants
from storage.tables.lists import ListRow, ListSetId, ListSetRow


def round_posted(tx: Transaction, event: RoundPosted) -> None:
    """Set the date of the lists that are due with a round; those that had to be there before it are sealed now."""
    row = event.round
    rules = tx.settings.lists
    if rules is None:
        return
    scope = list_sets.begin(tx.conn, tx.season, None if rules.for_season else row.number)
    list_sets.prepare(tx.conn, tx.season)
    if not rules.for_season and lists.remove_of_others(tx.conn, scope.id):
        tx.invalidate(None, SEALS)
    if scope.sealed_at is not None:
        _sealed_before(tx, scope, rules)
        return
    if rules.for_season and scope.due_at is not None:
        return
    due_at = tx.now + timedelta(hours=rules.due_hours)
    scope = lists.change_set(tx.conn, scope.id, due_at=due_at)
    if due_at <= tx.now:
        seal(tx, scope)


def _sealed_before(tx: Transaction, scope: ListSetRow, rules: ListRules) -> None:
    """Say whose lists are missing in a round that is posted again; keep secret what is handed in from now on.

    All lists were revealed if the season was over and goes on.
    """
    if scope.revealed_at is not None and not rules.revealed_when_due:
        lists.change_set(tx.conn, scope.id, revealed_at=None)
        tx.invalidate(None, SEALS)
    if not rules.for_season:
        _tell_missing(tx, scope, list_sets.progress_of(tx.conn, tx.season, scope).missing)


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Forget when the round's lists were due, and its reminder: posted again, it sets both again."""
    scope = lists.set_of(tx.conn, tx.season.id, event.round.number)
    if scope is not None and scope.due_at is not None and scope.sealed_at is None:
        lists.change_set(tx.conn, scope.id, due_at=None, reminded_at=None)
        _take_reminders_back(tx, scope)


def seal(tx: Transaction, scope: ListSetRow) -> None:
    """Seal a set: post each list's fingerprint, reveal them if they're secret no longer, and tell who has none."""
    rules = tx.settings.lists
    assert rules is not None
    sealed = _seal_handed_in(tx, scope, rules)
    revealed_at = tx.now if rules.revealed_when_due else None
    scope = lists.change_set(tx.conn, scope.id, sealed_at=tx.now, revealed_at=revealed_at)
    progress = list_sets.progress_of(tx.conn, tx.season, scope)
    _tell_missing(tx, scope, progress.missing)
    tx.by_itself().note("lists.seal", f"lists for {progress.words}", after={"lists": sealed})


def _seal_handed_in(tx: Transaction, scope: ListSetRow, rules: ListRules) -> int:
    """Seal the lists of those who are still in the season, if they aren't, and return how many were sealed now."""
    here = {entrant.id for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.active}
    rows = [row for row in lists.of_set(tx.conn, scope.id) if row.entrant_id in here and row.number <= rules.number]
    unsealed = [row for row in rows if row.sealed_at is None]
    if not unsealed:
        return 0
    for row in unsealed:
        seal_one(tx, row)
    on_time = [row for row in lists.of_set(tx.conn, scope.id) if row.sealed_at is not None and not row.late]
    for first in range(0, len(on_time), SEALS_A_PAGE):
        page = first // SEALS_A_PAGE + 1
        tx.enqueue(SEALS, SealsFacts(set_id=scope.id, page=page), once=f"{scope.id}:{page}")
    return len(unsealed)


def field_changed(tx: Transaction, _: FieldChanged) -> None:
    """Seal the lists of players who have come back, where the others' are sealed; show whose lists count now."""
    rules = tx.settings.lists
    for scope in list_sets.going_on(tx.conn, tx.season):
        if rules is not None and scope.sealed_at is not None and _seal_handed_in(tx, scope, rules):
            tx.invalidate(None, SEALS)
    _show_who_plays(tx)


def seat_taken(tx: Transaction, _: SeatTaken) -> None:
    """Let the lists of the person count who plays in a seat from the next round on; those of others wait till then."""
    _show_who_plays(tx)
    if tx.settings.lists is not None:
        invalidate(tx)


def _show_who_plays(tx: Transaction) -> None:
    """Take reminders back from those whose lists aren't wanted any more: they have left, or another plays there.

    Show the sealed lists that count in a round that was undone, and delete those of who doesn't take the seat over.
    """
    number = next_round(tx)
    lists.remove_of_strangers(tx.conn, tx.season.id, number)
    for scope in list_sets.going_on(tx.conn, tx.season):
        if scope.sealed_at is not None and (scope.round or 0) >= number:
            tx.invalidate(None, SEALS)
        if scope.reminded_at is not None or scope.sealed_at is not None:
            _remind_only(tx, scope, list_sets.progress_of(tx.conn, tx.season, scope).missing)


def seal_one(tx: Transaction, row: ListRow) -> ListRow:
    """Seal a list: it changes no more."""
    assert row.key is not None
    assert row.text is not None
    return lists.change(tx.conn, row.id, sha256=fingerprint(row.key, row.text), sealed_at=tx.now)


def _tell_missing(tx: Transaction, scope: ListSetRow, missing: Sequence[EntrantRow]) -> None:
    """Tell players that their lists are missing, in place of what they were told before."""
    _take_reminders_back(tx, scope)
    people = [entrant.discord_id for entrant in missing]
    if missing:
        tx.enqueue(LISTS_MISSING, MissingListsFacts(set_id=scope.id), once=str(scope.id), people=people)


def came_in(tx: Transaction, scope: ListSetRow, owner: EntrantRow) -> None:
    """Show that a list came in, and delete the reminder once it has nothing left to remind of."""
    missing = list_sets.progress_of(tx.conn, tx.season, scope).missing
    if owner.id not in {entrant.id for entrant in missing}:
        _remind_only(tx, scope, missing)
    invalidate(tx)


def _remind_only(tx: Transaction, scope: ListSetRow, missing: Sequence[EntrantRow]) -> None:
    """Let reminders stay with those whose lists are missing, and be deleted once there are none."""
    if not missing:
        _take_reminders_back(tx, scope)
        return
    once, people = str(scope.id), [entrant.discord_id for entrant in missing]
    outbox.retract_to_others(tx.conn, LISTS_MISSING, tx.season, once=once, people=people, now=tx.now)
    tx.invalidate_once(LISTS_MISSING, once=once)


def _take_reminders_back(tx: Transaction, scope: ListSetRow) -> None:
    """Delete everyone's reminders, and the one in the channel."""
    tx.retract(LISTS_MISSING, once=str(scope.id))


def is_to_remind(conn: Connection, set_id: ListSetId, now: datetime) -> bool:
    """Whether the players of a set are to be reminded now; of lists due after a round is posted not before it is."""
    if set_id not in lists.due_within_a_day(conn, now):
        return False
    scope = lists.get_set(conn, set_id)
    rules = rules_season.settings_of(seasons.get(conn, scope.season_id)).lists
    if rules is None or rules.for_season is not (scope.round is None):  # a set from before the settings were changed
        return False
    return scope.due_at is not None or rules.due_hours == 0


def remind(conn: Connection, set_id: ListSetId, now: datetime) -> bool:
    """Remind the players whose lists of a set are missing, a day before they're due; False where it isn't time."""
    if not is_to_remind(conn, set_id, now):
        return False
    scope = lists.change_set(conn, set_id, reminded_at=now)
    tx = transaction(conn, by_bot(now), season_id=scope.season_id)
    _tell_missing(tx, scope, list_sets.progress_of(conn, tx.season, scope).missing)
    return True


def seal_due(conn: Connection, set_id: ListSetId, now: datetime) -> bool:
    """Seal a set whose due date has come; False where it's sealed already."""
    if set_id not in lists.to_seal(conn, now):
        return False
    scope = lists.get_set(conn, set_id)
    tx = transaction(conn, by_bot(now), season_id=scope.season_id)
    seal(tx, scope)
    invalidate(tx)
    return True


def paused(tx: Transaction, event: Paused) -> None:
    """Move when lists are due."""
    lists.move_due(tx.conn, tx.season.id, event.after, event.seconds)


def cost_of_pausing(tx: Transaction) -> str:
    """Return that lists are due later, if any are due once the pause is over, or begins."""
    after, scopes = tx.season.paused_until or tx.now, lists.sets_of(tx.conn, tx.season.id)
    moved = any(scope.sealed_at is None and scope.due_at is not None and scope.due_at > after for scope in scopes)
    return "Lists are due that much later too." if moved else ""


def settings_changed(tx: Transaction, event: SettingsChanged) -> None:
    """Begin the set of the lists a season wants now; who was reminded of other lists, or another date, is again."""
    before, now = (rules_season.settings_of(season).lists for season in (event.before, tx.season))
    if (before, event.before.signups_close) != (now, tx.season.signups_close):
        for scope in lists.sets_of(tx.conn, tx.season.id):
            if scope.reminded_at is not None and scope.due_at is None and scope.sealed_at is None:
                lists.change_set(tx.conn, scope.id, reminded_at=None)
                _take_reminders_back(tx, scope)
    list_sets.prepare(tx.conn, tx.season)


def cost_of_substituting(tx: Transaction, seat: EntrantRow, person: PlayerRow) -> str:
    """Return whose lists for the next round, or an undone one, don't count once a person plays in a seat from then."""
    words = [
        list_sets.words_of(tx.conn, scope)
        for scope in _not_posted(tx)
        if any(row.entrant_id == seat.id for row in lists.of_set(tx.conn, scope.id))
    ]
    if not words:
        return ""
    owner = seat.person or seat.name
    return f"{owner}'s list for {words[0]} doesn't count then: {person.name} plays with a list of their own."


def _not_posted(tx: Transaction) -> list[ListSetRow]:
    """Return the sets of rounds to come, or of one that was undone."""
    first = next_round(tx)
    return [scope for scope in lists.sets_of(tx.conn, tx.season.id) if scope.round is not None and scope.round >= first]


def request(tx: Transaction, player: PlayerRow) -> str:
    """Return which lists someone who takes over a seat has to hand in before the next round is posted."""
    scopes = list_sets.going_on(tx.conn, tx.season)
    missing = [list_sets.progress_of(tx.conn, tx.season, scope) for scope in scopes]
    words = [one.words for one in missing if any(owner.person_id == player.id for owner in one.missing)]
    return f"{player.name}, hand in your list for {' and '.join(words)} with /list." if words else ""


def season_over(tx: Transaction, event: SeasonOver) -> None:
    """Take no more lists, and reveal the sealed ones; a season that was cancelled reveals nothing more.

    Lists for rounds that weren't posted go with those who were to play them.
    """
    for scope in _not_posted(tx):
        lists.remove_of_others(tx.conn, scope.id)
    lists.close_sets(tx.conn, tx.season.id, tx.now)
    if event.played:
        lists.reveal_all(tx.conn, tx.season.id, tx.now)
    tx.invalidate(None, SEALS)


def invalidate(tx: Transaction) -> None:
    """Say that a list came in, so that the board and the round's card say how many are missing."""
    latest = rounds.latest(tx.conn, tx.season.id)
    (tx.invalidate() if latest is None else tx.invalidate(latest, ROUND))
