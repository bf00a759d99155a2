"""OHS once more, written naively from the rules, against the format: byes, pair-ups, tiers, seeds and layers."""

import hashlib
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import NormalDist

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.counting.meetings import Meetings
from bot.league.counting.rating_formula import rate
from bot.league.formats import by_key
from bot.league.pairing import pair_list, pair_tier
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Kind, Name, PastSeason, Rating, Season, Stage
from bot.league.season.scales import RatingScale
from tests.examples import examples
from tests.league.builders import as_sets, by_chance, met, names, play_season, season, until
from tests.league.turmoil import Turmoil


class Naive:
    """Everything about a season before its next round, computed again for every question."""

    def __init__(self, now: Season) -> None:
        self.now = now
        self.number = len(now.rounds) + 1
        self.regular = [r for r in now.rounds if r.stage is Stage.REGULAR]

    def hash(self, round_: int, purpose: str, name: str) -> str:
        return hashlib.sha256(f"{self.now.number}/{round_}/{purpose}/{name}".encode()).hexdigest()

    def gone(self, name: str, number: int) -> bool:
        return any(
            d.name == name
            and (d.round < number or (d.round == number and not d.after_pairing))
            and not (d.rejoined and d.rejoined <= number)
            for d in self.now.departures
        )

    def present(self) -> list[str]:
        entered = [entrant.name for entrant in self.now.entrants if entrant.entered <= self.number]
        return [name for name in entered if not self.gone(name, self.number)]

    def results(self, name: str) -> list[tuple[int, str, str | None]]:
        """Return round, `win`, `bye`, `loss` or `missed`, and the opponent."""
        (entrant,) = [e for e in self.now.entrants if e.name == name]
        found: list[tuple[int, str, str | None]] = []
        for round_ in self.regular:
            mine = [match for match in round_.matches if name in match.players]
            if name in round_.byes:
                found.append((round_.number, "bye", None))
            elif mine:
                (other,) = {*mine[0].players} - {name}
                found.append((round_.number, "win" if mine[0].winner == name else "loss", other))
            elif entrant.entered <= self.number and (
                round_.number < entrant.entered or self.came_back(name, round_.number)
            ):
                found.append((round_.number, "missed", None))
        return found

    def came_back(self, name: str, number: int) -> bool:
        return any(
            d.name == name and d.rejoined and d.rejoined <= self.number and d.round <= number < d.rejoined
            for d in self.now.departures
        )

    def losses(self, name: str, before: int = 99) -> int:
        return sum(what in ("loss", "missed") for number, what, _ in self.results(name) if number < before)

    def wins(self, name: str) -> int:
        return sum(what in ("win", "bye") for _, what, _ in self.results(name))

    def ratings(self) -> dict[str, Rating]:
        ratings: dict[str, Rating] = {e.name: Rating(mu=25, sigma=25 / 3) for e in self.now.entrants}
        for round_ in self.now.rounds:
            for match in round_.matches:
                if match.kind is Kind.PLAYED and match.winner is not None:
                    (loser,) = {*match.players} - {match.winner}
                    both = rate(ratings[match.winner], ratings[loser], RatingScale())
                    ratings[match.winner], ratings[loser] = both
        return ratings

    def schedule(self, name: str) -> float:
        results, ratings = self.results(name), self.ratings()
        chances = [
            NormalDist().cdf((ratings[o].mu - 25) / (2 * (25 / 6) ** 2 + ratings[o].sigma ** 2 + (25 / 3) ** 2) ** 0.5)
            for _, _, o in results
            if o
        ]
        return round(sum(chances) / len(results), 9) if results else 0.0

    def by_ranking(self, listed: list[str], round_: int) -> list[str]:
        ratings = self.ratings()
        return sorted(
            listed, key=lambda n: (-round(ratings[n].mu - 3 * ratings[n].sigma, 9), self.hash(round_, "tiebreak", n))
        )

    def by_schedule(self, listed: list[str], round_: int) -> list[str]:
        return sorted(self.by_ranking(listed, round_), key=lambda n: -self.schedule(n))

    def met(self, past: int) -> Meetings:
        pairs = [match.players for round_ in self.now.rounds for match in round_.matches]
        for earlier in self.now.past:
            if self.now.number - past <= earlier.number:
                pairs += [match.players for match in earlier.matches]
        return met(*pairs)

    def was_up(self, name: str) -> bool:
        return any(
            other and self.losses(other, number) < self.losses(name, number) for number, _, other in self.results(name)
        )

    def round(self) -> tuple[frozenset[frozenset[str]], frozenset[str]]:
        players, byes = self.present(), []
        if len(players) % 2:
            had = {n: sum(what == "bye" for _, what, _ in self.results(n)) for n in players}
            few = [n for n in players if had[n] == min(had.values())]
            byes = [min(few, key=lambda n: self.hash(self.number, "bye", n))]
            players.remove(byes[0])
        if self.number == 1:
            order = sorted(players, key=lambda n: self.hash(1, "order", n))
            return frozenset(frozenset(two.players) for two in pair_list([*map(Name, order)], self.met(2))), frozenset(
                byes
            )
        tiers = {tier: [n for n in players if self.losses(n) == tier] for tier in range(60)}
        pairs = [frozenset(two.players) for tier in range(60) for two in self.tier(tier, tiers)]
        return frozenset(pairs), frozenset(byes)

    def tier(self, tier: int, tiers: dict[int, list[str]]) -> tuple[object, ...]:
        own, up = tiers[tier], []
        if len(own) % 2:
            below = min(t for t in tiers if t > tier and tiers[t])
            up = [self.up(below, tiers[below])]
            tiers[below].remove(up[0])
        if tier > 1:
            return pair_list([*map(Name, self.by_ranking(own + up, self.number))], self.met(2))
        order = self.by_schedule(own, self.number) + up
        ranking = self.by_ranking(order, self.number)
        return pair_tier([*map(Name, order)], [*map(Name, ranking)], self.met(1 if self.number == 2 else 0))

    def up(self, tier: int, listed: list[str]) -> str:
        if tier > 1:
            ranked = self.by_ranking(listed, self.number)
            return next((n for n in ranked if not self.was_up(n)), ranked[0])
        order = self.by_schedule(listed, self.number)
        bottom = order[len(order) // 2 :]
        pools = ([n for n in bottom if not self.was_up(n)], [n for n in order if not self.was_up(n)], order)
        return min(next(filter(None, pools)), key=lambda n: self.hash(self.number, "pair-up", n))

    def seeds(self) -> list[str]:
        """Return who enters the bracket by default, in seed order."""
        order = self.by_schedule(self.present(), self.number - 1)
        order.sort(key=lambda n: (-self.wins(n), self.losses(n)))
        good = [n for n in order if self.wins(n) >= self.losses(n)]
        starters = [e.name for e in self.now.entrants if e.entered == 1 and not self.gone(e.name, 1)]
        return order[: min(max(4, len(good)), len(starters))]

    def first_finals(self) -> tuple[frozenset[frozenset[str]], frozenset[str]]:
        seeds = self.seeds()
        size = 1
        while size < len(seeds):
            size *= 2
        byes = size - len(seeds)
        layer = [Name(name) for name in seeds[byes:]]
        ranking = [Name(name) for name in self.by_ranking([*layer], self.number - 1)]
        pairs = pair_tier(layer, ranking, self.met(0))
        return frozenset(frozenset(two.players) for two in pairs), frozenset(seeds[:byes])


@given(players=st.integers(2, 20), seed=st.integers(0, 10**6))
@settings(max_examples=examples(40))
def test_the_format_pairs_as_the_naive_reading_does(players: int, seed: int) -> None:
    start = replace(season("ohs", players, rounds=1 + seed % 5, rejoin="free"), past=past(players, seed))
    result = play_season(start, by_chance(seed), Turmoil(seed))
    finals = 0
    for round_ in result.season.rounds:
        before = until(result.season, round_.number)
        answer = by_key("ohs").next_round(before)
        assert isinstance(answer, Proposal)
        finals += round_.stage is Stage.FINALS
        if round_.stage is Stage.REGULAR:
            assert as_sets(answer) == Naive(before).round()
        elif finals == 1:
            assert as_sets(answer) == Naive(before).first_finals()


def past(players: int, seed: int) -> tuple[PastSeason, ...]:
    random = Random(seed)
    some = [*pairwise(random.sample(names(players), players))]
    return season("ohs", 2, past={6: some[::2], 5: some[1::2], 4: some}).past
