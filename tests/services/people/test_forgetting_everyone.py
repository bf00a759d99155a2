"""Forgetting a person in every role: nothing of theirs stays in any table, and everything of the others does.

One league in which everyone says and does all they can is made once; each test forgets another person of it.
"""

import asyncio
import re
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import LeagueError
from bot.league.season.phases import MatchState
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import exporting, set_up
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.people import banning, forgetting, linking, notifying, rejoining, renaming
from bot.services.people.banning import Member
from bot.services.people.linking import Account
from bot.services.play import decisions, reporting
from bot.services.problems import answering, disputed, on_server, telling
from bot.services.seats import sitting_out, substitutes
from bot.services.signups import signing_up
from bot.services.threads import thread_notes
from bot.services.times import calendars, own_zone, proposing
from storage.rows import Says
from storage.tables.people.memberships import Sought
from storage.tables.people.notify import How, Topic
from storage.tables.people.players import LinkId
from storage.tables.problems import ProblemKind
from tests.examples import mostly_long
from tests.files import do, draw_plainly
from tests.looked_up import posted_round
from tests.services.conftest import (
    BOT,
    CHANNEL,
    GUILD,
    MODERATION,
    MODERATOR_ROLE,
    ORGANISER,
    ORGANISER_ROLE,
    Watched,
    World,
    person,
)
from tests.services.lists import lists_said

SAID = (lists_said.LISTS,)
"""What subjects bring themselves that people say."""
PLAYERS = ("Annika", "Borislav", "Cyprian", "Desdemona", "Evangeline", "Florentine", "Gustavson", "Miriam")
SUBSTITUTE, COMING, OFFERED, WAITING = "Samantha", "Timotheus", "Wesley", "Yolanda"
FORMER = {"Annika": "Annelore", SUBSTITUTE: "Samira"}
EVERYONE = (*PLAYERS, SUBSTITUTE, COMING, OFFERED, WAITING)
FIRST_ID = 987_650_000_000_000_000
UNUSED = {
    "imported_seasons.digest", "imported_seasons.ratings", "imported_seasons.first_day", "imported_seasons.last_day",
    "aliases.name", "arrivals.source", "seasons.salt", "sealed_salts.commitment", "sealed_salts.secret",
    "players.next_name", "claims.called", "claims.answer", "imported_accounts.called",
    "seasons.bracket", "seasons.groups", "seasons.ladder", "seasons.ladder_of", "seasons.salt_kind",
    "maps.note", "maps.link", "maps.place", "maps.name", "threads.lost",
    "leagues.rules_text", "decisions.names", "ties.names", "ties.how", "stay_decisions.how", "outbox.problem",
    "rounds.by_hand",
    "matches.dice_off_why", "matches.dice_off_draws", "matches.played_on", "matches.name", "problems.how",
    "seats.why", "seats.draws",
    "seats.in_short",
    "takebacks.reports", "finals_places.how", "merges.moved", "merges.as_left", "held_roles.problem",
    *(column for subject in SAID for column in subject.unused),
}  # fmt: skip
"""Words of organisers and of the program, which stand in no story here; storage/test_traces knows each text."""


def account(name: str, *, former: bool = False) -> int:
    return FIRST_ID + EVERYONE.index(name) + (500 if former else 0)


def token(name: str) -> str:
    """Return a word that stands in everything someone says."""
    return f"QX{EVERYONE.index(name):02}WORDS"


def said(name: str, about: str) -> str:
    return f"{token(name)} about {about}"


