"""Read the tournaments of Cobra, in JSON."""

from typing import Any

from bot.moving_in.found import FoundBye, FoundMatch
from bot.moving_in.gathering import UNPLAYED, Gathering, day, require_few, result_of
from bot.moving_in.programs.answers import id_of, items_in, text_of
from bot.moving_in.reader import Content, Reader


def _is_tournament(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("rounds"), list):
        return False
    return "players" in value or "preliminaryRounds" in value


def _read(content: Content, title: str, gathering: Gathering) -> None:
    """Read the rounds, each a list of tables; the cut's rounds go on counting."""
    value = content.json
    names = dict[object, str]()
    for key in ("players", "eliminationPlayers"):
        for item in items_in(value.get(key)):
            name = text_of(item.get("name"))
            if item.get("id") is not None and name:
                names.setdefault(id_of(item["id"]), gathering.name(name))
    played, rounds = day(value.get("date")), items_in(value.get("rounds"), kind=list)
    require_few(sum(map(len, rounds)))
    gathering.season("cobra", text_of(value.get("name")) or title, None)
    for number, tables in enumerate(rounds, start=1):
        for position, table in enumerate(items_in(tables), start=1):
            where = f"Round {number}, table {text_of(table.get('table')) or position}"
            seats = [table.get(key) if isinstance(table.get(key), dict) else {} for key in ("player1", "player2")]
            ids = [id_of(seat.get("id")) for seat in seats]
            there = [index for index in (0, 1) if ids[index] not in (None, 0)]
            unknown = next((index for index in there if ids[index] not in names), None)
            if unknown is not None:
                text = (
                    f"player {ids[unknown]} has no name in this file. Show identities in Cobra and download it again."
                )
                gathering.wrong(where, f"player{unknown + 1}", text)
                continue
            gathering.rows += 1
            if len(there) == 1:
                gathering.bye("cobra", FoundBye(where=where, name=names[ids[there[0]]], round=number))
            if len(there) < 2:
                continue
            players = (names[ids[0]], names[ids[1]])
            finals, score = table.get("eliminationGame") is True, _points(seats)
            won = [seat.get("winner") is True for seat in seats]
            if finals and won[0] != won[1]:
                winner = players[won[1]]
            elif finals and won[0]:
                gathering.wrong(where, "winner", f"both {players[0]} and {players[1]} won. Fix one of them.")
                continue
            elif score is None and table.get("intentionalDraw") is not True:
                gathering.left_out[UNPLAYED] += 1
                continue
            else:
                winner = None if score is None else result_of(players, score)
            found = FoundMatch(
                where=where, players=players, winner=winner, games=score, round=number, day=played, finals=finals
            )
            gathering.match("cobra", found, columns=("player2", "winner"))


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
    file='"Download JSON" of a tournament',
    knows=lambda content: _is_tournament(content.json),
    read=_read,
)
