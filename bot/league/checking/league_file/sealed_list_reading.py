"""The army and deck lists of a league file: sealed by a hash, shown once they are revealed (docs/rules.md, 10)."""

import re

from bot.league.checking.league_file.people import LATEST_ROUND, Roster
from bot.league.season.list_rules import fingerprint
from bot.league.season.model import Name, SealedList
from bot.league.season.node import Node, shown

_SHA_256 = re.compile(r"[0-9a-f]{64}")


def read_lists(node: Node, roster: Roster) -> tuple[SealedList, ...]:
    """Read `lists`; raises InvalidFile where a revealed list isn't the one that was sealed."""
    read = [_read_list(item, roster) for item in node.items()]
    seen: set[tuple[Name, int, int | None]] = set()
    for item, one in zip(node.items(), read, strict=True):
        which = (one.name, one.number, one.round)
        if which in seen:
            raise item.wrong(f"list {one.number} of {shown(one.name)} is here twice; keep one of them")
        seen.add(which)
    return tuple(read)


def _read_list(node: Node, roster: Roster) -> SealedList:
    fields = node.fields("name", "number", "sha256", round=None, key=None, text=None)
    one = SealedList(
        name=roster.entrant(fields["name"]),
        number=fields["number"].whole(1, LATEST_ROUND),
        round=fields["round"].maybe(lambda number: number.whole(1, LATEST_ROUND)),
        sha256=_read_hash(fields["sha256"]),
        key=fields["key"].maybe(Node.text),
        text=fields["text"].maybe(Node.text),
    )
    if (one.key is None) != (one.text is None):
        raise node.wrong("a revealed list has both key and text; give both, or null for both")
    if one.key is not None and one.text is not None and fingerprint(one.key, one.text) != one.sha256:
        raise node.wrong("its sha256 isn't that of KEY/TEXT, so it isn't the list that was sealed; fix key and text")
    return one


def _read_hash(node: Node) -> str:
    if not _SHA_256.fullmatch(node.text()):
        raise node.refused("give the SHA-256 of KEY/TEXT, 64 hex digits in small letters")
    return node.value
