"""The life of a season: start with enough players, their ratings fixed and the salt made; cancel; finish."""

from collections.abc import Sequence

from bot.league.counting.draw import salt_of
from bot.league.counting.ratings import new_rating
from bot.league.errors import Conflict, WrongPhase
from bot.league.formats import by_key
from bot.league.season.in_words import amount
from bot.league.season.model import Name
from bot.league.season.phases import RoundPhase, SeasonPhase, require_move
from bot.league.season.setting_values import SEALED
from bot.services.base import cached, hooks, outbox, post_kinds
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.post_kinds import Facts, Until
from bot.services.base.transaction import (
    ORGANISER,
    ReadTransaction,
    Transaction,
    live,
    live_if_any,
    playing,
    prepared_if_any,
    shortened,
    transaction,
)
from bot.services.matches import given_places, season_ladders
from bot.services.play import progression
from bot.services.play.field.eligibility import expected_shape, to_let_in
from bot.services.play.progression import CHAMPION
from bot.services.seasons import planning, plans, season_costs
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, SeasonRow
from storage.tables import matches, proofs, rounds
from storage.tables.field import entrants, substitutions
from storage.tables.people import players


def start(conn: Connection, order: Order, *, agreed: str | None = None) -> SeasonRow:
    """Close sign-ups, then pair and post round 1; raises ConfirmationNeeded where that costs something."""
    tx = transaction(conn, order, live, by=ORGANISER)
    season = tx.season
    cost = hooks.cost_of_starting(tx) if season.phase is SeasonPhase.SIGNUP else ""
    if cost:
        require_confirmation(cost, agreed)
    return begin(tx)


def begin(tx: Transaction) -> SeasonRow:
    """Start the season; raises WrongPhase, and Conflict with too few players."""
    season = tx.season
    if season.phase is not SeasonPhase.SIGNUP:
        raise WrongPhase(f"Season {season.number} has already started. /season status shows the next step.")
    people = [entrant for entrant in entrants.of_season(tx.conn, season.id) if entrant.active]
    _require_enough(tx, len(people))
    given_places.settle(tx)
    shape = expected_shape(tx)
    if shape is not None and shape.wrong:
        raise Conflict(f"Season {season.number} can't start. {shape.wrong}")
    for late in plans.over_before(tx, tx.now):
        raise Conflict(f"Season {season.number} can't start. {late}")
    _fix_ratings(tx, people)
    season_ladders.keep(tx)
    salt = season.salt
    if salt is None and season.salt_kind is not None:
        salt = salt_of((Name(entrant.name) for entrant in people), _secret(tx))
        entrants.draw_names(tx.conn, [entrant.id for entrant in people])
    require_move(season.phase, SeasonPhase.RUNNING)
    tx.change_season(phase=SeasonPhase.RUNNING, started_at=tx.now, signups_close=None, salt=salt)
    rules_season.keep_past(tx.conn, season.id)
    before, after = {"phase": season.phase}, {"phase": tx.season.phase, "players": len(people), "salt": salt}
    tx.note("season.start", f"season {season.number}", before=before, after=after)
    tx.invalidate()
    tx.retract_all(tx.season, *post_kinds.until(Until.SEASON_STARTS))
    cut = tx.settings.cut
    if cut is not None and cut > len(people):
        tx.tell(f"The cut is {cut}, but only {len(people)} players are in: the finals have room for all of them.")
    if shape is not None and shape.notice:
        tx.tell(shape.notice)
    progression.pair_and_post(tx.by_itself())
    return tx.reload()


def _secret(tx: Transaction) -> str | None:
    """Return what a sealed salt is made of besides names; shown from now on."""
    return proofs.secret_of(tx.conn, tx.season.id) if tx.season.salt_kind == SEALED else None


def _require_enough(tx: Transaction, count: int) -> None:
    fewest = max(2, by_key(tx.season.format).fewest_players)
    if count >= fewest:
        return
    # The clock posts this too, where there may be no channel for moderators alone: so it names who can do what.
    hint = "" if fewest == 2 else " Fewer can play single elimination: an organiser can create such a season instead."
    raise Conflict(
        f"Season {tx.season.number} needs at least {fewest} players and has {count}.{to_let_in(tx)}"
        f" More can join with /signup, or an organiser can add them with /player add.{hint}"
    )


