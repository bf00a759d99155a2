"""How long answers take in the tests of the surface: no time at all, or with SLOW_ANSWERS=1 always too long.

When they do, a press that is answered in place must all the same have changed the message that was pressed. With what
takes long, each button, choice and form is answered late as well, in each way it can be answered: the first test that
has such an answer runs once more.
"""

import asyncio
import os
import re
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.backend.models.interaction import ResponseKind
from simcord.builders import UserHandle
from simcord.results import InteractionResult, ResponseMessage

from cogs.ui import replies
from cogs.ui.cards import texts

SLOW = os.environ.get("SLOW_ANSWERS", "") not in ("", "0")


LATE = pytest.StashKey[bool]()
"""Whether a test runs once more, with late answers."""


answered = set[tuple[str, str]]()
"""Which buttons, choices and forms a test used and in which ways they were answered, but for what led to its start."""
_looked_for = set[tuple[str, str]]()
"""What this process knows to be answered late in some test, and in which way."""


def to_run_late(noted: Path) -> bool:
    """Whether the test that ran last had an answer such as none came late so far; now one does.

    The folder is where all processes of a run note it.
    """
    new = answered - _looked_for
    _looked_for.update(new)
    return bool([way for way in new if _is_first(noted / sha256(repr(way).encode()).hexdigest())])


def _is_first(note: Path) -> bool:
    """Make a file; False where another process has made it."""
    try:
        note.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def not_noted(act: Any) -> Any:
    """Let a test begin with this without its answers being those of the test."""

    async def then(*given: Any, **named: Any) -> Any:
        before = set(answered)
        try:
            return await act(*given, **named)
        finally:
            answered.intersection_update(before)

    return then


def _note(task: asyncio.Future[replies.Reply], doing: str) -> None:
    """Note how a button, a choice or a form was answered."""
    if not doing.startswith("/") and not task.cancelled():
        error = task.exception()
        answered.add((re.sub(r"\d+", "", doing), type(error).__name__ if error else _way(task.result())))


def _way(reply: replies.Reply) -> str:
    """Return what it depends on how a reply is sent."""
    if isinstance(reply, replies.Opened):
        return "form"
    return f"replace={reply.replace} private={reply.private} public={reply.public is not None}"


def use(monkeypatch: pytest.MonkeyPatch, *, slow: bool = SLOW) -> None:
    """Let no answer of this test be acknowledged first, or each, and then look at which message changes."""
    monkeypatch.setattr(replies, "in_time", _never if slow else _always)
    if slow:
        replaced: set[int] = set()
        _check_what_is_replaced(monkeypatch, replaced)
        _answer_as_people_see_it(monkeypatch, replaced)
        _open_late_forms(monkeypatch)


def late(monkeypatch: pytest.MonkeyPatch, *, form: bool) -> None:
    """Let what opens a form, or what opens none, come too late."""

    async def in_time(task: asyncio.Future[Any], *, doing: str, form: bool, late: bool = form) -> bool:
        return await (_never if form is late else _always)(task, doing=doing, form=form)

    monkeypatch.setattr(replies, "in_time", in_time)


async def _always(task: asyncio.Future[Any], *, doing: str, form: bool) -> bool:
    """Wait as long as it takes: on a busy machine any answer can take longer than the bot's patience."""
    await asyncio.wait({task})
    _note(task, doing)
    return True


async def _never(task: asyncio.Future[Any], *, doing: str, form: bool) -> bool:
    """Acknowledge first; only a form that was kept needs nothing to be looked up, and opens at once."""
    return doing.startswith("button again") and await _always(task, doing=doing, form=form)


def _check_what_is_replaced(monkeypatch: pytest.MonkeyPatch, replaced: set[int]) -> None:
    show = replies.show

    async def checked(interaction: Any, reply: Any, **more: Any) -> None:
        await show(interaction, reply, **more)
        if isinstance(reply, replies.Answer) and reply.replace and interaction.message is not None:
            replaced.add(interaction.id)
            now = await interaction.original_response()
            assert now.id == interaction.message.id, "another message changed than the one that was pressed"

    monkeypatch.setattr(replies, "show", checked)


def _answer_as_people_see_it(monkeypatch: pytest.MonkeyPatch, replaced: set[int]) -> None:
    """Take what follows an acknowledgement for the answer: the test asks what came, not in which request."""
    response, followups = (vars(InteractionResult)[name].fget for name in ("response", "followups"))

    def came(result: InteractionResult) -> list[ResponseMessage]:
        record = result._interaction
        pressed_only = record.response_kind is ResponseKind.DEFERRED_UPDATE and record.id not in replaced
        first = None if pressed_only else response(result)
        return [*([] if first is None else [first]), *followups(result)]

    def ephemeral(result: InteractionResult) -> bool:
        return all(answer.ephemeral for answer in came(result))

    monkeypatch.setattr(InteractionResult, "response", property(lambda result: next(iter(came(result)), None)))
    monkeypatch.setattr(InteractionResult, "followups", property(lambda result: came(result)[1:]))
    monkeypatch.setattr(InteractionResult, "ephemeral", property(ephemeral))


def _open_late_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Press the button behind which a form that came too late is offered, as people do."""

    def opening(act: Any) -> Any:
        async def then(actor: Any, *given: Any, **named: Any) -> InteractionResult:
            done = await act(actor, *given, **named)
            late = done.response is not None and "The form is ready." in texts(done.response.message.components)
            return await actor.click(done.response, label="Open the form") if late else done

        return then

    for kind, name in product((MemberActor, UserHandle), ("click", "select", "slash", "context_menu")):
        if hasattr(kind, name):
            monkeypatch.setattr(kind, name, opening(getattr(kind, name)))
