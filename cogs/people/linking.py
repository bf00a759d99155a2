"""A new Discord account for a player, asked first and answered by that account; or none, where it was a wrong one."""

import discord

from bot.services.people import linking
from bot.services.people.linking import LINK, Account, LinkPost
from bot.services.signups import claim_answers
from cogs.ui.actions import Press, yes_or_no
from cogs.ui.cards import Answer, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller
from cogs.ui.options.names import PlayerName
from cogs.ui.posts import renders
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.tables.people.players import LinkId


class Linking(LeagueCog):
    """New accounts of players."""

    @command("player", user="Their new account, which has to accept; left out, a wrong one is taken off")
    async def link(self, asker: Caller, player: PlayerName, user: discord.User | None = None) -> Reply:
        """Give a player a new Discord account, or none (organisers, or from your old account)."""
        if user is None:
            return await take_account_off(asker, player)
        return await ask_to_link(asker, player, Account(discord_id=user.id, name=user.display_name, is_bot=user.bot))


@with_confirmation("ask-link", "A new account for this player?", yes="Ask them", no="Keep the old account")
async def ask_to_link(asker: Caller, player: str, account: Account, *, agreed: str = "") -> str:
    """Ask an account whether it is a player, once this person has agreed to what it means."""
    done = await asker.write(linking.propose, player=player, account=account, agreed=agreed)
    return f"{shown(account.name)} is asked in the league's channel if they are {shown(done.name)}."


@with_confirmation("unlink", "Take the account off this player?", yes="Take it off", no="Keep it")
async def take_account_off(asker: Caller, player: str, *, agreed: str = "") -> str:
    """Take a wrong account off someone who came with an import, once an organiser has agreed to what it means."""
    done = await asker.write(claim_answers.unlink, player=player, agreed=agreed)
    return f"{shown(done.name)} has no Discord account any more."


@yes_or_no("link")
async def link_account(press: Press, yes: bool, link: LinkId) -> Reply:
    """Link the account of the person who presses, or don't."""
    player = await press.who.write(linking.answer, link=link, accept=yes)
    if not yes:
        return Answer(text="Thanks. Nothing was changed.")
    return Answer(text=f"You play as **{shown(player.name)}** now. `/match` shows where you stand.")


@renders(LINK)
def link(post: LinkPost) -> Answer:
    """Return the question whether a new account is a player, or its answer."""
    player, league = shown(post.player.name), shown(post.league.name)
    if post.link.ended_at is not None:
        return card(league, _ended(post))
    text = f"Are you **{player}**? Then their results, rating and open matches become yours."
    return card(league, text, buttons=link_account(post.link.id).buttons("That's me", "Not me"))


def _ended(post: LinkPost) -> str:
    player, other = shown(post.player.name), shown(post.other or "")
    if post.link.accepted is not None:
        return (
            f"✅ {player} plays with this account now." if post.link.accepted else "They said no. Nothing was changed."
        )
    if other:
        return f"This account plays as {other} in this league. If both are you, ask an organiser to merge them."
    return "This isn't asked any more."
