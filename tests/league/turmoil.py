"""Drops, disqualifications, late entries and returns by chance, for seasons that are played."""

from dataclasses import replace
from random import Random

from bot.league.errors import PairingImpossible
from bot.league.formats import by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import (
    Decision,
    Departure,
    DepartureKind,
    Entrant,
    Kind,
    Match,
    Name,
    Rating,
    Round,
    Season,
    SitOut,
    Stage,
    Status,
    Substitution,
)
from tests.league.builders import Events, with_departure

IN_PLAY = (Status.ACTIVE, Status.QUALIFIED)


class Turmoil(Events):
    """Drops, disqualifications, late entries and returns by chance; one who is in play always stays."""

    def __init__(self, seed: int, chance: float = 0.06) -> None:
        self.random = Random(seed)
        self.chance = chance

    def before_pairing(self, season: Season, proposal: Proposal) -> Season:
        season = self._leave(season, proposal.number, after_pairing=False)
        if proposal.stage is not Stage.REGULAR:
            return season
        if proposal.number > 1 and self.random.random() < 3 * self.chance:
            season = self._enter(season, proposal.number)
        return self._return(season, proposal.number)

    def after_pairing(self, season: Season) -> Season:
        season = self._leave(season, len(season.rounds), after_pairing=True)
        last = season.rounds[-1]
        gone = {departure.name for departure in season.departures if departure.gone_at(last.number + 1)}
        matches = tuple(_forfeited(match, gone) for match in last.matches)
        return replace(season, rounds=(*season.rounds[:-1], replace(last, matches=matches)))

    def _leave(self, season: Season, number: int, *, after_pairing: bool) -> Season:
        standings = by_key(season.format).standings(season)
        in_play = sorted(standing.name for standing in standings if standing.status in IN_PLAY)
        fewest = by_key(season.format).fewest_players if not season.rounds else 1
        stay = self.random.sample(in_play, min(fewest, len(in_play)))
        for name in in_play:
            if name not in stay and self.random.random() < self.chance:
                kind = self.random.choice(tuple(DepartureKind))
                season = with_departure(season, name, number, after_pairing=after_pairing, kind=kind)
        return season

    def _enter(self, season: Season, number: int) -> Season:
        if number > season.settings.late_entry:
            return season
        newcomer = Entrant(name=Name(f"late{number}"), entered=number)
        return replace(season, entrants=(*season.entrants, newcomer))

    def _return(self, season: Season, number: int) -> Season:
        if season.settings.rejoin == "never":
            return season
        return replace(season, departures=tuple(self._back(gone, number) for gone in season.departures))

    def _back(self, gone: Departure, number: int) -> Departure:
        first = gone.round + 1 if gone.after_pairing else gone.round
        if (
            gone.kind is DepartureKind.DISQUALIFICATION
            or gone.rejoined
            or first >= number
            or self.random.random() < 0.6
        ):
            return gone
        return replace(gone, rejoined=number)


def _forfeited(match: Match, gone: set[Name]) -> Match:
    left = [name for name in match.players if name in gone]
    if not left or match.kind is not Kind.OPEN:
        return match
    # Of two who leave, the first to go loses.
    return replace(match, kind=Kind.FORFEIT, winner=match.opponent_of(left[0]))


class LivesInTheWay(Turmoil):
    """Turmoil with players who sit out and substitutes; what has no effect on a round is asked for as well."""

    def before_pairing(self, season: Season, proposal: Proposal) -> Season:
        season = super().before_pairing(season, proposal)
        return self._sit_out(self._substitute(season, proposal.number), proposal.number)

    def _sit_out(self, season: Season, number: int) -> Season:
        asking = [one.name for one in season.entrants if self.random.random() < 2 * self.chance]
        asked = replace(season, sat_out=(*season.sat_out, *(SitOut(name=name, round=number) for name in asking)))
        try:
            by_key(season.format).next_round(asked)
        except PairingImpossible:
            return season
        return asked

    def _substitute(self, season: Season, number: int) -> Season:
        for entrant in season.entrants:
            if self.random.random() < self.chance:
                person = self.random.choice(
                    (entrant.name, Name(f"sub of {entrant.name}"), Name(f"2nd of {entrant.name}"))
                )
                rating = Rating(mu=self.random.uniform(15, 35), sigma=self.random.uniform(1, 8))
                taken = Substitution(
                    seat=entrant.name, player=person, round=number, rating=rating, former_names=(Name(f"old {person}"),)
                )
                season = replace(season, substitutes=(*season.substitutes, taken))
        return season


