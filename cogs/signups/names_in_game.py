"""What players are asked at sign-up for their opponents: the form, what each sees of the other, how to change it."""

from collections.abc import Awaitable, Callable, Iterator

from bot.services.reads.details import Details
from bot.services.reads.my_match import MyMatch
from bot.services.signups import names_in_game
from bot.services.signups.names_in_game import LONGEST_ANSWER, MatchAnswers, OwnAnswer
from cogs.matches.words import name
from cogs.play.match_card import OnCard
from cogs.play.my_match import Added
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import Answer
from cogs.ui.context import Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueId

Then = Callable[[Interaction, str], Awaitable[Reply]]


class OpponentsForm(Form):
    """The one field a season asks at sign-up; `then` takes what was typed."""

    def __init__(self, question: str, answer: str | None, then: Then) -> None:
        super().__init__("For your opponents")
        self._then = then
        self._typed = self.ask("answer", question, limit=LONGEST_ANSWER, note="Your opponents will see this.")
        self._typed.default = answer

    async def answer(self, interaction: Interaction) -> Reply:
        """Go on with what was typed."""
        return await self._then(interaction, self._typed.value)


@action("for-opponents", form=True)
async def change_answer(press: Press, league: LeagueId) -> Reply:
    """Open the form for what one's opponents see."""
    mine = await press.who.of(league).read(names_in_game.own)

    async def keep(interaction: Interaction, typed: str) -> Answer:
        done = await caller(interaction).of(league).write(names_in_game.give, answer=typed)
        return Answer(text=f"Saved.{seen_by_opponents(done)}")

    return OpponentsForm(mine.question, mine.answer, keep)


def seen_by_opponents(mine: OwnAnswer | None) -> str:
    """Return what someone's opponents see, in a sentence with a space before it; nothing where nothing is asked."""
    if mine is None or mine.answer is None:
        return ""
    return f" {shown(mine.question)}: **{shown(mine.answer)}**. Your opponents see it."


def _lines(details: Details) -> Iterator[str]:
    """Yield what those who look may read of what the players of a match answered."""
    seen = details.part(MatchAnswers)
    if seen is None:
        return
    for side, answer in seen.answers:
        yield f"{name(side)} · {shown(seen.question)}: {_bold(answer)}"
    if details.side is not None and not seen.answered:
        opponent = name(details.match.opponent_of(details.side))
        yield f"{opponent} can't see yours yet: press **{_label(seen.question)}**."


def _bold(answer: str | None) -> str:
    return "not given yet" if answer is None else f"**{shown(answer)}**"


def _label(question: str) -> str:
    return f"My {shown(question)}"


def _button(league: LeagueId, question: str) -> ActionButton:
    return change_answer(league).button(f"My {question}")


def _looks(details: Details) -> Iterator[ActionButton]:
    seen = details.part(MatchAnswers)
    if seen is not None and not details.shared:
        yield _button(details.match.league.id, seen.question)


def _own_lines(mine: MyMatch) -> Iterator[str]:
    """Yield what a player without a match has given, or has yet to give."""
    if mine.answer is not None and mine.match is None:
        question = mine.answer.question
        missing = f"Your opponents can't see your {shown(question)} yet: press **{_label(question)}**."
        yield seen_by_opponents(mine.answer).strip() or missing


def _own_buttons(mine: MyMatch) -> Iterator[ActionButton]:
    if mine.answer is not None and mine.match is None:
        yield _button(mine.answer.league.id, mine.answer.question)


ON_CARD = OnCard(lines=_lines, looks=_looks)
ADDED = Added(lines=_own_lines, buttons=_own_buttons)
