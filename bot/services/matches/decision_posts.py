"""What players were told of their match that they didn't do themselves: the decision, who made it, and why."""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.services.base.addresses import is_apart
from bot.services.base.post_kinds import Post, PostKind, SeasonPost, about_season, there
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostRow, Target
from storage.rows import Confirmation, EntrantId, EntrantRow
from storage.tables import entrants, matches, outbox_rows
from storage.tables.notify import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision in words for everyone, who made it, and until when there is time now; `why` is for the two players.

    Where a moderator confirmed a report, `confirmed_for` is the player it waited for.
    """

    at: datetime
    text: str
    by: str
    why: str
    until: datetime | None
    confirmed_for: EntrantId | None = None


def read(post: PostRow) -> Decided:
    """Return the decision a post tells of."""
    facts, until = post.facts, post.facts.get("until")
    return Decided(
        at=post.created_at,
        text=str(facts["text"]),
        by=str(facts.get("by") or ""),
        why=str(facts.get("why") or ""),
        until=None if until is None else datetime.fromtimestamp(until, UTC),
        confirmed_for=facts.get("confirmed_for"),
    )


def of_match(conn: Connection, view: MatchView) -> tuple[Decided, ...]:
    """Return what moderators and organisers decided about a match, oldest first."""
    alone = outbox_rows.of_match(conn, view.match.id, (DECISION, CORRECTED, OPEN_AGAIN))
    together = matches.decided_together(conn, view.season.id, view.match.id) if view.round.together else ()
    posts = sorted((*alone, *together), key=lambda post: post.id)
    return tuple(read(post) for post in posts if post.person_id is None and post.facts.get("by"))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPost(Post):
    """A dispute about a match (settled once `view.dispute` is None), or what `decided` tells both players.

    `why` is shown in a direct message; in the channel only the decision is. Only moderators read a dispute that stands
    `apart`.
    """

    view: MatchView
    decided: Decided | None = None
    why: str = ""
    apart: bool = False


def load(conn: Connection, post: PostRow, _: datetime) -> MatchPost:
    """Load a match with what moderators decided last."""
    view = views.match_view(conn, there(post.match_id))
    before = of_match(conn, view)
    decided = before[-1] if before and view.match.confirmed_by is Confirmation.MODERATOR else None
    return MatchPost(view=view, decided=decided, apart=is_apart(view.league, post))


def _load_told(conn: Connection, post: PostRow, _: datetime) -> MatchPost:
    view, decided = views.match_view(conn, there(post.match_id)), read(post)
    why = decided.why if post.target is Target.PERSON and view.side_of(post.person_id) is not None else ""
    return MatchPost(view=view, decided=decided, why=why, ping_ids=tuple(post.facts["pings"]))


DECISION = PostKind("decision", personal=True, called="News of a decision", load=_load_told)
CORRECTED = PostKind("corrected", topic=Topic.ROUND, personal=True, called="News of a correction", load=_load_told)
"""A corrected match of the finals, with what that means for each whose next match is another."""
OPEN_AGAIN = PostKind(
    "open-again", topic=Topic.ROUND, personal=True, called="News that it is open again", load=_load_told
)
"""There's a match to play, as in a new round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TogetherPost(SeasonPost):
    """All open matches of a player, decided at once; `why` is shown in direct messages to their players only."""

    player: EntrantRow
    decided: Decided
    count: int
    why: str


def _load_together(conn: Connection, post: PostRow, _: datetime) -> TogetherPost:
    league, season = about_season(conn, post)
    decided, pings = read(post), tuple(post.facts["pings"])
    why = decided.why if post.target is Target.PERSON and post.person_id in pings else ""
    player = entrants.get(conn, EntrantId(post.facts["entrant_id"]))
    count = len(post.facts["matches"])
    return TogetherPost(
        player=player, league=league, season=season, decided=decided, count=count, why=why, ping_ids=pings
    )


DECIDED_TOGETHER = PostKind("decided-together", personal=True, load=_load_together)
