"""What an organiser does about a tie: enter an order, call a tie-break match, or take the draw (docs/rules.md, 7)."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.league.errors import Conflict, Invalid, NotFound, WrongPhase
from bot.league.formats import by_key
from bot.league.model import Stage
from bot.league.names import look_alike_key
from bot.league.phases import PLAYING
from bot.services import find
from bot.services.act import note, shortened
from bot.services.permissions import BOT, Actor, require_organiser
from bot.services.rounds import progress
from bot.services.ties import state
from bot.services.ties.state import Answer
from bot.services.ties.words import silent_at, tie_words
from storage import leagues, rounds, seasons, ties
from storage.database import Connection, Database
from storage.rows import LeagueId, LeagueRow, SeasonRow, Settled, TieRow


async def waiting(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> tuple[TieRow, ...]:
    """Return the ties that wait for an organiser; raises NotAllowed, and WrongPhase with why there are none."""
    async with db.transaction() as conn:
        return (await _led(conn, actor, league_id, now))[2]


async def choices(db: Database, *, league_id: LeagueId, typed: str) -> tuple[str, ...]:
    """Return what a half-typed order can become: the names so far and one more of the same tie."""
    async with db.snapshot() as conn:
        found = await ties.waiting_of_league(conn, league_id)
    named = _pieces(typed, [name for row in found for name in row.names])
    begun = named.pop() if named and not typed.rstrip().endswith(",") else ""
    return tuple(
        ", ".join([*named, name])
        for row in found
        if set(named) <= set(row.names)
        for name in row.names
        if name not in named and begun.casefold() in name.casefold()
    )


def _pieces(typed: str, names: Sequence[str]) -> list[str]:
    """Return what stands between commas, but for names that hold a comma themselves."""
    pieces: list[str] = []
    left = typed.strip(" ,")
    while left:
        whole = [name for name in names if left == name or left.startswith(f"{name},")]
        piece = max(whole, key=len, default=left.partition(",")[0])
        pieces.append(piece.strip())
        left = left[len(piece) :].strip(" ,")
    return pieces


async def order(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    named: str,
    league_id: LeagueId | None = None,
    tie_id: int | None = None,
    reason: str | None = None,
) -> TieRow:
    """Settle a tie by an order: names separated by commas, best first; who is left out follows as the draw has them.

    After a tie-break match it is its result. Raises NotAllowed, NotFound, Invalid, WrongPhase and Conflict.
    """
    async with db.transaction() as conn:
        _, season, found = await _asked(conn, actor, now, league_id, tie_id)
        row, names = _named(found, named)
        how = Settled.ORDER if row.match_at is None else Settled.MATCH
        answer = Answer(order=state.full_order(row, names), how=how, reason=shortened(reason))
        return await _settle(conn, season, row, answer, actor, now)


async def take_draw(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId | None = None, tie_id: int | None = None
) -> tuple[TieRow, ...]:
    """Settle a tie, or without one said all that wait, by the draw as it stands; raises as `order` does."""
    async with db.transaction() as conn:
        _, season, found = await _asked(conn, actor, now, league_id, tie_id)
        for row in found:
            await state.settle(conn, season, row, Answer(order=row.names, how=Settled.DRAW), actor=actor, now=now)
        await progress.advance(conn, season.id, now)
        return tuple([await ties.get(conn, row.id) for row in found])


async def call_match(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId | None = None, tie_id: int | None = None
) -> tuple[TieRow, ...]:
    """Let all who are equal play a tie-break match, in every tie that waits without one said.

    Its result is entered as an order. Raises as `order` does.
    """
    async with db.transaction() as conn:
        league, season, found = await _asked(conn, actor, now, league_id, tie_id)
        waiting_still = [row for row in found if row.match_at is None]
        if not waiting_still:
            raise Conflict("This tie-break match is called already. Enter its result as an order: /round tiebreak.")
        for row in waiting_still:
            await note(
                conn, actor=actor, now=now, league=league, season=season, action="round.tiebreak-match",
                subject=f"round {row.after_round}", after={"players": row.names},
            )  # fmt: skip
        return tuple([await state.call_match(conn, season, row, now) for row in waiting_still])


async def take_draw_by_silence(conn: Connection, tie_id: ties.TieId, now: datetime) -> bool:
    """Settle a tie nobody answered in time by the draw; False where something happened meanwhile."""
    row = await ties.get(conn, tie_id)
    season = await seasons.get(conn, row.season_id)
    due = silent_at(row, season)
    if row.settled_at is not None or due is None or due > now:
        return False
    if row.id in {left.id for left in await state.ask(conn, season, now)}:
        await _settle(conn, season, row, Answer(order=row.names, how=Settled.SILENCE), BOT, now)
    return True


async def _settle(
    conn: Connection, season: SeasonRow, row: TieRow, answer: Answer, actor: Actor, now: datetime
) -> TieRow:
    await state.settle(conn, season, row, answer, actor=actor, now=now)
    await progress.advance(conn, season.id, now)
    return await ties.get(conn, row.id)


async def _led(
    conn: Connection, actor: Actor, league_id: LeagueId, now: datetime
) -> tuple[LeagueRow, SeasonRow, tuple[TieRow, ...]]:
    """Return a league, its season and the ties that wait, for an organiser; raises WrongPhase where there are none."""
    league = await find.league(conn, league_id)
    require_organiser(league, actor)
    season = await find.playing_season(conn, league)
    found = await state.ask(conn, season, now)
    if not found:
        raise WrongPhase(await _why_none(conn, season))
    return league, season, found


async def _why_none(conn: Connection, season: SeasonRow) -> str:
    published = await rounds.published(conn, season.id)
    if not by_key(season.format).organiser_breaks_ties:
        return f"{by_key(season.format).title} breaks its ties by its own rules; /rules says how."
    if any(row.stage is Stage.FINALS for row in published):
        return "The finals have begun, so their seeds stand. /round undo takes their first round back, while it can be."
    return (
        "There is no tie to break now: after the last round before the finals, or before the end, you are asked about "
        "players who are equal in everything. /standings shows who is."
    )


async def _asked(
    conn: Connection, actor: Actor, now: datetime, league_id: LeagueId | None, tie_id: int | None
) -> tuple[LeagueRow, SeasonRow, tuple[TieRow, ...]]:
    """Return the ties that are meant: the one of a button, or all that wait in a league."""
    if tie_id is None:
        if league_id is None:
            raise NotFound("Which league's tie is meant? Use the command in its channel or name the league.")
        return await _led(conn, actor, league_id, now)
    row = await ties.find(conn, tie_id)
    season = None if row is None else await seasons.get(conn, row.season_id)
    league = None if season is None else await leagues.get(conn, season.league_id)
    if row is None or season is None or league is None or actor.guild_id != league.guild_id:
        raise NotFound("There is no such tie here. /round tiebreak shows those that wait.")
    require_organiser(league, actor)
    if season.phase not in PLAYING:
        raise WrongPhase(f"Season {season.number} is {season.phase}: its order stands.")
    left = [waiting for waiting in await state.ask(conn, season, now) if waiting.id == row.id]
    if not left:
        raise Conflict("This tie is settled, or there is none any more. /standings shows the order that stands.")
    return league, season, tuple(left)


def _named(found: Sequence[TieRow], order: str) -> tuple[TieRow, tuple[str, ...]]:
    """Return the tie an order is about and its names as they are written; raises Invalid."""
    typed = _pieces(order, [name for row in found for name in row.names])
    if not typed:
        raise Invalid(f"Name the players in order, with commas between: {', '.join(found[0].names)}.")
    row = next((row for row in found if _match(row.names, typed[0]) is not None), None)
    names = [None if row is None else _match(row.names, name) for name in typed]
    strange = [name for name, known in zip(typed, names, strict=True) if known is None]
    if row is None or strange:
        equal = " ".join(tie_words(tie) for tie in (found if row is None else [row]))
        raise Invalid(f"“{strange[0][:50]}” is none of those to be ordered. {equal}")
    meant = tuple(name for name in names if name is not None)
    if len(set(meant)) < len(meant):
        raise Invalid(f"Name each player once, best first: {', '.join(row.names)}.")
    return row, meant


def _match(names: Iterable[str], typed: str) -> str | None:
    """Return the name that is meant: exactly, or the only one that looks like it."""
    alike = [name for name in names if look_alike_key(name) == look_alike_key(typed)]
    return typed if typed in names else alike[0] if len(alike) == 1 else None
