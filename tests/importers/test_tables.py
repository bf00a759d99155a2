"""Tables as leagues keep them: what their headings say, and what is asked where they leave it open."""

import pytest

from bot.importers.as_seasons import recorded
from bot.importers.found import About, Answers, Found, Question
from bot.importers.numbering import numbers_for
from bot.importers.read_file import read
from bot.importers.tables.pointing import answers_of
from bot.league.checking.league_file import reading
from bot.league.checking.league_file.writing import to_json
from bot.league.errors import InvalidFile
from bot.league.season.model import Kind
from tests.importers.files import xlsx


def answered(data: str | bytes, *answers: str) -> tuple[Found, list[Question]]:
    """Return what is read with these answers, and the questions that were asked, in order."""
    content = data.encode() if isinstance(data, str) else data
    left, asked, so_far = [*answers], list[Question](), Answers()
    while (found := read(content, "old.csv", so_far)).questions and left:
        asked.append(found.questions[0])
        key, answer = found.questions[0].key, left.pop(0)
        if found.questions[0].about is About.MEANING:
            assert answers_of(f"{key}={answer}").meant == {key: answer}  # in a shell
        so_far = so_far.answered(found.questions[0], answer)
    assert not left, f"nobody asked for {left}"
    return found, asked


def whole(data: str | bytes, *answers: str) -> Found:
    found, _ = answered(data, *answers)
    assert (found.questions, found.problems) == ((), ())
    for season in recorded(found, "League", tuple(range(1, len(found.seasons) + 1))):
        assert reading.read(to_json(season).encode()) == season
    return found


def winners(found: Found) -> list[str | None]:
    return [match.winner for season in found.seasons for match in season.matches]


def question(data: str | bytes, *answers: str) -> Question:
    return answered(data, *answers)[0].questions[0]


SEATS = {
    "Home,Away,Result\nAnn,Ben,A\nCy,Di,D\nAnn,Di,A\nAnn,Cy,H": ["Ben", None, "Di", "Ann"],
    "Home,Away,Winner\nAnn,Ben,Away\nCy,Di,Home": ["Ben", "Cy"],
    "Heim;Gast;Ergebnis\nAnn;Ben;G\nCy;Di;Unentschieden\nAnn;Di;Heim": ["Ben", None, "Ann"],
    "Domicile,Extérieur,Vainqueur\nAnn,Ben,E\nCy,Di,Domicile": ["Ben", "Cy"],
    "White,Black,Result\nAnn,Ben,W\nCy,Di,B\nAnn,Di,White\nBen,Di,Draw": ["Ann", "Di", "Ann", None],
    "Player A,Player B,Winner\nAnn,Ben,B\nCy,Di,A\nAnn,Di,Player B": ["Ben", "Cy", "Di"],
    "Player 1,Player 2,Winner\nAnn,Ben,1\nCy,Di,2\nAnn,Di,x": ["Ann", "Di", None],
    "Player,Opponent,Result\nAnn,Ben,Win\nCy,Di,Loss\nAnn,Di,draw\nBen,Di,W": ["Ann", "Di", None, "Ben"],
    "Spieler,Gegner,Ergebnis\nAnn,Ben,S\nCy,Di,N\nAnn,Di,U": ["Ann", "Di", None],
    "Joueur 1,Joueur 2,Résultat\nAnn,Ben,V\nCy,Di,D\nAnn,Di,N": ["Ann", "Di", None],
    "White,Black,Result\nAnn,Ben,1\nCy,Di,0\nAnn,Di,½": ["Ann", "Di", None],
    "player,opponent,score 1,score 2\nAnn,Ben,0.5,½\nCy,Di,1,0\nAnn,Di,0.0,1.0": [None, "Cy", "Di"],
    "player,opponent,loser\nAnn,Ben,Ann\nCy,Di,Di": ["Ben", "Cy"],
    "player,opponent,result\nAnn,Ben,6-4 3-6 7-5\nCy,Di,\"4-6, 4-6\"": ["Ann", "Di"],
}  # fmt: skip


@pytest.mark.parametrize("table", SEATS)
def test_what_a_result_means_follows_the_headings(table: str) -> None:
    assert winners(whole(table)) == SEATS[table]


