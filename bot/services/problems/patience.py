"""Players of rounds that are all open who haven't begun: asked once after some days, then moderators know of them.

Nothing is decided by it. Time counts from the message that asks, and stands still in a pause.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict
from bot.league.season.phases import PLAYING
from bot.services.base import find, pending_questions
from bot.services.base.events import (
    AccountChanged,
    FieldChanged,
    MatchChanged,
    MatchPrepared,
    RoundTakenBack,
)
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order, by_bot
from bot.services.base.pending_questions import Question
from bot.services.base.post_kinds import (
    MOST_MENTIONS,
    Facts,
    Gone,
    PostKind,
    Readers,
    SeasonPost,
    Shows,
    Until,
    about_season,
    known,
    there,
)
from bot.services.base.transaction import MODERATOR, Transaction, transaction
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, MatchId, RoundId
from storage.tables import matches, rounds, threads
from storage.tables.field import entrants, first_matches
from storage.tables.field.first_matches import FirstMatchId, FirstMatchRow
from storage.tables.people.notify import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMatchFacts(Facts):
    """The questions a message asks."""

    asked: tuple[FirstMatchId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMatchPost(SeasonPost):
    """The question to players who haven't begun: how many of them still wait, and until when they have time."""

    count: int
    until: datetime | None


def _load_question(conn: Connection, post: PostRow, now: datetime) -> FirstMatchPost:
    """Load the question with those who still have to answer; raises Gone where no one has before it was sent."""
    league, season = about_season(conn, post)
    people = _waiting(conn, post)
    if not people and post.message_id is None:
        raise Gone
    ends = [pending_questions.ends(conn, FIRST_MATCH, id_, now) for id_ in people]
    return FirstMatchPost(
        league=league,
        season=season,
        count=len(people),
        until=max(ends, default=None),
        ping_ids=known(player.discord_id for player in people.values()),
    )


