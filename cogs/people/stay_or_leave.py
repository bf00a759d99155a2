"""Whether a player who seems to be gone stays: asked of the organisers, answered by a button."""

from bot.services.problems import stay_or_leave
from bot.services.problems.stay_or_leave import STAYING, WHY, StayPost
from cogs.people.players import remove
from cogs.ui.actions import DANGER, ActionButton, Press, yes_or_no
from cogs.ui.cards import Answer, card
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import cut, mention, season_title, shown, with_commands
from storage.tables.people.memberships import StayAnswer, StayDecisionId


@renders(STAYING)
def stays(post: StayPost) -> Answer:
    """Return the question whether a player stays, for organisers, or how it was settled."""
    mentioned = mention(post.player.discord_id, post.player.called)
    title = f"{season_title(post)}: does {shown(post.player.called)} stay?"
    if post.stay.how is not None:
        return card(title, f"✅ {mentioned} {_STAYS[post.stay.how]}.")
    if not post.player.active:
        return card(title, f"{mentioned} has left the season.")
    if not post.cost:
        return card(title, "The season is over.")
    text = f"{mentioned} {WHY[post.stay.reason]}. Nothing happens until you decide, and pairing doesn't wait."
    costs = f"**Stays**: they're paired as before.\n**Leaves**: {with_commands(post.cost)}"
    return card(title, f"{text}\n{costs}", buttons=stay_buttons(post.stay.id, post.player.called))


_STAYS = {StayAnswer.STAYS: "stays in the season", StayAnswer.BACK: "is back on the server"}


def stay_buttons(stay_id: StayDecisionId, name: str) -> tuple[ActionButton, ...]:
    """Return what organisers can answer to the question whether a player stays."""
    return let_stay(stay_id).buttons(f"{cut(name, 40)} stays", f"{cut(name, 40)} leaves the season", DANGER)


@yes_or_no("stay")
async def let_stay(press: Press, yes: bool, stay: StayDecisionId) -> Reply:
    """Let a player stay, or ask as `/player drop` does before they leave."""
    if yes:
        player = await press.who.write(stay_or_leave.keep, stay=stay)
        return Answer(text=f"{shown(player.called)} stays in the season.")
    meant = await press.who.write(stay_or_leave.drop_meant, stay=stay)
    return await remove(press.who.of(meant.league_id), player=meant.player, reason=meant.reason)
