"""What a player needs, in plain words: to the player, and about them to others."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from bot.league.formats.shared.proven import Enough
from bot.league.season.in_words import capitalised, half_up, spelled
from bot.league.season.match_score import Games, Result
from bot.league.season.model import Name
from bot.league.summaries.outlook.conditions import Chance, Condition, Need

_DO = {Result.WON: "win", Result.DRAW: "draw", Result.LOST: "lose"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What players play for, as the sentences name it; `{}` is `you` or `they`."""

    in_: str
    out: str
    through: str
    sure: str
    gone: str
    aim: str


FINALS = Goal(
    in_="{}'re in",
    out="{}'re out",
    through="{} get through",
    sure="{}'re sure of the finals",
    gone="{} can't reach the finals any more",
    aim="for the finals",
)
TITLE = Goal(
    in_="{}'ve won the season",
    out="{} can't win the season any more",
    through="{} win the season",
    sure="{}'ve won the season already",
    gone="{} can't win the season any more",
    aim="to win the season",
)

ASSUMING = "That holds for every result still to come, if no one leaves the season."


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnResult:
    """One result of a player's next match, with their games first where games count, and their chance after it."""

    result: Result
    games: Games | None
    chance: Chance

    @property
    def words(self) -> str:
        """Return for example `win 2-1`, with a long dash."""
        score = "" if self.games is None else f" {self.games[0]}–{self.games[1]}"
        return f"{_DO[self.result]}{score}"

    @property
    def margin(self) -> int:
        """How many games more they win than the opponent."""
        return 0 if self.games is None else self.games[0] - self.games[1]

    @property
    def meaning(self) -> object:
        """Return what is equal for results that one sentence can name together."""
        chance = self.chance
        return (chance.sure, chance.hopeless, chance.condition) if chance.plain else self


