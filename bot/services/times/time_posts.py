"""What the messages about a match's time show, as of now."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bot.league.match_day.starts import Person
from bot.league.season.phases import MatchState
from bot.services.base.post_kinds import Facts, Gone, Post, PostKind, Until, known, there
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.times import own_zone
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantId, EntrantRow
from storage.tables import times
from storage.tables.people.notify import Topic
from storage.tables.times import ProposalId, TimeProposalRow


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesFacts(Facts):
    """Which proposal a question is about."""

    proposal: ProposalId


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesPost(Post):
    """Times proposed for a match, for the opponent; `them` is when that one can play, as far as it's known."""

    view: MatchView
    proposal: TimeProposalRow
    opponent: EntrantRow
    them: Person | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartFacts(Facts):
    """When players agreed to play, and, for who proposed it, their account."""

    at: datetime
    to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedPost(Post):
    """The time two players agreed on, or are reminded of, with what it is on their own clocks."""

    view: MatchView
    start: datetime
    people: Mapping[EntrantId, Person]


def _load_times(conn: Connection, post: PostRow, _: datetime) -> TimesPost:
    """Load proposed times; once they're answered they are shown only where they were sent."""
    row = there(times.find_proposal(conn, TIMES.facts(post).proposal))
    if row.answer is not None and post.message_id is None:
        raise Gone
    view = views.match_view(conn, row.match_id)
    opponent = view.opponent_of(view.side(row.entrant_id))
    them = own_zone.people(conn, [opponent]).get(opponent.id)
    pinged = known([opponent.discord_id])
    return TimesPost(view=view, proposal=row, opponent=opponent, them=them, ping_ids=pinged)


TIMES = PostKind(
    "times",
    TimesFacts,
    topic=Topic.TIME,
    personal=True,
    until=Until.SEASON_ENDS,
    asked_again=True,
    called="Proposed times",
    load=_load_times,
)


def _load_agreed(conn: Connection, post: PostRow, now: datetime) -> AgreedPost:
    """Load an agreed time for the player who proposed it, while it stands."""
    return replace(_load_reminder(conn, post, now), ping_ids=known([AGREED.facts(post).to]))


def _load_reminder(conn: Connection, post: PostRow, _: datetime) -> AgreedPost:
    """Load an agreed time both players are reminded of, while it stands."""
    start = AGREED.facts(post).at
    view = views.match_view(conn, there(post.match_id))
    if view.match.state is not MatchState.OPEN or view.stopped or view.match.agreed_at != start:
        raise Gone
    both = known(side.discord_id for side in view.sides)
    return AgreedPost(view=view, start=start, people=own_zone.people(conn, view.sides), ping_ids=both)


AGREED = PostKind(
    "agreed",
    StartFacts,
    topic=Topic.TIME,
    personal=True,
    until=Until.SEASON_ENDS,
    called="Agreed time",
    load=_load_agreed,
)
TIME_REMINDER = PostKind(
    "time-reminder",
    StartFacts,
    topic=Topic.TIME,
    personal=True,
    until=Until.SEASON_ENDS,
    called="Reminder of the agreed time",
    load=_load_reminder,
)
