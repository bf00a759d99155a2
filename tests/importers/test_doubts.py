"""What tables leave in doubt is asked about: never another winner, another person, or one less without a word."""

import pytest

from bot.league.errors import InvalidFile
from bot.league.season.model import Kind
from tests.importers import shapes
from tests.importers.files import xlsx
from tests.importers.test_tables import answered, question, whole, winners

BESIDE = {
    "Player,Opponent,Result,Score\nAnn,Ben,Win,2-1\nCy,Di,Loss,2-0": "“Result” says Loss in row 3",
    "Spieler;Gegner;Resultat;Ergebnis\nAnn;Ben;Sieg;2:1\nCy;Di;Niederlage;2:0": "“Resultat” says Niederlage in row 3",
    "Player,Opponent,Score,Did you win?\nAnn,Ben,2-1,Yes\nCy,Di,2-0,No": "“Did you win?” says No in row 3",
    "Dein Name,Gegner,Stand,Gewonnen oder?\nAnn,Ben,2-1,Ja\nCy,Di,2-0,Nein": "“Gewonnen oder?” says Nein in row 3",
    "Player,Opponent,Score 1,Score 2,Laurels\nAnn,Ben,2,1,Ann\nCy,Di,1,1,Di": "“Laurels” says Di in row 3",
}


@pytest.mark.parametrize("table", BESIDE)
def test_a_column_that_says_others_won_than_the_score_is_asked_about(table: str) -> None:
    asked = question(table)
    assert asked.text.startswith(BESIDE[table])
    assert [choice.value for choice in asked.choices][1:] == ["-"]


def test_a_loss_beside_a_score_with_the_higher_number_first_is_one() -> None:
    table = "Player,Opponent,Result,Score\nAnn,Ben,Win,2-1\nCy,Di,Loss,2-0"
    assert winners(whole(table, "Result")) == ["Ann", "Di"]
    assert winners(whole(table, "-")) == ["Ann", "Cy"]


def test_a_column_that_agrees_with_every_score_is_not_asked_about() -> None:
    assert winners(whole("Player,Opponent,Result,Score\nAnn,Ben,Win,2-1\nCy,Di,Loss,0-2")) == ["Ann", "Di"]


def test_minus_one_is_no_win_of_the_first_player() -> None:
    found, _ = answered("Player,Opponent,Result\nAnn,Ben,1\nCy,Di,-1")
    step = "Write Cy or Di, or draw; an unplayed match has unplayed in how."
    assert [problem.line for problem in found.problems] == [f"Row 3, Result: “-1” doesn't say who won. {step}"]


DOUBTFUL = (
    *("Bye (full)", "Bye 1pt", "bye (1.0)", "B.Y.E.", "Mr. Bye", "Bye Bye", "Pause", "pausiert", "setzt aus", "rest"),
    *("Sitting out", "libre", "vrij", "ghost", "?", "[deleted]", "N/A", "/"),
)


@pytest.mark.parametrize(
    "name", ["Freilos 2", "spiel frei", "Frei los", "exempté", "pas d'adversaire", "ohne Gegner", "***BYE***", "bye 12"]
)
def test_a_bye_by_any_common_word_is_no_person(name: str) -> None:
    (season,) = whole(f"round,player,opponent,score\n1,Ann,{name},1-0\n2,Ann,Ben,1-0").seasons
    assert ([bye.name for bye in season.byes], season.people) == (["Ann"], ("Ann", "Ben"))


@pytest.mark.parametrize("name", DOUBTFUL)
@pytest.mark.parametrize("score", ["1-0", ""])
def test_a_name_that_may_be_a_bye_is_asked_about(name: str, score: str) -> None:
    table = f"round,player,opponent,score\n1,Ann,{name},{score}\n2,Ann,Ben,1-0"
    assert question(table).text == f"Is “{name}” in row 2 a person, or a bye?"
    (season,) = whole(table, "bye").seasons
    assert ([bye.name for bye in season.byes], season.people) == (["Ann"], ("Ann", "Ben"))


