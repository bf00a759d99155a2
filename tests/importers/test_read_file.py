"""Files of other programs, read whole: what is in them, and what is asked where they don't say."""

import csv
import pickle
from collections import Counter
from pathlib import Path

import pytest

from bot.importers.as_seasons import recorded
from bot.importers.found import About, Answers, Found
from bot.importers.numbering import numbers_for
from bot.importers.read_file import read
from bot.league.checking.league_file import reading
from bot.league.checking.league_file.writing import to_json
from bot.league.season.model import Kind
from tests.importers.files import challonge_1, challonge_2, cobra, ods, packed, trf, xlsx

CODEX = Path(__file__).parents[2] / "../shared/data/codex-2016-2019.csv"

HEAD = "season,round,player,opponent,winner,how,date"
ROWS = ["1,1,Ada,Bruno,Ada,,2024-02-01", "1,1,Chloé,Daria,draw,,2024-02-02", "2,1,Ada,Chloé,Chloé,forfeit,2024-05-01"]
PLAIN = "\n".join([HEAD, *ROWS])


def whole(found: Found) -> Found:
    assert (found.problems, found.questions) == ((), ())
    assert pickle.loads(pickle.dumps(found)) == found
    return found


def lines(found: Found) -> list[tuple[object, ...]]:
    return [
        (season.number, match.round, *match.players, match.winner, match.kind.value)
        for season in found.seasons
        for match in season.matches
    ]


@pytest.mark.skipif(not CODEX.exists(), reason="the real league's file isn't here")
def test_a_real_league_is_read_as_it_is() -> None:
    found = whole(read(CODEX.read_bytes(), CODEX.name))
    rows = list(csv.DictReader(CODEX.read_text(encoding="utf-8").splitlines()))
    played = [row for row in rows if row["player_b"]]
    assert Counter(row["number"] for row in played) == Counter(
        str(season.number) for season in found.seasons for _ in season.matches
    )
    assert Counter((row["number"], row["winner"]) for row in played) == Counter(
        (str(season.number), match.winner) for season in found.seasons for match in season.matches
    )
    assert sum(len(season.byes) for season in found.seasons) == len(rows) - len(played)
    assert set(found.names) == {row[key] for row in rows for key in ("player_a", "player_b")} - {""}
    for season in recorded(found, "Codex", numbers_for(found.seasons).new):
        assert reading.read(to_json(season).encode()) == season


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_table_is_the_same_in_every_dress(separator: str, encoding: str) -> None:
    data = PLAIN.replace(",", separator).encode(encoding)
    assert lines(whole(read(data, "old.txt"))) == [
        (1, 1, "Ada", "Bruno", "Ada", "played"),
        (1, 1, "Chloé", "Daria", None, "played"),
        (2, 1, "Ada", "Chloé", "Chloé", "forfeit"),
    ]


def test_columns_are_found_in_any_order_and_under_other_words() -> None:
    text = "Datum;Player 2;Score;Week;Player 1;Saison\n3.4.2024;Bruno;0-2;Week 1;Ada;Spring\n"
    found = whole(read(text.encode(), "a.csv"))
    assert lines(found) == [(None, 1, "Ada", "Bruno", "Bruno", "played")]
    assert str(found.seasons[0].matches[0].day) == "2024-04-03"


def test_winner_and_loser_are_enough() -> None:
    found = whole(read(b"winner,loser,score\nAda,Bruno,2-1\nBruno,Chlo,2-0", "a.csv"))
    assert [(match.winner, match.games) for match in found.seasons[0].matches] == [("Ada", (2, 1)), ("Bruno", (2, 0))]


def test_scores_can_name_the_winner_first() -> None:
    text = b"player,opponent,winner,score\nAda,Bruno,Bruno,2-1\nAda,Chlo,Ada,2-0"
    assert [match.games for match in whole(read(text, "a.csv")).seasons[0].matches] == [(1, 2), (2, 0)]


def test_what_no_word_tells_is_asked() -> None:
    data = b"x1,x2,x3\nAda,Bruno,2-0\nBruno,Chlo,0-2\nAda,Chlo,2-1\n"
    answers, asked = Answers(), list[str]()
    for column in ("x1", "x2", "x3"):
        question = read(data, "a.csv", answers).questions[0]
        assert question.about is About.COLUMN
        assert column in [choice.value for choice in question.choices]
        asked.append(question.text)
        answers = answers.answered(question, column)
    assert asked == [
        "Which column is the player?",
        "Which column is the opponent?",
        "Which column says who won, by name or by score?",
    ]
    assert [match.winner for match in whole(read(data, "a.csv", answers)).seasons[0].matches] == ["Ada", "Chlo", "Ada"]


def test_dates_that_can_be_two_days_are_asked_about() -> None:
    data = b"player,opponent,winner,date\nAda,Bruno,Ada,03/04/2024"
    question = read(data, "a.csv").questions[0]
    days = [
        read(data, "a.csv", Answers().answered(question, choice.value)).seasons[0].matches[0].day
        for choice in question.choices
    ]
    assert list(map(str, days)) == ["2024-04-03", "2024-03-04"]


