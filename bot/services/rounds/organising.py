"""The life of a round as organisers lead it: pair, look, swap, post, extend, close, take back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.league.errors import Conflict, Invalid, NotFound, WrongPhase
from bot.league.history import meetings_before
from bot.league.model import Name, Stage
from bot.league.phases import MatchState, RoundPhase, SeasonPhase
from bot.league.proposal import Proposal
from bot.league.settings import Pace
from bot.services import find
from bot.services.act import note, shortened
from bot.services.matches import choosing, loading
from bot.services.matches.views import MatchView, RoundView
from bot.services.outbox import promises
from bot.services.outbox.promises import PostKind
from bot.services.permissions import Actor, require_organiser
from bot.services.rounds import progress
from bot.services.ties import state
from storage import entrants, matches, reports, rounds, rules_season, seasons
from storage.database import Connection, Database
from storage.rows import EntrantId, EntrantRow, LeagueId, LeagueRow, RoundRow, SeasonRow

MOST_DAYS = 365
SHOWN = 10


async def pair(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> RoundView:
    """Pair the next round as a draft only organisers see; a draft that is there already is paired anew.

    Raises NotAllowed, WrongPhase while results are missing or where no round follows, and PairingImpossible.
    """
    async with db.transaction() as conn:
        league, season = await _led(conn, actor, league_id)
        await _make_room(conn, season, now, actor)
        row = await _draft(conn, season, now)
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="round.pair", subject=f"round {row.number}"
        )
        return await loading.round_view(conn, row)


async def post(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> RoundView:
    """Publish the draft, or pair and publish the next round where there is none; raises as `pair` does."""
    async with db.transaction() as conn:
        _, season = await _led(conn, actor, league_id)
        row = await rounds.draft(conn, season.id)
        if row is None:
            await _make_room(conn, season, now, actor)
            row = await _draft(conn, season, now)
        await state.require_decided(conn, season)
        await progress.publish(conn, season, row, now, actor)
        # A round of byes alone has nothing to wait for.
        await progress.advance(conn, season.id, now)
        return await loading.round_view(conn, await rounds.get(conn, row.id))


async def _led(conn: Connection, actor: Actor, league_id: LeagueId) -> tuple[LeagueRow, SeasonRow]:
    """Return a league and the season that is played, for an organiser."""
    league = await find.league(conn, league_id)
    require_organiser(league, actor)
    return league, await find.playing_season(conn, league)


async def _make_room(conn: Connection, season: SeasonRow, now: datetime, actor: Actor) -> None:
    """Close the open round if its results are in, and take away a draft."""
    row = await progress.going_on(conn, season.id)
    if row is None:
        return
    if row.phase is RoundPhase.DRAFT:
        await rounds.remove(conn, row.id)
        return
    await _require_results(conn, row)
    await progress.close_round(conn, season, row, now, actor)


async def _require_results(conn: Connection, row: RoundRow) -> None:
    missing = (await loading.round_view(conn, row)).missing
    if missing:
        raise WrongPhase(
            f"Round {row.number} still needs results: {_listed(missing)}. Players report with /report, a moderator "
            "decides with /result set, /round extend gives more time."
        )


def _listed(found: Sequence[MatchView]) -> str:
    shown = [f"{match.label} ({match.state_words})" for match in found[:SHOWN]]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return ", ".join(shown) + more


async def _draft(conn: Connection, season: SeasonRow, now: datetime) -> RoundRow:
    next_ = await progress.propose(conn, season.id)
    if isinstance(next_, Proposal):
        return await progress.save_draft(conn, season, next_, now)
    decided = f"{next_.name} is the champion" if next_.name else "the season is decided"
    raise WrongPhase(f"No round follows: {decided}. /round close ends the round and the season with it.")


async def swap(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    first: str,
    second: str,
    reason: str | None = None,
) -> RoundView:
    """Exchange two players' places in the draft or the open round, where nothing was reported in their matches.

    Raises NotAllowed, NotFound, Invalid, WrongPhase and Conflict.
    """
    async with db.transaction() as conn:
        league, season = await _led(conn, actor, league_id)
        row = await progress.going_on(conn, season.id)
        if row is None:
            raise WrongPhase("There is no round to change now. /round pair makes a draft of the next one.")
        why = shortened(reason) or "two players exchanged"
        players = [await choosing.find_seat(conn, season, row, name) for name in (first, second)]
        before = await _require_swappable(conn, row, players)
        await matches.swap(conn, players[0].id, players[1].id, row.id)
        by_hand = why if row.by_hand is None else f"{row.by_hand}; {why}"
        row = await rounds.change(conn, row.id, by_hand=by_hand)
        after = await _explain_swap(conn, season, row, players, why)
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="round.swap", reason=why,
            subject=f"round {row.number}", before={"pairings": before}, after={"pairings": after},
        )  # fmt: skip
        if row.phase is RoundPhase.OPEN:
            await _tell_of_swap(conn, season, row, after, now)
        return await loading.round_view(conn, row)


async def _require_swappable(conn: Connection, row: RoundRow, players: Sequence[EntrantRow]) -> list[str]:
    """Return the pairings of two players, unless they meet each other or something was reported."""
    gone = next((player for player in players if not player.active), None)
    if players[0].id == players[1].id:
        raise Invalid(f"Name two different players: both are {players[0].name}.")
    if gone is not None:
        raise Conflict(f"{gone.name} has left the season, so nobody can be given to play against.")
    found = [await matches.in_round(conn, row.id, player.id) for player in players]
    if found[0] == found[1]:
        raise Invalid(f"{players[0].name} and {players[1].name} are together already: there is nothing to exchange.")
    if row.stage is Stage.FINALS and None in found:
        raise Invalid("In a bracket only opponents can be exchanged: name two players who both have a match.")
    for match in found:
        if match is not None and match.state is not MatchState.OPEN:
            view = await loading.match_view(conn, match.id)
            raise Conflict(
                f"{view.label} is {view.state_words}. /result clear takes that back; then it can be changed."
            )
    return await _pairings(conn, row, [player.id for player in players])


async def _pairings(conn: Connection, row: RoundRow, players: Sequence[EntrantId]) -> list[str]:
    """Return the matches and byes of some players in words."""
    view = await loading.round_view(conn, row)
    listed = [
        f"{match.upper.name} v {match.lower.name}"
        for match in view.matches
        if any(side.entrant_id in players for side in match.sides)
    ]
    return [*listed, *(f"bye for {bye.name}" for bye in view.byes if bye.entrant_id in players)]


async def _explain_swap(
    conn: Connection, season: SeasonRow, row: RoundRow, players: Sequence[EntrantRow], why: str
) -> list[str]:
    """Note in the changed matches that they were made by hand, and whether they are rematches."""
    met = meetings_before(await rules_season.load(conn, season.id), row.number)
    people = await loading.people_of(conn, season)
    for player in players:
        match = await matches.in_round(conn, row.id, player.id)
        if match is None:
            continue
        upper, lower = (Name(people[side].name) for side in match.players)
        again = met.between(upper, lower) is not None
        told = f"An organiser paired {upper} v {lower} by hand{', a rematch' if again else ''}: {why}"
        await matches.save(conn, replace(match, rematch=again, why=(told,), draws=()))
    return await _pairings(conn, row, [player.id for player in players])


async def _tell_of_swap(conn: Connection, season: SeasonRow, row: RoundRow, pairings: list[str], now: datetime) -> None:
    await promises.touch(conn, round_id=row.id, now=now)
    view = await loading.round_view(conn, row)
    named = [match for match in view.matches if f"{match.upper.name} v {match.lower.name}" in pairings]
    await promises.promise(
        conn,
        key=f"season:{season.id}:round:{row.number}:swap:{int(now.timestamp())}:{len(row.by_hand or '')}",
        kind=PostKind.NOTICE,
        league_id=season.league_id,
        now=now,
        season_id=season.id,
        round_id=row.id,
        facts={
            "text": f"Round {row.number} was changed by hand: {', '.join(pairings)}. Reason: {row.by_hand}",
            "pings": [side.discord_id for match in named for side in match.sides if side.discord_id is not None],
        },
    )


async def extend(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    days: int,
    match: str | int | None = None,
    deadline: int | None = None,
) -> RoundView:
    """Give the open round, or one match of it, more days; days count from the deadline, or from now if it is over.

    With `deadline`, in seconds since 1970, only while that is the round's; else raises Conflict.
    """
    async with db.transaction() as conn:
        league, season = await _led(conn, actor, league_id)
        if not 1 <= days <= MOST_DAYS:
            raise Invalid(f"A deadline can be moved by 1 to {MOST_DAYS} days, not by {days}.")
        row = await rounds.latest(conn, season.id)
        if row is None or row.phase is not RoundPhase.OPEN:
            raise WrongPhase(
                "No round is open now, so there is no deadline to move. /season status shows what is next."
            )
        if rules_season.settings_of(season).pace is Pace.LIVE:
            raise WrongPhase(
                "This is a live event: its rounds have a clock and no days. /round start-clock sets the clock anew."
            )
        if deadline is not None and (row.deadline is None or int(row.deadline.timestamp()) != deadline):
            raise Conflict(f"That button is outdated: the deadline of round {row.number} has moved since.")
        if match is None:
            subject, before, after = await _extend_round(conn, row, days, now)
        else:
            view = await choosing.find(conn, actor=actor, league_id=league_id, match=match)
            subject, before, after = await _extend_match(conn, row, view, days, now)
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="round.extend", subject=subject,
            before={"deadline": int(before.timestamp())}, after={"deadline": int(after.timestamp())},
        )  # fmt: skip
        return await loading.round_view(conn, await rounds.get(conn, row.id))


async def _extend_round(conn: Connection, row: RoundRow, days: int, now: datetime) -> tuple[str, datetime, datetime]:
    before = row.deadline or now
    after = max(before, now) + timedelta(days=days)
    await rounds.change(conn, row.id, deadline=after)
    await matches.forget_overdue(conn, row.id, after)
    await promises.touch(conn, round_id=row.id, now=now)
    return f"round {row.number}", before, after


async def _extend_match(
    conn: Connection, row: RoundRow, view: MatchView, days: int, now: datetime
) -> tuple[str, datetime, datetime]:
    if view.match.round_id != row.id or view.match.state is MatchState.CONFIRMED:
        raise WrongPhase(f"{view.label} is not waiting for a result, so it has no deadline to move.")
    before = view.deadline or now
    after = max(before, now) + timedelta(days=days)
    await matches.set_time(conn, view.match.id, deadline=after, overdue_at=None)
    await promises.touch(conn, match_id=view.match.id, now=now)
    return view.label, before, after


async def close(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> RoundView | None:
    """End the open round, whose results are all in; what follows of itself is done.

    Returns the next round if it was posted at once. Raises WrongPhase naming the results that are missing.
    """
    async with db.transaction() as conn:
        _, season = await _led(conn, actor, league_id)
        row = await rounds.latest(conn, season.id)
        if row is None or row.phase is not RoundPhase.OPEN:
            raise WrongPhase("No round is open now. /round pair makes a draft of the next one.")
        await _require_results(conn, row)
        await state.require_decided(conn, season)
        await progress.close_round(conn, season, row, now, actor)
        await progress.after_closing(conn, season, now, actor)
        latest = await rounds.latest(conn, season.id)
        return None if latest is None or latest.id == row.id else await loading.round_view(conn, latest)


async def undo(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, reason: str | None = None
) -> RoundView:
    """Take back the draft, or the last posted round while nothing was reported in it; returns it as it was.

    Raises NotAllowed, Invalid, NotFound, WrongPhase and Conflict.
    """
    async with db.transaction() as conn:
        league, season = await _led(conn, actor, league_id)
        why = shortened(reason)
        row = await progress.going_on(conn, season.id)
        if row is None:
            raise NotFound("There is no draft and no open round to take back. /season status shows what is next.")
        view = await loading.round_view(conn, row)
        if row.phase is RoundPhase.OPEN:
            _require_untouched(view)
            because = f" ({why})" if why else ""
            text = f"Round {row.number} was taken back{because}. These pairings don't count; a new round follows."
            await promises.withdraw(conn, row.id, text=text, now=now)
            await entrants.leave_before_pairing(conn, season.id, row.number)
        await _remove(conn, season, row)
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="round.undo", reason=why,
            subject=f"round {row.number}", before={"pairings": [match.label for match in view.matches]},
        )  # fmt: skip
        return view


def _require_untouched(view: RoundView) -> None:
    touched = [match for match in view.matches if match.match.state is not MatchState.OPEN]
    if touched:
        raise Conflict(
            f"Round {view.round.number} has results: {_listed(touched)}. A moderator can take them back with "
            "/result clear; a round without results can be taken back."
        )


async def _remove(conn: Connection, season: SeasonRow, row: RoundRow) -> None:
    """Delete a round with what was ever said of its matches; without finals the season is in its regular stage."""
    await reports.forget_round(conn, row.id)
    await rounds.remove(conn, row.id)
    left = await rounds.of_season(conn, season.id)
    if season.phase is SeasonPhase.FINALS and not any(other.stage is Stage.FINALS for other in left):
        await seasons.change(conn, season.id, phase=SeasonPhase.RUNNING)
