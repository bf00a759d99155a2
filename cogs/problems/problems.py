"""Problems with a match: told in a form, answered by the opponent, withdrawn; and conceding."""

from typing import Any, Literal

import discord

from bot.league.season.in_words import amount
from bot.services.matches import match_finding
from bot.services.matches.views import MatchView
from bot.services.play import reporting
from bot.services.problems import answering, telling
from bot.services.problems.evidence import ANSWERED, PROBLEM, ProblemPost
from bot.services.problems.telling import KIND_WORDS, Tellable, can_tell_problem
from bot.services.reads.details import Details
from cogs.matches.as_shown import MatchAsShown
from cogs.matches.words import name
from cogs.play.match_card import OnCard, open_details
from cogs.play.my_match import OneOf
from cogs.play.reports import reported
from cogs.ui.actions import DANGER, PRIMARY, SUCCESS, ActionButton, Press, action
from cogs.ui.cards import AMBER, Answer, card
from cogs.ui.context import Interaction, caller
from cogs.ui.forms import Form, picked
from cogs.ui.posts import renders
from cogs.ui.questions import question
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, relative, shown, when
from storage.rows import EntrantRow, MatchId
from storage.tables.problems import ProblemEnd, ProblemId, ProblemKind, ProblemRow

_LABELS = {
    ProblemKind.NO_ANSWER: ("No answer", "Your opponent doesn't answer you"),
    ProblemKind.ABSENT: ("Didn't turn up at the agreed time", "You were there, they weren't"),
    ProblemKind.TOO_LATE: ("Can't before the deadline", "You can't play, or you can't find a time together"),
}
_SHORT = {"play": "I can still play.", "agree": "I agree to more time."}


SAID_TO_OPPONENT = {
    ProblemKind.NO_ANSWER: "says you don't answer",
    ProblemKind.ABSENT: "says you didn't turn up at the agreed time",
    ProblemKind.TOO_LATE: "can't play before the deadline",
}
ENDS = {
    ProblemEnd.RESULT: "",
    ProblemEnd.WITHDRAWN: "It's solved.",
    ProblemEnd.MORE_TIME: "The moderators gave more time.",
    ProblemEnd.NO_CHANGE: "The moderators changed nothing.",
}


@action("problem", form=True)
async def problem(press: Press, match: MatchId) -> Reply:
    """Open the form that tells of a problem, or the one that answers the opponent's."""
    return await _problem(press, match)


async def _problem(press: Press, match: MatchId) -> Reply:
    view = await press.who.read(match_finding.match_meant, match=match)
    side = view.side_of(press.interaction.user.id)
    if view.problem is not None and side is not None and view.problem.entrant_id != side.id:
        return _answer_form(press, view, view.problem)
    return ProblemForm(await press.who.read(telling.tellable, match=match))


WITH_ONE = OneOf(
    hint="Problem with…",
    fits=lambda own, view: can_tell_problem(view, view.side_of(own.side.discord_id)),
    does=_problem,
)
"""A problem with one of several opponents."""


def _ask_words(form: Form, label: str) -> discord.ui.TextInput[Any]:
    return form.ask("text", label, limit=500, long=True, note="Your opponent and the moderators read it.")


class ProblemForm(Form):
    """What keeps a match from being played."""

    def __init__(self, tellable: Tellable) -> None:
        super().__init__(title="What's the problem?")
        self._match = tellable.match
        hours = amount(tellable.match.hours_to_answer, "hour")
        self.add_item(discord.ui.TextDisplay(f"Your opponent has {hours} to answer. Then the moderators decide."))
        if tellable.no_answer_from is not None:
            early = f"You can report “{_LABELS[ProblemKind.NO_ANSWER][0]}” from {when(tellable.no_answer_from)}."
            self.add_item(discord.ui.TextDisplay(early))
        self._kind = self._kinds(tellable.kinds)
        self._text = _ask_words(self, "What happened?")

    def _kinds(self, kinds: tuple[ProblemKind, ...]) -> discord.ui.RadioGroup[Any] | ProblemKind:
        """Let one of these kinds be chosen; the only one is said, because Discord has no choice of one."""
        if len(kinds) == 1:
            label, note = _LABELS[kinds[0]]
            self.add_item(discord.ui.TextDisplay(f"**{label}**: {note[0].lower()}{note[1:]}."))
            return kinds[0]
        labels, notes = ({str(kind): _LABELS[kind][part] for kind in kinds} for part in (0, 1))
        return self.choose("kind", "What's wrong?", labels, notes=notes)

    async def answer(self, interaction: Interaction) -> Reply:
        """Keep the problem, and say what happens next."""
        kind = self._kind if isinstance(self._kind, ProblemKind) else ProblemKind(picked(self._kind))
        values: dict[str, Any] = {"kind": kind, "text": self._text.value}
        view = await caller(interaction).write(telling.tell_problem, match=self._match.match.id, **values)
        return _told(view, interaction.user.id)


