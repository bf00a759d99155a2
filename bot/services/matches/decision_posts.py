"""What players were told of their match that they didn't do themselves: the decision, who made it, and why."""

from dataclasses import dataclass
from datetime import datetime

from bot.services.base.addresses import is_apart
from bot.services.base.outbox import NoticeFacts
from bot.services.base.post_kinds import Post, PostKind, SeasonPost, about_season, there
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostRow, Target
from storage.rows import Confirmation, EntrantId, EntrantRow
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows
from storage.tables.people.notify import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFacts(NoticeFacts):
    """What became of a match, who decided it (nobody where it came by itself) and why."""

    by: str = ""
    why: str = ""
    decided_by: int | None = None
    """The account: when they are forgotten, so are their name and their reason."""
    confirmed_for: EntrantId | None = None
    taken_back_by: EntrantId | None = None
    """Who took their report or their answer back."""
    between: tuple[EntrantId, ...] = ()
    """Its players then: an organiser may have changed the pairing since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """That a player took their report or their answer back."""

    at: datetime
    entrant_id: EntrantId


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
    facts = DECISION.facts(post)
    return Decided(
        at=post.created_at,
        text=facts.text,
        by=facts.by,
        why=facts.why,
        until=facts.until,
        confirmed_for=facts.confirmed_for,
    )


def of_match(conn: Connection, view: MatchView) -> tuple[Decided, ...]:
    """Return what moderators and organisers decided about a match, oldest first."""
    alone = outbox_rows.of_match(conn, view.match.id, (DECISION, CORRECTED, OPEN_AGAIN))
    together = outbox_rows.decided_together(conn, view.season.id, view.match.id) if view.round.together else ()
    posts = sorted((*alone, *together), key=lambda post: post.id)
    return tuple(read(post) for post in posts if _of_this_pairing(post, view) and DECISION.facts(post).by)


def taken_back(conn: Connection, view: MatchView) -> tuple[TakenBack, ...]:
    """Return when players took back what they said of a match, oldest first."""
    posts = outbox_rows.of_match(conn, view.match.id, (OPEN_AGAIN,))
    by = ((post.created_at, OPEN_AGAIN.facts(post).taken_back_by) for post in posts if _of_this_pairing(post, view))
    return tuple(TakenBack(at=at, entrant_id=entrant_id) for at, entrant_id in by if entrant_id is not None)


def _of_this_pairing(post: PostRow, view: MatchView) -> bool:
    """Whether a post to the channel is about the two who play a match now."""
    return post.person_id is None and DECISION.facts(post).between in ((), view.match.players)


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
    return MatchPost(view=view, decided=decided, why=why, ping_ids=DECISION.facts(post).pings)


DECISION = PostKind("decision", DecisionFacts, personal=True, called="News of a decision", load=_load_told)
CORRECTED = PostKind(
    "corrected", DecisionFacts, topic=Topic.ROUND, personal=True, called="News of a correction", load=_load_told
)
"""A corrected match of the finals, with what that means for each whose next match is another."""
OPEN_AGAIN = PostKind(
    "open-again",
    DecisionFacts,
    topic=Topic.ROUND,
    personal=True,
    called="News that it is open again",
    load=_load_told,
)
"""There's a match to play, as in a new round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TogetherFacts(DecisionFacts):
    """Whose matches were decided."""

    entrant_id: EntrantId


@dataclass(frozen=True, slots=True, kw_only=True)
class TogetherPost(SeasonPost):
    """All open matches of a player, decided at once; `why` is shown in direct messages to their players only."""

    player: EntrantRow
    decided: Decided
    count: int
    why: str


def _load_together(conn: Connection, post: PostRow, _: datetime) -> TogetherPost:
    league, season = about_season(conn, post)
    facts = DECIDED_TOGETHER.facts(post)
    return TogetherPost(
        player=entrants.get(conn, facts.entrant_id),
        league=league,
        season=season,
        decided=read(post),
        count=len(facts.matches),
        why=facts.why if post.target is Target.PERSON and post.person_id in facts.pings else "",
        ping_ids=facts.pings,
    )


DECIDED_TOGETHER = PostKind("decided-together", TogetherFacts, personal=True, load=_load_together)
