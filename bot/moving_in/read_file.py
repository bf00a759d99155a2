"""Read any file a league may come from, by what is in it: how large it can be, and which kinds can't be read."""

from pathlib import PurePath

from bot.league.errors import InvalidFile
from bot.moving_in.found import Answers, Found, Source
from bot.moving_in.gathering import Gathering
from bot.moving_in.json_files import parsed, read_challonge, read_cobra, source_of
from bot.moving_in.pasted import looks_pasted, read_pasted
from bot.moving_in.tables import read_table
from bot.moving_in.texts import decoded, table_of
from bot.moving_in.trf import is_report, read_trf
from bot.moving_in.workbooks import read_workbook

LARGEST = 24 * 1024 * 1024
"""Bytes; 50,000 matches as CSV have a fifth of it, as Challonge's JSON about all."""

_KINDS = {
    b"\xd0\xcf\x11\xe0": "is an old Excel file (.xls), or one with a password. Save it as .xlsx without one.",
    b"%PDF": "is a PDF. Send the spreadsheet it was made from, or CSV.",
    b"\x89PNG": "is a picture. Send the table itself, as CSV or .xlsx.",
    b"\xff\xd8\xff": "is a picture. Send the table itself, as CSV or .xlsx.",
    b"GIF8": "is a picture. Send the table itself, as CSV or .xlsx.",
    b"\x1f\x8b": "is a packed archive (gzip). Send the file in it.",
    b"Rar!": "is a packed archive (RAR). Send the file in it.",
    b"7z\xbc\xaf": "is a packed archive (7z). Send the file in it.",
    b"SQLite format 3": "is a database. Save its table as CSV.",
}


def kind_of(data: bytes) -> Source:
    """Return what a file is; raises InvalidFile for what can't be read at all."""
    if len(data) > LARGEST:
        raise InvalidFile(
            f"has {len(data) / 2**20:.0f} MB; at most {LARGEST >> 20} MB can be read. Split it by season."
        )
    refused = next((text for start, text in _KINDS.items() if data.startswith(start)), None)
    if refused is not None:
        raise InvalidFile(refused)
    if data.startswith(b"PK"):
        return Source.WORKBOOK
    text = decoded(data)
    start = text.lstrip("\ufeff \t\r\n")[:200].casefold()
    if not start:
        raise InvalidFile("is empty. Choose another file, or save it again.")
    if start.startswith(("<!doctype", "<html", "<?xml", "<table", "<svg")):
        raise InvalidFile("is a web page or XML. Copy the table into a spreadsheet and send that.")
    if start[0] in "{[":
        return source_of(parsed(text))
    return Source.TRF if is_report(text) else Source.TEXT


def read(data: bytes, name: str, answers: Answers | None = None) -> Found:
    """Return all that a file has; raises InvalidFile, which names the file, where the whole of it is wrong."""
    title = PurePath(name.replace("\\", "/")).name or "file"
    try:
        return _read(data, PurePath(title).stem or title, answers or Answers())
    except InvalidFile as wrong:
        place = f"{title}, {wrong.place}" if wrong.place else title
        raise InvalidFile(wrong.problem, place=place) from None


def _read(data: bytes, title: str, answers: Answers) -> Found:
    source = kind_of(data)
    gathering = Gathering(source, answers)
    match source:
        case Source.LEAGUE_FILE:
            raise InvalidFile("is a league file, which holds one season.")
        case Source.WORKBOOK:
            read_workbook(data, title, gathering)
        case Source.CHALLONGE:
            read_challonge(parsed(decoded(data)), title, gathering)
        case Source.COBRA:
            read_cobra(parsed(decoded(data)), title, gathering)
        case Source.TRF:
            read_trf(decoded(data), title, gathering)
        case Source.TEXT:
            text = decoded(data)
            if looks_pasted(text):
                read_pasted(text, title, gathering)
            else:
                read_table(table_of(text, title), gathering)
    return gathering.found()
