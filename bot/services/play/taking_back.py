"""Taking back the press that made a result count, while nothing was paired on it (docs/rules.md, 9)."""

from datetime import datetime, timedelta

from bot.league.errors import Conflict
from bot.league.season.phases import PLAYING, MatchState, RoundPhase
from bot.services.base.act import act
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.matches import choosing, views
from bot.services.matches.decided import OPEN_AGAIN
from bot.services.matches.views import MatchView
from bot.services.play import course, transitions
from storage.database import Connection

TIME = timedelta(minutes=10)


def can_take_back(view: MatchView, actor: Actor, now: datetime) -> datetime | None:
    """Return until when a person can take back the press that made a result count; None where they can't."""
    pressed, side = view.takeback, view.side_of(actor.user_id)
    if pressed is None or side is None or (pressed.entrant_id, pressed.version) != (side.id, view.match.version):
        return None
    going_on = view.round.phase is RoundPhase.OPEN and view.season.phase in PLAYING
    until = pressed.at + TIME
    return until if going_on and now < until and all(player.active for player in view.sides) else None


def take_back(conn: Connection, order: Order, *, match: int, version: int) -> MatchView:
    """Make a match what it was before the actor's press, and tell the other player; raises Conflict when too late."""
    with act(conn, order, match_id=match) as do:
        view = choosing.find_match(do, match)
        transitions.require_current(view, version)
        side = view.side_of(order.actor.user_id)
        if view.takeback is None or side is None or can_take_back(view, order.actor, order.now) is None:
            raise Conflict(f"{view.label} can't be taken back any more: {view.state_words}. Ask a moderator.")
        after = transitions.put_back(do, view, view.takeback)
        course.results_missing(do, view.round)
        other = view.opponent_of(side)
        restored = views.match_view(do.conn, view.match.id)
        waits = restored.match.state is MatchState.REPORTED
        said = {"said": restored.said(restored.reports[-1])} if waits else {}
        transitions.note(do, "result.take-back", view, after, **said)
        if restored.match.state is MatchState.OPEN:
            text = f"{side.called} had reported a loss by mistake."
            transitions.tell_open_again(do, view, restored, text, other, step="Nothing to do.")
        elif not waits or restored.asked != other:  # else the question tells them
            text = _told(restored, side.called)
            transitions.tell_players(do, restored, text, other, kind=OPEN_AGAIN)
        return restored


def _told(restored: MatchView, side: str) -> str:
    """Return what the other player is told, by what the match waits for again."""
    if restored.match.state is MatchState.REPORTED:
        return f"{side} took back their answer, so your report waits for it again."
    return f"{side} took back what they reported last, so the moderators decide after all."
