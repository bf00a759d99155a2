"""How a match changes: reported, disputed, confirmed, open again; always with its posts, and old buttons refused."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.league.errors import Conflict
from bot.league.formats import by_key
from bot.league.season.model import Kind, Stage
from bot.league.season.phases import MatchState, require_move
from bot.services.base import find
from bot.services.base.events import AccountChanged, MatchChanged
from bot.services.base.outbox import BOARD
from bot.services.base.permissions import is_organiser
from bot.services.base.post_kinds import Facts, PostKind, known
from bot.services.base.transaction import ReadTransaction, Transaction
from bot.services.matches import views
from bot.services.matches.decision_posts import DECISION, OPEN_AGAIN, DecisionFacts
from bot.services.matches.views import MatchResult, MatchView
from bot.services.play import time_to_play
from bot.services.play.round_posts import (
    COUNTED,
    DISPUTE,
    DISPUTED,
    QUESTION,
    CountedFacts,
    DisputedFacts,
    QuestionFacts,
)
from storage.rows import Confirmation, EntrantId, EntrantRow, MatchId, MatchRow, RoundRow, Says
from storage.tables import matches, reports, rounds
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows
from storage.tables.reports import Takeback

_NONE = MatchResult(kind=Kind.OPEN)


def require_current(view: MatchView, version: int | None) -> None:
    """Raise Conflict, saying what changed, where a button shows an older state of the match."""
    if version is not None and version != view.match.version:
        raise Conflict(f"That button is outdated: {view.label} is now {view.news}.")


def confirm(tx: Transaction, view: MatchView, result: MatchResult, by: Confirmation | None) -> MatchView:
    """Confirm a result and close an open dispute about it; returns the match as it is now.

    `by` is None for one that came with a file.
    """
    if view.dispute is not None:
        reports.settle(tx.conn, view.match.id, tx.now)
    return _save(tx, replace(view, dispute=None), MatchState.CONFIRMED, result, by=by)


def reopen(tx: Transaction, view: MatchView) -> MatchView:
    """Clear everything reported and decided of a match."""
    reports.clear(tx.conn, view.match.id, tx.now)
    reports.settle(tx.conn, view.match.id, tx.now)
    return time_to_play.open_again(tx, _save(tx, view, MatchState.OPEN))


def mark_reported(tx: Transaction, view: MatchView, reporter: EntrantRow) -> MatchView:
    """Let a report wait for the opponent, who is asked; the time of one without a Discord account begins at once."""
    asked = view.opponent_of(reporter)
    confirm_at = tx.now + view.time_to_answer if asked.discord_id is None else None
    after = _save(tx, view, MatchState.REPORTED, confirm_at=confirm_at)
    ask(tx, after.match, asked)
    return after


def ask(tx: Transaction, match: MatchRow, asked: EntrantRow) -> None:
    """Ask the opponent whether a report is right, if they can be asked."""
    if asked.discord_id is not None:
        tx.enqueue(QUESTION, QuestionFacts(version=match.version), match, people=[asked.discord_id])


def mark_disputed(
    tx: Transaction, view: MatchView, *, by: EntrantId | None, reason: str, says: Says | None = None
) -> MatchView:
    """Hand a match over to the moderators, who are told unless they were before, like who reported."""
    after = _save(tx, view, MatchState.DISPUTED)
    if view.dispute is None:
        dispute: dict[str, Any] = {"entrant_id": by, "reason": reason, "says": says}
        after = replace(after, dispute=reports.dispute(tx.conn, match_id=view.match.id, **dispute, at=tx.now))
        _tell_of_dispute(tx, after, by)
    return after


def _tell_of_dispute(tx: Transaction, view: MatchView, by: EntrantId | None) -> None:
    """Tell the moderators, and those whose report isn't agreed to: they can say what happened, too."""
    tx.enqueue(DISPUTE, Facts(), view.match)
    for side in view.sides:
        if side.id != by and view.report_of(side) is not None:
            _tell_reporter(tx, view, side)


