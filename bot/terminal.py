"""The program's terminal: exit codes, arguments, files, questions, errors in one line, and signals to stop."""

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bot.league.checking.league_file.json import LARGEST
from bot.league.errors import Invalid, InvalidFile
from bot.league.season.node import one_line

if TYPE_CHECKING:
    from bot.settings import Settings

DONE, NO, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: done; the answer is no; bad input; ctrl-C."""

STANDARD = "-"
"""The name of standard input and output."""
WIDTH = 78
"""Of the lines of help, in characters."""


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line; its help has one width, however wide the terminal is.

    By default argparse asks for that of the terminal once for each argument, before it knows whether it's needed.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**given, formatter_class=partial(argparse.HelpFormatter, width=WIDTH))

    def error(self, message: str) -> NoReturn:
        """Complain and exit."""
        complain(f"{message}; see `{self.prog} --help`")
        sys.exit(BAD_INPUT)


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a whole number within limits from an argument."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 20 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"must be a number from {least} to {most}")
        return int(text)

    return read


port = whole(1, 65_535)
"""Read a port from an argument."""


def fingerprint(text: str) -> str:
    """Return a fingerprint from an argument, whole or as it is shown."""
    if not re.fullmatch(r"[0-9a-f]{16}|[0-9a-f]{64}", text.casefold()):
        raise argparse.ArgumentTypeError("must be 16 or 64 hex digits, as the news of a round shows them")
    return text.casefold()


def complain(problem: str) -> None:
    """Write a problem to standard error, always in one line."""
    sys.stderr.write(f"{one_line(problem)}\n")


def content(path: str) -> bytes:
    """Return the bytes of a league file; raises InvalidFile if it can't be read."""
    try:
        if path == STANDARD:
            return sys.stdin.buffer.read(LARGEST + 1)
        with open(path, "rb") as file:
            return file.read(LARGEST + 1)
    except (OSError, ValueError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else wrong
        raise InvalidFile(f"can't be read ({reason}); name a league file") from None


def contents(args: argparse.Namespace) -> list[tuple[str, bytes]]:
    """Return the bytes of the files that were named; raises InvalidFile, which is about `args.file`.

    Once several were read, what is wrong names its file itself.
    """
    files = list[tuple[str, bytes]]()
    for file in args.files:
        args.file = file
        files.append((file, content(file)))
    if len(files) > 1:
        args.file = None
    return files


def progress(doing: str) -> None:
    """Show what is being done, in one line of a terminal; nothing ends it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{doing}")
        sys.stderr.flush()


def say(text: str) -> None:
    """Write a line to standard output, in place of what is being done."""
    progress("")
    sys.stdout.write(f"{text}\n")


def write(path: str, content: bytes) -> None:
    """Write a file whole or not at all, or to standard output; raises Invalid if it can't be written."""
    if path == STANDARD:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return
    unfinished = Path(f"{path}.part")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except (OSError, ValueError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else wrong
        raise Invalid(f"{path} can't be written ({reason}); name another file") from None


def agrees(question: str) -> bool:
    """Ask whether to go on; raises Invalid where no one is there to answer."""
    if not sys.stdin.isatty():
        raise Invalid(f"{question} To do this without being asked, add --yes")
    return input(f"{question} Go on? (yes or no) ").strip().casefold() in ("y", "yes")


def stop_listening() -> None:
    """Send the rest of the output nowhere, because the reader has closed the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


async def until_stopped(work: Coroutine[Any, Any, int | None], settings: "Settings") -> int:
    """Await work, keeping a log, or cancel it on SIGTERM and ctrl-C and wait until it has closed everything."""
    import asyncio
    import signal

    from bot import logs

    logs.set_up(settings.log_level, settings.log_format)
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        # Windows has no signal handlers in event loops; there ctrl-C raises KeyboardInterrupt.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, task.cancel)
    try:
        return await task or DONE
    except asyncio.CancelledError:
        return DONE
