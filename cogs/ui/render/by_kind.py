"""Promised posts as messages: which kind is rendered where."""

from collections.abc import Callable
from typing import Any

from bot.services.outbox.kinds import PostFacts
from bot.services.outbox.promises import PostKind
from cogs.ui.render import matches, rounds, seasons, ties
from cogs.ui.replies import Answer

_RENDERINGS: dict[PostKind, Callable[[Any], Answer]] = {
    PostKind.SIGNUP: seasons.signup,
    PostKind.START: seasons.start,
    PostKind.ROUND: rounds.round_post,
    PostKind.MATCH: matches.match,
    PostKind.REMINDER: rounds.reminder_post,
    PostKind.DISPUTE: matches.dispute,
    PostKind.OVERDUE: rounds.overdue_post,
    PostKind.DECISION: matches.decision,
    PostKind.REJOIN: seasons.rejoin,
    PostKind.NOTICE: seasons.notice,
    PostKind.CHAMPION: seasons.champion,
    PostKind.TROUBLE: seasons.trouble,
    PostKind.WITHDRAWN: seasons.notice,
    PostKind.TIE: ties.tie,
    PostKind.TIE_MATCH: ties.tie_match,
    PostKind.CLOCK: rounds.clock_post,
}


def render(kind: PostKind, facts: PostFacts) -> Answer:
    """Return a post as it has to look now."""
    return _RENDERINGS[kind](facts)