def _tell_reporter(tx: Transaction, view: MatchView, side: EntrantRow) -> None:
    tx.enqueue(DISPUTED, DisputedFacts(entrant_id=side.id), view.match, people=[side.discord_id])


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Ask the new account of a player again what their match waits for: an answer, or a word on a dispute."""
    side = find.seat_of(tx, event.after)
    if side is None:
        return
    for view in views.open_matches(tx.conn, side.id):
        if view.match.state is MatchState.REPORTED and view.asked == side:
            tx.retract_all(view.match, QUESTION)
            ask(tx, view.match, side)
        _tell_of_dispute_again(tx, view, side)


def _tell_of_dispute_again(tx: Transaction, view: MatchView, side: EntrantRow) -> None:
    """Tell a player who has a new account that their report isn't agreed to, if they were told so."""
    posts = outbox_rows.of_match(tx.conn, view.match.id, [DISPUTED])
    keys = [post.key for post in posts if not post.removed and DISPUTED.facts(post).entrant_id == side.id]
    for key in keys:
        outbox_rows.remove_with_copies(tx.conn, key, now=tx.now)
    if keys:
        _tell_reporter(tx, view, side)


def forfeit(tx: Transaction, match_id: MatchId, loser_id: EntrantId, *also: EntrantId) -> None:
    """Give an unfinished match to the opponent of a player who left, or to nobody; a confirmed result stands."""
    view = views.match_view(tx.conn, match_id)
    if view.match.state is not MatchState.CONFIRMED:
        lose(tx, view, loser_id, *also)


def lose(tx: Transaction, view: MatchView, loser_id: EntrantId, *also: EntrantId) -> MatchView:
    """Let one player lose a match by leaving, or both."""
    kind, winner = (Kind.DOUBLE_LOSS, None) if also else (Kind.FORFEIT, view.match.opponent_of(loser_id))
    lost = confirm(tx, view, MatchResult(kind=kind, winner_id=winner), Confirmation.DEPARTURE)
    note(tx.by_itself(), "result.forfeit", view, lost)
    return lost


def forfeit_of_gone(tx: Transaction, row: RoundRow) -> bool:
    """Let players who left lose their matches of a regular round; return whether nobody has to play in it."""
    if row.stage is not Stage.REGULAR or not by_key(tx.season.format).fixed_rounds:
        return False
    gone = {player.id for player in entrants.of_season(tx.conn, tx.season.id) if not player.active}
    for match in matches.of_round(tx.conn, row.id):
        losers = [player for player in match.players if player in gone]
        if losers:
            forfeit(tx, match.id, *losers)
    return not matches.count_unfinished(tx.conn, row.id)


def lost_by_leaving(tx: ReadTransaction, entrant: EntrantRow) -> list[MatchView]:
    """Return the matches that leaving cost a player, alone or with an opponent who left too."""
    left = (view for view in with_result(tx, entrant) if view.match.confirmed_by is Confirmation.DEPARTURE)
    return [view for view in left if view.match.winner_id != entrant.id]


def with_result(tx: ReadTransaction, entrant: EntrantRow) -> list[MatchView]:
    """Return a player's matches that have a result, in order."""
    own = (matches.in_round(tx.conn, row.id, entrant.id) for row in rounds.published(tx.conn, tx.season.id))
    confirmed = (match for match in own if match is not None and match.state is MatchState.CONFIRMED)
    return [views.match_view(tx.conn, match.id) for match in confirmed]


def keep_before(tx: Transaction, before: MatchView, after: MatchView, side: EntrantRow) -> MatchView:
    """Keep what a match was before a player's press made its result count; one that counted before stays as it is."""
    if after.match.state is not MatchState.CONFIRMED or before.match.state is MatchState.CONFIRMED:
        return after
    dispute_id = None if before.dispute is None else before.dispute.id
    stood = [report.id for report in before.reports]
    version = after.match.version
    return replace(
        after, takeback=reports.keep_before(tx.conn, before.match.id, side.id, version, tx.now, stood, dispute_id)
    )


def put_back(tx: Transaction, view: MatchView, before: Takeback) -> MatchView:
    """Make a match what it was before a press: open, disputed, or reported with the opponent asked again."""
    reports.clear(tx.conn, view.match.id, tx.now)
    reports.restore(tx.conn, before.reports, before.dispute_id)
    then = views.match_view(tx.conn, view.match.id)
    if then.dispute is not None:
        after = _save(tx, then, MatchState.DISPUTED)
        tx.retract_all(after.match, DISPUTE, DISPUTED)
        _tell_of_dispute(tx, after, then.dispute.entrant_id)
        return after
    if then.reports:
        return mark_reported(tx, then, then.side(then.reports[-1].entrant_id))
    return time_to_play.open_again(tx, _save(tx, then, MatchState.OPEN), by_players=True)


