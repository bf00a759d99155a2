"""Random walks: people come, go, wait, substitute, change accounts and are forgotten; no one banned is ever let in."""

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot import steps
from bot.league.errors import LeagueError
from bot.services.base.accounts import Newcomer
from bot.services.base.order import Order
from bot.services.leagues import set_up
from bot.services.people import banning, forgetting, linking, rejoining, removing, renaming
from bot.services.people.banning import Member
from bot.services.people.linking import Account
from bot.services.seats import substitutes
from bot.services.signups import check_in, dropping, letting_in, signing_up
from storage.query import records
from storage.tables.people.players import LinkId
from tests.files import do, look_into, new_database
from tests.services.conftest import ADMIN, ORGANISER, Watched, World, person
from tests.services.people.test_banning import unban as unban_person

PEOPLE = range(5000, 5010)
STEPS = 40
LONG, PARTS = 80, 2
"""So many more are walked, in so many parts; `make soak` walks on."""

Inside = dict[int, set[tuple[str, int]]]
"""The places each account has: a seat that is played, or one on a waiting list."""


class Walk:
    """A league in which chance decides who does what, and what is known of who is banned until when."""

    def __init__(self, world: World, chance: random.Random) -> None:
        self.world, self.chance = world, chance
        self.banned: dict[int, datetime | None] = {}
        self.names = count(1)

    def there(self, account: int | None = None) -> dict[str, Any]:
        actor = ORGANISER if account is None else person(account, f"Person {account}")
        return {"db": self.world.db, "actor": actor, "now": self.world.now, "league_id": self.world.league_id}

    def account(self) -> int:
        return self.chance.choice(PEOPLE)

    def rows(self, sql: str) -> list[Any]:
        with look_into(self.world.db) as conn:
            return [tuple(row) for row in records(conn, sql)]

    def name(self) -> str:
        names = self.rows("SELECT name FROM players ORDER BY id")
        return self.chance.choice(names)[0] if names else "nobody"

    def accounts_of(self, name: str) -> set[int]:
        """Return the accounts a player has now."""
        there = self.rows("SELECT name, discord_id FROM players WHERE discord_id IS NOT NULL")
        return {account for known, account in there if known == name}

    def inside(self) -> Inside:
        seats = (
            "SELECT p.discord_id, 'seat', e.id FROM entrants e JOIN seasons s ON s.id = e.season_id"
            " AND s.phase IN ('signup', 'running', 'finals') JOIN players p ON p.id = coalesce((SELECT b.player_id FROM"
            " substitutes b WHERE b.entrant_id = e.id ORDER BY b.round DESC LIMIT 1), e.player_id)"
            " WHERE NOT EXISTS (SELECT 1 FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL)"
            " UNION ALL SELECT p.discord_id, 'waits', w.id FROM waitlist w JOIN players p ON p.id = w.player_id"
        )
        found: Inside = {}
        for account, kind, place in self.rows(seats):
            if account is not None:
                found.setdefault(account, set()).add((kind, place))
        return found

    def is_banned(self, account: int) -> bool:
        until = self.banned.get(account, self.world.now)
        return until is None or until > self.world.now

    async def step(self) -> None:
        """Let something happen, and fail where someone banned has a place they didn't have before."""
        before, out = self.inside(), {account for account in PEOPLE if self.is_banned(account)}
        move = self.chance.choice(MOVES)
        with suppress(LeagueError):
            await move(self)
        for account, places in self.inside().items():
            if account in out and self.is_banned(account):
                assert places <= before.get(account, set()), f"{account} was let in by {move.__name__}"


async def sign_up(walk: Walk) -> None:
    account = walk.account()
    await do(signing_up.sign_up, **walk.there(account), display_name=f"Person {account}", agreed=99)


async def add(walk: Walk) -> None:
    account = walk.account()
    name = walk.chance.choice([None, walk.name()])
    await do(signing_up.add, **walk.there(), discord_id=account, display_name=f"Person {account}", name=name)


async def take_place(walk: Walk) -> None:
    sql = "SELECT w.id, p.discord_id FROM waitlist w JOIN players p ON p.id = w.player_id WHERE w.asked_at IS NOT NULL"
    for waiting_id, account in walk.rows(sql):
        await do(signing_up.take_place, **walk.there(account), waiting_id=waiting_id, agreed=99)


async def let_in(walk: Walk) -> None:
    for (request,) in walk.rows("SELECT id FROM join_requests WHERE answered_at IS NULL"):
        await do(letting_in.answer, **walk.there(), request_id=request, accept=True)


async def substitute(walk: Walk) -> None:
    account = walk.account()
    newcomer = Newcomer(discord_id=account, wanted=None, display_name=f"Person {account}", by_organiser=True)
    await do(substitutes.substitute, **walk.there(), old=walk.name(), newcomer=newcomer)


