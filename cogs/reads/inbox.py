"""Everything that waits for moderators, each with its next step, and the note about a post the bot couldn't make."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.services.base import parked_posts
from bot.services.base.parked_posts import TROUBLE, TroublePost
from bot.services.base.promises import THREAD
from bot.services.organising.daily_reminder import WAITING
from bot.services.reads import inbox
from bot.services.reads.inbox import Inbox, WaitingPost
from bot.services.ties.tie_words import tie_words
from cogs.play.decisions import panel_buttons
from cogs.play.round_card import END, end_round
from cogs.players.drops import rejoin_buttons
from cogs.players.stay_or_leave import stay_buttons
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
    async def disputes(self, who: Caller) -> Reply:
        """Show open disputes, overdue matches and failed posts (moderators)."""
        return inbox_answer(await who.see(inbox.inbox))


@renders(WAITING)
def waiting(facts: WaitingPost) -> Answer:
    """Return the daily message about what still waits."""
    return inbox_answer(facts.inbox)


def inbox_answer(found: Inbox) -> Answer:
    """Return what waits, with a button for each thing that can be settled at once."""
    title = f"{shown(found.league.name)}: waiting for you"
    if found.empty:
        return card(title, "All clear. Nothing needs you.")
    lines: list[str] = []
    for heading, step, waiting in _sections(found):
        if waiting:
            lines += [f"**{heading}** · {with_commands(step)}", *(f"• {with_commands(what)}" for what in waiting), ""]
    answer = long_answer(title, lines, file_name="inbox.txt", private=True)
    return replace(answer, buttons=_buttons(found))


def _overdue(found: Inbox) -> str:
    """Say what to do with matches no one reported in time; a live round has a clock and no days."""
    more = "" if any(view.live for view in found.overdue) else ", or give more time under the moderators' post"
    return f"No one reported in time. Press Decide{more}."


def _sections(found: Inbox) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield what can wait, each with its next step and everything of it that waits."""
    for heading, step, matches in (
        ("Disputes", "Press Decide to see what was said, or use /result set.", found.disputes),
        ("Problems", "Press Decide to see what both players say.", found.problems),
        ("Unanswered reports", "Wait for the countdown, /confirm it for them, or press Decide.", found.stuck_reports),
        ("Overdue", _overdue(found), found.overdue),
    ):
        yield heading, step, [view.label for view in matches]
    join = "An organiser lets them in or refuses. Who waits takes no place and isn't in the draw."
    yield "Want to join", join, [row.name for row in found.join_requests.values()]
    who = "An organiser says who they are. Yes gives them that player's results and the place they asked for."
    yield "Say who they were", who, [f"{row.called} says they're {row.name}" for row in found.claims.values()]
    back = "An organiser accepts or refuses. If accepted, the player is paired from the next round on."
    yield "Want to come back", back, [player.called for player in found.rejoin_requests.values()]
    gone = "They missed two matches or aren't on the server. An organiser decides if they stay; pairing doesn't wait."
    yield "Players who seem to be gone", gone, [player.called for player in found.stays.values()]
    by_hand = "The season goes on by hand: /round post ends the round and goes on."
    yield "All results are in", by_hand, [one.words for one in found.rounds]
    choose = "An organiser chooses: an order, a tie-break match, or the draw."
    yield "Ties", choose, [tie_words(tie) for tie in found.ties]
    fix = "Fix what each line says, then try the posts again."
    yield "Posts the bot couldn't make", fix, _problems(found.missing_posts)
    late = "The bot keeps trying to make them. There's nothing to do."
    yield "Posts that are late", late, _problems(found.late_posts)


def _problems(posts: Sequence[PostRow]) -> list[str]:
    """Return what keeps posts from being made, each reason once."""
    return list(dict.fromkeys(f"{post.kind}: {post.problem}" for post in posts))


def _buttons(found: Inbox) -> tuple[ActionButton, ...]:
    made: list[ActionButton] = []
    for request_id, player in found.rejoin_requests.items():
        made += rejoin_buttons(request_id, player.called)
    for row in found.join_requests.values():
        made += let_in_buttons(row.id, row.name)
    for row in found.claims.values():
        made += claim_buttons(row, alone=False)
    for stay_id, player in found.stays.items():
        made += stay_buttons(stay_id, player.called)
    made += [pressed for tie in found.ties for pressed in tie_buttons(tie)]
    one_a_channel = {post.target: post.id for post in found.missing_posts}
    made += [retry_post(post_id).button("Try the posts again") for post_id in one_a_channel.values()]
    made += panel_buttons(found.matches)
    made += [end_round(found.league.id).button(END)] if found.rounds else []
    return tuple({made_one.custom_id: made_one for made_one in made}.values())


@renders(TROUBLE)
def trouble(facts: TroublePost) -> Answer:
    """Return a note that a post is missing, that it is there now, or that nobody needs it any more."""
    league = shown(facts.league.name)
    if facts.made:
        return card(f"{league}: fixed", "✅ The missing post is there now.")
    if not facts.missing:
        return card(f"{league}: no post is missing", "✅ The missing post isn't needed any more.")
    again = retry_post(facts.post.id).button("Try again", PRIMARY)
    problem, then = with_commands(facts.post.problem or ""), "Then press **Try again**."
    if facts.post.kind == THREAD:
        return card(f"{league}: threads are missing", f"{problem}\n{then}", buttons=(again,))
    return card(f"{league}: a post is missing", f"A post couldn't be made. {problem}\n{then}", buttons=(again,))


@action("retry")
async def retry_post(press: Press, post: PostId) -> Reply:
    """Make a post that failed once more."""
    await press.who.do(parked_posts.retry, post_id=post)
    return Answer(text="Trying again now. If the post doesn't appear, check the bot's permissions in the channel.")
