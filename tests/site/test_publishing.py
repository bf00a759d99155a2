"""Publishing: only leagues that have pages, from the program, as a zip, and whenever something changed."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from bot import publishing, steps
from bot.__main__ import main
from bot.league.errors import NotAllowed
from bot.league.summaries.outlook.prospects import Verdict
from bot.services.base.order import Order, by_bot
from bot.services.leagues import set_up
from bot.services.people import forgetting, renaming
from bot.services.reads import tables
from bot.settings import Settings
from bot.site import folder
from bot.site.pages import pages
from bot.worker import Worker
from cogs.runtime.publisher import Publisher
from storage.database import Database
from tests.files import do, see
from tests.services.conftest import ORGANISER, STRANGER, World
from tests.site.conftest import pages_of


class Here:
    """A bot that only publishes."""

    def __init__(self, world: World, site: Path, database: Database | None = None) -> None:
        self.settings = Settings(site=site)
        self.database, self.publisher, self._world = database or world.db, Worker(), world

    def now(self) -> Any:
        return self._world.now

    async def sleep(self, _: float) -> None:
        raise AssertionError("nothing rests here")


class Stopped(BaseException):
    """The machine stops here."""


def stopping(work: Callable[..., Any], where: Callable[[Path], bool]) -> Callable[..., Any]:
    """Return a function that stops where its path is the one."""

    def instead(path: Path, *given: Any) -> Any:
        if where(path):
            raise Stopped
        return work(path, *given)

    return instead


def read(path: Path) -> bytes:
    return path.read_bytes()


def overwrite(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def files_with(root: Path, content: bytes) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file() and content in path.read_bytes()]


def names_in(root: Path) -> list[str]:
    return sorted(path.name for path in root.iterdir())


async def switch(world: World, *, on: bool) -> None:
    await do(set_up.change, **there(world), changes={"site": on})


async def played_with_pages(world: World, folder_: Path) -> Path:
    """Play a season of a league that has pages, and return where they are to be written."""
    await world.begin(8)
    await world.play_out()
    await switch(world, on=True)
    return folder_ / "site"


def there(world: World) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}


@pytest.mark.long
async def test_the_bot_writes_pages_once_something_changed_and_deletes_those_switched_off(
    world: World, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    bot = Here(world, site)
    publisher = Publisher(cast(Any, bot))
    try:
        await world.begin(8)
        await publisher.look()
        assert names_in(site) == [folder.WRITTEN]
        await switch(world, on=True)
        await publisher.look()
        front = site / str(world.league_id) / "index.html"
        first = front.stat().st_mtime_ns
        await publisher.look()
        assert front.stat().st_mtime_ns == first
        await world.play_round()
        await publisher.look()
        assert front.stat().st_mtime_ns == first, "it rests a while after writing"
        await do(forgetting.forget, **there(world), player="dok")
        await publisher.look()
        assert not [file for file in site.rglob("*.html") if b">dok<" in file.read_bytes()]
        assert folder.written(front.parent)["changed"] > 0
        await switch(world, on=False)
        await publisher.look()
        assert names_in(site) == [folder.WRITTEN]
    finally:
        await bot.publisher.close()


@pytest.mark.long
async def test_names_that_changed_are_on_the_next_pages(world: World) -> None:
    await world.begin(8)
    await world.play_out()
    await do(renaming.rename, **there(world), player="dok", new_name="Doktor", reason="as they asked")
    made = await pages_of(world)
    assert b"Doktor" in made["index.html"]
    assert all(b"as they asked" not in content for content in made.values())


@pytest.mark.long
async def test_who_is_sure_of_the_finals_or_out_of_them_is_marked_as_on_discord(world: World) -> None:
    await world.begin(8, cut=2, rounds=4)
    for _ in range(3):
        await world.play_round()
    worker = Worker()
    try:
        order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
        facts = await publishing.facts_of(world.db, order, worker)
        shown = await see(tables.standings, **there(world))
        judged = await steps.with_verdicts(world.db, worker, shown)
    finally:
        await worker.close()
    verdicts = [row.verdict for row in facts.seasons[-1].table.rows]
    assert verdicts == [row.verdict for row in judged.rows]
    assert Verdict.OUT in verdicts
    assert "out: can’t reach them" in pages(facts)["index.html"].decode()


@pytest.mark.long
async def test_the_zip_holds_every_page_and_only_organisers_get_it(world: World) -> None:
    await world.begin(8)
    worker = Worker()
    try:
        order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
        made = await publishing.as_zip(world.db, order, worker)
        with zipfile.ZipFile(io.BytesIO(made.content)) as packed:
            named = set(packed.namelist())
        assert {"index.html", "calendar.ics", "season-1/fairpair.ics"} <= named
        assert named - {"calendar.ics", "season-1/fairpair.ics"} == (await pages_of(world)).keys()
        with pytest.raises(NotAllowed):
            await publishing.as_zip(world.db, Order(actor=STRANGER, now=world.now, league_id=world.league_id), worker)
    finally:
        await worker.close()


async def test_the_program_writes_only_leagues_that_have_pages(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio

    await world.begin(4)
    monkeypatch.setenv("DATABASE", str(world.db.path))
    site = str(tmp_path / "site")
    assert await asyncio.to_thread(main, ["site", site]) == 2
    assert "no league has pages" in capsys.readouterr().err
    assert await asyncio.to_thread(main, ["site", site, "--league", world.league.name]) == 2
    assert "has no pages" in capsys.readouterr().err
    await switch(world, on=True)
    (tmp_path / "file").write_text("no folder")
    assert await asyncio.to_thread(main, ["site", str(tmp_path / "file")]) == 2
    assert "can't be written" in capsys.readouterr().err
    assert await asyncio.to_thread(main, ["site", site, "--league", world.league.name]) == 0
    assert capsys.readouterr().out.strip() == f"{site}/{world.league_id}/index.html"
    assert (tmp_path / "site" / str(world.league_id) / "season-1" / "season.js").is_file()


@pytest.mark.long
async def test_pages_are_written_again_with_another_address_or_version(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = await played_with_pages(world, tmp_path)
    bot, pages_ = Here(world, site), site / str(world.league_id)
    try:
        await Publisher(cast(Any, bot)).look()
        assert b"og:url" not in read(pages_ / "index.html")
        bot.settings = Settings(site=site, site_url="https://league.example.org")
        await Publisher(cast(Any, bot)).look()
        assert b"og:url" in read(pages_ / "index.html")
        style = read(pages_ / "style.css")
        overwrite(pages_ / "style.css", b"of an older version")
        await Publisher(cast(Any, bot)).look()
        assert read(pages_ / "style.css") == b"of an older version"
        monkeypatch.setattr(folder, "version", lambda _: "9.9")
        await Publisher(cast(Any, bot)).look()
        assert read(pages_ / "style.css") == style
    finally:
        await bot.publisher.close()


@pytest.mark.long
@pytest.mark.parametrize("off", [False, True])
async def test_pages_that_were_put_aside_are_deleted_after_a_stop(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off: bool
) -> None:
    site = await played_with_pages(world, tmp_path)
    bot = Here(world, site)
    try:
        await Publisher(cast(Any, bot)).look()
        await do(forgetting.forget, **there(world), player="dok")
        facts = await publishing.facts_of(world.db, by_bot(world.now, world.league_id))
        with monkeypatch.context() as stop:
            if off:  # between the two new names
                stop.setattr(Path, "rename", stopping(Path.rename, lambda path: path.name == ".1.new"))
            else:  # before the old pages are deleted
                stop.setattr(folder, "_delete", stopping(folder._delete, lambda _: True))
            with pytest.raises(Stopped):
                folder.publish(facts, site, "")
        await switch(world, on=not off)
        await Publisher(cast(Any, bot)).look()
        assert files_with(site, b">dok<") == []
        assert names_in(site) == [folder.WRITTEN, *([] if off else ["1"])]
    finally:
        await bot.publisher.close()


@pytest.mark.long
async def test_a_folder_has_the_pages_of_one_bot(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site = await played_with_pages(world, tmp_path)
    other = await Database.open(tmp_path / "second.db")
    first, second = Here(world, site), Here(world, site, other)
    refused = Publisher(cast(Any, second))
    try:
        await Publisher(cast(Any, first)).look()
        await refused.look()
        await refused.look()
        assert names_in(site) == [folder.WRITTEN, "1"]
        (told,) = [record.getMessage() for record in caplog.records if "SITE" in record.getMessage()]
        assert told.endswith("give each bot a folder of its own")
    finally:
        await first.publisher.close()
        await second.publisher.close()
        await other.close()
