"""Two league names of one person become one, and two again as long as nothing was built on it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.league.counting.ratings import Carried, RatedSeason, after_each, new_rating, shown_rating
from bot.league.errors import Conflict, Invalid, NotFound
from bot.league.season.in_words import amount
from bot.league.season.phases import RoundPhase
from bot.services.base import asked, find
from bot.services.base.accounts import require_not_forgotten
from bot.services.base.act import ORGANISER, Act, act, live_if_any, look
from bot.services.base.ask_first import ask_first
from bot.services.base.events import MergeTakenBack, PlayersMerged
from bot.services.base.order import Order
from bot.services.base.promises import THREAD
from storage import personal, rated_seasons
from storage.database import Connection
from storage.personal import Moving
from storage.rows import PlayerId, PlayerRow
from storage.tables import apart, asked_to_join, entrants, matches, merges, players, rounds, waitlist
from storage.tables.merges import MergeId, MergeRow

AUDIT_WORDS = {
    "player.merge": "{} are one person",
    "player.unmerge": "{} are two people again",
}
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

    Raises AskFirst with what changes, NotAllowed, NotFound, Invalid for one person, and Conflict where they can't be
    one, or the season that goes on is in the way.
    """
    do = act(conn, order, live_if_any, by=ORGANISER)
    gone, stays = find.player(do, player), find.player(do, into)
    if gone.id == stays.id:
        raise AlreadyOneError(
            f"{player.strip()[:50]} and {into.strip()[:50]} are {stays.name} already. Choose two players.",
            merges.last_into(do.conn, stays.id),
        )
    for one in (gone, stays):
        require_not_forgotten(do, one, "they can't be merged with anyone.")
    seasons = merges.seasons_of(do.conn, gone.id), merges.seasons_of(do.conn, stays.id)
    _require_one_place(do, gone, stays)
    _require_one_person(do, gone, stays, {*seasons[0]} & {*seasons[1]})
    _require_no_live_seat(do, gone, stays)
    _require_no_ban(do, gone, stays)
    _require_no_ban(do, stays, gone)
    ask_first(_cost(do, gone, stays, sorted(filter(None, seasons[0].values()))), agreed)
    gone = players.change(do.conn, gone.id, next_name=None)
    row = _merge(do, gone, stays, *seasons)
    _show(do, stays)
    if do.found is not None:
        do.happened(PlayersMerged(player=players.get(do.conn, stays.id), gone=gone.name))
    do.note("player.merge", f"{gone.name} and {stays.name}", after={"name": stays.name}, reason=reason)
    return Merged(id=row.id, gone=gone.name, name=stays.name, live=_live(do))


def take_back(conn: Connection, order: Order, *, merge: MergeId) -> Merged:
    """Let two names be two people again, as they were.

    Raises NotAllowed, NotFound, and Conflict with what was built on it.
    """
    do = act(conn, order, live_if_any, by=ORGANISER)
    row = merges.find(do.conn, merge)
    if row is None or row.league_id != do.league.id:
        raise NotFound("This merge was taken back already. /league audit shows when.")
    stays = players.get(do.conn, row.into_id)
    left = merges.changed_since(row.as_left, merges.as_left(do.conn, do.league.id, row.into_id))
    if left == ["bans"]:
        raise Conflict(
            f"{stays.name} was banned after the merge. Let them in under /league settings, take the merge back, then "
            "ban the right one again."
        )
    if left:
        raise _stays(stays, _CHANGED[left[0]].format(name=stays.name))
    gone = personal.gone_player(row.moved)
    holder = None if gone["discord_id"] in (None, stays.discord_id) else _holder(do, gone["discord_id"])
    if holder is not None:
        raise Conflict(f"The merge can't be taken back: the account of {gone['name']} plays as {holder} now.")
    merges.remove(do.conn, row.id)
    try:
        personal.take_back(do.conn, row.moved)
    except sqlite3.IntegrityError:
        raise _stays(stays, "what it moved was changed") from None
    _show(do, stays)
    do.happened(MergeTakenBack(player=players.get(do.conn, gone["id"])))
    do.note("player.unmerge", f"{gone['name']} and {stays.name}")
    return Merged(id=row.id, gone=gone["name"], name=stays.name, live=_live(do))


