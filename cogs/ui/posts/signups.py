"""What players are asked before they play: whether they take a free place, whether they're still in."""

from bot.services.signups.places import PlacePost
from bot.services.signups.signing_up import missed_rounds
from cogs.ui.actions import PLACE
from cogs.ui.buttons import SUCCESS, ActionButton
from cogs.ui.cards import AMBER
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer
from cogs.ui.text import shown, when
from storage.tables.waitlist import WaitingId


def place(facts: PlacePost) -> Answer:
    """Return the question to the first who waits whether they take a free place."""
    number, cost = facts.season.number, missed_rounds(facts.first)
    text = f"A place in season {number} is free, and you're next. Do you take it?{f' {cost}' if cost else ''}"
    title = f"{shown(facts.league.name)}: a place for {shown(facts.waiting.name)}"
    until = f"Without an answer it goes to the next {when(facts.until)}."
    return card(title, f"{text}\n{until}", buttons=place_buttons(facts.waiting.id, facts.first), colour=AMBER)


def place_buttons(waiting: WaitingId, first: int, label: str = "Take the place") -> tuple[ActionButton, ...]:
    """Return what someone who waits can answer; `first` is the first round they know they would play."""
    take = PLACE.button(label, waiting, extra=f"take:{first}", style=SUCCESS)
    return (take, PLACE.button("No thanks", waiting, extra="no"))
