"""Results from the moderators: decide, correct earlier ones, with a preview of what follows; who may decide."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.checking import consequences
from bot.league.checking.consequences import Consequences
from bot.league.coming_and_going import drops_absent
from bot.league.errors import Conflict, NotAllowed, WrongPhase
from bot.league.pairing.proposal import Champion, Proposal, Qualified
from bot.league.season.model import DepartureKind, Kind, Match, Name
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base.confirmation import require_confirmation, token_of
from bot.services.base.events import ForfeitDecided
from bot.services.base.order import Order
from bot.services.base.permissions import is_organiser
from bot.services.base.transaction import (
    MODERATOR,
    ReadTransaction,
    Transaction,
    read_transaction,
    required,
    transaction,
)
from bot.services.matches import match_finding, views
from bot.services.matches.outcome import Outcome, read_outcome, result_of, without_forfeit
from bot.services.matches.views import MatchResult, MatchView
from bot.services.play import bracket_corrections, possible_results, progression, reporting, transitions, unanswered
from bot.services.play.bracket_corrections import PlayedOn
from bot.services.play.field import withdrawals
from storage import rules_season
from storage.database import Connection
from storage.rows import Confirmation, EntrantRow, MatchId
from storage.tables import rounds, seasons
from storage.tables.field import entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPreview:
    """What a decision would change: the result before and after, and what follows from it.

    `absent` is the player who would also be dropped from the season, because they didn't appear; `moves` are those who
    change place in the standings, and `agreement` is what agreeing to matches that would be played again sends back.
    """

    match: MatchView
    outcome: Outcome
    kind: Kind
    absent: str | None
    before: str
    after: str
    effects: tuple[str, ...]
    moves: tuple[str, ...]
    agreement: str | None
    by_organiser: bool
    """Whether only an organiser can decide it, and this person isn't one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decision:
    """A decision that can be made, and what follows from it."""

    view: MatchView
    result: MatchResult
    absent: EntrantRow | None
    """Who is dropped with it, because they didn't appear."""
    consequences: Consequences | None = None
    """None while the match's round is the last one posted, because nothing was paired on it yet."""
    played_on: PlayedOn | None = None
    """The finals that depend on it, in place of other consequences."""


def decide_preview(
    conn: Connection,
    order: Order,
    *,
    match: str | int,
    outcome: Outcome | str,
    kind: Kind = Kind.ADJUDICATED,
    score: str | None = None,
) -> DecisionPreview:
    """Return what `decide` would change; a typed outcome is as `outcomes` says. Raises as `decide`."""
    tx = read_transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    require_impartial(tx, view)
    forfeited = None if isinstance(outcome, Outcome) else without_forfeit(view, outcome)
    if forfeited is not None:
        outcome, kind = forfeited, Kind.FORFEIT
    result = outcome if isinstance(outcome, Outcome) else read_outcome(view, outcome)
    decision = _decision(tx, view, result, kind, score)
    by_organiser = decision.played_on is not None and not is_organiser(tx.league, tx.actor)
    if by_organiser and tx.season.phase is SeasonPhase.FINISHED:
        raise Conflict(_by_organiser(view))
    return DecisionPreview(
        match=view,
        outcome=result,
        kind=kind,
        absent=None if decision.absent is None else decision.absent.called,
        before=view.news,
        after=view.words(decision.result),
        effects=_effects(tx, decision, order.now),
        moves=() if decision.consequences is None else decision.consequences.moves,
        agreement=None if decision.played_on is None else token_of(_cost(decision.played_on)),
        by_organiser=by_organiser,
    )


def decide(
    conn: Connection,
    order: Order,
    *,
    match: str | int,
    outcome: Outcome,
    reason: str,
    kind: Kind = Kind.ADJUDICATED,
    score: str | None = None,
    version: int | None = None,
    only_this_match: bool = False,
    agreed: str | None = "",
) -> MatchView:
    """Set a result as moderator, its score with the winner's games first.

    A forfeit in the open round also drops the player who didn't appear, unless the season's `no_show` or
    `only_this_match` says otherwise. Finals that depend on the result are played again, once an organiser agreed to
    that. Raises NotAllowed, NotFound, Invalid, ConfirmationNeeded, and Conflict where a button is old.
    """
    why = required(reason)
    tx = transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    transitions.require_current(view, version)
    only = only_this_match
    return settle(tx, view, outcome, why, kind=kind, score=score, only_this_match=only, agreed=agreed)


