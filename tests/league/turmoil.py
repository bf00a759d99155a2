"""Drops, disqualifications, late entries and returns by chance, for seasons that are played."""

from dataclasses import replace
from random import Random

from bot.league.errors import PairingImpossible
from bot.league.formats import by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import (
    Departure,
    DepartureKind,
    Entrant,
    Kind,
    Match,
    Name,
    Rating,
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
