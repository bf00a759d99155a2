"""The matches of a bracket as pictures and pages show them, as trees, and cut into pages for a phone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from string import ascii_uppercase

from bot.league.bracket.match_names import THIRD_PLACE
from bot.league.bracket.whole_tree import Slot, TreeMatch
from bot.league.season.model import Kind, Name

MOST_MATCHES = 9
MOST_ENTRIES = 10
MOST_ROUNDS = 4
FINALS = "Finals"
FORFEIT = "forfeit"
_FULL_PAGE = 7
"""Matches of eight players: as many are repeated on the page above, if they fit."""


class State(StrEnum):
    """How far a match is."""

    FUTURE = auto()
    TO_PLAY = auto()
    REPORTED = auto()
    DISPUTED = auto()
    DONE = auto()
    BYE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a match; `source` is the label of the match whose winner plays here, known or not."""

    name: str | None = None
    seed: int | None = None
    score: str = ""
    won: bool = False
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketMatch:
    """A match by the label it has everywhere; `note` stands beside it, as "bye: seed 1".

    `round` counts from the first round of the bracket. A match for third place has the losers of its sources.
    """

    label: str
    round: int
    upper: Side
    lower: Side
    state: State
    note: str = ""
    third_place: bool = False

    @property
    def sides(self) -> tuple[Side, Side]:
        """Return both sides, the upper one first."""
        return self.upper, self.lower

    @property
    def winner(self) -> str | None:
        """Return who goes on, also without a match."""
        return next((side.name for side in self.sides if side.won), None)

    @property
    def forfeit(self) -> bool:
        """Whether it was decided without being played."""
        return any(side.score == FORFEIT for side in self.sides)

    def to_come(self, side: Side) -> str:
        """Return what stands where a player isn't known yet."""
        if side.source is None:
            return "No opponent: bye" if self.state is State.BYE else "Not known yet"
        return f"{'Loser' if self.third_place else 'Winner'} of {side.source[:1].lower()}{side.source[1:]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A match with the matches its sides come from."""

    match: BracketMatch
    upper: "Node | None" = None
    lower: "Node | None" = None

    def matches(self) -> Iterator[BracketMatch]:
        """Yield all matches from the top of the page to its bottom."""
        if self.upper:
            yield from self.upper.matches()
        yield self.match
        if self.lower:
            yield from self.lower.matches()

    @property
    def children(self) -> tuple["Node", ...]:
        """Return the matches this one waits for, the upper one first."""
        return tuple(child for child in (self.upper, self.lower) if child)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One page of a bracket: its matches from the top, at `level` 1 the first rounds."""

    title: str
    level: int
    matches: tuple[BracketMatch, ...]


def in_bracket(match: TreeMatch, seeds: Mapping[Name, int], called: Mapping[Name, str]) -> BracketMatch:
    """Return a match as its box shows it, with what all are called in it; what isn't decided is still to play."""
    upper, lower = (_side(slot, match, seeds, called) for slot in match.slots)
    if match.match is None:
        state = State.BYE if match.lower == Slot() else State.FUTURE
    else:
        state = State.TO_PLAY if match.match.kind is Kind.OPEN else State.DONE
    return BracketMatch(
        label=match.name,
        round=match.round,
        upper=upper,
        lower=lower,
        state=state,
        note=f"{called.get(match.absent, match.absent)} left" if match.absent else "",
        third_place=match.name == THIRD_PLACE,
    )


def _side(slot: Slot, match: TreeMatch, seeds: Mapping[Name, int], called: Mapping[Name, str]) -> Side:
    if slot.name is None:
        return Side(source=slot.source)
    played, score = match.match, ""
    won = match.absent is not None or (played is not None and played.winner == slot.name)
    numbers = None if played is None else played.games or played.score
    if played is not None and numbers is not None:
        score = str(numbers[played.players.index(slot.name)])
    elif won and played is not None and played.kind is Kind.FORFEIT:
        score = FORFEIT
    name, seed = called.get(slot.name, slot.name), seeds.get(slot.name)
    return Side(name=name, seed=seed, score=score, won=won, source=slot.source)