def _told(view: MatchView, user_id: int) -> Answer:
    """Return what the player with the problem is told."""
    side = view.side_of(user_id)
    if view.problem is None or side is None or view.problem.entrant_id != side.id:
        return Answer(
            text="Your opponent told us about a problem too. The moderators will read both, decide, and tell you."
        )
    opponent = shown(view.opponent_of(side).called)
    hours = amount(view.hours_to_answer, "hour")
    asked = f"We're asking {opponent}, who has {hours} to answer. Then the moderators decide."
    next_ = asked if view.problem.handed_at is None else "The moderators will decide."
    button = withdraw(view.match.id, view.problem.id).button("Withdraw")
    return Answer(text=f"Got it. {next_} You'll be told. Solved before that? Press **Withdraw**.", buttons=(button,))


@action("problem-answer", form=True)
async def answer_problem(
    press: Press, match: MatchId, problem: ProblemId, said: Literal["play", "agree"] | None = None
) -> Reply:
    """Answer with the button's words, or open the form for one's own."""
    if said is not None:
        return _answered(await press.who.write(answering.answer, match=match, problem=problem, text=_SHORT[said]))
    view = await press.who.read(match_finding.match_meant, match=match)
    return _answer_form(press, view, answering.require_open(view, problem))


def _answer_form(press: Press, view: MatchView, problem: ProblemRow) -> Form:
    answering.require_answerable(view, problem, press.who.actor)
    return AnswerForm(view, problem)


class AnswerForm(Form):
    """What the opponent says about a problem."""

    def __init__(self, view: MatchView, problem: ProblemRow) -> None:
        super().__init__(title="Your answer")
        self._match, self._problem = view.match.id, problem.id
        teller = shown(view.side(problem.entrant_id).called)
        words = f"**{teller}** {SAID_TO_OPPONENT[problem.kind]}: “{quoted(problem.text, 500)}”"
        self.add_item(discord.ui.TextDisplay(words))
        self._text = _ask_words(self, "What do you say?")

    async def answer(self, interaction: Interaction) -> Reply:
        """Answer the opponent."""
        what: dict[str, Any] = {"match": self._match, "problem": self._problem, "text": self._text.value}
        return _answered(await caller(interaction).write(answering.answer, **what))


def _answered(view: MatchView) -> Answer:
    report = "Played after all? One of you presses **Report**."
    return Answer(text=f"Got it: the moderators read your answer about {shown(view.label)} and decide. {report}")


@action("problem-withdraw")
async def withdraw(press: Press, match: MatchId, problem: ProblemId) -> Reply:
    """Take back what this player said."""
    view = await press.who.write(telling.withdraw, match=match, problem=problem)
    return Answer(text=f"Withdrawn: {shown(view.label)} is open as before. Your opponent will be told.")


@action("concede")
async def concede(press: Press, match: MatchAsShown) -> Reply:
    """Ask once, then report this player's loss."""
    opponent = shown(match.opponent_of(telling.own_side(match, press.who.actor)).called)

    async def lose(press: Press) -> Answer:
        return reported(await press.who.write(reporting.report, **match.seen, result="lost"), press.interaction.user.id)

    text = f"{opponent} wins {shown(match.label)}, as if you had played and lost. It counts at once."
    return question("concede", "Concede this match?", text, yes="I concede", no="Play on", then=lose)


