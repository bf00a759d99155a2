"""The people of a league file: its players, and the names others are called by."""

import unicodedata
from collections.abc import Iterable, Iterator

from bot.league.season.model import Entrant, Name, PastMatch, PastSeason, Rating, Substitution
from bot.league.season.node import Node, shown

LATEST_ROUND = 1000
LATEST_SEASON = 1_000_000
DRAWN = "draw"
"""Marks a drawn match in the place of its winner."""


def normal_name(node: Node) -> Name:
    """Return a name that refers to someone, in NFC."""
    return Name(unicodedata.normalize("NFC", node.text()))


class Roster:
    """The season's entrants, found by name, and the names of everyone who sits in one of their seats."""

    def __init__(self, entrants: Iterable[Entrant], substitutes: Iterable[Substitution] = ()) -> None:
        self.entrants = tuple(entrants)
        self.names = {entrant.name: entrant.name for entrant in self.entrants}
        self.late = {entrant.name: entrant.entered for entrant in self.entrants if entrant.entered > 1}
        self.former = {former: entrant.name for entrant in self.entrants for former in entrant.former_names}
        self._people = {*self.names}
        for row in substitutes:
            self._people.add(row.player)
            self.former |= dict.fromkeys(row.former_names, row.player)

    def entrant(self, node: Node) -> Name:
        """Return the name of one of the players; raises InvalidFile for anyone else."""
        name = normal_name(node)
        if name not in self.names:
            raise node.wrong(f"{shown(name)} is not among the players; add them there or fix the name")
        return name

    def present(self, node: Node) -> Name | None:
        """Return who a present or former name means, or None for people who are not in this season."""
        name = normal_name(node)
        return name if name in self._people else self.former.get(name)


def read_players(node: Node) -> Roster:
    """Read `players`; raises InvalidFile where two can't be told apart."""
    entrants = [_read_player(item) for item in node.items()]
    owners: dict[tuple[str, Name | int], Node] = {}
    for item, entrant in zip(node.items(), entrants, strict=True):
        for what, value in _belongings(entrant):
            owner = owners.setdefault((what, value), item)
            if owner is not item:
                raise item.wrong(f"the {what} {shown(value)} is taken by {owner.place}; give each their own")
    return Roster(entrants)


def _read_player(node: Node) -> Entrant:
    fields = node.fields("name", rating=None, entered=1, seed=None, former_names=[])
    return Entrant(
        name=own_name(fields["name"]),
        rating=fields["rating"].maybe(read_rating),
        entered=fields["entered"].whole(1, LATEST_ROUND),
        seed=fields["seed"].maybe(lambda seed: seed.whole(1, 1_000_000)),
        former_names=tuple(own_name(name) for name in fields["former_names"].items()),
    )


def own_name(node: Node) -> Name:
    """Return the name a person goes by; raises InvalidFile for one nobody can have."""
    name = normal_name(node)
    if not name:
        raise node.wrong("the name is empty; write one")
    if name == DRAWN:
        raise node.wrong('"draw" can\'t be a name: it stands for a drawn match; rename the player')
    return name


def read_rating(node: Node) -> Rating:
    """Return a rating that floats can hold."""
    fields = node.fields("mu", "sigma")
    return Rating(mu=fields["mu"].number(-1e6, 1e6), sigma=fields["sigma"].number(1e-6, 1e6))


def _belongings(entrant: Entrant) -> Iterator[tuple[str, Name | int]]:
    yield "name", entrant.name
    yield from (("former name", name) for name in entrant.former_names)
    if entrant.seed is not None:
        yield "seed", entrant.seed


def read_past(node: Node, roster: Roster, season: int) -> tuple[PastSeason, ...]:
    """Read `past_seasons` under the names of this season, without people who are not in it."""
    seasons: dict[int, PastSeason] = {}
    for item in node.items():
        past = _read_past_season(item, roster)
        if past.number >= season:
            raise item.wrong(f"season {past.number} is not before this one, {season}; only earlier seasons belong here")
        if past.number in seasons:
            raise item.wrong(f"season {past.number} is here twice; merge its matches")
        seasons[past.number] = past
    return tuple(seasons.values())


def _read_past_season(node: Node, roster: Roster) -> PastSeason:
    fields = node.fields("season", "matches", rounds=...)
    matches = fields["matches"].items()
    rounds = [Node(None)] * len(matches) if fields["rounds"].value is ... else fields["rounds"].items()
    if len(rounds) != len(matches):
        raise fields["rounds"].wrong(f"has {len(rounds)} values for {len(matches)} matches; give each match its round")
    read = [_read_past_match(match, number, roster) for match, number in zip(matches, rounds, strict=True)]
    return PastSeason(
        number=fields["season"].whole(0, LATEST_SEASON), matches=tuple(match for match in read if match is not None)
    )


def _read_past_match(node: Node, number: Node, roster: Roster) -> PastMatch | None:
    first, second = (roster.present(name) for name in node.pair())
    round_ = number.maybe(lambda one: one.whole(1, LATEST_ROUND))
    if first is None or second is None:
        return None
    if first == second:
        raise node.wrong(f"{shown(first)} is on both sides; fix the names")
    return PastMatch(players=(first, second), round=round_)
