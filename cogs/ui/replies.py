"""How commands, buttons and forms answer: in Discord's 3 seconds or acknowledged first; delivered twice, done once."""

import asyncio
import contextlib
import logging
from abc import abstractmethod
from collections.abc import Awaitable, Coroutine, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import aiohttp
import discord

from bot import logs
from cogs.ui import button_memory
from cogs.ui.cards import TEXT_LIMIT, Answer, Part, Row, files, layout, text_length
from cogs.ui.context import Interaction, host
from cogs.ui.errors import explain
from cogs.ui.rights import may_write_here
from cogs.ui.text import MESSAGE_LIMIT, clickable

_log = logging.getLogger(__name__)

PATIENCE_SECONDS = 1.5
"""Discord waits 3 s for the first answer; what takes longer than this is acknowledged first and answered then."""
FORM_SECONDS = 2.5
"""The same for what opens a form: Discord opens none once it was acknowledged."""


MOST_BUTTONS = 25

_UNREACHABLE = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What is raised where Discord doesn't take an answer, or can't be reached."""
ANSWERED_OR_GONE = (40060, 10062)
"""Discord's codes for an interaction that it delivered twice, or that waited too long for its answer."""


class Opened(discord.ui.Modal):
    """A form as it is shown; one that comes too late to be opened is offered behind a button."""

    @abstractmethod
    def offered(self, user_id: int) -> Answer:
        """Return an answer whose button opens this form for a person."""


Reply = Answer | Opened
Work = Coroutine[Any, Any, Reply]


def message_parts(answer: Answer, mark: int | None = None) -> dict[str, Any]:
    """Return an answer as discord.py takes it for sending; must be called in the event loop."""
    parts = (*answer.parts, answer.buttons[:MOST_BUTTONS])
    view = layout(answer.text, parts, answer.colour, mark)
    return {"view": view, "files": files(parts), "allowed_mentions": _mentioned(answer)}


def edit_parts(answer: Answer, mark: int | None = None) -> dict[str, Any]:
    """Return an answer as discord.py takes it in place of a message that exists."""
    edited = message_parts(answer, mark)
    edited["attachments"] = edited.pop("files")
    return edited


def _mentioned(answer: Answer) -> discord.AllowedMentions:
    users = [discord.Object(user_id) for user_id in answer.ping_ids]
    roles = [discord.Object(role_id) for role_id in answer.role_ids]
    return discord.AllowedMentions(everyone=False, users=users, roles=roles, replied_user=False)


def with_clickable(answer: Answer, ids: Mapping[str, int]) -> Answer:
    """Return an answer with each command as one to click, unless its texts would become too long."""
    parts = tuple(_clickable(part, ids) for part in answer.parts)
    clicked = replace(answer, text=clickable(answer.text, ids), parts=parts)
    fits = len(clicked.text) <= MESSAGE_LIMIT and text_length((clicked.text, *parts)) <= TEXT_LIMIT
    return clicked if fits else answer


def _clickable(part: Part, ids: Mapping[str, int]) -> Part:
    match part:
        case str():
            return clickable(part, ids)
        case Row():
            return Row(clickable(part.text, ids), part.button)
        case _:
            return part


async def respond(
    interaction: Interaction, work: Work, *, doing: str, private: bool = True, form: bool = False
) -> None:
    """Do the work and answer within Discord's 3 s, acknowledging first where it takes longer; then wake the announcer.

    `doing` names the action in the log; `form` says that the answer can be a form, which waits as long as it can.
    Discord may deliver an interaction twice: the second time nothing is done.
    """
    if not host(interaction).taken.add(interaction.id):
        work.close()
        _log.info("%s was delivered twice", doing)
        return
    button_memory.server.set(interaction.guild_id)
    with logs.one_action(doing, guild=interaction.guild_id, actor=interaction.user.id):
        await _answer(interaction, work, doing=doing, private=private, form=form)


