"""After everything that can happen, what a match or person holds of each feature is right: see meeting/table.py."""

from typing import Any

import pytest

from bot import steps
from bot.league.errors import LeagueError
from bot.services.base import post_kinds
from bot.services.base.post_kinds import PostKind
from cogs.ui.actions import ACTIONS
from cogs.wiring import COGS
from storage.query import column
from tests.files import look_into
from tests.services.conftest import Watched, World
from tests.services.meeting import laws
from tests.services.meeting.cells import AGAIN, GONE, KEPT, MOVED, NEVER
from tests.services.meeting.events import EVENTS
from tests.services.meeting.feature import Feature
from tests.services.meeting.features import FEATURES
from tests.services.meeting.scene import Moment, Scene, played_once, until_deadline
from tests.services.meeting.subjects import SUBJECTS
from tests.services.meeting.table import TABLE

pytestmark = [pytest.mark.together, pytest.mark.timeout(600)]
NOTHING_HELD = {
    "apart", "arrivals", "audit", "availability", "ban_keys", "bans", "calendar_entries", "decisions", "departures",
    "guilds", "leagues", "maps", "notify", "outbox", "past_meetings", "player_names", "players", "rounds", "seasons",
    "seats", "sqlite_sequence", "substitutes",
    "fingerprints", "met_before", "held_roles", "moved_seasons",
    "sealed_salts",
}  # fmt: skip
"""Tables in which nothing is open that someone waits for: people, seasons, pairings, and what the bot notes."""
OPEN_AGAIN = ("cleared", "taken back", "swapped", "bracket corrected elsewhere", "bracket corrected here")
"""What makes a match open again, or gives it other players."""
LATE = [
    "report",
    "problem asked",
    *(pytest.param(feature, marks=pytest.mark.long) for feature in ("dispute", "problem answered", "thread")),
]
QUICK = {
    ("report", "taken back"), ("report", "linked"), ("dispute", "linked"), ("problem asked", "cleared"),
    ("problem answered", "linked"), ("proposed time", "cancelled"), ("agreed time", "swapped"), ("thread", "swapped"),
    ("offered place", "reinstated"), ("check-in", "linked"), ("comeback asked", "forgotten"),
    ("comeback asked", "next round"), ("stay asked", "substituted"),
    ("moving up", "forgotten"),
    ("sit-out", "round undone"),
    ("answer for opponents", "substitute plays"),
    ("name in files", "forgotten"), ("merge", "next round"), ("thread", "merged"), ("report", "imported"),
    ("new account asked", "linked"), ("waiting list", "finished by itself"), ("join request", "forgotten"),
    ("claim", "forgotten"), ("correction asked", "bracket corrected here"),
    ("own deadline", "pause ended"), ("problem handed on", "finished by an organiser"),
    *(cell for subject in SUBJECTS for cell in subject.quick.items()),
}  # fmt: skip
"""One cell of each feature, which `make test` looks at."""
Held = tuple[list[tuple[Any, ...]], dict[int, tuple[int, ...]]]


async def held(scene: Scene, feature: Feature) -> Held:
    """Return what is open of a feature, and whom its messages have told or will tell."""
    return await scene.rows(feature.open), await scene.asked(feature.kinds)


def became(before: Held, after: Held) -> str:
    """Return what became of something that was held."""
    if not after[0]:
        return GONE
    if before == after:
        return KEPT
    people = [{one for told in asked.values() for one in told} for _, asked in (before, after)]
    return AGAIN if people[0] == people[1] else MOVED


@pytest.mark.long
@pytest.mark.parametrize(("feature", "event"), sorted(QUICK))
async def test_what_is_held_is_right_afterwards_and_no_one_waits_for_nobody(
    world: World, feature: str, event: str
) -> None:
    scene = await FEATURES[feature].set_up(world, EVENTS[event].stage)
    await laws.require_only_told(scene)
    await require_cell(scene, feature, event, TABLE[feature][event], exactly=True)
    await laws.require_only_told(scene)


Hows = tuple[dict[str, bool], ...]
AT_ONCE: Hows = ({},)
OTHERWISE: Hows = ({"sent": False}, {"direct": True})
"""Not sent yet, and by direct message: by turns, so that each event and each feature meets both."""


