"""Asking to join a season in which organisers let each player in: who waits takes no place and is in no draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import NotAllowed
from bot.league.season.in_words import first_few
from bot.league.season.phases import RoundPhase
from bot.services.base import asked, promises
from bot.services.base.act import Act, Look
from bot.services.base.asked import Section, Wait
from bot.services.base.events import (
    AccountChanged,
    MergeTakenBack,
    ModeratorsMoved,
    PlayerBanned,
    PlayerForgotten,
    RoundPosted,
    RoundTakenBack,
    SeasonOver,
    SeatTaken,
)
from bot.services.base.post_kinds import Gone, PostKind, Readers, SeasonFacts, Shows, Until, about_season
from bot.services.base.promises import OWN_PLACE
from bot.services.play import eligibility
from bot.services.signups.door_pages import page_for
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import PlayerRow, SeasonRow
from storage.tables import asked_to_join, entrants, outbox, players, waitlist
from storage.tables.asked_to_join import JoinRequestRow

_NAMED = 20
"""As many names as a message says: more of them could push out what to do next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequestPost(SeasonFacts):
    """A page of players who ask to join, each with how that was answered."""

    rows: tuple[JoinRequestRow, ...]


def _load(conn: Connection, post: PostRow, _: datetime) -> JoinRequestPost:
    league, season = about_season(conn, post)
    rows = asked_to_join.of_page(conn, season.id, int(post.facts["page"]))
    if not rows:
        raise Gone
    return JoinRequestPost(league=league, season=season, rows=rows)


