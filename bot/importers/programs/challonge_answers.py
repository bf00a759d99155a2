"""Find the tournaments, participants and matches in answers of Challonge's API, all as its version 1 has them."""

import re
from collections.abc import Iterator
from typing import Any

from bot.importers.programs.answers import Object, items_in, text_of

_SET = re.compile(r"(-?\d{1,6})\s*[-:]\s*(-?\d{1,6})")
_TOURNAMENT = re.compile(r"/tournaments/([^/.?]+)")
_DEEPEST = 8
_KINDS = ("match", "participant", "tournament")
_LISTS = {"participants": "participant", "matches": "match", "tournaments": "tournament"}


def objects(value: Any, depth: int = 0) -> Iterator[tuple[str, Object]]:
    """Return what is in an answer, with its kind, wherever it stands."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from objects(item, depth + 1)
    elif isinstance(value, dict):
        attributes, kind = value.get("attributes"), value.get("type")
        if isinstance(attributes, dict) and kind in _KINDS:
            yield kind, _flat(value, attributes)
        for key in _KINDS:
            item = value.get(key)
            if isinstance(item, dict):
                if "attributes" not in item:
                    yield key, {**item, "sets": _sets(item.get("scores_csv"))}
                yield from objects(item, depth + 1)
        for key, plain in _LISTS.items():
            for item in items_in(value.get(key)):
                if "id" in item and "attributes" not in item:
                    yield plain, {**item, "sets": _sets(item.get("scores_csv"))}
        for key in ("data", "included", *_LISTS):
            yield from objects(value.get(key), depth + 1)


def _flat(value: Object, attributes: Object) -> Object:
    """Return an object of version 2.1 with the fields of version 1."""
    related = [held for held in (value.get("relationships"), attributes.get("relationships")) if isinstance(held, dict)]
    points = items_in(attributes.get("points_by_participant"))
    ids = [_linked(related, key) for key in ("player1", "player2")]
    if None in ids and len(points) == 2:
        ids = [point.get("participant_id") for point in points]
    times = attributes.get("timestamps")
    times = times if isinstance(times, dict) else {}
    pairs = [pair for pair in items_in(attributes.get("score_in_sets"), kind=list) if _is_pair(pair)]
    return {
        "completed_at": times.get("completed_at"),
        "updated_at": times.get("updated_at"),
        "group_id": _linked(related, "group"),
        "tournament_id": _linked(related, "tournament") or _address(value),
        **attributes,
        "id": value.get("id"),
        "player1_id": ids[0],
        "player2_id": ids[1],
        "sets": [(first, second) for first, second in pairs] or _sets(attributes.get("scores")),
    }


def _linked(related: list[Object], key: str) -> Any:
    for links in related:
        link = links.get(key)
        held = link.get("data") if isinstance(link, dict) else None
        if isinstance(held, dict) and held.get("id") is not None:
            return held["id"]
    return None


def _address(value: Object) -> str | None:
    """Return the tournament in the address of an object, where it has one."""
    links = value.get("links")
    parsed = _TOURNAMENT.search(text_of(links.get("self"))) if isinstance(links, dict) else None
    return None if parsed is None or value.get("type") == "tournament" else parsed[1]


def _is_pair(value: list[Any]) -> bool:
    return len(value) == 2 and all(type(part) is int and abs(part) < 10**6 for part in value)


def _sets(text: Any) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in _SET.findall(text)] if isinstance(text, str) else []
