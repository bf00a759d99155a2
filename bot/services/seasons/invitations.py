"""Players of the last seasons hear once that sign-ups are open."""

from bot.services.base import promises
from bot.services.base.act import Act
from bot.services.base.events import SeasonOver
from bot.services.base.post_kinds import PostKind
from storage.tables import entrants, seasons

SEASONS = 2


def invite(do: Act) -> None:
    """Tell the players of the last two seasons who don't sign up meanwhile that sign-ups are open."""
    begun = [season for season in seasons.of_league(do.conn, do.league.id) if season.id != do.season.id]
    last = [season for season in begun if season.started_at is not None][-SEASONS:]
    played = [entrant for season in last for entrant in entrants.of_season(do.conn, season.id)]
    people = list(dict.fromkeys(entrant.discord_id for entrant in played if entrant.discord_id is not None))
    if people:
        do.owe(PostKind.INVITATION, once="0", people=people, invited=people)


def season_over(do: Act, _: SeasonOver) -> None:
    """Invite no one any more."""
    promises.tidy(do.conn, do.season, PostKind.INVITATION, now=do.now)
