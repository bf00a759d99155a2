"""Take an import back, as long as nothing was built on it."""

import sqlite3
from dataclasses import replace

from bot.league.errors import Conflict, NotFound
from bot.league.season.in_words import first_few
from bot.league.season.phases import SeasonPhase
from bot.services.base import hooks
from bot.services.base.events import ImportTakenBack
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, Transaction, transaction
from bot.services.leagues import imported_accounts, making_room
from bot.services.leagues.importing_records import next_to_start
from storage.database import Connection
from storage.tables import imports, seasons
from storage.tables.imports import ImportRow
from storage.tables.people import apart


def take_back(conn: Connection, order: Order, *, import_id: int) -> tuple[int, ...]:
    """Delete what an import brought and return the numbers of its seasons; raises Conflict with what rests on it."""
    tx = transaction(conn, order, by=ORGANISER)
    row = imports.find(conn, import_id)
    if row is None or row.league_id != tx.league.id:
        raise NotFound("This import was taken back already.")
    _require_untouched(tx, row)
    numbers, moved = imports.numbers(conn, row.id), imports.moved(conn, row.id)
    before = next_to_start(tx)
    new = [person for person in imports.people(conn, row.id) if person.new]
    season = seasons.live(tx.conn, tx.league.id)
    replace(tx, found=season).happened(ImportTakenBack(players=[person.player_id for person in new]))
    imported_accounts.take_back(tx, row.id)
    try:
        for season in imports.season_ids(conn, row.id):
            hooks.remove_parts(conn, season)
        imports.remove_seasons(conn, row.id)
        imports.remove_names(conn, row.id)
    except sqlite3.IntegrityError:
        raise Conflict(f"{_STAYS} because something was changed in its seasons since.") from None
    for person in new:
        try:
            imports.remove_player(conn, person.player_id)
        except sqlite3.IntegrityError:
            why = imports.rests_on(conn, person.player_id) or "has been doing something else in the league since"
            raise Conflict(f"{_STAYS} because {person.now} {why}.") from None
    imports.remove(conn, row.id)
    making_room.give_back(tx, moved)
    tx.note("league.import_back", ", ".join(f"season {number}" for number in numbers) or "a list of people")
    _close_gap(tx)
    apart.follow(conn, tx.league.id, before, next_to_start(tx))
    return numbers


def _close_gap(tx: Transaction) -> None:
    """Let a season that takes sign-ups follow on those that are left: rematches count by the numbers of seasons."""
    season = seasons.live(tx.conn, tx.league.id)
    if season is None or season.phase is not SeasonPhase.SIGNUP or season.number is None:
        return
    number = seasons.number_without_gap(tx.conn, season.id)
    if number >= season.number:
        return
    tx.about(season)
    tx.change_season(number=number)
    apart.renumber(tx.conn, tx.league.id, number)
    tx.note("season.renumber", f"season {season.number}", before={"number": season.number}, after={"number": number})
    tx.invalidate()
    tx.tell(f"Season {season.number} is season {number} now: an import of earlier seasons was taken back.")


_STAYS = "This import can't be taken back any more,"
_NAMED = 20
"""As many names as an error says."""


def _require_untouched(tx: Transaction, row: ImportRow) -> None:
    if imports.started_since(tx.conn, tx.league.id, row.id):
        raise Conflict(f"{_STAYS} because a season has started since and uses it.")
    if imports.followed(tx.conn, tx.league.id, row.id):
        raise Conflict(f"{_STAYS} because another import came after it. Take that one back first.")
    for person in imports.people(tx.conn, row.id):
        if imports.merged_since(tx.conn, person.player_id, row.newest_merge):
            raise Conflict(f"{_STAYS} because {person.now} was merged with someone else since.")
        if person.called != person.now:
            raise Conflict(f"{_STAYS} because {person.now} was called {person.called} in it and was renamed since.")
    given = {*imports.accounts_given(tx.conn, row.id)}
    with_account = [
        person.now
        for person in imports.people(tx.conn, row.id)
        if person.new and person.discord_id is not None and person.player_id not in given
    ]
    if with_account:
        have = "has a Discord account" if len(with_account) == 1 else "have Discord accounts"
        raise Conflict(
            f"{first_few(with_account, _NAMED)} {have} here now, so this import can't be taken back yet. Take the "
            "accounts off: press Undo where organisers said yes, or use /player link without a user. Then try again."
        )
