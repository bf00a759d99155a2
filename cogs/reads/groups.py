"""The table of a group, as a picture and as text: places, everyone's match with everyone, what decided the order."""

from collections.abc import Sequence
from dataclasses import replace

from bot.league.counting.table_columns import Column, further
from bot.league.formats.shared.groups import results_in
from bot.league.season.in_words import amount
from bot.league.season.match_score import score_words, scoreline_of
from bot.league.season.model import Kind, Match, Name
from bot.league.summaries.group_words import goes_on, group_columns, how_ties, numbers_in_cell, signed_cells, tied
from bot.league.summaries.season_table import TableRow
from bot.pictures.drawing import Picture
from bot.pictures.group_grid import Ended, GroupRow, Meeting
from bot.pictures.group_table import MOST_CROSSED, GroupPicture
from bot.pictures.many_groups import GroupRows, GroupsPicture
from bot.pictures.standings import StandingsPicture
from bot.pictures.standings_grid import StandingsRow
from bot.services.reads.tables import GroupView, StandingsView
from cogs.reads.pictures import mark_of, standings_picture, standings_row, where
from cogs.reads.table_lines import provisional_lines, standing_line
from cogs.ui.text import listed, shown


def _columns(view: StandingsView) -> tuple[Column, ...]:
    return group_columns([row.standing for group in view.groups for row in group.rows], view.settings)


def group_picture(view: StandingsView, group: GroupView) -> Picture:
    """Return the facts of the picture of a group; of a large one without everyone's matches."""
    shown_columns = _columns(view)
    if len(group.rows) > MOST_CROSSED:
        return StandingsPicture(
            league=view.league.name,
            subtitle=f"Season {view.season.number} · {how_far(view, group)}",
            columns=shown_columns,
            rows=tuple(_without_matches(row, view, group, shown_columns) for row in group.rows),
            cut_after=group.cut_after,
            cut_words=group_cut_words(view, group),
            by_hand=view.by_hand,
            kind=group.table.title if group.table.called else "Standings",
        )
    played, _ = results_in(group.matches)
    behind = tied(group.table, [row.standing.name for row in group.rows]) if played else ()
    return GroupPicture(
        title=group.table.title,
        season=f"{view.league.name} · season {view.season.number}",
        subtitle=how_far(view, group),
        columns=shown_columns,
        rows=tuple(_row(row, view, group, shown_columns) for row in group.rows),
        cut_after=group.cut_after,
        cut_words=group_cut_words(view, group),
        ties=tuple(filter(None, (how_ties(view.settings), " · ".join(behind)))),
        by_hand=view.by_hand,
    )


def groups_picture(view: StandingsView) -> GroupsPicture:
    """Return the facts of the picture of all groups, one below the other, without everyone's matches."""
    shown_columns, whole = _columns(view), standings_picture(view)
    return GroupsPicture(
        league=whole.league,
        subtitle=whole.subtitle,
        columns=shown_columns,
        unit=view.settings.grouping.unit,
        groups=tuple(
            GroupRows(
                title=group.table.title,
                rows=tuple(_without_matches(row, view, group, shown_columns) for row in group.rows),
                cut_after=group.cut_after,
                cut_words=group_cut_words(view, group),
            )
            for group in view.groups
        ),
        in_words=whole.in_words,
        out_words=whole.out_words,
        by_hand=whole.by_hand,
    )


def _without_matches(
    row: TableRow, view: StandingsView, group: GroupView, shown_columns: Sequence[Column]
) -> StandingsRow:
    struck = row.standing.name in group.table.struck
    cells = () if struck else tuple(signed_cells(row.standing, shown_columns))
    return replace(standings_row(row, view, shown_columns), cells=cells)


def how_far(view: StandingsView, group: GroupView) -> str:
    """Return how far a group is, and who rests."""
    have, all_ = results_in(group.matches)
    resting = [f"{listed(group.resting)} {'rest' if len(group.resting) > 1 else 'rests'}"] if group.resting else []
    return " · ".join((f"{have} of {amount(all_, 'result')} in", where(view), *resting))


