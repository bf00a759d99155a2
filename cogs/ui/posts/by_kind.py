"""Promised posts as messages: which kind is rendered where."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from bot.services.base.post_kinds import PostKind
from bot.services.delivery.delivery import Delivery
from bot.services.delivery.kinds import PostFacts
from cogs.ui.cards import Part, texts_of
from cogs.ui.context import Host
from cogs.ui.posts import board, champion, inbox, lists, news, pause, problems, signups, thread
from cogs.ui.render import matches, rounds, seasons, ties, told
from cogs.ui.render.tables import pings
from cogs.ui.replies import Answer
from cogs.ui.text import shown
from cogs.ui.times import posts
from storage.posts import Target

_RENDERINGS: dict[PostKind, Callable[[Any], Answer]] = {
    PostKind.BOARD: board.board,
    PostKind.SIGNUP: board.signup,
    PostKind.INVITATION: told.invitation,
    PostKind.ROUND: rounds.round_post,
    PostKind.NEWS: news.news,
    PostKind.QUESTION: told.question,
    PostKind.REMINDER: rounds.reminder_post,
    PostKind.WAITING: inbox.waiting,
    PostKind.DISPUTE: matches.dispute,
    PostKind.DISPUTED: matches.disputed,
    PostKind.OVERDUE: rounds.overdue_post,
    PostKind.DECISION: matches.decision,
    PostKind.OPEN_AGAIN: matches.open_again,
    PostKind.REJOIN: seasons.rejoin,
    PostKind.NOTICE: seasons.notice,
    PostKind.STUCK: seasons.notice,
    PostKind.CHAMPION: champion.champion,
    PostKind.TROUBLE: seasons.trouble,
    PostKind.WITHDRAWN: seasons.notice,
    PostKind.TIE: ties.tie,
    PostKind.TIE_MATCH: ties.tie_match,
    PostKind.TIE_QUESTION: ties.tie_question,
    PostKind.CLOCK: rounds.clock_post,
    PostKind.PAUSE: pause.pause,
    PostKind.TIMES: posts.times_post,
    PostKind.AGREED: posts.agreed_post,
    PostKind.TIME_REMINDER: posts.reminder_post,
    PostKind.PLACE: signups.place,
    PostKind.MOVING_UP: signups.moving_up,
    PostKind.CHECK_IN: signups.check_in,
    PostKind.SEALS: lists.seals,
    PostKind.LISTS_MISSING: lists.missing,
    PostKind.THREAD: thread.opening,
    PostKind.THREAD_OVER: seasons.notice,
    PostKind.PROBLEM: problems.question,
    PostKind.ANSWERED: problems.answered,
    PostKind.CLAIM: problems.claim_post,
    PostKind.STAYING: seasons.staying,
    PostKind.LINK: seasons.link,
}
_DRAWN: dict[PostKind, Callable[[Host, Any], Awaitable[tuple[Part, ...]]]] = {
    PostKind.BOARD: board.drawn_below,
    PostKind.CHAMPION: champion.drawn_below,
    PostKind.NEWS: news.drawn_below,
}
"""What the bot draws below the text of a post; where that fails, the text is shown alone."""


async def message(bot: Host, found: Delivery) -> Answer:
    """Return a post as it has to look now, with the line of people and roles a new message notifies."""
    kind, mention = PostKind(found.post.kind), found.mention
    answer = render(kind, found.facts)
    below = await _DRAWN[kind](bot, found.facts) if kind in _DRAWN else ()
    named = "\n".join(texts_of(answer.parts))
    # A text that mentions people where it tells of them needs no second mention above.
    lead = [pings([person for person in mention.people if f"<@{person}>" not in named], mention.roles)]
    if found.post.target is Target.PERSON:
        lead.append(f"-# {shown(found.league.name)} · <#{found.league.channel_id}>")
    if found.explain:
        lead.append("-# Your direct messages are closed, so you're mentioned here instead. Change that with `/notify`.")
    text = "\n".join(part for part in (*lead, answer.text) if part)
    return replace(answer, text=text, parts=(*answer.parts, *below), ping_ids=mention.people, role_ids=mention.roles)


def render(kind: PostKind, facts: PostFacts) -> Answer:
    """Return a post as it has to look now, without its pictures."""
    return _RENDERINGS[kind](facts)
