"""A new Discord account for a player: asked first, then answered by that account."""

from dataclasses import replace

from bot.services.base.asking import AskFirst
from bot.services.seats import linking
from bot.services.seats.linking import Account, LinkPost
from cogs.ui.actions import ASK_LINK, CANCEL, LINK
from cogs.ui.buttons import DANGER, SUCCESS, Press
from cogs.ui.cards import Answer, card
from cogs.ui.context import Caller
from cogs.ui.kept import KEY, keep, kept
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueId
from storage.tables.links import LinkId


async def ask_to_link(who: Caller, player: str, account: Account, *, agreed: str = "") -> Answer:
    """Ask first what a new account for a player means, then ask that account."""
    try:
        done = await who.do(linking.propose, player=player, account=account, agreed=agreed)
    except AskFirst as question:
        extra = f"{question.token}:{keep({'player': player, 'account': account})}"
        yes = ASK_LINK.button("Ask them", who.league_id, extra=extra, style=DANGER)
        buttons = (yes, CANCEL.button("Keep the old account", 0))
        return card("A new account for this player?", shown(question.cost), buttons=buttons)
    return Answer(text=f"{shown(account.name)} is asked in the league's channel if they are {shown(done.name)}.")


@ASK_LINK
async def linking_agreed(press: Press[LeagueId]) -> Reply:
    """Ask the new account, once this person has agreed to what it means."""
    agreed, key = press.parts(f"([0-9a-f]{{16}}):({KEY})")
    who = press.who.of(press.subject)
    return replace(await ask_to_link(who, **kept(key), agreed=agreed), replace=True)


@LINK
async def link_answered(press: Press[LinkId]) -> Reply:
    """Link the account of the person who presses, or don't."""
    (said,) = press.parts("(yes|no)")
    player = await press.who.do(linking.answer, link=press.subject, accept=said == "yes")
    if said == "no":
        return Answer(text="Thanks. Nothing was changed.")
    return Answer(text=f"You play as **{shown(player.name)}** now. `/match` shows where you stand.")


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
