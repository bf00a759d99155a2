"""Standings, brackets and ratings as the facts of pictures: marks for in and out, byes, what the cut line says."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.league.bracket.match_names import THIRD_PLACE
from bot.league.bracket.whole_tree import TreeMatch
from bot.league.counting.table_columns import Column, cells
from bot.league.season.in_words import amount
from bot.league.season.model import Name, Status
from bot.league.season.phases import MatchState, SeasonPhase
from bot.league.summaries.outlook.prospects import Verdict
from bot.league.summaries.season_table import TableRow
from bot.pictures.bracket import BracketPicture
from bot.pictures.drawing import Drawn
from bot.pictures.rating import RatingPicture, RatingPoint
from bot.pictures.standings import StandingsPicture
from bot.pictures.standings_grid import Mark, StandingsRow
from bot.pictures.tree import BracketMatch, State, in_bracket
from bot.services.matches.views import MatchView
from bot.services.reads.past.profiles import Profile
from bot.services.reads.tables import BracketView, StandingsView
from cogs.ui.context import Host
from cogs.ui.drawn import drawn_once

_MARKS: Mapping[Status, Mark | None] = {
    Status.ACTIVE: None,
    Status.QUALIFIED: Mark.IN,
    Status.ELIMINATED: Mark.OUT,
    Status.DROPPED: Mark.LEFT,
    Status.DISQUALIFIED: Mark.LEFT,
    Status.CHAMPION: Mark.CHAMPION,
}
_VERDICTS: Mapping[Verdict, Mark | None] = {Verdict.IN: Mark.IN, Verdict.OUT: Mark.OUT, Verdict.OPEN: None}
_STATES: Mapping[MatchState, State] = {
    MatchState.OPEN: State.TO_PLAY,
    MatchState.REPORTED: State.REPORTED,
    MatchState.DISPUTED: State.DISPUTED,
    MatchState.CONFIRMED: State.DONE,
}


def standings_picture(view: StandingsView) -> StandingsPicture:
    """Return the facts of the picture of the standings."""
    return StandingsPicture(
        league=view.league.name,
        subtitle=f"Season {view.season.number} · {where(view)}",
        columns=view.columns,
        rows=tuple(standings_row(row, view, view.columns) for row in view.rows),
        cut_after=view.cut_after,
        cut_words=cut_words(view),
        in_words="still in the finals" if view.in_finals else "sure of the finals",
        out_words="can’t reach them" if view.going_on and not view.in_finals else "can’t win any more",
        by_hand=view.by_hand,
    )


def where(view: StandingsView) -> str:
    """Return how far the season of a table is; of one that was only recorded, what its table counts and who won."""
    if view.only_recorded:
        champion = f" · champion: {view.champion}" if view.champion else ""
        return f"wins and losses of all matches{champion}"
    if view.season.phase is SeasonPhase.FINISHED:
        return "final standings"
    if view.season.phase is SeasonPhase.CANCELLED:
        return "cancelled"
    if view.latest is None or not view.begun:
        return "no results yet"
    if view.all_in:
        return f"after {view.latest.words}"
    every = view.latest.together and view.settings.schedule.open_together
    return "all matches open" if every else f"{view.latest.words} being played"


def cut_words(view: StandingsView) -> str:
    """Return what the line of the cut says; nothing where there is none."""
    if view.cut_after is None:
        return ""
    decided = any(row.standing.status is Status.QUALIFIED for row in view.rows)
    verb = "play" if view.in_finals else "go on to" if decided else "would now go on to"
    return f"{amount(view.going_on, 'player')} {verb} the finals"


def mark_of(row: TableRow, view: StandingsView) -> Mark | None:
    """Return what is certain about a player; once the season is over only who won it, and who left."""
    over = view.season.phase in (SeasonPhase.FINISHED, SeasonPhase.CANCELLED)
    mark = _MARKS[row.standing.status] or _VERDICTS[row.verdict]
    return None if over and mark in (Mark.IN, Mark.OUT) else mark


def standings_row(row: TableRow, view: StandingsView, columns: Sequence[Column]) -> StandingsRow:
    """Return a row of the picture of the standings, with what stands in these columns."""
    line, rating = row.standing, row.rating
    return StandingsRow(
        rank=line.rank,
        name=row.called,
        movement=row.movement,
        mark=mark_of(row, view),
        cells=cells(line, columns),
        rating=rating.value if rating else None,
        uncertainty=rating.uncertainty if rating else None,
        provisional=rating is not None and rating.provisional,
        own=row.called == view.own,
    )


def bracket_picture(view: BracketView) -> BracketPicture:
    """Return the facts of the picture of a bracket."""
    shown = {
        frozenset((match.upper.name, match.lower.name)): match for round_ in view.rounds for match in round_.matches
    }
    players = {slot.name for match in view.tree for slot in match.slots if slot.name}
    return BracketPicture(
        league=view.league.name,
        subtitle=f"Season {view.season.number} · {amount(len(players), 'player')}",
        matches=tuple(_match(match, view, shown) for match in view.tree),
        champion=view.champion,
    )


def _match(match: TreeMatch, view: BracketView, shown: Mapping[frozenset[str], MatchView]) -> BracketMatch:
    match_view = shown.get(frozenset(match.match.players)) if match.match else None
    called = dict(view.called) | {Name(side.name): side.called for side in (match_view.sides if match_view else ())}
    drawn = in_bracket(match, view.seeds, called)
    state = _STATES[match_view.match.state] if match_view else drawn.state
    return replace(drawn, state=state, note=drawn.note or _byes(match, view))


def _byes(match: TreeMatch, view: BracketView) -> str:
    """Return who came into the second round with a bye, by seed."""
    if match.round == 1 or match.name == THIRD_PLACE:
        return ""
    names = [slot.name for slot in match.slots if slot.source is None and slot.name is not None]
    seeds = [str(view.seeds[name]) for name in names if name in view.seeds]
    if not names or match.round > 2:
        return ""
    return f"bye: seed{'s' if len(seeds) > 1 else ''} {', '.join(seeds)}" if seeds else amount(len(names), "bye")


async def rating_drawn(bot: Host, career: Profile) -> Drawn | None:
    """Return the picture of a player's rating, who has at least one rated match; None if drawing fails."""
    picture = rating_picture(career)
    return await drawn_once(bot, ("rating", career.player.id), picture, lambda: picture, 0)


def rating_picture(career: Profile) -> RatingPicture:
    """Return the facts of the picture of a player's rating; they have at least one rated match."""
    seasons: Sequence[int] = sorted({rating.season for rating in career.ratings})
    matches = amount(len(career.ratings), "rated match")
    return RatingPicture(
        player=career.player.name,
        subtitle=f"{career.league.name} · {amount(len(seasons), 'season')}, {matches}",
        points=tuple(RatingPoint.of(rating.season, rating.rating) for rating in career.ratings),
    )
