"""What everyone can look up: standings, bracket, history, rules."""

from bot.league.standings import Standing
from bot.services import find
from bot.services.seasons import careers, tables
from bot.services.seasons.careers import Career
from cogs.ui.commands import command
from cogs.ui.context import Asked, LeagueCog
from cogs.ui.options.names import PlayerName, SeasonNumber
from cogs.ui.render.tables import bracket_lines, long_answer, record, standing_line
from cogs.ui.replies import Answer, Reply
from cogs.ui.text import count, shown


class Tables(LeagueCog):
    """Tables."""

    @command(private=False)
    async def standings(self, who: Asked, season: SeasonNumber | None = None) -> Reply:
        """Show the standings of the season, or of an earlier one."""
        view = await tables.standings(**who, number=season)
        title = f"{shown(view.league.name)}, season {view.season.number}: standings"
        lines = [standing_line(row, view.tiebreaks, view.ratings.get(row.name)) for row in view.rows]
        return long_answer(title, lines, file_name=f"season-{view.season.number}-standings.txt")

    @command(private=False)
    async def bracket(self, who: Asked, season: SeasonNumber | None = None) -> Reply:
        """Show the bracket of the season, or of an earlier one."""
        view = await tables.bracket(**who, number=season)
        title = f"{shown(view.league.name)}, season {view.season.number}: bracket"
        return long_answer(title, bracket_lines(view.rounds), file_name=f"season-{view.season.number}-bracket.txt")

    @command(private=False, player="Whose history; your own if left out", opponent="Only matches against this player")
    async def history(self, who: Asked, player: PlayerName | None = None, opponent: PlayerName | None = None) -> Reply:
        """Show a player's seasons and rating, or matches against one opponent."""
        player = player or await find.own_name(**who)
        return career(await careers.history(**who, player=player, opponent=opponent))


def career(found: Career) -> Answer:
    """Return a player's seasons, or their matches against one opponent."""
    opponent = found.opponent
    former = f"Formerly {shown(', '.join(found.former_names))}\n" if found.former_names else ""
    rating = f"Rating {found.rating.mu - 3 * found.rating.sigma:.1f}\n"
    seasons_played = [] if opponent else [season_line(number, line) for number, line in found.seasons.items()]
    meetings = [f"Season {m.season}, round {m.round}: {shown(m.result)}" for m in found.meetings]
    lines = [*seasons_played, *(meetings if opponent else [])]
    title = shown(found.name) + (f" v {shown(opponent)}" if opponent else "")
    so_far = count(len(found.meetings), "match", "matches") if opponent else count(len(found.seasons), "season")
    head = f"{former}{rating}{so_far}"
    return long_answer(title, lines, file_name="history.txt", head=head)


def season_line(number: int, line: Standing) -> str:
    """Return what a player did in a season; there is no rank before their first result."""
    rank = f", rank {line.rank}" if line.wins or line.losses or line.draws else ""
    place = f", place {line.place}" if line.place is not None else ""
    return f"Season {number}: {record(line)}{rank}{place}"
