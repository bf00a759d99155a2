"""The steps at which a bot can be killed, inside its process: around every transaction and every change on Discord.

Each step is a line in a file that outlives the process, so that steps are counted over all lives of a season.
A new kind of step is one more call of `take`.
"""

import functools
import os
import re
import signal
import sqlite3
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp


@dataclass(frozen=True)
class Step:
    """A step of a season, by its place there: its move, what is done there, its name and number."""

    move: int
    doing: str
    name: str
    nth: int

    @property
    def kind(self) -> str:
        return f"{self.doing}: {self.name}"


class Steps:
    """Counts steps, and kills this process at the one that another file names at that moment, with its count."""

    def __init__(self, file: Path) -> None:
        self._taken = Counter(taken(file))
        self._file = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._deadly = deadly(file)
        self._lock = threading.Lock()

    def take(self, name: str) -> None:
        with self._lock:
            os.write(self._file, f"{name}\n".encode())
            self._taken[name] += 1
            if self._deadly.read_text() == f"{name} {self._taken[name]}":
                os.kill(os.getpid(), signal.SIGKILL)

    def around_transactions(self) -> None:
        """Take a step before and after every BEGIN IMMEDIATE and COMMIT."""
        take = self.take

        class Stepped(sqlite3.Connection):
            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                if sql not in ("BEGIN IMMEDIATE", "COMMIT"):
                    return super().execute(sql, *given)
                take(f"before {sql}")
                done = super().execute(sql, *given)
                take(f"after {sql}")
                return done

        sqlite3.connect = functools.partial(sqlite3.connect, factory=Stepped)

    def around_requests(self) -> None:
        """Take a step before a request, after Discord accepted it, and once its answer is read."""
        take, request, text = self.take, aiohttp.ClientSession._request, aiohttp.ClientResponse.text

        async def stepped(self: Any, method: str, url: Any, **more: Any) -> aiohttp.ClientResponse:
            if method == "GET":
                return await request(self, method, url, **more)
            take(f"before {_named(method, str(url))}")
            answer = await request(self, method, url, **more)
            take(f"accepted {_named(method, str(url))}")
            return answer

        async def read(self: aiohttp.ClientResponse, *given: Any, **more: Any) -> str:
            answer = await text(self, *given, **more)
            if self.method != "GET":
                take(f"read {_named(self.method, str(self.url))}")
            return answer

        aiohttp.ClientSession._request, aiohttp.ClientResponse.text = stepped, read


def taken(file: Path) -> list[str]:
    """Return the names of the steps taken so far, in order."""
    return file.read_text().splitlines() if file.exists() else []


def deadly(file: Path) -> Path:
    """Return the file beside that of the steps which names the one to die at."""
    return file.with_suffix(".deadly")


def _named(method: str, url: str) -> str:
    """Return a request's name, by the last word of its route."""
    words = [part for part in url.split("?")[0].split("/") if re.fullmatch("@?[a-z-]+", part)]
    return f"{method} {words[-1]}"