def test_rows_without_a_result_are_asked_about_once() -> None:
    rows = "round,player,opponent,score\n1,Ann,Ben,2-1\n1,Cy,Di,\n2,Ann,Cy,\n2,Ben,Di,0-2"
    asked = question(rows)
    assert asked.text == "Row 3 has no result. Wasn't that match played? The answer is for all such rows."
    assert [choice.value for choice in asked.choices] == ["unplayed", "draw", "missing"]
    found = whole(rows, "unplayed")
    assert (winners(found), found.notes) == (["Ann", "Di"], ("2 matches had no result and stayed out.",))
    assert winners(whole(rows, "draw")) == ["Ann", None, None, "Di"]
    found, _ = answered(rows, "missing")
    assert [problem.where for problem in found.problems] == ["Row 3", "Row 4"]


@pytest.mark.parametrize(("head", "zero"), [("score", "0-0"), ("score", "0:0"), ("score 1,score 2", "0,0")])
def test_a_score_that_may_have_stood_there_before_the_match_is_asked_about(head: str, zero: str) -> None:
    first = "2-1" if head == "score" else "2,1"
    rows = f"player 1,player 2,{head}\nAnn,Ben,{first}\nCy,Di,{zero}\nAnn,Cy,{first}\nBen,bye,{zero}"
    told = "Row 3 has the score 0-0. Wasn't that match played? The answer is for all such rows."
    assert question(rows).text == told
    found = whole(rows, "unplayed")
    assert (winners(found), found.notes) == (["Ann", "Ann"], ("1 match had no result and stayed out.",))
    assert [match.games for match in whole(rows, "played").seasons[0].matches] == [(2, 1), (0, 0), (2, 1)]


def test_a_file_that_says_what_0_0_means_is_not_asked() -> None:
    for column, cell in (("winner", "draw"), ("status", "played")):
        table = f"player,opponent,score,{column}\nAnn,Ben,2-1,{cell.replace('draw', 'Ann')}\nCy,Di,0-0,{cell}"
        assert winners(whole(table)) == ["Ann", None]


def test_dashes_for_a_score_are_asked_about_where_nobody_writes_forfeits_so() -> None:
    rows = "Heim,Gast,Ergebnis\nAnn,Ben,2:1\nCy,Di,-:-"
    assert question(rows).text == "What does -:- in row 3 mean?"
    assert winners(whole(rows, "unplayed")) == ["Ann"]
    assert [match.kind for match in whole(rows, "lost").seasons[0].matches] == [Kind.PLAYED, Kind.DOUBLE_LOSS]


PLAYED, GONE, BOTH = Kind.PLAYED, Kind.FORFEIT, Kind.DOUBLE_LOSS
FORFEITS = {
    "player,opponent,score\nAnn,Ben,2-1\nCy,Di,0--1\nAnn,Cy,W - DQ\nBen,Di,FF:2": [
        ("Ann", PLAYED), ("Cy", GONE), ("Ann", GONE), ("Di", GONE),
    ],
    "player,opponent,score 1,score 2\nAnn,Ben,2,1\nCy,Di,0,-1\nAnn,Cy,,DQ\nBen,Di,DQ,DQ": [
        ("Ann", PLAYED), ("Cy", GONE), ("Ann", GONE), (None, BOTH),
    ],
    "player,opponent,winner,score\nAnn,Ben,Ann,2-1\nCy,Di,Cy,DQ": [("Ann", PLAYED), ("Cy", GONE)],
    "player,opponent,winner,score\nAnn,Ben,Ann,2-1\nCy,Di,Di,-1": [("Ann", PLAYED), ("Di", GONE)],
    "player,opponent,score 1,score 2\nAnn,Ben,W,L\nCy,Di,L,W": [("Ann", PLAYED), ("Di", PLAYED)],
}  # fmt: skip


@pytest.mark.parametrize("table", FORFEITS)
def test_a_score_of_minus_one_and_dq_are_forfeits(table: str) -> None:
    matches = whole(table).seasons[0].matches
    assert [(match.winner, match.kind) for match in matches] == FORFEITS[table]


def test_a_forfeit_of_the_winner_is_a_problem() -> None:
    found, _ = answered("player,opponent,winner,score\nAnn,Ben,Ann,2-1\nCy,Di,Cy,-1 - 0")
    assert found.problems[0].text == "says Cy, but the score says -1 - 0. Fix one of them."


