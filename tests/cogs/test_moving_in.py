"""Moving in on Discord: a preview, one question at a time, Import, and Take the import back."""

import json
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Invalid
from cogs.ui import button_memory
from cogs.ui.button_memory import forget_all
from tests.cogs.conftest import World, labels, selects_of, text_of
from tests.importers.files import challonge_1

FIRST = "season,round,player,opponent,winner,date\n1,1,Zoë,Pavel,Zoë,2024-02-01\n1,2,Zoë,*Quinn*,*Quinn*,2024-03-01\n"
PREVIEW = """**Season 1** · 1 Feb to 1 Mar 2024
2 matches, 3 people
\\*Quinn\\* 1–0 · Zoë 1–1 · Pavel 0–1
-# Row 2: Zoë won against Pavel"""
SECOND = "season,player,opponent,winner\n2,Zoe,Pavel,Zoe\n2,PAVEL!,Rosa,Rosa\n"


async def sent(world: World, text: str, name: str = "old.csv", who: Any = None) -> Any:
    actor = who or world.organiser
    return await actor.slash(world.channel, "league import", file=(name, text.encode()))


@pytest.mark.long
async def test_a_sheet_is_previewed_imported_and_taken_back(world: World) -> None:
    await world.league()
    shown = await sent(world, FIRST)
    assert shown.ephemeral
    assert "1 season, 2 matches, 3 people:** 0 known, 3 new." in text_of(shown)
    assert PREVIEW in text_of(shown)
    assert labels(shown.response) == ["Import 2 matches", "Who won?", "Columns", "Cancel"]
    done = await world.organiser.click(shown.response, label="Import 2 matches")
    assert PREVIEW in text_of(done)
    assert "3 people have no account yet. They press **Join** and say who they are" in text_of(done)
    assert "Imported: 1 season, 2 matches" in text_of(done)
    assert "You can take it back until season 2 starts" in text_of(done)
    again = await sent(world, FIRST)
    assert "These matches are in the league already" in text_of(again)
    back = await world.organiser.click(done.response, label="Take the import back")
    assert "Season 1 is gone again" in text_of(back)
    assert "Import 2 matches" in labels((await sent(world, FIRST)).response)


async def test_seasons_in_a_row_without_a_champion_are_one_line(world: World) -> None:
    await world.league()
    seasons = "".join(f"{number},Zoë,Pavel,Zoë\n" for number in (1, 2, 3))
    shown = await sent(world, f"season,player,opponent,winner\n{seasons}")
    await world.organiser.click(shown.response, label="Import 3 matches")
    champions = text_of(await world.outsider.slash(world.channel, "champions"))
    assert "**1** to **3** · no champion" in champions
    assert champions.count("no champion") == 1


@pytest.mark.long
async def test_what_a_table_leaves_in_doubt_is_asked_by_buttons(world: World) -> None:
    await world.league()
    rows = "1,101,Zoë,102,Pavel,Win,2-1\n,101,Zoë,103,Bye (full),Win,2-0\n2,102,Pavel,104,Zoë,Loss,2-0\n"
    shown = await sent(world, f"Round,P1 id,P1,P2 id,P2,Result,Score\n{rows}")
    for words, answer in (
        ("“Round” is empty in row 3. Does what stands above go on, 1?", "above"),
        ("Zoë has the ids 101 and 104.", "names"),
        ("“Result” says Loss in row 4, the score says something else.", "Result"),
        ("Is “Bye (full)” in row 3 a person, or a bye?", "bye"),
    ):
        assert words in text_of(shown)
        shown = await world.organiser.select(shown.response, values=[answer])
    assert "2 matches, 2 people, 1 bye" in text_of(shown)
    assert "Zoë 3–0 (1 bye) · Pavel 0–2" in text_of(shown)


