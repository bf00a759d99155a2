"""Fingerprints in the news, or on the next card: each round's own, and after a correction which no longer count."""

from typing import Any

import pytest

from bot import steps
from bot.league.checking.fingerprints import fingerprints
from bot.league.season.model import Kind
from bot.services.base.outbox import ROUND
from bot.services.matches.outcome import Outcome
from bot.services.play import decisions
from bot.services.play.news import NEWS
from bot.services.play.progression import CHAMPION
from bot.worker import Worker
from cogs.matches.rounds import fingerprint_lines
from cogs.posting.renderings import render
from cogs.reads.news import news
from storage import rules_season
from storage.rows import SeasonId
from storage.tables import matches, rounds
from storage.tables.proofs import FingerprintRow, Fingerprints, compared
from tests.files import do, look_into
from tests.services.conftest import MODERATOR, World
from tests.services.people.test_forgetting import forget


def asked(world: World) -> dict[str, Any]:
    return {"db": world.db, "now": world.now, "league_id": world.league_id}


async def of_now(world: World) -> list[str]:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        return [*fingerprints(rules_season.load(conn, SeasonId(season_id)))]


async def told(world: World, number: int) -> Fingerprints:
    for post in await world.posts(NEWS):
        facts: Any = await world.shown(post)
        if facts.view.round.number == number:
            return facts.fingerprints
    raise LookupError(number)


async def text_of(world: World, number: int) -> str:
    for post in await world.posts(NEWS):
        facts: Any = await world.shown(post)
        if facts.view.round.number == number:
            return str(news(facts).parts[-1])
    raise LookupError(number)


async def correct(world: World, number: int) -> None:
    """Let the other player have won the first match of a round that is over."""
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        row = rounds.by_number(conn, season_id, number)
        assert row is not None
        match = matches.of_round(conn, row.id)[0]
    outcome = Outcome.LOWER if match.winner_id == match.upper_id else Outcome.UPPER
    await do(
        decisions.decide,
        **asked(world),
        actor=MODERATOR,
        match=match.id,
        outcome=outcome,
        reason="seen",
        kind=Kind.PLAYED,
    )


@pytest.mark.long
async def test_each_round_has_its_fingerprint_in_its_news(world: World) -> None:
    await world.begin(8)
    await world.play_round()
    await world.play_round()
    now = await of_now(world)
    assert await told(world, 1) == Fingerprints(new={1: now[1]})
    assert await told(world, 2) == Fingerprints(new={2: now[2]})
    assert (await text_of(world, 2)).splitlines()[-1] == f"-# To check later: round 2 `{now[2][:16]}`"


@pytest.mark.long
@pytest.mark.usefixtures("few_endings")
async def test_where_a_round_has_no_news_the_card_of_the_next_has_its_fingerprint(world: World) -> None:
    worker = Worker()
    await world.begin(8)
    await world.announce()
    await world.play_round()
    now = await of_now(world)
    [post] = await world.posts(NEWS)
    assert await steps.load(world.db, post.id, world.now, worker) is None
    await worker.close()
    [card] = [made for made in await world.announce() if made.row.kind == ROUND]
    assert f"-# To check later: round 1 `{now[1][:16]}`" in str(render(ROUND, card.post).parts[-1]).splitlines()
    await world.play_round()
    news, card = [made for made in await world.announce() if made.row.kind in (NEWS, ROUND)]
    assert "To check later" in str(render(NEWS, news.post).parts)
    assert "To check later" not in str(render(ROUND, card.post).parts), "once"


@pytest.mark.long
async def test_after_a_correction_the_next_news_says_which_no_longer_count(world: World) -> None:
    await world.begin(8)
    for _ in range(2):
        await world.play_round()
    before = await of_now(world)
    await correct(world, 1)
    assert (await told(world, 2)).void == ()
    await world.play_round()
    now = await of_now(world)
    assert (await told(world, 3)).void == ((1, before[1]), (2, before[2]))
    assert (await told(world, 3)).new == {1: now[1], 2: now[2], 3: now[3]}
    lines = (await text_of(world, 3)).splitlines()
    assert f"-# No longer counts: round 2 `{before[2][:16]}`, round 1 `{before[1][:16]}`" in lines
    await world.play_round()
    assert await told(world, 4) == Fingerprints(new={4: (await of_now(world))[4]})
    assert (await told(world, 1)).new == {1: before[1]}, "what was shown stays as it was"


def test_a_round_that_is_there_no_more_counts_no_longer_and_is_told_again_once_it_is_over() -> None:
    rows = [row(1, "a", told_in=1), row(2, "b", told_in=2), row(3, "c", told_in=3)]
    assert compared(rows, ["s", "a", "x"], 2) == Fingerprints(new={2: "x"}, void=((2, "b"), (3, "c")))
    void = [rows[0], row(2, "b", told_in=2, void_in=2), row(2, "x", told_in=2), row(3, "c", told_in=3, void_in=2)]
    assert compared(void, ["s", "a", "x", "c"], 3) == Fingerprints(new={3: "c"})
    assert compared(void, ["s"], 1) == Fingerprints(void=((1, "a"), (2, "x")))


def row(round_: int, value: str, *, told_in: int, void_in: int | None = None) -> FingerprintRow:
    return FingerprintRow(id=0, season_id=SeasonId(1), round=round_, value=value, told_in=told_in, void_in=void_in)


@pytest.mark.long
async def test_the_rounds_of_finals_are_called_by_their_names(world: World) -> None:
    await world.begin(8, rounds=1, cut=4)
    await world.play_round()
    await world.play_round()
    now = await of_now(world)
    assert (await text_of(world, 2)).splitlines()[-1] == f"-# To check later: the semi-finals `{now[2][:16]}`"
    await world.play_out()
    (post,) = await world.posts(CHAMPION)
    facts: Any = await world.shown(post)
    lines = [*fingerprint_lines(facts.ending.fingerprints)]
    assert lines == [f"-# To check later: the final `{(await of_now(world))[3][:16]}`"]


@pytest.mark.long
async def test_once_a_player_is_forgotten_none_from_before_counts(world: World) -> None:
    await world.begin(8)
    await world.play_round()
    before = await of_now(world)
    await forget(world, "Bo")
    await world.play_round()
    now = await of_now(world)
    assert before[0] != now[0]
    assert (await told(world, 2)).void == ((1, before[1]),)
    assert (await told(world, 2)).new == {1: now[1], 2: now[2]}


@pytest.mark.long
async def test_the_champions_post_has_the_last_one_and_what_was_corrected_since(world: World) -> None:
    await world.begin(8, rounds=3, cut=0)
    await world.play_out()
    before = await of_now(world)
    (post,) = await world.posts(CHAMPION)
    facts: Any = await world.shown(post)
    assert facts.ending.fingerprints == Fingerprints(new={3: before[3]})
    assert [*fingerprint_lines(facts.ending.fingerprints)] == [f"-# To check later: round 3 `{before[3][:16]}`"]
    await correct(world, 3)
    now = await of_now(world)
    facts = await world.shown(post)
    assert facts.ending.fingerprints == Fingerprints(new={3: now[3]}, void=((3, before[3]),))
