"""What the messages about a match's time show, as of now."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.league.match_day.starts import Person
from bot.league.season.phases import MatchState
from bot.services.base.gone import Gone
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.times import own_zone
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantId, EntrantRow
from storage.tables import time_proposals
from storage.tables.time_proposals import ProposalId, TimeProposalRow


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesPost:
    """Times proposed for a match, for the opponent; `them` is when that one can play, as far as it's known."""

    view: MatchView
    proposal: TimeProposalRow
    opponent: EntrantRow
    them: Person | None
    ping_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedPost:
    """The time two players agreed on, or are reminded of, with what it is on their own clocks."""

    view: MatchView
    start: datetime
    people: Mapping[EntrantId, Person]
    ping_ids: tuple[int, ...]


def load_times(conn: Connection, post: PostRow) -> TimesPost:
    """Load proposed times; once they're answered they are shown only where they were sent."""
    row = time_proposals.find(conn, ProposalId(post.facts["proposal"]))
    if row is None or (row.answer is not None and post.message_id is None):
        raise Gone
    view = views.match_view(conn, row.match_id)
    opponent = view.opponent_of(view.side(row.entrant_id))
    them = own_zone.people(conn, [opponent]).get(opponent.id)
    pinged = () if opponent.discord_id is None else (opponent.discord_id,)
    return TimesPost(view=view, proposal=row, opponent=opponent, them=them, ping_ids=pinged)


def load_agreed(conn: Connection, post: PostRow) -> AgreedPost:
    """Load an agreed time for the player who proposed it, while it stands."""
    return replace(_agreed(conn, post), ping_ids=(int(post.facts["to"]),))


def load_reminder(conn: Connection, post: PostRow) -> AgreedPost:
    """Load an agreed time both players are reminded of, while it stands."""
    return _agreed(conn, post)


def _agreed(conn: Connection, post: PostRow) -> AgreedPost:
    start = datetime.fromtimestamp(post.facts["at"], UTC)
    view = None if post.match_id is None else views.match_view(conn, post.match_id)
    if view is None or view.match.state is not MatchState.OPEN or view.stopped or view.match.agreed_at != start:
        raise Gone
    known = tuple(side.discord_id for side in view.sides if side.discord_id is not None)
    return AgreedPost(view=view, start=start, people=own_zone.people(conn, view.sides), ping_ids=known)
