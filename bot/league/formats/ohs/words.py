"""The rules of OHS in plain words."""

from collections.abc import Collection

from bot.league.counting.meetings import PAST_SEASONS
from bot.league.counting.tiebreaks import TiebreakName
from bot.league.formats.shared import words
from bot.league.formats.shared.base import Chapter, Rule
from bot.league.season.choices import ByeAmong
from bot.league.season.in_words import spelled
from bot.league.season.settings import SeasonSettings, has_finals

_PAIR_UPS = (
    "An odd tier takes one player from the next lower tier. From the tier with one loss, the draw picks one of the "
    "bottom half by strength of schedule; from lower tiers it's the highest ranked. No one is taken twice while "
    "there is someone else."
)
_REFUSALS = (
    "In tiers with no loss or one loss, the player with the highest strength of schedule chooses first, and gets the "
    "lowest ranked player they haven't met. A candidate in the top half can refuse: number 1 of that half, if the "
    "lowest ranked of the bottom half is ranked below the one who chooses; number 2, if the second lowest is; and so "
    "on. If everyone refuses, no one can. Other tiers pair by ranking: from the top, each gets the next player they "
    "haven't met."
)
_BRACKET = (
    "Seeds go by the standings. The bracket gives byes to the best seeds. Players with the same number of byes are "
    "re-seeded once, the way tiers with no loss pair.",
    "If a later match would repeat one of this season, its lower player swaps with the one in the match below, or the "
    "next below, else above. If that isn't enough, the arrangement with the fewest rematches counts.",
)


def rules(
    settings: SeasonSettings,
    entrants: int | None,
    *,
    rounds: int,
    fewest_finalists: int,
    tiebreaks: Collection[TiebreakName],
) -> tuple[Rule, ...]:
    """Return the rules of a season; `rounds` and `fewest_finalists` are the numbers of the format."""
    finals = has_finals(settings.cut)
    many = spelled(PAST_SEASONS, "season")
    return (
        Rule(
            Chapter.ROUNDS,
            f"{rounds}. You meet someone of your tier, which is everyone with as many losses as you. No one is out.",
            "Rounds",
        ),
        *words.matches(settings, finals=finals),
        Rule(Chapter.ROUNDS, f"Round 1 is paired by the draw. {_PAIR_UPS}"),
        Rule(Chapter.ROUNDS, _REFUSALS),
        Rule(
            Chapter.ROUNDS,
            "Rematches of the season are avoided within each tier. Round 1 and tiers with two or more losses also "
            f"avoid those of the last {many}. Round 2 also avoids those of the last season. Who is paired up is "
            "chosen first, without a look at rematches.",
        ),
        _byes(settings),
        *words.results(settings, None, finals=finals),
        words.tiebreaks(tiebreaks, "ranking by rating (TrueSkill)", "the draw"),
        Rule(
            Chapter.STANDINGS,
            "Standings go by most wins, then fewest losses, then the tie-breaks. Strength of schedule is the average "
            "chance that your opponents beat an average player. Rounds without an opponent count 0, so a bye lowers "
            "it.",
        ),
        _cut(settings, entrants, fewest_finalists),
        *((*(Rule(Chapter.FINALS, text) for text in _BRACKET), words.replaced(settings)) if finals else ()),
        *words.coming_and_going(settings),
    )


def in_short(settings: SeasonSettings, entrants: int | None, *, rounds: int, fewest_finalists: int) -> tuple[str, ...]:
    """Return what players ask first."""
    return (
        f"You play {spelled(rounds, 'round')}, {words.a_match(settings)} "
        f"({words.best_of(settings.best_of)}). You meet players with as many losses as you.",
        _finals_in_short(settings, entrants, fewest_finalists),
        words.results_in_short(settings, finals=has_finals(settings.cut)),
        "Equal? Who had the stronger opponents is ahead, then who has the better rating. Then it's drawn by lot.",
    )


def _finals_in_short(settings: SeasonSettings, entrants: int | None, fewest: int) -> str:
    if settings.cut is not None:
        return words.finals_in_short(settings, settings.cut, entrants, usually="")
    half = (
        f"Win at least half of your matches and you're in the finals (at least the best {fewest} are). "
        f"Finals: {words.how_finals_go(settings)}."
    )
    return words.everyone_in_finals(settings, fewest, entrants) or half


def _cut(settings: SeasonSettings, entrants: int | None, fewest: int) -> Rule:
    if settings.cut is not None:
        return words.cut(settings.cut, entrants)
    return Rule(
        Chapter.FINALS,
        "Win at least half of your matches and you go on to the finals. If fewer than "
        f"{fewest} players do, the next in the standings go on too. Lose a match in the finals and you're out.",
        "Cut",
    )


def _byes(settings: SeasonSettings) -> Rule:
    of_them = " and, of those, the most losses" if settings.bye_among is ByeAmong.LOWEST else ""
    text = f"Drawn among the players with the fewest byes{of_them}. A bye counts as a win."
    return Rule(Chapter.ROUNDS, text, "Byes")
