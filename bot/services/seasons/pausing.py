"""A break in a season: no new round is posted, and open deadlines move by its length."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, Invalid
from bot.league.season.phases import PLAYING, RoundPhase
from bot.services.base.act import Act, Look, lead, look
from bot.services.base.asking import ask_first
from bot.services.base.gone import Gone
from bot.services.base.permissions import BOT, Actor
from bot.services.base.post_kinds import PostKind
from bot.services.computing import begins_again
from bot.services.play import course
from storage.database import Connection, Database
from storage.posts import PostRow
from storage.rows import LeagueId, LeagueRow, RoundRow, SeasonId, SeasonRow
from storage.tables import claims, entrants, finals_places, leagues, lists, matches, rounds, tie_reports, ties, waitlist


@dataclass(frozen=True, slots=True, kw_only=True)
class PausePost:
    """A pause, or its early end where `season` isn't paused; `round` is the open one, if its deadline still counts."""

    league: LeagueRow
    season: SeasonRow
    round: RoundRow | None
    ping_ids: tuple[int, ...]


async def paused(db: Database, *, actor: Actor, league_id: LeagueId) -> SeasonRow:
    """Return the season that is played, for an organiser; raises NotAllowed and WrongPhase."""
    async with look(db, actor, league_id) as see:
        see.organiser()
        return await see.playing_season()


async def pause(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, until: datetime, agreed: str | None = None
) -> SeasonRow:
    """Pause the season until a moment, or move the end of its pause; raises AskFirst, and Invalid for the past."""
    async with lead(db, actor, now, league_id) as do:
        if until <= now:
            raise Invalid("until: that time has passed. Try 3d, or a date such as 2026-12-01 18:00.")
        before = do.season.paused_until
        if before == until:
            return do.season
        ask_first(await _what_it_does(do), agreed)
        await _move(do, before or now, until)
        await do.change_season(paused_until=until)
        await _note(do, "season.pause", before)
        await _tell(do)
        return do.season


@begins_again
async def end(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, agreed: str | None = None
) -> SeasonRow:
    """End the pause now: deadlines move back by what is left of it; raises AskFirst, and Conflict for no pause."""
    async with lead(db, actor, now, league_id) as do:
        before = do.season.paused_until
        if before is None:
            raise Conflict(f"Season {do.season.number} isn't paused. /season pause starts a pause.")
        moved = await _deadline_to_move(do, before) is not None
        back = "Open deadlines move back by what is left of the pause. " if moved else ""
        ask_first(f"{back}The next round comes as soon as the rules say, and players are told.", agreed)
        await _move(do, before, now)
        await do.change_season(paused_until=None)
        await _note(do, "season.resume", before)
        await _tell(do)
        await course.advance(do)
        return do.season


async def resume(conn: Connection, season_id: SeasonId, now: datetime) -> bool:
    """Go on after a pause; False where it was ended or made longer meanwhile."""
    do = await Act.inside(conn, BOT, season_id, now=now)
    before = do.season.paused_until
    if do.season.phase not in PLAYING or before is None or before > now:
        return False
    await do.change_season(paused_until=None)
    await _note(do, "season.resume", before)
    await _show(do)
    await course.advance(do)
    return True


async def _move(do: Act, old: datetime, new: datetime) -> None:
    """Move everything due after `old`, the end of the pause so far (or now), as far as it moves.

    That is deadlines, the due dates of lists, and the times to answer; only reports count without an answer meanwhile.
    """
    seconds = int(new.timestamp()) - int(old.timestamp())
    for table in (claims, finals_places, tie_reports, ties, waitlist):
        await table.move_answers(do.conn, do.season.id, after=old, seconds=seconds)
    asking = (PostKind.PROBLEM, PostKind.MOVING_UP, PostKind.TIE_QUESTION, PostKind.TIE, PostKind.PLACE)
    await do.touch(None, *asking)
    await lists.move_due(do.conn, do.season.id, after=old, seconds=seconds)
    await do.touch(None, PostKind.LISTS_MISSING)
    row = await rounds.latest(do.conn, do.season.id)
    if row is None or row.phase is not RoundPhase.OPEN or row.clock_started_at is not None:
        return
    await rounds.move_deadline(do.conn, row.id, after=old, seconds=seconds)
    await matches.move_deadlines(do.conn, row.id, after=old, seconds=seconds)


async def _what_it_does(do: Act) -> str:
    old = do.season.paused_until
    row = await _deadline_to_move(do, old or do.now)
    first = "No new round is posted before then; /round pair still shows a preview."
    moved = "" if row is None else f" The deadline of {row.words} and its reminders move by the length of the pause."
    lists_too = " Lists are due that much later too." if await _lists_move(do, old or do.now) else ""
    same = (
        " Times players agreed on stay. Reports still count without an answer; other questions wait that much longer."
    )
    return f"{first}{moved}{lists_too}{same} Players are told. You can end the pause early."


async def _lists_move(see: Look, after: datetime) -> bool:
    """Whether lists are due after a moment."""
    there = await lists.sets_of(see.conn, see.season.id)
    return any(one.sealed_at is None and one.due_at is not None and one.due_at > after for one in there)


async def _deadline_to_move(see: Look, after: datetime) -> RoundRow | None:
    """Return the open round whose deadline lies after a moment, if any."""
    row = await rounds.latest(see.conn, see.season.id)
    if row is None or row.phase is not RoundPhase.OPEN or row.clock_started_at is not None:
        return None
    return row if row.deadline is not None and row.deadline > after else None


async def _note(do: Act, action: str, before: datetime | None) -> None:
    was, is_ = ({"until": moment and int(moment.timestamp())} for moment in (before, do.season.paused_until))
    await do.note(action, f"season {do.season.number}", before=was, after=is_)


async def _tell(do: Act) -> None:
    """Tell the players once how it is now; what an earlier pause still had to say is cancelled."""
    await _show(do)
    people = [who.discord_id for who in await entrants.of_season(do.conn, do.season.id) if who.active]
    until = do.season.paused_until
    await do.owe(PostKind.PAUSE, people=people, until=until and int(until.timestamp()))


async def _show(do: Act) -> None:
    """Have the board and the cards of the open round and its matches say how it is now."""
    await do.touch()
    row = await rounds.latest(do.conn, do.season.id)
    if row is not None and row.phase is RoundPhase.OPEN:
        await do.touch(row)


async def load(conn: Connection, season: SeasonRow, post: PostRow) -> PausePost:
    """Load what a post about a pause shows; raises Gone where the pause has changed before it was sent."""
    until = season.paused_until and int(season.paused_until.timestamp())
    if season.phase not in PLAYING or until != post.facts["until"]:
        raise Gone
    row = await rounds.latest(conn, season.id)
    people = await entrants.of_season(conn, season.id)
    return PausePost(
        league=await leagues.get(conn, season.league_id),
        season=season,
        round=row if row is not None and row.phase is RoundPhase.OPEN and row.deadline is not None else None,
        ping_ids=tuple(who.discord_id for who in people if who.active and who.discord_id is not None),
    )
