"""Which army or deck lists the players of a season hand in, when they are revealed, and who can read them."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from bot.league.season.node import Node

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

    def readable(self, *, own: bool, sealed: bool, revealed: bool, opponent: bool) -> bool:
        """Return whether someone can read a list: their own, a revealed one, or that of an opponent.

        `opponent` is whether the two have a posted match that the list is for. Before it's sealed, it's only the
        owner's.
        """
        return own or (sealed and (revealed or (opponent and self.secret is SecretUntil.MATCH)))


def fingerprint(key: str, text: str) -> str:
    """Return the fingerprint that seals a list: the SHA-256 of its key and its text."""
    return hashlib.sha256(f"{key}/{text}".encode()).hexdigest()


def read_list_rules(node: Node) -> ListRules:
    """Read the setting `lists`; raises InvalidFile."""
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
