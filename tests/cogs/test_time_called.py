"""Time called on Discord: a form, a public answer step by step, and one press that reports it."""

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.cogs.conftest import MatchRow, World, labels, message_text, text_of

ERIC = {"keys": "1-2", "aember": "9-3"}
"""The document's example: the one who types has one key and nine aember."""


async def ask(world: World, who: MemberActor, game: str, **values: str) -> InteractionResult:
    form = await who.slash(world.channel, "time-called", game=game)
    assert form.modal is not None
    return await who.submit_modal(form, values)


def answer(world: World, done: InteractionResult) -> discord.Message:
    assert not done.ephemeral
    return world.post("Time called in")


async def table(world: World, **options: Any) -> tuple[MemberActor, MemberActor, MatchRow]:
    await world.started(players=2, **options)
    post = world.open_matches()[0]
    return (*world.sides(post), post)


@pytest.mark.long
async def test_the_documents_example_is_explained_for_everybody(world: World) -> None:
    upper, lower, _ = await table(world)
    text = message_text(answer(world, await ask(world, upper, "keyforge", **ERIC, potential="8-7")))
    mine, theirs = upper.user.global_name, lower.user.global_name
    assert f"KeyForge: {mine} v {theirs}" in text
    assert f"{mine} says: keys 1\N{EN DASH}2, æmber 9\N{EN DASH}3, potential 8\N{EN DASH}7" in text
    assert f"{mine} forges a key. Now {mine}: 2 keys, 3 æmber; {theirs}: 2 keys, 3 æmber" in text
    assert f"{mine} has more potential æmber: 8 to 7" in text
    assert f"**{mine}** wins the match." in text


@pytest.mark.long
async def test_the_loser_reports_with_one_press_and_it_is_final(world: World) -> None:
    upper, lower, match = await table(world)
    post = answer(world, await ask(world, upper, "keyforge", **ERIC, potential="8-7"))
    assert labels(post) == ["Report this result"]
    stranger = await world.outsider.click(post, label="Report this result")
    assert stranger.ephemeral
    assert "Only" in text_of(stranger)
    done = await lower.click(post, label="Report this result")
    assert done.ephemeral
    assert "It counts now" in text_of(done)
    assert world.fresh(match).winner == upper.user.global_name


@pytest.mark.long
@pytest.mark.parametrize("asker", [0, 1])
async def test_the_winner_reports_with_one_press_and_the_other_confirms(world: World, asker: int) -> None:
    *players, match = await table(world, best_of=3)
    mine, theirs = players[asker], players[1 - asker]
    post = answer(world, await ask(world, mine, "keyforge", keys="2-1", aember="0-0", score="1-1"))
    assert "wins the match 2\N{EN DASH}1" in message_text(post)
    assert "to confirm; without an answer it counts" in text_of(await mine.click(post, label="Report this result"))
    assert sorted(world.fresh(match).pairing.split()[1]) == sorted("2–1")
    stale = await theirs.click(post, label="Report this result")
    assert "outdated" in text_of(stale)
    assert "It counts now" in text_of(await theirs.slash(world.channel, "confirm"))
    again = await mine.click(post, label="Report this result")
    assert f"{mine.user.global_name} won 2\N{EN DASH}1" in text_of(again)


@pytest.mark.long
async def test_ahead_in_games_wins_a_best_of_three_without_more(world: World) -> None:
    upper, lower, match = await table(world, best_of=3)
    post = answer(world, await ask(world, lower, "keyforge", keys="0-2", aember="0-5", score="1-0"))
    assert "wins the match 1\N{EN DASH}0" in message_text(post)
    assert "It counts now" in text_of(await upper.click(post, label="Report this result"))
    assert world.fresh(match).pairing.split()[1] == "0–1"
    assert world.fresh(match).winner == lower.user.global_name


@pytest.mark.long
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"keys": "one", "aember": "0-0"}, "Keys: type both players' numbers, yours first, for example 2-1"),
        ({"keys": "1-1", "aember": "2-2"}, "Fill in both numbers"),
        ({"keys": "1-1", "aember": "many"}, "Æmber: type both players' numbers"),
    ],
)
async def test_what_is_missing_or_wrong_is_said_in_private(world: World, given: dict[str, str], told: str) -> None:
    upper, _, _ = await table(world)
    done = await ask(world, upper, "keyforge", **given)
    assert done.ephemeral
    assert told in text_of(done)


