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
from bot.services.base import asked, counted, post_kinds, promises
from bot.services.base.act import ORGANISER, Act, Look, act, live, live_if_any, playing, prepared_if_any, shortened
from bot.services.base.ask_first import ask_first
from bot.services.base.order import Order
from bot.services.base.post_kinds import Until
from bot.services.play import course
from bot.services.play.course import CHAMPION
from bot.services.play.eligibility import expected_shape, next_round
from bot.services.seasons import given_groups, planning, season_costs
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, SeasonRow
from storage.tables import entrants, matches, proofs, rounds, substitutions


def start(conn: Connection, order: Order, *, agreed: str | None = None) -> SeasonRow:
    """Close sign-ups, then pair and post round 1; raises AskFirst where that costs something."""
    do = act(conn, order, live, by=ORGANISER)
    season = do.season
    cost = asked.cost_of_starting(do) if season.phase is SeasonPhase.SIGNUP else ""
    if cost:
        ask_first(cost, agreed)
    return begin(do)


def begin(do: Act) -> SeasonRow:
    """Start the season; raises WrongPhase, and Conflict with too few players."""
    season = do.season
    if season.phase is not SeasonPhase.SIGNUP:
        raise WrongPhase(f"Season {season.number} has already started. /season status shows the next step.")
    people = [who for who in entrants.of_season(do.conn, season.id) if who.active]
    _require_enough(season, len(people))
    given_groups.settle(do)
    shape = expected_shape(do)
    if shape is not None and shape.wrong:
        raise Conflict(f"Season {season.number} can't start. {shape.wrong}")
    _fix_ratings(do, people)
    salt = season.salt
    if salt is None and season.salt_kind is not None:
        salt = salt_of((Name(who.name) for who in people), _secret(do))
        entrants.draw_names(do.conn, [who.id for who in people])
    require_move(season.phase, SeasonPhase.RUNNING)
    do.change_season(phase=SeasonPhase.RUNNING, started_at=do.now, signups_close=None, salt=salt)
    rules_season.keep_past(do.conn, season.id)
    before, after = {"phase": season.phase}, {"phase": do.season.phase, "players": len(people), "salt": salt}
    do.note("season.start", f"season {season.number}", before=before, after=after)
    do.touch()
    promises.tidy(do.conn, do.season, *post_kinds.until(Until.SEASON_STARTS), now=do.now)
    cut = do.settings.cut
    if cut is not None and cut > len(people):
        do.tell(f"The cut is {cut}, but only {len(people)} players are in: the finals have room for all of them.")
    if shape is not None and shape.known:
        do.tell(shape.known)
    course.pair_and_post(do.by_itself())
    return do.reload()


def _secret(do: Act) -> str | None:
    """Return what a sealed salt is made of besides names; shown from now on."""
    return proofs.secret_of(do.conn, do.season.id) if do.season.salt_kind == SEALED else None


def _require_enough(season: SeasonRow, count: int) -> None:
    fewest = max(2, by_key(season.format).fewest_players)
    if count >= fewest:
        return
    # The clock posts this too, where there may be no channel for moderators alone: so it names who can do what.
    hint = "" if fewest == 2 else " Fewer can play single elimination: an organiser can create such a season instead."
    raise Conflict(
        f"Season {season.number} needs at least {fewest} players and has {count}."
        f" More can join with /signup, or an organiser can add them with /player add.{hint}"
    )


def _fix_ratings(do: Act, people: Sequence[EntrantRow]) -> None:
    """Note everyone's rating at the start: what the draws and tables of this season go by from now on."""
    known = counted.brought(do.conn, do.season)
    new = new_rating(do.settings.rating)
    for who in people:
        if who.mu is None:  # an imported file may have said it
            rating = known.get(who.player_id, new)
            entrants.change(do.conn, who.id, mu=rating.mu, sigma=rating.sigma)
    for taken in substitutions.of_season(do.conn, do.season.id):
        if taken.mu is None:
            rating = known.get(taken.player_id, new)
            substitutions.rate(do.conn, taken.id, mu=rating.mu, sigma=rating.sigma)


def _live_or_prepared(see: Look) -> SeasonRow:
    return live_if_any(see) or prepared_if_any(see) or live(see)


def cancel(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> SeasonRow:
    """Cancel the live season, or discard the prepared one, and return it as it was; raises AskFirst.

    If round 1 wasn't published, its number is used again.
    """
    do = act(conn, order, _live_or_prepared, by=ORGANISER)
    season, why = do.season, shortened(reason)
    if season.phase is SeasonPhase.UNPUBLISHED:
        ask_first(season_costs.OF_DISCARDING, agreed)
        return planning.discard_prepared(do)
    require_move(season.phase, SeasonPhase.CANCELLED)
    ask_first(season_costs.of_cancelling(do), agreed)
    played, concerned = rounds.latest(do.conn, season.id) is not None, _concerned(do)
    _stop(do)
    do.tell(_ended(season, "cancelled", why), pings=concerned)
    course.end_of_season(do, SeasonPhase.CANCELLED)
    if not played:  # the next season has its number, and what follows from the end still names it
        do.change_season(number=None)
    before = {"phase": season.phase, "number": season.number}
    after = {"phase": do.season.phase, "number": do.season.number}
    do.note("season.cancel", f"season {season.number}", before=before, after=after, reason=why)
    return season


def _concerned(do: Act) -> list[int | None]:
    """Return the Discord ids of everyone who is still in the season, or would sit in it next: they don't play on."""
    now, next_ = entrants.of_season(do.conn, do.season.id), entrants.in_round(do.conn, do.season.id, next_round(do))
    return [who.discord_id for who in (*now, *next_) if who.active]


def _ended(season: SeasonRow, how: str, why: str | None) -> str:
    return f"Season {season.number} was {how}{f': {why}' if why else '.'}"


def _stop(do: Act) -> None:
    """Leave no preview, no open round and no post that was not made yet."""
    draft = rounds.draft(do.conn, do.season.id)
    if draft is not None:
        course.drop_draft(do, draft)
    latest = rounds.latest(do.conn, do.season.id)
    if latest is not None and latest.phase is RoundPhase.OPEN:
        rounds.change(do.conn, latest.id, phase=RoundPhase.CLOSED)
    promises.cancel_unsent(do.conn, do.season)


def finish(conn: Connection, order: Order, *, reason: str | None = None, agreed: str | None = None) -> SeasonRow:
    """End a season as it stands; raises AskFirst, and WrongPhase while a match has no result."""
    do = act(conn, order, playing, by=ORGANISER)
    season, why = do.season, shortened(reason)
    _require_decided(do)
    require_move(season.phase, SeasonPhase.FINISHED)
    ask_first(season_costs.of_finishing(do), agreed)
    _stop(do)
    do.tell(_ended(season, "ended by an organiser", why), pings=_concerned(do))
    course.end_of_season(do, SeasonPhase.FINISHED)
    before, after = {"phase": season.phase}, {"phase": do.season.phase}
    do.note("season.finish", f"season {season.number}", before=before, after=after, reason=why)
    do.owe(CHAMPION)
    return do.season


def _require_decided(do: Act) -> None:
    latest = rounds.latest(do.conn, do.season.id)
    waiting = 0 if latest is None else matches.count_unfinished(do.conn, latest.id)
    if latest is not None and waiting:
        missing = amount(waiting, "match has", "matches have")
        raise WrongPhase(
            f"{missing} no confirmed result in {latest.words}. Enter them with /result set, or use /season cancel."
        )
