"""Setting up a league: what people may let the bot do, what works and what's missing, own rules, deleting it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import discord

from bot.league.season.in_words import amount
from bot.services.delivery.delivery import moderators_of
from bot.services.leagues import deletion, set_up
from bot.services.leagues.set_up import Checkup
from cogs.ui.actions import SUCCESS, Press, action
from cogs.ui.cards import Answer, card
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.rights import (
    allow,
    require_may_give,
    require_may_make_threads,
    require_may_mention,
    require_may_pin,
    require_may_write,
    rights_line,
    thread_lines,
)
from cogs.ui.text import listed, shown
from storage.rows import LeagueId, LeagueRow

PUBLIC = "on. Names, results, ratings and revealed lists are public there"
LONGEST_RULES = 3_600
"""Characters of the organisers' own rules: with what stands around them, they fit one message."""
_EVERYONE = shown("@everyone")
HIDING = (
    "To hide commands from players, on a computer: 1. Open Server Settings > Integrations > {}. 2. Choose a command, "
    f"such as round: switch off {_EVERYONE}, and add those who run the league with **Add Roles or Members**."
)


@with_confirmation("delete-league", "Delete the league?", yes="Delete the league", no="Keep it")
async def delete(asker: Caller, *, agreed: str = "") -> str:
    """Delete a league once an organiser has agreed to what is lost."""
    return f"{shown((await asker.write(deletion.delete, agreed=agreed)).name)} is deleted."


def guild_of(interaction: Interaction) -> discord.Guild:
    """Return the server an interaction comes from."""
    assert interaction.guild is not None
    return interaction.guild


def require_own_rights(interaction: Interaction, changes: Mapping[str, Any], before: Checkup | None = None) -> None:
    """Raise NotAllowed where a league's changes would let someone do through the bot what they can't do themselves.

    Without a league `before`, they make one.
    """
    now: Mapping[str, Any] = changes
    if before is not None:
        league = before.league
        now = {key: getattr(league, key) for key in (*set_up.CHANNELS, *set_up.ROLES, "board")} | dict(changes)
    channel_id, moderators_id = now["channel_id"], now.get("moderation_channel_id")
    for key in changes.keys() & set(set_up.CHANNELS):
        if changes[key] is not None:
            require_may_write(interaction, changes[key])
    if before is not None and (changes.get("board") or (now["board"] and "channel_id" in changes)):
        require_may_pin(interaction, channel_id)
    if before is not None and "channel_id" in changes:
        require_may_make_threads(interaction, replace(before.league, channel_id=channel_id), before.places)
    for key in changes.keys() & set(set_up.GIVEN_ROLES):
        if changes[key] is not None:
            require_may_give(interaction, changes[key])
    if not changes.keys().isdisjoint((*set_up.CHANNELS, *set_up.RUN_BY)):
        for role_id in filter(None, (now.get(key) for key in set_up.RUN_BY)):
            require_may_mention(interaction, role_id, moderators_id or channel_id)


def setup_answer(interaction: Interaction, checkup: Checkup, title: str, then: str = "") -> Answer:
    """Return what works, what has to be changed and what comes next, with a button that asks for what is missing."""
    league = checkup.league
    lines = [line for about in checked(guild_of(interaction), checkup).values() for line in about]
    missing = None in (league.moderation_channel_id, league.moderator_role_id)
    ask = (fill_in(league.id).button("Fill in what's missing", SUCCESS),) if missing else ()
    buttons = (*ask, write_rules(league.id).button("Your own rules"))
    return card(title, "\n".join([*lines, then]), footer=HIDING.format(interaction.client.user), buttons=buttons)


