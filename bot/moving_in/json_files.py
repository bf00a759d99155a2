"""Read the JSON of Challonge (version 1 and 2.1 of its API) and of Cobra."""

import json
import re
from collections.abc import Iterator
from typing import Any

from bot.league.errors import InvalidFile
from bot.league.season.model import Kind
from bot.moving_in.found import FoundBye, FoundMatch, Source
from bot.moving_in.gathering import Gathering, day, in_order, require_few, result_of

_Object = dict[str, Any]
_UNPLAYED = "had no result and stayed out."
_SET = re.compile(r"(-?\d{1,6})\s*[-:]\s*(-?\d{1,6})")
_DEEPEST = 8


def parsed(text: str) -> Any:
    """Return a JSON value, or the list of several that stand one after the other; raises InvalidFile."""
    decoder, values, position = json.JSONDecoder(), list[Any](), 0
    text = text.strip().lstrip("\ufeff")
    try:
        while position < len(text):
            value, end = decoder.raw_decode(text, position)
            values.append(value)
            position = end + len(text[end:]) - len(text[end:].lstrip(" \r\n\t,"))
    except json.JSONDecodeError as wrong:
        place = f"line {wrong.lineno}, column {wrong.colno}"
        raise InvalidFile(f"isn't whole JSON ({wrong.msg}). Save it again.", place=place) from None
    except (ValueError, RecursionError):
        raise InvalidFile("is no JSON that Challonge or Cobra writes.") from None
    return values[0] if len(values) == 1 else values


def source_of(value: Any) -> Source:
    """Return whose JSON it is; raises InvalidFile for anybody else's."""
    if isinstance(value, dict):
        if "fairpair" in value:
            return Source.LEAGUE_FILE
        rounds = value.get("rounds")
        if isinstance(rounds, list) and ("players" in value or "preliminaryRounds" in value):
            return Source.COBRA
    if next(_objects(value), None) is not None:
        return Source.CHALLONGE
    raise InvalidFile("is JSON, but neither a league file nor Challonge's nor Cobra's.")


def read_cobra(value: _Object, title: str, gathering: Gathering) -> None:
    """Read Cobra's rounds, each a list of tables; the cut's rounds go on counting."""
    names = dict[object, str]()
    for key in ("players", "eliminationPlayers"):
        for item in _list(value.get(key)):
            name = _text(item.get("name"))
            if item.get("id") is not None and name:
                names.setdefault(_id(item["id"]), gathering.name(name))
    played, rounds = day(value.get("date")), _list(value.get("rounds"), kind=list)
    require_few(sum(map(len, rounds)))
    gathering.season("cobra", _text(value.get("name")) or title, None)
    for number, tables in enumerate(rounds, start=1):
        for position, table in enumerate(_list(tables), start=1):
            where = f"Round {number}, table {_text(table.get('table')) or position}"
            seats = [table.get(key) if isinstance(table.get(key), dict) else {} for key in ("player1", "player2")]
            ids = [_id(seat.get("id")) for seat in seats]
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
                gathering.left_out[_UNPLAYED] += 1
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


def read_challonge(value: Any, title: str, gathering: Gathering) -> None:
    """Read Challonge's tournaments: participants and matches wherever they stand in the answers of its API."""
    names, titles = dict[object, str](), dict[object, str]()
    matches = list[_Object]()
    for kind, item in _objects(value):
        if kind == "match":
            matches.append(item)
        elif kind == "tournament":
            titles[_id(item.get("id"))] = _text(item.get("name")) or title
        else:
            name = _text(item.get("name") or item.get("display_name") or item.get("username"))
            if not name:
                continue
            known = gathering.name(name)
            # In a group stage people have other ids.
            for one in (item.get("id"), *_list(item.get("group_player_ids"), kind=object)):
                names[_id(one)] = known
    require_few(len(matches))
    if matches and not names:
        raise InvalidFile("has matches but no participants. Put Challonge's answer with the participants below it.")
    of = [_id(match.get("tournament_id")) for match in matches]
    alone = next(iter(titles.values()), title)
    for key in dict.fromkeys(of):
        rounds = _rounds([match for match, other in zip(matches, of, strict=True) if other == key])
        gathering.season(key, titles.get(key, alone), None)
        for match, number in rounds:
            _read_match(match, key, number, names, gathering)
    for name in names.values():
        gathering.person(name)


def _rounds(matches: list[_Object]) -> list[tuple[_Object, int]]:
    """Return the matches with rounds from 1: groups first, the losers' rounds among the others as they were played."""
    first = dict[object, tuple[object, ...]]()
    for match in matches:
        number = match.get("round")
        number = number if type(number) is int else 0
        key = (match.get("group_id") is None, number)
        order, ended = match.get("suggested_play_order"), _text(match.get("completed_at"))
        order = order if type(order) is int else 10**9
        beside = (key[0], order, ended or "~", abs(number), number < 0)
        first[key] = min(first.get(key, beside), beside)
    numbers = in_order(first)
    listed = [
        (match, numbers[match.get("group_id") is None, match["round"] if type(match.get("round")) is int else 0])
        for match in matches
    ]
    return sorted(listed, key=lambda one: one[1])


