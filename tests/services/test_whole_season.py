"""Whole seasons on a real file, with everything people do to them, and the rules asked again for every round."""

import os
import random
from collections.abc import AsyncGenerator
from contextlib import suppress
from datetime import timedelta

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import LeagueError
from bot.league.formats import ALL
from bot.league.pairing.proposal import Champion, Qualified
from bot.league.season.model import Kind, Season, Stage, Status
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting
from bot.services.matches.outcome import Outcome, read_outcome
from bot.services.matches.views import MatchView, RoundView
from bot.services.organising import rounds_by_hand
from bot.services.people import rejoining, removing
from bot.services.play import decisions, reporting
from bot.services.reads import inbox
from storage import rules_season
from storage.database import Database
from tests.examples import mostly_long
from tests.files import do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, World, person


@pytest.fixture(autouse=True)
async def closed(world: World) -> AsyncGenerator[None]:
    """Close the file that was opened last: tests restart in between."""
    yield
    await world.db.close()


COME_BACK = ("ohs", "keyforge-swiss", "lightseekers-swiss")
"""Where somebody who dropped may come back without being asked."""


async def record(world: World) -> Season:
    view = await world.status()
    with look_into(world.db) as conn:
        return rules_season.load(conn, view.season.id)


async def require_lawful(world: World) -> None:
    """Everybody sits at most once a round, and every round is what the rules say of those before it."""
    season = await record(world)
    for round_ in season.rounds:
        seated = round_.seated
        assert len(seated) == len(set(seated))
    assert [check.line() for check in verify(season).rounds if check.difference] == []


async def reopen(world: World) -> None:
    await world.db.close()
    world.db = await Database.open(world.db.path)


def winner_of(match: MatchView) -> str:
    """Let strength be the order of the names, with an upset now and then."""
    ranked = sorted((match.upper.name, match.lower.name), key=NAMES.index)
    return ranked[(match.round.number + match.match.position) % 3 == 0]


async def play(world: World, match: MatchView, how: int) -> None:
    """Bring one match to its result in one of the ways there are."""
    winner = winner_of(match)
    loser = match.lower.name if winner == match.upper.name else match.upper.name
    says = {"db": world.db, "now": world.now, "match": match.match.id}
    if how == 0:
        await do(reporting.report, actor=world.player(loser), result="lost", **says)
        return
    await do(reporting.report, actor=world.player(winner), result="won", **says)
    if how == 1:
        await do(reporting.confirm, actor=world.player(loser), **says)
    elif how == 2:
        await do(reporting.report, actor=world.player(loser), result="lost", **says)
    elif how == 3:
        await do(reporting.dispute, actor=world.player(loser), reason="we never finished", **says)
        await do(decisions.decide, actor=MODERATOR, outcome=read_outcome(match, winner), reason="seen the log", **says)
    elif how == 4:
        await do(reporting.report, actor=world.player(loser), result="won", **says)
        await do(decisions.decide, actor=MODERATOR, outcome=read_outcome(match, winner), reason="both cannot", **says)
    # 5: silence confirms


async def current(world: World) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))


@pytest.mark.long
@pytest.mark.parametrize("count", [2, 5, 8, *(pytest.param(count, marks=pytest.mark.long) for count in (3, 9, 16))])
async def test_a_season_played_in_every_way_goes_to_its_champion_by_the_rules(world: World, count: int) -> None:
    await world.begin(count)
    for turn in range(20):
        view = await current(world)
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            break
        for number, match in enumerate(view.matches):
            await play(world, match, (turn + number) % 6)
            await require_lawful(world)
        await world.announce()
        await reopen(world)
        world.later(hours=25)
        await steps.tick(world.db, world.now)
    over = await world.status()
    assert over.season.phase is SeasonPhase.FINISHED
    assert over.champion in NAMES
    season = await record(world)
    assert next(f for f in ALL if f.key == "ohs").next_round(season) == Champion(name=over.champion)
    await require_lawful(world)
    exported = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert over.champion in exported.text
    await world.announce()
    assert await world.posts() == ()


@pytest.mark.long
async def test_the_exported_file_verifies_outside(world: World) -> None:

    await world.begin(9)
    await world.play_out()
    text = (
        await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    ).text
    *checks, end = verify(reading.read(text.encode())).lines()
    assert end == "final: as the rules say"
    assert checks == [f"round {number}: as the rules say" for number in range(1, len(checks) + 1)]


async def leave_or_come(world: World, chance: random.Random) -> None:
    """Let somebody drop, come back, be put out, or enter late; refusals are answers too."""
    name = chance.choice(NAMES[: len(world.players)])
    asked = {"db": world.db, "now": world.now, "league_id": world.league_id}
    with suppress(LeagueError):
        match chance.randrange(6):
            case 0 | 1:
                await world.drop(name)
            case 2:
                back = await do(rejoining.rejoin, actor=world.player(name), **asked)
                if back.round is None:
                    (request_id, *_) = (await see(inbox.inbox, actor=ORGANISER, **asked)).rows("rejoin_requests")
                    await world.db.write(
                        rejoining.answer_rejoin,
                        Order(actor=ORGANISER, now=world.now),
                        request_id=request_id,
                        accept=True,
                    )
            case 3:
                await do(removing.disqualify, actor=ORGANISER, player=name, reason="cheats", **asked)
            case 4:
                await do(rejoining.reinstate, actor=ORGANISER, player=name, reason="a mistake", **asked)
            case _:
                await world.sign_up(NAMES[len(world.players) % len(NAMES)])


