"""The rounds of a season as its page lists them, by groups where it has some, those that are to come too."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.league.checking.by_hand import is_by_organiser
from bot.league.counting.seat_holders import people_in_seats
from bot.league.formats import by_key
from bot.league.season.in_words import capitalised
from bot.league.season.model import Kind, Match, Name, Round, Season, Stage
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.site import words
from bot.site.facts import RoundFacts, SeasonFacts
from bot.site.words import Clock


class Result(NamedTuple):
    """A match in the list of a round; `first` is the winner where there is one."""

    name: str
    first: str
    joint: str
    second: str
    after: str
    decided: bool


class RoundView(NamedTuple):
    """A round as the page lists it."""

    number: int
    title: str
    finals: bool
    by_hand: bool
    ends: str
    matches: tuple[Result, ...]
    byes: tuple[str, ...]
    open: int
    groups: tuple[tuple[str, tuple[Result, ...], tuple[str, ...]], ...] = ()
    """Its matches and who rests by groups, where the season has some."""


def called_in(record: Season, number: int) -> dict[Name, str]:
    """Return what everyone is called who sits in a seat in a round."""
    people = people_in_seats(record, number)
    return {seat: seat if person == seat else f"{person} (for {seat})" for seat, person in people.items()}


def round_view(
    facts: SeasonFacts, round_: Round, title: str, names: Sequence[str], round_facts: RoundFacts, clock: Clock
) -> RoundView:
    """Return a round as the page lists it, with the names of its matches."""
    stopped = facts.phase is SeasonPhase.CANCELLED
    called = called_in(facts.record, round_.number)
    matches = tuple(
        _match(match, "" if name == title else name, called, round_facts, clock, stopped=stopped)
        for match, name in zip(round_.matches, names, strict=True)
    )
    ends = (
        clock.full(round_facts.deadline)
        if round_facts.phase is RoundPhase.OPEN and round_facts.deadline and not facts.paused_until
        else ""
    )
    return RoundView(
        number=round_.number,
        title=title,
        finals=round_.stage is Stage.FINALS,
        by_hand=is_by_organiser(round_.by_hand),
        ends=ends,
        matches=matches,
        byes=tuple(called.get(name, name) for name in round_.byes),
        groups=tuple(_by_groups(facts, round_, matches, called)),
        open=0 if stopped else sum(not match.decided for match in matches),
    )


def _by_groups(
    facts: SeasonFacts, round_: Round, matches: Sequence[Result], called: Mapping[Name, str]
) -> Iterator[tuple[str, tuple[Result, ...], tuple[str, ...]]]:
    """Yield the matches of a round before the finals by groups, with who rests; groups that are done are left out."""
    calendar = by_key(facts.record.format).calendar(facts.record)
    if round_.stage is not Stage.REGULAR or len(calendar) < round_.number:
        return
    gone = {left.name for left in facts.record.departures if left.gone_at(round_.number)}
    lines = {frozenset(match.players): line for match, line in zip(round_.matches, matches, strict=True)}
    for group in calendar[round_.number - 1]:
        own = tuple(lines[frozenset(pair)] for pair in group.pairs if frozenset(pair) in lines)
        rests = group.resting
        resting = () if rests is None or rests in gone else (called.get(rests, rests),)
        if own:
            yield capitalised(group.group), own, resting


def to_come(facts: SeasonFacts) -> Iterator[RoundView]:
    """Yield the rounds before the finals that are known and not paired yet; players who left lose their matches."""
    format_ = by_key(facts.record.format)
    begun = facts.phase is SeasonPhase.RUNNING and facts.record.rounds  # a preview of round 1 isn't for everyone yet
    calendar = format_.calendar(facts.record) if begun else ()
    called = facts.called
    for number, groups_ in enumerate(calendar, start=1):
        if number <= len(facts.record.rounds):
            continue
        listed = tuple(
            (
                capitalised(group.group),
                tuple(
                    Result("", called.get(upper, upper), "v", called.get(lower, lower), "", decided=False)
                    for upper, lower in group.pairs
                ),
                () if group.resting is None else (called.get(group.resting, group.resting),),
            )
            for group in groups_
            if group.pairs
        )
        every = tuple(match for _, matches, _ in listed for match in matches)
        title = f"Round {number} of {len(calendar)}"
        yield RoundView(number, title, False, False, "", every, (), len(every), listed)


def _match(
    match: Match, name: str, called: Mapping[Name, str], round_facts: RoundFacts, clock: Clock, *, stopped: bool
) -> Result:
    upper, lower = called.get(match.upper, match.upper), called.get(match.lower, match.lower)
    how = words.how(match)
    if match.kind is Kind.OPEN:
        agreed = round_facts.agreed.get(match.players)
        after = "not played" if stopped else f"agreed: {clock.full(agreed)}" if agreed else ""
        return Result(name, upper, "v", lower, after, decided=False)
    if match.winner is None:
        joint = "and" if match.kind is Kind.DOUBLE_LOSS else "drew with"
        after = "both lose" if match.kind is Kind.DOUBLE_LOSS else words.numbers_of(match, match.upper)
        return Result(name, upper, joint, lower, after, decided=True)
    numbers = words.numbers_of(match, match.winner)
    first, second = (upper, lower) if match.winner == match.upper else (lower, upper)
    return Result(name, first, "beat", second, " ".join(filter(None, (numbers, how))), decided=True)
