"""Sitting out a coming round: what it costs, asked first, and playing after all (docs/formats/shared.md)."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.league.coming_and_going import has_round_left
from bot.league.errors import Conflict, NotFound, WrongPhase
from bot.league.formats import by_key
from bot.league.season.choices import Pace
from bot.league.season.model import DepartureKind, Status
from bot.league.season.phases import LIVE, PLAYING, SeasonPhase
from bot.services.base import find
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, Transaction, live, shortened, transaction
from bot.services.play import progression
from bot.services.play.field.eligibility import next_round, own_standing, planned_rounds, way_back
from storage import rules_season
from storage.database import Connection
from storage.posts import Target
from storage.rows import EntrantRow, SeasonRow
from storage.tables.field import entrants, sat_out
from storage.tables.field.sat_out import SitOutId, SitOutRow

LAST_ROUND = 50
"""The latest round one can sit out where the rules don't say how many there are."""
UNTIL_PAIRED = "You can change your mind until the round is paired."


@dataclass(frozen=True, slots=True, kw_only=True)
class SatOut:
    """A coming round that a player sits out."""

    id: SitOutId
    round: int


def sit_out(
    conn: Connection, order: Order, *, number: int, reason: str | None = None, agreed: str | None = None
) -> SatOut:
    """Let the actor sit out a coming round; raises ConfirmationNeeded, unless they do already."""
    tx = transaction(conn, order, live)
    entrant = find.own_entrant(tx, number)
    _require_coming(tx, number)
    _require_playing(tx, entrant, number)
    row = sat_out.in_round(tx.conn, entrant.id, number)
    if row is not None:
        return SatOut(id=row.id, round=number)
    require_confirmation(_cost(tx, entrant, number), agreed)
    why = shortened(reason)
    columns = {"player_id": entrant.person_id, "reason": why, "at": tx.now}
    row = sat_out.add(tx.conn, entrant_id=entrant.id, round=number, **columns)
    tx.note("entrant.sit_out", entrant.name, after={"round": number}, reason=why)
    text = f"{entrant.called} sits out round {number}"
    tx.tell(f"{text}.", to=Target.MODERATION, apart=None if why is None else f"{text}: {why}")
    tx.invalidate()
    progression.advance(tx)
    return SatOut(id=row.id, round=number)


def play_after_all(conn: Connection, order: Order, *, sit_out_id: SitOutId) -> int:
    """Take back a sit-out, and return its round; raises NotFound, NotAllowed and WrongPhase once it is paired."""
    row = sat_out.find(conn, sit_out_id)
    if row is None:
        raise NotFound("You aren't sitting that round out any more. /match shows where you stand.")
    tx = transaction(conn, order, season_id=entrants.get(conn, row.entrant_id).season_id)
    entrant = find.own_entrant(tx, row.round)
    if entrant.id != row.entrant_id:
        raise NotFound("This isn't your sit-out. /match shows where you stand.")
    if tx.season.phase not in LIVE or not entrant.active:
        # One cancelled before its first round has given its number back.
        which = "that season" if tx.season.number is None else f"season {tx.season.number}"
        raise WrongPhase(f"You don't play in {which} any more. /match shows where you stand.")
    if row.round < next_round(tx):
        raise WrongPhase(f"Round {row.round} is already paired, so you sit it out. /match shows what comes next.")
    sat_out.remove(conn, row.id)
    tx.note("entrant.play_after_all", entrant.name, before={"round": row.round})
    tx.tell(f"{entrant.called} plays round {row.round} after all.{_step(tx)}", to=Target.MODERATION)
    tx.invalidate()
    progression.advance(tx)
    return row.round


def _step(tx: Transaction) -> str:
    """Return what organisers do where a round was not paired by itself, with a space before it."""
    between = tx.season.phase in PLAYING and progression.open_round(tx) is None
    return " An organiser pairs the next round with /round post." if between else ""


def has_sit_outs(season: SeasonRow) -> bool:
    """Whether players of a season can sit out a round: not where every round is a bracket's, nor in the finals."""
    format_ = by_key(season.format)
    return format_.has_regular_stage and not format_.fixed_rounds and season.phase is not SeasonPhase.FINALS


