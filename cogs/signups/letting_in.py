"""Players who ask to join a season: organisers let them in, or don't."""

from functools import partial

from bot.services.signups import letting_in
from bot.services.signups.approval import JOIN_REQUEST, JoinRequestPost
from cogs.ui.actions import DANGER, ActionButton, Press, yes_or_no
from cogs.ui.cards import AMBER, GREY, Answer, Part
from cogs.ui.other_members import has_left
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import mention, quoted, season_title
from storage.tables.signups.join_requests import JoinRequestId


@yes_or_no("let-in")
async def let_in(press: Press, yes: bool, request: JoinRequestId) -> Reply:
    """Let a player into the season, or don't."""
    about = partial(letting_in.season_of, request_id=request)
    account = await press.who.db.read(letting_in.account_of, request_id=request)
    left = yes and await has_left(press.interaction.guild, account)
    done = await press.who.enter(about, letting_in.answer, request_id=request, accept=yes, left=left)
    if left:
        return Answer(text=f"{quoted(done.name)} isn't on this server any more, so they aren't let in.")
    return Answer(text=f"{quoted(done.name)} {'is let in' if yes else 'stays out'}, and is told.")


@renders(JOIN_REQUEST)
def join_requests(post: JoinRequestPost) -> Answer:
    """Return a page of players who want to join, each with their answer."""
    waiting = any(row.answered_at is None for row in post.rows)
    parts: list[Part] = [f"### {season_title(post)}: who is let in?"]
    for row in post.rows:
        mentioned = mention(row.discord_id, row.name)
        if row.answered_at is None:
            parts += [f"{mentioned} wants to join.", let_in_buttons(row.id)]
        else:
            done = {True: "✅ {} is let in.", False: "{} stays out.", None: "{} doesn't ask any more."}
            parts.append(done[row.accepted].format(mentioned))
    return Answer(parts=tuple(parts), colour=AMBER if waiting else GREY)


def let_in_buttons(request: JoinRequestId, name: str = "") -> tuple[ActionButton, ...]:
    """Return what organisers can answer a wish to join; with a name where there are several."""
    return let_in(request).buttons(f"Let in {name}".strip(), f"Refuse {name}".strip(), DANGER)
