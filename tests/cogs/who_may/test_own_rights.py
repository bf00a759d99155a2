"""Nobody does through the bot what they can't do themselves on the server, and in the channel where it acts."""

import inspect
import re
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from bot.league.season.setting_values import RoleId
from bot.league.season.settings import SETTINGS
from cogs.ui.forms import Form
from tests.cogs.conftest import World, text_of
from tests.cogs.who_may.matrix import BUTTONS, FORMS, OWN_RIGHTS, Own
from tests.cogs.who_may.test_commands_and_suggestions import leaves
from tests.examples import mostly_long

OF_DISCORD = {discord.AppCommandOptionType.channel, discord.AppCommandOptionType.role}
MANAGED = discord.PermissionOverwrite(send_messages=True, manage_roles=True, mention_everyone=False)


def named_by_forms(kind: type[Form] = Form) -> set[str]:
    """Return the fields of forms that take a channel or a role."""
    source = "" if kind is Form else inspect.getsource(kind)
    named = {f"{kind.__name__} {field}" for field in re.findall(r'\.pick\(\s*"(\w+)"', source)}
    return named.union(*map(named_by_forms, kind.__subclasses__()))


def shown_to_all() -> set[str]:
    """Return the doors whose answers are for everyone."""
    return {door for door, line in BUTTONS.items() if line.posts} | {
        form for form, opened in FORMS.items() if opened.line.posts
    }


@pytest.mark.long
async def test_whatever_names_a_channel_or_a_role_or_shows_something_to_all_is_in_the_matrix(world: World) -> None:
    options = {
        f"{name} {option.display_name}"
        for name, command in leaves(world).items()
        for option in command.parameters
        if option.type in OF_DISCORD
    }
    roles = {f"setting {key}" for key, setting in SETTINGS.items() if isinstance(setting.values, RoleId)}
    by_hand = {"league create league", "league settings board", "setting match_places", "announce text"}
    assert set(OWN_RIGHTS) == options | roles | named_by_forms() | shown_to_all() | by_hand


@dataclass
class Scene:
    """A league in #rules, where most may only read, and people who may let the bot do everything there or nothing."""

    world: World
    rules: ChannelHandle
    shut: ChannelHandle
    """Like it, but of no league."""
    open: ChannelHandle
    manager: MemberActor
    """Manages the server and the permissions of #open; without rights of their own in #rules."""
    all: MemberActor
    role: Any

    def state(self) -> list[Any]:
        """Return what can have changed: leagues, what was done in them, and what stands in #rules."""
        with closing(sqlite3.connect(self.world.env.bot.settings.database)) as conn:
            rows = [conn.execute(f"SELECT * FROM {table}").fetchall() for table in ("leagues", "audit", "seasons")]
        return [*rows, [post.id for post in self.rules.history()]]

    async def tried(self, name: str, who: MemberActor) -> InteractionResult:
        """Let someone try what a line of the matrix is about."""
        door, _, option = name.rpartition(" ")
        if door == "league create":
            return await self._create(option, who)
        if door == "league settings":
            value = {"board": "on"}.get(option, self.shut if "channel" in option else self.role)
            return await who.slash(self.open, door, **{option: value}, league="Rules" if option == "board" else "Arena")
        return await _TRIES[name](self, who)

    async def _create(self, option: str, who: MemberActor) -> InteractionResult:
        given: dict[str, Any] = {"channel": self.world.guild.create_text_channel("third")}
        value: Any = {"league": "Secret", "channel": self.shut, "moderation_channel": self.shut}.get(option, self.role)
        return await who.slash(self.open, "league create", name="Third", **{**given, option: value})

    async def set_up(self, who: MemberActor, **filled: Any) -> InteractionResult:
        """Fill in what is missing in the open league's set-up."""
        check = await who.slash(self.open, "league settings", league="Arena")
        form = await who.click(check.response, label="Fill in what's missing")
        return await who.submit_modal(form, {"zone": "UTC", **filled})

    async def announce(self, who: MemberActor) -> InteractionResult:
        """Announce something to the season in #rules."""
        return await who.slash(self.open, "announce", text="Look: https://example.org", league="Rules")

    async def places(self, who: MemberActor) -> InteractionResult:
        """Choose threads for the season in #rules."""
        given = {"setting": "match_places", "value": "threads", "league": "Rules"}
        return await who.slash(self.open, "season settings", **given)

    async def share(self, who: MemberActor) -> InteractionResult:
        """Show the standings to everyone in #rules."""
        return await who.click((await who.slash(self.rules, "standings")).response, label="Show to everyone")

    async def share_rules(self, who: MemberActor) -> InteractionResult:
        """Show the rules to everyone in #rules."""
        return await who.click((await who.slash(self.rules, "rules")).response, label="Show to everyone")

    async def keyforge(self, who: MemberActor) -> InteractionResult:
        """Work out who wins in KeyForge."""
        form = await who.slash(self.rules, "time-called", game="keyforge")
        return await who.submit_modal(form, {"keys": "2-1", "aember": "9-3"})

    async def lightseekers(self, who: MemberActor) -> InteractionResult:
        """Work out who wins in Lightseekers."""
        form = await who.slash(self.rules, "time-called", game="lightseekers")
        return await who.submit_modal(form, {"score": "1-0", "moment": "between"})


