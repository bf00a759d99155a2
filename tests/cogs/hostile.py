"""Texts that try to ping, link, shout, hide or break something, and what none of them may bring about."""

import re
from typing import Any

import discord
from simcord.actors import MemberActor

from tests.cogs.conftest import World, message_text

TEXTS = (
    "@everyone evil",
    "@here evil",
    "<@1> <@&2> <#3> evil",
    "evil \u202edesrever\u202c",
    "\u2067evil\u2069 \u2066evil",
    "ev\u200bil \u200d\u200c\ufeff",
    "[evil](https://evil.example)",
    "https://evil.example/evil",
    "<https://evil.example>",
    "discord.gg/evil",
    "https://discord.com/invite/evil",
    "# evil heading\n## evil heading",
    "-# evil",
    "> evil\n>>> evil",
    "- evil\n1. evil",
    "```py\nevil\n```",
    "`evil",
    "||evil||",
    "**evil __evil__ ~~evil~~ *evil*",
    "</drop:1> evil",
    "/season cancel evil",
    "<t:0:R> <:evil:123456789012345678>",
    "evil\nevil\r\nevil\tevil",
    "evil\x00evil\x1b[31m",
    "\ud83d evil",
    "evil'); DROP TABLE matches; --",
    "../../evil",
    "=cmd|' /C evil'!A0",
    "еvіl Аdа",
    "😈" * 40 + "evil",
    "evil" + "\u0335\u0336" * 60,
    "x" * 1990 + "evil",
    "{0} {evil} %s %(evil)s",
    "R1 M99999999999999999999",
    "٣-١ evil",
    "9999-99-99 evil",
    "   ",
)
BROKE = "broke on our side"
LIVE = (
    r"(?<!\\)\]\(https?://evil",
    r"https?://(?:[a-z.]*)evil",
    r"discord\.gg/evil",
    r"^#{1,3} +evil heading",
    r"^-# evil",
    r"^>+ evil",
    r"(?<![\\|])\|\|evil\|\|",
    r"(?<!\\)</drop:1>",
    r"(?<!\\)<t:0:R>",
    r"(?<!\\)<:evil:",
    r"@everyone",
    r"@here",
    r"(?<!\\)<(@1|@&2|#3)>",
    "[\u202a-\u202e\u2066-\u2069]",
)
"""What a text of people must not become outside of code."""


def require_harmless(message: Any) -> None:
    """Fail where a message shows a hostile text as more than text, or says that the bot broke."""
    said = message_text(message)
    assert BROKE not in said, said
    assert len(said) <= 4000
    plain = re.sub(r"```.*?```|`[^`\n]*`", "", said, flags=re.DOTALL)
    for pattern in LIVE:
        found = re.search(pattern, plain, re.MULTILINE)
        assert found is None, f"{found and found[0]!r} is live in {said!r}"


def require_no_ping(world: World, post: discord.Message, *more: MemberActor) -> None:
    """Fail where a post notified anyone but the league's people and staff."""
    people, roles = world.pinged(post)
    staff = (world.chief, world.organiser, world.moderator, world.outsider)
    known = {actor.user.id for actor in (*world.players, *staff, *more)}
    assert people <= known
    assert roles <= {role.id for role in world.roles.values()}
