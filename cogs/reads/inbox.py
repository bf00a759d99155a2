"""Everything that waits for moderators, each with its safe next step."""

from collections.abc import Sequence
from dataclasses import replace

from bot.services.base import parked_posts
from bot.services.base.parked_posts import TROUBLE, TroublePost
from bot.services.base.promises import THREAD
from bot.services.matches.views import MatchView
from bot.services.organising.daily_reminder import WAITING
from bot.services.reads import inbox
from bot.services.reads.inbox import Inbox, WaitingPost
from bot.services.ties.tie_words import tie_words
from cogs.play.decisions import panel_buttons
from cogs.players.drops import rejoin_buttons
from cogs.players.staying import stay_buttons
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
    lines = [*_unsettled(found), *_for_organisers(found), *_besides(found)]
    answer = long_answer(title, lines, file_name="inbox.txt", private=True)
    return replace(answer, buttons=_inbox_buttons(found))


def _unsettled(found: Inbox) -> list[str]:
    """Return the matches moderators have to decide, or may have to."""
    return [
        *_matches("Disputes", "Press Decide to see what was said, or use /result set.", found.disputes),
        *_matches("Problems", "Press Decide to see what both players say.", found.problems),
        *_matches(
            "Unanswered reports", "Wait for the countdown, /confirm it for them, or press Decide.", found.stuck_reports
        ),
        *_matches(
            "Overdue",
            "No one reported in time. Press Decide. An organiser can also give more time.",
            found.overdue,
        ),
    ]


def _for_organisers(found: Inbox) -> list[str]:
    return [
        *_section(
            "Want to come back",
            "An organiser accepts or refuses. If accepted, the player is paired from the next round on.",
            [player.called for player in found.rejoin_requests.values()],
        ),
        *_section(
            "Players who seem to be gone",
            "They missed two matches or aren't on the server. An organiser decides if they stay; pairing doesn't wait.",
            [player.called for player in found.stays.values()],
        ),
        *_section(
            "All results are in",
            "The season goes on by hand: /round close ends the round and goes on.",
            [one.words for one in found.rounds],
        ),
        *_section(
            "Ties",
            "An organiser chooses: an order, a tie-break match, or the draw.",
            [tie_words(tie) for tie in found.ties],
        ),
    ]


def _besides(found: Inbox) -> list[str]:
    return [
        *_section(
            "Posts the bot couldn't make",
            "Fix what each line says, then try the posts again.",
            _problems(found.missing_posts),
        ),
        *_section(
            "Posts that are late",
            "The bot keeps trying to make them. There's nothing to do.",
            _problems(found.late_posts),
        ),
    ]


def _problems(posts: Sequence[PostRow]) -> list[str]:
    """Return what keeps posts from being made, each reason once."""
    return list(dict.fromkeys(f"{post.kind}: {post.problem}" for post in posts))


def _matches(heading: str, step: str, waiting: Sequence[MatchView]) -> list[str]:
    return _section(heading, step, [view.label for view in waiting])


def _section(heading: str, step: str, waiting: Sequence[str]) -> list[str]:
    """Return what waits under its heading and the next step; nothing where nothing does."""
    items = [f"• {with_commands(what)}" for what in waiting]
    return [f"**{heading}** · {with_commands(step)}", *items, ""] if items else []


def _inbox_buttons(found: Inbox) -> tuple[ActionButton, ...]:
    made: list[ActionButton] = []
    for request_id, player in found.rejoin_requests.items():
        made += rejoin_buttons(request_id, player.called)
    for stay_id, player in found.stays.items():
        made += stay_buttons(stay_id, player.called)
    made += [pressed for tie in found.ties for pressed in tie_buttons(tie)]
    one_a_channel = {post.target: post.id for post in found.missing_posts}
    made += [retry_post(post_id).button("Try the posts again") for post_id in one_a_channel.values()]
    made += panel_buttons(found.matches)
    return tuple({made_one.custom_id: made_one for made_one in made}.values())


@renders(TROUBLE)
def trouble(facts: TroublePost) -> Answer:
    """Return a note that a post is missing, or that it is there now."""
    league = shown(facts.league.name)
    if facts.fixed:
        return card(f"{league}: fixed", "✅ The missing post is there now.")
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
