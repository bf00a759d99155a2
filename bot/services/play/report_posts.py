"""What is posted about a report: the question to the opponent, and what follows where they don't agree."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.season.phases import MatchState
from bot.services.base import open_questions
from bot.services.base.gone import Gone
from bot.services.base.post_kinds import Facts, PostKind, Readers, Shows, known, there
from bot.services.matches import decided, views
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostRow, Target
from storage.rows import EntrantRow
from storage.tables.notify import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPost(Facts):
    """A report, for the opponent: is that right? Without an answer it counts at `counts_at`."""

    view: MatchView
    counts_at: datetime


def _load_question(conn: Connection, post: PostRow, now: datetime) -> QuestionPost:
    """Load a report that still waits as it was when the question was promised; asked again it counts as said before."""
    view = views.match_view(conn, there(post.match_id))
    if view.match.state is not MatchState.REPORTED or view.match.version != post.facts["version"]:
        raise Gone
    counts_at = open_questions.ends(conn, QUESTION, view.match.id, now)
    return QuestionPost(view=view, counts_at=counts_at, ping_ids=known([view.asked.discord_id]))


QUESTION = PostKind(
    "question",
    topic=Topic.QUESTION,
    personal=True,
    asked_again=True,
    called="Question about a report",
    load=_load_question,
)
DISPUTE = PostKind("dispute", to=Readers.MODERATORS, shows=Shows.MATCH, load=decided.load)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedPost(Facts):
    """A dispute as the player reads it who reported; the opponent's `words` only in a direct message."""

    view: MatchView
    side: EntrantRow
    words: str


def _load_disputed(conn: Connection, post: PostRow, _: datetime) -> DisputedPost:
    """Load a dispute that still waits, for the player who reported; raises Gone."""
    view = views.match_view(conn, there(post.match_id))
    if view.dispute is None or view.stopped:
        raise Gone
    side = view.side(post.facts["entrant_id"])
    words = view.dispute.reason if post.target is Target.PERSON and view.dispute.entrant_id is not None else ""
    return DisputedPost(view=view, side=side, words=words, ping_ids=known([side.discord_id]))


DISPUTED = PostKind("disputed", topic=Topic.QUESTION, personal=True, load=_load_disputed)
