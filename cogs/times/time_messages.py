"""Messages about the time of a match: proposed, agreed, soon."""

from bot.services.matches.views import MatchView
from bot.services.times.time_posts import AgreedPost, TimesPost
from cogs.matches.words import name
from cogs.times.on_card import accept_buttons, numbered, own_clocks, propose_button
from cogs.ui.cards import AMBER, GREEN, Answer, card
from cogs.ui.text import shown, when


def times_post(facts: TimesPost) -> Answer:
    """Return proposed times for the opponent, or what became of them."""
    view, row = facts.view, facts.proposal
    by = name(view.side(row.entrant_id))
    if row.answer is not None:
        return card(shown(view.label), f"{by} has proposed other times since. /match shows what counts.")
    title = f"{by} proposes {'a time' if len(row.starts) == 1 else 'times'}"
    text = f"{_where(view)}\n{numbered(row.moments)}\n{name(facts.opponent)}, press the one you can make."
    return card(title, text, buttons=accept_buttons(view, row, facts.them), colour=AMBER)


def agreed_post(facts: AgreedPost) -> Answer:
    """Return the time two players agreed on."""
    return _told(facts, f"🗓 Agreed: {name(facts.view.upper)} v {name(facts.view.lower)}")


def reminder_post(facts: AgreedPost) -> Answer:
    """Return the reminder of an agreed time."""
    return _told(facts, f"🗓 Soon: {name(facts.view.upper)} v {name(facts.view.lower)}")


def _told(facts: AgreedPost, title: str) -> Answer:
    view = facts.view
    lines = [_where(view), when(facts.start), *own_clocks(view, facts.start, facts.people)]
    return card(title, "\n".join(lines), buttons=(propose_button(view),), colour=GREEN)


def _where(view: MatchView) -> str:
    return f"{shown(view.league.name)}, season {view.season.number}, {view.place}"
