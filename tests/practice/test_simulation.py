"""The simulated guild: the same at every start, and alive by itself."""

import asyncio
import io
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
from aiohttp import ClientSession
from PIL import Image

from bot.practice.simulation import Apart, MakeBot, Simulation
from bot.practice.world import World
from bot.worker import Worker
from tests.practice.tiny_bot import TinyBot
from tests.practice.wide_bot import WideBot


@asynccontextmanager
async def running(make_bot: MakeBot = TinyBot) -> AsyncGenerator[Simulation]:
    simulation = Simulation(make_bot, port=0)
    async with simulation.running():
        yield simulation


def _ids(simulation: Simulation) -> list[int]:
    world, backend = simulation.world, simulation.env.backend
    everything = (world.guild, *world.channels, *world.people, world.moderator_role, world.organiser_role)
    return [backend.application_id, backend.bot_user.id, *(thing.id for thing in everything)]


def _posts(simulation: Simulation) -> list[tuple[str, str]]:
    channel = simulation.world.league
    return [(m.content, m.author.name) for m in channel.history()]


async def test_every_start_has_the_same_people_and_channels() -> None:
    async with running() as first:
        before = _ids(first)
    async with running() as second:
        assert _ids(second) == before
    assert len(set(before)) == len(before)


async def test_the_guild_has_an_organiser_a_moderator_eight_players_and_a_private_channel() -> None:
    async with running() as simulation:
        world = simulation.world
        permissions = {
            person.name: simulation.env.backend.compute_permissions(world.guild.id, person.id, world.moderators.id)
            for person in (*world.people, simulation.env.backend.bot_user)
        }
        seeing = {name for name, value in permissions.items() if value & 1 << 10}
        managing = {name for name, value in permissions.items() if value & 1 << 5}
        assert (seeing, managing) == ({"olivia", "marco", "Fairpair"}, {"olivia", "Fairpair"})
        assert len({person.name for person in world.players}) == 8


async def test_time_is_real_and_background_posts_appear_without_anybody_acting() -> None:
    async with running() as simulation:
        assert abs(simulation.now() - datetime.now(UTC)) < timedelta(seconds=5)
        before = simulation.now()
        for _ in range(400):
            if simulation.now() > before and ("minute 1", "Fairpair") in _posts(simulation):
                return
            await asyncio.sleep(0.05)
        pytest.fail("nothing happened by itself")


def secret_of(world: World) -> str:
    return f"A secret of <#{world.league.id}>"


@pytest.mark.long
async def test_a_moved_clock_is_so_far_ahead() -> None:
    async with running() as simulation, simulation.lock:
        await simulation.move(26)
        assert timedelta(hours=25, minutes=59) < simulation.now() - datetime.now(UTC) < timedelta(hours=26, minutes=2)


async def test_an_edit_notifies_nobody_and_a_role_everyone_who_has_it() -> None:
    async with running() as simulation, simulation.lock:
        world, backend = simulation.world, simulation.env.backend
        ada, role = world.players[0], world.moderator_role
        backend.guilds[world.guild.id].roles[role.id].mentionable = True
        for text in (ada.mention, role.mention, "nobody"):
            post = backend.create_message(world.league.id, backend.bot_user.id, text)
        backend.edit_message(world.league.id, post.id, {"content": ada.mention})
        league = next(c for c in simulation.preview.bar.facts()["channels"] if c["name"] == "league")
        told = [len(league["mentions"][str(person.id)]) for person in (ada, world.moderator, world.organiser)]
        assert told == [1, 1, 0]


