"""What Discord's refusals of a post mean: whether they pass, whether a channel is closed, what organisers can do."""

from http import HTTPStatus

import discord

from bot.services.outbox.post_kinds import PostKind
from storage.posts import OwedPost, Target

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
"""Discord's codes for what was deleted."""
ARCHIVED, LOCKED = 50083, 160005
"""Discord's codes for a thread that was archived or locked."""
PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
"""The refusals that pass by themselves, as those of a failing server do."""
CHANNEL_CLOSED = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)


def passes(error: discord.HTTPException) -> bool:
    """Return whether a refusal passes by itself."""
    return error.status in PASSING or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR


def problem_of(error: discord.HTTPException, post: OwedPost) -> str:
    """Return why Discord refused a post, and what organisers can do about it."""
    if passes(error):
        return f"Discord can't take it at the moment ({error.status} {error.text})."
    if post.kind == PostKind.THREAD:
        return (
            f"The bot can't make or use threads for matches ({error.text}), so the players are told everything in the "
            "channel. `/league check` says what to change."
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