async def link(walk: Walk) -> None:
    name, account = walk.name(), walk.account()
    await do(linking.propose, **walk.there(), player=name, account=Account(discord_id=account, name="new"))


async def accept_link(walk: Walk) -> None:
    for link_id, account, name in walk.rows(
        "SELECT l.id, l.discord_id, p.name FROM links l JOIN players p ON p.id = l.player_id WHERE l.ended_at IS NULL"
    ):
        order = Order(actor=person(account, "new"), now=walk.world.now)
        await walk.world.db.write(linking.answer, order, link=LinkId(link_id), accept=True)
        assert not walk.is_banned(account), f"{account} became {name}"


async def drop(walk: Walk) -> None:
    await do(dropping.drop, **walk.there(walk.account()))


async def remove(walk: Walk) -> None:
    await do(removing.remove, **walk.there(), player=walk.name(), reason="x")


async def rejoin(walk: Walk) -> None:
    await do(rejoining.rejoin, **walk.there(walk.account()))


async def let_back(walk: Walk) -> None:
    for (request,) in walk.rows("SELECT id FROM rejoin_requests WHERE answered_at IS NULL"):
        await do(rejoining.answer_rejoin, **walk.there(), request_id=request, accept=True)


async def reinstate(walk: Walk) -> None:
    await do(rejoining.reinstate, **walk.there(), player=walk.name(), reason="x")


async def say_there(walk: Walk) -> None:
    await do(check_in.check_in, **walk.there(walk.account()))


async def forget(walk: Walk) -> None:
    await do(forgetting.forget, **walk.there(), player=walk.name())


async def rename(walk: Walk) -> None:
    await do(renaming.rename, **walk.there(), player=walk.name(), new_name=f"Name {next(walk.names)}", reason="x")


async def ban(walk: Walk) -> None:
    account, until = walk.account(), walk.chance.choice([None, walk.world.now + timedelta(days=2)])
    name = walk.chance.choice([None, walk.name()])
    who = Member(discord_id=account, name=f"Person {account}") if name is None else name
    meant = {account} if name is None else walk.accounts_of(name)
    said: dict[str, Any] = {"plays_out": walk.chance.random() < 0.5, "reason": "x"}
    await do(banning.ban, **walk.there(), player=who, until=until, **said)
    walk.banned.update(dict.fromkeys(meant, until))


async def unban(walk: Walk) -> None:
    account = walk.account()
    await unban_person(walk.world, Member(discord_id=account, name="x"))
    walk.banned.pop(account, None)


async def wait(walk: Walk) -> None:
    walk.world.later(hours=walk.chance.choice([1, 13, 25, 60]))
    await steps.tick(walk.world.db, walk.world.now)


async def start(walk: Walk) -> None:
    await walk.world.start()


async def play(walk: Walk) -> None:
    await walk.world.play_round()


async def next_season(walk: Walk) -> None:
    await begin(walk.world, walk.chance)


MOVES: list[Callable[[Walk], Awaitable[None]]] = [
    *[sign_up] * 8, *[add] * 2, *[take_place] * 2, *[let_in] * 2, *[substitute] * 2, link, *[accept_link] * 2,
    *[drop] * 2, remove,
    *[rejoin] * 2, *[let_back] * 2, *[reinstate] * 2, say_there, forget, rename, *[ban] * 4, unban, *[wait] * 2,
    *[start] * 2, *[play] * 2, next_season,
]  # fmt: skip


async def begin(world: World, chance: random.Random) -> None:
    settings = {
        "max_players": chance.choice([None, 4, 6]),
        "rejoin": chance.choice(["free", "ask"]),
        "late_entry": 3,
        "approval": chance.random() < 0.3,
        "check_in_hours": chance.choice([0, 24]),
    }
    closes = chance.choice([None, world.now + timedelta(hours=30)])
    await world.opened(format="ohs", settings=settings, signups_close=closes)


async def walk_once(folder: Path, seed: int) -> None:
    db = await Watched.open(await new_database(folder / f"{seed}.db"))
    try:
        chance = random.Random(seed)
        league = await do(
            set_up.create, db=db, actor=ADMIN, now=World.now, name="L", channel_id=5, organiser_role_id=904
        )
        walk = Walk(World(db=db, league=league), chance)
        await begin(walk.world, chance)
        for _ in range(STEPS):
            await walk.step()
    finally:
        await db.close()


@pytest.mark.parametrize("seed", range(5))
async def test_no_one_banned_is_let_in_by_any_door(tmp_path: Path, seed: int) -> None:
    await walk_once(tmp_path, seed)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
async def test_no_one_banned_is_let_in_in_many_walks(tmp_path: Path, part: int) -> None:
    for seed in range(part, LONG, PARTS):
        await walk_once(tmp_path, seed)
        (tmp_path / f"{seed}.db").unlink()
