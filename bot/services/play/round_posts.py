"""What is posted about matches of a round: reports that wait, disputes, reminders, and what is overdue."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.league.season.model import SealedSalt
from bot.league.season.phases import MatchState
from bot.services.base import pending_questions
from bot.services.base.post_kinds import Facts, Gone, Post, PostKind, Readers, Shows, Until, known, there
from bot.services.matches import decision_posts, views
from bot.services.matches.views import MatchView, RoundView
from storage.database import Connection
from storage.posts import PostRow, PostState, Target
from storage.rows import Confirmation, EntrantId, EntrantRow
from storage.tables import rounds, threads
from storage.tables.outbox import outbox_rows
from storage.tables.people.notify import Topic
from storage.tables.proofs import Fingerprints
from storage.tables.rounds import MapRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPost(Post):
    """A page of a round, a reminder or what is overdue; `view` holds only the matches and byes of this post.

    With `person_id`, a Discord id, it is for that player alone. `also` is what subjects say of the round. The first one
    shows the salt of the season, and what it was sealed by; others the fingerprint of a round that had no news.
    A reminder names its `group` where all matches of its players are open.
    """

    view: RoundView
    page: int = 1
    pages: int = 1
    person_id: int | None = None
    group: str = ""
    also: tuple[str, ...] = ()
    salt: str | None = None
    sealed: SealedSalt | None = None
    fingerprints: Fingerprints = field(default_factory=Fingerprints)
    maps: tuple[MapRow, ...] = ()


def view_of(conn: Connection, post: PostRow) -> RoundView:
    """Return the round a post is about; raises Gone."""
    return views.round_view(conn, there(post.round_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderFacts(Facts):
    """The matches a reminder is about, and the name of their group where all of them are open at once."""

    group: str = ""


def _load_reminder(conn: Connection, post: PostRow, _: datetime) -> RoundPost:
    """Load the matches of this reminder that still wait for a player; a person is shown only their own."""
    view, facts = view_of(conn, post), REMINDER.facts(post)
    waiting = [match for match in views.by_ids(conn, facts.matches) if match.awaited]
    if post.person_id is not None:
        waiting = [match for match in waiting if post.person_id in [player.discord_id for player in match.awaited]]
    people = [player.discord_id for match in waiting for player in match.awaited]
    own = replace(view, matches=tuple(waiting), byes=())
    return RoundPost(view=own, ping_ids=known(people), group=facts.group)


REMINDER = PostKind(
    "reminder", ReminderFacts, topic=Topic.DEADLINE, personal=True, called="Reminder", load=_load_reminder
)


def _load_overdue(conn: Connection, post: PostRow, _: datetime) -> RoundPost:
    view = views.stage_view(conn, there(rounds.find(conn, there(post.round_id))))
    late = [match for match in view.matches if match.match.state is MatchState.OPEN and match.match.overdue_at]
    return RoundPost(view=replace(view, matches=tuple(late), byes=()))


OVERDUE = PostKind("overdue", Facts, to=Readers.MODERATORS, shows=Shows.ROUND, load=_load_overdue)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFacts(Facts):
    """The version of the match a report made."""

    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPost(Post):
    """A report, for the opponent: is that right? Without an answer it counts at `counts_at`."""

    view: MatchView
    counts_at: datetime


def _load_question(conn: Connection, post: PostRow, now: datetime) -> QuestionPost:
    """Load a report that still waits as it was when the question was promised; asked again it counts as said before."""
    view = views.match_view(conn, there(post.match_id))
    if view.match.state is not MatchState.REPORTED or view.match.version != QUESTION.facts(post).version:
        raise Gone
    counts_at = pending_questions.ends(conn, QUESTION, view.match.id, now)
    return QuestionPost(view=view, counts_at=counts_at, ping_ids=known([view.asked.discord_id]))


QUESTION = PostKind(
    "question",
    QuestionFacts,
    topic=Topic.QUESTION,
    personal=True,
    until=Until.SEASON_ENDS,
    asked_again=True,
    called="Question about a report",
    load=_load_question,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedFacts(Facts):
    """When what counts at about the same time is told."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPost(Post):
    """Results of a round that count because someone was silent; who that was is mentioned, and not named as such."""

    matches: tuple[MatchView, ...]


def _load_counted(conn: Connection, post: PostRow, _: datetime) -> CountedPost:
    """Load what counted in the same minutes, for the first post about it in the channel; raises Gone for the others."""
    posts = [post] if post.person_id is not None else _together(conn, post)
    first = next(other for other in posts if other.sent_at is not None or other.state is not PostState.WITHDRAWN)
    counted = [views.match_view(conn, match) for match in dict.fromkeys(there(other.match_id) for other in posts)]
    if post.message_id is None:
        counted = [view for view in counted if view.match.confirmed_by is Confirmation.SILENCE]
    if first.id != post.id or not counted:
        raise Gone
    return CountedPost(
        matches=tuple(counted),
        ping_ids=known(silent_side.discord_id for view in counted for silent_side in _silent(view)),
    )


def _together(conn: Connection, post: PostRow) -> list[PostRow]:
    """Return the posts one message tells: due at the same moment, about matches of one thread, or without any."""
    queued = [other for other in outbox_rows.of_round(conn, there(post.round_id)) if other.kind == COUNTED]
    at = COUNTED.facts(post).at
    same = [other for other in queued if other.person_id is None and COUNTED.facts(other).at == at]
    place = threads.working(conn, [there(other.match_id) for other in same])
    thread_id = place.get(there(post.match_id))
    return [
        other
        for other in same
        if other.id == post.id or (not other.removed and place.get(there(other.match_id)) == thread_id)
    ]


def _silent(view: MatchView) -> tuple[EntrantRow, ...]:
    """Return who didn't answer a report, or didn't report."""
    return (view.asked,) if view.reports else view.sides


COUNTED = PostKind(
    "counted",
    CountedFacts,
    personal=True,
    until=Until.ROUND_CLOSES,
    rewritten=True,
    called="News that a result counts",
    load=_load_counted,
)
DISPUTE = PostKind("dispute", Facts, to=Readers.MODERATORS, shows=Shows.MATCH, load=decision_posts.load)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedFacts(Facts):
    """Whose report it is."""

    entrant_id: EntrantId


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedPost(Post):
    """A dispute as the player reads it who reported; the opponent's `words` only in a direct message."""

    view: MatchView
    side: EntrantRow
    words: str


def _load_disputed(conn: Connection, post: PostRow, _: datetime) -> DisputedPost:
    """Load a dispute that still waits, for the player who reported; raises Gone."""
    view = views.match_view(conn, there(post.match_id))
    if view.dispute is None or view.stopped:
        raise Gone
    side = view.side(DISPUTED.facts(post).entrant_id)
    words = view.dispute.reason if post.target is Target.PERSON and view.dispute.entrant_id is not None else ""
    return DisputedPost(view=view, side=side, words=words, ping_ids=known([side.discord_id]))


DISPUTED = PostKind(
    "disputed", DisputedFacts, topic=Topic.QUESTION, personal=True, until=Until.SEASON_ENDS, load=_load_disputed
)