def test_one_and_two_under_a_score_are_asked_about_and_under_a_winner_are_players() -> None:
    table = "player 1,player 2,{}\nAnn,Ben,2\nCy,Di,1"
    for heading in ("score", "result", "games"):
        assert question(table.format(heading)).text == f"What do 1 and 2 in “{heading}” mean?"
    assert winners(whole(table.format("winner"))) == ["Ben", "Cy"]
    assert winners(whole(table.format("result") + "\nEva,Fay,X")) == ["Ben", "Cy", None]


def test_numbers_and_letters_nobody_can_tell_are_asked_about() -> None:
    games = "Combatant,Foe,k1,k2\nAnn,Ben,2,1\nCy,Di,1,2"
    numbers = question(games, "Combatant", "Foe", "k1")
    assert numbers.text == "What do 1 and 2 in “k1” mean?"
    found = whole(games, "Combatant", "Foe", "k1", "games", "k2")
    assert [(match.winner, match.games) for match in found.seasons[0].matches] == [("Ann", (2, 1)), ("Di", (1, 2))]
    assert winners(whole(games, "Combatant", "Foe", "k2", "games of the second", "k1")) == ["Ann", "Di"]
    assert winners(whole("P,Q,Who\nAnn,Ben,2\nCy,Di,1", "P", "Q", "Who", "seats")) == ["Ben", "Cy"]
    assert winners(whole("P,Q,Who\nAnn,Ben,0\nCy,Di,1", "P", "Q", "Who", "from 0")) == ["Ann", "Di"]
    letters = "Player,Opponent,Result\nAnn,Ben,A\nCy,Di,A"
    assert question(letters).text == "What does A in “Result” mean?"
    assert winners(whole(letters, "second")) == ["Ben", "Di"]
    assert question("Joueur,Adversaire,Résultat\nAnn,Ben,D").text == "What does D in “Résultat” mean?"
    with pytest.raises(InvalidFile, match="people are called 2"):
        read(b"player,opponent,winner\n2,7,2\nAnn,Ben,2", "old.csv")


def test_two_columns_of_games_are_a_choice_and_so_is_the_score_beside_a_winner() -> None:
    games = "Combatant,Foe,k1,k2\nAnn,Ben,3,1\nCy,Di,0,3"
    assert question(games, "Combatant", "Foe").choices[-1].label == "Two columns: games of the first and of the second"
    found = whole(games, "Combatant", "Foe", "--", "k1", "k2")
    assert [match.games for match in found.seasons[0].matches] == [(3, 1), (0, 3)]
    named = "P,Q,Who,Final,Notes\nAnn,Ben,Ann,2-1,hello\nCy,Di,Di,1-2,"
    assert question(named, "P", "Q", "Who").text == "Which column has the score?"
    assert [match.games for match in whole(named, "P", "Q", "Who", "Final").seasons[0].matches] == [(2, 1), (1, 2)]
    assert [match.games for match in whole(named, "P", "Q", "Who", "-").seasons[0].matches] == [None, None]
    pair = "player,opponent,winner,k1,k2\nAnn,Ben,Ann,2,1\nCy,Di,Di,0,2"
    assert [match.games for match in whole(pair, "--", "k1", "k2").seasons[0].matches] == [(2, 1), (0, 2)]


def test_scores_no_best_of_has_are_games_or_points_as_someone_says() -> None:
    table = "Date,Player 1,Player 2,Score 1,Score 2\n2026-02-03,Ann,Ben,21,10\n2026-02-03,Ann,Ben,19,28"
    assert question(table).text == "Is 19-28 in row 3 the games of a match, or its points?"
    points = whole(table, "points").seasons[0].matches
    assert [(match.winner, match.games, match.score) for match in points] == [
        ("Ann", None, (21, 10)), ("Ben", None, (19, 28)),
    ]  # fmt: skip
    assert [match.games for match in whole(table, "games").seasons[0].matches] == [(21, 10), (19, 28)]
    both = whole("player,opponent,score\nAnn,Ben,2-1 87-62\nCy,Di,1-2 (60-90)").seasons[0].matches
    assert [(match.games, match.score) for match in both] == [((2, 1), (87, 62)), ((1, 2), (60, 90))]
    own = whole("player,opponent,winner,games,score\nAnn,Ben,Ann,2-1,87-62\nCy,Di,Di,,60-90").seasons[0].matches
    assert [(match.games, match.score) for match in own] == [((2, 1), (87, 62)), (None, (60, 90))]
    columns = whole("player,opponent,games,points\nAnn,Ben,2-1,87-62").seasons[0].matches[0]
    assert (columns.games, columns.score) == ((2, 1), (87, 62))
    found, _ = answered("player,opponent,score\nAnn,Ben,87-62\nCy,Di,10000-3", "points")
    text = "Row 3, score: 10000 is too large. A score has at most 9,999 on each side."
    assert [problem.line for problem in found.problems] == [text]


