"""Suggestions for leagues, players, matches, outcomes and seasons while people type them."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.league.errors import LeagueError
from bot.services import find
from bot.services.matches import choosing
from bot.services.permissions import Actor
from bot.services.seasons import overview
from bot.services.ties import commands
from cogs.ui.context import Interaction, actor, host, league_meant
from storage.rows import LeagueRow

MOST_CHOICES = 25
MOST_CHARACTERS = 100

Choices = list[app_commands.Choice[str]]


def choices(values: Sequence[tuple[str, str]], typed: str) -> Choices:
    """Return the suggestions that hold what was typed, as (label, value), at most what Discord takes."""
    wanted = typed.casefold().strip()
    fitting = [(label, value) for label, value in values if wanted in label.casefold() and len(value) <= 100]
    return [app_commands.Choice(name=label[:MOST_CHARACTERS], value=value) for label, value in fitting[:MOST_CHOICES]]


class _Suggestions(app_commands.Transformer):
    """A text option with suggestions from a league; what is typed is checked again by the services."""

    async def transform(self, interaction: Interaction, value: str, /) -> str:
        """Return the text as typed."""
        return value

    async def autocomplete(self, interaction: Interaction, value: str, /) -> Choices:  # type: ignore[override]
        """Return suggestions; none where the league is not clear yet."""
        try:
            who = actor(interaction)
            league = await league_meant(interaction, interaction.namespace.league)
            return choices(await self.values(interaction, league, who, value), value)
        except LeagueError:
            return []

    async def values(
        self, interaction: Interaction, league: LeagueRow, who: Actor, typed: str
    ) -> Sequence[tuple[str, str]]:
        """Return what can be chosen, as (label, value)."""
        raise NotImplementedError


class LeagueNames(_Suggestions):
    """The leagues of the server."""

    async def autocomplete(self, interaction: Interaction, value: str, /) -> Choices:  # type: ignore[override]
        """Return the server's leagues."""
        if interaction.guild_id is None:
            return []
        names = await find.league_names(host(interaction).database, actor=actor(interaction))
        return choices([(name, name) for name in names], value)


class PlayerNames(_Suggestions):
    """The league names of a league's players."""

    async def values(
        self, interaction: Interaction, league: LeagueRow, who: Actor, typed: str
    ) -> Sequence[tuple[str, str]]:
        """Return the players whose names fit."""
        names = await find.player_names(host(interaction).database, actor=who, league_id=league.id, typed=typed)
        return [(name, name) for name in names]


class OwnMatches(_Suggestions):
    """A player's own open matches."""

    async def values(
        self, interaction: Interaction, league: LeagueRow, who: Actor, typed: str
    ) -> Sequence[tuple[str, str]]:
        """Return the matches the person plays."""
        db = host(interaction).database
        return await choosing.choices(db, actor=who, league_id=league.id, typed=typed, own=True)


class Matches(_Suggestions):
    """The matches of the season, open ones first."""

    async def values(
        self, interaction: Interaction, league: LeagueRow, who: Actor, typed: str
    ) -> Sequence[tuple[str, str]]:
        """Return the matches whose reference or players fit."""
        return await choosing.choices(host(interaction).database, actor=who, league_id=league.id, typed=typed)


class TieOrders(_Suggestions):
    """The order of players who are equal, name by name."""

    async def values(
        self, interaction: Interaction, league: LeagueRow, who: Actor, typed: str
    ) -> Sequence[tuple[str, str]]:
        """Return the orders what was typed can become; all of them hold it."""
        return [
            (order, order)
            for order in await commands.choices(host(interaction).database, actor=who, league_id=league.id, typed=typed)
        ]


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
        numbers = await overview.numbers(host(interaction).database, league_id=league.id)
        fitting = [number for number in sorted(numbers, reverse=True) if str(number).startswith(str(value))]
        return [app_commands.Choice(name=f"Season {number}", value=number) for number in fitting[:MOST_CHOICES]]


class Outcomes(_Suggestions):
    """How a match can be decided: a name, a draw, a double loss."""

    async def values(
        self, interaction: Interaction, league: LeagueRow, who: Actor, typed: str
    ) -> Sequence[tuple[str, str]]:
        """Return the players of the match chosen, and the outcomes without winner."""
        match = interaction.namespace.match
        names: tuple[str, ...] = ()
        if match:
            view = await choosing.match_meant(host(interaction).database, actor=who, league_id=league.id, match=match)
            names = (view.upper.name, view.lower.name)
        return [(word, word) for word in (*names, "draw", "double loss")]


LeagueName = app_commands.Transform[str, LeagueNames]
PlayerName = app_commands.Transform[str, PlayerNames]
OwnMatch = app_commands.Transform[str, OwnMatches]
AnyMatch = app_commands.Transform[str, Matches]
OutcomeText = app_commands.Transform[str, Outcomes]
TieOrder = app_commands.Transform[str, TieOrders]
SeasonNumber = app_commands.Transform[int, SeasonNumbers]
