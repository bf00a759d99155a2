"""Small files in the shapes other programs really write, with what makes each of them hard; all made for the tests."""

import json
from collections.abc import Sequence
from typing import Any


def _match(number: int, round_: int, one: int | None, other: int | None, winner: int | None, **more: Any) -> Any:
    match = {
        "id": 9000 + number, "tournament_id": 70, "state": "complete", "player1_id": one, "player2_id": other,
        "winner_id": winner, "round": round_, "identifier": chr(ord("A") + number), "group_id": None,
        "forfeited": None, "optional": False, "suggested_play_order": number + 1, "scores_csv": "",
        "completed_at": f"2025-03-{number + 1:02d}T20:15:00.000+01:00",
    }  # fmt: skip
    return {"match": {**match, **more}}


def challonge_two_stages() -> bytes:
    """Groups in which everyone has another id, semi-finals, a match for the third place (round 0), and a final."""
    names = {1: "Ada", 2: "Bruno", 3: "Chlo", 4: "Daria"}
    people = [
        {"participant": {"id": key, "tournament_id": 70, "name": name, "username": None, "final_rank": rank,
                         "group_player_ids": [100 + key]}}
        for (key, name), rank in zip(names.items(), (2, 1, 3, 4), strict=True)
    ]  # fmt: skip
    group = {"group_id": 55, "suggested_play_order": None}
    matches = [
        _match(6, 2, 1, 2, 2, scores_csv="1-2"),
        _match(5, 0, 3, 4, 3, scores_csv="2-0", identifier="3P"),
        _match(3, 1, 1, 4, 1, scores_csv="2-1"),
        _match(4, 1, 2, 3, 2, scores_csv="", forfeited=True),
        _match(0, 1, 101, 102, 101, scores_csv="6-4,3-6,7-5", **group),
        _match(1, 1, 103, 104, None, scores_csv="1-1", **group),
        _match(2, 2, 101, 103, 103, scores_csv=None, **group),
        _match(7, 2, 102, 104, None, scores_csv="", state="open", **group),
    ]
    tournament = {"id": 70, "name": "Spring Cup", "url": "spring_cup", "group_stages_enabled": True}
    return json.dumps([{"tournament": {**tournament, "participants": people, "matches": matches}}]).encode()


def challonge_2_unfinished() -> bytes:
    """Version 2.1 as pages of answers: ids as texts, players only in the points, times apart, a match yet to play."""

    def people(items: Sequence[tuple[int, str]]) -> Any:
        return [
            {
                "id": str(key),
                "type": "participant",
                "attributes": {"name": name, "tournament_id": 8, "final_rank": None},
            }
            for key, name in items
        ]

    def match(number: int, round_: int, one: int, other: int, winner: int | None, **more: Any) -> Any:
        attributes = {
            "state": "complete", "round": round_, "identifier": f"M{number}", "suggested_play_order": number,
            "scores": "", "score_in_sets": [], "winner_id": winner, "tie": False,
            "points_by_participant": [{"participant_id": one, "scores": []}, {"participant_id": other, "scores": []}],
            "timestamps": {"created_at": "2025-10-01T08:00:00Z", "updated_at": f"2025-10-0{number}T08:00:00Z"},
        }  # fmt: skip
        links = {"self": f"https://api.challonge.com/v2.1/tournaments/autumn/matches/{number}.json"}
        return {"id": str(number), "type": "match", "attributes": {**attributes, **more}, "links": links}

    answers = [
        {"data": {"id": "8", "type": "tournament", "attributes": {"name": "Autumn", "url": "autumn"}}},
        {"data": people([(1, "Ada"), (2, "Bruno")]), "meta": {"count": 3}, "links": {"next": "page=2"}},
        {"data": people([(3, "Bye 1")]), "meta": {"count": 3}},
        {
            "data": [
                match(1, 1, 1, 2, 2, score_in_sets=[[0, 2]], scores="0 - 2"),
                match(2, 2, 1, 3, 1),
                match(3, 3, 1, 2, None, state="open"),
                match(4, 4, 1, 2, None, tie=True, scores="1 - 1"),
            ]
        },
    ]
    return "\n".join(json.dumps(answer, indent=1) for answer in answers).encode()


