"""League files for tests: a small season with one of everything, and ways to spoil it."""

import copy
import json
from collections.abc import Iterator
from typing import Any

EXAMPLE: dict[str, Any] = {
    "fairpair": 1,
    "league": "Online HeroScape",
    "season": 7,
    "format": "ohs",
    "settings": {"rounds": 4, "cut": 8},
    "players": [
        {"name": "dok", "rating": {"mu": 31.2, "sigma": 1.9}, "entered": 1, "seed": 1, "former_names": ["d0k"]},
        {"name": "Xorlof"},
        {"name": "Kinseth"},
        {"name": "Zoë"},
        {"name": "late", "entered": 2},
    ],
    "past_seasons": [
        {"season": 6, "matches": [["d0k", "Xorlof"], ["stranger", "Zoë"]], "rounds": [1, 2]},
        {"season": 5, "matches": []},
    ],
    "rounds": [
        {
            "number": 1,
            "stage": "regular",
            "bye": None,
            "matches": [
                {"players": ["dok", "Xorlof"], "winner": "dok", "games": [2, 1], "kind": "played"},
                {"players": ["Kinseth", "Zoë"], "winner": "Zoë", "games": None, "kind": "forfeit"},
            ],
            "by_hand": "they asked for it",
        },
        {
            "number": 2,
            "stage": "regular",
            "bye": "dok",
            "matches": [
                {"players": ["Zoë", "late"], "winner": None, "games": None, "kind": "open"},
            ],
        },
    ],
    "departures": [
        {"name": "Kinseth", "kind": "disqualification", "round": 2, "after_pairing": False, "rejoined": None},
        {"name": "Xorlof", "kind": "drop", "round": 1, "after_pairing": True, "rejoined": 4},
    ],
    "decisions": [{"after_round": 1, "order": ["Zoë", "dok"]}],
}


def encoded(data: Any) -> bytes:
    """Return a league file as bytes."""
    return json.dumps(data, ensure_ascii=False).encode()


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the example with the value at `rounds/0/bye` and so on replaced, or taken out for `...`."""
    data = copy.deepcopy(EXAMPLE)
    *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    place: Any = data
    for part in parents:
        place = place[part]
    if value is ...:
        del place[last]
    elif isinstance(place, list) and last == len(place):
        place.append(value)
    else:
        place[last] = value
    return data


def places(value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of every value in a JSON value."""
    children: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        below = f"{path}/{key}" if path else str(key)
        yield below
        yield from places(child, below)
