"""The rules of two loss out in plain words."""

from bot.league.formats import words
from bot.league.formats.base import Rule
from bot.league.settings import SeasonSettings


def rules(settings: SeasonSettings, entrants: int | None, *, cut: int) -> tuple[Rule, ...]:
    """Return the rules of a season with a cut of this size; of 1, the last player left wins it."""
    cut, out = min(cut, entrants or cut), words.counted(settings.losses, "loss", "losses")
    tiebreak = "" if cut == 1 else "a tie-break round for the last place, "
    until = "one player is left" if cut == 1 else "the cut is full"
    return (
        Rule(f"Until {until}. {out.capitalize()} and you're out.", "Rounds"),
        words.matches(settings, finals=cut > 1),
        Rule("None. The last player left wins the season.", "Cut") if cut == 1 else words.cut(cut, entrants),
        Rule("Drawn in the lowest pool where someone hasn't had one yet. A bye counts as a win.", "Byes"),
        Rule(f"S.O.S. (strength of schedule), {tiebreak}the draw.", "Tie-breaks"),
        Rule(
            "Round 1 is drawn. After that you meet someone with as many losses as you, by the draw. You won't meet "
            "anyone twice if that can be avoided. An odd pool takes one player from the next lower pool, by the draw."
        ),
        Rule(
            "Players still in, or in the finals, come first in the standings. Then it goes by fewest losses, most wins "
            "and S.O.S.: twice your opponents' share of wins plus that of their opponents. Byes count as wins."
        ),
        *(_finals(settings, cut) if cut > 1 else ()),
        *words.coming_and_going(settings, comes_back=False),
    )


def _finals(settings: SeasonSettings, cut: int) -> tuple[Rule, ...]:
    early = f"Once {cut // 2} or fewer players are undefeated after a round, they're in the finals and stop playing. "
    others = "The others" if settings.losses > 1 else "Players"
    return (
        Rule(
            (early if settings.losses > 1 else "")
            + f"{others} play on while they are at least twice as many as the places left. Then fewest losses and "
            "S.O.S. decide."
        ),
        Rule(
            "Players who are exactly equal at the last place play a tie-break round, at most twice. Then the "
            "draw decides."
        ),
        Rule("In the finals, seeds go by fewest losses, then S.O.S.; the best seed meets the worst."),
        words.replaced(settings),
    )
