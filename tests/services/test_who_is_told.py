"""Seasons of people with choices of their own: the audit says who had to be told; none is missed, none told more."""

import random
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import takewhile
from typing import Any

import pytest

from bot import steps
from bot.league.errors import LeagueError
from bot.league.formats import ALL, by_key
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import RoundView
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import notifying, removing
from bot.services.play import decisions, reporting
from storage import rules_season
from storage.posts import Target
from storage.rows import SeasonId
from storage.tables.audit import AuditRow
from storage.tables.people.notify import How, Topic
from tests.examples import mostly_long
from tests.files import do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, World

Told = Counter[tuple[str, str]]
TOPICS = {
    "question": Topic.QUESTION,
    "decision": Topic.NEWS,
    "open-again": Topic.ROUND,
    "notice": Topic.NEWS,
    "own-place": Topic.QUESTION,
    "pairings-changed": Topic.ROUND,
}


def sides(row: AuditRow) -> tuple[str, ...]:
    found = re.match(r"(.+?) v (.+?) \(", row.subject)
    assert found is not None
    return found.groups()


def named(pairing: str) -> list[str]:
    return pairing.removeprefix("bye for ").split(" v ")


def told_of_taking_back(row: AuditRow, world: World) -> Told:
    """Return who hears that a match is open again: who has to answer is asked, the other player is told."""
    other = next(name for name in sides(row) if world.player(name).user_id != row.actor_id)
    said = (row.after or {}).get("said")
    asked = next((name for name in sides(row) if said and not said.startswith(f"{name} reports:")), None)
    return Told([("question", asked)] if asked else []) + Told([("open-again", other)] if asked != other else [])


def against_who_may_leave(world: World, season_id: SeasonId) -> dict[str, set[str]]:
    """Return whose results count no more once a player leaves whose own count for nobody then."""
    with look_into(world.db) as conn:
        season = rules_season.load(conn, season_id)
    here = {entrant.name for entrant in season.entrants} - {left.name for left in season.departures}
    played = [match for round_ in season.rounds for match in round_.matches if match.kind is not Kind.OPEN]
    struck = [name for name in here if by_key(season.format).struck_by_leaving(season, name) is not None]
    return {name: here & {match.opponent_of(name) for match in played if name in match.players} for name in struck}


def due(rows: list[AuditRow], world: World, against: Mapping[str, set[str]]) -> Told:
    """Return who has to be told of these changes, and by which kind of message."""
    told: Told = Counter()
    absent = {row.subject for row in rows if (row.reason or "").startswith("didn't appear")}
    # What is forfeited as its round is posted stands on the round's card, which mentions both.
    until_posted = takewhile(lambda row: row.action != "round.close", rows)
    forfeits = {name: row for row in until_posted if row.action == "result.forfeit" for name in sides(row)}
    for row in rows:
        after = row.after or {}
        if row.action == "result.report" and str(after["state"]).startswith("reported"):
            told["question", next(name for name in sides(row) if not after["said"].startswith(f"{name}:"))] += 1
        elif row.action == "result.report" and (row.before or {})["state"] == MatchState.DISPUTED.words:
            if after["state"] != MatchState.DISPUTED.words:
                told["decision", next(name for name in sides(row) if not after["said"].startswith(f"{name}:"))] += 1
        elif row.action == "result.set":
            told.update(("decision", name) for name in sides(row))
        elif row.action in ("entrant.drop", "entrant.disqualification") and row.subject not in absent:
            themselves = row.actor_id == world.player(row.subject).user_id
            kind = "notice" if themselves else "own-place"
            if not themselves:
                told[kind, row.subject] += 1
            lost = sides(forfeits[row.subject]) if row.subject in forfeits else ()
            told.update((kind, name) for name in {*lost, *against.get(row.subject, ())} - {row.subject})
        elif row.action == "result.take-back":
            told.update(told_of_taking_back(row, world))
        elif row.action in ("round.swap", "round.undo"):
            seated = after if row.action == "round.swap" else row.before or {}
            told.update(("pairings-changed", name) for pairing in seated["pairings"] for name in named(pairing))
    return told


