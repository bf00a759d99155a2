"""Which player of a league a Discord user is, or becomes (docs/rules.md, 1)."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, Invalid, LeagueError
from bot.league.model import Name
from bot.league.names import check_name, look_alike_key, require_free
from bot.services.act import note
from bot.services.permissions import Actor
from storage import players
from storage.database import Connection
from storage.rows import LeagueRow, PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """Who wants in: his Discord id, the name he asks for, and the one Discord shows."""

    discord_id: int
    wanted: str | None
    display_name: str
    deck: str | None
    by_organiser: bool

    @property
    def wanted_name(self) -> str | None:
        """Return the name he asks for as names are kept, unchecked."""
        return None if self.wanted is None else unicodedata.normalize("NFC", self.wanted).strip()


async def known_player(
    conn: Connection, league: LeagueRow, newcomer: Newcomer, *, actor: Actor, now: datetime, reason: str | None
) -> PlayerRow | None:
    """Return the player somebody is; raises Conflict where he asks for another name.

    An organiser who names an imported player makes somebody that player. Nobody can do this for himself: names are
    free to type, so whoever came first would take another's record and rating.
    """
    known = await players.by_discord(conn, league.id, newcomer.discord_id)
    wanted = newcomer.wanted_name
    if known is not None:
        _require_own_name(known, newcomer)
        return known
    holder = None if wanted is None else await players.by_name(conn, league.id, wanted)
    if not newcomer.by_organiser or holder is None or holder.discord_id is not None:
        return None
    await players.link(conn, holder.id, newcomer.discord_id)
    await note(
        conn, actor=actor, now=now, league=league, action="player.link", subject=holder.name,
        before={"discord_id": None}, after={"discord_id": newcomer.discord_id}, reason=reason,
    )  # fmt: skip
    return await players.get(conn, holder.id)


def _require_own_name(player: PlayerRow, newcomer: Newcomer) -> None:
    if newcomer.wanted_name in (None, player.name):
        return
    if newcomer.by_organiser:
        raise Conflict(
            f"This person is {player.name} in this league. Leave the name out;"
            " /player rename changes it between seasons."
        )
    raise Conflict(
        f"Your league name is {player.name} and stays it: sign up without a name."
        " An organiser can change it between seasons with /player rename."
    )


async def new_player(conn: Connection, league: LeagueRow, newcomer: Newcomer, now: datetime) -> PlayerRow:
    """Add somebody the league does not know; raises Invalid and Conflict where the name cannot be his."""
    name = _new_name(newcomer)
    holder = await players.by_name(conn, league.id, name)
    if holder is not None and holder.discord_id is None:
        raise Conflict(_imported(holder, newcomer))
    try:
        require_free(name, (Name(taken) for taken in await players.names_of(conn, league.id)))
    except Conflict as taken:
        if newcomer.wanted is not None:
            raise
        raise Conflict(f"{taken} {_other_name(newcomer)}") from None
    return await players.add(
        conn,
        league_id=league.id,
        discord_id=newcomer.discord_id,
        name=name,
        name_key=look_alike_key(name),
        created_at=now,
    )


def _new_name(newcomer: Newcomer) -> Name:
    if newcomer.wanted is not None:
        return check_name(newcomer.wanted)
    try:
        return check_name(newcomer.display_name)
    except LeagueError as refused:
        raise Invalid(f"The display name cannot be a league name. {refused} {_other_name(newcomer)}") from None


def _other_name(newcomer: Newcomer) -> str:
    return f"Use {'/player add' if newcomer.by_organiser else '/signup'} name: with another name."


def _imported(holder: PlayerRow, newcomer: Newcomer) -> str:
    if newcomer.by_organiser:
        return (
            f"{holder.name} is a player of an earlier season. If this is the same person, write the name in"
            " /player add name: too; if not, write another one there."
        )
    return (
        f"{holder.name} is a player of an earlier season. If that is you, ask an organiser for /player add with your"
        f" user and the name {holder.name}. If not: {_other_name(newcomer)}"
    )
