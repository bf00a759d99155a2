"""Every sentence of every reason, checked from what it says: lists are sorted by their values, positions are right."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.pairing.in_short import tell, told_to
from bot.league.pairing.proposal import Bye, Pair, Proposal
from bot.league.pairing.reasons import Key, decided_between
from bot.league.season.model import Entrant, Name, Season, Stage
from bot.services.play.prepared import prepared
from tests.examples import examples
from tests.league.builders import by_chance, names, play_season, season, until
from tests.league.formats.test_ohs_reference import past
from tests.league.turmoil import Turmoil

DOWN = (
    "strength of schedule",
    "extended strength",
    "ranking",
    "points",
    "wins",
    "game win",
    "beaten opponents",
    "SoS",
)
"""Keys that put the greatest first; the others put the smallest first."""
ENTRY = re.compile(r"(\w+) (paired up|floated in|\d+ [a-z]+|-?[\w.]+)(?: \(([^)]*)\))?(?:, |$)")


def test_two_values_are_told_apart_however_close_they_are() -> None:
    close = {Name("ann"): Fraction(1, 3) + Fraction(1, 10**29), Name("bob"): Fraction(1, 3)}
    decision = decided_between([Key("schedule", close.__getitem__)], [Name("ann")], [Name("bob")])
    assert decision is not None
    assert decision.values == {"ann": f"0.{'3' * 28}4", "bob": f"0.{'3' * 29}"}


@pytest.mark.parametrize(
    ("value", "told"),
    [(Fraction(-1, 3), "-0.333"), (Fraction(-1, 10**9), "0.000"), (2.5, "2.500"), (-12.0005, "-12.001")],
)
def test_a_value_is_told_rounded(value: Fraction | float, told: str) -> None:
    decision = decided_between([Key("rating", {"ann": value, "bob": 99.0}.__getitem__)], [Name("ann")], [Name("bob")])
    assert decision is not None
    assert decision.values == {"ann": told, "bob": "99.000"}


KNOWN_AS = re.compile(r" \[(?:-?\d+|as shown)\]")
"""A rating as people know it, beside the exact value."""


@dataclass
class Listed:
    """A list as a sentence tells it: names with the values told for each, and how many it leaves out."""

    titles: list[str]
    values: dict[str, list[str]]
    more: int

    @property
    def names(self) -> list[str]:
        return [*self.values]

    @property
    def size(self) -> int:
        return len(self.values) + self.more

    @property
    def equal_to_first(self) -> list[str]:
        return [name for name in self.names if self.values[name] == self.values[self.names[0]]]


def read_list(text: str, *, lowest_first: bool = False) -> Listed:
    """Read `by KEY, then KEY: NAME value (key value), NAME value and 3 more`, and check its order and its draws."""
    text = KNOWN_AS.sub("", text)
    by, _, told = text.removeprefix("by ").partition(": ")
    told, _, more = told.partition(" and ")
    values: dict[str, list[str]] = {}
    assert "".join(found[0] for found in ENTRY.finditer(told)) == told, f"unread: {told}"
    for name, first, others in ENTRY.findall(told):
        values[name] = [first, *(other.rpartition(" ")[2] for other in others.split(", ") if other)]
    found = Listed(by.split(", then "), values, int(more.removesuffix(" more") or 0))
    for name, told_values in values.items():
        for title, value in zip(found.titles, told_values, strict=False):
            if title.startswith("draw "):
                assert drawn(title, name).startswith(value)
    for one, other in pairwise(found.names):
        assert comes_first(found, one, other) != lowest_first, f"{one} before {other}: {text}"
    return found


def drawn(title: str, name: str) -> str:
    return sha256(title.removeprefix("draw ").removesuffix("NAME").encode() + name.encode()).hexdigest()


def comes_first(listed_: Listed, one: str, other: str) -> bool:
    """Whether one comes before another by the values told: there has to be one that tells them apart."""
    for title, mine, theirs in zip(listed_.titles, listed_.values[one], listed_.values[other], strict=False):
        if mine != theirs:
            return before(title, mine, theirs)
    raise AssertionError(f"nothing tells {one} and {other} apart: {listed_.values}")


def before(title: str, mine: str, theirs: str) -> bool:
    if "paired up" in (mine, theirs) or "floated in" in (mine, theirs):
        return theirs == "paired up" or mine == "floated in"
    if title.startswith("draw "):
        return mine < theirs
    if title == "group":
        return int(mine.split()[0]) > int(theirs.split()[0])
    return (float(mine) > float(theirs)) == title.startswith(DOWN)


@dataclass
class Check:
    """One pair or bye whose sentences are read one after another."""

    before: Season
    proposal: Proposal
    decided: Pair | Bye
    unpaired: Listed | None = None
    lowest: Listed | None = None
    players: Listed | None = None
    bottom: list[str] = field(default_factory=list[str])
    skipped: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    more_skipped: int = 0
    undone: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ignored: bool = False
    slots: tuple[int, int] = (0, 0)
    seeded: list[str] = field(default_factory=list[str])
    table: tuple[int, int] = (0, 0)

    @property
    def both(self) -> set[str]:
        return {self.decided.name} if isinstance(self.decided, Bye) else set(self.decided.players)

    def met(self, one: str, other: str) -> set[tuple[int, int | None]]:
        this = {
            (self.before.number, r.number)
            for r in self.before.rounds
            for m in r.matches
            if {*m.players} == {one, other}
        }
        earlier = {(p.number, m.round) for p in self.before.past for m in p.matches if {*m.players} == {one, other}}
        return this | earlier

    def check_met(self, one: str, other: str, when: str) -> None:
        season_, _, round_ = when.removeprefix("in season ").partition(", round ")
        if when.startswith("in round "):
            season_, round_ = str(self.before.number), when.removeprefix("in round ")
        assert (int(season_), int(round_) if round_ else None) in self.met(one, other)

    # -- the sentences -------------------------------------------------------------------------------------------------

    def read_unpaired(self, told: str) -> None:
        self.unpaired = read_list(told)
        if told.startswith("by seed: ") and self.seeded:
            assert all(self.seeded[int(seed) - 1] == name for name, (seed,) in self.unpaired.values.items())

    def read_lowest(self, told: str) -> None:
        self.lowest = read_list(told, lowest_first=True)

    def skip_met(self, one: str, other: str, when: str) -> None:
        self.check_met(one, other, when)
        self.skipped.append(other)

    def skip_more(self, one: str, count: str) -> None:
        self.more_skipped = int(count)

    def c_test(self, other: str, position: str, third: str) -> bool:
        """Whether C, recomputed from both lists, is ranked below the first."""
        assert self.unpaired is not None
        assert self.lowest is not None
        order, p = self.unpaired.names, int(position)
        half = len(order) // 2
        assert self.unpaired.more == self.lowest.more == 0
        assert order[p - 1] == other
        assert p <= half
        assert [name for name in self.lowest.names if name in order[half:]][p - 1] == third
        return self.lowest.names.index(third) < self.lowest.names.index(order[0])

    def refuse(self, one: str, other: str, position: str, _: str, third: str, below: str, again: str) -> None:
        assert self.c_test(other, position, third)
        assert (below, again) == (one, other)
        self.skipped.append(other)
        self.refused.append(other)

    def accept(self, other: str, position: str, _: str, third: str, first: str, again: str) -> None:
        assert not self.c_test(other, position, third)
        assert other == again
        assert {first, other} == self.both

    def ignore(self, one: str) -> None:
        self.ignored = True

    def take_next(self, one: str, other: str, which: str) -> None:
        assert self.unpaired is not None
        order = self.unpaired.names
        assert order[0] == one
        assert {one, other} == self.both
        assert order[1 : order.index(other)] == self.skipped
        assert bool(self.skipped) == which.startswith("the next they haven't met")

    def take_lowest(self, one: str, other: str, which: str) -> None:
        assert self.unpaired is not None
        assert self.unpaired.names[0] == one
        assert {one, other} == self.both
        if self.lowest is None:
            assert self.unpaired.names == [one, other]
            assert self.unpaired.size == 2
            return
        others = [name for name in self.lowest.names if name != one]
        if self.ignored:
            assert other == (self.refused or [other])[0]
            assert others[: len(self.skipped)] == self.skipped
            assert len(self.skipped) + self.more_skipped == len(others)
        else:
            assert others[: others.index(other)][:10] == self.skipped
            assert others.index(other) == len(self.skipped) + self.more_skipped
        expected = "of those who could refuse" if self.ignored else "of those not skipped"
        assert which == (expected if self.skipped else "player left")

    def stuck(self, one: str, met: str) -> None:
        for other, when in re.findall(r"(\w+) \(([^)]*)\)", met):
            self.check_met(one, other, when)

    def undo(self, one: str, pairs: str) -> None:
        self.undone = [tuple(pair.split(" v ")) for pair in pairs.split(", then ")]  # each of two

    def skip_needed(self, one: str, other: str) -> None:
        self.skipped.append(other)

    def take_completable(self, one: str, other: str) -> None:
        assert {one, other} == self.both
        new = [name for pair in reversed(self.undone) for name in pair]
        if self.unpaired is not None:  # a tier
            assert self.lowest is not None or self.unpaired.size == 2
            new = [name for name in (self.lowest or self.unpaired).names if name != one]
        new = [name for name in new if name not in self.skipped]
        assert self.met(one, other) or other in new

    def was_undone(self, one: str, other: str, stuck: str) -> None:
        told = [reason.sentence for pair in self.proposal.pairs for reason in pair.reasons]
        assert any(s.startswith(f"For {stuck} the last pairs were undone") and f"{one} v {other}" in s for s in told)

    def rematch(self, one: str, other: str, when: str) -> None:
        assert {one, other} == self.both
        self.check_met(one, other, when)

    def list_players(self, told: str) -> None:
        self.players = read_list_of_equals(told)

    def skip_byes(self, told: str) -> None:
        assert self.both.isdisjoint(told.split(", "))
        self.players = None

    def smallest(self, one: str, count: str, told: str) -> None:
        found = read_list(told)
        assert found.names[0] == one
        assert found.size == int(count)
        assert one in self.both
        if self.players is not None:
            assert len(self.players.equal_to_first) == int(count)
            assert {*found.names} <= {*self.players.equal_to_first}
        if self.bottom:
            assert {*found.names} <= {*self.bottom}

    def only(self, one: str, which: str) -> None:
        assert one in self.both
        if self.players is not None:
            assert self.players.equal_to_first == [one]

    def lowest_standing(self, one: str, told: str) -> None:
        by, _, _ = told.partition(": ")
        assert by.startswith("by byes")
        entries = ENTRY.findall(told.partition(": ")[2].partition(" and ")[0])
        assert entries[0][0] == one
        titles = by.removeprefix("by ").split(", then ")
        values = [[e[1], *(v.rpartition(" ")[2] for v in e[2].split(", ") if v)] for e in entries]
        if len(values) == 2:
            title, mine, theirs = next(t for t in zip(titles, *values, strict=False) if t[1] != t[2])
            assert mine > theirs if title.startswith("draw") else float(mine) < float(theirs)

    def list_tier(self, told: str, first: str) -> None:
        order = read_list(told).names
        assert order[len(order) // 2] == first
        self.bottom = order[len(order) // 2 :]

    def highest(self, one: str, told: str) -> None:
        assert one in read_list(told).names
        assert one in self.both

    def anywhere(self, one: str, count: str, told: str) -> None:
        self.bottom = []
        self.smallest(one, count, told)

    def float_down(self, one: str, told: str, kept: str) -> None:
        but = kept.removeprefix(" but for ").split(", ") if kept else []
        order = read_list(told).names
        assert order[-1 - len(but) :] == [one, *but]
        assert one in self.both

    def drawn_byes(self, byes: str, players: str, told: str) -> None:
        found = read_list(told)
        assert found.size == int(players)
        assert self.both <= {*found.names[: int(byes)]}
        assert len(self.proposal.byes) == int(byes)

    def number(self, number: str, told: str) -> None:
        found = read_list(told)
        assert found.names[int(number) - 1] in self.both
        assert found.size == len(self.proposal.byes) + len(self.proposal.pairs)

    def layer(self, players: str, pairs: str, more: str, number: str, one: str, other: str, *_: str) -> None:
        listed_pairs = [{*pair.split(" v ")} for pair in pairs.split(", ")]
        assert listed_pairs[int(number) - 1] == self.both
        assert 2 * (len(listed_pairs) + int(more or 0)) == int(players)
        assert (int(one), int(other)) == self.slots

    def slot_match(self, round_: str, upper: str, one: str, lower: str, other: str) -> None:
        assert {upper, lower} == self.both
        size = {"Final": 2, "Semi-final": 4, "Quarter-final": 8}.get(round_) or int(round_.removeprefix("Round of "))
        self.slots = (int(one), int(other))
        assert self.slots[0] < self.slots[1]
        if self.seeded and self.before.format != "ohs":
            assert [self.seeded[slot - 1] for slot in self.slots] == [upper, lower]
        swapped = any(
            reason.sentence.startswith("The bracket had ") for pair in self.proposal.pairs for reason in pair.reasons
        )
        if not swapped and self.proposal.number == 1 + sum(r.stage is not Stage.FINALS for r in self.before.rounds):
            assert sum(self.slots) == size + 1

    def tie(self, players: str, losses: str, schedule: str, places: str) -> None:
        rows = {row.name: row for row in by_key(self.before.format).standings(self.before)}
        inside = {name for pair in self.proposal.pairs for name in pair.players} | {b.name for b in self.proposal.byes}
        assert len(inside) == int(players)
        assert {(rows[name].losses, str(rows[name].tiebreaks["strength_of_schedule"])) for name in inside} == {
            (int(losses), schedule)
        }

    def seeds(self, told: str) -> None:
        self.seeded = read_list(told).names
        assert self.both <= {*self.seeded}

    def meet(self, number: str, upper: str, lower: str) -> None:
        assert int(number) == self.proposal.number
        self.table = int(upper), int(lower)

    def numbers(self, told: str) -> None:
        """The two who have the numbers the table says are those who meet."""
        assert isinstance(self.decided, Pair)
        names_ = read_list(told).names
        assert tuple(names_[number - 1] for number in self.table) == self.decided.players

    def fine(self, *_: str) -> None:
        """Nothing in it has to be recomputed."""


def read_list_of_equals(told: str) -> Listed:
    """Read a list whose first may be equal: it says who the candidates are, not which of them."""
    by, _, players = told.partition("by ")[2].partition(": ")
    players, _, more = players.partition(" and ")
    values = {e[0]: [e[1], *(v.rpartition(" ")[2] for v in e[2].split(", ") if v)] for e in ENTRY.findall(players)}
    titles = by.split(", then ")
    signs = [-1 if title.startswith("most") else 1 for title in titles]
    order = [[sign * int(v) for sign, v in zip(signs, of_one, strict=False)] for of_one in values.values()]
    assert order == sorted(order)
    return Listed(titles, values, int(more.removesuffix(" more") or 0))


LIST = r"(by .*?: .*?)"
ROUND = r"(Final|Semi-final|Quarter-final|Round of \d+)"
SENTENCES: tuple[tuple[str, Callable[..., None]], ...] = (
    (rf"Unpaired, {LIST}\.", Check.read_unpaired),
    (rf"Unpaired from the lowest, {LIST}\.", Check.read_lowest),
    (r"(\w+) skipped (\w+): they met (.*)\.", Check.skip_met),
    (r"(\w+) skipped (\d+) more for the same reasons\.", Check.skip_more),
    (r"(\w+) skipped (\w+): then there would be more rematches\.", Check.skip_needed),
    (
        r"(\w+) skipped (\w+), number (\d+) and in the top half: in the bottom half number (\d+) from the lowest "
        r"ranked is (\w+), ranked below (\w+), so (\w+) can refuse\.",
        Check.refuse,
    ),
    (
        r"(\w+) is number (\d+) and in the top half: in the bottom half number (\d+) from the lowest ranked is (\w+), "
        r"not ranked below (\w+), so (\w+) can't refuse\.",
        Check.accept,
    ),
    (r"Everyone (\w+) could still get could refuse, so no one can\.", Check.ignore),
    (r"(\w+), the first, takes (\w+), (the next|the next they haven't met(?: this season[a-z ]*)?)\.", Check.take_next),
    (r"(\w+), the first, takes (\w+), the lowest ranked (player left|of those .*)\.", Check.take_lowest),
    (r"(\w+) had to avoid everyone then left: (.*)\.", Check.stuck),
    (
        r"For (\w+) the last pairs were undone until everyone could be paired with the fewest rematches: (.*)\.",
        Check.undo,
    ),
    (
        r"(\w+) takes (\w+), the first choice that lets everyone else be paired with the fewest rematches\.",
        Check.take_completable,
    ),
    (r"(\w+) v (\w+) was set before, and undone because (\w+) had to avoid everyone then left\.", Check.was_undone),
    (
        r"(\w+) v (\w+) is a rematch \(they met (.*)\): (?:no .*? has fewer rematches|they were the only ones in .*)\.",
        Check.rematch,
    ),
    (r"Rematches don't count when a player is paired up\.", Check.fine),
    (rf"Players (?:of [\w -]*(?:, the lowest[\w ]*)?, )?{LIST}\.", Check.list_players),
    (rf"(\w+) has the bye: the smallest draw of the (\d+) [^:]*?, {LIST}\.", Check.smallest),
    (
        rf"(\w+) is paired up from [^:]*: the smallest draw of the (\d+) of their lower half [^:]*?, {LIST}\.",
        Check.smallest,
    ),
    (rf"(\w+) is paired up from [^:]*: the smallest draw of the (\d+) (?:not|there)[^:]*?, {LIST}\.", Check.anywhere),
    (rf"(\w+) of [\w-]* is paired up into [\w-]*: the smallest draw of the (\d+) left, {LIST}\.", Check.smallest),
    (r"(\w+) [^:]*: the only one (.*)\.", Check.only),
    (rf"(\w+) has the bye: the fewest byes, then the lowest in the standings, {LIST}\.", Check.lowest_standing),
    (rf"The \d-loss tier, {LIST}; its bottom half begins with (\w+)\.", Check.list_tier),
    (rf"(\w+) is paired up from [^:]*: the highest ranked (?:not|there)[^:]*?, {LIST}\.", Check.highest),
    (
        rf"(\w+) floats down from the players with [^:]*: the last in their order, which ends {LIST}"
        r"(?:( but for .*): without them the rest would need a rematch)?\.",
        Check.float_down,
    ),
    (rf"Byes in round 1: (\d+) for (\d+) players, the smallest {LIST}\.", Check.drawn_byes),
    (rf"It is number (\d+) of the matches and byes, sorted {LIST}\.", Check.number),
    (
        r"The (\d+) players with (?:no|one) bye and known opponents were re-seeded like a tier, by seed\. By better "
        r"seed the pairs are (.*?)(?: and (\d+) more)?: this is number (\d+) and takes slots (\d+) and (\d+), number "
        r"(\d+) from the top and from the bottom\.",
        Check.layer,
    ),
    (
        r"(Final|Semi-final|Quarter-final|Round of \d+): (\w+) \(slot (\d+)\) meets (\w+) \(slot (\d+)\)\.",
        Check.slot_match,
    ),
    (r"(Final|Semi-final|Quarter-final|Round of \d+): (\w+) \(slot (\d+)\) has a bye, because .*\.", Check.fine),
    (
        r"A tie-break round by the draw, rematches allowed: (\d+) players are tied "
        r"\(losses (\d+), SoS ([\d/]+)\), for (.*) in the cut\.",
        Check.tie,
    ),
    (r"The bracket had (\w+) against (\w+).*\.", Check.fine),
    (rf"Seeds, {LIST}\.", Check.seeds),
    (r"Round (\d+): the table says (\d+) meets (\d+)\.(?: They meet a second time, .*)?", Check.meet),
    (rf"Numbers {LIST}\.", Check.numbers),
    (r"(?:The \d-loss tier|Pool [\w-]+): (\d+) players\.", Check.fine),
    (r"Players with \d+ [^:]*: (\d+) in all\.", Check.fine),
    (r"Skipped for [\w-]+: .*, who have met everyone there\.", Check.fine),
    (r"Skipped for the bye: (.*), because the round would then need more rematches\.", Check.skip_byes),
    (r"Skipped for [\w-]+: .*, because the round would then need more rematches\.", Check.fine),
    (r"(Match for third place|Third place goes to).*", Check.fine),
)


def check(before_: Season, proposal: Proposal) -> None:
    for decided in (*proposal.byes, *proposal.pairs):
        reading = Check(before_, proposal, decided)
        for reason in decided.reasons:
            found = [(re.fullmatch(form, reason.sentence), read) for form, read in SENTENCES]
            readings = [(match, read) for match, read in found if match]
            assert readings, f"no check for: {reason.sentence}"
            readings[0][1](reading, *readings[0][0].groups())
            for text in reason.draws:
                assert text.rpartition("/")[2] in reason.sentence
        assert decided.reasons


def entrants(count: int) -> list[Entrant]:
    """Return players with seeds, which most formats ignore."""
    return [Entrant(name=name, seed=1 + (7 * at) % 31) for at, name in enumerate(names(count))]


def said(format_: Format, seed: int) -> dict[str, Any]:
    wanted = {
        "rounds": 2 + seed % 5,
        "bye_among": ("all", "lowest")[seed % 2],
        "seeding": ("drawn", "seeded")[seed % 2],
    }
    return {key: value for key, value in wanted.items() if key in format_.own_settings}


BY_RESULTS = [format_ for format_ in ALL if not format_.fixed_rounds]
"""Every format but round robin, whose table alone says who meets."""


@pytest.mark.parametrize("format_", BY_RESULTS, ids=lambda format_: format_.key)
@given(players=st.integers(5, 21), seed=st.integers(0, 10**6))
@settings(max_examples=examples(30), deadline=None)
def test_every_sentence_can_be_recomputed_from_what_it_says(format_: Format, players: int, seed: int) -> None:
    count = players if seed % 3 else players // 2 + 3
    start = replace(season(format_, entrants(count), **said(format_, seed)), past=past(players, seed))
    result = play_season(start, by_chance(seed), Turmoil(seed))
    for proposal in result.proposals:
        check(until(result.season, proposal.number), proposal)


@pytest.mark.parametrize("format_", BY_RESULTS, ids=lambda format_: format_.key)
@given(players=st.integers(5, 21), seed=st.integers(0, 10**6))
@settings(max_examples=examples(30), deadline=None)
def test_every_pairing_has_a_short_reason_that_names_both_and_calls_each_you(
    format_: Format, players: int, seed: int
) -> None:
    count = players if seed % 3 else players // 2 + 3
    start = replace(season(format_, entrants(count), **said(format_, seed)), past=past(players, seed))
    result = play_season(start, by_chance(seed), Turmoil(seed))
    for proposal in result.proposals:
        made = prepared(until(result.season, proposal.number), proposal)
        pairs = [((match.upper, match.lower), match.decided.in_short) for match in made.matches]
        for both, pieces in [*pairs, *(((name,), decided.in_short) for name, decided in made.byes)]:
            others = told_to(pieces, both, None)
            assert others.endswith("."), others
            assert others == others.strip()
            if proposal.stage is Stage.FINALS:
                assert not re.match(r"Both were \d|\S+ had \d", others), "records don't pair finals"
            assert "[" not in others
            assert not re.search(r"\byour?\b|[0-9a-f]{8}|\d\.\d|  |\.\.", others, re.IGNORECASE), others
            assert all(re.search(rf"\b{name}\b", others) for name in both), others
            for name in both:
                own = told_to(pieces, both, name)
                assert re.search(r"\byour?\b", own, re.IGNORECASE), own
                assert not re.search(rf"\b{name}\b", own), own
                assert not re.search(r"(?:^|\. )your?\b", own), own


def test_a_name_in_braces_is_not_read_as_a_place_for_another() -> None:
    name = Name("{b}%s{")
    assert told_to(tell("{a} met {b}: {a:they}.", a=name, b=Name("Ada")), (name,), None) == "{b}%s{ met Ada: they."
    assert told_to(tell("{a} met {b}: {a:they}.", a=name, b=Name("Ada")), (name,), name) == "You met Ada: you."
