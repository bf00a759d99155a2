"""Discord at times delivers an interaction twice: the second time the bot does nothing."""

import pytest

from bot.client import LeagueBot
from tests.loopback.objects import LEAGUE_CHANNEL, buttons, text_of
from tests.wire.conftest import ANN, BEN, ORGANISER, Wire, until
from tests.wire.state import State


@pytest.mark.short
async def test_what_is_delivered_twice_is_done_once(wire: Wire, bot: LeagueBot) -> None:
    await wire.start_of_two()
    wire.people.deliveries = 2
    asked = await wire.people.slash(ORGANISER, "round extend", days=2)
    await wire.people.press(ORGANISER, asked[0], "Give more time")
    await until(lambda: any("2 more days" in text_of(post) for post in wire.discord.messages[LEAGUE_CHANNEL]))
    await until(lambda: any("Report" in buttons(post) for post in wire.discord.messages[LEAGUE_CHANNEL]))
    card = next(post for post in wire.discord.messages[LEAGUE_CHANNEL] if "Report" in buttons(post))
    (form,) = await wire.people.press(ANN, card, "Report")
    assert len(await wire.people.complete(ANN, [form], result="won")) == 1
    assert len(await wire.people.slash(BEN, "confirm")) == 1
    state = State(wire.database)
    for action, who in (("round.extend", ORGANISER), ("result.report", ANN), ("result.confirm", BEN)):
        assert state.noted(action, who[0]) == 1, action
    assert len([post for post in wire.discord.messages[LEAGUE_CHANNEL] if "2 more days" in text_of(post)]) == 1
