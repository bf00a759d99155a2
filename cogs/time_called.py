"""Who wins when time is called: a form, a public answer step by step, and one press that reports it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import discord
from discord import app_commands

from bot.league import time_called
from bot.league.errors import Invalid, LeagueError
from bot.league.model import Name
from bot.league.time_called import KeyForgeTable, Rule, Ruling
from bot.services.matches import seated
from bot.services.matches.seated import Table
from bot.services.results import reporting
from cogs.results import reported
from cogs.ui.actions import TIME_REPORT
from cogs.ui.buttons import ActionButton, MatchPress
from cogs.ui.context import Interaction, LeagueCog, actor, host, league_meant
from cogs.ui.forms import Form
from cogs.ui.options.names import LeagueName
from cogs.ui.render.tables import embed
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import quoted, shown
from storage.rows import LeagueId

BEST_OF = 3
"""How many games a match has where it is none of the league."""

_TWO = re.compile(r"\s*(\d{1,3})\s*[-:/\N{EN DASH}]\s*(\d{1,3})\s*")
_ME = ("me", "i", "mine", "myself")
_THEM = ("them", "they", "theirs", "opponent", "the opponent", "him", "her")

Two = tuple[int, int]


class TimeCalled(LeagueCog):
    """Time called."""

    @app_commands.command(name="time-called", description="Who wins when time is called, step by step")
    @answered(private=False, game="Which game you play")
    async def time_called(
        self, interaction: Interaction, game: Literal["keyforge", "lightseekers"], league: LeagueName | None = None
    ) -> Reply:
        """Ask for what lies on the table."""
        league_id = await _league(interaction, league)
        table = await seated.table(self.db, actor=actor(interaction), league_id=league_id)
        return _FORMS[game](league_id, table)


async def _league(interaction: Interaction, named: str | None) -> LeagueId | None:
    """Return the league that is meant; without one the rules can be asked all the same."""
    try:
        return (await league_meant(interaction, named)).id
    except LeagueError:
        if named is not None:
            raise
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What somebody typed, for everybody to check, and what follows."""

    table: Table
    game: str
    facts: Sequence[str]
    ruling: Ruling
    best_of: int


class TimeForm(Form):
    """What lies on the table; its answer is public."""

    private = False

    def __init__(self, title: str, league_id: LeagueId | None) -> None:
        super().__init__(title=title)
        self._league_id = league_id

    async def answer(self, interaction: Interaction) -> Reply:
        """Explain who wins, for everybody."""
        db = host(interaction).database
        table = await seated.table(db, actor=actor(interaction), league_id=self._league_id)
        return explained(self.told(table))

    def told(self, table: Table) -> Told:
        """Return what was typed and what follows; raises Invalid."""
        raise NotImplementedError


class KeyForgeForm(TimeForm):
    """A KeyForge table after the last turns."""

    def __init__(self, league_id: LeagueId | None, table: Table) -> None:
        super().__init__("KeyForge: after the last turns", league_id)
        self._keys = self.ask("keys", "Keys, mine-theirs", limit=20, hint="for example 2-1")
        self._aember = self.ask("aember", "Aember, mine-theirs", limit=20, hint="for example 9-3")
        self._potential = self.ask(
            "potential",
            "Potential aember, if keys and aember are equal",
            limit=20,
            required=False,
            hint="for example 8-7",
        )
        self._first = self.ask(
            "first_player", "First player, if all is equal: me or them", limit=40, required=False, hint="me"
        )
        self._score = None
        if table.match is None or table.match.best_of > 1:
            self._score = self.ask(
                "score", "Games won so far in a best of three", limit=20, required=False, hint="for example 1-0"
            )

    def told(self, table: Table) -> Told:
        """Return who wins by the keys and the aember, and by what else is needed."""
        games = _optional("score", "" if self._score is None else self._score.value) or (0, 0)
        best_of = table.match.best_of if table.match is not None else BEST_OF
        _require_undecided(games, best_of)
        potential, first = _optional("potential", self._potential.value), _who(self._first.value, table)
        ruling = time_called.keyforge(
            KeyForgeTable(
                players=table.players,
                keys=_two("keys", self._keys.value),
                aember=_two("aember", self._aember.value),
                first_player=first or table.mine,
                potential=potential,
                games=games,
            )
        )
        if first is None and any(step.rule is Rule.FIRST_PLAYER for step in ruling.steps):
            raise Invalid("everything is equal, so the first player of this game wins: say who it was, me or them")
        facts = [f"keys {self._keys.value}", f"aember {self._aember.value}"]
        facts += [f"potential {self._potential.value}"] if potential else []
        facts += [f"first player {first}"] if first else []
        facts += [f"games {games[0]}-{games[1]}"] if sum(games) else []
        return Told(table=table, game="KeyForge", facts=facts, ruling=ruling, best_of=best_of)


