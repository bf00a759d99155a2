"""How a walk begins and ends: a season that is played, its end, its file, and what must hold of the database then."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import LeagueError, NotFound
from bot.league.formats import by_key
from bot.league.season.model import Rating
from bot.services.base import cached, failed_posts
from bot.services.base.order import Order
from bot.services.leagues import deletion, exporting, set_up
from bot.services.matches.outcome import Outcome
from bot.services.organising import rounds_by_hand
from bot.services.people import notifying
from bot.services.play import decisions
from bot.services.roles import role_holders
from bot.services.seasons import lifecycle, pausing, planning
from bot.services.seats import sitting_out
from bot.services.signups import signing_up
from bot.services.ties import tie_decisions
from storage.query import records
from storage.rated_seasons import EVERY_SEASON
from storage.tables.people.notify import How, Topic
from tests.checker.engines import answered, difference, is_refused
from tests.files import do, look_into, see
from tests.loopback.objects import Json, mark_of, text_of
from tests.model import drawn_settings, expected, invariants
from tests.model.announcing import announce, discord_of
from tests.model.discord_here import CHANNELS
from tests.model.facts import PLAYING, Facts
from tests.model.moves.rounds import correct_tied
from tests.model.pages import require_pages
from tests.model.walk import CHAMPION_ROLE, NEIGHBOUR, PLAYERS, TALLY, Call, Walk
from tests.services.conftest import ADMIN, GUILD, ORGANISER
from tests.services.reads import read_back
from tests.services.reads.past.recounted import require_recounted

MOST_TURNS = 200
GIVEN_UP = 0.2
"""How often the last season is cancelled, with all that waits in it."""
VERIFIED, SECOND = "verified", "by the second engine"
_CHAMPION = """
    SELECT s.champion_id, (SELECT coalesce(max(number), 1) FROM rounds r WHERE r.season_id = s.id) AS rounds
    FROM seasons s JOIN leagues l ON l.id = s.league_id AND l.champion_role_id IS NOT NULL
    WHERE l.id = ? AND s.phase = 'finished' AND s.champion_id IS NOT NULL ORDER BY s.number DESC LIMIT 1
"""


async def begin_season(walk: Walk) -> None:
    """Prepare a season with settings by chance, open it, and let some players sign up."""
    for most in (12, 3, 0):
        settings = {"salt": None} | drawn_settings.some(walk.chance, walk.format, most=most)
        settings |= drawn_settings.theme(walk.chance, walk.format)
        given: dict[str, Any] = {}
        if walk.maybe(0.3):
            given["signups_close"] = walk.now + timedelta(hours=30)
        if most == 12 and walk.maybe(0.6) and walk.file.value("SELECT 1 FROM seasons WHERE number IS NOT NULL") is None:
            given["number"] = 4  # so that seasons of the past fit below
        made = await walk.call(planning.prepare, **walk.who(ORGANISER), format=walk.format, **given)
        if made.refused is None and settings:
            made = await walk.call(planning.change_settings, **walk.who(ORGANISER), settings=settings)
        opened = await walk.call(planning.open_signups, **walk.who(ORGANISER)) if made.refused is None else made
        if opened.refused is None:
            break
        await walk.call(planning.discard, **walk.who(ORGANISER))
    few = "signups_close" in given and walk.maybe(0.2)
    for actor in walk.chance.sample(PLAYERS, 1 if few else walk.chance.randint(2, 9)):
        await walk.call(signing_up.sign_up, **walk.who(actor), display_name=actor.name, answer="my name")
        if walk.maybe(0.3):
            for topic in Topic:
                await walk.call(notifying.choose, **walk.who(actor), topic=topic, how=How.DIRECT)
    if few:  # and no one else comes until they close
        walk.pass_time(hours=31)
        await walk.call(steps.tick, now=walk.now)
    elif walk.maybe(0.8) and "signups_close" not in given:
        await walk.call(lifecycle.start, **walk.who(ORGANISER))


async def end(walk: Walk) -> None:
    """Bring the season to its end, and fail where that isn't possible; then look at everything once more."""
    await require_pages(walk)
    await finish(walk)
    if walk.neighbour is not None:
        async with walk.next_door() as there:
            await finish(there)
            await require_exported(there)
    await require_posted(walk)
    walk.told.require(walk)
    await require_roles(walk)
    await require_pages(walk)
    require_second_engine(await require_exported(walk))
    await require_read_back(walk)
    await require_league_read_back(walk)
    if walk.file.column("SELECT id FROM leagues WHERE id = ?", walk.league.id):
        await require_recounted(walk.db, Order(**walk.who(ORGANISER)), upsets=False)
    require_bounded(walk)
    walk.file.require_sound()