def test_finals_by_any_name_come_after_the_rounds_in_order() -> None:
    rows = [("Final", "Ann", "Di"), ("Top 8", "Ann", "Ben"), ("Semi-final 2", "Di", "Cy"), ("3rd place", "Eva", "Cy"),
            ("1", "Ann", "Cy"), ("Halbfinale", "Ann", "Eva"), ("Runde 2", "Ann", "Ben")]  # fmt: skip
    table = "round,player,opponent,winner\n" + "\n".join(f"{name},{a},{b},{a}" for name, a, b in rows)
    assert [match.round for match in whole(table).seasons[0].matches] == [6, 3, 4, 5, 1, 4, 2]
    table = "Round,Player,Opponent,Winner\nRound of 8,Ann,Ben,Ann\nRound of 4,Ann,Di,Ann\nRound of 2,Ann,Eva,Ann"
    assert [match.round for match in whole(table).seasons[0].matches] == [1, 2, 3]
    table = "Round,Stage,Player,Opponent,Winner\n1,Swiss,Ann,Ben,Ann\n2,Swiss,Ann,Cy,Ann\n1,Playoffs,Ann,Ben,Ann"
    assert [match.round for match in whole(table).seasons[0].matches] == [1, 2, 3]


def test_a_round_or_a_season_between_the_rows_is_that_of_the_rows_below() -> None:
    table = "Season 4,,\nHome,Away,Score\nWeek 1,,\nAnn,Ben,2-1\nWeek 2,,\nAnn,Cy,2-0\nSeason 5\nWeek 1\nAnn,Ben,0-2"
    found = whole(table)
    assert [(season.number, [match.round for match in season.matches]) for season in found.seasons] == [
        (4, [1, 2]), (5, [1]),
    ]  # fmt: skip
    cells = [["Home", "Away", "Score"], ["Ann", "Ben", "2-1"]]
    weeks = whole(xlsx({"Final": cells, "Week 1": cells, "Week 2": cells}))
    assert [[match.round for match in season.matches] for season in weeks.seasons] == [[3, 1, 2]]


def test_more_behind_the_number_of_a_heading_takes_nothing_from_it() -> None:
    rows = "Ann,Ben,2-1\nWeek 2 (15 January)\nAnn,Cy,2-0\nSemi-finals: best of 5\nBen,Cy,2-0"
    found = whole(f"Home,Away,Score\nSeason 1 - Spring\nWeek 1 - Jan 8\n{rows}\nSeason 2 (2023)\nRound 1\n{rows}")
    assert [(season.title, season.number) for season in found.seasons] == [
        ("Season 1 - Spring", 1), ("Season 2 (2023)", 2),
    ]  # fmt: skip
    assert [[match.round for match in season.matches] for season in found.seasons] == [[1, 2, 3], [1, 2, 3]]
    legend = whole("F: forfeit\nSeason: 3\nHome,Away,Score\nAnn,Ben,2-1").seasons[0]
    assert (legend.title, legend.matches[0].round) == ("Season: 3", None)
    years = whole(f"2023 - Spring\nHome,Away,Score\n{rows}\n2023 - Autumn\n{rows}")
    assert [season.title for season in years.seasons] == ["2023 - Spring", "2023 - Autumn"]


def test_a_year_and_the_next_one_between_the_rows_are_a_season_and_a_month_is_not() -> None:
    for first, second in (("2022/23", "2023/24"), ("2022-2023", "2023-2024"), ("1999/2000", "2000/2001")):
        found = whole(f"{first}\nHome,Away,Score\nAnn,Ben,2-1\n{second}\nAnn,Ben,0-2")
        assert [season.title for season in found.seasons] == [first, second]
    for month in ("2023-05", "2023/12", "2004/05"):
        found, _ = answered(f"Home,Away,Score\nAnn,Ben,2-1\n{month}\nAnn,Ben,0-2")
        assert len(found.seasons) == 1


