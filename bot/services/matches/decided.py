"""What players were told of their match that they didn't do themselves: the decision, who made it, and why."""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.services.base.post_kinds import PostKind
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostRow
from storage.tables import outbox

KINDS = (PostKind.DECISION, PostKind.OPEN_AGAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision in words for everyone, who made it, and until when there is time now; `why` is for the two players."""

    at: datetime
    text: str
    by: str
    why: str
    until: datetime | None


def read(post: PostRow) -> Decided:
    """Return the decision a post tells of."""
    facts, until = post.facts, post.facts.get("until")
    return Decided(
        at=post.created_at,
        text=str(facts["text"]),
        by=str(facts.get("by") or ""),
        why=str(facts.get("why") or ""),
        until=None if until is None else datetime.fromtimestamp(until, UTC),
    )


def of_match(conn: Connection, view: MatchView) -> tuple[Decided, ...]:
    """Return what moderators and organisers decided about a match, oldest first."""
    posts = outbox.of_match(conn, view.match.id, KINDS)
    return tuple(read(post) for post in posts if post.person_id is None and post.facts.get("by"))