async def require_posted(walk: Walk) -> None:
    """Fail unless every post is made once Discord takes them all, each stands once, and none that was taken back."""
    here = discord_of(walk)
    here.recover()
    if not walk.file.column("SELECT id FROM leagues WHERE id = ?", walk.league.id):
        return  # it was deleted
    for _ in range(3):
        await back_to_normal(walk)
        await announce(walk)
        walk.pass_time(hours=1)
    last = walk.file.value("SELECT max(due_at) FROM outbox WHERE state = 'due' AND attempts > 0")
    if last is not None:  # the clock went back since an attempt failed
        walk.pass_time(seconds=max(0, last - int(walk.now.timestamp())))
    await announce(walk)
    queued = walk.file.rows(
        "SELECT key, problem FROM outbox WHERE state = 'failed' OR (state = 'due' AND attempts > 0)"
    )
    assert not queued, f"never made: {[tuple(row) for row in queued]}"
    assert not here.doubled(), "posted twice"
    there = {each["id"] for each in here.mine()}
    rows = walk.file.rows("SELECT * FROM outbox WHERE message_id IS NOT NULL AND removed = 0 AND state <> 'withdrawn'")
    for row in rows:
        gone = row["id"] in here.deleted or row["channel_id"] not in here.server.channels
        assert gone or str(row["message_id"]) in there, f"{row['key']} isn't there"
    leagues = walk.file.column("SELECT id FROM leagues")
    threads = {str(one) for one in walk.file.column("SELECT thread_id FROM threads")}

    def left(message: Json) -> bool:
        """Whether a message is of a league that isn't in the file any more: it stays, and so does its thread."""
        shown = walk.rendered.get(mark_of(message) or 0)
        return shown is not None and shown.league.id not in leagues

    for each in here.server.threads:
        # An empty one was made just before the bot died, for a round that was undone before it lived again.
        messages = here.server.messages.get(int(each["id"]))
        stands = not each["thread_metadata"]["archived"] and messages and not any(map(left, messages))
        assert not stands or each["id"] in threads, f"nobody knows of the thread {each['name']}"
    known = {str(one) for one in walk.file.column("SELECT message_id FROM outbox WHERE message_id IS NOT NULL")}
    for each in here.mine():
        stands = each["id"] in known or left(each) or int(each["channel_id"]) not in CHANNELS
        assert stands, f"nobody knows of {text_of(each)[:200]}"


async def require_roles(walk: Walk) -> None:
    """Fail unless the champion alone has a role through the bot, once the season is over and Discord is well."""
    for _ in range(2):  # who is not on the server is tried again after a day
        await walk.call(role_holders.try_again, guild_id=GUILD, now=walk.now)
        await walk.call(steps.tick, now=walk.now)
        await announce(walk)
        walk.pass_time(days=1, hours=1)
    server, champion = discord_of(walk).server, _champion(walk)
    assert server.roles == ({(champion, CHAMPION_ROLE)} if champion in server.people else set()), "others have roles"


def _champion(walk: Walk) -> int | None:
    """Return who has to have the champion's role, if a league has one."""
    newest = walk.pick(walk.file.rows(_CHAMPION, walk.league.id))
    return None if newest is None else walk.file.person(newest["champion_id"], newest["rounds"])


async def finish(walk: Walk) -> None:
    """Let an organiser bring the live season to its end; one that can't start is cancelled, and now and then any."""
    stuck = walk.file.value("SELECT 1 FROM problems WHERE ended_at IS NULL")
    if walk.maybe(0.5 if stuck else GIVEN_UP):
        await walk.agreed(lifecycle.cancel, **walk.who(ORGANISER), reason=walk.reason())
    for _ in range(MOST_TURNS):
        season = walk.file.facts().live(walk.league.id)
        if season is None:
            return
        if season["phase"] in PLAYING:
            await _advance(walk, season)
        elif (await walk.call(lifecycle.start, **walk.who(ORGANISER))).refused is not None:
            await walk.call(lifecycle.cancel, **walk.who(ORGANISER), reason="it can't start")
    raise AssertionError("the season never ends")