JOIN_REQUEST = PostKind(
    "join-request", to=Readers.ORGANISERS, shows=Shows.SEASON, until=Until.SEASON_STARTS, load=_load
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """A player who asked to join and waits for an organiser; `already` when nothing changed."""

    name: str
    season: SeasonRow
    first_time: bool = False
    already: bool = False


def own(see: Look) -> JoinRequestRow | None:
    """Return the actor's request that waits for its answer, or None."""
    known = see.actor.user_id
    return None if known is None else asked_to_join.by_discord(see.conn, see.season.id, known)


def ask(do: Act, player: PlayerRow, *, first_time: bool) -> Asks:
    """Ask the organisers to let a player in; raises NotAllowed for one they didn't let into this season."""
    if asked_to_join.was_refused(do.conn, do.season.id, player.id):
        raise NotAllowed(
            f"An organiser didn't let you into season {do.season.number}. If that's a mistake, ask one of them."
        )
    page = page_for(asked_to_join.last_page(do.conn, do.season.id), do.now)
    asked_to_join.add(do.conn, season_id=do.season.id, player_id=player.id, page=page, asked_at=do.now)
    _show(do, page)
    do.note("entrant.ask_in", player.name)
    return Asks(name=player.name, season=do.season, first_time=first_time)


def _show(do: Act, page: int) -> None:
    """Ask organisers on a page, which is posted once and grows."""
    promises.owe_again(do.conn, JOIN_REQUEST, do.season, once=str(page), now=do.now, page=page)
    promises.touch_once(do.conn, JOIN_REQUEST, do.season, once=str(page), now=do.now)


def _ask_again(do: Act, row: JoinRequestRow) -> None:
    """Let someone wait again, on their page, which is posted again where its message is gone."""
    asked_to_join.change(do.conn, row.id, answered_at=None, accepted=None)
    _show(do, row.page)


def end(do: Act, row: JoinRequestRow, *, accepted: bool | None) -> None:
    """Let someone wait no more: they were let in or not, or (None) stopped asking."""
    asked_to_join.change(do.conn, row.id, answered_at=do.now, accepted=accepted)
    do.touch()


def stop(do: Act, row: JoinRequestRow) -> None:
    """Let someone ask no more."""
    end(do, row, accepted=None)
    do.note("entrant.stop_asking", row.name)


def player_gone(do: Act, event: PlayerForgotten | PlayerBanned) -> None:
    """Let someone who is forgotten or banned ask no more."""
    if do.found is not None:
        _stop_player(do, event.player)
        do.touch(None, JOIN_REQUEST)  # one that was answered goes, too, with who is forgotten


def seat_taken(do: Act, event: SeatTaken) -> None:
    """Let a substitute ask no more for a place of their own: one person has one seat a season."""
    _stop_player(do, event.person)


def _stop_player(do: Act, player: PlayerRow) -> None:
    row = asked_to_join.of_player(do.conn, do.season.id, player.id)
    if row is not None:
        stop(do, row)


def merge_taken_back(do: Act, event: MergeTakenBack) -> None:
    """Ask organisers again about someone whose question went with them, unless no one can join any more."""
    row = None if do.found is None else asked_to_join.of_player(do.conn, do.season.id, event.player.id)
    if row is not None and not eligibility.takes_players(do):
        stop(do, row)
    elif row is not None:
        _ask_again(do, row)


def account_changed(do: Act, _: AccountChanged) -> None:
    """Show the new account of someone who waits."""
    do.touch(None, JOIN_REQUEST)


def round_posted(do: Act, _: RoundPosted) -> None:
    """Tell those who weren't let in as the season starts, or once no one can enter any more, that they aren't in."""
    waiting = asked_to_join.waiting(do.conn, do.season.id)
    if not waiting:
        return
    takes = eligibility.takes_players(do)
    if takes and eligibility.next_round(do) != 2:
        return
    then = "/signup asks again: new players can still join." if takes else "You can join the next season."
    _clear(do, waiting)
    do.tell(
        f"No organiser answered in time, so season {do.season.number} goes on without {_names(waiting)}. {then}",
        kind=OWN_PLACE,
        pings=[row.discord_id for row in waiting],
    )


def round_taken_back(do: Act, event: RoundTakenBack) -> None:
    """Let organisers answer those after all who weren't let in when round 1 was posted, until it is posted again."""
    posted = event.round.posted_at
    if event.round.number != 1 or event.round.phase is RoundPhase.DRAFT or posted is None:
        return
    again = [row for row in asked_to_join.stopped_at(do.conn, do.season.id, posted) if _can_wait(do, row)]
    for row in again:
        _ask_again(do, row)
        do.note("entrant.ask_in", row.name)
    if again:
        text = f"Round 1 was undone, so organisers can still let {_names(again)} into season {do.season.number}."
        do.tell(f"{text} You'll be told.", kind=OWN_PLACE, pings=[row.discord_id for row in again])


def _can_wait(do: Act, row: JoinRequestRow) -> bool:
    """Whether someone can be let in who asked before: they have no place, and aren't banned."""
    inside = entrants.by_player(do.conn, do.season.id, row.player_id)
    queued = waitlist.by_player(do.conn, do.season.id, row.player_id)
    return inside is None and queued is None and asked.is_welcome(do, players.get(do.conn, row.player_id))


def moderators_moved(do: Act, _: ModeratorsMoved) -> None:
    """Post the pages on which someone waits where only moderators read from now on."""
    pages = sorted({row.page for row in asked_to_join.waiting(do.conn, do.season.id)})
    outbox.post_again(do.conn, do.season.id, JOIN_REQUEST, "page", pages, now=do.now)


def season_over(do: Act, _: SeasonOver) -> None:
    """Let no one wait for a season that is over, and tell those who did."""
    waiting = asked_to_join.waiting(do.conn, do.season.id)
    if not waiting:
        return
    _clear(do, waiting)
    do.tell(
        f"Season {do.season.number} is over, and no organiser had answered {_names(waiting)}. "
        "You can join the next season: its sign-ups are announced here.",
        kind=OWN_PLACE,
        pings=[row.discord_id for row in waiting],
    )


def _names(waiting: Sequence[JoinRequestRow]) -> str:
    return first_few([row.name for row in waiting], _NAMED)


def _clear(do: Act, waiting: Sequence[JoinRequestRow]) -> None:
    for row in waiting:
        stop(do, row)


def _who_asks(conn: Connection, ids: Sequence[int]) -> dict[int, JoinRequestRow]:
    return {request.id: request for request in asked_to_join.some(conn, ids)}


def _section(rows: Mapping[int, JoinRequestRow]) -> Section:
    join = "An organiser lets them in or refuses. Who waits takes no place and isn't in the draw."
    return Section("Want to join", join, [row.name for row in rows.values()])


WAITING_TO_JOIN = Wait("join_requests", asked_to_join.WAITING, _who_asks, _section)
"""Players who want to join, by the id of their request, in order of asking."""
