"""Who wins when time is called: a form, a public answer step by step, and one press that reports it."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import discord

from bot.league.errors import Invalid, LeagueError
from bot.league.match_day import time_called
from bot.league.match_day.time_called import KeyForgeTable, Ruling
from bot.league.season.match_score import Games, flipped, read_score, score, score_words, typed_score
from bot.services.matches.views import Seen
from bot.services.play import reporting
from bot.services.reads import players_at_table
from bot.services.reads.players_at_table import Table
from cogs.matches.as_shown import MatchAsShown
from cogs.play.reports import reported
from cogs.ui.actions import SUCCESS, ActionButton, Press, action
from cogs.ui.cards import Answer, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Interaction, caller, in_league
from cogs.ui.forms import Field, Form
from cogs.ui.options.names import LeagueName
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, shown
from storage.rows import LeagueId

BEST_OF = 3
"""How many games a match has if it isn't one of the league."""


class TimeCalled(LeagueCog):
    """Time called."""

    @command(private=False, form=True, game="Which game you play")
    async def time_called(
        self, asker: Caller, game: Literal["keyforge", "lightseekers"], league: LeagueName | None = None
    ) -> Reply:
        """Work out who wins when time is called, step by step."""
        try:
            asker = await in_league(asker, league)
        except LeagueError:  # without a league the rules still apply
            if league is not None:
                raise
        return _FORMS[game](asker.order.league_id, await asker.read(players_at_table.table))


class TimeForm(Form):
    """What lies on the table; its answer is public."""

    private = False
    game: ClassVar[str]

    def __init__(self, moment: str, league_id: LeagueId | None) -> None:
        super().__init__(title=f"{self.game}: {moment}")
        self._league_id = league_id

    async def answer(self, interaction: Interaction) -> Reply:
        """Explain who wins, for everyone."""
        table = await caller(interaction).of(self._league_id).read(players_at_table.table)
        facts, ruling = self.told(table)
        return explained(self.game, table, facts, ruling)

    @abstractmethod
    def told(self, table: Table) -> tuple[list[str], Ruling]:
        """Return what was filled in, for everyone to check, and what follows; raises Invalid."""


class KeyForgeForm(TimeForm):
    """A KeyForge table after the last turns."""

    game = "KeyForge"

    def __init__(self, league_id: LeagueId | None, table: Table) -> None:
        super().__init__("after the last turns", league_id)
        self._keys = self.ask("keys", "Keys: yours and theirs", limit=20, hint="2-1", note=time_called.LAST_TURNS)
        self._aember = self.ask("aember", "Æmber: yours and theirs", limit=20, hint="9-3")
        self._potential = self.ask(
            "potential",
            "Potential æmber: yours and theirs",
            limit=60,
            required=False,
            hint="Brobnar 4+4, Mars 6+1",
            note="Only if keys and æmber are equal: a house, its creatures in play + bonus æmber of its cards in hand.",
        )
        sides = {"me": "I went first", "them": "They went first"}
        self._first = self.choose("first_player", "Who went first? Only if all is equal", sides, required=False)
        self._score: Field | None = None
        if _best_of(table) > 1:
            label = f"Games so far in a best of {_best_of(table)}"
            self._score = self.ask("score", label, limit=20, required=False, hint="1-0")

    def told(self, table: Table) -> tuple[list[str], Ruling]:
        """Return who wins by the keys and the æmber, and by what else is needed."""
        games, best_of, potential = _optional("Games", self._score), _best_of(table), self._potential.value.strip()
        if games is not None and max(games) > best_of // 2:
            over = f"At{score_words(games)} a best of {best_of} is over"
            raise Invalid(f"{over}: report it with /report, or correct the games so far.")
        filled = KeyForgeTable(
            players=table.players,
            keys=_two("Keys", self._keys),
            aember=_two("Æmber", self._aember),
            potential=time_called.read_potential(potential) if potential else None,
            first_player={"me": table.mine, "them": table.theirs}.get(self._first.value or ""),
            games=games or (0, 0),
        )
        numbers = {"keys": filled.keys, "æmber": filled.aember, "potential": filled.potential, "games": games}
        facts = [f"{what}{score_words(pair)}" for what, pair in numbers.items() if pair is not None]
        facts += [f"its parts {potential}"] if "+" in potential else []
        facts += [f"first player {filled.first_player}"] if filled.first_player else []
        return facts, time_called.keyforge(filled)


