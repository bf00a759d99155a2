"""What takes several steps, long work in a process of its own: clock, posts, outlook, imports, exports, merging."""

import asyncio
import logging
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any, Concatenate, ParamSpec, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

from bot import logs
from bot.exporters.calendar import to_ics
from bot.exporters.sheets import to_workbook, to_zip
from bot.importers.archives import unpacked
from bot.importers.summary import Summary, looked_through
from bot.importers.together import File
from bot.league.checking.league_file.league_list import WholeLeague
from bot.league.errors import Conflict, Invalid, PairingImpossible, Unavailable, WrongPhase
from bot.league.season.model import Name, Season
from bot.league.summaries.outlook import look_ahead
from bot.league.summaries.outlook.prospects import Outlook, Prospect
from bot.services import clock
from bot.services.base import cached, known_first
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.known_first import About
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.base.post_kinds import Gone
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.leagues import exporting, importing, importing_records
from bot.services.leagues.file_contents import FileContents, contents_in_league, contents_of
from bot.services.leagues.importing import Imported
from bot.services.leagues.importing_records import Brought, Plan
from bot.services.people import merging
from bot.services.people.merging import Merged
from bot.services.play import news
from bot.services.play.news import NewsPost
from bot.services.reads import looking_ahead, looking_back, season_sheets, tables
from bot.services.reads.looking_ahead import OutlookView
from bot.services.reads.tables import StandingsView
from bot.services.times import calendars
from bot.worker import Worker, WorkerFailed
from storage import rules_season
from storage.cache import Cache
from storage.database import Connection, Database
from storage.posts import PostId
from storage.rows import SeasonId
from storage.tables import seasons

_log = logging.getLogger(__name__)
_Given = TypeVarTuple("_Given")
_Asked = ParamSpec("_Asked")
_Made = TypeVar("_Made")

READING_SECONDS = 30
MOST_WAITING = 3
"""As many imports at once; they take their turns, so that one more would wait for minutes."""
MOST_TRIES = 3
"""As often as what a use case rests on is worked out again, because it changed meanwhile."""
WORKER_SECONDS = 20
"""After this the worker is stuck, however busy the machine."""
MOST_OF_A_SEASON = 6
"""Before and after the last round, as of now, each with and without what the next matches mean."""
MOST_KEPT = 100_000
"""Players and matches of all seasons whose outlooks are kept; those asked for last stay.

That is 13 MB or so in large seasons. In seasons of eight players it's up to five times as much.
"""
_ANY = 0
"""The version of everything in the cache: what is kept holds the season it is about."""


_telling: MutableMapping[Worker, asyncio.Lock] = WeakKeyDictionary()
"""Held while careers are told, so that those who ask meanwhile wait for the same."""


async def with_ratings(
    db: Database,
    worker: Worker | None,
    about: About,
    use_case: Callable[Concatenate[Connection, _Asked], _Made],
    *args: _Asked.args,
    **given: _Asked.kwargs,
) -> _Made:
    """Let a use case ask what players bring into a season, which is worked out before its transaction begins.

    Where something it rests on has changed by then, it's worked out again; in a league that changes all the time the
    transaction does it at last.
    """
    for _ in range(MOST_TRIES):
        await _rate(db, worker, about)
        done = await db.write(known_first.if_known, about, use_case, *args, **given)
        if done is not None:
            return done[0]
    return await db.write(use_case, *args, **given)


async def _rate(db: Database, worker: Worker | None, about: About) -> None:
    past = await db.read(known_first.unknown, about)
    if past is None:
        return
    try:
        if worker is None:
            raise WorkerFailed("none here")
        before = past.first[-1] if past.first else None
        past.keep(db.cache, await worker.run(cached.rated, before, past.rest, seconds=WORKER_SECONDS))
    except WorkerFailed:
        await db.read(known_first.rate, about)


