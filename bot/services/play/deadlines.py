"""Deadlines: reminders before them, how a pause moves them, and what happens to matches no one has reported by then."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.league.season.choices import Overdue, Pace
from bot.league.season.in_words import amount, first_few
from bot.league.season.model import Kind, Stage
from bot.league.season.phases import MatchState
from bot.services.base import outbox
from bot.services.base.events import Paused
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import by_bot
from bot.services.base.outbox import GROUP, PAGE
from bot.services.base.post_kinds import Facts
from bot.services.base.transaction import Transaction, transaction
from bot.services.matches import group_cards, views
from bot.services.matches.views import MatchResult, MatchView
from bot.services.play import progression, transitions
from bot.services.play.round_posts import OVERDUE, REMINDER, ReminderFacts
from bot.services.play.time_to_play import deadline_from, time_runs_from
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import Confirmation, MatchRow, RoundId, RoundRow, SeasonRow
from storage.tables import matches, rounds, seasons, threads

GRACE = timedelta(minutes=15)
"""How long after time was called a live match may still be finished and reported before it is overdue."""


def remind(conn: Connection, round_id: RoundId, now: datetime) -> bool:
    """Remind the players whose matches have no result, of all rounds played at once; False where it isn't time."""
    row = rounds.get(conn, round_id)
    at_once = rounds.at_once(conn, row)
    due = [match for other in at_once for match in matches.reminders_due(conn, now, round_id=other.id)]
    views_due = sorted(views.match_views(conn, due), key=lambda view: view.match.position)  # people of a group together
    for view in views_due:
        matches.change(conn, view.match.id, reminded_at=now)
    if cards := group_cards.of_stage(conn, at_once[0]) if row.together else ():
        _remind_groups(conn, at_once[0], cards, views_due, now)
        return bool(views_due)
    apart = threads.working(conn, [view.match.id for view in views_due])
    together = [view for view in views_due if view.match.id not in apart]
    for first in range(0, len(together), PAGE):
        _remind_of(conn, row, together[first : first + PAGE], now)
    for view in views_due:
        if view.match.id in apart:
            _remind_of(conn, view.match, [view], now)
    return bool(views_due)


def _remind_groups(
    conn: Connection, first: RoundRow, cards: Sequence[PostRow], due: Sequence[MatchView], now: datetime
) -> None:
    """Enqueue one reminder a group, for its thread, with all matches left to play; the one before it is deleted."""
    for card in cards:
        group = GROUP.facts(card)
        own = [view for view in due if view.match.upper_id in group.players]
        if own:
            people = [player.discord_id for view in own for player in view.awaited]
            page, ids = str(group.page), tuple(view.match.id for view in own)
            outbox.retract(conn, REMINDER, first, once=page, now=now)
            facts = ReminderFacts(matches=ids, group=group.name, thread_match=ids[0])
            outbox.enqueue(conn, REMINDER, own[0].season, facts, first, now=now, once=page, people=people)


def _remind_of(conn: Connection, about: RoundRow | MatchRow, page: Sequence[MatchView], now: datetime) -> None:
    """Enqueue one reminder of some matches; one about a match goes to its thread."""
    people = [player.discord_id for view in page for player in view.awaited]
    facts = ReminderFacts(matches=tuple(view.match.id for view in page))
    outbox.enqueue(conn, REMINDER, page[0].season, facts, about, now=now, people=people)


def late(conn: Connection, round_id: RoundId, now: datetime) -> tuple[MatchRow, ...]:
    """Return the matches nobody reported in time of a round and those played at once with it.

    A live round allows some minutes more.
    """
    row = rounds.get(conn, round_id)
    live = rules_season.settings_of(seasons.get(conn, row.season_id)).pace is Pace.LIVE
    until = now - GRACE if live else now
    return tuple(match for other in rounds.at_once(conn, row) for match in matches.overdue(conn, other.id, until))


def paused(tx: Transaction, event: Paused) -> None:
    """Move the deadlines of what is being played; those that came from the clock of a live round run on."""
    for row in rounds.open_rounds(tx.conn, tx.season.id):
        if row.clock_started_at is not None:
            continue
        agreed = _agreed_later(tx, row, event)
        rounds.move_deadline(tx.conn, row.id, event.after, event.seconds)
        matches.move_deadlines(tx.conn, row.id, event.after, event.seconds)
        for view in agreed:
            _keep(tx, view, event.seconds)


def _agreed_later(tx: Transaction, row: RoundRow, event: Paused) -> list[MatchView]:
    """Return the matches whose players agreed on a time in the pause that lies after its early end's deadline."""
    moved = timedelta(seconds=event.seconds)
    open_ = [view for view in views.round_view(tx.conn, row.id).matches if view.match.state is MatchState.OPEN]
    return [
        view
        for view in open_
        if view.deadline is not None and event.after < view.deadline
        if view.match.agreed_at is not None and view.deadline + moved < view.match.agreed_at
    ]