def _require_coming(tx: Transaction, number: int) -> None:
    """Raise WrongPhase unless this is a regular round that is still to be paired."""
    season, next_ = tx.season, next_round(tx)
    if not by_key(season.format).has_regular_stage:
        raise WrongPhase(
            "In this season every round knocks players out, so no one can sit one out: play, or use /drop."
        )
    if by_key(season.format).fixed_rounds:
        raise WrongPhase(
            "In a round robin everyone meets everyone, so no one can sit out a round. Ask an organiser for more time "
            "to play your match."
        )
    if season.phase is SeasonPhase.FINALS:
        raise WrongPhase("In the finals no one can sit out a round: play, or use /drop to leave.")
    planned = planned_rounds(tx)
    if number > (planned or LAST_ROUND):
        last = (
            f"Season {season.number} has {planned} rounds before any finals." if planned else "Choose a coming round."
        )
        raise WrongPhase(f"You can't sit out round {number}. {last}")
    if number < next_:
        later = " You can still sit out a later one." if not planned or next_ <= planned else ""
        here = "/match shows your match"
        if tx.settings.pace is not Pace.LIVE:
            here = f"{here}; if you can't play it, press Problem there"
        raise WrongPhase(f"Round {number} is already paired.{later} {here}.")
    if season.phase in PLAYING and not _has_round_left(tx):
        raise WrongPhase("The last round before the finals is already paired, so there's none left to sit out.")


def _has_round_left(tx: Transaction) -> bool:
    return has_round_left(rules_season.load(tx.conn, tx.season.id))


def _require_playing(tx: Transaction, entrant: EntrantRow, number: int) -> None:
    """Raise unless a player would play in a coming round."""
    if entrant.departed is DepartureKind.DISQUALIFICATION:
        raise Conflict(f"You were disqualified from season {tx.season.number}, so you don't play in round {number}.")
    if not entrant.active:
        raise Conflict(f"You've left season {tx.season.number}, so you don't play anyway. {way_back(tx)}")
    if number < entrant.entered:
        raise Conflict(f"You play from round {entrant.entered} on, so there's nothing to sit out before that.")
    status = own_standing(tx, entrant).status
    if status is Status.ELIMINATED:
        raise Conflict(f"You're out of season {tx.season.number}, so there's nothing to sit out.")
    if status is Status.QUALIFIED:
        raise Conflict("You're through to the finals, so there's no round to sit out before them.")


def _cost(tx: Transaction, entrant: EntrantRow, number: int) -> str:
    """Return what sitting out a round costs a player."""
    out = _elimination(tx, entrant, number)
    return f"You won't be paired in round {number}, and it counts as a loss.{out} {UNTIL_PAIRED}"


def _elimination(tx: Transaction, entrant: EntrantRow, number: int) -> str:
    """Return what a loss means where losses put players out, with a space before it."""
    if "losses" not in by_key(tx.season.format).own_settings:
        return ""
    earlier = [row for row in coming(tx, entrant) if row.round < number]
    loss, last = own_standing(tx, entrant).losses + len(earlier) + 1, tx.settings.losses
    if loss >= last:
        return f" It's your {_ORDINALS[last]} loss, so you'd be out of the season."
    return f" It's your {_ORDINALS[loss]} loss; the {_ORDINALS[last]} puts you out."


_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def coming_of_season(tx: ReadTransaction) -> dict[int, list[str]]:
    """Return who sits out which round that isn't paired yet."""
    sit_outs: dict[int, list[str]] = {}
    rows = _to_come(tx, sat_out.of_season(tx.conn, tx.season.id))
    for row in sorted(rows, key=lambda row: row.round):
        entrant = entrants.one_in_round(tx.conn, row.entrant_id, row.round)
        if entrant.active:
            sit_outs.setdefault(row.round, []).append(entrant.called)
    return sit_outs


def coming(tx: ReadTransaction, entrant: EntrantRow) -> Sequence[SitOutRow]:
    """Return the rounds a player sits out that aren't paired yet, in order."""
    return _to_come(tx, sat_out.of_entrant(tx.conn, entrant.id))


def _to_come(tx: ReadTransaction, rows: Sequence[SitOutRow]) -> Sequence[SitOutRow]:
    """Return the sit-outs of rounds that aren't paired yet; in the finals there are none."""
    next_ = next_round(tx)
    return [row for row in rows if row.round >= next_ and has_sit_outs(tx.season)]
