"""What holds in every round robin, whatever happens in it: laws over random seasons."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.verify import as_of, verify
from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.standings import Standing
from bot.league.formats.round_robin import RoundRobin
from bot.league.pairing.proposal import Proposal
from bot.league.season.choices import Grouping
from bot.league.season.model import Kind, Match, Name, Season, Stage, Status
from bot.random_seasons.season import texts
from tests.examples import examples
from tests.league.builders import as_round, proposed, shuffled

FORMAT = RoundRobin()
SEEDS = pytest.mark.parametrize("seed", range(examples(60)))


@cache
def states(seed: int) -> tuple[Season, ...]:
    """Return a random season before each of its rounds, and at its end."""
    return tuple(read(text.encode()) for text in texts("round-robin", f"laws/{seed}"))


def regular(season: Season) -> list[Match]:
    return [match for round_ in season.rounds if round_.stage is Stage.REGULAR for match in round_.matches]


def is_over(season: Season) -> bool:
    """Whether the regular stage is over."""
    history = FORMAT.before_finals(season)
    return history.finished and len(history.table_rounds) == FORMAT.regular_rounds(history)


@pytest.mark.long
@SEEDS
def test_a_season_is_as_the_rules_say_at_any_time_and_its_file_says_the_same_again(seed: int) -> None:
    for season in states(seed):
        assert verify(season).differences == []
        assert read(to_json(season).encode()) == season


@SEEDS
def test_everyone_meets_everyone_of_their_group_and_no_one_else(seed: int) -> None:
    season = states(seed)[-1]
    if is_over(season):
        groups = FORMAT.groups(FORMAT.before_finals(season))
        pairs = {frozenset((a, b)) for group in groups for a in group for b in group if a < b}
        met = Counter(frozenset(match.players) for match in regular(season))
        assert met == dict.fromkeys(pairs, season.settings.meetings)


@SEEDS
def test_pairings_depend_on_nothing_but_the_groups(seed: int) -> None:
    season = states(seed)[-1]
    for round_ in season.rounds:
        if round_.stage is Stage.REGULAR:
            before = as_of(season, round_.number)
            other = [replace(one, matches=tuple(map(other_result, one.matches))) for one in before.rounds]
            stayed = tuple(left for left in before.departures if left.round == 1 and not left.after_pairing)
            changed = replace(before, rounds=tuple(other), departures=stayed)
            assert pairs_of(changed) == pairs_of(before) == [match.players for match in round_.matches]


def other_result(match: Match) -> Match:
    """Return a match with a result it hasn't."""
    winner = match.lower if match.winner == match.upper else match.upper
    return replace(match, kind=Kind.ADJUDICATED, winner=winner, games=None, score=None)


def pairs_of(season: Season) -> list[tuple[Name, Name]]:
    return [pair.players for pair in proposed(season).pairs]


@SEEDS
def test_no_order_of_rows_matters(seed: int) -> None:
    for season in states(seed):
        mixed = shuffled(season, seed)
        assert FORMAT.standings(mixed) == FORMAT.standings(season)
        if season.rounds:
            assert FORMAT.ladder(mixed) == FORMAT.ladder(season) if is_over(season) else True


@pytest.mark.long
@SEEDS
def test_standings_are_as_worked_out_by_hand(seed: int) -> None:
    for season in states(seed):
        assert [row.name for row in FORMAT.standings(season)] == by_hand(season)