_MOVING_UP = (
    "SELECT f.id FROM finals_places f JOIN entrants e ON e.id = f.entrant_id"
    " WHERE e.season_id = ? AND f.answered_at IS NULL"
)
"""Who is asked whether they move up into a season's finals."""


async def _advance(walk: Walk, season: Any) -> None:
    """Do the next thing a running season waits for."""
    if season["paused_until"] is not None:
        await walk.call(pausing.end, **walk.who(ORGANISER))
        return
    sql = (
        "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id"
        " WHERE r.season_id = ? AND r.phase = 'open' AND m.state <> 'confirmed' ORDER BY m.id LIMIT 1"
    )
    for match in walk.file.column(sql, season["id"]):
        outcome = walk.chance.choice([Outcome.UPPER, Outcome.LOWER])
        said: dict[str, Any] = {"outcome": outcome, "reason": "the end"}
        done = await walk.call(decisions.decide, **walk.by(ADMIN), match=match, **said)
        assert done.refused is None, done.refused
        return
    if walk.file.value("SELECT 1 FROM ties WHERE season_id = ? AND settled_at IS NULL", season["id"]):
        if walk.maybe(0.3):
            await correct_tied(walk)
            return
        if walk.maybe(GIVEN_UP):
            await walk.agreed(lifecycle.cancel, **walk.who(ORGANISER), reason=walk.reason())
            return
        if (await walk.call(tie_decisions.take_draw, **walk.who(ORGANISER))).refused is None:
            return
    if walk.file.value(_MOVING_UP, season["id"]):
        discord_of(walk).recover()  # the organisers were told that the bot can't ask
        await back_to_normal(walk)
        await announce(walk)  # the time to say whether they move up begins
        walk.pass_time(days=8)
        await walk.call(steps.tick, now=walk.now)
        return
    posted = await walk.call(rounds_by_hand.post, **walk.who(ORGANISER))
    if any(words in str(posted.refused) for words in TOO_FEW):
        await walk.call(lifecycle.cancel, **walk.who(ORGANISER), reason="too few players are left")
        return
    if (
        posted.refused is not None
        and (await walk.call(rounds_by_hand.close, **walk.who(ORGANISER))).refused is not None
    ):
        await _play_after_all(walk)
        walk.pass_time(days=1)
        await walk.call(steps.tick, now=walk.now)


TOO_FEW = ("needs at least", "needs two or more", "group is missing")
"""What is said where players left while no round was posted: all of them, of a group, or one came without a group."""


async def _play_after_all(walk: Walk) -> None:
    """Let players who sit out a round without which it can't be paired play it after all."""
    sql = "SELECT x.id, x.entrant_id, x.round FROM sat_out x ORDER BY x.id"
    for row in walk.file.rows(sql):
        person = walk.file.person(row["entrant_id"], row["round"])
        if person is not None:
            await walk.call(sitting_out.play_after_all, **walk.by(walk.account(person)), sit_out_id=row["id"])


async def require_exported(walk: Walk) -> list[str]:
    """Fail unless every season that was played is exported as a file that verifies; returns those paired here."""
    files: list[str] = []
    organiser = replace(ORGANISER, guild_id=walk.league.guild_id)
    sql = "SELECT number FROM seasons WHERE league_id = ? AND started_at IS NOT NULL AND number IS NOT NULL"
    for number in walk.file.column(sql, walk.league.id):
        asked: dict[str, Any] = {"actor": organiser, "league_id": walk.league.id, "season_number": number}
        made = await see(exporting.export, db=walk.db, **asked)
        season = reading.read(made.text.encode())
        TALLY["leagues.exporting.export", "done"] += 1
        if not by_key(season.format).paired:
            continue  # it was played elsewhere
        files.append(made.text)
        assert (checked := verify(season)).agrees, "\n".join(checked.lines())
        TALLY[VERIFIED, "done"] += 1
        await read_back.require_read_back(walk.db, walk.league.id, number, actor=organiser, now=walk.now)
    walk.file.require_sound()
    return files


