"""All open matches of one player decided at once, by moderators: what each becomes, and one message about all of them.

Nobody is dropped by it. Matches that are reported or disputed stay as they are.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.league.errors import Conflict, NotFound
from bot.league.season.in_words import amount, first_few
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState
from bot.services.base.confirmation import require_confirmation, token_of
from bot.services.base.events import ForfeitDecided
from bot.services.base.order import Order
from bot.services.base.post_kinds import known
from bot.services.base.transaction import MODERATOR, ReadTransaction, read_transaction, required, transaction
from bot.services.matches import views
from bot.services.matches.decision_posts import DECIDED_TOGETHER, TogetherFacts
from bot.services.matches.views import MatchResult, MatchView
from bot.services.play import possible_results, progression, transitions
from bot.services.play.decisions import require_impartial
from storage.database import Connection
from storage.rows import Confirmation, EntrantId, EntrantRow, MatchId
from storage.tables.field import entrants

_NAMED = 10
_SEVERAL = 2


class Way(StrEnum):
    """What all open matches of a player become."""

    FORFEIT = "forfeit"
    """Their opponents win."""
    BOTH = "both"
    """Both players of each lose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllOpen:
    """A player's open matches, and what each way of deciding them does, in sentences.

    `also` is what is so either way.
    """

    player: EntrantRow
    decided: tuple[MatchView, ...]
    ways: Mapping[Way, str]
    also: tuple[str, ...]

    @property
    def token(self) -> str:
        """Return what agreeing to it sends back."""
        return token_of(self.cost)

    @property
    def cost(self) -> str:
        """Return all of it in one text, which is another once a match has changed."""
        return " ".join([*(view.label for view in self.decided), *self.ways.values(), *self.also])


def with_several(conn: Connection, order: Order, *, match: MatchId) -> tuple[EntrantRow, ...]:
    """Return the players of a match who have several open ones, for moderators."""
    tx = read_transaction(conn, order, by=MODERATOR, match_id=match)
    view = views.match_view(tx.conn, match)
    return tuple(side for side in view.sides if len(_open(tx, side)) >= _SEVERAL)


def among(matches: Sequence[MatchView]) -> tuple[EntrantRow, ...]:
    """Return the players who are in several of these open matches, those with most first."""
    open_ = [view for view in matches if view.match.state is MatchState.OPEN]
    counts = Counter(side.id for view in open_ for side in view.sides)
    players = {side.id: side for view in open_ for side in view.sides}
    return tuple(players[id_] for id_, count in counts.most_common() if count >= _SEVERAL)


def preview(conn: Connection, order: Order, *, player: EntrantId) -> AllOpen:
    """Return what deciding all open matches of a player would do; raises NotFound, NotAllowed and Conflict."""
    entrant = _found(conn, player)
    tx = read_transaction(conn, order, by=MODERATOR, season_id=entrant.season_id)
    return _preview(tx, entrant, order)


def decide(
    conn: Connection, order: Order, *, player: EntrantId, way: Way, reason: str, agreed: str | None = ""
) -> AllOpen:
    """Decide all open matches of a player in one way, and tell everyone concerned in one message.

    Raises NotFound, NotAllowed, Conflict, Invalid, and ConfirmationNeeded where the matches aren't those agreed to.
    """
    why = required(reason)
    entrant = _found(conn, player)
    tx = transaction(conn, order, by=MODERATOR, season_id=entrant.season_id)
    matches = _preview(tx, entrant, order)
    require_confirmation(matches.cost, agreed)
    for view in matches.decided:
        own, result = require_impartial(tx, view), _result(view, entrant, way)
        transitions.confirm(tx, view, result, Confirmation.MODERATOR)
        after = {"state": view.words(result), **own}
        tx.note("result.set", view.label, before={"state": view.news}, after=after, reason=why)
        if result.winner_id is not None:
            tx.happened(ForfeitDecided(loser_id=entrant.id))
    people = [entrant, *(view.opponent_of(entrant) for view in matches.decided)]
    facts = TogetherFacts(
        text=matches.ways[way],
        pings=known(person.discord_id for person in people),
        by=transitions.decider(tx, *matches.decided),
        decided_by=tx.actor.user_id,
        why=why,
        entrant_id=entrant.id,
        matches=tuple(view.match.id for view in matches.decided),
        thread_match=matches.decided[0].match.id,
    )
    tx.enqueue(DECIDED_TOGETHER, facts, people=facts.pings)
    progression.advance(tx)
    return matches


def _found(conn: Connection, player: EntrantId) -> EntrantRow:
    entrant = entrants.find(conn, player)
    if entrant is None:
        raise NotFound("That player is in no season any more, so they have no open matches. /disputes shows who has.")
    return entrant


def _open(tx: ReadTransaction, entrant: EntrantRow) -> tuple[MatchView, ...]:
    """Return a player's matches that no one has reported."""
    return tuple(view for view in views.open_matches(tx.conn, entrant.id) if view.match.state is MatchState.OPEN)


def _result(view: MatchView, entrant: EntrantRow, way: Way) -> MatchResult:
    if way is Way.BOTH:
        return MatchResult(kind=Kind.DOUBLE_LOSS)
    return MatchResult(kind=Kind.FORFEIT, winner_id=view.opponent_of(entrant).id)


def _preview(tx: ReadTransaction, entrant: EntrantRow, order: Order) -> AllOpen:
    open_ = _open(tx, entrant)
    if len(open_) < _SEVERAL:
        raise Conflict(f"{entrant.called} has no two open matches any more. Decide a match on its own card.")
    for view in open_:
        require_impartial(tx, view)
    opponents = first_few([view.opponent_of(entrant).called for view in open_], _NAMED)
    return AllOpen(
        player=entrant,
        decided=open_,
        ways={
            Way.FORFEIT: f"{opponents} win their matches against {entrant.called} by forfeit.",
            Way.BOTH: f"Both players lose each match of {entrant.called} against {opponents}.",
        },
        also=tuple(filter(None, _also(tx, entrant, open_, order))),
    )


def _also(tx: ReadTransaction, entrant: EntrantRow, open_: Sequence[MatchView], order: Order) -> Sequence[str]:
    """Return what is so whichever way is chosen."""
    problems = sum(view.problem is not None for view in open_)
    agreed = sum(view.match.agreed_at is not None for view in open_)
    follows = possible_results.what_follows(tx, open_[0], order.now, count=len(open_))
    stay = [view for view in views.open_matches(tx.conn, entrant.id) if view.match.state is not MatchState.OPEN]
    labels = first_few([f"{view.pairing} ({view.state_words})" for view in stay], _NAMED)
    return (
        f"{agreed} of them {'has' if agreed == 1 else 'have'} an agreed time." if agreed else "",
        f"This also settles {amount(problems, 'problem')} you were told about." if problems else "",
        "Without a score each counts as 0-0." if tx.settings.scores else "",
        f"Not among them, and left as it is: {labels}." if stay else "",
        f"These are the last results: this {follows} at once." if follows else "",
        f"{entrant.called} stays in the season.{tx.hint('/player drop takes them out.')}" if entrant.active else "",
        f"{entrant.called} and their opponents are told in one message.",
    )
