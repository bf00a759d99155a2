"""Leagues: set up, settings, check, rules, files in and out, the audit log."""

from typing import Any, Literal, get_args

import discord

from bot import steps
from bot.league.errors import Invalid, InvalidFile
from bot.services.base.permissions import require_organiser
from bot.services.leagues import files, set_up
from bot.services.leagues.set_up import Checkup
from cogs.leagues.league_setup import RulesForm, checked, delete, guild_of, setup_answer
from cogs.ui.cards import Answer, Attached, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Interaction, asked, caller, league_meant
from cogs.ui.options.names import LeagueName, SeasonNumber, TimeZone
from cogs.ui.options.uploads import data_of, file_name
from cogs.ui.replies import Reply
from cogs.ui.text import count, shown
from storage.rows import LeagueRow

Removable = Literal["moderator role", "organiser role", "moderators' channel"]
_COLUMNS = dict(
    zip(get_args(Removable), ("moderator_role_id", "organiser_role_id", "moderation_channel_id"), strict=True)
)

NEXT = "\n**Next:** `/season create` prepares a season."


class Leagues(LeagueCog):
    """Leagues of the server."""

    @command(
        "league",
        name="What the league is called",
        moderator_role="Who settles disputes; the organisers if left out",
        moderation_channel="Where disputes are posted; if left out, players see them in the league's channel",
        league="A league whose roles and moderators' channel this one should use too",
    )
    async def create(
        self,
        interaction: Interaction,
        name: str,
        channel: discord.TextChannel,
        moderator_role: discord.Role | None = None,
        organiser_role: discord.Role | None = None,
        moderation_channel: discord.TextChannel | None = None,
        time_zone: TimeZone | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Set up a league in a channel (needs Manage Server)."""
        model = await league_meant(interaction, league) if league else None
        made = await caller(interaction).do(
            set_up.create,
            name=name,
            channel_id=channel.id,
            moderator_role_id=_id(moderator_role) or (model and model.moderator_role_id),
            organiser_role_id=_id(organiser_role) or (model and model.organiser_role_id),
            moderation_channel_id=_id(moderation_channel) or (model and model.moderation_channel_id),
            time_zone=time_zone or (model and model.time_zone),
        )
        found = Checkup(league=made)
        return setup_answer(interaction, found, f"{shown(made.name)} is set up", NEXT)

    @command(
        "league",
        moderator_role="Who settles disputes",
        moderation_channel="Where disputes and overdue matches are posted",
        remove="A role or channel to remove from the league",
        board="Whether the league keeps one pinned message with standings and buttons",
        name="Another name for the league",
    )
    async def settings(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        moderator_role: discord.Role | None = None,
        organiser_role: discord.Role | None = None,
        moderation_channel: discord.TextChannel | None = None,
        remove: Removable | None = None,
        time_zone: TimeZone | None = None,
        board: Literal["on", "off"] | None = None,
        name: str | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Show or change a league's channels, roles and time zone."""
        said = {
            "channel_id": _id(channel),
            "moderator_role_id": _id(moderator_role),
            "organiser_role_id": _id(organiser_role),
            "moderation_channel_id": _id(moderation_channel),
            "time_zone": time_zone,
            "board": None if board is None else board == "on",
            "name": name,
        }
        changes: dict[str, Any] = {key: value for key, value in said.items() if value is not None}
        if remove is not None:
            changes |= {_COLUMNS[remove]: None}
        meant = await league_meant(interaction, league)
        if changes:
            meant = await caller(interaction).of(meant.id).do(set_up.change, changes=changes)
        lines = checked(guild_of(interaction), Checkup(league=meant))
        about = [line for key in changes for line in lines.get(key, [])]
        return card(shown(meant.name), "\n".join([league_line(meant), *([""] if about else []), *about]))

    @command("league")
    async def check(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Test channels, rights and roles, and say exactly what to change."""
        found = await (await asked(interaction, league)).see(set_up.checkup)
        return setup_answer(interaction, found, f"{shown(found.league.name)}: is everything set up?")

    @command("league", form=True)
    async def rules(self, who: Caller) -> Reply:
        """Write your own rules; players agree to them before they join."""
        return RulesForm((await who.see(set_up.checkup)).league)

    @command("league")
    async def delete(self, who: Caller) -> Reply:
        """Delete a league without a finished season."""
        return await delete(who)

    @command("league")
    async def export(self, who: Caller, season: SeasonNumber | None = None) -> Reply:
        """Export a season as a file that anyone can check without the bot."""
        made = await who.see(files.export, season_number=season)
        text = f"To check every pairing: `python -m bot verify {shown(made.filename)}`"
        return Answer(text=text, parts=(Attached(made.filename, made.text),))

    @command("league", file="The league file (JSON)")
    async def import_(
        self, interaction: Interaction, file: discord.Attachment, league: LeagueName | None = None
    ) -> Reply:
        """Import a season from a league file."""
        meant, who = await league_meant(interaction, league), caller(interaction)
        require_organiser(meant, who.actor)
        data = await _data_of(file)
        try:
            done = await steps.import_file(who.db, who.of(meant.id).order, data=data, worker=self.bot.importer)
        except InvalidFile as wrong:
            raise Invalid(f"{file_name(file)}: {wrong}") from None
        what = f"{count(done.players, 'player')}, {count(done.matches, 'match', 'matches')}"
        return Answer(text=f"Imported season {done.season_number}: {what}.")


def _id(named: discord.abc.Snowflake | None) -> int | None:
    return named.id if named is not None else None


async def _data_of(file: discord.Attachment) -> bytes:
    most = files.LARGEST_FILE // 1_000_000
    too_large = Invalid(f"{file_name(file)} is too large: a league file can have at most {most} MB here.")
    return await data_of(file, largest=files.LARGEST_FILE, too_large=too_large)


def league_line(league: LeagueRow) -> str:
    """Return where a league speaks and who runs it."""
    moderation = f"<#{league.moderation_channel_id}>" if league.moderation_channel_id else "the league's channel"
    organisers = f"<@&{league.organiser_role_id}>" if league.organiser_role_id else "everyone with Manage Server"
    moderators = f"<@&{league.moderator_role_id}>" if league.moderator_role_id else "the organisers"
    return f"""Channel: <#{league.channel_id}>
Moderators' posts: {moderation}
Organisers: {organisers}
Moderators: {moderators}
Time zone: {shown(league.time_zone)}"""
