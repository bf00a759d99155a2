"""What happens automatically: rounds end, the next is paired and posted, a preview is paired again, the season ends.

It's always inside the transaction of the change.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.league.season.choices import Advance
from bot.league.season.in_words import capitalised
from bot.league.season.model import Name, Season, Stage
from bot.league.season.phases import PLAYING, RoundPhase, SeasonPhase, require_move
from bot.services.base import hooks, outbox, post_kinds, retracting
from bot.services.base.events import ResultsMissing, RoundClosed, RoundPosted, RoundTakenBack, SeasonOver
from bot.services.base.outbox import BOARD, ROUND, STUCK
from bot.services.base.post_kinds import Facts, PostKind, Shows, Until
from bot.services.base.transaction import Transaction
from bot.services.matches import group_cards
from bot.services.matches.round_groups import resting_in
from bot.services.play import prepared, transitions
from bot.services.play.field import moving_up
from bot.services.play.field.seats_after_stage import follow_stage
from bot.services.play.news import NEWS
from bot.services.play.prepared import NOT_PAIRED, Prepared, PreparedRound, propose, propose_or_tell, record_of
from bot.services.play.time_to_play import deadline_now
from storage import rules_season
from storage.posts import Target
from storage.rows import MatchRow, RoundRow, SeasonRow
from storage.tables import matches, reports, rounds, seasons
from storage.tables.field import entrants
from storage.tables.field.finals_places import posted as finals_posted

CHAMPION = PostKind("champion", Facts, once=True, shows=Shows.SEASON, rewritten=True)
"""The end of a season."""


def open_round(tx: Transaction) -> RoundRow | None:
    """Return the season's preview or open round, or None between rounds; the first of those that are together."""
    return rounds.going_on(tx.conn, tx.season.id)


def pair_and_post(tx: Transaction) -> None:
    """Pair and post the next round, or end the season where the rules say so; raises PairingImpossible."""
    _begin(tx, propose(tx))
    advance(tx)


def close_and_advance(tx: Transaction, row: RoundRow) -> None:
    """Close a round as an organiser and continue the season, unless they pair the next one themselves."""
    next_ = propose_or_tell(tx, close_round(tx, row))
    if next_ is not None and not (tx.settings.advance is Advance.MANUAL and isinstance(next_, PreparedRound)):
        _begin(tx, next_)
        advance(tx)


def advance(tx: Transaction, *, answered: bool = False) -> None:
    """Continue the season after results or the field changed, as the bot.

    A preview is paired again where the rules now say something else. An open round with all results is closed as
    the setting `advance` says, and the next is paired and posted, or the season ends. Where no round can be paired the
    results stay and organisers are asked. Finals that wait for players who move up follow once these have answered,
    and those an organiser was asked about first where what they were asked is `answered`; in a pause, after it.
    """
    tx = tx.by_itself()
    while tx.reload().phase in PLAYING:
        row = open_round(tx)
        if row is not None and not _may_advance(tx, row):
            return
        if row is None and answered:
            tx.change_season(finals_wait=True)
        next_ = propose_or_tell(tx, record_of(tx) if row is None else close_round(tx, row))
        if next_ is None or (row is None and not _follows_by_itself(tx, next_)):
            if isinstance(next_, PreparedRound):  # what the finals will wait for can be thought about meanwhile
                asks = is_asked_about if moving_up.finals_wait(tx) else ask_what_holds
                asks(tx, next_.stage)
            return
        if not _begin(tx, next_):
            return


def _follows_by_itself(tx: Transaction, next_: Prepared) -> bool:
    """Whether what comes next between rounds needs no organiser, who pairs: a season's end, or finals that waited.

    Neither comes while something holds it, which is asked about.
    """
    if not isinstance(next_, PreparedRound):
        return not hooks.holds(tx, ask=True)
    if _is_free_to_begin(tx):
        return True
    by_hand = tx.settings.advance is Advance.MANUAL or tx.season.paused_until is not None
    return tx.season.finals_wait and next_.stage is Stage.FINALS and not by_hand


def _is_free_to_begin(tx: Transaction) -> bool:
    """Whether finals that waited for players who move up are posted as soon as these have answered."""
    return tx.season.paused_until is None and moving_up.finals_wait(tx)


