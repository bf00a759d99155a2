"""Merging two players, as an organiser meets it: a question, the answer with the way back, and what is refused."""

from tests.cogs.conftest import World, labels, text_of


async def test_an_organiser_merges_two_names_and_takes_it_back(world: World) -> None:
    await world.started(players=2)
    await world.agreed("season cancel", "Cancel the season", reason="a test")
    await world.opened()
    given = {"player": "Ada", "into": "Bruno", "reason": "they @everyone asked"}
    refused = await world.organiser.slash(world.channel, "player merge", **given)
    assert "so they are two people" in text_of(refused)
    await world.organiser.slash(world.channel, "player add", name="Zoe *Z*", user=world.outsider.user, reason="new")
    given = {"player": "Ada", "into": "Zoe *Z*", "reason": "they @everyone asked"}
    asked, again = [await world.organiser.slash(world.channel, "player merge", **given) for _ in range(2)]
    assert asked.ephemeral
    assert labels(asked.response) == ["Merge them", "Leave them as two"]
    assert "Ada stays as a former name" in text_of(asked)
    done = await world.organiser.click(asked.response, label="Merge them")
    assert labels(done.response) == ["Take the merge back"]
    twice = await world.organiser.click(again.response, label="Merge them")
    assert "already. Choose two players." in text_of(twice)
    assert labels(twice.response) == ["Take the merge back"]
    back = await world.organiser.click(twice.response, label="Take the merge back")
    assert "are two people again, as they were before." in text_of(back)
    assert "taken back already" in text_of(await world.organiser.click(done.response, label="Take the merge back"))
