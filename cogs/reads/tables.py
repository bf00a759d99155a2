"""What everyone can look up: standings, with how to check the order of tied players, bracket, ranking."""

from collections.abc import Iterable
from dataclasses import replace

import discord

from bot import steps
from bot.league.counting.table_columns import further
from bot.league.season.phases import SeasonPhase
from bot.league.summaries.season_table import TableRow
from bot.pictures.group_table import MOST_CROSSED
from bot.services.reads import tables
from bot.services.reads.pairings import draw_line
from bot.services.reads.tables import GroupView, StandingsView
from cogs.reads.groups import group_lines, group_picture, how_far
from cogs.reads.pictures import bracket_picture, cut_words, standings_picture, where
from cogs.reads.table_lines import (
    bracket_lines,
    in_bold,
    provisional_lines,
    ranking_lines,
    rating_words,
    standing_line,
)
from cogs.ui.actions import MOST_OPTIONS, ActionButton, ActionSelect, Press, choice, some
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host, host
from cogs.ui.drawn import drawn_once
from cogs.ui.options.names import SeasonNumber
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import season_title, shown
from storage.rows import LeagueId

STANDINGS, BRACKET, RANKING = PrivateTable("standings"), PrivateTable("bracket"), PrivateTable("ranking")
EVERYONE, _MORE = 0, "-1"
"""What a list of groups offers beside them."""
MOST_DRAWS = 8
"""So many draws of tied players are listed."""


class Tables(LeagueCog):
    """Tables."""

    @command()
    async def standings(self, asker: Caller, season: SeasonNumber | None = None) -> Reply:
        """Show the standings of the season, or of an earlier one."""
        return await STANDINGS.first(self.bot, asker, *_given(season))

    @command()
    async def bracket(self, asker: Caller, season: SeasonNumber | None = None) -> Reply:
        """Show the bracket of the season, or of an earlier one."""
        return await BRACKET.first(self.bot, asker, *_given(season))

    @command()
    async def ranking(self, asker: Caller) -> Reply:
        """Show the ratings of the league's players."""
        return await RANKING.first(self.bot, asker)


def _given(number: int | None) -> Which:
    return () if number is None else (number,)


@STANDINGS.shows
async def show_standings(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return the standings of a season, with groups one of them."""
    season, group, first = (*which, None, None, None)[:3]
    counted = await asker.read(tables.standings, number=season)
    view = await steps.with_verdicts(bot.database, bot.worker, counted)
    chosen = _chosen_group(view, group)
    if view.groups and not _is_one_table(view):
        others = other_groups(view, asker.league_id, 0 if chosen is None else chosen.table.number, first or 0)
        if chosen is not None:
            return await _group_table(bot, view, chosen, others, page)
        return replace(await _standings(bot, view, page), which=(view.season.number or 0, EVERYONE), others=others)
    return await _standings(bot, view, page)


def _is_one_table(view: StandingsView) -> bool:
    """Whether the standings are the table of the one group, too large for everyone's matches."""
    return len(view.groups) == 1 and len(view.rows) > MOST_CROSSED


def _chosen_group(view: StandingsView, group: int | None) -> GroupView | None:
    """Return the group to show: the chosen one, or until the finals that of the person who asks, or the first."""
    before = view.season.phase is SeasonPhase.RUNNING
    number = group if group is not None else (view.own_group or 1) if before else EVERYONE
    return next((group for group in view.groups if group.table.number == number), None)


def other_groups(view: StandingsView, league: LeagueId, chosen: int, first: int) -> ActionSelect:
    """Return the list of groups and of everyone, from the `first` on; after the last follows the first again."""
    named = [(EVERYONE, "Everyone, with ratings"), *((group.table.number, group.table.title) for group in view.groups)]
    options = [discord.SelectOption(label=words, value=str(number)) for number, words in named]
    turned = options[first:] + options[:first]
    label = next(words for number, words in named if number == chosen)
    return show_group(league, view.season.number or 0, chosen, first).select(some(turned, 0, _MORE), hint=label)


@choice("show-group")
async def show_group(press: Press, group: int, league: LeagueId, season: int, now: int, first: int) -> Reply:
    """Show another group in place, or list more of them."""
    which = (season, now, first + MOST_OPTIONS - 1) if str(group) == _MORE else (season, group, first)
    page = await STANDINGS.page(host(press.interaction), press.who.of(league), which, None)
    return replace(page, replace=True)


async def _group_table(
    bot: Host, view: StandingsView, group: GroupView, others: ActionSelect, page: int | None
) -> Table:
    names: list[str | None] = [row.called for row in group.rows]
    key, number = (view.season.id, view.own, group.table.number), group.table.number
    wanted = (view.own or 0) if page is None else page
    called = f", {group.table.called}" if group.table.called else ""
    return Table(
        which=(view.season.number or 0, number),
        title=f"{season_title(view)}{called}: standings",
        head="\n".join(f"-# {line}" for line in (how_far(view, group), view.by_hand) if line),
        lines=lambda: [*group_lines(view, group), *_draws(group.rows)],
        own_line=names.index(view.own) if view.own in names else 0,
        drawn=await drawn_once(bot, key, view, lambda: group_picture(view, group), wanted),
        others=others,
    )


async def _standings(bot: Host, view: StandingsView, page: int | None) -> Table:
    """Return the standings of everyone; before the first result there is no order to draw."""
    names: list[str | None] = [row.called for row in view.rows]
    key, wanted = (view.season.id, view.own), (view.own or 0) if page is None else page
    drawn = await drawn_once(bot, key, view, lambda: standings_picture(view), wanted) if view.begun else None
    return Table(
        which=_given(view.season.number),
        title=f"{season_title(view)}: standings",
        head="\n".join(f"-# {line}" for line in (shown(where(view)), view.by_hand) if line),
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
    lines += provisional_lines(view.rows)
    lines += [f"-# {column.title}: {column.meaning}" for column in further(view.columns) if column.meaning]
    return [*lines, *_draws(view.rows)]


def _draws(rows: Iterable[TableRow]) -> list[str]:
    """Return how to check the order of players who are tied; nothing where the draw decided nothing."""
    tied = [draw_line(row.drawn) for row in rows if row.drawn]
    if not tied:
        return []
    shown_ = [f"`{tie.shell.replace('`', 'ˋ')}`\n→ `{tie.value}`" for tie in tied[:MOST_DRAWS]]
    more = [f"-# And {len(tied) - MOST_DRAWS} more, in the same way."] if len(tied) > MOST_DRAWS else []
    return [
        "",
        "**Tied players:** the smallest draw comes first. To check it, run its line in a shell:",
        *shown_,
        *more,
    ]


@BRACKET.shows
async def show_bracket(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return the bracket of a season."""
    view = await asker.read(tables.bracket, number=next(iter(which), None))
    picture, wanted = bracket_picture(view), (view.own or 0) if page is None else page
    return Table(
        which=_given(view.season.number),
        title=f"{season_title(view)}: bracket",
        lines=lambda: bracket_lines(view),
        drawn=await drawn_once(bot, ("bracket", view.season.id), picture, lambda: picture, wanted),
    )


@RANKING.shows
async def show_ranking(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return the ratings of a league's players, provisional ones apart."""
    view = await asker.read(tables.ranking)
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
