"""Who is sure of the finals, who can't reach them and how many wins are enough, proven without every ending.

See docs/formats/outlook.md.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.league.counting.history import History
from bot.league.season.match_score import Result
from bot.league.season.model import Kind, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """Players sure of the finals, and players out of them, over all played results to come if no one leaves.

    It says nothing about the others: it need not find everyone.
    """

    sure: frozenset[Name] = frozenset()
    out: frozenset[Name] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Enough:
    """How many more wins get a player through whatever else happens: any of theirs, or the next ones in a row."""

    wins: int
    in_a_row: bool = False


class NextMatch(NamedTuple):
    """Which results of a player's next match put them in, or out, and whether it's their last one before the cut."""

    decisive: Mapping[Result, bool]
    last: bool


class Reach(NamedTuple):
    """The lowest and the highest score a player can end with."""

    lowest: int
    highest: int


def by_places(reach: Mapping[Name, Reach], places: int) -> Proven:
    """Return what scores alone decide: players who are equal can be ahead by a tie-break."""
    lowest, highest = sorted(r.lowest for r in reach.values()), sorted(r.highest for r in reach.values())
    rivals = {name: len(reach) - bisect_left(highest, own.lowest) - 1 for name, own in reach.items()}
    ahead = {name: len(reach) - bisect_right(lowest, own.highest) for name, own in reach.items()}
    return Proven(
        sure=frozenset(name for name, count in rivals.items() if count < places),
        out=frozenset(name for name, count in ahead.items() if count >= places),
    )


class ToShare(NamedTuple):
    """What results to come add to all scores together, beyond the least that each player gets anyway.

    A win adds `win` to one player and `beaten` to the other; `left` is the most that all of them can add, and a match
    that would have added most then adds `most`.
    """

    left: int
    win: int
    beaten: int
    most: int


def still_to_share(history: History, rounds: int, players: int, lowest: int) -> ToShare:
    """Return what is still to be shared among so many players in `rounds` rounds, where each gets `lowest` a round.

    No round has more than one bye, and none for an even number of players unless one of them sits it out.
    """
    points, draws = history.season.settings.points, history.season.settings.draws
    most = max(points.win + points.loss, 2 * points.draw if draws else 0) - 2 * lowest
    bye = points.bye - lowest
    open_ = sum(match.kind is Kind.OPEN for round_ in history.table_rounds for match in round_.matches)
    a_round = players // 2 * max(most, bye) + players % 2 * bye
    left = open_ * most + (rounds - len(history.table_rounds)) * a_round
    return ToShare(left, points.win - lowest, points.loss - lowest, most)


def by_wins(reach: Mapping[Name, Reach], to_come: Mapping[Name, int], places: int, share: ToShare) -> dict[Name, int]:
    """Return how many more wins keep a player above the line, where that can be proven by scores.

    The players who can come up to such a score have to share what is left: so only some of them can do it.
    """
    needed: dict[tuple[Reach, int], int | None] = {}
    proofs: dict[Name, int] = {}
    for name, own in reach.items():
        like = own, to_come[name]
        if like not in needed:
            needed[like] = _fewest_wins(own, to_come[name], tuple(reach.values()), places, share)
        wins = needed[like]
        if wins is not None:
            proofs[name] = wins
    return proofs


def _fewest_wins(own: Reach, to_come: int, all_: Sequence[Reach], places: int, share: ToShare) -> int | None:
    for wins in range(1, to_come + 1):
        score = own.lowest + wins * share.win
        missing = sorted(max(0, score - other.lowest) for other in all_ if other.highest >= score)
        missing.remove(wins * share.win)  # their own
        left = share.left - wins * (share.most - share.beaten)
        level = 0
        while level < len(missing) and missing[level] <= left:
            left -= missing[level]
            level += 1
        if level < places:
            return wins
    return None


def to_come(history: History, rounds: int) -> dict[Name, int]:
    """Return how many results each entrant still gets in `rounds` rounds of the regular stage."""
    later = rounds - len(history.table_rounds)
    counted = dict.fromkeys(history.records, later)
    for round_ in history.table_rounds:
        for match in round_.matches:
            if match.kind is Kind.OPEN:
                for name in match.players:
                    counted[name] += 1
    return counted


def to_sit_out(history: History) -> Counter[Name]:
    """Return how many rounds to come players sit out; each counts as a loss."""
    coming = (sit_out for sit_out in history.season.sat_out if sit_out.round > len(history.table_rounds))
    return Counter(sit_out.name for sit_out in coming)


def gone(history: History) -> frozenset[Name]:
    """Return the players who have left the season."""
    return frozenset(name for name in history.records if not history.is_active(name))


def is_everyone_here(history: History) -> bool:
    """Whether those in the season now are those who end it: nobody is to enter or return, or left with their place."""
    left = not history.season.settings.replace and history.left_between()
    entering = any(entrant.entered > history.number for entrant in history.season.entrants)
    returning = any((left.rejoined or 0) > history.number for left in history.season.departures)
    return not (left or entering or returning)
