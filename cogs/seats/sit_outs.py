"""Sitting out a coming round, and playing after all."""

from collections.abc import Sequence

from discord import app_commands

from bot.services.seats import sitting_out
from bot.services.seats.sitting_out import UNTIL_PAIRED, SatOut
from cogs.play.my_match import Added
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import Answer
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from storage.tables.field.sat_out import SitOutId, SitOutRow


class SitOuts(LeagueCog):
    """Rounds that players sit out."""

    @command(
        round="The number of a round that isn't paired yet",
        reason="Why you can't play; moderators and organisers read it",
    )
    async def sit_out(
        self, asker: Caller, round: app_commands.Range[int, 1, 999], reason: Reason | None = None
    ) -> Reply:
        """Sit out a coming round; you're asked first."""
        return await sit_out(asker, round=round, reason=reason)


@with_confirmation("sit-out", "Sit out this round?", yes="Sit out", no="Play")
async def sit_out(asker: Caller, *, round: int, reason: str | None = None, agreed: str = "") -> Answer:
    """Sit out a round once the player has agreed to what it costs."""
    done = await asker.write(sitting_out.sit_out, number=round, reason=reason, agreed=agreed)
    text = f"You sit out round {done.round}: it counts as a loss. {UNTIL_PAIRED}"
    return Answer(text=text, buttons=play_after_all_buttons([done]))


def play_after_all_buttons(rounds: Sequence[SatOut | SitOutRow]) -> tuple[ActionButton, ...]:
    """Return a button for each round a player sits out; its round is named where there are several."""
    several = len(rounds) > 1
    return tuple(
        play_after_all(round.id).button(f"I'll play after all{f' (round {round.round})' if several else ''}")
        for round in rounds[:_MOST_BUTTONS]
    )


_MOST_BUTTONS = 5


@action("play-after-all")
async def play_after_all(press: Press, sit_out: SitOutId) -> Reply:
    """Play a round the player had said they would sit out."""
    number = await press.who.write(sitting_out.play_after_all, sit_out_id=sit_out)
    return Answer(text=f"You play in round {number}.", replace=True)


ADDED = Added(
    lines=lambda mine: (f"You sit out round {sit_out.round}: it counts as a loss." for sit_out in mine.sitting_out),
    buttons=lambda mine: play_after_all_buttons(mine.sitting_out),
)