class LightseekersForm(TimeForm):
    """How far a Lightseekers match was when time was called."""

    def __init__(self, league_id: LeagueId | None, table: Table) -> None:
        super().__init__("Lightseekers: when time was called", league_id)
        self._score = self.ask("score", "Games won by then, mine-theirs", limit=20, hint="for example 1-0")
        self._moment = self.ask("moment", "During a game, or between games?", limit=20, hint="during or between")
        self._health = self.ask(
            "health",
            "Health after a sudden death, mine-theirs",
            limit=20,
            required=False,
            hint="empty if none was played",
        )

    def told(self, table: Table) -> Told:
        """Return who wins, or the sudden death that has to be played."""
        games = _two("score", self._score.value)
        during = _during(self._moment.value)
        best_of = table.match.best_of if table.match is not None else BEST_OF
        health = _optional("health", self._health.value)
        winner = None if health is None else time_called.most_health(table.players, health)
        ruling = time_called.lightseekers(
            table.players, games, during_game=during, best_of=best_of, sudden_death=winner
        )
        when = f"during game {sum(games) + 1}" if during else "between games"
        return Told(
            table=table,
            game="Lightseekers",
            facts=[f"games {games[0]}-{games[1]}", when, *([f"health {health[0]}-{health[1]}"] if health else [])],
            ruling=ruling,
            best_of=best_of,
        )


_FORMS = {"keyforge": KeyForgeForm, "lightseekers": LightseekersForm}


def _two(what: str, typed: str) -> Two:
    """Return two numbers typed as mine-theirs; raises Invalid."""
    match = _TWO.fullmatch(typed)
    if match is None:
        raise Invalid(f"{what}: type two numbers, yours first, like 2-1; {typed[:20]!r} is not that. Try again")
    return int(match[1]), int(match[2])


def _optional(what: str, typed: str) -> Two | None:
    return _two(what, typed) if typed.strip() else None


def _who(typed: str, table: Table) -> Name | None:
    """Return who is meant by me or them, or by a name; None for nothing; raises Invalid."""
    word = typed.strip().casefold()
    if not word:
        return None
    if word in (*_ME, table.mine.casefold()):
        return table.mine
    if word in (*_THEM, table.theirs.casefold()):
        return table.theirs
    raise Invalid(f"first player: say me or them; {typed[:20]!r} is neither. Try again")


def _during(typed: str) -> bool:
    word = typed.strip().casefold()
    if word.startswith(("d", "in")):
        return True
    if word.startswith(("b", "after")):
        return False
    raise Invalid(f"say during or between: was a game going on when time was called? {typed[:20]!r} is neither")


def _require_undecided(games: Two, best_of: int) -> None:
    if max(games) > best_of // 2:
        raise Invalid(
            f"at {games[0]}-{games[1]} a best of {best_of} is over, or cannot be: report it with /report, or mend the "
            "games"
        )


def explained(told: Told) -> Answer:
    """Return every step for everybody, with a button that reports the result where it is a match of the league."""
    table, ruling = told.table, told.ruling
    lines = [f"As {shown(table.mine)} says: {quoted(', '.join(told.facts))}"]
    lines += [f"**{number}.** {shown(sentence)}" for number, sentence in enumerate(ruling.sentences, 1)]
    if ruling.winner is not None:
        games = f" {max(ruling.games)}-{min(ruling.games)}" if told.best_of > 1 else ""
        lines.append(f"🏁 **{shown(ruling.winner)}** wins the match{games}.")
    else:
        games = f"{ruling.games[0]}-{ruling.games[1]}"
        lines.append(f"When it is over, `/time-called` again: score {games}, the same moment, and the health.")
    title = f"Time called in {told.game}: {shown(table.mine)} v {shown(table.theirs)}"
    return Answer(embeds=(embed(title, "\n".join(lines)),), buttons=_report_button(told), private=False)


def _report_button(told: Told) -> tuple[ActionButton, ...]:
    view, ruling = told.table.match, told.ruling
    if view is None or ruling.winner is None:
        return ()
    upper_asked = view.upper.name == told.table.mine
    games = ruling.games if upper_asked else ruling.games[::-1]
    winner = "upper" if ruling.winner == view.upper.name else "lower"
    extra = f"{winner}:{games[0]}-{games[1]}" if view.best_of > 1 else f"{winner}:"
    return (TIME_REPORT.button("Report this result", view, extra=extra, style=discord.ButtonStyle.success),)


@TIME_REPORT
async def report_pressed(press: MatchPress) -> Reply:
    """Report what was explained, for the one of the two who presses."""
    winner, games = press.parts(r"(upper|lower):([0-9]+-[0-9]+)?")
    user_id = press.interaction.user.id
    upper = press.match.upper == press.match.side_of(user_id)
    score = games if upper else "-".join(reversed(games.split("-")))
    result = "won" if upper == (winner == "upper") else "lost"
    done = await reporting.report(
        press.db, **press.by, **press.seen, result=result, score=score or None, time_called=True
    )
    return reported(done, user_id)


async def setup(bot: Any) -> None:
    """Add time called to the bot."""
    await bot.add_cog(TimeCalled(bot))