@pytest.mark.long
async def test_each_unclear_name_is_asked_once(world: World) -> None:
    await world.league()
    shown = await sent(world, FIRST)
    await world.organiser.click(shown.response, label="Import 2 matches")
    shown = await sent(world, SECOND)
    assert "Question 1 of 2" in text_of(shown)
    assert "**Zoë**, in this league: 2 matches, season 1" in text_of(shown)
    assert labels(shown.response)[:2] == ["The same as Zoë", "Someone new"]
    next_ = await world.organiser.click(shown.response, label="The same as Zoë")
    assert "Question 1 of 1" in text_of(next_)
    last = await world.organiser.click(next_.response, label="Someone new")
    assert "Question" not in text_of(last)
    done = await world.organiser.click(last.response, label="Import 2 matches")
    assert "4 people: 2 known, 2 new" in text_of(done)
    third = await sent(world, "season,player,opponent,winner\n3,Zoe,PAVEL!,Zoe\n")
    assert "2 people:** 2 known, 0 new" in text_of(third)


@pytest.mark.long
async def test_who_won_is_said_in_the_preview(world: World) -> None:
    await world.league()
    shown = await sent(world, FIRST + "2,1,Zoë,Pavel,Zoë,2024-05-01\n")
    which = await world.organiser.click(shown.response, label="Who won?")
    assert "Which season do you mean?" in text_of(which)
    who = await world.organiser.select(which.response, values=["1"])
    assert "Who is the champion of season 2?" in text_of(who)
    chosen = await world.organiser.select(who.response, values=["Zoë"])
    assert "🏆 Zoë" in text_of(chosen)
    done = await world.organiser.click(chosen.response, label="Import 3 matches")
    assert "🏆 Zoë" in text_of(done)
    champions = text_of(await world.outsider.slash(world.channel, "champions"))
    assert "Zoë" in champions


async def test_a_tournament_without_final_ranks_comes_in_and_says_that_nobody_is_champion(world: World) -> None:
    await world.league()
    shown = await world.organiser.slash(world.channel, "league import", file=("spring.json", challonge_1()))
    missing = "Season 1 has no champion: the file doesn't say who won. Press **Who won?**, or leave it so."
    assert missing in text_of(shown)
    who = await world.organiser.click(shown.response, label="Who won?")
    chosen = await world.organiser.select(who.response, values=["Ada"])
    assert missing not in text_of(chosen)
    assert "🏆 Ada" in text_of(chosen)


@pytest.mark.long
async def test_columns_beyond_one_list_can_be_chosen_too(world: World) -> None:
    await world.league()
    notes = ",".join(f"note{number}" for number in range(40))
    row = ",".join("x" * 40)
    shown = await sent(world, f"{notes},Combatant,Foe,Best\n{row},Ann,Ben,Ann\n{row},Cy,Di,Di\n")
    for title in ("Combatant", "Foe", "Best"):
        lists = selects_of(shown.response)
        custom_id = next(key for key, options in lists.items() if title in [option.value for option in options])
        assert max(map(len, lists.values())) <= 25
        shown = await world.organiser.select(shown.response, values=[title], custom_id=custom_id)
    assert "1 season, 2 matches" in text_of(shown)
    roles = await world.organiser.click(shown.response, label="Columns")
    (options,) = selects_of(roles.response).values()
    columns = await world.organiser.select(roles.response, values=[options[0].value])
    offered = [option.value for listed in selects_of(columns.response).values() for option in listed]
    assert offered == ["-", *(f"note{number}" for number in range(40)), "Combatant", "Foe", "Best"]


