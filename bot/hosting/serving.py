"""Serves the folder of the leagues' pages: which files, their security headers, how long browsers keep them.

Files only: nothing is listed, nothing can be sent.
"""

import asyncio
from pathlib import Path

from aiohttp import web

from bot.hosting.listening import Listening

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
    ".svg": "image/svg+xml",
    ".ics": "text/calendar; charset=utf-8",
    ".zip": "application/zip",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Serving(Listening):
    """Serves a folder at an address while it is entered; does nothing without either."""

    def __init__(self, folder: Path | None, address: tuple[str, int] | None) -> None:
        super().__init__("SITE_PORT", None if folder is None else address)
        self.folder = folder
        self.url = "" if address is None else "http://{}:{}".format(*address)
        """Where the folder is; empty where it isn't served."""

    def _application(self) -> web.Application:
        assert self.folder is not None
        return application(self.folder)


def application(folder: Path) -> web.Application:
    """Return a web application that answers GET and HEAD with the files of a folder."""

    async def answer(request: web.Request) -> web.StreamResponse:
        if not request.path.endswith("/") and await asyncio.to_thread(_is_folder, folder, request.path):
            return web.Response(status=308, headers={**HEADERS, "Location": f"{request.rel_url.raw_path}/"})
        file = await asyncio.to_thread(file_of, folder, request.path)
        if file is None:
            return web.Response(status=404, text="There is no such page.", headers=HEADERS)
        return web.FileResponse(file, headers={**HEADERS, "Content-Type": _TYPES[file.suffix]})

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
        file = folder.joinpath(*parts).resolve(strict=True)
        root = folder.resolve(strict=True)
    except (OSError, ValueError):
        return None
    return file if file.is_relative_to(root) and file.is_file() and file.suffix in _TYPES else None


def _is_folder(folder: Path, path: str) -> bool:
    return file_of(folder, f"{path}/") is not None
