"""Seasons as posts: requests, notices and missing posts."""

from bot.league.phases import PLAYING
from bot.services.outbox.kinds import NoticePost, RejoinPost, TroublePost
from bot.services.outbox.promises import PostKind
from cogs.ui.actions import REJOIN, RETRY
from cogs.ui.buttons import DANGER, PRIMARY, SUCCESS, ActionButton
from cogs.ui.render.tables import card, mention
from cogs.ui.replies import Answer
from cogs.ui.text import shown, with_commands


def rejoin(facts: RejoinPost) -> Answer:
    """Return a player's request to come back, or its answer."""
    who = mention(facts.player.discord_id, facts.player.called)
    title = f"{shown(facts.league.name)}, season {facts.season.number}: {shown(facts.player.name)} asks to come back"
    if facts.request.accepted is not None:
        return card(title, f"{who}: {'accepted' if facts.request.accepted else 'refused'}.")
    if facts.season.phase not in PLAYING:
        return card(title, "The season is over.")
    buttons = rejoin_buttons(facts.request.id)
    text = f"{who} dropped out and asks to come back. Missed rounds count as losses."
    return card(title, text, buttons=buttons)


def rejoin_buttons(request_id: int, name: str = "") -> tuple[ActionButton, ...]:
    """Return what organisers can answer a request to come back; with a name where there are several."""
    return (
        REJOIN.button(f"Accept {name}".strip(), request_id, extra="accept", style=SUCCESS),
        REJOIN.button(f"Refuse {name}".strip(), request_id, extra="refuse", style=DANGER),
    )


def notice(facts: NoticePost) -> Answer:
    """Return a plain fact, or what replaces a post that was taken back."""
    return card(shown(facts.league.name), with_commands(facts.text))


def trouble(facts: TroublePost) -> Answer:
    """Return a note that a post is missing, or that it is there now."""
    league = shown(facts.league.name)
    if facts.fixed:
        return card(f"{league}: fixed", "✅ The missing post is there now.")
    again = RETRY.button("Try again", facts.post.id, style=PRIMARY)
    problem, then = with_commands(facts.post.problem or ""), "Then press **Try again**."
    if facts.post.kind == PostKind.THREAD:
        return card(f"{league}: threads are missing", f"{problem}\n{then}", buttons=(again,))
    return card(f"{league}: a post is missing", f"A post couldn't be made. {problem}\n{then}", buttons=(again,))
