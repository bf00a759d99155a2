"""What the announcer reads and notes: what is owed now, what it has to show, and how it went."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, NotFound
from bot.services.act import Act
from bot.services.outbox import content
from bot.services.outbox.addresses import address, channel_of, unpark
from bot.services.outbox.gone import Gone
from bot.services.outbox.kinds import PostFacts
from bot.services.outbox.post_kinds import FOR_MODERATORS, FOR_ORGANISERS, PERSONAL, PostKind, topic_of
from bot.services.outbox.promises import owe
from bot.services.permissions import Actor, belongs
from bot.services.problems import answering
from bot.services.results import unanswered
from bot.services.signups import free_places
from bot.worker import Worker
from storage.database import Connection, Database
from storage.posts import PostId, PostRow, PostState, Target
from storage.rows import LeagueRow
from storage.tables import leagues, notify, outbox, seasons
from storage.tables.notify import How

DIRECT = 0
"""The lane of all direct messages: Discord limits how fast a bot may open those."""
Lane = tuple[int, str]
"""A channel and what is done there: an edit or a thread that Discord slows down holds up no new post."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """The people and roles a new message notifies, by their Discord ids."""

    people: tuple[int, ...] = ()
    roles: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A post with what it shows now; a new message goes to `channel_id`, one that exists stays where it is.

    One for a person who takes no direct messages mentions them in the channel; `explain` says so, the first time.
    """

    post: PostRow
    facts: PostFacts
    league: LeagueRow
    channel_id: int
    mention: Mention
    explain: bool = False


async def due(db: Database, now: datetime, limit: int = 20) -> dict[Lane, list[PostRow]]:
    """Return what has to be sent or edited now, for each lane, oldest first."""
    lanes: dict[Lane, list[PostRow]] = {}
    async with db.snapshot() as conn:
        for post in await outbox.due(conn, now, limit):
            lanes.setdefault(await _lane(conn, post), []).append(post)
    return lanes


async def _lane(conn: Connection, post: PostRow) -> Lane:
    if post.target is Target.PERSON:
        return DIRECT, _work(post)
    return post.channel_id or await address(conn, await leagues.get(conn, post.league_id), post), _work(post)


def _work(post: PostRow) -> str:
    if post.message_id is not None:
        return "edit"
    return "make a thread" if post.kind == PostKind.THREAD else "send"


async def load(db: Database, post_id: PostId, now: datetime, worker: Worker | None = None) -> Delivery | None:
    """Return a post as it has to look now; None where it isn't owed any more, or there is nothing to say.

    Without a worker nobody's chances are worked out.
    """
    try:
        async with db.snapshot() as conn:
            post = await outbox.find(conn, post_id)
            if post is None or post.state is not PostState.DUE:
                return None
            league = await leagues.get(conn, post.league_id)
            facts = await content.load(conn, post, now)
        facts = await content.complete(facts, worker)
        async with db.snapshot() as conn:
            mention = await _mention(conn, league, post, getattr(facts, "ping_ids", ()))
            channel_id = await address(conn, league, post)
        explain = post.facts.get("explain", False)
        return Delivery(post=post, facts=facts, league=league, channel_id=channel_id, mention=mention, explain=explain)
    except Gone:
        async with db.transaction() as conn:
            await outbox.drop(conn, post_id)
        return None


async def _mention(conn: Connection, league: LeagueRow, post: PostRow, concerned: tuple[int, ...]) -> Mention:
    """Return those a new message notifies; raises Gone for one that would concern nobody."""
    kind = PostKind(post.kind)
    if post.message_id is not None:
        return Mention()
    if post.person_id is not None:
        if post.person_id not in concerned:
            raise Gone
        return Mention(people=() if post.target is Target.PERSON else (post.person_id,))
    if kind is PostKind.THREAD:
        return Mention(people=concerned)  # a thread shows up in the list of those it mentions
    if kind in FOR_MODERATORS:
        return moderators_of(league, organisers=kind in FOR_ORGANISERS or post.facts.get("organisers", False))
    off = await notify.wanting(conn, league.id, concerned, topic_of(kind), How.OFF)
    people = tuple(person for person in concerned if person not in {*off, *post.facts.get("direct", ())})
    if kind in PERSONAL and not people:
        raise Gone
    return Mention(people=people)


def moderators_of(league: LeagueRow, *, organisers: bool = False) -> Mention:
    """Return the role of a league's moderators, and of its organisers if they are meant too or there is no other.

    Without any role it's the person who created the league.
    """
    moderators, more = league.moderator_role_id, league.organiser_role_id
    roles = (moderators, more) if organisers or moderators is None else (moderators,)
    known = tuple(dict.fromkeys(role for role in roles if role is not None))
    if known:
        return Mention(roles=known)
    return Mention(people=() if league.created_by is None else (league.created_by,))