def test_a_dummy_of_another_program_that_may_be_a_person_is_asked_about() -> None:
    lines = [shapes.trf_line(1, "Ann", "     2 w 1"), shapes.trf_line(2, "Bye (full)", "     1 b 0")]
    data = "\n".join(lines)
    assert question(data).text == "Is “Bye (full)” in player 2 a person, or a bye?"
    assert [bye.name for bye in whole(data, "bye").seasons[0].byes] == ["Ann"]
    assert whole(data, "person").matches == 1


def test_half_points_of_chess_files_are_draws() -> None:
    table = "White,Black,Result\nAnn,Ben,1-0\nCy,Di,1/2-1/2\nAnn,Di,1/2 - 1/2\nBen,Cy,0-1"
    assert winners(whole(table)) == ["Ann", None, None, "Cy"]
    assert winners(whole("player,opponent,score 1,score 2\nAnn,Ben,1/2,1/2\nCy,Di,1 1/2,½")) == [None, "Cy"]
    assert winners(whole("player,opponent,result\nAnn,Ben,6-1/2-6/7-5")) == ["Ann"]


def test_scores_that_say_they_are_forfeits_are() -> None:
    table = "player,opponent,result\nAnn,Ben,1-0 FF\nCy,Di,0:2 kampflos\nAnn,Di,2-0 (forfeit)\nBen,Cy,0F-1F\nDi,Cy,2-1"
    (season,) = whole(table).seasons
    assert [(match.winner, match.kind, match.games) for match in season.matches] == [
        ("Ann", Kind.FORFEIT, None),
        ("Di", Kind.FORFEIT, None),
        ("Ann", Kind.FORFEIT, None),
        ("Cy", Kind.FORFEIT, None),
        ("Di", Kind.PLAYED, (2, 1)),
    ]


def test_a_forfeit_in_words_leaves_dashes_in_doubt() -> None:
    assert question("Heim,Gast,Ergebnis\nAnn,Ben,2:0 kampflos\nCy,Di,-:-").text == "What does -:- in row 3 mean?"


@pytest.mark.parametrize("cell", ["02-Jan", "2. Jan", "01.02.2026", "2026-02-01", "Jan-02"])
def test_a_score_a_spreadsheet_made_a_date_of_says_so(cell: str) -> None:
    found, _ = answered(f"player,opponent,score\nAnn,Ben,2-1\nCy,Di,{cell}")
    (problem,) = found.problems
    assert problem.line.startswith("Row 3, score: the spreadsheet made a date of the score.")


def test_a_score_a_spreadsheet_made_a_time_of_is_the_score() -> None:
    head = ["Round", "Player 1", "Player 2", "Score"]
    cells = [head, [1, "Ann", "Ben", 121 / 1440], [1, "Cy", "Di", 2 / 1440], [2, "Ann", "Cy", "2-0"]]
    (season,) = whole(xlsx({"A": cells}, times=["D2", "D3"])).seasons
    assert [(match.winner, match.games) for match in season.matches] == [
        ("Ann", (2, 1)),
        ("Di", (0, 2)),
        ("Ann", (2, 0)),
    ]
    assert winners(whole("player,opponent,winner\nAnn,Ben,02:01:00\nCy,Di,0:02:00")) == ["Ann", "Di"]
    found, _ = answered("player,opponent,score\nAnn,Ben,2-1\nCy,Di,02:01:30")
    assert found.problems[0].line.startswith("Row 3, score: the spreadsheet made a date of the score.")


def test_a_word_beside_a_score_says_whose_it_is() -> None:
    table = "player,opponent,result\nAnn,Ben,W 2-1\nCy,Di,L 1-2\nAnn,Di,Won 2-0\nBen,Cy,2-1 (W)\nAnn,Cy,Draw 1-1"
    (season,) = whole(table).seasons
    assert [(match.winner, match.games) for match in season.matches] == [
        ("Ann", (2, 1)),
        ("Di", (1, 2)),
        ("Ann", (2, 0)),
        ("Ben", (2, 1)),
        (None, (1, 1)),
    ]
    assert winners(whole("Spieler,Gegner,Ergebnis\nAnn,Ben,S 2:1\nCy,Di,N 0:2")) == ["Ann", "Di"]
    assert question("White,Black,Result\nAnn,Ben,B 0-1\nCy,Di,A 1-0").text == "What does A in “Result” mean?"
    for cell, told in (
        ("W 1-2", "says Cy, but the score says 1-2. Fix one of them."),
        ("2-1 overtime", "“2-1 overtime” didn't play. Write Cy or Di."),
    ):
        found, _ = answered(f"player,opponent,result\nAnn,Ben,W 2-1\nCy,Di,{cell}")
        assert [problem.text for problem in found.problems] == [told]


