"""What becomes of several open matches of one person when something happens to the person."""

import asyncio
import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot import steps
from bot.league.checking.verify import verify
from bot.league.errors import LeagueError, NotAllowed
from bot.league.season.model import Name
from bot.league.season.phases import MatchState, SeasonPhase
from bot.league.summaries.outlook.prospects import Verdict
from bot.services.base.order import Order
from bot.services.leagues import importing_records
from bot.services.matches.group_cards import GroupPost
from bot.services.matches.match_finding import WhichMatch
from bot.services.matches.views import MatchView
from bot.services.people import banning, forgetting, linking, merging
from bot.services.people.linking import Account
from bot.services.play import reporting
from bot.services.reads import pairings
from bot.services.seasons import planning
from bot.services.times import calendars
from bot.steps import File
from bot.worker import Worker
from storage.query import records
from storage.tables import leagues
from tests.checker.engines import CHECK, NODE, answered, difference
from tests.files import do, look_into
from tests.services.conftest import NAMES, ORGANISER, World, person
from tests.services.leagues.test_kept_apart import exported, imported
from tests.services.play.test_open_rounds import begin, lose, open_of, play, rows, to_play
from tests.services.play.test_round_robin import file_of


@pytest.mark.long
async def test_a_groups_card_is_everyones_also_when_one_of_them_has_no_account(world: World) -> None:
    await begin(world, 5)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(forgetting.forget, order, player="dok")
    (post,) = await world.posts("group")
    card = await world.shown(post)
    assert isinstance(card, GroupPost)
    assert card.reader is None
    assert sorted(card.ping_ids) == sorted(actor.user_id for name, actor in world.players.items() if name != "dok")


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES[:3])
async def test_a_champion_by_the_draw_stays_champion_in_a_copy_though_a_name_is_forgotten(
    world: World, name: str
) -> None:
    await begin(world, 3)
    beaten = {"dok": "Xorlof", "Xorlof": "Zoë", "Zoë": "dok"}
    for view in await to_play(world):
        await lose(world, view, view.lower.name if beaten[view.upper.name] == view.lower.name else view.upper.name)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(forgetting.forget, order, player=name)
    before, season = await file_of(world), await world.status()
    assert verify(before).agrees
    assert before.final is not None
    assert before.final.champion == season.champion
    copy = await imported(world, json.loads(await exported(world, world.league_id)))
    with look_into(world.db) as conn:
        world.league = leagues.get(conn, copy)
    assert (await file_of(world)).final == before.final


@pytest.mark.long
async def test_the_checker_verifies_the_file_of_open_rounds_at_any_time(world: World, tmp_path: Path) -> None:
    await begin(world)
    texts = [await exported(world, world.league_id)]
    for view in (await to_play(world))[3:12:2]:
        await lose(world, view)
    texts.append(await exported(world, world.league_id))
    await world.drop("dok")
    texts.append(await exported(world, world.league_id))
    await play(world, Random(3))
    texts.append(await exported(world, world.league_id))
    assert [text.count('"kind": "open"') for text in texts] == [20, 15, 12, 0]
    for number, (text, found) in enumerate(zip(texts, answered(texts), strict=True)):
        path = tmp_path / f"{number}.json"
        path.write_text(text, encoding="utf-8")
        code, lines = verified(path)
        assert code == 0, lines
        assert lines.count("as the rules say") >= 5
        assert difference(text, found) is None


def verified(path: Path) -> tuple[int, str]:
    """Let the checker verify a file, as people do; returns its exit code and what it printed."""
    done = subprocess.run([NODE, CHECK, "verify", path], capture_output=True, check=False, encoding="utf-8")
    return done.returncode, done.stdout


def order_of(world: World, name: str | None = None) -> Order:
    """Return what a player asks for, by default the organiser."""
    actor = ORGANISER if name is None else world.player(name)
    return Order(actor=actor, now=world.now, league_id=world.league_id)


def opponents(views: Sequence[MatchView], name: str) -> list[str]:
    return [view.lower.name if view.upper.name == name else view.upper.name for view in views]


async def test_why_asks_which_of_several_open_matches_and_explains_the_last_one_at_once(world: World) -> None:
    await begin(world, 4)
    mine = await open_of(world, "dok")
    with pytest.raises(WhichMatch) as asked:
        await world.db.read(pairings.why, order_of(world, "dok"))
    assert [view.match.id for view in asked.value.candidates] == [view.match.id for view in mine]
    with pytest.raises(WhichMatch, match="dok has 3 open matches"):
        await world.db.read(pairings.why, order_of(world, "Zoë"), player="dok")
    for view in mine:
        why = await world.db.read(pairings.why_match, order_of(world, "dok"), match_id=view.match.id)
        assert why.in_short.startswith(f"Round {view.round.number}: the table says ")
        assert why.title == view.label
    for view in mine[1:]:
        await lose(world, view, "dok")
    left = await world.db.read(pairings.why, order_of(world, "dok"))
    assert left.round.number == mine[0].round.number


