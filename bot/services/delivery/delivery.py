"""What the announcer reads and notes: what is due, what it shows, who it mentions, how it went, what was refused."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from bot.services.base import failed_posts, pending_questions, post_kinds
from bot.services.base.addresses import address
from bot.services.base.outbox import THREAD
from bot.services.base.post_kinds import MOST_MENTIONS, Facts, Gone, Post, Readers
from bot.services.signups import names_in_game
from storage import shards
from storage.database import ALL_SHARDS, Connection, Shards
from storage.facts import written
from storage.posts import PostId, PostRow, PostState, QueuedPost, Target
from storage.rows import LeagueRow
from storage.tables.outbox import deliveries, outbox_rows, post_failures
from storage.tables.people import notify
from storage.tables.people.notify import How


class Work(StrEnum):
    """What is done in a channel: an edit or a thread that Discord slows down holds up no new post."""

    SEND = "send"
    THREAD = "thread"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class Lane:
    """Posts that wait for each other: the same work in one channel, or with one person."""

    place: int
    work: Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """The people and roles a new message notifies, by their Discord ids."""

    people: tuple[int, ...] = ()
    roles: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A post that is queued, with what it has to show."""

    row: PostRow
    league: LeagueRow
    post: Post


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A post with what it shows now; a new message goes to `channel_id`, one that exists stays where it is.

    One for a person who takes no direct messages mentions them in the channel; `explain` says so, the first time.
    `rest` are people it concerns and has no room for: another message of its own mentions them. `also` are lines for
    the players of a match, in a message no one else reads.
    """

    row: PostRow
    post: Post
    league: LeagueRow
    channel_id: int
    mention: Mention
    explain: bool = False
    rest: tuple[int, ...] = ()
    also: tuple[str, ...] = ()


def begin(conn: Connection, now: datetime) -> None:
    """Begin a life of the bot: an earlier one may have sent what is due without noting it, so it is looked for."""
    deliveries.begin(conn, now)


def longest_wait(conn: Connection, now: datetime) -> int | None:
    """Return for how many seconds the oldest unsent post has waited, None where all are sent; proves a write possible.

    Raises Unavailable where the database can't be written.
    """
    since = deliveries.oldest_unsent(conn, now)
    return None if since is None else round((now - since).total_seconds())


def due(conn: Connection, now: datetime, here: Shards = ALL_SHARDS) -> dict[Lane, list[QueuedPost]]:
    """Return what has to be made now, for each lane in the order it was queued."""
    lanes: dict[Lane, list[QueuedPost]] = {}
    for post in deliveries.due(conn, now, shards.leagues_elsewhere(conn, here)):
        lanes.setdefault(_lane(post), []).append(post)
    return lanes


def _lane(post: QueuedPost) -> Lane:
    place = post.person_id or post.channel_id if post.target is Target.PERSON else post.channel_id
    if post.message_id is not None:
        return Lane(place, Work.EDIT)
    return Lane(place, Work.THREAD if post.kind == THREAD else Work.SEND)


def row(conn: Connection, post_id: PostId) -> PostRow:
    """Return a post as it is kept; raises LookupError for none."""
    return outbox_rows.get(conn, post_id)


def load(conn: Connection, post_id: PostId, now: datetime) -> Loaded | None:
    """Return a post with what it shows now; None for one that isn't to be shown; raises Gone where nothing is said."""
    for queued in deliveries.with_league(conn, post_id):
        if queued.post.state is PostState.DUE and not queued.post.removed:
            return Loaded(row=queued.post, league=queued.league, post=post_kinds.load(conn, queued.post, now))
    return None


def addressed(conn: Connection, loaded: Loaded) -> Delivery:
    """Return where a post goes and who it mentions; raises Gone for one that would concern nobody."""
    row, league, kept = loaded.row, loaded.league, post_kinds.facts(loaded.row)
    mention = _mention(conn, league, row, kept, loaded.post.ping_ids)
    channel_id = address(conn, league, row)
    return Delivery(
        row=row,
        post=loaded.post,
        league=league,
        channel_id=channel_id,
        mention=replace(mention, people=mention.people[:MOST_MENTIONS]),
        explain=kept.explain,
        rest=mention.people[MOST_MENTIONS:],
        also=_also(conn, row, kept),
    )


def _also(conn: Connection, post: PostRow, kept: Facts) -> tuple[str, ...]:
    """Return what a player is told of their opponent besides, in a direct message that only they read."""
    if post.target is not Target.PERSON or post.person_id is None:
        return ()
    about = kept.matches if post.match_id is None else [post.match_id]
    return tuple(line for match in about for line in names_in_game.in_message(conn, match, post.person_id))


def perhaps_sent(conn: Connection, post_id: PostId) -> None:
    """Note that a post was perhaps sent, where its message couldn't be noted then."""
    deliveries.perhaps_sent(conn, post_id)


def nothing_to_say(conn: Connection, post_id: PostId, now: datetime) -> None:
    """Cancel a post there is nothing to say in any more.

    The time to answer a question in it begins all the same, where it can reach nobody in any form it was queued in.
    """
    failed_posts.drop(conn, post_id, now=now)
    post = outbox_rows.find(conn, post_id)
    if post is not None and post.sent_at is None and not post_failures.is_queued_elsewhere(conn, post):
        pending_questions.begin(conn, post, now)