@pytest.mark.parametrize("heading", ["Season 2", "Week 2"])
def test_a_row_that_may_be_a_heading_is_a_problem(heading: str) -> None:
    found, _ = answered(f"Home,Away,Score\nAnn,Ben,2-1\n{heading} Autumn\nAnn,Cy,2-0")
    (problem,) = found.problems
    told = f"“{heading} Autumn” looks like a heading. Leave only {heading} in that row, or delete it."
    assert problem.line == f"Row 3, round: {told}"


def test_any_title_may_stand_above_the_head() -> None:
    found = whole("Week 1 of all\nWeek 1\n,Our league\nHome,Away,Score\nAnn,Ben,2-1")
    assert [match.round for match in found.seasons[0].matches] == [1]


def test_two_columns_called_score_belong_to_the_names_beside_them() -> None:
    (season,) = whole("Week,Winner,Score,Loser,Score\n1,Ann,2,Ben,1\n1,Cy,3,Di,0").seasons
    assert [(match.winner, match.games) for match in season.matches] == [("Ann", (2, 1)), ("Cy", (3, 0))]


def test_a_year_is_a_season_where_nothing_else_is() -> None:
    found = whole("Year,Division,Week,Winner,Loser\n2024,A,1,Ann,Ben\n2025,A,1,Ann,Ben")
    assert [season.title for season in found.seasons] == ["2024", "2025"]
    note = "Groups and divisions don't come in: everyone of a season is in one table, and all its matches count."
    assert found.notes == ("Not used: 1 column, Division.", note)
    both = "Season,Year,Winner,Loser\nSpring,2024,Ann,Ben\nSpring,2025,Ann,Ben"
    assert question(both).text == "Season “Spring” has rows of 2024 and of 2025. One season, or one each year?"
    assert [season.title for season in whole(both, "each").seasons] == ["Spring 2024", "Spring 2025"]
    assert [season.title for season in whole(both, "one").seasons] == ["Spring 2024"]


def test_a_year_beside_the_name_of_a_season_is_told_with_it_and_gives_the_order() -> None:
    rows = "Cup,2024,Ann,Ben\nOpen,2023,Ann,Ben\nSpring 2022,2022,Ann,Ben"
    found = whole(f"Season,Year,Winner,Loser\n{rows}")
    assert [season.title for season in found.seasons] == ["Cup 2024", "Open 2023", "Spring 2022"]
    assert numbers_for(found.seasons).new == (3, 2, 1)
    numbered = whole("Season,Year,Winner,Loser\n2,2024,Ann,Ben\n3,2023,Ann,Ben")
    assert [(season.title, season.number) for season in numbered.seasons] == [("2", 2), ("3", 3)]


def test_a_column_of_something_else_is_not_used() -> None:
    table = "Player,Opponent,Winner,Status,Type,Time\nAnn,Ben,Ann,Confirmed,BO3,18:30\nCy,Di,Di,Confirmed,BO3,19:30"
    assert whole(table).notes == ("Not used: 2 columns, Type, Time.",)


def test_a_bye_may_be_in_either_seat_and_nobody_is_called_that() -> None:
    rows = ["1,BYE,Ann,0-1", "2,Ann,spielfrei,1-0", "3,Ann,Bye Allocated,1-0", "1,Cy,BYE 1,1-0", "4,Ann,-,1-0"]
    found = whole(
        "\n".join(["round,player,opponent,score", *rows, "1,(bye),Ben,0-1", "5,Bye,bye,1-0", "5,Ann,Bye,0-1"])
    )
    (season,) = found.seasons
    assert [(bye.name, bye.round) for bye in season.byes] == [
        ("Ann", 1), ("Ann", 2), ("Ann", 3), ("Cy", 1), ("Ann", 4), ("Ben", 1),
    ]  # fmt: skip
    assert (found.names, found.notes) == (
        ("Ann", "Cy", "Ben"), ("2 rows have no match and stay out: row 8, row 9 (Ann).",),
    )  # fmt: skip
    none = "round,player,opponent,winner\n1,Ann,None,Ann\n1,Ben,Cy,Cy"
    assert question(none).text == "Is “None” in row 2 a person, or a bye?"
    assert [len(whole(none, answer).seasons[0].byes) for answer in ("bye", "person")] == [1, 0]


