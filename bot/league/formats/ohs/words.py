"""The rules of OHS tiers in plain words."""

from bot.league.formats import words
from bot.league.formats.base import Rule
from bot.league.history import PAST_SEASONS
from bot.league.settings import ByeAmong, SeasonSettings


def rules(settings: SeasonSettings, entrants: int | None, *, rounds: int, fewest_finalists: int) -> tuple[Rule, ...]:
    """Return the rules of a season; `rounds` and `fewest_finalists` are the numbers of the format."""
    finals = settings.cut != 0
    return (
        Rule(f"{rounds} in tiers: you meet someone with as many losses as you. No one is eliminated.", "Rounds"),
        words.matches(settings, finals=finals),
        _cut(settings, entrants, fewest_finalists),
        _byes(settings),
        Rule("Strength of schedule, ranking by rating (TrueSkill), the draw.", "Tie-breaks"),
        Rule(
            "Standings go by most wins, then fewest losses, then the tie-breaks. Strength of schedule is the average "
            "chance that your opponents beat an average player. Rounds without an opponent count 0."
        ),
        Rule(
            "Round 1 is paired by the draw. After that, tiers with no loss or one loss pair by strength of schedule "
            "and ranking, the others by ranking. An odd tier takes one player from the next lower tier."
        ),
        Rule(
            "Rematches within the season are avoided where possible. Round 1 and tiers with two or more losses "
            f"also avoid those of the last {words.counted(PAST_SEASONS, 'season')}. Round 2 also avoids those of "
            "the last season."
        ),
        *((_BRACKET, words.replaced(settings)) if finals else ()),
        *words.coming_and_going(settings),
    )


_BRACKET = Rule(
    "The bracket gives byes to the best seeds. Players with the same number of byes are re-seeded once; later "
    "rounds avoid rematches within the season where possible."
)


def _cut(settings: SeasonSettings, entrants: int | None, fewest: int) -> Rule:
    if settings.cut is not None:
        return words.cut(settings.cut, entrants)
    return Rule(
        f"Everyone with at least as many wins as losses goes on to single elimination, at least {fewest} players.",
        "Cut",
    )


def _byes(settings: SeasonSettings) -> Rule:
    where = " of the lowest tier" if settings.bye_among is ByeAmong.LOWEST else ""
    return Rule(f"Drawn among the players{where} with the fewest byes. A bye counts as a win.", "Byes")
