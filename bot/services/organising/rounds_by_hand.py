"""The life of a round as organisers lead it: preview, post, extend, close, undo."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.league.errors import Conflict, NotFound, WrongPhase
from bot.league.pairing.proposal import Champion, Qualified
from bot.league.season.choices import Pace
from bot.league.season.in_words import amount
from bot.league.season.local_time import short_words
from bot.league.season.model import Stage
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base import hooks
from bot.services.base.confirmation import ConfirmationNeeded, require_confirmation, token_of
from bot.services.base.order import Order
from bot.services.base.outbox import BOARD, PAIRINGS_CHANGED
from bot.services.base.post_kinds import known
from bot.services.base.transaction import MODERATOR, ORGANISER, Transaction, playing, shortened, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.views import MatchView, RoundView
from bot.services.organising import round_costs
from bot.services.organising.swapping import pairings
from bot.services.play import progression, time_to_play, transitions
from bot.services.play.prepared import PreparedRound, propose
from bot.services.play.time_to_play import require_no_pause
from storage.database import Connection
from storage.rows import EntrantRow, RoundRow
from storage.tables import matches, rounds

SHOWN = 10


class EndFirst(ConfirmationNeeded):
    """No round follows, so the season ends."""


def preview(conn: Connection, order: Order) -> RoundView:
    """Return the preview of the next round, which only organisers see; it's paired now where there is none yet.

    Raises NotAllowed, WrongPhase while results are missing or where no round follows, and PairingImpossible.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    row = rounds.draft(tx.conn, tx.season.id)
    if row is None:
        _make_room(tx)
        next_ = propose(tx)
        if not isinstance(next_, PreparedRound):
            raise WrongPhase(f"{round_costs.none_follows(next_)} /round post ends the season.")
        row = _draft(tx, next_)
        progression.ask_what_holds(tx, row.stage)
        tx.note("round.pair", row.words)
    return views.stage_view(tx.conn, row)


def post(conn: Connection, order: Order, *, agreed: str | None = None) -> RoundView | None:
    """Publish the preview, or pair and publish the next round where there is none; where none follows the season ends.

    Finals into which players move up stay a preview until these have answered, then they're posted by themselves.
    Raises ConfirmationNeeded, of which EndFirst where the season ends, and else as `preview` does.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    require_no_pause(tx)
    before, ends = rounds.draft(tx.conn, tx.season.id), progression.open_round(tx)
    if before is None:
        _make_room(tx)
        next_ = propose(tx)
        if not isinstance(next_, PreparedRound):
            return _end(tx, next_, agreed)
        row = _draft(tx, next_)
        cost = round_costs.of_posting(row, ends)
    else:
        row, cost = before, round_costs.of_posting_preview(views.stage_view(tx.conn, before))
    _require_no_hold(tx)
    require_confirmation(cost, agreed)
    if not progression.is_asked_about(tx, row.stage):
        progression.post(tx, row)
        # A round of byes alone has nothing to wait for.
        progression.advance(tx)
    elif before is None:
        tx.note("round.pair", row.words)
    latest = rounds.latest(tx.conn, tx.season.id)  # a round in which nobody has to play is followed by another
    return views.stage_view(tx.conn, row if latest is None or latest.id < row.id else latest)


def agreement_to(preview: RoundView) -> str:
    """Return what agreeing to post exactly this preview sends back."""
    return token_of(round_costs.of_posting_preview(preview))


def _end(tx: Transaction, decided: Champion | Qualified, agreed: str | None) -> None:
    """End a season in which no round follows."""
    _require_no_hold(tx)
    try:
        require_confirmation(f"{round_costs.none_follows(decided)} The season ends now.", agreed)
    except ConfirmationNeeded as asking:
        raise EndFirst(asking.cost, token=asking.token, changed=asking.changed) from None
    progression.pair_and_post(tx)


def _make_room(tx: Transaction) -> None:
    """Close the open round if its results are in."""
    row = progression.open_round(tx)
    if row is not None:
        _require_results(tx, row)
        progression.close_round(tx, row)


def _require_results(tx: Transaction, row: RoundRow) -> None:
    missing = views.stage_view(tx.conn, row).missing
    if missing:
        more = "/round start-clock" if tx.settings.pace is Pace.LIVE else "/round extend"
        open_ = any(match.match.state is MatchState.OPEN for match in missing)
        remind = "Remind the players with /announce to:unplayed, set" if open_ else "Set"
        ways = f"{remind} results with /result set, or give more time with {more}."
        raise WrongPhase(f"Results are missing in {row.stage_words}: {_listed(missing)}. {ways}")


def _listed(waiting: Sequence[MatchView]) -> str:
    shown = [f"{match.heading} ({match.state_words})" for match in waiting[:SHOWN]]
    more = f" and {len(waiting) - SHOWN} more" if len(waiting) > SHOWN else ""
    return ", ".join(shown) + more


def _draft(tx: Transaction, next_: PreparedRound) -> RoundRow:
    tx.invalidate(None, BOARD)
    return progression.save_draft(tx, next_)


def extend(
    conn: Connection,
    order: Order,
    *,
    days: int,
    match: str | int | None = None,
    reason: str | None = None,
    agreed: str | None = None,
) -> RoundView:
    """Give the open round, or one match of it, more days; days count from the deadline, or from now if it is over.

    Rounds that are open at once end together then, so many days after the last of them would have. Raises
    ConfirmationNeeded.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    more = time_to_play.more_days(days)
    open_ = _with_deadline(tx)
    row = open_[0]
    if match is None:
        _extend_round(tx, row, days, shortened(reason), agreed)
    else:
        view = match_finding.find_match(tx, match)
        if view.match.round_id not in {other.id for other in open_} or view.match.state is MatchState.CONFIRMED:
            raise WrongPhase(f"{view.label} isn't waiting for a result, so it has no deadline to move.")
        require_confirmation(f"{_more_time(tx, view.label, view.deadline, days)} Both players will be told.", agreed)
        after = time_to_play.give_days(tx, view, days)
        why = shortened(reason) or ""
        transitions.tell_players(tx, view, f"{more} to play it.", decided=True, until=after, why=why)
    return views.stage_view(tx.conn, row)


