"""What a player needs to get through, as `/outlook` says it, and under My match."""

from bot import steps
from bot.league.summaries.outlook.prospects import Outlook, Prospect, Verdict
from bot.services.reads.looking_ahead import OutlookView
from bot.services.reads.my_match import MyMatch
from cogs.play.my_match import Added
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host
from cogs.ui.options.names import PlayerName
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import shown

OUTLOOK = PrivateTable("outlook")


class Outlooks(LeagueCog):
    """What players need."""

    @command(player="Whose chances; your own if left out")
    async def outlook(self, asker: Caller, player: PlayerName | None = None) -> Reply:
        """Show what you need to get through: sure of it, out, or what your next match means."""
        view = await steps.outlook(asker.db, self.bot.worker, asker.order, player=player)
        return OUTLOOK.answer(_table(view), asker, 0)


@OUTLOOK.shows
async def show_outlook(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return what the player of an id needs, in words for everyone."""
    (player_id,) = which
    return _table(await steps.outlook(asker.db, bot.worker, asker.order, player=player_id))


def _table(view: OutlookView) -> Table:
    title = "What do I need?" if view.own else f"What does {shown(view.name)} need?"
    words = view.prospect.words if view.own else view.prospect.about
    return Table(
        which=(view.player_id,), title=title, lines=lambda: [shown(words), *_looked_at(view.prospect, view.outlook)]
    )


def _looked_at(prospect: Prospect, outlook: Outlook | None) -> list[str]:
    """Return what an outlook rests on; nothing where it says so itself, or where the next match says it all."""
    if outlook is None or outlook.endings < 2 or prospect.verdict is not Verdict.OPEN:
        return []
    return ["-# This counts every way the results to come can go, each as likely as the others."]


async def what_you_need(bot: Host, mine: MyMatch) -> list[str]:
    """Return what a player needs to get through, if that's open."""
    if not mine.undecided:
        return []
    outlook = await steps.outlook_of(bot.database, bot.worker, mine.season.id)
    if outlook is None:
        return []
    prospect = outlook.players[mine.name]
    return ["**What you need**", shown(prospect.words), *_looked_at(prospect, outlook)]


ADDED = Added(section=what_you_need)
