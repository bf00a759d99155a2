"""The table of a group, as a picture and as text: places, everyone's match with everyone, what decided the order."""

from collections.abc import Iterator, Sequence

from bot.league.counting.table_columns import RECORD, Column, cells, columns, further
from bot.league.counting.tiebreaks import DIFFERENCE, NAMES
from bot.league.formats.shared.group_tables import results_in
from bot.league.season.in_words import amount
from bot.league.season.match_score import score_words, scoreline_of
from bot.league.season.model import Kind, Match, Name
from bot.pictures.drawing import Picture
from bot.pictures.group_grid import Ended, GroupRow, Meeting
from bot.pictures.group_table import MOST_CROSSED, GroupPicture
from bot.pictures.standings import StandingsPicture
from bot.services.reads.tables import GroupView, StandingsView, TableRow
from cogs.reads.pictures import mark_of, standings_row, where
from cogs.reads.table_lines import standing_line
from cogs.ui.text import listed, shown

MINUS = "\N{MINUS SIGN}"


def group_columns(view: StandingsView) -> tuple[Column, ...]:
    """Return the columns of groups: what decides first, the season's tie-breaks in their order, then the others."""
    chosen = {tiebreak.value.replace("-", "_"): at for at, tiebreak in enumerate(view.settings.tiebreaks)}
    named = {key: NAMES[key] for key in sorted(view.rows[0].standing.tiebreaks, key=lambda key: chosen.get(key, 9))}
    found = columns((row.standing for group in view.groups for row in group.rows), named)
    counted = [column for column in found if column.strong or column.key in chosen]
    return (*counted, *(column for column in found if column not in counted and column.key == RECORD))


def group_picture(view: StandingsView, group: GroupView) -> Picture:
    """Return the facts of the picture of a group; of a large one without everyone's matches."""
    shown_columns = group_columns(view)
    if len(group.rows) > MOST_CROSSED:
        return StandingsPicture(
            league=view.league.name,
            subtitle=f"Season {view.season.number} · {how_far(view, group)}",
            columns=shown_columns,
            rows=tuple(standings_row(row, view, shown_columns) for row in group.rows),
            cut_after=group.cut_after,
            cut_words=group_cut_words(view, group),
            by_hand=view.by_hand,
            kind=group.table.title if group.table.called else "Standings",
        )
    return GroupPicture(
        title=group.table.title,
        season=f"{view.league.name} · season {view.season.number}",
        subtitle=how_far(view, group),
        columns=shown_columns,
        rows=tuple(_row(row, view, group, shown_columns) for row in group.rows),
        cut_after=group.cut_after,
        cut_words=group_cut_words(view, group),
        ties=tuple(filter(None, (how_ties(view), " · ".join(_tied(view, group))))),
        by_hand=view.by_hand,
    )


def how_far(view: StandingsView, group: GroupView) -> str:
    """Return how far a group is, and who rests."""
    have, all_ = results_in(group.matches)
    resting = [f"{listed(group.resting)} {'rest' if len(group.resting) > 1 else 'rests'}"] if group.resting else []
    return " · ".join((f"{have} of {amount(all_, 'result')} in", where(view), *resting))


def group_cut_words(view: StandingsView, group: GroupView) -> str:
    """Return what the line of the cut says in a group; nothing where there is none."""
    if group.cut_after is None:
        return ""
    settings, several = view.settings, len(view.groups) > 1
    verb = "play the finals" if view.in_finals else "go on"
    if several and settings.cut is None and len({other.cut_after for other in view.groups}) == 1:
        return f"{group.cut_after} of each group {verb}"
    going = sum(row.standing.status.inside for row in group.rows[: group.cut_after])
    return f"{amount(going, 'player')} {verb}" if view.in_finals else f"{amount(going, 'player')} would now {verb}"


def how_ties(view: StandingsView) -> str:
    """Return what a result is worth, and what comes first among equals."""
    points = view.settings.points
    drawn = f"draw {points.draw}, " if view.settings.draws else ""
    then = [*(tiebreak.words for tiebreak in view.settings.tiebreaks), "the draw"]
    return f"Win {points.win}, {drawn}loss {points.loss}. Equal? {', then '.join(then).capitalize()}."


def _tied(view: StandingsView, group: GroupView) -> Iterator[str]:
    """Yield what put players behind the one before who has as many points, by their places."""
    for row in group.rows if view.begun else ():
        by = group.table.tied_by.get(row.standing.name)
        if by is not None:
            yield f"{row.standing.rank} behind {row.standing.rank - 1}: {by}"


def _row(row: TableRow, view: StandingsView, group: GroupView, shown_columns: Sequence[Column]) -> GroupRow:
    name, struck = row.standing.name, group.table.struck
    return GroupRow(
        rank=row.standing.rank,
        name=row.called,
        mark=mark_of(row, view),
        cells=() if name in struck else tuple(_signed(row, shown_columns)),
        meetings=tuple(
            tuple(_meeting(match, name, view, group) for match in group.matches.get(frozenset((name, other)), ()))
            for other in (each.standing.name for each in group.rows)
        ),
        own=row.called == view.own,
    )


def _signed(row: TableRow, shown_columns: Sequence[Column]) -> Iterator[str]:
    """Yield the cells of a row, a difference with its sign."""
    for column, words in zip(shown_columns, cells(row.standing, shown_columns), strict=True):
        positive = column.key == DIFFERENCE and words not in ("", "0") and not words.startswith("-")
        yield f"+{words}" if positive else words.replace("-", MINUS)


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
    games, score = scoreline_of(match, name)
    pair = score if view.settings.scores else games if view.settings.best_of > 1 else None
    return Meeting(ended=ended) if pair is None else Meeting(ended=ended, own=str(pair[0]), other=str(pair[1]))


def group_lines(view: StandingsView, group: GroupView) -> list[str]:
    """Return a group as text: the places, then each player's matches."""
    shown_columns, called = group_columns(view), {row.standing.name: row.called for row in group.rows}
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
    lines += [f"-# {column.title}: {column.meaning}" for column in further(shown_columns) if column.meaning]
    lines += [f"-# {how_ties(view)}", "", "__Everyone’s matches__"]
    lines += [_matches_line(row, group, called) for row in group.rows if row.standing.name not in group.table.struck]
    return lines


def _matches_line(row: TableRow, group: GroupView, called: dict[Name, str]) -> str:
    name = row.standing.name
    said = [
        f"{_WORDS[_ended(match, name, group)]} {shown(called[other])}{_numbers(match, name)}"
        for other in called
        for match in group.matches.get(frozenset((name, other)), ())
    ]
    return f"**{shown(row.called)}**: {', '.join(said)}" if said else f"**{shown(row.called)}**: no matches"


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