async def look_back(
    db: Database,
    worker: Worker,
    order: Order,
    look: Callable[Concatenate[Connection, Order, _Asked], _Made],
    *args: _Asked.args,
    **given: _Asked.kwargs,
) -> _Made:
    """Look at someone's career; where the league's seasons take long, they're told beside the bot before, once."""
    async with _telling.setdefault(worker, asyncio.Lock()):
        missing = await db.read(looking_back.takes_long, order)
        if missing is not None:
            try:
                careers = await worker.run(looking_back.tell, missing.brought, missing.rest, seconds=WORKER_SECONDS)
                missing.keep(db.cache, careers)
            except WorkerFailed:
                _log.warning("no careers of league %s", missing.league_id, exc_info=True)
    return await db.read(look, order, *args, **given)


async def tick(db: Database, now: datetime, worker: Worker | None = None) -> int:
    """Do everything that is due by the clock, each in its own transaction, and return how many things were done.

    What is due is looked at again inside its transaction, so it happens once however often this runs. A failure is
    logged and tried again with the next tick; it keeps nothing else from being done.
    """
    done = 0
    for job, row in await db.read(clock.due, now, db.shards):
        what = job.words.format(row)
        with logs.one_action(f"clock: {what}"):
            try:
                did = await _do(db, job, row, now, worker)
                done += did
                logs.tell(result="done" if did else "not needed")
            except Exception:
                logs.tell(result="failed")
                _log.exception("the clock could not do: %s", what)
    return done


async def _do(db: Database, job: clock.Job, row: int, now: datetime, worker: Worker | None) -> bool:
    try:
        if job.asks_ratings:
            return await with_ratings(db, worker, partial(seasons.find, row_id=row), clock.do, job, row, now)
        return await db.write(clock.do, job, row, now)
    except (Conflict, PairingImpossible, WrongPhase) as problem:
        if job.refused is None:
            raise
        return await db.write(clock.refuse, job, row, now, str(problem))


async def load(db: Database, post_id: PostId, now: datetime, worker: Worker | None = None) -> Delivery | None:
    """Return a post as it has to look now; None where it isn't queued any more, or there is nothing to say.

    Without a worker nobody's chances are worked out.
    """
    try:
        loaded = await db.read(delivery.load, post_id, now)
        if loaded is None:
            return None
        if isinstance(loaded.post, NewsPost) and worker is not None:
            post = await _with_outlook(loaded.post, worker) if news.needs_outlook(loaded.post) else loaded.post
            if loaded.row.message_id is None and not post.says_more:
                raise Gone
            loaded = replace(loaded, post=post)
        return await db.read(delivery.addressed, loaded)
    except Gone:
        await db.write(delivery.nothing_to_say, post_id, now)
        return None


async def _with_outlook(post: NewsPost, worker: Worker) -> NewsPost:
    """Add the players who play on though the round decided it for them; nothing where the worker fails."""
    number = post.view.round.number
    try:
        before = await _prospects(worker, post, number - 1)
        now = await _prospects(worker, post, number)
    except WorkerFailed:
        _log.warning("no outlook after round %s", number, exc_info=True)
        return post
    return news.with_prospects(post, before, now)


async def _prospects(worker: Worker, post: NewsPost, after: int) -> Mapping[Name, Prospect]:
    """Return what everyone needed after a round: as it was known once the next one was paired, which is kept."""
    season = news.as_of(post.record, after)
    outlook = await worked_out(worker, post.view.season.id, season, verdicts_only=True)
    return {} if outlook is None else outlook.players


@dataclass(frozen=True, slots=True)
class _Kept:
    season: Season
    verdicts_only: bool
    coming: asyncio.Future[Outlook | None]


_kept: MutableMapping[Worker, Cache] = WeakKeyDictionary()


async def outlook_of(
    db: Database, worker: Worker, season_id: SeasonId, *, verdicts_only: bool = False
) -> Outlook | None:
    """Return what every player of a season needs now; None if it isn't played, or the worker failed.

    With `verdicts_only`, where there are too many endings, nothing is worked out match by match, which is quick.
    """
    season = await db.read(looking_ahead.season_played, season_id)
    if season is None:
        return None
    try:
        return await worked_out(worker, season_id, season, verdicts_only=verdicts_only)
    except WorkerFailed:
        _log.warning("no outlook for season %s", season_id, exc_info=True)
        return None


