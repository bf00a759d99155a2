"""What can be wrong with a request, in words a person can act on.

LeagueError                    shown to the person as it is: what is wrong and what they can do next
+-- NotFound                   no such league, season, round, match or player
+-- NotAllowed                 the person isn't allowed to do this
+-- WrongPhase                 right request, wrong time
+-- Conflict                   someone else was faster, or the name is taken
+-- Invalid                    the input itself is wrong
|   +-- InvalidFile            a league file: names file, place and how to fix it
+-- PairingImpossible          this round can't be paired now
+-- Unavailable                the database can't be read or written now, or Discord hasn't told enough yet
"""


class LeagueError(Exception):
    """A mistake of the person asking; its text says what is wrong and what to do next."""


class NotFound(LeagueError):
    """What was named doesn't exist."""


class NotAllowed(LeagueError):
    """The person isn't allowed to do this."""


class WrongPhase(LeagueError):
    """The season, round or match is not in a phase that allows this."""


class Conflict(LeagueError):
    """The state changed meanwhile, or a name is taken."""


class Invalid(LeagueError):
    """The input itself is wrong; `place` is the setting or the part of a file it is about, where there is one."""

    def __init__(self, problem: str, *, place: str = "") -> None:
        self.place = place
        self.problem = problem
        super().__init__(f"{place}: {problem}" if place else problem)


class InvalidFile(Invalid):
    """A league file is wrong at `place`, for example `players[3].name`."""


class PairingImpossible(LeagueError):
    """A round can't be paired now, and why."""


class Unavailable(LeagueError):
    """The database, or what Discord tells at a start, isn't there yet or just now; nothing was changed."""