async def storm(world: World, chance: random.Random) -> None:
    """Let anybody say anything about any match of the round."""
    view = await current(world)
    match = chance.choice(view.matches) if view.matches else None
    if match is None:
        return
    actor = chance.choice([*(world.player(side.name) for side in match.sides), MODERATOR, person(77, "stranger")])
    says = {"db": world.db, "now": world.now, "match": match.match.id, "actor": actor}
    version = chance.choice([None, None, match.match.version, match.match.version - 1])
    with suppress(LeagueError):
        match chance.randrange(6):
            case 0 | 1 | 2:
                said = chance.choice(["won", "lost", "won", "draw"])
                await do(
                    reporting.report, result=said, score=chance.choice([None, "2-1", "1-2"]), version=version, **says
                )
            case 3:
                await do(reporting.confirm, version=version, **says)
            case 4:
                await do(reporting.dispute, reason="no", version=version, **says)
            case _:
                outcome = chance.choice([Outcome.UPPER, Outcome.LOWER, Outcome.DOUBLE_LOSS, Outcome.DRAW])
                kind = chance.choice([Kind.PLAYED, Kind.FORFEIT, Kind.ADJUDICATED])
                await do(decisions.decide, outcome=outcome, kind=kind, reason="seen", version=version, **says)


@pytest.mark.long
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, int(os.environ.get("STORMS", "3"))))]
)
@pytest.mark.parametrize("format_", mostly_long(format_.key for format_ in ALL))
async def test_storms_of_reports_and_departures_never_break_a_season(world: World, seed: int, format_: str) -> None:
    chance = random.Random(f"{seed}/{format_}")
    free = {"rejoin": "free"} if seed % 2 and format_ in COME_BACK else {}
    await world.begin(chance.randrange(5, 10), format=format_, **free)
    for step in range(150):
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            break
        await storm(world, chance)
        if step % 9 == 5:
            await leave_or_come(world, chance)
        if step % 10 == 9:
            world.later(hours=30)
            await steps.tick(world.db, world.now)
        if step % 40 == 39:
            await reopen(world)
            await world.announce()
    await require_lawful(world)
    await require_consistent(world)
    await finish_by_decisions(world)
    await require_lawful(world)
    await world.announce()


async def require_consistent(world: World) -> None:
    """A match has a result exactly when it is confirmed, and nobody who is out waits for one."""
    view = await current(world)
    for match in view.matches:
        assert (match.match.state is MatchState.CONFIRMED) == (match.match.kind != "open")
        assert (match.dispute is not None) == (match.match.state is MatchState.DISPUTED)
        if not all(side.active for side in match.sides):
            assert match.match.state is MatchState.CONFIRMED


async def finish_by_decisions(world: World) -> None:
    for _ in range(60):
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            return
        going_on = (await world.status()).current_round
        for match in () if going_on is None else going_on.missing:
            await world.db.write(
                decisions.decide,
                Order(actor=MODERATOR, now=world.now),
                match=match.match.id,
                outcome=Outcome.UPPER,
                reason="end",
            )
    raise AssertionError("the season does not end")


@pytest.mark.parametrize("mode", ["deadline", "manual"])
async def test_the_next_round_comes_as_the_season_says(world: World, mode: str) -> None:
    await world.begin(4, advance=mode, rounds=2)
    await world.play_round()
    await steps.tick(world.db, world.now)
    assert (await current(world)).round.number == 1
    world.later(days=8)
    await steps.tick(world.db, world.now)
    assert (await current(world)).round.number == (2 if mode == "deadline" else 1)
    if mode == "manual":
        assert any("All results of round 1 are in" in text for text in await world.notices())
        draft = await world.db.write(
            rounds_by_hand.preview, Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
        )
        assert draft.round.phase == "draft"
        assert (await current(world)).round.number == 1
        await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
        assert (await current(world)).round.number == 2


async def test_a_season_without_finals_ends_with_its_standings(world: World) -> None:
    await world.begin(4, cut=0, rounds=2)
    over = await world.play_out()
    season = await record(world)
    ohs = next(f for f in ALL if f.key == "ohs")
    assert isinstance(ohs.next_round(season), Qualified)
    first = ohs.standings(season)[0]
    assert first.status is Status.CHAMPION
    assert (over.season.phase, over.champion) == (SeasonPhase.FINISHED, first.name)
    assert all(round_.stage is Stage.REGULAR for round_ in season.rounds)


async def test_everybody_drops(world: World) -> None:
    await world.begin(4)
    for name in NAMES[:4]:
        try:
            await world.drop(name)
        except LeagueError:
            break
        await require_lawful(world)
    over = await world.status()
    assert over.season.phase is SeasonPhase.FINISHED


async def test_a_round_lasts_as_the_season_says(world: World) -> None:
    await world.begin(2, round_days=3)
    assert (await current(world)).round.deadline == world.now + timedelta(days=3)
