"""One explanation for every door: a person's mistake as it is, a bug as an apology with a code and where to check."""

import logging
import re
import secrets

from bot import logs
from bot.league.errors import LeagueError
from cogs.ui.text import with_commands

_log = logging.getLogger(__name__)

_ONLY_SHOWS = re.compile(
    "/(help|pairings|standings|bracket|ranking|schedule|history|outlook|why|rules|disputes|time-called"
    "|league (check|export|audit)|season status)"
    "|button (show(-rules)?|why|details|rules|page|text|audit(-file)?|panel|plan(-page)?|cancel)( .*)?"
)
_OF_ORGANISERS = re.compile(
    "/(league|season|round|player (?!link|forget)).*"
    "|button (plan-|extend|let-in|rejoin|stay|end-pause|tie).*"
    "|button agree (pause|ban|drop-player|disqualify|reinstate|substitute|rename|[a-z]+-(season|round|finals|pause))"
)
_LEAGUE_ITSELF = re.compile("/league (create|delete|settings)|button (set-up .*|agree delete-league)")
"""What was done, as it is logged, by where people see whether it was done after all."""


def explain(error: BaseException, *, doing: str) -> str:
    """Return what a person is told; a bug's trace goes to the log under the code they see."""
    cause = error.__cause__ if isinstance(error.__cause__, LeagueError) else error
    if isinstance(cause, LeagueError):
        logs.tell(result="refused", error=type(cause).__name__)
        return with_commands(str(cause))
    incident = secrets.token_hex(4)
    logs.tell(result="failed", incident=incident)
    _log.error("incident %s while doing %s", incident, doing, exc_info=error)
    return f"Something broke on our side. {_look(doing)} Still stuck? Give the bot's owner this code: `{incident}`."


def _look(doing: str) -> str:
    done = doing.removeprefix("answering ")
    if _ONLY_SHOWS.fullmatch(done):
        return "Try again."
    where = "/match"
    if _LEAGUE_ITSELF.fullmatch(done):
        where = "/league check"
    elif _OF_ORGANISERS.fullmatch(done):
        where = "/league audit"
    elif done.startswith("/result"):
        where = "/pairings"
    return f"Check `{where}` to see if it went through; if not, try again."