@pytest.mark.long
async def test_any_column_can_be_pointed_at(world: World) -> None:
    await world.league()
    text = "Batch,player,opponent,winner,Evening\nSpring,Zoë,Ann,Zoë,2024-01-05\nFall,Ann,Zoë,Ann,2024-09-05\n"
    shown = await sent(world, text)
    assert "1 season, 2 matches" in text_of(shown)
    for role, title, now in (("Season", "Batch", "no column"), ("Date", "Evening", "no column")):
        roles = await world.organiser.click(shown.response, label="Columns")
        (options,) = selects_of(roles.response).values()
        chosen = next(option for option in options if option.label == role)
        assert chosen.description == f"Now: {now}"
        columns = await world.organiser.select(roles.response, values=[chosen.value])
        shown = await world.organiser.select(columns.response, values=[title])
    assert "2 seasons, 2 matches" in text_of(shown)
    assert "5 Sep 2024" in text_of(shown)
    roles = await world.organiser.click(shown.response, label="Columns")
    (options,) = selects_of(roles.response).values()
    assert {option.label: option.description for option in options}["Season"] == "Now: Batch"
    columns = await world.organiser.select(roles.response, values=[options[0].value])
    none = await world.organiser.select(columns.response, values=["-"])
    assert "1 season, 2 matches" in text_of(none)


async def test_several_files_come_in_with_one_press_and_go_with_one(world: World) -> None:
    await world.league()
    rows = "player,opponent,winner,date\nAnn,Ben,{},2024-{:02}-05\n"
    files = {f"file{at if at > 1 else ''}": ("old.csv", rows.format("Ann", 13 - at).encode()) for at in range(1, 11)}
    shown = await world.organiser.slash(world.channel, "league import", **files, number=3)
    assert "### Preview: 10 files" in text_of(shown)
    assert "**Season 3** (10. old) · 5 Mar 2024" in text_of(shown)
    assert "**Season 12** (1. old) · 5 Dec 2024" in text_of(shown)
    done = await world.organiser.click(shown.response, label="Import 10 matches")
    assert "Imported: 10 seasons, 10 matches" in text_of(done)
    back = await world.organiser.click(done.response, label="Take the import back")
    assert "gone again" in text_of(back)


async def test_earlier_evenings_say_which_seasons_make_room(world: World) -> None:
    await world.league()
    rows = "player,opponent,winner,date\nAnn,Ben,Ann,2024-0{}-05\n"
    shown = await sent(world, rows.format(3), "march.csv")
    await world.organiser.click(shown.response, label="Import 1 match")
    shown = await sent(world, rows.format(1), "january.csv")
    assert "Season 1 becomes season 2: by the dates, what you import was played before." in text_of(shown)
    twice = await sent(world, rows.format(3), "march.csv")
    assert "These matches are in the league already" in text_of(twice)


async def test_league_files_keep_their_own_number(world: World) -> None:
    await world.league()
    file = ("old.json", LEAGUE_FILE.encode())
    refused = await world.organiser.slash(world.channel, "league import", file=file, number=3)
    assert "A league file has its own number, which its draws use. Leave out the number." in text_of(refused)


async def test_a_restart_before_the_press_imports_nothing(world: World) -> None:
    await world.league()
    shown = await sent(world, FIRST)
    first = await world.organiser.click(shown.response, label="Import 2 matches")
    assert "Imported: 1 season" in text_of(first)
    shown = await sent(world, SECOND)
    forget_all()
    late = await world.organiser.click(shown.response, label="Someone new")
    assert "nothing was changed" in text_of(late)


async def test_what_columns_mean_and_names_that_cannot_be_are_asked(world: World) -> None:
    await world.league()
    shown = await sent(world, "wer,gegen wen,hat gewonnen\nKai,Ida,Kai\nMio,Ida,Ida\n")
    assert "Which column is the player?" in text_of(shown)
    long = "x" * 40
    shown = await sent(world, f"season,player,opponent,winner\n1,{long},Ida,Ida\n")
    assert labels(shown.response) == ["Type the name", "Cancel"]
    form = await world.organiser.click(shown.response, label="Type the name")
    preview = await world.organiser.submit_modal(form, {"name": "Xaver"})
    assert "Xaver" in text_of(preview)
    assert "Import 1 match" in labels(preview.response)


