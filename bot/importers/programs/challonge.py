"""Read tournaments of Challonge: what its API answers (version 1 and 2.1), one or several in a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.importers.cells import shortened
from bot.importers.found import FoundBye, FoundMatch
from bot.importers.gathering import CONTRADICTS, UNPLAYED, Gathering, day, in_order, require_few, result_of
from bot.importers.programs.answers import Object, id_of, items_in, text_of
from bot.importers.programs.challonge_answers import objects
from bot.importers.programs.people import People
from bot.importers.reader import Content, Reader
from bot.league.errors import InvalidFile
from bot.league.season.model import Kind

_WON_BY_A_BYE = "was won by a bye and stayed out."


@dataclass(slots=True)
class _Participants:
    """All participants of a file: in a group stage people have other ids, which lead to the first."""

    names: dict[object, str] = field(default_factory=dict[object, str])
    first: dict[object, object] = field(default_factory=dict[object, object])
    tournament: dict[object, object] = field(default_factory=dict[object, object])
    accounts: set[object] = field(default_factory=set[object])
    winners: set[object] = field(default_factory=set[object])

    def add(self, item: Object, gathering: Gathering) -> None:
        """Add one; of a participant who has two names nobody knows who is meant."""
        key, account = id_of(item.get("id")), text_of(item.get("username") or item.get("challonge_username"))
        name = text_of(item.get("name")) or text_of(item.get("display_name")) or account
        if key is None or not name:
            return
        if self.names.setdefault(key, name) != name:
            text = f"is called {self.names[key]} and {name}. Keep the newer answer of the two."
            gathering.wrong(f"Participant {key}", "name", text)
        self.first[key] = key
        for other in items_in(item.get("group_player_ids"), kind=object):
            self.first.setdefault(id_of(other), key)
        self.tournament[key] = id_of(item.get("tournament_id")) or self.tournament.get(key)
        if account:
            self.accounts.add(key)
        if item.get("final_rank") == 1:
            self.winners.add(key)

    def numbers(
        self, of: Mapping[object, Sequence[Object]], titles: Mapping[object, object]
    ) -> dict[object, list[object]]:
        """Return the numbers of each tournament's participants: as they say, or as its matches do."""
        of_number = dict[object, dict[object, None]]()
        for key, matches in of.items():
            for number in (number for match in matches for number in _ids(match)):
                of_number.setdefault(self.first.get(number, number), {})[key] = None
        rounds = dict[object, list[object]]()
        alone = next(iter(of)) if len(of) == 1 else None
        for number in self.names:
            stated = self.tournament[number]
            keys = of_number.get(number) or {alone if stated is None else titles.get(stated, stated): None}
            for key in keys:
                rounds.setdefault(key, []).append(number)
        return rounds


def _read(content: Content, title: str, gathering: Gathering) -> None:
    """Read participants and matches wherever they stand, each match as of its tournament."""
    titles, ids, participants = dict[object, str](), dict[object, object](), _Participants()
    pairs = list[tuple[Object, object]]()
    for answer in content.values:
        parts = list(objects(answer))
        here = [id_of(item.get("id")) for kind, item in parts if kind == "tournament"]
        for kind, item in parts:
            if kind == "match":
                pairs.append((item, here[0] if len(set(here)) == 1 else None))
            elif kind == "participant":
                participants.add(item, gathering)
            else:
                key = id_of(item.get("id"))
                titles[key] = text_of(item.get("name")) or title
                ids |= {key: key, id_of(item.get("url")): key}
    require_few(len(pairs))
    if pairs and not participants.names:
        raise InvalidFile("has matches but no participants. Put Challonge's answer with the participants below it.")
    of = dict[object, list[Object]]()
    for match, near in _once(pairs, gathering):
        of.setdefault(_tournament(match, near, participants, ids), []).append(match)
    numbers = participants.numbers(of, ids)
    for key, matches in of.items():
        called = titles.get(key, next(iter(titles.values()), title))
        gathering.season(key, called, None)
        place = f"{shortened(called)}, match" if len(of) > 1 else "Match"
        names = {number: participants.names[number] for number in numbers.pop(key, ())}
        _Tournament(key, place, matches, names, participants, gathering).read()
    for rest in numbers.values():
        idle = People({number: participants.names[number] for number in rest}, (), gathering)
        for name in idle.called.values():
            gathering.person(name)


def _once(matches: list[tuple[Object, object]], gathering: Gathering) -> Iterable[tuple[Object, object]]:
    """Return each match once: a tournament's answer and the answer of its matches have the same ones."""
    kept = dict[object, tuple[Object, object]]()
    for position, (match, near) in enumerate(matches):
        number = id_of(match.get("id"))
        key = ("place", position) if number is None else number
        before = kept.get(key)
        if before is None or (before[0].get("state") != "complete" and match.get("state") == "complete"):
            kept[key] = (match, near if before is None else before[1])
        elif match.get("state") == "complete" and _winner(match) != _winner(before[0]):
            text = "is in the file twice, with two winners. Keep the newer answer of the two."
            gathering.wrong(f"Match {_label(match)}", "winner_id", text)
    return kept.values()


def _tournament(match: Object, near: object, participants: _Participants, ids: dict[object, object]) -> object:
    """Return whose match it is: as it says, as its participants say, or as the answer it stands in."""
    theirs = (participants.tournament.get(participants.first.get(number)) for number in _ids(match))
    stated = next((key for key in (id_of(match.get("tournament_id")), *theirs) if key is not None), near)
    if stated is not None:
        return ids.get(stated, stated)
    if len(set(ids.values())) > 1:
        raise InvalidFile("has several tournaments, and matches that don't say of which. Send a file for each.")
    return next(iter(ids.values()), "challonge")