def by_hand(season: Season) -> list[Name]:
    """Return everybody's order as the rules read, in the slowest way."""
    table = {row.name: row for row in FORMAT.standings(season)}
    draw = Draw(season=season.number, round=0, salt=season.settings.salt)
    drawn = {name: draw.value(Purpose.TIEBREAK, name) for name in table}
    history = FORMAT.before_finals(season)
    groups, struck = FORMAT.groups(history), struck_by_hand(season)
    counted = [m for m in regular(season) if m.kind is not Kind.OPEN and not {*m.players} & struck]
    orders = [in_group([name for name in group if name not in struck], counted, season, drawn) for group in groups]
    out = [sorted((name for name in group if name in struck), key=drawn.__getitem__) for group in groups]
    if season.settings.grouping is Grouping.DIVISIONS:
        order = [name for own, late in zip(orders, out, strict=True) for name in (*own, *late)]
    else:
        placed = [
            (place, *(-value for value in per_match(name, counted, season)), drawn[name], name)
            for own in orders
            for place, name in enumerate(own)
        ]
        order = [name for *_, name in sorted(placed)]
        order += sorted((name for late in out for name in late), key=drawn.__getitem__)
    absent = sorted((name for name in table if name not in order), key=drawn.__getitem__)
    assert all(table[name].group is None for name in absent)
    return [*order, *absent]


def struck_by_hand(season: Season) -> set[Name]:
    history = FORMAT.before_finals(season)
    size = {name: len(group) for group in FORMAT.groups(history) for name in group}
    found: set[Name] = set()
    for left in season.departures:
        if left.name in size and left.gone_at(history.number) and left.round <= FORMAT.regular_rounds(history):
            real = [m for m in regular(season) if left.name in m.players]
            played = sum(match.kind in (Kind.PLAYED, Kind.ADJUDICATED) for match in real)
            if 2 * played < season.settings.meetings * (size[left.name] - 1):
                found.add(left.name)
    return found


def points(name: Name, matches: list[Match], season: Season) -> int:
    total, scale = 0, season.settings.points
    for match in matches:
        if name in match.players:
            usual = scale.win if match.winner == name else scale.draw if match.drawn else scale.loss
            total += usual if match.points is None else match.points[match.players.index(name)]
    return total


def scores(name: Name, matches: list[Match], season: Season) -> tuple[int, int]:
    own = other = 0
    for match in matches:
        numbers = match.score if season.settings.scores else match.games
        if name in match.players and numbers is not None:
            mine = match.players.index(name)
            own, other = own + numbers[mine], other + numbers[1 - mine]
    return own - other, own


def per_match(name: Name, matches: list[Match], season: Season) -> tuple[Fraction, Fraction]:
    count = sum(name in match.players for match in matches) or 1
    return Fraction(points(name, matches, season), count), Fraction(scores(name, matches, season)[0], count)


def in_group(names: list[Name], matches: list[Match], season: Season, drawn: dict[Name, str]) -> list[Name]:
    return split(names, ["points", *season.settings.tiebreaks], matches, season, drawn)


def split(
    names: list[Name], keys: list[str], matches: list[Match], season: Season, drawn: dict[Name, str]
) -> list[Name]:
    if not keys:
        return sorted(names, key=drawn.__getitem__)
    key, *later = keys
    own = [match for match in matches if {*match.players} <= {*names}]

    def value(name: Name) -> Any:
        played = [match for match in matches if name in match.players]
        difference, scored = scores(name, matches, season)
        beaten = [match.opponent_of(name) for match in played if match.winner == name]
        drew = [match.opponent_of(name) for match in played if match.drawn]
        return {
            "points": points(name, matches, season),
            "head-to-head": points(name, own, season),
            "difference": difference,
            "scored": scored,
            "wins": len(beaten),
            "sonneborn-berger": Fraction(sum(points(other, matches, season) for other in beaten))
            + Fraction(sum(points(other, matches, season) for other in drew), 2),
        }[key]

    values = {name: value(name) for name in names}
    found: list[Name] = []
    for one in sorted({*values.values()}, reverse=True):
        equals = [name for name in names if values[name] == one]
        again = key == "head-to-head" and len(equals) < len(names)
        found += split(equals, keys if again else later, matches, season, drawn)
    return found


@SEEDS
def test_a_struck_player_is_empty_and_last_of_their_group(seed: int) -> None:
    season = states(seed)[-1]
    rows = {row.name: row for row in FORMAT.standings(season)}
    struck = struck_by_hand(season)
    for name in struck:
        assert (rows[name].points, rows[name].wins, rows[name].losses, *rows[name].tiebreaks.values()) == (0,) * 6
        others = [row for row in rows.values() if row.group == rows[name].group and row.name not in struck]
        assert all((row.group_rank or 0) < (rows[name].group_rank or 0) for row in others)


