"""The tie-break round: those exactly equal at the line of the cut play for their places (docs/rules.md, 5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.league.draw import Draw, Purpose
from bot.league.history import History
from bot.league.model import Name, Round, Stage
from bot.league.pairing.drawn_list import InDrawnList, drawn_bye
from bot.league.proposal import Bye, Pair, Proposal
from bot.league.reasons import Reason
from bot.league.standings import pairing_draw


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualAtTheLine(Reason):
    """Players with exactly the same S.O.S. for fewer places in the cut."""

    players: int
    places: int

    def sentence(self) -> str:
        """Return how many are equal for how many places."""
        places = "1 place" if self.places == 1 else f"{self.places} places"
        return f"A tie-break round by the draw: {self.players} players are exactly equal for {places} in the cut."


def tiebreak_rounds(history: History) -> tuple[Round, ...]:
    """Return the tie-break rounds played so far."""
    return tuple(round_ for round_ in history.rounds if round_.stage is Stage.TIEBREAK)


def lost_tiebreaks(history: History) -> tuple[frozenset[Name], ...]:
    """Return who lost in each tie-break round; winners and the bye rank above them."""
    return tuple(
        frozenset(name for match in round_.matches for name in match.winless) for round_ in tiebreak_rounds(history)
    )


def pair_tiebreak(history: History, equal: Sequence[Name], places: int) -> Proposal:
    """Return the round of those who are equal: by `draw(order)`, neighbours meet, rematches allowed."""
    draw = pairing_draw(history)
    why = EqualAtTheLine(players=len(equal), places=places)
    byes = (_bye(history, equal, why),) if len(equal) % 2 else ()
    order = draw.sort(Purpose.ORDER, [name for name in equal if not byes or name != byes[0].name])
    return Proposal(
        number=history.number,
        stage=Stage.TIEBREAK,
        pairs=tuple(_pair(upper, lower, why, draw) for upper, lower in zip(order[::2], order[1::2], strict=True)),
        byes=byes,
    )


def _pair(upper: Name, lower: Name, why: EqualAtTheLine, draw: Draw) -> Pair:
    drawn = InDrawnList(what="Neighbours meet", players=why.players, names=(upper, lower), draw=draw)
    return Pair(upper=upper, lower=lower, reasons=(why, drawn))


def _bye(history: History, equal: Sequence[Name], why: Reason) -> Bye:
    """Return the bye: the smallest draw among those with the fewest, earlier tie-break rounds included."""
    earlier = [name for round_ in tiebreak_rounds(history) for name in round_.byes]
    had = {name: history.records[name].byes + earlier.count(name) for name in equal}
    fewest = min(had.values())
    bye = drawn_bye(history, [name for name in equal if had[name] == fewest])
    return replace(bye, reasons=(why, *bye.reasons))
