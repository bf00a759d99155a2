"""What is posted about some matches of a round: reminders, and what is overdue."""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.league.season.phases import MatchState
from bot.services.base.post_kinds import Facts, PostKind, Readers, Shows, known, there
from bot.services.matches import views
from bot.services.matches.views import RoundView
from storage.database import Connection
from storage.posts import PostRow
from storage.tables import rounds
from storage.tables.maps import MapRow
from storage.tables.notify import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPost(Facts):
    """A page of a round, a reminder or what is overdue; `view` holds only the matches and byes of this post.

    With `person_id`, a Discord id, it is for that player alone. `lists` says how many haven't handed in theirs.
    """

    view: RoundView
    page: int = 1
    pages: int = 1
    person_id: int | None = None
    lists: str = ""
    maps: tuple[MapRow, ...] = ()


def view_of(conn: Connection, post: PostRow) -> RoundView:
    """Return the round a post is about; raises Gone."""
    return views.round_view(conn, rounds.get(conn, there(post.round_id)))


def _load_reminder(conn: Connection, post: PostRow, _: datetime) -> RoundPost:
    """Load the matches of this reminder that still wait for a player; a person is shown only their own."""
    view, wanted = view_of(conn, post), set(post.facts.get("matches", ()))
    waiting = [match for match in view.matches if match.match.id in wanted and match.awaited]
    if post.person_id is not None:
        waiting = [match for match in waiting if post.person_id in [player.discord_id for player in match.awaited]]
    people = [player.discord_id for match in waiting for player in match.awaited]
    return RoundPost(view=replace(view, matches=tuple(waiting), byes=()), ping_ids=known(people))


REMINDER = PostKind("reminder", topic=Topic.DEADLINE, personal=True, called="Reminder", load=_load_reminder)


def _load_overdue(conn: Connection, post: PostRow, _: datetime) -> RoundPost:
    view = view_of(conn, post)
    late = [match for match in view.matches if match.match.state is MatchState.OPEN and match.match.overdue_at]
    return RoundPost(view=replace(view, matches=tuple(late), byes=()))


OVERDUE = PostKind("overdue", to=Readers.MODERATORS, shows=Shows.ROUND, load=_load_overdue)
