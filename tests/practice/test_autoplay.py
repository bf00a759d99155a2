"""With --autoplay people no one acts for play alone: whole seasons of every format, without anyone's help."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from bot.league import formats
from bot.league.season.phases import MatchState, SeasonPhase
from bot.practice import welcome
from bot.practice.autoplay import CUT, GROUP, READING, REST
from bot.practice.guide import show
from tests.cogs.conftest import message_text
from tests.cogs.conftest import nothing_painted as nothing_painted
from tests.practice.stage import Practice, playing

pytestmark = pytest.mark.timeout(300)
LONG = pytest.mark.long
WITH_A_WORKER = (LONG, pytest.mark.painted)


@pytest.fixture
async def practice(tmp_path: Path, few_endings: None) -> AsyncGenerator[Practice]:
    async with playing(tmp_path) as started:
        yield started


SEASONS: list[tuple[str, dict[str, Any]]] = [
    *((format_.key, {}) for format_ in formats.ALL),
    ("round-robin", {"group_size": GROUP, "scores": True}),
    # What waits for an organiser: equals, seeds, rounds by hand.
    ("lightseekers-swiss", {"rounds": 1, "cut": 4}),
    ("single-elimination", {"seeding": "seeded", "third_place": True}),
    ("keyforge-swiss", {"rounds": 2, "cut": 2, "draws": True, "final_best_of": 3, "advance": "manual"}),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "options"),
    [
        SEASONS[0],
        *(pytest.param(*season, marks=LONG) for season in SEASONS[1:]),
        *(pytest.param(*season, marks=WITH_A_WORKER) for season in (SEASONS[0], SEASONS[-2])),
    ],
)
async def test_nobody_plays_a_season_to_its_champion(practice: Practice, key: str, options: dict[str, Any]) -> None:
    await practice.open(format=key, **options)
    await practice.let_play()
    season = await practice.season()
    assert (season.season.format, season.season.phase, len(season.entrants)) == (key, SeasonPhase.FINISHED, 8)
    assert season.champion is not None
    assert any(season.champion in post and "is the champion" in post for post in practice.league_posts)
    assert all(line.endswith("as the rules say") for line in await practice.verified())


@LONG
async def test_after_a_season_and_some_time_to_read_comes_the_next_format(practice: Practice) -> None:
    keys = [format_.key for format_ in formats.ALL]
    await practice.open(format=keys[-1], max_players=3)
    await practice.let_play()
    assert (await practice.season()).season.phase is SeasonPhase.FINISHED
    assert not await practice.step(REST.total_seconds())
    for key in (*keys, keys[0]):
        assert await practice.step()
        season = await practice.season()
        assert (season.season.format, season.season.phase) == (key, SeasonPhase.SIGNUP)
        own = formats.by_key(key).own_settings
        assert season.settings.group_size == (GROUP if "group_size" in own else None)
        assert season.settings.cut == (CUT if "cut" in own and "group_size" not in own else None)
        assert await practice.step()
        await practice.organise("season cancel", reason="the next one", then="Cancel the season")


@pytest.mark.long
async def test_a_new_round_is_left_to_be_read(practice: Practice) -> None:
    await practice.open(format="single-elimination")
    await practice.sign_up()
    await practice.organise("season start")
    assert not await practice.step(READING.total_seconds())
    assert await practice.step()


@LONG
async def test_people_dispute_and_the_moderator_decides(practice: Practice) -> None:
    await practice.let_play()
    settled = practice.simulation.world.moderators.history()
    assert any("Settled" in message_text(message) for message in settled)


@pytest.mark.long
async def test_silence_confirms_a_report_when_the_clock_is_moved_a_day(practice: Practice) -> None:
    simulation = practice.simulation
    await practice.open(format="single-elimination")
    await practice.sign_up()
    await practice.organise("season start")
    async with simulation.lock:
        await simulation.world.players[0].slash(simulation.world.league, "report", result="won")
        await simulation.env.advance_time(3)
        states = []
        for hours in (23, 1):
            await simulation.move(hours)
            season = await practice.season()
            assert season.current_round is not None
            states.append({match.match.state for match in season.current_round.matches} - {MatchState.OPEN})
    assert states == [{MatchState.REPORTED}, {MatchState.CONFIRMED}]


@pytest.mark.long
async def test_a_person_somebody_acts_for_is_left_alone(practice: Practice) -> None:
    ada = practice.simulation.world.players[0]
    page = practice.simulation.preview._open_page(str(ada.id))
    await practice.let_play()
    season = await practice.season()
    assert "Ada" not in {entrant.name for entrant in season.entrants}
    assert (season.season.phase, len(season.entrants)) == (SeasonPhase.SIGNUP, 7)
    async with practice.simulation.lock:
        await ada.slash(practice.simulation.world.league, "signup")
    await practice.let_play()
    season = await practice.season()
    assert season.current_round is not None
    waiting = season.current_round.missing
    assert [(m.match.state, m.side_of(ada.id) is not None) for m in waiting] == [(MatchState.OPEN, True)]
    practice.simulation.preview._close_page(page.id)
    assert await practice.step()


@pytest.mark.long
@pytest.mark.painted
async def test_the_welcome_post_says_where_one_is(practice: Practice) -> None:
    pages = "http://127.0.0.1:65535"  # the longest

    async def said() -> str:
        await show(practice.simulation, practice.db, autoplay=True, pages=pages)
        return next(line for line in practice.welcome_post.splitlines() if "You are here" in line)

    assert "step 1" in await said()
    await practice.open(format="lightseekers-swiss", rounds=1, cut=4)
    assert "step 2.** Ada, Bruno" in await said()
    await practice.sign_up()
    assert "step 3" in await said()
    assert pages not in practice.welcome_post, "the league's pages are still empty"
    await practice.organise("season start")
    assert "step 4.** Round 1 of 1: 4 matches wait" in await said()
    seen = {await said()}
    assert f"{pages}/1/" in practice.welcome_post
    while (await practice.season()).season.phase is not SeasonPhase.FINISHED:
        await practice.step()
        seen.add(await said())
    for words in (
        "press **Report**",
        "press **Confirm** or **Dispute**",
        "decide in #moderators",
        "step 5",
        "is its champion",
    ):
        assert any(words in line for line in seen), words
    # Four names as long as they can be.
    longest = max(len(step) for step in seen) + 4 * 32
    for autoplay in (True, False):
        assert len(welcome.text(autoplay=autoplay, pages=pages)) + longest <= 2000
