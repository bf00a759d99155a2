"""Finding one's time zone: what time is it for you now, then which city is in the same zone."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import discord

from bot.league.match_day.zones import Offset, city_of, offsets
from bot.league.season.local_time import WEEKDAYS, clock_words, offset_words
from cogs.ui.actions import ZONE
from cogs.ui.buttons import MOST_OPTIONS, ActionSelect
from cogs.ui.cards import BLUE, Answer
from storage.rows import LeagueId

PRIVACY = (
    "Kept once for all leagues, to offer times that suit both of you. Your local time is shown beside the times of your"
    " matches, also where others read them."
)
_EXAMPLES = 3


def zone_question(league_id: LeagueId, then: str, now: datetime) -> Answer:
    """Ask what time it is for someone now; `then` says what goes on once they have a time zone."""
    found = offsets(now)
    west = [one for one in found if one.offset <= timedelta()]
    halves = {"west": west, "east": found[len(west) :]}
    selects = [(_times(league_id, f"{then}:{side}", half, now),) for side, half in halves.items()]
    text = "### What time is it for you now?\nFind your time in one of the two lists, then choose your city."
    return Answer(parts=(text, *selects, f"-# {PRIVACY}"), colour=BLUE)


def _times(league_id: LeagueId, extra: str, half: Sequence[Offset], now: datetime) -> ActionSelect:
    options = [
        discord.SelectOption(
            label=_clock(now, one.offset),
            value=str(one.offset // timedelta(minutes=1)),
            description=f"{offset_words(one.offset)} · {', '.join(map(city_of, one.cities[:_EXAMPLES]))}"[:100],
        )
        for one in half
    ]
    hint = " to ".join(options[at].label.partition(" (")[0] for at in (0, -1))
    return ZONE.select(league_id, options, extra=extra, hint=hint)


def _clock(now: datetime, offset: timedelta) -> str:
    local = now + offset
    return f"{WEEKDAYS[local.weekday()][:3]} {clock_words(local)}"


def city_question(league_id: LeagueId, then: str, minutes: int, now: datetime) -> Answer:
    """Ask for a city whose clocks are this far ahead of UTC now: it tells when they change."""
    offset = timedelta(minutes=minutes)
    cities = next((one.cities for one in offsets(now) if one.offset == offset), ())
    if not cities:
        return zone_question(league_id, then, now)
    options = [
        discord.SelectOption(label=city_of(city), value=_code(city), description=city.partition("/")[0])
        for city in cities[:MOST_OPTIONS]
    ]
    text = (
        f"### It's {_clock(now, offset)} for you. Which city has your clocks?\n"
        "It says when your clocks change. Yours isn't here? Type it after `/availability time_zone`."
    )
    select = ZONE.select(league_id, options, extra=f"{then}:city", hint="Choose a city")
    back = ZONE.button("It's another time", league_id, extra=f"{then}:start")
    return Answer(parts=(text, (select,)), colour=BLUE, buttons=(back,))


def _code(zone: str) -> str:
    """Return a zone's name as a custom_id can hold it."""
    return zone.casefold().replace("/", ":")


def zone_name(code: str) -> str:
    """Return the name of a zone of which a custom_id holds the code."""
    return code.replace(":", "/")


def own_clock(zone: ZoneInfo, now: datetime) -> str:
    """Return a zone's city with what its clocks show now."""
    local = now.astimezone(zone)
    return f"{city_of(zone.key)}, where it's {WEEKDAYS[local.weekday()]} {clock_words(local)} now"