def _stays(into: PlayerRow, why: str) -> Conflict:
    return Conflict(f"The merge into {into.name} can't be taken back any more, because {why} since.")


def _show(do: Act, player: PlayerRow) -> None:
    """Let what is asked about someone in the season that goes on, and their match's thread, show who they are now."""
    if do.found is None:
        return
    do.touch()
    seat, latest = entrants.by_player(do.conn, do.season.id, player.id), rounds.latest(do.conn, do.season.id)
    if seat is not None and latest is not None and latest.phase is RoundPhase.OPEN:
        match = matches.in_round(do.conn, latest.id, seat.id)
        if match is not None:
            do.touch(match, THREAD)


def _holder(do: Act, account: int) -> str | None:
    row = players.by_discord(do.conn, do.league.id, account)
    return None if row is None else row.name


def _live(do: Act) -> int | None:
    """Return the number of the season that is played by what was known at its start."""
    return None if do.found is None or do.found.started_at is None else do.found.number


def _require_one_person(do: Act, gone: PlayerRow, stays: PlayerRow, both: set[int]) -> None:
    """Raise Conflict where two players can't be one person."""
    met = merges.met(do.conn, gone.id, stays.id)
    if met is not None:
        when = f"in season {met.season}" + ("" if met.round is None else f", round {met.round}")
        raise Conflict(f"{gone.name} and {stays.name} played each other {when}, so they are two people.")
    if both:
        numbers = sorted(filter(None, (merges.seasons_of(do.conn, gone.id)[one] for one in both)))
        several = "s" if len(numbers) > 1 else ""
        named = f"season{several} {', '.join(map(str, numbers))}" if numbers else "the same season"
        raise Conflict(f"{gone.name} and {stays.name} were both in {named}, so they are two people.")
    if apart.of_two(do.conn, do.league.id, gone.id, stays.id):
        raise Conflict(f"{gone.name} and {stays.name} are kept apart. End that under /league settings first.")
    for one in (gone, stays):
        if players.waiting_link(do.conn, one.id) is not None:
            raise Conflict(f"A Discord account is asked if it is {one.name}. Wait for its answer, then merge.")


def _require_no_live_seat(do: Act, gone: PlayerRow, stays: PlayerRow) -> None:
    """Raise Conflict where the season that goes on would get another player or account."""
    if do.found is None:
        return
    number = do.season.number
    if do.season.id in merges.seasons_of(do.conn, gone.id):
        raise Conflict(
            f"{gone.name} is in season {number}, which isn't over. Merge {stays.name} into {gone.name} instead, or "
            "wait until it's over."
        )
    if do.season.id in merges.seasons_of(do.conn, stays.id) and None is stays.discord_id != gone.discord_id:
        raise Conflict(
            f"{stays.name} would get the Discord account of {gone.name} in the middle of season {number}. Merge them "
            "when it's over."
        )


_PLAYS, _ASKS = "plays", "asks to join"


def _require_one_place(do: Act, gone: PlayerRow, stays: PlayerRow) -> None:
    """Raise Conflict where both have a place in the season that goes on, or wait for one; of two requests one stays."""
    if do.found is None:
        return
    places = _place(do, gone), _place(do, stays)
    if all(places) and {*places} not in ({_PLAYS}, {_ASKS}):
        raise Conflict(
            f"In season {do.season.number} {gone.name} {places[0]} and {stays.name} {places[1]}, but one person has "
            "one place. Let one of them leave it with /drop, or refuse who asks to join, then merge."
        )


def _require_no_ban(do: Act, banned: PlayerRow, other: PlayerRow) -> None:
    """Raise Conflict where a merge would ban someone with a place in the season that goes on, or who waits for one."""
    place = "" if do.found is None else _place(do, other)
    if place and not asked.is_welcome(do, banned) and asked.is_welcome(do, other):
        raise Conflict(
            f"In season {do.season.number} {other.name} {place}, but {banned.name} is banned. Ban {other.name} too, or "
            f"let {banned.name} in again under /league settings, then merge."
        )


