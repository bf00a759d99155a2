"""When the open matches are played: agreed, proposed, or with nothing proposed or reported yet."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import WrongPhase
from bot.league.season.choices import Pace
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.transaction import playing, read_transaction
from bot.services.matches import views
from bot.services.matches.season_calendar import PlannedRound, calendar
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, PlayerId, SeasonRow
from storage.tables import matches, times
from storage.tables.people import players
from storage.tables.times import TimeProposalRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """An open match with what is proposed for it and not answered yet."""

    match: MatchView
    waiting: tuple[TimeProposalRow, ...]

    @property
    def asked(self) -> tuple[EntrantRow, ...]:
        """Return the players who have to answer."""
        return tuple(self.match.opponent_of(self.match.side(row.entrant_id)) for row in self.waiting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timetable:
    """A season's open matches: those with an agreed time, the earliest first; those with times proposed; the others.

    `rounds` are all regular rounds where they are known from the first day, `own` is who asks, for those they sit in.
    """

    league: LeagueRow
    season: SeasonRow
    agreed: tuple[Planned, ...]
    proposed: tuple[Planned, ...]
    silent: tuple[Planned, ...]
    rounds: tuple[PlannedRound, ...]
    own: PlayerId | None


def timetable(conn: Connection, order: Order) -> Timetable:
    """Return when the open matches of a season are played; raises WrongPhase where none is played by appointment."""
    tx = read_transaction(conn, order, playing)
    season = tx.season
    if tx.settings.pace is Pace.LIVE:
        raise WrongPhase("This event is played live, so its matches have no times of their own. See the round's post.")
    open_ = [row for row in matches.unconfirmed_of_league(tx.conn, tx.league.id) if row.state is MatchState.OPEN]
    player = players.by_discord(tx.conn, tx.league.id, order.actor.user_id or 0)
    proposed = times.waiting_proposals(tx.conn, [row.id for row in open_])
    waiting = [row for row in proposed if order.now < row.moments[-1]]
    entries = [
        Planned(match=view, waiting=tuple(row for row in waiting if row.match_id == view.match.id))
        for view in views.match_views(tx.conn, open_)
    ]
    agreed = [entry for entry in entries if entry.match.match.agreed_at is not None]
    others = [entry for entry in entries if entry.match.match.agreed_at is None]
    return Timetable(
        league=tx.league,
        season=season,
        agreed=tuple(sorted(agreed, key=_agreed_at)),
        proposed=tuple(entry for entry in others if entry.waiting),
        silent=tuple(entry for entry in others if not entry.waiting),
        rounds=calendar(tx.conn, tx.league, season),
        own=None if player is None else player.id,
    )


def _agreed_at(planned: Planned) -> datetime:
    assert planned.match.match.agreed_at is not None
    return planned.match.match.agreed_at
