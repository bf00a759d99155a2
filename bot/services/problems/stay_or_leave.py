"""Whether a player who left the server or forfeited twice stays in a season: organisers are asked, pairing goes on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict
from bot.league.season.model import Kind
from bot.league.season.phases import LIVE
from bot.services.base import pending_questions
from bot.services.base.events import ForfeitDecided, MatchChanged, RoundPosted, RoundTakenBack, SeatTaken
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order, by_bot
from bot.services.base.outbox import NOTICE, NoticeFacts
from bot.services.base.post_kinds import Facts, PostKind, Readers, SeasonPost, Shows, known, there
from bot.services.base.transaction import Transaction, read_transaction
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.play.field import withdrawals
from storage.database import Connection
from storage.facts import read
from storage.posts import PostRow
from storage.rows import EntrantId, EntrantRow, LeagueId, RoundId
from storage.tables.field import entrants, substitutions
from storage.tables.outbox import outbox_rows
from storage.tables.people import memberships
from storage.tables.people.memberships import StayAnswer, StayDecisionId, StayDecisionRow, StayReason

WHY = {
    StayReason.ABSENT: "didn't appear for a second match",
    StayReason.GONE: "isn't on the server any more",
}
"""Why organisers are asked, in words for them and the audit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StayFacts(Facts):
    """Which question whether a player stays a post is about."""

    stay_id: StayDecisionId


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneFacts(NoticeFacts):
    """A notice to the opponents of a player who is gone."""

    gone: EntrantId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StayPost(SeasonPost):
    """The question whether a player stays; `cost` is what dropping them does, empty once there's nothing to decide."""

    player: EntrantRow
    stay: StayDecisionRow
    cost: str


def _load(conn: Connection, post: PostRow, now: datetime) -> StayPost:
    """Load the question whether a player stays, or how it was settled; raises Gone."""
    stay = there(memberships.find_stay_decision(conn, STAYING.facts(post).stay_id))
    player = entrants.get(conn, stay.entrant_id)
    tx = read_transaction(conn, by_bot(now), season_id=player.season_id)
    open_ = stay.answered_at is None and player.active and tx.season.phase in LIVE
    cost = withdrawals.of_removing(tx, player) if open_ else ""
    return StayPost(league=tx.league, season=tx.season, player=player, stay=stay, cost=cost)


STAYING = PostKind("staying", StayFacts, to=Readers.ORGANISERS, shows=Shows.SEASON, load=_load)


def forfeit_decided(tx: Transaction, event: ForfeitDecided) -> None:
    """Ask once about a player who lost by forfeit again and is still in the season."""
    _ask_about_absent(tx, entrants.get(tx.conn, event.loser_id))


def _ask_about_absent(tx: Transaction, player: EntrantRow) -> None:
    """Ask about a player who lost by forfeit again, unless organisers were asked about this person already."""
    asked = memberships.last_stay(tx.conn, player.id, StayReason.ABSENT)
    missed = memberships.absences(tx.conn, player)
    if asked is not None and asked.answered_at is None:
        return  # the question that waits is about the seat
    about_another = asked is not None and missed.first is not None and asked.asked_at < missed.first
    if missed.count > 1 and (asked is None or about_another):
        _ask(tx, player, StayReason.ABSENT)


def ask_about_gone(tx: Transaction, player: EntrantRow, since: datetime) -> None:
    """Ask about a player who isn't on the server, once since they went."""
    asked = memberships.last_stay(tx.conn, player.id, StayReason.GONE)
    if asked is None or (asked.answered_at is not None and asked.asked_at < since):
        _ask(tx, player, StayReason.GONE)


def match_changed(tx: Transaction, event: MatchChanged) -> None:
    """Take a question back that rested on a forfeit which is one no more."""
    if event.before.kind is Kind.FORFEIT:
        _take_back_about(tx, event.after.players)


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Take back the questions that rested on a forfeit of a round that is about to be deleted."""
    forfeits = [match for match in event.matches if match.kind is Kind.FORFEIT]
    _take_back_about(tx, [player for match in forfeits for player in match.players], without=event.round.id)


def _take_back_about(tx: Transaction, players: Iterable[EntrantId], *, without: RoundId | None = None) -> None:
    """Take back the open questions about those who missed only one match, `without` a round, or none."""
    for player in players:
        asked = memberships.last_stay(tx.conn, player, StayReason.ABSENT)
        if asked is None or asked.answered_at is not None:
            continue
        if memberships.absences(tx.conn, entrants.get(tx.conn, player), without=without).count < 2:
            memberships.take_back(tx.conn, asked.id)
            tx.invalidate(None, STAYING)


def _ask(tx: Transaction, player: EntrantRow, reason: StayReason) -> None:
    """Ask the organisers whether a player stays; not about one who has left, or plays only until a substitute does."""
    if tx.season.phase not in LIVE or not player.active or substitutions.coming(tx.conn, player.id):
        return
    stay = memberships.ask(tx.conn, entrant_id=player.id, reason=reason, asked_at=tx.now)
    tx.enqueue(STAYING, StayFacts(stay_id=stay.id))
    tx.note("entrant.ask_staying", player.name, reason=WHY[reason])


def keep(conn: Connection, order: Order, *, stay: StayDecisionId) -> EntrantRow:
    """Let a player stay, as an organiser; raises NotAllowed, NotFound and Conflict."""
    tx, player, row = _asked(conn, order, stay)
    settle(tx, player, row, StayAnswer.STAYS)
    if row.reason is StayReason.GONE:
        tell_opponent(tx, player, "stays in the season: an organiser decided so. Your match stays as it is.")
    return player


def tell_opponent_gone(tx: Transaction, player: EntrantRow) -> None:
    """Tell the opponents of someone who isn't on the server any more, once for each open match."""
    for view in views.open_matches(tx.conn, player.id):
        text = f"{player.called} {WHY[StayReason.GONE]}. The organisers decide whether this player stays."
        text += " Until then your match stays as it is."
        _tell(tx, view, player, text, gone=True)


