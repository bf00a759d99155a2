"""Finding one's time zone: what time is it for you now, which city is in the same zone, and who sees your time."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import discord

from bot.league.match_day.zones import Offset, city_of, offsets
from bot.league.season.local_time import WEEKDAYS, clock_words, offset_words
from cogs.ui.actions import MOST_OPTIONS, ActionSelect, Doing, written
from cogs.ui.cards import BLUE, Answer

PRIVACY = (
    "Kept once for all leagues, to offer times that suit both of you. Your local time is shown beside the times of your"
    " matches, also where others read them. Organisers of a season in groups can group players by their time zones."
)
_EXAMPLES = 3


Half = Literal["west", "east"]
"""One of the two lists of clocks: those behind UTC and with it, and those ahead."""


def zone_question(clocks: Callable[[Half], Doing], now: datetime, also: str = "") -> Answer:
    """Ask what time it is for someone now, with two lists of clocks to choose from; `also` is said with it."""
    by_offset = offsets(now)
    west = [offset for offset in by_offset if offset.offset <= timedelta()]
    halves: dict[Half, Sequence[Offset]] = {"west": west, "east": by_offset[len(west) :]}
    selects = [(_times(clocks(side), half, now),) for side, half in halves.items()]
    text = "### What time is it for you now?\nFind your time in one of the two lists, then choose your city."
    text = f"{text} {also}" if also else text
    return Answer(parts=(text, *selects, f"-# {PRIVACY}"), colour=BLUE)


def _times(choosing: Doing, half: Sequence[Offset], now: datetime) -> ActionSelect:
    options = [
        discord.SelectOption(
            label=_clock(now, time.offset),
            value=written(time.offset // timedelta(minutes=1)),
            description=f"{offset_words(time.offset)} · {', '.join(map(city_of, time.cities[:_EXAMPLES]))}"[:100],
        )
        for time in half
    ]
    hint = " to ".join(options[at].label.partition(" (")[0] for at in (0, -1))
    return choosing.select(options, hint=hint)


def _clock(now: datetime, offset: timedelta) -> str:
    local = now + offset
    return f"{WEEKDAYS[local.weekday()][:3]} {clock_words(local)}"


def city_question(choosing: Doing, back: Doing, minutes: int, now: datetime) -> Answer | None:
    """Ask for a city whose clocks are this far ahead of UTC now: it tells when they change; None where none is."""
    offset = timedelta(minutes=minutes)
    cities = next((zone.cities for zone in offsets(now) if zone.offset == offset), ())
    if not cities:
        return None
    options = [
        discord.SelectOption(label=city_of(city), value=city, description=city.partition("/")[0])
        for city in cities[:MOST_OPTIONS]
    ]
    text = (
        f"### It's {_clock(now, offset)} for you. Which city has the same time as you?\n"
        "Clocks change on different days, so the city matters. Yours isn't here? Type it after "
        "`/availability time_zone`."
    )
    select = choosing.select(options, hint="Choose a city")
    return Answer(parts=(text, (select,)), colour=BLUE, buttons=(back.button("It's another time"),))


def own_clock(zone: ZoneInfo, now: datetime) -> str:
    """Return a zone's city with what its clocks show now."""
    local = now.astimezone(zone)
    return f"{city_of(zone.key)}, where it's {WEEKDAYS[local.weekday()]} {clock_words(local)} now"
