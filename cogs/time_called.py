"""Who wins when time is called: a form, a public answer step by step, and one press that reports it."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import discord

from bot.league import time_called
from bot.league.errors import Invalid, LeagueError
from bot.league.match_score import read_score
from bot.league.time_called import KeyForgeTable, Rule, Ruling
from bot.services.matches import seated
from bot.services.matches.seated import Table
from bot.services.results import reporting
from cogs.results import reported
from cogs.ui.actions import TIME_REPORT
from cogs.ui.buttons import ActionButton, MatchPress
from cogs.ui.commands import command
from cogs.ui.context import Interaction, LeagueCog, league_meant, who
from cogs.ui.forms import Form
from cogs.ui.options.names import LeagueName
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer, Reply
from cogs.ui.text import quoted, shown
from storage.rows import LeagueId

BEST_OF = 3
"""How many games a match has if it isn't one of the league."""

Two = tuple[int, int]


class TimeCalled(LeagueCog):
    """Time called."""

    @command(private=False, game="Which game you play")
    async def time_called(
        self, interaction: Interaction, game: Literal["keyforge", "lightseekers"], league: LeagueName | None = None
    ) -> Reply:
        """Who wins when time is called, step by step."""
        league_id = await _league(interaction, league)
        table = await seated.table(**who(interaction), league_id=league_id)
        return _FORMS[game](league_id, table)


async def _league(interaction: Interaction, named: str | None) -> LeagueId | None:
    """Return the league that is meant; without one the rules still apply."""
    try:
        return (await league_meant(interaction, named)).id
    except LeagueError:
        if named is not None:
            raise
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one player filled in, for everyone to check, and what follows."""

    table: Table
    game: str
    facts: Sequence[str]
    ruling: Ruling


class TimeForm(Form):
    """What lies on the table; its answer is public."""

    private = False

    def __init__(self, title: str, league_id: LeagueId | None) -> None:
        super().__init__(title=title)
        self._league_id = league_id

    async def answer(self, interaction: Interaction) -> Reply:
        """Explain who wins, for everyone."""
        return explained(self.told(await seated.table(**who(interaction), league_id=self._league_id)))

    @abstractmethod
    def told(self, table: Table) -> Told:
        """Return what was filled in and what follows; raises Invalid."""


class KeyForgeForm(TimeForm):
    """A KeyForge table after the last turns."""

    def __init__(self, league_id: LeagueId | None, table: Table) -> None:
        super().__init__("KeyForge: after the last turns", league_id)
        self._keys = self.ask("keys", "Keys: yours and theirs", limit=20, hint="2-1", note=time_called.LAST_TURNS)
        self._aember = self.ask("aember", "Æmber: yours and theirs", limit=20, hint="9-3")
        self._potential = self.ask(
            "potential",
            "Potential æmber: yours and theirs",
            limit=20,
            required=False,
            hint="8-7",
            note="Only if keys and æmber are equal: creatures of one house and the bonus æmber of its cards in hand.",
        )
        sides = {"me": "I went first", "them": "They went first"}
        self._first = self.choose("first_player", "Who went first? Only if all is equal", sides, required=False)
        self._score = None
        if _best_of(table) > 1:
            label = f"Games so far in a best of {_best_of(table)}"
            self._score = self.ask("score", label, limit=20, required=False, hint="1-0")

    def told(self, table: Table) -> Told:
        """Return who wins by the keys and the æmber, and by what else is needed."""
        games = _optional("Games", self._score) or (0, 0)
        _require_undecided(games, _best_of(table))
        potential = _optional("Potential æmber", self._potential)
        first = {"me": table.mine, "them": table.theirs}.get(self._first.value or "")
        keys, aember = _two("Keys", self._keys), _two("Æmber", self._aember)
        ruling = time_called.keyforge(
            KeyForgeTable(
                players=table.players,
                keys=keys,
                aember=aember,
                first_player=first or table.mine,
                potential=potential,
                games=games,
            )
        )
        if first is None and ruling.steps[-1].rule is Rule.FIRST_PLAYER:
            raise Invalid("Everything is equal, so the first player of this game wins: say who went first.")
        facts = [f"keys {_score(keys)}", f"æmber {_score(aember)}"]
        facts += [f"potential {_score(potential)}"] if potential else []
        facts += [f"first player {first}"] if first else []
        facts += [f"games {_score(games)}"] if sum(games) else []
        return Told(table=table, game="KeyForge", facts=facts, ruling=ruling)


class LightseekersForm(TimeForm):
    """How far a Lightseekers match was when time was called."""

    def __init__(self, league_id: LeagueId | None, table: Table) -> None:
        super().__init__("Lightseekers: when time was called", league_id)
        self._score = self._moment = None
        if _best_of(table) > 1:
            self._score = self.ask("score", "Games so far: yours and theirs", limit=20, hint="1-0")
            moments = {"during": "During a game", "between": "Between games"}
            self._moment = self.choose("moment", "When was time called?", moments)
        note = "Only after a sudden death; leave it empty if none was played."
        self._health = self.ask("health", "Health: yours and theirs", limit=20, required=False, note=note)

    def told(self, table: Table) -> Told:
        """Return who wins, or the sudden death that has to be played."""
        games = _optional("Games", self._score) or (0, 0)
        during = self._moment is None or self._moment.value == "during"
        health = _optional("Health", self._health)
        winner = None if health is None else time_called.most_health(table.players, health)
        ruling = time_called.lightseekers(
            table.players, games, during_game=during, best_of=_best_of(table), sudden_death=winner
        )
        when = f"during game {sum(games) + 1}" if during else "between games"
        facts = [f"games {_score(games)}", when, *([f"health {_score(health)}"] if health else [])]
        return Told(table=table, game="Lightseekers", facts=facts, ruling=ruling)


_FORMS = {"keyforge": KeyForgeForm, "lightseekers": LightseekersForm}


def _best_of(table: Table) -> int:
    return BEST_OF if table.match is None else table.match.best_of


def _two(what: str, field: discord.ui.TextInput[Any]) -> Two:
    """Return two numbers, the asker's first; raises Invalid."""
    try:
        return read_score(field.value)
    except Invalid:
        raise Invalid(f"{what}: type both players' numbers, yours first, for example 2-1.") from None