def extend_overdue(conn: Connection, order: Order, *, days: int, deadline: int) -> RoundView:
    """Give the open round more days as a moderator, who was asked about it at its deadline.

    Only while `deadline`, in seconds since 1970, is still the round's; else raises Conflict.
    """
    tx = transaction(conn, order, playing, by=MODERATOR)
    row = _with_deadline(tx)[0]
    if row.deadline is None or int(row.deadline.timestamp()) != deadline:
        raise Conflict(f"That button is outdated: the deadline of {row.stage_words} has moved since.")
    _extend_round(tx, row, days, None, None)
    return views.stage_view(tx.conn, row)


def _with_deadline(tx: Transaction) -> Sequence[RoundRow]:
    """Return the open rounds, whose deadline is counted in days; raises WrongPhase."""
    open_ = rounds.open_rounds(tx.conn, tx.season.id)
    if not open_:
        raise WrongPhase("No round is open, so there's no deadline to move. /season status shows what's next.")
    if tx.settings.pace is Pace.LIVE:
        raise WrongPhase("A live event has a clock instead of days: /round start-clock starts it again.")
    return open_


def _extend_round(tx: Transaction, row: RoundRow, days: int, why: str | None, agreed: str | None) -> None:
    together = rounds.at_once(tx.conn, row)
    latest = max((other.deadline for other in together if other.deadline is not None), default=None)
    after = time_to_play.after_days(tx, latest, days)
    pings = [side.discord_id for match in views.stage_view(tx.conn, row).missing for side in match.sides]
    words = f"{amount(len(known(pings)), 'player')} without a result will be told."
    require_confirmation(f"{_more_time(tx, row.stage_words, latest, days)} {words}", agreed)
    for open_ in together:
        matches.forget_overdue(tx.conn, open_.id, after)
        tx.invalidate(rounds.change(tx.conn, open_.id, deadline=after))
    because = f" {why}" if why else ""
    tx.tell(f"{time_to_play.more_days(days)} for {row.stage_words}.{because}", pings=pings, until=after)
    moved = [{"deadline": int(moment.timestamp())} for moment in (latest or tx.now, after)]
    tx.note("round.extend", row.stage_words, before=moved[0], after=moved[1], reason=why)


def _more_time(tx: Transaction, what: str, deadline: datetime | None, days: int) -> str:
    """Return what more days do to a deadline; to one that is over they're counted from the moment they're given."""
    zone, after = ZoneInfo(tx.league.time_zone), time_to_play.after_days(tx, deadline, days)
    given = f"{time_to_play.more_days(days)} for {what}"
    if after == tx.now + timedelta(days=days):
        return f"{given}, counted from now."
    before = "" if deadline is None else f" instead of {short_words(deadline, zone)}"
    return f"{given}: until {short_words(after, zone)}{before}, {tx.league.time_zone}."


