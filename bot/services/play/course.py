"""What happens automatically: rounds end, the next is paired and posted, a preview is paired again, the season ends.

It's always inside the transaction of the change.
"""

import logging
from datetime import datetime
from typing import Any

from bot.league.errors import LeagueError
from bot.league.season.choices import Advance
from bot.league.season.model import Name, Season, Stage
from bot.league.season.phases import PLAYING, RoundPhase, SeasonPhase, require_move
from bot.services.base import asked, post_kinds, promises, taking_down
from bot.services.base.act import Act
from bot.services.base.events import ResultsMissing, RoundClosed, RoundPosted, RoundTakenBack, SeasonOver
from bot.services.base.post_kinds import PostKind, Shows, Until
from bot.services.base.promises import BOARD, ROUND, STUCK
from bot.services.matches.round_groups import resting_in
from bot.services.play import moving_up, prepared, transitions
from bot.services.play.news import NEWS
from bot.services.play.prepared import Prepared, PreparedRound
from bot.services.play.time_to_play import deadline_now
from storage import rules_season
from storage.posts import Target
from storage.rows import RoundRow, SeasonRow
from storage.tables import entrants, matches, reports, rounds, seasons
from storage.tables.finals_places import posted as finals_posted

log = logging.getLogger(__name__)

NOT_PAIRED = "not paired"
"""The word for the one post of a season that says why its next round can't be paired."""
CHAMPION = PostKind("champion", once=True, shows=Shows.SEASON, rewritten=True)
"""The end of a season."""


def propose(do: Act) -> Prepared:
    """Return what the rules say comes next; raises PairingImpossible."""
    return prepared.next_round(_record(do))


def _record(do: Act) -> Season:
    return rules_season.load(do.conn, do.season.id)


def going_on(do: Act) -> RoundRow | None:
    """Return the season's preview or open round, or None between rounds."""
    return rounds.going_on(do.conn, do.season.id)


def pair_and_post(do: Act) -> None:
    """Pair and post the next round, or end the season where the rules say so; raises PairingImpossible."""
    _take_up(do, propose(do))
    advance(do)


def close_and_go_on(do: Act, row: RoundRow) -> None:
    """Close a round as an organiser and continue the season, unless they pair the next one themselves."""
    next_ = _propose_or_tell(do, close_round(do, row))
    if next_ is not None and not (do.settings.advance is Advance.MANUAL and isinstance(next_, PreparedRound)):
        _take_up(do, next_)
        advance(do)


def advance(do: Act, *, answered: bool = False) -> None:
    """Continue the season after results or the field changed, as the bot.

    A preview is paired again where the rules now say something else. An open round with all results is closed as
    the setting `advance` says, and the next is paired and posted, or the season ends. Where no round can be paired the
    results stay and organisers are asked. Finals that wait for players who move up follow once these have answered,
    and those an organiser was asked about first where what they were asked is `answered`; in a pause, after it.
    """
    do = do.by_itself()
    while do.reload().phase in PLAYING:
        row = going_on(do)
        if row is not None and not _may_go_on(do, row):
            return
        if row is None and answered:
            do.change_season(finals_wait=True)
        next_ = _propose_or_tell(do, _record(do) if row is None else close_round(do, row))
        if next_ is None or (row is None and not _follows_by_itself(do, next_)):
            if isinstance(next_, PreparedRound):  # what the finals will wait for can be thought about meanwhile
                asks = is_asked_about if moving_up.finals_wait(do) else ask_what_holds
                asks(do, next_.stage)
            return
        if not _take_up(do, next_):
            return


def _follows_by_itself(do: Act, next_: Prepared) -> bool:
    """Whether what comes next between rounds needs no organiser, who pairs: a season's end, or finals that waited."""
    if not isinstance(next_, PreparedRound) or _is_free_to_begin(do):
        return True
    by_hand = do.settings.advance is Advance.MANUAL or do.season.paused_until is not None
    return do.season.finals_wait and next_.stage is Stage.FINALS and not by_hand


def _is_free_to_begin(do: Act) -> bool:
    """Whether finals that waited for players who move up are posted as soon as these have answered."""
    return do.season.paused_until is None and moving_up.finals_wait(do)