@SEEDS
def test_places_are_1_2_3_in_each_group(seed: int) -> None:
    for season in states(seed):
        listed: dict[int, list[Standing]] = {}
        for row in FORMAT.standings(season):
            if row.group is not None:
                listed.setdefault(row.group, []).append(row)
        assert [*sorted(listed)] == [*range(1, len(listed) + 1)]
        for rows in listed.values():
            assert sorted(row.group_rank or 0 for row in rows) == [*range(1, len(rows) + 1)]


@SEEDS
def test_the_ladder_is_everyone_of_a_group_once_and_moves_no_one_by_more_than_a_division(seed: int) -> None:
    season = states(seed)[-1]
    if not is_over(season):
        return
    ladder, history = FORMAT.ladder(season), FORMAT.before_finals(season)
    groups = FORMAT.groups(history)
    assert sorted(ladder) == sorted(name for group in groups for name in group)
    if season.settings.grouping is not Grouping.DIVISIONS:
        assert ladder == FORMAT.tables(history).everybody
        return
    ends = [sum(map(len, groups[: number + 1])) for number in range(len(groups))]
    new = {name: next(at for at, end in enumerate(ends) if place < end) for place, name in enumerate(ladder)}
    old = {name: at for at, group in enumerate(groups) for name in group}
    assert all(abs(new[name] - old[name]) <= 1 for name in ladder)
    moved_up = Counter(old[name] for name in ladder if new[name] < old[name])
    moved_down = Counter(new[name] for name in ladder if new[name] > old[name])
    assert moved_up == moved_down
    assert all(count <= season.settings.moves for count in moved_up.values())


@SEEDS
def test_the_next_season_begins_with_the_ladder(seed: int) -> None:
    season = states(seed)[-1]
    if not is_over(season) or season.groups is not None:
        return
    *_, last = fingerprints(season)
    ladder = FORMAT.ladder(season)
    later = replace(
        season,
        number=season.number + 1,
        rounds=(),
        departures=(),
        substitutes=(),
        final=None,
        forgotten=False,
        bracket=None,
        ladder=ladder,
        ladder_of=last,
    )
    assert f"ladder: as season {season.number} says" in verify(later, [later, season]).notes
    wrong = verify(replace(later, ladder=(*ladder[1:], ladder[0])), [season])
    assert wrong.ladder is not None
    assert not wrong.agrees


@SEEDS
def test_no_one_meets_their_group_at_once_in_the_finals_if_that_can_be_avoided(seed: int) -> None:
    season = states(seed)[-1]
    finals = [round_ for round_ in season.rounds if round_.stage is Stage.FINALS]
    if not finals or season.settings.grouping is Grouping.DIVISIONS or any(one.by_hand for one in finals):
        return
    group = {row.name: row.group for row in FORMAT.standings(season)}
    same = sum(group[match.upper] == group[match.lower] for match in finals[0].matches)
    seeds = FORMAT.seeds(season)
    uppers = sorted((min(match.players, key=seeds.__getitem__) for match in finals[0].matches), key=seeds.__getitem__)
    lowers = [name for match in finals[0].matches for name in match.players if name not in uppers]
    assert same == fewest(uppers, lowers, group)


def fewest(uppers: list[Name], lowers: list[Name], group: dict[Name, int | None]) -> int:
    """Return the fewest matches within a group that any assignment has, found by trying augmenting paths."""
    taken: dict[Name, Name] = {}

    def place(upper: Name, seen: set[Name]) -> bool:
        for lower in lowers:
            if lower not in seen and group[upper] != group[lower]:
                seen.add(lower)
                if lower not in taken or place(taken[lower], seen):
                    taken[lower] = upper
                    return True
        return False

    return len(uppers) - sum(place(upper, set()) for upper in uppers)


