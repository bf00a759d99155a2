"""Keeping people out of a league: asked first, with what becomes of the season they play in, and listed."""

import asyncio
import re
from dataclasses import replace
from datetime import datetime
from functools import partial

import discord

from bot.league.errors import Invalid
from bot.league.season.in_words import amount
from bot.services.base import find
from bot.services.base.permissions import is_organiser
from bot.services.people import banning
from bot.services.people.banning import BanFirst, Banned, Member
from cogs.ui.actions import MOST_OPTIONS, Press, choice, some
from cogs.ui.cards import Answer, long_answer
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.options.dates import read_date
from cogs.ui.options.names import PlayerName
from cogs.ui.questions import confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, shown, when
from storage.rows import LeagueId, LeagueRow
from storage.tables.people.bans import BanId

_MORE = "0"
"""Stands among the bans for those that follow."""
_WHO = "League name, or a mention of a member"
_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}", re.ASCII)
_LOOKING_SECONDS = 1
"""How long Discord may take to say what a member is called."""


class Bans(LeagueCog):
    """Bans, and what lifts them."""

    @command("player", player=_WHO, until="When it ends: 2026-12-27 18:00, 30d; for good if left out")
    async def ban(
        self,
        asker: Caller,
        player: PlayerName,
        reason: Reason,
        until: str | None = None,
    ) -> Reply:
        """Keep a person from joining, until a date or for good; you're asked first."""
        league = await asker.read(find.league_as_organiser)
        end = None if until is None else _read_end(until, now=asker.now, time_zone=league.time_zone)
        member = await _named(asker.interaction, player)
        return await _ban(asker, player=member, until=end, reason=reason)


def _read_end(typed: str, *, now: datetime, time_zone: str) -> datetime:
    """Return when a ban ends; a day without a time means that it ends as the day begins."""
    day = _DAY.fullmatch(typed.strip())
    return read_date(f"{day[0]} 00:00" if day else typed, now=now, time_zone=time_zone)


async def _named(interaction: Interaction, typed: str) -> str | Member:
    """Return a league name as it was typed, or the member who was mentioned, with what they are called."""
    account = banning.mentioned(typed)
    if account is None or interaction.guild is None:
        return typed
    try:
        async with asyncio.timeout(_LOOKING_SECONDS):
            member = await interaction.guild.fetch_member(account)
    except (TimeoutError, discord.DiscordException):
        return Member(discord_id=account, name="someone who isn't on this server")
    if member.bot:
        raise Invalid(f"{member.display_name} is a bot, and bots can't play. Choose a person.")
    return Member(discord_id=account, name=member.display_name)


async def _ban(
    asker: Caller,
    *,
    player: str | Member,
    until: datetime | None,
    reason: str,
    plays_out: bool = False,
    agreed: str = "",
) -> Answer:
    """Ban someone once an organiser has agreed to what it does and chosen what becomes of the season."""
    try:
        name = await asker.write(
            banning.ban, player=player, until=until, reason=reason, plays_out=plays_out, agreed=agreed
        )
    except BanFirst as first:
        again = partial(_ban, player=player, until=until, reason=reason)
        others = {"Play the season out": partial(again, plays_out=True)} if first.in_season else {}
        yes, title = "Drop now" if first.in_season else "Ban", "Ban this person?"
        return confirmation(asker, first, again, "ban", title, yes=yes, no="Don't ban", others=others, reason=reason)
    lasts = "for good" if until is None else f"until {when(until)}"
    return Answer(text=f"**{shown(name)}** is banned {lasts}. `/league settings` lets them in again.")


async def list_of_bans(asker: Caller, league: LeagueRow, first: int = 0) -> Answer | None:
    """Return who is banned, for organisers and moderators; None where no one is, and for others.

    Organisers choose who comes in again, from the `first` on.
    """
    banned = await asker.read(banning.listed)
    if not banned:
        return None
    lines, people = [_line(ban) for ban in banned], amount(len(banned), "person", "people")
    answer = long_answer(f"Banned: {people}", lines, file_name="bans.txt", private=True, room=1200)
    if not is_organiser(league, asker.actor):
        return answer
    options = [discord.SelectOption(label=ban.name or "someone who was forgotten", value=str(ban.id)) for ban in banned]
    select = let_in_again(league.id, first).select(some(options, first, _MORE), hint="Let someone in again…")
    return replace(answer, parts=(*answer.parts, (select,)))


@choice("unban", form=True)
async def let_in_again(press: Press, ban: BanId, league: LeagueId, first: int) -> Reply:
    """Ask why someone is let in again, or list more of the bans."""
    asker = press.who.of(league)
    row = await asker.read(find.league_as_organiser)
    if str(ban) != _MORE:
        return UnbanForm(league, ban)
    return await list_of_bans(asker, row, first + MOST_OPTIONS - 1) or Answer(text="No one is banned any more.")


class UnbanForm(Form):
    """Why someone is let in again."""

    def __init__(self, league: LeagueId, ban: BanId) -> None:
        super().__init__("Let them in again")
        self._league, self._ban = league, ban
        self._reason = self.ask("reason", "Why", limit=300, note="Kept in the audit log")

    async def answer(self, interaction: Interaction) -> Reply:
        """Lift the ban."""
        asker = caller(interaction).of(self._league)
        name = await asker.write(banning.unban, ban=self._ban, reason=self._reason.value)
        return Answer(text=f"**{shown(name)}** isn't banned any more and can join again.")


def _line(banned: Banned) -> str:
    """Return a line of the list of bans."""
    name = "someone who was forgotten" if banned.name is None else f"**{shown(banned.name)}**"
    account = "" if banned.account is None else f" (<@{banned.account}>)"
    lasts = "for good" if banned.until is None else f"until {when(banned.until)}"
    why = "" if banned.reason is None else f": {quoted(banned.reason)}"
    season = "" if banned.plays_out is None else f", plays season {banned.plays_out} out"
    return f"• {name}{account} {lasts}{season}{why}"