def test_plus_and_minus_are_forfeits() -> None:
    (season,) = whole("round,player,opponent,result\n1,Ann,Ben,+/-\n1,Cy,Di,-:+\n1,Eva,Fay,-/-").seasons
    assert [(match.winner, match.kind.value) for match in season.matches] == [
        ("Ann", "forfeit"), ("Di", "forfeit"), (None, "double_loss"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("13/05/98", "1998-05-13"),
        ("13.05.69", "1969-05-13"),
        ("13/05/68", "2068-05-13"),
        ("13-05-00", "2000-05-13"),
        ("13/05/2098", "2098-05-13"),
    ],
)
def test_two_digits_from_69_on_are_a_year_of_the_last_century(written: str, day: str) -> None:
    found = whole(f"date,player,opponent,winner\n{written},Ann,Ben,Ann")
    assert str(found.seasons[0].matches[0].day) == day


def test_rows_of_one_pair_are_one_match_only_where_someone_says_so() -> None:
    day = "date,player,opponent,winner,score\n2026-02-03,Ann,Ben,Ann,{}\n2026-02-03,Ann,Ben,Ann,{}"
    assert len(whole(day.format("2-1", "2-0")).seasons[0].matches) == 2
    assert question(day.format("2-1", "2-1")).text == "Row 3 is the same as row 2 in every cell. One match, or two?"
    assert [len(whole(day.format("2-1", "2-1"), said).seasons[0].matches) for said in ("one", "two")] == [1, 2]
    sides = "round,player,opponent,result\n1,Ann,Ben,Win\n1,Ben,Ann,Loss\n1,Cy,Di,Loss\n1,Di,Cy,Win"
    assert question(sides).text == "Row 3 has the match of row 2 from the other side. One match, or two?"
    found = whole(sides, "one")
    assert (winners(found), found.notes) == (["Ann", "Di"], ("2 rows repeat a match and don't count again.",))
    games = "round,player,opponent,winner\n1,Ann,Ben,Ann\n1,Ann,Ben,Ben\n1,Ann,Ben,Ann"
    assert question(games).text == (
        "Ann and Ben meet in row 2 and in row 3, in one round."
        " Are such rows matches of their own, or games of one match?"
    )
    (match,) = whole(games, "games").seasons[0].matches
    assert (match.winner, match.games) == ("Ann", (2, 1))
    assert winners(whole(games, "two", "two")) == ["Ann", "Ben", "Ann"]


def test_a_column_names_the_champion() -> None:
    table = "season,champion,player,opponent,winner\n1,Ann,Ann,Ben,Ann\n1,,Cy,Di,Di\n2,ben,,,\n2,,Ben,Ann,Ben"
    assert [season.champion for season in whole(table).seasons] == ["Ann", "Ben"]
    wrong = read(b"season,champion,player,opponent,winner\n1,Eva,Ann,Ben,Ann\n1,Ben,Ann,Ben,Ann", "old.csv")
    assert [problem.line for problem in wrong.problems] == [
        "Row 3, champion: says Ben, but row 2 says Eva. Fix one.",
        "Row 2, champion: Eva didn't play in this season. Write the name as it is in the rows.",
    ]


def test_rows_without_a_match_are_named() -> None:
    found = whole("player,opponent,result\nAnn,Ben,Win\nCy,,\nTotal: 1,,")
    assert found.notes == ("2 rows have no match and stay out: row 3 (Cy), row 4 (Total: 1).",)
    assert found.names == ("Ann", "Ben")


def test_discord_ids_are_accounts_and_names_are_only_proposed() -> None:
    found = whole("name,discord\nAnn,123456789012345678\nBen,ben#1\nCy,<@123456789012345679>\nDi,")
    assert found.accounts == {"Ann": 123456789012345678, "Cy": 123456789012345679}
    assert found.proposed == {"Ben": "ben#1"}
    rounded = read(xlsx({"A": [["name", "discord"], ["Ann", 123456789012345678]]}), "people.xlsx")
    assert [problem.line for problem in rounded.problems] == [
        "Row 2, discord: the spreadsheet rounded the id to 1.23457E+17. Format the column as text, type it again."
    ]
    twice = read(b"name,discord\nAnn,123456789012345678\nBen,123456789012345678", "people.csv")
    assert [problem.line for problem in twice.problems] == [
        "Row 3, discord: Ann has the same Discord id. Fix one of them."
    ]


