"""The groups of a round whose pairings are known from the start: who plays in which, who rests, and who is done."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.league.formats import by_key
from bot.league.season.model import Stage
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow, MatchId, MatchRow, RoundRow, SeasonRow
from storage.tables import entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundGroup:
    """A group in a round: its name, nothing where there is one group; who plays in it, and who rests.

    One without players is done, because it's smaller than others.
    """

    name: str
    players: frozenset[EntrantId]
    resting: EntrantRow | None


def groups_of(
    conn: Connection, season: SeasonRow, row: RoundRow, people: Mapping[EntrantId, EntrantRow]
) -> tuple[RoundGroup, ...]:
    """Return the groups of a regular round; nothing where results decide the pairings, and in the finals.

    A player who has left rests for good: that isn't said.
    """
    format_ = by_key(season.format)
    if row.stage is not Stage.REGULAR or not format_.fixed_rounds:
        return ()
    calendar, by_name = format_.calendar(rules_season.load(conn, season.id)), {who.name: who for who in people.values()}
    if len(calendar) < row.number:
        return ()
    return tuple(
        RoundGroup(
            name=group.group,
            players=frozenset(by_name[name].id for pair in group.pairs for name in pair if name in by_name),
            resting=_here(by_name.get(group.resting or "")),
        )
        for group in calendar[row.number - 1]
    )


def group_name(conn: Connection, season: SeasonRow, row: RoundRow, sides: Sequence[EntrantRow]) -> str:
    """Return what the group of the players of a match is called; nothing where there is none, or one."""
    groups = groups_of(conn, season, row, {side.id: side for side in sides})
    return next((group.name for group in groups if sides[0].id in group.players), "")


def _here(resting: EntrantRow | None) -> EntrantRow | None:
    return resting if resting is not None and resting.active else None


def rest_beside(groups: Iterable[RoundGroup], pairs: Sequence[MatchRow]) -> dict[MatchId, EntrantRow]:
    """Return who rests, each by the first match of their group: on its page of the round they read it."""
    first = [(group.resting, [match.id for match in pairs if match.upper_id in group.players][:1]) for group in groups]
    return {match_id: resting for resting, ids in first if resting is not None for match_id in ids}


def resting_in(
    conn: Connection, season: SeasonRow, row: RoundRow, pairs: Sequence[MatchRow]
) -> dict[MatchId, EntrantRow]:
    """Return who rests in a round of these matches, each by the first match of their group."""
    if not by_key(season.format).fixed_rounds:
        return {}
    people = {person.id: person for person in entrants.of_season(conn, season.id)}
    return rest_beside(groups_of(conn, season, row, people), pairs)
