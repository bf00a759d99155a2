"""Who did what in a league: a sentence for each kind of change, in pages, filtered, or as a table for a spreadsheet."""

import csv
import io
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.league.errors import Invalid, NotFound
from bot.league.season.in_words import capitalised
from bot.services.base import find, hooks
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, ReadTransaction, read_transaction
from bot.services.leagues.exporting import ExportedFile
from bot.services.matches import match_finding
from storage.database import Connection
from storage.tables import audit
from storage.tables.audit import AuditRow, Wanted

PAGE = 10
"""Changes on one page."""
MOST_ROWS = 20_000
"""The newest changes a table holds; more would be too large for Discord."""
MOST_DAYS = 3650


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What someone typed to look for: a person, a kind of change, a match, the last so many days; None for all."""

    person: str | None = None
    action: str | None = None
    match: str | None = None
    days: int | None = None


EVERYTHING = Filter()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """One page of a league's changes, newest first."""

    rows: tuple[AuditRow, ...]
    page: int
    pages: int


def show(conn: Connection, order: Order, *, wanted: Filter = EVERYTHING, page: int = 1) -> AuditPage:
    """Return a page of who did what, newest first; a page beyond the last is the last.

    Raises NotAllowed for anyone but organisers, and Invalid and NotFound for a filter that can't be.
    """
    tx = read_transaction(conn, order, by=ORGANISER)
    which = _wanted(tx, wanted, order.now)
    pages = max(1, -(-audit.count(tx.conn, tx.league.id, which) // PAGE))
    shown = min(max(page, 1), pages)
    rows = audit.page(tx.conn, tx.league.id, which, limit=PAGE, offset=(shown - 1) * PAGE)
    return AuditPage(rows=rows, page=shown, pages=pages)


def export(conn: Connection, order: Order, *, wanted: Filter = EVERYTHING) -> ExportedFile:
    """Return who did what as a table (CSV), newest first; raises as `show` does."""
    tx = read_transaction(conn, order, by=ORGANISER)
    which = _wanted(tx, wanted, order.now)
    rows = audit.page(tx.conn, tx.league.id, which, limit=MOST_ROWS, offset=0)
    return ExportedFile(filename="fairpair-audit.csv", text=_table(rows))


def actions(conn: Connection, order: Order) -> tuple[str, ...]:
    """Return the kinds of changes noted in a league, as people read them."""
    tx = read_transaction(conn, order, by=ORGANISER)
    return tuple(sorted(kind_of(action) for action in audit.actions(tx.conn, tx.league.id)))


def _wanted(tx: ReadTransaction, asked: Filter, now: datetime) -> Wanted:
    person, discord_id = _person(tx, asked.person)
    match = None if asked.match is None else match_finding.find_match(tx, asked.match)
    if asked.days is not None and not 1 <= asked.days <= MOST_DAYS:
        raise Invalid(f"Days: give a number from 1 to {MOST_DAYS}, or leave it empty for all changes.")
    return Wanted(
        person=person,
        person_id=discord_id,
        action=_action(tx, asked.action),
        subject=None if match is None else match.label,
        since=None if asked.days is None else now - timedelta(days=asked.days),
    )


def _person(tx: ReadTransaction, named: str | None) -> tuple[str | None, int | None]:
    """Return a name and its Discord account; someone who isn't a player is known by what they are called."""
    if named is None:
        return None, None
    try:
        player = find.player(tx, named)
    except NotFound:
        return named.strip(), None
    return player.name, player.discord_id


def _action(tx: ReadTransaction, typed: str | None) -> str | None:
    """Return the kind of change meant, also `result` for all about results; raises NotFound."""
    if typed is None:
        return None
    words = typed.casefold().strip()
    actions = audit.actions(tx.conn, tx.league.id)
    exact = next((action for action in actions if words in (kind_of(action).casefold(), key_words(action))), None)
    if exact is None and not any(action.startswith(f"{words}.") for action in actions):
        raise NotFound(f"Nothing like “{typed[:50]}” was noted yet. Choose from the list as you type.")
    return exact or words


_COLUMNS = ("time", "person", "discord_id", "action", "subject", "before", "after", "reason")


def _table(rows: tuple[AuditRow, ...]) -> str:
    written = io.StringIO()
    written.write("\ufeff")  # by this mark spreadsheets know that it's UTF-8
    table = csv.writer(written)
    table.writerow(_COLUMNS)
    for row in rows:
        at = row.at.astimezone(UTC).isoformat(timespec="seconds")
        cells = (
            row.actor,
            row.actor_id,
            kind_of(row.action),
            row.subject,
            _state(row.before),
            _state(row.after),
            row.reason,
        )
        table.writerow((at, *(_cell(each) for each in cells)))
    return written.getvalue()


def _state(state: object) -> str:
    return "" if state is None else json.dumps(state, ensure_ascii=False)


def _cell(value: str | int | None) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def sentence(row: AuditRow, subject: str) -> str:
    """Return what was done to a subject, which is escaped already: `Chidi asked to come back`."""
    words = hooks.audit_words().get(row.action) or f"{{}}: {kind_of(row.action)}"
    if row.action.startswith("round.") and subject.endswith("s"):  # the semi-finals
        words = words.replace("{} was", "{} were", 1)
    words = words.replace("{}", subject, 1)
    return capitalised(words)


def kind_of(action: str) -> str:
    """Return a kind of change without its subject: `asked to come back`."""
    words = hooks.audit_words().get(action)
    return key_words(action) if words is None else words.removeprefix("{}").strip(" :")


def key_words(action: str) -> str:
    """Return how a kind of change is kept, as words to type: `result set`."""
    return action.replace(".", " ").replace("_", " ").replace("-", " ")