def _may_advance(tx: Transaction, row: RoundRow) -> bool:
    """Whether an open round is at its end; a preview is paired again, or published where that is all it waited for."""
    if row.phase is RoundPhase.DRAFT:
        _refresh_draft(tx, row)
        draft = rounds.draft(tx.conn, tx.season.id)
        if draft is not None and not _is_free_to_begin(tx):
            ask_what_holds(tx, draft.stage)
        elif draft is not None and not is_asked_about(tx, draft.stage):
            publish(tx, draft)
        return False
    return _may_end(tx, row)


def _may_end(tx: Transaction, row: RoundRow) -> bool:
    """Whether an open round ends by itself now."""
    if matches.count_missing(tx.conn, row):
        results_missing(tx, row)
        return False
    if tx.season.paused_until is not None or hooks.holds(tx, ask=True):
        return False
    if tx.settings.advance is Advance.MANUAL:
        text = (
            f"All results of {row.stage_words} are in. Organisers go on: /round post ends it and posts the next round,"
            " which you can look at first. If no round follows, it ends the season."
        )
        tx.tell(text, kind=STUCK, once=_complete(row))
    ends = ends_by_itself(tx.season, row, tx.now)
    if not ends and tx.settings.advance is not Advance.MANUAL:
        tx.retract(STUCK, once=_complete(row))  # the setting may have been another
    return ends


def _complete(row: RoundRow) -> str:
    return f"season {row.season_id} complete" if row.together else f"round {row.id} complete"


def results_missing(tx: Transaction, row: RoundRow) -> None:
    """Take back what organisers were asked because all results of an open round were in: they're asked again then."""
    tx.happened(ResultsMissing(round=row))
    for word in (_complete(row), NOT_PAIRED):
        tx.retract(STUCK, once=word)


def ends_by_itself(season: SeasonRow, row: RoundRow, now: datetime | None = None) -> bool:
    """Whether a round with all results ends now, by default before its deadline, without an organiser.

    Nothing ends in a pause. A tie that an organiser has to decide holds it too. A live round whose clock hasn't started
    has no deadline to wait for.
    """
    advance = rules_season.settings_of(season).advance
    past = row.deadline is None or (now is not None and row.deadline <= now)
    ends = advance is Advance.ALL_IN or (advance is Advance.DEADLINE and past)
    return ends and season.paused_until is None


def close_round(tx: Transaction, row: RoundRow, *, announced: bool = True) -> Season:
    """Close an open round with those open together with it, `announced` in one post; return the season then."""
    tx.retract(STUCK, once=_complete(row))
    together, at_once = tx.settings.schedule.open_together, rounds.at_once(tx.conn, row)
    for open_ in at_once:
        require_move(open_.phase, RoundPhase.CLOSED)
        row = rounds.change(tx.conn, open_.id, phase=RoundPhase.CLOSED, together=open_.together and together)
        outbox.cancel_unsent(tx.conn, row, *post_kinds.until(Until.ROUND_CLOSES), now=tx.now)
        tx.invalidate(row, ROUND)
    season = record_of(tx)
    for closed in rounds.some(tx.conn, [open_.id for open_ in at_once]):
        tx.happened(RoundClosed(round=closed, season=season))
        tx.note("round.close", closed.words)
    if announced:
        people = [entrant.discord_id for entrant in entrants.of_season(tx.conn, tx.season.id)]
        tx.enqueue(NEWS, Facts(), row, people=people)
    return season


def _begin(tx: Transaction, next_: Prepared) -> bool:
    """Post the next round or end the season; False where results come first, or players who move up into the finals."""
    if not isinstance(next_, PreparedRound):
        _finish(tx, next_.name)
        return True
    if is_asked_about(tx, next_.stage):
        tx.change_season(finals_wait=True)
        return False
    return post(tx, save_draft(tx, next_))


def post(tx: Transaction, row: RoundRow) -> bool:
    """Publish a preview, and what follows where nobody has to play in it; return whether nothing is left to play."""
    if publish(tx, row):
        return False
    if rounds.get(tx.conn, row.id).phase is RoundPhase.CLOSED:
        next_ = propose_or_tell(tx, record_of(tx))
        return next_ is not None and _begin(tx, next_)
    return True


def is_asked_about(tx: Transaction, stage: Stage) -> bool:
    """Ask about what holds the finals, then the players who would move up into them, and say if someone must answer."""
    begins = stage is Stage.FINALS and tx.season.phase is SeasonPhase.RUNNING
    return begins and (ask_what_holds(tx, stage) or bool(moving_up.ask(tx)))


