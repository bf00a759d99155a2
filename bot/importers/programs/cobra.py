"""Read the tournaments of Cobra, in JSON, one or several in a file."""

from typing import Any

from bot.importers.cells import shortened
from bot.importers.found import FoundBye, FoundMatch
from bot.importers.gathering import CONTRADICTS, UNPLAYED, Gathering, day, require_few, result_of
from bot.importers.programs.answers import Object, id_of, items_in, text_of
from bot.importers.programs.people import People
from bot.importers.reader import Content, Reader

_NO_NAME = "player {} has no name in this file. Show identities in Cobra and download it again."


def _is_tournament(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("rounds"), list) or "fairpair" in value:
        return False
    return "players" in value or "preliminaryRounds" in value


def _read(content: Content, title: str, gathering: Gathering) -> None:
    """Read each tournament."""
    tournaments = list(filter(_is_tournament, content.values))
    require_few(sum(len(tables) for value in tournaments for tables in items_in(value["rounds"], kind=list)))
    if len(tournaments) < len(content.values):
        gathering.note("Left out, because it's no tournament: what stands beside the tournaments.")
    for key, value in enumerate(tournaments):
        called = text_of(value.get("name")) or title
        gathering.season(key, called, None)
        _Tournament(key, value, f"{shortened(called)}, round" if len(tournaments) > 1 else "Round", gathering).read()


class _Tournament:
    """Reads the rounds of one tournament, each a list of tables; the cut's rounds go on counting."""

    def __init__(self, key: int, value: Object, place: str, gathering: Gathering) -> None:
        self.key, self.place, self.gathering = key, place, gathering
        self.day = day(value.get("date"))
        self.rounds = [items_in(tables) for tables in items_in(value["rounds"], kind=list)]
        names = dict[object, str]()
        for item in (*items_in(value.get("players")), *items_in(value.get("eliminationPlayers"))):
            if id_of(item.get("id")) is not None and text_of(item.get("name")):
                names.setdefault(id_of(item["id"]), text_of(item["name"]))
        met = [_ids(table) for tables in self.rounds for table in tables]
        self.people = People(names, met, gathering)

    def read(self) -> None:
        """Read all tables, and say who has none."""
        for number, tables in enumerate(self.rounds, start=1):
            for position, table in enumerate(tables, start=1):
                label = text_of(table.get("table")) or text_of(table.get("tableNumber")) or position
                self._table(table, number, f"{self.place} {number}, table {label}")
        self.people.note_idle({number for tables in self.rounds for table in tables for number in _ids(table)})

    def _table(self, table: Object, number: int, where: str) -> None:
        gathering, people, ids = self.gathering, self.people, _ids(table)
        seated = [index for index in (0, 1) if ids[index] not in (None, 0) and ids[index] not in people.dummies]
        unknown = next((index for index in seated if ids[index] not in people), None)
        if unknown is not None:
            gathering.wrong(where, f"player{unknown + 1}", _NO_NAME.format(ids[unknown]))
            return
        gathering.rows += 1
        if len(seated) == 1:
            bye = FoundBye(where=where, name=people.called[ids[seated[0]]], round=number)
            gathering.bye(self.key, bye)
        if len(seated) < 2:
            return
        players, seats = (people.called[ids[0]], people.called[ids[1]]), _seats(table)
        finals, games = table.get("eliminationGame") is True, _points(seats)
        won = [seat.get("winner") is True for seat in seats]
        if finals and won[0] != won[1]:
            winner = players[won[1]]
            if games is not None and result_of(players, games) != winner:
                games = None
                gathering.left_out[CONTRADICTS] += 1
        elif finals and won[0]:
            gathering.wrong(where, "winner", f"both {players[0]} and {players[1]} won. Fix one of them.")
            return
        elif games is None and table.get("intentionalDraw") is not True:
            gathering.left_out[UNPLAYED] += 1
            return
        else:
            winner = None if games is None else result_of(players, games)
        match = FoundMatch(
            where=where, players=players, winner=winner, games=games, round=number, day=self.day, finals=finals
        )
        gathering.match(self.key, match, columns=("player2", "winner"))


def _seats(table: Object) -> list[Object]:
    return [table[key] if isinstance(table.get(key), dict) else {} for key in ("player1", "player2")]


def _ids(table: Object) -> tuple[object, object]:
    first, second = (id_of(seat.get("id")) for seat in _seats(table))
    return first, second


def _points(seats: list[Any]) -> tuple[int, int] | None:
    """Return the points of both, None where neither has any (a table that wasn't played)."""
    totals = list[int]()
    for seat in seats:
        parts = [seat.get("combinedScore")]
        if not isinstance(parts[0], int):
            parts = [seat.get("corpScore"), seat.get("runnerScore")]
        whole = [part for part in parts if isinstance(part, int) and not isinstance(part, bool) and 0 <= part < 1000]
        if not whole:
            return None
        totals.append(sum(whole))
    return (totals[0], totals[1])


READER = Reader(
    name="Cobra",
    file='"Download JSON" of a tournament; of several, one below the other',
    knows=lambda content: any(map(_is_tournament, content.values)),
    read=_read,
)