def test_what_a_form_asks_the_player_is_read() -> None:
    table = "Timestamp,Your name,Opponent's name,Who won?\n3/14/2026 18:22,Ann,Ben,I won\n3/15/2026,Cy,Di,My opponent"
    assert winners(whole(table)) == ["Ann", "Di"]
    table = "Winner's name,Loser's name,Games won by winner,Games won by loser\nAnn,Ben,2,1"
    assert whole(table).seasons[0].matches[0].games == (2, 1)
    assert winners(whole("Home,Away,Winner\nAnn,Ben,Away wins\nCy,Di,Cy won")) == ["Ben", "Cy"]


MERGED = "Spieltag,Datum,Heim,Gast,Ergebnis\n1,1.2.2026,Ann,Ben,2:1\n,,Cy,Di,0:2\n2,8.2.2026,Ann,Cy,1:2\n,,Ben,Di,2:0"


def test_cells_that_were_merged_are_asked_about() -> None:
    assert question(MERGED).text == (
        "“Spieltag” is empty in row 3. Does what stands above go on, 1? The answer is for all such rows."
    )
    (season,) = whole(MERGED, "above", "above").seasons
    assert [(match.round, str(match.day)) for match in season.matches] == [
        (1, "2026-02-01"),
        (1, "2026-02-01"),
        (2, "2026-02-08"),
        (2, "2026-02-08"),
    ]
    found, _ = answered(MERGED, "empty")
    assert [problem.where for problem in found.problems] == ["Row 3", "Row 5"]


@pytest.mark.parametrize("head", ["season", "season number", "year", "round", "season,round", "year,round,week"])
def test_a_column_that_is_empty_in_every_row_is_none(head: str) -> None:
    empty = "," * head.count(",")
    found = whole(f"{head},player,opponent,winner\n{empty},Ann,Ben,Ann\n{empty},Cy,Di,Di")
    assert (winners(found), [season.title for season in found.seasons]) == (["Ann", "Di"], ["old"])
    weeks = whole("round,week,player,opponent,winner\n,1,Ann,Ben,Ann\n,2,Cy,Di,Di")
    assert [match.round for match in weeks.seasons[0].matches] == [1, 2]


def test_a_match_on_two_sheets_may_be_one_written_twice() -> None:
    head = ["Week", "Player 1", "Player 2", "Score"]
    sheets = xlsx({
        "Season 1": [head, [1, "Ann", "Ben", "2-1"], [1, "Cy", "Di", "2-0"], [1, "Eva", "bye", ""]],
        "Season 2": [head, [1, "Ann", "Cy", "2-1"], [1, "Ann", "Cy", "0-2"]],
        "All": [
            ["Season", *head], [1, 1, "Ann", "Ben", "2-1"], [1, 1, "Cy", "Di", "2-0"], [1, 1, "Eva", "bye", ""],
            [2, 1, "Ann", "Cy", "2-1"], [2, 1, "Cy", "Ann", "2-0"],
        ],
    })  # fmt: skip
    assert question(sheets).choices[-1].label == "One match, written twice, where the results are the same"
    found = whole(sheets, "one", "two")
    results = [[(match.players[0], match.games) for match in season.matches] for season in found.seasons]
    assert results == [[("Ann", (2, 1)), ("Cy", (2, 0))], [("Ann", (2, 1)), ("Ann", (0, 2))]]
    assert [len(season.byes) for season in found.seasons] == [1, 0]
    games = "round,player,opponent,winner,game\n1,Ann,Ben,Ann,1\n1,Ann,Ben,Ben,2"
    assert [choice.value for choice in question(games).choices] == ["two", "games"]
    assert [choice.value for choice in question(f"{games}\n1,Ann,Ben,Ann,3").choices] == ["two", "games", "one"]


IDS = "player1_id,player1_name,player2_id,player2_name,winner_id\n101,Jan,102,Ben,101\n103,Jan,102,Ben,102\n"


