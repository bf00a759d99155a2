"""When two play: their time zones and weekly hours, and the times they propose to each other, type and accept."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import discord
from discord import app_commands

from bot.league.match_day.starts import Person, Start
from bot.league.match_day.typed_time import Readings
from bot.league.match_day.weekly_hours import EXAMPLE
from bot.league.match_day.zones import city_of
from bot.league.season.local_time import clock_words, full_words, short_words
from bot.services.matches import match_finding
from bot.services.matches.views import MatchView
from bot.services.times import accepting, own_zone, proposing
from bot.services.times.own_zone import Availability
from bot.services.times.proposing import MOST, Offer, Proposed
from cogs.matches.which_match import asks_which
from cogs.matches.words import name
from cogs.play.my_match import OneOf
from cogs.times.zone_question import PRIVACY, Half, city_question, own_clock, zone_question
from cogs.ui.actions import DANGER, SUCCESS, ActionButton, Doing, Press, action, choice, written
from cogs.ui.cards import BLUE, Answer, Part
from cogs.ui.commands import LeagueCog, command, on_member
from cogs.ui.context import Caller, Interaction, caller, channel_of
from cogs.ui.forms import Form
from cogs.ui.options.names import TimeZone
from cogs.ui.replies import Reply
from cogs.ui.text import shown, when
from storage.rows import EntrantId, EntrantRow, LeagueId, MatchId

LONGEST_HOURS = 500
HoursText = app_commands.Range[str, 0, LONGEST_HOURS]
Then = tuple[int, ...]
"""What goes on once someone has a time zone: times for a match, which decline a proposal or 0; or nothing."""


class Availabilities(LeagueCog):
    """When people can play."""

    @command(time_zone="Your time zone, for example Europe/Berlin", hours=f"When you can play, like {EXAMPLE}")
    async def availability(
        self, asker: Caller, time_zone: TimeZone | None = None, hours: HoursText | None = None
    ) -> Reply:
        """Set your time zone and weekly hours, so that opponents can propose good times."""
        if time_zone is None and hours is None:
            availability = await asker.read(own_zone.own)
            return (
                _where(asker.league_id, (), asker.now) if availability.zone is None else _card(availability, asker.now)
            )
        return _card(await asker.write(own_zone.say, time_zone=time_zone, hours=hours), asker.now)

    @on_member("Propose a time")
    async def to_opponent(self, asker: Caller, member: discord.Member) -> Reply:
        """Offer times for the open match with the member that was pressed on."""
        return await _offer_with(asker, member.id, channel_of(asker.interaction))


@asks_which
async def _offer_with(asker: Caller, opponent: int, channel_id: int, *, match: MatchId | None = None) -> Reply:
    if match is None:
        match = await asker.read(match_finding.open_with, discord_id=opponent, channel_id=channel_id)
    return await offered(asker, match, 0)


def _card(availability: Availability, now: datetime) -> Answer:
    zone = "not set" if availability.zone is None else shown(own_clock(availability.zone, now))
    hours = shown(availability.hours) or f"none. With them, times that suit you both come first, for example {EXAMPLE}"
    text = f"### When you can play\n**Time zone:** {zone}\n**Weekly hours:** {hours}\n-# {PRIVACY}"
    league = availability.league.id
    change, hours_ = ask_zone(league, ()).button("Change time zone"), ask_hours(league).button("Weekly hours")
    return Answer(parts=(text,), colour=BLUE, buttons=(change, hours_, forget_hours(league).button("Delete", DANGER)))


@action("forget-hours")
async def forget_hours(press: Press, league: LeagueId) -> Answer:
    """Delete the time zone and weekly hours of the person who presses."""
    await press.who.of(league).write(own_zone.forget)
    return Answer(text="Deleted: your time zone and weekly hours, in all leagues.", replace=True)


async def after_joining(asker: Caller) -> Answer | None:
    """Ask what time it is for someone who has joined a season in groups, if they haven't said."""
    asks = await asker.read(own_zone.is_to_ask)
    return _where(asker.league_id, (), asker.now, "You can also leave it.") if asks else None


def _where(league: LeagueId, then: Then, now: datetime, also: str = "") -> Answer:
    """Ask what time it is for someone."""

    def clocks(half: Half) -> Doing:
        return choose_clock(league, then, half)

    return zone_question(clocks, now, also)


@action("zone")
async def ask_zone(press: Press, league: LeagueId, then: Then) -> Reply:
    """Ask what time it is for the person who presses."""
    return replace(_where(league, then, press.who.now), replace=True)