class LightseekersForm(TimeForm):
    """How far a Lightseekers match was when time was called."""

    game = "Lightseekers"

    def __init__(self, league_id: LeagueId | None, table: Table) -> None:
        super().__init__("when time was called", league_id)
        self._score = self._moment = None
        if _best_of(table) > 1:
            self._score = self.ask("score", "Games so far: yours and theirs", limit=20, hint="1-0")
            moments = {"during": "During a game", "between": "Between games"}
            self._moment = self.choose("moment", "When was time called?", moments)
        note = "Only after a sudden death; leave it empty if none was played."
        self._health = self.ask("health", "Health: yours and theirs", limit=20, required=False, note=note)

    def told(self, table: Table) -> tuple[list[str], Ruling]:
        """Return who wins, or the sudden death that has to be played."""
        games = (0, 0) if self._score is None else _two("Games", self._score)
        health = _optional("Health", self._health)
        during = self._moment is None or self._moment.value == "during"
        facts = [f"games{score_words(games)}", f"during game {sum(games) + 1}" if during else "between games"]
        facts += [f"health{score_words(health)}"] if health else []
        best_of = _best_of(table)
        return facts, time_called.lightseekers(table.players, games, during_game=during, best_of=best_of, health=health)


_FORMS = {"keyforge": KeyForgeForm, "lightseekers": LightseekersForm}


def _best_of(table: Table) -> int:
    return BEST_OF if table.match is None else table.match.best_of


def _two(what: str, field: discord.ui.TextInput[Any]) -> Games:
    """Return two numbers, those of the player who asks first; raises Invalid."""
    try:
        return read_score(field.value)
    except Invalid:
        raise Invalid(f"{what}: type both players' numbers, yours first, for example 2-1.") from None


def _optional(what: str, field: discord.ui.TextInput[Any] | None) -> Games | None:
    return _two(what, field) if field is not None and field.value.strip() else None


def explained(game: str, table: Table, facts: Sequence[str], ruling: Ruling) -> Answer:
    """Return every step for everyone, with a button that reports the result if it's a match of the league."""
    lines = [f"{shown(table.mine)} says: {quoted(', '.join(facts))}"]
    lines += [f"**{number}.** {shown(sentence)}" for number, sentence in enumerate(ruling.sentences, 1)]
    several = _best_of(table) > 1
    if ruling.winner is not None:
        games = f" {score(max(ruling.games), min(ruling.games))}" if several else ""
        lines.append(f"🏁 **{shown(ruling.winner)}** wins the match{games}.")
    else:
        again = f"games{score_words(ruling.games)}, the same moment and the health" if several else "the health"
        lines.append(f"When it's over, use `/time-called` again with {again}.")
    title = f"Time called in {game}: {shown(table.mine)} v {shown(table.theirs)}"
    return card(title, "\n".join(lines), buttons=_report_button(table, ruling), private=False)


def _report_button(table: Table, ruling: Ruling) -> tuple[ActionButton, ...]:
    view = table.match
    if view is None or ruling.winner is None:
        return ()
    upper = ruling.winner == view.upper.called
    games = ruling.games if view.upper.called == table.mine else flipped(ruling.games)
    doing = report_ruling(view, "upper" if upper else "lower", games if view.best_of > 1 else None)
    return (doing.button("Report this result", SUCCESS),)


@action("time-report", form=True)
async def report_ruling(
    press: Press, match: MatchAsShown, winner: Literal["upper", "lower"], games: Games | None
) -> Reply:
    """Report what was explained, for the player who presses; `games` are those of the upper player first."""
    side = match.side_of(press.interaction.user.id)
    upper = match.upper == side
    score = typed_score(games if upper else flipped(games)).strip()
    result = "won" if upper == (winner == "upper") else "lost"
    if match.scores and side is not None:
        return RulingForm(match.seen, result=result, games=score)
    return await _report(press.who, match.seen, result=result, score=score)


class RulingForm(Form):
    """The score of a match that time ended, where the season has scores."""

    def __init__(self, seen: Seen, *, result: str, games: str) -> None:
        super().__init__(title="Report this result")
        self._seen, self._result, self._games = seen, result, games
        self._score = self.ask("score", "Score, yours first", limit=20, hint="87-62")

    async def answer(self, interaction: Interaction) -> Reply:
        """Report the ruling with the score."""
        score = f"{self._games} {self._score.value}".strip()
        return await _report(caller(interaction), self._seen, result=self._result, score=score)


async def _report(asker: Caller, seen: Seen, *, result: str, score: str) -> Reply:
    done = await asker.write(reporting.report, **seen, result=result, score=score, time_called=True)
    return reported(done, asker.actor.user_id)
