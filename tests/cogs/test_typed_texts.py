"""What people type, at its worst: cut before it is read, asked for the right first, and never a crash."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import LeagueError
from cogs.ui import commands
from tests.benchmarks.texts import PARSERS
from tests.cogs.conftest import World, text_of

SIGNS = "0123456789:.-+/ ,apmhdutc@()nwfrisatomo\u0661\u2028\u202e\u0301\0\n\"'%{}[]\\_*~`|<>&#"
ANYTHING = st.text(alphabet=SIGNS, max_size=60)
HALF_RIGHT = st.sampled_from([
    "2026-12-01 18:00", "+99:00", "+99:99", "-23:59", "Z", "9999-12-31 23:59", "0001-01-01 00:00", "3d", "12h", " ",
    "9" * 4301, "1 season 0 due", " season 0 due", "\u0661" * 20, "25 8.3 4.2 0.08 0", "nan inf 1 1 1",
    "1e400 1 1 1 0", "fri 20:00", "in 3 h", "mon-fri 18:00-22:00", "1, Map, note, https://a.b/c", "2-1",
    "sunday 21:00", "Europe/Berlin", "../../etc/passwd", "utc+99:99",
])  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", PARSERS)
@given(parts=st.lists(ANYTHING | HALF_RIGHT, max_size=4))
def test_every_parser_answers_or_refuses_in_words(name: str, parts: list[str]) -> None:
    with contextlib.suppress(LeagueError):
        PARSERS[name].read("".join(parts))


@pytest.mark.long
@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("signups_close", "2026-12-01 18:00 +99:00", "doesn't exist in the calendar"),
        ("signups_close", "2026-12-01 18:00 +99:99", "doesn't exist in the calendar"),
        ("lists", "9" * 4301 + " season 0 due", "for example 2 season 0 round 1"),
        ("x" * 6000, "1", "There's no setting"),
    ],
)
async def test_a_setting_typed_badly_is_refused_in_words(world: World, setting: str, value: str, words: str) -> None:
    await world.league()
    await world.season(players=2)
    refused = text_of(await world.organiser.slash(world.channel, "season settings", setting=setting, value=value))
    assert words in refused


@pytest.mark.long
async def test_a_pause_until_an_impossible_offset_is_refused_in_words(world: World) -> None:
    await world.started(players=2)
    refused = await world.organiser.slash(world.channel, "season pause", until="2026-12-01 18:00 +99:99")
    assert "doesn't exist in the calendar" in text_of(refused)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("season pause", {"until": "soon"}),
        ("season create", {"format": "ohs", "signups_close": "soon"}),
        ("season settings", {"setting": "signups_close", "value": "soon"}),
    ],
)
async def test_the_right_is_asked_for_before_what_was_typed_is_read(
    world: World, command: str, options: dict[str, str]
) -> None:
    await world.league()
    await world.season(players=2)
    assert "Only organisers of" in text_of(await world.outsider.slash(world.channel, command, **options))


async def test_what_is_typed_with_a_command_is_cut_to_its_options_length(world: World) -> None:
    await world.league()
    await world.season(players=2)
    long = await world.outsider.slash(world.channel, "signup", name="x" * 6000)
    assert f"This name has {commands.LONGEST_TYPED + 1} characters" in text_of(long)
    unknown = await world.outsider.slash(world.channel, "standings", league="y" * 6000)
    assert "y" * (commands.LONGEST_TYPED + 2) not in text_of(unknown)
    hours = ", ".join(["mon 18:00-22:00"] * 20)
    assert len(hours) > commands.LONGEST_TYPED
    told = await world.players[0].slash(world.channel, "availability", hours=hours)
    assert "isn't understood" not in text_of(told)
