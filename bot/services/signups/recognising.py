"""Who someone of the past is: an account says it's a player of an earlier season, and organisers are asked.

A claim waits in the season it was made in. How it's answered and undone is in `claim_answers.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.importers.typing_errors import letters_of
from bot.league.errors import Conflict, NotAllowed, NotFound
from bot.league.season.in_words import amount, first_few
from bot.league.season.names import look_alike_key, skeleton
from bot.services.base.accounts import Newcomer
from bot.services.base.addresses import is_apart
from bot.services.base.events import (
    AccountBanned,
    AccountChanged,
    AccountTaken,
    ImportTakenBack,
    ModeratorsMoved,
    PlayerBanned,
    PlayerForgotten,
    PlayersMerged,
    SeasonOver,
)
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order
from bot.services.base.outbox import OWN_PLACE, NoticeFacts, PageFacts
from bot.services.base.post_kinds import Gone, PostKind, Readers, SeasonPost, Shows, Until, about_season
from bot.services.base.transaction import ReadTransaction, Transaction, live, transaction
from bot.services.signups import door_pages
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import PlayerId, PlayerRow, SeasonRow
from storage.tables import audit, imports
from storage.tables.outbox import outbox_rows
from storage.tables.people import players
from storage.tables.people.notify import Topic
from storage.tables.signups import claims
from storage.tables.signups.claims import ClaimRow

_NAMED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What someone of the past is called, and what they played: the numbers of their seasons, and their matches.

    `proposed` is what the file they came with says they are called on Discord.
    """

    player: PlayerRow
    seasons: tuple[int, ...]
    matches: int
    proposed: str | None = None

    @property
    def words(self) -> str:
        """Return who that is: the Ada who played seasons 1 and 2 (8 matches)."""
        if not self.seasons:
            return f"{self.player.name} of this league's list"
        return f"{self.player.name} who played {self._seasons} ({amount(self.matches, 'match', 'matches')})"

    @property
    def _seasons(self) -> str:
        first, last = self.seasons[0], self.seasons[-1]
        if len(self.seasons) == 1:
            return f"season {first}"
        if len(self.seasons) > 2 and last - first == len(self.seasons) - 1:
            return f"seasons {first} to {last}"
        return f"seasons {first_few([str(number) for number in self.seasons[:-1]], _NAMED)} and {last}"


