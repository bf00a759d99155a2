"""Calendar files over time: whoever takes each one in has what is true, and nothing moves unless its sequence rose."""

import asyncio
import random
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest

from bot.exporters.calendar import Entry, to_ics
from bot.league.errors import LeagueError, NotFound
from bot.league.formats import ALL
from bot.league.match_day import typed_time
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.leagues import deletion, set_up
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import forgetting, merging
from bot.services.play import clearing
from bot.services.seasons import lifecycle, pausing
from bot.services.times import accepting, calendars, proposing
from storage.query import column
from tests.examples import mostly_long
from tests.files import do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import (
    ADMIN,
    CHANNEL,
    GUILD,
    NAMES,
    ORGANISER,
    ORGANISER_ROLE,
    Watched,
    World,
    new_world,
    person,
)
from tests.services.seats.test_seats import substitute

SOON, LATER = timedelta(days=2), timedelta(days=3)


def there(world: World, name: str = "", **more: Any) -> dict[str, Any]:
    actor = world.player(name) if name else ORGANISER
    return {"db": world.db, "actor": actor, "now": world.now, "league_id": world.league_id, **more}


async def own(world: World, name: str) -> dict[str, Entry]:
    """Hand out a player's file."""
    _, entries = await do(calendars.own, **there(world, name))
    return {entry.uid.split(".")[0]: entry for entry in entries}


async def of_season(world: World, **more: Any) -> dict[str, Entry]:
    """Hand out the organisers' file."""
    _, entries = await do(calendars.of_season, **there(world), **more)
    return {entry.uid.split(".")[0]: entry for entry in entries}


async def meet(world: World, name: str, start: datetime) -> tuple[str, str]:
    """Let a player and their opponent agree on a time; returns the opponent and how the match is called in files."""
    view = await world.match_of(name)
    assert view is not None
    side = next(one for one in view.sides if one.name == name)
    other = view.opponent_of(side)
    here: Any = {"db": world.db, "now": world.now, "match": view.match.id}
    me, they = (world.player(one.person or one.name) for one in (side, other))
    done = await do(proposing.propose, **here, actor=me, chosen=[start])
    assert done.agreed_at in (None, start)
    if done.agreed_at is None:
        with look_into(world.db) as conn:
            sql = "SELECT id FROM time_proposals WHERE match_id = ? AND answered_at IS NULL AND entrant_id = ?"
            (row,) = column(conn, sql, view.match.id, side.id)
        await do(accepting.accept, **here, actor=they, proposal=row, start=start)
    return other.name, f"match-{view.match.id}"


def told(entry: Entry) -> tuple[datetime, bool]:
    return entry.start, entry.cancelled


async def test_a_moved_match_keeps_its_uid_and_raises_its_sequence_once(world: World) -> None:
    await world.begin(4)
    first, second = world.now + SOON, world.now + LATER
    other, match = await meet(world, "dok", first)
    before = await own(world, "dok")
    assert told(before[match]) == (first, False)
    assert await own(world, "dok") == before == await own(world, "dok")
    await meet(world, "dok", second)
    assert told((await of_season(world))[match]) == (second, False)
    assert told((await own(world, "dok"))[match]) == told((await own(world, other))[match]) == (second, False)
    moved = await own(world, "dok")
    assert moved[match].sequence == before[match].sequence + 1
    world.later(hours=1)
    assert told((await own(world, "dok"))[match]) == (second, False)


@pytest.mark.long
async def test_no_file_after_a_restore_has_a_lower_sequence_than_one_before_it(world: World, tmp_path: Path) -> None:
    await world.begin(4)
    _, match = await meet(world, "dok", world.now + SOON)
    said = await own(world, "dok")
    backup = tmp_path / "backup.db"
    with sqlite3.connect(world.db.path) as live, sqlite3.connect(backup) as copy:
        live.backup(copy)
    for start in (LATER, SOON, LATER):
        await meet(world, "dok", world.now + start)
        said = await own(world, "dok")
        world.later(minutes=1)
    db = await Watched.open(backup)  # copied by hand: nothing says that it is an older one
    try:
        restored = replace(world, db=db)
        for wait in (0, 60):
            restored.later(seconds=wait)
            again = await own(restored, "dok")
            assert all(again[uid].sequence >= entry.sequence for uid, entry in said.items())
            assert (again[match].sequence, again[match].start) > (said[match].sequence, said[match].start)
    finally:
        await db.close()


