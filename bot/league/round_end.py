"""The weekday and time at which the rounds of a league end."""

import re

from bot.league.league_file.json import Node

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TIME_OF_DAY = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def read_round_end(node: Node) -> str:
    """Return a weekday and a time of day as `sunday 21:00`."""
    day, _, time = node.text().strip().casefold().partition(" ")
    found = _TIME_OF_DAY.fullmatch(time.strip())
    if day not in WEEKDAYS or found is None:
        raise node.refused("give a weekday and a time, for example sunday 21:00")
    return f"{day} {int(found[1]):02}:{found[2]}"