class SetUpForm(Form):
    """Who settles disputes and where, and in which time zone dates are typed."""

    def __init__(self, league: LeagueRow) -> None:
        super().__init__(f"Set up {league.name}")
        self._league = league
        self._channel = self.pick(
            "channel",
            "Moderators' channel",
            discord.ui.ChannelSelect(channel_types=[discord.ChannelType.text], required=False),
            note="Without one, disputes are posted in the league's channel, without what was said.",
        )
        self._role = self.pick(
            "role",
            "Moderator role",
            discord.ui.RoleSelect(required=False),
            note="Pinged when something waits for a decision, such as a dispute.",
        )
        note = f"Dates are typed in this time zone. Now: {league.time_zone}"
        self._zone = self.ask("zone", "Time zone", limit=60, hint="Europe/Berlin", note=note, required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Save what was filled in and test everything again."""
        typed = {
            "moderation_channel_id": next((channel.id for channel in self._channel.values), None),
            "moderator_role_id": next((role.id for role in self._role.values), None),
            "time_zone": self._zone.value or None,
        }
        changes = {key: value for key, value in typed.items() if value is not None}
        asker = caller(interaction).of(self._league.id)
        require_own_rights(interaction, changes, await asker.read(set_up.checkup))
        await asker.write(set_up.change, changes=changes)
        checkup = await asker.read(set_up.checkup)
        return setup_answer(interaction, checkup, f"{shown(checkup.league.name)} is set up")


@action("set-up", form=True)
async def fill_in(press: Press, league: LeagueId) -> Reply:
    """Ask for what is missing in a league's set-up."""
    return SetUpForm((await press.who.of(league).read(set_up.checkup)).league)


@action("league-rules", form=True)
async def write_rules(press: Press, league: LeagueId) -> Reply:
    """Ask for the organisers' own rules."""
    return RulesForm((await press.who.of(league).read(set_up.checkup)).league)


class RulesForm(Form):
    """The organisers' own rules."""

    def __init__(self, league: LeagueRow) -> None:
        super().__init__(f"Rules of {league.name}")
        self._league = league
        note = "Players agree to them before they join. Leave it empty to have no rules of your own."
        self._text = self.ask("rules", "Your own rules", limit=LONGEST_RULES, note=note, required=False, long=True)
        self._text.default = league.rules_text

    async def answer(self, interaction: Interaction) -> Reply:
        """Save the text, or remove it where it is empty."""
        text = self._text.value
        asker = await caller(interaction).of(self._league.id).write(set_up.write_rules, text=text)
        if asker.rules_text is None:
            return Answer(text="Removed: players join without rules of your own. `/rules` shows the season's rules.")
        return Answer(text="Saved. Players read these rules and agree before they join; `/rules` shows them too.")


Lines = dict[str, list[str]]
"""What is said about each option of `/league settings`."""


def checked(guild: discord.Guild, checkup: Checkup) -> Lines:
    """Return a line for everything that works and everything that has to be changed, by what it is about."""
    league = checkup.league
    return {
        "channel_id": [*_channel(guild, league), *thread_lines(guild, league, checkup.places)],
        "moderation_channel_id": _moderation(guild, league),
        "moderator_role_id": _moderators(guild, league),
        "organiser_role_id": _organisers(guild, league),
        **_given(guild, checkup),
        "time_zone": [f"✅ Dates you type are read in the time zone {shown(league.time_zone)}."],
        "join_role": _join_role(guild, checkup.join_role),
        "posts": _posts(checkup.failed),
    }


def _channel(guild: discord.Guild, league: LeagueRow) -> list[str]:
    channel = guild.get_channel(league.channel_id)
    if channel is None:
        return ["⚠️ The league's channel was deleted. Choose another: `/league settings` with `channel`."]
    return [rights_line(channel) or f"✅ {channel.mention}: the bot can post there.", *_pinning(channel, league)]


def _pinning(channel: discord.abc.GuildChannel, league: LeagueRow) -> list[str]:
    if channel.permissions_for(channel.guild.me).pin_messages or not league.board:
        return []
    return [f"⚠️ {channel.mention}: without **Pin Messages** the board isn't pinned. {allow(channel.guild.me)}"]


def _moderation(guild: discord.Guild, league: LeagueRow) -> list[str]:
    if not league.moderators_apart:
        seen = f"disputes are posted in <#{league.channel_id}>, without what was said"
        return [f"⚠️ No moderators' channel: {seen}. Choose one: `/league settings` with `moderation_channel`."]
    channel = guild.get_channel(league.moderation_channel_id or 0)
    if channel is None:
        gone = "⚠️ The moderators' channel was deleted"
        return [f"{gone}. Choose another: `/league settings` with `moderation_channel`, or take it away with `remove`."]
    wrong = [
        line
        for line in (rights_line(channel), _open_to_players(channel), _closed_to_moderators(channel, league))
        if line
    ]
    return wrong or [f"✅ {channel.mention}: the bot can post there, and players can't read it."]


def _open_to_players(channel: discord.abc.GuildChannel) -> str:
    if not channel.permissions_for(channel.guild.default_role).view_channel:
        return ""
    fix = f"In the channel's settings, open **Permissions** and switch off **View Channel** for {_EVERYONE}"
    return f"⚠️ {channel.mention}: everyone can read it, with both sides' statements in disputes. {fix}."


def _closed_to_moderators(channel: discord.abc.GuildChannel, league: LeagueRow) -> str:
    role = channel.guild.get_role(league.moderator_role_id or 0)
    if role is None or channel.permissions_for(role).view_channel:
        return ""
    return f"⚠️ {channel.mention}: {role.mention} can't read it. {allow(role)}"


def _moderators(guild: discord.Guild, league: LeagueRow) -> list[str]:
    if league.moderator_role_id is None:
        asked = moderators_of(league)
        mentions = [*(f"<@&{role}>" for role in asked.roles), *(f"<@{person}>" for person in asked.people)]
        missing = f"⚠️ No moderator role: {listed(mentions) or 'no one'} is pinged when something waits for a decision"
        return [f"{missing}. Choose one: `/league settings` with `moderator_role`."]
    role = guild.get_role(league.moderator_role_id)
    if role is None:
        return ["⚠️ The moderator role was deleted. Choose another: `/league settings` with `moderator_role`."]
    return [_unpinged(role, league) or f"✅ {role.mention} is pinged when something waits for a decision."]


def _organisers(guild: discord.Guild, league: LeagueRow) -> list[str]:
    if league.organiser_role_id is None:
        return ["✅ Organisers: everyone with Manage Server."]
    role = guild.get_role(league.organiser_role_id)
    if role is None:
        return ["⚠️ The organiser role was deleted. Choose another: `/league settings` with `organiser_role`."]
    return [_unpinged(role, league) or f"✅ Organisers: {role.mention} and everyone with Manage Server."]


def _join_role(guild: discord.Guild, role_id: int | None) -> list[str]:
    if role_id is None:
        return []
    role = guild.get_role(role_id)
    if role is None:
        gone = "⚠️ The role that's needed to join the season was deleted, so no one can join"
        return [f"{gone}. Choose another: `/season settings` with `setting:join_role`."]
    return [f"✅ Only members with {role.mention} can join the season."]


def _unpinged(role: discord.Role, league: LeagueRow) -> str:
    """Return how to let the bot ping a role; nothing where it can."""
    channel = role.guild.get_channel(league.moderation_channel_id or league.channel_id)
    if role.mentionable or (channel is not None and channel.permissions_for(role.guild.me).mention_everyone):
        return ""
    fix = f"In Server Settings > Roles > {shown(role.name)}, switch on **Allow anyone to @mention this role**"
    return f"⚠️ {role.mention}: the bot can't ping this role, so its people miss what waits for them. {fix}."


def _given(guild: discord.Guild, checkup: Checkup) -> Lines:
    """Return whether the bot can give the roles it is to give."""
    league = checkup.league
    wanted = {
        "participant_role_id": (league.participant_role_id, "everyone in the season has it"),
        "champion_role_id": (league.champion_role_id, "the champion has it"),
    }
    return {
        key: [_givable(guild, key.removesuffix("_id"), role_id, does, checkup.no_roles)]
        for key, (role_id, does) in wanted.items()
        if role_id is not None
    }


def _givable(guild: discord.Guild, option: str, role_id: int, does: str, problem: str) -> str:
    role, words = guild.get_role(role_id), option.replace("_", " ")
    if role is None:
        return f"⚠️ The {words} was deleted. Choose another: `/league settings` with `{option}`."
    if not (role.is_assignable() and guild.me.guild_permissions.manage_roles):
        if role.managed:
            return f"⚠️ {role.mention}: Discord lets nobody give this role. Choose another for `{option}`."
        fix = "In Server Settings > Roles, allow the bot's role **Manage Roles**, and drag it above this one"
        return f"⚠️ {role.mention}: the bot can't give this role. {fix}."
    return f"⚠️ {shown(problem)}" if problem else f"✅ {role.mention}: {does}."


def _posts(failed: int) -> list[str]:
    if not failed:
        return ["✅ No post is missing."]
    return [f"⚠️ {amount(failed, 'post')} couldn't be made. `/disputes` says why, with **Try again**."]