def settle(
    tx: Transaction,
    view: MatchView,
    outcome: Outcome,
    why: str,
    *,
    kind: Kind,
    score: str | None = None,
    only_this_match: bool = False,
    agreed: str | None = "",
    absence: str = "didn't appear",
) -> MatchView:
    """Set a result inside a transaction; raises as `decide` does. `absence` is why someone leaves with it."""
    own = require_impartial(tx, view)
    decision = _decision(tx, view, outcome, kind, score)
    if decision.played_on is not None:
        require_confirmation(_cost(decision.played_on), agreed)
        if not is_organiser(tx.league, tx.actor):
            raise Conflict(_by_organiser(view))
    transitions.confirm(tx, view, decision.result, Confirmation.MODERATOR)
    words = view.words(decision.result)
    absent = None if only_this_match else decision.absent
    gone = "" if absent is None else f" {absent.called} has left season {tx.season.number}."
    if decision.played_on is None:
        corrected = "Corrected: " if view.match.state is MatchState.CONFIRMED else ""
        won, people = ("", ()) if decision.consequences is None else _correct(tx, view, decision.consequences)
        concerned = {entrant.id: entrant for entrant in (*view.sides, *people)}
        transitions.tell_players(
            tx, view, f"{corrected}{words}.{gone}{won}", *concerned.values(), decided=True, why=why
        )
    after = {"state": words, **own}
    tx.note("result.set", view.label, before={"state": view.news}, after=after, reason=why)
    if absent is not None:
        reason = f"{absence} for {view.label}: {why}"
        withdrawals.leave(tx, absent, DepartureKind.DROP, reason, announced=True)
    if decision.result.kind is Kind.FORFEIT and decision.result.winner_id is not None:
        tx.happened(ForfeitDecided(loser_id=view.match.opponent_of(decision.result.winner_id)))
    if decision.played_on is not None:
        bracket_corrections.play_again(tx, decision.played_on, view, words, why)
    progression.advance(tx)
    return views.match_view(tx.conn, view.match.id)