def trees(matches: Sequence[BracketMatch]) -> tuple[Node, ...]:
    """Return the tree of each match whose winner plays in no other match here, the last rounds first."""
    by_label = {match.label: match for match in matches if not match.third_place}
    fed = {side.source for match in by_label.values() for side in match.sides}
    roots = sorted((m for m in by_label.values() if m.label not in fed), key=lambda match: -match.round)
    return tuple(_node(match, by_label) for match in roots)


def _node(match: BracketMatch, by_label: dict[str, BracketMatch]) -> Node:
    earlier = {label: other for label, other in by_label.items() if other.round < match.round}
    upper, lower = (earlier.get(side.source or "") for side in match.sides)
    if upper and lower:  # A better seed may come from below: the tree stays as it was drawn before that was known.
        upper, lower = (other for other in earlier.values() if other in (upper, lower))
    return Node(
        match=match, upper=_node(upper, earlier) if upper else None, lower=_node(lower, earlier) if lower else None
    )


def cut(forest: Sequence[Node]) -> tuple[Cut, ...]:
    """Return the pages: each at most ten players, four rounds; the last one is called Finals."""
    levels = list(_levels(forest))
    pages = [(level, matches) for level, level_matches in enumerate(levels, start=1) for matches in level_matches]
    names = zip(_titles(len(pages), finals=len(levels) > 1), pages, strict=True)
    return tuple(Cut(title=title, level=level, matches=matches) for title, (level, matches) in names)


def _titles(count: int, *, finals: bool) -> list[str]:
    letters = [before + letter for before in ("", *ascii_uppercase) for letter in ascii_uppercase]
    if count == 1:
        return [""]
    return [*letters[: count - 1], FINALS] if finals else letters[:count]


def _levels(forest: Sequence[Node]) -> Iterator[list[tuple[BracketMatch, ...]]]:
    """Yield the pages of each level, the first rounds first."""
    if _fits(forest):
        yield [_all(forest)]
        return
    bottoms = [bottom for node in forest for bottom in _bottoms(node)]
    yield [_all(group) for group in _grouped(bottoms)]
    labels = {match.label for match in _all(bottoms)}
    above = [top for node in forest if (top := _without(node, labels))]
    if _fits(above):
        yield from [[_with_a_look_back(forest, labels)]] if above else []
    else:
        yield from _levels(above)


def _all(forest: Iterable[Node]) -> tuple[BracketMatch, ...]:
    return tuple(match for node in forest for match in node.matches())


def _fits(forest: Sequence[Node]) -> bool:
    matches = _all(forest)
    rounds = [match.round for match in matches]
    return (
        len(matches) <= MOST_MATCHES
        and _entries(forest) <= MOST_ENTRIES
        and max(rounds, default=0) - min(rounds, default=0) < MOST_ROUNDS
    )


def _entries(forest: Sequence[Node]) -> int:
    """Return how many players come into some trees: each match takes one out, each tree leaves one."""
    return len(_all(forest)) + len(forest)


def _bottoms(node: Node) -> Iterator[Node]:
    """Yield the largest parts of a tree that fit on a page."""
    if _fits((node,)):
        yield node
    else:
        for child in node.children:
            yield from _bottoms(child)


def _grouped(nodes: Iterable[Node]) -> Iterator[list[Node]]:
    """Yield neighbouring parts that fit on one page together."""
    group: list[Node] = []
    for node in nodes:
        wider = [*group, node]
        if group and not (_fits(wider) and _entries(wider) <= _FULL_PAGE + 1):
            yield group
            group = []
        group.append(node)
    if group:
        yield group


def _without(node: Node, labels: Iterable[str]) -> Node | None:
    """Return a tree without these matches."""
    if node.match.label in labels:
        return None
    upper = _without(node.upper, labels) if node.upper else None
    lower = _without(node.lower, labels) if node.lower else None
    return replace(node, upper=upper, lower=lower)


def _with_a_look_back(forest: Sequence[Node], below: set[str]) -> tuple[BracketMatch, ...]:
    """Return the matches above the lower pages, and of these the last rounds as far as there is room."""
    kept = below
    while True:
        shown = [node for tree in forest if (node := _without(tree, kept))]
        labels = {match.label for match in _all(shown)}
        feeding = {side.source for match in _all(shown) for side in match.sides} & kept
        more = [node for tree in forest if (node := _without(tree, kept - feeding))]
        if not feeding or len(_all(more)) > _FULL_PAGE or not _fits(more) or not labels:
            return _all(shown)
        kept = kept - feeding
