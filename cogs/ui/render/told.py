"""What single people are told and asked, in new messages that mention them."""

from bot.services.delivery.kinds import InvitationPost, QuestionPost
from cogs.ui.actions import CONFIRM, DISPUTE, JOIN
from cogs.ui.buttons import DANGER, SUCCESS
from cogs.ui.cards import AMBER
from cogs.ui.render.result_words import over_you
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer
from cogs.ui.text import shown, when


def question(facts: QuestionPost) -> Answer:
    """Return the question whether a report is right, for the opponent."""
    buttons = (
        CONFIRM.button("Confirm", facts.view, style=SUCCESS),
        DISPUTE.button("Dispute", facts.view, style=DANGER),
    )
    said = facts.view.reports[-1]
    who = shown(facts.view.side(said.entrant_id).called)
    text = f"**{who}** reported {over_you(said)}. Is that right?\nWithout an answer it counts {when(facts.counts_at)}."
    return card(shown(facts.view.label), text, buttons=buttons, colour=AMBER)


def invitation(facts: InvitationPost) -> Answer:
    """Return the invitation of players who played before."""
    text = f"Sign-ups for season {facts.season.number} are open. Press **Join** to play again."
    return card(shown(facts.league.name), text, buttons=(JOIN.button("Join", facts.league.id, style=SUCCESS),))
