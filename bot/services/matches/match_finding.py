"""Find the match people mean, in its thread and just after a new round too, and list matches to choose from."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import timedelta

from bot.league.errors import Invalid, LeagueError, NotAllowed, NotFound, WrongPhase
from bot.league.season.in_words import first_few
from bot.league.season.names import written_key
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.outbox import THREAD
from bot.services.base.transaction import ReadTransaction, Transaction, numbered, read_transaction
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import Confirmation, EntrantId, EntrantRow, MatchId, MatchRow, RoundId, RoundRow, SeasonRow
from storage.tables import leagues, matches, reports, rounds, seasons, threads
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows

LABEL = 100
_NAMED = 10

JUST_POSTED = timedelta(minutes=10)
"""How long after a new round, or the match before, a result typed without its match is asked about first."""

_CODE = re.compile(r"r(?:ound)?\s*(\d{1,4})\s*,?\s*m(?:atch)?\s*(\d{1,5})\b.*", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"(?:m(?:atch)?)?\s*#?\s*(\d{1,5})", re.IGNORECASE)
_HOW = "Choose it from the list as you type, write it like R3 M2, or write the opponent's name."


Fits = Callable[[MatchView, EntrantRow], bool]
"""Whether what a player wants to do can be meant for an open match of theirs."""


class WhichMatch(Invalid):
    """A player has several open matches that can be meant: these, of which they choose one."""

    def __init__(self, player: EntrantRow, candidates: Sequence[MatchView], *, own: bool) -> None:
        self.candidates = tuple(candidates)
        opponents = first_few([view.opponent_of(player).called for view in candidates], _NAMED)
        has = "You have" if own else f"{player.called} has"
        super().__init__(f"{has} {len(candidates)} open matches: against {opponents}. Name the opponent in match.")


def find_match(tx: ReadTransaction, match: str | int | None, *, fits: Fits | None = None) -> MatchView:
    """Return the match meant by an id, a reference such as `R3 M2`, a player's name, or nothing: the actor's own.

    In the thread of a match, nothing means that match; in a group's it means what it means in the channel. A name means
    the actor's match against that player, if they have one in the rounds being played. Raises WhichMatch where several
    open matches can be meant, or several of those that it `fits` to, WrongPhase where it fits to none of several, and
    NotFound, with what to do.
    """
    if isinstance(match, int):
        return _by_id(tx, MatchId(match))
    tx.about(_with_matches(tx))
    typed = (match or "").strip()
    if typed:
        return _typed(tx, typed, fits)
    here = _here(tx)
    if here is not None:
        return here
    missing = "You have no match in this round. /match shows where you stand."
    return _current_of(tx, find.own_entrant(tx), missing, fits)


def match_meant(conn: Connection, order: Order, *, match: str | int | None, fits: Fits | None = None) -> MatchView:
    """Return the match meant, as `find_match` reads it."""
    tx = read_transaction(conn, order, match_id=match)
    return find_match(tx, match, fits=fits)


def waits_for(view: MatchView, side: EntrantRow) -> bool:
    """Whether a report of a match waits for this player's answer."""
    return view.match.state is MatchState.REPORTED and view.asked == side


def _here(tx: ReadTransaction) -> MatchView | None:
    """Return the match in whose thread the actor is, None elsewhere; go to its season, in a group's thread too."""
    match_id = threads.match_of(tx.conn, tx.actor.thread_id)
    view = None if match_id is None else views.match_view(tx.conn, match_id)
    if view is None or view.league.id != tx.league.id:
        return None
    tx.about(view.season)
    return None if view.round.together else view


def match_here(conn: Connection, order: Order) -> MatchId | None:
    """Return the match in whose thread someone is, None elsewhere and in the thread of a group."""
    match_id = threads.match_of(conn, order.actor.thread_id)
    together = match_id is not None and rounds.get(conn, matches.get(conn, match_id).round_id).together
    return None if together else match_id