def tell_players(
    tx: Transaction,
    view: MatchView,
    text: str,
    *some: EntrantRow,
    kind: PostKind[DecisionFacts] = DECISION,
    decided: bool = False,
    why: str = "",
    until: datetime | None = None,
    confirmed_for: EntrantId | None = None,
    taken_back_by: EntrantId | None = None,
) -> None:
    """Tell both players of a match, or some, what became of it without them, and until when they have time now.

    What was `decided` names who did it. The reason reaches only the two: the channel reads the decision alone.
    `confirmed_for` is the player a moderator confirmed a report for, `taken_back_by` who took back what they said.
    """
    pings = known(side.discord_id for side in some or view.sides)
    facts = DecisionFacts(
        text=text,
        pings=pings,
        by=decider(tx, view) if decided else "",
        decided_by=tx.actor.user_id if decided else None,
        why=why,
        until=until,
        confirmed_for=confirmed_for,
        taken_back_by=taken_back_by,
        between=view.match.players,
    )
    tx.enqueue(kind, facts, view.match, people=pings)


TOGETHER = timedelta(minutes=10)
"""What counts by silence in these minutes is told in one message."""


def tell_it_counts(tx: Transaction, view: MatchView, *silent: EntrantRow) -> None:
    """Tell everyone at the end of some minutes that a result counts, and mention who was silent.

    Nobody is told where the round ends before that: the next one mentions them.
    """
    seconds = int(TOGETHER.total_seconds())
    at = datetime.fromtimestamp((int(tx.now.timestamp()) // seconds + 1) * seconds, UTC)
    people = [entrant.discord_id for entrant in silent]
    tx.enqueue(COUNTED, CountedFacts(at=at), view.match, people=people, due_at=at)


def decider(tx: Transaction, *decided: MatchView) -> str:
    """Return who decides some matches, as everyone reads it."""
    role = "organiser" if is_organiser(tx.league, tx.actor) else "moderator"
    own = any(view.side_of(tx.actor.user_id) is not None for view in decided)
    where = "in this match" if len(decided) == 1 else "in one of them"
    return f"the {role} {tx.actor.name}" + (f" (who plays {where})" if own else "")


def tell_open_again(
    tx: Transaction,
    before: MatchView,
    now: MatchView,
    text: str,
    other: EntrantRow,
    *,
    step: str = time_to_play.PLAY,
    taken_back_by: EntrantId | None = None,
) -> None:
    """Tell the other player that what one did opened a match again, with their next step.

    Both are told where that moved its deadline, or came after it.
    """
    how: dict[str, Any] = {"kind": OPEN_AGAIN, "taken_back_by": taken_back_by}
    if time_to_play.is_over(tx, now):
        tell_players(tx, now, f"{text} {time_to_play.OVER}", **how)
    elif now.deadline != before.deadline:
        tell_players(tx, now, f"{text} {time_to_play.PLAY}", until=now.deadline, **how)
    else:
        tell_players(tx, now, f"{text} {step}", other, **how)


def note(
    tx: Transaction, action: str, view: MatchView, after: MatchView, reason: str | None = None, **statements: str
) -> None:
    """Note how a match changed, with what was said about it."""
    now = {**statements, "state": after.state_words}
    tx.note(action, view.label, before={"state": view.state_words}, after=now, reason=reason)


def _save(
    tx: Transaction,
    view: MatchView,
    state: MatchState,
    result: MatchResult = _NONE,
    *,
    by: Confirmation | None = None,
    confirm_at: datetime | None = None,
) -> MatchView:
    if view.match.state is not state:
        require_move(view.match.state, state)
    games, score = (pair or (None, None) for pair in result.scoreline)
    changed = replace(
        view.match,
        state=state,
        kind=result.kind,
        winner_id=result.winner_id,
        upper_games=games[0],
        lower_games=games[1],
        upper_score=score[0],
        lower_score=score[1],
        upper_points=None,
        lower_points=None,
        confirm_at=confirm_at,
        ask_again_at=None,
        confirmed_by=by,
    )
    saved = matches.save(tx.conn, changed)
    answered = () if state is MatchState.DISPUTED else (DISPUTED,)
    tx.retract_all(saved, QUESTION, OPEN_AGAIN, *answered)
    tx.invalidate(saved)
    if MatchState.CONFIRMED in (view.match.state, state):
        tx.invalidate(None, BOARD)
    tx.happened(MatchChanged(before=view.match, after=saved))
    return replace(view, match=saved, problem=None)  # which any change ends
