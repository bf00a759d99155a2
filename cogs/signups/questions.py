"""What players are asked before they play: to join, to take a free place, to say that they are still in."""

from dataclasses import replace

from bot.services.seasons.invitations import INVITATION, InvitationPost
from bot.services.signups.check_in import CHECK_IN, CheckInPost
from bot.services.signups.free_places import PLACE, PlacePost
from bot.services.signups.signing_up import missed_rounds
from cogs.signups.signup import join, stay_in, take_place
from cogs.ui.actions import SUCCESS, Action
from cogs.ui.cards import AMBER, BESIDE_MENTIONS, Answer, Attached, card
from cogs.ui.posts import renders
from cogs.ui.text import count, shown, when
from storage.rows import LeagueId

WAYS_OUT: list[Action[[LeagueId]]] = []
"""What **Leave** does beside the question whether someone is still in; filled by `cogs.wiring`."""


@renders(PLACE)
def place(facts: PlacePost) -> Answer:
    """Return the question whether the first player on the waiting list takes a free place."""
    number, cost = facts.season.number, missed_rounds(facts.first)
    text = f"A place in season {number} is free, and you're next. Do you want it?{f' {cost}' if cost else ''}"
    title = f"{shown(facts.league.name)}: a place for {shown(facts.waiting.name)}"
    until = f"Without an answer it goes to the next player {when(facts.until)}."
    return card(
        title,
        f"{text}\n{until}",
        buttons=take_place(facts.waiting.id, facts.first).buttons("Take the place", "No thanks"),
        colour=AMBER,
    )


@renders(CHECK_IN)
def check_in(facts: CheckInPost) -> Answer:
    """Return the question whether players are still in, with those who haven't said so."""
    number, waiting = facts.season.number, facts.waiting
    others = f"{count(waiting, 'player')} {'waits' if waiting == 1 else 'wait'} for a place." if waiting else ""
    names = [shown(who.name) for who in facts.silent]
    lines = [
        f"Still in? Press **I'm in** before sign-ups close {when(facts.season.signups_close)}.",
        f"{others} If you don't, your place can go to someone who waits for one.".strip(),
        _silent(facts),
    ]
    league = facts.league.id
    buttons = (stay_in(league).button("I'm in", SUCCESS), *(out(league).button("Leave") for out in WAYS_OUT))
    title = f"{shown(facts.league.name)}, season {number}: check-in"
    missing = f" Still missing: {', '.join(names)}" if names else ""
    if len(missing) <= BESIDE_MENTIONS - sum(map(len, lines)):
        return card(title, "\n".join([*lines[:2], lines[2] + missing]), buttons=buttons, colour=AMBER)
    made = card(title, "\n".join([*lines, "Everyone still missing is in the file."]), buttons=buttons, colour=AMBER)
    return replace(made, parts=(*made.parts, Attached("missing.txt", "\n".join(who.name for who in facts.silent))))


def _silent(facts: CheckInPost) -> str:
    if not facts.silent:
        return "✅ Everyone has checked in."
    return f"{facts.asked - len(facts.silent)} of {facts.asked} have checked in."


@renders(INVITATION)
def invitation(facts: InvitationPost) -> Answer:
    """Return the invitation of players who played before."""
    text = f"Sign-ups for season {facts.season.number} are open. Press **Join** to play again."
    return card(shown(facts.league.name), text, buttons=(join(facts.league.id).button("Join", SUCCESS),))
