"""Dice-offs on Discord: who has the first choice stands on the card of a match, and /why says how it came about."""

import pytest

from tests.cogs.conftest import World, text_of


@pytest.mark.long
async def test_both_players_read_who_has_the_first_choice_and_why(world: World) -> None:
    await world.started(players=4, dice_off="equalizer", rounds=3)
    for post in world.open_matches():
        await world.report(world.sides(post)[1], "lost", post)
    post = world.open_matches()[0]
    cards = [text_of(await player.slash(world.channel, "match")) for player in world.sides(post)]
    assert sum("You have the first choice." in card for card in cards) == 1
    assert sum(" has the first choice." in card for card in cards) == 1
    player = world.sides(post)[0]
    why = await player.slash(world.channel, "why")
    assert "dice-offs this season" in text_of(await player.click(why.response, label="Check it yourself"))


async def test_a_keyforge_match_of_several_games_says_who_goes_first_later(world: World) -> None:
    await world.started(players=4, format="keyforge-swiss", best_of=3)
    player = world.sides(world.open_matches()[0])[0]
    assert "The loser of a game chooses who goes first in the next." in text_of(
        await player.slash(world.channel, "match")
    )
