"""The seats of a league file: who sits a round out, and which substitutes sit in them (docs/rules.md, 10)."""

from bot.league.checking.league_file.people import LATEST_ROUND, Roster, own_name, read_rating
from bot.league.season.model import Name, SitOut, Substitution
from bot.league.season.node import Node, shown


def read_sat_out(node: Node, roster: Roster) -> tuple[SitOut, ...]:
    """Read `sat_out`; the same twice is once."""
    return tuple(dict.fromkeys(_read_sit_out(item, roster) for item in node.items()))


def _read_sit_out(node: Node, roster: Roster) -> SitOut:
    fields = node.fields("name", "round")
    return SitOut(name=roster.entrant(fields["name"]), round=fields["round"].whole(1, LATEST_ROUND))


def read_substitutes(node: Node, roster: Roster) -> tuple[Substitution, ...]:
    """Read `substitutes`; raises InvalidFile for a person in two seats, and for two people in one seat and round."""
    read = [_read_substitution(item, roster) for item in node.items()]
    seats: dict[Name, Name] = {entrant.name: entrant.name for entrant in roster.entrants}
    rounds: set[tuple[Name, int]] = set()
    former = dict(roster.former)
    for item, row in zip(node.items(), read, strict=True):
        seat = seats.setdefault(row.player, row.seat)
        if seat != row.seat:
            raise item.wrong(f"{shown(row.player)} has the seat of {shown(seat)}; a person has one seat a season")
        if (row.seat, row.round) in rounds:
            raise item.wrong(f"the seat of {shown(row.seat)} is taken twice from round {row.round} on; keep one")
        rounds.add((row.seat, row.round))
        for name in row.former_names:
            if former.setdefault(name, row.player) != row.player:
                raise item.wrong(f"the former name {shown(name)} is {shown(former[name])}'s; give each their own")
    return tuple(read)


def _read_substitution(node: Node, roster: Roster) -> Substitution:
    fields = node.fields("seat", "player", "round", rating=None, former_names=[])
    return Substitution(
        seat=roster.entrant(fields["seat"]),
        player=own_name(fields["player"]),
        round=fields["round"].whole(1, LATEST_ROUND),
        rating=fields["rating"].maybe(read_rating),
        former_names=tuple(own_name(name) for name in fields["former_names"].items()),
    )