def of_message(conn: Connection, order: Order, *, message_id: int) -> MatchId:
    """Return the actor's match that a message is about: one in its thread, about it, or about its round.

    Raises NotFound for any other message, NotAllowed for a match of others, and WhichMatch for a group's card, and in
    its thread for what is about no one match.
    """
    post, here = outbox_rows.by_message(conn, message_id), match_here(conn, order)
    about = None if post is None or post.kind == THREAD else post.match_id
    match_id = about if here is None else here
    if match_id is None:
        place = _round_of(conn, order, post)
        if place is None:
            raise NotFound("This message isn't about a match. Try it on the pairings of a round, or use /report.")
        return _own_in_round(conn, order, place)
    view = find_match(read_transaction(conn, order, match_id=match_id), match_id)
    if view.side_of(order.actor.user_id) is None:
        raise NotAllowed(f"Only {view.upper.called} and {view.lower.called} can report this match.")
    return view.match.id


def _round_of(conn: Connection, order: Order, post: PostRow | None) -> RoundId | None:
    """Return the round a message about no one match belongs to: its own, or that of the group in whose thread it is."""
    if post is not None and post.round_id is not None:
        return post.round_id
    first = threads.match_of(conn, order.actor.thread_id)
    return None if first is None else matches.get(conn, first).round_id


def _own_in_round(conn: Connection, order: Order, round_id: RoundId) -> MatchId:
    row = rounds.get(conn, round_id)
    tx = read_transaction(conn, order.of(seasons.get(conn, row.season_id).league_id))
    tx.about(seasons.get(conn, row.season_id))
    if tx.settings.schedule.open_together:
        return _current_of(tx, find.own_entrant(tx), "You have no match here.", None).match.id
    match = matches.in_round(conn, row.id, find.own_entrant(tx, row.number).id)
    if match is None:
        raise NotFound(f"You have no match in {row.words}, so there's nothing to report.")
    return match.id


def open_with(conn: Connection, order: Order, *, discord_id: int, channel_id: int) -> MatchId:
    """Return the open match of the actor and a member: in the channel's league, or else in another of their server.

    Raises NotFound and Invalid.
    """
    if discord_id == order.actor.user_id:
        raise Invalid("That's you. Press on your opponent, and choose it there.")
    rows = leagues.of_guild(conn, order.actor.guild_id or 0)
    for league in dict.fromkeys((*find.of_channel(rows, channel_id), *rows)):
        season = seasons.live(conn, league.id)
        own = None if season is None else entrants.by_discord(conn, season.id, order.actor.user_id or 0)
        open_ = () if own is None else views.open_matches(conn, own.id)
        with_them = [view for view in open_ if view.side_of(order.actor.user_id) and view.side_of(discord_id)]
        if own is not None and with_them:
            return _only(with_them, own, own=True).match.id
    raise NotFound("You have no open match with them. /match shows who you play.")


def _with_matches(tx: ReadTransaction) -> SeasonRow:
    """Find the newest season that has matches: while the next one's sign-ups are open, still the last one."""
    return seasons.newest_with_rounds(tx.conn, tx.league.id) or numbered()(tx)


def _by_id(tx: ReadTransaction, match_id: MatchId) -> MatchView:
    view = views.match_view(tx.conn, match_id)
    if view.round.phase is RoundPhase.DRAFT:
        raise NotFound("There's no such match. /schedule lists those still to play.")
    return view


def _current_of(tx: ReadTransaction, entrant: EntrantRow, missing: str, fits: Fits | None) -> MatchView:
    """Return a player's open match, or else the confirmed one of theirs that was last; raises WhichMatch."""
    open_ = views.open_matches(tx.conn, entrant.id)
    several = fits is not None and len(open_) > 1
    own = tx.actor.user_id is not None and tx.actor.user_id == entrant.discord_id
    candidates = [view for view in open_ if fits is None or fits(view, entrant)] if several else open_
    if several and not candidates:
        whose = "your" if own else f"{entrant.called}'s"
        raise WrongPhase(f"None of {whose} open matches waits for that. /match shows where each of them stands.")
    if candidates:
        return _only(candidates, entrant, own=own)
    latest = rounds.latest(tx.conn, tx.season.id)
    match = None if latest is None else _reported_last(tx.conn, latest, entrant.id)
    if match is None:
        raise NotFound(missing)
    return views.match_view(tx.conn, match.id)


