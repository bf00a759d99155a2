"""Every regular round of a season whose pairings are known from its first day: who meets, who rests, until when."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from zoneinfo import ZoneInfo

from bot.league.formats import by_key
from bot.league.season.choices import Pace
from bot.league.season.phases import PLAYING, RoundPhase
from bot.league.season.round_end import end_of_round
from bot.services.matches.round_groups import RoundGroup, with_people
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, PlayerId, RoundRow, SeasonRow
from storage.tables import rounds
from storage.tables.field import entrants, substitutions


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A regular round, posted or to come, and until when it's played if no deadline is moved, where that's known."""

    number: int
    phase: RoundPhase | None
    until: datetime | None
    groups: tuple[RoundGroup, ...]

    @property
    def words(self) -> str:
        """Return what it's called in a sentence."""
        return f"round {self.number}"

    def group_of(self, person: PlayerId) -> RoundGroup | None:
        """Return the group a person plays or rests in; nothing once theirs is done, or another sits in their seat."""
        return next((group for group in self.groups if group.seats(person)), None)


def calendar(conn: Connection, league: LeagueRow, season: SeasonRow) -> tuple[PlannedRound, ...]:
    """Return every regular round, once the first one is posted; nothing in a season whose results decide pairings."""
    format_ = by_key(season.format)
    if not format_.fixed_rounds:
        return ()
    posted = {row.number: row for row in rounds.published(conn, season.id)}
    if not posted:
        return ()
    planned = format_.calendar(rules_season.load(conn, season.id))
    ends = _ends(league, season, posted, len(planned))
    return tuple(
        PlannedRound(
            number=number,
            phase=posted[number].phase if number in posted else None,
            until=ends.get(number),
            groups=tuple(with_people(group, people) for group in groups),
        )
        for number, (groups, people) in enumerate(zip(planned, _people(conn, season), strict=False), start=1)
    )


def _people(conn: Connection, season: SeasonRow) -> Iterator[Mapping[str, EntrantRow]]:
    """Yield who sits in the seats, round by round; that changes only where someone takes one over."""
    changes = {1, *(row.round for row in substitutions.of_season(conn, season.id))}
    people: Mapping[str, EntrantRow] = {}
    for number in count(1):
        if number in changes:
            people = {person.name: person for person in entrants.in_round(conn, season.id, number)}
        yield people


def _ends(league: LeagueRow, season: SeasonRow, posted: Mapping[int, RoundRow], planned: int) -> dict[int, datetime]:
    """Return the deadline of each round, posted or foreseen: each begins as the one before it ends."""
    ends = {number: row.deadline for number, row in posted.items() if row.deadline is not None}
    settings, latest = rules_season.settings_of(season), max(posted)
    if settings.pace is Pace.LIVE or season.phase not in PLAYING or posted[latest].phase is not RoundPhase.OPEN:
        return ends
    zone = ZoneInfo(league.time_zone)
    for number in range(latest + 1, planned + 1) if latest in ends else ():
        ends[number] = end_of_round(ends[number - 1], settings.round_days, settings.round_ends, zone)
    return ends


def to_come(planned: Sequence[PlannedRound], person: PlayerId, after: int) -> Iterator[tuple[PlannedRound, RoundGroup]]:
    """Yield the rounds after one of a number in which a person plays or rests."""
    for round_ in planned:
        group = round_.group_of(person)
        if round_.number > after and group is not None:
            yield round_, group
