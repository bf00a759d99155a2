"""Standings of groups: one's own first, all others in a list, everyone's matches as a picture and as text."""

from dataclasses import replace

import pytest

from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.reads import tables
from cogs.reads.tables import EVERYONE, other_groups
from cogs.ui.actions import MOST_OPTIONS
from storage.rows import LeagueId
from tests.cogs.conftest import World, labels, message_text, selects_of, text_of
from tests.services.reads.test_groups import NINE

ALL = {"Everyone, with ratings": "0", "Group A": "1", "Group B": "2"}


def options(message: object) -> dict[str, str]:
    """Return what the list of groups offers: labels with their values."""
    [listed] = selects_of(message).values()
    return {option.label: option.value for option in listed}


@pytest.mark.long
async def test_a_person_sees_their_own_group_first_and_can_choose_another(world: World) -> None:
    await world.started(players=9, **NINE)
    match = world.open_matches()[-1]
    winner, loser = world.sides(match)
    await world.report(loser, "lost", match)
    answer = await winner.slash(world.channel, "standings")
    assert labels(answer.response) == ["As text", "Show to everyone"]
    assert options(answer.response) == ALL
    text = text_of(await winner.click(answer.response, label="As text"))
    assert "group B: standings" in text
    assert "1 of 6 results in · round 1 being played" in text
    assert f"beat {loser.user.global_name}" in text
    assert text.count("provisional rating: fewer than") == 1, "what the star means"
    shown = await winner.select(answer.response, values=["1"])
    assert "group A: standings" in text_of(await winner.click(shown.response, label="As text"))
    everyone = await winner.select(shown.response, values=["0"])
    assert "season 1: standings" in text_of(await winner.click(everyone.response, label="As text"))


@pytest.mark.long
async def test_a_group_that_was_chosen_is_the_one_shown_to_everyone(world: World) -> None:
    await world.started(players=9, **NINE)
    ada = world.player("Ada")
    answer = await ada.slash(world.channel, "standings")
    chosen = await ada.select(answer.response, values=["2"])
    await ada.click(chosen.response, label="Show to everyone")
    [post] = world.posts("Shown by")
    assert selects_of(post) == {}
    assert "group B: standings" in text_of(await world.outsider.click(post, label="As text"))
    assert message_text(post).endswith("Shown by Ada")


@pytest.mark.parametrize("groups", [24, 25, 38])
async def test_every_group_of_many_can_be_chosen(world: World, groups: int) -> None:
    await world.started(players=9, **NINE)
    who = Order(actor=BOT, now=world.now(), league_id=LeagueId(1))
    view = await world.env.bot.database.read(tables.standings, who)
    group = view.groups[0]
    many = [replace(group, table=replace(group.table, number=number)) for number in range(1, groups + 1)]
    offered: set[str] = set()
    for first in range(0, 2 * MOST_OPTIONS, MOST_OPTIONS - 1):
        listed = other_groups(replace(view, groups=tuple(many)), LeagueId(1), EVERYONE, first).item.options
        assert len(listed) <= MOST_OPTIONS
        assert (listed[-1].label == "More…") == (groups >= MOST_OPTIONS)
        offered |= {option.value for option in listed}
    assert offered - {"-1"} == set(map(str, range(groups + 1)))
