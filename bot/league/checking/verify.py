"""Recompute a season by what was known at each round, and say what differs: pairs, byes, first choices, the salt."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bot.league.checking.by_hand import FORGOTTEN
from bot.league.checking.ladders import ladder_difference
from bot.league.checking.season_end import end_difference
from bot.league.counting.draw import commitment_of, salt_of
from bot.league.counting.history import History
from bot.league.errors import LeagueError, WrongPhase
from bot.league.formats import by_key
from bot.league.match_day.dice_offs import first_choices
from bot.league.pairing.proposal import Champion, Proposal
from bot.league.season.model import Departure, Name, Round, Season
from bot.league.season.node import one_line, quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCheck:
    """What verifying one round found; `difference` is None where it is as the rules say."""

    number: int
    difference: str | None = None
    by_hand: str | None = None
    since: int | None = None
    """The first round of the season that differs."""

    def line(self) -> str:
        """Return the finding in one line."""
        if self.difference is not None:
            since = "the first to differ" if self.since == self.number else f"rounds differ since round {self.since}"
            return f"round {self.number}: differs ({since}): {self.difference}"
        if self.by_hand is not None:
            return f"round {self.number}: changed by hand ({one_line(self.by_hand)}); no one plays twice"
        return f"round {self.number}: as the rules say"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What verifying a season found."""

    rounds: tuple[RoundCheck, ...]
    salt: tuple[str, ...] = ()
    """What is wrong with the salt, if anything."""
    end: str | None = None
    """What is wrong with the standings or the champion, if anything."""
    ladder: str | None = None
    """What is wrong with the ladder, if anything."""
    notes: tuple[str, ...] = ()
    """What was compared besides, and what can't be."""

    @property
    def agrees(self) -> bool:
        """Whether everything is as the rules say, or was changed openly."""
        return not self.differences

    @property
    def differences(self) -> list[str]:
        """The lines that say what isn't as the rules say."""
        rounds = [check.line() for check in self.rounds if check.difference is not None]
        return [*self.salt, *rounds, *self._others]

    @property
    def _others(self) -> list[str]:
        return [line for line in (self.end, self.ladder) if line]

    def lines(self) -> list[str]:
        """Return the findings, one line each."""
        return [*self.salt, *(check.line() for check in self.rounds), *self._others, *self.notes]


def verify(season: Season, others: Iterable[Season] = ()) -> Verification:
    """Recompute every round from those before it; raises WrongPhase where nothing can be verified.

    The season whose ladder it began with is looked for among the `others`.
    """
    if not by_key(season.format).paired:
        raise WrongPhase("this season was recorded elsewhere, so there are no rules to check its rounds against")
    checks: list[RoundCheck] = []
    since: int | None = None
    for round_, history in histories(season):
        problem = difference(season, round_, history)
        if problem is not None and since is None:
            since = round_.number
        checks.append(RoundCheck(number=round_.number, difference=problem, by_hand=round_.by_hand, since=since))
    kept = season.groups is not None  # whose name was replaced can't be drawn again
    end = None if season.final is None or season.keeps_its_end else end_difference(season, season.final)
    ladder, note = (None, "") if season.ladder_of is None or kept else ladder_difference(season, others)
    return Verification(
        rounds=tuple(checks),
        salt=tuple(_salt_differences(season)),
        end=None if end is None else f"final: differs: {end}",
        ladder=ladder,
        notes=(*_notes(season, ends_so=end is None), *([note] if note else [])),
    )


def _notes(season: Season, *, ends_so: bool) -> Iterator[str]:
    if season.forgotten:
        yield f"salt and fingerprints: not compared, because {FORGOTTEN}"
    elif season.sealed is not None and season.sealed.secret is None and season.rounds:
        yield "salt: not compared, because the file doesn't say the secret"
    if season.groups is not None:
        yield f"groups as in the file, and the end not compared, because {FORGOTTEN}"
    if season.bracket is not None:
        yield f"bracket: its first slots as in the file, because {FORGOTTEN}"
    yield from _idle_decisions(season)
    if season.final is not None and season.final.kept:
        yield f"final: as in the file, not compared, because {FORGOTTEN}"
    elif season.final is not None and not season.keeps_its_end and ends_so:
        yield "final: as the rules say"


def _idle_decisions(season: Season) -> Iterator[str]:
    """Say which orders of the organiser count for nothing."""
    rules = by_key(season.format)
    if not rules.organiser_breaks_ties or not season.decisions:
        return
    counting = rules.counting_decisions(season)
    ordered = {frozenset(season.decisions[number].order) for number in counting}
    for number, decision in enumerate(season.decisions):
        if number not in counting:
            newer = frozenset(decision.order) in ordered
            why = "a newer one is of the same players" if newer else "these aren't all of one group of equals"
            names = one_line(", ".join(decision.order))
            yield f"decision after round {decision.after_round} ({names}): counts for nothing, because {why}"