async def _answer(interaction: Interaction, work: Work, *, doing: str, private: bool, form: bool) -> None:
    task = asyncio.ensure_future(work)
    at_work, answering = asyncio.current_task(), host(interaction).answering
    assert at_work is not None
    answering.add(at_work)
    try:
        if not await in_time(task, doing=doing, form=form):
            # Whether or not Discord hears of it, the work goes on; if the answer isn't taken either, that is noted.
            # A press goes on showing the message it was on, which the answer then replaces or leaves.
            with contextlib.suppress(*_UNREACHABLE):
                await interaction.response.defer(ephemeral=private, thinking=interaction.message is None)
        reply = _as_they_may(interaction, await _outcome(task, doing))
        assert form or isinstance(reply, Answer), f"{doing} opens a form and doesn't say so"
        await show(interaction, reply, private=private)
    except _UNREACHABLE as error:
        # The person may be gone or Discord down; the work itself is done and saved.
        await _apologise(interaction, error, doing=doing, private=private)
    finally:
        task.cancel()
        answering.discard(at_work)
        host(interaction).announce()


def _as_they_may(interaction: Interaction, reply: Reply) -> Reply:
    """Return a reply for the person alone where they couldn't write for everyone themselves."""
    if isinstance(reply, Opened) or (reply.private and reply.public is None) or may_write_here(interaction):
        return reply
    parts = (*reply.parts, "-# Only you see this, because you can't write in this channel.")
    return replace(reply, parts=parts, private=True, public=None)


async def in_time(task: asyncio.Future[Reply], *, doing: str, form: bool) -> bool:
    """Return whether the work is done so soon that it can be the first answer."""
    await asyncio.wait({task}, timeout=FORM_SECONDS if form else PATIENCE_SECONDS)
    return task.done()


async def _apologise(interaction: Interaction, error: Exception, *, doing: str, private: bool) -> None:
    """Note an answer that did not arrive, and say so where Discord refused the answer itself."""
    if isinstance(error, discord.HTTPException) and error.code in ANSWERED_OR_GONE:
        logs.tell(result="not answered")
        _log.warning("answering %s: %s", doing, error)
        return
    text = explain(error, doing=f"answering {doing}")
    if isinstance(error, discord.HTTPException) and error.status == HTTPStatus.BAD_REQUEST:
        with contextlib.suppress(*_UNREACHABLE):
            await show(interaction, Answer(text=text), private=private)


async def _outcome(task: Awaitable[Reply], doing: str) -> Reply:
    try:
        return await task
    except Exception as error:
        return Answer(text=explain(error, doing=doing))


async def show(interaction: Interaction, reply: Reply, *, private: bool = True) -> None:
    """Show a reply, as the first answer or after an acknowledgement."""
    response = interaction.response
    if isinstance(reply, Opened):
        if not response.is_done():
            host(interaction).expect(reply)
            await response.send_modal(reply)
            return
        reply = reply.offered(interaction.user.id)
    reply = with_clickable(reply, host(interaction).command_ids)
    if not response.is_done():
        await _show_at_once(interaction, reply)
    elif response.type is discord.InteractionResponseType.deferred_message_update and not reply.replace:
        await interaction.followup.send(**message_parts(reply), ephemeral=reply.private)
    elif reply.private and not private:
        # While Discord shows "thinking", a followup only fills that public message in: it is ended first.
        await interaction.edit_original_response(content="…")
        await interaction.delete_original_response()
        await interaction.followup.send(**message_parts(reply), ephemeral=True)
    else:
        await interaction.edit_original_response(**edit_parts(reply))
    if reply.public:
        await interaction.followup.send(**message_parts(reply.public))


async def _show_at_once(interaction: Interaction, answer: Answer) -> None:
    if answer.replace and interaction.message is not None:
        await interaction.response.edit_message(**edit_parts(answer))
    else:
        await interaction.response.send_message(**message_parts(answer), ephemeral=answer.private)
