"""Leagues: create, settings with their check, delete, export, import, and how large an imported file can be."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import discord
from discord import app_commands
from discord.ext import commands

from bot import publishing, steps
from bot.importers.read_file import READERS
from bot.league.errors import Invalid
from bot.services.base import find
from bot.services.base.permissions import is_organiser
from bot.services.leagues import set_up
from bot.services.leagues.set_up import Checkup, Places
from bot.services.seasons import planning
from bot.steps import File, TakenAs
from cogs.leagues import importing
from cogs.leagues.league_setup import PUBLIC, delete, require_own_rights, setup_answer
from cogs.ui.cards import Answer, Attached, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, in_league
from cogs.ui.options.names import LeagueName, SeasonNumber, TimeZone
from cogs.ui.options.uploads import data_of, file_name
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueRow

Removable = Literal["moderator role", "organiser role", "moderators' channel", "participant role", "champion role"]
_REMOVED = ("moderator_role_id", "organiser_role_id", "moderation_channel_id", *set_up.GIVEN_ROLES)
_COLUMNS = dict(zip(get_args(Removable), _REMOVED, strict=True))

LARGEST_FILE = 10_000_000
"""Bytes; 50,000 matches as CSV have half of it. A league file is refused above its own limit."""
MOST_BYTES = 15_000_000
"""Bytes of all files that come in at once."""
_FILES: dict[str, Any] = {f"file{number}": "One more file: all come in together" for number in range(2, 11)}
NEXT = (
    "\n**Next:** `/season create` prepares a season. Played before? `/league import` brings your past in: do it before"
    " the first season."
)


class Leagues(LeagueCog):
    """Leagues of the server."""

    @commands.Cog.listener("on_guild_role_delete")
    async def role_deleted(self, role: discord.Role) -> None:
        """Ask others in place of moderators or organisers whose role people deleted."""
        await self.look_at_roles(role.guild)

    @commands.Cog.listener("on_guild_available")
    async def look_at_roles(self, guild: discord.Guild) -> None:
        """Ask others in place of those whose role people deleted while the bot wasn't there."""
        role_ids, now, db = {role.id for role in guild.roles}, self.bot.now(), self.bot.database
        if not await db.read(set_up.without_roles, guild.id, role_ids):
            return
        if await db.write(set_up.roles_deleted, guild_id=guild.id, role_ids=role_ids, now=now):
            self.bot.announce()

    @command(
        "league",
        name="What the league is called",
        moderator_role="Who settles disputes; the organisers if left out",
        moderation_channel="Where disputes are posted; if left out, players see them in the league's channel",
        league="A league whose roles and moderators' channel this one should use too",
    )
    async def create(
        self,
        asker: Caller,
        name: str,
        channel: discord.TextChannel,
        moderator_role: discord.Role | None = None,
        organiser_role: discord.Role | None = None,
        moderation_channel: discord.TextChannel | None = None,
        time_zone: TimeZone | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Set up a league in a channel (needs Manage Server)."""
        model = await (await in_league(asker, league)).read(find.league) if league else None
        set_up.require_may_create(asker.actor)
        places: Places = {
            "channel_id": channel.id,
            "moderator_role_id": _id(moderator_role) or (model.moderator_role_id if model else None),
            "organiser_role_id": _id(organiser_role) or (model.organiser_role_id if model else None),
            "moderation_channel_id": _id(moderation_channel) or (model.moderation_channel_id if model else None),
        }
        require_own_rights(asker.interaction, places)
        zone = time_zone or (model.time_zone if model else None)
        created = await asker.write(set_up.create, name=name, time_zone=zone, **places)
        return setup_answer(asker.interaction, Checkup(league=created), f"{shown(created.name)} is set up", NEXT)

    @command(
        "league",
        moderator_role="Who settles disputes",
        moderation_channel="Where disputes and overdue matches are posted",
        remove="A role or channel to remove from the league",
        board="Whether the league keeps one pinned message with standings and buttons",
        name="Another name for the league",
        site="Whether the league's pages are written; its results are public then",
        participant_role="The bot gives this role to everyone in the season, and takes it back",
        champion_role="The bot gives this role to the champion, until there is another",
    )
    async def settings(
        self,
        asker: Caller,
        channel: discord.TextChannel | None = None,
        moderator_role: discord.Role | None = None,
        organiser_role: discord.Role | None = None,
        moderation_channel: discord.TextChannel | None = None,
        remove: Removable | None = None,
        time_zone: TimeZone | None = None,
        board: Literal["on", "off"] | None = None,
        name: str | None = None,
        participant_role: discord.Role | None = None,
        champion_role: discord.Role | None = None,
        site: Literal["on", "off"] | None = None,
    ) -> Reply:
        """Show or change a league's channels, roles, time zone and own rules, and test them."""
        typed = {
            "channel_id": _id(channel),
            "moderator_role_id": _id(moderator_role),
            "organiser_role_id": _id(organiser_role),
            "moderation_channel_id": _id(moderation_channel),
            "time_zone": time_zone,
            "board": None if board is None else board == "on",
            "site": None if site is None else site == "on",
            "name": name,
            "participant_role_id": _id(participant_role),
            "champion_role_id": _id(champion_role),
        }
        changes: dict[str, Any] = {key: value for key, value in typed.items() if value is not None}
        if remove is not None:
            changes |= {_COLUMNS[remove]: None}
        league = await asker.read(find.league)
        if changes:
            require_own_rights(asker.interaction, changes, await asker.read(set_up.checkup))
            league = await asker.write(set_up.change, changes=changes)
        if is_organiser(league, asker.actor):
            title = f"{shown(league.name)}: {'saved' if changes else 'settings'}"
            answer = setup_answer(
                asker.interaction, await asker.read(set_up.checkup), title, f"Pages: {_pages(league)}"
            )
        else:
            answer = card(shown(league.name), league_line(league))
        listed = [section for show in LISTED if (section := await show(asker, league)) is not None]
        return replace(answer, parts=(*answer.parts, *(part for section in listed for part in section.parts)))

    @command("league")
    async def delete(self, asker: Caller) -> Reply:
        """Delete a league without a finished season."""
        return await delete(asker)

    @command("league", as_="As what; a league file, which anyone can check without the bot, if left out")
    @app_commands.rename(as_="as")
    async def export(
        self,
        asker: Caller,
        season: SeasonNumber | None = None,
        as_: Literal["file", "csv", "xlsx", "calendar", "site", "league"] = "file",
    ) -> Reply:
        """Export a season, to check it or for a spreadsheet or calendar; or the league, its pages or all of it."""
        kind = TakenAs(as_)
        if kind is TakenAs.SITE:
            exported = await publishing.as_zip(asker.db, asker.order, self.bot.publisher)
        elif kind is TakenAs.LEAGUE:
            exported = await publishing.league_as_zip(asker.db, asker.order, self.bot.publisher)
        else:
            exported = await steps.take_out(asker.db, asker.order, self.bot.worker, season_number=season, as_=kind)
        text = (_EXPORTED[kind] if exported.checkable else _RECORDED).format(shown(exported.filename))
        return Answer(text=text, parts=(Attached(exported.filename, exported.content),))

    @command(
        "league",
        file=f"A file of one of these kinds: {', '.join(reader.name for reader in READERS)}",
        number="The number of the first season they bring; by their dates if left out",
        **_FILES,
    )
    async def import_(
        self,
        asker: Caller,
        file: discord.Attachment,
        file2: discord.Attachment | None = None,
        file3: discord.Attachment | None = None,
        file4: discord.Attachment | None = None,
        file5: discord.Attachment | None = None,
        file6: discord.Attachment | None = None,
        file7: discord.Attachment | None = None,
        file8: discord.Attachment | None = None,
        file9: discord.Attachment | None = None,
        file10: discord.Attachment | None = None,
        number: app_commands.Range[int, 1, planning.HIGHEST_NUMBER] | None = None,
    ) -> Reply:
        """Bring seasons in from a spreadsheet, another program or a league file."""
        league = await asker.read(find.league_as_organiser)
        attached = [file, *filter(None, (file2, file3, file4, file5, file6, file7, file8, file9, file10))]
        files = await _files(attached)
        preview = await importing.begin(asker, league, files, number)
        if preview is not None:
            return preview
        if number is not None:
            raise Invalid("A league file has its own number, which its draws use. Leave out the number.")
        return await importing.league_files(asker, self.bot.importer, files)


_EXPORTED = {
    TakenAs.FILE: "To check every pairing: `python -m bot verify {}`",
    TakenAs.CSV: "Standings, matches, rounds and people as CSV. What looks like a formula begins with an apostrophe.",
    TakenAs.XLSX: "Standings, matches, rounds and people, a sheet each. Times are in UTC.",
    TakenAs.SITE: "The league's pages: unpack them into a folder and open `index.html`, or put them on any web server.",
    TakenAs.LEAGUE: "The whole league: every season, and the people by name, without Discord accounts, bans and the"
    " audit log. `/league import` reads it.",
    TakenAs.CALENDAR: "Deadlines and agreed times. After changes, import a new file: it moves and cancels what "
    "your calendar has, and nothing doubles.",
}
"""What is said with an exported file."""
_RECORDED = "This season was played elsewhere: its results count, but there's no pairing to check."
"""What is said with the league file of a recorded season."""

LISTED: list[Callable[[Caller, LeagueRow], Awaitable[Answer | None]]] = []
"""What subjects list below a league's settings for the one who looks; filled by `cogs.wiring`."""


def _id(named: discord.abc.Snowflake | None) -> int | None:
    return named.id if named is not None else None


async def _files(attached: Sequence[discord.Attachment]) -> tuple[File, ...]:
    """Return attached files, those of one name told apart."""
    size = sum(file.size for file in attached)
    if len(attached) > 1 and size > MOST_BYTES:
        raise Invalid(
            f"Together the files have {size / 1_000_000:.1f} MB; at most {MOST_BYTES // 1_000_000} MB come in at once."
            " Send some of them first: later ones go where their dates belong."
        )
    often, seen = Counter(map(file_name, attached)), Counter[str]()
    files = list[File]()
    for file in attached:
        name = file_name(file)
        seen[name] += 1
        title = name if often[name] == 1 else f"{seen[name]}. {name}"
        files.append(File(name=title, data=await _data_of(file)))
    return tuple(files)


async def _data_of(file: discord.Attachment) -> bytes:
    most = LARGEST_FILE // 1_000_000
    too_large = Invalid(f"{file_name(file)} is too large: a file can have at most {most} MB here.")
    return await data_of(file, largest=LARGEST_FILE, too_large=too_large)


def league_line(league: LeagueRow) -> str:
    """Return where a league speaks and who runs it."""
    moderation = f"<#{league.moderation_channel_id}>" if league.moderation_channel_id else "the league's channel"
    organisers = f"<@&{league.organiser_role_id}>" if league.organiser_role_id else "everyone with Manage Server"
    moderators = f"<@&{league.moderator_role_id}>" if league.moderator_role_id else "the organisers"
    return f"""Channel: <#{league.channel_id}>
Moderators' posts: {moderation}
Organisers: {organisers}
Moderators: {moderators}
Time zone: {shown(league.time_zone)}
Pages: {_pages(league)}"""


def _pages(league: LeagueRow) -> str:
    return PUBLIC if league.site else "off"
