"""Problems with a match: asked of the opponent, told to the moderators, as lines and buttons on the match's card."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import discord

from bot.league.season.model import Stage
from bot.services.base.post_kinds import PostKind
from bot.services.matches.views import MatchView
from bot.services.problems.claiming import KIND_WORDS, can_claim
from bot.services.problems.evidence import ClaimPost, Evidence
from bot.services.problems.judging import would_drop
from bot.services.reads.details import Details
from bot.services.times.told_times import ToldTimes
from cogs.matches.words import name
from cogs.play.disputes import decision_by
from cogs.ui.actions import ANSWER_PROBLEM, CONCEDE, DETAILS, PANEL, PROBLEM, SETTLE_PROBLEM, WITHDRAW_PROBLEM
from cogs.ui.buttons import DANGER, PRIMARY, SECONDARY, SUCCESS, ActionButton
from cogs.ui.cards import AMBER, GREEN, LINE, ORANGE, Answer, Part, Picture, card
from cogs.ui.text import cut, mention, quoted, relative, shown, when
from storage.rows import EntrantRow
from storage.tables.claims import ClaimEnd, ClaimKind, ClaimRow

SAID_TO_OPPONENT = {
    ClaimKind.NO_ANSWER: "says you don't answer",
    ClaimKind.ABSENT: "says you didn't turn up at the agreed time",
    ClaimKind.TOO_LATE: "can't play before the deadline",
}
_SENT = {
    PostKind.ROUND: "Pairing",
    PostKind.REMINDER: "Reminder",
    PostKind.TIMES: "Proposed times",
    PostKind.AGREED: "Agreed time",
    PostKind.TIME_REMINDER: "Reminder of the agreed time",
    PostKind.QUESTION: "Question about a report",
    PostKind.PROBLEM: "Question about this problem",
    PostKind.ANSWERED: "News of the answer",
    PostKind.DECISION: "News of a decision",
    PostKind.OPEN_AGAIN: "News that it is open again",
}
_ENDS = {
    ClaimEnd.RESULT: "",
    ClaimEnd.WITHDRAWN: "It's solved.",
    ClaimEnd.MORE_TIME: "The moderators gave more time.",
    ClaimEnd.NO_CHANGE: "The moderators changed nothing.",
}
_DAYS = (3, 7)
_MOST_SENT = 12
"""As many of the last messages and proposals as moderators are shown."""


def question(facts: ClaimPost) -> Answer:
    """Return the question to the opponent of a player with a problem."""
    view, claim = facts.view, facts.claim
    claimer = view.side(claim.entrant_id)
    said = f"**{name(claimer)}** {SAID_TO_OPPONENT[claim.kind]}. What do you say?"
    if claim.kind is ClaimKind.NO_ANSWER and not facts.private:
        said = f"**{name(_opponent(view, claim))}**, are you still playing this week? Write to **{name(claimer)}**."
    return card(shown(view.label), f"{said}\n{_until(claim)}", buttons=answer_buttons(view, claim), colour=AMBER)


def _until(claim: ClaimRow) -> str:
    if claim.handed_at is not None:
        return "The moderators decide now. You can still answer."
    at = "" if claim.answer_until is None else f" {relative(claim.answer_until)}"
    return f"What you say counts, too: the moderators decide{at}, with or without your answer."


def answer_buttons(view: MatchView, claim: ClaimRow) -> tuple[ActionButton, ...]:
    """Return what the opponent can press about a problem they haven't answered."""
    short = ("I agree to more time", "agree") if claim.kind is ClaimKind.TOO_LATE else ("I can still play", "play")
    return (
        ANSWER_PROBLEM.button("Answer", view.match.id, extra=f"{claim.id}", style=PRIMARY),
        ANSWER_PROBLEM.button(short[0], view.match.id, extra=f"{claim.id}:{short[1]}", style=SUCCESS),
        CONCEDE.button("I concede", view, style=DANGER),
    )


