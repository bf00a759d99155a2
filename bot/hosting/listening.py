"""Listens at an address of the settings, and says so where its port can't be used.

Both what tells how the bot is and the leagues' pages answer like this.
"""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.league.errors import Invalid


class Listening(ABC):
    """Listens at the address of a setting while it is entered; does nothing without an address."""

    def __init__(self, setting: str, address: tuple[str, int] | None) -> None:
        self._setting, self._address = setting, address
        self._runner: web.AppRunner | None = None

    @abstractmethod
    def _application(self) -> web.Application:
        """Return what answers."""

    async def __aenter__(self) -> Self:
        """Listen, if the settings name a port; raises Invalid where it can't be had."""
        if self._address is None:
            return self
        self._runner = web.AppRunner(self._application(), access_log=None)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, *self._address).start()
        except OSError as wrong:
            await self._runner.cleanup()
            host, port = self._address
            reason = wrong.strerror or wrong
            raise Invalid(f"{self._setting} {host}:{port} can't be used ({reason}); name a free port or none") from None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()