def _keep(tx: Transaction, view: MatchView, seconds: int) -> None:
    """Let a match keep the deadline it had as its players agreed on a time, and tell them."""
    assert view.deadline is not None
    matches.change(tx.conn, view.match.id, deadline=view.deadline)
    tx.invalidate(view.match)
    until = int(view.deadline.timestamp())
    tx.note("round.extend", view.label, before={"deadline": until + seconds}, after={"deadline": until})
    text = "The pause ends early, but you agreed on a later time, so your match keeps its deadline."
    transitions.tell_players(tx, view, text, until=view.deadline)


def pass_deadline(conn: Connection, round_id: RoundId, now: datetime) -> bool:
    """Apply the season's `overdue` to the unreported matches of a round; False where none is late any more."""
    pairs = late(conn, round_id, now)
    if not pairs:
        return False
    row, views_due = rounds.get(conn, round_id), views.match_views(conn, pairs)
    tx = transaction(conn, by_bot(now), season_id=row.season_id)
    if tx.settings.overdue is Overdue.EXTEND and tx.settings.pace is not Pace.LIVE:
        _extend(tx, row, views_due)
    elif tx.settings.overdue is Overdue.DOUBLE_LOSS and row.stage is not Stage.FINALS:
        _lose_both(tx, views_due)
    else:
        _tell_moderators(tx, row, views_due)
    return True


def _tell_moderators(tx: Transaction, row: RoundRow, overdue: Sequence[MatchView]) -> None:
    for view in overdue:
        matches.change(tx.conn, view.match.id, overdue_at=tx.now)
        tx.invalidate(view.match)
    tx.enqueue(OVERDUE, Facts(), row)


def _lose_both(tx: Transaction, overdue: Sequence[MatchView]) -> None:
    """Let both lose: nobody reported in time, and the season's settings say so."""
    lost = MatchResult(kind=Kind.DOUBLE_LOSS)
    for view in overdue:
        transitions.confirm(tx, view, lost, Confirmation.SILENCE)
        transitions.tell_it_counts(tx, view, *view.sides)
        tx.note("result.overdue", view.label, before={"state": view.news}, after={"state": view.words(lost)})
    progression.advance(tx)


def _extend(tx: Transaction, row: RoundRow, overdue: Sequence[MatchView]) -> None:
    """Give each round whose time is over its length again, or only the matches whose own time is over."""
    whole = True
    for other in rounds.at_once(tx.conn, row):
        if other.deadline is not None and other.deadline <= tx.now:
            tx.invalidate(rounds.change(tx.conn, other.id, deadline=_later(tx, other.deadline)))
        else:
            whole = False
    for view in overdue:
        matches.change(tx.conn, view.match.id, reminded_at=tx.now)  # this message is the half-time one
        if view.match.deadline is not None:
            matches.change(tx.conn, view.match.id, deadline=_later(tx, view.match.deadline))
    tx.invalidate(row)
    labels = [view.heading for view in overdue]
    words = row.stage_words
    what = words if whole else f"{'this match' if len(overdue) == 1 else 'these matches'} of {words}"
    days = tx.settings.round_days
    more = amount(days, "more day") if tx.settings.round_ends is None else "More time"
    text = f"{more} for {what}. Still to play: {first_few(labels, PAGE)}."
    pings = [side.discord_id for view in overdue for side in view.sides]
    outbox.tell(tx.conn, tx.season, text, row, now=tx.now, pings=pings)
    tx.note("round.extend", words, after={"matches": labels, "days": days})


def _later(tx: Transaction, deadline: datetime) -> datetime:
    """Return the deadline moved by a round's length; after downtime or in a pause it is moved once, and far enough."""
    later, runs_from = deadline_from(tx, deadline), time_runs_from(tx)
    return later if later > runs_from else deadline_from(tx, runs_from)


def _overdue(rows: Sequence[MatchView]) -> Section:
    """Return matches no one reported in time; a live round has a clock and no days."""
    more = "" if any(view.live for view in rows) else ", or give more time under the moderators' post"
    return Section("Overdue", f"No one reported in time. Press Decide{more}.", [view.label for view in rows])


def _by_hand(rows: Sequence[RoundRow]) -> Section:
    step = "The season goes on by hand: /round post ends the round and goes on."
    return Section("All results are in", step, [row.stage_words for row in rows])


def _between(rows: Sequence[SeasonRow]) -> Section:
    step = "/round post posts the next one, or ends the season if none follows."
    return Section("No round is open", step, [f"season {row.number}" for row in rows])


LATE = PendingItems("overdue", matches.OVERDUE, views.by_ids, _overdue)
"""Matches no one reported in time."""
BY_HAND = PendingItems("rounds", rounds.BY_HAND, rounds.some, _by_hand, by_organisers=True)
"""Rounds with all results that an organiser ends by hand."""
NOT_POSTED = PendingItems("next_round", seasons.BETWEEN_ROUNDS, seasons.some, _between, by_organisers=True)
"""Seasons whose next round an organiser posts, also after the last one was undone."""
