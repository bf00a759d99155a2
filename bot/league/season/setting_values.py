"""What a setting is: its record, its page of the panel, its values as files and people give them; the most players."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar

from bot.league.errors import Invalid, InvalidFile
from bot.league.season.in_words import amount, capitalised
from bot.league.season.node import Node, quoted
from bot.league.season.short_text import one_line_text

_LONGEST_NUMBER = 9
_LONGEST_SALT = 64  # ours has 16 hex digits; `verify` says if a file has another
_YES, _NO = ("yes", "on", "true"), ("no", "off", "false")

Value = TypeVar("Value", covariant=True)


class Chosen(Node):
    """A value that someone chose or typed for a setting: what is wrong with it is said with the setting's label."""

    __slots__ = ("_label",)

    def __init__(self, value: Any, label: str, *, optional: bool = False) -> None:
        super().__init__(value, optional=optional)
        self._label = label

    def inside(self, value: Any, key: str | int) -> "Chosen":
        """Return a part of the value: the person typed all of them as one."""
        return Chosen(value, self._label)

    def wrong(self, problem: str) -> Invalid:
        """Return the error to raise about this value."""
        return Invalid(f"{self._label}: {problem}.")

    def refused(self, wanted: str) -> Invalid:
        """Return the error for a value that isn't possible; `wanted` says what is."""
        default = ", or leave it empty for the default" if self.optional else ""
        return self.wrong(f"{quoted(self.value)} isn't possible. {capitalised(wanted)}{default}")


class Values(ABC, Generic[Value]):
    """What values a setting can have."""

    offered: tuple[str, ...] = ()
    """Values to choose from, as people type them."""
    closed: bool = False
    """Whether there are no others than those offered."""
    as_typed: ClassVar[bool] = False
    """Whether capitals matter."""
    takes: str
    """What it can be: `a whole number from 1 to 50`."""

    @abstractmethod
    def read(self, node: Node) -> Value:
        """Return the value that plain JSON says; raises Invalid."""

    @abstractmethod
    def typed(self, node: Node) -> Any:
        """Return a typed text, perhaps without capitals, as plain JSON, None for the default; raises Invalid.

        Limits are left to `read`.
        """

    def text(self, value: Any) -> str:
        """Return a value as people type it."""
        return str(value)

    def words(self, value: Any) -> str:
        """Return what a value means to people."""
        return self.text(value)


class Choice(StrEnum):
    """Words a setting can be, each with what it means to people."""

    _value_: str
    words: str

    def __new__(cls, value: str, words: str) -> Self:
        """Make a word of its value and its meaning."""
        member = str.__new__(cls, value)
        member._value_, member.words = value, words
        return member


ChoiceT = TypeVar("ChoiceT", bound=Choice, covariant=True)


class OneOf(Values[ChoiceT]):
    """One of a few words."""

    closed = True

    def __init__(self, choices: type[ChoiceT]) -> None:
        self._choices = choices
        self.offered = tuple(choice.value for choice in choices)
        self.takes = f"one of: {', '.join(self.offered)}"

    def read(self, node: Node) -> ChoiceT:
        """Return the word."""
        return node.choice(self._choices)

    def typed(self, node: Node) -> str:
        """Return the word."""
        if node.value not in self.offered:
            raise node.wrong(f"choose {self.takes}")
        return node.value

    def words(self, value: Any) -> str:
        """Return what a word means."""
        return self._choices(value).words


class Flag(Values[bool]):
    """Yes or no, each with what it means to people."""

    closed = True
    offered = ("yes", "no")
    takes = "yes or no"

    def __init__(self, *, yes: str, no: str) -> None:
        self._words = {True: yes, False: no}

    def read(self, node: Node) -> bool:
        """Return true or false."""
        return node.flag()

    def typed(self, node: Node) -> bool:
        """Return whether it's a yes."""
        if node.value not in _YES + _NO:
            raise node.wrong(f"choose {self.takes}")
        return node.value in _YES

    def text(self, value: Any) -> str:
        """Return yes or no."""
        return "yes" if value else "no"

    def words(self, value: Any) -> str:
        """Return what yes or no means."""
        return self._words[value]