def confirm_for(conn: Connection, order: Order, *, match: int, reason: str, version: int | None = None) -> MatchView:
    """Confirm a report for the player it waits for, as moderator; raises as `reporting.confirm` and Invalid.

    Moderators can take it back, as `reporting.take_back` does.
    """
    why = required(reason)
    tx = transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    require_impartial(tx, view)
    reporting.require_playing(tx)
    transitions.require_current(view, version)
    reporting.require_waiting(view, None, "confirm")
    after = transitions.keep_before(tx, view, unanswered.accept(tx, view, Confirmation.MODERATOR, why), view.asked)
    text = f"{after.state_words}. Confirmed for {view.asked.called}."
    transitions.tell_players(tx, view, text, decided=True, why=why, confirmed_for=view.asked.id)
    progression.advance(tx)
    return views.match_view(tx.conn, view.match.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A result and what it changes, both in words, and whether only an organiser can set it: the winner played on."""

    then: str
    effects: tuple[str, ...]
    by_organiser: bool


def what_it_changes(tx: ReadTransaction, view: MatchView, outcome: Outcome, kind: Kind, score: str | None) -> Change:
    """Return what another result changes; raises as `decide`, and Conflict where a season that is over goes on."""
    require_impartial(tx, view)
    decision = _decision(tx, view, outcome, kind, score)
    depends = decision.played_on
    if depends is not None and tx.season.phase is SeasonPhase.FINISHED:
        raise Conflict(_by_organiser(view))
    effects = () if depends is None else depends.effects
    return Change(then=view.words(decision.result), effects=effects, by_organiser=depends is not None)


def _by_organiser(view: MatchView) -> str:
    return f"The winner of {view.label} has played on. An organiser can correct it with /result set."


def require_impartial(tx: ReadTransaction, view: MatchView) -> dict[str, bool]:
    """Return what the audit says of an organiser who decides their own match; a moderator can't, and raises NotAllowed.

    Organisers may, because there may be no one else.
    """
    if view.side_of(tx.actor.user_id) is None:
        return {}
    if not is_organiser(tx.league, tx.actor):
        raise NotAllowed(f"You can't decide {view.label}: you play in this match. Ask another moderator.")
    return {"own match": True}


def _decision(tx: ReadTransaction, view: MatchView, outcome: Outcome, kind: Kind, score: str | None) -> _Decision:
    result = result_of(view, tx.settings, outcome, kind, score)
    require_not_cancelled(tx)
    if view.match.state is MatchState.CONFIRMED and view.result == result:
        raise Conflict(f"{view.label} already has this result: {view.state_words}.")
    absent = _absent(tx, view, result)
    if view.round.phase is not RoundPhase.CLOSED:
        return _Decision(view=view, result=result, absent=absent)
    _require_unrated(tx)
    over, corrected = tx.season.phase is SeasonPhase.FINISHED, _corrected(view, result)
    season = rules_season.load(tx.conn, tx.season.id)
    after = consequences.corrected(season, view.round.number, corrected)
    effects = consequences.of_correction(season, after, view.round.number, over=over)
    if effects.finals:
        depends = bracket_corrections.found(tx, view, corrected, effects.finals[0])
        return _Decision(view=view, result=result, absent=absent, played_on=depends)
    _require_explicable(tx, view, effects)
    return _Decision(view=view, result=result, absent=absent, consequences=effects)


def _cost(depends: PlayedOn) -> str:
    return " ".join(depends.effects)


def _absent(tx: ReadTransaction, view: MatchView, result: MatchResult) -> EntrantRow | None:
    if result.winner_id is None or not drops_absent(tx.settings, result.kind):
        return None
    loser = view.opponent_of(view.side(result.winner_id))
    return loser if loser.active and view.round.phase is RoundPhase.OPEN else None


def require_not_cancelled(tx: ReadTransaction) -> None:
    """Raise WrongPhase where the season was cancelled: its results stay as they are."""
    if tx.season.phase is SeasonPhase.CANCELLED:
        raise WrongPhase(f"Season {tx.season.number} was cancelled, so its results can't be changed.")


def _require_unrated(tx: ReadTransaction) -> None:
    """Raise Conflict where the next season goes by the ratings of one that is over."""
    season, newest = tx.season, seasons.newest(tx.conn, tx.season.league_id)
    if newest is not None and newest.id != season.id and newest.phase is not SeasonPhase.SIGNUP:
        raise Conflict(
            f"Season {newest.number} has started with the ratings of season {season.number}, so its results are final."
        )


def _corrected(view: MatchView, result: MatchResult) -> Match:
    return Match(
        upper=Name(view.upper.name),
        lower=Name(view.lower.name),
        kind=result.kind,
        winner=None if result.winner_id is None else Name(view.side(result.winner_id).name),
        games=result.scoreline.games,
        score=result.scoreline.score,
    )


def _require_explicable(tx: ReadTransaction, view: MatchView, consequences: Consequences) -> None:
    """Raise Conflict where the end of the season depends on the old result; one without a champion ended by hand."""
    explained = consequences.end is not None and not isinstance(consequences.end, Proposal)
    if tx.season.phase is SeasonPhase.FINISHED and tx.season.champion_id is not None and not explained:
        raise Conflict(
            f"{view.label} can't be changed like that: season {tx.season.number} has ended, and with this result "
            "another round would have to be played. It stays; /announce tells the players what was wrong."
        )


def what_follows(conn: Connection, order: Order, *, match: MatchId) -> str:
    """Return what begins with a decision of this match, in a sentence, for a moderator; nothing where nothing does."""
    tx = read_transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    require_impartial(tx, view)
    return follows(tx, view, order.now)


def follows(tx: ReadTransaction, view: MatchView, now: datetime) -> str:
    """Return what begins or ends with a result of this match, in a sentence; nothing where it isn't the last one."""
    following = possible_results.what_follows(tx, view, now)
    return f"This is the last result: it {following} at once." if following else ""


def _effects(tx: ReadTransaction, decision: _Decision, now: datetime) -> tuple[str, ...]:
    sentences: list[str] = []
    if decision.view.dispute is not None:
        sentences.append("This closes the dispute.")
    if decision.absent is not None:
        sentences.append(f"{decision.absent.called} didn't appear, so this also drops them from the season.")
    if following := follows(tx, decision.view, now):
        sentences.append(following)
    if decision.played_on is not None:
        return (*sentences, *decision.played_on.effects, "All players of these matches will be told.")
    return (*sentences, *_later_effects(tx, decision.consequences), "Both players will be told.")


def _later_effects(tx: ReadTransaction, consequences: Consequences | None) -> list[str]:
    if consequences is None:
        return []
    sentences = ["The round is over: posted pairings stay, ratings and standings change."]
    if consequences.regular:
        *first, last = (str(number) for number in consequences.regular)
        which = f"Rounds {', '.join(first)} and {last}" if first else f"Round {last}"
        stay = "They stay" if first else "It stays"
        sentences.append(f"{which} would have been paired differently. {stay}, marked “changed by hand”.")
    if isinstance(consequences.end, Champion | Qualified) and tx.season.champion_id is not None:
        name = consequences.end.name
        champion = None if name is None else entrants.by_name(tx.conn, tx.season.id, name)
        sentences.append("No one is the champion." if champion is None else f"The champion is {champion.called}.")
    return sentences


def _correct(tx: Transaction, view: MatchView, effects: Consequences) -> tuple[str, tuple[EntrantRow, ...]]:
    """Mark the later rounds that would have been paired differently, and name the champion there is now.

    Returns that in words, for the message that tells the result, with the former champion and the new one.
    """
    season = rules_season.load(tx.conn, tx.season.id)
    marked = consequences.rounds_to_mark(season, effects.regular)
    for row in rounds.of_season(tx.conn, tx.season.id):
        if row.number in marked:
            reason = f"paired before the result of {view.label} was corrected"
            tx.invalidate(rounds.change(tx.conn, row.id, by_hand=reason))
    before = tx.season.champion_id
    if tx.season.phase is not SeasonPhase.FINISHED or before is None:
        return "", ()
    name = effects.end.name if isinstance(effects.end, Champion | Qualified) else None
    champion = None if name is None else entrants.by_name(tx.conn, tx.season.id, name)
    tx.change_season(champion_id=None if champion is None else champion.id)
    tx.invalidate()
    if tx.season.champion_id == before:
        return "", ()
    former = entrants.get(tx.conn, before)
    won = "No one is" if champion is None else f"{champion.called} is"
    people = tuple(entrant for entrant in (former, champion) if entrant is not None)
    return f" {won} the champion of season {tx.season.number} now, not {former.called}.", people
