"""Problems with a match: told in a form, answered by the opponent, settled by the moderators; and conceding."""

from dataclasses import replace
from typing import Any

import aiohttp
import discord

from bot.league.errors import Conflict
from bot.services.matches import choosing
from bot.services.matches.views import MatchView
from bot.services.play import reporting
from bot.services.play.outcome import Outcome
from bot.services.problems import answering, claiming, judging
from bot.services.problems.claiming import Problems
from bot.services.problems.judging import Award
from bot.services.problems.uploads import Picture, picture, require_small
from cogs.play.reports import reported
from cogs.problems.problem_cards import SAID_TO_OPPONENT, problem_panel
from cogs.ui.actions import ANSWER_PROBLEM, CANCEL, CONCEDE, PROBLEM, SETTLE_PROBLEM, WITHDRAW_PROBLEM
from cogs.ui.buttons import DANGER, MatchPress, Press
from cogs.ui.cards import Answer, card
from cogs.ui.context import Interaction, caller
from cogs.ui.forms import Form, picked
from cogs.ui.replies import Reply
from cogs.ui.text import count, cut, quoted, shown, when, with_commands
from storage.rows import MatchId
from storage.tables.claims import ClaimId, ClaimKind, ClaimRow

_LABELS = {
    ClaimKind.NO_ANSWER: ("No answer", "Your opponent doesn't answer you"),
    ClaimKind.ABSENT: ("Didn't turn up at the agreed time", "You were there, they weren't"),
    ClaimKind.TOO_LATE: ("Can't before the deadline", "You can't play, or you can't find a time together"),
}
_SHORT = {"play": "I can still play.", "agree": "I agree to more time."}


@PROBLEM
async def problem_pressed(press: Press[MatchId]) -> Reply:
    """Open the form that tells of a problem, or the one that answers the opponent's."""
    view = await press.who.see(choosing.match_meant, match=press.subject)
    side = view.side_of(press.interaction.user.id)
    if view.claim is not None and side is not None and view.claim.entrant_id != side.id:
        return _answer_form(press, view, view.claim)
    return ProblemForm(await press.who.see(claiming.problems, match=press.subject))


class _FormWithPicture(Form):
    """A form with a text and, if they like, a screenshot."""

    def add_text(self, label: str) -> discord.ui.TextInput[Any]:
        """Add the field for what a player says."""
        return self.ask("text", label, limit=500, long=True, note="Your opponent and the moderators read it.")

    def add_upload(self) -> discord.ui.FileUpload[Any]:
        """Add the field for a screenshot."""
        field = discord.ui.FileUpload[Any](custom_id="screenshot", required=False, max_values=1)
        note = "If you like. Only moderators see it. png, jpeg or webp, up to 8 MB."
        self.add_item(discord.ui.Label(text="Screenshot", description=note, component=field))
        return field


async def _uploaded(field: discord.ui.FileUpload[Any]) -> Picture | None:
    """Return the screenshot that was sent, None without one; raises Invalid and Conflict."""
    for sent in field.values:
        require_small(sent.size)
        try:
            return picture(await sent.read())
        except (discord.HTTPException, aiohttp.ClientError):
            raise Conflict("Discord didn't hand over the screenshot. Send it again, or leave it out.") from None
    return None


class ProblemForm(_FormWithPicture):
    """What keeps a match from being played."""

    def __init__(self, found: Problems) -> None:
        super().__init__(title="What's the problem?")
        self._match = found.match
        hours = count(found.match.hours_to_answer, "hour")
        self.add_item(discord.ui.TextDisplay(f"Your opponent has {hours} to answer. Then the moderators decide."))
        labels = {str(kind): _LABELS[kind][0] for kind in found.kinds}
        notes = {str(kind): _LABELS[kind][1] for kind in found.kinds}
        self._kind = self.choose("kind", "What's wrong?", labels, notes=notes)
        self._text = self.add_text("What happened?")
        self._upload = self.add_upload()

    async def answer(self, interaction: Interaction) -> Reply:
        """Keep the problem, and say what happens next."""
        said: dict[str, Any] = {"kind": ClaimKind(picked(self._kind)), "text": self._text.value}
        sent = await _uploaded(self._upload)
        view = await caller(interaction).do(
            claiming.claim,
            match=self._match.match.id,
            picture=sent,
            **said,
        )
        return _claimed(view, interaction.user.id)


def _claimed(view: MatchView, user_id: int) -> Answer:
    """Return what the player with the problem is told."""
    side = view.side_of(user_id)
    if view.claim is None or side is None or view.claim.entrant_id != side.id:
        return Answer(
            text="Your opponent told us about a problem too. The moderators will read both, decide, and tell you."
        )
    opponent = shown(view.opponent_of(side).called)
    hours = count(view.hours_to_answer, "hour")
    asked = f"We're asking {opponent}, who has {hours} to answer. Then the moderators decide."
    next_ = asked if view.claim.handed_at is None else "The moderators will decide."
    button = WITHDRAW_PROBLEM.button("Withdraw", view.match.id, extra=f"{view.claim.id}")
    return Answer(text=f"Got it. {next_} You'll be told. Solved before that? Press **Withdraw**.", buttons=(button,))


