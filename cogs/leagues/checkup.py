"""How a league is set up: what works in its channels and with its roles, and exactly what to change, one line each."""

import discord

from bot.services.delivery.delivery import moderators_of
from bot.services.leagues.set_up import Checkup
from cogs.ui.rights import allow, rights_line, thread_lines
from cogs.ui.text import count, listed, shown
from storage.rows import LeagueRow

Lines = dict[str, list[str]]
"""What is said about each option of `/league settings`."""


def checked(guild: discord.Guild, found: Checkup) -> Lines:
    """Return a line for everything that works and everything that has to be changed, by what it is about."""
    league = found.league
    return {
        "channel_id": [*_channel(guild, league), *thread_lines(guild, league, found.places)],
        "moderation_channel_id": _moderation(guild, league),
        "moderator_role_id": _moderators(guild, league),
        "organiser_role_id": _organisers(guild, league),
        "time_zone": [f"✅ Dates you type are read in the time zone {shown(league.time_zone)}."],
        "posts": _posts(found.parked),
    }


def _channel(guild: discord.Guild, league: LeagueRow) -> list[str]:
    there = guild.get_channel(league.channel_id)
    if there is None:
        return ["⚠️ The league's channel was deleted. Choose another: `/league settings` with `channel`."]
    return [rights_line(there) or f"✅ {there.mention}: the bot can post there.", *_pinning(there, league)]


def _pinning(channel: discord.abc.GuildChannel, league: LeagueRow) -> list[str]:
    if channel.permissions_for(channel.guild.me).pin_messages or not league.board:
        return []
    return [f"⚠️ {channel.mention}: without **Pin Messages** the board isn't pinned. {allow(channel.guild.me)}"]


def _moderation(guild: discord.Guild, league: LeagueRow) -> list[str]:
    if not league.moderators_apart:
        seen = f"disputes are posted in <#{league.channel_id}>, and players read both sides' statements"
        return [f"⚠️ No moderators' channel: {seen}. Choose one: `/league settings` with `moderation_channel`."]
    there = guild.get_channel(league.moderation_channel_id or 0)
    if there is None:
        gone = "⚠️ The moderators' channel was deleted"
        return [f"{gone}. Choose another: `/league settings` with `moderation_channel`, or take it away with `remove`."]
    wrong = [
        line for line in (rights_line(there), _open_to_players(there), _closed_to_moderators(there, league)) if line
    ]
    return wrong or [f"✅ {there.mention}: the bot can post there, and players can't read it."]


def _open_to_players(channel: discord.abc.GuildChannel) -> str:
    if not channel.permissions_for(channel.guild.default_role).view_channel:
        return ""
    fix = "In the channel's settings, open **Permissions** and switch off **View Channel** for @everyone"
    return f"⚠️ {channel.mention}: everyone can read it, with both sides' statements in disputes. {fix}."


def _closed_to_moderators(channel: discord.abc.GuildChannel, league: LeagueRow) -> str:
    role = channel.guild.get_role(league.moderator_role_id or 0)
    if role is None or channel.permissions_for(role).view_channel:
        return ""
    return f"⚠️ {channel.mention}: {role.mention} can't read it. {allow(role)}"


def _moderators(guild: discord.Guild, league: LeagueRow) -> list[str]:
    if league.moderator_role_id is None:
        asked = moderators_of(league)
        who = [*(f"<@&{role}>" for role in asked.roles), *(f"<@{person}>" for person in asked.people)]
        missing = f"⚠️ No moderator role: {listed(who) or 'no one'} is pinged when something waits for a decision"
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


def _unpinged(role: discord.Role, league: LeagueRow) -> str:
    """Return how to let the bot ping a role; nothing where it can."""
    there = role.guild.get_channel(league.moderation_channel_id or league.channel_id)
    if role.mentionable or (there is not None and there.permissions_for(role.guild.me).mention_everyone):
        return ""
    fix = f"In Server Settings > Roles > {shown(role.name)}, switch on **Allow anyone to @mention this role**"
    return f"⚠️ {role.mention}: the bot can't ping this role, so its people miss what waits for them. {fix}."


def _posts(parked: int) -> list[str]:
    if not parked:
        return ["✅ No post is missing."]
    return [f"⚠️ {count(parked, 'post')} couldn't be made. `/disputes` says why, with **Try again**."]
