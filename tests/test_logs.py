"""The log: one line a record, as text and as JSON, and what an action tells about itself."""

import asyncio
import json
import logging
import sys

import pytest

from bot import logs


def record(message: str, *args: object, error: bool = False) -> logging.LogRecord:
    return logging.LogRecord("bot.x", logging.ERROR, __file__, 1, message, args, sys.exc_info() if error else None)


def test_a_message_with_line_breaks_stays_one_line() -> None:
    text = logs.Text("%(levelname)s %(name)s: %(message)s")
    said = text.format(record("a name: %s", "Ada\nERROR bot: forged\r\u2028\x1b[2J"))
    assert len(said.splitlines()) == 1
    assert said.startswith("ERROR bot.x: a name: Ada ERROR")
    assert len(logs.Json().format(record("a\nb\u2028c")).splitlines()) == 1


def test_a_trace_is_indented_as_text_and_inside_as_json() -> None:
    try:
        raise ValueError("wrong\nERROR bot: forged")
    except ValueError:
        broken = record("it failed", error=True)
    first, *trace = logs.Text("%(levelname)s %(message)s").format(broken).splitlines()
    assert first == "ERROR it failed"
    assert trace
    assert all(line.startswith("    ") for line in trace)
    broken.exc_text = None
    said = json.loads(logs.Json().format(broken))
    assert (said["level"], said["logger"], said["message"]) == ("ERROR", "bot.x", "it failed")
    assert "ValueError: wrong" in said["trace"]


def test_an_action_is_one_line_with_what_was_told_inside(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        with logs.one_action("/report", guild=7, actor=8, match=None):
            logs.tell(league=9)
        with logs.one_action("send post"):
            logs.tell(result="failed")
        logs.tell(league=10)
    done, failed = caplog.records
    assert done.getMessage().startswith("/report: guild=7 actor=8 result=done league=9 ms=")
    assert (done.levelname, failed.levelname) == ("INFO", "WARNING")
    said = json.loads(logs.Json().format(done))
    assert (said["action"], said["actor"], said["league"], said["result"]) == ("/report", 8, 9, "done")


async def test_what_is_broken_off_as_the_bot_stops_is_not_called_done(caplog: pytest.LogCaptureFixture) -> None:
    async def waits() -> None:
        with logs.one_action("send post"):
            await asyncio.sleep(60)

    sending = asyncio.create_task(waits())
    await asyncio.sleep(0)
    with caplog.at_level(logging.INFO):
        sending.cancel()
        await asyncio.wait([sending])
    (said,) = caplog.records
    assert said.getMessage().startswith("send post: result=broken off ms=")
