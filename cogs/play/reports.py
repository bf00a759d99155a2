"""Results from the players: report, confirm, dispute, take back, the question to the opponent, each match's button."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import discord
from discord import app_commands

from bot.league.errors import LeagueError
from bot.league.match_day.weighing import TAKE_BACK_MINUTES
from bot.league.season.in_words import amount
from bot.league.season.match_score import Result, score_words, typed_score
from bot.league.season.phases import MatchState
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.matches import match_finding
from bot.services.matches.decision_posts import TakenBack
from bot.services.matches.views import MatchView
from bot.services.play import possible_results, reporting
from bot.services.play.possible_results import Choices
from bot.services.play.reporting import Reported
from bot.services.play.round_posts import COUNTED, QUESTION, CountedPost, QuestionPost
from bot.services.problems.disputed import can_tell
from bot.services.reads import details
from bot.services.reads.details import Details
from cogs.matches.as_shown import MatchAsShown
from cogs.matches.which_match import asks_which
from cogs.matches.words import name, outcome, over_you, pairing
from cogs.play.disputes import dispute, dispute_step, disputed, tell_moderators
from cogs.play.for_others import confirm_for, dispute_for, is_for_others
from cogs.play.match_card import OnCard, details_answer, open_details
from cogs.ui.actions import DANGER, PRIMARY, SUCCESS, ActionButton, Press, action
from cogs.ui.cards import AMBER, LINE, Answer, card
from cogs.ui.commands import LeagueCog, LongReason, command, on_member, on_message
from cogs.ui.context import Caller, Interaction, caller, channel_of
from cogs.ui.forms import Form, picked
from cogs.ui.options.names import OwnMatch
from cogs.ui.posts import renders
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import cut, quoted, relative, shown, when
from storage.rows import DisputeRow, EntrantRow, LeagueId, MatchId, ReportRow

Match = str | MatchId | None
"""A match as it was typed or chosen; None for the person's own."""
WHICH = "Is this the match you mean?"


class Results(LeagueCog):
    """Reports of players."""

    @command(
        result="How it ended for you",
        score="Yours first: games, for example 2-1; where matches have scores 87-62, or both, 2-1 87-62",
    )
    async def report(
        self,
        asker: Caller,
        result: Literal["won", "lost", "draw"],
        score: app_commands.Range[str, 0, 30] | None = None,
        match: OwnMatch | None = None,
    ) -> Reply:
        """Report your match. Your opponent confirms it, unless you lost."""
        return await _report(asker, result=result, score=score, match=match)

    @command(form=True)
    async def confirm(self, asker: Caller, match: OwnMatch | None = None) -> Reply:
        """Confirm your opponent's report."""
        return await _confirm_typed(asker, match=match)

    @command(reason="What really happened; your opponent and the moderators read it")
    async def dispute(self, asker: Caller, reason: LongReason, match: OwnMatch | None = None) -> Reply:
        """Say that your opponent's report is wrong; the moderators decide."""
        return await _dispute_typed(asker, reason=reason, match=match)

    @on_message("Report this match", form=True)
    async def of_message(self, asker: Caller, message: discord.Message) -> Reply:
        """Open the form for the match that the message is about."""
        return await _form_of(asker, message.id)

    @on_member("Report our match", form=True)
    async def with_opponent(self, asker: Caller, member: discord.Member) -> Reply:
        """Open the form for the open match with the member that was pressed on."""
        return await _form_with(asker, member.id, channel_of(asker.interaction))


@asks_which
async def _form_of(asker: Caller, message_id: int, *, match: MatchId | None = None) -> Reply:
    return await _form(asker, match or await asker.read(match_finding.of_message, message_id=message_id))


@asks_which
async def _form_with(asker: Caller, opponent: int, channel_id: int, *, match: MatchId | None = None) -> Reply:
    if match is None:
        match = await asker.read(match_finding.open_with, discord_id=opponent, channel_id=channel_id)
    return await _form(asker, match)


@asks_which
async def _confirm_typed(asker: Caller, *, match: Match = None) -> Reply:
    others = await _as_moderator(asker, match)
    return await (_confirm(asker, match=match) if others is None else confirm_for(asker, others, take_back))


