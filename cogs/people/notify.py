"""How someone wants to be told what concerns them: a private card with a select a topic and what each topic covers."""

from collections.abc import Mapping
from dataclasses import replace

import discord

from bot.services.people import notifying
from bot.services.people.notifying import Choices
from cogs.ui.actions import Press, choice
from cogs.ui.cards import BLUE, Answer, Part
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueId
from storage.tables.people.notify import How, Topic

_TOPICS: Mapping[Topic, str] = {
    Topic.QUESTION: "**Questions** · what you must answer, or you may lose a match. Also whether you're in the season.",
    Topic.ROUND: "**New rounds** · your next opponent, another one after a change, a match that is open again.",
    Topic.TIME: "**Times** · times proposed for your match, the agreed one, and reminders before it.",
    Topic.DEADLINE: "**Deadlines** · your match has no result and its time runs out.",
    Topic.NEWS: "**News** · decisions about your matches, players who leave, sign-ups, the champion.",
}
_HOW: Mapping[How, str] = {How.MENTION: "Mention me in the channel", How.DIRECT: "Direct message", How.OFF: "Off"}
_CLOSED = (
    "For direct messages, allow them from members in this server's privacy settings. If one doesn't get through, "
    "you're mentioned in the channel instead."
)
_REFUSED = "⚠️ The last direct message didn't get through, so you were mentioned instead."


class Notify(LeagueCog):
    """How people are told."""

    @command()
    async def notify(self, asker: Caller) -> Reply:
        """Choose how you're told: a mention, a direct message, or off."""
        return notify_card(await asker.read(notifying.choices))


def notify_card(choices: Choices) -> Answer:
    """Return what someone chose, with a select for each topic."""
    head = f"### How {shown(choices.league.name)} tells you\nChoose for each topic. Changes are saved at once."
    refused = f"{_REFUSED}\n" if choices.refused and How.DIRECT in choices.how.values() else ""
    parts: list[Part] = [head]
    for topic, text in _TOPICS.items():
        parts += [text, (choose(choices.league.id, topic).select(_options(topic, choices.how[topic])),)]
    return Answer(parts=(*parts, f"{refused}-# {_CLOSED}"), colour=BLUE)


def _options(topic: Topic, chosen: How) -> list[discord.SelectOption]:
    offered = [how for how in How if how is not How.OFF or topic is not Topic.QUESTION]
    return [discord.SelectOption(label=_HOW[how], value=how, default=how is chosen) for how in offered]


@choice("notify")
async def choose(press: Press, how: How, league: LeagueId, topic: Topic) -> Reply:
    """Change how this person is told of one topic."""
    asker = await press.who.of(league).write(notifying.choose, topic=topic, how=how)
    return replace(notify_card(asker), replace=True)
