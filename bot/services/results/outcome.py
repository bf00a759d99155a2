"""What moderators decide about a match: the outcome they type or press, checked against its rules."""

from enum import StrEnum

from bot.league.errors import Invalid
from bot.league.match_score import Games, Result, flipped, read_score, require_possible
from bot.league.model import Kind, Stage
from bot.league.names import look_alike_key
from bot.league.settings import Pace, SeasonSettings
from bot.services.matches.views import MatchView
from bot.services.results.transitions import Ruling


class Outcome(StrEnum):
    """How a match ends, seen from its two sides."""

    UPPER = "upper"
    LOWER = "lower"
    DRAW = "draw"
    DOUBLE_LOSS = "double loss"


def read_outcome(view: MatchView, typed: str) -> Outcome:
    """Return the outcome meant by a player's name, `draw` or `double loss`; raises Invalid."""
    names = {Outcome.UPPER: view.upper.name, Outcome.LOWER: view.lower.name}
    exact = [side for side, name in names.items() if name == typed.strip()]
    alike = [side for side, name in names.items() if look_alike_key(name) == look_alike_key(typed.strip())]
    if exact or len(alike) == 1:
        return (exact or alike)[0]
    plain = " ".join(typed.lower().replace("_", " ").replace("-", " ").split())
    if plain in (Outcome.DRAW, Outcome.DOUBLE_LOSS):
        return Outcome(plain)
    raise Invalid(
        f"“{typed[:50]}” isn't an outcome of this match. Choose {view.upper.name}, {view.lower.name}, draw or double "
        "loss."
    )


def ruling(view: MatchView, settings: SeasonSettings, outcome: Outcome, kind: Kind, score: str | None) -> Ruling:
    """Return the result of a decision, whose score has the winner's games first; raises Invalid."""
    games = read_score(score) if score and score.strip() else None
    match outcome:
        case Outcome.DOUBLE_LOSS:
            return _double_loss(view, games)
        case Outcome.DRAW:
            return _draw(view, settings, kind, games)
        case Outcome.UPPER | Outcome.LOWER:
            _require_score(view, settings, kind, Result.WON, games)
            upper = outcome is Outcome.UPPER
            winner = view.upper if upper else view.lower
            return Ruling(kind=kind, winner_id=winner.entrant_id, games=games if upper else flipped(games))


def _draw(view: MatchView, settings: SeasonSettings, kind: Kind, games: Games | None) -> Ruling:
    if not view.draws:
        raise Invalid(f"This match can't be a draw: choose {view.upper.name} or {view.lower.name} as the winner.")
    if kind is Kind.FORFEIT:
        raise Invalid("A forfeit can't be a draw: choose the winner, or double loss.")
    _require_score(view, settings, kind, Result.DRAW, games)
    return Ruling(kind=kind, winner_id=None, games=games)


def _double_loss(view: MatchView, games: Games | None) -> Ruling:
    if view.stage is Stage.FINALS:
        raise Invalid(
            "A match of the finals needs a winner, so it can't be a double loss. If both players gave up, an organiser "
            "can drop them with /player drop; the next opponent then has a bye."
        )
    if games is not None:
        raise Invalid("A double loss has no score: leave it out.")
    return Ruling(kind=Kind.DOUBLE_LOSS, winner_id=None)


def _require_score(view: MatchView, settings: SeasonSettings, kind: Kind, result: Result, games: Games | None) -> None:
    if games is not None:
        finished = settings.pace is not Pace.LIVE
        require_possible(games, kind=kind, result=result, best_of=view.best_of, finished=finished)
