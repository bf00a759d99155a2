"""What a player is told when they ask what they need."""

import pytest

from tests.cogs.conftest import World, message_text, text_of


@pytest.mark.long
async def test_a_player_asks_for_themselves_and_for_another(world: World) -> None:
    await world.started(players=4, format="single-elimination")
    ada, bruno = world.player("Ada"), world.player("Bruno")
    own = await ada.slash(world.channel, "outlook")
    assert own.ephemeral
    assert "What do I need?\nWin and you're in the final. Lose and you're out." in text_of(own)
    other = await bruno.slash(world.channel, "outlook", player="Ada")
    assert "What does Ada need?\nIf they win, they're in the final. If they lose, they're out." in text_of(other)


@pytest.mark.long
async def test_it_says_what_it_looked_at(world: World) -> None:
    await world.started(players=4, format="keyforge-swiss", cut=2, rounds=1)
    asked = await world.player("Ada").slash(world.channel, "outlook")
    assert "This counts every way the results to come can go, each as likely as the others." in text_of(asked)


async def test_an_outsider_is_told_to_choose_a_player(world: World) -> None:
    await world.started(players=4)
    asked = await world.outsider.slash(world.channel, "outlook")
    assert asked.ephemeral
    assert "You're not in season 1." in text_of(asked)


@pytest.mark.long
async def test_a_match_says_what_the_player_needs(world: World) -> None:
    await world.started(players=4, format="keyforge-swiss", cut=2, rounds=1)
    ada = world.player("Ada")
    await ada.slash(world.channel, "outlook")
    mine = text_of(await ada.slash(world.channel, "match"))
    needs = text_of(await ada.slash(world.channel, "outlook")).removeprefix("### What do I need?\n")
    assert f"**What you need**\n{needs}" in mine


@pytest.mark.long
async def test_what_someone_needs_is_shown_to_everyone_in_the_third_person(world: World) -> None:
    await world.started(players=4, format="single-elimination")
    ada = world.player("Ada")
    answer = await ada.slash(world.channel, "outlook")
    await ada.click(answer.response, label="Show to everyone")
    assert "What does Ada need?\nIf they win" in message_text(world.post("Shown by Ada"))


@pytest.mark.long
async def test_who_has_left_or_is_out_is_told_so(world: World) -> None:
    await world.started(players=4, format="single-elimination")
    [first, second] = world.open_matches()
    _, lower = world.sides(first)
    await world.report(lower, "lost", first)
    asked = await lower.slash(world.channel, "outlook")
    assert "You've been out since the semi-finals." in text_of(asked)
    gone = world.sides(second)[0]
    await world.agreed("player drop", "Drop them", player=gone.user.global_name, reason="ill")
    assert "You've left season 1." in text_of(await gone.slash(world.channel, "outlook"))
    assert "You've left season 1." in text_of(await gone.slash(world.channel, "match"))


@pytest.mark.long
async def test_a_round_robin_says_who_is_in_whatever_the_scores(world: World) -> None:
    await world.started(players=4, format="round-robin", cut=2)
    for _ in range(4):  # before the last round Ada has won twice, Bruno and Chidi once
        row = world.open_matches()[0]
        winner, loser = sorted(world.sides(row), key=lambda player: str(player.user.global_name))
        await world.report(winner, "won", row)
        await world.answer(loser, "Confirm", world.fresh(row))
    ada, bruno = world.player("Ada"), world.player("Bruno")
    assert "Win and you're in." in text_of(await ada.slash(world.channel, "outlook"))
    assert "Win and you're in." in text_of(await ada.slash(world.channel, "match"))
    open_still = text_of(await bruno.slash(world.channel, "outlook"))
    assert "It depends on your last match and on other results." in open_still
    about = text_of(await bruno.slash(world.channel, "outlook", player="Ada"))
    assert "If they win, they're in." in about
