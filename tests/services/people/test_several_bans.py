"""One person with several bans: they are banned at a moment if and only if any of the bans holds then."""

import asyncio
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot import steps
from bot.league.errors import Conflict, NotAllowed
from bot.services.base.order import Order
from bot.services.people import banning, forgetting, merging
from bot.services.seasons import lifecycle
from storage.tables.people import bans, players
from tests.examples import examples
from tests.files import look_into, new_database, see
from tests.services.conftest import ADMIN, Watched, World
from tests.services.meeting.scene import Scene, bring_people, played_once
from tests.services.people.test_banning import ban, listed, member, there, unban

NAMES = ("Main", "Smurf", "Other")
NAMELESS = "Paper"
"""A player without an account."""

EVER = datetime(9999, 1, 1, tzinfo=UTC)


async def people(world: World) -> Scene:
    """Let players be known who are in no season, three with an account."""
    await world.create()
    await world.sign_up(*NAMES)
    for name in NAMES:
        await world.drop(name)
    scene = Scene(world=world, stage="sign-ups")
    await bring_people(scene, NAMELESS)
    await world.db.write(lifecycle.cancel, Order(actor=ADMIN, now=world.now, league_id=world.league_id))
    return scene


async def merge(world: World, player: str, into: str) -> merging.Merged:
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    return await world.db.write(merging.merge, order, player=player, into=into, reason="one person")


async def test_a_ban_for_good_does_not_end_with_a_shorter_one_of_a_merged_name(world: World) -> None:
    await people(world)
    await ban(world, "Main")
    await ban(world, "Smurf", until=world.now + timedelta(days=3), reason="insults")
    done = await merge(world, "Smurf", "Main")
    assert await listed(world) == [("Main", "cheated")]
    world.later(days=4)
    await steps.tick(world.db, world.now)
    await world.create()
    for name in ("Main", "Smurf"):
        with pytest.raises(NotAllowed, match="You're banned from Online HeroScape for good"):
            await world.sign_up(name)
    assert "player.ban-end" not in {row.action for row in await world.audit()}
    await world.db.write(merging.take_back, Order(actor=ADMIN, now=world.now, league_id=world.league_id), merge=done.id)
    await steps.tick(world.db, world.now)
    await world.sign_up("Smurf")
    with pytest.raises(NotAllowed, match="for good"):
        await world.sign_up("Main")


async def test_both_of_two_bans_are_back_when_a_merge_is_taken_back(world: World) -> None:
    await people(world)
    first, last = world.now + timedelta(days=2), world.now + timedelta(days=9)
    await ban(world, "Main", until=first)
    await ban(world, "Smurf", until=last)
    done = await merge(world, "Smurf", "Main")
    world.later(days=3)
    await steps.tick(world.db, world.now)
    (told,) = await see(banning.listed, **there(world))
    assert told.until == last
    await world.db.write(merging.take_back, Order(actor=ADMIN, now=world.now, league_id=world.league_id), merge=done.id)
    await steps.tick(world.db, world.now)
    assert await listed(world) == [("Smurf", "cheated")]


async def test_the_account_of_a_merged_name_is_banned_with_the_person(world: World) -> None:
    await people(world)
    await merge(world, "Smurf", "Main")
    await ban(world, "Main")
    await world.create()
    with pytest.raises(NotAllowed, match="You're banned"):
        await world.sign_up("Smurf")
    assert await listed(world) == [("Main", "cheated")]
    await ban(world, member(world, "Smurf"), until=world.now + timedelta(days=1), reason="less")
    assert await listed(world) == [("Main", "less")], "the account is Main's, whose ban this replaces"
    await unban(world, member(world, "Smurf"))
    assert await listed(world) == []


async def test_a_person_banned_since_a_merge_is_let_in_before_it_is_taken_back(world: World) -> None:
    await people(world)
    done = await merge(world, "Smurf", "Main")
    await ban(world, "Main")
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    with pytest.raises(Conflict, match=r"Main was banned after the merge\. Let them in under /league settings"):
        await world.db.write(merging.take_back, order, merge=done.id)
    await unban(world, "Main")
    await world.db.write(merging.take_back, order, merge=done.id)


@dataclass
class Model:
    """What must be true: which names are a person, and the ends of the bans each of them brought."""

    into: dict[str, str] = field(default_factory=lambda: {name: name for name in (*NAMES, NAMELESS)})
    ends: dict[str, set[datetime]] = field(default_factory=dict[str, set[datetime]])
    merged: list[tuple[str, str, merging.Merged]] = field(default_factory=list[tuple[str, str, merging.Merged]])
    since: set[str] = field(default_factory=set[str])
    """Who was banned since the last merge."""
    forgotten: set[str] = field(default_factory=set[str])

    def all_of(self, name: str) -> list[str]:
        return [other for other, person in self.into.items() if person == self.into[name]]

    def of_person(self, name: str) -> set[datetime]:
        return {end for other in self.all_of(name) for end in self.ends.get(other, ())}

    def set_all(self, name: str, ends: set[datetime]) -> None:
        for other in self.all_of(name):
            self.ends[other] = set()
        self.ends[self.into[name]] = ends

    def tick(self, now: datetime) -> None:
        for name in self.into:
            if all(end <= now for end in self.of_person(name)):
                self.set_all(name, set())

    def is_banned(self, name: str, now: datetime) -> bool:
        return any(end > now for end in self.of_person(name))