@pytest.mark.parametrize(
    "table",
    [
        "No,Name,1,2,3,Pts\n1,Ann,*,1,0.5,1.5\n2,Ben,0,*,1,1\n3,Cy,0.5,0,*,0.5",
        "Name,R1,R2,Pts\nAnn,W2,D3,1.5\nBen,L1,W3,1\nCy,,L2,0.5",
        "Name;ann;ben;cy\nAnn;x;2:1;2:0\nBen;1:2;x;2:0\nCy;0:2;0:2;x",
    ],
)
def test_a_cross_table_says_what_its_results_need(table: str) -> None:
    found = whole(table)
    assert (found.names, found.matches) == (("Ann", "Ben", "Cy"), 0)
    assert "This is a cross table, so only its names come in. Results need a table with one row a match." in found.notes
    assert not any("cross" in note for note in whole("name,discord,1\nAnn,,x\nBen,ben,").notes)


def test_a_sheet_is_read_by_its_own_columns() -> None:
    one = [["P", "Q", "Who"], ["Ann", "Ben", "Ann"]]
    other = [["Who", "Q", "P"], ["Ben", "Ann", "Ben"]]
    both = xlsx({"Season 3": [*one], "Season 4": [*other]})
    answers = Answers(columns={"player": "P", "opponent": "Q", "winner": "Who"})
    found = read(both, "a.xlsx", answers)
    assert found.questions[0].text == "Which sheet has the matches, one in each row?"


def test_finals_and_points_of_copied_text_are_told_apart() -> None:
    text = "Round 1\nAnn 2 - 0 Ben\nCy 2-0 BYE\nTop 4\nAnn 2-1 Cy\nHalbfinale\nBen 2-1 Di\nFinal\nAnn 0 - 2 Di"
    found = whole(text)
    assert [match.round for match in found.seasons[0].matches] == [1, 2, 3, 4]
    assert [(bye.name, bye.round) for bye in found.seasons[0].byes] == [("Cy", 1)]
    assert found.names == ("Ann", "Ben", "Cy", "Di")
    behind = whole("Week 1 - 8 January\nAnn 2 - 0 Ben\nSpieltag 2 (15.1.)\nAnn 2-1 Cy\nRound 3 of 5\nAnna 12\n2\nCy\n1")
    assert [(match.round, match.players) for match in behind.seasons[0].matches] == [
        (1, ("Ann", "Ben")), (2, ("Ann", "Cy")), (3, ("Anna 12", "Cy")),
    ]  # fmt: skip
    points = "Round 1\nAnn 87 - 62 Ben\nCy 5 - 9 Di"
    assert question(points).text == "Is 87-62 in row 2 the games of a match, or its points?"
    assert [match.score for match in whole(points, "points").seasons[0].matches] == [(87, 62), (5, 9)]


def test_a_hostile_head_is_refused_or_asked_about_in_one_line() -> None:
    for head in ("=cmd|x", "x" * 10_000, "@everyone", "\u202e", "<@1>", "-"):
        asked = question(f"{head},b,c\nAnn,Ben,2-1\nCy,Di,0-2")
        assert all(0 < len(choice.value) <= 100 and "\n" not in choice.label for choice in asked.choices)
    with pytest.raises(InvalidFile, match="has 10000 columns; at most 256 can be read"):
        read((",".join(["player"] * 10_000) + "\n").encode(), "old.csv")
    wide = ",".join(f"c{n}" for n in range(200)) + "\n" + ",".join(f"v{n}" for n in range(200))
    assert len(question(wide).choices) == 200


def test_a_column_of_groups_says_what_happens_to_it() -> None:
    for heading in ("Group", "Gruppe"):
        told = whole(f"season,{heading},player,opponent,winner\n1,A,Ann,Ben,Ann\n1,B,Cy,Di,Di").notes
        assert told == (
            f"Not used: 1 column, {heading}.",
            "Groups and divisions don't come in: everyone of a season is in one table, and all its matches count.",
        )
