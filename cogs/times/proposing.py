"""Agreeing on a time: propose up to three starts, type another one, accept one of the opponent's."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import discord

from bot.league.match_day.starts import Person, Start
from bot.league.match_day.typed_time import Readings
from bot.league.match_day.zones import city_of
from bot.league.season.local_time import full_words, short_words
from bot.services.times import accepting, proposing
from bot.services.times.proposing import MOST, Offer, Proposed
from cogs.matches.words import name
from cogs.times.on_card import numbered, opponent_words, own_clocks
from cogs.times.zone_question import zone_question
from cogs.ui.actions import ACCEPT_TIME, OTHER_TIME, PICK_TIMES, PROPOSE, SEND_TIMES
from cogs.ui.buttons import SUCCESS, ActionButton, Press
from cogs.ui.cards import BLUE, Answer, Part
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.replies import Reply
from cogs.ui.text import shown, when
from storage.rows import MatchId

_STARTS = "([0-9]+):([0-9]{1,11}(?:-[0-9]{1,11})*)"
"""The proposal these times answer (0: none), and starts in seconds since 1970."""


@PROPOSE
async def propose_pressed(press: Press[MatchId]) -> Reply:
    """Offer times for a player's match; `extra` is the opponent's proposal that doesn't work, if there's one."""
    declines, again = press.parts("([0-9]*)(:again)?")
    return replace(await offered(press.who, press.subject, int(declines or 0)), replace=bool(again))


async def offered(who: Caller, match: MatchId, declines: int) -> Answer:
    """Return the times a player can propose, or the question where they live."""
    found = await who.see(proposing.offer, match=match)
    if found.me is None:
        return zone_question(found.match.league.id, f"{match}-{declines}", who.now)
    until = f"Your match ends {when(found.match.deadline)}." if found.match.deadline else ""
    title, other = f"### Propose times to {name(found.opponent)}\n", (_other(match, declines),)
    if not found.starts:
        return Answer(
            parts=(f"{title}There's little time left. {until}",), colour=BLUE, buttons=(_other(match, declines),)
        )
    text = f"{title}Choose up to three. They're in your own time, {city_of(found.me.zone.key)}. {until}"
    options = [_option(start, found, found.me) for start in found.starts]
    select = PICK_TIMES.select(match, options, extra=str(declines), most=MOST, hint="Choose up to three times")
    parts: tuple[Part, ...] = (text, (select,))
    return Answer(parts=parts, colour=BLUE, buttons=other)


def _option(start: Start, found: Offer, me: Person) -> discord.SelectOption:
    fits = {(True, True): "in both your hours", (True, False): "in your hours"}.get((start.mine, start.theirs), "")
    if start.theirs and not start.mine:
        fits = f"in {found.opponent.called}'s hours"
    told = [part for part in (fits, opponent_words(found.opponent, start.moment, found.them)) if part]
    value = str(int(start.moment.timestamp()))
    label = short_words(start.moment, me.zone)
    return discord.SelectOption(label=label, value=value, description=" · ".join(told)[:100] or None)


def _other(match: MatchId, declines: int) -> ActionButton:
    return OTHER_TIME.button("Other time", match, extra=str(declines))


@PICK_TIMES
async def picked(press: Press[MatchId]) -> Reply:
    """Show what was chosen before it is sent."""
    declines, starts = press.parts(_STARTS)
    found = await press.who.see(proposing.offer, match=press.subject)
    return replace(_confirm(found, press.subject, int(declines), _moments(starts)), replace=True)


def _moments(starts: str) -> tuple[datetime, ...]:
    return tuple(datetime.fromtimestamp(int(start), UTC) for start in sorted(starts.split("-")))


def _confirm(found: Offer, match: MatchId, declines: int, starts: Sequence[datetime], said: str = "") -> Answer:
    """Ask whether these times are to be sent."""
    times = numbered(starts, lambda start: own_clocks(found.match, start, found.people))
    lines = [f"### Send this to {name(found.opponent)}?", said, times]
    send = _send("Send", match, declines, starts)
    again = PROPOSE.button("Choose again", match, extra=f"{declines}:again")
    return Answer(parts=("\n".join(filter(None, lines)),), colour=BLUE, buttons=(send, _other(match, declines), again))


def _send(label: str, match: MatchId, declines: int, starts: Sequence[datetime]) -> ActionButton:
    chosen = "-".join(str(int(start.timestamp())) for start in starts)
    return SEND_TIMES.button(label, match, extra=f"{declines}:{chosen}", style=SUCCESS)


@SEND_TIMES
async def sent(press: Press[MatchId]) -> Reply:
    """Send the chosen times to the opponent."""
    declines, starts = press.parts(_STARTS)
    done = await press.who.do(
        proposing.propose, match=press.subject, chosen=_moments(starts), declines=int(declines) or None
    )
    return Answer(text=_sent_words(done), replace=True)


def _sent_words(done: Proposed) -> str:
    opponent = name(done.opponent)
    if done.agreed_at is not None:
        return f"{opponent} had proposed this too, so it's agreed: {when(done.agreed_at)}."
    stands = done.match.match.agreed_at
    until = f" Until they accept, you play {when(stands)}." if stands is not None else ""
    return f"Sent to {opponent}:\n{numbered(done.starts)}\nYou'll be told when they answer.{until}"


@ACCEPT_TIME
async def accepted(press: Press[MatchId]) -> Reply:
    """Agree on one of the opponent's times."""
    proposal, start = press.parts("([0-9]+):([0-9]{1,11})")
    at = datetime.fromtimestamp(int(start), UTC)
    view = await press.who.do(accepting.accept, match=press.subject, proposal=int(proposal), start=at)
    side = view.side_of(press.interaction.user.id) or view.upper
    opponent = name(view.opponent_of(side))
    return Answer(text=f"Agreed: you play {opponent} {when(at)}. You'll both be reminded a day and an hour before.")


