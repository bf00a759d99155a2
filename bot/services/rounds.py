"""The life of a round as organisers and players see it: pair, look, swap, post, extend, close, take back."""

from dataclasses import dataclass
from datetime import datetime

from bot.services.actors import Actor
from bot.services.views import MatchView, RoundView
from storage.database import Connection, Database
from storage.rows import LeagueId, SeasonId


@dataclass(frozen=True, slots=True, kw_only=True)
class MyMatch:
    """A player's place in the current round, and what he can do."""

    match: MatchView | None
    bye: bool
    what_to_do: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawLine:
    """A draw anybody can recompute: its text, its value and the shell line that prints it."""

    text: str
    value: str
    shell: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a player was paired as he was; `by_hand` is the reason an organiser changed the round."""

    title: str
    sentences: tuple[str, ...]
    draws: tuple[DrawLine, ...]
    by_hand: str | None


async def pair(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> RoundView:
    """Pair the next round as a draft only organisers see."""
    raise NotImplementedError


async def post(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> RoundView:
    """Publish the draft, or pair and publish the next round where there is none."""
    raise NotImplementedError


async def swap(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, first: str, second: str, reason: str
) -> RoundView:
    """Exchange two players' places in the draft or the open round."""
    raise NotImplementedError


async def extend(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, days: int, match: str | int | None = None
) -> RoundView:
    """Give the open round, or one match of it, more days."""
    raise NotImplementedError


async def close(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId) -> RoundView | None:
    """End the open round; returns the next one if it was posted at once."""
    raise NotImplementedError


async def undo(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, reason: str) -> RoundView:
    """Take back the draft, or the last posted round while it has no results; returns it as it was."""
    raise NotImplementedError


async def current(db: Database, *, league_id: LeagueId, number: int | None = None) -> RoundView:
    """Return the last posted round of the league's newest season, or the round of this number."""
    raise NotImplementedError


async def my_match(db: Database, *, actor: Actor, league_id: LeagueId) -> MyMatch:
    """Return the asking player's match, or his bye, in the current round."""
    raise NotImplementedError


async def why(db: Database, *, actor: Actor, league_id: LeagueId, player: str | None = None) -> Why:
    """Return why a player (default: the one who asks) was paired as he was in the current round."""
    raise NotImplementedError


async def match_choices(
    db: Database, *, league_id: LeagueId, typed: str, actor: Actor | None = None
) -> tuple[tuple[str, str], ...]:
    """Return at most 25 (label, value) of matches for autocomplete; with `actor` his own matches alone."""
    raise NotImplementedError


async def pair_and_post(conn: Connection, season_id: SeasonId, now: datetime) -> None:
    """Pair and post the next round inside a transaction, or end the season; raises PairingImpossible."""
    raise NotImplementedError


async def advance(conn: Connection, season_id: SeasonId, now: datetime) -> None:
    """Do what follows of itself after a change, inside its transaction."""
    raise NotImplementedError