class PerhapsYou(Conflict):
    """The league knows someone of this name who has no account: is it them?

    `own` is the player the account is already, `other` whether someone else says they are this player, `taken` whether
    nobody else can have the name that was given.
    """

    def __init__(self, past: Past, *, own: str | None, other: bool, taken: bool) -> None:
        self.past, self.own, self.other, self.taken = past, own, other, taken
        super().__init__(f"Are you the {past.words}? Press Join in the league's channel to say so.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """Someone who says who they were and waits for an organiser; `already` when nothing changed."""

    name: str
    season: SeasonRow
    own: str | None = None
    already: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsPost(SeasonPost):
    """A page of the claims of a season, each with who that was, and whether it can be undone.

    `apart` is whether only moderators read it: what people say of themselves is for nobody else.
    """

    rows: tuple[tuple[ClaimRow, Past, bool], ...]
    apart: bool


def _load(conn: Connection, post: PostRow, _: datetime) -> ClaimsPost:
    league, season = about_season(conn, post)
    rows = claims.of_page(conn, season.id, CLAIMS.facts(post).page)
    if not rows:
        raise Gone
    shown = tuple((row, past_of(conn, row.player_id), undoable(conn, row)) for row in rows)
    return ClaimsPost(league=league, season=season, rows=shown, apart=is_apart(league, post))


CLAIMS = PostKind("claims", PageFacts, to=Readers.ORGANISERS, shows=Shows.SEASON, until=Until.SEASON_ENDS, load=_load)
CLAIM_ANSWER = PostKind(
    "claim-answer", NoticeFacts, topic=Topic.QUESTION, personal=True, rewritten=True, load=OWN_PLACE.load
)
"""What became of someone's claim, for them alone."""


def past_of(conn: Connection, player_id: PlayerId) -> Past:
    """Return who a player is by what they played."""
    player = players.get(conn, player_id)
    played = imports.played(conn, player.id)
    return Past(
        player=player,
        seasons=tuple(number for number, _ in played),
        matches=sum(matches for _, matches in played),
        proposed=imports.proposed_account(conn, player.id),
    )


def undoable(conn: Connection, row: ClaimRow) -> bool:
    """Whether a claim that was accepted can be undone: the account is still theirs, and nobody was paired with it."""
    return bool(row.accepted) and row.account == row.discord_id and not claims.played_here(conn, row.player_id)


def meant(tx: Transaction, newcomer: Newcomer) -> Past | None:
    """Return the player without an account that someone's name is, or could be taken for: in other case or accents.

    A name that is the same comes first. None where nobody is meant, and for one who is a player and gave no other name.
    """
    own = players.by_discord(tx.conn, tx.league.id, newcomer.discord_id)
    name = newcomer.wanted_name or (newcomer.display_name if own is None else None)
    if name is None or newcomer.by_organiser or newcomer.someone_else or (own is not None and name == own.name):
        return None
    letters = letters_of(name)
    candidates = [
        claim
        for claim in claims.past(tx.conn, tx.league.id, skeleton(name), look_alike_key(name))
        if claim.alike or (letters and letters_of(claim.name) == letters)
    ]
    candidates.sort(key=lambda candidate: (candidate.name != name, not candidate.alike))
    past = (past_of(tx.conn, candidate.player_id) for candidate in candidates)
    return next((player for player in past if not audit.was_forgotten(tx.conn, tx.league.id, player.player.name)), None)


def own(tx: ReadTransaction) -> ClaimRow | None:
    """Return the actor's claim that waits for its answer, or None."""
    user_id = tx.actor.user_id
    return None if user_id is None else claims.by_discord(tx.conn, tx.season.id, user_id)


def require_not_refused(tx: Transaction, past: Past, account: int) -> None:
    """Raise NotAllowed for an account of which an organiser said that it isn't this player."""
    if claims.was_refused(tx.conn, past.player.id, account):
        name = past.player.name
        raise NotAllowed(
            f"An organiser said you aren't {name}. If that's a mistake, ask one of them. "
            "To join as someone new, use /signup with another name."
        )


def ask(tx: Transaction, newcomer: Newcomer, past: Past, answer: str | None) -> Claimed:
    """Ask organisers whether an account is a player of the past; an earlier claim of this account is over."""
    stop_account(tx, newcomer.discord_id)
    row = claims.add(
        tx.conn,
        season_id=tx.season.id,
        player_id=past.player.id,
        discord_id=newcomer.discord_id,
        called=newcomer.display_name,
        answer=answer,
        page=door_pages.page_for(claims.last_page(tx.conn, tx.season.id), tx.now),
        asked_at=tx.now,
    )
    tx.note("claim.ask", past.player.name)
    door_pages.show(tx, CLAIMS, row.page)
    return Claimed(name=row.name, season=tx.season, own=row.own)


def end(tx: Transaction, row: ClaimRow, *, accepted: bool | None, notice: str = "") -> None:
    """Let a claim wait no more: it was accepted or not, or (None) is over; the account is told why with a `notice`."""
    claims.change(tx.conn, row.id, answered_at=tx.now, accepted=accepted)
    tx.invalidate_once(CLAIMS, once=str(row.page))
    if accepted is None:
        tx.note("claim.stop", row.name)
    if notice:
        tell(tx, row, notice)


def tell(tx: Transaction, row: ClaimRow, text: str) -> None:
    """Tell an account what became of its claim, as a direct message if it takes those."""
    pings = (row.discord_id,)
    tx.enqueue(CLAIM_ANSWER, NoticeFacts(text=text, pings=pings), people=pings, quietly=True)


def stop_account(tx: Transaction, account: int) -> None:
    """Let an account ask no more who it is: it asks something else now, or is in."""
    row = claims.by_discord(tx.conn, tx.season.id, account)
    if row is not None:
        end(tx, row, accepted=None)


def end_others(tx: Transaction, player: PlayerRow, notice: str) -> None:
    """End every claim that still says it's a player, and tell those who made it."""
    for row in claims.for_player(tx.conn, tx.season.id, player.id):
        end(tx, row, accepted=None, notice=notice)


_NEW = "To join as someone new, use /signup with another name. If that's a mistake, ask an organiser."


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """End what was claimed of a player who has an account now."""
    player = event.after
    if player.discord_id is not None and event.before.discord_id is None:
        end_others(tx, player, f"{player.name} plays with another account, which organisers confirmed. {_NEW}")


def merged(tx: Transaction, event: PlayersMerged) -> None:
    """End what was claimed of a player who is one with another now; it may be what they asked for."""
    player = event.player
    for row in claims.for_player(tx.conn, tx.season.id, player.id):
        if player.discord_id is None:
            continue
        same = row.discord_id == player.discord_id
        words = f"{event.gone} and {player.name} are one player now, and their results are yours."
        end(
            tx,
            row,
            accepted=None,
            notice=words if same else f"{event.gone} is {player.name}, who has an account. {_NEW}",
        )


def player_gone(tx: Transaction, event: PlayerForgotten | PlayerBanned) -> None:
    """End what was claimed of someone who is forgotten or banned, and what they claim."""
    if tx.found is None:
        return
    name = event.player.name
    end_others(
        tx, event.player, f"Nobody can be {name} in this league any more. To join, use /signup with another name."
    )
    if event.player.discord_id is not None:
        stop_account(tx, event.player.discord_id)
    tx.invalidate(None, CLAIMS)


def account_settled(tx: Transaction, event: AccountBanned | AccountTaken) -> None:
    """End what an account claims that is a player now, or can't join any more."""
    if tx.found is not None:
        stop_account(tx, event.account)


def import_taken_back(tx: Transaction, event: ImportTakenBack) -> None:
    """Delete what was claimed of people who go with their import, and tell those whose claim waited."""
    for player_id in event.players:
        if tx.found is not None:
            player = players.get(tx.conn, player_id)
            words = (
                f"The earlier seasons with {player.name} were taken out of this league, so organisers can't answer you."
            )
            end_others(tx, player, f"{words} Press Join to join as someone new.")
        claims.remove(tx.conn, player_id)
    if tx.found is not None:
        tx.invalidate(None, CLAIMS)


def moderators_moved(tx: Transaction, _: ModeratorsMoved) -> None:
    """Post the pages on which something waits where only moderators read from now on."""
    pages = sorted({row.page for row in claims.waiting(tx.conn, tx.season.id)})
    outbox_rows.post_again(tx.conn, tx.season.id, CLAIMS, "page", pages, now=tx.now)


def season_over(tx: Transaction, _: SeasonOver) -> None:
    """Let no claim wait for a season that is over, and keep only those that were accepted."""
    for row in claims.waiting(tx.conn, tx.season.id):
        words = f"Season {tx.season.number} is over, and no organiser had answered whether you're {row.name}."
        end(tx, row, accepted=None, notice=f"{words} Press Join when the next season opens, then ask again.")
    claims.remove_unaccepted(tx.conn, tx.season.id)


def cost_of_starting(tx: ReadTransaction) -> str:
    """Return who still waits to be recognised, in a sentence; nothing where nobody does."""
    rows = claims.waiting(tx.conn, tx.season.id)
    if not rows:
        return ""
    names = first_few([row.name for row in rows], _NAMED)
    are = "wait" if len(rows) > 1 else "waits"
    return f"{names} still {are} for an organiser to say who they are, and won't be in the first round. See /disputes."


def require_known(conn: Connection, order: Order, *, name: str) -> None:
    """Raise NotFound where no player without an account is called so, or looks like it."""
    tx = transaction(conn, order, live)
    newcomer = Newcomer(discord_id=order.actor.user_id or 0, wanted=name, display_name=order.actor.name)
    own = players.by_discord(tx.conn, tx.league.id, newcomer.discord_id)
    if meant(tx, newcomer) is None and (own is None or own.name != newcomer.wanted_name):
        raise NotFound(
            f"No player without an account was called “{name.strip()[:50]}” in {tx.league.name}. Check the spelling. "
            "If you can't find yourself, ask an organiser."
        )


def _who_claims(conn: Connection, ids: Sequence[int]) -> dict[int, ClaimRow]:
    return {row.id: row for row in claims.some(conn, ids)}


def _section(rows: Mapping[int, ClaimRow]) -> Section:
    words = "An organiser says who they are. Yes gives them that player's results and the place they asked for."
    return Section("Say who they were", words, [f"{row.called} says they're {row.name}" for row in rows.values()])


WAITING_CLAIMS = PendingItems("claims", claims.WAITING, _who_claims, _section, by_organisers=True)
"""People who say who they were, by the id of their claim, in order of asking."""
