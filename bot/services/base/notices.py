"""Posts of a text: plain facts, what keeps a season from going on, and what replaces a post that was taken back."""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.services.base.post_kinds import Facts, PostKind, Readers
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import LeagueRow
from storage.tables import leagues


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePost(Facts):
    """A plain fact, perhaps with the moment `until` which there is time; or what replaces a post taken back."""

    league: LeagueRow
    text: str
    until: datetime | None = None


def load(conn: Connection, post: PostRow, _: datetime) -> NoticePost:
    """Load a text."""
    until = post.facts.get("until")
    return NoticePost(
        league=leagues.get(conn, post.league_id),
        text=str(post.facts["text"]),
        ping_ids=tuple(post.facts.get("pings", ())),
        until=None if until is None else datetime.fromtimestamp(until, UTC),
    )


NOTICE = PostKind("notice", rewritten=True, load=load)
STUCK = PostKind("stuck", to=Readers.ORGANISERS, rewritten=True, load=load)
WITHDRAWN = PostKind("withdrawn", rewritten=True, load=load)
"""What a post that was taken back says instead."""
THREAD_OVER = PostKind("thread-over", rewritten=True, load=load)
"""What the card of a thread says once its match isn't played."""