def require_second_engine(files: Sequence[str]) -> None:
    """Fail unless the checker in the browser says of the files what the program says."""
    for text, found in zip(files, answered(files), strict=True):
        if is_refused(text):  # it was cancelled before a round was played, and too few were left to play one
            assert "invalid" in found
            continue
        assert "invalid" not in found, f"the checker can't read it: {found['invalid']}"
        assert (seen := difference(text, found)) is None, f"the checker says otherwise: {seen}"
        TALLY[SECOND, "done"] += 1


async def require_read_back(walk: Walk) -> None:
    """Fail unless a league that imports the newest season exports the same."""
    newest = await _exported(walk, walk.league.id)
    if newest is None:
        return
    count = walk.file.value("SELECT count(*) FROM leagues")
    name = f"Copy {count}"
    copy = await do(set_up.create, db=walk.db, **walk.by(ADMIN), name=name, channel_id=99)
    await steps.import_file(walk.db, replace(Order(**walk.who(ADMIN)), league_id=copy.id), data=newest.encode())
    again = await _exported(walk, copy.id)
    assert again is not None
    same = reading.read(again.replace(name, walk.league.name).encode())
    assert same == reading.read(newest.encode()), "an imported season isn't the one that was exported"


async def require_league_read_back(walk: Walk) -> None:
    """Fail unless another server that imports the whole league exports the same."""
    order = Order(**walk.who(ADMIN))
    try:
        league = await walk.db.read(exporting.export_league, order)
    except NotFound:  # it has no season
        return
    number = walk.file.value("SELECT count(*) FROM leagues")
    there = {"guild_id": GUILD + 1 + number}
    admin = replace(ADMIN, **there)
    name = walk.file.value("SELECT name FROM leagues WHERE id = ?", walk.league.id)
    copy = await do(set_up.create, db=walk.db, actor=admin, now=walk.now, name=name, channel_id=1_000 + number)
    to_copy = Order(actor=admin, now=walk.now, league_id=copy.id)
    await steps.import_file(walk.db, to_copy, data=exporting.zipped(league))
    again = await walk.db.read(exporting.export_league, to_copy)
    assert [name for name, _ in again.files] == [name for name, _ in league.files]
    for (file, text), (_, other) in zip(league.files, again.files, strict=True):
        assert other == text, f"{file} isn't the one that was exported"
    assert _ratings(walk, copy.id) == _ratings(walk, walk.league.id), "the copy rates people otherwise"


def _ratings(walk: Walk, league_id: Any) -> dict[str, Rating]:
    """Return everyone's rating after all seasons of a league."""
    with look_into(walk.db) as conn:
        names = dict(records(conn, "SELECT id, name FROM players WHERE league_id = ?", league_id))
        known = cached.ratings_before(conn, league_id, EVERY_SEASON)
        return {names[person]: rating for person, rating in known.items()}


async def _exported(walk: Walk, league_id: Any) -> str | None:
    try:
        return (await walk.db.read(exporting.export, Order(actor=ADMIN, now=walk.now, league_id=league_id))).text
    except LeagueError:
        return None


async def back_to_normal(walk: Walk) -> None:
    """Let the posts that failed be made again."""
    for guild in (GUILD, NEIGHBOUR):
        await walk.call(failed_posts.try_again, guild_id=guild, now=walk.now)


def require_bounded(walk: Walk) -> None:
    """Fail where more posts are promised than things happened, or one waits for ever."""
    posts, notes = (walk.file.value(f"SELECT count(*) FROM {table}") for table in ("outbox", "audit"))
    assert posts <= 20 + 6 * notes, f"{posts} posts for {notes} changes"
    soon = int((walk.now + timedelta(days=60)).timestamp())
    late = walk.file.column("SELECT key FROM outbox WHERE state = 'due' AND due_at > ?", soon)
    assert late == [], f"posts that are never due: {late}"


def require_group(walk: Walk, done: list[Call], before: Facts, after: Facts, *, cancelled: bool) -> None:
    """Fail where people who act at once changed more than each of them could."""
    invariants.require(walk.file)
    if done and all(call.refused is not None for call in done) and not cancelled:
        assert expected.changed(before, after) == {}, "refused actions left a trace"
    tables = expected.noteworthy(before, after)
    deleted = any(call.use_case is deletion.delete for call in done)
    if tables and not deleted:
        assert len(after.tables["audit"]) > len(before.tables["audit"]), f"no line in the audit log for {tables}"