@OTHER_TIME
async def other_time_pressed(press: Press[MatchId]) -> Reply:
    """Open the form for a typed time, once it's known in which time zone that is."""
    (declines,) = press.parts("([0-9]+)")
    found = await press.who.see(proposing.offer, match=press.subject)
    if found.me is None:
        return zone_question(found.match.league.id, f"{press.subject}-{declines}", press.who.now)
    return OtherTimeForm(press.subject, int(declines), city_of(found.me.zone.key))


class OtherTimeForm(Form):
    """A time in one's own words."""

    def __init__(self, match: MatchId, declines: int, city: str) -> None:
        super().__init__(title="Another time")
        self._match, self._declines = match, declines
        note = f"In your own time, {city[:25]}: fri 20:00, tomorrow 8pm, Nov 28 8:30pm, 28.11. 20:00"
        self._when = self.ask("when", "When?", limit=80, hint="fri 20:00", note=note)

    async def answer(self, interaction: Interaction) -> Reply:
        """Show what was understood, or ask which of several times is meant."""
        found, readings = await caller(interaction).see(proposing.typed, match=self._match, text=self._when.value)
        assert found.me is not None
        said = f"{full_words(readings.moments[0], found.me.zone)} in {city_of(found.me.zone.key)} is"
        if readings.question:
            return replace(self._asked(found, readings, found.me), replace=True)
        made = _confirm(found, self._match, self._declines, readings.moments, said)
        return replace(made, replace=True)

    def _asked(self, found: Offer, readings: Readings, me: Person) -> Answer:
        """Ask which time is meant, each with a button that sends it."""
        sends = [_send(full_words(start, me.zone), self._match, self._declines, [start]) for start in readings.moments]
        text = (
            f"### {shown(readings.question)}\n{numbered(readings.moments)}\nA press sends it to {name(found.opponent)}."
        )
        return Answer(parts=(text,), colour=BLUE, buttons=(*sends, _other(self._match, self._declines)))
