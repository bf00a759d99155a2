"""Read a table, one row a match or one row a person, and the Discord accounts of people."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.importers.cells import shortened
from bot.importers.found import FoundBye, FoundMatch, Question
from bot.importers.gathering import Gathering, require_few
from bot.importers.tables.columns import Layout, layout, titles_of
from bot.importers.tables.doubts.filled_down import FilledDown
from bot.importers.tables.doubts.ids import Ids
from bot.importers.tables.doubts.twice import Entry, Meetings
from bot.importers.tables.headings import GROUPED, Role, plain
from bot.importers.tables.matches import Matches, Read
from bot.importers.tables.rounds import FINAL, numbers_of, stage_of
from bot.importers.tables.row import Row, Wrong
from bot.importers.tables.seasons import Seasons
from bot.importers.tables.table import Table
from bot.league.errors import InvalidFile
from bot.league.season.in_words import amount
from bot.league.season.names import written_key

_ACCOUNT = re.compile(r"(?:<@!?)?(\d{17,20})>?")
_ROUNDED = re.compile(r"\d[.,]\d+e\+?1\d", re.IGNORECASE)


def read_all(tables: Sequence[Table], gathering: Gathering) -> None:
    """Read tables; what they don't say becomes a question."""
    entries = list[Read]()
    seasons = list[Seasons]()
    for table in tables:
        gathering.columns(titles_of(table.rows), {})
        laid_out = layout(table.rows, gathering.answers)
        if isinstance(laid_out, Question):
            gathering.questions.append(laid_out)
            continue
        if len(table.rows) == laid_out.head + 1:
            raise InvalidFile("has a head but no rows below it. Add one row for each match.", place=table.sheet)
        gathering.columns(laid_out.titles, {str(role): laid_out.title(role) for role in laid_out.columns})
        unused = laid_out.unused(table.rows)
        if unused:
            gathering.note(f"Not used: {amount(len(unused), 'column')}, {', '.join(unused)}.")
        if any(plain(title) in GROUPED for title in unused):
            gathering.note(
                "Groups and divisions don't come in: everyone of a season is in one table, and all its matches count."
            )
        if laid_out.has_matches:
            require_few(len(table.rows) - laid_out.head - 1)
            down = FilledDown(table, laid_out, gathering.answers)
            ids = Ids(down.table, laid_out, gathering.answers)
            asked = down.question or ids.question
            if asked is not None:
                gathering.questions.append(asked)
                continue
            matches = Matches(ids.table, laid_out, gathering)
            entries += matches.read()
            seasons.append(matches.seasons)
        else:
            _read_people(table, laid_out, gathering)
    if not gathering.questions:
        _gather(entries, gathering)
    if not gathering.questions:
        for of_table in seasons:
            of_table.crown()


def _gather(entries: Sequence[Read], gathering: Gathering) -> None:
    """Give the rounds of each season their numbers, and gather what isn't written twice."""
    names: dict[object, dict[str, None]] = {}
    for read in entries:
        if read.stage:
            names.setdefault(read.season, {})[read.stage] = None
    numbers = {season: numbers_of(stages) for season, stages in names.items()}
    meetings = Meetings([_entry(read, numbers) for read in entries], gathering.answers)
    gathering.questions += [*meetings.questions.values()][:1]
    if meetings.dropped:
        count = amount(meetings.dropped, "row repeats a match and doesn't", "rows repeat a match and don't")
        gathering.note(f"{count} count again.")
    if meetings.merged:
        gathering.note("Rows of one pair in one round are the games of one match.")
    for entry in meetings.entries:
        if isinstance(entry.pairing, FoundBye):
            gathering.bye(entry.season, entry.pairing)
        else:
            gathering.match(entry.season, entry.pairing, columns=entry.columns)


def _entry(read: Read, numbers: Mapping[object, Mapping[str, int]]) -> Entry:
    entry = replace(read.pairing, round=numbers[read.season][read.stage] if read.stage else None)
    if isinstance(entry, FoundMatch) and read.stage and (stage_of(read.stage) or FINAL) >= FINAL:
        entry = replace(entry, finals=True)
    return Entry(season=read.season, pairing=entry, cells=read.row.cells, columns=read.columns)


def _is_cross_table(table: Table, layout: Layout) -> bool:
    """Return whether a list of people has columns of rounds or of the people themselves, with results in them."""
    names = {written_key(Row(table, layout, at).quiet(Role.PLAYER)) for at in range(layout.head + 1, len(table.rows))}
    top = table.rows[layout.head] if layout.head >= 0 else ()
    titles = [str(cell) for at, cell in enumerate(top) if at not in layout.columns.values() and cell != ""]
    rounds = (stage for title in titles if (stage := stage_of(title)) is not None and stage.number is not None)
    return sum(1 for _ in rounds) > 1 or sum(written_key(title) in names for title in titles) > 1


def _read_people(table: Table, layout: Layout, gathering: Gathering) -> None:
    if _is_cross_table(table, layout):
        gathering.note("This is a cross table, so only its names come in. Results need a table with one row a match.")
    seen: dict[str, str] = {}
    owners: dict[int, str] = {}
    require_few(len(table.rows))
    for index in range(layout.head + 1, len(table.rows)):
        row = Row(table, layout, index)
        try:
            text, account = row.text(Role.PLAYER), row.text(Role.DISCORD)
            if not text:
                raise Wrong(Role.PLAYER, "empty. Write the person's name.")
            gathering.rows += 1
            name = gathering.name(text)
            if name in seen:
                raise Wrong(Role.PLAYER, f"{name} is in {seen[name]} already. Delete one of them.")
            seen[name] = row.place
            gathering.person(name)
            _account(name, account, owners, gathering)
        except Wrong as wrong:
            gathering.wrong(row.where, layout.title(wrong.role), wrong.text)


def _account(name: str, text: str, owners: dict[int, str], gathering: Gathering) -> None:
    """Note a person's Discord id; a Discord name is only proposed, because anyone can have written it."""
    by_id = _ACCOUNT.fullmatch(text)
    if by_id is not None:
        owner = owners.setdefault(int(by_id[1]), name)
        if owner != name:
            raise Wrong(Role.DISCORD, f"{owner} has the same Discord id. Fix one of them.")
        gathering.account(name, int(by_id[1]))
    elif _ROUNDED.fullmatch(text):
        raise Wrong(
            Role.DISCORD,
            f"the spreadsheet rounded the id to {shortened(text)}. Format the column as text, type it again.",
        )
    elif text:
        gathering.proposed(name, text)