@asks_which
async def _dispute_typed(asker: Caller, *, reason: str, match: Match = None) -> Reply:
    others = await _as_moderator(asker, match)
    return await _dispute(asker, reason=reason, match=match) if others is None else dispute_for(others, reason)


async def _as_moderator(asker: Caller, match: Match) -> MatchView | None:
    """Return the match a moderator means who doesn't play in it; None for one of their own, and for others."""
    if match is None:
        return None
    view = await asker.read(match_finding.match_meant, match=match)
    return view if is_for_others(asker, view) else None


@asks_which
@with_confirmation("report-typed", WHICH, yes="Yes, report it", no="No", style=PRIMARY)
async def _report(
    asker: Caller, *, result: str, score: str | None = None, match: Match = None, agreed: str = ""
) -> Answer:
    won = result == "won"
    answer = None if result == "draw" else await _elsewhere(match, lambda it: it.report(asker, won))
    if answer is not None:
        return answer
    done = await asker.write(reporting.report, match=match, result=result, score=score, agreed=agreed)
    return reported(done, asker.actor.user_id)


@with_confirmation("confirm-typed", WHICH, yes="Yes, confirm it", no="No", style=PRIMARY)
async def _confirm(asker: Caller, *, match: Match = None, agreed: str = "") -> Answer:
    try:
        return confirmed(await asker.write(reporting.confirm, match=match, agreed=agreed), asker.actor.user_id)
    except LeagueError as problem:
        return await _answered_elsewhere(asker, match, problem)


@with_confirmation("dispute-typed", WHICH, yes="Yes, dispute it", no="No", style=PRIMARY)
async def _dispute(asker: Caller, *, reason: str, match: Match = None, agreed: str = "") -> Answer:
    try:
        return disputed(await asker.write(reporting.dispute, match=match, reason=reason, agreed=agreed))
    except LeagueError as problem:
        return await _answered_elsewhere(asker, match, problem, disputed=reason)


async def _answered_elsewhere(
    asker: Caller, match: Match, problem: LeagueError, *, disputed: str | None = None
) -> Answer:
    """Answer something else where no report of a match waits for this player; raises the problem where nothing does."""
    asks = isinstance(problem, ConfirmationNeeded)
    answer = None if asks else await _elsewhere(match, lambda it: it.answer(asker, disputed))
    if answer is None:
        raise problem
    return answer


@dataclass(frozen=True)
class AlsoReported:
    """What `/report`, `/confirm` and `/dispute` are about, while it waits, where no match is named.

    All matches have results then. Both answer None where nothing of this kind waits for the player, and in the thread
    of a match.
    """

    report: Callable[[Caller, bool], Awaitable[Answer | None]]
    """Report whether this player won; asked first, because a match that counts can be disputed by a report."""
    answer: Callable[[Caller, str | None], Awaitable[Answer | None]]
    """Say that the opponent's report is right, or with a reason that it isn't."""


ALSO_REPORTED: list[AlsoReported] = []
"""Filled by `cogs.wiring`."""


async def _elsewhere(match: Match, say: Callable[[AlsoReported], Awaitable[Answer | None]]) -> Answer | None:
    """Say of something else what was typed without a match; None where a match is meant."""
    for other in ALSO_REPORTED if match is None else ():
        if (answer := await say(other)) is not None:
            return answer
    return None


def reported(done: Reported, user_id: int | None) -> Answer:
    """Return what a player who reported is told: what counts, and what happens next."""
    view = done.match
    side = view.side_of(user_id) or view.upper
    begin = f"{'Already reported' if done.repeated else 'Got it'}: {outcome(view, side)}."
    if view.match.state is MatchState.CONFIRMED and done.repeated:
        return Answer(text=f"Already confirmed: {shown(view.label)}, {outcome(view, side)}.")
    if view.match.state is MatchState.CONFIRMED:
        return counted(done, begin)
    if view.match.state is MatchState.DISPUTED:
        contested = view.dispute is not None and view.dispute.entrant_id is not None
        why = "It's disputed" if contested else "Your reports don't match"
        words = f"{begin} {why}, so the moderators will decide. You'll be told."
        return Answer(text=words, buttons=(tell_moderators(view.match.id).button("Tell the moderators"),))
    return Answer(text=f"{begin} {_waiting(view, side)} Made a mistake? Report again.")