def ask_what_holds(tx: Transaction, stage: Stage) -> bool:
    """Ask about what holds the finals where these come next, and say if something does; a preview of them waits too."""
    begins = stage is Stage.FINALS and tx.season.phase is SeasonPhase.RUNNING
    return begins and bool(hooks.holds(tx, ask=True))


def drop_draft(tx: Transaction, draft: RoundRow) -> None:
    """Delete a preview with those beside it, before it is paired again or nothing follows."""
    for row in reversed(rounds.at_once(tx.conn, draft)):
        tx.happened(RoundTakenBack(round=row, matches=matches.of_round(tx.conn, row.id)))
        rounds.remove(tx.conn, row.id)


def save_draft(tx: Transaction, next_: PreparedRound) -> RoundRow:
    """Save a prepared round as a preview, with those beside it, and return the first.

    Raises sqlite3.IntegrityError where another round is going on.
    """
    tx.retract(STUCK, once=NOT_PAIRED)
    first, *_ = [_save(tx, round_) for round_ in (next_, *next_.beside)]
    return first


def _save(tx: Transaction, next_: PreparedRound) -> RoundRow:
    row = rounds.add(
        tx.conn,
        season_id=tx.season.id,
        number=next_.number,
        name=next_.name,
        stage=next_.stage,
        phase=RoundPhase.DRAFT,
        together=next_.together,
    )
    pairs, byes = prepared.columns(tx, next_)
    matches.add_round(tx.conn, row.id, pairs=pairs, byes=byes)
    return row


def publish(tx: Transaction, row: RoundRow, *, quietly: bool = False) -> Sequence[MatchRow]:
    """Publish a preview and those beside it: from now on it is played; `quietly` if its players were told otherwise.

    One in which nobody has to play, because those who left lost all its matches, is over at once, without a post.
    Returns the matches of one that isn't.
    """
    drafts = rounds.at_once(tx.conn, row)
    deadline = deadline_now(tx, drafts)
    pairs = [
        match
        for draft in drafts
        for match in _publish(tx, draft, deadline, quietly=quietly or draft != drafts[0])  # people are told once
    ]
    if not row.together or group_cards.stage_posted(tx, rounds.get(tx.conn, row.id)):
        return pairs
    close_round(tx, rounds.get(tx.conn, row.id), announced=False)
    return ()


def _publish(tx: Transaction, row: RoundRow, deadline: datetime | None, *, quietly: bool) -> Sequence[MatchRow]:
    require_move(row.phase, RoundPhase.OPEN)
    row = rounds.change(tx.conn, row.id, phase=RoundPhase.OPEN, posted_at=tx.now, deadline=deadline)
    if row.stage is Stage.FINALS:
        finals_posted(tx.conn, tx.season.id, tx.now)
        tx.change_season(finals_wait=False)
    if row.stage is Stage.FINALS and tx.season.phase is SeasonPhase.RUNNING:
        require_move(tx.season.phase, SeasonPhase.FINALS)
        tx.change_season(phase=SeasonPhase.FINALS)
    over = transitions.forfeit_of_gone(tx, row)
    pairs, byes = matches.of_round(tx.conn, row.id), matches.byes(tx.conn, row.id)
    resting = resting_in(tx.conn, tx.season, row, pairs)
    if not over and not row.together:
        outbox.enqueue_round(tx.conn, tx.season, row, pairs, byes, now=tx.now, quietly=quietly, resting=resting)
    _show_what_follows(tx, row.number)
    ends = deadline and int(deadline.timestamp())
    tx.note("round.post", row.words, after={"stage": row.stage, "matches": len(pairs), "deadline": ends})
    tx.happened(RoundPosted(round=row, matches=pairs))
    if not over or row.together:
        return pairs
    close_round(tx, row, announced=False)
    return ()


def revert(tx: Transaction, row: RoundRow, text: str, *, pairs_again: bool = False) -> None:
    """Delete a round with its reports; posts people have seen show this text, and without finals they haven't begun.

    Who left or came back while it was played counts as gone or back before it, unless `pairs_again`: then who was there
    plays on.
    No listener takes a round back: subjects let go of what they hold of its matches before these are deleted, and
    answer who waits for something of them before its posts go.
    """
    if not pairs_again:
        entrants.unpaired(tx.conn, tx.season.id, row.number)
    pairs = matches.of_round(tx.conn, row.id)
    ids = [match.id for match in pairs]
    reports.forget(tx.conn, ids)
    tx.happened(RoundTakenBack(round=row, matches=pairs))
    retracting.replace_sent(tx.conn, row.id, ids, text, now=tx.now)
    rounds.remove(tx.conn, row.id)
    left = rounds.of_season(tx.conn, tx.season.id)
    if not left:
        seasons.keep_groups(tx.conn, None, tx.season.id)
    _show_what_follows(tx, row.number)
    if tx.season.phase is SeasonPhase.FINALS and not any(other.stage is Stage.FINALS for other in left):
        tx.change_season(phase=SeasonPhase.RUNNING)
        seasons.keep_bracket(tx.conn, None, tx.season.id)


