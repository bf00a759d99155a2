"""What moderators read about a problem: both sides, the screenshots, the agreed time, what the bot sent."""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.services.base import open_questions
from bot.services.base.gone import Gone
from bot.services.base.post_kinds import PostKind
from bot.services.base.promises import page_of
from bot.services.matches import decided, told_times, views
from bot.services.matches.decided import Decided
from bot.services.matches.told_times import ToldTimes
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostRow, Target
from storage.tables import claims, outbox
from storage.tables.claims import ClaimRow, Screenshot

TOLD = (
    PostKind.TIMES,
    PostKind.AGREED,
    PostKind.TIME_REMINDER,
    PostKind.QUESTION,
    PostKind.DECISION,
    PostKind.OPEN_AGAIN,
    PostKind.PROBLEM,
    PostKind.ANSWERED,
)
"""The kinds of messages about one match that tell its players something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of a match: the times proposed for it, and each kind of message the bot sent with its moment."""

    proposed: tuple[ToldTimes, ...]
    sent: tuple[tuple[PostKind, datetime], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPost:
    """A claim: for the opponent who is asked, the player who is answered, or the moderators, with `evidence`."""

    view: MatchView
    claim: ClaimRow
    ping_ids: tuple[int, ...] = ()
    evidence: Evidence | None = None
    decided: Decided | None = None
    private: bool = False
    """Whether only the person asked reads it."""
    screenshots: tuple[Screenshot, ...] = ()


def load(conn: Connection, post: PostRow) -> ClaimPost:
    """Load what a post about a claim shows; raises Gone where there is nothing to say any more."""
    claim = claims.find(conn, post.facts["claim_id"])
    if claim is None:
        raise Gone
    view = views.match_view(conn, claim.match_id)
    if post.kind == PostKind.CLAIM:
        return case(conn, view, claim)
    asked = post.kind == PostKind.PROBLEM
    if claim.ended_at is not None or (asked and claim.answer is not None):
        raise Gone
    claimer = view.side(claim.entrant_id)
    person = (view.opponent_of(claimer) if asked else claimer).discord_id
    pinged = () if person is None else (person,)
    return ClaimPost(view=view, claim=claim, ping_ids=pinged, private=post.target is Target.PERSON)


def load_question(conn: Connection, post: PostRow, now: datetime) -> ClaimPost:
    """Load the question to the opponent, whose time begins when it is sent now."""
    found = load(conn, post)
    until = open_questions.ends(conn, PostKind.PROBLEM, found.claim.id, now)
    return replace(found, claim=replace(found.claim, answer_until=until))


def case(conn: Connection, view: MatchView, claim: ClaimRow) -> ClaimPost:
    """Return a claim as moderators read it, with its screenshots and what is known beyond what was said."""
    pictures = claims.screenshots(conn, claim.id)
    before = [] if claim.ended_at is None else [d for d in decided.of_match(conn, view) if d.at >= claim.ended_at]
    return ClaimPost(
        view=view,
        claim=claim,
        evidence=_gathered(conn, view),
        decided=before[0] if before else None,
        screenshots=pictures,
    )


def _gathered(conn: Connection, view: MatchView) -> Evidence:
    posts = outbox.of_round(conn, view.round.id)
    sent = [(PostKind(post.kind), post.sent_at) for post in posts if post.sent_at and _is_about(post, view)]
    return Evidence(proposed=told_times.told(conn, view), sent=tuple(sent))


def _is_about(post: PostRow, view: MatchView) -> bool:
    """Whether a message told the players of a match something about it."""
    if post.person_id not in (None, *(side.discord_id for side in view.sides)):
        return False
    match post.kind:
        case PostKind.ROUND:
            return post.facts["page"] == page_of(view.match)
        case PostKind.REMINDER:
            return view.match.id in post.facts["matches"]
        case _:
            return post.match_id == view.match.id and post.kind in TOLD