def _fix_ratings(tx: Transaction, people: Sequence[EntrantRow]) -> None:
    """Note everyone's rating at the start: what the draws and tables of this season go by from now on."""
    ratings = cached.brought(tx.conn, tx.season)
    new = new_rating(tx.settings.rating)
    for person in people:
        if person.mu is None:  # an imported file may have said it
            rating = ratings.get(person.player_id, new)
            entrants.change(tx.conn, person.id, mu=rating.mu, sigma=rating.sigma)
    for taken in substitutions.of_season(tx.conn, tx.season.id):
        if taken.mu is None:
            rating = ratings.get(taken.player_id, new)
            substitutions.rate(tx.conn, taken.id, mu=rating.mu, sigma=rating.sigma)


def _live_or_prepared(tx: ReadTransaction) -> SeasonRow:
    return live_if_any(tx) or prepared_if_any(tx) or live(tx)


def cancel(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> SeasonRow:
    """Cancel the live season, or discard the prepared one, and return it as it was; raises ConfirmationNeeded.

    If round 1 wasn't published, its number is used again.
    """
    tx = transaction(conn, order, _live_or_prepared, by=ORGANISER)
    season, why = tx.season, shortened(reason)
    if season.phase is SeasonPhase.UNPUBLISHED:
        require_confirmation(season_costs.OF_DISCARDING, agreed)
        return planning.discard_prepared(tx)
    require_move(season.phase, SeasonPhase.CANCELLED)
    require_confirmation(season_costs.of_cancelling(tx), agreed)
    played, concerned = rounds.latest(tx.conn, season.id) is not None, _concerned(tx)
    _stop(tx)
    tx.tell(_ended(season, "cancelled", why), pings=concerned)
    progression.end_of_season(tx, SeasonPhase.CANCELLED)
    if not played:  # the next season has its number, and what follows from the end still names it
        tx.change_season(number=None)
    before = {"phase": season.phase, "number": season.number}
    after = {"phase": tx.season.phase, "number": tx.season.number}
    tx.note("season.cancel", f"season {season.number}", before=before, after=after, reason=why)
    return season


def _concerned(tx: Transaction) -> list[int | None]:
    """Return the Discord ids of everyone who is still in the season, or would sit in it later: they don't play on."""
    now = [entrant.discord_id for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.active]
    coming = [row.player_id for row in substitutions.coming_in_season(tx.conn, tx.season.id)]
    return [*now, *(players.get(tx.conn, player).discord_id for player in coming)]


def _ended(season: SeasonRow, how: str, why: str | None) -> str:
    return f"Season {season.number} was {how}{f': {why}' if why else '.'}"


def _stop(tx: Transaction) -> None:
    """Leave no preview, no open round and no post that was not made yet."""
    draft = rounds.draft(tx.conn, tx.season.id)
    if draft is not None:
        progression.drop_draft(tx, draft)
    for row in rounds.open_rounds(tx.conn, tx.season.id):
        rounds.change(tx.conn, row.id, phase=RoundPhase.CLOSED)
    outbox.cancel_unsent(tx.conn, tx.season, now=tx.now)


def finish(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> SeasonRow:
    """End a season as it stands; raises ConfirmationNeeded, and WrongPhase while a match has no result."""
    tx = transaction(conn, order, playing, by=ORGANISER)
    season, why = tx.season, shortened(reason)
    _require_decided(tx)
    require_move(season.phase, SeasonPhase.FINISHED)
    require_confirmation(season_costs.of_finishing(tx), agreed)
    _stop(tx)
    tx.tell(_ended(season, "ended by an organiser", why), pings=_concerned(tx))
    progression.end_of_season(tx, SeasonPhase.FINISHED)
    before, after = {"phase": season.phase}, {"phase": tx.season.phase}
    tx.note("season.finish", f"season {season.number}", before=before, after=after, reason=why)
    tx.enqueue(CHAMPION, Facts())
    return tx.season


def _require_decided(tx: Transaction) -> None:
    latest = rounds.latest(tx.conn, tx.season.id)
    waiting = 0 if latest is None else matches.count_missing(tx.conn, latest)
    if latest is not None and waiting:
        missing = amount(waiting, "match has", "matches have")
        raise WrongPhase(
            f"{missing} no confirmed result in {latest.stage_words}. Enter them with /result set, or use /season"
            " cancel."
        )
