"""Ask the organiser about ties that matter while there are any, and hold the finals; silence means the draw."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.formats.swiss.organiser_ties import Tie, ties_that_matter, whole_order
from bot.league.season.model import Name, Season, Stage
from bot.league.season.phases import PLAYING
from bot.services.base.events import FieldChanged, MatchChanged, ResultsMissing, SeasonOver
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.outbox import BOARD, STUCK
from bot.services.base.pending_questions import Question
from bot.services.base.transaction import Transaction
from bot.services.play import progression
from bot.services.ties.tie_posts import TIE, TIE_MATCH, TIE_QUESTION, TieFacts
from bot.services.ties.tie_words import in_order, tie_words
from storage import rules_season
from storage.rows import Settled, TieRow
from storage.tables import rounds, seasons, ties
from storage.tables.field import entrants

HOW = "Run /round tiebreak: enter an order, call a tie-break match, or take the draw."


@dataclass(frozen=True, slots=True, kw_only=True)
class TieAnswer:
    """An answer to a tie: the order that stands, how it came about, and why."""

    order: tuple[str, ...]
    how: Settled
    reason: str | None = None


def _undecided(tx: Transaction) -> tuple[Tie, ...]:
    """Return the ties that matter and wait for the organiser, as of now; none while results are missing."""
    if not by_key(tx.season.format).organiser_breaks_ties:
        return ()
    return _found(rules_season.load(tx.conn, tx.season.id))


def _found(season: Season) -> tuple[Tie, ...]:
    try:
        next_ = by_key(season.format).next_round(season)
    except LeagueError:
        return ()
    return ties_that_matter(season, next_)


def hold(tx: Transaction, asks: bool) -> str | None:
    """Return the tie that matters and waits for the organiser, in words with what they can do; ask them about it."""
    if asks:
        waiting = ask(tx)
        return tie_words(waiting[0]) if waiting else None
    undecided = _undecided(tx)
    return f"{tie_words(undecided[0])} {HOW}" if undecided else None


def ask(tx: Transaction) -> tuple[TieRow, ...]:
    """Ask about the ties that matter, each once, and return those that wait; ties that are gone are closed."""
    undecided = {tie.names: tie for tie in _undecided(tx)}
    waiting_ties = ties.waiting(tx.conn, tx.season.id)
    if not undecided and not waiting_ties:
        return ()
    for row in waiting_ties:
        if tuple(Name(name) for name in row.names) not in undecided:
            _expire(tx, row)
    asked = {row.names: row for row in waiting_ties}
    for tie in undecided.values():
        row = asked.get(tie.names)
        if row is None:
            _ask(tx, tie)
        elif (row.first, row.going_on) != (tie.first, tie.going_on):
            ties.change(tx.conn, row.id, first=tie.first, going_on=tie.going_on)
            tx.invalidate(None, TIE, BOARD)
    return ties.waiting(tx.conn, tx.season.id)


def waiting(tx: Transaction) -> tuple[TieRow, ...]:
    """Return the ties organisers were asked about and haven't settled; none where a format breaks its own."""
    return ties.waiting(tx.conn, tx.season.id) if by_key(tx.season.format).organiser_breaks_ties else ()


def nothing_to_decide(tx: Transaction, _: ResultsMissing | SeasonOver) -> None:
    """Close the questions, because results are missing again, whose ties are asked about afterwards, or all is over."""
    for row in waiting(tx):
        _expire(tx, row)


def ask_anew(tx: Transaction, _: FieldChanged) -> None:
    """Ask about the ties there are now, where some wait: those whose players left, or are back, are other ones."""
    if waiting(tx):
        ask(tx)


def result_changed(tx: Transaction, _: MatchChanged) -> None:
    """Ask about the ties there are now, where some wait, and let an order count no more among others than are equal."""
    if waiting(tx):
        ask(tx)
    settled = decided(tx) if by_key(tx.season.format).organiser_breaks_ties else ()
    if not settled:
        return
    season = rules_season.load(tx.conn, tx.season.id)
    counting = by_key(season.format).counting_decisions(season)
    standing = [frozenset(season.decisions[number].order) for number in counting]
    idle = [row for row in settled if not any(group.issuperset(row.names) for group in standing)]
    if idle:
        _decide_again(tx, idle)
    for row in idle:
        text = f"After round {row.after_round}: results have changed, so the order {in_order(row.names)} that was"
        tx.tell(f"{text} decided doesn't count any more.", pings=_people(tx, row))


def decided(tx: Transaction) -> tuple[TieRow, ...]:
    """Return the ties decided after the last round; none once the finals are posted or the season is over."""
    last = rounds.latest(tx.conn, tx.season.id) if tx.season.phase in PLAYING else None
    return () if last is None or last.stage is Stage.FINALS else ties.decided(tx.conn, tx.season.id, last.number)


def _decide_again(tx: Transaction, settled: Sequence[TieRow]) -> None:
    decisions = rules_season.load(tx.conn, tx.season.id).decisions
    for row in settled:
        for decision in decisions:
            if decision.after_round == row.after_round and decision.order[: len(row.names)] == row.names:
                seasons.remove_decision(tx.conn, tx.season.id, decision.after_round, decision.order)
        ties.change(tx.conn, row.id, how=Settled.GONE)
        tx.note("round.tiebreak-again", f"round {row.after_round}", before={"order": row.names})
    tx.invalidate(None, TIE, TIE_MATCH, BOARD)


