"""Promised posts as messages: which kind is rendered where, and plain notices."""

from dataclasses import replace

from bot.services.base import post_kinds
from bot.services.base.notices import NOTICE, STUCK, THREAD_OVER, WITHDRAWN, NoticePost
from bot.services.base.post_kinds import Facts, PostKind
from bot.services.delivery.delivery import Delivery
from cogs.lists import list_cards
from cogs.play import decisions, disputes, reports, round_card
from cogs.players import drops, staying
from cogs.problems import problems, settling
from cogs.reads import board, champion, inbox, news
from cogs.seasons import pause
from cogs.seats import linking, moving_up
from cogs.signups import questions
from cogs.threads import opening
from cogs.ties import ties
from cogs.times import time_cards
from cogs.ui.cards import Answer, card, texts_of
from cogs.ui.context import Host
from cogs.ui.posts import DRAWN, RENDERED, renders
from cogs.ui.text import pings, shown, when, with_commands
from storage.posts import Target


@renders(NOTICE, STUCK, WITHDRAWN, THREAD_OVER)
def notice(facts: NoticePost) -> Answer:
    """Return a plain fact, or what replaces a post that was taken back."""
    until = [] if facts.until is None else [f"Play by {when(facts.until)}."]
    return card(shown(facts.league.name), "\n".join([with_commands(facts.text), *until]))


SUBJECTS = (
    board,
    champion,
    decisions,
    disputes,
    drops,
    inbox,
    linking,
    list_cards,
    moving_up,
    news,
    opening,
    pause,
    problems,
    questions,
    reports,
    round_card,
    settling,
    staying,
    ties,
    time_cards,
)
"""Where posts are rendered, each beside the words and buttons of its subject."""
if wrong := set(post_kinds.every()) ^ RENDERED.keys():
    raise TypeError(f"kinds of posts without a renderer, or the other way round: {', '.join(sorted(wrong))}")


async def message(bot: Host, found: Delivery) -> Answer:
    """Return a post as it has to look now, with the line of people and roles a new message notifies."""
    kind, mention = post_kinds.of(found.post), found.mention
    answer = render(kind, found.facts)
    below = await DRAWN[kind](bot, found.facts) if kind in DRAWN else ()
    named = "\n".join(texts_of(answer.parts))
    # A text that mentions people where it tells of them needs no second mention above.
    lead = [pings([person for person in mention.people if f"<@{person}>" not in named], mention.roles)]
    if found.post.target is Target.PERSON:
        lead.append(f"-# {shown(found.league.name)} · <#{found.league.channel_id}>")
    if found.explain:
        lead.append("-# Your direct messages are closed, so you're mentioned here instead. Change that with `/notify`.")
    text = "\n".join(part for part in (*lead, answer.text) if part)
    return replace(answer, text=text, parts=(*answer.parts, *below), ping_ids=mention.people, role_ids=mention.roles)


def render(kind: PostKind, facts: Facts) -> Answer:
    """Return a post as it has to look now, without its pictures."""
    return RENDERED[kind](facts)
