"""Seasons make room for those of an import that were played before them, and imported ones get their numbers back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.importers.numbering import Dated, Days, Here, Numbers, numbers_for
from bot.league.errors import Conflict
from bot.league.season.phases import LIVE, SeasonPhase
from bot.services.base.transaction import ReadTransaction, Transaction
from storage.rows import SeasonId, SeasonRow
from storage.tables import imports, seasons
from storage.tables.imports import BroughtSeason, ImportId


def numbers_of(tx: ReadTransaction, new: Sequence[Dated], first: int | None) -> Numbers:
    """Return the numbers of new seasons, and of those that make room: the one that takes sign-ups too, as the last.

    Raises Conflict for numbers that are taken, and where too few are free.
    """
    here, live = seasons_here(tx), seasons.live(tx.conn, tx.league.id)
    if live is None or live.phase is not SeasonPhase.SIGNUP:
        return numbers_for(new, here, first)
    last = live.number or 0
    try:
        given = numbers_for(new, here, first)
    except Conflict:
        given = numbers_for(new, [here_season for here_season in here if here_season.number != last], first)
    others = [
        given.moved.get(here_season.number, here_season.number) for here_season in here if here_season.number != last
    ]
    newest = max([*given.new, *others], default=0)
    return given if newest < last else replace(given, moved={**given.moved, last: newest + 1})


def seasons_here(tx: ReadTransaction) -> tuple[Here, ...]:
    """Return the seasons of a league as numbers go by them; one that is prepared with a number is there too.

    An imported season that has its number by its dates keeps it once a season started that counts with it, and in a
    league whose pages are public.
    """
    brought = {season.season_id: season for season in imports.of_league(tx.conn, tx.league.id)}
    here = [_here(tx, row, brought.get(row.id)) for row in seasons.of_league(tx.conn, tx.league.id)]
    wanted = seasons.wanted_number(tx.conn, tx.league.id)
    if wanted and wanted not in {season.number for season in here}:
        here.append(Here(number=wanted, own=True))
    return tuple(here)


def _here(tx: ReadTransaction, row: SeasonRow, brought: BroughtSeason | None) -> Here:
    number = row.number or 0
    if brought is None or row.phase in LIVE:
        return Here(number=number, dates=_days(tx, row), own=True)
    used = tx.league.site or imports.started_since(tx.conn, tx.league.id, brought.import_id)
    return Here(number=number, dates=brought.days, loose=brought.by_date and not used)


def days_of(tx: ReadTransaction, row: SeasonRow) -> Days | None:
    """Return the first and the last day of a season, those its file says where it was imported."""
    brought = imports.of_season(tx.conn, row.id)
    return _days(tx, row) if brought is None else brought.days


def _days(tx: ReadTransaction, row: SeasonRow) -> Days | None:
    """Return the first and the last day of a season that was played here, also if the clock was set back meanwhile."""
    if row.started_at is None or row.ended_at is None:
        return None
    first, last = sorted((row.started_at, row.ended_at))
    zone = ZoneInfo(tx.league.time_zone)
    return first.astimezone(zone).date(), last.astimezone(zone).date()


def make_room(tx: Transaction, import_id: ImportId, moved: Mapping[int, int]) -> None:
    """Give seasons the numbers they have from an import on, and note which they had."""
    rows, live = seasons.of_league(tx.conn, tx.league.id), seasons.live(tx.conn, tx.league.id)
    move = [row for row in rows if row.number in moved]
    imports.note_moved(tx.conn, import_id, {row.id: row.number or 0 for row in move if row.phase not in LIVE})
    _renumber(tx, {row.id: moved[row.number or 0] for row in move})
    if live is not None and live.number in moved:
        tx.about(seasons.get(tx.conn, live.id))
        tx.invalidate()
        tx.tell(f"Season {live.number} is season {tx.season.number} now: earlier seasons were imported.")
        tx.found = None
    for number in moved.values():
        seasons.hide_past_meetings(tx.conn, import_id, tx.league.id, number)


def give_back(tx: Transaction, moved: Mapping[SeasonId, int]) -> None:
    """Give seasons the numbers they had before an import that was taken back; one in sign-ups follows on them."""
    _renumber(tx, moved)


def _renumber(tx: Transaction, numbers: Mapping[SeasonId, int]) -> None:
    before = {row.id: row.number for row in seasons.of_league(tx.conn, tx.league.id)}
    imports.renumber(tx.conn, numbers)
    for season, number in sorted(numbers.items(), key=lambda item: item[1]):
        was = before[season]
        tx.note("season.renumber", f"season {was}", before={"number": was}, after={"number": number})