def test_a_name_nobody_can_have_is_asked_for_once() -> None:
    long = "A" * 40
    data = f"player,opponent,winner\n{long},Bruno,Bruno\n{long},Chlo,{long}".encode()
    (question,) = read(data, "a.csv").questions
    assert (question.about, question.key) == (About.NAME, long)
    found = whole(read(data, "a.csv", Answers().answered(question, "Ann")))
    assert [match.winner for match in found.seasons[0].matches] == ["Bruno", "Ann"]


def test_a_list_of_people_comes_alone() -> None:
    found = whole(read("name,discord,seed\nAda,ada#1,1\nChloé,,2".encode("cp1252"), "people.csv"))
    assert (found.people, found.notes) == (("Ada", "Chloé"), ("Not used: 1 column, seed.",))
    standings = "Rank\tParticipant Name\tMatch W-L-T\tPts\n1\tAda\t3 - 0 - 0\t3\n2\tBruno\t1 - 2 - 0\t1"
    assert whole(read(standings.encode(), "a.txt")).people == ("Ada", "Bruno")


CELLS = [["Season", "Round", "Player", "Opponent", "Winner", "Date"], [3, 1, "Ada", "Bruno", "Ada", 45_000]]


@pytest.mark.parametrize("data", [xlsx({"Sheet1": CELLS}, dates=["F2"]), xlsx({"S": CELLS}), ods(CELLS)])
def test_spreadsheets_are_read_with_their_dates(data: bytes) -> None:
    found = whole(read(data, "looks-like.csv"))
    assert lines(found) == [(3, 1, "Ada", "Bruno", "Ada", "played")]
    assert str(found.seasons[0].matches[0].day) == "2023-03-15"


def test_each_sheet_can_be_a_season_and_others_stay_out() -> None:
    season = [["player", "opponent", "winner"], ["Ada", "Bruno", "Ada"]]
    found = whole(read(xlsx({"Spring": season, "Autumn": season, "Notes": [["hello"]]}), "a.xlsx"))
    assert [season.title for season in found.seasons] == ["Spring", "Autumn"]
    assert found.notes == ("Left out, because no matches were found there: Notes.",)


def sheets(**players: str) -> bytes:
    """Return a workbook with a sheet for each name, its match in week 1."""
    head = ["Week", "Player 1", "Player 2", "Winner"]
    return xlsx({
        name.replace("_", " "): [head, [1, *pair.split(), pair.split()[0]]] for name, pair in players.items()
    })  # fmt: skip


def test_sheets_that_may_be_parts_of_a_season_are_asked_about() -> None:
    cup = sheets(Group_A="Ada Bruno", Group_B="Chlo Dan", Playoffs="Ada Chlo")
    (asked,) = read(cup, "Cup.xlsx").questions
    assert asked.text == "Are sheets such as Group A and Playoffs parts of one season, or a season each?"
    (season,) = whole(read(cup, "Cup.xlsx", Answers().answered(asked, "one"))).seasons
    assert (season.title, [match.round for match in season.matches]) == ("Cup", [1, 1, 2])
    each = whole(read(cup, "Cup.xlsx", Answers().answered(asked, "each")))
    assert [season.title for season in each.seasons] == ["Group A", "Group B", "Playoffs"]
    late = sheets(Week_1="Ada Bruno", Makeup_games="Chlo Dan")
    assert whole(read(late, "Cup.xlsx", Answers().answered(asked, "one"))).seasons[0].title == "Cup"
    assert not read(sheets(Spring="Ada Bruno", Autumn="Ada Chlo"), "Cup.xlsx").questions
    people = [["Name", "Discord"], ["Ada", "ada#1"]]
    matches = [["Player 1", "Player 2", "Winner"], ["Ada", "Bruno", "Ada"]]
    assert not read(xlsx({"Matches": matches, "Group list": people}), "Cup.xlsx").questions


def test_sheets_that_begin_with_their_season_are_parts_of_it() -> None:
    book = sheets(
        S2_Div_A="Ada Chlo", S1_Div_A="Ada Bruno", S1_Div_B="Chlo Dan", Season_3="Ada Bruno", S3_Finals="Ada Dan"
    )
    found = whole(read(book, "Cup.xlsx"))
    assert [(season.number, [match.round for match in season.matches]) for season in found.seasons] == [
        (2, [1]),
        (1, [1, 1]),
        (3, [1, 2]),
    ]
    years = whole(read(sheets(**{"2023_Spring": "Ada Bruno", "2023_Autumn": "Ada Chlo"}), "Cup.xlsx"))
    assert [season.title for season in years.seasons] == ["2023 Spring", "2023 Autumn"]


