"""The people of a league file: its players, and the names others are called by."""

import unicodedata
from collections.abc import Iterable

from bot.league.league_file.json import Node, shown
from bot.league.model import Entrant, Name, PastMatch, PastSeason, Rating

LATEST_ROUND = 1000
LATEST_SEASON = 1_000_000
_LARGEST_SEED = 1_000_000
_RATING_LIMIT = 1e6
DRAWN = "draw"
"""What stands for a drawn match where a winner could stand."""


def normal_name(node: Node) -> Name:
    """Return a name that refers to someone, in NFC."""
    return Name(unicodedata.normalize("NFC", node.text()))


def read_name(node: Node) -> Name:
    """Return a player's name in NFC; raises InvalidFile for an empty one and for `draw`."""
    name = normal_name(node)
    if not name:
        raise node.wrong("the name is empty; write one")
    if name == DRAWN:
        raise node.wrong('"draw" can\'t be a name: it stands for a drawn match; rename the player')
    return name


class Roster:
    """The season's entrants, found by name."""

    def __init__(self, entrants: Iterable[Entrant]) -> None:
        self.entrants = tuple(entrants)
        self.by_name = {entrant.name: entrant for entrant in self.entrants}
        self.former: dict[Name, Name] = {}
        for entrant in self.entrants:
            self.former.update(dict.fromkeys(entrant.former_names, entrant.name))

    def entrant(self, node: Node) -> Name:
        """Return the name of one of the players; raises InvalidFile for anyone else."""
        name = normal_name(node)
        if name not in self.by_name:
            raise node.wrong(f"{shown(name)} is not among the players; add them there or fix the name")
        return name

    def present(self, node: Node) -> Name | None:
        """Return who a present or former name means, or None for people who are not in this season."""
        name = normal_name(node)
        return name if name in self.by_name else self.former.get(name)


def read_players(node: Node) -> Roster:
    """Read `players`; raises InvalidFile where two cannot be told apart."""
    entrants: list[Entrant] = []
    places: dict[Name, str] = {}
    for item in node.items():
        entrant = _read_player(item)
        if entrant.name in places:
            raise item.wrong(f"the name {shown(entrant.name)} is taken by {places[entrant.name]}; use another name")
        places[entrant.name] = item.place
        entrants.append(entrant)
    _require_distinct(node, entrants)
    return Roster(entrants)


def _read_player(node: Node) -> Entrant:
    fields = node.fields(required=("name",), optional=("rating", "entered", "seed", "former_names"))
    former = fields.get("former_names", Node([]))
    return Entrant(
        name=read_name(fields["name"]),
        rating=fields.get("rating", Node(None)).maybe(_read_rating),
        entered=fields.get("entered", Node(1)).whole(1, LATEST_ROUND),
        seed=fields.get("seed", Node(None)).maybe(lambda seed: seed.whole(1, _LARGEST_SEED)),
        former_names=tuple(read_name(name) for name in former.items()),
    )


def _read_rating(node: Node) -> Rating:
    fields = node.fields(required=("mu", "sigma"))
    return Rating(
        mu=fields["mu"].number(-_RATING_LIMIT, _RATING_LIMIT), sigma=fields["sigma"].number(1e-6, _RATING_LIMIT)
    )


def _require_distinct(node: Node, entrants: Iterable[Entrant]) -> None:
    former: dict[Name, Name] = {}
    seeds: dict[int, Name] = {}
    for item, entrant in zip(node.items(), entrants, strict=True):
        for name in entrant.former_names:
            if former.setdefault(name, entrant.name) != entrant.name:
                raise item.wrong(f"{shown(former[name])} has the former name {shown(name)} too; leave it to one")
        if entrant.seed is not None and seeds.setdefault(entrant.seed, entrant.name) != entrant.name:
            raise item.wrong(f"{shown(seeds[entrant.seed])} has seed {entrant.seed} too; give each another seed")


def read_past(node: Node, roster: Roster, season: int) -> tuple[PastSeason, ...]:
    """Read `past_seasons` under the names of this season, without people who are not in it."""
    seasons: dict[int, PastSeason] = {}
    for item in node.items():
        past = _read_past_season(item, roster)
        if past.number >= season:
            raise item.wrong(f"season {past.number} is not before this one, {season}; only earlier seasons stand here")
        if past.number in seasons:
            raise item.wrong(f"season {past.number} stands here twice; join its matches")
        seasons[past.number] = past
    return tuple(seasons.values())


def _read_past_season(node: Node, roster: Roster) -> PastSeason:
    fields = node.fields(required=("season", "matches"), optional=("rounds",))
    matches = fields["matches"].items()
    rounds = fields["rounds"].items() if "rounds" in fields else [Node(None)] * len(matches)
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
        raise node.wrong(f"{shown(first)} stands on both sides; fix the names")
    return PastMatch(players=(first, second), round=round_)
