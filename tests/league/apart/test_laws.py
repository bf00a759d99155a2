"""Random seasons with players kept apart: no list has more pairs it should avoid than it must."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.verify import verify
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import KeptApart, Name, Season, Stage
from tests.league.builders import Events, as_round, by_chance, play_season, season
from tests.league.pairing.literal_pairing import Forbidden, fewest_by_force

every_format = pytest.mark.parametrize(
    "format_", [format_ for format_ in ALL if not format_.fixed_rounds], ids=lambda format_: format_.key
)
"""Every format but round robin, in which it has no effect."""


class Apart(Events):
    """Before each round some are kept apart, and some no longer; each proposed round is compared with all others."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.decided = 0

    def before_pairing(self, season: Season, proposal: Proposal) -> Season:
        number, rows = proposal.number, list[KeptApart]()
        for row in season.apart:
            ends = row.until is None and self.random.random() < 0.2
            rows.append(replace(row, until=number) if ends else row)
        people = sorted(entrant.name for entrant in season.entrants)
        rows += [
            KeptApart(players=pair, round=number, until=self.random.choice((None, number, number + 1, number + 2)))
            for pair in combinations(people, 2)
            if self.random.random() < 0.12
        ]
        season = replace(season, apart=tuple(rows))
        self.compare(season)
        return season

    def compare(self, season: Season) -> None:
        answer = by_key(season.format).next_round(season)
        assert isinstance(answer, Proposal)
        free = by_key(season.format).next_round(replace(season, apart=()))
        assert isinstance(free, Proposal)
        self.decided += answer != free
        if answer.stage is Stage.REGULAR:
            assert_fewest(season, answer)
        elif answer.stage is Stage.TIEBREAK or season.format != "ohs":
            assert answer == free


def forbidden_pairs(season: Season, number: int) -> Forbidden:
    """Return who met this season or is kept apart in this round, read from the rows alone."""
    met = {frozenset(match.players) for round_ in season.rounds for match in round_.matches}
    for row in season.apart:
        if number in range(row.round, number + 1 if row.until is None else row.until):
            met.add(frozenset(row.players))
    return frozenset(met)


def assert_fewest(season: Season, proposal: Proposal) -> None:
    forbidden = forbidden_pairs(season, proposal.number)
    lists: dict[str, list[frozenset[Name]]] = {}
    for pair in proposal.pairs:
        assert pair.rematch == (frozenset(pair.players) in forbidden)
        lists.setdefault(pair.tier, []).append(frozenset(pair.players))
    for pairs in lists.values():
        people = sorted(name for pair in pairs for name in pair)
        assert sum(pair in forbidden for pair in pairs) == fewest_by_force(people, forbidden)
    if season.format.endswith("swiss") and proposal.rematches:
        assert len(lists) == 1, "only the list of everybody holds pairs it should avoid"


def assert_seasons_hold(format_: Format, seeds: range) -> None:
    decided = 0
    for seed in seeds:
        events = Apart(seed)
        players = max(format_.fewest_players, 4 + seed % 7)
        played = play_season(season(format_, players, number=1 + seed % 50), by_chance(seed), events)
        decided += events.decided
        if seed % 10 == 0:
            again = read(to_json(played.season).encode())
            assert again.apart == played.season.apart
            assert verify(again).agrees
    assert decided or format_.key == "single-elimination"


@pytest.mark.long
@every_format
def test_no_list_has_more_pairs_to_avoid_than_it_must(format_: Format) -> None:
    assert_seasons_hold(format_, range(20))


@pytest.mark.long
@every_format
def test_no_list_has_more_pairs_to_avoid_than_it_must_in_100_seasons(format_: Format) -> None:
    assert_seasons_hold(format_, range(100))


def test_a_round_paired_against_what_was_said_differs() -> None:
    start = season("keyforge-swiss", 4)
    first = by_key("keyforge-swiss").next_round(start)
    assert isinstance(first, Proposal)
    played = replace(start, rounds=(as_round(first),))
    said = replace(played, apart=(KeptApart(players=first.pairs[0].players, round=1),))
    assert verify(played).agrees
    assert not verify(said).agrees
