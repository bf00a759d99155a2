"""What a player needs to get through."""

from bot.league.outlook.prospects import Outlook
from bot.services.seasons import looking_ahead
from cogs.ui.commands import command
from cogs.ui.context import Asked, LeagueCog
from cogs.ui.options.names import PlayerName
from cogs.ui.render.tables import card
from cogs.ui.replies import Reply
from cogs.ui.text import shown


class Outlooks(LeagueCog):
    """What players need."""

    @command(player="Whose chances; your own if left out")
    async def outlook(self, who: Asked, player: PlayerName | None = None) -> Reply:
        """Show what you need to get through: sure of it, out, or what your next match means."""
        view = await looking_ahead.outlook(worker=self.bot.worker, **who, player=player)
        title = "What do I need?" if view.own else f"What does {shown(view.name)} need?"
        words = view.prospect.words if view.own else view.prospect.about
        return card(title, shown(words), footer=looked_at(view.outlook))


def looked_at(outlook: Outlook) -> str:
    """Return what an outlook rests on; nothing for a bracket, where the next match says it all."""
    if not outlook.exact:
        return "There are too many endings to look at all. In those we tried, each result was as likely as the others."
    return f"This counts every result still to come ({outlook.endings} endings)." if outlook.endings > 1 else ""
