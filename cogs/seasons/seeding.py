"""The seeds of a season, in a form with a line for each player."""

from collections.abc import Sequence

from bot.league.season.in_words import first_few
from bot.services.people import seeds
from cogs.ui.actions import Press, action
from cogs.ui.cards import Answer
from cogs.ui.context import Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import EntrantRow, LeagueId

_AT_ONCE = 100
"""As many names as fit into a form."""
_NAMED = 10


@action("seeds", form=True)
async def give_seeds(press: Press, league: LeagueId, first: int) -> Reply:
    """Open the form of the seeds from one on."""
    return SeedsForm(league, first, await press.who.of(league).read(seeds.listed))


class SeedsForm(Form):
    """The players in the order of their seeds, to be sorted."""

    def __init__(self, league: LeagueId, first: int, players: Sequence[EntrantRow]) -> None:
        super().__init__("Seeds" if first == 1 else f"Seeds from {first} on")
        self._league, self._first, self._more = league, first, len(players) >= first + _AT_ONCE
        note = "The best first. Others keep their order behind them."
        self._names = self.ask("names", "A player in each line", limit=4000, note=note, long=True)
        self._names.default = "\n".join(player.name for player in players[first - 1 : first - 1 + _AT_ONCE])

    async def answer(self, interaction: Interaction) -> Reply:
        """Save the order."""
        names = [line.strip() for line in self._names.value.splitlines() if line.strip()]
        asker = caller(interaction).of(self._league)
        without = await asker.write(seeds.rank, first=self._first, names=names)
        seeded = first_few([f"{seed} {name}" for seed, name in enumerate(names, self._first)], _NAMED)
        text = f"Seeds saved: {shown(seeded)}." if names else "Seeds saved."
        text += f" Without a seed: {shown(first_few(without, _NAMED))}." if without else ""
        following = give_seeds(self._league, self._first + _AT_ONCE).button("The next players")
        return Answer(text=text, buttons=(following,) if self._more else ())
