"""What everyone can look up: standings, bracket, history, rules."""

from typing import Any

from discord import app_commands

from bot.services import find
from bot.services.seasons import careers, tables
from bot.services.seasons.careers import Career, SeasonResult
from bot.services.seasons.tables import BracketView, StandingsView
from cogs.ui.context import Interaction, LeagueCog, asked, league_meant
from cogs.ui.options.names import LeagueName, PlayerName, SeasonNumber
from cogs.ui.render.tables import bracket_lines, long_answer, standing_line
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import count, shown


class Tables(LeagueCog):
    """Tables."""

    @app_commands.command(name="standings", description="The standings of the season, or of an earlier one")
    @answered(private=False)
    async def standings(
        self, interaction: Interaction, season: SeasonNumber | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Show the standings."""
        return table(await tables.standings(self.db, **await asked(interaction, league), number=season))

    @app_commands.command(name="bracket", description="The bracket of the season, or of an earlier one")
    @answered(private=False)
    async def bracket(
        self, interaction: Interaction, season: SeasonNumber | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Show the bracket."""
        return tree(await tables.bracket(self.db, **await asked(interaction, league), number=season))

    @app_commands.command(name="history", description="A player's seasons and rating, or matches against one opponent")
    @answered(private=False, player="Whose history; your own if left out", opponent="Only matches against this player")
    async def history(
        self,
        interaction: Interaction,
        player: PlayerName | None = None,
        opponent: PlayerName | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Show a player's career."""
        who = await asked(interaction, league)
        player = player or await find.own_name(self.db, **who)
        found = await careers.history(self.db, **who, player=player, opponent=opponent)
        return career(found, opponent)

    @app_commands.command(name="rules", description="The season's rules in plain words")
    @answered(private=False)
    async def rules(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Show the rules of the season."""
        meant = await league_meant(interaction, league)
        lines = [f"• {shown(rule)}" for rule in await tables.rules(self.db, **await asked(interaction, league))]
        return long_answer(f"Rules of {shown(meant.name)}", lines, file_name="rules.txt")


def table(view: StandingsView) -> Answer:
    """Return the standings, one player a line."""
    title = f"{shown(view.league.name)}, season {view.season.number}: standings"
    lines = [standing_line(row, view.tiebreaks, view.ratings.get(row.name)) for row in view.rows]
    return long_answer(title, lines, file_name=f"season-{view.season.number}-standings.txt")


def tree(view: BracketView) -> Answer:
    """Return the bracket, round by round."""
    number = view.season.number
    title = f"{shown(view.league.name)}, season {number}: bracket"
    return long_answer(title, bracket_lines(view.rounds), file_name=f"season-{number}-bracket.txt")


def career(found: Career, opponent: str | None) -> Answer:
    """Return a player's seasons, or their matches against one opponent."""
    former = f"Formerly {shown(', '.join(found.former_names))}\n" if found.former_names else ""
    rating = f"Rating {found.rating.mu - 3 * found.rating.sigma:.1f}\n"
    seasons_played = [] if opponent else [_season_line(season) for season in found.seasons]
    meetings = [f"Season {m.season}, round {m.round}: {shown(m.result)}" for m in found.meetings]
    lines = [*seasons_played, *(meetings if opponent else [])]
    title = shown(found.name) + (f" v {shown(opponent)}" if opponent else "")
    so_far = count(len(found.meetings), "match", "matches") if opponent else count(len(found.seasons), "season")
    head = f"{former}{rating}{so_far}"
    return long_answer(title, lines, file_name="history.txt", head=head)


def _season_line(season: SeasonResult) -> str:
    record = f"{season.wins}-{season.losses}" + (f"-{season.draws}" if season.draws else "")
    rank = "" if season.rank is None else f", rank {season.rank}"
    place = f", place {season.place}" if season.place is not None else ""
    return f"Season {season.number}: {record}{rank}{place}"


async def setup(bot: Any) -> None:
    """Add the tables to the bot."""
    await bot.add_cog(Tables(bot))
