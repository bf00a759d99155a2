"""What Discord says about the bot: reachable, clock, token, rights on its servers; and the link that invites it."""

import base64
import binascii
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.hosting.findings import Finding, good, skipped, wrong
from cogs.ui.commands import names_of
from cogs.ui.rights import NEEDED, every_right
from cogs.wiring import COGS

PATIENCE = aiohttp.ClientTimeout(total=10)
MOST_SECONDS_OFF = 30
"""How wrong the computer's clock can be before deadlines and countdowns visibly are."""
PORTAL = "https://discord.com/developers/applications"


def application_of(token: str) -> int | None:
    """Return the id of the application a bot token is of, which is its first part; None if it isn't a bot token."""
    first = token.split(".")[0]
    try:
        decoded = base64.urlsafe_b64decode(first + "=" * (-len(first) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return int(decoded) if decoded.isascii() and decoded.isdigit() and token.count(".") == 2 else None


def invite_link(application: int) -> str:
    """Return the link by which people add the bot to a server, with the rights it can make use of and no other."""
    rights = discord.Permissions(**dict.fromkeys(every_right(), True))
    return discord.utils.oauth_url(application, permissions=rights, scopes=("bot", "applications.commands"))


async def findings(token: str | None, dev_guild: int | None = None) -> AsyncIterator[Finding]:
    """Yield what Discord says; without a network or token, what couldn't be asked."""
    application = application_of(token) if token else None
    headers = {"User-Agent": f"DiscordBot (Fairpair, {version('fairpair')})"}
    if token:
        headers["Authorization"] = f"Bot {token}"
    async with aiohttp.ClientSession(headers=headers, timeout=PATIENCE) as session:
        try:
            async with session.get(f"{Route.BASE}/users/@me") as answer:
                yield _clock(answer.headers.get("Date"))
                yield await _token(answer, token)
            if answer.status == 200:
                async with session.get(f"{Route.BASE}/users/@me/guilds") as guilds:
                    servers = await guilds.json()
                    yield _rights(servers)
                    yield _roles(servers)
                where = f"applications/{application}" + (f"/guilds/{dev_guild}" if dev_guild else "")
                async with session.get(f"{Route.BASE}/{where}/commands") as commands:
                    yield _commands(await commands.json() if commands.status == 200 else None)
        except (aiohttp.ClientError, TimeoutError) as error:
            yield wrong("Discord", f"can't be reached ({str(error) or 'no answer'}): check the network")
    if application is not None:
        yield good("invite link", invite_link(application))


def _commands(registered: list[dict[str, Any]] | None) -> Finding:
    """Tell which commands Discord doesn't have: it may have refused the list."""
    if registered is None:
        return skipped("commands", "Discord didn't say which it has")
    missing = sorted(names_of(COGS) - {command["name"] for command in registered})
    if missing:
        few = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        return wrong("commands", f"Discord lacks {few}: start the bot; if it refuses them, the bot's log says why")
    return good("commands", "all are on Discord")


def _clock(date: str | None) -> Finding:
    if date is None:
        return skipped("clock", "Discord didn't say what time it is")
    off = abs((datetime.now(UTC) - parsedate_to_datetime(date)).total_seconds())
    if off > MOST_SECONDS_OFF:
        return wrong(
            "clock", f"{off:.0f} seconds away from Discord's: let the system set it (timedatectl set-ntp true)"
        )
    return good("clock", "as Discord's")


async def _token(answer: aiohttp.ClientResponse, token: str | None) -> Finding:
    if token is None:
        return skipped("Discord", "can be reached; no DISCORD_TOKEN to try")
    if answer.status == 200:
        return good("Discord", f"takes the token, as {(await answer.json())['username']}")
    if answer.status == 401:
        return wrong("Discord", f"doesn't take DISCORD_TOKEN: reset it at {PORTAL} and put the new one in .env")
    return wrong("Discord", f"answers {answer.status} {answer.reason}: try again later")


def _rights(guilds: list[dict[str, Any]]) -> Finding:
    """Tell where the bot's role lacks a right; what channels allow on top, `/league settings` says."""
    lacking_rights: list[str] = []
    for guild in guilds:
        have = discord.Permissions(int(guild["permissions"]))
        lacking = [label for right, label in NEEDED.items() if not (have.administrator or getattr(have, right))]
        lacking_rights += [f"{guild['name']} ({', '.join(lacking)})"] if lacking else []
    if lacking_rights:
        return wrong(
            "rights", f"missing on {'; '.join(lacking_rights)}: give them to the bot's role, or invite it again"
        )
    return good("rights", f"all it needs on {len(guilds)} server{'' if len(guilds) == 1 else 's'}")


def _roles(guilds: list[dict[str, Any]]) -> Finding:
    """Tell where the bot can't give roles, which only some leagues want."""
    have = {guild["name"]: discord.Permissions(int(guild["permissions"])) for guild in guilds}
    lacking = [name for name, rights in have.items() if not (rights.administrator or rights.manage_roles)]
    if lacking:
        where = ", ".join(lacking)
        return good("roles", f"can't be given on {where}: only participant_role and champion_role need Manage Roles")
    return good("roles", "can be given, where the bot's role is above them")
