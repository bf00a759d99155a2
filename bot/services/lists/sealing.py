"""When lists are sealed and revealed, and who is told that theirs are missing."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.league.season.list_rules import ListRules, fingerprint
from bot.services.base import promises
from bot.services.base.act import Act, act
from bot.services.base.events import FieldChanged, Paused, RoundPosted, RoundTakenBack, SeasonOver, SettingsChanged
from bot.services.base.order import by_bot
from bot.services.base.promises import ROUND
from bot.services.lists import list_sets
from bot.services.lists.list_posts import LISTS_MISSING, SEALS, SEALS_A_PAGE
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow
from storage.tables import entrants, lists, rounds, seasons
from storage.tables.lists import ListRow, ListSetId, ListSetRow


def round_posted(do: Act, event: RoundPosted) -> None:
    """Set the date of the lists that are due with a round; those that had to be there before it are sealed now."""
    row = event.round
    rules = do.settings.lists
    if rules is None:
        return
    scope = list_sets.begin(do.conn, do.season, None if rules.for_season else row.number)
    list_sets.prepare(do.conn, do.season)
    if scope.sealed_at is not None:
        _sealed_before(do, scope, rules)
        return
    if rules.for_season and scope.due_at is not None:
        return
    due_at = do.now + timedelta(hours=rules.due_hours)
    scope = lists.change_set(do.conn, scope.id, due_at=due_at)
    if due_at <= do.now:
        seal(do, scope)


def _sealed_before(do: Act, scope: ListSetRow, rules: ListRules) -> None:
    """Say whose lists are missing in a round that is posted again; keep secret what is handed in from now on.

    All lists were revealed if the season was over and goes on.
    """
    if scope.revealed_at is not None and not rules.revealed_when_due:
        lists.change_set(do.conn, scope.id, revealed_at=None)
        do.touch(None, SEALS)
    if not rules.for_season:
        _tell_missing(do, scope, list_sets.progress_of(do.conn, do.season, scope).missing)


def round_taken_back(do: Act, event: RoundTakenBack) -> None:
    """Forget when the round's lists were due, and its reminder: posted again, it sets both again."""
    scope = lists.set_of(do.conn, do.season.id, event.round.number)
    if scope is not None and scope.due_at is not None and scope.sealed_at is None:
        lists.change_set(do.conn, scope.id, due_at=None, reminded_at=None)
        _take_reminders_back(do, scope)


def seal(do: Act, scope: ListSetRow) -> None:
    """Seal a set: post each list's fingerprint, reveal them if they're secret no longer, and tell who has none."""
    rules = do.settings.lists
    assert rules is not None
    sealed = _seal_handed_in(do, scope, rules)
    revealed_at = do.now if rules.revealed_when_due else None
    scope = lists.change_set(do.conn, scope.id, sealed_at=do.now, revealed_at=revealed_at)
    progress = list_sets.progress_of(do.conn, do.season, scope)
    _tell_missing(do, scope, progress.missing)
    do.by_itself().note("lists.seal", f"lists for {progress.words}", after={"lists": sealed})


def _seal_handed_in(do: Act, scope: ListSetRow, rules: ListRules) -> int:
    """Seal the lists of those who are still in the season, if they aren't, and return how many were sealed now."""
    here = {entrant.id for entrant in entrants.of_season(do.conn, do.season.id) if entrant.active}
    there = [row for row in lists.of_set(do.conn, scope.id) if row.entrant_id in here and row.number <= rules.number]
    unsealed = [row for row in there if row.sealed_at is None]
    if not unsealed:
        return 0
    for row in unsealed:
        seal_one(do, row)
    on_time = [row for row in lists.of_set(do.conn, scope.id) if row.sealed_at is not None and not row.late]
    for first in range(0, len(on_time), SEALS_A_PAGE):
        page = first // SEALS_A_PAGE + 1
        do.owe(SEALS, once=f"{scope.id}:{page}", set_id=scope.id, page=page)
    return len(unsealed)


