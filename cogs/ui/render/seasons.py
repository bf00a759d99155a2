"""Seasons as posts: requests, notices and missing posts."""

from bot.league.season.phases import PLAYING
from bot.services.base.post_kinds import PostKind
from bot.services.delivery.kinds import NoticePost, RejoinPost, TroublePost
from bot.services.problems.staying import WHY, StayPost
from bot.services.seats.linking import LinkPost
from cogs.ui.actions import LINK, REJOIN, RETRY, STAY
from cogs.ui.buttons import DANGER, PRIMARY, SUCCESS, ActionButton
from cogs.ui.render.tables import card, mention
from cogs.ui.replies import Answer
from cogs.ui.text import cut, shown, when, with_commands
from storage.tables.memberships import StayAnswer, StayId


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


def staying(facts: StayPost) -> Answer:
    """Return the question whether a player stays, for organisers, or how it was settled."""
    who = mention(facts.player.discord_id, facts.player.called)
    title = f"{shown(facts.league.name)}, season {facts.season.number}: does {shown(facts.player.called)} stay?"
    if facts.stay.how is not None:
        return card(title, f"✅ {who} {_STAYS[facts.stay.how]}.")
    if not facts.player.active:
        return card(title, f"{who} has left the season.")
    if not facts.cost:
        return card(title, "The season is over.")
    text = f"{who} {WHY[facts.stay.reason]}. Nothing happens until you decide, and pairing doesn't wait."
    costs = f"**Stays**: they're paired as before.\n**Leaves**: {with_commands(facts.cost)}"
    return card(title, f"{text}\n{costs}", buttons=stay_buttons(facts.stay.id, facts.player.called))


_STAYS = {StayAnswer.STAYS: "stays in the season", StayAnswer.BACK: "is back on the server"}


def stay_buttons(stay_id: StayId, name: str) -> tuple[ActionButton, ...]:
    """Return what organisers can answer to the question whether a player stays."""
    return (
        STAY.button(f"{cut(name, 40)} stays", stay_id, extra="keep", style=SUCCESS),
        STAY.button(f"{cut(name, 40)} leaves the season", stay_id, extra="drop", style=DANGER),
    )


def link(facts: LinkPost) -> Answer:
    """Return the question whether a new account is a player, or its answer."""
    player, league = shown(facts.player.name), shown(facts.league.name)
    if facts.link.ended_at is not None:
        done = {True: f"✅ {player} plays with this account now.", False: "They said no. Nothing was changed."}
        return card(league, done.get(bool(facts.link.accepted), "") if facts.link.accepted is not None else _REPLACED)
    text = f"Are you **{player}**? Then their results, rating and open matches become yours."
    yes = LINK.button("That's me", facts.link.id, extra="yes", style=SUCCESS)
    return card(league, text, buttons=(yes, LINK.button("Not me", facts.link.id, extra="no")))


_REPLACED = "Another account was asked instead."


def notice(facts: NoticePost) -> Answer:
    """Return a plain fact, or what replaces a post that was taken back."""
    until = [] if facts.until is None else [f"Play by {when(facts.until)}."]
    return card(shown(facts.league.name), "\n".join([with_commands(facts.text), *until]))


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