class Speech:
    """Sentences about one player's chances; `pronoun` is `you` or `they`, `met` are the opponents they had.

    `has_won` is whether they have a win, so that others are more.
    """

    def __init__(self, pronoun: str, goal: Goal, met: Collection[Name], *, has_won: bool) -> None:
        self._pronoun, self._goal, self._met, self._has_won = pronoun, goal, met, has_won

    def sure(self) -> str:
        """Say that they get through, whatever happens."""
        return f"{self._begin(self._goal.sure)}. {ASSUMING}"

    def gone(self) -> str:
        """Say that they don't, whatever happens."""
        return f"{self._begin(self._goal.gone)}. {ASSUMING}"

    def depends(self, whole: Chance, own: Sequence[OwnResult], enough: Enough | None) -> str:
        """Say what each result of their next match means, or what they need from others, and what is always enough."""
        if whole.tied == whole.endings:
            return self._begin("{}'re tied with others for the last place. An organiser decides who gets it.")
        sentence = (
            self._each(own) if any(condition.chance.plain for condition in own) else self._without_own(whole, own)
        )
        ties = f" {capitalised(how_often(whole.tied, whole.endings))} an organiser decides a tie." if whole.tied else ""
        return f"{sentence}{ties} {self._enough(own, enough)}".rstrip()

    def proven(self, own: Sequence[OwnResult], enough: Enough | None, left: int | None = None) -> str:
        """Say what is proven where there are too many endings: `own` has the results that decide it.

        `left` says how many matches they have before the cut: none, one, or None for more.
        """
        if left == 0:
            return "It depends on other results."
        sentence = f"{self._each(own)} {self._enough(own, enough)}".strip()
        if sentence:
            return sentence
        if left == 1:
            return f"It depends on {self._whose} last match and on other results."
        return f"It's too early to say what {self._pronoun} need."

    def _enough(self, own: Sequence[OwnResult], enough: Enough | None) -> str:
        """Say how many more wins get them through whatever else happens, where the next one alone isn't enough."""
        if enough is None or any(condition.result is Result.WON and condition.chance.sure for condition in own):
            return ""
        if enough.in_a_row:
            following = "match" if enough.wins == 1 else spelled(enough.wins, "match")
            return f"{after(self._pronoun, f'win {self._whose} next {following}')} {self._filled(self._goal.in_)}."
        are = "is" if enough.wins == 1 else "are"
        win = "more win" if self._has_won else "win"
        return f"{spelled(enough.wins, win).capitalize()} {are} always enough {self._goal.aim}."

    def _without_own(self, whole: Chance, own: Sequence[OwnResult]) -> str:
        if whole.condition is not None:
            return f"{self._begin('{} need')} {self._needs(whole.condition)}."
        if not own:
            return f"It depends on other results: {self._filled(self._goal.through)} {_often(whole)}."
        first, *others = own
        through = f"{after(self._pronoun, first.words, ',').lower()} {self._filled(self._goal.through)}"
        parts = [f"{through} {_often(first.chance)}"]
        parts += [f"{_if(self._pronoun, other.words)}, {_often(other.chance)}" for other in others]
        return f"{self._begin('{} need luck')}: {'; '.join(parts)}."

    def _each(self, own: Sequence[OwnResult]) -> str:
        return " ".join(self._after([*same]) for _, same in groupby(own, key=lambda condition: condition.meaning))

    def _after(self, same: Sequence[OwnResult]) -> str:
        """Say what some results of their own mean that all mean the same."""
        chance, own = same[0].chance, " or ".join(condition.words for condition in same)
        if chance.sure or chance.hopeless:
            return f"{after(self._pronoun, own)} {self._filled(self._goal.in_ if chance.sure else self._goal.out)}."
        if chance.condition is None:
            return f"{after(self._pronoun, own, ',')} {self._filled(self._goal.through)} {_often(chance)}."
        too = (
            " too" if self._needs(chance.condition).endswith(f" to {own}") and len(chance.condition.needs) == 1 else ""
        )
        return f"{after(self._pronoun, own, ',')} {self._pronoun} need {self._needs(chance.condition)}{too}."

    def _needs(self, condition: Condition) -> str:
        """Return for example `Emil and Gus to lose and Fay to win`."""
        joint = "and" if condition.all_needed else "or"
        parts = sorted((self._verb(need), self._of(need)) for need in condition.needs)
        grouped = groupby(parts, key=lambda pair: pair[0])
        return f" {joint} ".join(f"{_listed([name for _, name in same], joint)} {verb}" for verb, same in grouped)

    def _verb(self, need: Need) -> str:
        if need.or_draw:
            return "not to win"
        return "to win" if need.winner in self._met else "to lose"

    def _of(self, need: Need) -> Name:
        """Return who is named: an opponent they had, whose results help them, else the one who has to lose."""
        return need.winner if not need.or_draw and need.winner in self._met else need.loser

    @property
    def _whose(self) -> str:
        return "your" if self._pronoun == "you" else "their"

    def _begin(self, text: str) -> str:
        return self._filled(text, self._pronoun.capitalize())

    def _filled(self, text: str, pronoun: str = "") -> str:
        return text.replace("{}", pronoun or self._pronoun)


def _often(chance: Chance) -> str:
    if not chance.through:
        return "only if an organiser decides a tie that way"
    return how_often(chance.through, chance.endings)


def how_often(times: int, endings: int) -> str:
    """Return how often something happens, as people say it: `about 4 times out of 10`, `1 time in 6`.

    It happens in so many of all endings: not in all, and not in none.
    """
    share = Fraction(times, endings)
    if share == Fraction(1, 2):
        return "half of the time"
    if share > Fraction(19, 20):
        return "almost always"
    if share < Fraction(1, 4):
        many = half_up(1 / share)
        return f"{'' if share == Fraction(1, many) else 'about '}1 time in {many}"
    tenths = half_up(10 * share)
    if tenths == 5:
        return "about half of the time"
    return f"{'' if share == Fraction(tenths, 10) else 'about '}{tenths} times out of 10"


def _if(pronoun: str, own: str) -> str:
    return own if pronoun == "you" else f"if they {own}"


def _listed(names: Sequence[str], joint: str) -> str:
    *others, last = names
    return f"{', '.join(others)} {joint} {last}" if others else last


def after(pronoun: str, own: str, comma: str = "") -> str:
    """Return how a sentence begins that says what a result means: `Win and`, `Lose, and`, `If they win,`."""
    return f"{own.capitalize()}{comma} and" if pronoun == "you" else f"If they {own},"
