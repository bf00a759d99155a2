"""Which players have met, in this season and the ones before, or are kept apart (docs/formats/shared.md)."""

from collections.abc import Iterable, Mapping

from bot.league.counting.seat_holders import people_in_seats
from bot.league.season.model import Meeting, Name, Season, Stage

PAST_SEASONS = 2
"""How many earlier seasons rematches are looked for in, at most."""


class Meetings:
    """The opponents of every player, and the last meeting with each."""

    def __init__(self) -> None:
        self._met: dict[Name, dict[Name, Meeting]] = {}
        self.before = 1
        """The rounds of the season before this one are counted."""
        self.season: int | None = None
        """The season that is paired, if it's known."""
        self.within = ""
        """In which seasons these are all meetings, as a sentence ends; empty where there were no others."""
        self.some_apart = False
        """Whether players kept apart are among these."""

    def copy(self) -> "Meetings":
        """Return meetings that can go on without changing these."""
        copied = Meetings()
        copied.update(self)
        copied.within = self.within
        return copied

    @property
    def avoided(self) -> str:
        """What a pairing avoids because of these, in words."""
        return "a rematch or players kept apart" if self.some_apart else "a rematch"

    @property
    def all_avoided(self) -> str:
        """The same where there are several."""
        return "rematches or players kept apart" if self.some_apart else "rematches"

    def update(self, later: "Meetings") -> None:
        """Note all of these later meetings."""
        for name, opponents in later._met.items():
            self._met[name] = {**self._met.get(name, {}), **opponents}
        self.before, self.season = later.before, later.season
        self.some_apart = self.some_apart or later.some_apart

    def add(self, first: Name, second: Name, meeting: Meeting) -> None:
        """Note a meeting; a later one replaces an earlier."""
        self.some_apart = self.some_apart or meeting.kept_apart
        self._met.setdefault(first, {})[second] = meeting
        self._met.setdefault(second, {})[first] = meeting

    def of(self, name: Name) -> dict[Name, Meeting]:
        """Return every opponent a player has met."""
        return self._met.get(name, {})

    def between(self, first: Name, second: Name) -> Meeting | None:
        """Return the latest meeting of two players, if any."""
        return self.of(first).get(second)


def meetings_before(
    season: Season,
    number: int,
    *,
    stages: Iterable[Stage] = tuple(Stage),
    earlier: Meetings | None = None,
) -> Meetings:
    """Return the meetings of a season before round `number`, in these stages.

    `earlier` are those before an earlier round, in the same stages: they aren't counted again.
    """
    met, counted = Meetings() if earlier is None else earlier.copy(), tuple(stages)
    for round_ in season.rounds[met.before - 1 :]:
        if round_.stage in counted and round_.number < number:
            meeting = Meeting(season=season.number, round=round_.number)
            for match in round_.matches:
                met.add(match.upper, match.lower, meeting)
    met.before, met.season = number, season.number
    met.within = " this season" if season.past else ""
    return met


def after_past(met: Meetings, season: Season, past: int) -> Meetings:
    """Return these meetings of a season after those of the `past` seasons before it."""
    if not past or not season.past:
        return met
    both = Meetings()
    _add_past(both, season, past, _seats_by_name(season, met.before))
    both.update(met)
    both.within = f" this season or {'the one before' if past == 1 else 'in the two before'}"
    return both


def with_kept_apart(met: Meetings, season: Season, number: int) -> Meetings:
    """Return these meetings and, as if they had met, the players kept apart in round `number` who have not."""
    apart = {row.players for row in season.apart if row.holds_in(number)}
    new = [players for players in apart if met.between(*players) is None]
    if not new:
        return met
    both, kept_apart = met.copy(), Meeting(season=season.number, kept_apart=True)
    for players in new:
        both.add(*players, kept_apart)
    return both


def _add_past(met: Meetings, season: Season, past: int, seats: Mapping[Name, Name]) -> None:
    for earlier in sorted(season.past, key=lambda earlier: earlier.number):
        if 1 <= season.number - earlier.number <= past:
            for match in sorted(earlier.matches, key=lambda match: match.round or 0):
                first, second = (seats.get(name) for name in match.players)
                if first is not None and second is not None and first != second:
                    met.add(first, second, Meeting(season=earlier.number, round=match.round))


def _seats_by_name(season: Season, number: int) -> dict[Name, Name]:
    """Return in which seat a person sits in a round, by every name they have or had; some sit in none."""
    seats = {person: seat for seat, person in people_in_seats(season, number).items()}
    return {name: seats[person] for name, person in _names_then_and_now(season).items() if person in seats}


def _names_then_and_now(season: Season) -> dict[Name, Name]:
    """Return everyone's present name by every name they had; a name in use means its present owner."""
    people = sorted((entrant.name, entrant.former_names) for entrant in season.entrants)
    people += sorted((substitute.player, substitute.former_names) for substitute in season.substitutes)
    former = {name: person for person, names in people for name in names}
    return former | {person: person for person, _ in people}