def _show_what_follows(tx: Transaction, number: int) -> None:
    """Let the board show that a round of this number is there now, or isn't, and so the news of the round before."""
    before = rounds.by_number(tx.conn, tx.season.id, number - 1)
    if before is None:
        tx.invalidate(None, BOARD)
    else:
        tx.invalidate(before, NEWS)  # and the board with it


def end_of_season(tx: Transaction, phase: SeasonPhase, **columns: Any) -> None:
    """End a season, played out, ended early or cancelled: no one waits for a place, a list or an answer any more."""
    require_move(tx.season.phase, phase)
    tx.change_season(phase=phase, ended_at=tx.now, signups_close=None, **columns)
    tx.happened(SeasonOver(played=phase is SeasonPhase.FINISHED))
    tx.retract(STUCK, once=NOT_PAIRED)
    tx.invalidate()
    over = post_kinds.until(Until.SEASON_STARTS, Until.SEASON_ENDS)
    tx.retract_all(tx.season, *over)
    last = rounds.latest(tx.conn, tx.season.id)
    if last is not None:
        tx.invalidate(last)


def _finish(tx: Transaction, champion: Name | None) -> None:
    before = tx.season.phase
    require_move(before, SeasonPhase.FINISHED)
    winner = None if champion is None else entrants.by_name(tx.conn, tx.season.id, champion)
    winner_id = None if winner is None else winner.id
    last = rounds.latest(tx.conn, tx.season.id)
    if last is not None:
        outbox.cancel_unsent(tx.conn, last, NEWS, now=tx.now)  # the champion's post tells it
    end_of_season(tx, SeasonPhase.FINISHED, champion_id=winner_id)
    tx.enqueue(CHAMPION, Facts(), people=[] if winner is None else [winner.discord_id])
    after = {"phase": SeasonPhase.FINISHED, "champion": champion}
    tx.note("season.end", f"season {tx.season.number}", before={"phase": before}, after=after)


def pair_preview_again(tx: Transaction, because: str) -> None:
    """Pair a preview again, if there is one, because something it rests on changed; substitutes follow without, too."""
    draft = rounds.draft(tx.conn, tx.season.id)
    if draft is None:
        follow_stage(tx)
    else:
        _refresh_draft(tx.by_itself(), draft, because)


def _refresh_draft(tx: Transaction, draft: RoundRow, because: str = "results or players changed") -> None:
    """Pair a preview again where results or the field changed; one changed by hand only when its players changed.

    One that can't be paired any more is gone, so that nobody publishes it.
    """
    next_ = propose_or_tell(tx, record_of(tx))
    if next_ is None:
        drop_draft(tx, draft)
        tx.invalidate(None, BOARD)
        tx.note("round.undo", draft.words, reason=f"{because}, and it can't be paired now")
        return
    if not isinstance(next_, PreparedRound):
        drop_draft(tx, draft)
        _begin(tx, next_)
        return
    pairs, byes = prepared.kept(tx, draft)
    if draft.by_hand is None:
        drafts, following = rounds.at_once(tx.conn, draft), (next_, *next_.beside)
        kept = [prepared.kept(tx, row) for row in drafts]
        changed = kept != [(round_.pairs, round_.resting) for round_ in following]
    else:
        changed = byes.union(*pairs) != next_.resting.union(*next_.pairs)
    explained = draft.by_hand is not None or prepared.is_saved(tx, draft, next_)
    if changed or not explained:  # the same pairs may have other reasons now
        drop_draft(tx, draft)
        save_draft(tx, next_)
        tx.invalidate(None, BOARD)
    if changed:
        lost = " Changes made by hand are gone." if draft.by_hand is not None else ""
        text = (
            f"{capitalised(because)}, so the preview of {draft.words} was paired again.{lost} Organisers look at "
            "it and publish it with /round post."
        )
        tx.tell(text, to=Target.MODERATION)
        why = f"{because}.{lost}"
        tx.note("round.pair", draft.words, before={"by_hand": draft.by_hand}, reason=why)
