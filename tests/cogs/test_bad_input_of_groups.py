"""What a round robin can't be, typed on Discord: one clear sentence, and nothing changed."""

import pytest
from simcord.results import InteractionResult

from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.signups import signing_up
from storage.query import records
from storage.rows import LeagueId
from tests.cogs.conftest import World, text_of
from tests.cogs.test_season_panel import choose, panel, press, typed
from tests.cogs.test_setting_up_groups import groups
from tests.files import look_into


def saved(world: World) -> list[tuple[object, ...]]:
    """Return what a refusal must leave as it is: the season, its results and the log."""
    sql = (
        "SELECT phase, settings, (SELECT max(id) FROM audit), (SELECT group_concat(state) FROM matches),"
        " (SELECT count(*) FROM entrants), (SELECT group_concat(given_group) FROM entrants) FROM seasons"
    )
    with look_into(world.env.bot.database) as conn:
        return [tuple(row) for row in records(conn, sql)]


async def write_groups(world: World, text: str) -> InteractionResult:
    form = await press(world, await groups(world), "Write groups")
    return await world.organiser.submit_modal(form, {"groups": text})


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("group_size", "2", "Group size: 2 isn't possible. Give a whole number from 3 to"),
        ("cut", "65", "Finals: 65 isn't possible. Give a whole number from 0 to 64,"),
        ("tiebreaks", "wins wins", "Tie-breaks: wins is here twice; name each once."),
    ],
)
async def test_a_value_that_is_never_possible_is_refused(world: World, setting: str, value: str, said: str) -> None:
    await panel(world, format="round-robin")
    before = saved(world)
    assert text_of(await typed(world, setting, value)).startswith(said)
    assert saved(world) == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "setting", "value", "said"),
    [
        ({}, "cut", "1", "one player doesn't make finals"),
        ({"through": 2}, "cut", "4", "the finals are set twice; use either cut or through"),
        ({}, "through", "1", "The first of one group doesn't make finals."),
        ({}, "max_players", "52", "This takes 51 rounds, and 50 are the most."),
    ],
)
async def test_what_does_not_go_together_keeps_sign_ups_closed_and_is_refused_once_they_are_open(
    world: World, first: dict[str, object], setting: str, value: str, said: str
) -> None:
    await world.league()
    await world.opened(format="round-robin", **first)
    before = saved(world)
    refused = await typed(world, setting, value)
    assert said in text_of(refused)
    assert len(text_of(refused).splitlines()) == 1
    assert saved(world) == before
    await world.agreed("season cancel", "Cancel the season")
    await world.organiser.slash(world.channel, "season create", format="round-robin")
    for key, given in first.items():
        await typed(world, key, str(given))
    shown = await typed(world, setting, value)
    assert "**Before sign-ups can open:**" in text_of(shown)
    assert said in text_of(shown)


@pytest.mark.long
async def test_two_players_are_too_few_to_start(world: World) -> None:
    await world.league()
    await world.season(players=2, format="round-robin")
    before = saved(world)
    refused = await world.organiser.slash(world.channel, "season start")
    assert text_of(refused).startswith("Season 1 needs at least 3 players and has 2.")
    assert saved(world) == before


@pytest.mark.long
async def test_the_player_with_whom_one_group_would_take_more_than_50_rounds_is_refused(world: World) -> None:
    await world.league()
    await world.opened(format="round-robin")
    for number in range(50):
        actor = Actor(user_id=9000 + number, name=f"Extra {number:03}", guild_id=world.guild.id)
        order = Order(actor=actor, now=world.now(), league_id=LeagueId(1))
        await world.env.bot.database.write(signing_up.sign_up, order, display_name=actor.name, agreed=99)
    before = saved(world)
    refused = await world.players[0].click(world.post("Sign-ups are open"), label="Join")
    assert "Season 1 is full: with one more player it would take 51 rounds. Ask an organiser" in text_of(refused)
    assert saved(world) == before


@pytest.mark.long
async def test_a_group_of_one_does_not_start(world: World) -> None:
    await world.league()
    await world.season(players=4, format="round-robin", grouping="given")
    await write_groups(world, "Group A\nAda\nBruno\nChidi\nGroup B\nDaria")
    before = saved(world)
    refused = text_of(await world.organiser.slash(world.channel, "season start"))
    assert refused.startswith("Season 1 can't start. Group B has one player, and a group needs two or more.")
    assert saved(world) == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Group A\nAda\nada", "Ada is in the list twice"),
        ("Group A\nAda\nBruno\nGroup C\nChidi", "There's a group C but no group B."),
        ("Group A\nNobody Here", "Nobody Here"),
        ("Group 0\nAda", "There's no group 0."),
    ],
)
async def test_groups_that_can_not_be_are_refused(world: World, text: str, said: str) -> None:
    await world.league()
    await world.season(players=4, format="round-robin", grouping="given")
    before = saved(world)
    assert said in text_of(await write_groups(world, text))
    assert saved(world) == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("score", "said"),
    [("10000-2", "A score of 10000-2 isn't possible"), ("2-87", "A score of 2-87 isn't possible: the winner's")],
)
async def test_a_score_too_high_or_against_the_winner_is_refused(world: World, score: str, said: str) -> None:
    await world.started(players=4, format="round-robin", scores=True)
    row = world.open_matches()[0]
    upper, _ = world.sides(row)
    before = saved(world)
    refused = await upper.submit_modal(await world.press(upper, row), {"result": "won", "score": score})
    assert said in text_of(refused)
    typed_again = await upper.slash(world.channel, "report", result="won", score=score)
    assert said in text_of(typed_again)
    assert saved(world) == before


@pytest.mark.long
async def test_two_of_each_of_38_groups_are_not_refused(world: World) -> None:
    shown = await panel(world, format="round-robin")
    shown = await choose(world, shown, "main:group_size", "3")
    await typed(world, "through", "2")
    shown = text_of(await typed(world, "max_players", "114"))
    assert "With 114 players: 38 groups of 3, 3 rounds" in shown
    assert "the finals have room for 64: the best 64 of them go on." in shown
    assert "Before sign-ups can open" not in shown