def _optional(what: str, field: discord.ui.TextInput[Any] | None) -> Two | None:
    return _two(what, field) if field is not None and field.value.strip() else None


def _score(numbers: Two) -> str:
    return f"{numbers[0]}-{numbers[1]}"


def _require_undecided(games: Two, best_of: int) -> None:
    if max(games) > best_of // 2:
        raise Invalid(
            f"At {_score(games)} a best of {best_of} is over: report it with /report, or correct the games so far."
        )


def explained(told: Told) -> Answer:
    """Return every step for everyone, with a button that reports the result if it's a match of the league."""
    table, ruling = told.table, told.ruling
    lines = [f"{shown(table.mine)} says: {quoted(', '.join(told.facts))}"]
    lines += [f"**{number}.** {shown(sentence)}" for number, sentence in enumerate(ruling.sentences, 1)]
    if ruling.winner is not None:
        games = f" {max(ruling.games)}-{min(ruling.games)}" if _best_of(table) > 1 else ""
        lines.append(f"🏁 **{shown(ruling.winner)}** wins the match{games}.")
    else:
        again = f"games {_score(ruling.games)}, the same moment and the health" if _best_of(table) > 1 else "the health"
        lines.append(f"When it's over, use `/time-called` again with {again}.")
    title = f"Time called in {told.game}: {shown(table.mine)} v {shown(table.theirs)}"
    return card(title, "\n".join(lines), buttons=_report_button(told), private=False)


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
    """Report what was explained, for the player who presses."""
    winner, games = press.parts(r"(upper|lower):([0-9]+-[0-9]+)?")
    user_id = press.interaction.user.id
    upper = press.match.upper == press.match.side_of(user_id)
    score = games if upper else "-".join(reversed(games.split("-")))
    result = "won" if upper == (winner == "upper") else "lost"
    done = await reporting.report(**press.by, **press.seen, result=result, score=score or None, time_called=True)
    return reported(done, user_id)
