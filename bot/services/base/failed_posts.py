"""Posts that could not be made: failed, told of once, and tried again when the reason may be gone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.league.errors import Conflict, NotFound
from bot.services.base.addresses import address_again, channel_of
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order
from bot.services.base.outbox import THREAD, THREAD_OVER, WITHDRAWN, enqueue, reword
from bot.services.base.pending_questions import asks
from bot.services.base.post_kinds import Facts, Gone, Post, PostKind, Readers, of, there
from bot.services.base.transaction import MODERATOR, transaction
from storage.database import Connection
from storage.posts import PostId, PostRow, PostState, Target
from storage.rows import LeagueId, LeagueRow
from storage.tables import leagues, seasons, threads
from storage.tables.outbox import deliveries, outbox_rows, post_failures


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleFacts(Facts):
    """Which post is missing, in which channel, and whether all its like are threads; `over` once none is missing."""

    post_id: PostId
    channel: Target | None = None
    threads: bool | None = None
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TroublePost(Post):
    """A post couldn't be made: said where people can read it, until it is made or nobody needs it any more."""

    league: LeagueRow
    row: PostRow

    @property
    def missing(self) -> bool:
        """Whether the post is still queued in vain."""
        return _is_missing(self.row)

    @property
    def made(self) -> bool:
        """Whether the post is there now, as it was meant."""
        stands = self.row.message_id is not None and not (self.missing or self.row.removed)
        return stands and self.row.kind not in (WITHDRAWN, THREAD_OVER)


def _is_missing(post: PostRow) -> bool:
    return post.state in (PostState.DUE, PostState.FAILED) and post.problem is not None and not post.removed


def _load(conn: Connection, post: PostRow, _: datetime) -> TroublePost:
    facts = TROUBLE.facts(post)
    missing = there(outbox_rows.find(conn, facts.post_id))
    if post.message_id is None and facts.over:
        raise Gone
    return TroublePost(league=leagues.get(conn, post.league_id), row=missing)


TROUBLE = PostKind("trouble", TroubleFacts, to=Readers.MODERATORS, load=_load)
AUDIT_WORDS = {
    "post.retry": "Missing posts were tried again",
}
"""What the audit log says of posts."""


def fail(conn: Connection, post_id: PostId, problem: str, *, now: datetime, channel_closed: bool) -> None:
    """Note that a post failed, unless it isn't queued any more, and tell the organisers, where they can read it."""
    post = outbox_rows.find(conn, post_id)
    if post is None or post.state is not PostState.DUE:
        return
    if post.removed and post.message_id is None and post.attempts == 0:
        deliveries.removed(conn, post_id)  # it was refused while it was sent, and isn't wanted any more
        return
    post_failures.fail(conn, post_id, problem, now=now)
    tell_of_trouble(conn, post, now, channel_closed=channel_closed)
    if post.kind == THREAD:
        post_failures.fail_alike(conn, post, problem, now=now)


def tell_of_trouble(conn: Connection, post: PostRow, now: datetime, *, channel_closed: bool) -> None:
    """Tell the organisers of a post that was failed just now, once for all posts of a channel.

    Nobody is told of trouble with such a note, or again of a post the bot itself tried once more.
    """
    league = leagues.get(conn, post.league_id)
    target = Target.LEAGUE if channel_closed and post.target is Target.MODERATION else Target.MODERATION
    unreadable = channel_closed and channel_of(league, target) == channel_of(league, post.target)
    others = [
        other
        for other in post_failures.missing(conn, league.id)
        if other.id != post.id and other.target is post.target and other.kind != TROUBLE
        if other.failed_at is not None and (other.kind == THREAD) == (post.kind == THREAD)
    ]
    if post.kind == TROUBLE or post.failed_at is not None or unreadable or others:
        return
    about = league if post.season_id is None else seasons.get(conn, post.season_id)
    facts = TroubleFacts(post_id=post.id, channel=post.target, threads=post.kind == THREAD)
    enqueue(conn, TROUBLE, about, facts, now=now, target=target)


def update_notes(conn: Connection, league_id: LeagueId, now: datetime) -> bool:
    """Let notes of posts that ended, made or not, tell of another one missing like it, or that none is.

    One that may be made in a moment is waited for. Returns whether a note changes.
    """
    changed = False
    for note in post_failures.notes_to_tell(conn, league_id):
        facts = TROUBLE.facts(note)
        alike = _missing_alike(conn, note.league_id, facts)
        if any(post.state is PostState.DUE for post in alike):
            continue
        facts = replace(facts, post_id=alike[0].id) if alike else replace(facts, over=True)
        reword(conn, note, facts, now=now)
        changed = True
    return changed