def _waiting(view: MatchView, side: EntrantRow) -> str:
    """Return who has to answer a report, and when it counts without an answer."""
    opponent, counts_at = shown(view.opponent_of(side).called), view.match.confirm_at
    if counts_at is None:
        hours = amount(int(view.time_to_answer.total_seconds()) // 3600, "hour")
        return f"We're asking {opponent} to confirm; without an answer it counts {hours} after that."
    if view.opponent_of(side).discord_id is None:
        nobody = f"{opponent} has no Discord account here, so a moderator can confirm it."
        return f"{nobody} Otherwise it counts {relative(counts_at)}."
    return f"{opponent} can confirm or dispute. Without an answer it counts {relative(counts_at)}."


def counted(done: Reported, begin: str) -> Answer:
    """Return that a result counts, with what began with it and the button that takes it back."""
    if done.until is None:
        started = f" and {done.started}" if done.started else ""
        return Answer(text=f"{begin} It counts now{started}. If it's wrong, ask a moderator.")
    text = f"{begin} It counts now. Until {discord.utils.format_dt(done.until, 't')} you can take it back."
    return Answer(text=text, buttons=(take_back(done.match).button("Take back"),))


def confirmed(done: Reported, user_id: int | None) -> Answer:
    """Return what the player who confirmed is told."""
    return counted(done, f"Confirmed: {outcome(done.match, done.match.side_of(user_id))}.")


@action("confirm", form=True)
async def confirm(press: Press, match: MatchAsShown) -> Reply:
    """Confirm the opponent's report; a moderator who doesn't play in the match is asked first."""
    if is_for_others(press.who, match):
        return await confirm_for(press.who, match, take_back)
    return confirmed(await press.who.write(reporting.confirm, **match.seen), press.interaction.user.id)


@action("take-back")
async def take_back(press: Press, match: MatchAsShown) -> Reply:
    """Make a match again what it was before this person's press made its result count."""
    view = await press.who.write(reporting.take_back, **match.seen)
    side = view.side_of(press.interaction.user.id)
    reachable = side is not None and view.opponent_of(side).discord_id is not None
    text = f"Taken back: {shown(view.label)} is now {shown(view.state_words)}."
    consequence = "Your opponent will be told." if reachable else "" if side else "Both players will be told."
    return Answer(text=f"{text} {consequence}".strip(), replace=True)


@renders(QUESTION)
def question(post: QuestionPost) -> Answer:
    """Return the question whether a report is right, for the opponent."""
    buttons = (confirm(post.view).button("Confirm", SUCCESS), dispute(post.view).button("Dispute", DANGER))
    latest = post.view.reports[-1]
    reporter = shown(post.view.side(latest.entrant_id).called)
    asked = f"**{reporter}** reported {over_you(latest)}. Is that right?"
    text = f"{asked}\nWithout an answer it counts {when(post.counts_at)}."
    return card(shown(post.view.label), text, buttons=buttons, colour=AMBER)


@renders(COUNTED)
def it_counts(post: CountedPost) -> Answer:
    """Return the results that count now, without who was silent."""
    first, *others = post.matches
    wrong = "If that's wrong, ask a moderator."
    if others:
        lines = [f"{outcome(view)}." for view in post.matches]
        title = "Results" if first.round.together else first.round.name
        return card(shown(title), "\n".join([*lines, f"These results count now. {wrong}"]))
    text = f"{outcome(first)}. It counts now. {wrong}"
    return card(shown(first.label), text, buttons=(open_details(first.match.id).button("Details"),))


_MOST_RADIO_BUTTONS = 10
_AFTERWARDS = (
    f"What counts at once can be taken back for {TAKE_BACK_MINUTES} minutes, until the next round is paired or the"
    " season is over."
)


@action("report", form=True)
async def report(press: Press, match: MatchId) -> Reply:
    """Open the form for a player who can report now; show everyone else the match."""
    return await _form(press.who, match)


@action("report-own", form=True)
async def report_own(press: Press, league: LeagueId) -> Reply:
    """Open the form for the match of the person who presses; of several, for the one they choose."""
    return await _own_form(press.who.of(league))


@asks_which
async def _own_form(asker: Caller, *, match: MatchId | None = None) -> Reply:
    view = await asker.read(match_finding.match_meant, match=match, fits=possible_results.can_report)
    return await _form(asker, view.match.id)


async def _form(asker: Caller, match: MatchId) -> Reply:
    choices = await asker.read(possible_results.choices, match=match)
    if choices.results:
        return ReportForm(choices)
    answer = details_answer(await asker.read(details.details, match=match))
    return answer if choices.own is None else _of_others(answer, choices.own, asker.actor.user_id)


def _of_others(answer: Answer, own: MatchView, user_id: int | None) -> Answer:
    """Return a match for someone who pressed **Report** at it but plays another one of the round."""
    side = own.side_of(user_id)
    mine = report(own.match.id).button("Report my match", PRIMARY)
    can = side is not None and possible_results.can_report(own, side)
    first = f"You don't play in this match. Yours is {pairing(own)}."
    return replace(answer, parts=(first, LINE, *answer.parts), buttons=(*([mine] if can else []), *answer.buttons))


class ReportForm(Form):
    """How a match ended, each result with what follows from it."""

    def __init__(self, choices: Choices) -> None:
        view, opponent = choices.match, choices.opponent
        super().__init__(title=f"Report: you v {opponent}")
        self._seen = view.seen
        games = "Single game" if view.best_of == 1 else f"Best of {view.best_of}"
        where = f"{view.league.name}, {view.in_season}. {games}."
        self.add_item(discord.ui.TextDisplay(f"-# {shown(where)}"))
        words = {Result.WON: "I won", Result.LOST: "I lost", Result.DRAW: "Draw"}
        values = {f"{possible.result}{typed_score(possible.games)}": possible for possible in choices.results}
        labels = {value: f"{words[possible.result]}{score_words(possible.games)}" for value, possible in values.items()}
        notes = {value: cut(possible.follows, 100) for value, possible in values.items()}
        add = self.choose if len(values) <= _MOST_RADIO_BUTTONS else self.list
        self._result = add("result", "How did it end?", labels, notes=notes)
        self._score = self.ask("score", "Score, yours first", limit=20, hint="87-62") if view.scores else None
        self.add_item(discord.ui.TextDisplay(f"-# {_AFTERWARDS}"))

    async def answer(self, interaction: Interaction) -> Reply:
        """Report what was chosen, unless the match has changed since the form was opened."""
        result, _, games = picked(self._result).partition(" ")
        score = " ".join(filter(None, [games, self._score.value.strip() if self._score is not None else ""]))
        done = await caller(interaction).write(reporting.report, **self._seen, result=result, score=score or None)
        return reported(done, interaction.user.id)


def _buttons(details: Details) -> Iterator[ActionButton]:
    """Yield what a player can press about the result; on the card of both, what everyone can."""
    view, side = details.match, details.side
    if details.shared:
        yield match_button(view)
        return
    if details.is_asked:
        yield from (confirm(view).button("Confirm", SUCCESS), dispute(view).button("Dispute", DANGER))
        return
    if side is not None and possible_results.can_report(view, side):
        label = "Report" if view.report_of(side) is None else "Report again"
        yield report(view.match.id).button(label, PRIMARY)
    if can_tell(view, side):
        yield tell_moderators(view.match.id).button("Tell the moderators")
    if details.until is not None:
        yield take_back(view).button("Take back")


def match_button(view: MatchView) -> ActionButton:
    """Return the one button a match has for everyone: Report, Answer or Details."""
    match view.match.state:
        case MatchState.OPEN if not view.stopped:
            return report(view.match.id).button("Report", PRIMARY)
        case MatchState.REPORTED if not view.stopped:
            return open_details(view.match.id).button("Answer", PRIMARY)
        case _:
            return open_details(view.match.id).button("Details")


def _report_step(view: MatchView, row: ReportRow) -> str:
    statement = f". To the moderators: “{quoted(row.statement)}”" if row.statement else ""
    return f"{name(view.side(row.entrant_id))} reported: {row.result}{score_words(*row.scoreline)}{statement}"


def _taken_back_step(view: MatchView, step: TakenBack) -> str:
    return f"{name(view.side(step.entrant_id))} took it back"


ON_CARD = OnCard(
    buttons=_buttons, steps={ReportRow: _report_step, TakenBack: _taken_back_step, DisputeRow: dispute_step}
)
