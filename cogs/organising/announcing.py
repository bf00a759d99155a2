"""Announcements: a preview with who is mentioned, then a post in the league's channel."""

from dataclasses import replace
from functools import partial
from typing import Literal

from discord import app_commands

from bot.league.season.in_words import amount
from bot.services.base import find
from bot.services.organising import announcing
from bot.services.organising.announcing import (
    ANNOUNCEMENT,
    LONGEST,
    Announced,
    AnnouncementPost,
    Audience,
    PreviewFirst,
)
from cogs.ui.actions import PRIMARY
from cogs.ui.cards import Answer, Attached, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller
from cogs.ui.posts import renders
from cogs.ui.questions import confirmation
from cogs.ui.replies import Reply
from cogs.ui.rights import require_may_write
from cogs.ui.text import formatted, season_title, shown

_ROOM = 1_200
"""Characters of names in a preview; all of a longer list are in its file."""


class Announcing(LeagueCog):
    """Announcements of organisers."""

    @command(
        text="What players read; only the people you choose are mentioned",
        to="all; in: who can still play; out: the others; unplayed: who has an open match",
    )
    async def announce(
        self,
        asker: Caller,
        text: app_commands.Range[str, 1, LONGEST],
        to: Literal["all", "in", "out", "unplayed"] = "all",
    ) -> Reply:
        """Tell the season's players something; you see it first (organisers)."""
        return await _announce(asker, text=text, to=Audience(to))


async def _announce(asker: Caller, *, text: str, to: Audience, agreed: str = "") -> Answer:
    """Post an announcement once its author has seen it and who is mentioned."""
    require_may_write(asker.interaction, (await asker.read(find.league_as_organiser)).channel_id)
    try:
        done = await asker.write(announcing.announce, text=text, to=to, agreed=agreed)
    except PreviewFirst as first:
        names, file = _names(first.preview)
        asked = confirmation(
            asker,
            first,
            partial(_announce, text=text, to=to),
            "announce",
            "Post this?",
            yes="Post it",
            no="Don't post",
            text=f"{formatted(first.preview.text)}\n\n{names}",
            style=PRIMARY,
        )
        return replace(asked, parts=(*asked.parts, *file))
    return Answer(text=f"Posted: {amount(len(done.people), 'player')} of season {done.season.number} will be told.")


def _names(announced: Announced) -> tuple[str, tuple[Attached, ...]]:
    """Return who is mentioned and who isn't, and a file with all of them where they are too many to read."""
    mentions = f"**Mentions {amount(len(announced.people), 'player')}**: {shown(', '.join(announced.people))}."
    silent = f"\nNot mentioned, because they have no account or chose not to be: {shown(', '.join(announced.silent))}."
    text = mentions + (silent if announced.silent else "")
    if len(text) <= _ROOM:
        return text, ()
    lines = "\n".join(
        [*announced.people, "", "Not mentioned:", *announced.silent] if announced.silent else announced.people
    )
    return f"**Mentions {amount(len(announced.people), 'player')}**. They are in the file.", (
        Attached("mentions.txt", lines),
    )


@renders(ANNOUNCEMENT)
def announcement(post: AnnouncementPost) -> Answer:
    """Return a message from the organisers; what they typed mentions no one by itself."""
    title = f"{season_title(post)}: from the organisers"
    return card(title, formatted(post.text))