async def test_what_a_round_that_is_taken_back_leaves_behind_is_called_off_until_its_time_has_passed(
    world: World,
) -> None:
    await world.begin(4)
    start = world.now + SOON
    _, match = await meet(world, "dok", start)
    before, season = await own(world, "dok"), await of_season(world)
    deadline = match.replace("match", "deadline")
    assert set(before) == {match, deadline}
    await do(rounds_by_hand.undo, **there(world))
    world.later(hours=1)
    after = await own(world, "dok")
    assert {uid: told(after[uid]) for uid in before} == {uid: (before[uid].start, True) for uid in (match, deadline)}
    assert {entry.summary for uid, entry in after.items() if uid in before} == {
        "Match called off (Online HeroScape)",
        "Deadline called off (Online HeroScape)",
    }
    organisers = await of_season(world)
    assert {uid for uid, entry in organisers.items() if entry.cancelled} == set(season)
    assert await own(world, "dok") == after
    world.later(days=2)
    assert match not in await own(world, "dok")


@pytest.mark.long
async def test_who_only_accepted_and_is_swapped_out_has_it_called_off_and_no_one_else_hears_of_it(
    world: World,
) -> None:
    await world.begin(8)
    other, match = await meet(world, "dok", world.now + SOON)
    await own(world, other)
    third = next(name for name in NAMES[:8] if name not in ("dok", other))
    await do(swapping.swap, **there(world), first=other, second=third)
    gone = (await own(world, other))[match]
    assert told(gone) == (world.now + SOON, True)
    assert match not in await own(world, third)
    assert match not in await own(world, "dok")  # who never had a file with it
    await do(swapping.swap, **there(world), first=other, second=third)
    await meet(world, other, world.now + SOON)
    assert told((await own(world, other))[match]) == (world.now + SOON, False)


async def test_a_result_ends_deadline_and_time_and_clearing_it_brings_them_back(world: World) -> None:
    await world.begin(4)
    _, match = await meet(world, "dok", world.now + SOON)
    deadline = match.replace("match", "deadline")
    await own(world, "dok")
    await world.lose("dok")
    ended = await own(world, "dok")
    assert [ended[uid].cancelled for uid in (match, deadline)] == [True, True]
    await do(clearing.clear, **there(world), match=int(match.split("-")[1]), reason="a slip")
    again = await own(world, "dok")
    assert [again[uid].cancelled for uid in (match, deadline)] == [False, False]


async def test_what_has_passed_stays_as_it_was_said(world: World) -> None:
    await world.begin(4)
    start = world.now + SOON
    _, match = await meet(world, "dok", start)
    await own(world, "dok")
    world.later(days=2, hours=1)
    await world.lose("dok")
    assert told((await own(world, "dok"))[match]) == (start, False)
    assert told((await of_season(world))[match]) == (start, False)


async def test_a_cancelled_season_calls_off_everything_ahead(world: World) -> None:
    await world.begin(4)
    await meet(world, "dok", world.now + SOON)
    before, season = await own(world, "dok"), await of_season(world)
    await do(lifecycle.cancel, **there(world))
    assert {uid for uid, entry in (await own(world, "dok")).items() if entry.cancelled} == set(before)
    assert {uid for uid, entry in (await of_season(world)).items() if entry.cancelled} == set(season)


@pytest.mark.long
async def test_a_finished_season_keeps_the_deadlines_of_its_rounds(world: World) -> None:
    await world.begin(8)
    ends: list[datetime] = []
    while (await world.status()).season.phase in (SeasonPhase.RUNNING, SeasonPhase.FINALS):
        view = await see(posted_round, **there(world))
        assert view.round.deadline is not None
        ends.append(view.round.deadline)
        world.now = view.round.deadline - timedelta(hours=1)
        await world.play_round()
        await world.announce()
        await world.move_up()
    found = await of_season(world)
    assert [told(entry) for entry in found.values()] == [(end, False) for end in ends[:-1]]  # the last was early
    world.later(days=1)
    found = await of_season(world, season_number=1)
    assert [entry.start for uid, entry in found.items() if uid.startswith("round")] == ends