def answered(facts: ClaimPost) -> Answer:
    """Return that the opponent answered, for the player with the problem."""
    view, claim = facts.view, facts.claim
    text = f"**{name(_opponent(view, claim))}** answered. The moderators decide now, and tell you."
    buttons = (DETAILS.button("Details", view.match.id, style=PRIMARY), _withdraw(view, claim))
    return card(shown(view.label), f"{text}\nSolved between you? Press **Withdraw**.", buttons=buttons, colour=AMBER)


def _withdraw(view: MatchView, claim: ClaimRow) -> ActionButton:
    return WITHDRAW_PROBLEM.button("Withdraw", view.match.id, extra=f"{claim.id}")


def _opponent(view: MatchView, claim: ClaimRow) -> EntrantRow:
    return view.opponent_of(view.side(claim.entrant_id))


def claim_post(facts: ClaimPost) -> Answer:
    """Return a problem for the moderators with everything known about it, or how it ended.

    Where everyone reads their posts, what was said is behind a button.
    """
    view, claim = facts.view, facts.claim
    title = f"Problem: {shown(view.label)}"
    if claim.how is not None:
        result = shown(facts.decided.text if facts.decided else f"{view.state_words}.")
        lines = [f"✅ {_ENDS[claim.how] or result}"]
        lines += [decision_by(facts.decided)] if facts.decided else []
        return card(f"Settled: {shown(view.label)}", "\n".join(lines), colour=GREEN)
    if view.stopped:
        return card(title, "The season was cancelled, so there's nothing to decide.")
    if not view.league.moderators_apart:
        text = "Only moderators can read what was said: press **Decide**."
        return card(title, text, buttons=(PANEL.button("Decide", view.match.id),), colour=ORANGE)
    return problem_panel(facts)


def problem_panel(facts: ClaimPost) -> Answer:
    """Return an open problem with the screenshots and the ways to settle it, for moderators alone."""
    view, claim = facts.view, facts.claim
    lines = [" v ".join(mention(side.discord_id, side.called) for side in view.sides), *_statements(view, claim)]
    if view.deadline is not None:
        lines.append(f"Deadline: {when(view.deadline)}")
    lines += _known(view, facts.evidence) if facts.evidence else []
    made = card(f"Problem: {shown(view.label)}", "\n".join(lines))
    names = {side.id: name(side) for side in view.sides}
    pictures = [Picture(one.name, one.content, f"Screenshot from {names[one.entrant_id]}") for one in facts.screenshots]
    return replace(made, parts=(*made.parts, *pictures, LINE, *_ways(view, claim)), colour=ORANGE)


def _statements(view: MatchView, claim: ClaimRow) -> Iterator[str]:
    claimer, asked = view.side(claim.entrant_id), _opponent(view, claim)
    yield f"**{name(claimer)}**: {KIND_WORDS[claim.kind]}. “{quoted(claim.text, 500)}” ({relative(claim.at)})"
    if claim.answered_at is not None:
        yield f"**{name(asked)}** answered: “{quoted(claim.answer or '', 500)}” ({relative(claim.answered_at)})"
    elif asked.discord_id is None:
        yield f"**{name(asked)}** has no Discord account here, so they couldn't be asked."
    else:
        by = "" if claim.answer_until is None else f" by {when(claim.answer_until)}"
        yield f"**{name(asked)}** didn't answer{by}."


def _known(view: MatchView, evidence: Evidence) -> Iterator[str]:
    yield f"Agreed time: {when(view.match.agreed_at)}" if view.match.agreed_at else "Agreed time: none"
    yield from _proposed(evidence.proposed)
    if evidence.sent:
        yield "**What the bot sent**"
        yield from (f"• {_SENT[kind]} {relative(at)}" for kind, at in evidence.sent[-_MOST_SENT:])


