"""A season in the words of the people who play it: at services, on a server, over the wire.

The organiser opens it with its settings and starts it; people sign up, report and confirm. A match is named where
someone has several.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bot.services.base.permissions import Actor
from bot.services.play import reporting
from bot.services.seasons import lifecycle, planning
from bot.services.signups import signing_up
from storage.database import Database
from storage.rows import LeagueId
from tests.files import do
from tests.loopback.objects import Json, Person
from tests.wire.people import People

if TYPE_CHECKING:
    from simcord.actors import MemberActor
    from simcord.builders import ChannelHandle
    from simcord.results import InteractionResult


@dataclass(kw_only=True)
class AtServices:
    """Without a Discord: people are actors, a match is its id."""

    db: Database
    league_id: LeagueId
    organiser: Actor
    now: datetime

    async def open(self, format: str = "ohs", **settings: Any) -> None:
        await self._do(planning.prepare, self.organiser, format=format)
        if settings:
            await self._do(planning.change_settings, self.organiser, settings=settings)
        await self._do(planning.open_signups, self.organiser)

    async def sign_up(self, *people: Actor) -> None:
        for who in people:
            await self._do(signing_up.sign_up, who, display_name=who.name, agreed=99)

    async def start(self) -> Any:
        return await self._do(lifecycle.start, self.organiser)

    async def report(self, who: Actor, result: str, **match: Any) -> Any:
        return await self._do(reporting.report, who, result=result, **match)

    async def confirm(self, who: Actor, **match: Any) -> Any:
        return await self._do(reporting.confirm, who, **match)

    async def _do(self, use_case: Any, who: Actor, **given: Any) -> Any:
        return await do(use_case, db=self.db, actor=who, now=self.now, league_id=self.league_id, **given)


class ByCommands(ABC):
    """On a Discord: people type commands and press buttons."""

    organiser: Any

    @abstractmethod
    async def type(self, who: Any, command: str, **options: Any) -> Any:
        """Type a command and return its answer."""

    @abstractmethod
    async def press(self, who: Any, answer: Any, label: str) -> Any:
        """Press the button of an answer and return what comes of it."""

    async def open(self, format: str = "ohs", **settings: Any) -> None:
        panel = await self.type(self.organiser, "season create", format=format)
        for key, value in settings.items():
            panel = await self.type(self.organiser, "season settings", setting=key, value=value)
        await self.press(self.organiser, panel, "Open sign-ups")

    async def sign_up(self, *people: Any) -> None:
        for who in people:
            await self.type(who, "signup")

    async def start(self) -> Any:
        return await self.type(self.organiser, "season start")

    async def report(self, who: Any, result: str, **match: Any) -> Any:
        return await self.type(who, "report", result=result, **match)

    async def confirm(self, who: Any, **match: Any) -> Any:
        return await self.type(who, "confirm", **match)

    async def begin(self, people: Iterable[Any], format: str = "ohs", **settings: Any) -> None:
        """Go as far as round 1."""
        await self.open(format, **settings)
        await self.sign_up(*people)
        await self.start()


@dataclass
class OnServer(ByCommands):
    """In a channel of the simulated server."""

    organiser: "MemberActor"
    channel: "ChannelHandle"

    async def type(self, who: "MemberActor", command: str, **options: Any) -> "InteractionResult":
        return await who.slash(self.channel, command, **options)

    async def press(self, who: "MemberActor", answer: "InteractionResult", label: str) -> "InteractionResult":
        return await who.click(answer.response, label=label)


@dataclass
class OverTheWire(ByCommands):
    """On the loopback Discord, to a bot that may be another process."""

    organiser: Person
    people: People

    async def type(self, who: Person, command: str, **options: Any) -> list[Json]:
        return await self.people.slash(who, command, **options)

    async def press(self, who: Person, answer: list[Json], label: str) -> list[Json]:
        return await self.people.press(who, answer[0], label)