async def test_a_match_with_more_time_has_its_own_deadline_in_the_organisers_file(world: World) -> None:
    await world.begin(4)
    view = await world.match_of("dok")
    assert view is not None
    await do(rounds_by_hand.extend, **there(world), days=2, match=view.match.id)
    assert (await of_season(world))[f"deadline-{view.match.id}"].start == (view.deadline or world.now) + timedelta(2)
    await do(rounds_by_hand.extend, **there(world), days=1)
    assert f"deadline-{view.match.id}" in await of_season(world)


async def test_what_only_a_players_file_said_is_called_off_in_no_other(world: World) -> None:
    await world.begin(4)
    assert await own(world, "dok")
    assert not [entry for entry in (await of_season(world)).values() if entry.cancelled]


@pytest.mark.long
async def test_a_player_has_one_file_for_all_leagues_of_the_server(world: World) -> None:
    await world.begin(4)
    _, first = await meet(world, "dok", world.now + SOON)
    given: Any = {"name": "Online KeyForge", "channel_id": CHANNEL + 50, "organiser_role_id": ORGANISER_ROLE}
    league = await do(set_up.create, db=world.db, actor=ADMIN, now=world.now, **given)
    beside = World(db=world.db, league=league, now=world.now, players=world.players)
    await beside.begin(4)
    _, second = await meet(beside, "dok", world.now + LATER)
    name, entries = await do(calendars.own, **there(world, "dok"))
    assert name == "Online HeroScape and 1 more"
    assert {entry.uid.split(".")[0] for entry in entries if entry.uid.startswith("match")} == {first, second}
    assert len({entry.uid.split(".")[1] for entry in entries}) == 2
    assert (await do(calendars.own, **there(beside, "dok")))[1] == entries
    with pytest.raises(NotFound, match="on this server"):
        await do(
            calendars.own, **there(world, actor=person(world.player("dok").user_id or 0, "dok", guild_id=GUILD + 1))
        )


async def test_two_presses_at_once_say_the_same(world: World) -> None:
    await world.begin(4)
    await meet(world, "dok", world.now + SOON)
    files = await asyncio.gather(*(do(calendars.own, **there(world, "dok")) for _ in range(4)))
    assert all(file == files[0] for file in files)
    with look_into(world.db) as conn:
        assert column(conn, "SELECT count(*) FROM calendar_entries") == (2,)


async def kept(world: World, player: str = "") -> int:
    """How many entries of a player's files are known, or of all files."""
    with look_into(world.db) as conn:
        sql = (
            "SELECT count(*) FROM calendar_entries c LEFT JOIN players p ON p.id = c.player_id WHERE ? IN (p.name, '')"
        )
        return column(conn, sql, player)[0]


@pytest.mark.long
async def test_what_a_file_said_is_forgotten_with_the_person_and_called_off_for_the_other(world: World) -> None:
    await world.begin(4)
    other, match = await meet(world, "dok", world.now + SOON)
    for name in ("dok", other):
        await own(world, name)
    assert await kept(world, "dok") == 2
    await do(forgetting.forget, **there(world), player="dok")
    assert (await kept(world), await kept(world, other)) == (2, 2)
    gone = (await own(world, other))[match]
    assert gone.cancelled
    assert "dok" not in gone.summary


async def test_what_a_file_said_goes_along_with_a_merge_and_back_again(world: World) -> None:
    await world.begin(4)
    await own(world, "dok")
    await do(lifecycle.cancel, **there(world))
    await world.create("ohs")
    await world.sign_up("Dok Two")
    await do(lifecycle.cancel, **there(world))
    with look_into(world.db) as conn:
        before = column(conn, "SELECT json_array(uid, player_id) FROM calendar_entries ORDER BY id")
    done = await do(merging.merge, **there(world), player="dok", into="Dok Two", reason="one person")
    assert (await kept(world, "dok"), await kept(world, "Dok Two")) == (0, 1)
    await do(merging.take_back, **there(world), merge=done.id)
    with look_into(world.db) as conn:
        assert column(conn, "SELECT json_array(uid, player_id) FROM calendar_entries ORDER BY id") == before


async def test_a_league_is_deleted_with_what_its_files_said(world: World) -> None:
    await world.begin(4)
    await own(world, "dok")
    await of_season(world)
    await do(lifecycle.cancel, **there(world))
    await do(deletion.delete, **there(world))
    assert await kept(world) == 0


