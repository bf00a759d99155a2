"""A tie-break match of two is reported by its players, like any other match (LS, Tiebreakers)."""

from dataclasses import dataclass

from bot.league.errors import Conflict, NotAllowed, NotFound
from bot.league.season.phases import PLAYING, RoundPhase
from bot.services.base import find, pending_questions
from bot.services.base.events import AccountChanged, RoundClosed, SeatTaken
from bot.services.base.order import Order
from bot.services.base.outbox import STUCK, NoticeFacts
from bot.services.base.pending_questions import Question
from bot.services.base.transaction import ReadTransaction, Transaction, read_transaction, shortened, transaction
from bot.services.matches import match_finding
from bot.services.play import progression
from bot.services.ties import open_ties
from bot.services.ties.open_ties import TieAnswer
from bot.services.ties.tie_posts import TIE, TIE_MATCH, TIE_QUESTION, TieFacts, TieReportFacts, players_of
from storage.database import Connection
from storage.rows import EntrantRow, Settled, TieId, TieRow
from storage.tables import rounds, ties
from storage.tables.field import entrants
from storage.tables.ties import TieReportId, TieReportRow


@dataclass(frozen=True, slots=True, kw_only=True)
class DisagreementFacts(NoticeFacts):
    """Which tie an organiser has to decide, because its players don't agree about their match."""

    tie_id: TieId


@dataclass(frozen=True, slots=True, kw_only=True)
class TieReport:
    """What became of a report: the two players as the reporter sees them; `settled` once the result counts."""

    me: EntrantRow
    opponent: EntrantRow
    settled: bool = False
    disputed: bool = False
    hours: int = 0


def own(conn: Connection, order: Order) -> TieId | None:
    """Return the tie-break match the actor is to play, or None; in the thread of a match that match is meant."""
    row = _own(read_transaction(conn, order))
    return None if row is None or match_finding.match_here(conn, order) is not None else row.id


def _own(tx: ReadTransaction) -> TieRow | None:
    user_id = tx.actor.user_id
    for row in ties.waiting_of_league(tx.conn, tx.league.id) if user_id is not None else ():
        if is_match_of_two(row) and any(player.discord_id == user_id for player in players_of(tx.conn, row)):
            return row
    return None


def to_play(tx: ReadTransaction) -> str:
    """Return the next step of someone in their tie-break match, in a sentence; nothing for others."""
    row = _own(tx)
    if row is None:
        return ""
    me, opponent = sorted(players_of(tx.conn, row), key=lambda player: player.discord_id != tx.actor.user_id)
    report = ties.report_of(tx.conn, row.id)
    match = f"Your tie-break match against {opponent.called}"
    if report is None:
        return f"{match}: play it, then one of you uses /report."
    if report.disputed_at is not None:
        return f"{match}: you two disagree, so an organiser decides."
    if report.entrant_id == me.id:
        return f"{match}: waiting for {opponent.called} to confirm. Made a mistake? Use /report again."
    return f"{match}: {opponent.called} reported that they won. Answer with /confirm or /dispute."


def is_match_of_two(row: TieRow) -> bool:
    """Whether a tie waits for a match that its two players report."""
    return row.match_at is not None and row.settled_at is None and len(row.names) == 2


def report(conn: Connection, order: Order, *, tie_id: TieId, won: bool) -> TieReport:
    """Report one's own tie-break match: a loss counts at once, a win when the opponent confirms or says nothing.

    Two wins are a dispute, which organisers decide. Raises NotFound, NotAllowed and Conflict.
    """
    tx, row, me, opponent = _meant(conn, order, tie_id)
    report = ties.report_of(conn, row.id)
    if not won:
        _settle(tx, row, opponent, me)
        return TieReport(me=me, opponent=opponent, settled=True)
    if report is not None and report.disputed_at is not None:
        raise Conflict("You two disagree about your tie-break match, so an organiser decides. You'll be told.")
    if report is None:
        report = ties.add_report(conn, tie_id=row.id, entrant_id=me.id, reported_at=order.now)
        _ask(tx, row, report, opponent)
        tx.note("round.tiebreak-report", f"round {row.after_round}", after={"won": me.name})
    elif report.entrant_id != me.id:
        _dispute(tx, row, report, opponent, me)
        return TieReport(me=me, opponent=opponent, disputed=True)
    return TieReport(me=me, opponent=opponent, hours=tx.settings.confirm_hours)


def answer(conn: Connection, order: Order, *, tie_id: TieId, right: bool, reason: str | None = None) -> TieReport:
    """Confirm or dispute the opponent's report of a tie-break match; raises NotFound, NotAllowed and Conflict.

    The reason of a dispute is for those who decide: it stands in the log, and where only they read.
    """
    tx, row, me, opponent = _meant(conn, order, tie_id)
    report = ties.report_of(conn, row.id)
    if report is None or report.entrant_id == me.id:
        raise Conflict(f"{opponent.called} hasn't reported your tie-break match. Report it yourself with /report.")
    if report.disputed_at is not None and not right:
        raise Conflict("You two disagree about your tie-break match, so an organiser decides. You'll be told.")
    if right:
        _settle(tx, row, opponent, me)
    else:
        _dispute(tx, row, report, opponent, me, reason=shortened(reason))
    return TieReport(me=me, opponent=opponent, settled=right, disputed=not right)


