"""The groups an organiser gives players before round 1: typed, filled in the order of time zones, exchanged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.league.errors import Conflict, Invalid, WrongPhase
from bot.league.formats import by_key
from bot.league.formats.round_robin.filling import group_name, group_sizes
from bot.league.formats.round_robin.shapes import smallest
from bot.league.match_day.zones import zone_called
from bot.league.season.choices import Grouping
from bot.league.season.in_words import amount, first_few
from bot.league.season.local_time import offset_at
from bot.services.base import find
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, ReadTransaction, Transaction, live, read_transaction, transaction
from bot.services.matches import given_places
from bot.services.play import progression
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow, LeagueRow
from storage.tables import rounds, times

_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenGroups:
    """The groups of a season before round 1, and who has none; `with_zone` is how many have a time zone."""

    league: LeagueRow
    number: int
    groups: tuple[tuple[EntrantRow, ...], ...]
    without: tuple[EntrantRow, ...]
    size: int | None
    with_zone: int


def listed(conn: Connection, order: Order) -> GivenGroups:
    """Return the groups; raises NotAllowed, and WrongPhase where none are to be given."""
    tx = read_transaction(conn, order, live, by=ORGANISER)
    _require_given(tx)
    return _groups(tx)


def assign(
    conn: Connection, order: Order, *, groups: Mapping[int, Sequence[str]], without: Sequence[str]
) -> GivenGroups:
    """Put players into groups by number, or into none; who isn't named stays where they are.

    Raises as `listed` does, and Invalid for a name that comes twice or a number that is left out.
    """
    tx = transaction(conn, order, live, by=ORGANISER)
    _require_given(tx)
    named = [(find.entrant(tx, name), group) for group, names in groups.items() for name in names]
    named += [(find.entrant(tx, name), None) for name in without]
    chosen = {row.id: group for row, group in named}
    if len(chosen) < len(named):
        ids = [row.id for row, _ in named]
        twice = next(row.name for row, _ in named if ids.count(row.id) > 1)
        raise Invalid(f"{twice} is in the list twice. Give each player one line.")
    people = given_places.people(tx)
    numbers = {chosen.get(row.id, row.given_group) for row in people} - {None}
    missing = next(number for number in range(1, len(numbers) + 2) if number not in numbers)
    if missing <= len(numbers):
        gap, last = group_name(missing, Grouping.GIVEN), group_name(max(filter(None, numbers)), Grouping.GIVEN)
        raise Invalid(f"There's a {last} but no {gap}. Use group A, group B and so on, without gaps.")
    return _put(tx, chosen)


def fill(conn: Connection, order: Order, *, agreed: str | None = None) -> GivenGroups:
    """Fill groups of the season's size in the order of time zones; raises ConfirmationNeeded where that undoes others.

    Those who said no time join the smallest groups.
    """
    tx = transaction(conn, order, live, by=ORGANISER)
    _require_given(tx)
    people, size = given_places.people(tx), tx.settings.group_size
    if size is None:
        raise Conflict("How large should groups be? Choose Group size under /season settings, then fill them.")
    if len(people) < by_key(tx.season.format).fewest_players:
        raise Conflict("Too few players have joined to fill groups. Try again when more are in.")
    if grouped := sum(row.given_group is not None for row in people):
        have = amount(grouped, "player already has a group", "players already have a group")
        require_confirmation(f"{have}. All groups are filled again in the order of time zones.", agreed)
    rows = times.hours_of(conn, [row.discord_id for row in people if row.discord_id is not None])
    zones = {row.id: rows[row.discord_id].time_zone for row in people if row.discord_id and row.discord_id in rows}
    ahead = {entrant: offset_at(tx.now, zone_called(zone)) for entrant, zone in zones.items()}
    in_order = sorted((row for row in people if row.id in ahead), key=lambda row: ahead[row.id])
    filled: list[list[EntrantId]] = [[] for _ in group_sizes(len(people), size)]
    for at, row in enumerate(in_order):
        filled[at * len(filled) // len(in_order)].append(row.id)
    for row in people:
        if row.id not in ahead:
            filled[smallest([len(group) for group in filled])].append(row.id)
    tx.note("season.groups", f"season {tx.season.number}", after={"groups": len(filled)})
    return _put(tx, given_places.by_number(filled))


def exchange(conn: Connection, order: Order, *, first: str, second: str) -> GivenGroups:
    """Let two players change places; raises as `listed` does, and Conflict where that changes nothing."""
    tx = transaction(conn, order, live, by=ORGANISER)
    _require_given(tx)
    player, other = find.entrant(tx, first), find.entrant(tx, second)
    if player.given_group == other.given_group:
        group = player.given_group
        where = "have no group yet" if group is None else f"are in {group_name(group, Grouping.GIVEN)}"
        raise Conflict(f"{player.name} and {other.name} both {where}. Choose two of different groups.")
    return _put(tx, {player.id: other.given_group, other.id: player.given_group})


def cost_of_starting(tx: ReadTransaction) -> str:
    """Return that players without a group join the smallest; nothing where all have one."""
    if tx.settings.grouping is not Grouping.GIVEN:
        return ""
    people = given_places.people(tx)
    without = [row.name for row in people if row.given_group is None]
    if not without or len(without) == len(people):
        return ""
    return f"Without a group: {first_few(without, _NAMED)}. They join the smallest groups."


def _require_given(tx: ReadTransaction) -> None:
    number = tx.season.number
    if not by_key(tx.season.format).in_groups or tx.settings.grouping is not Grouping.GIVEN:
        how = f"Choose Groups: {Grouping.GIVEN.words} under /season settings first."
        raise WrongPhase(f"Season {number} takes no groups from you. {how}")
    if not given_places.can_be_given(tx):
        latest = rounds.latest(tx.conn, tx.season.id)
        first = latest is not None and (latest.number == 1 or latest.together)
        step = " While round 1 has no result, /round undo takes it back; then they can change." if first else ""
        raise WrongPhase(f"Season {number} has started, so its groups are fixed.{step}")


def _put(tx: Transaction, chosen: Mapping[EntrantId, int | None]) -> GivenGroups:
    """Save who is in which group, and pair a preview of round 1 again."""
    given_places.put(tx, chosen)
    progression.pair_preview_again(tx, "groups changed")
    return _groups(tx)


def _groups(tx: ReadTransaction) -> GivenGroups:
    people = given_places.people(tx)
    numbers = range(1, max((row.given_group or 0 for row in people), default=0) + 1)
    assert tx.season.number is not None
    return GivenGroups(
        league=tx.league,
        number=tx.season.number,
        groups=tuple(tuple(row for row in people if row.given_group == number) for number in numbers),
        without=tuple(row for row in people if row.given_group is None),
        size=tx.settings.group_size,
        with_zone=len(times.hours_of(tx.conn, [row.discord_id for row in people if row.discord_id is not None])),
    )