def _read_match(match: _Object, key: object, number: int, names: dict[object, str], gathering: Gathering) -> None:
    gathering.rows += 1
    where = f"Match {_text(match.get('identifier')) or _text(match.get('id')) or '?'}"
    ids = [_id(match.get("player1_id")), _id(match.get("player2_id"))]
    unknown = next((one for one in ids if one is not None and one not in names), None)
    if unknown is not None:
        gathering.wrong(where, "player", f"participant {unknown} isn't in this file. Add the participants to it.")
        return
    if match.get("state") != "complete" or ids == [None, None]:
        gathering.left_out[_UNPLAYED] += 1
        return
    if None in ids:
        only = next(one for one in ids if one is not None)
        gathering.bye(key, FoundBye(where=where, name=names[only], round=number))
        return
    players, by_id = (names[ids[0]], names[ids[1]]), _id(match.get("winner_id"))
    if by_id not in (None, *ids):
        gathering.wrong(where, "winner_id", f"{by_id} didn't play. Write {ids[0]} or {ids[1]}.")
        return
    sets = match["sets"]
    # A score of -1 is how Challonge writes a forfeit.
    forfeit = match.get("forfeited") is True or any(min(one) < 0 for one in sets)
    gathering.match(
        key,
        FoundMatch(
            where=where,
            players=players,
            winner=None if by_id is None else players[ids.index(by_id)],
            kind=Kind.FORFEIT if forfeit and by_id is not None else Kind.PLAYED,
            games=None if forfeit else _score(sets),
            round=number,
            day=day(match.get("completed_at")) or day(match.get("updated_at")),
        ),
        columns=("player2", "winner_id"),
    )


def _score(sets: list[tuple[int, int]]) -> tuple[int, int] | None:
    if len(sets) == 1:
        return sets[0]
    won = (sum(a > b for a, b in sets), sum(a < b for a, b in sets))
    return won if sets else None


def _objects(value: Any, depth: int = 0) -> Iterator[tuple[str, _Object]]:
    """Return the tournaments, participants and matches in an answer of either version, as version 1 has them."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _objects(item, depth + 1)
    elif isinstance(value, dict):
        attributes = value.get("attributes")
        kind = value.get("type")
        if isinstance(attributes, dict) and kind in ("match", "participant", "tournament"):
            yield kind, _flat(value, attributes)
        for key in ("tournament", "participant", "match"):
            item = value.get(key)
            if isinstance(item, dict):
                if "attributes" not in item:
                    yield key, {**item, "sets": _sets(item.get("scores_csv"))}
                yield from _objects(item, depth + 1)
        for key, items in value.items():
            plain = {"participants": "participant", "matches": "match"}.get(key)
            for item in items if plain and isinstance(items, list) else ():
                if isinstance(item, dict) and "id" in item and "attributes" not in item:
                    yield plain or "", {**item, "sets": _sets(item.get("scores_csv"))}
        for key in ("data", "included", "participants", "matches", "tournaments"):
            yield from _objects(value.get(key), depth + 1)


def _flat(value: _Object, attributes: _Object) -> _Object:
    """Return an object of version 2.1 with the fields of version 1."""
    related = value.get("relationships")
    points = _list(attributes.get("points_by_participant"))
    ids = list[Any]()
    for index, key in enumerate(("player1", "player2")):
        link = related.get(key) if isinstance(related, dict) else None
        held = link.get("data") if isinstance(link, dict) else None
        one = held.get("id") if isinstance(held, dict) else None
        ids.append(one if one is not None or index >= len(points) else points[index].get("participant_id"))
    times = attributes.get("timestamps")
    times = times if isinstance(times, dict) else {}
    in_sets = attributes.get("score_in_sets")
    pairs = [pair for pair in _list(in_sets, kind=list) if len(pair) == 2 and all(type(one) is int for one in pair)]
    return {
        "completed_at": times.get("completed_at"),
        "updated_at": times.get("updated_at"),
        **attributes,
        "id": value.get("id"),
        "player1_id": ids[0],
        "player2_id": ids[1],
        "sets": [(one, other) for one, other in pairs] or _sets(attributes.get("scores")),
    }


def _sets(text: Any) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in _SET.findall(text)] if isinstance(text, str) else []


def _list(value: Any, *, kind: type[Any] = dict) -> list[Any]:
    return [item for item in value if isinstance(item, kind)] if isinstance(value, list) else []


def _id(value: Any) -> object:
    """Return an id in one spelling: version 2.1 has them as texts, too."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    return value if isinstance(value, str | int) else None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return str(value) if type(value) is int and abs(value) < 10**18 else ""
