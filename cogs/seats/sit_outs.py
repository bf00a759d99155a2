"""Sitting out a coming round, and playing after all."""

from collections.abc import Sequence

from discord import app_commands

from bot.services.seats import sitting_out
from bot.services.seats.sitting_out import UNTIL_PAIRED, SatOut
from cogs.ui.actions import PLAY_AFTER_ALL
from cogs.ui.ask_first import AskedFirst
from cogs.ui.buttons import ActionButton, Press
from cogs.ui.cards import Answer
from cogs.ui.commands import Reason, command
from cogs.ui.context import Caller, LeagueCog
from cogs.ui.replies import Reply
from storage.tables.sat_out import SitOutId, SitOutRow


class SitOuts(LeagueCog):
    """Rounds that players sit out."""

    @command(
        round="The number of a round that isn't paired yet",
        reason="Why you can't play; moderators and organisers read it",
    )
    async def sit_out(self, who: Caller, round: app_commands.Range[int, 1, 999], reason: Reason | None = None) -> Reply:
        """Sit out a coming round; you're asked first."""
        return await SIT_OUT.first(who, round=round, reason=reason)


SIT_OUT = AskedFirst("sit-out", title="Sit out this round?", yes="Sit out", no="Play")


@SIT_OUT.does
async def sit_out(who: Caller, agreed: str, round: int, reason: str | None = None) -> Answer:
    """Sit out a round once the player has agreed to what it costs."""
    done = await who.do(sitting_out.sit_out, number=round, reason=reason, agreed=agreed)
    text = f"You sit out round {done.round}: it counts as a loss. {UNTIL_PAIRED}"
    return Answer(text=text, buttons=play_after_all_buttons([done]))


def play_after_all_buttons(rounds: Sequence[SatOut | SitOutRow]) -> tuple[ActionButton, ...]:
    """Return a button for each round a player sits out; its round is named where there are several."""
    several = len(rounds) > 1
    return tuple(
        PLAY_AFTER_ALL.button(f"I'll play after all{f' (round {one.round})' if several else ''}", one.id)
        for one in rounds[:_MOST_BUTTONS]
    )


_MOST_BUTTONS = 5


@PLAY_AFTER_ALL
async def play_after_all(press: Press[SitOutId]) -> Reply:
    """Play a round the player had said they would sit out."""
    number = await press.who.do(sitting_out.play_after_all, sit_out_id=press.subject)
    return Answer(text=f"You play in round {number}.", replace=True)