def ask_again(tx: Transaction, row: TieRow) -> TieRow | None:
    """Ask once more about a tie that was decided, and return it; None where it matters no more. Others stay decided."""
    _decide_again(tx, [row])
    return next((tie for tie in ask(tx) if {*tie.names} == {*row.names}), None)


def standing_order(tx: Transaction) -> str:
    """Return the orders decided after the last round, in a sentence; nothing where none can be entered any more."""
    orders = "; ".join(in_order(row.names) for row in decided(tx))
    return f"Decided: {orders}. Until the finals are posted, /round tiebreak takes another order." if orders else ""


def _expire(tx: Transaction, row: TieRow) -> None:
    """Close the question about a tie that is no more, and tell those who were to play a match for it."""
    _close(tx, row, TieAnswer(order=row.names, how=Settled.GONE))
    if row.match_at is not None and tx.season.phase in PLAYING:
        text = f"The tie-break match after round {row.after_round} isn't played: results or players have changed."
        tx.tell(text, pings=_people(tx, row))


def _people(tx: Transaction, row: TieRow) -> list[int | None]:
    return [entrant.discord_id for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.name in row.names]


def _ask(tx: Transaction, tie: Tie) -> None:
    row = ties.add(
        tx.conn,
        season_id=tx.season.id,
        after_round=len(rounds.published(tx.conn, tx.season.id)),
        first=tie.first,
        going_on=tie.going_on,
        names=tie.names,
        asked_at=tx.now,
    )
    tx.enqueue(TIE, TieFacts(tie_id=row.id), once=str(row.id))
    tx.invalidate(None, BOARD)


def call_match(tx: Transaction, row: TieRow) -> TieRow:
    """Note that the tied players play a tie-break match, and tell them their seats."""
    called = ties.change(tx.conn, row.id, names=row.names, match_at=tx.now)
    tx.note("round.tiebreak-match", f"round {row.after_round}", after={"players": row.names})
    tx.enqueue(TIE_MATCH, TieFacts(tie_id=row.id), once=str(row.id), people=_people(tx, row))
    tx.invalidate(None, TIE, TIE_MATCH, BOARD)
    return called


def settle(tx: Transaction, row: TieRow, answer: TieAnswer) -> None:
    """Note an answer in the season's decisions, and tell everyone."""
    order = whole_order(rules_season.load(tx.conn, tx.season.id), tuple(map(Name, answer.order)))
    seasons.add_decision(tx.conn, tx.season.id, row.after_round, order)
    _close(tx, row, answer)
    tx.tell(f"After round {row.after_round}: {tie_words(row)} {_told(answer)}", pings=_people(tx, row))
    after = {"order": answer.order, "how": answer.how}
    before = {"equal": row.names}
    tx.note("round.tiebreak", f"round {row.after_round}", before=before, after=after, reason=answer.reason)


def _take_draw_by_silence(tx: Transaction, tie_id: int) -> None:
    """Settle a tie nobody answered in time by the draw, where it still matters."""
    row = next((left for left in ask(tx) if left.id == tie_id), None)
    if row is not None:
        settle(tx, row, TieAnswer(order=row.names, how=Settled.SILENCE))
        progression.advance(tx, answered=True)


TIE_ANSWER = Question(
    kind=TIE,
    asked=ties.ASKED,
    about=lambda _, post: [TIE.facts(post).tie_id],
    words="settle tie {}",
    silence=_take_draw_by_silence,
)
"""Which of the tied players goes first."""


def _told(answer: TieAnswer) -> str:
    order, why = in_order(answer.order), f" ({answer.reason})" if answer.reason else ""
    match answer.how:
        case Settled.ORDER:
            return f"The organiser decided{why}: {order}."
        case Settled.MATCH:
            return f"The tie-break match decided{why}: {order}."
        case _:
            return f"The draw decided: {order}."


def take_question_away(tx: Transaction, row: TieRow) -> None:
    """Delete the question to a player about the report of a tie-break match, if there is one."""
    report = ties.report_of(tx.conn, row.id)
    if report is not None:
        tx.retract(TIE_QUESTION, once=str(report.id))


def disagreement(row: TieRow) -> str:
    """Return the word for the one post that says the two players of a tie-break match disagree."""
    return f"tie {row.id} disputed"


def _close(tx: Transaction, row: TieRow, answer: TieAnswer) -> None:
    take_question_away(tx, row)
    tx.retract(STUCK, once=disagreement(row))
    ties.remove_report(tx.conn, row.id)
    ties.change(tx.conn, row.id, names=answer.order, settled_at=tx.now, how=answer.how)
    tx.invalidate(None, TIE, TIE_MATCH, BOARD)


def _section(rows: Sequence[TieRow]) -> Section:
    choose = "An organiser chooses: an order, a tie-break match, or the draw."
    return Section("Ties", choose, [tie_words(tie) for tie in rows])


TIES = PendingItems("ties", ties.WAITING, ties.some, _section, {TIE: "tie_id", STUCK: "tie_id"}, by_organisers=True)
"""Ties that matter, and those whose two players disagree about their match."""


AUDIT_WORDS = {
    "round.tiebreak-again": "{}: the order of a tie doesn't count any more",
    "round.tiebreak-dispute": "{}: the result of the tie-break match was disputed",
    "round.tiebreak-report": "{}: the tie-break match was reported",
    "round.tiebreak": "{}: a tie was settled",
    "round.tiebreak-match": "{}: a tie-break match was called",
}
"""What the audit log says of ties."""