def _require_no_hold(tx: Transaction) -> None:
    """Raise Conflict while something else has to be answered before the round can end."""
    for words in hooks.holds(tx, ask=False):
        raise Conflict(words)


def close(conn: Connection, order: Order, *, agreed: str | None = None) -> RoundView | None:
    """End the open round, whose results are all in, and continue the season, or let organisers pair the next one.

    Returns the next round if it was posted at once. Raises ConfirmationNeeded, and WrongPhase naming the missing
    results.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    row = progression.open_round(tx)
    if row is None or row.phase is not RoundPhase.OPEN:
        raise WrongPhase("No round is open now. /round post posts the next one.")
    _require_results(tx, row)
    require_no_pause(tx)
    _require_no_hold(tx)
    require_confirmation(round_costs.of_closing(tx, row), agreed)
    progression.close_and_advance(tx, row)
    latest = rounds.latest(tx.conn, tx.season.id)
    return None if latest is None or latest.phase is not RoundPhase.OPEN else views.stage_view(tx.conn, latest)


def undo(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> RoundView:
    """Undo the preview, or the last posted round before anyone reports in it, with all that were posted at once.

    Returns it as it was. Earlier rounds that are open again stay open.

    Raises NotAllowed, NotFound, WrongPhase, Conflict and ConfirmationNeeded.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    why = shortened(reason)
    row = progression.open_round(tx)
    if row is None:
        raise NotFound("There's no preview and no open round to undo. /season status shows what's next.")
    if not tx.settings.schedule.open_together:
        row = rounds.of_season(tx.conn, tx.season.id)[-1]
    posted = [other for other in rounds.at_once(tx.conn, row) if other.number >= row.number]
    view = views.stage_view(tx.conn, row) if len(posted) > 1 else views.round_view(tx.conn, row.id)
    if row.phase is RoundPhase.OPEN:
        _require_untouched(view)
    require_confirmation(round_costs.of_undoing(view), agreed)
    because = f" ({why})" if why else ""
    words = row.stage_words if len(posted) > 1 else row.words
    text = f"An organiser undid {words}{because}. These pairings don't count; a new round follows."
    for undone in reversed(posted):
        progression.revert(tx, undone, text)
    seated = list(dict.fromkeys(_seated(view)))
    if row.phase is RoundPhase.OPEN:
        tx.tell(text, kind=PAIRINGS_CHANGED, pings=[person.discord_id for person in seated])
    tx.note("round.undo", words, reason=why, before={"pairings": pairings(view, seated)})
    return view


def undo_finals(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> int:
    """Take back the cut: all rounds of the finals with their results; returns the round that is the last one then.

    Raises NotAllowed, WrongPhase where no finals are played or nothing was before them, and ConfirmationNeeded.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    why = shortened(reason)
    rows = rounds.of_season(tx.conn, tx.season.id)
    finals = [views.round_view(tx.conn, row.id) for row in rows if row.stage is Stage.FINALS]
    last = max((row.number for row in rows if row.stage is not Stage.FINALS), default=0)
    if not finals or not last:
        raise WrongPhase("There's no cut to undo: no finals follow on earlier rounds. /season status shows more.")
    require_confirmation(round_costs.of_undoing_finals(finals, last), agreed)
    because = f" ({why})" if why else ""
    text = f"An organiser took back the finals{because}. Their matches don't count."
    for view in reversed(finals):
        progression.revert(tx, view.round, text)
    people = [side for view in finals for side in _seated(view)]
    tx.tell(text, kind=PAIRINGS_CHANGED, pings=[person.discord_id for person in people])
    tx.note("finals.undo", f"season {tx.season.number}", reason=why, before=_results(finals))
    return last


def _results(undone: Sequence[RoundView]) -> dict[str, str]:
    return {match.label: match.state_words for view in undone for match in view.matches}


def _seated(view: RoundView) -> list[EntrantRow]:
    return [*(side for match in view.matches for side in match.sides), *view.byes]


def _require_untouched(view: RoundView) -> None:
    touched = [match for match in view.matches if match.match.state is not MatchState.OPEN]
    if touched:
        whole = " Or undo all of the finals: /round undo, option finals." if view.round.stage is Stage.FINALS else ""
        raise Conflict(
            f"There are results in {view.words}: {_listed(touched)}. Clear them with /result clear first, then "
            f"undo the round.{whole}"
        )
