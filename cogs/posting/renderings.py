"""Promised posts as messages: which kind is rendered where, and plain notices."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from bot.services.base.post_kinds import PostKind
from bot.services.delivery.delivery import Delivery
from bot.services.delivery.kinds import NoticePost, PostFacts
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
from cogs.ui.cards import Answer, Part, card, texts_of
from cogs.ui.context import Host
from cogs.ui.text import pings, shown, when, with_commands
from storage.posts import Target


def notice(facts: NoticePost) -> Answer:
    """Return a plain fact, or what replaces a post that was taken back."""
    until = [] if facts.until is None else [f"Play by {when(facts.until)}."]
    return card(shown(facts.league.name), "\n".join([with_commands(facts.text), *until]))


_RENDERINGS: dict[PostKind, Callable[[Any], Answer]] = {
    PostKind.BOARD: board.board,
    PostKind.SIGNUP: board.signup,
    PostKind.INVITATION: questions.invitation,
    PostKind.ROUND: round_card.round_post,
    PostKind.NEWS: news.news,
    PostKind.QUESTION: reports.question,
    PostKind.REMINDER: round_card.reminder_post,
    PostKind.WAITING: inbox.waiting,
    PostKind.DISPUTE: decisions.dispute,
    PostKind.DISPUTED: disputes.disputed_post,
    PostKind.OVERDUE: round_card.overdue_post,
    PostKind.DECISION: decisions.decision,
    PostKind.OPEN_AGAIN: decisions.open_again,
    PostKind.REJOIN: drops.rejoin,
    PostKind.NOTICE: notice,
    PostKind.STUCK: notice,
    PostKind.CHAMPION: champion.champion,
    PostKind.TROUBLE: inbox.trouble,
    PostKind.WITHDRAWN: notice,
    PostKind.TIE: ties.tie_post,
    PostKind.TIE_MATCH: ties.tie_match_post,
    PostKind.TIE_QUESTION: ties.tie_question_post,
    PostKind.CLOCK: round_card.clock_post,
    PostKind.PAUSE: pause.pause,
    PostKind.TIMES: time_cards.times_post,
    PostKind.AGREED: time_cards.agreed_post,
    PostKind.TIME_REMINDER: time_cards.reminder_post,
    PostKind.PLACE: questions.place,
    PostKind.MOVING_UP: moving_up.moving_up,
    PostKind.CHECK_IN: questions.check_in,
    PostKind.SEALS: list_cards.seals,
    PostKind.LISTS_MISSING: list_cards.missing,
    PostKind.THREAD: opening.opening,
    PostKind.THREAD_OVER: notice,
    PostKind.PROBLEM: problems.question_post,
    PostKind.ANSWERED: problems.answered,
    PostKind.CLAIM: settling.claim_post,
    PostKind.STAYING: staying.stays,
    PostKind.LINK: linking.link,
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
