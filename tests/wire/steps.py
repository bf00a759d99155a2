"""The steps at which a bot can be killed, inside its process: around every transaction and every change on Discord.

Each step is a line in a file that outlives the process, so that steps are numbered over all lives of a season.
A new kind of step is one more call of `take`.
"""

import functools
import os
import re
import signal
import sqlite3
import threading
from pathlib import Path
from typing import Any

import aiohttp


class Steps:
    """Counts steps, and kills this process at those numbers that leave the rest `first` when divided by `every`."""

    def __init__(self, file: Path, first: int, every: int) -> None:
        self._first, self._every = first, every
        self._number = len(taken(file))
        self._file = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._lock = threading.Lock()

    def take(self, name: str) -> None:
        with self._lock:
            os.write(self._file, f"{name}\n".encode())
            self._number += 1
            if self._every and self._number % self._every == self._first % self._every:
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

        aiohttp.ClientSession._request, aiohttp.ClientResponse.text = stepped, read  # pyright: ignore


def taken(file: Path) -> list[str]:
    """Return the names of the steps taken so far, in order."""
    return file.read_text().splitlines() if file.exists() else []


def _named(method: str, url: str) -> str:
    """Return a request's name, by the last word of its route."""
    words = [part for part in url.split("?")[0].split("/") if re.fullmatch("@?[a-z-]+", part)]
    return f"{method} {words[-1]}"
