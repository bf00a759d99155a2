"""The post after a round: who is through, who is told, and the cut; there's none where cards say all of it."""

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from bot import steps
from bot.league import formats
from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.season.phases import SeasonPhase
from bot.league.summaries.outlook.prospects import Verdict
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.organising import rounds_by_hand
from bot.services.people import notifying
from bot.services.play.news import NEWS, NewsPost, as_of
from bot.services.play.progression import CHAMPION
from bot.services.reads import board, overview, tables
from bot.worker import Worker
from cogs.posting.renderings import render
from storage import rules_season
from storage.tables.people.notify import How, Topic
from tests.files import do, look_into
from tests.services.conftest import NAMES, ORGANISER, World

EVERY_FORMAT = [format_.key for format_ in formats.ALL]


class SlowWorker(Worker):
    """A worker that gives up on everything."""

    def begin(self, function: Any, *given: Any, seconds: float) -> asyncio.Future[Any]:
        gave_up = asyncio.get_running_loop().create_future()
        gave_up.set_result(None)
        return gave_up


async def news(world: World) -> list[NewsPost]:
    """Return the news that waits to be sent."""
    found = [await steps.load(world.db, post.id, world.now) for post in await world.posts(NEWS)]
    return [one.post for one in found if one is not None and isinstance(one.post, NewsPost)]


def words(post: NewsPost) -> str:
    """Return what the post says, with names where it mentions people."""
    text = "\n".join(part for part in render(NEWS, post).parts if isinstance(part, str))
    for name, person in post.people.items():
        text = text.replace(f"<@{person.discord_id}>", name)
    return text