FIRST_MATCH = PostKind(
    "first-match",
    FirstMatchFacts,
    topic=Topic.QUESTION,
    personal=True,
    shows=Shows.SEASON,
    until=Until.SEASON_ENDS,
    load=_load_question,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleFacts(Facts):
    """The hour in which the time of those it names ended."""

    batch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NotBegun:
    """A player who hasn't begun, and whether they have several open matches, which can be decided at once."""

    player: EntrantRow
    several: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IdlePost(SeasonPost):
    """Players who were asked, were silent, and still haven't begun, by the id of the question."""

    people: Mapping[FirstMatchId, NotBegun]


def _load_idle(conn: Connection, post: PostRow, _: datetime) -> IdlePost:
    league, season = about_season(conn, post)
    batch = IDLE.facts(post).batch
    silent = [row for row in first_matches.silent(conn, season.id) if _batch(row) == batch]
    return IdlePost(league=league, season=season, people=_not_begun(conn, silent))


IDLE = PostKind("idle", IdleFacts, to=Readers.MODERATORS, shows=Shows.SEASON, load=_load_idle)


def _waiting(conn: Connection, post: PostRow) -> dict[FirstMatchId, EntrantRow]:
    """Return who a message asks and who hasn't begun, by the id of the question."""
    facts, rows = FIRST_MATCH.facts(post), first_matches.unanswered(conn, there(post.season_id))
    people = _people(conn, [row for row in rows if row.id in facts.asked])
    return {id_: player for id_, player in people.items() if _is_for(post, facts, player)}


def _batch(row: FirstMatchRow) -> int:
    """Return what questions whose time ended in the same hour have in common."""
    return 0 if row.until is None else int(row.until.timestamp()) // 3600


def _people(conn: Connection, rows: Sequence[FirstMatchRow]) -> dict[FirstMatchId, EntrantRow]:
    people = entrants.some(conn, [row.entrant_id for row in rows])
    return {row.id: player for row, player in zip(rows, people, strict=True)}


def _not_begun(conn: Connection, rows: Sequence[FirstMatchRow]) -> dict[FirstMatchId, NotBegun]:
    several = matches.with_several_open(conn, [row.entrant_id for row in rows])
    return {id_: NotBegun(player=player, several=player.id in several) for id_, player in _people(conn, rows).items()}


def _is_for(post: PostRow, facts: FirstMatchFacts, player: EntrantRow) -> bool:
    """Whether a message asks a player: the one it goes to, or in the channel those who get none of their own."""
    if post.person_id is not None:
        return player.discord_id == post.person_id
    return player.discord_id not in facts.direct


def ask(conn: Connection, round_id: RoundId, now: datetime) -> bool:
    """Ask all players of a stage who haven't begun; False where it isn't time, or no one is left to ask."""
    if round_id not in first_matches.rounds_due(conn, now):
        return False
    tx = transaction(conn, by_bot(now), season_id=rounds.get(conn, round_id).season_id)
    people = entrants.some(conn, first_matches.to_ask(conn, tx.season.id))
    asked = {first_matches.add(conn, entrant_id=player.id, asked_at=tx.now).id: player for player in people}
    for row, player in asked.items():
        if player.discord_id is None:
            pending_questions.begin_at_once(tx, FIRST_MATCH, row)
    keepers = threads.keepers(tx.conn, tx.season.id)
    reached: dict[MatchId | None, list[FirstMatchId]] = {}
    for row, player in asked.items():
        if player.discord_id is not None:
            reached.setdefault(keepers.get(player.id), []).append(row)
    for thread, rows in reached.items():
        for first in range(0, len(rows), MOST_MENTIONS):
            page = tuple(rows[first : first + MOST_MENTIONS])
            facts = FirstMatchFacts(asked=page, thread_match=thread)
            tx.enqueue(FIRST_MATCH, facts, people=[asked[row].discord_id for row in page])
    tx.note("season.first-matches", f"season {tx.season.number}", after={"asked": len(asked)})
    return True


def _asked_in(conn: Connection, post: PostRow) -> tuple[FirstMatchId, ...]:
    """Return the questions a message asks: who has begun before it was sent isn't mentioned in it."""
    return tuple(_waiting(conn, post))


def _end(tx: Transaction, question: int) -> None:
    """Tell moderators who was silent, in one message about all whose time ends in the same hour; others are settled.

    What is cleared later asks no one again who had begun by then.
    """
    row = first_matches.get(tx.conn, FirstMatchId(question))
    player = entrants.get(tx.conn, row.entrant_id)
    if first_matches.is_idle(tx.conn, player.id):
        first_matches.change(tx.conn, row.id, silent_at=tx.now)
        tx.note("entrant.no-first-match", player.name)
        tx.enqueue(IDLE, IdleFacts(batch=_batch(row)), once=str(_batch(row)))
    else:
        first_matches.change(tx.conn, row.id, settled_at=tx.now)
        tx.note("entrant.first-match", player.name)
    _show(tx)


FIRST_MATCH_ANSWER = Question(
    kind=FIRST_MATCH,
    asked=first_matches.ASKED,
    about=_asked_in,
    words="tell moderators of silence {}",
    silence=_end,
)
"""When a player plays their first match; a result, a time, or what they do for one answers it."""


def let_be(conn: Connection, order: Order, *, question: FirstMatchId) -> EntrantRow:
    """Let a player who hasn't begun be, as moderator; raises NotAllowed and Conflict."""
    row = next(iter(first_matches.some(conn, [question])), None)
    player = entrants.get(conn, pending_questions.found(row).entrant_id)
    tx = transaction(conn, order, by=MODERATOR, season_id=player.season_id)
    if question not in {silent.id for silent in first_matches.silent(conn, tx.season.id)}:
        raise Conflict(f"That's settled: {player.called} has begun, or there's nothing left to wait for.")
    first_matches.change(conn, question, settled_at=tx.now)
    tx.note("entrant.let-be", player.name)
    _show(tx)
    return player


def _show(tx: Transaction) -> None:
    """Let the messages show who is left, and delete the questions once no one has time left to answer."""
    rows = first_matches.of_season(tx.conn, tx.season.id) if _is_open_at_once(tx) else ()
    if rows and all(row.silent_at or row.settled_at for row in rows):
        tx.retract_all(tx.season, FIRST_MATCH)
    if rows:
        tx.invalidate(None, FIRST_MATCH, IDLE)


def _is_open_at_once(tx: Transaction) -> bool:
    """Whether a season's matches are all open at once: in others no one is asked."""
    return tx.settings.schedule.open_together


def something_changed(tx: Transaction, event: MatchChanged | MatchPrepared | FieldChanged) -> None:
    """Show who is left after a result, a time, or someone who left."""
    if tx.season.phase in PLAYING:
        _show(tx)


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Forget who was asked about a stage that is taken back: they're asked again in the next one."""
    if event.round.together:
        first_matches.forget_season(tx.conn, tx.season.id)
        tx.retract_all(tx.season, FIRST_MATCH, IDLE)


def account_changed(tx: Transaction, event: AccountChanged) -> None:
    """Ask the new account of a player who hasn't answered."""
    player = find.seat_of(tx, event.after) if _is_open_at_once(tx) else None
    for row in first_matches.unanswered(tx.conn, tx.season.id) if player is not None else ():
        if player is not None and row.entrant_id == player.id:
            pending_questions.begin_again(tx, FIRST_MATCH, row.id)
            thread = threads.keepers(tx.conn, tx.season.id).get(player.id)
            facts = FirstMatchFacts(asked=(row.id,), thread_match=thread)
            tx.enqueue(FIRST_MATCH, facts, people=[player.discord_id])
    _show(tx)


def _idle(people: Mapping[FirstMatchId, NotBegun]) -> Section:
    step = "They were asked and have no result and no time. Decide their matches, or let them be."
    return Section("Players who haven't begun", step, [silent.player.called for silent in people.values()])


def _by_ids(conn: Connection, ids: Sequence[int]) -> dict[FirstMatchId, NotBegun]:
    return _not_begun(conn, first_matches.some(conn, ids))


NOT_BEGUN = PendingItems("not_begun", first_matches.WAITING, _by_ids, _idle)
"""Players who haven't begun, by the id of the question."""
