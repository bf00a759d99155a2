"""Two league names of one person become one, and two again as long as nothing was built on it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.league.counting.ratings import Carried, RatedSeason, after_each, new_rating, shown_rating
from bot.league.errors import Conflict, Invalid, NotFound
from bot.league.season.in_words import amount
from bot.services.base import find, hooks, outbox
from bot.services.base.accounts import require_not_forgotten
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import AccountTaken, MergeTakenBack, PlayersMerged
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, Transaction, live_if_any, read_transaction, transaction
from storage import personal, rated_seasons
from storage.database import Connection
from storage.personal import Moving
from storage.rows import PlayerId, PlayerRow
from storage.tables import matches
from storage.tables.field import entrants
from storage.tables.people import apart, merges, players
from storage.tables.people.merges import MergeId, MergeRow
from storage.tables.signups import join_requests, waitlist

_CHANGED = {
    "name": "{name} was renamed",
    "account": "{name} plays with another account",
    "names": "{name} was renamed",
    "links": "a new account was asked for {name}",
    "played": "{name} has joined or left a season",
    "asks": "{name} has asked to join a season",
    "started": "another season has started or was imported",
    "merged": "{name} was merged with someone else",
    "bans": "{name} was banned",
    "apart": "the people {name} is kept apart from changed",
}
"""What was built on a merge, by what isn't as it was left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What became of two names: the one that went, and the one they have; `id` is what takes it back."""

    id: MergeId
    gone: str
    name: str
    live: int | None


class AlreadyOneError(Invalid):
    """Both names are one player's; `merge` is what can be taken back, if they were merged."""

    def __init__(self, text: str, merge: MergeId | None) -> None:
        self.merge = merge
        super().__init__(text)


def merge(conn: Connection, order: Order, *, player: str, into: str, reason: str, agreed: str | None = None) -> Merged:
    """Let all that a player did be another's, as it is the same person.

    Raises ConfirmationNeeded with what changes, NotAllowed, NotFound, Invalid for one person, and Conflict where they
    can't be one, or the season that goes on is in the way.
    """
    tx = transaction(conn, order, live_if_any, by=ORGANISER)
    gone, stays = find.player(tx, player), find.player(tx, into)
    if gone.id == stays.id:
        raise AlreadyOneError(
            f"{player.strip()[:50]} and {into.strip()[:50]} are {stays.name} already. Choose two players.",
            merges.last_into(tx.conn, stays.id),
        )
    for person in (gone, stays):
        require_not_forgotten(tx, person, "they can't be merged with anyone.")
    seasons = merges.seasons_of(tx.conn, gone.id), merges.seasons_of(tx.conn, stays.id)
    _require_one_place(tx, gone, stays)
    _require_one_person(tx, gone, stays, {*seasons[0]} & {*seasons[1]})
    _require_no_live_seat(tx, gone, stays)
    _require_no_ban(tx, gone, stays)
    _require_no_ban(tx, stays, gone)
    require_confirmation(_cost(tx, gone, stays, sorted(filter(None, seasons[0].values()))), agreed)
    gone = players.change(tx.conn, gone.id, next_name=None)
    row = _merge(tx, gone, stays, *seasons)
    _show(tx, stays)
    if tx.found is not None:
        tx.happened(PlayersMerged(player=players.get(tx.conn, stays.id), gone=gone.name))
    tx.note("player.merge", f"{gone.name} and {stays.name}", after={"name": stays.name}, reason=reason)
    return Merged(id=row.id, gone=gone.name, name=stays.name, live=_live(tx))


def take_back(conn: Connection, order: Order, *, merge: MergeId) -> Merged:
    """Let two names be two people again, as they were.

    Raises NotAllowed, NotFound, and Conflict with what was built on it.
    """
    tx = transaction(conn, order, live_if_any, by=ORGANISER)
    row = merges.find(tx.conn, merge)
    if row is None or row.league_id != tx.league.id:
        raise NotFound("This merge was taken back already. /league audit shows when.")
    stays = players.get(tx.conn, row.into_id)
    left = merges.changed_since(row.as_left, merges.as_left(tx.conn, tx.league.id, row.into_id))
    if left == ["bans"]:
        raise Conflict(
            f"{stays.name} was banned after the merge. Let them in under /league settings, take the merge back, then "
            "ban the right one again."
        )
    if left:
        raise _stays(stays, _CHANGED[left[0]].format(name=stays.name))
    gone = personal.gone_player(row.moved)
    account = None if gone["discord_id"] == stays.discord_id else gone["discord_id"]
    holder = None if account is None else _holder(tx, account)
    if holder is not None:
        raise Conflict(f"The merge can't be taken back: the account of {gone['name']} plays as {holder} now.")
    merges.remove(tx.conn, row.id)
    try:
        personal.take_back(tx.conn, row.moved)
    except sqlite3.IntegrityError:
        raise _stays(stays, "what it moved was changed") from None
    _show(tx, stays)
    if account is not None:  # it had no player until now, and may have been asked if it is one
        tx.happened(AccountTaken(account=account))
    tx.happened(MergeTakenBack(player=players.get(tx.conn, gone["id"])))
    tx.note("player.unmerge", f"{gone['name']} and {stays.name}")
    return Merged(id=row.id, gone=gone["name"], name=stays.name, live=_live(tx))


