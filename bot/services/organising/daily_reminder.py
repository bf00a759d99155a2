"""What still waits is mentioned every day to those who settle it, from the third day to the organisers too."""

from datetime import datetime, timedelta

from bot.services.base import hooks, outbox
from bot.services.base.post_kinds import Facts, PostKind, Readers
from storage.database import Connection
from storage.rows import LeagueId
from storage.tables import leagues
from storage.tables.outbox import outbox_rows

DAY = timedelta(days=1)
WAITING = PostKind("waiting", Facts, to=Readers.MODERATORS, rewritten=True)


def due(conn: Connection, now: datetime) -> tuple[LeagueId, ...]:
    """Return the leagues whose moderators are to be mentioned again, or whose message about it can go."""
    waiting = hooks.waiting_since(conn)
    posts = {post.league_id: post.created_at for post in outbox_rows.about_waiting(conn)}
    again = [
        league
        for league, since in waiting.items()  # either time can be one of a clock that was ahead
        if all(abs(now - at) >= DAY for at in (since, posts.get(league) or since))
    ]
    return (*again, *(league for league in posts if league not in waiting))


def remind(conn: Connection, league_id: LeagueId, now: datetime) -> bool:
    """Mention who settles what waits in a league, in place of the message before; False where it isn't time."""
    if league_id not in due(conn, now):
        return False
    league, since = leagues.get(conn, league_id), hooks.waiting_since(conn).get(league_id)
    outbox.retract_all(conn, league, WAITING, now=now)
    if since is not None:
        by_organisers = {wait.by_organisers for wait in hooks.waiting(conn, league_id)}
        organisers = True in by_organisers or since + 2 * DAY <= now
        facts = Facts(organisers=organisers, organisers_alone=by_organisers == {True})
        outbox.enqueue(conn, WAITING, league, facts, now=now)
    return True