@pytest.mark.long
@pytest.mark.parametrize("format_", EVERY_FORMAT)
async def test_each_round_has_one_post_of_news_and_the_last_one_the_champions(world: World, format_: str) -> None:
    await world.begin(8, format=format_)
    await world.play_out()
    rounds = [facts.view.round.number for facts in await news(world)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(await world.posts(CHAMPION)) == 1
    posted = [row for row in await world.audit() if row.action == "round.post"]
    assert len(posted) == len(rounds) + 1


@pytest.mark.long
@pytest.mark.parametrize("format_", EVERY_FORMAT)
async def test_news_that_the_next_card_follows_mentions_nobody_and_names_nobody_who_is_out(
    world: World, format_: str
) -> None:
    """A card mentions who plays on a moment later; being out is told in a direct message alone."""
    await world.begin(8, format=format_)
    await world.play_out()
    out = [name for facts in await news(world) for name in facts.news.out]
    assert len(out) == len(set(out))
    for facts in await news(world):
        assert facts.ping_ids == ()
        text = words(facts)
        assert "**Out" not in text
        assert "That was your last match" not in text


async def test_who_is_through_is_mentioned_where_no_card_follows_at_once(world: World) -> None:
    await world.begin(8, rounds=1, cut=4, advance="manual")
    await world.play_round()
    await do(rounds_by_hand.close, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    [facts] = await news(world)
    assert facts.following is None
    assert set(facts.ping_ids) == {facts.people[name].discord_id for name in facts.news.through}
    assert len(facts.ping_ids) == 4


@pytest.mark.long
async def test_who_is_out_reads_it_in_the_direct_message_they_chose_and_who_plays_on_gets_none(world: World) -> None:
    await world.begin(8, rounds=1, cut=4)
    for name in NAMES[:8]:
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        await do(notifying.choose, db=world.db, **who, topic=Topic.NEWS, how=How.DIRECT)
    await world.play_round()
    direct = [made for made in await world.announce() if made.row.kind == NEWS and made.row.person_id]
    [out] = {made.post.news.out for made in direct if isinstance(made.post, NewsPost)}
    assert {made.row.person_id for made in direct} == {world.player(str(name)).user_id for name in out}
    for made in direct:
        assert isinstance(made.post, NewsPost)
        assert "That was your last match this season. Thank you for playing." in words(made.post)


@pytest.mark.long
@pytest.mark.usefixtures("few_endings")
async def test_a_round_that_decided_nothing_has_no_post_beside_the_next_card(world: World) -> None:
    worker = Worker()
    await world.begin(8)
    await world.play_out()
    shown = [await steps.load(world.db, post.id, world.now, worker) for post in await world.posts(NEWS)]
    await worker.close()
    told = [one.post for one in shown if one is not None and isinstance(one.post, NewsPost)]
    assert [facts.view.round.name for facts in told] == [f"Round {number} of 4" for number in (2, 3, 4)]
    assert all(facts.sure or facts.edge or facts.news.cut for facts in told)


@pytest.mark.long
@pytest.mark.usefixtures("few_endings")
async def test_a_round_that_decided_nothing_is_told_of_where_no_card_follows(world: World) -> None:
    worker = Worker()
    await world.begin(8, advance="manual")
    await world.play_round()
    await do(rounds_by_hand.close, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    [post] = await world.posts(NEWS)
    found = await steps.load(world.db, post.id, world.now, worker)
    await worker.close()
    assert found is not None
    assert isinstance(found.post, NewsPost)
    assert "## Round 1 is done" in words(found.post)


@pytest.mark.long
async def test_the_cut_tells_seeds_and_what_decided_the_last_place(world: World) -> None:
    await world.begin(8, rounds=3, cut=3)
    await world.play_out()
    (cut,) = [facts for facts in await news(world) if facts.news.cut is not None]
    text = words(cut)
    assert "The finals: 3 of 8 players go on" in text
    assert cut.news.cut is not None
    assert (len(cut.news.cut.rows), len(cut.news.out)) == (3, 5)
    assert "**What decided it:** " in text
    assert "**Next:** the play-in round" in text


async def test_the_news_says_what_follows_also_where_an_organiser_publishes_it_later(world: World) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await world.begin(4, rounds=1, cut=2, advance="manual")
    await world.play_round()
    await do(rounds_by_hand.preview, db=world.db, **who)
    assert NEWS in [made.row.kind for made in await world.announce()]
    await do(rounds_by_hand.post, db=world.db, **who)
    [cut] = await news(world)
    assert "**Next:** the final" in words(cut)


async def after_two_rounds(world: World) -> tuple[NewsPost, ...]:
    """Play two rounds, and return the news of each with what it changed for everyone."""
    worker = Worker()
    await world.play_round()
    await world.play_round()
    found = [await steps.load(world.db, post.id, world.now, worker) for post in await world.posts(NEWS)]
    await worker.close()
    return tuple(one.post for one in found if one is not None and isinstance(one.post, NewsPost))


@pytest.mark.long
async def test_nobody_reads_in_public_that_someone_has_no_chance_while_they_play_on(world: World) -> None:
    await world.begin(6, rounds=3, cut=2)
    [second] = await after_two_rounds(world)
    hopeless = [name for name, prospect in second.prospects.items() if prospect.verdict is Verdict.OUT]
    assert hopeless
    assert "any more" not in words(second)
    assert second.ping_ids == ()


async def test_the_news_rests_on_the_season_as_it_was_with_the_next_round_paired(world: World) -> None:
    season_id = (await world.begin(6, rounds=3, cut=2)).season.id
    await world.play_round()
    with look_into(world.db) as conn:
        before = rules_season.load(conn, season_id)
    await world.play_round()
    with look_into(world.db) as conn:
        assert as_of(rules_season.load(conn, season_id), 1).rounds == before.rounds


@pytest.mark.long
async def test_news_comes_without_chances_that_take_too_long_to_work_out(world: World) -> None:
    await world.begin(6, rounds=3, cut=2)
    await world.play_round()
    await world.play_round()
    post = (await world.posts(NEWS))[-1]
    worker = SlowWorker()
    found = await steps.load(world.db, post.id, world.now, worker)
    await worker.close()
    assert found is not None
    assert isinstance(found.post, NewsPost)
    assert (found.post.prospects, found.post.sure) == ({}, ())


@pytest.mark.long
async def test_without_finals_they_hear_who_has_won_the_season_and_never_of_finals(world: World) -> None:
    await world.begin(4, rounds=4, cut=0)
    for name in ("Kinseth", "Zoë"):
        await world.lose(name)
    [told] = [facts for facts in await after_two_rounds(world) if facts.sure]
    assert f"**Has won the season already:** **{told.sure[0]}**" in words(told)
    assert "finals" not in words(told)


@pytest.mark.long
async def test_a_season_of_so_few_that_no_one_plays_finals_never_speaks_of_them(world: World) -> None:
    """The usual cut of Lightseekers is none for 8 players, though no one has set it."""
    await world.begin(8, format="lightseekers-swiss")
    for _ in range(2):
        await world.play_round()
    told = [words(facts) for facts in await news(world)]
    assert told
    assert not [text for text in told if "finals" in text or "cut" in text]
    with pytest.raises(NotFound, match="This season has no finals"):
        await world.db.read(tables.bracket, Order(actor=BOT, now=world.now, league_id=world.league_id))
    season = (await world.status()).season
    with look_into(world.db) as conn:
        board_post = board.of_season(conn, world.league, season, world.now)
    assert (board_post.finals, board_post.then) == (False, "then the season is over")


@pytest.mark.long
@pytest.mark.parametrize(
    ("format_", "players", "more"),
    [
        ("ohs", 11, {"rounds": 3}),
        ("ohs", 9, {"rounds": 3, "cut": 6}),
        ("two-loss-out", 12, {"cut": 4}),
        ("keyforge-swiss", 10, {}),
        ("lightseekers-swiss", 9, {}),
    ],
)
async def test_the_cut_numbers_players_as_its_own_bracket_does(
    world: World, format_: str, players: int, more: dict[str, int]
) -> None:
    await world.begin(players, format=format_, **more)
    while (await world.status()).season.phase is not SeasonPhase.FINALS:
        await world.play_round()
    (facts,) = [facts for facts in await news(world) if facts.news.cut is not None]
    bracket = await world.db.read(tables.bracket, Order(actor=BOT, now=world.now, league_id=world.league_id))
    listed = re.findall(r"^(\d+)\. (\S+) ", words(facts).replace("**", ""), re.MULTILINE)
    cut = facts.news.cut
    assert cut is not None
    assert dict(cut.seeds) == dict(bracket.seeds)
    numbers = {name: int(number) for number, name in listed}
    if cut.reseeding is None:
        assert numbers == dict(bracket.seeds)
        assert "The number is the seed" in words(facts)
        return
    history = by_key(facts.record.format).standings(replace(facts.record, rounds=facts.record.rounds[:-1]))
    assert [*numbers] == [row.name for row in history if row.name in bracket.seeds]
    for name, seed in bracket.seeds.items():
        assert (f"{name} is seed {seed}" in words(facts)) == (numbers[name] != seed)
    for one, other in cut.reseeding.pairs:
        assert f"{one} plays {other}" in words(facts)


async def test_a_cut_that_leaves_no_one_out_has_no_draw_to_tell(world: World) -> None:
    await world.begin(8, format="two-loss-out")
    await world.play_round()
    [facts] = await news(world)
    assert "The finals: all 8 players go on" in words(facts)
    assert "draw" not in words(facts)
    assert "decided" not in words(facts)


@pytest.mark.long
async def test_what_decided_the_last_place_names_only_those_who_were_level_for_it(world: World) -> None:
    await world.begin(8, rounds=2, cut=3)
    await world.play_round()
    await world.play_round()
    facts = (await news(world))[-1]
    assert facts.news.cut is not None
    assert (decision := facts.news.cut.decided) is not None
    assert len({(row.wins, row.losses) for row in facts.news.cut.line}) == 1
    assert {*decision.before} <= {row.name for row in facts.news.cut.rows}
    assert not {*decision.after} & {row.name for row in facts.news.cut.rows}
    assert decision.values[decision.before[-1]] != decision.values[decision.after[0]]
    assert words(facts).count("(how strong their opponents were)") == 1
    assert words(facts).count(decision.values[decision.before[-1]]) == 1, "no values but in what decided it"
    assert "SoS" not in words(facts)


@pytest.mark.long
async def test_no_one_is_told_that_they_are_sure_of_finals_that_have_room_for_everyone(world: World) -> None:
    await world.begin(4)
    await world.play_round()
    [post] = await world.posts(NEWS)
    worker = Worker()
    loaded = await steps.load(world.db, post.id, world.now, worker)
    await worker.close()
    assert loaded is None, "there is nothing else to say"


@pytest.mark.long
async def test_the_cut_line_is_told_before_the_last_round_only_and_skips_who_is_sure(world: World) -> None:
    await world.begin(8, rounds=3, cut=3)
    worker, told = Worker(), list[NewsPost]()
    for _ in range(2):
        await world.play_round()
    for post in await world.posts(NEWS):
        found = await steps.load(world.db, post.id, world.now, worker)
        if found is not None:
            assert isinstance(found.post, NewsPost)
            told.append(found.post)
    await worker.close()
    assert ["Last place in the finals for now" in words(facts) for facts in told] == [True]
    last = told[-1]
    assert {last.prospects[row.name].verdict for row in last.edge} == {Verdict.OPEN}
    sure = {name for facts in told for name in facts.sure}
    assert sure
    assert not sure & {row.name for row in last.edge}
    assert f"**Now sure of the finals:** **{last.sure[0]}**" in words(last)


async def test_organisers_read_before_the_start_that_the_finals_have_room_for_everyone(world: World) -> None:
    await world.opened(format="ohs")
    for names, everyone in ((NAMES[:4], True), (NAMES[4:5], False)):
        await world.sign_up(*names)
        who = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
        step = (await world.db.read(overview.status, who)).next_step
        assert ("With 4 players everyone is in the finals." in step) is everyone