def _stays(into: PlayerRow, why: str) -> Conflict:
    return Conflict(f"The merge into {into.name} can't be taken back any more, because {why} since.")


def _show(tx: Transaction, player: PlayerRow) -> None:
    """Let what is asked about someone in the season that goes on, and their match's thread, show who they are now."""
    if tx.found is None:
        return
    tx.invalidate()
    seat = entrants.by_player(tx.conn, tx.season.id, player.id)
    for match in () if seat is None else matches.in_open_rounds(tx.conn, tx.season.id, seat.id):
        outbox.invalidate_thread(tx.conn, match, now=tx.now)


def _holder(tx: Transaction, account: int) -> str | None:
    row = players.by_discord(tx.conn, tx.league.id, account)
    return None if row is None else row.name


def _live(tx: Transaction) -> int | None:
    """Return the number of the season that is played by what was known at its start."""
    return None if tx.found is None or tx.found.started_at is None else tx.found.number


def _require_one_person(tx: Transaction, gone: PlayerRow, stays: PlayerRow, both: set[int]) -> None:
    """Raise Conflict where two players can't be one person."""
    met = merges.met(tx.conn, gone.id, stays.id)
    if met is not None:
        when = f"in season {met.season}" + ("" if met.round is None else f", round {met.round}")
        raise Conflict(f"{gone.name} and {stays.name} played each other {when}, so they are two people.")
    if both:
        numbers = sorted(filter(None, (merges.seasons_of(tx.conn, gone.id)[player] for player in both)))
        several = "s" if len(numbers) > 1 else ""
        named = f"season{several} {', '.join(map(str, numbers))}" if numbers else "the same season"
        raise Conflict(f"{gone.name} and {stays.name} were both in {named}, so they are two people.")
    if apart.of_two(tx.conn, tx.league.id, gone.id, stays.id):
        raise Conflict(f"{gone.name} and {stays.name} are kept apart. End that under /league settings first.")
    for player in (gone, stays):
        if players.waiting_link(tx.conn, player.id) is not None:
            raise Conflict(f"A Discord account is asked if it is {player.name}. Wait for its answer, then merge.")


def _require_no_live_seat(tx: Transaction, gone: PlayerRow, stays: PlayerRow) -> None:
    """Raise Conflict where the season that goes on would get another player or account."""
    if tx.found is None:
        return
    number = tx.season.number
    if tx.season.id in merges.seasons_of(tx.conn, gone.id):
        raise Conflict(
            f"{gone.name} is in season {number}, which isn't over. Merge {stays.name} into {gone.name} instead, or "
            "wait until it's over."
        )
    if tx.season.id in merges.seasons_of(tx.conn, stays.id) and None is stays.discord_id != gone.discord_id:
        raise Conflict(
            f"{stays.name} would get the Discord account of {gone.name} in the middle of season {number}. Merge them "
            "when it's over."
        )


_PLAYS, _ASKS = "plays", "asks to join"


def _require_one_place(tx: Transaction, gone: PlayerRow, stays: PlayerRow) -> None:
    """Raise Conflict where both have a place in the season that goes on, or wait for one; of two requests one stays."""
    if tx.found is None:
        return
    places = _place(tx, gone), _place(tx, stays)
    if all(places) and {*places} not in ({_PLAYS}, {_ASKS}):
        raise Conflict(
            f"In season {tx.season.number} {gone.name} {places[0]} and {stays.name} {places[1]}, but one person has "
            "one place. Let one of them leave it with /drop, or refuse who asks to join, then merge."
        )


def _require_no_ban(tx: Transaction, banned: PlayerRow, other: PlayerRow) -> None:
    """Raise Conflict where a merge would ban someone with a place in the season that goes on, or who waits for one."""
    place = "" if tx.found is None else _place(tx, other)
    if place and not hooks.is_welcome(tx, banned) and hooks.is_welcome(tx, other):
        raise Conflict(
            f"In season {tx.season.number} {other.name} {place}, but {banned.name} is banned. Ban {other.name} too, or "
            f"let {banned.name} in again under /league settings, then merge."
        )


def _place(tx: Transaction, player: PlayerRow) -> str:
    """Return how a player is in the season that goes on, or wants to be; nothing where they don't."""
    if waitlist.by_player(tx.conn, tx.season.id, player.id) is not None:
        return "waits for a place"
    if join_requests.of_player(tx.conn, tx.season.id, player.id) is not None:
        return _ASKS
    return _PLAYS if entrants.by_player(tx.conn, tx.season.id, player.id) is not None else ""


