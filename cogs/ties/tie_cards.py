"""Posts about ties as messages, with the buttons that settle a tie."""

from bot.league.season.phases import PLAYING
from bot.services.delivery.kinds import TieMatchPost, TiePost
from bot.services.ties.match_reports import TieQuestionPost
from cogs.ui.actions import TIE, TIE_REPORT
from cogs.ui.buttons import PRIMARY, SUCCESS, ActionButton
from cogs.ui.cards import AMBER, Answer, card
from cogs.ui.text import shown, when
from storage.rows import Settled, TieRow

_HOW = {
    Settled.DRAW: "An organiser took the draw",
    Settled.ORDER: "An organiser decided",
    Settled.MATCH: "The tie-break match decided",
    Settled.SILENCE: "No one answered, so the draw decided",
}


def tie_buttons(tie: TieRow) -> tuple[ActionButton, ...]:
    """Return what an organiser can press about a tie that waits."""
    result = "Enter an order" if tie.match_at is None else "Enter the result"
    enter = TIE.button(result, tie.id, extra="order", style=PRIMARY)
    draw = TIE.button("Use the draw", tie.id, extra="draw")
    match = (TIE.button("Tie-break match", tie.id, extra="match"),) if tie.match_at is None else ()
    return (enter, draw, *match)


def tie_state(tie: TieRow) -> str:
    """Return how a tie was settled, in words; nothing while it waits."""
    if tie.how is None:
        return ""
    if tie.how is Settled.GONE:
        return "They aren't equal any more: results or players changed."
    return f"✅ {_HOW[tie.how]}: {shown(', then '.join(tie.names))}"


def tie(facts: TiePost) -> Answer:
    """Return the question to the organisers, and later the answer."""
    row = facts.tie
    title = f"{shown(facts.league.name)}, season {facts.season.number}: equal after round {row.after_round}"
    lines = [shown(facts.text)]
    if row.how is not None:
        return card(title, f"{lines[0]}\n{tie_state(row)}")
    if facts.season.phase not in PLAYING:
        return card(title, f"{lines[0]}\nThe season is over; the draw's order stands.")
    lines.append(f"By the draw it is: {shown(', then '.join(row.names))}")
    if row.match_at is not None:
        lines.append("The tie-break match is called. Enter its result: the names, best first.")
    elif facts.silent_at is not None:
        lines.append(f"The season waits for an organiser. Without an answer the draw decides {when(facts.silent_at)}.")
    return card(title, "\n".join(lines), buttons=tie_buttons(row))


def tie_match(facts: TieMatchPost) -> Answer:
    """Return a tie-break match for its players, with their seats."""
    title = f"{shown(facts.league.name)}, season {facts.season.number}: tie-break match"
    if facts.tie.how is not None:
        return card(title, tie_state(facts.tie))
    lines = [
        f"You're equal in everything after round {facts.tie.after_round}, so you play for your places. The seats:",
        *(f"**{seat}.** {shown(name)} · `{_code(text)}`" for seat, (name, text) in enumerate(facts.seats, 1)),
        "They go by the SHA-256 of the text beside each name, smallest first.",
    ]
    if len(facts.tie.names) > 2:
        return card(title, "\n".join([*lines, "Then tell an organiser how it ended. They enter the order."]))
    lines.append("Played? One of you presses **Report**, and the other confirms.")
    return card(
        title, "\n".join(lines), buttons=(TIE_REPORT.button("Report", facts.tie.id, extra="ask", style=PRIMARY),)
    )


def tie_question(facts: TieQuestionPost) -> Answer:
    """Return the question to the opponent whether a report of their tie-break match is right."""
    title = f"{shown(facts.league.name)}, season {facts.season.number}: tie-break match"
    reporter = shown(facts.reporter.called)
    text = f"{shown(facts.opponent.called)}: {reporter} reported that they won your tie-break match. Is that right?"
    until = f"Without an answer it counts {when(facts.counts_at)}."
    buttons = (
        TIE_REPORT.button("Confirm", facts.tie.id, extra="confirm", style=SUCCESS),
        TIE_REPORT.button("Dispute", facts.tie.id, extra="dispute"),
    )
    return card(title, f"{text}\n{until}", buttons=buttons, colour=AMBER)


def _code(text: str) -> str:
    return text.replace("`", "ˋ")