class Whole(Values[int]):
    """A whole number within limits, perhaps of a unit; `pattern` says what it means, `named` what some mean instead.

    `also` are more words people can type for some.
    """

    def __init__(
        self,
        low: int,
        high: int,
        offered: Iterable[int],
        pattern: str = "{}",
        *,
        unit: str = "",
        named: Mapping[int, str] = MappingProxyType({}),
        also: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._low, self._high, self._pattern, self._unit, self._named = low, high, pattern, unit, named
        self._also = also
        self.offered, self.takes = tuple(map(str, offered)), f"a whole number from {low} to {high}"
        self.closed = len(self.offered) == high - low + 1

    def read(self, node: Node) -> int:
        """Return a number within the limits."""
        return node.whole(self._low, self._high)

    def typed(self, node: Node) -> int:
        """Return the number."""
        if node.value in self._also:
            return self._also[node.value]
        if not is_number(node.value):
            raise node.wrong(f"give {self.takes}, or leave it empty for the default")
        return int(node.value)

    def words(self, value: Any) -> str:
        """Return a number with its unit, as its pattern says it."""
        return self._named.get(value) or self._pattern.format(amount(value, self._unit) if self._unit else value)


def is_number(text: str) -> bool:
    """Whether a text is a whole number of a length that can be one."""
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER


class BestOf(Whole):
    """As many games as a match has."""

    def __init__(self) -> None:
        super().__init__(1, 9, (1, 3, 5, 7), "best of {}", named={1: "1 game"})
        self.takes = "1, 3, 5, 7 or 9"

    def read(self, node: Node) -> int:
        """Return an odd number."""
        if node.whole(self._low, self._high) % 2 == 0:
            raise node.refused(f"give {self.takes}")
        return node.value


MOST_PLAYERS = 1_000
"""As many play in a season on Discord: larger ones would keep it waiting; the program reads files of them."""


class Places(Whole):
    """As many players as can sign up; a file can tell of more."""

    def __init__(self) -> None:
        super().__init__(2, MOST_PLAYERS, (4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 128), unit="player")

    def read(self, node: Node) -> int:
        """Return a number within the limits of what chose it, a person or a file."""
        return node.whole(self._low, self._high if isinstance(node, Chosen) else _MOST_IN_FILES)


_MOST_IN_FILES = 100_000


class RoleId(Values[int]):
    """A role of the server, by its Discord id."""

    takes = "a role of the server, mentioned"
    _MENTION = re.compile(r"<@&(\d{15,20})>|(\d{15,20})", re.ASCII)

    def read(self, node: Node) -> int:
        """Return the id."""
        return node.whole(1, (1 << 63) - 1)

    def typed(self, node: Node) -> int:
        """Return the id of a role that is mentioned."""
        parsed = self._MENTION.fullmatch(node.text())
        if parsed is None:
            raise node.wrong(f"give {self.takes}, or leave it empty for the default")
        return int(parsed[1] or parsed[2])

    def text(self, value: Any) -> str:
        """Return a mention of the role."""
        return f"<@&{value}>"

    def words(self, value: Any) -> str:
        """Return what it means; the role's name is known to Discord alone."""
        return "only members with one role"


SALTED, SEALED = "names", "sealed"
"""A draw that is mixed with all names, which only older seasons have, and one with a secret besides."""


class Salt(Values[str]):
    """The text a season's draw is mixed with: files say it, organisers only what it's made of."""

    offered = ("off", SEALED)
    closed = True
    takes = f"one of: off, {SEALED}"

    def read(self, node: Node) -> str:
        """Return the text."""
        if not 1 <= len(node.text()) <= _LONGEST_SALT:
            raise node.refused(f"give the text published at the start, 1 to {_LONGEST_SALT} characters")
        return node.value

    def typed(self, node: Node) -> str | None:
        """Return what stands for a salt that is made when sign-ups close."""
        if node.value not in self.offered:
            raise node.wrong(f"choose {self.takes}")
        return None if node.value == "off" else node.value

    def text(self, value: Any) -> str:
        """Return what organisers chose."""
        return SEALED if value == SEALED else SALTED

    def words(self, value: Any) -> str:
        """Return what it is made of."""
        return "yes, sealed until round 1" if value == SEALED else "by all names only"


class Words(Values[str]):
    """A few words of organisers, which stand above what players type."""

    as_typed = True
    takes = "a few words, at most 45 characters"
    _MOST = 45  # of a field in a form on Discord

    def read(self, node: Node) -> str:
        """Return the words."""
        try:
            return one_line_text(node.text(), "text", self._MOST, empty="It's empty.")
        except InvalidFile:
            raise
        except Invalid as refused:
            raise node.wrong(f"{refused} Give {self.takes}") from None

    def typed(self, node: Node) -> str:
        """Return the words, with single spaces."""
        return self.read(node.inside(" ".join(node.text().split()), ""))


class Page(Choice):
    """A page of the panel: the settings about one matter, or a list of all."""

    MAIN = "main", "Overview"
    TIME = "time", "Time and results"
    PEOPLE = "people", "Players"
    MATCHES = "matches", "Matches"
    PLAY = "play", "Game, points and draw"
    MORE = "more", "More settings"
    ALL = "all", "All at a glance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """All that is known of one setting."""

    key: str
    label: str
    """What people call it."""
    meaning: str
    page: Page
    values: Values[Any]
    default: Any
    unset: str = ""
    """What the default means where it's null."""
    common: bool = True
    """Whether every format takes it; the others are named by the formats that do."""
    changes_pairings: bool = True
    """Whether a pairing can depend on it: then it's fixed once the season has started."""
    begins: Any = None
    """What it is in a season prepared on Discord before anyone chooses, where that isn't the default."""
    more: bool = False
    """Whether it's behind More settings while it's the default: few leagues ever change it."""
    in_short: bool = False
    """Whether the rules in short tell it by themselves."""
    announced: bool = True
    """Whether players are told when it changes."""
    in_file: bool = True
    """Whether it stands in league files; what is only about who may join doesn't."""

    @property
    def first_page(self) -> Page:
        """The page it is on while it's the default."""
        return Page.MORE if self.more else self.page

    def read(self, value: Any) -> Any:
        """Return a plain JSON value as SeasonSettings holds it; null means the default where that is null."""
        return self._read(Node(value, self.key, optional=self.default is None))

    def require(self, value: Any) -> None:
        """Check a plain JSON value that someone chose; raises Invalid with the label of the setting."""
        self._read(Chosen(value, self.label, optional=self.default is None))

    def _read(self, node: Node) -> Any:
        return None if node.value is None and node.optional else self.values.read(node)

    def typed(self, text: str) -> Any:
        """Return what someone typed, perhaps in words, as a plain JSON value, None for the default; raises Invalid."""
        typed = text.strip().casefold()
        if typed in ("", "default", self.unset.casefold()):
            return None
        if self.values.as_typed:
            return self.values.typed(Chosen(text, self.label, optional=self.default is None))
        for offered in self.values.offered:
            plain = self.values.typed(Node(offered))
            if typed == self.words(self.read(plain)).casefold():
                return plain
        return self.values.typed(Chosen(typed, self.label, optional=self.default is None))

    def offered(self, text: str) -> Any:
        """Return a value that is offered, as SeasonSettings holds it."""
        return self.read(self.values.typed(Node(text)))

    def text(self, value: Any) -> str:
        """Return a value as people type it; nothing where it isn't set."""
        return "" if value is None else self.values.text(value)

    def words(self, value: Any) -> str:
        """Return what a value means."""
        return self.unset if value is None else self.values.words(value)

    def line(self, value: Any) -> str:
        """Return the setting with a value: `Rounds: 4`."""
        return f"{self.label}: {self.words(value)}"
