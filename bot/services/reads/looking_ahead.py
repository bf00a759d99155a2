"""What players still need: whose outlook is asked for, when it's too early or over for them.

`bot/steps.py` lets it be worked out beside the bot, and keeps it until something of the season changes.
"""

from dataclasses import dataclass

from bot.league.errors import WrongPhase
from bot.league.season.model import DepartureKind, Name, Season
from bot.league.season.phases import PLAYING
from bot.league.summaries.outlook.prospects import Outlook, Prospect, Verdict
from bot.services.base import cached, find
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, playing, read_transaction
from bot.services.play.field.eligibility import knocked_out_in
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, PlayerId, SeasonId, SeasonRow
from storage.tables import rounds, seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlookView:
    """What one player of a season needs; `own` for the person who asks, `outlook` None once it's over for them."""

    season: SeasonRow
    league: LeagueRow
    player_id: PlayerId
    name: str
    own: bool
    prospect: Prospect
    outlook: Outlook | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAbout:
    """Whose outlook is asked for; `over` says why the season is over for them, if it is."""

    season: SeasonRow
    league: LeagueRow
    entrant: EntrantRow
    own: bool
    over: Prospect | None


def season_played(conn: Connection, season_id: SeasonId) -> Season | None:
    """Return a season that is played as the rules see it, or None."""
    row = seasons.get(conn, season_id)
    return cached.complete(conn, row) if row.phase in PLAYING else None


def asked_about(conn: Connection, order: Order, *, player: str | int | None = None) -> AskedAbout:
    """Return whose outlook is meant, by default the actor's; raises NotFound and WrongPhase."""
    tx = read_transaction(conn, order, playing)
    season = tx.season
    if not rounds.published(tx.conn, season.id):
        raise WrongPhase("Round 1 isn't posted yet. Ask again once it is.")
    entrant = find.own_entrant(tx) if player is None else find.entrant(tx, player)
    return AskedAbout(season=season, league=tx.league, entrant=entrant, own=player is None, over=_over(tx, entrant))


def answered(asked: AskedAbout, outlook: Outlook) -> OutlookView:
    """Return what one player needs out of what everyone needs."""
    return OutlookView(
        season=asked.season,
        league=asked.league,
        player_id=asked.entrant.player_id,
        name=asked.entrant.called,
        own=asked.own,
        prospect=asked.over or outlook.players[Name(asked.entrant.name)],
        outlook=None if asked.over else outlook,
    )


def _over(tx: ReadTransaction, entrant: EntrantRow) -> Prospect | None:
    """Return why the season is over for a player; None while it isn't."""
    if not entrant.active:
        out = entrant.departed is DepartureKind.DISQUALIFICATION
        words = (
            ("You were disqualified from", "They were disqualified from") if out else ("You've left", "They've left")
        )
        return Prospect(Verdict.OUT, *(f"{word} season {tx.season.number}." for word in words))
    since = knocked_out_in(tx, entrant)
    if since is None:
        return None
    return Prospect(Verdict.OUT, *(f"{they}'ve been out since {since.words}." for they in ("You", "They")))
