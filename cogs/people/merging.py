"""Merging two players who are one person: asked first, and taken back with the button under the answer."""

from bot import steps
from bot.services.people import merging
from bot.services.people.merging import AlreadyOneError, Merged
from bot.worker import Worker
from cogs.ui.actions import Press, action
from cogs.ui.cards import Answer, card
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller
from cogs.ui.options.names import PlayerName
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueId
from storage.tables.people.merges import MergeId


class Merging(LeagueCog):
    """Two league names that turn out to be one person."""

    @command("player", player="The name that goes", into="The name that stays")
    async def merge(self, asker: Caller, player: PlayerName, into: PlayerName, reason: Reason) -> Reply:
        """Two league names are one person: make them one; you're asked first."""
        return await _merge(asker, self.bot.worker, player=player, into=into, reason=reason)


@with_confirmation("merge", "Are they one person?", yes="Merge them", no="Leave them as two")
async def _merge(asker: Caller, worker: Worker, *, player: str, into: str, reason: str, agreed: str = "") -> Answer:
    league = asker.order.league_id
    assert league is not None
    try:
        done = await steps.merge(asker.db, asker.order, worker, player=player, into=into, reason=reason, agreed=agreed)
    except AlreadyOneError as already:
        if already.merge is None:
            raise
        way_back = undo(league, already.merge).button("Take the merge back")
        return card("They are one person already", shown(str(already)), buttons=(way_back,))
    text = f"All that **{shown(done.gone)}** did is **{shown(done.name)}**'s now."
    return card(
        "They are one person", text + _running(done), buttons=(undo(league, done.id).button("Take the merge back"),)
    )


@action("unmerge")
async def undo(press: Press, league: LeagueId, merge: MergeId) -> Reply:
    """Let them be two people again."""
    done = await press.who.of(league).write(merging.take_back, merge=merge)
    text = f"**{shown(done.gone)}** and **{shown(done.name)}** are two people again, as they were before."
    return Answer(text=text + _running(done), replace=True)


def _running(done: Merged) -> str:
    if done.live is None:
        return ""
    return f" Season {done.live} goes on with what was known at its start; this counts from the next season on."