@dataclass
class Story:
    """Play the league up to its second round."""

    world: World

    def who(self, name: str) -> dict[str, Any]:
        return {"actor": self.world.player(name), "now": self.world.now}

    def there(self, name: str) -> dict[str, Any]:
        return {**self.who(name), "league_id": self.world.league_id}

    @property
    def db(self) -> Watched:
        return self.world.db

    async def tell_of_themselves(self, name: str) -> None:
        await do(own_zone.say, db=self.db, **self.there(name), time_zone="Europe/Berlin", hours="mon 18-22")
        await do(notifying.choose, db=self.db, **self.there(name), topic=Topic.QUESTION, how=How.DIRECT)
        sought = Sought(guild_id=GUILD, discord_id=self.world.player(name).user_id or 0)
        await self.db.write(on_server.seen, sought, now=self.world.now, present=True)

    async def sign_up(self) -> None:
        world = self.world
        closes = world.now + timedelta(hours=48)
        settings = {
            "max_players": 8, "late_entry": 3, "check_in_hours": 24, "match_places": "private",
            "rejoin": "ask", "ask_name": "user name",
            **{key: value for subject in SAID for key, value in subject.settings.items()},
        }  # fmt: skip
        await world.opened(format="ohs", settings=settings, signups_close=closes)
        for name in (*PLAYERS, OFFERED, WAITING, SUBSTITUTE):
            world.players[name] = person(account(name), name)
            first = FORMER.get(name, name)
            answer = said(name, "a name")
            await do(signing_up.sign_up, db=self.db, **self.there(name), display_name=first, answer=answer)
            if first != name:
                asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "reason": None}
                await do(renaming.rename, db=self.db, **asked, player=first, new_name=name)
            await self.tell_of_themselves(name)
        await world.drop(SUBSTITUTE)  # from the waiting list
        world.later(hours=30)
        await steps.tick(self.db, world.now)
        await world.announce()
        await self.link("Florentine")

    async def link(self, name: str) -> None:
        """Let a player play from a new account from now on, and ask another to become Annika's."""
        new = person(account(name, former=True), name)
        for player, account_ in ((name, new.user_id), ("Annika", account("Annika", former=True))):
            given = Account(discord_id=account_ or 0, name=player)
            await do(linking.propose, db=self.db, **self.there(player), player=player, account=given)
        await self.db.write(linking.answer, Order(actor=new, now=self.world.now), link=LinkId(1), accept=True)
        self.world.players[name] = new

    async def play_first_round(self) -> None:
        world = self.world
        await world.start()
        await world.announce()
        await self.sit_out("Borislav", 3)
        for name in PLAYERS:
            await do(calendars.own, db=self.db, **self.there(name))
        for view in await self.matches():
            await self.all_in(view, end=True)
            await world.announce()
            if len([match for match in await self.matches() if match.match.state is not MatchState.CONFIRMED]) == 1:
                await self.substitute("Borislav", SUBSTITUTE)
                await self.substitute("Cyprian", COMING)
        await world.announce()

    async def sit_out(self, name: str, number: int) -> None:
        why = said(name, "a holiday")
        await do(sitting_out.sit_out, db=self.db, **self.there(name), number=number, reason=why)

    async def substitute(self, old: str, new: str) -> None:
        known = account(new) if new in EVERYONE else FIRST_ID + 900
        self.world.players[new] = person(known, new)
        newcomer = Newcomer(discord_id=known, wanted=None, display_name=new, by_organiser=True)
        who: Any = {"actor": ORGANISER, "now": self.world.now, "league_id": self.world.league_id}
        await do(substitutes.substitute, db=self.db, **who, old=old, newcomer=newcomer)

    async def matches(self) -> tuple[MatchView, ...]:
        view = await self.db.read(posted_round, Order(actor=BOT, now=self.world.now, league_id=self.world.league_id))
        return view.matches

    async def all_in(self, view: MatchView, *, end: bool) -> None:
        """Let two players do everything there is to do about a match, and moderators decide it."""
        world, match = self.world, view.match.id
        one, two = (side.person or side.name for side in view.sides)
        await self.db.write(thread_notes.begin, match)
        await self.db.write(thread_notes.made, match, 50_000 + match, now=world.now)
        await self.db.write(thread_notes.added, match, [world.player(name).user_id or 0 for name in (one, two)])
        for name in (one, two):
            for subject in SAID:
                with suppress(LeagueError):
                    await subject.say(self.db, self.there(name), lambda about, name=name: said(name, about))
        await do(proposing.propose, db=self.db, **self.who(one), match=match, chosen=[world.now + timedelta(days=3)])
        await do(
            proposing.propose, db=self.db, **self.who(two), match=match, chosen=[world.now + timedelta(days=3, hours=1)]
        )
        asked: dict[str, Any] = {
            "match": match,
            "kind": ProblemKind.TOO_LATE,
            "text": said(one, "a problem"),
        }
        told = await do(telling.tell_problem, db=self.db, **self.who(one), **asked)
        assert told.problem is not None
        answered: dict[str, Any] = {"problem": told.problem.id, "text": said(two, "an answer")}
        await do(answering.answer, db=self.db, **self.who(two), match=match, **answered)
        if end:
            await self.end(match, one, two)

    async def end(self, match: int, one: str, two: str) -> None:
        await do(reporting.report, db=self.db, **self.who(one), match=match, result="won")
        await do(reporting.dispute, db=self.db, **self.who(two), match=match, reason=said(two, "a dispute"))
        judge = "Miriam" if "Miriam" not in (one, two) else "Gustavson"
        columns: dict[str, Any] = _columns(self.world.player(judge))
        moderator = replace(Actor(**columns), name=f"{judge[:4]}-San", role_ids=frozenset({MODERATOR_ROLE}))
        why = {"outcome": Outcome.UPPER, "reason": said(judge, "a decision")}
        await do(decisions.decide, db=self.db, actor=moderator, now=self.world.now, match=match, **why)

    async def play_on(self) -> None:
        """Leave the second round with reports, a dispute, times, problems, and a place that's free."""
        world = self.world
        self.world.later(days=1)
        await self.tell_of_themselves(SUBSTITUTE)
        for number, view in enumerate(await self.matches()):
            one, two = (side.person or side.name for side in view.sides)
            await self.all_in(view, end=False)
            if number % 2:
                await do(reporting.report, db=self.db, **self.who(one), match=view.match.id, result="won")
            if number == 1:
                contradicted: dict[str, Any] = {
                    "match": view.match.id,
                    "reason": said(two, "a dispute"),
                    "says": Says.WON,
                }
                await do(reporting.dispute, db=self.db, **self.who(two), **contradicted)
                await do(disputed.tell, db=self.db, **self.who(one), match=view.match.id, text=said(one, "a statement"))
        await self.sit_out(SUBSTITUTE, 4)
        await world.drop("Evangeline")
        with suppress(ConfirmationNeeded):
            await do(rejoining.rejoin, db=self.db, **self.there("Evangeline"))
        sought = Sought(guild_id=GUILD, discord_id=world.player("Gustavson").user_id or 0)
        await self.db.write(on_server.seen, sought, now=world.now, present=False)
        asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "plays_out": True}
        await do(banning.ban, db=self.db, **asked, player="Miriam", reason=said("Miriam", "whom they insulted"))
        await do(banning.ban, db=self.db, **asked, player=Member(discord_id=4, name="a visitor"), reason="a quarrel")
        await world.announce()


