"""A promised post as a message: the line that mentions people, the one on closed direct messages, and plain notices."""

from dataclasses import replace

from bot.services.base import post_kinds
from bot.services.base.addresses import is_apart
from bot.services.base.outbox import NOTICE, OWN_PLACE, PAIRINGS_CHANGED, STUCK, THREAD_OVER, WITHDRAWN, NoticePost
from bot.services.base.post_kinds import AnyKind, Post
from bot.services.delivery.delivery import Delivery
from cogs.ui.cards import Answer, card, texts_of
from cogs.ui.context import Host
from cogs.ui.posts import DRAWN, RENDERED, renders
from cogs.ui.text import pings, shown, when, with_commands
from storage.posts import Target


@renders(NOTICE, OWN_PLACE, PAIRINGS_CHANGED, STUCK, WITHDRAWN, THREAD_OVER)
def notice(post: NoticePost) -> Answer:
    """Return a plain fact, or what replaces a post that was taken back."""
    until = [] if post.until is None else [f"Play by {when(post.until)}."]
    return card(shown(post.league.name), "\n".join([with_commands(post.text), *until]))


async def message(bot: Host, delivery: Delivery) -> Answer:
    """Return a post as it has to look now, with the line of people and roles a new message notifies."""
    kind, mention = post_kinds.of(delivery.row), delivery.mention
    answer = render(kind, delivery.post)
    below = await DRAWN[kind](bot, delivery.post) if kind in DRAWN else ()
    named = "\n".join(texts_of(answer.parts))
    # A text that mentions people where it tells of them needs no second mention above.
    lead = [pings([person for person in mention.people if f"<@{person}>" not in named], mention.roles)]
    if delivery.row.target is Target.PERSON or _needs_league(delivery, named):
        lead.append(f"-# {shown(delivery.league.name)} · <#{delivery.league.channel_id}>")
    if delivery.explain:
        lead.append("-# Your direct messages are closed, so you're mentioned here instead. Change that with `/notify`.")
    text = "\n".join(part for part in (*lead, answer.text) if part)
    also = ["\n".join(map(shown, delivery.also))] if delivery.also else []
    return replace(
        answer, text=text, parts=(*answer.parts, *also, *below), ping_ids=mention.people, role_ids=mention.roles
    )


def _needs_league(delivery: Delivery, named: str) -> bool:
    """Whether a post for moderators doesn't say of which league it is: several can share the moderators' channel."""
    apart = delivery.row.target is Target.MODERATION and is_apart(delivery.league, delivery.row)
    return apart and shown(delivery.league.name) not in named


def render(kind: AnyKind, post: Post) -> Answer:
    """Return a post as it has to look now, without its pictures."""
    return RENDERED[kind](post)
