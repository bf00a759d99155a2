"""The page of a round robin: groups with everyone's matches, all rounds from the first day, who rests."""

import pytest

from bot.league.season.match_score import score
from tests.services.conftest import World
from tests.site.conftest import Reader, pages_of

SEASON = "season-1/index.html"
NINE = {"format": "round-robin", "group_size": 5}


async def text(world: World, path: str = SEASON) -> str:
    return " ".join(Reader((await pages_of(world))[path]).text.split())


@pytest.mark.long
async def test_all_rounds_stand_there_from_the_first_day_with_who_rests(world: World) -> None:
    await world.begin(9, **NINE)
    page = await text(world)
    for number in range(1, 6):
        assert f"Round {number} of 5" in page
    assert page.count("To come") == 4
    assert (await pages_of(world))[SEASON].count(b">rests<") == 5, "one a round of the group of five"
    assert "Group A" in page
    assert "Group B" in page
    assert "0 of 10 results in" in page


async def test_rounds_that_are_all_open_end_together(world: World) -> None:
    await world.begin(4, format="round-robin", schedule="open")
    page = await text(world)
    assert "All rounds end " in page
    assert "Round 3 ends" not in page


@pytest.mark.long
async def test_each_group_has_its_table_its_matches_and_what_ties_went_by(world: World) -> None:
    await world.begin(9, **NINE)
    await world.play_round()
    page = await text(world)
    assert page.count("2 of 10 results in") == page.count("2 of 6 results in") == 1
    assert "cut: 2 of each group go on" in page
    assert "behind" in page
    assert "Equal? Their own matches, then the opponents beaten" in page
    made = await pages_of(world)
    cells = [attrs for tag, attrs in Reader(made[SEASON]).tags if tag == "td" and attrs.get("class") == "self"]
    assert len(cells) == 9


@pytest.mark.long
async def test_a_finished_season_keeps_its_groups_below_its_final_standings(world: World) -> None:
    await world.begin(9, **NINE)
    await world.play_out()
    page = await text(world)
    assert page.index("Final standings") < page.index("Group A")
    assert "10 of 10 results in" in page
    assert "To come" not in page
    assert "cut:" not in page


@pytest.mark.long
async def test_a_players_page_says_their_place_in_their_group(world: World) -> None:
    await world.begin(9, **NINE)
    await world.play_round()
    made = await pages_of(world)
    players = [Reader(page).text for path, page in made.items() if path.startswith("players/")]
    assert any("1 in group A" in page for page in players)
    assert any("1 in group B" in page for page in players)


async def test_one_group_has_no_name(world: World) -> None:
    await world.begin(4, "round-robin", meetings=2)
    page = await text(world)
    assert "Group" not in page.replace("Group size", "")
    assert "Round 6 of 6" in page


async def test_a_struck_player_keeps_their_record_on_their_page(world: World) -> None:
    await world.begin(5, "round-robin")
    view = await world.status()
    assert view.current_round is not None
    match = view.current_round.matches[0]
    await world.lose(match.lower.name)
    await world.drop(match.upper.name)
    made = await pages_of(world)
    [own] = [page for path, page in made.items() if f"<title>{match.upper.name} ·".encode() in page]
    assert score(1, 0) in Reader(own).text


@pytest.mark.long
async def test_the_page_of_a_season_in_divisions_says_how_they_were_filled_and_the_ladder_it_leaves(
    world: World,
) -> None:
    await world.begin(6, "round-robin", grouping="divisions", group_size=3)
    begun = await text(world)
    assert "How they were filled" in begun
    assert "There was no ladder, so the order is by ranking, best first" in begun
    assert "Of this order, division 1 takes the first 3, division 2 the next 3." in begun
    assert "The ladder for the next season" not in begun
    await world.play_out()
    over = await text(world)
    assert "The ladder for the next season" in over
    assert "1st in division 2, up to division 1" in over
    assert "3rd in division 1, down to division 2" in over