def _may_go_on(do: Act, row: RoundRow) -> bool:
    """Whether an open round is at its end; a preview is paired again, or published where that is all it waited for."""
    if row.phase is RoundPhase.DRAFT:
        _refresh_draft(do, row)
        draft = rounds.draft(do.conn, do.season.id)
        if draft is not None and not _is_free_to_begin(do):
            ask_what_holds(do, draft.stage)
        elif draft is not None and not is_asked_about(do, draft.stage):
            publish(do, draft)
        return False
    return _may_end(do, row)


def _may_end(do: Act, row: RoundRow) -> bool:
    """Whether an open round ends by itself now."""
    if matches.count_unfinished(do.conn, row.id):
        results_missing(do, row)
        return False
    if do.season.paused_until is not None or asked.holds(do, ask=True):
        return False
    if do.settings.advance is Advance.MANUAL:
        text = (
            f"All results of {row.words} are in. Organisers go on: /round post ends it and posts the next round, which "
            "you can look at first. If no round follows, it ends the season."
        )
        do.owe(STUCK, text=text, once=_complete(row))
    ends = ends_by_itself(do.season, row, do.now)
    if not ends and do.settings.advance is not Advance.MANUAL:
        _unsay(do, _complete(row))  # the setting may have been another
    return ends


def _complete(row: RoundRow) -> str:
    return f"round {row.id} complete"


def results_missing(do: Act, row: RoundRow) -> None:
    """Take back what organisers were asked because all results of an open round were in: they're asked again then."""
    do.happened(ResultsMissing(round=row))
    _unsay(do, _complete(row))
    _unsay(do, NOT_PAIRED)


def _unsay(do: Act, word: str) -> None:
    promises.unsay(do.conn, STUCK, do.season, once=word, now=do.now)


def ends_by_itself(season: SeasonRow, row: RoundRow, now: datetime | None = None) -> bool:
    """Whether a round with all results ends now, by default before its deadline, without an organiser.

    Nothing ends in a pause. A tie that an organiser has to decide holds it too. A live round whose clock hasn't started
    has no deadline to wait for.
    """
    advance = rules_season.settings_of(season).advance
    past = row.deadline is None or (now is not None and row.deadline <= now)
    ends = advance is Advance.ALL_IN or (advance is Advance.DEADLINE and past)
    return ends and season.paused_until is None


def _propose_or_tell(do: Act, season: Season) -> Prepared | None:
    """Return what comes next; where that fails the change that led here stays, and organisers are asked."""
    try:
        return prepared.next_round(season)
    except LeagueError as impossible:
        problem = str(impossible)
    except Exception:
        log.exception("season %s: the next round could not be paired", do.season.id)
        problem = "the bot made a mistake (see its log)"
    step = "An organiser can fix that, then run /round post."
    text = f"Couldn't pair the next round: {problem.rstrip('.')}. Results are safe. {step}"
    promises.say(do.conn, STUCK, do.season, once=NOT_PAIRED, text=text, now=do.now)
    return None


def close_round(do: Act, row: RoundRow, *, told: bool = True) -> Season:
    """Close an open round whose results are all in, `told` in a post, and return the season as it is then."""
    require_move(row.phase, RoundPhase.CLOSED)
    closed = rounds.change(do.conn, row.id, phase=RoundPhase.CLOSED)
    season = _record(do)
    promises.cancel_unsent(do.conn, row, *post_kinds.until(Until.ROUND_CLOSES))
    do.touch(closed, ROUND)
    do.happened(RoundClosed(round=closed, season=season))
    if told:
        do.owe(NEWS, closed, people=[entrant.discord_id for entrant in entrants.of_season(do.conn, do.season.id)])
    _unsay(do, _complete(row))
    do.note("round.close", row.words)
    return season


def _take_up(do: Act, next_: Prepared) -> bool:
    """Post the next round or end the season; False where results come first, or players who move up into the finals."""
    if not isinstance(next_, PreparedRound):
        _finish(do, next_.name)
        return True
    if is_asked_about(do, next_.stage):
        do.change_season(finals_wait=True)
        return False
    return post(do, save_draft(do, next_))