def _confirm(tx: Transaction, report_id: int) -> None:
    """Let a report nobody answered in time count."""
    report = ties.get_report(tx.conn, TieReportId(report_id))
    row = ties.get(tx.conn, report.tie_id)
    players = players_of(tx.conn, row)
    winner = next((player for player in players if player.id == report.entrant_id), None)
    loser = next((player for player in players if player.id != report.entrant_id), None)
    if is_match_of_two(row) and winner is not None and loser is not None:
        _settle(tx, row, winner, loser)


TIE_REPORT = Question(
    kind=TIE_QUESTION,
    asked=ties.REPORT_ASKED,
    about=lambda _, post: [TIE_QUESTION.facts(post).report_id],
    words="confirm report {} of a tie-break",
    silence=_confirm,
)
"""Whether the report of a tie-break match is right."""


def _meant(conn: Connection, order: Order, tie_id: TieId) -> tuple[Transaction, TieRow, EntrantRow, EntrantRow]:
    row = ties.find(conn, tie_id)
    if row is None:
        raise NotFound("There's no such tie-break match here. /match shows what comes next.")
    tx = transaction(conn, order, season_id=row.season_id)
    if tx.season.phase not in PLAYING or not is_match_of_two(row):
        raise Conflict("This tie-break match is already settled. /standings shows the order.")
    players, user_id = players_of(conn, row), order.actor.user_id
    me = next((player for player in players if user_id is not None and player.discord_id == user_id), None)
    opponent = next((player for player in players if player != me), None)
    if me is None or opponent is None:
        raise NotAllowed("Only its two players can report this tie-break match.")
    return tx, row, me, opponent


def _settle(tx: Transaction, row: TieRow, winner: EntrantRow, loser: EntrantRow) -> None:
    open_ties.settle(tx, row, TieAnswer(order=(winner.name, loser.name), how=Settled.MATCH))
    progression.advance(tx, answered=True)


def _ask(tx: Transaction, row: TieRow, report: TieReportRow, opponent: EntrantRow) -> None:
    """Ask the opponent; someone without an account can't be, so the time to answer begins at once."""
    if opponent.discord_id is None:
        pending_questions.begin_at_once(tx, TIE_QUESTION, report.id)
    tx.enqueue(TIE_QUESTION, TieReportFacts(report_id=report.id), once=str(report.id), people=[opponent.discord_id])
    tx.invalidate(None, TIE, TIE_MATCH)


def _dispute(
    tx: Transaction,
    row: TieRow,
    report: TieReportRow,
    reporter: EntrantRow,
    opponent: EntrantRow,
    *,
    reason: str | None = None,
) -> None:
    ties.change_report(tx.conn, report.id, disputed_at=tx.now)
    open_ties.take_question_away(tx, row)
    tx.invalidate(None, TIE, TIE_MATCH)
    tx.note("round.tiebreak-dispute", f"round {row.after_round}", after={"won": reporter.name}, reason=reason)
    both = f"{reporter.called} and {opponent.called} disagree about their tie-break match: {reporter.called} says"
    text = f"{both} they won, and {opponent.called} disputes it. An organiser decides with /round tiebreak."
    apart = None if reason is None else f"{text} {opponent.called} says: “{reason}”"
    tx.enqueue(STUCK, DisagreementFacts(text=text, apart=apart, tie_id=row.id), once=open_ties.disagreement(row))
    text = f"{opponent.called} disputes the result of your tie-break match. An organiser decides. You'll be told."
    tx.tell(text, pings=[reporter.discord_id])


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Tell a new account of its tie-break match, and ask it about a report that waits for it."""
    player = find.seat_of(tx, event.after)
    if player is not None:
        _tell_again(tx, player)


def seat_taken(tx: Transaction, event: SeatTaken) -> None:
    """Tell a person who takes a seat between rounds, before the finals, of its tie-break match, as a new account is.

    While a round is open its own player sits there; at its end who comes then is told.
    """
    latest = rounds.latest(tx.conn, tx.season.id)
    if latest is not None and latest.phase is not RoundPhase.OPEN and event.after.person_id == event.person.id:
        _tell_again(tx, event.after)


def round_closed(tx: Transaction, event: RoundClosed) -> None:
    """Tell a person who takes a seat now that the round before is over of its tie-break match, too."""
    if open_ties.waiting(tx):
        until_now = {seat.id: seat.person_id for seat in entrants.in_round(tx.conn, tx.season.id, event.round.number)}
        for seat in entrants.of_season(tx.conn, tx.season.id):
            if seat.person_id != until_now[seat.id]:
                _tell_again(tx, seat)


def _tell_again(tx: Transaction, player: EntrantRow) -> None:
    for row in ties.waiting(tx.conn, tx.season.id):
        if row.match_at is not None and player.name in row.names and player.discord_id is not None:
            new = player.discord_id
            tx.enqueue(TIE_MATCH, TieFacts(tie_id=row.id, only=(new,)), once=f"{row.id}:{new}", people=[new])
        report = ties.report_of(tx.conn, row.id)
        asked = report is not None and report.disputed_at is None and report.entrant_id != player.id
        if report is not None and asked and player.name in row.names:
            open_ties.take_question_away(tx, row)
            pending_questions.begin_again(tx, TIE_QUESTION, report.id)
            _ask(tx, row, report, player)