@pytest.mark.parametrize(
    ("zone", "typed", "offset"),
    [
        ("Europe/Berlin", "2027-03-28 01:30", 1),
        ("Europe/Berlin", "2027-03-28 03:30", 2),
        ("Europe/Berlin", "2027-10-31 01:30", 2),
        ("Europe/Berlin", "2027-10-31 03:30", 1),
        ("America/New_York", "2027-03-14 01:30", -5),
        ("America/New_York", "2027-03-14 03:30", -4),
        ("America/New_York", "2027-11-07 00:30", -4),
        ("America/New_York", "2027-11-07 03:30", -5),
        ("Australia/Lord_Howe", "2027-04-04 04:00", 10.5),
        ("Australia/Lord_Howe", "2027-10-03 04:00", 11),
    ],
)
async def test_a_time_agreed_on_around_a_change_of_clocks_is_that_time_in_everyones_calendar(
    world: World, zone: str, typed: str, offset: float
) -> None:
    here = ZoneInfo(zone)
    wall = datetime.fromisoformat(typed)
    world.now = (wall - timedelta(days=2)).replace(tzinfo=UTC)
    await world.begin(4)
    read = typed_time.read(typed, now=world.now, zone=here)
    (start,) = read.moments
    await meet(world, "dok", start)
    name, entries = await do(calendars.own, **there(world, "dok"))
    found = {str(one["UID"])[:5]: one for one in events(name, entries, world.now)}
    event = found["match"]
    assert event.start.astimezone(here).replace(tzinfo=None) == wall
    assert event.start.astimezone(here).utcoffset() == timedelta(hours=offset)
    assert event.end - event.start == calendars.A_MATCH
    view = await world.match_of("dok")
    assert view is not None
    assert found["deadl"].start == view.deadline


def events(name: str, entries: Any, now: datetime) -> list[Any]:
    return list(icalendar.Calendar.from_ical(to_ics(name, entries, now)).walk("VEVENT"))


@dataclass
class App:
    """A calendar on someone's phone: it takes in what isn't older than what it has."""

    events: dict[str, Any] = field(default_factory=dict[str, Any])

    def take_in(self, found: list[Any]) -> None:
        for event in found:
            old = self.events.get(event["UID"])
            if old is not None:
                assert event["SEQUENCE"] >= old["SEQUENCE"], "an older entry in a newer file"
                same = (event.start, event["STATUS"]) == (old.start, old["STATUS"])
                assert same or event["SEQUENCE"] > old["SEQUENCE"], "it moved, and the calendar isn't told"
            self.events[event["UID"]] = event

    def ahead(self, now: datetime) -> set[tuple[str, datetime, str]]:
        """Return what it shows of the time to come."""
        return {
            (str(uid).split("-")[0], event.start, str(event["SUMMARY"]))
            for uid, event in self.events.items()
            if event.start > now and event["STATUS"] == "CONFIRMED"
        }


