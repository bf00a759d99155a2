"""Files to take along: a season as CSV, workbook and calendar, and a player's own calendar."""

import io
import zipfile

import icalendar
import pytest

from tests.cogs.conftest import World, text_of


async def attached(done: object) -> tuple[str, bytes]:
    (attachment,) = done.response.attachments  # type: ignore[attr-defined]
    return attachment.filename, await attachment.read()


@pytest.mark.parametrize(("kind", "ending"), [("csv", ".zip"), ("xlsx", ".xlsx"), ("calendar", ".ics")])
async def test_an_organiser_takes_a_season_along(world: World, kind: str, ending: str) -> None:
    await world.started(players=4)
    given = await world.organiser.slash(world.channel, "league export", **{"as": kind})
    assert given.ephemeral
    name, content = await attached(given)
    assert name.endswith(ending)
    if kind == "csv":
        names = [f"{name}.csv" for name in ("standings", "matches", "rounds", "people")]
        assert zipfile.ZipFile(io.BytesIO(content)).namelist() == names
        assert b"Ada" in zipfile.ZipFile(io.BytesIO(content)).read("people.csv")
    refused = await world.outsider.slash(world.channel, "league export", **{"as": kind})
    assert "organisers" in text_of(refused)


@pytest.mark.long
async def test_a_player_takes_their_own_deadlines_along(world: World) -> None:
    await world.started(players=4)
    ada = world.player("Ada")
    shown = await ada.slash(world.channel, "schedule")
    name, content = await attached(await ada.click(shown.response, label="Calendar file"))
    assert name == "fairpair.ics"
    (event,) = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert str(event["SUMMARY"]).startswith("Deadline: ")
    assert "Ada" in str(event["SUMMARY"])
    await world.agreed("season cancel", "Cancel the season", reason="the hall burned down")
    shown = await ada.slash(world.channel, "schedule")
    assert "no season running" in text_of(shown)
    _, content = await attached(await ada.click(shown.response, label="Calendar file"))
    (gone,) = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert (gone["UID"], gone["SEQUENCE"], gone["STATUS"]) == (event["UID"], 1, "CANCELLED")
    other = await world.outsider.slash(world.channel, "schedule")
    told = await world.outsider.click(other.response, label="Calendar file")
    assert "You have no match with a deadline" in text_of(told)