@renders(PROBLEM)
def question_post(post: ProblemPost) -> Answer:
    """Return the question to the opponent of a player with a problem."""
    view, problem = post.view, post.problem
    teller = view.side(problem.entrant_id)
    words = f"**{name(teller)}** {SAID_TO_OPPONENT[problem.kind]}. What do you say?"
    if problem.kind is ProblemKind.NO_ANSWER and not post.private:
        words = f"**{name(opponent_of(view, problem))}**, are you still playing this week? Write to **{name(teller)}**."
    if post.private and problem.text:
        words = f"**{name(teller)}** {SAID_TO_OPPONENT[problem.kind]}: “{quoted(problem.text, 500)}” What do you say?"
    return card(shown(view.label), f"{words}\n{_until(problem)}", buttons=answer_buttons(view, problem), colour=AMBER)


def _until(problem: ProblemRow) -> str:
    if problem.handed_at is not None:
        return "The moderators decide now. You can still answer."
    at = "" if problem.answer_until is None else f" {relative(problem.answer_until)}"
    return f"What you say counts, too: the moderators decide{at}, with or without your answer."


def answer_buttons(view: MatchView, problem: ProblemRow) -> tuple[ActionButton, ...]:
    """Return what the opponent can press about a problem they haven't answered."""
    match = view.match.id
    late = problem.kind is ProblemKind.TOO_LATE
    short = answer_problem(match, problem.id, "agree" if late else "play")
    return (
        answer_problem(match, problem.id).button("Answer", PRIMARY),
        short.button("I agree to more time" if late else "I can still play", SUCCESS),
        concede(view).button("I concede", DANGER),
    )


@renders(ANSWERED)
def answered(post: ProblemPost) -> Answer:
    """Return that the opponent answered, for the player with the problem."""
    view, problem = post.view, post.problem
    text = f"**{name(opponent_of(view, problem))}** answered. The moderators decide now, and tell you."
    buttons = (
        open_details(view.match.id).button("Details", PRIMARY),
        withdraw(view.match.id, problem.id).button("Withdraw"),
    )
    return card(shown(view.label), f"{text}\nSolved between you? Press **Withdraw**.", buttons=buttons, colour=AMBER)


def opponent_of(view: MatchView, problem: ProblemRow) -> EntrantRow:
    """Return the player who is asked about a problem."""
    return view.opponent_of(view.side(problem.entrant_id))


def _lines(details: Details) -> list[str]:
    """Return what an open problem means for the player who looks at their match."""
    view, problem = details.match, details.match.problem
    if problem is None or details.side is None or view.stopped:
        return []
    opponent = name(view.opponent_of(details.side))
    if problem.entrant_id != details.side.id:
        asks = "You've answered. The moderators decide, and tell you." if problem.answer else _until(problem)
        return [f"**{opponent}** {SAID_TO_OPPONENT[problem.kind]}. {asks}"]
    if problem.handed_at is not None:
        return ["You told us about a problem. The moderators decide, and tell you. Solved? Press **Withdraw**."]
    then = "" if problem.answer_until is None else f" ({relative(problem.answer_until)})"
    until = f"{opponent} is asked, then the moderators decide{then}."
    return [f"You told us about a problem. {until} Solved? Press **Withdraw**."]


def _buttons(details: Details) -> tuple[ActionButton, ...]:
    """Return what a player can press about a problem with their match."""
    view, open_problem = details.match, details.match.problem
    if can_tell_problem(view, view.upper if details.shared else details.side):
        return (problem(view.match.id).button("Problem"),)
    if open_problem is None or details.side is None or view.stopped:
        return ()
    if open_problem.entrant_id == details.side.id:
        return (withdraw(view.match.id, open_problem.id).button("Withdraw"),)
    return answer_buttons(view, open_problem) if open_problem.answer is None else ()


def _step(view: MatchView, problem: ProblemRow) -> str:
    """Return what was said about a problem, and how it ended, as a line of the match's history."""
    teller, asked = name(view.side(problem.entrant_id)), name(opponent_of(view, problem))
    words = (
        f"{teller}: {KIND_WORDS[problem.kind]}. “{quoted(problem.text)}”"
        if problem.text
        else f"{teller} told us about a problem."
    )
    answer = f"{asked} answered: “{quoted(problem.answer)}”" if problem.answer else ""
    return " ".join(part for part in (words, answer, ENDS[problem.how] if problem.how else "") if part)


ON_CARD = OnCard(below=_lines, buttons=_buttons, steps={ProblemRow: _step})
