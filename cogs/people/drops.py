"""Leaving a season, asked first with what it costs, and coming back, with organisers' buttons to accept or refuse."""

from bot.league.season.model import DepartureKind
from bot.league.season.phases import PLAYING
from bot.services.people import rejoining
from bot.services.people.rejoining import REJOIN, RejoinPost
from bot.services.play.field.withdrawals import Dropped, results_after
from bot.services.signups import dropping
from cogs.ui.actions import DANGER, ActionButton, Press, action, yes_or_no
from cogs.ui.cards import Answer, card
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller
from cogs.ui.posts import renders
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import mention, quoted, season_title, shown
from storage.rows import LeagueId


class Drops(LeagueCog):
    """Drops and returns of players."""

    @command(reason="Why you're leaving; organisers read it")
    async def drop(self, asker: Caller, reason: Reason | None = None) -> Reply:
        """Leave the season (you're asked first), or cancel your sign-up."""
        return await drop_out(asker, reason=reason)

    @command()
    async def rejoin(self, asker: Caller) -> Reply:
        """Come back after you dropped out, if the season allows it."""
        done = await asker.write(rejoining.rejoin)
        if done.round is None:
            return Answer(text="Request sent. You'll be told when an organiser answers.")
        return Answer(text=f"Welcome back: you're in again from round {done.round} on. Missed rounds count as losses.")


async def _drop_out(asker: Caller, *, reason: str | None = None, agreed: str = "") -> str:
    """Leave the season once the player has agreed to what it costs."""
    return left(await asker.write(dropping.drop, reason=reason, agreed=agreed), own=True)


drop_out = with_confirmation("drop", "Leave the season?", yes="Drop out", no="Stay")(_drop_out)
leave_signups = with_confirmation("leave-sign-ups", "Leave the season?", yes="Leave", no="Stay")(_drop_out)


@action("leave")
async def leave(press: Press, league: LeagueId) -> Reply:
    """Leave the season by the board's button, which asks first too."""
    return await leave_signups(press.who.of(league))


def left(done: Dropped, *, own: bool = False) -> str:
    """Return what became of a drop or disqualification, for an organiser or the player who left."""
    number, name = done.season.number, shown(done.name)
    are, have = ("You're", "You've") if own else (f"{name} is", f"{name} has")
    if done.waited:
        return f"You're off the waiting list of season {number}. `/signup` puts you at its end again."
    if done.asked:
        return f"You don't ask to join season {number} any more. `/signup` asks again."
    if done.withdrew:
        return f"{are} off the sign-up list of season {number}. `/signup` works again until the season starts."
    gone = f"{name} was disqualified from" if done.kind is DepartureKind.DISQUALIFICATION else f"{have} left"
    lost = "".join(f" {shown(match.label)}: {shown(match.state_words)}." for match in done.forfeited)
    return f"{gone} season {number}.{lost} {results_after(done.struck, own=own)}"


@yes_or_no("rejoin")
async def take_back(press: Press, yes: bool, request: int) -> Reply:
    """Take a player back into the season, or refuse them."""
    answer = await press.who.write(rejoining.answer_rejoin, request_id=request, accept=yes)
    return Answer(text=f"{quoted(answer.name)} {'is back in' if yes else 'stays out of'} the season.")


@renders(REJOIN)
def rejoin(post: RejoinPost) -> Answer:
    """Return a player's request to come back, or its answer."""
    mentioned = mention(post.player.discord_id, post.player.called)
    title = f"{season_title(post)}: {shown(post.player.name)} asks to come back"
    if post.request.accepted is not None:
        return card(title, f"{mentioned}: {'accepted' if post.request.accepted else 'refused'}.")
    if post.season.phase not in PLAYING:
        return card(title, "The season is over.")
    buttons = rejoin_buttons(post.request.id)
    text = f"{mentioned} dropped out and asks to come back. Missed rounds count as losses."
    return card(title, text, buttons=buttons)


def rejoin_buttons(request_id: int, name: str = "") -> tuple[ActionButton, ...]:
    """Return what organisers can answer a request to come back; with a name where there are several."""
    return take_back(request_id).buttons(f"Accept {name}".strip(), f"Refuse {name}".strip(), DANGER)