def _merge(
    tx: Transaction,
    gone: PlayerRow,
    stays: PlayerRow,
    seasons_of_gone: dict[int, int | None],
    seasons_of_into: dict[int, int | None],
) -> MergeRow:
    moving = Moving(
        tx.conn,
        league=tx.league.id,
        gone=gone.id,
        into=stays.id,
        seasons_of_gone=seasons_of_gone,
        seasons_of_into=seasons_of_into,
    )
    hooks.merge(moving)
    merges.move(moving, account=stays.discord_id or gone.discord_id, now=tx.now)
    numbers = [number for number in (*seasons_of_gone.values(), *seasons_of_into.values()) if number is not None]
    row = merges.add(
        tx.conn,
        league_id=tx.league.id,
        into_id=stays.id,
        at=tx.now,
        season=min(numbers, default=None),
        moved=moving.noted(),
        as_left={},
    )
    return merges.change(tx.conn, row.id, as_left=merges.as_left(tx.conn, tx.league.id, stays.id))


def _cost(tx: Transaction, gone: PlayerRow, stays: PlayerRow, seasons: list[int]) -> str:
    """Return what a merge changes, but the rating, which takes long to work out."""
    titles, played = merges.titles(tx.conn, gone.id), rated_seasons.matches_of(tx.conn, tx.league.id).get(gone.id, 0)
    moves = [
        "no season" if not seasons else f"{amount(len(seasons), 'season')} ({', '.join(map(str, seasons))})",
        f"{amount(played, 'rated match')}",
        *([amount(titles, "title")] if titles else []),
    ]
    text = (
        f"{gone.name} is {stays.name} from now on, and {gone.name} stays as a former name. "
        f"What moves: {', '.join(moves)}. Ratings of later seasons are worked out again. {_account(gone, stays)}"
    )
    if hooks.is_welcome(tx, stays) and not hooks.is_welcome(tx, gone):
        text += f" {gone.name} is banned, so {stays.name} will be banned too."
    if gone.next_name is not None:
        text += f" Nobody is called {gone.next_name} then, which {gone.name} was to be after this season."
    live = _live(tx)
    if live is not None:
        text += f" Season {live} goes on with what was known at its start; this counts from the next season on."
    return (
        f"{text} It can be taken back until {stays.name} is renamed, gets another account, joins or asks to "
        "join a season, or another season starts or is imported."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """What two names are rated by; the ratings noted at the start of `later` seasons count no more once they're one."""

    name: str
    gone: PlayerId
    stays: PlayerId
    seasons: tuple[RatedSeason[PlayerId], ...]
    later: frozenset[int]


def rated(conn: Connection, order: Order, *, player: str, into: str) -> Rated:
    """Return what two names are rated by; raises NotAllowed and NotFound."""
    tx = read_transaction(conn, order, by=ORGANISER)
    gone, stays = find.player(tx, player), find.player(tx, into)
    played = (*merges.seasons_of(conn, gone.id).values(), *merges.seasons_of(conn, stays.id).values())
    first = min((number for number in played if number is not None), default=None)
    later = () if first is None else merges.rated_anew_after(conn, tx.league.id, first)
    return Rated(
        name=stays.name,
        gone=gone.id,
        stays=stays.id,
        seasons=rated_seasons.of_league(conn, tx.league.id),
        later=frozenset(later),
    )


def rating_in_words(rated: Rated) -> str:
    """Return what a merge does to a rating; it takes a second for 50,000 matches."""
    after = _rating([_as_one(season, rated) for season in rated.seasons], rated.stays)
    return f"Rating of {rated.name}: {_rating(rated.seasons, rated.stays)} before, {after} after."


def _as_one(season: RatedSeason[PlayerId], rated: Rated) -> RatedSeason[PlayerId]:
    """Return a season as it is rated once two names are one person's."""
    people = {rated.gone: rated.stays}
    return replace(
        season,
        start={
            people.get(player, player): None if season.number in rated.later else noted
            for player, noted in season.start.items()
        },
        matches=tuple(
            (people.get(upper, upper), people.get(lower, lower), winner and people.get(winner, winner))
            for upper, lower, winner in season.matches
        ),
    )


def _rating(seasons: Sequence[RatedSeason[PlayerId]], player: PlayerId) -> str:
    """Return someone's rating as it is shown."""
    nothing: Carried[PlayerId] = Carried()
    taken = (nothing, *after_each(seasons))[-1]
    rating = taken.ratings.get(player)
    if rating is None or rating == new_rating(taken.scale):
        return "none yet"
    shown = shown_rating(rating, taken.scale, 0)
    return f"{shown.value} ± {shown.uncertainty}"


def _account(gone: PlayerRow, stays: PlayerRow) -> str:
    if gone.discord_id is None:
        return f"The Discord account of {stays.name} stays." if stays.discord_id else "Neither has a Discord account."
    if stays.discord_id is None:
        return f"{stays.name} gets the Discord account of {gone.name}."
    return f"{stays.name} keeps their Discord account; that of {gone.name} can't play as {stays.name}."
