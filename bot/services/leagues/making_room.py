"""Imported seasons make room for those of a later import that were played before them, and get their numbers back."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from bot.league.season.phases import LIVE
from bot.moving_in.numbering import Days, Here
from bot.services.base.act import Act, Look
from storage.rows import SeasonId, SeasonRow
from storage.tables import imports, seasons
from storage.tables.imports import BroughtSeason, ImportId


def seasons_here(see: Look) -> tuple[Here, ...]:
    """Return the seasons of a league as numbers go by them; one that is prepared with a number is there too.

    An imported season that has its number by its dates keeps it once a season started that counts with it, and in a
    league whose pages are public.
    """
    brought = {one.season_id: one for one in imports.of_league(see.conn, see.league.id)}
    here = [_here(see, row, brought.get(row.id)) for row in seasons.of_league(see.conn, see.league.id)]
    wanted = seasons.wanted_number(see.conn, see.league.id)
    if wanted and wanted not in {one.number for one in here}:
        here.append(Here(number=wanted, own=True))
    return tuple(here)


def _here(see: Look, row: SeasonRow, brought: BroughtSeason | None) -> Here:
    number = row.number or 0
    if brought is None or row.phase in LIVE:
        return Here(number=number, dates=_days(see, row), own=True)
    used = see.league.site or imports.started_since(see.conn, see.league.id, brought.import_id)
    return Here(number=number, dates=brought.days, loose=brought.by_date and not used)


def _days(see: Look, row: SeasonRow) -> Days | None:
    """Return the first and the last day of a season that was played here."""
    if row.started_at is None or row.ended_at is None:
        return None
    zone = ZoneInfo(see.league.time_zone)
    return row.started_at.astimezone(zone).date(), row.ended_at.astimezone(zone).date()


def make_room(do: Act, import_id: ImportId, moved: Mapping[int, int]) -> None:
    """Give seasons the numbers they have from an import on, and note which they had."""
    rows = {row.number or 0: row.id for row in seasons.of_league(do.conn, do.league.id)}
    imports.note_moved(do.conn, import_id, {rows[before]: before for before in moved})
    _renumber(do, {rows[before]: number for before, number in moved.items()})
    for number in moved.values():
        seasons.hide_past_meetings(do.conn, import_id, do.league.id, number)


def give_back(do: Act, moved: Mapping[SeasonId, int]) -> None:
    """Give seasons the numbers they had before an import that was taken back."""
    _renumber(do, moved)


def _renumber(do: Act, numbers: Mapping[SeasonId, int]) -> None:
    before = {row.id: row.number for row in seasons.of_league(do.conn, do.league.id)}
    imports.renumber(do.conn, numbers)
    for season, number in sorted(numbers.items(), key=lambda item: item[1]):
        was = before[season]
        do.note("season.renumber", f"season {was}", before={"number": was}, after={"number": number})