@pytest.mark.long
async def test_a_form_with_a_mistake_opens_again_with_everything_filled_in(world: World) -> None:
    upper, _, _ = await table(world)
    wrong = {"keys": "1-1", "aember": "9", "potential": "3-3", "first_player": "them"}
    refused = await ask(world, upper, "keyforge", **wrong)
    again = await upper.click(refused.response, label="Edit and try again")
    assert again.modal is not None
    text = message_text(answer(world, await upper.submit_modal(again, {**kept(again), "aember": "2-2"})))
    assert "keys 1\N{EN DASH}1, æmber 2\N{EN DASH}2, potential 3\N{EN DASH}3, first player" in text


def kept(shown: InteractionResult) -> dict[str, str]:
    """Return what a form that was opened again is filled with."""
    fields = [label["component"] for label in shown.modal["components"]]
    radios = {
        field["custom_id"]: next(option["value"] for option in field["options"] if option.get("default"))
        for field in fields
        if "options" in field
    }
    return radios | {field["custom_id"]: field["value"] for field in fields if "options" not in field}


@pytest.mark.long
@pytest.mark.parametrize("game", ["keyforge", "lightseekers"])
@pytest.mark.parametrize("best_of", [1, 3])
async def test_labels_are_whole_and_nothing_of_a_best_of_three_is_asked_in_a_best_of_one(
    world: World, game: str, best_of: int
) -> None:
    upper, _, _ = await table(world, best_of=best_of)
    form = await upper.slash(world.channel, "time-called", game=game)
    labels_ = [label["label"] for label in form.modal["components"]]
    assert len(labels_) <= 5
    assert all(len(label) <= 45 and not label.endswith(("equa", "mine-theirs")) for label in labels_)
    assert any("ames so far" in label for label in labels_) == (best_of == 3)


@pytest.mark.long
async def test_the_keyforge_form_tells_the_last_turns(world: World) -> None:
    upper, _, _ = await table(world)
    form = await upper.slash(world.channel, "time-called", game="keyforge")
    assert "the opponent has one last turn" in str(form.modal)


@pytest.mark.long
async def test_a_match_that_is_over_is_no_case_for_the_time_rules(world: World) -> None:
    upper, _, _ = await table(world, best_of=3)
    done = await ask(world, upper, "keyforge", keys="1-1", aember="0-0", score="2-0")
    assert done.ephemeral
    assert "is over" in text_of(done)


async def test_the_first_player_wins_when_all_is_equal_and_no_match_is_needed(world: World) -> None:
    equal = {"keys": "1-1", "aember": "2-2", "potential": "3-3", "first_player": "them"}
    post = answer(world, await ask(world, world.outsider, "keyforge", **equal))
    assert "**the opponent** wins the match" in message_text(post)
    assert labels(post) == []


@pytest.mark.long
async def test_a_confirmed_match_has_nothing_to_report(world: World) -> None:
    upper, lower, _ = await table(world, advance="manual")
    await lower.slash(world.channel, "report", result="lost")
    post = answer(world, await ask(world, upper, "keyforge", **ERIC, potential="8-7"))
    assert labels(post) == []


async def test_a_league_that_is_not_there_is_refused(world: World) -> None:
    refused = await world.outsider.slash(world.channel, "time-called", game="keyforge", league="Nowhere")
    assert refused.ephemeral
    assert refused.modal is None


@pytest.mark.long
async def test_lightseekers_goes_from_sudden_death_to_sudden_death(world: World) -> None:
    upper, lower, match = await table(world, best_of=3)
    first = answer(world, await ask(world, upper, "lightseekers", score="1-0", moment="during"))
    assert "game 2 goes on as a sudden death" in message_text(first)
    assert labels(first) == []
    second = answer(world, await ask(world, upper, "lightseekers", score="1-0", moment="during", health="3-9"))
    assert "The games are now 1-1" in message_text(second)
    assert "game 3 begins at once as a sudden death" in message_text(second)
    assert "games 1\N{EN DASH}1" in message_text(second)
    third = answer(world, await ask(world, upper, "lightseekers", score="1-1", moment="between", health="12-8"))
    assert f"**{upper.user.global_name}** wins the match 2\N{EN DASH}1" in message_text(third)
    assert "It counts now" in text_of(await lower.click(third, label="Report this result"))
    assert "2–1" in world.fresh(match).text


@pytest.mark.long
async def test_lightseekers_says_what_does_not_fit(world: World) -> None:
    done = await ask(world, world.outsider, "lightseekers", score="none", moment="between")
    assert done.ephemeral
    assert "Games: type both players' numbers" in text_of(done)
