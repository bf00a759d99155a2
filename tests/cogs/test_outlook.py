"""What a player is told when they ask what they need."""

from tests.cogs.conftest import World, text_of


async def test_a_player_asks_for_themselves_and_for_another(world: World) -> None:
    await world.started(players=4, format="single-elimination")
    ada, bruno = world.player("Ada"), world.player("Bruno")
    own = await ada.slash(world.channel, "outlook")
    assert own.ephemeral
    assert "What do I need?\nWin and you're in the final. Lose and you're out." in text_of(own)
    other = await bruno.slash(world.channel, "outlook", player="Ada")
    assert "What does Ada need?\nIf they win, they're in the final. If they lose, they're out." in text_of(other)


async def test_it_says_what_it_looked_at(world: World) -> None:
    await world.started(players=4, format="keyforge-swiss", cut=2, rounds=1)
    asked = await world.player("Ada").slash(world.channel, "outlook")
    assert "This counts every result still to come (4 endings)." in text_of(asked)


async def test_an_outsider_is_told_to_choose_a_player(world: World) -> None:
    await world.started(players=4)
    asked = await world.outsider.slash(world.channel, "outlook")
    assert asked.ephemeral
    assert "You're not in season 1." in text_of(asked)
