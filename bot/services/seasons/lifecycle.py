"""The life of a season: create, start, change, cancel, finish."""

from collections.abc import Mapping
from datetime import datetime
from types import EllipsisType
from typing import Any

from bot.league.draw import salt_of
from bot.league.errors import Conflict, Invalid, WrongPhase
from bot.league.formats import ALL, by_key
from bot.league.model import Name
from bot.league.phases import PLAYING, RoundPhase, SeasonPhase, require_season_move
from bot.league.ratings import new_rating
from bot.services import find
from bot.services.act import Act, note, shortened
from bot.services.outbox import promises
from bot.services.permissions import BOT, Actor, require_organiser
from bot.services.rounds import progress
from bot.services.seasons import careers
from bot.services.seasons.overview import (
    SeasonView,
    view,
)
from storage import entrants, matches, rounds, rules_season, seasons
from storage.database import Connection, Database
from storage.rows import EntrantRow, LeagueId, LeagueRow, SeasonRow

NEVER_PAIRING = ("advance", "overdue", "round_days", "confirm_hours", "max_players")
"""Settings that change no pairing: an organiser can change them while the season is played."""


async def create(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    format: str,
    settings: Mapping[str, Any] | None = None,
    signups_close: datetime | None = None,
    salted: bool = False,
) -> SeasonView:
    """Open sign-ups for a league's next season."""
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        await _require_no_live_season(conn, league)
        given = _without_salt(settings or {})
        if not by_key(format).paired:
            raise Invalid(f"no season can be played as {format!r}; the formats are {', '.join(f.key for f in ALL)}")
        by_key(format).read_settings(given)
        _require_ahead(signups_close, now)
        season = await seasons.add(
            conn,
            league_id=league.id,
            number=await seasons.next_number(conn, league.id),
            format=format,
            settings=given,
            salted=salted,
            phase=SeasonPhase.SIGNUP,
            signups_close=signups_close,
            created_at=now,
        )
        after = {"format": format, "settings": given, "salted": salted, "signups_close": _iso(signups_close)}
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="season.create",
            subject=f"season {season.number}", after=after,
        )  # fmt: skip
        await promises.owe(conn, promises.PostKind.SIGNUP, season, now=now)
        return await view(conn, season)


async def _require_no_live_season(conn: Connection, league: LeagueRow) -> None:
    live = await seasons.live(conn, league.id)
    if live is None:
        return
    if live.phase is SeasonPhase.SIGNUP:
        raise Conflict(
            f"Season {live.number} takes sign-ups already. /season start starts it, /season settings changes it,"
            " /season cancel takes it back."
        )
    raise Conflict(f"Season {live.number} is still being played. /season finish or /season cancel ends it first.")


def _without_salt(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain settings; the salt itself cannot be chosen, else whoever chooses it chooses the draw."""
    if settings.get("salt") is not None:
        raise Invalid("salt: it is made from the names when sign-ups close; say only yes or no.")
    return {key: value for key, value in settings.items() if key != "salt"}


def _require_ahead(moment: datetime | None, now: datetime) -> None:
    if moment is not None and moment <= now:
        raise Invalid("signups_close: this moment is over. Give one to come, for example 3d or 12h.")


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


async def start(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> SeasonView:
    """Close sign-ups, then pair and post round 1."""
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        season = await begin(conn, await find.live_season(conn, league), actor=actor, now=now)
        return await view(conn, season)


async def begin(conn: Connection, season: SeasonRow, *, actor: Actor, now: datetime) -> SeasonRow:
    """Start a season inside a transaction; raises WrongPhase, and Conflict with too few players."""
    if season.phase is not SeasonPhase.SIGNUP:
        raise WrongPhase(f"Season {season.number} has started already. /season status shows the next step.")
    people = [who for who in await entrants.of_season(conn, season.id) if who.active]
    _require_enough(season, len(people))
    await _fix_ratings(conn, season, people)
    salt = season.salt or (salt_of(Name(who.name) for who in people) if season.salted else None)
    require_season_move(season.phase, SeasonPhase.RUNNING)
    started = await seasons.change(
        conn, season.id, phase=SeasonPhase.RUNNING, started_at=now, signups_close=None, salt=salt
    )
    league = await find.league(conn, season.league_id)
    await note(
        conn, actor=actor, now=now, league=league, season=season, action="season.start",
        subject=f"season {season.number}", before={"phase": season.phase},
        after={"phase": started.phase, "players": len(people), "salt": salt},
    )  # fmt: skip
    await promises.touch(conn, season, now=now)
    await promises.owe(conn, promises.PostKind.START, season, now=now)
    await _tell_cut(conn, started, len(people), now)
    await progress.pair_and_post(await Act.inside(conn, BOT, season.id, now=now))
    return await seasons.get(conn, season.id)


def _require_enough(season: SeasonRow, count: int) -> None:
    fewest = max(2, by_key(season.format).fewest_players)
    if count >= fewest:
        return
    hint = "" if fewest == 2 else " Fewer can play single elimination: /season cancel, then /season create."
    raise Conflict(
        f"Season {season.number} needs at least {fewest} players and has {count}."
        f" More join with /signup, or an organiser adds them with /player add.{hint}"
    )


async def _fix_ratings(conn: Connection, season: SeasonRow, people: list[EntrantRow]) -> None:
    """Note everybody's rating at the start: what the draws and tables of this season go by from now on."""
    known = await careers.ratings_before(conn, season.league_id, season.number or 0)
    new = new_rating(rules_season.settings_of(season).rating)
    for who in people:
        if who.mu is None:  # an imported file may have said it
            rating = known.get(who.player_id, new)
            await entrants.change(conn, who.id, mu=rating.mu, sigma=rating.sigma)


async def _tell_cut(conn: Connection, season: SeasonRow, count: int, now: datetime) -> None:
    cut = rules_season.settings_of(season).cut
    if cut is None or cut <= count:
        return
    await promises.tell(
        conn,
        season,
        f"The cut of {cut} is larger than the field: the finals have room for {count} players.",
        now=now,
    )


async def change_settings(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    settings: Mapping[str, Any] | None = None,
    signups_close: datetime | EllipsisType | None = ...,
) -> SeasonView:
    """Change settings of the season: any before the start, later those that never change a pairing."""
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        season = await find.live_season(conn, league)
        given = _without_salt(settings or {})
        if season.phase in PLAYING:
            _require_harmless(season, given, signups_close)
        if not isinstance(signups_close, EllipsisType):
            _require_ahead(signups_close, now)
        merged = {**season.settings, **given}
        read = by_key(season.format).read_settings(merged)
        await _require_seats(conn, season, read.max_players)
        changes: dict[str, Any] = {"settings": merged}
        if not isinstance(signups_close, EllipsisType):
            changes["signups_close"] = signups_close
        changed = await seasons.change(conn, season.id, **changes)
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="season.settings",
            subject=f"season {season.number}", before=_settings_state(season), after=_settings_state(changed),
        )  # fmt: skip
        await promises.touch(conn, season, now=now)
        if season.phase in PLAYING:
            await progress.advance(await Act.inside(conn, BOT, season.id, now=now))
        return await view(conn, await seasons.get(conn, season.id))


