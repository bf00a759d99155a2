"""Lists sorted by the draw: groups, pools and tie-break rounds, and the reason that lets anyone recompute them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.league.draw import Draw, Purpose
from bot.league.history import History
from bot.league.model import Name
from bot.league.proposal import Bye
from bot.league.reasons import Reason, SmallestDraw
from bot.league.standings import pairing_draw


@dataclass(frozen=True, slots=True, kw_only=True)
class InDrawnList(Reason):
    """Two players were paired out of one list sorted by the draw."""

    what: str
    players: int
    names: tuple[Name, Name]
    draw: Draw
    ahead: str = ""
    """Who stands before others whatever the draw says, if anybody does."""

    def sentence(self) -> str:
        """Return the list, with the texts to hash and their draws."""
        both = ", ".join(
            f"{self.draw.text(Purpose.ORDER, name)} gives {self.draw.value(Purpose.ORDER, name)[:16]}"
            for name in self.names
        )
        order = f", {self.ahead} first, then" if self.ahead else ""
        return f"{self.what}: {self.players} players{order} in the order of the draw ({both})."


def drawn_bye(history: History, among: Sequence[Name]) -> Bye:
    """Return the bye of the smallest `draw(bye)` among some."""
    draw = pairing_draw(history)
    name = draw.first(Purpose.BYE, among)
    reason = SmallestDraw(name=name, what="has the bye", draw=draw, purpose=Purpose.BYE, candidates=len(among))
    return Bye(name=name, reasons=(reason,))
