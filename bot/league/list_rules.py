"""Which army or deck lists the players of a season hand in, and when they are revealed."""

from dataclasses import dataclass
from enum import StrEnum

from bot.league.league_file.json import Node

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
    """

    number: int = 1
    per: ListsPer = ListsPer.SEASON
    due_hours: int = 0
    secret: SecretUntil = SecretUntil.DUE


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
