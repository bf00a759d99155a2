"""What can be done in which phase, and where: every refusal is private and says what to do next."""

from typing import Any

import pytest
from simcord import SetupError

from tests.cogs.conftest import World, labels, text_of
from tests.cogs.test_hostile_buttons import press_forged

FILE = b'{"fairpair": 1, "league": "Elsewhere", "season": 7, "format": "record", "players": [], "rounds": []}'
ORGANISERS: dict[str, dict[str, Any]] = {
    "season create": {"format": "ohs"},
    "season start": {},
    "season settings": {"setting": "round_days", "value": "3"},
    "season cancel": {"reason": "nobody came"},
    "round post": {},
    "round swap": {"a": "Ada", "b": "Bruno", "reason": "they asked"},
    "round extend": {"days": 2},
    "round tiebreak": {},
    "round start-clock": {},
    "player add": {"name": "Newcomer"},
    "player drop": {"player": "Ada", "reason": "ill"},
    "player disqualify": {"player": "Ada", "reason": "cheated"},
    "player reinstate": {"player": "Ada", "reason": "mistake"},
    "player rename": {"player": "Ada", "name": "Eve", "reason": "asked"},
    "announce": {"text": "Hello"},
    "player ban": {"player": "Ada", "reason": "cheated"},
    "player apart": {"a": "Ada", "b": "Bruno", "reason": "asked"},
    "player merge": {"player": "Ada", "into": "Zoe", "reason": "one person"},
    "league settings": {"time_zone": "Europe/Berlin"},
    "league export": {},
    "league import": {"file": ("season.json", FILE)},
    "league audit": {},
    "league delete": {},
}
MODERATORS: dict[str, dict[str, Any]] = {
    "disputes": {},
    "result set": {"match": "R1 M1", "outcome": "Ada", "reason": "seen"},
    "result clear": {"match": "R1 M1", "reason": "mistake"},
}


@pytest.mark.long
async def test_without_a_league_every_command_says_how_to_make_one(world: World) -> None:
    for command, given in {**ORGANISERS, **MODERATORS, **EVERYBODY}.items():
        person = world.chief if command in ORGANISERS else world.players[0]
        extra = {"user": world.outsider} if command == "player add" else {}
        refused = await person.slash(world.channel, command, **given, **extra)
        assert refused.ephemeral, command
        step = "/league create" if command in ORGANISERS else "Manage Server"
        assert step in text_of(refused), command


EVERYBODY: dict[str, dict[str, Any]] = {
    "signup": {},
    "drop": {},
    "rejoin": {},
    "report": {"result": "won"},
    "confirm": {},
    "dispute": {"reason": "no"},
    "match": {},
    "standings": {},
    "bracket": {},
    "why": {},
    "rules": {},
}


async def test_before_the_first_season_every_command_says_what_comes_next(world: World) -> None:
    await world.league()
    for command in EVERYBODY:
        answer = await world.players[0].slash(world.channel, command, **EVERYBODY[command])
        assert answer.ephemeral, command
        assert "no season" in text_of(answer), command


@pytest.mark.long
async def test_while_sign_ups_are_open_nothing_can_be_played(world: World) -> None:
    await world.league()
    await world.season(players=2)
    for command in ("report", "confirm", "dispute", "rejoin"):
        answer = await world.players[0].slash(world.channel, command, **EVERYBODY[command])
        assert answer.ephemeral, command
        assert text_of(answer), command
    for command in ("round extend", "round post"):
        answer = await world.organiser.slash(world.channel, command, **ORGANISERS[command])
        assert "started yet" in text_of(answer), command
    again = await world.organiser.slash(world.channel, "season create", format="ohs")
    assert again.ephemeral


@pytest.mark.long
async def test_outsiders_cannot_touch_a_match(world: World) -> None:
    await world.started(players=2)
    post = world.open_matches()[0]
    answer = await world.press(world.outsider, post)
    assert answer.ephemeral
    assert labels(answer.response) == ["Check it yourself"]
    form = await world.press(world.sides(post)[0], post)
    stolen = await press_forged(world.outsider, post.post, f"fp:confirm:{post.match}@1")
    assert "can do this" in text_of(stolen)
    assert form.modal is not None
    answer = await world.outsider.slash(world.channel, "report", result="won", match="R1 M1")
    assert answer.ephemeral
    assert world.open_matches()


async def test_a_direct_message_offers_no_command(world: World) -> None:
    await world.league()
    with pytest.raises(SetupError, match="context"):
        await world.players[0].user.slash("signup")
