"""Everything that waits for moderators, each with its next step, and the note about a post the bot couldn't make."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from bot.services.base import failed_posts
from bot.services.base.failed_posts import TROUBLE, TroublePost
from bot.services.base.outbox import THREAD
from bot.services.organising.daily_reminder import WAITING
from bot.services.reads import inbox
from bot.services.reads.inbox import Inbox, WaitingPost
from cogs.organising.asked_corrections import correction_buttons
from cogs.people.drops import rejoin_buttons
from cogs.people.not_begun import idle_buttons
from cogs.people.stay_or_leave import stay_buttons
from cogs.play.decisions import panel_buttons
from cogs.play.round_card import END, end_round
from cogs.signups.claiming import claim_buttons
from cogs.signups.letting_in import let_in_buttons
from cogs.ties.ties import tie_buttons
from cogs.ui.actions import PRIMARY, ActionButton, Press, action
from cogs.ui.cards import Answer, card, long_answer
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import shown, with_commands
from storage.posts import PostId, PostRow


class Disputes(LeagueCog):
    """The inbox."""

    @command()
    async def disputes(self, asker: Caller) -> Reply:
        """Show open disputes, overdue matches and failed posts (moderators)."""
        return inbox_answer(await asker.read(inbox.inbox))


@renders(WAITING)
def waiting(post: WaitingPost) -> Answer:
    """Return the daily message about what still waits."""
    return inbox_answer(post.inbox)


def inbox_answer(inbox: Inbox) -> Answer:
    """Return what waits, with a button for each thing that can be settled at once."""
    who = "you" if inbox.empty or inbox.to_settle else "an organiser"
    title = f"{shown(inbox.league.name)}: waiting for {who}"
    soon = "\n".join(f"-# {shown(line)}" for line in inbox.soon)
    if inbox.empty:
        return card(title, "\n".join(filter(None, ["All clear. Nothing needs you.", soon])))
    lines: list[str] = []
    for section in inbox.sections:
        lines.append(f"**{section.heading}** · {with_commands(section.step)}")
        lines += [*(f"• {with_commands(line)}" for line in section.lines), ""]
    answer = long_answer(title, [*lines, *filter(None, [soon])], file_name="inbox.txt", private=True)
    return replace(answer, buttons=_buttons(inbox))


def _retries(posts: Sequence[PostRow]) -> list[ActionButton]:
    one_a_channel = {post.target: post.id for post in posts}
    return [retry_post(post_id).button("Try the posts again") for post_id in one_a_channel.values()]


BUTTONS: Mapping[str, Callable[[Any], Iterable[ActionButton]]] = {
    "rejoin_requests": lambda rows: chain(*(rejoin_buttons(id_, row.called) for id_, row in rows.items())),
    "join_requests": lambda rows: chain(*(let_in_buttons(row.id, row.name) for row in rows.values())),
    "claims": lambda rows: chain(*(claim_buttons(row, alone=False) for row in rows.values())),
    "stays": lambda rows: chain(*(stay_buttons(id_, row.called) for id_, row in rows.items())),
    "not_begun": idle_buttons,
    "corrections": lambda rows: chain(*map(correction_buttons, rows)),
    "ties": lambda rows: chain(*map(tie_buttons, rows)),
    "missing_posts": _retries,
    "disputes": panel_buttons,
    "problems": panel_buttons,
    "stuck_reports": panel_buttons,
    "overdue": panel_buttons,
}
"""The buttons of what waits, by its kind, in the order they stand in."""


def _buttons(inbox: Inbox) -> tuple[ActionButton, ...]:
    waiting = inbox.to_settle
    buttons_shown = [
        button for name, buttons in BUTTONS.items() if name in waiting for button in buttons(waiting[name])
    ]
    buttons_shown += [end_round(inbox.league.id).button(END)] if "rounds" in waiting else []
    return tuple({button.custom_id: button for button in buttons_shown}.values())


@renders(TROUBLE)
def trouble(post: TroublePost) -> Answer:
    """Return a note that a post is missing, that it is there now, or that nobody needs it any more."""
    league = shown(post.league.name)
    if post.made:
        return card(f"{league}: fixed", "✅ The missing post is there now.")
    if not post.missing:
        return card(f"{league}: no post is missing", "✅ The missing post isn't needed any more.")
    again = retry_post(post.row.id).button("Try again", PRIMARY)
    problem, then = with_commands(post.row.problem or ""), "Then press **Try again**."
    if post.row.kind == THREAD:
        return card(f"{league}: threads are missing", f"{problem}\n{then}", buttons=(again,))
    return card(f"{league}: a post is missing", f"A post couldn't be made. {problem}\n{then}", buttons=(again,))


@action("retry")
async def retry_post(press: Press, post: PostId) -> Reply:
    """Make a post that failed once more."""
    await press.who.write(failed_posts.retry, post_id=post)
    return Answer(text="Trying again now. If the post doesn't appear, check the bot's permissions in the channel.")
