"""What happens in a league, told to those who follow from it: they listen, and who lets it happen knows none of them.

`bot/services/wiring.py` says who listens to what, in which order. An event carries what was true when it was told; a
listener reads the database as it is, in the same transaction. It never refuses: what may refuse is asked before.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bot.league.season.model import Season
from storage.rows import EntrantId, EntrantRow, MatchRow, PlayerId, PlayerRow, RoundRow, SeasonRow

if TYPE_CHECKING:
    from bot.services.base.transaction import Transaction

MOST_EVENTS = 1000
"""More in one transaction is a bug: events that call each other for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPosted:
    """A round is published, with its matches."""

    round: RoundRow
    matches: Sequence[MatchRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClosed:
    """A round is over, and its news is about to be promised; `season` is the season with it."""

    round: RoundRow
    season: Season


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTakenBack:
    """A posted round or a preview is about to be deleted with its matches."""

    round: RoundRow
    matches: Sequence[MatchRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChanged:
    """What is known of a match changed: reported, disputed, confirmed or open again."""

    before: MatchRow
    after: MatchRow


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPrepared:
    """A player did their part for a match to be played: proposed times, agreed on one, or told of a problem."""

    match: MatchRow


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchReseated:
    """A match of the round that is played or previewed has another player now, or is new in it."""

    round: RoundRow
    match: MatchRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsMissing:
    """Results of an open round are missing, perhaps again."""

    round: RoundRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReopened:
    """A round that was over is open again: one of its matches has to be played."""

    round: RoundRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitDecided:
    """Moderators decided that someone lost a match without playing."""

    loser_id: EntrantId


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChanged:
    """Someone came into the season, left it, or came back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken:
    """Another `person` plays in a seat from the next round on; `before` is the seat as it was, `after` as it is.

    Or the one who sits there plays on, because the one who was to take it over doesn't.
    """

    before: EntrantRow
    after: EntrantRow
    person: PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountChanged:
    """A player has another Discord account while a season takes sign-ups or is played."""

    before: PlayerRow
    after: PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountTaken:
    """An account is a player's from now on: of one new to the league, or who had none, or another."""

    account: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerForgotten:
    """A player has left the season that goes on, and is about to be forgotten; what was kept of them is still there."""

    player: PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBanned:
    """A player can't join any more, in a season or between two; one who was to leave the season has left it."""

    player: PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountBanned:
    """An account can't join any more, whether or not it's a player's."""

    account: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersMerged:
    """Two players became one while a season takes sign-ups or is played; `gone` is what the other was called."""

    player: PlayerRow
    gone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeTakenBack:
    """A merge was taken back: the `player` who had gone is someone of their own again."""

    player: PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportTakenBack:
    """An import is about to be taken back, with the players only it brought."""

    players: Sequence[PlayerId]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonOver:
    """A season has ended: played to its end, or cancelled."""

    played: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """Settings of a season that takes sign-ups or is played changed; `before` is the season as it was."""

    before: SeasonRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeratorsMoved:
    """The moderators of a league got a channel of their own, or another one, while a season is played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused:
    """The end of a season's pause moved, from now or where it was: what is due after `after` is that much later.

    Where the pause ends early, `seconds` are fewer than none.
    """

    after: datetime
    seconds: int


Event = (
    RoundPosted
    | RoundClosed
    | RoundTakenBack
    | MatchChanged
    | MatchPrepared
    | MatchReseated
    | ResultsMissing
    | RoundReopened
    | ForfeitDecided
    | FieldChanged
    | SeatTaken
    | AccountChanged
    | AccountTaken
    | PlayerForgotten
    | PlayerBanned
    | AccountBanned
    | PlayersMerged
    | MergeTakenBack
    | ImportTakenBack
    | SeasonOver
    | SettingsChanged
    | ModeratorsMoved
    | Paused
)
Listener = Callable[["Transaction", Any], None]
_listeners: Mapping[type[Event], Sequence[Listener]] = {}


def wire(table: Mapping[type[Event], Sequence[Listener]]) -> None:
    """Let these functions follow from what happens; called once, by `wiring`."""
    global _listeners
    _listeners = table


class Line:
    """What happened in a transaction and waits for those who follow from it: first in, first out."""

    def __init__(self) -> None:
        self._waiting = deque[tuple["Transaction", Event]]()
        self._count = 0
        self._running = False

    def told(self, tx: "Transaction", event: Event) -> None:
        """Call all who listen to an event, in the order of the table; one told by a listener comes after it.

        What follows is an act of the one who told it.
        """
        self._waiting.append((tx, event))
        self._count += 1
        if self._count > MOST_EVENTS:
            raise RuntimeError(f"{MOST_EVENTS} events in one transaction: {type(event).__name__} tells of itself")
        if self._running:
            return
        self._running = True
        try:
            while self._waiting:
                teller, next_ = self._waiting.popleft()
                for listen in _listeners[type(next_)]:
                    listen(teller, next_)
        finally:
            self._running = False
