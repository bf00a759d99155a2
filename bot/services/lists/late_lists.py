"""Lists that came late: a moderator accepts or refuses them."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, NotAllowed
from bot.league.phases import PLAYING
from bot.services.act import Act
from bot.services.lists import list_sets, sealing
from bot.services.outbox.post_kinds import PostKind
from bot.services.permissions import Actor, is_organiser
from storage.database import Connection, Database
from storage.rows import EntrantRow, LeagueId
from storage.tables import lists
from storage.tables.lists import ListId, ListRow

_SETTLED = "This list isn't waiting any more: it was accepted or refused, or the season is over."


@dataclass(frozen=True, slots=True, kw_only=True)
class LateList:
    """A late list that waits, without its text: only its owner can read it."""

    id: ListId
    owner: EntrantRow
    number: int
    words: str

    @property
    def label(self) -> str:
        """What it is, within a sentence: `Ada, list 1 for round 3`."""
        return f"{self.owner.called}, list {self.number} for {self.words}"


async def waiting(conn: Connection, league_id: LeagueId) -> tuple[LateList, ...]:
    """Return the late lists that wait for a league's moderators, the oldest first."""
    return tuple([await _late(conn, row) for row in await lists.late_of_league(conn, league_id)])


async def _late(conn: Connection, row: ListRow) -> LateList:
    scope = await lists.get_set(conn, row.set_id)
    owner = await list_sets.owner_of(conn, scope, row.entrant_id)
    return LateList(id=row.id, owner=owner, number=row.number, words=await list_sets.words_of(conn, scope))


async def answer(db: Database, *, actor: Actor, now: datetime, list_id: int, accept: bool) -> LateList:
    """Accept a late list, which is sealed and posted now, or refuse it; raises NotAllowed, and Conflict if settled."""
    async with db.transaction() as conn:
        row = await lists.find(conn, list_id)
        if row is None:
            raise Conflict(_SETTLED)
        do = await Act.inside(conn, actor, (await lists.get_set(conn, row.set_id)).season_id, now=now)
        do.moderator()
        late = await _late(conn, row)
        if not row.late or row.sealed_at is not None or do.season.phase not in PLAYING:
            raise Conflict(_SETTLED)
        if late.owner.discord_id == actor.user_id and not is_organiser(do.league, actor):
            raise NotAllowed("This is your own list, so another moderator or an organiser has to decide.")
        await (_accept(do, row, late) if accept else _refuse(do, row, late))
        await do.note(f"list.{'accept' if accept else 'refuse'}", late.label)
        await do.touch(None, PostKind.LATE_LIST)
        return late


async def _accept(do: Act, row: ListRow, late: LateList) -> None:
    await sealing.seal_one(do, row)
    await do.owe(PostKind.SEALS, people=[late.owner.discord_id], set_id=row.set_id, list_id=row.id)


async def _refuse(do: Act, row: ListRow, late: LateList) -> None:
    await lists.remove(do.conn, row.id)
    await do.tell(f"{late.label}: a moderator didn't accept it, because it came late.", pings=[late.owner.discord_id])
    await sealing.touch(do)
