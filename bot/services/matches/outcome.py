"""The outcome moderators give a match: a win, draw, forfeit or double loss, typed or pressed, checked by its rules."""

from enum import StrEnum

from bot.league.errors import Invalid
from bot.league.season.choices import Pace
from bot.league.season.match_score import Result, Scoreline, read_scoreline, require_agreeing, require_possible
from bot.league.season.model import Kind, Stage
from bot.league.season.names import written_key
from bot.league.season.settings import SeasonSettings
from bot.services.matches.views import MatchResult, MatchView


class Outcome(StrEnum):
    """How a match ends, seen from its two sides."""

    UPPER = "upper"
    LOWER = "lower"
    DRAW = "draw"
    DOUBLE_LOSS = "double loss"


FORFEIT = " by forfeit"


def outcomes(view: MatchView) -> tuple[str, ...]:
    """Return what can be typed as the outcome of a match: only what wouldn't be refused."""
    names = [side.called for side in view.sides]
    draw = ["draw"] if view.draws else []
    both = [] if view.round.stage is Stage.FINALS else ["double loss"]
    return (*names, *draw, *(f"{name}{FORFEIT}" for name in names), *both)


def without_forfeit(view: MatchView, typed: str) -> str | None:
    """Return the winner's name where a forfeit was typed, `Ada by forfeit`; None for anything else."""
    text = typed.strip()
    is_name = any(written_key(text) == written_key(side.called) for side in view.sides)
    return text[: -len(FORFEIT)] if text.casefold().endswith(FORFEIT) and not is_name else None


def read_outcome(view: MatchView, typed: str) -> Outcome:
    """Return the outcome meant by a player's name, `draw` or `double loss`; raises Invalid."""
    sides = {Outcome.UPPER: view.upper, Outcome.LOWER: view.lower}
    names = [
        (side, name)
        for side, called in sides.items()
        for name in {called.name, called.person or called.name, called.called}
    ]
    exact = [side for side, name in names if name == typed.strip()]
    alike = {side for side, name in names if written_key(name) == written_key(typed.strip())}
    if exact or len(alike) == 1:
        return (exact or list(alike))[0]
    plain = " ".join(typed.lower().replace("_", " ").replace("-", " ").split())
    if plain in (Outcome.DRAW, Outcome.DOUBLE_LOSS):
        return Outcome(plain)
    raise Invalid(
        f"“{typed[:50]}” isn't an outcome of this match. Choose {view.upper.called}, {view.lower.called}, draw or "
        "double loss."
    )


def result_of(
    view: MatchView, settings: SeasonSettings, outcome: Outcome, kind: Kind, score: str | None
) -> MatchResult:
    """Return the result of a decision, whose score has the winner's numbers first; raises Invalid."""
    scoreline = read_scoreline(score, scores=settings.scores, best_of=view.best_of, first="the winner's")
    if outcome is Outcome.DOUBLE_LOSS:
        return _double_loss(view, scoreline)
    result = Result.DRAW if outcome is Outcome.DRAW else Result.WON
    if result is Result.DRAW:
        _require_drawable(view, kind)
    if scoreline.games is not None:
        finished = settings.pace is not Pace.LIVE
        require_possible(scoreline.games, kind=kind, result=result, best_of=view.best_of, finished=finished)
    if scoreline.score is not None:
        require_agreeing(scoreline.score, kind=kind, result=result)
    winner = {Outcome.UPPER: view.upper.id, Outcome.LOWER: view.lower.id}.get(outcome)
    in_order = scoreline.flipped if outcome is Outcome.LOWER else scoreline
    return MatchResult(kind=kind, winner_id=winner, scoreline=in_order)


def _require_drawable(view: MatchView, kind: Kind) -> None:
    if not view.draws:
        raise Invalid(f"This match can't be a draw: choose {view.upper.called} or {view.lower.called} as the winner.")
    if kind is Kind.FORFEIT:
        raise Invalid("A forfeit can't be a draw: choose the winner, or double loss.")


def _double_loss(view: MatchView, scoreline: Scoreline) -> MatchResult:
    if view.round.stage is Stage.FINALS:
        raise Invalid(
            "A match of the finals needs a winner, so it can't be a double loss. If both players gave up, an organiser "
            "can drop them with /player drop; the next opponent then has a bye."
        )
    if any(scoreline):
        raise Invalid("A double loss has no score: leave it out.")
    return MatchResult(kind=Kind.DOUBLE_LOSS)