def _reported_last(conn: Connection, row: RoundRow, entrant_id: EntrantId) -> MatchRow | None:
    """Return a player's match in a round; of those played at once with it the one whose report is the newest."""
    played = (matches.in_round(conn, other.id, entrant_id) for other in rounds.at_once(conn, row))
    own = {match.id: match for match in played if match is not None}
    reported = reports.standing(conn, list(own)) if row.together else ()
    newest = max(reported, key=lambda report: report.at).match_id if reported else next(reversed(own), None)
    return None if newest is None else own[newest]


def _only(candidates: Sequence[MatchView], entrant: EntrantRow, *, own: bool) -> MatchView:
    """Return the only one of a player's matches; raises WhichMatch where there are several."""
    if len(candidates) > 1:
        raise WhichMatch(entrant, candidates, own=own)
    return candidates[0]


def _typed(tx: ReadTransaction, typed: str, fits: Fits | None) -> MatchView:
    code, number = _CODE.fullmatch(typed), _NUMBER.fullmatch(typed)
    if code is not None:
        row = rounds.by_number(tx.conn, tx.season.id, int(code[1]))
        return _at(tx, row, int(code[2]), typed)
    if number is not None:
        return _at(tx, rounds.latest(tx.conn, tx.season.id), int(number[1]), typed)
    named = _named(tx, typed)
    if named is not None:
        return views.match_view(tx.conn, named.id)
    try:
        entrant = find.entrant(tx, typed)
    except LeagueError:
        raise NotFound(f"There's no match “{typed[:50]}” in season {tx.season.number}. {_HOW}") from None
    ours = _between(tx, entrant)
    return ours or _current_of(tx, entrant, f"{entrant.called} has no match in this round. {_HOW}", fits)


def _between(tx: ReadTransaction, opponent: EntrantRow) -> MatchView | None:
    """Return the actor's match against a player in the rounds being played, an open one first; None without one."""
    own = None if tx.actor.user_id is None else entrants.by_discord(tx.conn, tx.season.id, tx.actor.user_id)
    if own is None or own.id == opponent.id:
        return None
    rows = [row for row in matches.in_open_rounds(tx.conn, tx.season.id, opponent.id) if own.id in row.players]
    open_ = [row for row in rows if row.state is not MatchState.CONFIRMED] or rows[-1:]
    return _only([views.match_view(tx.conn, row.id) for row in open_], own, own=True) if open_ else None


def _named(tx: ReadTransaction, typed: str) -> MatchRow | None:
    """Return the newest match that is called this: `Ada v Ben`, `Quarter-final 1`, `Ada v Ben (round 3)`."""
    people, wanted = views.people_of(tx.conn, tx.season), _searchable(typed)
    words = {row.id: row.words for row in rounds.published(tx.conn, tx.season.id)}
    for match in reversed(matches.of_season(tx.conn, tx.season.id)):
        sides = [people[player] for player in match.players]
        for pairing in {" v ".join(side.called for side in sides), " v ".join(side.name for side in sides)}:
            label, heading = f"{pairing} ({match.name or words[match.round_id]})", f"{match.name}: {pairing}"
            if wanted in map(_searchable, (pairing, match.name, label, heading, f"{pairing} ({match.tier})")):
                return match
    return None


def _at(tx: ReadTransaction, row: RoundRow | None, position: int, typed: str) -> MatchView:
    if row is not None and row.phase is not RoundPhase.DRAFT:
        for match in matches.of_round(tx.conn, row.id):
            if match.position == position:
                return views.match_view(tx.conn, match.id)
    raise NotFound(f"There's no match “{typed[:50]}” in this season. {_HOW}")


