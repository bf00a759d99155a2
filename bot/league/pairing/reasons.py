"""Why something was decided: plain sentences with the values they rest on, and the draws anyone can recompute."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import count, groupby

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.meetings import Meetings
from bot.league.pairing.in_short import Pieces, listed, tell
from bot.league.season.in_words import and_more
from bot.league.season.model import Meeting, Name

MOST_TOLD = 10
"""A reason tells so many skipped players one by one, and counts the rest."""

KEPT_APART = "kept apart"
"""All that is said of two players who aren't to be paired: never why."""

MOST_LISTED = 64
"""Where a list would need more players, it only shows the first few."""

MOST_NAMED = 4
"""So many players are named one by one in short."""

MOST_AT_THE_LINE = 3
"""So many players on each side of a line are named."""

_FIRST_FEW, _FEWEST_DIGITS, _FEWEST_DECIMALS = 3, 8, 3

Value = int | float | Fraction | str


@dataclass(frozen=True, slots=True)
class Key:
    """A value that sorts a list: a number, a word, or a draw, which has the text that is hashed.

    `known_as` is the value as people know it, where that's another one.
    """

    what: str
    of: Callable[[Name], Value]
    title: str = ""
    text: Callable[[Name], str] | None = None
    known_as: Callable[[Name], str] | None = None


class Reason:
    """One step of a decision, without Markdown: a sentence, perhaps around a sorted list of players.

    The list is only put into words when someone reads it: most reasons of a large round are never read.
    """

    def __init__(
        self,
        before: str,
        names: Sequence[Name] = (),
        keys: Sequence[Key] = (),
        *,
        size: int = 0,
        after: str = ".",
        most_draws: int | None = None,
        short: Pieces = (),
    ) -> None:
        """Take the words before and after a list, its first names, how many it has, and the keys that sort it.

        `short` is what a person wants to hear of this step first, if anything.
        """
        self._before, self._after = before, after
        self._names = names if len(names) <= MOST_LISTED else names[:_FIRST_FEW]
        self._more = max(size, len(names)) - len(self._names)
        self._keys = keys
        self._most_draws = most_draws
        self.short = short

    def __eq__(self, other: object) -> bool:
        """Whether two say the same; they also rest on the same draws then, because a list names them."""
        return isinstance(other, Reason) and self.sentence == other.sentence

    @property
    def sentence(self) -> str:
        """The step in words."""
        return f"{self._before}{self._list[0]}{self._after}" if self._names else self._before

    @property
    def draws(self) -> tuple[str, ...]:
        """The texts of the draws it rests on."""
        return self._list[1][: self._most_draws]

    @cached_property
    def _list(self) -> tuple[str, tuple[str, ...]]:
        """The list and its draws: every further key only for neighbours that are equal so far."""
        values: dict[Name, list[str]] = {name: [] for name in self._names}
        titles, draws = list[str](), list[str]()
        equal = [tuple(self._names)]
        for key in self._keys:
            among = [name for group in equal for name in group]
            for name, text in _texts(key, among).items():
                suffix = f" [{key.known_as(name)}]" if key.known_as else ""
                values[name].append(f"{key.what} {text}{suffix}" if titles else f"{text}{suffix}")
            draws += map(key.text, among) if key.text else ()
            titles.append(key.title or key.what)
            equal = [run for group in equal for _, same in groupby(group, key.of) if len(run := tuple(same)) > 1]
            if not equal:
                break
        by = f"by {', then '.join(titles)}" if titles else "in this order"
        players = ", ".join(_with_values(name, *shown) for name, shown in values.items())
        return f"{by}: {players}{and_more(self._more)}", tuple(draws)


def by_draw(draw: Draw, purpose: Purpose) -> Key:
    """Return the key that sorts by a draw."""
    text = partial(draw.text, purpose)
    return Key("draw", partial(draw.value, purpose), f"draw {text(Name('NAME'))}", text)


def _with_values(name: Name, first: str = "", *more: str) -> str:
    words = f"{name} {first}" if first else name
    return f"{words} ({', '.join(more)})" if more else words


def _texts(key: Key, names: Sequence[Name]) -> dict[Name, str]:
    """Return the values with as few digits as keep different ones different."""
    values = {name: key.of(name) for name in names}
    different = len(set(values.values()))
    for more in count():
        length = _FEWEST_DIGITS + more
        texts = {name: str(value)[:length] if key.text else _number(value, more) for name, value in values.items()}
        if len(set(texts.values())) == different:
            return texts
    raise AssertionError("different values differ in some digit")