async def worked_out(worker: Worker, season_id: SeasonId, season: Season, *, verdicts_only: bool) -> Outlook | None:
    """Return what every player of a season, as it is given, needs, worked out once; raises WorkerFailed."""
    cache = _kept.setdefault(worker, Cache(MOST_KEPT))
    outlooks: tuple[_Kept, ...] = (cache.find(season_id, _ANY) or ((),))[0]
    outlook = next((kept for kept in outlooks if kept.season == season and kept.verdicts_only is verdicts_only), None)
    if outlook is None or (outlook.coming.done() and outlook.coming.exception() is not None):
        # What an organiser chose is in the settings themselves; the mapping of it can't be sent to another process.
        sent = replace(season, settings=replace(season.settings, explicit={}))
        coming = worker.begin(look_ahead, sent, verdicts_only, seconds=WORKER_SECONDS)
        outlook = _Kept(season, verdicts_only, coming)
        outlooks = (outlook, *outlooks)[:MOST_OF_A_SEASON]
        size = sum(rules_season.size_of(kept.season) for kept in outlooks)
        cache.keep(season_id, _ANY, outlooks, size=size)
    return await asyncio.shield(outlook.coming)


async def outlook(db: Database, worker: Worker, order: Order, *, player: str | int | None = None) -> OutlookView:
    """Return what a player of the season needs, by default the actor; raises NotFound, WrongPhase, Unavailable."""
    asked = await db.read(looking_ahead.asked_about, order, player=player)
    outlook = await outlook_of(db, worker, asked.season.id)
    if outlook is None:
        raise Unavailable("This took too long to work out. Please try again in a minute.")
    return looking_ahead.answered(asked, outlook)


async def with_verdicts(db: Database, worker: Worker, view: StandingsView) -> StandingsView:
    """Return a table before the cut with who is sure of the finals, and who can't reach them."""
    if not view.going_on or view.in_finals:
        return view
    outlook = await outlook_of(db, worker, view.season.id, verdicts_only=True)
    return view if outlook is None else tables.judged(view, outlook)


async def import_file(
    db: Database,
    order: Order,
    *,
    data: bytes,
    others: Sequence[bytes] = (),
    worker: Worker | None = None,
    agreed: str | None = None,
) -> Imported:
    """Import a league file, and others with it, as the seasons they are, or a whole league; read in the worker.

    Raises ConfirmationNeeded with what they would bring, NotAllowed before anything is read, Invalid with the place and
    what to fix or what is too much, Unavailable while others import, and Conflict where a season or another live one
    is there already.
    """
    # Before anything is read: reading and pairing a large file takes long.
    await db.read(importing.require_importer, order)
    every = (data, *others)
    if order.actor is not BOT and (largest := max(map(len, every))) > importing.LARGEST_FILE:
        raise Invalid(f"The file is {largest / 1_000_000:.1f} MB. {importing.LIMITS}")
    league, read = await _read_seasons(every, worker)
    if order.actor is not BOT and (entries := sum(file.entries for file in read)) > importing.MOST_ENTRIES:
        raise Invalid(f"The file has {entries:,} players, matches and earlier meetings. {importing.LIMITS}")
    return await db.write(importing.save, order, read, league=league, agreed=agreed)


async def _read_seasons(
    files: Sequence[bytes], worker: Worker | None
) -> tuple[WholeLeague | None, Sequence[FileContents]]:
    """Return the seasons of league files, and the list of the people where the only one is a whole league."""
    if not files[0].startswith(b"PK"):
        return None, [await _work(worker, contents_of, data) for data in files]
    league, own = await _work(worker, unpacked, files[0])
    entries = zip(league.seasons, own, strict=True)
    return league, [await _work(worker, contents_in_league, league, entry, data) for entry, (_, data) in entries]


