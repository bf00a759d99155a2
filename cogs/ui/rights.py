"""What the bot may do in a channel: what it needs there, what it lacks, and exactly what to change."""

from collections.abc import Mapping

import discord

from bot.league.season.choices import MatchPlaces
from cogs.ui.text import listed
from storage.rows import LeagueRow

NEEDED: Mapping[str, str] = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
"""What the bot needs in a league's channels: to post, to add pictures and files, and to find its own posts again."""

THREAD_RIGHTS: Mapping[MatchPlaces, Mapping[str, str]] = {
    MatchPlaces.CARD: {},
    MatchPlaces.THREADS: {
        "create_public_threads": "Create Public Threads",
        "send_messages_in_threads": "Send Messages in Threads",
    },
    MatchPlaces.PRIVATE: {
        "create_private_threads": "Create Private Threads",
        "send_messages_in_threads": "Send Messages in Threads",
    },
}
"""What the bot needs besides to make a thread for each match and write in it."""

PIN = "pin_messages"
"""What the bot needs besides to pin the board."""
ROLES = "manage_roles"
"""What the bot needs besides to give roles to players and the champion."""


def every_right() -> frozenset[str]:
    """Return all rights the bot can make use of, which an invite link asks for."""
    return frozenset({*NEEDED, PIN, ROLES, *(right for rights in THREAD_RIGHTS.values() for right in rights)})


def rights_line(channel: discord.abc.GuildChannel) -> str:
    """Return which rights the bot lacks in a channel; nothing where it has all it needs."""
    missing = _missing(channel, NEEDED)
    return f"⚠️ {channel.mention}: the bot still needs {listed(missing)}. {allow(channel.guild.me)}" if missing else ""


def _missing(channel: discord.abc.GuildChannel, needed: Mapping[str, str]) -> list[str]:
    have = channel.permissions_for(channel.guild.me)
    return [f"**{label}**" for right, label in needed.items() if not getattr(have, right)]


def thread_lines(guild: discord.Guild, league: LeagueRow, places: MatchPlaces) -> list[str]:
    """Return what has to be changed so that matches can have threads; nothing where the season has none."""
    there, role = guild.get_channel(league.channel_id), guild.get_role(league.moderator_role_id or 0)
    if there is None or places is MatchPlaces.CARD:
        return []
    lines: list[str] = []
    if missing := _missing(there, THREAD_RIGHTS[places]):
        lines.append(f"⚠️ {there.mention}: for threads the bot still needs {listed(missing)}. {allow(guild.me)}")
    if places is MatchPlaces.PRIVATE and there.type is discord.ChannelType.news:
        lines.append(f"⚠️ {there.mention}: an announcement channel can't have private threads. Choose public ones.")
    if places is MatchPlaces.PRIVATE and role is not None and not there.permissions_for(role).manage_threads:
        see = f"⚠️ {there.mention}: without **Manage Threads** {role.mention} can't read private threads"
        lines.append(f"{see}. {allow(role)}")
    return lines or [f"✅ {there.mention}: the bot can make threads for matches."]


def allow(who: discord.Member | discord.Role) -> str:
    """Return how to allow a right in a channel."""
    return f"In the channel's settings, open **Permissions**, add {who.mention} and allow it."
