"""When someone can play: their time zone and weekly hours, looked up and changed."""

from dataclasses import replace
from datetime import datetime

from discord import app_commands

from bot.league.match_day.weekly_hours import EXAMPLE
from bot.services.times import own_zone
from bot.services.times.own_zone import Availability
from cogs.times import proposing
from cogs.times.zone_question import PRIVACY, city_question, own_clock, zone_name, zone_question
from cogs.ui.actions import HOURS, ZONE
from cogs.ui.buttons import Press
from cogs.ui.cards import BLUE, Answer
from cogs.ui.commands import command
from cogs.ui.context import Caller, Interaction, LeagueCog, caller
from cogs.ui.forms import Form
from cogs.ui.options.names import TimeZone
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueId, MatchId

LONGEST_HOURS = 500
HoursText = app_commands.Range[str, 0, LONGEST_HOURS]

_NOTHING = "0-0"
"""What goes on after a time zone was chosen for itself: the card that shows it."""


class Availabilities(LeagueCog):
    """When people can play."""

    @command(time_zone="Your time zone, for example Europe/Berlin", hours=f"When you can play, like {EXAMPLE}")
    async def availability(
        self, who: Caller, time_zone: TimeZone | None = None, hours: HoursText | None = None
    ) -> Reply:
        """Set your time zone and weekly hours, so that opponents can propose good times."""
        if time_zone is None and hours is None:
            found = await who.see(own_zone.own)
            asking = zone_question(who.league_id, _NOTHING, who.now)
            return asking if found.zone is None else _card(found, who.now)
        return _card(await who.do(own_zone.say, time_zone=time_zone, hours=hours), who.now)


def _card(found: Availability, now: datetime) -> Answer:
    zone = "not set" if found.zone is None else shown(own_clock(found.zone, now))
    hours = shown(found.hours) or f"none. With them, times that suit you both come first, for example {EXAMPLE}"
    text = f"### When you can play\n**Time zone:** {zone}\n**Weekly hours:** {hours}\n-# {PRIVACY}"
    change = ZONE.button("Change time zone", found.league.id, extra=f"{_NOTHING}:start")
    return Answer(parts=(text,), colour=BLUE, buttons=(change, HOURS.button("Weekly hours", found.league.id)))


@ZONE
async def zone_pressed(press: Press[LeagueId]) -> Reply:
    """Go one step on to a person's time zone; once they have one, show it or offer times for their match."""
    match, declines, step, value = press.parts("([0-9]+)-([0-9]+):(start|west|east|city)(?::(.+))?")
    then, who = f"{match}-{declines}", press.who
    if step == "start":
        return replace(zone_question(press.subject, then, who.now), replace=True)
    if step in ("west", "east"):
        return replace(city_question(press.subject, then, int(value), who.now), replace=True)
    found = await who.of(press.subject).do(own_zone.say, time_zone=zone_name(value))
    if then == _NOTHING:
        return replace(_card(found, who.now), replace=True)
    return replace(await proposing.offered(who, MatchId(int(match)), int(declines)), replace=True)


@HOURS
async def hours_pressed(press: Press[LeagueId]) -> Reply:
    """Open the form for weekly hours, with those they gave."""
    return HoursForm(press.subject, (await press.asked.see(own_zone.own)).hours)


class HoursForm(Form):
    """When in the week someone can play."""

    def __init__(self, league_id: LeagueId, hours: str) -> None:
        super().__init__(title="Weekly hours")
        self._league_id = league_id
        note = "In your own time. Leave it empty to remove them."
        self._hours = self.ask(
            "hours", "When can you play?", limit=LONGEST_HOURS, hint=EXAMPLE, note=note, required=False, long=True
        )
        self._hours.default = hours or None

    async def answer(self, interaction: Interaction) -> Reply:
        """Keep the hours, and show them as they were understood."""
        who = caller(interaction)
        found = await who.of(self._league_id).do(own_zone.say, hours=self._hours.value)
        return replace(_card(found, who.now), replace=True)
