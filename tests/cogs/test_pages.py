"""The league's pages as organisers switch them on, and as players hear of it."""

import io
import zipfile

import pytest

from tests.cogs.conftest import World, message_text, text_of

PUBLIC = "Results are public"


async def test_an_organiser_switches_the_pages_on_and_everyone_reads_that_results_are_public(world: World) -> None:
    await world.league()
    await world.season(players=4)
    assert PUBLIC not in message_text(world.post("Sign-ups are open"))
    refused = await world.outsider.slash(world.channel, "league settings", site="on")
    assert "organisers" in text_of(refused)
    done = await world.organiser.slash(world.channel, "league settings", site="on")
    assert "Pages: on" in text_of(done)
    assert PUBLIC in message_text(world.post("Sign-ups are open"))
    assert PUBLIC in text_of(await world.player("Ada").slash(world.channel, "rules"))
    again = await world.organiser.slash(world.channel, "league settings", site="on")
    assert "Pages: on" in text_of(again)
    off = await world.organiser.slash(world.channel, "league settings", site="off")
    assert "Pages: off" in text_of(off)
    assert PUBLIC not in message_text(world.post("Sign-ups are open"))
    assert PUBLIC not in text_of(await world.player("Ada").slash(world.channel, "rules"))


@pytest.mark.long
async def test_an_organiser_takes_the_pages_along(world: World) -> None:
    await world.started(players=4)
    given = await world.organiser.slash(world.channel, "league export", **{"as": "site"})
    assert given.ephemeral
    assert "open `index.html`" in text_of(given)
    assert given.response is not None
    (attachment,) = given.response.attachments
    assert attachment.filename == "fairpair-pages.zip"
    with zipfile.ZipFile(io.BytesIO(await attachment.read())) as packed:
        assert b"Ada" in packed.read("season-1/index.html")
    refused = await world.outsider.slash(world.channel, "league export", **{"as": "site"})
    assert "organisers" in text_of(refused)
