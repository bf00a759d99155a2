"""By when each round of a season ends at the latest, if no deadline is moved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.formats import by_key
from bot.league.season.choices import Pace
from bot.league.season.phases import PLAYING
from bot.league.summaries.season_length import season_length
from bot.services.base.transaction import ReadTransaction
from bot.services.play.field.eligibility import expected_players, given_sizes
from bot.services.play.time_to_play import deadline_from, stage_deadline
from storage import rules_season
from storage.tables import rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDate:
    """A round to come, or the open one, and when it ends at the latest."""

    name: str
    by: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonDates:
    """The rounds with their latest ends; `complete` unless players or results decide how many follow.

    `if_closed` is when sign-ups would close for that, where no one has said when they do.
    """

    rounds: tuple[RoundDate, ...] = ()
    complete: bool = False
    if_closed: datetime | None = None

    @property
    def last(self) -> datetime | None:
        """When the season ends at the latest, where that's known."""
        return self.rounds[-1].by if self.rounds and self.complete else None


_AT_ONCE = "All rounds"


def season_dates(tx: ReadTransaction, *, example: datetime | None = None) -> SeasonDates:
    """Return the latest end of each round; none for a live event, and while nothing says when the next one begins.

    Sign-ups without a closing time close at `example`, if one is given.
    """
    season, settings = tx.season, tx.settings
    if settings.pace is Pace.LIVE:
        return SeasonDates()
    if season.phase in PLAYING:
        return _while_playing(tx)
    closing = season.signups_close or example
    if closing is None:
        return SeasonDates()
    players, groups = expected_players(tx)
    length = season_length(by_key(season.format), settings, players, groups)
    return SeasonDates(
        rounds=tuple(_all(tx, length.rounds, closing)),
        complete=length.complete,
        if_closed=None if season.signups_close else closing,
    )


def _while_playing(tx: ReadTransaction) -> SeasonDates:
    open_ = rounds.open_rounds(tx.conn, tx.season.id)
    deadlines = [row.deadline for row in open_ if row.deadline is not None]
    if not deadlines:
        return SeasonDates()
    every, by = tx.settings.schedule.open_together, max(deadlines)
    row = open_[0] if every else open_[-1]
    starters = rules_season.starters(tx.conn, tx.season.id)
    length = season_length(by_key(tx.season.format), tx.settings, len(starters), given_sizes(starters))
    names = [name for name in length.rounds if row.name == name or row.name.startswith(f"{name} of ")]
    if not names:
        return SeasonDates()
    after: Sequence[str] = length.rounds[length.rounds.index(names[0]) + 1 :]
    now = RoundDate(name=names[0], by=by)
    if every and row.together:
        now, after = RoundDate(name=_AT_ONCE, by=by), [name for name in after if not _is_regular(name)]
    return SeasonDates(rounds=(now, *_chain(tx, after, by)), complete=length.complete)


def _all(tx: ReadTransaction, names: Sequence[str], start: datetime) -> Iterator[RoundDate]:
    """Yield all rounds of a season to come; those that are played at once end together."""
    at_once = [name for name in names if _is_regular(name)]
    if tx.settings.schedule.open_together:
        start = stage_deadline(tx, start, len(at_once))
        yield RoundDate(name=_AT_ONCE, by=start)
        names = names[len(at_once) :]
    yield from _chain(tx, names, start)


def _is_regular(name: str) -> bool:
    return name.removeprefix("Round ").isdecimal()


def _chain(tx: ReadTransaction, names: Sequence[str], start: datetime) -> Iterator[RoundDate]:
    """Yield the rounds, each beginning as the one before it ends."""
    for name in names:
        start = deadline_from(tx, start)
        yield RoundDate(name=name, by=start)