def field_changed(do: Act, _: FieldChanged) -> None:
    """Seal the lists of players who have come back, where the others' are sealed."""
    rules = do.settings.lists
    for scope in list_sets.going_on(do.conn, do.season):
        if rules is not None and scope.sealed_at is not None and _seal_handed_in(do, scope, rules):
            do.touch(None, SEALS)


def seal_one(do: Act, row: ListRow) -> ListRow:
    """Seal a list: it changes no more."""
    assert row.key is not None
    assert row.text is not None
    return lists.change(do.conn, row.id, sha256=fingerprint(row.key, row.text), sealed_at=do.now)


def _tell_missing(do: Act, scope: ListSetRow, missing: Sequence[EntrantRow]) -> None:
    """Tell players that their lists are missing, in place of what they were told before."""
    _take_reminders_back(do, scope)
    people = [entrant.discord_id for entrant in missing]
    if missing:
        do.owe(LISTS_MISSING, once=str(scope.id), people=people, set_id=scope.id)


def came_in(do: Act, scope: ListSetRow, owner: EntrantRow) -> None:
    """Show that a list came in, and delete the reminder once it has nothing left to remind of."""
    missing = list_sets.progress_of(do.conn, do.season, scope).missing
    if owner.id not in {entrant.id for entrant in missing}:
        once = str(scope.id)
        if missing:
            promises.unsay_to(do.conn, LISTS_MISSING, do.season, once=once, person=owner.discord_id, now=do.now)
            promises.touch_once(do.conn, LISTS_MISSING, do.season, once=once, now=do.now)
        else:
            _take_reminders_back(do, scope)
    touch(do)


def _take_reminders_back(do: Act, scope: ListSetRow) -> None:
    """Delete everyone's reminders, and the one in the channel."""
    promises.unsay(do.conn, LISTS_MISSING, do.season, once=str(scope.id), now=do.now)


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
    do = act(conn, by_bot(now), season_id=scope.season_id)
    _tell_missing(do, scope, list_sets.progress_of(conn, do.season, scope).missing)
    return True


def seal_due(conn: Connection, set_id: ListSetId, now: datetime) -> bool:
    """Seal a set whose due date has come; False where it's sealed already."""
    if set_id not in lists.to_seal(conn, now):
        return False
    scope = lists.get_set(conn, set_id)
    do = act(conn, by_bot(now), season_id=scope.season_id)
    seal(do, scope)
    touch(do)
    return True


def paused(do: Act, event: Paused) -> None:
    """Move when lists are due."""
    lists.move_due(do.conn, do.season.id, event.after, event.seconds)


def cost_of_pausing(do: Act) -> str:
    """Return that lists are due later, if any are due once the pause is over, or begins."""
    after, there = do.season.paused_until or do.now, lists.sets_of(do.conn, do.season.id)
    moved = any(one.sealed_at is None and one.due_at is not None and one.due_at > after for one in there)
    return "Lists are due that much later too." if moved else ""


def settings_changed(do: Act, event: SettingsChanged) -> None:
    """Begin the set of the lists a season wants now; who was reminded of other lists, or another date, is again."""
    before, now = (rules_season.settings_of(season).lists for season in (event.before, do.season))
    if (before, event.before.signups_close) != (now, do.season.signups_close):
        for scope in lists.sets_of(do.conn, do.season.id):
            if scope.reminded_at is not None and scope.due_at is None and scope.sealed_at is None:
                lists.change_set(do.conn, scope.id, reminded_at=None)
                _take_reminders_back(do, scope)
    list_sets.prepare(do.conn, do.season)


def season_over(do: Act, event: SeasonOver) -> None:
    """Take no more lists, and reveal the sealed ones; a season that was cancelled reveals nothing more."""
    lists.close_sets(do.conn, do.season.id, do.now)
    if event.played:
        lists.reveal_all(do.conn, do.season.id, do.now)
    do.touch(None, SEALS)


def touch(do: Act) -> None:
    """Say that a list came in, so that the board and the round's card say how many are missing."""
    latest = rounds.latest(do.conn, do.season.id)
    (do.touch() if latest is None else do.touch(latest, ROUND))