def _place(do: Act, player: PlayerRow) -> str:
    """Return how a player is in the season that goes on, or wants to be; nothing where they don't."""
    if waitlist.by_player(do.conn, do.season.id, player.id) is not None:
        return "waits for a place"
    if asked_to_join.of_player(do.conn, do.season.id, player.id) is not None:
        return _ASKS
    return _PLAYS if entrants.by_player(do.conn, do.season.id, player.id) is not None else ""


def _merge(
    do: Act,
    gone: PlayerRow,
    stays: PlayerRow,
    seasons_of_gone: dict[int, int | None],
    seasons_of_into: dict[int, int | None],
) -> MergeRow:
    moving = Moving(
        do.conn,
        league=do.league.id,
        gone=gone.id,
        into=stays.id,
        seasons_of_gone=seasons_of_gone,
        seasons_of_into=seasons_of_into,
    )
    asked.merge(moving)
    merges.move(moving, account=stays.discord_id or gone.discord_id, now=do.now)
    numbers = [number for number in (*seasons_of_gone.values(), *seasons_of_into.values()) if number is not None]
    row = merges.add(
        do.conn,
        league_id=do.league.id,
        into_id=stays.id,
        at=do.now,
        season=min(numbers, default=None),
        moved=moving.noted(),
        as_left={},
    )
    return merges.change(do.conn, row.id, as_left=merges.as_left(do.conn, do.league.id, stays.id))


def _cost(do: Act, gone: PlayerRow, stays: PlayerRow, seasons: list[int]) -> str:
    """Return what a merge changes, but the rating, which takes long to work out."""
    titles, played = merges.titles(do.conn, gone.id), rated_seasons.matches_of(do.conn, do.league.id).get(gone.id, 0)
    moves = [
        "no season" if not seasons else f"{amount(len(seasons), 'season')} ({', '.join(map(str, seasons))})",
        f"{amount(played, 'rated match')}",
        *([amount(titles, "title")] if titles else []),
    ]
    text = (
        f"{gone.name} is {stays.name} from now on, and {gone.name} stays as a former name. "
        f"What moves: {', '.join(moves)}. Ratings of later seasons are worked out again. {_account(gone, stays)}"
    )
    if asked.is_welcome(do, stays) and not asked.is_welcome(do, gone):
        text += f" {gone.name} is banned, so {stays.name} will be banned too."
    if gone.next_name is not None:
        text += f" Nobody is called {gone.next_name} then, which {gone.name} was to be after this season."
    live = _live(do)
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
    see = look(conn, order, by=ORGANISER)
    gone, stays = find.player(see, player), find.player(see, into)
    played = (*merges.seasons_of(conn, gone.id).values(), *merges.seasons_of(conn, stays.id).values())
    first = min((number for number in played if number is not None), default=None)
    later = () if first is None else merges.played_here_after(conn, see.league.id, first)
    return Rated(
        name=stays.name,
        gone=gone.id,
        stays=stays.id,
        seasons=rated_seasons.of_league(conn, see.league.id),
        later=frozenset(later),
    )


def rating_in_words(rated: Rated) -> str:
    """Return what a merge does to a rating; it takes a second for 50,000 matches."""
    after = _rating([_as_one(season, rated) for season in rated.seasons], rated.stays)
    return f"Rating of {rated.name}: {_rating(rated.seasons, rated.stays)} before, {after} after."


def _as_one(season: RatedSeason[PlayerId], rated: Rated) -> RatedSeason[PlayerId]:
    """Return a season as it is rated once two names are one person's."""
    one = {rated.gone: rated.stays}
    return replace(
        season,
        start={
            one.get(player, player): None if season.number in rated.later else noted
            for player, noted in season.start.items()
        },
        matches=tuple(
            (one.get(upper, upper), one.get(lower, lower), winner and one.get(winner, winner))
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