async def test_rows_that_cannot_be_read_are_named(world: World) -> None:
    await world.league()
    wrong = await sent(world, "season,player,opponent,winner\n1,Kai,Ida,Brno\n1,Mio,Mio,Mio\n")
    assert "Nothing was imported" in text_of(wrong)
    assert "**2 of 2 rows can't be read.**" in text_of(wrong)
    assert "**Row 2, winner:**" in text_of(wrong)
    assert "**Row 3, opponent:** Mio plays against themselves" in text_of(wrong)


async def test_a_league_file_is_previewed_imported_and_taken_back(world: World) -> None:
    await world.league()
    people = ["Zoë *Z*", "Pavel"]
    played = {"players": people, "winner": "Pavel", "kind": "played"}
    season = {"fairpair": 1, "league": "x", "season": 4, "format": "record"}
    file = {**season, "players": [{"name": name} for name in people], "rounds": [{"number": 1, "matches": [played]}]}
    shown = await sent(world, json.dumps(file), "season.json")
    assert labels(shown.response) == ["Import", "Cancel"]
    assert "Season 4 (Recorded results), over: 2 players, 1 match. People: 0 known, 2 new." in text_of(shown)
    again = await sent(world, json.dumps(file), "season.json")
    done = await world.organiser.click(shown.response, label="Import")
    assert "Imported: 1 season, 1 match" in text_of(done)
    assert "already has a season 4" in text_of(await world.organiser.click(again.response, label="Import"))
    back = await world.organiser.click(done.response, label="Take the import back")
    assert "Season 4 is gone again" in text_of(back)


async def test_a_first_season_is_given_a_number(world: World) -> None:
    await world.league()
    made = await world.organiser.slash(world.channel, "season create", format="ohs", number=7)
    assert "eason 7" in text_of(made)


def held() -> int:
    """Return how many bytes of files are kept for questions."""
    return sum(one.size for one in button_memory._KEPT.values() if one.size > button_memory.LIGHT)


LEAGUE_FILE = (
    json.dumps({"fairpair": 1, "league": "Old", "season": 9, "format": "record", "players": [], "rounds": []})
    + " " * 100_000
)


@pytest.mark.parametrize("text", [LEAGUE_FILE, FIRST + "\n" * 100_000], ids=["a league file", "a sheet"])
@pytest.mark.parametrize("answer", ["Import", "Cancel"])
async def test_a_file_is_given_back_when_its_question_is_answered(world: World, text: str, answer: str) -> None:
    """The bytes of six imported league files stayed in memory, also after Cancel."""
    await world.league()
    forget_all()
    asked = await sent(world, text, "old.json" if text == LEAGUE_FILE else "old.csv")
    assert held() >= 100_000, text_of(asked)
    label = next(label for label in labels(asked.response) if label.startswith(answer))
    await world.organiser.click(asked.response, label=label)
    assert held() == 0


async def never_in_time(*_: Any, **__: Any) -> bool:
    return False


async def test_an_import_that_fails_late_shows_the_preview_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its progress stood in place of the preview, without buttons, and stayed."""
    await world.league()
    shown = await sent(world, FIRST)
    monkeypatch.setattr("cogs.ui.replies.in_time", never_in_time)
    bring_in = steps.bring_in

    async def fails(*given: Any, **named: Any) -> Any:
        raise Invalid("The file takes too much time or memory.")

    monkeypatch.setattr(steps, "bring_in", fails)
    failed = await world.organiser.click(shown.response, label="Import 2 matches")
    assert not failed.followups
    assert text_of(failed).startswith("❌ The file takes too much time or memory.")
    assert labels(failed.response) == ["Import 2 matches", "Who won?", "Columns", "Cancel"]
    monkeypatch.setattr(steps, "bring_in", bring_in)
    done = await world.organiser.click(shown.response, label="Import 2 matches")
    assert "Imported: 1 season, 2 matches" in text_of(done)
