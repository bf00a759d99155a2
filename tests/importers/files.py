"""Workbooks and answers of other programs, made for the tests from what their documentation says of the formats."""

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"

Cells = Sequence[Sequence[str | int | float | None]]


def letters(index: int) -> str:
    return chr(ord("A") + index)


def xlsx(
    sheets: dict[str, Cells | str],
    *,
    merged: str = "",
    dates: Sequence[str] = (),
    times: Sequence[str] = (),
    hidden: Sequence[str] = (),
) -> bytes:
    """Sheets by name, as rows or as the XML of their rows.

    `dates` and `times` are references of cells shown as such, `hidden` the names of sheets nobody sees.
    """
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        kinds = "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="'
            'application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
            f"{kinds}</Types>",
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" Type="{_LINKS}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        seen = {name: ' state="hidden"' if name in hidden else "" for name in sheets}
        names = "".join(
            f'<sheet name="{escape(name)}" sheetId="{n}"{seen[name]} r:id="s{n}"/>' for n, name in enumerate(sheets, 1)
        )
        archive.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{names}</sheets></workbook>'
        )
        links = "".join(
            f'<Relationship Id="s{n}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        links += f'<Relationship Id="st" Type="{_LINKS}/styles" Target="styles.xml"/>'
        archive.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'
        )
        archive.writestr(
            "xl/styles.xml",
            f'<styleSheet xmlns="{_MAIN}">'
            '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs></styleSheet>',
        )
        for n, rows in enumerate(sheets.values(), start=1):
            inner = (
                rows
                if isinstance(rows, str)
                else "".join(_row(i, row, dates, times) for i, row in enumerate(rows, start=1))
            )
            merge = f'<mergeCells count="1"><mergeCell ref="{merged}"/></mergeCells>' if merged else ""
            archive.writestr(
                f"xl/worksheets/sheet{n}.xml",
                f'<worksheet xmlns="{_MAIN}"><sheetData>{inner}</sheetData>{merge}</worksheet>',
            )
    return file.getvalue()