@choice("clock")
async def choose_clock(press: Press, minutes: int, league: LeagueId, then: Then, half: Half) -> Reply:
    """Ask for a city whose clocks show what this person chose."""
    now, back = press.who.now, ask_zone(league, then)
    asking = city_question(choose_city(league, then), back, minutes, now) or _where(league, then, now)
    return replace(asking, replace=True)


@choice("city")
async def choose_city(press: Press, zone: str, league: LeagueId, then: Then) -> Reply:
    """Keep a person's time zone, then show it or offer times for their match."""
    asker = press.who.of(league)
    availability = await asker.write(own_zone.say, time_zone=zone)
    if not then:
        return replace(_card(availability, asker.now), replace=True)
    match, declines = then
    return replace(await offered(press.who, MatchId(match), declines), replace=True)


@action("hours", form=True)
async def ask_hours(press: Press, league: LeagueId) -> Reply:
    """Open the form for weekly hours, with those they gave."""
    return HoursForm(league, (await press.who.of(league).read(own_zone.own)).hours)


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
        asker = caller(interaction)
        availability = await asker.of(self._league_id).write(own_zone.say, hours=self._hours.value)
        return replace(_card(availability, asker.now), replace=True)


@action("propose")
async def propose(press: Press, match: MatchId, declines: int = 0, again: bool = False) -> Reply:
    """Offer times for a player's match; `declines` is the opponent's proposal that doesn't work, if there's one."""
    return replace(await offered(press.who, match, declines), replace=again)


async def offered(asker: Caller, match: MatchId, declines: int) -> Answer:
    """Return the times a player can propose, or the question where they live."""
    offer = await asker.read(proposing.offer, match=match)
    if offer.me is None:
        return _where(offer.match.league.id, (match, declines), asker.now)
    until = f"Your match ends {when(offer.match.deadline)}." if offer.match.deadline else ""
    title, other = f"### Propose times to {name(offer.opponent)}\n", (_other(match, declines),)
    if not offer.starts:
        return Answer(
            parts=(f"{title}There's little time left. {until}",), colour=BLUE, buttons=(_other(match, declines),)
        )
    text = f"{title}Choose up to three. They're in your own time, {city_of(offer.me.zone.key)}. {until}"
    options = [_option(start, offer, offer.me) for start in offer.starts]
    select = pick_times(match, declines).select(options, most=MOST, hint="Choose up to three times")
    parts: tuple[Part, ...] = (text, (select,))
    return Answer(parts=parts, colour=BLUE, buttons=other)


async def _offer_to(press: Press, match: MatchId) -> Reply:
    return await offered(press.who, match, 0)


TO_ONE = OneOf(hint="Propose times to…", fits=lambda own, view: view.match.id in own.to_agree, does=_offer_to)
"""Proposing times to one of several opponents."""


def _option(start: Start, offer: Offer, me: Person) -> discord.SelectOption:
    fits = {(True, True): "in both your hours", (True, False): "in your hours"}.get((start.mine, start.theirs), "")
    if start.theirs and not start.mine:
        fits = f"in {offer.opponent.called}'s hours"
    parts = [part for part in (fits, opponent_words(offer.opponent, start.moment, offer.them)) if part]
    value = written(start.moment)
    label = short_words(start.moment, me.zone)
    return discord.SelectOption(label=label, value=value, description=" · ".join(parts)[:100] or None)


def _other(match: MatchId, declines: int) -> ActionButton:
    return type_time(match, declines).button("Other time")


@choice("pick-times")
async def pick_times(press: Press, starts: tuple[datetime, ...], match: MatchId, declines: int) -> Reply:
    """Show what was chosen before it is sent."""
    asker = await press.who.read(proposing.offer, match=match)
    return replace(_confirm(asker, match, declines, sorted(starts)), replace=True)


def _confirm(offer: Offer, match: MatchId, declines: int, starts: Sequence[datetime], words: str = "") -> Answer:
    """Ask whether these times are to be sent."""
    times = numbered(starts, lambda start: own_clocks(offer.match, start, offer.people))
    lines = [f"### Send this to {name(offer.opponent)}?", words, times]
    send = _send("Send", match, declines, starts)
    again = propose(match, declines, again=True).button("Choose again")
    return Answer(parts=("\n".join(filter(None, lines)),), colour=BLUE, buttons=(send, _other(match, declines), again))


def _send(label: str, match: MatchId, declines: int, starts: Sequence[datetime]) -> ActionButton:
    return send_times(match, declines, tuple(starts)).button(label, SUCCESS)