class Page:
    """A browser's side of the page's protocol."""

    def __init__(self, session: ClientSession, simulation: Simulation) -> None:
        self._session = session
        self._headers = {"X-Simcord-Capability": simulation.preview.capability}
        self._url = simulation.preview.address.rstrip("/")
        self._sequence = 0
        self.state: dict[str, Any] = {}

    async def open(self) -> None:
        async with self._session.post(f"{self._url}/api/pages", headers=self._headers, json={}) as response:
            self.state = await response.json()
        self._headers["X-Simcord-Context"] = self.state["context"]["id"]

    async def act(self, kind: str, **body: Any) -> dict[str, Any]:
        context = self.state["context"]
        envelope = {
            "kind": kind,
            "protocol_version": 3,
            "sequence": self._sequence + 1,
            "request_id": f"r{self._sequence}",
            "generation": context["generation"],
            "bot_generation": self.state["botGeneration"],
            "published_revision": self.state["publishedRevision"],
        }
        async with self._session.post(
            f"{self._url}/api/action", headers=self._headers, json=envelope | body
        ) as response:
            receipt: dict[str, Any] = await response.json()
        self._sequence = receipt["expectedSequence"]
        await self.look()
        return receipt

    async def picture(self, asset: str) -> int:
        async with self._session.get(f"{self._url}/api/assets/{asset}", headers=self._headers) as response:
            return response.status

    async def look(self) -> None:
        async with self._session.get(f"{self._url}/api/state", headers=self._headers) as response:
            assert response.status == 200
            self.state = await response.json()

    @property
    def texts(self) -> list[str]:
        return [message["content"] for message in self.state["messages"].values()]


@asynccontextmanager
async def pages(simulation: Simulation, count: int = 1) -> AsyncGenerator[list[Page]]:
    async with ClientSession() as session:
        opened = [Page(session, simulation) for _ in range(count)]
        for channel in simulation.world.channels:
            async with simulation.lock:
                await simulation.world.organiser.send(channel, f"in {channel.name}")
        for page in opened:
            await page.open()
        yield opened


async def test_each_page_has_its_own_channel_and_person() -> None:
    async with running() as simulation, pages(simulation, 2) as (one, two):
        world = simulation.world
        await one.act("viewer", viewer_id=str(world.players[2].id))
        assert not (await one.act("focus", target_id=f"channel:{world.league.id}"))["rejected"]
        assert (await one.act("send_message", content="here"))["settlement"] == "settled"
        assert (await two.act("send_message", content="there"))["settlement"] == "settled"
        await one.look()
        assert ("here" in one.texts, "there" in one.texts) == (True, False)
        assert ("here" in two.texts, "there" in two.texts) == (False, True)
        assert one.state["viewerId"] == str(world.players[2].id)


async def test_a_player_sees_the_moderators_channel_neither_by_asking_nor_by_changing_place() -> None:
    async with running() as simulation, pages(simulation) as (page,):
        world = simulation.world
        await page.act("focus", target_id=f"channel:{world.moderators.id}")
        assert page.state["channel"]["name"] == "moderators"
        await page.act("viewer", viewer_id=str(world.players[0].id))
        assert (page.state["channel"]["name"], page.state["status"]) == ("league", "current")
        assert (await page.act("focus", target_id=f"channel:{world.moderators.id}"))["rejected"]
        assert page.state["channel"]["name"] == "league"


async def test_nobody_opens_the_direct_messages_of_another_person() -> None:
    async with running(WideBot) as simulation, pages(simulation) as (page,):
        ada, bruno = simulation.world.players[:2]
        async with simulation.lock:
            await ada.slash(simulation.world.league, "whisper")
        theirs = f"channel:{ada.user.dm_channel.id}"
        await page.act("viewer", viewer_id=str(bruno.id))
        assert (await page.act("focus", target_id=theirs))["rejected"]
        assert secret_of(simulation.world) not in page.texts
        await page.act("viewer", viewer_id=str(ada.id))
        assert not (await page.act("focus", target_id=theirs))["rejected"]
        assert page.texts == [secret_of(simulation.world)]
        await page.act("viewer", viewer_id=str(bruno.id))
        assert (page.state["channel"]["name"], secret_of(simulation.world) in page.texts) == ("league", False)


async def test_a_click_is_taken_although_the_guild_moved_on_meanwhile() -> None:
    async with running() as simulation, pages(simulation) as (page,):
        async with simulation.lock:
            await simulation.world.players[0].slash(simulation.world.welcome, "hello", word="beta")
            await simulation.preview.refresh()
        await page.look()
        key = next(k for k, m in page.state["messages"].items() if m["components"])
        async with simulation.lock:
            await simulation.world.players[0].send(simulation.world.welcome, "meanwhile")
            await simulation.preview.refresh()
        receipt = await page.act("click", target_id=key, control_key=f"message:{key}:component:0.components.0")
        assert (receipt["rejected"], page.state["modal"]["payload"]["title"]) == (False, "Why?")