class Ruin(LivesInTheWay):
    """Turmoil with rounds that everyone loses, brackets changed by hand, and orders of an organiser among equals."""

    def before_pairing(self, season: Season, proposal: Proposal) -> Season:
        season = super().before_pairing(season, proposal)
        if by_key(season.format).organiser_breaks_ties and season.rounds:
            season = self._decide(season, self.random.randint(1, len(season.rounds)))
        return season

    def after_pairing(self, season: Season) -> Season:
        season = super().after_pairing(season)
        last = season.rounds[-1]
        if last.stage is Stage.FINALS:
            return self._by_hand(season, last)
        chance = self.random.choice((0, 0.2, 1))
        matches = (self._lost_by_both(match, chance) for match in last.matches)
        return replace(season, rounds=(*season.rounds[:-1], replace(last, matches=tuple(matches))))

    def _lost_by_both(self, match: Match, chance: float) -> Match:
        if match.kind is not Kind.OPEN or self.random.random() >= chance:
            return match
        return replace(match, kind=Kind.DOUBLE_LOSS)

    def _by_hand(self, season: Season, last: Round) -> Season:
        open_ = [match for match in last.matches if match.kind is Kind.OPEN]
        if len(open_) < 2 or season.settings.third_place or self.random.random() < 0.7:
            return season
        one, other = self.random.sample(open_, 2)
        swapped = {one: replace(one, lower=other.lower), other: replace(other, lower=one.lower)}
        changed = replace(last, matches=tuple(swapped.get(m, m) for m in last.matches), by_hand="by hand")
        return replace(season, rounds=(*season.rounds[:-1], changed))

    def _decide(self, season: Season, after_round: int) -> Season:
        """Order a group of equals, or some players who aren't exactly one."""
        format_ = by_key(season.format)
        groups = format_.equals(format_.before_finals(season))
        if not groups or self.random.random() < 0.3:
            return season
        named = list(self.random.choice(groups))
        self.random.shuffle(named)
        if self.random.random() < 0.3:
            del named[-1]
        decision = Decision(after_round=after_round, order=tuple(named))
        return replace(season, decisions=(*season.decisions, decision))


def forgotten(season: Season, name: Name) -> Season:
    """Return the season as its file is once a player was forgotten: another name, and the bracket as it was."""
    slots = by_key(season.format).first_slots(season)
    called = {name: Name("Player 1")}

    def new(one: Name) -> Name:
        return called.get(one, one)

    def match(one: Match) -> Match:
        winner = None if one.winner is None else new(one.winner)
        return replace(one, upper=new(one.upper), lower=new(one.lower), winner=winner)

    return replace(
        season,
        entrants=tuple(replace(one, name=new(one.name), former_names=()) for one in season.entrants),
        rounds=tuple(
            replace(one, byes=tuple(map(new, one.byes)), matches=tuple(map(match, one.matches)))
            for one in season.rounds
        ),
        departures=tuple(replace(one, name=new(one.name)) for one in season.departures),
        decisions=tuple(replace(one, order=tuple(map(new, one.order))) for one in season.decisions),
        sat_out=tuple(replace(one, name=new(one.name)) for one in season.sat_out),
        substitutes=tuple(
            replace(one, seat=new(one.seat), player=new(one.player), former_names=()) for one in season.substitutes
        ),
        forgotten=True,
        bracket=tuple(None if one is None else new(one) for one in slots) if slots else None,
    )
