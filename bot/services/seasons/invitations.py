"""Players of the last seasons hear once that sign-ups are open."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.season.phases import SeasonPhase
from bot.services.base import hooks
from bot.services.base.post_kinds import Facts, Gone, PostKind, SeasonPost, Until, about_season
from bot.services.base.transaction import Transaction
from storage.database import Connection
from storage.posts import PostRow
from storage.tables import seasons
from storage.tables.field import entrants
from storage.tables.people import players

SEASONS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationFacts(Facts):
    """The accounts of those who played before."""

    invited: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationPost(SeasonPost):
    """Sign-ups are open, for players of the last seasons who haven't signed up."""


def _load(conn: Connection, post: PostRow, _: datetime) -> InvitationPost:
    """Load who of the invited hasn't signed up; once sign-ups are closed there's no one to invite."""
    league, season = about_season(conn, post)
    if season.phase is not SeasonPhase.SIGNUP:
        raise Gone
    accounts = {entrant.discord_id for entrant in entrants.of_season(conn, season.id)}
    invited = tuple(person for person in INVITATION.facts(post).invited if person not in accounts)
    return InvitationPost(league=league, season=season, ping_ids=invited)


INVITATION = PostKind("invitation", InvitationFacts, personal=True, until=Until.SEASON_STARTS, load=_load)


def invite(tx: Transaction) -> None:
    """Tell the players of the last two seasons who don't sign up meanwhile, and may, that sign-ups are open."""
    begun = [season for season in seasons.of_league(tx.conn, tx.league.id) if season.id != tx.season.id]
    last = [season for season in begun if season.started_at is not None][-SEASONS:]
    played = [entrant for season in last for entrant in entrants.of_season(tx.conn, season.id)]
    player_ids = {entrant.discord_id: entrant.person_id for entrant in played if entrant.discord_id is not None}
    people = tuple(
        account for account, player_id in player_ids.items() if hooks.is_welcome(tx, players.get(tx.conn, player_id))
    )
    if people:
        tx.enqueue(INVITATION, InvitationFacts(invited=people), once="0", people=people)