@SEEDS
def test_who_wins_without_finals_is_the_first_who_is_still_here(seed: int) -> None:
    season = states(seed)[-1]
    if is_over(season) and not FORMAT.plays_finals(season) and not FORMAT.has_finals(FORMAT.before_finals(season)):
        rows = FORMAT.standings(season)
        here = [row for row in rows if row.status not in (Status.DROPPED, Status.DISQUALIFIED)]
        assert [row.status for row in here] == [Status.CHAMPION, *[Status.ELIMINATED] * (len(here) - 1)][: len(here)]
        assert all(row.place is None for row in rows)


@pytest.mark.long
def test_what_is_proven_holds_however_a_season_goes_on() -> None:
    sure = out = 0
    for seed in range(examples(60)):
        for now in states(seed)[:-1]:
            proven = FORMAT.proven(FORMAT.before_finals(now))
            ends = [played_on(now, Random(f"{seed}/{number}")) for number in range(4)]
            for end in filter(None, ends):
                assert proven.sure <= end
                assert proven.out.isdisjoint(end)
                sure, out = sure + len(proven.sure), out + len(proven.out)
    assert sure
    assert out


def played_on(season: Season, chance: Random) -> frozenset[Name] | None:
    """Return who is through at the end of the regular stage if no one leaves; None where that is over already."""
    if any(round_.stage is Stage.FINALS for round_ in season.rounds):
        return None
    gone = {left.name for left in season.departures}
    while True:
        rounds = tuple(
            replace(one, matches=tuple(ended(match, chance, gone, season) for match in one.matches))
            for one in season.rounds
        )
        season = replace(season, rounds=rounds)
        answer = FORMAT.next_round(season)
        if not isinstance(answer, Proposal) or answer.stage is Stage.FINALS:
            break
        season = replace(season, rounds=(*season.rounds, as_round(answer)))
    if FORMAT.has_finals(FORMAT.before_finals(season)):
        return frozenset(FORMAT.finalists_now(season))
    return frozenset(() if answer.name is None else (answer.name,))


def ended(match: Match, chance: Random, gone: set[Name], season: Season) -> Match:
    """Return a match with a result by chance, if it has none; who is gone forfeits."""
    if match.kind is not Kind.OPEN:
        return match
    here = [name for name in match.players if name not in gone]
    if len(here) < 2:
        return replace(match, kind=Kind.FORFEIT if here else Kind.DOUBLE_LOSS, winner=here[0] if here else None)
    low, high = sorted((chance.randint(0, 20), chance.randint(0, 20)))
    if season.settings.draws and chance.random() < 0.2:
        return replace(match, kind=Kind.PLAYED)
    won = chance.choice(match.players) if chance.random() < 0.5 else min(match.players)
    score = (high, low) if won == match.upper else (low, high)
    return replace(match, kind=Kind.PLAYED, winner=won, score=score if season.settings.scores else None)


@SEEDS
def test_what_put_a_player_behind_another_is_what_tells_them_apart(seed: int) -> None:
    season = states(seed)[-1]
    history = FORMAT.before_finals(season)
    tables = FORMAT.tables(history)
    drawn = FORMAT.drawn_places(season)
    for order in tables.orders:
        for before, name in pairwise(order.names):
            one, other = tables.lines[before].record, tables.lines[name].record
            assert (order.behind[name] == "struck") == (name in tables.struck)
            if name not in tables.struck:
                assert (order.behind[name] == "points") == (one.points != other.points)
                assert (order.behind[name] == "draw") <= (drawn.keys() >= {before, name})


@pytest.mark.long
def test_the_generator_reaches_what_matters() -> None:
    """Otherwise the laws above would hold of nothing."""
    ends = [states(seed)[-1] for seed in range(examples(60))]
    assert any(struck_by_hand(season) for season in ends)
    assert any(season.settings.grouping is Grouping.DIVISIONS and is_over(season) for season in ends)
    assert any(round_.stage is Stage.FINALS for season in ends for round_ in season.rounds)
    assert any(season.groups is not None for season in ends)
    assert any(match.kind is Kind.OPEN for season in map(states, range(examples(60))) for match in regular(season[-2]))