ACTION = st.one_of(
    st.tuples(st.just("ban"), st.sampled_from((*NAMES, NAMELESS)), st.sampled_from([1, 3, 9, None])),
    st.tuples(st.just("unban"), st.sampled_from((*NAMES, NAMELESS)), st.none()),
    st.tuples(st.just("merge"), st.sampled_from((*NAMES, NAMELESS)), st.sampled_from((*NAMES, NAMELESS))),
    st.tuples(st.just("take back"), st.none(), st.none()),
    st.tuples(st.just("forget"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("restart"), st.none(), st.none()),
    st.tuples(st.sampled_from(["later", "tick"]), st.none(), st.sampled_from([-2, 1, 2, 4])),
)
Action = tuple[str, str | None, int | str | None]


@pytest.mark.long
@given(st.lists(ACTION, min_size=3, max_size=14))
@example([("ban", "Main", None), ("ban", "Smurf", 3), ("merge", "Smurf", "Main"), ("tick", None, 4)])
@example(
    [("ban", "Main", 1), ("ban", "Smurf", 9), ("merge", "Smurf", "Main"), ("tick", None, 2), ("forget", "Main", None)]
)
@example([("ban", "Main", 1), ("merge", "Smurf", "Main"), ("tick", None, 2), ("take back", None, None)])
@settings(max_examples=examples(150))
def test_a_person_is_banned_if_and_only_if_one_of_their_bans_holds(actions: list[Action]) -> None:
    asyncio.run(_walk(actions))


async def _walk(actions: list[Action]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        known = await played_once(people, people)
        db = await Watched.open(await new_database(Path(folder) / "league.db"))
        world, model = known.again(db).world, Model()
        try:
            for action in actions:
                world = await _act(world, model, action)
                await _compare(world, model, action)
        finally:
            await world.db.close()


async def _act(world: World, model: Model, action: Action) -> World:
    what, name, value = action
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    if name is not None and model.into[name] in model.forgotten:
        return world
    match what, name, value:
        case "ban", str(name), _:
            until = EVER if value is None else world.now + timedelta(days=int(value))
            if until not in {max(model.of_person(name), default=None)}:  # like that they're banned already
                await ban(world, model.into[name], until=None if value is None else until)
                model.set_all(name, {until})
                model.since.add(model.into[name])
        case "unban", str(name), _:
            if model.is_banned(name, world.now):
                await unban(world, model.into[name])
                model.set_all(name, set())
                model.since.discard(model.into[name])
        case "merge", str(name), str(other):
            if model.into[name] != model.into[other] and model.into[other] not in model.forgotten:
                gone, into = model.into[name], model.into[other]
                model.merged.append((gone, into, await merge(world, gone, into)))
                model.since.clear()
                for each in model.all_of(gone):
                    model.into[each] = into
        case "take back", _, _ if model.merged:
            gone, into, done = model.merged[-1]
            if into in model.forgotten or model.into[gone] in model.forgotten:
                return world
            if into in model.since:
                with pytest.raises(Conflict, match="was banned after the merge"):
                    await world.db.write(merging.take_back, order, merge=done.id)
                return world
            await world.db.write(merging.take_back, order, merge=done.id)
            model.merged.pop()
            # All that was one with the name that went is so again.
            earlier = {into_: {gone_} for gone_, into_, _ in model.merged if into_ == gone}
            for each in (gone, *earlier.get(gone, ())):
                model.into[each] = gone
        case "forget", str(name), _:
            person = model.into[name]
            await world.db.write(forgetting.forget, order, player=person)
            model.forgotten.add(person)
            model.set_all(name, {max(model.of_person(name))} if model.of_person(name) else set())
        case "restart", _, _:
            await world.db.close()
            world = World(
                db=await Watched.open(world.db.path), league=world.league, now=world.now, players=world.players
            )
        case (("later" | "tick"), _, int(days)):
            world.later(days=days)
            if what == "tick":
                await steps.tick(world.db, world.now)
                model.tick(world.now)
        case _:
            pass
    return world


async def _compare(world: World, model: Model, action: Action) -> None:
    with look_into(world.db) as conn:
        for name in model.into:
            account = None if name == NAMELESS else member(world, name).discord_id
            player = None if account is None else players.by_discord(conn, world.league_id, account)
            if account is None:
                known = players.by_name(conn, world.league_id, name)
                player = known
            row = bans.holding(
                conn,
                world.league_id,
                account=account,
                player_id=None if player is None else player.id,
                now=world.now,
            )
            if player is None and account is None:
                continue  # a name of paper that went with its person
            ends = [end for end in model.of_person(name) if end > world.now]
            assert (row is not None) == bool(ends), (action, name)
            if row is not None:
                assert (row.until or EVER) == max(ends), (action, name)
    told = await see(banning.listed, **there(world))
    expected = {model.into[name] for name in model.into if model.is_banned(name, world.now)} - model.forgotten
    assert sorted(str(one.name) for one in told if one.name is not None) == sorted(expected)