def post(do: Act, row: RoundRow) -> bool:
    """Publish a preview, and what follows where nobody has to play in it; return whether nothing is left to play."""
    publish(do, row)
    if rounds.get(do.conn, row.id).phase is RoundPhase.CLOSED:
        next_ = _propose_or_tell(do, _record(do))
        return next_ is not None and _take_up(do, next_)
    return not matches.of_round(do.conn, row.id)


def is_asked_about(do: Act, stage: Stage) -> bool:
    """Ask about what holds the finals, then the players who would move up into them, and say if someone must answer."""
    begins = stage is Stage.FINALS and do.season.phase is SeasonPhase.RUNNING
    return begins and (ask_what_holds(do, stage) or bool(moving_up.ask(do)))


def ask_what_holds(do: Act, stage: Stage) -> bool:
    """Ask about what holds the finals where these come next, and say if something does; a preview of them waits too."""
    begins = stage is Stage.FINALS and do.season.phase is SeasonPhase.RUNNING
    return begins and bool(asked.holds(do, ask=True))


def drop_draft(do: Act, draft: RoundRow) -> None:
    """Delete a preview, before it is paired again or nothing follows."""
    do.happened(RoundTakenBack(round=draft, matches=matches.of_round(do.conn, draft.id)))
    rounds.remove(do.conn, draft.id)


def save_draft(do: Act, next_: PreparedRound) -> RoundRow:
    """Save a prepared round as a preview; raises sqlite3.IntegrityError where another round is going on."""
    _unsay(do, NOT_PAIRED)
    row = rounds.add(
        do.conn, season_id=do.season.id, number=next_.number, name=next_.name, stage=next_.stage, phase=RoundPhase.DRAFT
    )
    pairs, byes = prepared.columns(do, next_)
    matches.add_round(do.conn, row.id, pairs=pairs, byes=byes)
    return row


def label_again(do: Act, row: RoundRow) -> RoundRow:
    """Note what people call a round and its matches and the first choices, after it was changed by hand."""
    ids = entrants.ids_of(do.conn, do.season.id)
    round_ = rules_season.one_round(do.conn, row.id, {id_: name for name, id_ in ids.items()})
    name, labels = prepared.labelled(rules_season.load(do.conn, do.season.id), round_)
    for match, label in zip(matches.of_round(do.conn, row.id), labels, strict=True):
        matches.change(do.conn, match.id, **prepared.label_columns(label, ids))
    return rounds.change(do.conn, row.id, name=name)


def publish(do: Act, row: RoundRow, *, quietly: bool = False) -> None:
    """Publish a preview: from now on it is played; `quietly` where its players were told otherwise.

    One in which nobody has to play, because those who left lost all its matches, is over at once, without a post.
    """
    deadline = deadline_now(do)
    require_move(row.phase, RoundPhase.OPEN)
    row = rounds.change(do.conn, row.id, phase=RoundPhase.OPEN, posted_at=do.now, deadline=deadline)
    if row.stage is Stage.FINALS:
        finals_posted(do.conn, do.season.id, do.now)
        do.change_season(finals_wait=False)
    if row.stage is Stage.FINALS and do.season.phase is SeasonPhase.RUNNING:
        require_move(do.season.phase, SeasonPhase.FINALS)
        do.change_season(phase=SeasonPhase.FINALS)
    over = transitions.forfeit_of_gone(do, row)
    pairs, byes = matches.of_round(do.conn, row.id), matches.byes(do.conn, row.id)
    resting = resting_in(do.conn, do.season, row, pairs)
    if not over:
        promises.owe_round(do.conn, do.season, row, pairs, byes, now=do.now, quietly=quietly, resting=resting)
    _show_what_follows(do, row.number)
    ends = deadline and int(deadline.timestamp())
    do.note("round.post", row.words, after={"stage": row.stage, "matches": len(pairs), "deadline": ends})
    do.happened(RoundPosted(round=row, matches=pairs))
    if over:
        close_round(do, row, told=False)


