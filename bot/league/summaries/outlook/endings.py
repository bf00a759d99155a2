"""How a season can end, unless there are too many ways: every result to come, later rounds paired by the rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import NamedTuple

from bot.league.counting.history import History
from bot.league.counting.tiebreaks import GAME_WIN_PERCENTAGE, GAME_WINS
from bot.league.errors import PairingImpossible
from bot.league.formats import by_key
from bot.league.formats.shared.staged import StagedFormat
from bot.league.pairing.proposal import Champion, Next, Proposal
from bot.league.season.choices import Pace
from bot.league.season.match_score import Result, possible_scores
from bot.league.season.model import Kind, Match, Name, Round, Season

MOST_RANKED = 40_960
"""With more places in the tables of all endings than this, only what can be proven is said."""

_COUNT_GAMES = frozenset({GAME_WINS, GAME_WIN_PERCENTAGE})


class ToCome(NamedTuple):
    """A match without a result, and each result it can have if it is played to its end."""

    number: int
    match: Match
    results: tuple[Match, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Who gets through in one ending, and who only if an organiser's order or tie-break match says so.

    `results` are those of the first round to come, in the order of `matches_to_come`.
    """

    through: frozenset[Name]
    tied: frozenset[Name] = frozenset()
    results: tuple[Match, ...] = ()


def pair_on(format_: StagedFormat, season: Season, earlier: History | None = None) -> Season | Ending:
    """Pair on by the rules until there are matches to play: return the season then, or how it ends.

    `earlier` is what happened before a round that is over, which isn't counted again.
    """
    while all(round_.finished for round_ in season.rounds):
        following = _following(format_, format_.before_finals(season, earlier))
        if isinstance(following, Ending):
            return following
        season = replace(season, rounds=(*season.rounds, following))
    return season


def _following(format_: StagedFormat, history: History) -> Round | Ending:
    if format_.stage_over(history) and format_.has_finals(history):
        # Without `replace`, players who left can keep a place; they don't play in it.
        return _ending(format_, history, frozenset(filter(history.is_active, format_.finalists(history))))
    next_ = _next(format_, history)
    if isinstance(next_, Proposal):
        matches = tuple(Match(upper=pair.upper, lower=pair.lower) for pair in next_.pairs)
        byes = tuple(bye.name for bye in next_.byes)
        return Round(number=next_.number, stage=next_.stage, byes=byes, matches=matches)
    if isinstance(next_, Champion):
        return Ending(through=frozenset(() if next_.name is None else (next_.name,)))
    return _ending(format_, history, frozenset((next_.name,)))


def _next(format_: StagedFormat, history: History) -> Next:
    """Return what comes next; where too many sit a round out, all of them play after all."""
    try:
        return format_.next_after(history)
    except PairingImpossible:
        season, number = history.season, history.number
        playing = tuple(sit_out for sit_out in season.sat_out if sit_out.round != number)
        return format_.next_round(replace(season, sat_out=playing))


def _ending(format_: StagedFormat, history: History, entering: frozenset[Name]) -> Ending:
    """Return an ending; players whose places at the line only the draw decides are tied, because an organiser can."""
    here, season = entering.union(history.active()), history.season
    groups = (group for group in format_.equals(history) if not entering.isdisjoint(group))
    at_the_line = {frozenset(group): here.intersection(group) for group in groups if not entering.issuperset(group)}
    if at_the_line and season.decisions:
        for number in format_.counting_decisions(season):
            at_the_line.pop(frozenset(season.decisions[number].order), None)
    tied = frozenset(name for names in at_the_line.values() if not names <= entering for name in names)
    return Ending(through=entering - tied, tied=tied)


def matches_to_come(season: Season) -> tuple[ToCome, ...]:
    """Return the open matches in the order of rounds, then of their players' names."""
    open_ = [(r, match) for r in season.rounds for match in r.matches if match.kind is Kind.OPEN]
    open_.sort(key=lambda both: (both[0].number, sorted(both[1].players)))
    return tuple(ToCome(r.number, match, tuple(_results(season, r, match))) for r, match in open_)


def _results(season: Season, round_: Round, match: Match) -> Iterator[Match]:
    """Yield the wins of the player whose name comes first, the draw if there is one, the wins of the other.

    Games only differ where a tie-break counts them.
    """
    played, first = replace(match, kind=Kind.PLAYED), min(match.players)
    best_of = by_key(season.format).best_of(season, round_, match)
    counted = best_of > 1 and not _COUNT_GAMES.isdisjoint(by_key(season.format).tiebreaks)
    finished = season.settings.pace is not Pace.LIVE
    scores = sorted(possible_scores(Result.WON, best_of, finished=finished)) if counted else (None,)
    for winner in (first, match.opponent_of(first)):
        for games in scores:
            upper_first = games if games is None or winner == match.upper else games[::-1]
            yield replace(played, winner=winner, games=upper_first)
        if season.settings.draws and winner == first:
            yield played


def with_results(season: Season, coming: Sequence[ToCome], results: Sequence[Match]) -> Season:
    """Return the season with the results of its matches to come."""
    results_of = {
        (fixture.number, fixture.match.players): result for fixture, result in zip(coming, results, strict=True)
    }
    rounds = list(season.rounds)
    for number in {fixture.number for fixture in coming}:
        matches = (results_of.get((number, match.players), match) for match in rounds[number - 1].matches)
        rounds[number - 1] = replace(rounds[number - 1], matches=tuple(matches))
    return replace(season, rounds=tuple(rounds))


def every_ending(format_: StagedFormat, season: Season, most: int = MOST_RANKED) -> tuple[Ending, ...] | None:
    """Return all endings of a season with a round to play; None where all of them have more than `most` places."""
    endings: list[Ending] = []
    waiting: list[tuple[Season, tuple[Match, ...], History | None]] = [(season, (), None)]
    most_endings = most // len(season.entrants)
    open_count = _count(matches_to_come(season))
    while waiting and open_count <= most_endings:
        before, first, known_before = waiting.pop()
        coming = matches_to_come(before)
        earlier = format_.history(before, before=coming[0].number, earlier=known_before)
        earlier.ratings()
        for results in product(*(upcoming.results for upcoming in coming)):
            after = pair_on(format_, with_results(before, coming, results), earlier)
            if isinstance(after, Ending):
                endings.append(replace(after, results=first or results))
            else:
                waiting.append((after, first or results, earlier))
                open_count += _count(matches_to_come(after)) - 1
            if open_count > most_endings:
                return None
    return None if waiting else tuple(endings)


def _count(coming: Sequence[ToCome]) -> int:
    return prod(len(upcoming.results) for upcoming in coming)
