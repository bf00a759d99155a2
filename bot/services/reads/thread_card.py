"""The thread of a match with the card it opens with: everything the announcer needs to make and keep it."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.season.phases import MatchState
from bot.league.season.settings import MatchPlaces
from bot.services.base.post_kinds import Facts, Gone, known, there
from bot.services.reads import details
from bot.services.reads.details import Details
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.tables import threads

LONGEST_NAME = 100
"""Characters Discord allows for a thread's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPost(Facts):
    """A match's thread: its card, and for the announcer its name, its kind and who has to be in it.

    `thread_id` is None until it's made, `inside` are the Discord ids of those who were added. Once `archived`, nothing
    happens in the match any more.
    """

    details: Details
    name: str
    private: bool
    thread_id: int | None
    inside: tuple[int, ...]
    archived: bool


def load(conn: Connection, post: PostRow, now: datetime) -> ThreadPost:
    """Return a match's thread as it has to be now; raises Gone where it's lost, or over before it was made."""
    match_id = there(post.match_id)
    found, row = details.shared(conn, match_id, now), threads.find(conn, match_id)
    over = found.match.stopped or found.match.match.state is MatchState.CONFIRMED
    if (row is None and over) or (row is not None and row.lost is not None):
        raise Gone
    places = rules_season.settings_of(found.match.season).match_places
    return ThreadPost(
        details=found,
        name=f"{found.match.match.name or found.match.round.words.capitalize()}: {found.match.pairing}"[:LONGEST_NAME],
        private=places is MatchPlaces.PRIVATE,
        thread_id=None if row is None else row.thread_id,
        inside=() if row is None else row.people,
        archived=row is not None and row.archived,
        ping_ids=known(side.discord_id for side in found.match.sides),
    )