def _ids(match: Object) -> list[object]:
    return [id_of(match.get("player1_id")), id_of(match.get("player2_id"))]


def _winner(match: Object) -> object:
    return id_of(match.get("winner_id"))


def _number(match: Object) -> int:
    return match["round"] if type(match.get("round")) is int else 0


class _Tournament:
    """Reads the matches of one tournament."""

    def __init__(
        self,
        key: object,
        place: str,
        matches: list[Object],
        names: dict[object, str],
        everyone: _Participants,
        gathering: Gathering,
    ) -> None:
        self.key, self.place, self.matches, self.everyone, self.gathering = key, place, matches, everyone, gathering
        met = [(self._first(first), self._first(other)) for first, other in map(_ids, matches)]
        self.people = People(names, met, gathering, accounts=everyone.accounts)

    def _first(self, number: object) -> object:
        return self.everyone.first.get(number, number)

    def _in_groups(self, match: Object) -> bool:
        """Return whether it's of a group stage, where people have other ids."""
        return match.get("group_id") is not None or any(
            number is not None and self._first(number) != number for number in _ids(match)
        )

    def read(self) -> None:
        """Read all, in the order of the rounds."""
        for match, number in self._rounds():
            self._read(match, number)
        for name in self.people.called.values():
            self.gathering.person(name)
        champions = self.everyone.winners & self.people.called.keys()
        if len(champions) == 1:
            self.gathering.champion(self.key, self.people.called[champions.pop()])

    def _rounds(self) -> list[tuple[Object, int]]:
        """Return the matches with rounds from 1: groups first, the losers' among the others as they were played."""
        last = max(map(_number, self.matches), default=0)
        first = dict[object, tuple[object, ...]]()
        keys = list[tuple[bool, int]]()
        for match in self.matches:
            # The match for the third place has the round 0, and is played beside the final.
            key = (not self._in_groups(match), _number(match) or last)
            order, ended = match.get("suggested_play_order"), text_of(match.get("completed_at"))
            order = order if type(order) is int else 10**9
            beside = (key[0], order, ended or "~", abs(key[1]), key[1] < 0)
            first[key] = min(first.get(key, beside), beside)
            keys.append(key)
        numbers = in_order(first)
        listed = [(match, numbers[key]) for match, key in zip(self.matches, keys, strict=True)]
        return sorted(listed, key=lambda pair: pair[1])

    def _read(self, match: Object, number: int) -> None:
        gathering, people = self.gathering, self.people
        gathering.rows += 1
        where, ids = f"{self.place} {_label(match)}", [self._first(number) for number in _ids(match)]
        unknown = next((number for number in ids if number is not None and number not in people), None)
        if unknown is not None:
            text = f"participant {unknown} isn't in this file. Add the participants to it."
            gathering.wrong(where, "player", text)
            return
        present = [number for number in ids if number is not None and number not in people.dummies]
        if match.get("state") != "complete" or not present:
            if present or set(ids) == {None}:
                gathering.left_out[UNPLAYED] += 1
            return
        winner = _winner(match)
        by_id = None if winner is None else self._first(winner)
        if by_id not in (None, *ids):
            gathering.wrong(where, "winner_id", f"{winner} didn't play. Write {ids[0]} or {ids[1]}.")
        elif len(present) == 2:
            self._match(match, where, number, ids, by_id)
        elif by_id in (None, *present):
            gathering.bye(self.key, FoundBye(where=where, name=people.called[present[0]], round=number))
        else:
            gathering.left_out[_WON_BY_A_BYE] += 1

    def _match(self, match: Object, where: str, number: int, ids: list[object], by_id: object) -> None:
        players = (self.people.called[ids[0]], self.people.called[ids[1]])
        winner = None if by_id is None else players[ids.index(by_id)]
        sets: list[tuple[int, int]] = match["sets"]
        # A score of -1 is how Challonge writes a forfeit.
        forfeit = match.get("forfeited") is True or any(min(part) < 0 for part in sets)
        if forfeit and winner is None:
            self.gathering.left_out[UNPLAYED] += 1
            return
        games = None if forfeit else _games(sets)
        if games is not None and result_of(players, games) != winner:
            games = None
            self.gathering.left_out[CONTRADICTS] += 1
        self.gathering.match(
            self.key,
            FoundMatch(
                where=where,
                players=players,
                winner=winner,
                kind=Kind.FORFEIT if forfeit else Kind.PLAYED,
                games=games,
                round=number,
                day=day(match.get("completed_at")) or day(match.get("updated_at")),
            ),
            columns=("player2", "winner_id"),
        )


def _label(match: Object) -> str:
    return shortened(text_of(match.get("identifier")) or text_of(match.get("id")) or "?")


def _games(sets: list[tuple[int, int]]) -> tuple[int, int] | None:
    if len(sets) == 1:
        return sets[0]
    won = (sum(a > b for a, b in sets), sum(a < b for a, b in sets))
    return won if sets else None


READER = Reader(
    name="Challonge",
    file="the API's JSON of a tournament with matches and participants; of several, one below the other",
    knows=lambda content: any(next(objects(answer), None) is not None for answer in content.values),
    read=_read,
)
