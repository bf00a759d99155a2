"""Serves the folder of the leagues' pages: files only, nothing is listed, nothing can be sent."""

import asyncio
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.league.errors import Invalid

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "public, max-age=60",
}
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".png": "image/png",
    ".ics": "text/calendar; charset=utf-8",
    ".zip": "application/zip",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Serving:
    """Serves a folder at an address while it is entered; does nothing without either."""

    def __init__(self, folder: Path | None, address: tuple[str, int] | None) -> None:
        self.folder, self._address = folder, address
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        """Listen; raises Invalid where the port can't be had."""
        if self.folder is None or self._address is None:
            return self
        self._runner = web.AppRunner(application(self.folder), access_log=None)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, *self._address).start()
        except OSError as wrong:
            await self._runner.cleanup()
            host, port = self._address
            reason = wrong.strerror or wrong
            raise Invalid(f"SITE_PORT {host}:{port} can't be used ({reason}); name a free port or none") from None
        return self

    @property
    def url(self) -> str:
        """Where the folder is; empty where it isn't served."""
        return "" if self._address is None else "http://{}:{}".format(*self._address)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()


def application(folder: Path) -> web.Application:
    """Return a web application that answers GET and HEAD with the files of a folder."""

    async def answer(request: web.Request) -> web.StreamResponse:
        if not request.path.endswith("/") and await asyncio.to_thread(_is_folder, folder, request.path):
            return web.Response(status=308, headers={**HEADERS, "Location": f"{request.rel_url.raw_path}/"})
        found = await asyncio.to_thread(file_of, folder, request.path)
        if found is None:
            return web.Response(status=404, text="There is no such page.", headers=HEADERS)
        return web.FileResponse(found, headers={**HEADERS, "Content-Type": _TYPES[found.suffix]})

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    return app


def file_of(folder: Path, path: str) -> Path | None:
    """Return the file of a path, in a folder its index; None for what isn't a page's file, or lies elsewhere."""
    parts = path.removeprefix("/").split("/")
    if not parts[-1]:
        parts[-1] = "index.html"
    if any(part.startswith(".") or not part or "\\" in part or "\0" in part for part in parts):
        return None
    try:
        found = folder.joinpath(*parts).resolve(strict=True)
        root = folder.resolve(strict=True)
    except (OSError, ValueError):
        return None
    return found if found.is_relative_to(root) and found.is_file() and found.suffix in _TYPES else None


def _is_folder(folder: Path, path: str) -> bool:
    return file_of(folder, f"{path}/") is not None