@ANSWER_PROBLEM
async def answer_pressed(press: Press[MatchId]) -> Reply:
    """Answer with the button's words, or open the form for one's own."""
    claim_id, short = press.parts("([0-9]+)(?::(play|agree))?")
    if short:
        claim = ClaimId(int(claim_id))
        view = await press.who.do(answering.answer, match=press.subject, claim=claim, text=_SHORT[short])
        return _answered(view)
    view = await press.who.see(choosing.match_meant, match=press.subject)
    return _answer_form(press, view, answering.require_open(view, int(claim_id)))


def _answer_form(press: Press[MatchId], view: MatchView, claim: ClaimRow) -> Form:
    answering.require_answerable(view, claim, press.who.actor)
    return AnswerForm(view, claim)


class AnswerForm(_FormWithPicture):
    """What the opponent says about a problem."""

    def __init__(self, view: MatchView, claim: ClaimRow) -> None:
        super().__init__(title="Your answer")
        self._match, self._claim = view.match.id, claim.id
        claimer = shown(view.side(claim.entrant_id).called)
        said = f"**{claimer}** {SAID_TO_OPPONENT[claim.kind]}: “{quoted(claim.text, 500)}”"
        self.add_item(discord.ui.TextDisplay(said))
        self._text = self.add_text("What do you say?")
        self._upload = self.add_upload()

    async def answer(self, interaction: Interaction) -> Reply:
        """Answer the opponent."""
        said: dict[str, Any] = {"text": self._text.value, "picture": await _uploaded(self._upload)}
        return _answered(await caller(interaction).do(answering.answer, match=self._match, claim=self._claim, **said))


def _answered(view: MatchView) -> Answer:
    report = "Played after all? One of you presses **Report**."
    return Answer(text=f"Got it: the moderators read your answer about {shown(view.label)} and decide. {report}")


@WITHDRAW_PROBLEM
async def withdraw_pressed(press: Press[MatchId]) -> Reply:
    """Take back what this player said."""
    (claim_id,) = press.parts("([0-9]+)")
    view = await press.who.do(claiming.withdraw, match=press.subject, claim=ClaimId(int(claim_id)))
    return Answer(text=f"Withdrawn: {shown(view.label)} is open as before. Your opponent will be told.")


@CONCEDE
async def concede_pressed(press: MatchPress) -> Reply:
    """Ask once, then report this player's loss."""
    (sure,) = press.parts("(sure)?")
    side = claiming.own_side(press.match, press.who.actor)
    opponent = shown(press.match.opponent_of(side).called)
    if not sure:
        concede = CONCEDE.button("I concede", press.match, extra="sure", style=DANGER)
        text = f"{opponent} wins {shown(press.match.label)}, as if you had played and lost. It counts at once."
        return card("Concede this match?", text, buttons=(concede, CANCEL.button("Play on", 0)))
    done = await press.who.do(
        reporting.report,
        result="lost",
        **press.seen,
    )
    return replace(reported(done, press.interaction.user.id), replace=True)


async def open_problem(press: Press[MatchId], claim: ClaimRow) -> Answer:
    """Show a moderator everything about a problem, with the ways to settle it."""
    return problem_panel(await press.who.see(judging.case, match=press.subject, claim=claim.id))


_WAYS = "(upper|lower|double loss|more|play)(?::(drop|only|[0-9]{1,2}))?"


@SETTLE_PROBLEM
async def settle_pressed(press: Press[MatchId]) -> Reply:
    """Settle a problem as a moderator pressed."""
    claim_id, way, more = press.parts(f"([0-9]+):{_WAYS}")
    about: Any = {"match": press.subject, "claim": ClaimId(int(claim_id))}
    if way == "more":
        view = await press.who.do(judging.give_time, **about, days=int(more))
        until = f" to be played: by {when(view.deadline)}" if view.deadline is not None else ""
        return Answer(text=f"{shown(view.label)} has more time{until}. Both players will be told.")
    if way == "play":
        view = await press.who.do(judging.let_play, **about)
        return Answer(text=f"Nothing changes in {shown(view.label)}. Both players will be told.")
    only = more != "drop"
    what: Any = {"match": press.subject, "claim": ClaimId(int(claim_id)), "outcome": Outcome(way)}
    return SettleForm(
        await press.who.see(
            judging.consider,
            only_this_match=only,
            **what,
        ),
        only_this_match=only,
    )


class SettleForm(Form):
    """What a forfeit costs, and why it is decided."""

    def __init__(self, award: Award, *, only_this_match: bool) -> None:
        view, gone = award.view, award.leaves
        winner = {Outcome.UPPER: view.upper, Outcome.LOWER: view.lower}.get(award.outcome)
        title = "Both lose?" if winner is None else f"{cut(winner.called, 26)} wins by forfeit?"
        super().__init__(title=title if gone is None else f"{cut(gone.called, 26)} leaves season {view.season.number}?")
        self._award, self._only = award, only_this_match
        self.add_item(discord.ui.TextDisplay(with_commands(award.cost)))
        readers = "The two players and the moderators read it. The channel reads only the decision."
        self._reason = self.ask("reason", "Reason", limit=500, long=True, note=readers)

    async def answer(self, interaction: Interaction) -> Reply:
        """Decide the match, and say what happened."""
        award = self._award
        what: Any = {"match": award.view.match.id, "claim": award.claim.id, "outcome": award.outcome}
        view = await caller(interaction).do(
            judging.award,
            only_this_match=self._only,
            reason=self._reason.value,
            **what,
        )
        gone = "" if award.leaves is None else f" {shown(award.leaves.called)} has left season {view.season.number}."
        return Answer(text=f"{shown(view.label)}: {shown(view.state_words)}.{gone} Both players will be told.")
