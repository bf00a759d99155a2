"""The matches of which nobody has heard by half of their round, for the moderators."""

from bot.league.phases import RoundPhase
from bot.services.times.time_posts import UnscheduledPost
from cogs.ui.render.match_rows import name
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer
from cogs.ui.text import pages, shown, when


def unscheduled_post(facts: UnscheduledPost) -> Answer:
    """Return what moderators can ask about while there's time."""
    view = facts.view
    title = f"{shown(view.league.name)}, {view.round.words}: nothing proposed or reported"
    if view.round.phase is not RoundPhase.OPEN:
        return card(title, "The round is over.")
    if not view.matches:
        return card(title, "✅ Something has happened in every match.")
    head = f"Half of the round is over; it ends {when(view.round.deadline)}. Ask these players what keeps them:"
    lines = [f"• {' v '.join(name(side) for side in match.sides)}" for match in view.matches]
    return card(title, pages([head, *lines])[0])
