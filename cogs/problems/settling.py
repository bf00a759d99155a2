"""Problems with a match as moderators see them: what both players say, what the bot knows, the ways to settle them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.league.season.model import Stage
from bot.services.matches.agreed_times import AgreedTimes
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.problems import judging
from bot.services.problems.evidence import SETTLE_PROBLEM, Evidence, ProblemPost
from bot.services.problems.judging import Award, would_drop
from bot.services.problems.telling import KIND_WORDS
from cogs.matches.words import name
from cogs.play.decisions import moderators_card
from cogs.play.match_card import OnCard
from cogs.problems.problems import ENDS, opponent_of
from cogs.ui.actions import DANGER, Press, action
from cogs.ui.cards import LINE, ORANGE, Answer, Part, card
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import cut, mention, quoted, relative, shown, when, with_commands
from storage.rows import MatchId
from storage.tables.problems import ProblemId, ProblemKind, ProblemRow

_DAYS = (3, 7)
_MOST_SENT = 12
"""As many of the last messages and proposals as moderators are shown."""


@renders(SETTLE_PROBLEM)
def case_post(post: ProblemPost) -> Answer:
    """Return a problem for the moderators with everything known about it, or how it ended."""
    view, how = post.view, post.problem.how
    result = shown(post.decided.text if post.decided else f"{view.state_words}.")
    settled = None if how is None else ENDS[how] or result
    return moderators_card(
        "Problem", view, apart=post.apart, settled=settled, by=post.decided, open_=lambda: problem_panel(post)
    )


def problem_panel(post: ProblemPost) -> Answer:
    """Return an open problem with the ways to settle it, for moderators alone."""
    view, problem = post.view, post.problem
    lines = [" v ".join(mention(side.discord_id, side.called) for side in view.sides), *_statements(view, problem)]
    if view.deadline is not None:
        lines.append(f"Deadline: {when(view.deadline)}")
    lines += _known(view, post.evidence) if post.evidence else []
    answer = card(f"Problem: {shown(view.label)}", "\n".join(lines))
    return replace(answer, parts=(*answer.parts, LINE, *_ways(view, problem)), colour=ORANGE)


def _statements(view: MatchView, problem: ProblemRow) -> Iterator[str]:
    teller, asked = view.side(problem.entrant_id), opponent_of(view, problem)
    yield f"**{name(teller)}**: {KIND_WORDS[problem.kind]}. “{quoted(problem.text, 500)}” ({relative(problem.at)})"
    if problem.answered_at is not None:
        yield f"**{name(asked)}** answered: “{quoted(problem.answer or '', 500)}” ({relative(problem.answered_at)})"
    elif asked.discord_id is None:
        yield f"**{name(asked)}** has no Discord account here, so they couldn't be asked."
    else:
        by = "" if problem.answer_until is None else f" by {when(problem.answer_until)}"
        yield f"**{name(asked)}** didn't answer{by}."


def _known(view: MatchView, evidence: Evidence) -> Iterator[str]:
    yield f"Agreed time: {when(view.match.agreed_at)}" if view.match.agreed_at else "Agreed time: none"
    yield from _proposed(evidence.proposed)
    if evidence.sent:
        yield "**What the bot sent**"
        yield from (f"• {called} {relative(at)}" for called, at in evidence.sent[-_MOST_SENT:])


def _proposed(times: Sequence[AgreedTimes]) -> Iterator[str]:
    if times:
        yield "**Proposed times**"
    for time in times[-_MOST_SENT:]:
        starts = ", ".join(discord.utils.format_dt(start, "f") for start in time.starts)
        answer = f"{time.answer} {relative(time.answered_at)}" if time.answer and time.answered_at else "no answer"
        yield f"• {name(time.by)} {relative(time.proposed_at)}: {starts} · {answer}"


def _ways(view: MatchView, problem: ProblemRow) -> Iterator[Part]:
    """Yield the ways to settle a problem: first what harms nobody, at last what puts someone out of the season."""
    match = view.match.id
    yield "**Let them play**"
    more = [give_time(match, problem.id, days).button(f"{days} more days") for days in _DAYS]
    yield (*more, let_play(match, problem.id).button("Close it, deadline stays"))
    yield "**Decide this match** · asks you for a reason"
    sides = {Outcome.UPPER: view.upper, Outcome.LOWER: view.lower}
    wins = [
        award(match, problem.id, side, only=True).button(f"{cut(called.called, 40)} wins by forfeit…")
        for side, called in sides.items()
    ]
    both = award(match, problem.id, Outcome.DOUBLE_LOSS, only=True).button("Both lose…")
    yield (*wins, *([] if view.round.stage is Stage.FINALS else [both]))
    out = view.side(problem.entrant_id) if problem.kind is ProblemKind.TOO_LATE else opponent_of(view, problem)
    if would_drop(view, out):
        winner = view.opponent_of(out)
        side = Outcome.UPPER if winner == view.upper else Outcome.LOWER
        yield f"**Take {name(out)} out of the season** · asks first"
        label = f"{cut(winner.called, 24)} wins, {cut(out.called, 24)} leaves the season…"
        yield (award(match, problem.id, side, only=False).button(label, DANGER),)


@action("problem-time")
async def give_time(press: Press, match: MatchId, problem: ProblemId, days: int) -> Reply:
    """Give the players more days."""
    view = await press.who.write(judging.give_time, match=match, problem=problem, days=days)
    until = f" to be played: by {when(view.deadline)}" if view.deadline is not None else ""
    return Answer(text=f"{shown(view.label)} has more time{until}. Both players will be told.")


@action("problem-play")
async def let_play(press: Press, match: MatchId, problem: ProblemId) -> Reply:
    """Let the players play as before."""
    view = await press.who.write(judging.let_play, match=match, problem=problem)
    return Answer(text=f"Nothing changes in {shown(view.label)}. Both players will be told.")


@action("problem-award", form=True)
async def award(press: Press, match: MatchId, problem: ProblemId, outcome: Outcome, only: bool) -> Reply:
    """Ask for the reason of a forfeit, with what it costs; without `only` it also takes the loser out of the season."""
    what: Any = {"match": match, "problem": problem, "outcome": outcome}
    return SettleForm(await press.who.read(judging.consider, **what, only_this_match=only), only_this_match=only)


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
        what: Any = {"match": award.view.match.id, "problem": award.problem.id, "outcome": award.outcome}
        view = await caller(interaction).write(
            judging.award, **what, only_this_match=self._only, reason=self._reason.value
        )
        gone = "" if award.leaves is None else f" {shown(award.leaves.called)} has left season {view.season.number}."
        return Answer(text=f"{shown(view.label)}: {shown(view.state_words)}.{gone} Both players will be told.")


async def _case(asker: Caller, view: MatchView) -> Answer | None:
    """Return everything about a match's problem, with the ways to settle it."""
    if view.problem is None:
        return None
    return problem_panel(await asker.read(judging.case, match=view.match.id, problem=view.problem.id))


ON_CARD = OnCard(case=_case)
