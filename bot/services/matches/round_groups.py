"""The groups of a round whose pairings are known from the start: who plays in which, who rests, and who is done."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.formats import by_key
from bot.league.formats.shared.groups import GroupRound
from bot.league.season.model import Stage
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow, MatchId, MatchRow, PlayerId, RoundRow, SeasonRow
from storage.tables.field import entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundGroup:
    """A group in a round: its name, nothing where there is one group; who meets, upper players first, and who rests.

    One in which nobody meets is done, because it's smaller than others.
    """

    name: str
    pairs: tuple[tuple[EntrantRow, EntrantRow], ...]
    resting: EntrantRow | None

    @property
    def players(self) -> frozenset[EntrantId]:
        """The ids of those who meet."""
        return frozenset(side.id for pair in self.pairs for side in pair)

    def has(self, entrant_id: EntrantId) -> bool:
        """Whether an entrant meets someone in it, or rests."""
        return entrant_id in self.players or (self.resting is not None and self.resting.id == entrant_id)

    def seats(self, person: PlayerId) -> bool:
        """Whether a person sits in a seat that meets someone in it, or rests."""
        return self.opponent_of(person) is not None or (self.resting is not None and self.resting.person_id == person)

    def opponent_of(self, person: PlayerId) -> EntrantRow | None:
        """Return who a person meets, if anyone; nobody where another sits in their seat."""
        for upper, lower in self.pairs:
            if person in (upper.person_id, lower.person_id):
                return lower if upper.person_id == person else upper
        return None


def with_people(group: GroupRound, people: Mapping[str, EntrantRow]) -> RoundGroup:
    """Return a group of the rules with the people of its names."""
    return RoundGroup(
        name=group.group,
        pairs=tuple((people[upper], people[lower]) for upper, lower in group.pairs),
        resting=None if group.resting is None else people[group.resting],
    )


def groups_of(
    conn: Connection, season: SeasonRow, row: RoundRow, people: Mapping[EntrantId, EntrantRow]
) -> tuple[RoundGroup, ...]:
    """Return the groups of a regular round; nothing where results decide the pairings, and in the finals.

    A player who has left rests for good: that isn't said.
    """
    by_name = {entrant.name: entrant for entrant in people.values()}
    groups = (with_people(group, by_name) for group in _planned(conn, season, row))
    return tuple(replace(group, resting=_here(group.resting)) for group in groups)


def _planned(conn: Connection, season: SeasonRow, row: RoundRow) -> Sequence[GroupRound]:
    format_ = by_key(season.format)
    if row.stage is not Stage.REGULAR or not format_.fixed_rounds:
        return ()
    calendar = format_.calendar(rules_season.load(conn, season.id))
    return () if len(calendar) < row.number else calendar[row.number - 1]


def group_name(conn: Connection, season: SeasonRow, row: RoundRow, sides: Sequence[EntrantRow]) -> str:
    """Return what the group of the players of a match is called; nothing where there is none, or one."""
    groups = _planned(conn, season, row)
    return next((group.group for group in groups if any(sides[0].name in pair for pair in group.pairs)), "")


def _here(resting: EntrantRow | None) -> EntrantRow | None:
    return resting if resting is not None and resting.active else None


def rest_beside(groups: Iterable[RoundGroup], pairs: Sequence[MatchRow]) -> dict[MatchId, EntrantRow]:
    """Return who rests, each by the first match of their group: on its page of the round they read it."""
    players = [(group.resting, group.players) for group in groups]
    first = [(resting, [match.id for match in pairs if match.upper_id in here][:1]) for resting, here in players]
    return {match_id: resting for resting, ids in first if resting is not None for match_id in ids}


def resting_in(
    conn: Connection, season: SeasonRow, row: RoundRow, pairs: Sequence[MatchRow]
) -> dict[MatchId, EntrantRow]:
    """Return who rests in a round of these matches, each by the first match of their group."""
    if not by_key(season.format).fixed_rounds:
        return {}
    people = {person.id: person for person in entrants.of_season(conn, season.id)}
    return rest_beside(groups_of(conn, season, row, people), pairs)
