"""What players need, worked out beside the bot and kept until something of the season changes."""

import asyncio
import logging
import time
from collections.abc import MutableMapping
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from bot.league.errors import Unavailable, WrongPhase
from bot.league.season.model import DepartureKind, Name, Season
from bot.league.season.phases import PLAYING
from bot.league.telling.outlook import look_ahead
from bot.league.telling.outlook.prospects import Outlook, Prospect, Verdict
from bot.services.base import find
from bot.services.base.act import Look, look
from bot.services.base.permissions import Actor
from bot.services.reads import careers
from bot.services.reads.my_match import knocked_out_in
from bot.worker import Worker, WorkerFailed
from storage import rules_season
from storage.cache import Cache
from storage.database import Database
from storage.rows import EntrantRow, LeagueId, LeagueRow, PlayerId, SeasonId, SeasonRow
from storage.tables import rounds, seasons

EXACT_SECONDS = 2
PROVING_SECONDS = 4
WORKER_SECONDS = 20
"""After this the worker is stuck, however busy the machine."""

_ANY = 0
"""The version of everything in the cache: what is kept holds the season it is about."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kept:
    season: Season
    verdicts_only: bool
    coming: asyncio.Future[Outlook | None]


MOST_OF_A_SEASON = 6
"""Before and after the last round, as of now, each with and without what the next matches mean."""
MOST_KEPT = 100_000
"""Players and matches of all seasons that are kept, 13 MB or so; those asked for last stay."""
_kept: MutableMapping[Worker, Cache] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlookView:
    """What one player of a season needs; `own` for the person who asks, `outlook` None once it's over for them."""

    season: SeasonRow
    league: LeagueRow
    player_id: PlayerId
    name: str
    own: bool
    prospect: Prospect
    outlook: Outlook | None


async def outlook_of(
    db: Database, worker: Worker, season_id: SeasonId, *, verdicts_only: bool = False
) -> Outlook | None:
    """Return what every player of a season needs now; None if it isn't played, or the worker failed.

    With `verdicts_only`, where there are too many endings, nothing is worked out match by match, which is quick.
    """
    async with db.snapshot() as conn:
        row = await seasons.get(conn, season_id)
        if row.phase not in PLAYING:
            return None
        season = await careers.complete(conn, row)
    try:
        return await worked_out(worker, season_id, season, verdicts_only=verdicts_only)
    except WorkerFailed:
        _log.warning("no outlook for season %s", season_id, exc_info=True)
        return None


async def worked_out(worker: Worker, season_id: SeasonId, season: Season, *, verdicts_only: bool) -> Outlook | None:
    """Return what every player of a season, as it is given, needs, worked out once; raises WorkerFailed."""
    cache = _kept.setdefault(worker, Cache(MOST_KEPT))
    known: tuple[_Kept, ...] = (cache.find(season_id, _ANY) or ((),))[0]
    found = next((one for one in known if one.season == season and one.verdicts_only is verdicts_only), None)
    if found is None or (found.coming.done() and found.coming.exception() is not None):
        # What an organiser chose is in the settings themselves; the mapping of it can't be sent to another process.
        sent = replace(season, settings=replace(season.settings, explicit={}))
        found = _Kept(season, verdicts_only, worker.begin(_look_ahead, sent, verdicts_only, seconds=WORKER_SECONDS))
        known = (found, *known)[:MOST_OF_A_SEASON]
        size = sum(rules_season.size_of(one.season) for one in known)
        cache.keep(season_id, _ANY, known, size=size)
    return await asyncio.shield(found.coming)


def _look_ahead(season: Season, verdicts_only: bool) -> Outlook | None:
    stop_proving = (lambda: True) if verdicts_only else _Limit(PROVING_SECONDS)
    return look_ahead(season, give_up=_Limit(EXACT_SECONDS), stop_proving=stop_proving)


class _Limit:
    """True once so many seconds have passed since it was first asked."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end: float | None = None

    def __call__(self) -> bool:
        now = time.monotonic()
        if self._end is None:
            self._end = now + self._seconds
        return now > self._end


async def outlook(
    db: Database, worker: Worker, *, actor: Actor, league_id: LeagueId, player: str | int | None = None
) -> OutlookView:
    """Return what a player of the season needs, by default the actor; raises NotFound, WrongPhase, Unavailable."""
    async with look(db, actor, league_id) as see:
        season = await see.playing_season()
        if not await rounds.published(see.conn, season.id):
            raise WrongPhase("Round 1 isn't posted yet. Ask again once it is.")
        who = await find.own_entrant(see) if player is None else await find.entrant(see, player)
        over = await _over(see, who)
    found = await outlook_of(db, worker, season.id)
    if found is None:
        raise Unavailable("This took too long to work out. Please try again in a minute.")
    return OutlookView(
        season=season,
        league=see.league,
        player_id=who.player_id,
        name=who.called,
        own=player is None,
        prospect=over or found.players[Name(who.name)],
        outlook=None if over else found,
    )


async def _over(see: Look, who: EntrantRow) -> Prospect | None:
    """Return why the season is over for a player; None while it isn't."""
    if not who.active:
        out = who.departed is DepartureKind.DISQUALIFICATION
        words = (
            ("You were disqualified from", "They were disqualified from") if out else ("You've left", "They've left")
        )
        return Prospect(Verdict.OUT, *(f"{said} season {see.season.number}." for said in words))
    since = await knocked_out_in(see, who)
    if since is None:
        return None
    return Prospect(Verdict.OUT, *(f"{they}'ve been out since {since.words}." for they in ("You", "They")))
