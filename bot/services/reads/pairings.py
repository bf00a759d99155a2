"""Why someone was paired that way."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.pairing.in_short import told_to
from bot.league.pairing.reasons import Reason
from bot.league.season.model import Name, Stage
from bot.league.season.phases import PLAYING, RoundPhase
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, numbered, read_transaction
from bot.services.matches import match_finding, views
from bot.services.matches.match_finding import WhichMatch
from bot.services.matches.views import MatchView
from bot.services.play.prepared import Decided, decided
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, MatchId, MatchRow, PlayerId, RoundRow, SeasonRow, SeatRow
from storage.tables import matches, rounds
from storage.tables.field import sat_out

MOST_SHELL_LINES = 6
"""The sentences show the digits of further draws and the text they are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawLine:
    """A draw anyone can recompute: its text, its value and the shell line that prints it."""

    text: str
    value: str
    shell: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a player was paired like this; `by_hand` is the reason an organiser changed the round.

    `in_short` are the sentences a person wants, to the person who asks or to `everyone`; `on_pages` is whether the
    league's pages show the season.
    """

    season: SeasonRow
    round: RoundRow
    player_id: PlayerId
    title: str
    in_short: str
    everyone: str
    sentences: tuple[str, ...]
    draws: tuple[DrawLine, ...]
    by_hand: str | None
    on_pages: bool


def _posted(tx: ReadTransaction, number: int | None = None) -> RoundRow:
    latest = rounds.latest(tx.conn, tx.season.id)
    if latest is None:
        raise NotFound(f"Season {tx.season.number} has no posted round yet.{first_round(tx)}")
    row = latest if number is None else rounds.by_number(tx.conn, tx.season.id, number)
    if row is None or row.phase is RoundPhase.DRAFT:
        raise NotFound(f"Season {tx.season.number} has no posted round {number}; its last one is {latest.number}.")
    return row


def first_round(tx: ReadTransaction) -> str:
    """Return when round 1 comes, with a space before it; one that was undone is paired by an organiser."""
    if tx.season.phase in PLAYING:
        return tx.hint("/round post pairs and posts round 1.", "An organiser posts round 1.")
    by_itself = tx.season.signups_close is not None
    start = "sign-ups close" if by_itself else "an organiser starts the season"
    return tx.hint("/season start begins it.", f"Round 1 is posted when {start}.")


def seat_of(tx: ReadTransaction, row: RoundRow, entrant: EntrantRow) -> SeatRow | None:
    """Return a player's seat in a round, or None."""
    return next((seat for seat in matches.seats(tx.conn, row.id) if seat.entrant_id == entrant.id), None)


def why(
    conn: Connection,
    order: Order,
    *,
    player: str | int | None = None,
    number: int | None = None,
    season: int | None = None,
) -> Why:
    """Return why a player (default: the one who asks) was paired like this, by default in the last posted round.

    Raises NotFound, and WhichMatch where several matches of theirs are open at once.
    """
    tx = read_transaction(conn, order, numbered(season))
    row = _posted(tx, number)
    entrant = find.own_entrant(tx) if player is None else find.entrant(tx, player)
    at_once = views.open_matches(tx.conn, entrant.id) if number is None and row.together else ()
    if len(at_once) > 1:
        raise WhichMatch(entrant, at_once, own=entrant.discord_id == order.actor.user_id)
    if (last := next(iter(at_once), None)) is not None:
        return _why_match(tx, last, last.round)
    seat = seat_of(tx, row, entrant)
    resting = () if seat is not None else _why_resting(tx, row, entrant)
    if resting:
        return _why(tx, f"{row.name}: {entrant.called} rests", row, decided(resting), entrant)
    if seat is None:
        away = sat_out.in_round(tx.conn, entrant.id, row.number) is not None
        if entrant.discord_id == order.actor.user_id:
            does = "You sit out" if away else "You don't play in"
        else:
            does = entrant.called + (" sits out" if away else " doesn't play in")
        raise NotFound(f"{does} {row.words}, so there's no pairing to explain.")
    if seat.match_id is None:
        return _why(tx, f"{row.name}: {entrant.called} has a bye", row, seat, entrant)
    return _why_match(tx, views.match_view(tx.conn, seat.match_id), row)


def _why_resting(tx: ReadTransaction, row: RoundRow, entrant: EntrantRow) -> tuple[Reason, ...]:
    """Return why a player rests in a round whose pairings were known from the start; nothing for others."""
    if row.stage is not Stage.REGULAR:
        return ()
    record = rules_season.load(tx.conn, tx.season.id)
    return by_key(tx.season.format).why_resting(record, row.number, Name(entrant.name))


def why_match(conn: Connection, order: Order, *, match_id: MatchId) -> Why:
    """Return why the two players of a match were paired, in whatever round it was; raises NotFound."""
    tx = read_transaction(conn, order, match_id=match_id)
    view = match_finding.find_match(tx, match_id)
    return _why_match(tx, view, rounds.get(tx.conn, view.match.round_id))


def _why_match(tx: ReadTransaction, view: MatchView, row: RoundRow) -> Why:
    title = view.heading if view.match.name else f"{row.name}: {view.pairing}"
    if row.together:
        title = view.label
    why, first = _why(tx, title, row, view.match, *view.sides), view.match.dice_off_draws
    return replace(
        why,
        sentences=(*why.sentences, *view.match.dice_off_why),
        draws=(*why.draws, *(draw_line(text) for text in first)),
    )


def _why(
    tx: ReadTransaction, title: str, row: RoundRow, decided: MatchRow | SeatRow | Decided, *players: EntrantRow
) -> Why:
    reasons = decided.why or (BY_HAND,)
    own = tuple(f"/{player.name}" for player in players)
    draws = sorted(decided.draws, key=lambda text: not text.endswith(own))[:MOST_SHELL_LINES]
    return Why(
        season=tx.season,
        round=row,
        player_id=players[0].player_id,
        title=title,
        in_short=in_short(decided, players, tx.actor.user_id),
        everyone=in_short(decided, players, None),
        sentences=reasons,
        draws=tuple(draw_line(text) for text in draws),
        by_hand=row.by_hand,
        on_pages=tx.league.site,
    )


def in_short(decided: MatchRow | SeatRow | Decided, players: Sequence[EntrantRow], reader: int | None) -> str:
    """Return why players were paired, or one has a bye, as a person wants to hear it; `reader` is a Discord id."""
    if not decided.why:
        return BY_HAND
    own = (Name(player.name) for player in players if reader is not None and player.discord_id == reader)
    concerned = [Name(player.name) for player in players]
    # A round of an older version has its steps only; the last one says what came of them.
    return told_to(decided.in_short, concerned, next(own, None)) or decided.why[-1]


BY_HAND = "An organiser made this pairing by hand."


def draw_line(text: str) -> DrawLine:
    """Return a draw with the shell line that recomputes it."""
    value = hashlib.sha256(text.encode()).hexdigest()
    quoted = text.replace("'", "'\\''")
    return DrawLine(text=text, value=value, shell=f"printf '%s' '{quoted}' | sha256sum")