async def sent(db: Database, post_id: PostId, *, now: datetime, channel_id: int, message_id: int, version: int) -> None:
    """Note that a message now shows `version`, the post's `wanted` when its facts were read."""
    async with db.transaction() as conn:
        post = await outbox.find(conn, post_id)
        if post is None:  # its league was deleted while it was sent
            return
        await outbox.sent(conn, post_id, now=now, channel_id=channel_id, message_id=message_id, version=version)
        if post.problem is not None and post.season_id is not None:
            await outbox.touch(conn, PostKind.TROUBLE, now=now, season_id=post.season_id)
        if post.sent_at is None and (follows := WHEN_SENT.get(PostKind(post.kind))) is not None:
            await follows(conn, post, now)


WHEN_SENT: dict[PostKind, Callable[[Connection, PostRow, datetime], Awaitable[None]]] = {
    PostKind.QUESTION: unanswered.begin,
    PostKind.PLACE: free_places.begin,
    PostKind.PROBLEM: answering.begin,
}
"""What begins once people have been told, as the time they have to answer does."""


async def removed(db: Database, post_id: PostId) -> None:
    """Note that a message is deleted."""
    async with db.transaction() as conn:
        await outbox.removed(conn, post_id)


async def refused(db: Database, post_id: PostId, now: datetime) -> None:
    """Mention a person in the channel instead, because they take no direct messages; the first time this is explained.

    A direct message that exists stays as it is.
    """
    async with db.transaction() as conn:
        post = await outbox.find(conn, post_id)
        if post is None:
            return
        if post.message_id is not None or post.person_id is None:
            await outbox.drop(conn, post_id)
            return
        explain = await notify.explain_refusal(conn, post.league_id, post.person_id, now)
        channel = Target.MODERATION if PostKind(post.kind) in FOR_MODERATORS else Target.LEAGUE
        await outbox.readdress(conn, post_id, target=channel, facts={**post.facts, "explain": explain})


async def failed(
    db: Database,
    post_id: PostId,
    *,
    now: datetime,
    problem: str,
    retry_at: datetime | None,
    channel_closed: bool = True,
) -> None:
    """Note why a post failed, in words for organisers; without `retry_at` it is parked and they are told.

    They are told in the other channel where this one is closed.
    """
    async with db.transaction() as conn:
        post = await outbox.find(conn, post_id)
        if post is None or post.state is not PostState.DUE:
            return
        await outbox.failed(conn, post_id, problem=problem, retry_at=retry_at)
        if retry_at is None:
            await tell_of_trouble(conn, post, now, channel_closed=channel_closed)
            if post.kind == PostKind.THREAD:
                await outbox.park_alike(conn, post, problem)


async def tell_of_trouble(conn: Connection, post: PostRow, now: datetime, *, channel_closed: bool) -> None:
    """Tell the organisers once for all posts of a channel; nobody is told of trouble with such a notice."""
    league = await leagues.get(conn, post.league_id)
    target = Target.LEAGUE if channel_closed and post.target is Target.MODERATION else Target.MODERATION
    unreadable = channel_closed and channel_of(league, target) == channel_of(league, post.target)
    known = [
        other
        for other in await outbox.parked(conn, league.id)
        if other.id != post.id and other.target is post.target and other.kind != PostKind.TROUBLE
        if (other.kind == PostKind.THREAD) == (post.kind == PostKind.THREAD)
    ]
    if post.kind == PostKind.TROUBLE or unreadable or known:
        return
    about = league if post.season_id is None else await seasons.get(conn, post.season_id)
    await owe(conn, PostKind.TROUBLE, about, now=now, target=target, post_id=post.id)


async def retry(db: Database, *, actor: Actor, now: datetime, post_id: int) -> None:
    """Try a parked post and all that wait for the same channel again, as a moderator asked.

    Raises NotFound, NotAllowed and Conflict.
    """
    async with db.transaction() as conn:
        post = await outbox.find(conn, post_id)
        league = None if post is None else await leagues.get(conn, post.league_id)
        if post is None or league is None or not belongs(league, actor):
            raise NotFound("There's no such post here. /disputes lists the posts that couldn't be made.")
        season = None if post.season_id is None else await seasons.get(conn, post.season_id)
        do = Act(conn=conn, actor=actor, league=league, found=season, now=now)
        do.moderator()
        if post.state is not PostState.PARKED:
            raise Conflict("That post isn't missing any more. /disputes lists the posts that couldn't be made.")
        await unpark(conn, league, now=now, target=post.target)
        await do.note("post.retry", post.key, before={"problem": post.problem})


async def try_again(db: Database, *, guild_id: int, now: datetime) -> None:
    """Try every parked post of a guild's leagues again: the bot may see its channels now."""
    async with db.transaction() as conn:
        for league in await leagues.of_guild(conn, guild_id):
            await unpark(conn, league, now=now)