def test_ids_beside_names_say_who_won_and_who_is_someone_else() -> None:
    assert question(IDS).text == (
        "Jan has the ids 101 and 103. Is each name one person, or each id? The answer is for all names."
    )
    found = whole(IDS, "ids")
    assert (winners(found), found.seasons[0].people) == (["Jan", "Ben"], ("Jan", "Ben", "Jan (2)"))
    found = whole(IDS, "names")
    assert (winners(found), found.seasons[0].people) == (["Jan", "Ben"], ("Jan", "Ben"))
    met, _ = answered(f"{IDS}101,Jan,103,Jan,103\n", "names")
    assert met.problems[0].text == "Jan plays against themselves. Write who the opponent was."
    assert winners(whole("P1 id,P1,P2 id,P2,Winner\n1,Ann,2,Ben,2\n3,Cy,4,Di,3")) == ["Ben", "Cy"]


def test_scores_between_headings_of_rounds_are_asked_for() -> None:
    rows = "Combatant,Foe,Laurels,Tally\nSeason 1,,,\nWeek 1,,,\nAnn,Ben,Ben,96-80\nWeek 2,,,\nAnn,Ben,Ann,3-96"
    assert question(rows, "Combatant", "Foe", "Laurels").key == "score"


def test_boards_and_ratings_are_no_winners() -> None:
    table = "Rd.,Bo.,White,Rtg,Result,Black\n1,1,Ann,1500,1 - 0,Ben\n1,2,Cy,1300,1 - 0,Di\n1,3,Ed,1300,- - +,Fa"
    assert winners(whole(table)) == ["Ann", "Cy", "Fa"]


POINTS = "Runde;Weiss;Punkte;Ergebnis;Punkte;Schwarz\n2;Ann;1;1 - 0;1;Ben\n2;Cy;0;½ - ½;0,5;Di"


def test_points_in_the_table_beside_a_result_are_asked_about() -> None:
    assert question(POINTS).text == "“Punkte (column C)” doesn't fit who won in row 3. Whose points are these?"
    assert [match.score for match in whole(POINTS, "table").seasons[0].matches] == [None, None]
    found, _ = answered(POINTS, "match")
    assert [problem.where for problem in found.problems] == ["Row 3"]


@pytest.mark.parametrize(
    ("table", "letter"),
    [
        ("Schwarz,Weiß,Resultat\nAnn,Ben,S\nCy,Di,U", "S"),
        ("Weiß,Schwarz,Resultat\nAnn,Ben,S\nCy,Di,S", "S"),
        ("Heim,Gast,Ergebnis\nAnn,Ben,G\nCy,Di,U", "G"),
    ],
)
def test_a_letter_that_may_be_a_seat_or_a_win_is_asked_about(table: str, letter: str) -> None:
    assert question(table).text.startswith(f"What does {letter} in ")


ROUNDS = {
    "Swiss 2": 2,
    "Vorrunde 2": 2,
    "Round Two": 2,
    "Zweite Runde": 2,
    "Second Round": 2,
    "T8": 3,
    "Final Four": 3,
    "Elims R1": 3,
    "3rd/4th": 3,
    "5th place": 3,
    "Spiel um Platz 5": 3,
    "Platz 5/6": 3,
    "Finalspiel": 3,
    "Champ. Game": 3,
}


@pytest.mark.parametrize("name", ROUNDS)
def test_rounds_by_other_common_names_stand_where_they_were_played(name: str) -> None:
    (season,) = whole(f"round,player,opponent,winner\n1,Ann,Ben,Ann\n2,Ann,Cy,Cy\n{name},Ben,Di,Di").seasons
    assert season.matches[-1].round == ROUNDS[name]


def test_places_are_played_out_before_the_final() -> None:
    names = ("Final", "3rd place", "5th place", "Semi-final", "Round Four")
    rows = "\n".join(f"{name},Ann{at},Ben{at},Ann{at}" for at, name in enumerate(names))
    (season,) = whole(f"round,player,opponent,winner\n{rows}").seasons
    assert [match.round for match in season.matches] == [8, 7, 6, 5, 4]


def test_games_of_chess_say_what_to_send() -> None:
    with pytest.raises(InvalidFile, match="has games of chess"):
        answered('[Event "X"]\n[White "Ann"]\n[Black "Ben"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n')