_TRIES: Mapping[str, Callable[[Scene, MemberActor], Awaitable[InteractionResult]]] = {
    "SetUpForm channel": lambda scene, who: scene.set_up(who, channel=[scene.shut]),
    "SetUpForm role": lambda scene, who: scene.set_up(who, role=[scene.role]),
    "setting match_places": Scene.places,
    "announce text": Scene.announce,
    "share": Scene.share,
    "share-rules": Scene.share_rules,
    "KeyForgeForm": Scene.keyforge,
    "LightseekersForm": Scene.lightseekers,
}


@pytest.fixture
async def scene(world: World) -> Scene:
    guild = world.guild
    manages = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    everything = guild.create_role("Admins", permissions=discord.Permissions(administrator=True))
    closed = discord.PermissionOverwrite(send_messages=False, pin_messages=False, create_public_threads=False)
    assert world.env.bot.user is not None
    only = {guild.default_role: closed, world.env.bot.user: discord.PermissionOverwrite(send_messages=True)}
    rules, shut, secret = (guild.create_text_channel(name, overwrites=only) for name in ("rules", "shut", "secret"))
    there = guild.create_text_channel("open", overwrites={manages: MANAGED})
    role = guild.create_role("Helpers", permissions=discord.Permissions(kick_members=True))
    manager, boss = world.member("Mona", manages), world.member("Boss", everything)
    more = {"Secret": {"moderation_channel": secret}}
    for name, channel in (("Rules", rules), ("Arena", there), ("Secret", guild.create_text_channel("s"))):
        made = await boss.slash(there, "league create", name=name, channel=channel, **more.get(name, {}))
        assert "is set up" in text_of(made), text_of(made)
    panel = await boss.slash(rules, "season create", format="ohs", league="Rules")
    await boss.click(panel.response, label="Open sign-ups")
    await world.players[0].slash(rules, "signup")
    return Scene(world, rules, shut, there, manager, boss, role)


@pytest.mark.long
@pytest.mark.parametrize(
    "name", mostly_long((name for name, own in OWN_RIGHTS.items() if own is not Own.NOTHING), quick=6)
)
async def test_nobody_lets_the_bot_do_what_they_could_not_do(scene: Scene, name: str) -> None:
    before = scene.state()
    refused = await scene.tried(name, scene.manager)
    words = OWN_RIGHTS[name].value
    assert words in text_of(refused)
    assert not [one for one in (refused.response, *refused.followups) if one is not None and not one.ephemeral]
    assert scene.state() == before
    if name == "league settings board":
        await scene.all.slash(scene.open, "league settings", board="off", league="Rules")
    done = await scene.tried(name, scene.all)
    assert words not in text_of(done), text_of(done)
    if name == "announce text":
        await scene.all.click(done.response, label="Post it")
    assert scene.state() != before, text_of(done)


@pytest.mark.long
async def test_manage_permissions_of_one_channel_gives_nobody_a_role(scene: Scene) -> None:
    """In a channel, Discord's bit for Manage Roles means its permissions: it must not count for the server."""
    roles = scene.world.env.bot.get_guild(scene.world.guild.id)
    assert roles is not None
    helpers, managers = (discord.utils.get(roles.roles, name=name) for name in ("Helpers", "Managers"))
    assert helpers is not None
    assert managers is not None
    assert helpers < managers
    refused = await scene.tried("league settings participant_role", scene.manager)
    assert Own.GIVE.value in text_of(refused)


@pytest.mark.long
async def test_an_organiser_announces_only_where_they_may_write(scene: Scene) -> None:
    """The right is asked for once more when they agree: it can be gone by then."""
    asked = await scene.announce(scene.all)
    guild, rights = scene.world.guild, discord.Permissions(manage_guild=True).value
    scene.world.env.backend.edit_role(guild.id, guild.roles["Admins"].id, {"permissions": rights})
    refused = await scene.all.click(asked.response, label="Post it")
    assert Own.WRITE.value in text_of(refused)
    assert not scene.world.posts("Look: https", scene.rules)


def test_rights_in_a_channel_are_read_only_where_the_channel_is_meant() -> None:
    root = Path(__file__).parents[3]
    reading = {
        str(file.relative_to(root))
        for folder in ("bot", "cogs")
        for file in (root / folder).rglob("*.py")
        if "interaction.permissions" in file.read_text()
    }
    assert reading == {"cogs/ui/rights.py", "cogs/ui/context.py"}


@pytest.mark.long
async def test_who_manages_a_server_discord_has_not_told_of_yet_is_asked_to_try_again(world: World) -> None:
    await world.started(players=2)
    connection: Any = world.env.bot._connection
    connection._remove_guild(world.env.bot.get_guild(world.guild.id))
    assert "Try again in a minute" in text_of(await world.chief.slash(world.channel, "league settings"))
    assert "You play Bruno" in text_of(await world.players[0].slash(world.channel, "match"))
