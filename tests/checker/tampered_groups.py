"""Changes to what only files of round robins have: groups, ladders, settings, open matches, comings."""

import random
from collections.abc import Callable, Sequence
from typing import Any

File = dict[str, Any]

_SETTINGS: dict[str, Sequence[Any]] = {
    "meetings": (0, 1, 2, 3),
    "group_size": (None, 2, 3, 4, 5, 65),
    "grouping": ("drawn", "rating", "divisions", "given", "ladder"),
    "through": (None, 0, 1, 2, 3, 65),
    "cut": (None, 0, 1, 2, 4, 65),
    "schedule": ("rounds", "open", "all"),
    "tiebreaks": ([], ["wins"], ["wins", "wins"], ["x"], ["scored", "head-to-head"]),
    "moves": (0, 1, 50, -1),
    "points": ({}, {"win": 1}, {"win": 0}, {"draw": 2}, {"bye": 3}),
    "draws": (True, False),
    "replace": (True, False),
    "late_entry": (1, 2),
    "rejoin": ("never", "ask"),
    "rounds": (3,),
}


def robin_set_otherwise(file: File, chance: random.Random) -> None:
    key = chance.choice([*_SETTINGS])
    file["settings"][key] = chance.choice(_SETTINGS[key])


def group_changed(file: File, chance: random.Random) -> None:
    chance.choice(file["players"])["group"] = chance.choice([None, 1, 2, 3, 9, 0, "1", 1.0])


def ladder_changed(file: File, chance: random.Random) -> None:
    called = [row["name"] for row in file["players"]]
    ways = [[], called, [*called, called[0]], [*called[:2], "Nobody"], [""], [1], None, ["draw"]]
    file["ladder"] = chance.choice(ways)
    if chance.random() < 0.3:
        file["ladder_of"] = chance.choice(["0" * 64, "0" * 63, None, "Z" * 64, 5])


def groups_kept(file: File, chance: random.Random) -> None:
    """Write groups as after somebody was forgotten: whole ones, or some that can't be."""
    called = [row["name"] for row in file["players"]]
    half = len(called) // 2
    whole = [[called], [called[:half], called[half:]]]
    broken = [[called[:1], called[1:]], [], [[]], [called, []], [called[:half]], called, [[*called, called[0]]], None]
    file["groups"] = chance.choice([*whole, *broken])
    if chance.random() < 0.8:
        file["forgotten"] = True


def opened(file: File, chance: random.Random) -> None:
    match = chance.choice(chance.choice(file["rounds"])["matches"])
    match.update(winner=None, kind="open", games=None)
    for key in ("points", "score", "dice_off"):
        match.pop(key, None)


def back_again(file: File, chance: random.Random) -> None:
    chance.choice(file["departures"])["rejoined"] = chance.choice([2, 3, 9])


OF_GROUPS: Sequence[Callable[[File, random.Random], None]] = (
    *(robin_set_otherwise, robin_set_otherwise, group_changed, ladder_changed, groups_kept, opened, back_again),
)
