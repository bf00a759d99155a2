"""Read what a moderator decides: an outcome, how it came about, and the score."""

from bot.league.errors import Invalid
from bot.league.match_score import Result, flipped, read_score, require_forfeit_score, require_score
from bot.league.model import Kind, Stage
from bot.league.names import look_alike_key
from bot.league.settings import SeasonSettings
from bot.services.matches.views import MatchView, SideView
from bot.services.results.transitions import Ruling, score_limit

_KINDS = {"played": Kind.PLAYED, "forfeit": Kind.FORFEIT, "adjudicated": Kind.ADJUDICATED}
_DOUBLE_LOSS = "double loss"


def read_ruling(view: MatchView, settings: SeasonSettings, outcome: str, kind: str, score: str | None) -> Ruling:
    """Return the result a moderator means; raises Invalid saying what would do."""
    said = _KINDS.get(kind.strip().lower())
    if said is None:
        raise Invalid(f"The kind is one of {', '.join(_KINDS)}.")
    games = read_score(score) if score and score.strip() else None
    winner = _named(view, outcome)
    if winner is not None:
        _require_score(view, settings, said, Result.WON, games)
        mine = games if winner == view.upper else flipped(games)
        return Ruling(kind=said, winner_id=winner.entrant_id, games=mine)
    if _plain(outcome) == "draw":
        return _draw(view, settings, said, games)
    if _plain(outcome) == _DOUBLE_LOSS:
        return _double_loss(view, games)
    raise Invalid(
        f"The outcome is {view.upper.name}, {view.lower.name}, draw or double loss; “{outcome[:50]}” is none of them."
    )


def _named(view: MatchView, outcome: str) -> SideView | None:
    exact = [side for side in view.sides if side.name == outcome.strip()]
    alike = [side for side in view.sides if look_alike_key(side.name) == look_alike_key(outcome.strip())]
    return exact[0] if exact else alike[0] if len(alike) == 1 else None


def _plain(outcome: str) -> str:
    return " ".join(outcome.lower().replace("_", " ").replace("-", " ").split())


def _draw(view: MatchView, settings: SeasonSettings, kind: Kind, games: tuple[int, int] | None) -> Ruling:
    if not view.draws:
        raise Invalid(f"There are no draws in this match: name {view.upper.name} or {view.lower.name} as the winner.")
    if kind is Kind.FORFEIT:
        raise Invalid("A forfeit is no draw: name the winner, or set a double loss.")
    _require_score(view, settings, kind, Result.DRAW, games)
    return Ruling(kind=kind, winner_id=None, games=games)


def _double_loss(view: MatchView, games: tuple[int, int] | None) -> Ruling:
    if view.stage is Stage.FINALS:
        raise Invalid(
            "In a bracket somebody must go on, so there is no double loss: name the winner. If both gave up, drop them "
            "with /player drop; the next opponent then has a bye."
        )
    if games is not None:
        raise Invalid("A double loss has no score: leave it out.")
    return Ruling(kind=Kind.DOUBLE_LOSS, winner_id=None)


def _require_score(
    view: MatchView, settings: SeasonSettings, kind: Kind, result: Result, games: tuple[int, int] | None
) -> None:
    limit = score_limit(view, settings)
    if games is None:
        return
    if kind is Kind.FORFEIT:
        require_forfeit_score(games, best_of=limit)
    else:
        require_score(games, result, best_of=limit, unfinished=kind is Kind.ADJUDICATED or settings.pace == "live")
