"""One explanation for every door: a person's mistake as it is, a bug as an apology with a code and where to check."""

import logging
import secrets

from bot import logs
from bot.league.errors import LeagueError
from cogs.ui.text import with_commands

_log = logging.getLogger(__name__)

_SEEN_IN = {"button retry": "/disputes", "organiser": "/league audit", "moderator": "/season status"}
"""Where people see whether something was done, by what it was or the right it took; for their own, in `/match`."""


def explain(error: BaseException, *, doing: str) -> str:
    """Return what a person is told; a bug's trace goes to the log under the code they see."""
    cause = error.__cause__ if isinstance(error.__cause__, LeagueError) else error
    if isinstance(cause, LeagueError):
        logs.tell(result="refused", error=type(cause).__name__)
        return with_commands(str(cause))
    incident = secrets.token_hex(4)
    logs.tell(result="failed", incident=incident)
    _log.error("incident %s while doing %s", incident, doing, exc_info=error)
    return f"Something broke on our side. {_next_step()} Still stuck? Give the bot's owner this code: `{incident}`."


def _next_step() -> str:
    """Return where to look before trying again, if what is being done changed something before it broke."""
    if not logs.told("saved"):
        return "Try again."
    doing = " ".join(logs.told("action").split()[:2])
    where = _SEEN_IN.get(doing) or _SEEN_IN.get(logs.told("right"), "/match")
    return f"Check `{where}` to see if it went through; if not, try again."
