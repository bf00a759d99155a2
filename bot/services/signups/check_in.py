"""Check-in before a season starts: everyone is asked if they're still in; the silent make room for those who wait."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.league.errors import WrongPhase
from bot.league.season.phases import SeasonPhase
from bot.services.base import find, hooks, outbox
from bot.services.base.events import AccountChanged, SettingsChanged
from bot.services.base.order import Order, by_bot
from bot.services.base.outbox import OWN_PLACE
from bot.services.base.pending_questions import Question
from bot.services.base.post_kinds import Facts, Gone, PostKind, SeasonPost, Shows, Until, about_season, known
from bot.services.base.transaction import Transaction, live, transaction
from bot.services.signups import free_places, signing_up
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantId, EntrantRow, SeasonId, SeasonRow
from storage.tables import seasons
from storage.tables.field import entrants
from storage.tables.people import players
from storage.tables.people.notify import Topic
from storage.tables.signups import waitlist
from storage.tables.signups.waitlist import WaitingRow


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInFacts(Facts):
    """The accounts that are asked."""

    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInPost(SeasonPost):
    """The question whether players are still in: who of those asked hasn't said so, and how many wait for a place."""

    asked: int
    silent: tuple[EntrantRow, ...]
    waiting: int


def _load(conn: Connection, post: PostRow, _: datetime) -> CheckInPost:
    """Load the question as it is now; raises Gone once sign-ups are closed, and where no one is left to answer."""
    league, season = about_season(conn, post)
    asked = CHECK_IN.facts(post).asked
    people = [entrant for entrant in entrants.of_season(conn, season.id) if entrant.discord_id in asked]
    silent = tuple(entrant for entrant in people if _is_silent(entrant))
    if season.phase is not SeasonPhase.SIGNUP or not is_open(season):
        raise Gone
    return CheckInPost(
        league=league,
        season=season,
        asked=len(people),
        silent=silent,
        waiting=len(waitlist.of_season(conn, season.id)),
        ping_ids=known(entrant.discord_id for entrant in silent),
    )


