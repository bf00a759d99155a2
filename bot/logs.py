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
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "told", {}),
        }
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields)


@contextlib.contextmanager
def one_action(what: str, **about: Any) -> Generator[None]:
    """Log one line about what is done inside, with its result and how many milliseconds it took.

    Only ids and words of the program belong in it: never names, reasons or what someone typed.
    """
    fields = {"action": what, **about, "result": "done"}
    outer, began = _told.set(fields), time.perf_counter()
    try:
        yield
    except asyncio.CancelledError:
        fields["result"] = "broken off"
        raise
    finally:
        _told.reset(outer)
        fields["ms"] = round((time.perf_counter() - began) * 1000)
        given = {name: value for name, value in fields.items() if value is not None}
        text = " ".join(f"{name}={value}" for name, value in given.items() if name != "action")
        level = logging.INFO if fields["result"] in WELL else logging.WARNING
        _log.log(level, "%s: %s", what, text, extra={"told": given})


def tell(**more: Any) -> None:
    """Say more about what is being done, for its line: the league it's about, or another result."""
    context = _told.get()
    if context is not None:
        context.update(more)


def told(name: str) -> Any:
    """Return what was said about what is being done; None for nothing."""
    return (_told.get() or {}).get(name)
