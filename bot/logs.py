"""The program's log: each record on one line, as text or JSON, and one record for each thing that is done."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Generator
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from bot.league.season.node import one_line

_log = logging.getLogger(__name__)
WELL = ("done", "refused", "not needed")
"""Results that are nothing to look after: the bot did what it should."""
_told: ContextVar[dict[str, Any] | None] = ContextVar("told", default=None)


def set_up(level: str, form: str) -> None:
    """Write records of this level and above to standard error, in the form `text` or `json`."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form == "json" else Text("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


class Text(logging.Formatter):
    """A line for people; the trace of an error follows, indented, so that only a record begins at the margin."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's own name)
        """Return the line of a record."""
        return one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 (logging's own name)
        """Return the trace of an error."""
        return "\n".join(f"    {line}" for line in super().formatException(ei).splitlines())


class Json(logging.Formatter):
    """A JSON object for collectors, with what a record is about as keys of its own and the trace of an error inside."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object of a record."""
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "told", {}),
        }
        if record.exc_info:
            said["trace"] = self.formatException(record.exc_info)
        return json.dumps(said)


@contextlib.contextmanager
def one_action(what: str, **about: Any) -> Generator[None]:
    """Log one line about what is done inside, with its result and how many milliseconds it took.

    Only ids and words of the program belong in it: never names, reasons or what someone typed.
    """
    told = {"action": what, **about, "result": "done"}
    outer, began = _told.set(told), time.perf_counter()
    try:
        yield
    except asyncio.CancelledError:
        told["result"] = "broken off"
        raise
    finally:
        _told.reset(outer)
        told["ms"] = round((time.perf_counter() - began) * 1000)
        known = {name: value for name, value in told.items() if value is not None}
        said = " ".join(f"{name}={value}" for name, value in known.items() if name != "action")
        level = logging.INFO if told["result"] in WELL else logging.WARNING
        _log.log(level, "%s: %s", what, said, extra={"told": known})


def tell(**more: Any) -> None:
    """Say more about what is being done, for its line: the league it's about, or another result."""
    told = _told.get()
    if told is not None:
        told.update(more)


def told(name: str) -> Any:
    """Return what was said about what is being done; None for nothing."""
    return (_told.get() or {}).get(name)
