"""The places of a season: the players who wait for one, and who is asked when one becomes free."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.league.season.phases import SeasonPhase
from bot.services.base import open_questions, promises
from bot.services.base.act import Act, Look, look
from bot.services.base.events import (
    AccountChanged,
    FieldChanged,
    PlayerBanned,
    PlayerForgotten,
    RoundPosted,
    SeasonOver,
    SeatTaken,
    SettingsChanged,
)
from bot.services.base.open_questions import Question
from bot.services.base.order import by_bot
from bot.services.base.post_kinds import Gone, PostKind, SeasonFacts, Shows, known, there
from bot.services.base.promises import OWN_PLACE
from bot.services.play import eligibility
from storage.database import Connection
from storage.posts import PostRow
from storage.tables import entrants, waitlist
from storage.tables.notify import Topic
from storage.tables.waitlist import WaitingId, WaitingRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacePost(SeasonFacts):
    """The question to the first who waits whether they take a free place, until `until`; `first` is their first round.

    Before the season starts that is round 1.
    """

    waiting: WaitingRow
    first: int
    until: datetime


def _load(conn: Connection, post: PostRow, now: datetime) -> PlacePost:
    """Load the question to a player who waits; raises Gone where it's answered, or no place is free any more."""
    row = there(waitlist.find(conn, post.facts["waiting_id"]))
    if row.asked_at is None:
        raise Gone
    see = look(conn, by_bot(now), season_id=row.season_id)
    until = open_questions.ends(conn, PLACE, row.id, post.created_at)
    return PlacePost(
        league=see.league,
        season=see.season,
        waiting=row,
        first=1 if see.season.phase is SeasonPhase.SIGNUP else eligibility.next_round(see),
        until=min(until, see.season.signups_close or until),
        ping_ids=known([row.discord_id]),
    )


PLACE = PostKind("place", topic=Topic.QUESTION, personal=True, shows=Shows.SEASON, load=_load)


def taken(see: Look) -> int:
    """Return how many are in the season."""
    return sum(who.active for who in entrants.of_season(see.conn, see.season.id))


def free(see: Look) -> int | None:
    """Return how many places no one has or waits for, perhaps below zero; None where there's no limit."""
    limit = see.settings.max_players
    waiting = waitlist.of_season(see.conn, see.season.id)
    return None if limit is None else limit - taken(see) - len(waiting)


def offer(do: Act) -> None:
    """Ask the first who wait whether they take the free places; one that isn't free any more isn't offered any more."""
    waiting = waitlist.of_season(do.conn, do.season.id)
    if not waiting:
        return
    asked = [row for row in waiting if row.asked_at is not None]
    limit = do.settings.max_players
    left = len(waiting) if limit is None else limit - taken(do)
    for row in asked[max(left, 0) :]:
        _let_go(do, row)
        waitlist.change(do.conn, row.id, asked_at=None, until=None)
        do.note("waitlist.withdraw-place", row.name)
    unasked = [row for row in waiting if row.asked_at is None]
    for row in unasked[: max(left - len(asked), 0)]:
        _ask(do, row)


def _ask(do: Act, row: WaitingRow) -> None:
    waitlist.change(do.conn, row.id, asked_at=do.now)
    _owe(do, row)
    do.note("waitlist.ask", row.name)


def _owe(do: Act, row: WaitingRow) -> None:
    do.owe(PLACE, once=str(row.id), people=[row.discord_id], waiting_id=row.id)


def account_changed(do: Act, event: AccountChanged) -> None:
    """Ask a player with a new account about the place kept for them; the time to take it begins again."""
    row = waitlist.by_player(do.conn, do.season.id, event.after.id)
    if row is not None and row.asked_at is not None:
        _let_go(do, replace(row, discord_id=event.before.discord_id))
        waitlist.change(do.conn, row.id, until=None)
        _owe(do, row)


def _let_go(do: Act, row: WaitingRow) -> None:
    """Delete the question to a player, which may be asked again."""
    promises.unsay(do.conn, PLACE, do.season, once=str(row.id), now=do.now)


