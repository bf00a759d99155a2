"""Joining a season: the command and the button on the sign-up post."""

from bot.services.players import signing_up
from bot.services.players.signing_up import SignedUp
from cogs.ui.actions import JOIN
from cogs.ui.buttons import Press
from cogs.ui.commands import command
from cogs.ui.context import LeagueCog, Ordered
from cogs.ui.replies import Answer, Reply
from cogs.ui.text import count, shown
from storage.rows import LeagueId


class Signup(LeagueCog):
    """Sign-ups of players."""

    @command(
        name="Your name in this league, for good; your display name if left out",
        deck="What you play, for the organisers",
    )
    async def signup(self, who: Ordered, name: str | None = None, deck: str | None = None) -> Reply:
        """Join the season while sign-ups are open."""
        entry = await signing_up.sign_up(**who, name=name, deck=deck, display_name=who["actor"].name)
        return _welcome(entry)


@JOIN
async def join(press: Press[LeagueId]) -> Reply:
    """Join the season of the league whose sign-ups are open."""
    name = press.who["actor"].name
    return _welcome(await signing_up.sign_up(**press.by, league_id=press.subject, display_name=name))


def _welcome(done: SignedUp) -> Answer:
    name, number = shown(done.entrant.name), done.season.number
    if done.already:
        return Answer(text=f"You're already in season {number} as **{name}**. To leave, use `/drop`.")
    fixed = " That's your name in this league from now on; an organiser can change it." if done.first_time else ""
    cost = f" {done.cost}" if done.cost else ""
    so_far = count(done.count, "player")
    return Answer(text=f"You're in season {number} as **{name}**; {so_far} so far.{fixed}{cost} To leave, use `/drop`.")
