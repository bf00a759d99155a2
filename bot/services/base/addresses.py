"""Which channel a post goes to."""

from storage.database import Connection
from storage.posts import PostRow, Target
from storage.rows import LeagueRow
from storage.tables import leagues, threads
from storage.tables.threads import Lost, ThreadRow


def address(conn: Connection, league: LeagueRow, post: PostRow) -> int:
    """Return the channel a new post goes to; one about a match or its group goes to their thread, if that works."""
    return working_thread(conn, post) or channel_of(league, post.target)


def working_thread(conn: Connection, post: PostRow) -> int | None:
    """Return the thread a new post goes to; None for one that goes to a channel or a person."""
    row = _thread(conn, post)
    return row.thread_id if row is not None and row.works and post.target is Target.LEAGUE else None


def perhaps_in(conn: Connection, post: PostRow) -> tuple[int, ...]:
    """Return where a post about a match may stand that was perhaps sent: in its thread, and in the league's channel.

    It went to the channel before there was a thread, or to the thread before that was closed to the bot.
    """
    row = _thread(conn, post)
    if row is None or row.thread_id is None or row.lost is Lost.DELETED or post.target is not Target.LEAGUE:
        return ()
    return row.thread_id, leagues.get(conn, post.league_id).channel_id


def address_again(conn: Connection, league: LeagueRow, post: PostRow) -> int:
    """Return the channel a post that failed goes to; one to be deleted stays in its own while the league has that."""
    row = _thread(conn, post)
    place = (channel_of(league, post.target), None if row is None else row.thread_id)
    if post.removed and post.channel_id is not None and post.channel_id in place:
        return post.channel_id
    return address(conn, league, post)


def _thread(conn: Connection, post: PostRow) -> ThreadRow | None:
    """Return the thread of the match or group a post is about, working or not."""
    return None if post.thread_match is None else threads.find(conn, post.thread_match)


def is_apart(league: LeagueRow, post: PostRow) -> bool:
    """Whether a post for moderators stands, or will stand, where only they read: what was said in private can be there.

    One that stood in the league's channel before the moderators had their own stays there.
    """
    return league.moderators_apart and post.channel_id in (None, league.moderation_channel_id)


def channel_of(league: LeagueRow, target: Target) -> int:
    """Return the channel a post goes to; a league without a moderators' channel has one channel for all."""
    if target is Target.MODERATION and league.moderation_channel_id is not None:
        return league.moderation_channel_id
    return league.channel_id
