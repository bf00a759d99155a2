"""The card with which the thread of a match opens, the same for both players and everyone who reads along."""

from bot.services.base.promises import THREAD
from bot.services.reads.thread_card import ThreadPost
from cogs.play.match_card import details_answer
from cogs.ui.cards import Answer
from cogs.ui.posts import renders


@renders(THREAD)
def opening(facts: ThreadPost) -> Answer:
    """Return a match's card in its thread, kept as the match is now."""
    return details_answer(facts.details)
