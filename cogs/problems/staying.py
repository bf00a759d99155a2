"""Whether a player who seems to be gone stays: asked of the organisers, answered by a button."""

from bot.services.problems import staying
from bot.services.problems.staying import WHY, StayPost
from cogs.players.players import REMOVE
from cogs.ui.actions import STAY
from cogs.ui.buttons import DANGER, SUCCESS, ActionButton, Press
from cogs.ui.cards import Answer, card
from cogs.ui.replies import Reply
from cogs.ui.text import cut, mention, shown, with_commands
from storage.tables.memberships import StayAnswer, StayId


def stays(facts: StayPost) -> Answer:
    """Return the question whether a player stays, for organisers, or how it was settled."""
    who = mention(facts.player.discord_id, facts.player.called)
    title = f"{shown(facts.league.name)}, season {facts.season.number}: does {shown(facts.player.called)} stay?"
    if facts.stay.how is not None:
        return card(title, f"✅ {who} {_STAYS[facts.stay.how]}.")
    if not facts.player.active:
        return card(title, f"{who} has left the season.")
    if not facts.cost:
        return card(title, "The season is over.")
    text = f"{who} {WHY[facts.stay.reason]}. Nothing happens until you decide, and pairing doesn't wait."
    costs = f"**Stays**: they're paired as before.\n**Leaves**: {with_commands(facts.cost)}"
    return card(title, f"{text}\n{costs}", buttons=stay_buttons(facts.stay.id, facts.player.called))


_STAYS = {StayAnswer.STAYS: "stays in the season", StayAnswer.BACK: "is back on the server"}


def stay_buttons(stay_id: StayId, name: str) -> tuple[ActionButton, ...]:
    """Return what organisers can answer to the question whether a player stays."""
    return (
        STAY.button(f"{cut(name, 40)} stays", stay_id, extra="keep", style=SUCCESS),
        STAY.button(f"{cut(name, 40)} leaves the season", stay_id, extra="drop", style=DANGER),
    )


@STAY
async def stay_answered(press: Press[StayId]) -> Reply:
    """Let a player stay, or ask as `/player drop` does before they leave."""
    (said,) = press.parts("(keep|drop)")
    if said == "keep":
        player = await press.who.do(staying.keep, stay=press.subject)
        return Answer(text=f"{shown(player.called)} stays in the season.")
    meant = await press.who.do(staying.drop_meant, stay=press.subject)
    return await REMOVE.first(press.who.of(meant.league_id), player=meant.player, reason=meant.reason)
