"""What the bot may do in a channel and exactly what to change; what people may let it do: what they could themselves.

| the bot, at someone's word | what they need themselves |
|---|---|
| gives a role | Manage Roles on the server, and a higher role |
| posts in the channel they name, or what they announce | View Channel and Send Messages there |
| pins the board they switch on | Pin Messages in the league's channel |
| makes the threads they choose | Create Public Threads, or Private ones, in the league's channel |
| mentions the role they name | a role anyone can mention, or Mention Everyone where it's mentioned |
| shows everyone what they asked for | Send Messages where they are |

Pictures and files the bot sends are its own, and its messages have no previews of links. What a season copies from an
earlier one, someone with these rights chose for it.
"""

from collections.abc import Mapping

import discord

from bot.league.errors import NotAllowed
from bot.league.season.choices import MatchPlaces
from bot.services.base.permissions import is_organiser
from cogs.ui.context import Interaction, actor
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


_WRITE = {"view_channel": "View Channel", "send_messages": "Send Messages"}
_PINS = {PIN: "Pin Messages"}
_CREATE: Mapping[MatchPlaces, Mapping[str, str]] = {
    places: {right: label for right, label in rights.items() if right.startswith("create")}
    for places, rights in THREAD_RIGHTS.items()
}


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
    channel, role = guild.get_channel(league.channel_id), guild.get_role(league.moderator_role_id or 0)
    if channel is None or places is MatchPlaces.CARD:
        return []
    lines: list[str] = []
    if missing := _missing(channel, THREAD_RIGHTS[places]):
        lines.append(f"⚠️ {channel.mention}: for threads the bot still needs {listed(missing)}. {allow(guild.me)}")
    if places is MatchPlaces.PRIVATE and channel.type is discord.ChannelType.news:
        lines.append(f"⚠️ {channel.mention}: an announcement channel can't have private threads. Choose public ones.")
    if places is MatchPlaces.PRIVATE and role is not None and not channel.permissions_for(role).manage_threads:
        see = f"⚠️ {channel.mention}: without **Manage Threads** {role.mention} can't read private threads"
        lines.append(f"{see}. {allow(role)}")
    return lines or [f"✅ {channel.mention}: the bot can make threads for matches."]


def allow(grantee: discord.Member | discord.Role) -> str:
    """Return how to allow a right in a channel."""
    return f"In the channel's settings, open **Permissions**, add {grantee.mention} and allow it."


def require_may_give(interaction: Interaction, role_id: int) -> None:
    """Raise NotAllowed unless someone could give a role themselves: nobody gets more rights through the bot."""
    member, guild = _here(interaction)
    role = guild.get_role(role_id)
    if guild.owner_id == member.id or role is None:
        return
    if not member.guild_permissions.manage_roles or role >= member.top_role:
        raise NotAllowed(
            "The bot gives only roles that you could give yourself: with Manage Roles, and below your own highest role."
            f" Ask someone who can give {role.name}."
        )


def require_may_write(interaction: Interaction, channel_id: int) -> None:
    """Raise NotAllowed unless someone could write in a channel themselves."""
    _require(interaction, channel_id, _WRITE, "write")


def require_may_pin(interaction: Interaction, channel_id: int) -> None:
    """Raise NotAllowed unless someone could pin the board themselves."""
    _require(interaction, channel_id, _PINS, "pin the board")


def require_may_make_threads(interaction: Interaction, league: LeagueRow, places: MatchPlaces | None) -> None:
    """Raise NotAllowed for an organiser who couldn't make the threads of matches in a league's channel themselves."""
    if places is not None and places is not MatchPlaces.CARD and is_organiser(league, actor(interaction)):
        _require(interaction, league.channel_id, _CREATE[places], "make threads")


def require_may_mention(interaction: Interaction, role_id: int, channel_id: int) -> None:
    """Raise NotAllowed where the bot would mention a role that someone couldn't."""
    member, guild = _here(interaction)
    role, channel = guild.get_role(role_id), guild.get_channel(channel_id)
    if role is None or role.mentionable or channel is None or role.is_default():
        return
    if channel.permissions_for(guild.me).mention_everyone and not channel.permissions_for(member).mention_everyone:
        raise NotAllowed(
            f"The bot would mention {role.name} in #{channel.name}, and you can't do that yourself. Choose another"
            " role, or ask someone who has Mention Everyone there."
        )


def may_write_here(interaction: Interaction) -> bool:
    """Whether someone could write where they are; a command comes with what they may do there."""
    if interaction.guild_id is None:
        return True
    rights = interaction.permissions
    return rights.send_messages_in_threads if isinstance(interaction.channel, discord.Thread) else rights.send_messages


def _require(interaction: Interaction, channel_id: int, needed: Mapping[str, str], what: str) -> None:
    member, guild = _here(interaction)
    channel = guild.get_channel(channel_id)
    if channel is None:
        raise NotAllowed("That channel was deleted, or the bot can't see it. Choose another one.")
    have = channel.permissions_for(member)
    missing = [label for right, label in needed.items() if not getattr(have, right)]
    if missing:
        raise NotAllowed(
            f"The bot can {what} in #{channel.name} only for people who could do that themselves. You'd need"
            f" {listed(missing)} there. Ask someone who has that, or choose another channel."
        )


def _here(interaction: Interaction) -> tuple[discord.Member, discord.Guild]:
    assert interaction.guild is not None
    assert isinstance(interaction.user, discord.Member)
    return interaction.user, interaction.guild
