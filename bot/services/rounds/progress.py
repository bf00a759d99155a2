"""What follows of itself in a season: close, pair, post, finish; always inside the transaction of the change."""

import asyncio
import logging
from datetime import datetime, timedelta

from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.model import Name, Stage
from bot.league.phases import PLAYING, RoundPhase, SeasonPhase, require_round_move, require_season_move
from bot.league.proposal import Bye, Next, Pair, Proposal
from bot.league.settings import Advance, Pace
from bot.services.act import note
from bot.services.outbox import promises
from bot.services.outbox.promises import MATCH_POSTS, PostKind
from bot.services.permissions import BOT, Actor
from bot.services.ties import state
from storage import entrants, leagues, matches, rounds, rules_season, seasons
from storage.database import Connection
from storage.rows import EntrantId, RoundRow, SeasonId, SeasonRow, Target

log = logging.getLogger(__name__)


async def propose(conn: Connection, season_id: SeasonId) -> Next:
    """Return what the rules say comes next; raises PairingImpossible."""
    record = await rules_season.load(conn, season_id)
    # Pairing thousands takes long enough to miss Discord's heartbeat.
    return await asyncio.to_thread(by_key(record.format).next_round, record)


async def going_on(conn: Connection, season_id: SeasonId) -> RoundRow | None:
    """Return a season's draft or open round, or None between rounds."""
    draft = await rounds.draft(conn, season_id)
    if draft is not None:
        return draft
    latest = await rounds.latest(conn, season_id)
    return latest if latest is not None and latest.phase is RoundPhase.OPEN else None


async def pair_and_post(conn: Connection, season_id: SeasonId, now: datetime, *, actor: Actor = BOT) -> None:
    """Pair and post the next round, or end the season where the rules say so; raises PairingImpossible."""
    await _take_up(conn, season_id, await propose(conn, season_id), now, actor)
    await advance(conn, season_id, now)


async def after_closing(conn: Connection, season: SeasonRow, now: datetime, actor: Actor) -> None:
    """Do what follows of an organiser's closing a round: the end of the season, or the next round unless he pairs."""
    next_ = await _propose_or_tell(conn, season, now)
    manual = rules_season.settings_of(season).advance is Advance.MANUAL
    if next_ is not None and not (manual and isinstance(next_, Proposal)):
        await _take_up(conn, season.id, next_, now, actor)
        await advance(conn, season.id, now)


async def advance(conn: Connection, season_id: SeasonId, now: datetime) -> None:
    """Do what follows of a change of results or of the field.

    A draft is paired anew where the rules now say something else. An open round with all results is closed as
    `advance` says, and the next is paired and posted, or the season ends. Where no round can be paired the results
    stay and the moderators are told.
    """
    while True:
        season = await seasons.get(conn, season_id)
        row = await going_on(conn, season_id)
        if season.phase not in PLAYING or (row is not None and not await _may_go_on(conn, season, row, now)):
            return
        next_ = await _propose_or_tell(conn, season, now)
        # Between rounds an organiser pairs; a season that is decided needs nobody.
        if next_ is None or (row is None and isinstance(next_, Proposal)):
            return
        await _take_up(conn, season_id, next_, now, BOT)


async def _may_go_on(conn: Connection, season: SeasonRow, row: RoundRow, now: datetime) -> bool:
    """Close an open round that is at its end; False where it is not, or where a draft still waits to be published."""
    if row.phase is RoundPhase.DRAFT:
        await refresh_draft(conn, season, row, now)
        return False
    if not await _may_end(conn, season, row, now):
        return False
    await close_round(conn, season, row, now, BOT)
    return True


async def _may_end(conn: Connection, season: SeasonRow, row: RoundRow, now: datetime) -> bool:
    """Whether an open round ends by itself now."""
    if await matches.count_unfinished(conn, row.id):
        await state.let_go(conn, season, now)
        return False
    if await state.ask(conn, season, now):
        return False
    how = rules_season.settings_of(season).advance
    if how is Advance.MANUAL:
        await promises.tell(
            conn,
            season,
            f"round:{row.number}:complete",
            f"All results of round {row.number} are in. /round pair makes a draft of what follows, "
            "/round post publishes it at once, /round close only ends the round.",
            now=now,
            target=Target.MODERATION,
        )
    return how is Advance.ALL_IN or (how is Advance.DEADLINE and row.deadline is not None and row.deadline <= now)