@pytest.mark.long
async def test_a_report_names_only_an_opponent_of_ones_own_group(world: World) -> None:
    await begin(world, 8, group_size=4)
    mine = opponents(await open_of(world, "dok"), "dok")
    (other, *_) = [name for name in NAMES[:8] if name not in (*mine, "dok")]
    before = len(await to_play(world))
    for use_case, more in ((reporting.report, {"result": "won"}), (reporting.confirm, {})):
        with pytest.raises(LeagueError):
            await world.db.write(use_case, order_of(world, "dok"), match=other, **more)
    theirs = (await open_of(world, other))[0]
    with pytest.raises(NotAllowed):
        await world.db.write(reporting.report, order_of(world, "dok"), match=theirs.match.id, result="won")
    assert len(await to_play(world)) == before
    assert {view.match.state for view in await to_play(world)} == {MatchState.OPEN}


async def test_both_report_one_match_in_the_same_second_with_other_scores(world: World) -> None:
    await begin(world, 4, scores=True)
    view, *others = await open_of(world, "dok")
    (opponent,) = opponents([view], "dok")
    said = [("dok", "won", "87-62"), (opponent, "lost", "60-87")]
    await asyncio.gather(
        *(
            world.db.write(reporting.report, order_of(world, name), match=view.match.id, result=result, score=score)
            for name, result, score in said
        )
    )
    states = {match.match.id: match.match.state for match in await open_of(world, "dok")}
    assert states == {view.match.id: MatchState.DISPUTED} | {other.match.id: MatchState.OPEN for other in others}


async def test_a_report_without_a_name_goes_through_after_a_forfeit_though_no_one_has_reported(world: World) -> None:
    await begin(world, 3)
    first, last = await open_of(world, "dok")
    (gone,) = opponents([last], "dok")
    await world.drop(gone)
    made = await world.db.write(reporting.report, order_of(world, "dok"), result="won")
    assert (made.match.match.id, made.match.match.state) == (first.match.id, MatchState.REPORTED)


@pytest.mark.long
async def test_a_ban_forfeits_every_open_match_and_no_other(world: World) -> None:
    await begin(world, 5)
    first, *others = await open_of(world, "dok")
    await lose(world, first, "dok")
    await do(banning.ban, db=world.db, **by(world), player="dok", reason="cheated")
    played = await file_of(world)
    of_dok = [match for round_ in played.rounds for match in round_.matches if "dok" in match.players]
    assert sorted(match.kind for match in of_dok) == ["forfeit"] * len(others) + ["played"]
    assert verify(played).agrees
    assert len(await to_play(world)) == 6


def by(world: World) -> dict[str, Any]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}


@pytest.mark.long
async def test_a_new_account_plays_every_open_match_and_the_old_one_none(world: World) -> None:
    await begin(world, 4)
    before = [view.match.id for view in await open_of(world, "dok")]
    account = Account(discord_id=5555, name="dok again", is_bot=False)
    await do(linking.propose, db=world.db, **by(world), player="dok", account=account)
    link = column(world, "SELECT id FROM links")[0]
    new = person(5555, "dok again")
    await world.db.write(linking.answer, Order(actor=new, now=world.now), link=link, accept=True)
    old, world.players["dok"] = world.players["dok"], new
    assert [view.match.id for view in await open_of(world, "dok")] == before
    with pytest.raises(NotAllowed):
        await world.db.write(reporting.report, Order(actor=old, now=world.now), match=before[0], result="won")
    for match in before:
        await world.db.write(reporting.report, Order(actor=new, now=world.now), match=match, result="lost")
    assert await open_of(world, "dok") == ()
    (post,) = await world.posts("group")
    assert 5555 in (await world.shown(post)).ping_ids


@pytest.mark.long
async def test_a_past_name_that_is_merged_leaves_the_open_matches_as_they_are(world: World) -> None:
    past = "season,player,opponent,winner\n1,Old dok,Pavel,Pavel"
    await bring_in(world, past)
    await begin(world, 4)
    before = [view.match.id for view in await open_of(world, "dok")]
    await do(merging.merge, db=world.db, **by(world), player="Old dok", into="dok", reason="one person")
    assert [view.match.id for view in await open_of(world, "dok")] == before
    await play(world, Random(4))
    assert verify(await file_of(world)).agrees