def _columns(actor: Actor) -> dict[str, Any]:
    return {name: getattr(actor, name) for name in ("user_id", "name", "manage_guild", "guild_id")}


async def _told(path: Path) -> World:
    db = await Watched.open(path)
    try:
        return await _told_in(db)
    finally:
        await db.close()


async def _told_in(db: Watched) -> World:
    creator = person(account("Desdemona"), "Desdemona", manage_guild=True)
    league = await db.write(
        set_up.create,
        Order(actor=creator, now=datetime(2026, 11, 20, tzinfo=UTC)),
        name="Online HeroScape",
        channel_id=CHANNEL,
        moderator_role_id=MODERATOR_ROLE,
        organiser_role_id=ORGANISER_ROLE,
        moderation_channel_id=MODERATION,
    )
    world = World(db=db, league=league)
    story = Story(world)
    await story.sign_up()
    await story.play_first_round()
    await story.play_on()
    return world


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, World]:
    path = tmp_path_factory.mktemp("told") / "league.db"
    with pytest.MonkeyPatch.context() as patch:
        draw_plainly(patch)
        return path, asyncio.run(_told(path))


@pytest.fixture
async def again(told: tuple[Path, World], tmp_path: Path) -> Any:
    path, before = told
    shutil.copy(path, tmp_path / "league.db")
    db = await Watched.open(tmp_path / "league.db")
    yield World(db=db, league=before.league, now=before.now, players=dict(before.players))
    await db.close()


Cells = list[tuple[str, str, Any]]


