"""What a person can do in a league right now, by what they are in it: player, moderator, organiser."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.coming_and_going import can_enter
from bot.league.errors import NotAllowed
from bot.league.season.in_words import amount
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base import hooks
from bot.services.base.order import Order
from bot.services.base.permissions import Actor, is_moderator, is_organiser
from bot.services.base.transaction import ReadTransaction, live_if_any, read_transaction
from bot.services.matches.views import MatchView
from bot.services.play.field.eligibility import next_round, takes_players
from bot.services.problems.telling import can_tell_problem
from bot.services.reads import overview
from bot.services.reads.my_match import my_match
from bot.services.seats.sitting_out import has_sit_outs
from bot.services.signups import approval, free_places, waiting_list
from bot.services.times.proposing import can_agree
from storage.database import Connection
from storage.rows import LeagueRow, SeasonRow
from storage.tables import seasons
from storage.tables.field import entrants

DECIDE = "Decide or correct a result with /result set."
PLAYED_BEFORE = "Played before? /league import brings your past in. Do it before the first season."
LOOK_UP = (
    "Look things up with /standings, /schedule (matches still to play), /bracket, /outlook, /profile (also past "
    "matches and opponents), /champions, /why and /rules."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """What a person can do now: a heading for each thing they are, with sentences that name the commands."""

    league: LeagueRow
    parts: dict[str, tuple[str, ...]]


def guidance(conn: Connection, order: Order) -> Guidance:
    """Return what a person can do in a league now."""
    tx = read_transaction(conn, order, live_if_any)
    season, league, user_id = tx.found, tx.league, order.actor.user_id
    entry = None if season is None or user_id is None else entrants.by_discord(conn, season.id, user_id)
    if entry is None:
        own = _joining(tx, season)
    else:
        own = (*_own_match(conn, order, may_leave=entry.active), *hooks.shown_to(tx))
    parts: dict[str, tuple[str, ...]] = {"As a player": (*own, LOOK_UP)}
    if is_moderator(league, order.actor):
        count = hooks.how_many_wait(conn, league.id)
        waits = "Nothing waits for you. When something does, /disputes shows it with its next step."
        if count:
            things = amount(count, "thing waits", "things wait")
            waits = f"{things} for you: /disputes shows the next steps."
        parts["As a moderator"] = (waits, DECIDE)
    if is_organiser(league, order.actor):
        parts["As an organiser"] = _organising(tx, order, season)
    return Guidance(league=league, parts=parts)


def _joining(tx: ReadTransaction, season: SeasonRow | None) -> tuple[str, ...]:
    """Return how someone who isn't in the season gets into one."""
    if season is None:
        return ("No season is running. The next sign-ups are announced in the league's channel.",)
    if approval.own(tx) is not None:
        asks = f"You asked to join season {season.number}. You'll be told when an organiser answers."
        return (f"{asks} /drop takes it back.",)
    if (row := waiting_list.own(tx)) is not None:
        place = waiting_list.place_of(tx, row)
        waits = f"You're number {place} on the waiting list of season {season.number}. /drop takes you off it."
        return (f"{waits} When a place becomes free, you'll be asked.",)
    left = free_places.free(tx)
    if left is not None and left <= 0 and takes_players(tx):
        return (f"All places of season {season.number} are taken. /signup puts you on the waiting list.",)
    if season.phase is SeasonPhase.SIGNUP:
        return (f"Join season {season.number} with /signup.",)
    if season.phase is SeasonPhase.RUNNING and can_enter(tx.settings, next_round(tx)):
        return (f"Season {season.number} is running. You can still join: /signup says first what missed rounds cost.",)
    return (f"Season {season.number} is running without you. You can join the next one.",)


def _own_match(conn: Connection, order: Order, *, may_leave: bool) -> tuple[str, ...]:
    try:
        mine = my_match(conn, order)
    except NotAllowed as elsewhere:  # another person sits in their seat
        return (str(elsewhere),)
    away = "Sit out a coming round with /sit-out. " if has_sit_outs(mine.season) else ""
    early = mine.season.phase is SeasonPhase.SIGNUP
    leave = "Cancel your sign-up with /drop." if early else "Leave the season with /drop; you're asked first."
    leave = away + leave
    if mine.match is None:
        return (mine.what_to_do, leave)[: 1 + may_leave]
    steps = (f"{mine.match.label}: {mine.what_to_do}", *_step(mine.match, order.actor, order.now))
    stuck = can_tell_problem(mine.match, mine.match.side_of(order.actor.user_id))
    problem = " Press Problem there if something keeps you from playing." if stuck else ""
    return (*steps, f"Deadline and history of your match: /match.{problem} {leave}")


def _step(match: MatchView, actor: Actor, now: datetime) -> tuple[str, ...]:
    """Return how to do without buttons what a match waits for."""
    side = match.side_of(actor.user_id)
    if match.match.state is MatchState.REPORTED and side is not None and match.reports[-1].entrant_id != side.id:
        return (f"{match.said(match.reports[-1])}. Answer with /confirm or /dispute.",)
    if match.match.state is MatchState.OPEN and can_agree(match, now):
        return ("Agree on a time: /match has Propose times. Set your time zone and hours with /availability.",)
    return ()


def _organising(tx: ReadTransaction, order: Order, season: SeasonRow | None) -> tuple[str, ...]:
    test = "Test channels, rights and roles with /league settings, and write your own rules there."
    if season is None:
        step = "Prepare the next season with /season create."
        past = () if seasons.numbers(tx.conn, tx.league.id) else (PLAYED_BEFORE,)
        if seasons.unpublished(tx.conn, tx.league.id) is not None:
            step = "The next season is prepared: look at it and open its sign-ups with /season settings."
        return (*past, step, test)
    view = overview.status(tx.conn, order)
    manage = (
        "Act for a player with /player add, /player drop, /player link or /player rename. Take a break with /season "
        "pause."
    )
    return (f"Season {season.number}: {view.next_step}", "See where it stands with /season status.", manage, test)
