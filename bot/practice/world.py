"""The prepared guild of the practice server: who is there, which channels there are, and what the first posts say."""

from dataclasses import dataclass
from typing import Any

import discord
from simcord import Env
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle, RoleHandle

BOT_NAME = "Fairpair"
GUILD_NAME = "Practice Guild"
LEAGUE_NAME = "Practice League"
ORGANISER = "Olivia (organiser)"
MODERATOR = "Marco (moderator)"
PLAYERS = ("Ada", "Bruno", "Chidi", "Daria", "Emil", "Farah", "Goro", "Hana")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The handles of everything in the prepared guild."""

    guild: GuildHandle
    welcome: ChannelHandle
    league: ChannelHandle
    moderators: ChannelHandle
    organiser_role: RoleHandle
    moderator_role: RoleHandle
    organiser: MemberActor
    moderator: MemberActor
    players: tuple[MemberActor, ...]

    @property
    def people(self) -> tuple[MemberActor, ...]:
        """Return everyone the user can act as, the organiser first."""
        return (self.organiser, self.moderator, *self.players)

    @property
    def channels(self) -> tuple[ChannelHandle, ...]:
        """Return the guild's channels in the order in which the page lists them."""
        return (self.welcome, self.league, self.moderators)

    def person(self, person_id: int) -> MemberActor:
        """Return one of the people."""
        return next(person for person in self.people if person.id == person_id)


def build(env: Env) -> World:
    """Build the guild before the bot starts.

    Ids come from the simulated clock, which is at a fixed date until the guild is complete: the same calls in the
    same order give the same ids at every start, so an open page goes on as the same person in the same channel.
    """
    env.backend.bot_user.name = BOT_NAME
    guild = env.create_guild(GUILD_NAME)
    may = discord.Permissions(manage_guild=True, create_private_threads=True, pin_messages=True)
    organisers = guild.create_role("Organiser", permissions=may, mentionable=True, color=0xE67E22)
    moderators = guild.create_role("Moderator", mentionable=True, color=0x3498DB)
    private: dict[Any, discord.PermissionOverwrite] = {
        guild.default_role: discord.PermissionOverwrite(view_channel=False),
        guild.roles[BOT_NAME]: discord.PermissionOverwrite(view_channel=True),
        organisers: discord.PermissionOverwrite(view_channel=True),
        moderators: discord.PermissionOverwrite(view_channel=True),
    }
    welcome = guild.create_text_channel("welcome", topic="How to play a whole season, step by step")
    league = guild.create_text_channel("league", topic="Sign-up, pairings, results and standings")
    back_room = guild.create_text_channel("moderators", overwrites=private, topic="Disputes and overdue matches")
    world = World(
        guild=guild,
        welcome=welcome,
        league=league,
        moderators=back_room,
        organiser_role=organisers,
        moderator_role=moderators,
        organiser=_member(env, guild, ORGANISER, organisers),
        moderator=_member(env, guild, MODERATOR, moderators),
        players=tuple(_member(env, guild, name) for name in PLAYERS),
    )
    for person in world.people:
        env.backend.get_dm_channel(person.id)
    return world


def _member(env: Env, guild: GuildHandle, name: str, *roles: RoleHandle) -> MemberActor:
    user = env.create_user(name.split()[0].lower(), global_name=name)
    return guild.add_member(user, roles=roles)