@dataclass
class Walk:
    """A season in which much moves, and people who now and then take a file, and lose some."""

    world: World
    dice: random.Random
    apps: dict[str, App] = field(default_factory=dict[str, App])
    said: dict[tuple[str, int], tuple[datetime, str]] = field(default_factory=dict[tuple[str, int], Any])

    async def step(self) -> None:
        """Let something happen; refusals are answers too."""
        world, dice = self.world, self.dice
        view = await see(posted_round, **there(world))
        sides = [side for match in view.matches for side in match.sides]
        if not sides:  # both who were to play for third place have left
            return
        name = dice.choice(sides).name
        first, second = (side.name for side in dice.sample(sides, 2))
        with suppress(LeagueError):
            match dice.randrange(12):
                case 0 | 1 | 2:
                    await meet(world, name, world.now + timedelta(hours=dice.randint(1, 100)))
                case 3 | 4:
                    await world.lose(name)
                case 5:
                    match = dice.choice(view.matches).match.id
                    await do(clearing.clear, **there(world), match=match, reason="a slip")
                case 6:
                    await do(swapping.swap, **there(world), first=first, second=second)
                case 7:
                    await do(rounds_by_hand.undo, **there(world))
                    await do(rounds_by_hand.preview, **there(world))
                    await do(rounds_by_hand.post, **there(world))
                case 8:
                    one = dice.choice([None, dice.choice(view.matches).match.id])
                    await do(rounds_by_hand.extend, **there(world), days=dice.randint(1, 3), match=one)
                case 9:
                    await do(pausing.pause, **there(world), until=world.now + timedelta(hours=dice.randint(1, 60)))
                    world.later(hours=1)
                    await do(pausing.end, **there(world))
                case 10:
                    await substitute(world, name, dice.choice(("Uma", "Vic", "Wes")))
                case _:
                    await world.drop(name, agreed=None)
        world.later(hours=dice.choice((0, 0, 1, 20)))

    async def take_file(self, who: str) -> None:
        """Hand someone their file; it may be lost, and what is in it is true and said alike in every file."""
        world, app = self.world, self.apps.setdefault(who, App())
        use_case = calendars.own if who else calendars.of_season
        try:
            name, entries = await do(use_case, **there(world, who))
        except NotFound:
            name, entries = "", ()
        found = events(name, entries, world.now)
        for event in found:
            key, told_ = (str(event["UID"]), int(event["SEQUENCE"])), (event.start, str(event["STATUS"]))
            assert self.said.setdefault(key, told_) == told_, "one sequence, two meanings"
        if self.dice.random() < 0.3:
            return
        app.take_in(found)
        assert app.ahead(world.now) == await self.truth(who) | await self.to_come(who)

    async def to_come(self, who: str) -> set[tuple[str, datetime, str]]:
        """Return the deadlines of rounds that are known but not posted: all, or the matches someone will sit in."""
        league, known = f"({self.world.league.name})", self.world.player(who).user_id if who else None
        found: set[tuple[str, datetime, str]] = set()
        for planned in (await self.world.status()).calendar:
            if planned.phase is not None or planned.until is None:
                continue
            if not who:
                found.add(("round", planned.until, f"Deadline: {planned.words} {league}"))
                continue
            for sides in (pair for group in planned.groups for pair in group.pairs):
                if known in [side.discord_id for side in sides] and all(side.active for side in sides):
                    pairing = " v ".join(side.called for side in sides)
                    found.add(("deadline", planned.until, f"Deadline: {pairing} {league}"))
        return found

    async def truth(self, who: str) -> set[tuple[str, datetime, str]]:
        """Return what lies ahead of someone, of the organisers without a name."""
        world = self.world
        view = await see(posted_round, **there(world))
        league = f"({world.league.name})"
        known = world.player(who).user_id if who else None
        found: set[tuple[str, datetime, str]] = set()
        if not who and view.round.deadline is not None and view.round.phase is RoundPhase.OPEN:
            found.add(("round", view.round.deadline, f"Deadline: {view.round.words} {league}"))
        for one in view.matches:
            mine = not who or known in [side.discord_id for side in one.sides]
            deadline = one.deadline if who else one.match.deadline
            if mine and one.match.state is not MatchState.CONFIRMED and not one.stopped:
                if one.match.agreed_at is not None:
                    found.add(("match", one.match.agreed_at, f"{one.pairing} {league}"))
                if deadline is not None:
                    found.add(("deadline", deadline, f"Deadline: {one.pairing} {league}"))
        return {one for one in found if one[1] > world.now}


async def walk(world: World, seed: int, format_: str) -> None:
    dice = random.Random(seed)
    await world.begin(8, format_, advance="manual")
    walk_ = Walk(world, dice)
    for _ in range(30):
        if (await world.status()).season.phase not in (SeasonPhase.RUNNING, SeasonPhase.FINALS):
            break
        await walk_.step()
        for who in dice.sample(["", *NAMES[:8], "Uma", "Vic"], 3):
            await walk_.take_file(who)
        if dice.random() < 0.2:
            with suppress(LeagueError):
                await world.play_round()
                await do(rounds_by_hand.close, **there(world))
                await do(rounds_by_hand.post, **there(world))
    with suppress(LeagueError):
        await do(lifecycle.cancel, **there(world))
    for who in ("", *NAMES[:8]):
        await walk_.take_file(who)


@pytest.mark.long
@pytest.mark.parametrize("format_", mostly_long(format_.key for format_ in ALL))
async def test_whoever_takes_their_files_in_has_what_is_true(world: World, format_: str) -> None:
    await walk(world, 1, format_)


MANY = 2
"""How many more are walked in each format; `make soak` walks on."""


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("format_", [format_.key for format_ in ALL])
async def test_whoever_takes_their_files_in_has_what_is_true_over_many_walks(tmp_path: Path, format_: str) -> None:
    for seed in range(2, 2 + MANY):
        async with new_world(tmp_path / f"walk {seed}.db") as world:
            await walk(world, seed, format_)