def cells(path: Path) -> Cells:
    """Return every value of the file, with its table and column."""
    found: Cells = []
    with closing(sqlite3.connect(path)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            cursor = file.execute(f"SELECT * FROM {table}")
            names = [name for name, *_ in cursor.description]
            found += [(table, name, value) for row in cursor for name, value in zip(names, row, strict=True)]
    return [cell for cell in found if cell[2] is not None]


def as_text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def of(name: str, everything: Cells) -> Counter[str]:
    """Count where words, names and accounts of a person stand."""
    words = (
        token(name),
        name,
        f"{name[:4]}-San",
        FORMER.get(name, name),
        str(account(name)),
        str(account(name, former=True)),
    )
    any_word = re.compile("|".join(map(re.escape, words)))
    return Counter(f"{table}.{column}" for table, column, value in everything if any_word.search(as_text(value)))


@pytest.mark.long
def test_everyone_has_said_something_everywhere(told: tuple[Path, World]) -> None:
    """A new table or text has to be part of the story, or it's forgotten to be forgotten."""
    path, _ = told
    filled = {f"{table}.{column}" for table, column, value in cells(path) if value not in ("", "[]", "{}")}
    with closing(sqlite3.connect(path)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        texts = {
            f"{table}.{name}"
            for table in tables
            if not table.startswith("sqlite_")
            for _, name, kind, *_ in file.execute(f"PRAGMA table_info({table})")
            if kind in ("TEXT", "BLOB")
        }
    assert texts - filled <= UNUSED
    about = {where for name in EVERYONE for where in of(name, cells(path))}
    assert {
        "problems.text", "problems.answer", "disputes.reason", "sat_out.reason",
        "audit.reason", "audit.actor_id", "outbox.facts", "outbox.person_id", "outbox.key", "threads.people",
        "leagues.created_by", "links.discord_id", "availability.discord_id", "players.discord_id", "substitutes.name",
        "signup_answers.answer", *(column for subject in SAID for column in subject.words),
    } <= about  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", mostly_long(EVERYONE, quick=4))
async def test_nothing_of_a_forgotten_person_stays_and_everything_of_the_others_does(again: World, name: str) -> None:
    path = Path(again.db.path)
    before = cells(path)
    who: Any = {"actor": ORGANISER, "now": again.now, "league_id": again.league_id}
    called = await do(forgetting.forget, db=again.db, **who, player=name)
    after = cells(path)
    of_the_seat = [column for subject in SAID for column in subject.of_the_seat if name in (SUBSTITUTE, COMING)]
    assert of(name, after) == Counter(of_the_seat)
    assert re.fullmatch(r"Player \d+", called)
    for other in EVERYONE:
        if other != name:
            missing = {
                where: count
                for where, count in (of(other, before) - of(other, after)).items()
                if where.split(".")[0] not in ("outbox", "audit")
                and not where.endswith("draws")  # those of a match aren't shown any more where one of them can't be
            }
            assert not missing, f"{other} lost {missing}"
    made = await again.db.read(exporting.export, Order(actor=ORGANISER, now=again.now, league_id=again.league_id))
    assert verify(reading.read(made.text.encode())).agrees
    await again.announce()
    assert of(name, cells(path)) == Counter(of_the_seat)


def words_of(name: str, path: Path) -> list[int]:
    """Return how often words of a person stand in each place where a subject keeps them."""
    there = of(name, cells(path))
    return [there[column] for subject in SAID for column in sorted(subject.words)]


def rows(path: Path, sql: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(path)) as file:
        return file.execute(sql, values).fetchall()


OF_MATCH = (
    "SELECT state, version, kind, deadline, agreed_at FROM matches WHERE id = ?",
    "SELECT * FROM problems WHERE match_id = ?",
    "SELECT * FROM disputes WHERE match_id = ?",
    "SELECT * FROM reports WHERE match_id = ?",
    "SELECT * FROM time_proposals WHERE match_id = ?",
)


@pytest.mark.long
async def test_a_substitute_plays_on_with_all_that_is_theirs_when_the_person_they_play_for_is_forgotten(
    again: World,
) -> None:
    path, view = Path(again.db.path), await again.match_of("Borislav")
    assert view is not None
    assert SUBSTITUTE in [side.person for side in view.sides]
    number = view.match.id
    before = [rows(path, sql, number) for sql in OF_MATCH]
    words = words_of(SUBSTITUTE, path)
    assert all(words)
    assert before[1]
    assert before[4]
    asked: Any = {"actor": again.player("Borislav"), "now": again.now, "league_id": again.league_id}
    with pytest.raises(ConfirmationNeeded, match="Samantha plays on in this place and keeps everything"):
        await do(forgetting.forget, db=again.db, **asked, player="Borislav", agreed="")
    await do(forgetting.forget, db=again.db, **asked, player="Borislav")
    assert [rows(path, sql, number) for sql in OF_MATCH] == before
    assert words_of(SUBSTITUTE, path) == words
    seat = next(side for side in view.sides if side.person == SUBSTITUTE)
    assert next(who for who in (await again.status()).entrants if who.id == seat.id).active


@pytest.mark.long
async def test_a_forgotten_substitute_leaves_the_season_and_the_person_they_played_for_stays_named(
    again: World,
) -> None:
    asked: Any = {"actor": ORGANISER, "now": again.now, "league_id": again.league_id}
    with pytest.raises(ConfirmationNeeded, match="They leave season 1 now and forfeit the open match against"):
        await do(forgetting.forget, db=again.db, **asked, player=SUBSTITUTE, agreed="")
    await do(forgetting.forget, db=again.db, **asked, player=SUBSTITUTE)
    gone = next(who for who in (await again.status()).entrants if who.name == "Borislav")
    assert not gone.active
    assert all(words_of("Borislav", Path(again.db.path)))


async def test_someone_replaced_from_the_next_round_on_forfeits_and_the_substitute_takes_over(again: World) -> None:
    await Story(again).substitute("Annika", "Ulrika")
    asked: Any = {"actor": ORGANISER, "now": again.now, "league_id": again.league_id}
    view = await again.match_of("Annika")
    assert view is not None
    opponent = next(side.called for side in view.sides if side.name != "Annika")
    with pytest.raises(
        ConfirmationNeeded, match=f"They forfeit the open match against {re.escape(opponent)}, who wins it. Ulr"
    ):
        await do(forgetting.forget, db=again.db, **asked, player="Annika", agreed="")
    name = await do(forgetting.forget, db=again.db, **asked, player="Annika")
    match = await again.match_of(name)
    assert match is not None
    assert (match.match.state, match.match.kind) == (MatchState.CONFIRMED, "forfeit")
    assert next(who for who in (await again.status()).entrants if who.name == name).active
    told = [text for text in await again.notices() if "Ulrika plays" in text]
    assert f"{opponent} wins" in told[-1]


async def test_a_substitute_who_is_forgotten_before_they_took_over_leaves_the_place_to_who_has_it(
    again: World,
) -> None:
    await Story(again).substitute("Annika", "Ulrika")
    asked: Any = {"actor": ORGANISER, "now": again.now, "league_id": again.league_id}
    with pytest.raises(ConfirmationNeeded, match="They don't take over from Annika, who plays on"):
        await do(forgetting.forget, db=again.db, **asked, player="Ulrika", agreed="")
    await do(forgetting.forget, db=again.db, **asked, player="Ulrika")
    assert "Annika plays on in season 1." in await again.notices()
    assert rows(Path(again.db.path), "SELECT count(*) FROM substitutes WHERE name LIKE 'Ulrika%'") == [(0,)]


async def test_two_who_gave_the_same_reason_keep_each_their_own(again: World) -> None:
    story = Story(again)
    for name in ("Gustavson", "Desdemona"):
        who: Any = {**story.there(name), "number": 3, "reason": "holiday"}
        await do(sitting_out.sit_out, db=again.db, **who)
    await again.db.write(
        forgetting.forget, Order(actor=ORGANISER, now=again.now, league_id=again.league_id), player="Gustavson"
    )
    told = [str(post.facts["apart"]) for post in await again.posts("notice") if "apart" in post.facts]
    assert any(text.endswith("sits out round 3: (deleted)") for text in told)
    assert "Desdemona sits out round 3: holiday" in told