async def _propose_or_tell(conn: Connection, season: SeasonRow, now: datetime) -> Next | None:
    """Return what comes next; where that fails the change that led here stays, and the moderators are told."""
    try:
        return await propose(conn, season.id)
    except LeagueError as impossible:
        problem = str(impossible)
    except Exception:
        log.exception("season %s: the next round could not be paired", season.id)
        problem = "an error of the program, noted in its log"
    await promises.tell(
        conn,
        season,
        f"impossible:{int(now.timestamp())}",
        f"The next round could not be paired: {problem} All results are saved. Mend the cause, then "
        "/round post pairs and publishes the round.",
        now=now,
        target=Target.MODERATION,
    )
    return None


async def close_round(conn: Connection, season: SeasonRow, row: RoundRow, now: datetime, actor: Actor) -> None:
    """Close an open round whose results are all in."""
    require_round_move(row.phase, RoundPhase.CLOSED)
    await rounds.change(conn, row.id, phase=RoundPhase.CLOSED, closed_at=now)
    await promises.cancel_unsent(conn, row, PostKind.CLOCK)
    await promises.touch(conn, row, PostKind.ROUND, now=now)
    await note(
        conn,
        actor=actor,
        now=now,
        league=await leagues.get(conn, season.league_id),
        season=season,
        action="round.close",
        subject=f"round {row.number}",
    )


async def _take_up(conn: Connection, season_id: SeasonId, next_: Next, now: datetime, actor: Actor) -> None:
    season = await seasons.get(conn, season_id)
    if isinstance(next_, Proposal):
        await publish(conn, season, await save_draft(conn, season, next_, now), now, actor)
    else:
        await finish(conn, season, next_.name, now, actor)


async def save_draft(conn: Connection, season: SeasonRow, proposal: Proposal, now: datetime) -> RoundRow:
    """Save a proposed round as a draft; raises sqlite3.IntegrityError where another round is going on."""
    ids = {Name(entrant.name): entrant.id for entrant in await entrants.of_season(conn, season.id)}
    row = await rounds.add(
        conn,
        season_id=season.id,
        number=proposal.number,
        stage=proposal.stage,
        phase=RoundPhase.DRAFT,
        paired_at=now,
    )
    for position, pair in enumerate(proposal.pairs, start=1):
        await _save_pair(conn, row, position, pair, ids)
    for bye in proposal.byes:
        why = [reason.sentence for reason in bye.reasons]
        await matches.add_bye(conn, row.id, ids[bye.name], why=why, draws=_draws(bye))
    return row


async def _save_pair(conn: Connection, row: RoundRow, position: int, pair: Pair, ids: dict[Name, EntrantId]) -> None:
    await matches.add(
        conn,
        round_id=row.id,
        position=position,
        upper_id=ids[pair.upper],
        lower_id=ids[pair.lower],
        rematch=pair.rematch,
        why=[reason.sentence for reason in pair.reasons],
        draws=_draws(pair),
    )


def _draws(decided: Pair | Bye) -> list[str]:
    """Return the texts of the draws that decided a pair or bye."""
    return list(dict.fromkeys(text for reason in decided.reasons for text in reason.draws))


