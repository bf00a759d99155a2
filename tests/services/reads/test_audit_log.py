"""Who did what: paged, found by person, kind, match and days, and as a table."""

import csv
import io
from typing import Any

import pytest

from bot.league.errors import Invalid, LeagueError, NotFound
from bot.services.base.order import Order
from bot.services.matches.outcome import Outcome
from bot.services.play import decisions
from bot.services.reads import audit_log
from bot.services.reads.audit_log import AuditPage, Filter
from tests.files import do, see
from tests.services.conftest import NAMES, ORGANISER, World


async def show(world: World, page: int = 1, **wanted: Any) -> AuditPage:
    asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    return await see(audit_log.show, db=world.db, **asked, wanted=Filter(**wanted), page=page)


async def found(world: World, **wanted: Any) -> list[tuple[str, str]]:
    return [(row.action, row.subject) for row in (await show(world, **wanted)).rows]


async def decided(world: World, reason: str) -> str:
    """Let an organiser decide dok's match, and return what it's called."""
    match = await world.match_of("dok")
    assert match is not None
    said: Any = {"actor": ORGANISER, "now": world.now, "match": match.match.id, "reason": reason}
    await do(decisions.decide, db=world.db, **said, outcome=Outcome.DOUBLE_LOSS)
    return match.label


async def test_the_audit_is_paged_newest_first(world: World) -> None:
    await world.create()
    await world.sign_up(*NAMES)
    first, last = await show(world), await show(world, page=99)
    assert (first.page, first.pages, len(first.rows)) == (1, 2, 10)
    assert (last.page, len(last.rows), last.rows[-1].action) == (2, 9, "league.create")
    assert [row.id for row in first.rows] == sorted((row.id for row in first.rows), reverse=True)


async def test_a_person_is_found_in_what_they_did_and_what_was_done_about_them(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    await world.lose(next(side.name for side in match.sides if side.name != "dok"))
    about = await found(world, person="dok")
    assert ("result.report", match.label) in about  # the other one reported
    assert ("entrant.sign_up", "dok") in about
    assert all("dok" in subject for _, subject in about)
    assert await found(world, person="nobody at all") == []


async def test_a_kind_of_change_is_found_by_its_words_or_their_beginning(world: World) -> None:
    await world.begin(4)
    await world.lose("dok")
    assert {action for action, _ in await found(world, action="result report")} == {"result.report"}
    assert {action for action, _ in await found(world, action="Result reported")} == {"result.report"}
    assert {action for action, _ in await found(world, action="entrant")} == {"entrant.sign_up"}
    assert "result reported" in await world.db.read(
        audit_log.actions, Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    )


async def test_a_match_and_the_last_days_are_found(world: World) -> None:
    await world.begin(4)
    await world.lose("dok")
    world.later(days=3)
    label = await decided(world, "both were late")
    assert await found(world, match=label, days=2) == [("result.set", label)]
    assert {subject for _, subject in await found(world, match="R1 M1")} == {label}
    assert len(await found(world, match=label)) == 2


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        ({"days": 0}, Invalid),
        ({"days": 10**9}, Invalid),
        ({"action": "teleport"}, NotFound),
        ({"match": "?"}, LeagueError),
    ],
)
async def test_a_filter_that_cannot_be_is_said(
    world: World, wanted: dict[str, Any], problem: type[LeagueError]
) -> None:
    await world.begin(4)
    with pytest.raises(problem):
        await show(world, **wanted)


async def test_the_table_holds_everything_found_and_no_formula(world: World) -> None:
    await world.begin(4)
    label = await decided(world, "=1+1")
    asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    made = await see(audit_log.export, db=world.db, **asked)
    head, newest, *older = csv.reader(io.StringIO(made.text.removeprefix("\ufeff")))
    assert head == ["time", "person", "discord_id", "action", "subject", "before", "after", "reason"]
    assert (newest[3], newest[4], newest[-1]) == ("result decided", label, "'=1+1")
    assert len(older) + 1 == len(await world.audit())
    some = await see(audit_log.export, db=world.db, **asked, wanted=Filter(action="result"))
    assert len(list(csv.reader(io.StringIO(some.text)))) == 2


async def test_the_end_of_a_round_is_noted(world: World) -> None:
    await world.begin(4)
    await world.play_round()
    assert [row.subject for row in await world.audit() if row.action == "round.close"] == ["round 1"]
