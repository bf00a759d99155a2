"""The results a player can report of their match, and what follows from each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.bracket.match_names import FINAL
from bot.league.formats import by_key
from bot.league.match_day.weighing import Meaning, Said, weigh
from bot.league.season.choices import Pace
from bot.league.season.match_score import Games, Result, Scoreline, possible_scores, score
from bot.league.season.model import Stage
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, read_transaction
from bot.services.matches import match_finding, views
from bot.services.matches.views import MatchView
from bot.services.play import progression
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, MatchId
from storage.tables import matches, rounds

MOST_RESULTS = 25
"""As many as a list can offer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """A result as a player reports it, their own games first, and what follows from it."""

    result: Result
    games: Games | None
    follows: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """A match with the results this person can report now: none where they don't play in it, or it's too late.

    Who plays another match of the round has that one in `own`.
    """

    match: MatchView
    own: MatchView | None = None
    opponent: str = ""
    results: tuple[Possible, ...] = ()


def choices(conn: Connection, order: Order, *, match: MatchId) -> Choices:
    """Return what someone can report of a match."""
    tx = read_transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    side = view.side_of(order.actor.user_id)
    if side is None:
        others = views.round_view(tx.conn, view.round.id).matches
        return Choices(match=view, own=next((other for other in others if other.side_of(order.actor.user_id)), None))
    if not can_report(view, side):
        return Choices(match=view)
    following = what_follows(tx, view, order.now)
    counts = f"Counts at once{f' and {following}' if following else ''}"
    results = tuple(
        Possible(result=result.result, games=result.scoreline.games, follows=_follows(view, side, result, counts))
        for result in _results(view, finished=tx.settings.pace is not Pace.LIVE)
    )
    return Choices(match=view, opponent=view.opponent_of(side).called, results=results)


def can_report(view: MatchView, side: EntrantRow) -> bool:
    """Whether a player can report now: not while their answer is asked for, and not once the result is final."""
    if view.stopped or view.match.state is MatchState.CONFIRMED:
        return False
    return view.match.state is not MatchState.REPORTED or view.reports[-1].entrant_id == side.id


def _results(view: MatchView, *, finished: bool) -> Sequence[Said]:
    """Return the results: won, lost, drawn; with their games where a match has several.

    Where a list can't offer as many, those of matches that time cut short are left out.
    """
    kinds = (Result.WON, Result.LOST, *((Result.DRAW,) if view.draws else ()))
    if view.best_of == 1:
        return [Said(result) for result in kinds]
    results = [
        Said(kind, Scoreline(games))
        for kind in kinds
        for games in possible_scores(kind, view.best_of, finished=finished)
    ]
    return results if len(results) <= MOST_RESULTS else _results(view, finished=True)


def _follows(view: MatchView, side: EntrantRow, result: Said, counts: str) -> str:
    opponent = view.opponent_of(side)
    theirs = view.said_by(opponent)
    meaning = weigh(result, view.match.state, theirs=theirs)
    if meaning is Meaning.CONFIRMED:
        flipped = None if theirs is None else theirs.scoreline.flipped.score
        return counts if flipped is None else f"{counts}, if the score is {score(*flipped)}"
    return f"Waits for {opponent.called} to confirm" if meaning is Meaning.WAITS else "The moderators decide"


def what_follows(tx: ReadTransaction, view: MatchView, now: datetime, *, count: int = 1) -> str:
    """Return what a final result of this match starts or ends, where it is the last one missing: `starts round 2`.

    Or the results of so many matches, which get them together.
    """
    missing = view.match.state is not MatchState.CONFIRMED
    last = missing and matches.count_missing(tx.conn, view.round) == count
    if not last or not progression.ends_by_itself(view.season, view.round, now):
        return ""
    if view.round.stage is Stage.FINALS:
        return "ends the season" if view.round.name == FINAL else "starts the next round"
    planned = by_key(tx.season.format).planned_rounds(rules_season.load(tx.conn, tx.season.id))
    latest = rounds.latest(tx.conn, tx.season.id)
    number = view.round.number if latest is None else latest.number
    if planned is not None and number >= planned:
        return "ends the regular rounds"
    return f"starts round {number + 1}" if planned else ""