def _mention(conn: Connection, league: LeagueRow, post: PostRow, kept: Facts, concerned: tuple[int, ...]) -> Mention:
    """Return those a new message notifies; raises Gone for one that would concern nobody."""
    kind = post_kinds.of(post)
    if post.message_id is not None:
        return Mention()
    if post.person_id is not None:
        off = notify.wanting(conn, league.id, [post.person_id], kind.topic, How.OFF)
        if post.person_id not in concerned or post.person_id in off:
            raise Gone
        return Mention(people=() if post.target is Target.PERSON else (post.person_id,))
    if kind == THREAD or kept.quiet:
        return Mention()  # another post has notified the players; to a thread they are added
    if kind.for_moderators:
        alone = kind.to is Readers.ORGANISERS or kept.organisers_alone
        if alone and league.organiser_role_id is not None:
            return Mention(roles=(league.organiser_role_id,))
        return moderators_of(league, organisers=kept.organisers)
    off = notify.wanting(conn, league.id, concerned, kind.topic, How.OFF)
    others, only = {*off, *kept.direct}, set(concerned if kept.only is None else kept.only)
    people = tuple(person for person in concerned if person not in others and person in only)
    if (kind.personal or kept.only is not None) and not people:
        raise Gone
    return Mention(people=people)


def moderators_of(league: LeagueRow, *, organisers: bool = False) -> Mention:
    """Return the role of a league's moderators, and of its organisers if they are meant too or there is no other.

    Without any role it's the person who created the league.
    """
    moderators, more = league.moderator_role_id, league.organiser_role_id
    roles = (moderators, more) if organisers or moderators is None else (moderators,)
    roles_known = tuple(dict.fromkeys(role for role in roles if role is not None))
    if roles_known:
        return Mention(roles=roles_known)
    return Mention(people=() if league.created_by is None else (league.created_by,))


def sent(
    conn: Connection,
    post_id: PostId,
    *,
    now: datetime,
    channel_id: int,
    message_id: int,
    version: int,
    rest: tuple[int, ...] = (),
) -> bool:
    """Note that a message now shows `version`, the post's `wanted` when its facts were read.

    Another message like it is queued for the people it had no room to mention. Posts that failed for the same
    reason as this one are due again: the reason is gone. Returns whether more may be due.
    """
    post = outbox_rows.find(conn, post_id)
    if post is None:  # its league was deleted while it was sent
        return False
    deliveries.sent(conn, post_id, now=now, channel_id=channel_id, message_id=message_id, version=version)
    if post.failed_at is not None:
        failed_posts.bring_back_alike(conn, post, now=now)
    if post.attempts:
        failed_posts.update_notes(conn, post.league_id, now)
    if post.sent_at is None:
        pending_questions.begin(conn, post, now)
        if post.target is Target.PERSON and post.person_id is not None:
            notify.got_through(conn, post.league_id, post.person_id)
    if rest and not post.removed:
        post_failures.add_another(conn, post, only=rest, now=now)
    return post.wanted > version or post.attempts > 0 or bool(rest)


def lost(conn: Connection, post_id: PostId) -> PostRow:
    """Note that Discord says a post's message is gone, before another is sent; returns the post as it is kept now."""
    post_failures.lost(conn, post_id)
    return outbox_rows.get(conn, post_id)


def deleted(conn: Connection, post_id: PostId, now: datetime) -> bool:
    """Note that a message is deleted; posts that failed for the same reason are due again: it's gone.

    Returns whether more may be due.
    """
    post = deliveries.removed(conn, post_id)
    if post is None or post.failed_at is None:
        return False
    failed_posts.bring_back_alike(conn, post, now=now)
    failed_posts.update_notes(conn, post.league_id, now)
    return True


def removed(conn: Connection, post_id: PostId) -> None:
    """Note that nothing is left to do with a message."""
    deliveries.removed(conn, post_id)


def refused(conn: Connection, post_id: PostId, now: datetime) -> None:
    """Mention a person in the channel instead, because they take no direct messages or blocked the bot.

    The first time this is explained. A direct message that exists stays as it is.
    """
    post = outbox_rows.find(conn, post_id)
    if post is None:
        return
    if post.removed:  # what they were perhaps sent can't be found
        deliveries.removed(conn, post_id)
        return
    if post.message_id is not None or post.person_id is None:
        outbox_rows.drop(conn, post_id)
        return
    explain = notify.explain_refusal(conn, post.league_id, post.person_id, now)
    channel = Target.MODERATION if post_kinds.of(post).for_moderators else Target.LEAGUE
    facts = written(replace(post_kinds.facts(post), explain=explain))
    outbox_rows.send_elsewhere(conn, post, now=now, target=channel, facts=facts)


def failed(
    conn: Connection,
    post_id: PostId,
    *,
    now: datetime,
    problem: str,
    retry_at: datetime | None,
    channel_closed: bool = True,
) -> None:
    """Note why a post failed, in words for organisers; without `retry_at` it is failed and they are told.

    They are told in the other channel where this one is closed.
    """
    if retry_at is None:
        failed_posts.fail(conn, post_id, problem, now=now, channel_closed=channel_closed)
    else:
        deliveries.failed(conn, post_id, problem, now, retry_at)
