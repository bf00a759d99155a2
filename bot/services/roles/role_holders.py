"""Who has a role through the bot: everyone in the season, and the champion; when one that fails is tried again.

Who should have one is worked out again after each change in a league, which its audit log tells; what differs is
promised here, and kept by the surface. So no one who lets something happen has to think of roles.
"""

from datetime import datetime, timedelta

from bot.services.base import outbox
from storage import shards
from storage.database import ALL_SHARDS, Connection, Shards
from storage.posts import Target
from storage.rows import LeagueId, LeagueRow
from storage.tables import held_roles, leagues, seasons
from storage.tables.field import entrants
from storage.tables.held_roles import HeldRole

REST = timedelta(hours=1)
"""How long a role that can't be given waits for its next try, if nothing else brings it back."""
MOST_TRIES = 100
"""As often a role of a deleted league that can't be taken is tried, an hour apart."""
AWAY = timedelta(days=1)
"""After so long someone who isn't on the server is tried again."""


def settle(conn: Connection, league_id: LeagueId, now: datetime) -> bool:
    """Promise what differs between who has a league's roles and who should; False where nothing did."""
    league, before = leagues.get(conn, league_id), held_roles.of_league(conn, league_id)
    people = dict.fromkeys((*_participants(conn, league), *_champion(conn, league)))
    held_roles.want(conn, league_id, tuple(people), now)
    held_roles.see(conn, league_id)
    return held_roles.of_league(conn, league_id) != before


def _participants(conn: Connection, league: LeagueRow) -> list[tuple[int, int]]:
    """Return who plays in the season that takes sign-ups or is played: the people in its seats now who haven't left."""
    season = seasons.live(conn, league.id)
    if season is None or league.participant_role_id is None:
        return []
    playing = (seat.discord_id for seat in entrants.of_season(conn, season.id) if seat.active)
    return [(account, league.participant_role_id) for account in playing if account is not None]


def _champion(conn: Connection, league: LeagueRow) -> list[tuple[int, int]]:
    """Return the champion of the newest season that has one: who sat in their seat in its last round."""
    season = seasons.last_won(conn, league.id)
    if season is None or season.champion_id is None or league.champion_role_id is None:
        return []
    account = entrants.get(conn, season.champion_id).discord_id
    return [] if account is None else [(account, league.champion_role_id)]


def due(conn: Connection, now: datetime, here: Shards = ALL_SHARDS) -> tuple[HeldRole, ...]:
    """Return what is to be given or taken now."""
    return held_roles.due(conn, now, shards.leagues_elsewhere(conn, here))


def to_do(conn: Connection, row_id: int) -> HeldRole | None:
    """Return what is to be done about one promise now; None where nothing is."""
    row = held_roles.find(conn, row_id)
    return None if row is None or row.given is row.wanted else row


def stays(conn: Connection, row: HeldRole) -> bool:
    """Whether a role isn't taken on Discord, because another league gives it too."""
    return not row.wanted and held_roles.wanted_elsewhere(conn, row.discord_id, row.role_id, row.id)


def done(conn: Connection, row: HeldRole, now: datetime) -> None:
    """Note that a role was given or taken as a promise said; those that couldn't be are tried again."""
    held_roles.done(conn, row.id, row.wanted)
    if not row.wanted:
        held_roles.forget(conn, row.id)
    if row.problem is not None and row.league_id is not None:
        held_roles.try_league(conn, row.league_id, now)


def away(conn: Connection, row: HeldRole, now: datetime) -> None:
    """Note that someone isn't on the server: they have no role to take, and get theirs once they are back."""
    if row.wanted:
        held_roles.failed(conn, row.id, now + AWAY, None)
    else:
        done(conn, row, now)


def later(conn: Connection, row: HeldRole, at: datetime) -> None:
    """Try a role again at a time, because Discord can't take it at the moment."""
    held_roles.failed(conn, row.id, at, row.problem)


def fail(conn: Connection, row: HeldRole, problem: str, now: datetime) -> None:
    """Note why a role can't be given or taken, and tell the organisers, once until it works again.

    Of a league that was deleted there is no one to tell: its roles are tried for some days.
    """
    if row.league_id is None and row.attempts >= MOST_TRIES:
        held_roles.forget(conn, row.id)
        return
    is_known = row.league_id is None or held_roles.problem_of(conn, row.league_id) is not None
    held_roles.failed(conn, row.id, now + REST, problem)
    if row.league_id is not None and not is_known:
        league = leagues.get(conn, row.league_id)
        outbox.tell(conn, league, problem, now=now, target=Target.MODERATION)


def try_again(conn: Connection, *, guild_id: int, now: datetime) -> bool:
    """Try the roles of a server's leagues again that couldn't be given; False where there are none."""
    return held_roles.try_guild(conn, guild_id, now) > 0


def name_of(conn: Connection, row: HeldRole) -> str:
    """Return which role of its league a promise is about."""
    league = None if row.league_id is None else leagues.get(conn, row.league_id)
    if league is None:
        return "former role"
    if row.role_id == league.participant_role_id:
        return "participant role"
    return "champion role" if row.role_id == league.champion_role_id else "former role"
