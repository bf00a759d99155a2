"""Leagues: set up, changed, exported, imported, deleted; and what the bot notes of servers and failed posts."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

from bot import steps
from bot.hosting import backing_up, moving, restoring
from bot.league.errors import NotFound
from bot.services.base import failed_posts
from bot.services.leagues import deletion, exporting, greeting, set_up
from bot.services.reads import audit_log, guidance, inbox
from tests.model.moves.moving import Move, often
from tests.model.walk import START, Walk
from tests.services.conftest import ADMIN, GUILD


async def create(walk: Walk) -> None:
    name = walk.pick(["Second League", "Online HeroScape", "@everyone", "x" * 60])
    zone = walk.pick([None, "Asia/Tokyo", "Nowhere"])
    await walk.call(
        set_up.create, **walk.by(walk.pick([ADMIN, walk.staff()])), name=name, time_zone=zone, channel_id=77
    )


async def delete(walk: Walk) -> None:
    """Delete the newest league, a second one most of the time: the first has a season."""
    await create(walk)
    newest = walk.file.value("SELECT max(id) FROM leagues")
    if newest != walk.league.id or walk.together is None:
        await walk.agreed(deletion.delete, **walk.who(walk.staff()) | {"league_id": newest})


async def change(walk: Walk) -> None:
    changes = walk.pick(
        [
            *({key: on} for key in ("board", "site") for on in (True, False)),
            *({"time_zone": "Asia/Tokyo"}, {"channel_id": walk.league.channel_id}),
        ]
    )
    await walk.call(set_up.change, **walk.who(walk.staff()), changes=changes)


async def rules(walk: Walk) -> None:
    text = walk.pick(["", "Be kind.", "# No\n@everyone *cheating*"])
    await walk.call(set_up.write_rules, **walk.who(walk.staff()), text=text)


async def import_file(walk: Walk) -> None:
    """Import the newest season into a second league, or a broken file."""
    made = await walk.look(exporting.export, actor=walk.staff(), league_id=walk.league.id)
    if made.answer is None:
        return
    await create(walk)
    text = made.answer.text if walk.maybe(0.8) else made.answer.text[:-40]
    there = walk.file.value("SELECT max(id) FROM leagues")
    await walk.call(
        steps.import_file,
        **walk.who(walk.pick([ADMIN, ADMIN, walk.staff()])) | {"league_id": there},
        data=text.encode(),
    )


async def look_up(walk: Walk) -> None:
    asked = {"actor": walk.staff(), "league_id": walk.league.id}
    await walk.look(set_up.checkup, **asked)
    wanted = audit_log.Filter(person=walk.pick([None, walk.name()]), days=walk.pick([None, 1]))
    await walk.look(audit_log.show, **walk.who(walk.staff()), wanted=wanted, page=walk.pick([1, 2, 99]))
    await walk.look(audit_log.export, **walk.who(walk.staff()))
    await walk.look(inbox.inbox, **walk.who(walk.moderator()))
    await walk.look(guidance.guidance, **walk.who(walk.pick([walk.player(), walk.staff()])))


async def invited(walk: Walk) -> None:
    guild = walk.pick([GUILD, GUILD + 7])
    await walk.call(greeting.greet, guild_id=guild, joined_at=walk.now - timedelta(hours=1), now=walk.now)
    await walk.call(greeting.forget, guild_id=guild)


async def retry(walk: Walk) -> None:
    failed = walk.pick(walk.file.column("SELECT id FROM outbox ORDER BY state <> 'failed', id LIMIT 3")) or 1
    await walk.call(failed_posts.retry, **walk.by(walk.moderator()), post_id=failed)


async def back_in(walk: Walk) -> None:
    await walk.call(failed_posts.try_again, guild_id=GUILD, now=walk.now)


async def restart(walk: Walk) -> None:
    """Stop the bot and start it again, unless others are at work; the host may put a backup back or move the server."""
    if walk.together is None:
        how = walk.pick((None, None, put_back, moved))
        walk.trace.note(walk.now, "restart", how and how.__name__)
        await walk.reopen(how)


async def put_back(database: Path) -> Path:
    """Back a file up and restore it from there."""
    folder = database.with_name(f"{database.name}.backups")
    with ThreadPoolExecutor(1) as beside:
        different = beside.submit(backing_up.back_up, database, folder, START.date()).result()
        assert different is None, different
        backup = backing_up.newest(database, folder)
        assert backup is not None
        assert beside.submit(restoring.restore, backup, database, lambda _: True).result() is not None
    for aside in database.parent.glob(f"{database.name}.replaced-*"):
        aside.unlink()
    return database


async def moved(database: Path) -> Path:
    """Move the server to a database of its own, if it has a league."""
    target = database.with_name(f"{database.name}.moved")
    try:
        await moving.move(database, target, GUILD)
    except NotFound:
        return database
    return target


MOVES: tuple[Move, ...] = (
    *often(1, create),
    *often(1, delete),
    *often(1, change),
    *often(1, rules),
    *often(1, import_file),
    *often(1, look_up),
    *often(1, invited),
    *often(1, retry),
    *often(1, back_in),
    *often(4, restart),
)
