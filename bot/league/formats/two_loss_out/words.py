"""The rules of two loss out in plain words, and about how many rounds it takes."""

from collections.abc import Sequence

from bot.league.formats.shared import words
from bot.league.formats.shared.base import Chapter, Rule
from bot.league.formats.two_loss_out.elimination import DOCUMENTED_LOSSES
from bot.league.season.in_words import spelled
from bot.league.season.settings import SeasonSettings

_USUAL_NUMBERS = (8, 16)
"""How many players the length is told for before they are known."""
LATE = (
    "A player who joins late counts when it's worked out whether one more round comes before the finals. If none "
    "comes, they aren't in the finals."
)
_SITS_OUT = (
    "You can sit out a round until it's paired, with /sit-out. It counts as a loss, also towards the losses that put "
    "you out."
)


def rules(settings: SeasonSettings, entrants: int | None, *, cut: int) -> tuple[Rule, ...]:
    """Return the rules of a season with a cut of this size; of 1, the last player left wins it."""
    length = _length(settings, entrants, cut)
    cut, out = min(cut, entrants or cut), spelled(settings.losses, "loss")
    before = "" if cut == 1 else " before the finals"
    tiebreak = "" if cut == 1 else "a tie-break round for the last place, "
    until = "one player is left" if cut == 1 else "the cut is full"
    last = Rule(Chapter.FINALS, "None. The last player left wins the season.", "Cut")
    return (
        Rule(Chapter.ROUNDS, f"Until {until}. {out.capitalize()}{before} and you're out. {length}", "Rounds"),
        *words.matches(settings, finals=cut > 1),
        Rule(
            Chapter.ROUNDS,
            "Round 1 is drawn. After that you meet someone with as many losses as you, by the draw. "
            f"{_avoided(settings)} An odd pool takes one player from the next lower pool, by the draw.",
        ),
        Rule(
            Chapter.ROUNDS,
            "Drawn in the lowest pool where someone hasn't had one yet. A bye counts as a win.",
            "Byes",
        ),
        Rule(
            Chapter.ROUNDS,
            "If a round leaves no one in because both players of every match lost, the best two by SoS who are still "
            "here play it again.",
        ),
        *words.results(settings, None, finals=cut > 1),
        Rule(Chapter.STANDINGS, f"Strength of schedule (SoS; Opp. in tables), {tiebreak}the draw.", "Tie-breaks"),
        Rule(
            Chapter.STANDINGS,
            "Players still in, or in the finals, come first in the standings. Then it goes by fewest losses, most wins "
            "and SoS: twice your opponents' share of wins plus that of their opponents. Byes count as wins. "
            "It changes with every round and is final after the last round before the finals.",
        ),
        last if cut == 1 else words.cut(cut, entrants),
        *(_finals(settings, cut) if cut > 1 else ()),
        *words.coming_and_going(settings, comes_back=False, sits_out=_SITS_OUT),
        *((Rule(Chapter.PEOPLE, LATE),) if cut > 1 and settings.late_entry > 1 else ()),
    )


def _avoided(settings: SeasonSettings) -> str:
    """Say how rematches are avoided: of two losses the document says that byes and pair-ups give way."""
    if settings.losses != DOCUMENTED_LOSSES:
        return "You won't meet anyone twice in your pool if that can be avoided."
    return "You won't meet anyone twice before the finals if another pairing, bye or pair-up avoids it."


def in_short(settings: SeasonSettings, entrants: int | None, *, cut: int) -> tuple[str, ...]:
    """Return what players ask first."""
    length = _length(settings, entrants, cut)
    out = spelled(settings.losses, "loss")
    before = "" if cut == 1 else " before the finals"
    if cut == 1:
        finals = "The last player left wins."
        equal = "Who had the stronger opponents is ahead. Then it's drawn by lot."
    else:
        finals = f"Finals: {words.how_finals_go(settings)}."
        equal = "Stronger opponents decide, then a tie-break round."
    return (
        f"{out.capitalize()}{before} and you're out. You play {words.a_match(settings)} "
        f"({words.best_of(settings.best_of)}) against players with as many losses as you.",
        length,
        finals,
        words.results_in_short(settings, finals=cut > 1),
        f"Equal? {equal}",
    )


def _length(settings: SeasonSettings, entrants: int | None, cut: int) -> str:
    """Return about how many rounds there are, and who plays the finals; before that is known, for usual numbers."""
    size = entrants or settings.max_players
    numbers = (size,) if size else _USUAL_NUMBERS
    sentences: list[str] = []
    for players in numbers:
        rounds = about_rounds(players, losses=settings.losses, cut=cut)
        many = "1 round" if rounds == 1 else f"about {rounds} rounds"
        finalists = f"the best {cut}" if cut < players else f"all {players}"
        then = "until one player is left" if cut == 1 else f"then {finalists}"
        first = not sentences
        play = " play the finals, where one loss is enough" if first and cut > 1 else ""
        sentences.append(f"With {players}{' players' if first else ''}: {many}, {then}{play}.")
    return " ".join(sentences)


def _finals(settings: SeasonSettings, cut: int) -> tuple[Rule, ...]:
    early = f"Once {cut // 2} or fewer players are undefeated after a round, they're in the finals and stop playing. "
    others = "The others" if settings.losses > 1 else "Players"
    rules = (
        (early if settings.losses > 1 else "")
        + f"{others} play on while they are at least twice as many as the places left. Then fewest losses and "
        "SoS decide.",
        "Players who are tied for the last place play a tie-break round, at most twice. Then the draw decides.",
        "In the finals, seeds go by fewest losses, then SoS; the best seed meets the worst. Until the final, "
        "undefeated players meet players with a loss if possible. Rematches are possible. Ties that decide only a seed "
        "go to the draw.",
    )
    return (*(Rule(Chapter.FINALS, text) for text in rules), words.replaced(settings))


def about_rounds(players: int, *, losses: int, cut: int) -> int:
    """Return how many rounds so many players play until the cut is full, without tie-break rounds; a cut of 0 is 1."""
    cut, pools, played, early = max(1, min(cut, players)), [players] + [0] * (losses - 1), 0, 0
    run_offs = False
    while not _is_over(pools[early:], cut - sum(pools[:early]), run_offs=run_offs):
        pools, played = pools[:early] + _after_a_round(pools[early:]), played + 1
        early = int(losses > 1 and cut > 1 and 2 * pools[0] <= cut)
        run_offs = cut > 1 and (early == 1 or losses == 1)
    return played


def _is_over(others: Sequence[int], places: int, *, run_offs: bool) -> bool:
    """Whether those who haven't qualified undefeated play no more, for the places left."""
    return sum(others) <= 1 or (run_offs and sum(others) < 2 * places)


def _after_a_round(pools: Sequence[int]) -> list[int]:
    """Return how many are in each pool, fewest losses first, after the round they play."""
    left, after = list(pools), [0] * (len(pools) + 1)
    if sum(left) % 2:
        lowest = max(losses for losses, count in enumerate(left) if count)
        left[lowest] -= 1
        after[lowest] += 1
    for losses, count in enumerate(left):
        after[losses] += (count + 1) // 2
        after[losses + 1] += count // 2
        if count % 2:
            paired_up = next(lower for lower in range(losses + 1, len(left)) if left[lower])
            left[paired_up] -= 1
            after[paired_up + 1] += 1
    return after[: len(pools)]