@pytest.mark.long
@pytest.mark.parametrize("hows", [AT_ONCE, OTHERWISE], ids=["told at once", "told otherwise"])
@pytest.mark.parametrize("feature", FEATURES)
async def test_so_it_is_after_everything_that_can_happen_however_people_are_told(
    db: Watched, feature: str, hows: Hows
) -> None:
    """Each event happens to the same scene; all cells that are wrong are said at once."""
    moments: dict[tuple[str, int], Moment | LeagueError] = {}
    wrong: list[Exception] = []
    for number, event in enumerate(EVENTS, start=list(FEATURES).index(feature)):
        stage = EVENTS[event].stage if FEATURES[feature].alone is None else ""
        turn = number % len(hows)
        if (stage, turn) not in moments:
            moments[stage, turn] = await moment(db, FEATURES[feature], EVENTS[event].stage, **hows[turn])
        begun = moments[stage, turn]
        try:
            if isinstance(begun, LeagueError):
                require_never(TABLE[feature][event], begun)
            else:
                await require_cell(begun.again(db), feature, event, TABLE[feature][event], exactly=not hows[turn])
        except Exception as error:
            error.add_note(f"{feature}: {event}, {hows[turn]}")
            wrong.append(error)
    if wrong:
        raise ExceptionGroup(f"{len(wrong)} cells of {feature}", wrong)


async def moment(
    db: Watched, feature: Feature, stage: str, *, sent: bool = True, direct: bool = False
) -> Moment | LeagueError:
    """Return when someone holds something, or why it can't come about."""
    key = feature.alone or stage, repr(feature.settings), direct
    try:
        before = await played_once(key, lambda world: feature.before(world, stage, direct=direct))
        return Moment.of(await feature.held(before.again(db), sent=sent))
    except LeagueError as refused:
        return refused


async def require_cell(scene: Scene, feature: str, event: str, expected: str, *, exactly: bool) -> None:
    """Let something happen to what is held; fail unless what became of it is what was expected."""
    before, lines = await held(scene, FEATURES[feature]), len(await scene.rows("SELECT id FROM audit"))
    assert before[0], "nothing is held"
    try:
        await EVENTS[event].do(scene)
    except LeagueError as refused:
        require_never(expected, refused)
        return
    await scene.announce()
    assert len(await scene.rows("SELECT id FROM audit")) > lines, "no line in the audit log"
    found = became(before, await held(scene, FEATURES[feature]))
    assert not expected.startswith(NEVER), found
    assert (found if exactly else found == GONE) == (expected if exactly else expected == GONE)
    await require_laws(scene, FEATURES[feature], found)


def require_never(expected: str, refused: LeagueError) -> None:
    assert expected.startswith(NEVER), refused
    assert expected.removeprefix(NEVER) in str(refused)


async def require_laws(scene: Scene, feature: Feature, found: str) -> None:
    if found == GONE:
        await laws.require_tidied(scene, feature.kinds)
    await laws.require_patient(scene)
    await laws.press_all(scene)
    await laws.require_sound(scene)


@pytest.mark.long
@pytest.mark.parametrize("feature", LATE)
@pytest.mark.parametrize("event", OPEN_AGAIN)
async def test_a_match_that_is_open_again_at_its_deadline_is_not_lost_right_away(
    world: World, feature: str, event: str
) -> None:
    scene = await FEATURES[feature].set_up(world, EVENTS[event].stage, late=True)
    await until_deadline(scene, seconds=20)
    await steps.tick(world.db, world.now)
    await scene.announce()
    before = await scene.rows(OPEN)
    try:
        await EVENTS[event].do(scene)
    except LeagueError:
        assert TABLE[feature][event].startswith(NEVER)
        return
    await scene.announce()
    again = [row[0] for row in await scene.rows(OPEN) if row not in before]
    assert again or TABLE[feature][event] == AGAIN, "the match isn't open again"
    if again:
        await laws.require_patient(scene, *again)


OPEN = (
    "SELECT m.id, m.upper_id, m.lower_id, m.version FROM matches m"
    " JOIN rounds r ON r.id = m.round_id AND r.phase = 'open'"
    " WHERE m.state = 'open' AND NOT EXISTS (SELECT 1 FROM problems p WHERE p.match_id = m.id AND p.ended_at IS NULL)"
)


def test_every_cell_is_decided() -> None:
    """A new feature, or something new that can happen, fails here until it is known what they do to each other."""
    assert {(feature, event) for feature, row in TABLE.items() for event in row} == {
        (feature, event) for feature in FEATURES for event in EVENTS
    }
    assert {feature for feature, _ in QUICK} == set(FEATURES)


async def test_every_table_every_message_and_every_button_has_its_place(world: World) -> None:
    with look_into(world.db) as conn:
        tables = set(column(conn, "SELECT name FROM sqlite_master WHERE type = 'table'"))
    mine = set[str]().union(*(feature.tables for feature in FEATURES.values()))
    assert (tables - mine, mine - tables) == (NOTHING_HELD, set())
    asking = set[PostKind]().union(*(feature.kinds for feature in FEATURES.values()))
    assert (set(post_kinds.every()) - asking, asking & laws.TELLS) == (laws.TELLS, set())
    assert set(laws.PRESSES) <= asking
    assert COGS, "every button is declared once all cogs are there"
    assert sorted(ACTIONS) == sorted([*laws.SHOWS, *laws.ANSWERS])
