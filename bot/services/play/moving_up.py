"""Players who move up into the finals are asked first, and the finals wait for the answer (KTC, Making a Cut)."""

from dataclasses import dataclass
from datetime import datetime

from bot.league import coming_and_going
from bot.services.base import find, open_questions, promises
from bot.services.base.act import Act, Look
from bot.services.base.events import AccountChanged, SeatTaken
from bot.services.base.post_kinds import Gone, PostKind, SeasonFacts, Until, about_season, known, there
from bot.services.base.promises import BOARD
from bot.services.play.time_to_play import deadline_now
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow
from storage.tables import entrants, finals_places
from storage.tables.finals_places import FinalsPlaceAnswer, FinalsPlaceRow
from storage.tables.notify import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class MovingUpPost(SeasonFacts):
    """The question to a player whether they move up into the finals, and until when they can say so."""

    player: EntrantRow
    asked: FinalsPlaceRow
    until: datetime


def _load(conn: Connection, post: PostRow, _: datetime) -> MovingUpPost:
    """Load the question to a player who moves up; raises Gone where it's answered."""
    row = there(finals_places.find(conn, post.facts["place_id"]))
    if row.answered_at is not None:
        raise Gone
    player = entrants.get(conn, row.entrant_id)
    league, season = about_season(conn, post)
    return MovingUpPost(
        league=league,
        season=season,
        player=player,
        asked=row,
        until=open_questions.ends(conn, MOVING_UP, row.id, post.created_at),
        ping_ids=known([player.discord_id]),
    )


MOVING_UP = PostKind("moving-up", topic=Topic.QUESTION, personal=True, until=Until.SEASON_ENDS, load=_load)


def ask(do: Act) -> tuple[FinalsPlaceRow, ...]:
    """Ask who moves up into the finals that come next, each once, and return those who haven't answered."""
    names = coming_and_going.moving_up(rules_season.load(do.conn, do.season.id))
    ids = entrants.ids_of(do.conn, do.season.id)
    moving = [ids[name] for name in names]
    asked = {row.entrant_id: row for row in finals_places.of_season(do.conn, do.season.id)}
    for row in asked.values():
        if row.answered_at is None and row.entrant_id not in moving:
            close(do, row, FinalsPlaceAnswer.GONE)
    for entrant_id in moving:
        row = asked.get(entrant_id)
        if row is None or (row.answered_at is not None and row.how is not FinalsPlaceAnswer.PLAYS):
            _ask(do, entrants.get(do.conn, entrant_id), row)
    return waiting(do)


def waiting(see: Look) -> tuple[FinalsPlaceRow, ...]:
    """Return the questions of a season that nobody has answered, the first asked first."""
    return tuple(row for row in finals_places.of_season(see.conn, see.season.id) if row.answered_at is None)


def finals_wait(see: Look) -> bool:
    """Whether the finals of a season wait for someone's answer, or for the end of a pause after it."""
    return any(row.posted_at is None for row in finals_places.of_season(see.conn, see.season.id))


def _ask(do: Act, player: EntrantRow, before: FinalsPlaceRow | None) -> None:
    fresh = {
        "asked_at": do.now,
        "latest": deadline_now(do),
        "until": None,
        "answered_at": None,
        "how": None,
        "posted_at": None,
    }
    if before is None:
        row = finals_places.add(do.conn, entrant_id=player.id, **fresh)
    else:
        row = finals_places.change(do.conn, before.id, **fresh)
    if player.discord_id is None:
        open_questions.begin_at_once(do, MOVING_UP, row.id)
    do.owe(MOVING_UP, once=_word(row), people=[player.discord_id], place_id=row.id)
    do.note("entrant.ask_moving_up", player.name)
    do.touch(None, BOARD)


def _word(row: FinalsPlaceRow) -> str:
    return f"{row.id} {int(row.asked_at.timestamp())}"


def seat_taken(do: Act, event: SeatTaken) -> None:
    """Ask the person who takes a seat what the one before them was asked."""
    _ask_again(do, event.after)


def account_changed(do: Act, event: AccountChanged) -> None:
    """Ask a player's new account what the one before it was asked."""
    player = find.seat_of(do, event.after)
    if player is not None:
        _ask_again(do, player)


def _ask_again(do: Act, player: EntrantRow) -> None:
    """Ask a new account, or another person in the seat, what was asked before."""
    for row in waiting(do):
        if row.entrant_id == player.id:
            close(do, row, FinalsPlaceAnswer.GONE)
            _ask(do, player, row)


def close(do: Act, row: FinalsPlaceRow, how: FinalsPlaceAnswer) -> None:
    """Note what came of a question and delete its message."""
    finals_places.change(do.conn, row.id, answered_at=do.now, how=how)
    promises.unsay(do.conn, MOVING_UP, do.season, once=_word(row), now=do.now)
    do.touch(None, BOARD)
