"""How long live rounds last, as the documents say (docs/formats/time-called.md)."""

from bot.league.season.choices import Game, Variant

_SINGLE, _BEST_OF_THREE = 1, 3
_KEYFORGE = {
    # variant, games of a match: minutes, and those of the final
    (Variant.ARCHON, _SINGLE): (35, 50),
    (Variant.ARCHON, _BEST_OF_THREE): (90, 120),
    (Variant.SEALED, _SINGLE): (45, 60),
    (Variant.SEALED, _BEST_OF_THREE): (100, 125),
}
_LIGHTSEEKERS = 60


def round_minutes(game: Game | None, variant: Variant | None, *, best_of: int, final: bool) -> int | None:
    """Return the minutes of a live match, or None where no document gives them.

    KeyForge's Swiss and elimination rounds are equally long, only the final is longer; a season that doesn't name its
    variant counts as Archon, the one most events play.
    """
    if game is Game.LIGHTSEEKERS:
        return _LIGHTSEEKERS
    minutes = _KEYFORGE.get((variant or Variant.ARCHON, best_of)) if game is Game.KEYFORGE else None
    return None if minutes is None else minutes[final]
