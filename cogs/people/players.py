"""What organisers do for a player: add, drop, disqualify, reinstate, rename, forget."""

from typing import Any

import discord

from bot.league.season.in_words import amount
from bot.services.base import find
from bot.services.people import forgetting, rejoining, removing, renaming
from bot.services.signups import signing_up
from cogs.people.drops import left
from cogs.ui.cards import Answer
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller
from cogs.ui.options.names import PlayerName
from cogs.ui.other_members import someone_else_is_called
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import shown, with_commands


class Players(LeagueCog):
    """Acting for a player; each act is in the audit log with its reason."""

    @command("player", user="Who", name="League name for a new player; the display name if left out")
    async def add(
        self, asker: Caller, user: discord.User, name: str | None = None, reason: Reason | None = None
    ) -> Reply:
        """Add a player to the season."""
        newcomer: dict[str, Any] = {"discord_id": user.id, "display_name": user.display_name, "is_bot": user.bot}
        done = await asker.enter(asker.live_season, signing_up.add, **newcomer, name=name, reason=reason)
        begin = "was already in the season" if done.already else f"is in season {done.season.number}"
        begin += f", and {user.mention} is their account now" if done.linked else ""
        late = f" {done.cost}" if done.cost and not done.already else ""
        return Answer(text=f"**{shown(done.entrant.name)}** {begin}; {amount(done.count, 'player')} so far.{late}")

    @command("player")
    async def drop(self, asker: Caller, player: PlayerName, reason: Reason) -> Reply:
        """Drop a player from the season; the rules say if they can come back."""
        return await remove(asker, player=player, reason=reason)

    @command("player")
    async def disqualify(self, asker: Caller, player: PlayerName, reason: Reason) -> Reply:
        """Disqualify a player: they're out of the season for good."""
        return await disqualify(asker, player=player, reason=reason)

    @command("player")
    async def reinstate(self, asker: Caller, player: PlayerName, reason: Reason) -> Reply:
        """Undo a player's drop or disqualification."""
        return await reinstate(asker, player=player, reason=reason)

    @command("player")
    async def forget(self, asker: Caller, player: PlayerName) -> Reply:
        """Delete what is kept about a person; results stay under a number. Also for yourself."""
        return await forget(asker, player=player)

    @command("player", name="The new name")
    async def rename(
        self,
        asker: Caller,
        player: PlayerName,
        name: str,
        reason: Reason,
    ) -> Reply:
        """Give a player another league name; while a season is played, from its end on."""
        account = await asker.read(find.account_of, named=player)
        taken = await someone_else_is_called(asker.interaction.guild, name, but=account)
        return await rename(asker, player=player, name=name, reason=reason, taken=taken)


@with_confirmation("rename", "Use this name?", yes="Rename them", no="Keep the old name")
async def rename(
    asker: Caller, *, player: str, name: str, taken: bool, reason: str | None = None, agreed: str = ""
) -> str:
    """Give a player another name once an organiser has agreed to it being someone else's too."""
    asked: Any = {"reason": reason, "taken": taken, "agreed": agreed}
    done = await asker.write(renaming.rename, player=player, new_name=name, **asked)
    called, next_ = shown(done.player.name), shown(done.player.next_name or "")
    if done.kept is not None:
        return f"**{called}** keeps this name, and won't be {shown(done.kept)}."
    if done.after is not None:
        why = f"**{next_}** is {called}'s name once season {done.after.number} is over: its draws use the one before."
        return f"{why} To undo that, use `/player rename` with {called}."
    return f"{shown(player)} is now **{called}**; past seasons keep the old name."


@with_confirmation("drop-player", "Drop this player?", yes="Drop them", no="Keep them")
async def remove(asker: Caller, *, player: str, reason: str | None = None, agreed: str = "") -> str:
    """Drop a player once an organiser has agreed to what it costs."""
    return left(await asker.write(removing.remove, player=player, reason=reason, agreed=agreed))


@with_confirmation("disqualify", "Disqualify this player?", yes="Disqualify them", no="Keep them")
async def disqualify(asker: Caller, *, player: str, reason: str | None = None, agreed: str = "") -> str:
    """Disqualify a player once an organiser has agreed to what it costs."""
    return left(await asker.write(removing.disqualify, player=player, reason=reason, agreed=agreed))


@with_confirmation("reinstate", "Undo this?", yes="Undo it", no="Leave them out")
async def reinstate(asker: Caller, *, player: str, reason: str | None = None, agreed: str = "") -> str:
    """Undo a player's departure once an organiser has agreed to what that does."""
    done = await asker.write(rejoining.reinstate, player=player, reason=reason, agreed=agreed)
    if done.dropped:
        return f"{shown(done.name)} isn't disqualified any more. They've left the season, as before."
    plays = ", as if they had never left" if done.round is None else f" and plays from round {done.round} on"
    text = f"{shown(done.name)} is back{plays}."
    if done.forfeited is not None:
        text += f" {shown(done.forfeited.label)} stays lost; `/result clear` lets it be played."
    return f"{text}{with_commands(done.to_do)}"


@with_confirmation("forget", "Forget this person?", yes="Forget them", no="Keep everything")
async def forget(asker: Caller, *, player: str, agreed: str = "") -> str:
    """Forget a person once that was agreed to twice."""
    name = await asker.write(forgetting.forget, player=player, agreed=agreed)
    return f"Done. They are called {name} from now on. Posts that show them are changed or deleted within minutes."