def just_before(tx: Transaction, view: MatchView, side: EntrantRow) -> MatchView | None:
    """Return the match before this one where a player who names none may still think of it.

    That is the one of the round before for 10 minutes after the new round was posted, and where all matches are open
    the one that was reported in the last 10 minutes; in the thread of a match it's always that match.
    """
    posted = view.round.posted_at
    if view.round.together:
        return _just_reported(tx, view, side)
    if posted is None or tx.now >= posted + JUST_POSTED or view.round.number == 1:
        return None
    if threads.match_of(tx.conn, tx.actor.thread_id) == view.match.id:
        return None
    before = rounds.by_number(tx.conn, tx.season.id, view.round.number - 1)
    match = None if before is None else matches.in_round(tx.conn, before.id, side.id)
    return None if match is None else views.match_view(tx.conn, match.id)


def _just_reported(tx: Transaction, view: MatchView, side: EntrantRow) -> MatchView | None:
    match = _reported_last(tx.conn, view.round, side.id)
    if match is None or match.id == view.match.id or match.state is not MatchState.CONFIRMED:
        return None
    earlier = views.match_view(tx.conn, match.id)
    newest = max((report.at for report in earlier.reports), default=None)
    return earlier if newest is not None and tx.now < newest + JUST_POSTED else None  # a forfeit has no report


def has_spoken(earlier: MatchView, side: EntrantRow) -> bool:
    """Whether a player gave their own word on a match that counts: they reported it, or confirmed it."""
    return earlier.report_of(side) is not None or earlier.match.confirmed_by is Confirmation.OPPONENT


def choices(conn: Connection, order: Order, *, typed: str, own: bool = False) -> tuple[tuple[str, str], ...]:
    """Return at most 25 (label, reference) of a league's matches, open ones first, then the newest round's.

    They contain every word typed. With `own` only the actor's unfinished matches.
    """
    tx = read_transaction(conn, order)
    if seasons.newest(tx.conn, tx.league.id) is None:
        return ()
    tx.about(_with_matches(tx))
    entered = views.people_of(tx.conn, tx.season)
    posted = {row.id: row for row in rounds.of_season(tx.conn, tx.season.id)}
    played = matches.of_season(tx.conn, tx.season.id)
    twice, options = tx.settings.meetings > 1, list[tuple[str, str]]()
    wanted = _searchable(typed).split()
    for match in sorted(
        played, key=lambda row: (row.state is MatchState.CONFIRMED, -posted[row.round_id].number, row.position)
    ):
        sides = [entered[player] for player in match.players]
        code = f"R{posted[match.round_id].number} M{match.position}"
        name = f"{match.name}: " if match.name else ""
        row = posted[match.round_id]
        place = "" if match.name else match.tier if row.together and not twice else row.words
        where = ", ".join(filter(None, (place, match.state)))
        label = f"{code} {name}{sides[0].called} v {sides[1].called} ({where})"
        accounts = {side.discord_id for side in sides} - {None}
        mine = match.state is not MatchState.CONFIRMED and order.actor.user_id in accounts
        if all(word in _searchable(label) for word in wanted) and (mine or not own):
            options.append((label[:LABEL], code))
    return tuple(options[: find.CHOICES])


def _searchable(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def find_seat(tx: ReadTransaction, row: RoundRow, typed: str) -> EntrantRow:
    """Return the player meant by a name who has a place in a round, or sits it out; raises NotFound."""
    away = views.round_view(tx.conn, row.id).sitting_out
    seated = {*(seat.entrant_id for seat in matches.seats(tx.conn, row.id)), *(entrant.id for entrant in away)}
    away_entrants = [entrant for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.id in seated]
    names = [
        (entrant, name) for entrant in away_entrants for name in (entrant.name, entrant.person) if name is not None
    ]
    exact = [entrant for entrant, name in names if name == unicodedata.normalize("NFC", typed).strip()]
    alike = [entrant for entrant, name in names if written_key(name) == written_key(typed.strip())]
    if not exact and len(alike) != 1:
        raise NotFound(f"No one called “{typed[:50]}” plays in {row.words}. Choose a name from the list.")
    return (exact or alike)[0]