def _settings_state(season: SeasonRow) -> dict[str, Any]:
    return {"settings": season.settings, "signups_close": _iso(season.signups_close)}


def _require_harmless(
    season: SeasonRow, given: Mapping[str, Any], signups_close: datetime | EllipsisType | None
) -> None:
    fixed = [key for key, value in given.items() if key not in NEVER_PAIRING and season.settings.get(key) != value]
    if not isinstance(signups_close, EllipsisType):
        fixed.append("signups_close")
    if fixed:
        raise WrongPhase(
            f"{', '.join(fixed)}: fixed since season {season.number} started."
            f" Only {', '.join(NEVER_PAIRING)} can change while it is played."
        )


async def _require_seats(conn: Connection, season: SeasonRow, limit: int | None) -> None:
    count = sum(who.active for who in await entrants.of_season(conn, season.id))
    if limit is not None and limit < count:
        raise Conflict(f"max_players: {count} are in season {season.number} already. Choose at least as many.")


async def cancel(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, reason: str | None) -> SeasonView:
    """Call a season off; before round 1 is published its number is used again."""
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        words = shortened(reason)
        season = await find.live_season(conn, league)
        require_season_move(season.phase, SeasonPhase.CANCELLED)
        played = await rounds.latest(conn, season.id) is not None
        await _stop(conn, season, now)
        changed = await seasons.change(
            conn,
            season.id,
            phase=SeasonPhase.CANCELLED,
            number=season.number if played else None,
            ended_at=now,
            signups_close=None,
        )
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="season.cancel",
            subject=f"season {season.number}", before={"phase": season.phase, "number": season.number},
            after={"phase": changed.phase, "number": changed.number}, reason=words,
        )  # fmt: skip
        await _tell_cancelled(conn, season, words, now)
        return await view(conn, changed)


async def _tell_cancelled(conn: Connection, season: SeasonRow, reason: str | None, now: datetime) -> None:
    await promises.tell(
        conn,
        season,
        f"Season {season.number} was cancelled{f': {reason}' if reason else '.'}",
        now=now,
    )


async def _stop(conn: Connection, season: SeasonRow, now: datetime) -> None:
    """End what goes on in a season: no draft, no open round, no post that was not made yet."""
    draft = await rounds.draft(conn, season.id)
    if draft is not None:
        await rounds.remove(conn, draft.id)
    latest = await rounds.latest(conn, season.id)
    if latest is not None and latest.phase is RoundPhase.OPEN:
        await rounds.change(conn, latest.id, phase=RoundPhase.CLOSED, closed_at=now)
    await promises.cancel_unsent(conn, season)
    await promises.touch_stopped(conn, season, now=now)


async def finish(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, reason: str | None) -> SeasonView:
    """End a season as it stands; raises WrongPhase while a match has no result."""
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        words = shortened(reason)
        season = await find.playing_season(conn, league)
        await _require_decided(conn, season)
        require_season_move(season.phase, SeasonPhase.FINISHED)
        await _stop(conn, season, now)
        changed = await seasons.change(conn, season.id, phase=SeasonPhase.FINISHED, ended_at=now)
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="season.finish",
            subject=f"season {season.number}", before={"phase": season.phase}, after={"phase": changed.phase},
            reason=words,
        )  # fmt: skip
        await promises.owe(conn, promises.PostKind.CHAMPION, changed, now=now)
        return await view(conn, changed)


async def _require_decided(conn: Connection, season: SeasonRow) -> None:
    latest = await rounds.latest(conn, season.id)
    waiting = 0 if latest is None else await matches.count_unfinished(conn, latest.id)
    if latest is not None and waiting:
        missing = "1 match has" if waiting == 1 else f"{waiting} matches have"
        raise WrongPhase(
            f"{missing} no confirmed result in round {latest.number}. Enter them with /result set,"
            " or use /season cancel."
        )
