"""Who sits at a table where time was called, whether or not it is a match of the league."""

from dataclasses import dataclass

from bot.league.errors import LeagueError
from bot.league.season.model import Name
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.matches.views import MatchView
from bot.services.reads.my_match import my_match
from storage.database import Connection

OPPONENT = Name("the opponent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The player who asks and their opponent, with their match if it is one of the league that is still open."""

    mine: Name
    theirs: Name
    match: MatchView | None = None

    @property
    def players(self) -> tuple[Name, Name]:
        """Both players, the one who asks first."""
        return (self.mine, self.theirs)


def table(conn: Connection, order: Order) -> Table:
    """Return the table someone asks about: their open match, or else they and an opponent without a name."""
    try:
        view = None if order.league_id is None else my_match(conn, order).match
    except LeagueError:  # they are in no season, or no round is posted
        view = None
    side = None if view is None else view.side_of(order.actor.user_id)
    if view is None or side is None or view.match.state is MatchState.CONFIRMED:
        mine = order.actor.name if order.actor.name.strip().casefold() != OPPONENT else "you"
        return Table(mine=Name(mine), theirs=OPPONENT)
    return Table(mine=Name(side.called), theirs=Name(view.opponent_of(side).called), match=view)