def as_of(season: Season, number: int) -> Season:
    """Return what was known when round `number` was paired."""
    return replace(
        season,
        rounds=tuple(round_ for round_ in season.rounds if round_.number < number),
        entrants=tuple(entrant for entrant in season.entrants if entrant.entered <= number),
        departures=tuple(
            _known(departure, number) for departure in season.departures if not departure.is_after(number)
        ),
        decisions=tuple(decision for decision in season.decisions if decision.after_round < number),
        substitutes=tuple(row for row in season.substitutes if row.round <= number),
    )


def _known(departure: Departure, number: int) -> Departure:
    later = departure.rejoined is not None and departure.rejoined > number
    return replace(departure, rejoined=None) if later else departure


def histories(season: Season) -> Iterator[tuple[Round, History]]:
    """Yield each round with what was known when it was paired; every result is counted once for all of them."""
    history: History | None = None
    for round_ in season.rounds:
        history = by_key(season.format).before_finals(as_of(season, round_.number), history)
        yield round_, history


def difference(season: Season, round_: Round, history: History | None = None) -> str | None:
    """Return how a round differs from the rules, if it does; in one changed by hand, only nobody can play twice.

    `history` is what was known when it was paired, if that is counted already; see `histories` for all of a season.
    """
    if round_.by_hand is not None:
        twice = next((name for name, times in Counter(round_.seated).items() if times > 1), None)
        return None if twice is None else f"{quoted(twice)} plays twice"
    rules = by_key(season.format)
    try:
        expected = rules.next_after(history or rules.before_finals(as_of(season, round_.number)))
    except LeagueError as impossible:
        return f"the rules can't pair this round: {one_line(str(impossible))}"
    if isinstance(expected, Proposal):
        return _compare(expected, round_) or _compare_dice_offs(season, round_)
    over = "no one is left" if expected.name is None else f"{quoted(expected.name)} is already the champion"
    return f"{over if isinstance(expected, Champion) else 'there are no finals'}, so no round is due"


def _compare(expected: Proposal, round_: Round) -> str | None:
    due = {frozenset((pair.upper, pair.lower)) for pair in expected.pairs}
    stated = {frozenset(match.players) for match in round_.matches}
    due_byes, byes = {bye.name for bye in expected.byes}, set(round_.byes)
    if expected.stage is not round_.stage:
        return f"by the rules it is a {expected.stage} round, in the file a {round_.stage} one"
    if due == stated and due_byes == byes:
        return None
    return (
        f"by the rules {_listed(due - stated, due_byes - byes)}; in the file {_listed(stated - due, byes - due_byes)}"
    )


def _compare_dice_offs(season: Season, round_: Round) -> str | None:
    """Return which first choices noted in the matches of a round the rules give to the other player."""
    choices = first_choices(season, round_.number, [match.players for match in round_.matches])
    wrong = [
        f"to {quoted(choice.name)}, not to {quoted(match.dice_off)}"
        for match, choice in zip(round_.matches, choices, strict=bool(choices))
        if match.dice_off not in (None, choice.name)
    ]
    return f"by the rules the first choice goes {', '.join(wrong)} as in the file" if wrong else None


def _listed(pairs: Iterable[frozenset[Name]], byes: Iterable[Name]) -> str:
    parts = sorted(" v ".join(quoted(name) for name in sorted(pair)) for pair in pairs)
    parts.extend(f"a bye for {quoted(name)}" for name in sorted(byes))
    return ", ".join(parts) or "none of these"


def _salt_differences(season: Season) -> Iterator[str]:
    """Compare the salt with the names it was made of, and a sealed one's secret with what it was sealed by.

    Where the file doesn't say the names, they are those at the start, with or without the players who left before
    round 1. Nothing can be compared once a player is forgotten, whose name was one of them.
    """
    salt, sealed, drawn = season.settings.salt, season.sealed, season.drawn_names
    if salt is None or season.forgotten or (sealed is not None and sealed.secret is None):
        return
    secret = None if sealed is None else sealed.secret
    if sealed is not None and secret is not None and (commitment := commitment_of(secret)) != sealed.commitment:
        yield f"salt: differs: the secret gives the commitment {commitment}, in the file it is {sealed.commitment}"
    entered = [entrant.name for entrant in season.entrants if entrant.entered == 1]
    sets = [entered, History(season, before=1).starters()] if drawn is None else [drawn]
    salts = [salt_of(names, secret) for names in sets]
    if salt not in salts:
        whose = "of the players at the start" if drawn is None else "in drawn_names"
        of = f"the names {whose}" if secret is None else f"the secret and the names {whose}"
        yield f"salt: differs: {of} give {salts[0]}, in the file it is {salt}"
