"""All open matches of a player decided with one press, after a question that says what each becomes."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from bot.league.season.in_words import capitalised
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.matches.decision_posts import DECIDED_TOGETHER, TogetherPost
from bot.services.problems import deciding_all
from bot.services.problems.deciding_all import AllOpen, Way
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import GREEN, Answer, card
from cogs.ui.context import Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.posts import renders
from cogs.ui.questions import CHANGED, question
from cogs.ui.replies import Reply
from cogs.ui.text import cut, mention, quoted, season_title, shown, with_commands
from storage.rows import EntrantId, EntrantRow

MOST_PLAYERS = 5
"""As many players as get a button beside a list of matches, those with most of them first."""


def all_buttons(players: Sequence[EntrantRow]) -> tuple[ActionButton, ...]:
    """Return a button for each player that decides all their open matches."""
    return tuple(decide_all(player.id).button(f"All of {cut(player.called, 40)}…") for player in players[:MOST_PLAYERS])


@action("decide-all")
async def decide_all(press: Press, player: EntrantId) -> Reply:
    """Ask what all open matches of a player become."""
    return _question(await press.who.read(deciding_all.preview, player=player))


def _question(matches: AllOpen, changed: str = "") -> Answer:
    """Ask what a player's open matches become, with what each way does."""
    name, count = cut(matches.player.called, 40), len(matches.decided)
    lines = [
        changed,
        f"{mention(matches.player.discord_id, matches.player.called)} has {count} matches that no one has reported.",
        f"**{name} forfeits**: {shown(matches.ways[Way.FORFEIT])}",
        f"**All lose**: {shown(matches.ways[Way.BOTH])}",
        *map(with_commands, matches.also),
        "You'll be asked for a reason.",
    ]
    return question(
        "decide-all",
        f"Decide {count} matches of {shown(matches.player.called)}?",
        "\n".join(filter(None, lines)),
        yes=f"{name} forfeits {count}",
        no="Keep them open",
        then=_asking(matches, Way.FORFEIT),
        others={f"All lose {count}": _asking(matches, Way.BOTH)},
    )


def _asking(matches: AllOpen, way: Way) -> Callable[[Press], Awaitable[Reply]]:
    async def then(press: Press) -> Reply:
        return AllForm(matches, way)

    return then


class AllForm(Form):
    """Why all open matches of a player are decided like this."""

    def __init__(self, matches: AllOpen, way: Way) -> None:
        name = cut(matches.player.called, 24)
        super().__init__(title=f"{name} forfeits?" if way is Way.FORFEIT else f"Matches of {name}: all lose?")
        self._player, self._way, self._agreed = matches.player.id, way, matches.token
        readers = "These players and the moderators read it. The channel reads only the decision."
        self._reason = self.ask("reason", "Reason", limit=500, long=True, note=readers)

    async def answer(self, interaction: Interaction) -> Reply:
        """Decide the matches, or ask again where one of them has changed."""
        asker, reason = caller(interaction), self._reason.value
        what: Any = {"player": self._player, "way": self._way, "agreed": self._agreed}
        try:
            matches = await asker.write(deciding_all.decide, **what, reason=reason)
        except ConfirmationNeeded:
            return _question(await asker.read(deciding_all.preview, player=self._player), CHANGED)
        return Answer(text=f"{shown(matches.ways[self._way])} All of them will be told in one message.")


@renders(DECIDED_TOGETHER)
def decided_together(post: TogetherPost) -> Answer:
    """Return what became of a player's open matches, for all they were against."""
    lines = [shown(post.decided.text)]
    if post.why:
        lines.append(f"Reason: {quoted(post.why, 500)}")
    reason = "; their players find the reason under Details" if post.decided.why and not post.why else ""
    title = f"{season_title(post)}: {post.count} matches of {shown(post.player.called)}"
    by = shown(capitalised(post.decided.by))
    return card(title, "\n".join(lines), footer=f"{by} decided it{reason}.", colour=GREEN)
