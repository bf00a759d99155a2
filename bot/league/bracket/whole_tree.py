"""The whole tree of a bracket: the matches played, those to play, and who comes from where into those to come."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from bot.league.bracket.match_names import THIRD_PLACE, BracketRound, match_name
from bot.league.bracket.tree import Bracket, Duel, after_round
from bot.league.season.model import Match, Name

Labels = Mapping[int, str]
"""The names of a round's matches by the place of their winner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A side of a match: who plays there if that is known, and the match they come from; None after a bye."""

    name: Name | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeMatch:
    """A match of the tree in round 1, 2, ...; `match` once it is paired, `absent` who left and gave the other a bye."""

    name: str
    round: int
    upper: Slot
    lower: Slot
    match: Match | None = None
    absent: Name | None = None

    @property
    def slots(self) -> tuple[Slot, Slot]:
        """Return both sides, the upper one first."""
        return self.upper, self.lower


def whole_tree(first: Bracket, played: Sequence[BracketRound], *, third_place: bool) -> tuple[TreeMatch, ...]:
    """Return every match from the first round to the final, by place; byes into the second round have none."""
    tree: list[TreeMatch] = []
    before: Labels = {}
    bracket, number = first, 0
    while not bracket.decided:
        number += 1
        stage = played[number - 1] if number <= len(played) else None
        paired = _played(stage, number, tree) if stage else _to_come(bracket, number, before)
        here = dict(sorted(paired, key=itemgetter(0)))
        tree += here.values()
        if third_place and len(bracket.places) == 2 and len(before) == 2:
            semis = [tree_match for tree_match in tree if tree_match.round == number - 1]
            tree += _third(stage, bracket, number, semis)
        before = {place: tree_match.name for place, tree_match in here.items()}
        bracket = after_round(*stage) if stage else replace(bracket, places=(None,) * (len(bracket.places) // 2))
    return tuple(tree)


def _played(stage: BracketRound, number: int, tree: Sequence[TreeMatch]) -> Iterator[tuple[int, TreeMatch]]:
    """Yield the matches of a published round by place."""
    came = {
        slot.name: tree_match.name for tree_match in tree if tree_match.round == number - 1 for slot in tree_match.slots
    }
    matches = {frozenset(match.players): match for match in stage.round.matches}
    for duel in stage.duels:
        if duel.lower is None and duel.absent is None and number == 1:
            continue
        sides = [Slot(name=name, source=came.get(name)) for name in (duel.upper, duel.lower) if name is not None]
        upper, lower = (*sides, Slot())[:2]
        match, name = matches.get(duel.players), stage.name_of(duel)
        yield (
            duel.place,
            TreeMatch(name=name, round=number, upper=upper, lower=lower, match=match, absent=duel.absent),
        )


def _to_come(bracket: Bracket, number: int, before: Labels) -> Iterator[tuple[int, TreeMatch]]:
    """Yield the matches of a later round, which isn't paired yet, by place."""
    size = len(bracket.places)
    for place in range(1, size // 2 + 1):
        slots = (place, size + 1 - place)
        upper, lower = (Slot(name=bracket.places[slot - 1], source=before.get(slot)) for slot in slots)
        yield place, TreeMatch(name=match_name(bracket, place), round=number, upper=upper, lower=lower)


def _third(
    stage: BracketRound | None, bracket: Bracket, number: int, semis: Sequence[TreeMatch]
) -> Iterator[TreeMatch]:
    """Yield the match for third place: between the losers of the semi-finals, as far as they are known.

    Where one of them had left when it was paired the other is third, and there's none where both had.
    """
    came = {name: semi.name for semi in semis for name in (*(slot.name for slot in semi.slots), semi.absent)}
    lost = {came.get(name): name for name, place in bracket.out.items() if place == 3}
    duels: Sequence[Duel] = stage.duels if stage else ()
    final = {frozenset(duel.players) for duel in duels}
    matches = stage.round.matches if stage else ()
    match = next((candidate for candidate in matches if frozenset(candidate.players) not in final), None)
    upper, lower, absent = *(Slot(name=lost.get(semi.name), source=semi.name) for semi in semis), None
    if match:
        upper, lower = (Slot(name=name, source=came.get(name)) for name in match.players)
    elif stage:
        alone = next((name for name in stage.round.byes if name in lost.values()), None)
        if alone is None:
            return
        absent = next((name for name in lost.values() if name != alone), None)
        upper, lower = Slot(name=alone, source=came.get(alone)), Slot()
    yield TreeMatch(name=THIRD_PLACE, round=number, upper=upper, lower=lower, match=match, absent=absent)