def _proposed(times: Sequence[ToldTimes]) -> Iterator[str]:
    if times:
        yield "**Proposed times**"
    for one in times[-_MOST_SENT:]:
        starts = ", ".join(discord.utils.format_dt(start, "f") for start in one.starts)
        answer = f"{one.answer} {relative(one.answered_at)}" if one.answer and one.answered_at else "no answer"
        yield f"• {name(one.by)} {relative(one.proposed_at)}: {starts} · {answer}"


def _ways(view: MatchView, claim: ClaimRow) -> Iterator[Part]:
    """Yield the ways to settle a problem: first what harms nobody, at last what puts someone out of the season."""
    yield "**Let them play**"
    more = [_way(view, claim, f"{days} more days", f"more:{days}") for days in _DAYS]
    yield (*more, _way(view, claim, "No change", "play"))
    yield "**Decide this match** · asks you for a reason"
    sides = {"upper": view.upper, "lower": view.lower}
    wins = [_way(view, claim, f"{cut(who.called, 40)} wins by forfeit…", f"{key}:only") for key, who in sides.items()]
    both = [] if view.round.stage is Stage.FINALS else [_way(view, claim, "Both lose…", "double loss")]
    yield (*wins, *both)
    out = view.side(claim.entrant_id) if claim.kind is ClaimKind.TOO_LATE else _opponent(view, claim)
    if would_drop(view, out):
        winner = view.opponent_of(out)
        yield f"**Take {name(out)} out of the season** · asks first"
        label = f"{cut(winner.called, 24)} wins, {cut(out.called, 24)} leaves the season…"
        yield (_way(view, claim, label, f"{'upper' if winner == view.upper else 'lower'}:drop", DANGER),)


def _way(
    view: MatchView, claim: ClaimRow, label: str, extra: str, style: discord.ButtonStyle = SECONDARY
) -> ActionButton:
    return SETTLE_PROBLEM.button(label, view.match.id, extra=f"{claim.id}:{extra}", style=style)


def problem_lines(found: Details) -> list[str]:
    """Return what an open problem means for the player who looks at their match."""
    view, claim = found.match, found.match.claim
    if claim is None or found.side is None or view.stopped:
        return []
    opponent = name(view.opponent_of(found.side))
    if claim.entrant_id != found.side.id:
        asks = "You've answered. The moderators decide, and tell you." if claim.answer else _until(claim)
        return [f"**{opponent}** {SAID_TO_OPPONENT[claim.kind]}. {asks}"]
    if claim.handed_at is not None:
        return ["You told us about a problem. The moderators decide, and tell you. Solved? Press **Withdraw**."]
    then = "" if claim.answer_until is None else f" ({relative(claim.answer_until)})"
    until = f"{opponent} is asked, then the moderators decide{then}."
    return [f"You told us about a problem. {until} Solved? Press **Withdraw**."]


def problem_buttons(found: Details) -> tuple[ActionButton, ...]:
    """Return what a player can press about a problem with their match."""
    view, claim = found.match, found.match.claim
    if can_claim(view, view.upper if found.shared else found.side):
        return (PROBLEM.button("Problem", view.match.id),)
    if claim is None or found.side is None or view.stopped:
        return ()
    if claim.entrant_id == found.side.id:
        return (_withdraw(view, claim),)
    return answer_buttons(view, claim) if claim.answer is None else ()


def problem_step(view: MatchView, claim: ClaimRow) -> str:
    """Return what was said about a problem, and how it ended, as a line of the match's history."""
    who, asked = name(view.side(claim.entrant_id)), name(_opponent(view, claim))
    words = (
        f"{who}: {KIND_WORDS[claim.kind]}. “{quoted(claim.text)}”" if claim.text else f"{who} told us about a problem."
    )
    answer = f"{asked} answered: “{quoted(claim.answer)}”" if claim.answer else ""
    return " ".join(part for part in (words, answer, _ENDS[claim.how] if claim.how else "") if part)