def take_back(do: Act, row: RoundRow, text: str, *, pairs_again: bool = False) -> None:
    """Delete a round with its reports; posts people have seen show this text, and without finals they haven't begun.

    Players who left while it was played count as gone before it, unless `pairs_again`: then who was there plays on.
    No listener takes a round back: subjects let go of what they hold of its matches before these are deleted.
    """
    taking_down.replace_sent(do.conn, row.id, text, now=do.now)
    if not pairs_again:
        entrants.leave_before_pairing(do.conn, do.season.id, row.number)
    reports.forget_round(do.conn, row.id)
    do.happened(RoundTakenBack(round=row, matches=matches.of_round(do.conn, row.id)))
    rounds.remove(do.conn, row.id)
    left = rounds.of_season(do.conn, do.season.id)
    if not left:
        seasons.keep_groups(do.conn, None, do.season.id)
    _show_what_follows(do, row.number)
    if do.season.phase is SeasonPhase.FINALS and not any(other.stage is Stage.FINALS for other in left):
        do.change_season(phase=SeasonPhase.RUNNING)
        seasons.keep_bracket(do.conn, None, do.season.id)


def _show_what_follows(do: Act, number: int) -> None:
    """Let the board show that a round of this number is there now, or isn't, and so the news of the round before."""
    before = rounds.by_number(do.conn, do.season.id, number - 1)
    if before is None:
        do.touch(None, BOARD)
    else:
        do.touch(before, NEWS)  # and the board with it


def end_of_season(do: Act, phase: SeasonPhase, **columns: Any) -> None:
    """End a season, played out, ended early or cancelled: no one waits for a place, a list or an answer any more."""
    require_move(do.season.phase, phase)
    do.change_season(phase=phase, ended_at=do.now, signups_close=None, **columns)
    do.happened(SeasonOver(played=phase is SeasonPhase.FINISHED))
    _unsay(do, NOT_PAIRED)
    do.touch()
    over = post_kinds.until(Until.SEASON_STARTS, Until.SEASON_ENDS)
    promises.tidy(do.conn, do.season, *over, now=do.now)
    last = rounds.latest(do.conn, do.season.id)
    if last is not None:
        do.touch(last)


def _finish(do: Act, champion: Name | None) -> None:
    before = do.season.phase
    require_move(before, SeasonPhase.FINISHED)
    winner = None if champion is None else entrants.by_name(do.conn, do.season.id, champion)
    winner_id = None if winner is None else winner.id
    last = rounds.latest(do.conn, do.season.id)
    if last is not None:
        promises.cancel_unsent(do.conn, last, NEWS)  # the champion's post tells it
    end_of_season(do, SeasonPhase.FINISHED, champion_id=winner_id)
    do.owe(CHAMPION, people=[] if winner is None else [winner.discord_id])
    after = {"phase": SeasonPhase.FINISHED, "champion": champion}
    do.note("season.end", f"season {do.season.number}", before={"phase": before}, after=after)


def _refresh_draft(do: Act, draft: RoundRow) -> None:
    """Pair a preview again where results or the field changed; one changed by hand only when its players changed.

    One that can't be paired any more is gone, so that nobody publishes it.
    """
    next_ = _propose_or_tell(do, _record(do))
    if next_ is None:
        drop_draft(do, draft)
        do.touch(None, BOARD)
        do.note("round.undo", draft.words, reason="players changed, and it can't be paired now")
        return
    if not isinstance(next_, PreparedRound):
        drop_draft(do, draft)
        _take_up(do, next_)
        return
    pairs, byes = prepared.kept(do, draft)
    if draft.by_hand is None:
        changed = (pairs, byes) != (next_.pairs, next_.resting)
    else:
        changed = byes.union(*pairs) != next_.resting.union(*next_.pairs)
    explained = draft.by_hand is not None or prepared.is_saved(do, draft, next_)
    if changed or not explained:  # the same pairs may have other reasons now
        drop_draft(do, draft)
        save_draft(do, next_)
        do.touch(None, BOARD)
    if changed:
        lost = " Changes made by hand are gone." if draft.by_hand is not None else ""
        text = (
            f"Results or players changed, so the preview of {draft.words} was paired again.{lost} Organisers look at "
            "it and publish it with /round post."
        )
        do.tell(text, to=Target.MODERATION)
        why = f"results or players changed.{lost}"
        do.note("round.pair", draft.words, before={"by_hand": draft.by_hand}, reason=why)
