"""What moderators read about a problem: both sides, the agreed time, what the bot sent."""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.services.base import pending_questions, post_kinds
from bot.services.base.addresses import is_apart
from bot.services.base.outbox import GROUP, ROUND, page_of
from bot.services.base.post_kinds import Facts, Gone, Post, PostKind, Readers, Shows, Until, known, there
from bot.services.matches import agreed_times, decision_posts, views
from bot.services.matches.agreed_times import AgreedTimes
from bot.services.matches.decision_posts import Decided
from bot.services.matches.views import MatchView
from bot.services.play.round_posts import REMINDER
from storage.database import Connection
from storage.posts import PostRow, Target
from storage.tables import problems
from storage.tables.outbox import outbox_rows
from storage.tables.people.notify import Topic
from storage.tables.problems import ProblemId, ProblemRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of a match: the times proposed for it, and each kind of message the bot sent with its moment."""

    proposed: tuple[AgreedTimes, ...]
    sent: tuple[tuple[str, datetime], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemFacts(Facts):
    """Which problem a post is about."""

    problem_id: ProblemId


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemPost(Post):
    """A problem: for the opponent who is asked, the player who is answered, or the moderators, with `evidence`."""

    view: MatchView
    problem: ProblemRow
    evidence: Evidence | None = None
    decided: Decided | None = None
    private: bool = False
    """Whether only the person asked reads it."""
    apart: bool = False
    """Whether only moderators read it."""


def _open(conn: Connection, post: PostRow) -> tuple[MatchView, ProblemRow]:
    problem = there(problems.find(conn, PROBLEM.facts(post).problem_id))
    if problem.ended_at is not None:
        raise Gone
    return views.match_view(conn, problem.match_id), problem


def _load_question(conn: Connection, post: PostRow, now: datetime) -> ProblemPost:
    """Load the question to the opponent, whose time begins when it is sent now; raises Gone where it's answered."""
    view, problem = _open(conn, post)
    if problem.answer is not None:
        raise Gone
    until = pending_questions.ends(conn, PROBLEM, problem.id, now)
    asked, private = view.opponent_of(view.side(problem.entrant_id)), post.target is Target.PERSON
    problem = replace(problem, answer_until=until)
    return ProblemPost(view=view, problem=problem, ping_ids=known([asked.discord_id]), private=private)


PROBLEM = PostKind(
    "problem",
    ProblemFacts,
    topic=Topic.QUESTION,
    personal=True,
    until=Until.SEASON_ENDS,
    asked_again=True,
    called="Question about this problem",
    load=_load_question,
)


def _load_answered(conn: Connection, post: PostRow, _: datetime) -> ProblemPost:
    view, problem = _open(conn, post)
    pinged, private = known([view.side(problem.entrant_id).discord_id]), post.target is Target.PERSON
    return ProblemPost(view=view, problem=problem, ping_ids=pinged, private=private)


ANSWERED = PostKind(
    "answered", ProblemFacts, personal=True, until=Until.SEASON_ENDS, called="News of the answer", load=_load_answered
)


def _load_case(conn: Connection, post: PostRow, _: datetime) -> ProblemPost:
    problem = there(problems.find(conn, PROBLEM.facts(post).problem_id))
    view = views.match_view(conn, problem.match_id)
    return replace(case(conn, view, problem), apart=is_apart(view.league, post))


SETTLE_PROBLEM = PostKind("settle-problem", ProblemFacts, to=Readers.MODERATORS, shows=Shows.MATCH, load=_load_case)


def case(conn: Connection, view: MatchView, problem: ProblemRow) -> ProblemPost:
    """Return a problem as moderators read it, with what is known beyond what was said."""
    ended = problem.ended_at
    before: list[Decided] = (
        []
        if ended is None
        else [decision_post for decision_post in decision_posts.of_match(conn, view) if decision_post.at >= ended]
    )
    return ProblemPost(
        view=view,
        problem=problem,
        evidence=_gathered(conn, view),
        decided=before[0] if before else None,
    )


def _gathered(conn: Connection, view: MatchView) -> Evidence:
    posts = outbox_rows.of_round(conn, view.round.id)
    sent = [(post_kinds.of(post).called, post.sent_at) for post in posts if post.sent_at and _is_about(post, view)]
    return Evidence(proposed=agreed_times.of_match(conn, view), sent=tuple(sent))


def _is_about(post: PostRow, view: MatchView) -> bool:
    """Whether a message told the players of a match something about it."""
    if post.person_id not in (None, *(side.discord_id for side in view.sides)):
        return False
    if post.kind == GROUP:
        return view.upper.id in GROUP.facts(post).players
    if post.kind == ROUND:
        return ROUND.facts(post).page == page_of(view.match)
    if post.kind == REMINDER:
        return view.match.id in REMINDER.facts(post).matches
    return post.match_id == view.match.id and bool(post_kinds.of(post).called)
