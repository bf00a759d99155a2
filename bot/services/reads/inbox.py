"""The moderators' inbox: everything that waits for a person."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bot.services.base import hooks
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order
from bot.services.base.permissions import is_organiser
from bot.services.base.post_kinds import Gone, Post
from bot.services.base.transaction import MODERATOR, read_transaction
from bot.services.play import unanswered
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import LeagueRow
from storage.tables import leagues


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """What waits for the moderators of a league, by its kind, in order; `soon` is what may wait later, a line each.

    Where nobody who reads it `organises`, what only organisers settle waits for them.
    """

    league: LeagueRow
    waiting: Mapping[PendingItems, Any]
    soon: tuple[str, ...] = ()
    organises: bool = True

    @property
    def sections(self) -> tuple[Section, ...]:
        """Return what waits in words."""
        return tuple(self._section(wait, rows) for wait, rows in self.waiting.items())

    @property
    def to_settle(self) -> dict[str, Any]:
        """Return what its readers can settle, by the names of its kinds."""
        return {wait.name: rows for wait, rows in self.waiting.items() if self._is_theirs(wait)}

    @property
    def count(self) -> int:
        """Return how many things wait."""
        return sum(map(len, self.waiting.values()))

    def rows(self, name: str) -> Any:
        """Return what waits of a kind; nothing where nothing does."""
        return next((rows for wait, rows in self.waiting.items() if wait.name == name), ())

    @property
    def empty(self) -> bool:
        """Return whether nothing waits."""
        return not self.waiting

    def _section(self, wait: PendingItems, rows: Any) -> Section:
        section = wait.section(rows)
        return section if self._is_theirs(wait) else replace(section, step="That's up to an organiser.")

    def _is_theirs(self, wait: PendingItems) -> bool:
        return self.organises or not wait.by_organisers


def inbox(conn: Connection, order: Order) -> Inbox:
    """Return a league's inbox; raises NotAllowed for anyone but moderators."""
    tx = read_transaction(conn, order, by=MODERATOR)
    return replace(of_league(tx.conn, tx.league), organises=is_organiser(tx.league, tx.actor))


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPost(Post):
    """Everything that still waits for a league's moderators, told once a day."""

    inbox: Inbox


def load(conn: Connection, post: PostRow, _: datetime) -> WaitingPost:
    """Load what waits; raises Gone for nothing."""
    inbox = of_league(conn, leagues.get(conn, post.league_id))
    if inbox.empty:
        raise Gone
    return WaitingPost(inbox=inbox)


def of_league(conn: Connection, league: LeagueRow) -> Inbox:
    """Return everything that waits for a league's moderators."""
    young = unanswered.young(conn, league.id)
    return Inbox(league=league, waiting=hooks.waiting(conn, league.id), soon=(young,) if young else ())