def _number(value: Value, more: int) -> str:
    if isinstance(value, str | int):
        return str(value)
    decimals = _FEWEST_DECIMALS + more
    # In whole numbers, because a Decimal has 28 digits, which can't tell two values apart that are equal so far.
    rounded = round(Fraction(value) * 10**decimals)
    whole, part = divmod(abs(rounded), 10**decimals)
    return f"{'-' if rounded < 0 else ''}{whole}.{part:0{decimals}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What put some players before others of the same record: the first of the keys in which they differ.

    `values` are theirs, with as many digits as tell them apart; `drawn` is whether it was the draw.
    """

    what: str
    drawn: bool
    before: tuple[Name, ...]
    after: tuple[Name, ...]
    values: Mapping[Name, str]


def decided_between(keys: Sequence[Key], before: Sequence[Name], after: Sequence[Name]) -> Decision | None:
    """Return what put the last of some players before the first of the others; None where all keys are equal.

    Of both sides only those are named who were equal to these two until then.
    """
    last, first = before[-1], after[0]
    for number, key in enumerate(keys):
        if key.of(last) == key.of(first):
            continue
        until_now = keys[:number]
        sides = [
            [name for name in side if all(reason.of(name) == reason.of(last) for reason in until_now)]
            for side in (before, after)
        ]
        named = tuple(sides[0][-MOST_AT_THE_LINE:]), tuple(sides[1][:MOST_AT_THE_LINE])
        both = (*named[0], *named[1])
        texts = _texts(key, both)
        texts_of = {name: key.known_as(name) for name in both} if key.known_as else texts
        apart = texts_of[last] != texts_of[first]
        return Decision(
            what=key.what,
            drawn=key.text is not None,
            before=named[0],
            after=named[1],
            values=texts_of if apart else texts,
        )
    return None


def smallest_draw(
    name: Name, what: str, among: Sequence[Name], whose: str, draw: Draw, purpose: Purpose, *, because: Pieces = ()
) -> Reason:
    """Tell that a player was chosen by the smallest draw; `who` says what the candidates have in common.

    `because` is what comes before that in short: why one had to be chosen.
    """
    if len(among) == 1:
        only = (*because, *tell(f" {{a}} was the only one {whose}.", a=name))
        return Reason(f"{name} {what}: the only one {whose}.", short=only)
    first = draw.sort(purpose, among)[:MOST_TOLD]
    before = f"{name} {what}: the smallest draw of the {len(among)} {whose}, "
    few = len(among) <= MOST_NAMED
    unnamed = f"={len(among)} {'players' if whose == 'players' else f'players {whose}'}"
    between = listed(sorted(among)) if few else (unnamed,)
    short = (*because, "= The draw was between ", *between, *tell(", and picked {a}.", a=name))
    return Reason(before, first, (by_draw(draw, purpose),), size=len(among), most_draws=2, short=short)


def forced_rematch(upper: Name, lower: Name, met: Meetings, nothing: str, *, alone_in: str = "") -> Reason:
    """Tell that a pair is a rematch, or kept apart, and that `nothing` has fewer, or what only they were in."""
    meeting = met.of(upper)[lower]
    again = f"met {when(meeting, met.season)}"
    words = f"{upper} v {lower} is a rematch (they {again})"
    if meeting.kept_apart:
        words, again = f"{upper} and {lower} are {KEPT_APART}", f"were to be {KEPT_APART}"
    only, fewer = f"were the only ones in {alone_in}", f"{nothing} has fewer {met.all_avoided}"
    short = tell(f"{{a}} and {{b}} {again}, but {only if alone_in else fewer}.", a=upper, b=lower)
    return Reason(f"{words}: {f'they {only}' if alone_in else fewer}.", short=short)


def when(meeting: Meeting, season: int | None = None) -> str:
    """Return when two players met, in words, or that they are kept apart."""
    if meeting.kept_apart:
        return KEPT_APART
    if meeting.round is None:
        return f"in season {meeting.season}"
    if meeting.season == season:
        return f"in round {meeting.round}"
    return f"in season {meeting.season}, round {meeting.round}"
