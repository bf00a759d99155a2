"""Who the names in a league file mean."""

import unicodedata
from collections.abc import Iterable

from bot.league.season.model import Entrant, Name, Substitution
from bot.league.season.node import Node, quoted

DRAWN = "draw"
"""Marks a drawn match in the place of its winner."""


class People:
    """The season's entrants, found by name, and the names of everyone who sits in one of their seats."""

    def __init__(self, entrants: Iterable[Entrant] = (), substitutes: Iterable[Substitution] = ()) -> None:
        self.entrants = tuple(entrants)
        self.names = {entrant.name: entrant.name for entrant in self.entrants}
        self.late = {entrant.name: entrant.entered for entrant in self.entrants if entrant.entered > 1}
        self.former = {former: entrant.name for entrant in self.entrants for former in entrant.former_names}
        self._seated = {*self.names}
        for row in substitutes:
            self._seated.add(row.player)
            self.former |= dict.fromkeys(row.former_names, row.player)

    def entrant(self, node: Node) -> Name:
        """Return the name of one of the players; raises InvalidFile for anyone else."""
        name = normal_name(node)
        if name not in self.names:
            raise node.wrong(f"{quoted(name)} is not among the players; add them there or fix the name")
        return name

    def present(self, node: Node) -> Name | None:
        """Return who a present or former name means, or None for people who are not in this season."""
        name = normal_name(node)
        return name if name in self._seated else self.former.get(name)


def normal_name(node: Node) -> Name:
    """Return a name that refers to someone, in NFC."""
    return Name(unicodedata.normalize("NFC", node.text()))


def own_name(node: Node, _: People) -> Name:
    """Return the name a person goes by; raises InvalidFile for one nobody can have."""
    name = normal_name(node)
    if not name:
        raise node.wrong("the name is empty; write one")
    if name == DRAWN:
        raise node.wrong('"draw" can\'t be a name: it stands for a drawn match; rename the player')
    return name
