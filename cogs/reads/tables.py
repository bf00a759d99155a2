"""What everyone can look up: standings, with how to check the order of tied players, bracket, ranking."""

from bot import steps
from bot.league.counting.ratings import ENOUGH_MATCHES
from bot.league.counting.table_columns import further
from bot.services.reads import tables
from bot.services.reads.pairings import draw_line
from bot.services.reads.tables import StandingsView
from cogs.reads.pictures import bracket_picture, cut_words, standings_picture, where
from cogs.reads.table_lines import bracket_lines, in_bold, ranking_lines, rating_words, standing_line
from cogs.ui.actions import ActionButton
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host
from cogs.ui.drawn import drawn_once
from cogs.ui.options.names import SeasonNumber
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import season_title, shown
from storage.rows import LeagueId

STANDINGS, BRACKET, RANKING = PrivateTable("standings"), PrivateTable("bracket"), PrivateTable("ranking")
MOST_DRAWS = 8
"""So many draws of tied players are listed."""


class Tables(LeagueCog):
    """Tables."""

    @command()
    async def standings(self, who: Caller, season: SeasonNumber | None = None) -> Reply:
        """Show the standings of the season, or of an earlier one."""
        return await STANDINGS.first(self.bot, who, *_given(season))

    @command()
    async def bracket(self, who: Caller, season: SeasonNumber | None = None) -> Reply:
        """Show the bracket of the season, or of an earlier one."""
        return await BRACKET.first(self.bot, who, *_given(season))

    @command()
    async def ranking(self, who: Caller) -> Reply:
        """Show the ratings of the league's players."""
        return await RANKING.first(self.bot, who)


def _given(number: int | None) -> Which:
    return () if number is None else (number,)


@STANDINGS.shows
async def show_standings(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return the standings of a season; before the first result there is no order to draw."""
    counted = await who.see(tables.standings, number=next(iter(which), None))
    view = await steps.with_verdicts(bot.database, bot.worker, counted)
    names: list[str | None] = [row.called for row in view.rows]
    key, wanted = (view.season.id, view.own), (view.own or 0) if page is None else page
    drawn = await drawn_once(bot, key, view, lambda: standings_picture(view), wanted) if view.begun else None
    return Table(
        which=_given(view.season.number),
        title=f"{season_title(view)}: standings",
        head="\n".join(f"-# {line}" for line in (where(view), view.by_hand) if line),
        lines=lambda: _standing_lines(view),
        own_line=names.index(view.own) if view.own in names else 0,
        drawn=drawn,
    )


def _standing_lines(view: StandingsView) -> list[str]:
    if not view.begun:
        rated = ((shown(row.called), row.rating) for row in view.rows)
        return [f"• {name}{f' · {rating_words(rating)}' if rating else ''}" for name, rating in rated]
    lines = [standing_line(row, view.columns, view.own) for row in view.rows]
    if view.cut_after is not None:
        lines.insert(view.cut_after, f"— {cut_words(view)} —")
    if any(row.rating and row.rating.provisional for row in view.rows):
        lines.append(f"-# \\* provisional rating: fewer than {ENOUGH_MATCHES} rated matches")
    lines += [f"-# {column.title}: {column.meaning}" for column in further(view.columns) if column.meaning]
    return [*lines, *_draws(view)]


def _draws(view: StandingsView) -> list[str]:
    """Return how to check the order of players who are tied; nothing where the draw decided nothing."""
    tied = [draw_line(row.drawn) for row in view.rows if row.drawn]
    if not tied:
        return []
    shown_ = [f"`{one.shell.replace('`', 'ˋ')}`\n→ `{one.value}`" for one in tied[:MOST_DRAWS]]
    more = [f"-# And {len(tied) - MOST_DRAWS} more, in the same way."] if len(tied) > MOST_DRAWS else []
    return [
        "",
        "**Tied players:** the smallest draw comes first. To check it, run its line in a shell:",
        *shown_,
        *more,
    ]


@BRACKET.shows
async def show_bracket(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return the bracket of a season."""
    view = await who.see(tables.bracket, number=next(iter(which), None))
    picture, wanted = bracket_picture(view), (view.own or 0) if page is None else page
    return Table(
        which=_given(view.season.number),
        title=f"{season_title(view)}: bracket",
        lines=lambda: bracket_lines(view),
        drawn=await drawn_once(bot, ("bracket", view.season.id), picture, lambda: picture, wanted),
    )


@RANKING.shows
async def show_ranking(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return the ratings of a league's players, provisional ones apart."""
    view = await who.see(tables.ranking)
    lines = ranking_lines(view)
    own = f" {in_bold(view.own)} " if view.own else None
    return Table(
        which=(),
        title=f"{shown(view.league.name)}: ranking",
        head="-# Ratings over all seasons; ± is how far off one may still be.",
        lines=lambda: lines,
        own_line=next((at for at, line in enumerate(lines) if own and own in line), 0),
    )


def standings_button(league: LeagueId, season: int | None) -> ActionButton:
    """Return the button that shows the standings of a season."""
    return STANDINGS.shown_to(league, *_given(season)).button("Standings")


def bracket_button(league: LeagueId, season: int | None) -> ActionButton:
    """Return the button that shows the bracket of a season."""
    return BRACKET.shown_to(league, *_given(season)).button("Bracket")