async def publish(conn: Connection, season: SeasonRow, row: RoundRow, now: datetime, actor: Actor) -> None:
    """Publish a draft: from now on it is played."""
    settings = rules_season.settings_of(season)
    # A live round has a clock, which its organiser starts.
    deadline = None if settings.pace is Pace.LIVE else now + timedelta(days=settings.round_days)
    require_round_move(row.phase, RoundPhase.OPEN)
    await rounds.change(conn, row.id, phase=RoundPhase.OPEN, posted_at=now, deadline=deadline)
    if row.stage is Stage.FINALS and season.phase is SeasonPhase.RUNNING:
        require_season_move(season.phase, SeasonPhase.FINALS)
        await seasons.change(conn, season.id, phase=SeasonPhase.FINALS)
    pairs = await matches.of_round(conn, row.id)
    for page in range(1, promises.pages_of(len(pairs), len(await matches.byes(conn, row.id))) + 1):
        await promises.promise(
            conn,
            key=promises.page_key(row, page),
            kind=PostKind.ROUND,
            league_id=season.league_id,
            now=now,
            season_id=season.id,
            round_id=row.id,
            facts={"page": page},
        )
    for match in pairs if len(pairs) <= MATCH_POSTS else ():
        await promises.promise(
            conn,
            key=f"match:{match.id}:posted",
            kind=PostKind.MATCH,
            league_id=season.league_id,
            now=now,
            season_id=season.id,
            round_id=row.id,
            match_id=match.id,
        )
    await note(
        conn,
        actor=actor,
        now=now,
        league=await leagues.get(conn, season.league_id),
        season=season,
        action="round.post",
        subject=f"round {row.number}",
        after={"stage": row.stage, "matches": len(pairs), "deadline": deadline and int(deadline.timestamp())},
    )


async def finish(conn: Connection, season: SeasonRow, champion: Name | None, now: datetime, actor: Actor) -> None:
    """End a season, with its champion if there is one, and promise its last post."""
    require_season_move(season.phase, SeasonPhase.FINISHED)
    winner = None if champion is None else await entrants.by_name(conn, season.id, champion)
    await seasons.change(
        conn,
        season.id,
        phase=SeasonPhase.FINISHED,
        ended_at=now,
        champion_id=None if winner is None else winner.id,
    )
    await promises.promise(
        conn,
        key=f"season:{season.id}:champion",
        kind=PostKind.CHAMPION,
        league_id=season.league_id,
        now=now,
        season_id=season.id,
    )
    await note(
        conn,
        actor=actor,
        now=now,
        league=await leagues.get(conn, season.league_id),
        season=season,
        action="season.end",
        subject=f"season {season.number}",
        before={"phase": season.phase},
        after={"phase": SeasonPhase.FINISHED, "champion": champion},
    )


async def refresh_draft(conn: Connection, season: SeasonRow, draft: RoundRow, now: datetime) -> None:
    """Pair a draft anew where results or the field changed; one changed by hand only when its players changed."""
    next_ = await _propose_or_tell(conn, season, now)
    if next_ is None:
        return
    if not isinstance(next_, Proposal):
        await rounds.remove(conn, draft.id)
        await _take_up(conn, season.id, next_, now, BOT)
        return
    pairs, byes = await _drafted(conn, draft)
    due_pairs, due_byes = {frozenset(pair.players) for pair in next_.pairs}, {bye.name for bye in next_.byes}
    if draft.by_hand is None:
        changed = (pairs, byes) != (due_pairs, due_byes)
    else:
        changed = byes.union(*pairs) != due_byes.union(*due_pairs)
    if changed:
        await rounds.remove(conn, draft.id)
        await save_draft(conn, season, next_, now)
        await _tell_of_new_draft(conn, season, draft, now)


async def _drafted(conn: Connection, draft: RoundRow) -> tuple[set[frozenset[Name]], set[Name]]:
    names = {entrant.id: Name(entrant.name) for entrant in await entrants.of_season(conn, draft.season_id)}
    pairs = {frozenset(names[player] for player in match.players) for match in await matches.of_round(conn, draft.id)}
    return pairs, {names[seat.entrant_id] for seat in await matches.byes(conn, draft.id)}


async def _tell_of_new_draft(conn: Connection, season: SeasonRow, draft: RoundRow, now: datetime) -> None:
    lost = " The changes made by hand are gone." if draft.by_hand is not None else ""
    await promises.tell(
        conn,
        season,
        f"round:{draft.number}:redrafted:{draft.id}",
        f"The draft of round {draft.number} was paired anew, because results or players changed.{lost} "
        "/round pair shows it, /round post publishes it.",
        now=now,
        target=Target.MODERATION,
    )