@action("send-times")
async def send_times(press: Press, match: MatchId, declines: int, starts: tuple[datetime, ...]) -> Reply:
    """Send the chosen times to the opponent."""
    done = await press.who.write(proposing.propose, match=match, chosen=starts, declines=declines or None)
    return Answer(text=_sent_words(done), replace=True)


def _sent_words(done: Proposed) -> str:
    opponent = name(done.opponent)
    if done.agreed_at is not None:
        return f"{opponent} had proposed this too, so it's agreed: {when(done.agreed_at)}."
    stands = done.match.match.agreed_at
    until = f" Until they accept, you play {when(stands)}." if stands is not None else ""
    if done.unheard:
        words = f"{opponent} gets no messages about times, so tell them yourself to look at /match."
        return f"Proposed:\n{numbered(done.starts)}\n{words} You'll be told when they answer.{until}"
    return f"Sent to {opponent}:\n{numbered(done.starts)}\nYou'll be told when they answer.{until}"


@action("accept-time")
async def accept_time(press: Press, match: MatchId, proposal: int, start: datetime) -> Reply:
    """Agree on one of the opponent's times."""
    view = await press.who.write(accepting.accept, match=match, proposal=proposal, start=start)
    side = view.side_of(press.interaction.user.id) or view.upper
    opponent = name(view.opponent_of(side))
    return Answer(text=f"Agreed: you play {opponent} {when(start)}. You'll both be reminded a day and an hour before.")


@action("other-time", form=True)
async def type_time(press: Press, match: MatchId, declines: int) -> Reply:
    """Open the form for a typed time, once it's known in which time zone that is."""
    asker = await press.who.read(proposing.offer, match=match)
    if asker.me is None:
        return _where(asker.match.league.id, (match, declines), press.who.now)
    return OtherTimeForm(match, declines, city_of(asker.me.zone.key))


class OtherTimeForm(Form):
    """A time in one's own words."""

    def __init__(self, match: MatchId, declines: int, city: str) -> None:
        super().__init__(title="Another time")
        self._match, self._declines = match, declines
        note = f"In your own time, {city[:25]}: fri 20:00, tomorrow 8pm, Nov 28 8:30pm, 28.11. 20:00"
        self._when = self.ask("when", "When?", limit=80, hint="fri 20:00", note=note)

    async def answer(self, interaction: Interaction) -> Reply:
        """Show what was understood, or ask which of several times is meant."""
        asker, readings = await caller(interaction).read(proposing.typed, match=self._match, text=self._when.value)
        assert asker.me is not None
        words = f"{full_words(readings.moments[0], asker.me.zone)} in {city_of(asker.me.zone.key)} is"
        if readings.question:
            return replace(self._asked(asker, readings, asker.me), replace=True)
        answer = _confirm(asker, self._match, self._declines, readings.moments, words)
        return replace(answer, replace=True)

    def _asked(self, offer: Offer, readings: Readings, me: Person) -> Answer:
        """Ask which time is meant, each with a button that sends it."""
        sends = [_send(full_words(start, me.zone), self._match, self._declines, [start]) for start in readings.moments]
        text = (
            f"### {shown(readings.question)}\n{numbered(readings.moments)}\nA press sends it to {name(offer.opponent)}."
        )
        return Answer(parts=(text,), colour=BLUE, buttons=(*sends, _other(self._match, self._declines)))


def numbered(starts: Iterable[datetime], below: Callable[[datetime], Iterable[str]] = lambda _: ()) -> str:
    """Return numbered starts, each in every reader's own time, with the lines that belong below it."""
    # In bold, because Discord takes the line after a list for a part of its last item.
    lines = [(f"**{number}.** {when(start)}", *below(start)) for number, start in enumerate(starts, 1)]
    return "\n".join(line for part in lines for line in part)


def own_clocks(view: MatchView, at: datetime | None, people: Mapping[EntrantId, Person]) -> list[str]:
    """Return what a moment is on the clocks of both players, where both have said where they live."""
    if at is None or len(people) < len(view.sides):
        return []
    clocks = [f"{clock_words(at.astimezone(people[side.id].zone))} for {name(side)}" for side in view.sides]
    return [f"-# {' · '.join(clocks)}"]


def opponent_words(opponent: EntrantRow, start: datetime, them: Person | None) -> str:
    """Return what a start is for the opponent: `11:00 (11 am) for Daria`; nothing where that isn't known."""
    return "" if them is None else f"{short_words(start, them.zone)} for {opponent.called}"
