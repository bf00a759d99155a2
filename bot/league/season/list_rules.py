"""Which army or deck lists the players of a season hand in, when they are revealed, and who can read them."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bot.league.season.in_words import amount
from bot.league.season.node import Node
from bot.league.season.setting_values import Values, is_number

_MOST_LISTS = 5


class ListsPer(StrEnum):
    """Whether players hand in their lists once for the season or for each round."""

    SEASON = "season"
    ROUND = "round"


class SecretUntil(StrEnum):
    """When lists are revealed: once they are due, with round 1, to the opponent of each match, or at the end."""

    DUE = "due"
    ROUND_1 = "round 1"
    MATCH = "match"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRules:
    """Which lists each player hands in: how many, how often, when they are due and until when they are secret.

    They are due `due_hours` after their round is posted; 0 means before it is. A season's lists go with round 1.
    No list is revealed before it's due, so secret until round 1 means until then, or until due where that's later.
    """

    number: int = 1
    per: ListsPer = ListsPer.SEASON
    due_hours: int = 0
    secret: SecretUntil = SecretUntil.DUE

    @property
    def for_season(self) -> bool:
        """Whether lists are handed in once for the whole season."""
        return self.per is ListsPer.SEASON

    @property
    def revealed_when_due(self) -> bool:
        """Whether everyone can read the lists as soon as they are sealed."""
        return self.secret in (SecretUntil.DUE, SecretUntil.ROUND_1)

    @property
    def words(self) -> str:
        """What players hand in: `2 for the season, before the season starts, secret until round 1`."""
        how_often = "for the season" if self.for_season else "for each round"
        start = "the season starts" if self.for_season else "it is posted"
        due = f"before {start}" if self.due_hours == 0 else f"until {amount(self.due_hours, 'hour')} after {start}"
        return f"{self.number} {how_often}, {due}, {_SECRET[self.secret]}"

    def readable(self, *, own: bool, sealed: bool, revealed: bool, opponent: bool) -> bool:
        """Return whether someone can read a list: their own, a revealed one, or that of an opponent.

        `opponent` is whether the two have a posted match that the list is for. Before it's sealed, it's only the
        owner's.
        """
        return own or (sealed and (revealed or (opponent and self.secret is SecretUntil.MATCH)))


def fingerprint(key: str, text: str) -> str:
    """Return the fingerprint that seals a list: the SHA-256 of its key and its text."""
    return hashlib.sha256(f"{key}/{text}".encode()).hexdigest()


_SECRET: Mapping[SecretUntil, str] = {
    SecretUntil.DUE: "secret until then",
    SecretUntil.ROUND_1: "secret until round 1",
    SecretUntil.MATCH: "shown to each opponent",
    SecretUntil.END: "secret until the end",
}
_FIELDS = tuple(asdict(ListRules()))


class ListValues(Values[ListRules]):
    """The lists players hand in; people type the four facts in their order: `2 season 0 round 1`."""

    offered = ("1 season 0 due", "2 season 0 due", "1 season 0 end", "1 round 24 due", "1 round 24 match")
    takes = f"{', '.join(_FIELDS)}, for example 2 season 0 round 1"

    def read(self, node: Node) -> ListRules:
        """Return the facts by their names."""
        given = node.fields(number=1, per=ListsPer.SEASON.value, due_hours=0, secret=SecretUntil.DUE.value)
        rules = ListRules(
            number=given["number"].whole(1, _MOST_LISTS),
            per=given["per"].choice(ListsPer),
            due_hours=given["due_hours"].whole(0, 24 * 14),
            secret=given["secret"].choice(SecretUntil),
        )
        if rules.per is ListsPer.ROUND and rules.secret is SecretUntil.ROUND_1:
            raise node.wrong("lists of each round can't be revealed with round 1: say when they are due, match or end")
        return rules

    def typed(self, node: Node) -> dict[str, Any]:
        """Return the facts in their order."""
        parts = dict(zip(_FIELDS, node.value.split(maxsplit=len(_FIELDS) - 1), strict=False))
        if not all(is_number(parts.get(key, "")) for key in ("number", "due_hours")) or len(parts) < len(_FIELDS):
            raise node.wrong(f"give {self.takes}")
        return {key: int(part) if is_number(part) else part for key, part in parts.items()}

    def text(self, value: Any) -> str:
        """Return the facts in their order."""
        return " ".join(map(str, asdict(value).values()))

    def words(self, value: Any) -> str:
        """Return what players hand in."""
        return value.words