def test_hidden_sheets_stay_out_and_are_named() -> None:
    season = [["player", "opponent", "winner"], ["Ada", "Bruno", "Ada"]]
    book = xlsx({"2022": season, "2023": season, "2024": season}, hidden=["2022", "2023"])
    for data in (book, packed({"a.xlsx": book, "b.csv": b"hello"})):
        found = read(data, "a.xlsx")
        assert found.matches == 1
        (note,) = (note for note in found.notes if "hidden" in note)
        assert [year in note for year in ("2022", "2023", "2024")] == [True, True, False]
    assert whole(read(book, "a.xlsx")).notes == (
        "Left out, because they're hidden: 2022, 2023. Unhide a sheet to bring it in.",
    )


def test_a_cell_merged_over_rows_counts_for_each() -> None:
    cells = [["season", "player", "opponent", "winner"], [4, "Ada", "Bruno", "Ada"], [None, "Ada", "Chlo", "Ada"]]
    found = whole(read(xlsx({"A": cells}, merged="A2:A3"), "a.xlsx"))
    assert [season.number for season in found.seasons] == [4]


def test_challonge_version_1() -> None:
    found = whole(read(challonge_1(), "x.json"))
    (season,) = found.seasons
    assert (season.title, len(found.people)) == ("Spring Open", 4)
    assert [(match.round, match.winner, match.games, match.kind) for match in season.matches] == [
        (1, "Ada", (2, 0), Kind.PLAYED),
        (1, "Chloé", (1, 2), Kind.PLAYED),
        (2, "Bruno", None, Kind.FORFEIT),
        (3, "Ada", (2, 1), Kind.PLAYED),
        (4, "Chloé", (2, 0), Kind.PLAYED),
        (5, "Chloé", (1, 2), Kind.PLAYED),
    ]
    assert found.notes == ("1 match had no result and stayed out.",)


def test_challonge_version_2() -> None:
    (season,) = whole(read(challonge_2(), "x.json")).seasons
    assert [(match.round, *match.players, match.winner, match.games) for match in season.matches] == [
        (1, "Ada", "Bruno", "Ada", (2, 1)),
        (1, "Chloé", "Daria", None, (1, 1)),
        (2, "Ada", "Chloé", "Chloé", (0, 2)),
    ]


def test_cobra() -> None:
    found = whole(read(cobra(), "x.json"))
    (season,) = found.seasons
    assert [(match.round, match.winner, match.games, match.finals) for match in season.matches] == [
        (1, "Ada", (6, 0), False),
        (1, None, (3, 3), False),
        (2, None, (3, 3), False),
        (3, "Ada", None, True),
        (4, "Chloé", None, True),
        (4, "Chloé", None, True),
    ]
    assert [(bye.name, bye.round) for bye in season.byes] == [("Emil", 1)]
    assert found.notes == ("1 match had no result and stayed out.",)
    (made,) = recorded(found, "League", (1,))
    assert reading.read(to_json(made).encode()) == made
    assert [len(round_.matches) for round_ in made.rounds] == [2, 1, 1, 1, 1]


def test_trf() -> None:
    (season,) = whole(read(trf(), "x.txt")).seasons
    assert [(match.round, *match.players, match.winner, match.kind.value) for match in season.matches] == [
        (1, "Lovelace, Ada", "Bruno", "Lovelace, Ada", "played"),
        (1, "Chloé", "Daria", "Chloé", "played"),
        (2, "Lovelace, Ada", "Chloé", None, "played"),
        (2, "Bruno", "Daria", "Bruno", "forfeit"),
        (3, "Bruno", "Chloé", "Chloé", "played"),
    ]
    assert [bye.name for bye in season.byes] == ["Lovelace, Ada"]


@pytest.mark.parametrize(
    "text",
    [
        "Round 1\nAda 2 - 0 Bruno\nChlo 1-2 Daria\nRound 2\nAda 0 - 2 Daria",
        "Round 1\n1\n1\nAda\n2\n4\nBruno\n0\n2\n2\nChlo\n1\n3\nDaria\n2\nRound 2\n3\n1\nAda\n0\n3\nDaria\n2",
    ],
)
def test_a_bracket_copied_from_a_page(text: str) -> None:
    (season,) = whole(read(text.encode(), "paste.txt")).seasons
    assert [(match.round, match.winner, match.games) for match in season.matches] == [
        (1, "Ada", (2, 0)),
        (1, "Daria", (1, 2)),
        (2, "Daria", (0, 2)),
    ]


@pytest.mark.long
def test_ten_thousand_rows_are_read() -> None:
    """How long that takes, `make bench` says."""
    rows = "".join(f"{n // 500},{n % 500 // 50 + 1},P{n % 50},Q{n % 50},P{n % 50},2-1\n" for n in range(10_000))
    found = read(f"season,round,player,opponent,winner,score\n{rows}".encode(), "large.csv")
    assert found.rows == 10_000


def test_the_template_can_be_read() -> None:
    template = Path(__file__).parents[2] / "docs/league.csv"
    assert lines(whole(read(template.read_bytes(), template.name))) == [
        (1, 1, "Ada", "Bruno", "Ada", "played"),
        (1, 1, "Chris", "Daria", None, "played"),
        (1, 2, "Ada", "Chris", "Chris", "forfeit"),
    ]
