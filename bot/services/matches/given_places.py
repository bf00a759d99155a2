"""Who is in which of the groups an organiser gives, which can change until round 1 is posted."""

from collections.abc import Mapping, Sequence

from bot.league.errors import Conflict
from bot.league.formats.round_robin.shapes import smallest
from bot.league.season.choices import Grouping
from bot.league.season.phases import SeasonPhase
from bot.services.base.transaction import ReadTransaction, Transaction
from storage.rows import EntrantId, EntrantRow
from storage.tables import rounds
from storage.tables.field import entrants


def before_round_1(tx: ReadTransaction) -> bool:
    """Whether round 1 isn't posted: in sign-ups, and after it was undone."""
    undone = tx.season.phase is SeasonPhase.RUNNING and rounds.latest(tx.conn, tx.season.id) is None
    return tx.season.phase is SeasonPhase.SIGNUP or undone


def can_be_given(tx: ReadTransaction) -> bool:
    """Whether organisers give the groups and can still change them: until round 1 is posted, and once it was undone."""
    return tx.settings.grouping is Grouping.GIVEN and before_round_1(tx)


def people(tx: ReadTransaction) -> list[EntrantRow]:
    """Return who plays in the season."""
    return [row for row in entrants.of_season(tx.conn, tx.season.id) if row.active]


def put(tx: Transaction, chosen: Mapping[EntrantId, int | None]) -> None:
    """Save who is in which group; who isn't there stays where they are."""
    for row in people(tx):
        group = chosen.get(row.id, row.given_group)
        if group != row.given_group:
            entrants.change(tx.conn, row.id, given_group=group)
            tx.note("entrant.group", row.name, before={"group": row.given_group}, after={"group": group})


def settle(tx: Transaction) -> None:
    """Put everyone without a group into the smallest before round 1 is paired, and close gaps in the numbers.

    Raises Conflict where groups are to be given and none is.
    """
    if not can_be_given(tx):
        return
    here = people(tx)
    numbers = sorted({row.given_group for row in here if row.given_group is not None})
    if not numbers:
        drawn = ", or have them drawn" if tx.season.phase is SeasonPhase.SIGNUP else ""
        raise Conflict(f"No groups are set yet. Press Groups under /season settings{drawn}.")
    filled = [[row.id for row in here if row.given_group == number] for number in numbers]
    for row in here:
        if row.given_group is None:
            filled[smallest([len(group) for group in filled])].append(row.id)
    put(tx, by_number(filled))


def by_number(groups: Sequence[Sequence[EntrantId]]) -> dict[EntrantId, int]:
    """Return the number of everyone's group, the first being 1."""
    return {entrant: number for number, group in enumerate(groups, start=1) for entrant in group}
