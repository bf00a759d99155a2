"""What players of small round robins are told, held against every result still to come, with scores of all kinds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from bot.league.formats.round_robin import RoundRobin, reachable
from bot.league.pairing.proposal import Proposal, Qualified
from bot.league.season.match_score import result_of
from bot.league.season.model import Kind, Match, Name, Round, Season, Stage
from tests.examples import mostly_long
from tests.league.builders import as_round, open_match, season, with_departure

FORMAT = RoundRobin()
TIEBREAKS = ("head-to-head", "difference", "scored", "sonneborn-berger", "wins")
SCORES = ((0, 0), (1, 0), (9999, 0), (9999, 9999))
MOST = 3_000
"""As many endings are gone through; of more a part."""
LEAST_FOUND = 0.8
"""So many of those who are in or out are told so, at least, where each ending of a group is looked at."""


def drawn_season(chance: Random) -> Season:
    """Return a small season with settings by chance."""
    players = chance.choice((3, 4, 4, 5, 5, 6, 7, 8, 9))
    chosen: dict[str, Any] = {"draws": chance.random() < 0.5, "scores": chance.random() < 0.6}
    if players > 5:
        chosen |= {"group_size": chance.choice((3, 4)), "grouping": chance.choice(("drawn", "rating", "divisions"))}
    elif players < 5 and chance.random() < 0.4:
        chosen["meetings"] = 2
    if chance.random() < 0.4:
        chosen["cut"] = chance.choice((0, 2, 3, 4))
    elif "group_size" in chosen and chance.random() < 0.5:
        chosen["through"] = 2 if chosen["grouping"] == "divisions" else chance.choice((1, 2))
    if chance.random() < 0.6:
        chosen["tiebreaks"] = chance.sample(TIEBREAKS, chance.randint(0, 5))
    if chance.random() < 0.2:
        chosen["points"] = {"win": chance.choice((2, 3)), "draw": chance.choice((1, 2)), "loss": chance.choice((0, 1))}
    return season("round-robin", players, number=chance.randint(1, 99), **chosen)


def results(now: Season, match: Match) -> Iterator[Match]:
    """Yield results of a match: wins and draws, with scores from the smallest to the largest."""
    played = replace(match, kind=Kind.PLAYED)
    for winner in match.players:
        for first, second in SCORES if now.settings.scores else ((0, 0), (1, 0)):
            own = (first, second) if winner == match.upper else (second, first)
            yield replace(played, winner=winner, **{"score" if now.settings.scores else "games": own})
    if now.settings.draws:
        for level in ((0, 0), (9999, 9999)) if now.settings.scores else ((0, 0),):
            yield replace(played, **{"score" if now.settings.scores else "games": level})


@dataclass
class Case:
    """A season with matches to come: as it is now, and with all its rounds; `ends` says who is through after what."""

    now: Season
    to_come: list[Match]
    ends: list[tuple[tuple[Match, ...], frozenset[Name]]]


def regular_rounds(start: Season) -> int:
    return FORMAT.regular_rounds(FORMAT.history(start))


def played(chance: Random) -> tuple[Season, frozenset[Name], int]:
    """Return a whole regular stage by chance, who has left, and in which round."""
    now = drawn_season(chance)
    leaves = chance.randint(2, regular_rounds(now)) if chance.random() < 0.4 else 0
    gone = frozenset[Name]()
    for number in range(1, regular_rounds(now) + 1):
        if number == leaves:
            gone = frozenset((chance.choice([entrant.name for entrant in now.entrants]),))
            now = with_departure(now, *gone, number)
        next_ = FORMAT.next_round(now)
        assert isinstance(next_, Proposal)
        matches = [by_chance(now, match, gone, chance) for match in as_round(next_).matches]
        now = replace(now, rounds=(*now.rounds, replace(as_round(next_), matches=tuple(matches))))
    return now, gone, leaves


def by_chance(now: Season, match: Match, gone: frozenset[Name], chance: Random) -> Match:
    if not gone.isdisjoint(match.players):
        [winner] = {*match.players} - gone
        return replace(match, kind=Kind.FORFEIT, winner=winner)
    return chance.choice([*results(now, match)])


def case(seed: int) -> Case | None:
    chance = Random(f"proven/{seed}")
    whole, gone, leaves = played(chance)
    ours = [(one.number, match) for one in whole.rounds for match in one.matches if gone.isdisjoint(match.players)]
    last = ours[-chance.randint(1, 4) :]
    first = min((number for number, _ in last), default=0)
    if leaves > first:
        return None
    opened = {(number, match.players) for number, match in last}
    rounds = tuple(with_open(one, opened) for one in whole.rounds)
    now, full = replace(whole, rounds=rounds[:first]), replace(whole, rounds=rounds)
    tried = [[*results(now, match)] for _, match in last]
    if prod(map(len, tried)) <= MOST:
        all_ = [*product(*tried)]
    else:
        all_ = [tuple(chance.choice(each) for each in tried) for _ in range(MOST // 2)]
    ends = [(decided, through(with_results(full, last, decided))) for decided in all_]
    return Case(now, [match for _, match in last], ends)


def with_open(one: Round, opened: set[tuple[int, tuple[Name, Name]]]) -> Round:
    matches = (open_match(*m.players) if (one.number, m.players) in opened else m for m in one.matches)
    return replace(one, matches=tuple(matches))


def with_results(full: Season, last: list[tuple[int, Match]], decided: tuple[Match, ...]) -> Season:
    given = {(number, match.players): result for (number, match), result in zip(last, decided, strict=True)}
    rounds = (
        replace(one, matches=tuple(given.get((one.number, m.players), m) for m in one.matches)) for one in full.rounds
    )
    return replace(full, rounds=tuple(rounds))


def through(over: Season) -> frozenset[Name]:
    """Return who enters the finals, or wins without them, as the next round or the season's end says."""
    next_ = FORMAT.next_round(over)
    if isinstance(next_, Proposal):
        assert next_.stage is Stage.FINALS
        return frozenset(as_round(next_).seated)
    names = next_.names[:1] if isinstance(next_, Qualified) else (next_.name,)
    return frozenset(name for name in names if name)


