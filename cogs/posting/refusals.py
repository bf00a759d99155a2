"""What Discord's refusals mean: whether they pass, when to try again, what organisers can do."""

from datetime import timedelta
from http import HTTPStatus

import discord

from bot.services.base.outbox import THREAD
from storage.posts import QueuedPost, Target

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
"""Discord's codes for what was deleted; as an answer to a new message the second means another nonce."""
ARCHIVED, LOCKED = 50083, 160005
"""Discord's codes for a thread that was archived or locked."""
PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
"""The refusals that pass by themselves, as those of a failing server do."""
PASSING_CODES = (UNKNOWN_MESSAGE, 40003)
"""So do these: a message that was made and deleted, direct messages opened too fast."""
CHANNEL_CLOSED = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)
NOT_DISCORDS = (HTTPStatus.UNAUTHORIZED, *CHANNEL_CLOSED)
"""What Discord itself answers with a code: without one, something between the bot and Discord said it."""
UNREACHABLE = (50007, 50033, 50278, 10013)
"""Discord's codes for a person who takes no direct messages, whatever the status: closed, blocked, no account."""
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(minutes=30)


def passes(error: discord.HTTPException) -> bool:
    """Return whether a refusal passes by itself."""
    if error.status in PASSING or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR or error.code in PASSING_CODES:
        return True
    return error.code == 0 and error.status in NOT_DISCORDS


def next_try(attempts: int) -> timedelta:
    """Return how long what couldn't be sent, as in an outage, waits until it's tried again: longer each time."""
    return min(FIRST_WAIT * 2 ** min(attempts, 10), LONGEST_WAIT)


def unreachable(error: discord.HTTPException) -> bool:
    """Return whether a refused direct message says that the person takes none."""
    return error.code in UNREACHABLE or error.status in CHANNEL_CLOSED


def problem_of(error: discord.HTTPException, post: QueuedPost) -> str:
    """Return why Discord refused a post, and what organisers can do about it."""
    if passes(error):
        text = error.text if error.code else ""  # a page of a failing proxy says nothing to people
        return f"Discord can't take it at the moment ({error.status} {text}".rstrip() + ")."
    if error.code in (ARCHIVED, LOCKED):
        return (
            "The thread of a match is locked, so what is about that match comes to the channel. To use it again, let a "
            "moderator unlock it."
        )
    if post.kind == THREAD:
        return (
            f"The bot can't make or use threads for matches ({error.text}), so the players are told everything in the "
            "channel. /league settings says what to change."
        )
    if error.code == UNKNOWN_CHANNEL:
        option = "channel" if post.target is Target.LEAGUE else "moderation_channel"
        return f"Its channel was deleted. Choose another with /league settings {option}."
    if error.status in CHANNEL_CLOSED:
        return (
            f"The bot can't write in its channel ({error.text}). Let it view the channel, send messages and attach "
            "files."
        )
    return f"Discord refuses it ({error.text or error}). Tell the person who runs the bot."
