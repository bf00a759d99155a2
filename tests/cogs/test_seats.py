"""Sitting out a round and substituting, as people do it: commands, questions and buttons, also after a restart."""

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of


async def play_round(world: World) -> None:
    for row in world.open_matches():
        lower = row.pairing.split(" v ")[1]
        loser = world.player(lower.partition(" (for ")[0])
        await world.report(loser, "lost", row)


async def test_a_player_sits_out_a_round_and_plays_after_all(world: World) -> None:
    await world.started(players=6)
    ada = world.player("Ada")
    asked = await ada.slash(world.channel, "sit-out", round=2, reason="exams")
    assert asked.ephemeral
    assert "won't be paired in round 2, and it counts as a loss" in text_of(asked)
    assert labels(asked.response) == ["Sit out", "Play"]
    told = await ada.click(asked.response, label="Sit out")
    assert "You sit out round 2: it counts as a loss." in text_of(told)
    assert labels(told.response) == ["I'll play after all"]
    note = world.post("Ada sits out round 2: exams", world.back_room)
    assert world.pinged(note) == (set(), set())
    assert "1 player sits out the next round" in message_text(world.post("results to come"))
    assert "Sitting out round 2: Ada" in text_of(await world.organiser.slash(world.channel, "season status"))
    mine = await ada.slash(world.channel, "match")
    assert "You sit out round 2: it counts as a loss." in text_of(mine)
    await world.restart()
    back = await ada.click(told.response, label="I'll play after all")
    assert "You play in round 2." in text_of(back)
    assert world.posts("Ada plays round 2 after all", world.back_room)
    again = await ada.click(mine.response, label="I'll play after all")
    assert "You aren't sitting that round out any more" in text_of(again)


@pytest.mark.long
async def test_the_card_of_a_round_names_who_sits_out(world: World) -> None:
    await world.started(players=5)
    ada = world.player("Ada")
    told = await ada.click((await ada.slash(world.channel, "sit-out", round=2)).response, label="Sit out")
    await play_round(world)
    card = world.post("Round 2")
    assert "**Ada** sits out this round. It counts as a loss." in message_text(card)
    late = await ada.click(told.response, label="I'll play after all")
    assert "Round 2 is already paired" in text_of(late)
    assert "You sit out round 2: it counts as a loss." in text_of(await ada.slash(world.channel, "match"))


@pytest.mark.long
async def test_a_substitute_takes_over_and_is_the_one_who_is_asked_and_can_act(world: World) -> None:
    await world.started(players=4)
    ada, otto = world.player("Ada"), world.outsider
    asked = await world.organiser.slash(world.channel, "player substitute", old="Ada", new=otto, reason="ill")
    assert asked.ephemeral
    assert "Otto plays for Ada from round 2 on. Ada still plays round 1." in text_of(asked)
    assert str(otto.id) not in text_of(asked), "ids aren't for people"
    done = await world.organiser.click(asked.response, label="Substitute")
    assert "**Otto** plays from round 2 on, in place of Ada" in text_of(done)
    post = world.post("Otto plays for Ada in season 1 from round 2 on")
    assert world.pinged(post)[0] == {ada.id, otto.id}
    world.players.append(otto)
    await play_round(world)
    row = next(row for row in world.open_matches() if "Otto (for Ada)" in row.text)
    assert otto.id in world.pinged(row.post)[0]
    assert ada.id not in world.pinged(row.post)[0]
    gone = await ada.slash(world.channel, "match")
    assert "Otto plays in your place this season" in text_of(gone)
    told = text_of(await ada.slash(world.channel, "help"))
    assert "Otto plays in your place this season" in told
    assert "/standings" in told
    reported = await world.report(otto, "won", row)
    assert "Got it: you won" in text_of(reported)
    assert "Otto (for Ada)" in world.fresh(row).pairing


@pytest.mark.long
async def test_who_comes_back_hears_that_they_still_sit_out_the_next_round(world: World) -> None:
    await world.started(players=4, rejoin="free")
    ada = world.player("Ada")
    await ada.click((await ada.slash(world.channel, "sit-out", round=2)).response, label="Sit out")
    await ada.click((await ada.slash(world.channel, "drop")).response, label="Drop out")
    await ada.slash(world.channel, "rejoin")
    assert world.posts("Ada is back in season 1 and still sits out round 2.")