def tell_opponent(tx: Transaction, player: EntrantRow, what: str) -> None:
    """Tell the opponents who heard that a player is gone what came of it, in place of that."""
    for view in views.open_matches(tx.conn, player.id):
        posts = outbox_rows.of_match(tx.conn, view.match.id, [NOTICE])
        notices = [post for post in posts if not post.removed and read(GoneFacts, post.facts).gone == player.id]
        for post in notices:
            outbox_rows.remove_with_copies(tx.conn, post.key, now=tx.now)
        if any(post.sent_at is not None for post in notices):
            _tell(tx, view, player, f"{player.called} {what}")


def _tell(tx: Transaction, view: MatchView, player: EntrantRow, text: str, *, gone: bool = False) -> None:
    facts = GoneFacts(text=text, pings=known([view.opponent_of(player).discord_id]), gone=player.id if gone else None)
    once = f"gone {player.id}" if gone else None
    tx.enqueue(NOTICE, facts, view.match, people=facts.pings, once=once)


def settle(tx: Transaction, player: EntrantRow, stay: StayDecisionRow, how: StayAnswer) -> None:
    """Note the answer to the question whether a player stays."""
    memberships.change(tx.conn, stay.id, answered_at=tx.now, how=how)
    tx.note("entrant.staying", player.name, after={"answer": how})
    tx.invalidate(None, STAYING)


def seat_taken(tx: Transaction, event: SeatTaken) -> None:
    """Take back what organisers were asked about one whose seat another person takes, and ask about one who is back."""
    for reason in StayReason:
        asked = memberships.last_stay(tx.conn, event.before.id, reason)
        if asked is not None and asked.answered_at is None:
            memberships.take_back(tx.conn, asked.id)
            tx.invalidate(None, STAYING)
    if event.after.person_id == event.person.id:
        _ask_about_one_back(tx, event.after)


def round_posted(tx: Transaction, event: RoundPosted) -> None:
    """Ask about those who are back in their seats after others played in them: the question ended when these came."""
    for row in substitutions.of_season(tx.conn, tx.season.id):
        if row.round == event.round.number:
            _ask_about_one_back(tx, entrants.get(tx.conn, row.entrant_id))


def _ask_about_one_back(tx: Transaction, player: EntrantRow) -> None:
    _ask_about_absent(tx, player)
    membership = memberships.of_player(tx.conn, player.person_id)
    if membership is not None and membership.gone_since is not None:
        ask_about_gone(tx, player, membership.gone_since)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """What an organiser has to know to drop the player they were asked about."""

    league_id: LeagueId
    player: str
    reason: str


def drop_meant(conn: Connection, order: Order, *, stay: StayDecisionId) -> Drop:
    """Return the player an organiser would drop; raises NotAllowed, NotFound and Conflict."""
    tx, player, row = _asked(conn, order, stay)
    return Drop(league_id=tx.league.id, player=player.name, reason=WHY[row.reason])


def _asked(conn: Connection, order: Order, stay: StayDecisionId) -> tuple[Transaction, EntrantRow, StayDecisionRow]:
    row = pending_questions.found(memberships.find_stay_decision(conn, stay))
    tx, player = pending_questions.to_answer(conn, order, row.entrant_id)
    if row.answered_at is not None or not player.active or tx.season.phase not in LIVE:
        raise Conflict(f"That's settled: there's nothing left to decide about {player.called}.")
    return tx, player, row


def _who_stays(conn: Connection, ids: Sequence[int]) -> dict[StayDecisionId, EntrantRow]:
    stays = memberships.some_stay_decisions(conn, ids)
    people = entrants.some(conn, [stay.entrant_id for stay in stays])
    return {stay.id: player for stay, player in zip(stays, people, strict=True)}


def _gone(rows: Mapping[StayDecisionId, EntrantRow]) -> Section:
    gone = "They missed two matches or aren't on the server. An organiser decides if they stay; pairing doesn't wait."
    return Section("Players who seem to be gone", gone, [player.called for player in rows.values()])


STAYS = PendingItems("stays", memberships.STAYS, _who_stays, _gone, {STAYING: "stay_id"}, by_organisers=True)
"""Players who seem to be gone, by the id of the question."""