async def delivered(world: World) -> tuple[Told, Told]:
    """Return who was told of something in the channel, and who in a direct message."""
    names = {actor.user_id: name for name, actor in world.players.items()}
    channel, direct = Told(), Told()
    for made in await world.announce():
        if made.row.kind in TOPICS:
            people = made.mention.people
            channel.update((made.row.kind, names[person]) for person in people)
            if made.row.target is Target.PERSON:
                direct[made.row.kind, names[made.row.person_id]] += 1
    return channel, direct


async def act(world: World, chance: random.Random) -> None:
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    match = chance.choice(view.matches) if view.matches else None
    if match is None:
        return
    says: Any = {"db": world.db, "now": world.now, "match": match.match.id}
    upper, lower = (world.player(side.name) for side in match.sides)
    lead: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    with suppress(LeagueError):
        match chance.randrange(10):
            case 0 | 1:
                await do(reporting.report, actor=upper, result="won", **says)
            case 2:
                await do(reporting.report, actor=lower, result="lost", **says)
            case 3:
                await do(reporting.confirm, actor=lower, **says)
            case 4:
                await do(reporting.dispute, actor=lower, reason="no", **says)
            case 5:
                kind: Any = {"outcome": Outcome.UPPER, "kind": chance.choice([Kind.ADJUDICATED, Kind.FORFEIT])}
                await do(decisions.decide, actor=MODERATOR, reason="seen", **kind, **says)
            case 6:
                await do(reporting.take_back, actor=chance.choice([upper, lower]), version=match.match.version, **says)
            case 7:
                await organise(lead, view, chance)
            case 8 if chance.randrange(4) == 0:
                await world.drop(match.upper.name)
            case _:
                if chance.randrange(4) == 0:
                    await world.sign_up(NAMES[len(world.players) % len(NAMES)])


async def organise(lead: Any, view: RoundView, chance: random.Random) -> None:
    """Swap two players, undo the round for another, or disqualify someone."""
    first, second = chance.sample([side.name for match in view.matches for side in match.sides], 2)
    match chance.randrange(8):
        case 0:
            await do(removing.disqualify, player=first, reason="cheated", **lead)
        case 1:
            await do(rounds_by_hand.undo, **lead)
            await do(rounds_by_hand.post, **lead)
        case _:
            await do(swapping.swap, first=first, second=second, **lead)


async def finish(world: World) -> None:
    for match in (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).missing[:1]:
        await world.db.write(
            decisions.decide,
            Order(actor=MODERATOR, now=world.now),
            match=match.match.id,
            outcome=Outcome.UPPER,
            reason="end",
        )


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1,))])
@pytest.mark.parametrize("format_", mostly_long(format_.key for format_ in ALL))
async def test_everyone_is_told_what_the_audit_says_they_had_to_be_told_and_nothing_more(
    world: World, format_: str, seed: int
) -> None:
    chance = random.Random(f"{seed}/{format_}")
    season_id = (await world.begin(8, format=format_)).season.id
    chosen = {name: chance.choice(list(How)) for name in NAMES[:8]}
    for name, how in chosen.items():
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        for topic in (Topic.QUESTION, Topic.ROUND, Topic.NEWS):
            kept = How.DIRECT if topic is Topic.QUESTION and how is How.OFF else how
            await do(notifying.choose, db=world.db, **who, topic=topic, how=kept)
    await world.announce()
    seen = {row.id for row in await world.audit()}
    total: Told = Counter()
    for step in range(120):
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            break
        against = against_who_may_leave(world, season_id)
        await (finish(world) if step > 80 else act(world, chance))
        if step % 8 == 7:
            await steps.tick(world.db, world.later(hours=25))
        rows = [row for row in await world.audit() if row.id not in seen]
        seen |= {row.id for row in rows}
        channel, direct = await delivered(world)
        expected = due(rows[::-1], world, against)
        for key in expected | channel | direct:
            how = chosen.get(key[1], How.MENTION)
            how = How.DIRECT if TOPICS[key[0]] is Topic.QUESTION and how is How.OFF else how
            told = {How.MENTION: (expected[key], 0), How.DIRECT: (0, expected[key]), How.OFF: (0, 0)}[how]
            assert (channel[key], direct[key]) == told, (step, key, how, [row.action for row in rows])
        total += expected
    assert {kind for kind, _ in total} >= {"question", "decision"}
