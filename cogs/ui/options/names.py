"""Suggestions for leagues, players, matches, outcomes and seasons while people type them."""

from collections.abc import Awaitable, Callable, Sequence

import discord
from discord import app_commands

from bot.league.errors import LeagueError
from bot.services import find
from bot.services.matches import choosing
from bot.services.seasons import tables
from bot.services.ties import commands
from cogs.ui.context import Asked, Interaction, actor, asked, host, league_meant, who

MOST_CHOICES = 25
MOST_CHARACTERS = 100

Choices = list[app_commands.Choice[str]]
Pairs = Sequence[tuple[str, str]]
"""What can be chosen, as (label, value)."""


def choices(values: Pairs, typed: str) -> Choices:
    """Return the suggestions that hold what was typed, at most what Discord takes."""
    wanted = typed.casefold().strip()
    fitting = [(label, value) for label, value in values if wanted in label.casefold() and len(value) <= 100]
    return [app_commands.Choice(name=label[:MOST_CHARACTERS], value=value) for label, value in fitting[:MOST_CHOICES]]


class Suggestions(app_commands.Transformer):
    """A text option with suggestions from a league; what is typed is checked again by the services."""

    def __init__(self, values: Callable[[Interaction, Asked, str], Awaitable[Pairs]]) -> None:
        super().__init__()
        self._values = values

    async def transform(self, interaction: Interaction, value: str, /) -> str:
        """Return the text as typed."""
        return value

    async def autocomplete(self, interaction: Interaction, value: str, /) -> Choices:  # type: ignore[override] # only text
        """Return suggestions; none where the league is not clear yet."""
        try:
            who = await asked(interaction, interaction.namespace.league)
            return choices(await self._values(interaction, who, value), value)
        except LeagueError:
            return []


class LeagueNames(app_commands.Transformer):
    """The leagues of the server."""

    async def transform(self, interaction: Interaction, value: str, /) -> str:
        """Return the name as typed."""
        return value

    async def autocomplete(self, interaction: Interaction, value: str, /) -> Choices:  # type: ignore[override] # only text
        """Return the server's leagues."""
        if interaction.guild_id is None:
            return []
        names = await find.league_names(**who(interaction))
        return choices([(name, name) for name in names], value)


async def _players(interaction: Interaction, who: Asked, typed: str) -> Pairs:
    names = await find.player_names(**who, typed=typed)
    return [(name, name) for name in names]


async def _own_matches(interaction: Interaction, who: Asked, typed: str) -> Pairs:
    return await choosing.choices(**who, typed=typed, own=True)


async def _matches(interaction: Interaction, who: Asked, typed: str) -> Pairs:
    return await choosing.choices(**who, typed=typed)


async def _tie_orders(interaction: Interaction, who: Asked, typed: str) -> Pairs:
    orders = await commands.choices(**who, typed=typed)
    return [(order, order) for order in orders]


async def _outcomes(interaction: Interaction, who: Asked, typed: str) -> Pairs:
    """Return the players of the match chosen, and the outcomes without a winner."""
    names: tuple[str, ...] = ()
    if interaction.namespace.match:
        view = await choosing.match_meant(**who, match=interaction.namespace.match)
        names = (view.upper.name, view.lower.name)
    return [(word, word) for word in (*names, "draw", "double loss")]


class SeasonNumbers(app_commands.Transformer):
    """The numbers of a league's seasons."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """Seasons are numbers."""
        return discord.AppCommandOptionType.integer

    async def transform(self, interaction: Interaction, value: int, /) -> int:
        """Return the number as typed."""
        return value

    async def autocomplete(self, interaction: Interaction, value: int | str, /) -> list[app_commands.Choice[int]]:  # type: ignore[override]
        """Return the seasons there are, the newest first."""
        try:
            league = await league_meant(interaction, interaction.namespace.league)
        except LeagueError:
            return []
        numbers = await tables.numbers(host(interaction).database, actor=actor(interaction), league_id=league.id)
        fitting = [number for number in sorted(numbers, reverse=True) if str(number).startswith(str(value))]
        return [app_commands.Choice(name=f"Season {number}", value=number) for number in fitting[:MOST_CHOICES]]


LeagueName = app_commands.Transform[str, LeagueNames]
PlayerName = app_commands.Transform[str, Suggestions(_players)]
OwnMatch = app_commands.Transform[str, Suggestions(_own_matches)]
AnyMatch = app_commands.Transform[str, Suggestions(_matches)]
OutcomeText = app_commands.Transform[str, Suggestions(_outcomes)]
TieOrder = app_commands.Transform[str, Suggestions(_tie_orders)]
SeasonNumber = app_commands.Transform[int, SeasonNumbers]