def _missing_alike(conn: Connection, league_id: LeagueId, facts: TroubleFacts) -> tuple[PostRow, ...]:
    """Return what is missing in the same channel as the post of a note, threads apart from messages."""
    missing = [post for post in post_failures.missing(conn, league_id) if post.kind != TROUBLE and _is_missing(post)]
    return tuple(post for post in missing if (post.target, post.kind == THREAD) == (facts.channel, facts.threads))


def retry(conn: Connection, order: Order, *, post_id: int) -> None:
    """Try a failed post and all that wait for the same channel again, as a moderator asked.

    Raises NotFound, NotAllowed and Conflict.
    """
    post = outbox_rows.find(conn, post_id)
    if post is None:
        raise NotFound("There's no such post here. /disputes lists the posts that couldn't be made.")
    tx = transaction(conn, order.of(post.league_id), by=MODERATOR, season_id=post.season_id)
    if post.state is not PostState.FAILED:
        raise Conflict("That post isn't missing any more. /disputes lists the posts that couldn't be made.")
    retry_all(conn, tx.league, now=order.now, target=post.target)
    tx.note("post.retry", post.key, before={"problem": post.problem})


def retry_all(conn: Connection, league: LeagueRow, *, now: datetime, target: Target | None = None) -> None:
    """Try a league's failed posts again, all of them or those of one channel, because someone changed something.

    A message in a channel the league has left is sent again in the new one, but not what only told something; one to
    be deleted there stays.
    """
    for post in post_failures.of_league(conn, league.id):
        if target in (None, post.target):
            _reopen_thread(conn, post)
            place = address_again(conn, league, post)
            if post.message_id is None or post.channel_id == place or post.removed or _is_sent_again(post):
                post_failures.retry(conn, post.id, now, place)
            else:
                outbox_rows.drop(conn, post.id)
    update_notes(conn, league.id, now)


def _is_sent_again(post: PostRow) -> bool:
    """Whether another message is sent for one left behind where the league was."""
    kind = of(post)
    return kind.stands or asks(kind)


def try_again(conn: Connection, *, guild_id: int, now: datetime) -> bool:
    """Try one post of each channel and reason in a server where something changed; False where none is missing.

    If it can be made, the others follow.
    """
    return _probe(conn, post_failures.first_of_guild(conn, guild_id), now)


def any_parked(conn: Connection, guild_id: int) -> bool:
    """Whether a post is missing in a server."""
    return bool(post_failures.first_of_guild(conn, guild_id))


def try_rested(conn: Connection, league_id: LeagueId, now: datetime) -> bool:
    """Try one post of each channel and reason of a league that waited for an hour; if it's made, the others follow."""
    return _probe(conn, post_failures.first_rested(conn, league_id, now), now)


def _probe(conn: Connection, posts: tuple[PostRow, ...], now: datetime) -> bool:
    for post in posts:
        _reopen_thread(conn, post)
        post_failures.probe(conn, post, now=now)
    return bool(posts)


def bring_back_alike(conn: Connection, delivered: PostRow, *, now: datetime) -> None:
    """Make the posts due that were failed for the same reason as one that could be made now."""
    for post in post_failures.alike(conn, delivered):
        _reopen_thread(conn, post)
        post_failures.bring_back(conn, post.id, now)


def _reopen_thread(conn: Connection, post: PostRow) -> None:
    if post.kind == THREAD and post.match_id is not None:
        threads.reopen(conn, post.match_id)


def drop(conn: Connection, post_id: PostId, *, now: datetime) -> None:
    """Cancel a post there's nothing to say in any more, and delete its message."""
    post = outbox_rows.find(conn, post_id)
    outbox_rows.drop(conn, post_id)
    if post is not None and post.message_id is not None and post.kind != THREAD:  # its card goes with the thread
        outbox_rows.delete(conn, post_id, now=now)
    if post is not None and post.attempts:
        update_notes(conn, post.league_id, now)


def _problems(posts: Sequence[PostRow]) -> list[str]:
    """Return what keeps posts from being made, each reason once."""
    return list(dict.fromkeys(f"{post.kind}: {post.problem}" for post in posts))


def _missing(posts: Sequence[PostRow]) -> Section:
    fix = "Fix what each line says, then try the posts again."
    return Section("Posts the bot couldn't make", fix, _problems(posts))


def _late(posts: Sequence[PostRow]) -> Section:
    return Section("Posts that are late", "The bot keeps trying to make them. There's nothing to do.", _problems(posts))


MISSING = PendingItems("missing_posts", post_failures.MISSING, outbox_rows.some, _missing)
"""Posts that wait for someone."""
LATE = PendingItems("late_posts", post_failures.LATE, outbox_rows.some, _late)
"""Posts that are tried again soon."""
