"""Ask the organiser about ties that matter, hold the finals until he has answered, and note his answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, LeagueError
from bot.league.formats import by_key
from bot.league.formats.swiss.organiser_ties import Tie, ties_that_matter, with_order
from bot.league.model import Name
from bot.services.act import note
from bot.services.outbox import promises
from bot.services.outbox.promises import PostKind
from bot.services.permissions import Actor
from bot.services.ties.words import tie_words
from storage import leagues, rounds, rules_season, seasons, ties
from storage.database import Connection
from storage.rows import SeasonRow, Settled, Target, TieRow

HOW = "/round tiebreak settles it: by an order you enter, by a tie-break match, or by the draw."


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer to a tie: the order that stands, how it came about, and why."""

    order: tuple[str, ...]
    how: Settled
    reason: str | None = None


async def undecided(conn: Connection, season: SeasonRow) -> tuple[Tie, ...]:
    """Return the ties that matter and wait for the organiser, as of now; none while results are missing."""
    if not by_key(season.format).organiser_breaks_ties:
        return ()
    record = await rules_season.load(conn, season.id)
    try:
        # Ranking thousands takes long enough to miss Discord's heartbeat.
        next_ = await asyncio.to_thread(by_key(record.format).next_round, record)
    except LeagueError:
        return ()
    return await asyncio.to_thread(ties_that_matter, record, next_)


async def require_decided(conn: Connection, season: SeasonRow) -> None:
    """Raise Conflict while a tie that matters waits for the organiser."""
    found = await undecided(conn, season)
    if found:
        raise Conflict(f"{tie_words(found[0])} {HOW}")


async def ask(conn: Connection, season: SeasonRow, now: datetime) -> tuple[TieRow, ...]:
    """Ask about the ties that matter, each once, and return those that wait; what is tied no more is let go."""
    found = {tie.names: tie for tie in await undecided(conn, season)}
    known = await ties.waiting(conn, season.id)
    for row in known:
        if tuple(Name(name) for name in row.names) not in found:
            await _close(conn, row, Answer(order=row.names, how=Settled.GONE), now)
    asked = {row.names for row in known}
    for tie in found.values():
        if tie.names not in asked:
            await _ask(conn, season, tie, now)
    return await ties.waiting(conn, season.id)


async def let_go(conn: Connection, season: SeasonRow, now: datetime) -> None:
    """Ask no more while results are missing again; whoever is equal afterwards is asked about anew."""
    for row in await ties.waiting(conn, season.id):
        await _close(conn, row, Answer(order=row.names, how=Settled.GONE), now)


async def _ask(conn: Connection, season: SeasonRow, tie: Tie, now: datetime) -> None:
    row = await ties.add(
        conn,
        season_id=season.id,
        after_round=len(await rounds.published(conn, season.id)),
        first=tie.first,
        going_on=tie.going_on,
        names=tie.names,
        asked_at=now,
    )
    await promises.promise(
        conn,
        key=_key(row),
        kind=PostKind.TIE,
        league_id=season.league_id,
        target=Target.MODERATION,
        now=now,
        season_id=season.id,
        facts={"tie_id": row.id},
    )


def _key(row: TieRow) -> str:
    return f"tie:{row.id}"


async def call_match(conn: Connection, season: SeasonRow, row: TieRow, now: datetime) -> TieRow:
    """Note that equals play a tie-break match, and tell them their seats."""
    called = await ties.change(conn, row.id, names=row.names, match_at=now)
    await promises.promise(
        conn,
        key=f"{_key(row)}:match",
        kind=PostKind.TIE_MATCH,
        league_id=season.league_id,
        now=now,
        season_id=season.id,
        facts={"tie_id": row.id},
    )
    await promises.touch_key(conn, _key(row), now=now)
    return called


async def settle(
    conn: Connection, season: SeasonRow, row: TieRow, answer: Answer, *, actor: Actor, now: datetime
) -> None:
    """Note an answer in the season's decisions, tell everybody, and let the season go on from there."""
    record = await rules_season.load(conn, season.id)
    order = with_order(record, tuple(Name(name) for name in answer.order))
    await seasons.add_decision(conn, season.id, after_round=row.after_round, names=order, at=now)
    await _close(conn, row, answer, now)
    told = f"After round {row.after_round}: {tie_words(row)} {_told(answer)}"
    await promises.promise(
        conn,
        key=f"{_key(row)}:settled",
        kind=PostKind.NOTICE,
        league_id=season.league_id,
        now=now,
        season_id=season.id,
        facts={"text": told},
    )
    await note(
        conn, actor=actor, now=now, league=await leagues.get(conn, season.league_id), season=season,
        action="round.tiebreak", subject=f"round {row.after_round}", before={"equal": row.names},
        after={"order": answer.order, "how": answer.how}, reason=answer.reason,
    )  # fmt: skip


def _told(answer: Answer) -> str:
    order, why = ", then ".join(answer.order), f" ({answer.reason})" if answer.reason else ""
    match answer.how:
        case Settled.ORDER:
            return f"The organiser decided{why}: {order}."
        case Settled.MATCH:
            return f"The tie-break match decided{why}: {order}."
        case _:
            return f"The draw decided: {order}."


async def _close(conn: Connection, row: TieRow, answer: Answer, now: datetime) -> None:
    await ties.change(conn, row.id, names=answer.order, match_at=row.match_at, settled_at=now, how=answer.how)
    await promises.touch_key(conn, _key(row), now=now)
    await promises.touch_key(conn, f"{_key(row)}:match", now=now)


def full_order(row: TieRow, named: Sequence[str]) -> tuple[str, ...]:
    """Return everybody of a tie: who was named first, the others as the draw has them."""
    return (*named, *(name for name in row.names if name not in named))