async def look_through(files: Sequence[File], worker: Worker | None = None) -> Summary | None:
    """Return files of other programs in short, None for league files; raises InvalidFile and Unavailable."""
    return await _work(worker, looked_through, files)


async def bring_in(
    db: Database,
    order: Order,
    *,
    files: Sequence[File],
    short: Summary,
    planned: Plan,
    champions: Mapping[int, str] = MappingProxyType({}),
    worker: Worker | None = None,
    saved: Callable[[int], object] = lambda matches: None,
) -> Brought:
    """Read files once more and save all that they bring; raises and tells `saved` as `importing_records.bring` does."""
    league = await db.read(importing.importing_league, order)
    given = (files, {**planned.identities.called}, league, planned.numbers, planned.number is None, {**champions})
    prepared = await _work(worker, importing_records.prepared, *given)
    return await db.write(importing_records.bring, order, file=short, planned=planned, contents=prepared, saved=saved)


async def merge(
    db: Database, order: Order, worker: Worker, *, player: str, into: str, reason: str, agreed: str
) -> Merged:
    """Make two league names one person's; the question before it says what becomes of their rating.

    Raises as `merging.merge` does. That rating isn't what is agreed to: a result may come in before they answer.
    """
    try:
        return await db.write(merging.merge, order, player=player, into=into, reason=reason, agreed=agreed)
    except ConfirmationNeeded as asked:
        rated = await db.read(merging.rated, order, player=player, into=into)
        try:
            rating = await worker.run(merging.rating_in_words, rated, seconds=WORKER_SECONDS)
        except WorkerFailed:
            _log.warning("no rating of two players as one", exc_info=True)
            raise asked from None
        raise ConfirmationNeeded(f"{asked.cost} {rating}", token=asked.token, changed=asked.changed) from None


class TakenAs(StrEnum):
    """As what a season is taken out."""

    FILE = "file"
    CSV = "csv"
    XLSX = "xlsx"
    CALENDAR = "calendar"
    SITE = "site"
    LEAGUE = "league"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOut:
    """A file to save; `checkable` is whether there are pairings to check in it, if it's a league file."""

    filename: str
    content: bytes
    checkable: bool = True


async def take_out(db: Database, order: Order, worker: Worker, *, season_number: int | None, as_: TakenAs) -> TakenOut:
    """Return a season, by default the newest, as a file; raises NotAllowed, NotFound and Unavailable."""
    given: Any = {"season_number": season_number}
    if as_ is TakenAs.FILE:
        exported = await db.read(exporting.export, order, **given)
        return TakenOut(filename=exported.filename, content=exported.text.encode(), checkable=exported.checkable)
    if as_ is TakenAs.CALENDAR:
        name, entries = await db.write(calendars.of_season, order, **given)
        return TakenOut(filename="fairpair.ics", content=to_ics(name, entries, order.now))
    taken = await db.read(season_sheets.taken, order, **given)
    taken = replace(taken, standings=await with_verdicts(db, worker, taken.standings))
    tables_ = season_sheets.sheets(taken)
    try:
        if as_ is TakenAs.CSV:
            content = await worker.run(to_zip, tables_, seconds=WORKER_SECONDS)
        else:
            content = await worker.run(to_workbook, tables_, order.now, seconds=WORKER_SECONDS)
    except WorkerFailed:
        raise Unavailable("The file took too long to write. Try again in a minute.") from None
    return TakenOut(filename=f"{taken.name}.{'zip' if as_ is TakenAs.CSV else 'xlsx'}", content=content)


async def _work(worker: Worker | None, work: Callable[[*_Given], _Made], *given: *_Given) -> _Made:
    """Read a file beside the bot, in bounded time and memory; without a worker here."""
    if worker is None:
        return work(*given)
    if worker.waiting >= MOST_WAITING:
        raise Unavailable("Other leagues are importing files now. Try again in some minutes.")
    try:
        return await worker.run(work, *given, seconds=READING_SECONDS)
    except (MemoryError, WorkerFailed):
        raise Invalid(f"Checking the file takes too much time or memory. {importing.LIMITS}") from None
