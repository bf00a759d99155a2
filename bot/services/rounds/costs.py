"""What closing or undoing a round does and to whom, in words, before it is done."""

from bot.league.phases import RoundPhase
from bot.league.settings import Advance
from bot.services.act import Look
from bot.services.matches.views import RoundView
from storage.rows import RoundRow

_NAMED = 10


def of_closing(see: Look, row: RoundRow) -> str:
    """Return what closing an open round does, whose results are all in."""
    if see.settings.advance is Advance.MANUAL:
        following = "If no round follows, the season ends. Otherwise you pair the next one with /round post."
    else:
        following = "The next round is posted at once and mentions its players. If no round follows, the season ends."
    return f"Round {row.number} ends now, with all its results. {following}"


def of_undoing(view: RoundView) -> str:
    """Return what undoing a preview or an open round does."""
    number = view.round.number
    if view.round.phase is RoundPhase.DRAFT:
        return f"The preview of round {number} is deleted. Only organisers have seen it."
    pairs = [f"{match.upper.name} v {match.lower.name}" for match in view.matches]
    more = f" and {len(pairs) - _NAMED} more" if len(pairs) > _NAMED else ""
    return (
        f"Round {number} is taken back: {', '.join(pairs[:_NAMED])}{more}. Its posts then say so, and matches already "
        "played in it don't count. With the same results, the same pairings come again."
    )