def _row(number: int, row: Sequence[str | int | float | None], dates: Sequence[str], times: Sequence[str]) -> str:
    cells = list[str]()
    for index, value in enumerate(row):
        place = f"{letters(index)}{number}"
        style = ' s="1"' if place in dates else ' s="2"' if place in times else ""
        if isinstance(value, str):
            cells.append(f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>')
        elif value is not None:
            cells.append(f'<c r="{place}"{style}><v>{value}</v></c>')
    return f'<row r="{number}">{"".join(cells)}</row>'


def packed(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def ods(rows: Cells, *, extra: str = "") -> bytes:
    body = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows) + extra
    office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{office}" '
            'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
            'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
            f'<table:table table:name="Sheet1">{body}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return file.getvalue()


def _ods_cell(value: str | int | float | None) -> str:
    if value is None:
        return "<table:table-cell/>"
    kind = 'string"' if isinstance(value, str) else f'float" office:value="{value}"'
    return f'<table:table-cell office:value-type="{kind}><text:p>{escape(str(value))}</text:p></table:table-cell>'


PEOPLE = {11: "Ada", 12: "Bruno", 13: "Chloé", 14: "Daria"}


def challonge_1() -> bytes:
    """A double elimination of four as version 1 answers with `include_participants=1&include_matches=1`."""
    rounds = [
        # identifier, round, player 1, player 2, winner, scores, order
        ("A", 1, 11, 14, 11, "2-0", 1),
        ("B", 1, 12, 13, 13, "1-3,3-2,0-3", 2),
        ("D", -1, 14, 12, 12, "0--1", 3),
        ("C", 2, 11, 13, 11, "2-1", 4),
        ("E", -2, 13, 12, 13, "2-0", 5),
        ("F", 3, 11, 13, 13, "1-2", 6),
        ("G", 3, 11, 13, None, "", 7),
    ]
    matches = [
        {
            "match": {
                "id": 500 + order, "identifier": identifier, "round": number, "player1_id": one, "player2_id": other,
                "winner_id": winner, "loser_id": None, "scores_csv": scores, "state": "complete" if winner else "open",
                "tournament_id": 7, "group_id": None, "suggested_play_order": order, "forfeited": None,
                "completed_at": f"2023-05-0{order}T18:00:00.000-05:00" if winner else None,
            }
        }
        for identifier, number, one, other, winner, scores, order in rounds
    ]  # fmt: skip
    people = [
        {"participant": {"id": key, "name": name, "seed": seed, "tournament_id": 7, "group_player_ids": []}}
        for seed, (key, name) in enumerate(PEOPLE.items(), start=1)
    ]
    tournament = {"id": 7, "name": "Spring Open", "tournament_type": "double elimination", "state": "complete"}
    return json.dumps({"tournament": {**tournament, "participants": people, "matches": matches}}).encode()


def challonge_2() -> bytes:
    """Participants and matches as version 2.1 answers them, one answer below the other."""
    people = [
        {"id": str(key), "type": "participant", "attributes": {"name": name, "seed": seed}}
        for seed, (key, name) in enumerate(PEOPLE.items(), start=1)
    ]

    def match(number: int, round_: int, one: int, other: int, winner: int | None, sets: list[list[int]]) -> Any:
        return {
            "id": str(900 + number), "type": "match",
            "attributes": {
                "state": "complete", "round": round_, "identifier": "ABCDEFG"[number], "suggested_play_order": number,
                "scores": ",".join(f"{a}-{b}" for a, b in sets), "score_in_sets": sets, "winner_id": winner,
                "points_by_participant": [
                    {"participant_id": one, "scores": [a for a, _ in sets]},
                    {"participant_id": other, "scores": [b for _, b in sets]},
                ],
                "timestamps": {"updated_at": f"2024-02-0{number + 1}T12:00:00.000Z"},
            },
            "relationships": {"player1": {"data": {"id": str(one), "type": "participant"}}},
        }  # fmt: skip

    matches = [
        match(0, 1, 11, 12, 11, [[2, 1]]),
        match(1, 1, 13, 14, None, [[1, 1]]),
        match(2, 2, 11, 13, 13, [[0, 2]]),
    ]
    answers = ({"data": people, "meta": {"count": 4}}, {"data": matches, "included": []})
    return "\n".join(map(json.dumps, answers)).encode()


def cobra() -> bytes:
    """Two rounds with a bye in the first, a draw and a table nobody played, then a cut in which two meet twice."""

    def table(number: int, one: dict[str, Any], other: dict[str, Any], **more: bool) -> dict[str, Any]:
        usual = {"intentionalDraw": False, "twoForOne": False, "eliminationGame": False}
        return {"table": number, "player1": one, "player2": other, **usual, **more}

    def seat(key: int | None, corp: int | None, runner: int | None) -> dict[str, Any]:
        points = [part for part in (corp, runner) if part is not None]
        return {"id": key, "corpScore": corp, "runnerScore": runner, "combinedScore": sum(points) if points else None}

    def cut(number: int, winner: int, loser: int) -> dict[str, Any]:
        return table(
            number,
            {"id": loser, "role": "runner", "winner": False},
            {"id": winner, "role": "corp", "winner": True},
            eliminationGame=True,
        )

    names = {**PEOPLE, 15: "Emil"}
    return json.dumps({
        "name": "Winter Cup", "date": "2022-12-03", "cutToTop": 2, "preliminaryRounds": 2,
        "tournamentOrganiser": {"nrdbId": 1, "nrdbUsername": "someone"},
        "players": [
            {"id": key, "name": name, "rank": rank, "corpIdentity": None, "runnerIdentity": None, "matchPoints": 6}
            for rank, (key, name) in enumerate(names.items(), start=1)
        ],
        "eliminationPlayers": [{"id": 11, "name": "Ada", "rank": 1, "seed": 1}],
        "rounds": [
            [
                table(1, seat(11, 3, 3), seat(12, 0, 0)),
                table(2, seat(13, 3, 0), seat(14, 3, 0), intentionalDraw=True),
                table(3, seat(15, 3, 3), seat(None, 0, 0)),
            ],
            [
                table(1, seat(11, 3, 0), seat(13, 0, 3)),
                table(2, seat(12, None, None), seat(14, None, None)),
            ],
            [cut(1, 11, 13)],
            [cut(2, 13, 11), cut(3, 13, 11)],
        ],
        "uploadedFrom": "Cobra", "links": [],
    }).encode()  # fmt: skip


def trf() -> bytes:
    def line(rank: int, name: str, games: Sequence[str]) -> str:
        head = f"001 {rank:4d} m    {name:<33} {1800 + rank:4d} GER {rank:11d} 1990/01/01  1.0 {rank:4d}"
        return head + "".join(f"  {game}" for game in games)

    assert line(1, "Ada", ["   2 w 1"])[91:99] == "   2 w 1"
    return "\n".join([
        "012 Town Swiss", "042 2021/03/01", "062 4",
        line(1, "Lovelace, Ada", ["   2 w 1", "   3 b =", "0000 - H"]),
        line(2, "Bruno", ["   1 b 0", "   4 w +", "   3 b 0"]),
        line(3, "Chloé", ["   4 w 1", "   1 w =", "   2 w 1"]),
        line(4, "Daria", ["   3 b 0", "   2 b -", "0000 - Z"]),
    ]).encode()  # fmt: skip
