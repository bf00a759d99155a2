"""Read what Challonge answers (version 1 and 2.1 of its API)."""

import re
from collections.abc import Iterator
from typing import Any

from bot.league.errors import InvalidFile
from bot.league.season.model import Kind
from bot.moving_in.found import FoundBye, FoundMatch
from bot.moving_in.gathering import UNPLAYED, Gathering, day, in_order, require_few
from bot.moving_in.programs.answers import Object, id_of, items_in, text_of
from bot.moving_in.reader import Content, Reader

_SET = re.compile(r"(-?\d{1,6})\s*[-:]\s*(-?\d{1,6})")
_DEEPEST = 8


def _read(content: Content, title: str, gathering: Gathering) -> None:
    """Read tournaments: participants and matches wherever they stand in the answers of the API."""
    value = content.json
    names, titles = dict[object, str](), dict[object, str]()
    matches = list[Object]()
    for kind, item in _objects(value):
        if kind == "match":
            matches.append(item)
        elif kind == "tournament":
            titles[id_of(item.get("id"))] = text_of(item.get("name")) or title
        else:
            name = text_of(item.get("name") or item.get("display_name") or item.get("username"))
            if not name:
                continue
            known = gathering.name(name)
            # In a group stage people have other ids.
            for one in (item.get("id"), *items_in(item.get("group_player_ids"), kind=object)):
                if id_of(one) is not None:
                    names[id_of(one)] = known
    require_few(len(matches))
    if matches and not names:
        raise InvalidFile("has matches but no participants. Put Challonge's answer with the participants below it.")
    of = [id_of(match.get("tournament_id")) for match in matches]
    alone = next(iter(titles.values()), title)
    for key in dict.fromkeys(of):
        rounds = _rounds([match for match, other in zip(matches, of, strict=True) if other == key])
        gathering.season(key, titles.get(key, alone), None)
        for match, number in rounds:
            _read_match(match, key, number, names, gathering)
    for name in names.values():
        gathering.person(name)


def _rounds(matches: list[Object]) -> list[tuple[Object, int]]:
    """Return the matches with rounds from 1: groups first, the losers' rounds among the others as they were played."""
    first = dict[object, tuple[object, ...]]()
    for match in matches:
        number = match.get("round")
        number = number if type(number) is int else 0
        key = (match.get("group_id") is None, number)
        order, ended = match.get("suggested_play_order"), text_of(match.get("completed_at"))
        order = order if type(order) is int else 10**9
        beside = (key[0], order, ended or "~", abs(number), number < 0)
        first[key] = min(first.get(key, beside), beside)
    numbers = in_order(first)
    listed = [
        (match, numbers[match.get("group_id") is None, match["round"] if type(match.get("round")) is int else 0])
        for match in matches
    ]
    return sorted(listed, key=lambda one: one[1])


def _read_match(match: Object, key: object, number: int, names: dict[object, str], gathering: Gathering) -> None:
    gathering.rows += 1
    where = f"Match {text_of(match.get('identifier')) or text_of(match.get('id')) or '?'}"
    ids = [id_of(match.get("player1_id")), id_of(match.get("player2_id"))]
    unknown = next((one for one in ids if one is not None and one not in names), None)
    if unknown is not None:
        gathering.wrong(where, "player", f"participant {unknown} isn't in this file. Add the participants to it.")
        return
    if match.get("state") != "complete" or ids == [None, None]:
        gathering.left_out[UNPLAYED] += 1
        return
    if None in ids:
        only = next(one for one in ids if one is not None)
        gathering.bye(key, FoundBye(where=where, name=names[only], round=number))
        return
    players, by_id = (names[ids[0]], names[ids[1]]), id_of(match.get("winner_id"))
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


def _objects(value: Any, depth: int = 0) -> Iterator[tuple[str, Object]]:
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


def _flat(value: Object, attributes: Object) -> Object:
    """Return an object of version 2.1 with the fields of version 1."""
    related = value.get("relationships")
    points = items_in(attributes.get("points_by_participant"))
    ids = list[Any]()
    for index, key in enumerate(("player1", "player2")):
        link = related.get(key) if isinstance(related, dict) else None
        held = link.get("data") if isinstance(link, dict) else None
        one = held.get("id") if isinstance(held, dict) else None
        ids.append(one if one is not None or index >= len(points) else points[index].get("participant_id"))
    times = attributes.get("timestamps")
    times = times if isinstance(times, dict) else {}
    in_sets = attributes.get("score_in_sets")
    pairs = [pair for pair in items_in(in_sets, kind=list) if len(pair) == 2 and all(type(one) is int for one in pair)]
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


READER = Reader(
    name="Challonge",
    file="the API's JSON of a tournament with matches and participants",
    knows=lambda content: next(_objects(content.json), None) is not None,
    read=_read,
)