def leave(do: Act, row: WaitingRow, action: str) -> None:
    """Take a player off the waiting list, for the reason the audit log gives; a place kept for them is offered on."""
    take_off(do, row, action)
    offer(do)
    do.touch()


def take_off(do: Act, row: WaitingRow, action: str) -> None:
    """Take a player off the waiting list without asking the next."""
    _let_go(do, row)
    waitlist.remove(do.conn, row.id)
    do.note(action, row.name)


def _lapse(do: Act, waiting_id: int) -> None:
    """Offer a place to the next where the one asked was silent."""
    row = waitlist.get(do.conn, WaitingId(waiting_id))
    leave(do, row, "waitlist.lapse")
    do.tell(
        f"{row.name}, the free place in season {do.season.number} is there for others again. Still interested? Use "
        "/signup.",
        kind=OWN_PLACE,
        pings=[row.discord_id],
    )


PLACE_ANSWER = Question(
    kind=PLACE,
    asked=waitlist.ASKED,
    about=open_questions.named("waiting_id"),
    words="offer place {} to the next",
    silence=_lapse,
)
"""Whether the first who waits takes a free place."""


def field_changed(do: Act, _: FieldChanged | SettingsChanged) -> None:
    """Offer the places that became free; one that isn't free any more isn't offered any more."""
    offer(do)


def seat_taken(do: Act, event: SeatTaken) -> None:
    """Let a substitute wait no more for a place of their own: one person has one seat a season."""
    queued = waitlist.by_player(do.conn, do.season.id, event.person.id)
    if queued is not None:
        leave(do, queued, "waitlist.substitute")


def player_forgotten(do: Act, event: PlayerForgotten) -> None:
    """Let someone who is forgotten wait no more."""
    queued = waitlist.by_player(do.conn, do.season.id, event.player.id)
    if queued is not None:
        leave(do, queued, "waitlist.forget")


def player_banned(do: Act, event: PlayerBanned) -> None:
    """Let someone who is banned wait no more."""
    queued = None if do.found is None else waitlist.by_player(do.conn, do.season.id, event.player.id)
    if queued is not None:
        leave(do, queued, "waitlist.ban")


def round_posted(do: Act, _: RoundPosted) -> None:
    """Tell those who wait that the season has started; once no one can enter any more, the list is closed."""
    waiting = waitlist.of_season(do.conn, do.season.id)
    if not waiting:
        return
    do.touch(None, PLACE)  # it says which rounds are missed
    number, first = do.season.number, eligibility.next_round(do)
    unasked = [row.discord_id for row in waiting if row.asked_at is None]
    if not eligibility.takes_players(do):
        _close(do, waiting)
    elif first == 2 and unasked:
        do.tell(
            f"Season {number} has started, and all places are taken. You stay on the waiting list and can still get "
            f"a place until round {do.settings.late_entry} is paired. /drop takes you off the list.",
            pings=unasked,
            once="the waiting list, told of the start",
        )


def _close(do: Act, waiting: Sequence[WaitingRow]) -> None:
    """Tell those who still wait that there's no place for them this season."""
    _tell_closed(do, f"Season {do.season.number} takes no more players", waiting)
    _clear(do, waiting)


def season_over(do: Act, _: SeasonOver) -> None:
    """Take everyone off the waiting list, and tell them: no one waits for a place any more."""
    waiting = waitlist.of_season(do.conn, do.season.id)
    if waiting:
        _tell_closed(do, f"Season {do.season.number} is over", waiting)
    _clear(do, waiting)


def _tell_closed(do: Act, why: str, waiting: Sequence[WaitingRow]) -> None:
    do.tell(
        f"{why}, so its waiting list is closed. You can join the next season: its sign-ups are announced here.",
        kind=OWN_PLACE,
        pings=[row.discord_id for row in waiting],
    )


def _clear(do: Act, waiting: Sequence[WaitingRow]) -> None:
    """Take everyone off the waiting list, and their questions away."""
    promises.tidy(do.conn, do.season, PLACE, now=do.now)
    if waiting:
        waitlist.clear(do.conn, do.season.id)
        do.note("waitlist.close", f"season {do.season.number}", before={"waiting": [row.name for row in waiting]})