CHECK_IN = PostKind(
    "check-in",
    CheckInFacts,
    topic=Topic.QUESTION,
    personal=True,
    shows=Shows.SEASON,
    until=Until.SEASON_STARTS,
    load=_load,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedIn:
    """A player who is still in; `already` when they had said so, or signed up so late that they needn't."""

    name: str
    season: SeasonRow
    already: bool


def _is_silent(entrant: EntrantRow) -> bool:
    """Whether a player hasn't checked in; one without a Discord account can't."""
    return entrant.active and not entrant.checked_in and entrant.discord_id is not None


def ask(conn: Connection, season_id: SeasonId, now: datetime) -> bool:
    """Ask everyone who is signed up whether they're still in; False where it isn't time."""
    if season_id not in seasons.check_ins_due(conn, now):
        return False
    tx = transaction(conn, by_bot(now), season_id=season_id)
    tx.change_season(check_in=tx.season.signups_close)
    outbox.retract_all(conn, tx.season, CHECK_IN, now=now)
    silent = known(entrant.discord_id for entrant in entrants.of_season(conn, season_id) if _is_silent(entrant))
    if silent:
        tx.enqueue(CHECK_IN, CheckInFacts(asked=silent), people=silent)
    entrants.forget_asked(conn, season_id)
    tx.note("season.check-in", f"season {tx.season.number}", after={"asked": len(silent)})
    return True


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Ask a player with a new account whether they're still in, if they haven't said so."""
    entrant = find.seat_of(tx, event.after)
    if entrant is not None and tx.season.phase is SeasonPhase.SIGNUP and is_open(tx.season) and _is_silent(entrant):
        people = known([entrant.discord_id])
        tx.enqueue(CHECK_IN, CheckInFacts(asked=people), people=people)


def settings_changed(tx: Transaction, event: SettingsChanged) -> None:
    """Take the question back where players needn't check in, or sign-ups close later: then they're asked again."""
    if is_open(event.before) and not (is_open(tx.season) and tx.settings.check_in_hours):
        close(tx)


def close(tx: Transaction) -> None:
    """Ask no one any more whether they're still in: no one loses a place by it."""
    tx.change_season(check_in=None)
    tx.retract_all(tx.season, CHECK_IN)


def _mentioned(conn: Connection, post: PostRow) -> tuple[EntrantId, ...]:
    """Return the players a message mentions."""
    facts = CHECK_IN.facts(post)
    people = set(facts.asked) - set(facts.direct) if post.person_id is None else {post.person_id}
    return tuple(
        entrant.id
        for entrant in entrants.of_season(conn, SeasonId(post.season_id or 0))
        if entrant.discord_id in people
    )


CHECK_IN_ANSWER = Question(
    kind=CHECK_IN,
    asked=entrants.CHECK_IN,
    about=_mentioned,
    stands_still=False,
    time=lambda _: timedelta(0),
)
"""Whether a player is still in; silence counts as sign-ups close, for those who were asked long enough before."""


def check_in(conn: Connection, order: Order) -> CheckedIn:
    """Note that the actor is still in; raises NotFound for others, and WrongPhase before the check-in and after it."""
    tx = transaction(conn, order, live)
    season = tx.season
    entrant = find.own_entrant(tx)
    if season.phase is not SeasonPhase.SIGNUP:
        raise WrongPhase(f"Season {season.number} has started. /match shows your match.")
    if not is_open(season):
        raise WrongPhase(f"You're signed up for season {season.number}; there's nothing to check in for now.")
    hooks.require_welcome(tx, players.get(conn, entrant.person_id))
    if not entrant.checked_in:
        entrants.change(tx.conn, entrant.id, checked_in=True)
        tx.note("entrant.check-in", entrant.name)
        tx.invalidate(None, CHECK_IN)
    return CheckedIn(name=entrant.name, season=season, already=entrant.checked_in)


def is_open(season: SeasonRow) -> bool:
    """Whether players have been asked to check in for the closing time their sign-ups have now."""
    return season.signups_close is not None and season.check_in == season.signups_close


def reminder(season: SeasonRow, entrant: EntrantRow) -> str:
    """Return what a player who is asked to check in must do, with a space before it; nothing for others."""
    asked = season.phase is SeasonPhase.SIGNUP and is_open(season) and _is_silent(entrant)
    return " Still in? Press I'm in under the check-in message, or you can lose your place." if asked else ""


def make_room(tx: Transaction) -> None:
    """Give the places of players who didn't check in to those who wait, in order of the list, as sign-ups close.

    Of several silent players those who signed up last lose theirs; where no one waits for it, no one loses a place,
    nor does a player who was asked too late or not at all.
    """
    waiting = waitlist.of_season(tx.conn, tx.season.id)
    if not waiting or not is_open(tx.season):
        return
    asked = tx.now - timedelta(hours=tx.settings.check_in_hours or 0) / 2
    people = [entrant for entrant in entrants.of_season(tx.conn, tx.season.id) if _is_silent(entrant)]
    silent = [entrant for entrant in people if entrant.asked_at is not None and entrant.asked_at <= asked]
    limit = tx.settings.max_players
    free = len(waiting) if limit is None else max(limit - free_places.taken(tx), 0)
    coming = waiting[: free + len(silent)]
    going = silent[len(silent) - max(len(coming) - free, 0) :]
    _exchange(tx, going, coming)


def _exchange(tx: Transaction, going: list[EntrantRow], coming: tuple[WaitingRow, ...]) -> None:
    for entrant in going:
        hooks.withdraw(tx.conn, entrant.id)
        tx.note("entrant.no-check-in", entrant.name)
    for row in coming:
        player = players.get(tx.conn, row.player_id)
        signing_up.put_in(tx, player, 1)
        free_places.take_off(tx, row, "waitlist.check-in")
    free_places.offer(tx)
    if coming:
        tx.invalidate()
        lost = f"{_names(going)} didn't check in. " if going else ""
        text = f"Season {tx.season.number} is about to start. {lost}From the waiting list, now in: {_names(coming)}."
        tx.tell(text, kind=OWN_PLACE, pings=[entrant.discord_id for entrant in (*going, *coming)])


def _names(people: list[EntrantRow] | tuple[WaitingRow, ...]) -> str:
    return ", ".join(person.name for person in people)


def opens_at(season: SeasonRow) -> datetime | None:
    """Return when players will be asked to check in; None where they won't, or have been."""
    hours = rules_season.settings_of(season).check_in_hours
    if season.signups_close is None or not hours or is_open(season):
        return None
    return season.signups_close - timedelta(hours=hours)
