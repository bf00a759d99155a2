"""A sealed draw as people in the channel see it, fingerprints in the news, and a season changed by hand."""

import hashlib
import re

import pytest

from bot.league.checking.fingerprints import found_in
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from tests.cogs.conftest import World, message_text, text_of

HEX = r"`([0-9a-f]{%s})`"


async def play_out(world: World) -> None:
    for _ in range(9):
        for match in world.open_matches():
            await world.sides(match)[1].slash(world.channel, "report", result="lost", match=match.pairing)


def board(world: World) -> str:
    return message_text(next(message for message in world.channel.history() if message.pinned))


async def standings(world: World) -> str:
    picture = (await world.outsider.slash(world.channel, "standings")).response
    return text_of(await world.outsider.click(picture, label="As text"))


async def test_the_seal_is_on_the_board_and_its_secret_comes_with_round_1(world: World) -> None:
    await world.league()
    await world.season(players=4, salt="sealed", rounds=2, cut=0)
    (commitment,) = re.findall(f"the draw is sealed until round 1: {HEX % 64}", board(world))
    assert "Protected draw: yes, sealed until round 1" in board(world)
    assert "Its secret" not in board(world)
    await world.organiser.slash(world.channel, "season start")
    first = message_text(world.post("## Round 1"))
    (secret,) = re.findall(f"Its secret is {HEX % 64}", first)
    assert hashlib.sha256(secret.encode()).hexdigest() == commitment
    assert f"To check later: the draw was sealed as `{commitment}` before sign-ups." in first
    (salt,) = re.findall(f"which makes {HEX % 16} with", first)
    await play_out(world)
    (shown_,) = re.findall(f"To check later: round 1 {HEX % 16}", message_text(world.post("## Round 2")))
    post = world.post("is the champion!")
    (last,) = re.findall(f"To check later: round 2 {HEX % 16}", message_text(post))
    season = read(await post.attachments[-1].read())
    assert season.settings.salt == salt
    assert verify(season).agrees
    assert found_in(season, shown_) == (True, "the file has this fingerprint after round 1")
    assert found_in(season, last) == (True, "the file has this fingerprint after round 2")
    assert secret not in board(world)
    assert "hand" not in message_text(post)


@pytest.mark.long
async def test_a_season_changed_by_hand_says_so_wherever_it_is_shown(world: World) -> None:
    await world.started(players=4, rounds=2, cut=0)
    first, second = world.open_matches()
    names = {"a": world.sides(first)[1].user.global_name, "b": world.sides(second)[1].user.global_name}
    await world.agreed("round swap", "Swap", **names, reason="they are brothers")
    await play_out(world)
    line = "Changed by hand: round 1"
    post = world.post("is the champion!")
    for told in (board(world), message_text(post), await standings(world)):
        assert told.count(line) == 1, told
    text = (await post.attachments[-1].read()).decode()
    assert "brothers" not in text
    assert read(text.encode()).rounds[0].by_hand == "changed by an organiser"
