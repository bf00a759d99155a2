"""Players who haven't begun where all matches are open: what they're asked, and what moderators can do about it."""

from collections.abc import Mapping

from bot.services.problems import patience
from bot.services.problems.patience import FIRST_MATCH, IDLE, FirstMatchPost, IdlePost, NotBegun
from cogs.people.drops import leave
from cogs.play.deciding_all import all_buttons
from cogs.play.my_match import open_my_match
from cogs.ui.actions import PRIMARY, ActionButton, Press, action
from cogs.ui.cards import AMBER, Answer, card, long_answer
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import cut, mention, season_title, shown, when
from storage.tables.field.first_matches import FirstMatchId

MOST_PLAYERS = 5
"""As many players as get buttons in one message: those of the next follow as these are settled."""


@renders(FIRST_MATCH)
def first_match(post: FirstMatchPost) -> Answer:
    """Return the question to players who haven't begun, or that it is answered."""
    title = f"{season_title(post)}: your first match"
    if not post.count:
        return card(title, "✅ Thank you, that's settled.")
    until = "" if post.until is None else f" {when(post.until)}"
    lines = [
        "Your matches are open. Press **My matches**, then **Propose times** to an opponent, or **Report** one.",
        f"Can't play this season? Press **Drop out**. Without an answer moderators look at it{until}.",
    ]
    league = post.league.id
    buttons = (open_my_match(league).button("My matches", PRIMARY), leave(league).button("Drop out"))
    return card(title, "\n".join(lines), buttons=buttons, colour=AMBER)


@renders(IDLE)
def idle(post: IdlePost) -> Answer:
    """Return who hasn't begun, for moderators, or that there's nothing left to decide."""
    title = f"{season_title(post)}: players who haven't begun"
    if not post.people:
        return card(title, "✅ Nothing is left to decide.")
    text = (
        "They were asked, and have no result and no agreed time. Nothing happens before the deadline unless you decide."
    )
    lines = [text, *(f"• {mention(silent.player.discord_id, silent.player.called)}" for silent in post.people.values())]
    return long_answer(title, lines, file_name="not-begun.txt", buttons=idle_buttons(post.people))


def idle_buttons(people: Mapping[FirstMatchId, NotBegun]) -> tuple[ActionButton, ...]:
    """Return what moderators can do about players who haven't begun."""
    first = dict(tuple(people.items())[:MOST_PLAYERS])
    later = [let_be(id_).button(f"{cut(silent.player.called, 40)} begins later") for id_, silent in first.items()]
    return (*all_buttons([silent.player for silent in first.values() if silent.several]), *later)


@action("begins-later")
async def let_be(press: Press, question: FirstMatchId) -> Reply:
    """Let a player who hasn't begun be."""
    player = await press.who.write(patience.let_be, question=question)
    return Answer(text=f"{shown(player.called)} is off this list. Nothing else changes.")
