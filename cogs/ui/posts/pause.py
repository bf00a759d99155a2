"""A pause as its players read it."""

from bot.services.seasons.pausing import PausePost
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer
from cogs.ui.text import shown, when
from storage.rows import SeasonRow


def pause(facts: PausePost) -> Answer:
    """Return the news of a pause, or of its early end."""
    league, number = shown(facts.league.name), facts.season.number
    row = facts.round
    deadline = "" if row is None else f"\nThe deadline of {row.words} is now {when(row.deadline)}."
    if facts.season.paused_until is None:
        return card(f"{league}: season {number} goes on", f"The pause is over.{deadline}")
    keep = "Times you agreed on stay. Reports still need an answer; other questions wait longer."
    return card(f"{league}: season {number} is paused", f"{paused_until(facts.season)}{deadline}\n{keep}")


def paused_until(season: SeasonRow) -> str:
    """Return until when a season is paused, and what that means; nothing where it isn't."""
    if season.paused_until is None:
        return ""
    return f"⏸️ **Paused until** {when(season.paused_until)}. No new round is posted before then."
