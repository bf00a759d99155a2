"""Read any file a league may come from, by what is in it: the table of readers, and what can't be read."""

from dataclasses import replace
from itertools import islice
from pathlib import PurePath

from bot.importers import pasted, separated, workbooks
from bot.importers.archives import files_in, is_whole_league
from bot.importers.found import Answers, Found
from bot.importers.gathering import Gathering
from bot.importers.programs import challonge, cobra, trf
from bot.importers.reader import Content, Reader
from bot.importers.sheets_of_matches import read_tables
from bot.importers.tables.table import Table
from bot.league.errors import InvalidFile

LARGEST = 24 * 1024 * 1024
"""Bytes; 50,000 matches as CSV have a fifth of it, as Challonge's JSON about all."""

_REFUSED = {
    b"\xd0\xcf\x11\xe0": "is an old Excel file (.xls), or one with a password. Save it as .xlsx without one.",
    b"%PDF": "is a PDF. Send the spreadsheet it was made from, or CSV.",
    b"\x89PNG": "is a picture. Send the table itself, as CSV or .xlsx.",
    b"\xff\xd8\xff": "is a picture. Send the table itself, as CSV or .xlsx.",
    b"GIF8": "is a picture. Send the table itself, as CSV or .xlsx.",
    b"\x1f\x8b": "is a packed archive (gzip). Send the file in it.",
    b"Rar!": "is a packed archive (RAR). Send the file in it.",
    b"7z\xbc\xaf": "is a packed archive (7z). Send the file in it.",
    b'[Event "': "has games of chess (PGN). Send a table of the results, or the tournament's TRF.",
    b"SQLite format 3": "is a database. Save its table as CSV.",
}


def _is_league_file(content: Content) -> bool:
    return any(isinstance(value, dict) and "fairpair" in value for value in content.values)


def _refuse_league_file(*_: object) -> None:
    raise InvalidFile("is a league file, which holds one season.")


LEAGUE_FILE = Reader(
    name="league file",
    file="what /league export gives: one season, with all that verify checks",
    knows=_is_league_file,
    read=_refuse_league_file,
)
"""It has its own reader, in `bot/league/checking/league_file`, and is no past of another program."""


WHOLE_LEAGUE = Reader(
    name="zip of a league",
    file="what /league export as:league gives: all its seasons and people",
    knows=lambda content: content.holds_files and is_whole_league(content.parts),
    read=_refuse_league_file,
)
"""It comes in as the league files in it do."""
OF_LEAGUES = (LEAGUE_FILE, WHOLE_LEAGUE)


def _read_archive(content: Content, _: str, gathering: Gathering) -> None:
    """Read the files of a zip: all tables as the sheets of one workbook, each other file for itself."""
    tables, refused, others = list[Table](), dict[str, InvalidFile](), 0
    for name, data in files_in(content.data):
        inner, title = Content(data), name.rpartition(".")[0] or name
        try:
            reader = _reader_of(inner)
        except InvalidFile as wrong:
            if wrong.place:
                raise InvalidFile(wrong.problem, place=f"{name}, {wrong.place}") from None
            refused[name] = wrong
            continue
        if reader in (*OF_LEAGUES, ARCHIVE):
            raise InvalidFile(f"has a {reader.name} in it, {name}. Unpack it, and send that file itself.")
        try:
            if reader.tables is not None:
                tables += [
                    replace(table, sheet=f"{name}, {table.sheet}" if table.sheet else name)
                    for table in reader.tables(inner, title)
                ]
            else:
                gathering.part, others = name, others + 1
                _read(reader, inner, title, gathering)
        except InvalidFile as wrong:
            raise InvalidFile(wrong.problem, place=f"{name}, {wrong.place}" if wrong.place else name) from None
        finally:
            gathering.part = ""
    if len(tables) == 1 and not others:
        tables = [replace(tables[0], sheet="")]
    if tables:
        read_tables(tables, gathering, alone=not others)
    elif not others:
        name, wrong = next(iter(refused.items()), ("", InvalidFile("has no files in it.")))
        raise InvalidFile(wrong.problem, place=name)
    if refused:
        gathering.note(f"Left out, because nothing can be read of it: {', '.join(refused)[:200]}.")


ARCHIVE = Reader(
    name="zip",
    file="what /league export as:csv gives, or any of the other files packed",
    knows=lambda content: content.holds_files and not WHOLE_LEAGUE.knows(content),
    read=_read_archive,
)

READERS = (
    LEAGUE_FILE,
    WHOLE_LEAGUE,
    ARCHIVE,
    workbooks.READER,
    cobra.READER,
    challonge.READER,
    trf.READER,
    pasted.READER,
    separated.READER,
)
"""Every kind of file there is; the first one that knows a file reads it."""


def reader_of(data: bytes) -> Reader:
    """Return which reader a file is for; raises InvalidFile for what can't be read at all."""
    return _reader_of(Content(data))


def _reader_of(content: Content) -> Reader:
    if len(content.data) > LARGEST:
        raise InvalidFile(
            f"has {len(content.data) / 2**20:.0f} MB; at most {LARGEST >> 20} MB can be read. Split it by season."
        )
    refused = next((text for start, text in _REFUSED.items() if content.data.startswith(start)), None)
    if refused is not None:
        raise InvalidFile(refused)
    if not content.packed:
        start = content.text.lstrip("\ufeff \t\r\n")[:200].casefold()
        if not start:
            raise InvalidFile("is empty. Choose another file, or save it again.")
        if start.startswith(("<!doctype", "<html", "<?xml", "<table", "<svg")):
            raise InvalidFile("is a web page or XML. Copy the table into a spreadsheet and send that.")
    knowing = (reader for reader in READERS if reader.knows(content))
    readers = list(islice(knowing, None if content.json is not None else 1))
    if not readers:
        raise InvalidFile(f"is of another kind. These can be read: {', '.join(reader.name for reader in READERS)}.")
    if len(readers) > 1 or (readers[0] is LEAGUE_FILE and len(content.values) > 1):
        kinds = " and ".join(reader.name for reader in readers)
        raise InvalidFile(f"has several things in one: {kinds}. Send a file for each.")
    return readers[0]


def read(data: bytes, name: str, answers: Answers | None = None) -> Found:
    """Return all that a file has; raises InvalidFile, which names the file, where the whole of it is wrong."""
    title = PurePath(name.replace("\\", "/")).name or "file"
    try:
        content = Content(data)
        reader = _reader_of(content)
        gathering = Gathering(reader.name, answers or Answers())
        _read(reader, content, PurePath(title).stem or title, gathering)
        return gathering.found()
    except InvalidFile as wrong:
        place = f"{title}, {wrong.place}" if wrong.place else title
        raise InvalidFile(wrong.problem, place=place) from None


def _read(reader: Reader, content: Content, title: str, gathering: Gathering) -> None:
    if reader.tables is not None:
        read_tables(reader.tables(content, title), gathering)
    elif reader.read is not None:
        reader.read(content, title, gathering)