def group_cut_words(view: StandingsView, group: GroupView) -> str:
    """Return what the line of the cut says in a group; nothing where there is none."""
    places = [other.cut_after for other in view.groups]
    return goes_on(view.settings, places, group.table.number - 1, in_finals=view.in_finals)


def _row(row: TableRow, view: StandingsView, group: GroupView, shown_columns: Sequence[Column]) -> GroupRow:
    name, struck = row.standing.name, group.table.struck
    return GroupRow(
        rank=row.standing.rank,
        name=row.called,
        mark=mark_of(row, view),
        cells=() if name in struck else tuple(signed_cells(row.standing, shown_columns)),
        meetings=tuple(
            tuple(_meeting(match, name, view, group) for match in group.matches.get(frozenset((name, other)), ()))
            for other in (each.standing.name for each in group.rows)
        ),
        own=row.called == view.own,
    )


def _ended(match: Match | None, name: Name, group: GroupView) -> Ended:
    if match is None:
        return Ended.TO_PLAY
    if match.kind is Kind.OPEN:
        return Ended.REPORTED if match.players in group.reported else Ended.TO_PLAY
    return Ended.DREW if match.drawn else Ended.WON if match.winner == name else Ended.LOST


def _meeting(match: Match | None, name: Name, view: StandingsView, group: GroupView) -> Meeting:
    ended = _ended(match, name, group)
    if match is None or match.kind is Kind.OPEN:
        return Meeting(ended=ended)
    pair = numbers_in_cell(match, name, view.settings)
    return Meeting(ended=ended) if pair is None else Meeting(ended=ended, own=str(pair[0]), other=str(pair[1]))


def group_lines(view: StandingsView, group: GroupView) -> list[str]:
    """Return a group as text: the places, then each player's matches."""
    shown_columns, called = _columns(view), {row.standing.name: row.called for row in group.rows}
    lines: list[str] = []
    for row in group.rows:
        name = row.standing.name
        if name in group.table.struck:
            lines.append(f"{shown(row.called)} · left, so none of their results count")
        elif view.begun:
            by = group.table.tied_by.get(name)
            behind = f" · behind the one before by {by}" if by and not row.drawn else ""
            lines.append(f"{standing_line(row, shown_columns, view.own)}{behind}")
        else:
            lines.append(f"• {shown(row.called)}")
    if group.cut_after is not None:
        lines.insert(group.cut_after, f"— {group_cut_words(view, group)} —")
    lines += provisional_lines(group.rows)
    lines += [f"-# {column.title}: {column.meaning}" for column in further(shown_columns) if column.meaning]
    lines += [f"-# {how_ties(view.settings)}", "", "__Everyone’s matches__"]
    lines += [_matches_line(row, group, called) for row in group.rows if row.standing.name not in group.table.struck]
    return lines


def _matches_line(row: TableRow, group: GroupView, called: dict[Name, str]) -> str:
    name = row.standing.name
    results = [
        f"{_WORDS[_ended(match, name, group)]} {shown(called[other])}{_numbers(match, name)}"
        for other in called
        for match in group.matches.get(frozenset((name, other)), ())
    ]
    return f"**{shown(row.called)}**: {', '.join(results)}" if results else f"**{shown(row.called)}**: no matches"


_WORDS = {
    Ended.WON: "beat",
    Ended.LOST: "lost to",
    Ended.DREW: "drew with",
    Ended.TO_PLAY: "still plays",
    Ended.REPORTED: "waits for a result with",
}


def _numbers(match: Match | None, name: Name) -> str:
    if match is None or match.kind is Kind.OPEN:
        return ""
    how = {Kind.FORFEIT: " by forfeit", Kind.DOUBLE_LOSS: " (both lose)", Kind.ADJUDICATED: " by decision"}
    return f"{score_words(*scoreline_of(match, name))}{how.get(match.kind, '')}"
