"""Promised posts as messages: which kind is rendered where."""

from collections.abc import Callable
from typing import Any

from bot.services.outbox import kinds
from cogs.ui.render import matches, rounds, seasons, ties
from cogs.ui.replies import Answer

_RENDERINGS: dict[type[Any], Callable[[Any], Answer]] = {
    kinds.SignupPost: seasons.signup,
    kinds.StartPost: seasons.start,
    kinds.RoundPost: rounds.round_post,
    kinds.MatchPost: matches.match,
    kinds.ReminderPost: rounds.reminder_post,
    kinds.DisputePost: matches.dispute,
    kinds.OverduePost: rounds.overdue_post,
    kinds.DecisionPost: matches.decision,
    kinds.RejoinPost: seasons.rejoin,
    kinds.NoticePost: seasons.notice,
    kinds.ChampionPost: seasons.champion,
    kinds.TroublePost: seasons.trouble,
    kinds.WithdrawnPost: seasons.withdrawn,
    kinds.TiePost: ties.tie,
    kinds.TieMatchPost: ties.tie_match,
    kinds.ClockPost: rounds.clock_post,
}


def render(facts: kinds.PostFacts) -> Answer:
    """Return a post as it has to look now."""
    return _RENDERINGS[type(facts)](facts)