def aesops_tables() -> bytes:
    """As AesopsTables writes: `tableNumber`, a bye as an opponent whose id is null, a cut that says no winner."""

    def seat(key: int | None, corp: int, runner: int) -> Any:
        return {"id": key, "corpScore": corp, "runnerScore": runner, "combinedScore": corp + runner}

    def table(number: int, one: Any, other: Any, *, cut: bool = False) -> Any:
        return {"tableNumber": number, "player1": one, "player2": other, "eliminationGame": cut}

    return json.dumps({
        "name": "Store Championship", "date": "2025-06-14", "cutToTop": 2, "preliminaryRounds": 1,
        "players": [{"id": key, "name": name} for key, name in enumerate(("Ada", "Bruno", "Chlo", "Dan"), start=1)],
        "eliminationPlayers": {}, "uploadedFrom": "AesopsTables",
        "rounds": [
            [table(1, seat(1, 3, 0), seat(2, 0, 3)), table(2, seat(3, 6, 0), seat(None, 0, 0))],
            [table(1, seat(1, 0, 0), seat(2, 3, 0), cut=True)],
        ],
    }).encode()  # fmt: skip


def trf_line(rank: int, name: str, games: str, *, rating: int = 0) -> str:
    """Return a line of a player; `games` as they stand, from column 90."""
    shown = f"{rating:4d}" if rating else "    "
    head = f"001 {rank:4d}      {name:<33} {shown}                             0.0 {rank:4d}"
    assert len(head) == 89, len(head)
    return head + games


def trf_of_lichess() -> bytes:
    """Blanks in place of the opponent, names as on the site, no dates of rounds, a line that ends early."""
    return "\n".join([
        "012 Club Swiss", "022 Lichess", "042 2020/06/12", "062 3",
        trf_line(1, "AdaPlays", "     2 w 1         U", rating=2100),
        trf_line(2, "bruno_x", "     1 b 0     3 w 1"),
        trf_line(3, "Chlo", "         H     2 b 0"),
        trf_line(4, "Late", "         -"),
    ]).encode()  # fmt: skip


def trf_of_older_programs() -> bytes:
    """Byes as results without an opponent, forfeits on both sides, lines that end with CR alone."""
    return "\r".join([
        "012 Grand Old Open", "042 01.05.2004",
        trf_line(1, "Ada", "     2 w 1  0000 - +  0000 - -"),
        trf_line(2, "Bruno", "     1 b 0     3 w -  0000 - ="),
        trf_line(3, "Chlo", "  0000 - Z     2 b -  0000 - -"),
        "",
    ]).encode("cp1252")  # fmt: skip


def trf_26() -> bytes:
    """Comments, records of federations and byes to come, days of the rounds, small letters, games of one move."""
    days = " " * 87 + "26/01/10  26/01/11"
    return "\n".join([
        "### SSSS sTTT NAME", "012 Winter Open", "042 2026/01/10", "142 3", "152 W", "162  W 1.0    D 0.5    L 0.0",
        f"132 {days}",
        trf_line(1, "Lovelace, Ada", "     2 w w  0000 - u", rating=2000),
        "GER    1      Lovelace, A                       1990",
        trf_line(2, "Bruno", "     1 b l     3 w ="),
        trf_line(3, "Chlo", "  0000 - h     2 b d"),
        "240 H   3    1", "260   1   3    1    2", "299 W   1.0       1    1",
    ]).encode()  # fmt: skip


def sets_of_start_gg() -> bytes:
    """A table as scripts write it from start.gg: headings in one word, finals by their names, times."""
    return (
        b"event,fullRoundText,entrant1,entrant2,winner,entrant1Score,entrant2Score,completedAt\n"
        b"Weekly 12,Winners Quarter-Final,Ada,Bruno,Ada,3,1,2025-02-01T20:00:00Z\n"
        b"Weekly 12,Grand Final,Ada,Chlo,Chlo,1,3,2025-02-01T22:00:00Z\n"
    )
