"""Several leagues in one server, several servers, hostile names, and fields no embed holds."""

import re

import discord
import pytest

from tests.cogs.conftest import World, message_text, rows_of, text_of
from tests.examples import mostly_long

HOSTILE = (
    "@everyone", "**bold**", "[x](http://evil.example)", "<@123456789012345678>", "`code`", "||hidden||", "_u_",
    "# big", "مرحبا", "𝒜da", "Zoë", "<:emoji:123456789012345678>", "a\\b",
    "~~gone~~", "'; DROP TABLE players; --", "=1+1",
)  # fmt: skip


@pytest.mark.long
async def test_two_leagues_in_one_server(world: World) -> None:
    await world.league("One")
    other = world.guild.create_text_channel("other")
    await world.chief.slash(world.channel, "league create", name="Two", channel=other, league="One")
    elsewhere = world.guild.create_text_channel("chat")
    asked = await world.organiser.slash(elsewhere, "season create", format="ohs")
    assert asked.ephemeral
    assert "option league: One, Two" in text_of(asked)
    await world.opened(elsewhere, league="Two")
    assert any("Two, season 1" in message_text(post) for post in other.history())
    assert "has no season" in text_of(await world.players[0].slash(world.channel, "signup"))
    assert "season 1" in text_of(await world.players[0].slash(other, "signup"))
    assert "no league" in text_of(await world.players[0].slash(other, "signup", league="Three"))


@pytest.mark.long
async def test_two_servers_know_nothing_of_each_other(world: World) -> None:
    await world.started(players=2)
    guild = world.env.create_guild("Elsewhere")
    channel = guild.create_text_channel("league")
    role = guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True))
    boss = guild.add_member(world.env.create_user("boss"), roles=[role])
    assert "no league yet" in text_of(await boss.slash(channel, "season start"))
    await boss.slash(channel, "league create", name="Arena League", channel=channel)
    panel = await boss.slash(channel, "season create", format="ohs")
    await boss.click(panel.response, label="Open sign-ups")
    assert await boss.autocomplete(channel, "player drop", "player", "") == []
    assert "no match" in text_of(await boss.slash(channel, "result clear", match="R1 M1", reason="x"))
    assert len(world.open_matches()) == 1


@pytest.mark.parametrize("name", mostly_long(HOSTILE, quick=4))
async def test_hostile_names_are_shown_as_they_are(world: World, name: str) -> None:
    await world.league()
    await world.season(players=1)
    answer = await world.players[1].slash(world.channel, "signup", name=name)
    if "You're in season 1" not in text_of(answer):
        assert answer.ephemeral
        return
    await world.organiser.slash(world.channel, "season start")
    table = await world.outsider.slash(world.channel, "standings")
    assert name in unescaped(text_of(table))
    assert any(name in unescaped(message_text(post)) for post in world.channel.history())
    for post in [*world.channel.history(), table.response.message]:
        assert not post.mention_everyone
        assert "@everyone" not in message_text(post)
        said = re.sub("`/[a-z -]+`", "", message_text(post))
        assert not BARE.search(said.replace("**", "").replace("<@145", "").replace("<t:", ""))
    while found := world.open_matches():
        await world.report(world.players[0], "lost", found[0])
    assert name in unescaped(message_text(world.post("is the champion")))


BARE = re.compile(r"(?<!\\)(?:\\\\)*(?:[*~`|]|\[|<(?!@&?\d{15}))")


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).replace("\N{ZERO WIDTH SPACE}", "")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("x" * 33, "use at most 32"),
        ("draw", "is a word for a result"),
        ("Ada", "Ada"),
        ("АdА", "Ada"),
        ("zero\u200bwidth", "U+200B"),
        ("line\nbreak", "U+000A"),
        ("a\u202eb", "U+202E"),
    ],
)
async def test_names_that_mislead_are_refused_with_a_reason(world: World, name: str, reason: str) -> None:
    await world.league()
    await world.season(players=1)
    answer = await world.outsider.slash(world.channel, "signup", name=name)
    assert answer.ephemeral
    assert "You're in season" not in text_of(answer)
    assert reason in text_of(answer)


@pytest.mark.long
async def test_a_field_of_seventy_stays_within_every_limit(world: World) -> None:
    world.players += [world.member(f"A very long name for player {number:03}"[:32]) for number in range(62)]
    await world.league()
    done = await world.opened(rounds=2)
    assert "are open in" in text_of(done)
    for player in world.players:
        await player.slash(world.channel, "signup")
    await world.organiser.slash(world.channel, "season start")
    pages = world.posts("## Round 1")
    assert len(pages) > 1
    pinged = [user.id for page in pages for user in page.mentions]
    assert sorted(pinged) == sorted(player.id for player in world.players)
    assert [len(rows_of(page)) for page in pages] == [12, 12, 11]
    last = world.open_matches()[-1]
    assert "It counts now" in text_of(await world.report(world.sides(last)[0], "lost", last))
    assert world.fresh(last).label == "Details"
    answer = await world.outsider.slash(world.channel, "standings")
    assert len(text_of(answer)) < 6000
    whole = (await world.outsider.slash(world.channel, "standings")).response
    assert whole.attachments or "70." in message_text(whole)


async def test_a_channel_closed_to_the_bot_is_warned_of_at_once(world: World) -> None:
    deny = discord.PermissionOverwrite(send_messages=False)
    allow = discord.PermissionOverwrite(send_messages=True)
    overwrites = {world.guild.default_role: deny, world.chief: allow}
    closed = world.guild.create_text_channel("closed", overwrites=overwrites)
    done = await world.chief.slash(world.channel, "league create", name="Shut", channel=closed)
    assert "is set up" in text_of(done)
    assert "the bot still needs **Send Messages** and **Attach Files**" in text_of(done)