async def test_a_calendar_has_every_open_match_and_the_deadline_of_all_once(world: World) -> None:
    await begin(world, 5)
    _, mine = await do(calendars.own, db=world.db, **by(world) | {"actor": world.player("dok")})
    assert len([entry for entry in mine if "dok" in entry.summary]) == 4
    assert len({entry.uid for entry in mine}) == len(mine)
    _, season = await do(calendars.of_season, db=world.db, **by(world))
    assert [entry.summary for entry in season] == ["Deadline: the regular rounds (Online HeroScape)"]


@pytest.mark.long
async def test_forgetting_keeps_the_groups_and_forfeits_the_open_matches_until_the_season_ends(world: World) -> None:
    await begin(world, 8, group_size=4)
    await lose(world, (await to_play(world))[0])
    await world.db.write(forgetting.forget, order_of(world), player="dok")
    played = await file_of(world)
    assert played.forgotten
    assert sorted(map(len, played.groups or ())) == [4, 4]
    assert "dok" not in str(played)
    assert verify(played).agrees
    await play(world, Random(5))
    ended = await file_of(world)
    assert ended.groups == played.groups
    assert verify(ended).agrees
    text = await exported(world, world.league_id)
    assert difference(text, answered([text])[0]) is None


@pytest.mark.long
@pytest.mark.parametrize(("overdue", "left"), [("moderators", 5), ("double_loss", 0), ("extend", 5)])
async def test_forty_reports_that_wait_when_the_deadline_comes_count_by_themselves(
    world: World, overdue: str, left: int
) -> None:
    await begin(world, 10, group_size=None, overdue=overdue, confirm_hours=72, stage_ends="2026-11-28 12:00")
    waiting = (await to_play(world))[:40]
    world.later(days=6, hours=23)
    for view in waiting:
        order = Order(actor=world.player(view.upper.name), now=world.now)
        await world.db.write(reporting.report, order, match=view.match.id, result="won")
    await world.announce()
    world.later(hours=2)
    await steps.tick(world.db, world.now)
    reported = [view for view in await to_play(world) if view.match.state is MatchState.REPORTED]
    assert {view.match.id for view in reported} == {view.match.id for view in waiting}
    world.later(hours=80)
    await steps.tick(world.db, world.now)
    played = await file_of(world)
    kinds = Counter(match.kind for round_ in played.rounds for match in round_.matches if round_.stage == "regular")
    assert kinds == Counter(played=40, double_loss=5 - left) + Counter(open=left)
    assert verify(played).agrees
    assert len(await world.posts("overdue")) <= 1


@pytest.mark.long
async def test_a_deadline_moved_before_now_is_refused_and_nothing_changes(world: World) -> None:
    await begin(world)
    before = {row.deadline for row in await rows(world)}
    world.later(days=3)
    settings = {"stage_ends": "2026-11-22 12:00"}
    with pytest.raises(LeagueError):
        await world.db.write(planning.change_settings, order_of(world), settings=settings)
    assert {row.deadline for row in await rows(world)} == before


@pytest.mark.long
async def test_the_outlook_of_open_matches_takes_no_verdict_back(world: World) -> None:
    await begin(world, 8, group_size=4)
    season_id, chance, sure, worker = (await world.status()).season.id, Random(6), dict[str, Verdict](), Worker()
    while (await world.status()).season.phase is SeasonPhase.RUNNING:
        outlook = await steps.outlook_of(world.db, worker, season_id)
        if outlook is not None:
            now = {name: prospect.verdict for name, prospect in outlook.players.items()}
            assert {name: now[Name(name)] for name in sure} == sure
            sure = {name: verdict for name, verdict in now.items() if verdict is not Verdict.OPEN}
        view = chance.choice(await to_play(world))
        await lose(world, view, chance.choice(view.sides).name)
    assert len(sure) >= 4


@pytest.mark.long
async def test_who_leaves_as_the_last_result_posts_the_finals_loses_there_or_is_replaced(world: World) -> None:
    await begin(world, 8, group_size=4)
    for view in (await to_play(world))[:-1]:
        await lose(world, view)
    (last,) = await to_play(world)
    loser = Order(actor=world.player(last.lower.name), now=world.now)
    await asyncio.gather(
        world.db.write(reporting.report, loser, match=last.match.id, result="lost"),
        *(world.drop(name) for name in ("dok", "Ann")),
    )
    await world.move_up()
    assert (await world.status()).season.phase is SeasonPhase.FINALS
    await play(world, Random(7))
    assert verify(await file_of(world)).agrees


async def bring_in(world: World, table: str) -> None:
    """Bring in a past season as a table."""
    files = [File(name="past.csv", data=table.encode())]
    short = await steps.look_through(files)
    assert short is not None
    planned = await world.db.read(importing_records.plan, order_of(world), file=short, decided={})
    await steps.bring_in(world.db, order_of(world), files=files, short=short, planned=planned)


def column(world: World, sql: str) -> list[Any]:
    with look_into(world.db) as conn:
        return [row[0] for row in records(conn, sql)]