def require_true(found: Case, most: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Hold what is proven against all ends; return how many are told so who are in or out, and how many are."""
    monkeypatch.setattr(reachable, "MOST_RANKED", most)
    history = FORMAT.before_finals(found.now)
    proven, matches, enough = FORMAT.proven(history), FORMAT.next_matches(history), FORMAT.enough(history)
    told = there = 0
    for name in (entrant.name for entrant in found.now.entrants):
        always, never = all(name in ends for _, ends in found.ends), all(name not in ends for _, ends in found.ends)
        assert always or name not in proven.sure
        assert never or name not in proven.out
        told, there = told + (name in proven.sure | proven.out), there + (always or never)
        own = [number for number, match in enumerate(found.to_come) if name in match.players]
        for results_, ends in found.ends:
            got = result_of(results_[own[0]], name) if own else None
            if got is not None and name in matches and got in matches[name].decisive:
                assert (name in ends) is matches[name].decisive[got]
            if name in enough and sum(results_[number].winner == name for number in own) >= enough[name].wins:
                assert name in ends
    return told, there


@pytest.mark.long
@pytest.mark.parametrize("part", mostly_long(range(5)))
def test_whatever_is_proven_holds_for_every_result_still_to_come(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    told = there = 0
    for seed in range(part * 20, part * 20 + 20):
        found = case(seed)
        if found is None:
            continue
        exactly = require_true(found, 10**6, monkeypatch)
        told, there = told + exactly[0], there + exactly[1]
        for most in (0, Random(seed).choice((20, 60, 200))):
            require_true(found, most, monkeypatch)
    assert LEAST_FOUND * there <= told <= there