class WritingBot(TinyBot):
    """Has a worker wait for a file at every interaction."""

    publisher: Worker
    path: Path
    wrote: asyncio.Event

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await self.publisher.run(wait_for, self.path, seconds=60)
        self.wrote.set()


def wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(0.05)


@pytest.mark.long
async def test_nobody_waits_while_a_worker_apart_computes(tmp_path: Path) -> None:
    simulation = Simulation(WritingBot, port=0)
    bot = simulation.env.bot
    assert isinstance(bot, WritingBot)
    bot.publisher, bot.path, bot.wrote = Apart(simulation.env), tmp_path / "written", asyncio.Event()
    async with simulation.running():
        async with simulation.lock:
            await simulation.world.players[0].slash(simulation.world.league, "hello", word="alpha")
            await simulation.env.advance_time(1)
        assert not bot.wrote.is_set()
        bot.path.touch()
        await bot.wrote.wait()
        await bot.publisher.close()


def painted(width: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, 10)).save(file, "PNG")
    return file.getvalue()


async def test_a_channel_with_the_pictures_of_38_groups_comes_up_whole() -> None:
    async with running() as simulation:
        world, backend = simulation.world, simulation.env.backend
        for number in range(1, 39):
            card = backend.store_attachments(world.welcome.id, [("card.png", painted(number))])
            backend.create_message(world.welcome.id, backend.bot_user.id, attachments=card)
        async with pages(simulation) as (page,):
            cards = [key for key, asset in page.state["assets"].items() if asset["filename"] == "card.png"]
            answers = await asyncio.gather(*map(page.picture, cards))
            assert answers == [200] * 38


async def test_what_happened_is_shown_even_if_it_cannot_be_told() -> None:
    async def fail() -> None:
        raise ValueError("can't be told")

    async with running() as simulation, pages(simulation) as (page,):
        simulation.on_change.append(fail)
        async with simulation.lock:
            await simulation.world.players[0].send(simulation.world.welcome, "something new")
        while not any("something new" in text for text in page.texts):
            await asyncio.sleep(0.05)
            await page.look()


async def test_a_refusal_explained_to_the_person_is_no_failure_of_the_page() -> None:
    async with running() as simulation, pages(simulation) as (page,):
        command = simulation.env.backend.find_command("fail", None)
        assert command is not None
        entries = simulation.preview._get_page(page.state["context"]["id"]).command_catalog["entries"]
        schema = next(entry["schemaFingerprint"] for entry in entries if entry["invocation"] == "fail")
        receipt = await page.act(
            "run_command", command_id=command["id"], path=["fail"], options={}, schema_fingerprint=schema
        )
        assert (receipt["settlement"], receipt["diagnostics"]) == ("settled", [])
        assert "no, because" in page.texts


async def test_nobody_can_end_the_server_from_its_page() -> None:
    async with running() as simulation, pages(simulation) as (page,):
        assert (await page.act("close"))["settlement"] == "settled"
        await page.look()


async def test_a_person_is_acted_for_while_shown_and_used() -> None:
    async with running() as simulation, pages(simulation) as (page,):
        world, preview = simulation.world, simulation.preview
        assert preview.acted_for() == {world.organiser.id}
        await page.act("viewer", viewer_id=str(world.players[0].id))
        assert preview.acted_for() == {world.players[0].id}
        preview._used[world.players[0].id] -= 61
        assert preview.acted_for() == frozenset()
        await page.act("send_message", content="back again")
        assert preview.acted_for() == {world.players[0].id}


async def test_the_page_carries_our_bar_and_answers_to_this_computer_only() -> None:
    async with running() as simulation, ClientSession() as session:
        address = simulation.preview.address
        async with session.get(address) as response:
            html = await response.text()
        assert all(part in html for part in ("<title>Fairpair practice</title>", "/practice.css", "/practice.js"))
        assert html.index("/practice.js") < html.index("/app.js")
        for path in ("practice.css", "practice.js", "practice.svg", "practice.json"):
            async with session.get(address + path) as response:
                assert response.status == 200
            async with session.get(address + path, headers={"Host": "elsewhere.example"}) as response:
                assert response.status == 403
