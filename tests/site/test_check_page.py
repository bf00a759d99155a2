"""Check the pairings: a season of a league's real pages, checked from a folder and from the bot's own server."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from aiohttp.test_utils import TestServer
from playwright.sync_api import Browser, Page, expect

from bot.hosting.serving import application
from bot.site.pages import Pages
from tests.practice.browser import opened, require_browser
from tests.services.conftest import World
from tests.site.conftest import pages_of

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.together, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def reader() -> Iterator[tuple[ThreadPoolExecutor, Browser]]:
    """A browser and the thread it is driven in: the loop of this one serves the pages."""
    require_browser()
    with ThreadPoolExecutor(1) as thread, ExitStack() as stack:
        yield thread, thread.submit(stack.enter_context, opened()).result()
        thread.submit(stack.close).result()


def written(pages: Pages, folder: Path) -> Path:
    for path, content in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def looked_at(browser: Browser, address: str, numbers: Sequence[int]) -> None:
    """Go from the season's page to the checker by the links of these rounds, as a reader does."""
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    for number in numbers:
        page.goto(f"{address}/season-1/index.html")
        page.locator("a.check").nth(number - 1).click()
        _checked(page, number)
    page.get_by_role("link", name="Back to the season").click()
    expect(page.get_by_role("heading", name="Season 1")).to_be_visible()
    assert [text for text in wrong if "favicon" not in text and "404" not in text] == []
    page.close()


def _checked(page: Page, number: int) -> None:
    expect(page.locator(".summary.good h2")).to_contain_text("as the rules say")
    expect(page.locator(f"#round-{number}")).to_have_attribute("aria-expanded", "true")
    expect(page.locator(f"#round-{number}-steps")).to_be_visible()


@pytest.mark.parametrize("format_", ["ohs", "single-elimination", "round-robin"])
async def test_each_round_of_a_season_is_checked_from_its_link(
    reader: tuple[ThreadPoolExecutor, Browser], world: World, tmp_path: Path, format_: str
) -> None:
    await world.begin(8, format_)
    await world.play_out()
    pages = await pages_of(world)
    rounds = pages["season-1/index.html"].count(b'class="check"')
    assert rounds >= 2
    folder = written(pages, tmp_path / "pages")
    thread, browser = reader
    look = asyncio.get_running_loop().run_in_executor
    await look(thread, looked_at, browser, folder.as_uri(), range(1, rounds + 1))
    async with TestServer(application(folder)) as server:
        await look(thread, looked_at, browser, f"http://127.0.0.1:{server.port}", (1, rounds))
