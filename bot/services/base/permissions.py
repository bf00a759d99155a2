"""Who asks, and what they may do in a league: who counts as its organiser, and who as its moderator."""

from dataclasses import dataclass

from bot.league.errors import NotAllowed
from storage.rows import LeagueRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """A person with what decides their rights; `user_id` is None for the bot itself.

    Someone who answers a direct message acts for themselves alone: their roles in a guild aren't known there. In the
    thread `thread_id` of a match they mean that match.
    """

    user_id: int | None
    name: str
    role_ids: frozenset[int] = frozenset()
    manage_guild: bool = False
    guild_id: int | None = None
    direct: bool = False
    thread_id: int | None = None


BOT = Actor(user_id=None, name="Fairpair", manage_guild=True)
"""The clock and the program: what no person did."""


def belongs(league: LeagueRow, actor: Actor) -> bool:
    """Whether a league is of the actor's server; the bot itself and answers to direct messages belong everywhere."""
    return actor is BOT or actor.direct or actor.guild_id == league.guild_id


def is_organiser(league: LeagueRow, actor: Actor) -> bool:
    """Whether an actor runs a league: Manage Server, or the league's organiser role."""
    return belongs(league, actor) and (actor.manage_guild or league.organiser_role_id in actor.role_ids)


def is_moderator(league: LeagueRow, actor: Actor) -> bool:
    """Whether an actor settles a league's disputes: its moderator role, or an organiser."""
    return is_organiser(league, actor) or (belongs(league, actor) and league.moderator_role_id in actor.role_ids)


def require_organiser(league: LeagueRow, actor: Actor) -> None:
    """Raise NotAllowed unless the actor runs the league."""
    if not is_organiser(league, actor):
        raise NotAllowed(f"Only organisers of {league.name} can do this. Ask one of them.")


def require_moderator(league: LeagueRow, actor: Actor) -> None:
    """Raise NotAllowed unless the actor settles the league's disputes."""
    if not is_moderator(league, actor):
        raise NotAllowed(f"Only moderators and organisers of {league.name} can do this. Ask one of them.")
