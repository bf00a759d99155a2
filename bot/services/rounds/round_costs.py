"""What closing or undoing a round does and who it affects, in words, before it is done."""

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
    return f"{row.name}: this ends now, with all its results. {following}"


def of_undoing(view: RoundView) -> str:
    """Return what undoing a preview or an open round does."""
    if view.round.phase is RoundPhase.DRAFT:
        return f"The preview of {view.round.words} is deleted. Only organisers have seen it."
    pairs = [match.heading for match in view.matches]
    more = f" and {len(pairs) - _NAMED} more" if len(pairs) > _NAMED else ""
    return (
        f"You take back {view.round.words}: {', '.join(pairs[:_NAMED])}{more}. Its posts then say so, and matches "
        "already played in it don't count. With the same results, the same pairings come again."
    )
