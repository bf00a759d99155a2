"""People no direct message reaches, in the ways Discord says so."""

import pytest

from bot.client import LeagueBot
from tests.loopback.discord_server import Refusal
from tests.loopback.objects import LEAGUE_CHANNEL, text_of
from tests.wire.conftest import ANN, BEN, Wire, until


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(400, 50033, "Invalid Recipient(s)"),
        Refusal(400, 50007, "Cannot send messages to this user", at_message=True),
        Refusal(403, 50278, "Cannot send messages to this user without a mutual guild", at_message=True),
    ],
)
async def test_a_player_no_direct_message_reaches_is_mentioned_in_the_channel(
    wire: Wire, bot: LeagueBot, refusal: Refusal
) -> None:
    await wire.start_of_two()
    (card,) = await wire.people.slash(BEN, "notify")
    await wire.people.choose(BEN, card, "direct", among="question")
    wire.discord.unreachable[BEN[0]] = refusal
    await wire.people.slash(ANN, "report", result="won")
    await until(lambda: any("Is that right?" in text_of(post) for post in wire.discord.messages[LEAGUE_CHANNEL]))
    asked = [who for who, post in wire.discord.pings if "Is that right?" in text_of(post)]
    assert asked == [f"<@{BEN[0]}>"]
