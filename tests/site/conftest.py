"""Pages of a league as tests read them."""

from html.parser import HTMLParser
from pathlib import PurePosixPath

import pytest

from bot.services.base.order import by_bot
from bot.services.reads.past import whole_league
from bot.site.pages import Pages, pages
from tests.services.conftest import World, db, kept, world

__all__ = ["db", "kept", "pages_of", "world"]


@pytest.fixture(autouse=True)
def same_pairs(plain_draw: None) -> None:
    """Pair the same players each time."""


async def pages_of(world: World) -> Pages:
    return pages(await world.db.read(whole_league.whole, by_bot(world.now, world.league_id)))


class Reader(HTMLParser):
    """Reads the tags and the text of a page."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def links(self) -> list[str]:
        """All addresses it names."""
        return [value for _, given in self.tags for key, value in given.items() if key in ("href", "src") and value]


def target(path: str, link: str) -> str:
    """Return the path a link on a page leads to."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / link.split("#")[0]).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
