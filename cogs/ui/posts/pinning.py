"""Pins a message without the line that Discord writes about it."""

import logging

import aiohttp
import discord

_log = logging.getLogger(__name__)

_LINES = 5
"""How many messages after the pinned one are searched for that line."""


async def pin(message: discord.PartialMessage) -> None:
    """Pin a message as far as the bot may; without the right it stays unpinned."""
    try:
        await message.pin()
        async for line in message.channel.history(after=message, limit=_LINES):
            if line.type is discord.MessageType.pins_add:
                await line.delete()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        _log.info(
            "message %s in channel %s isn't pinned or its line not deleted: %s", message.id, message.channel.id, error
        )
