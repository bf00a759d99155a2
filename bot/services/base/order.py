"""Who asks, when and in which league: what every use case is given."""

from dataclasses import dataclass, replace
from datetime import datetime

from bot.services.base.permissions import BOT, Actor
from storage.rows import LeagueId


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A person's question or wish at a moment; without a league where what is meant tells it, as a match does."""

    actor: Actor
    now: datetime
    league_id: LeagueId | None = None

    def of(self, league_id: LeagueId | None) -> "Order":
        """Return the same order in another league."""
        return replace(self, league_id=league_id)


def by_bot(now: datetime, league_id: LeagueId | None = None) -> Order:
    """Return the bot's own order: what the clock, a post or the person who runs it asks for."""
    return Order(actor=BOT, now=now, league_id=league_id)
