"""228 players in 38 groups whose matches are all open, with a thread each: limits, and what a player presses."""

import pytest

from cogs.ui.cards import TEXT_LIMIT, texts
from tests.cogs.conftest import World, labels, message_text, parts_of, text_of
from tests.cogs.test_group_threads import THREADS, inside, own_thread, threads
from tests.cogs.test_open_groups import begun, card_of, cards, choose, select_with
from tests.cogs.test_round_card import MOST_PARTS

GROUPS = 38
AROUND = 3
"""The board, the panel's message and what else stands in the channel besides the cards."""


@pytest.mark.long
@pytest.mark.timeout(900)
async def test_38_open_groups_with_threads_stand_within_limits_and_their_players_reach_all_they_need(
    world: World,
) -> None:
    await begun(world, 6 * GROUPS, **THREADS | {"group_size": 6}, through=1)
    await world.jump(minutes=1)
    assert len(cards(world)) == len(threads(world)) == GROUPS
    assert len(world.channel.history()) <= GROUPS + AROUND
    for post in (*cards(world), *(thread.history()[0] for thread in threads(world))):
        assert sum(map(len, texts(post.components))) <= TEXT_LIMIT
        assert len(parts_of(post)) <= MOST_PARTS
    assert [len(inside(world, thread)) for thread in threads(world)] == [6] * GROUPS

    ada, thread = world.player("Ada"), own_thread(world, "Ada")
    (opening,) = thread.history()
    asked = await ada.click(opening, label="Report")
    opponents = select_with(asked, "")[1]
    assert {world.player(name).id for name in opponents} == inside(world, thread) - {ada.id}
    first, second, *_ = opponents
    form = await choose(ada, asked, first)
    assert f"you won against {first}" in text_of(await ada.submit_modal(form, {"result": "won"}))
    assert world.pinged(thread.history()[-1])[0] == {world.player(first).id}
    for player in (ada, world.player(second)):
        await player.slash(world.channel, "availability", time_zone="Europe/Berlin")
    mine = await ada.click(opening, label="My matches")
    assert text_of(mine).count("Waiting for their answer") == 1
    assert labels(mine.response).count("Report") == 4
    offered = await choose(ada, mine, second, "one-of:1:times")
    custom_id, _, values = select_with(offered, "pick-times")
    confirm = await ada.select(offered.response, values[:1], custom_id=custom_id)
    assert f"Sent to {second}" in text_of(await ada.click(confirm.response, label="Send"))
    assert world.pinged(thread.history()[-1])[0] == {world.player(second).id}

    standings = await ada.click(opening, label="Standings")
    named = select_with(standings, "show-group")[1]
    more = await choose(ada, standings, "More…", "show-group")
    listed = {*named, *select_with(more, "show-group")[1]}
    assert len(listed - {"More…", "Everyone, with ratings"}) == GROUPS
    last = await choose(ada, more, "Group AL", "show-group")
    assert "group AL: standings" in text_of(await ada.click(last.response, label="As text"))
    assert "Last:" not in message_text(card_of(world, ada)), "nothing is confirmed yet"
    answer = await world.player(first).click(thread.history()[1], label="Confirm")
    assert "you lost against Ada" in text_of(answer)
    assert f"Last: **Ada** beat {first}" in message_text(card_of(world, ada))
