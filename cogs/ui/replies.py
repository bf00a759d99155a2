"""How commands, buttons and forms answer: the work returns what to show, this door shows it or explains the error."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Coroutine, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

import aiohttp
import discord

from bot import logs
from cogs.ui.cards import TEXT_LIMIT, Part, Row, files, layout, text_length
from cogs.ui.context import Interaction, host
from cogs.ui.errors import explain
from cogs.ui.text import MESSAGE_LIMIT, clickable

_log = logging.getLogger(__name__)

PATIENCE_SECONDS = 1.5
"""Discord waits 3 s for the first answer; what takes longer than this is deferred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person sees: a plain text above, then parts in a frame of a colour, then buttons.

    `private` shows it only to them, `replace` in place of the message whose button they pressed, `public` is posted for
    everyone beside it. Only `ping_ids` and `role_ids` are notified, whatever the texts mention.
    """

    text: str = ""
    parts: tuple[Part, ...] = ()
    colour: discord.Colour | None = None
    buttons: tuple[discord.ui.Item[Any], ...] = ()
    ping_ids: tuple[int, ...] = ()
    role_ids: tuple[int, ...] = ()
    private: bool = True
    replace: bool = False
    public: "Answer | None" = None


MOST_BUTTONS = 25
MOST_PINGS = 100
"""As many people as Discord takes in one message's allowed mentions."""

ANSWERED_OR_GONE = (40060, 10062)
"""Discord's codes for an interaction that it delivered twice, or that waited too long for its answer."""

Reply = Answer | discord.ui.Modal
Work = Coroutine[Any, Any, Reply]


def message_parts(answer: Answer, mark: int | None = None) -> dict[str, Any]:
    """Return an answer as discord.py takes it for sending; must be called in the event loop."""
    parts = (*answer.parts, answer.buttons[:MOST_BUTTONS])
    view = layout(answer.text, parts, answer.colour, mark)
    return {"view": view, "files": files(parts), "allowed_mentions": _mentioned(answer)}


def edit_parts(answer: Answer, mark: int | None = None) -> dict[str, Any]:
    """Return an answer as discord.py takes it in place of a message that exists."""
    made = message_parts(answer, mark)
    made["attachments"] = made.pop("files")
    return made


def _mentioned(answer: Answer) -> discord.AllowedMentions:
    users = [discord.Object(user_id) for user_id in answer.ping_ids[:MOST_PINGS]]
    roles = [discord.Object(role_id) for role_id in answer.role_ids]
    return discord.AllowedMentions(everyone=False, users=users, roles=roles, replied_user=False)


def with_clickable(answer: Answer, ids: Mapping[str, int]) -> Answer:
    """Return an answer with each command as one to click, unless its texts would become too long."""
    parts = tuple(_clickable(part, ids) for part in answer.parts)
    made = replace(answer, text=clickable(answer.text, ids), parts=parts)
    fits = len(made.text) <= MESSAGE_LIMIT and text_length((made.text, *parts)) <= TEXT_LIMIT
    return made if fits else answer


def _clickable(part: Part, ids: Mapping[str, int]) -> Part:
    match part:
        case str():
            return clickable(part, ids)
        case Row():
            return Row(clickable(part.text, ids), part.button)
        case _:
            return part


async def respond(
    interaction: Interaction, work: Work, *, doing: str, private: bool = True, in_place: bool = False
) -> None:
    """Do the work and answer within Discord's 3 s, deferring where it takes longer; then wake the announcer.

    What is deferred `in_place` changes the message whose button was pressed. `doing` names the action in the log.
    """
    with logs.one_action(doing, guild=interaction.guild_id, actor=interaction.user.id):
        await _answer(interaction, work, doing=doing, private=private, in_place=in_place)


async def _answer(interaction: Interaction, work: Work, *, doing: str, private: bool, in_place: bool) -> None:
    task = asyncio.ensure_future(work)
    at_work, answering = asyncio.current_task(), host(interaction).answering
    assert at_work is not None
    answering.add(at_work)
    try:
        await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
        if not task.done():
            await interaction.response.defer(ephemeral=private, thinking=not in_place)
        reply = await _outcome(task, doing)
        await show(interaction, reply, private=private)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        # The person may be gone or Discord down; the work itself is done and saved.
        await _apologise(interaction, error, doing=doing, private=private)
    finally:
        task.cancel()
        answering.discard(at_work)
        host(interaction).announce()


async def _apologise(interaction: Interaction, error: Exception, *, doing: str, private: bool) -> None:
    """Note an answer that did not arrive, and say so where Discord refused the answer itself."""
    if isinstance(error, discord.HTTPException) and error.code in ANSWERED_OR_GONE:
        _log.warning("answering %s: %s", doing, error)
        return
    text = explain(error, doing=f"answering {doing}")
    if isinstance(error, discord.HTTPException) and error.status == HTTPStatus.BAD_REQUEST:
        with contextlib.suppress(discord.HTTPException, aiohttp.ClientError, OSError):
            await show(interaction, Answer(text=text), private=private)


async def _outcome(task: Awaitable[Reply], doing: str) -> Reply:
    try:
        return await task
    except Exception as error:
        return Answer(text=explain(error, doing=doing))


async def show(interaction: Interaction, reply: Reply, *, private: bool = True) -> None:
    """Show a reply, as the first answer or in place of a deferred one."""
    if isinstance(reply, discord.ui.Modal):
        await _show_form(interaction, reply)
        return
    reply = with_clickable(reply, host(interaction).command_ids)
    if not interaction.response.is_done():
        await _show_at_once(interaction, reply)
    elif reply.private and not private:
        # While Discord shows "thinking", a followup only fills that public message in: it is ended first.
        await interaction.edit_original_response(content="…")
        await interaction.delete_original_response()
        await interaction.followup.send(**message_parts(reply), ephemeral=True)
    elif interaction.response.type is discord.InteractionResponseType.deferred_message_update and not reply.replace:
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


async def _show_form(interaction: Interaction, form: discord.ui.Modal) -> None:
    if interaction.response.is_done():
        await interaction.edit_original_response(content="The form took too long to open. Please try again.")
    else:
        await interaction.response.send_modal(form)
