"""Suggestions for leagues, players, matches, outcomes, seasons and time zones while people type them."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.league.errors import LeagueError
from bot.services.base import find
from bot.services.leagues import set_up
from bot.services.matches import match_finding
from bot.services.matches.outcome import outcomes
from bot.services.reads import audit_log, tables
from bot.services.ties import tie_decisions
from cogs.ui.context import Caller, Interaction, asked, caller

MOST_CHOICES = 25
MOST_CHARACTERS = 100
LONGEST_ORDER = 1000
"""Characters of an order of players: some thirty names."""

TEXT = discord.AppCommandOptionType.string
Choices = list[app_commands.Choice[Any]]
Pairs = Sequence[tuple[str, str | int]]
"""What can be chosen, as (label, value)."""


class Suggestions(app_commands.Transformer):
    """An option with suggestions from a league; what is typed is checked again by the services."""

    def __init__(
        self,
        values: Callable[[Interaction, str], Awaitable[Pairs]],
        kind: discord.AppCommandOptionType = TEXT,
        *,
        longest: int | None = None,
    ) -> None:
        super().__init__()
        self._values, self._kind, self._longest = values, kind, longest

    @property
    def max_value(self) -> int | None:
        """How many characters can be typed, where it's not as many as usual."""
        return self._longest

    @property
    def type(self) -> discord.AppCommandOptionType:
        """Whether a text or a number is typed."""
        return self._kind

    async def transform(self, interaction: Interaction, value: Any, /) -> Any:
        """Return what was typed or chosen, as it is."""
        return value

    async def autocomplete(self, interaction: Interaction, value: Any, /) -> Choices:
        """Return the suggestions that contain every word typed; none where the league is not clear yet."""
        wanted = str(value).casefold().split()
        try:
            values = await self._values(interaction, str(value))
        except LeagueError:
            return []
        fitting = [
            (label, value)
            for label, value in values
            if all(word in label.casefold() for word in wanted) and len(str(value)) <= MOST_CHARACTERS
        ]
        return [
            app_commands.Choice(name=label[:MOST_CHARACTERS], value=value) for label, value in fitting[:MOST_CHOICES]
        ]


async def _meant(interaction: Interaction) -> Caller:
    return await asked(interaction, interaction.namespace.league)


async def _leagues(interaction: Interaction, typed: str) -> Pairs:
    return [(name, name) for name in await caller(interaction).read(find.league_names)]


async def _players(interaction: Interaction, typed: str) -> Pairs:
    return [(name, name) for name in await (await _meant(interaction)).read(find.player_names, typed=typed)]


async def _matches(interaction: Interaction, typed: str, *, own: bool = False) -> Pairs:
    return await (await _meant(interaction)).read(match_finding.choices, typed=typed, own=own)


async def _tie_orders(interaction: Interaction, typed: str) -> Pairs:
    return [(order, order) for order in await (await _meant(interaction)).read(tie_decisions.choices, typed=typed)]


async def _outcomes(interaction: Interaction, typed: str) -> Pairs:
    """Return the outcomes the match chosen can have."""
    if not interaction.namespace.match:
        return [(word, word) for word in ("draw", "double loss")]
    view = await (await _meant(interaction)).read(match_finding.match_meant, match=interaction.namespace.match)
    return [(word, word) for word in outcomes(view)]


async def _seasons(interaction: Interaction, typed: str) -> Pairs:
    return [(f"Season {number}", number) for number in await (await _meant(interaction)).read(tables.numbers)]


async def _audit_actions(interaction: Interaction, typed: str) -> Pairs:
    return [(words, words) for words in await (await _meant(interaction)).read(audit_log.actions)]


async def _time_zones(interaction: Interaction, typed: str) -> Pairs:
    return [(zone, zone) for zone in set_up.time_zones(typed)]


LeagueName = app_commands.Transform[str, Suggestions(_leagues)]
PlayerName = app_commands.Transform[str, Suggestions(_players)]
OwnMatch = app_commands.Transform[str, Suggestions(partial(_matches, own=True))]
AnyMatch = app_commands.Transform[str, Suggestions(_matches)]
OutcomeText = app_commands.Transform[str, Suggestions(_outcomes)]
TieOrder = app_commands.Transform[str, Suggestions(_tie_orders, longest=LONGEST_ORDER)]
AuditAction = app_commands.Transform[str, Suggestions(_audit_actions)]
TimeZone = app_commands.Transform[str, Suggestions(_time_zones)]
SeasonNumber = app_commands.Transform[int, Suggestions(_seasons, discord.AppCommandOptionType.integer)]
