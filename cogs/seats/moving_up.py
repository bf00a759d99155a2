"""A place in the finals that came free: whether the next player moves up into it."""

from bot.services.people import moving_up_answers
from bot.services.play.field.moving_up import MOVING_UP, MovingUpPost
from cogs.ui.actions import Press, yes_or_no
from cogs.ui.cards import AMBER, Answer, card
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import shown, when
from storage.tables.field.finals_places import FinalsPlaceId


@renders(MOVING_UP)
def moving_up(post: MovingUpPost) -> Answer:
    """Return the question whether a player moves up into the finals in place of one who left."""
    asked, number = post.asked.id, post.season.number
    buttons = move_up(asked).buttons("I'll play", "No thanks")
    title = f"{shown(post.league.name)}: a place in the finals for {shown(post.player.called)}"
    text = f"A player has left before the finals of season {number}, and you're the next in. Do you play?"
    out = "**No thanks** takes you out of the season. Without an answer the place goes to the next player"
    return card(title, f"{text}\n{out} {when(post.until)}.", buttons=buttons, colour=AMBER)


@yes_or_no("moving-up")
async def move_up(press: Press, yes: bool, place: FinalsPlaceId) -> Reply:
    """Take the place in the finals that came free, or leave it to the next player."""
    player = await press.who.write(moving_up_answers.answer, place_id=place, plays=yes)
    if yes:
        return Answer(text=f"{shown(player.called)}, you're in the finals. You'll be mentioned when they're posted.")
    return Answer(text="You're out of the season. The place goes to the next player. Your results still count.")
