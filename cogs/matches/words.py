"""A match in words: who plays, where it stands, how it ended; to its players themselves with "you"."""

import unicodedata

from bot.league.season.in_words import capitalised
from bot.league.season.match_score import Result, score, score_words
from bot.league.season.model import Kind, Name
from bot.league.season.phases import MatchState
from bot.services.matches.views import MatchResult, MatchView
from cogs.matches.rounds import STATE_MARKS
from cogs.ui.text import quoted, relative, shown, urgent, when
from storage.rows import Confirmation, EntrantRow, ReportRow, Says, SeasonRow


def name(side: EntrantRow, longest: int = 60) -> str:
    """Return a player's name, set apart where it is written from right to left."""
    whole = quoted(side.called, longest)
    turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in whole)
    return f"\u2068{whole}\u2069" if turned else whole


def pairing(view: MatchView, longest: int = 60) -> str:
    """Return who plays, with the result or what was reported last: `**Ada** v **Bruno**`; the loser isn't bold."""
    counts = view.match.state is MatchState.CONFIRMED
    upper, lower = (
        name(side, longest) if counts and side.id != view.match.winner_id else f"**{name(side, longest)}**"
        for side in view.sides
    )
    if counts:
        return f"{upper} {_between(view, view.result)} {lower}"
    has_score = view.match.state is MatchState.REPORTED and view.reports and any(view.reports[-1].scoreline)
    return f"{upper} {_between(view, view.reported_result(view.reports[-1])) if has_score else 'v'} {lower}"


def _between(view: MatchView, result: MatchResult) -> str:
    if any(result.scoreline):
        return score_words(*result.scoreline).strip()
    if result.kind in (Kind.FORFEIT, Kind.DOUBLE_LOSS):
        return "v"
    if result.winner_id is None:
        return "drew with"
    return "beat" if result.winner_id == view.upper.id else "lost to"


def choice_words(view: MatchView, user_id: int | None) -> tuple[str, str]:
    """Return what a match is called in a list to choose from, and a few words on it: the opponent of who chooses."""
    side = view.side_of(user_id)
    label = view.pairing if side is None else view.opponent_of(side).called
    about = ": ".join(filter(None, (view.place, view.match.state.words)))
    return label, capitalised(about)


def state_line(view: MatchView) -> str:
    """Return where a match stands in a few words, with its mark; its name in the finals, else records while open."""
    label = "" if view.match.name == view.round.name else view.match.name
    again = "Rematch" if view.match.rematch else ""
    mark = "" if view.match.state is MatchState.OPEN else STATE_MARKS[view.match.state]
    tier = view.match.tier if view.match.state is MatchState.OPEN and not view.round.together else ""
    parts = (label, tier, again, state_words(view))
    return f"{mark} {' · '.join(part for part in parts if part)}".strip()


def state_words(view: MatchView) -> str:
    """Return where a match stands in a few words."""
    if view.stopped:
        return "The season was cancelled"
    match view.match.state:
        case MatchState.OPEN:
            return _open(view)
        case MatchState.REPORTED:
            said_of = {Result.WON: "a win", Result.LOST: "a loss", Result.DRAW: "a draw"}
            bare = [report for report in view.reports[-1:] if not any(report.scoreline)]
            result = "".join(
                f"{name(view.side(report.entrant_id))} reported {said_of[report.result]}. " for report in bare
            )
            silent = f" Counts {relative(view.match.confirm_at)}" if view.match.confirm_at else ""
            return f"{result}Waiting for **{name(view.asked)}** to confirm.{silent}"
        case MatchState.DISPUTED:
            by = None if view.dispute is None else view.dispute.entrant_id
            why = "Their reports don't match" if by is None else f"{name(view.side(by))} disputes the report"
            return f"{why}. The moderators decide."
        case MatchState.CONFIRMED:
            return _settled(view)


def _open(view: MatchView) -> str:
    if view.problem is not None:
        return "Waiting for an answer" if view.problem.handed_at is None else "With the moderators"
    if view.match.overdue_at is not None:
        return "Past the deadline. The moderators decide."
    if view.match.agreed_at is not None:
        return f"🗓 Agreed: {urgent(view.match.agreed_at)}"
    if view.match.deadline is not None:
        return f"More time: ends {relative(view.match.deadline)}"
    return "No result yet" if view.live else "No time agreed yet"


def _settled(view: MatchView) -> str:
    match view.match.confirmed_by:
        case Confirmation.LOSS:
            return f"Reported by {name(view.loser)}" if view.loser else "Reported"
        case Confirmation.AGREEMENT:
            return "Reported by both"
        case Confirmation.OPPONENT:
            return f"Confirmed by {name(view.asked)}"
        case Confirmation.SILENCE if view.match.kind is Kind.DOUBLE_LOSS:
            return "Both lose: no one reported in time"
        case Confirmation.SILENCE:
            return "Confirmed: no answer in time"
        case Confirmation.MODERATOR:
            kinds = {Kind.FORFEIT: "Forfeit, decided", Kind.DOUBLE_LOSS: "Double loss, decided"}
            return f"{kinds.get(view.match.kind, 'Decided')} by the moderators"
        case Confirmation.DEPARTURE:
            return f"Forfeit: {name(view.loser)} has left" if view.loser else "Forfeit"
        case None:
            return "Final"


def uncounted(view: MatchView, struck: frozenset[Name]) -> str:
    """Return that a result counts for nobody, because a player who left is struck; nothing for others."""
    gone = next((side for side in view.sides if side.name in struck), None)
    if gone is None or view.match.state is not MatchState.CONFIRMED:
        return ""
    why = "" if view.match.confirmed_by is Confirmation.DEPARTURE else f", because {name(gone)} has left"
    return f"It counts for nobody{why}."


def paused_until(season: SeasonRow) -> str:
    """Return until when a season is paused, and what that means; nothing where it isn't."""
    if season.paused_until is None:
        return ""
    return f"⏸️ **Paused until** {when(season.paused_until)}. No new round is posted before then."


def outcome(view: MatchView, to: EntrantRow | None = None) -> str:
    """Return how a match ended for everyone, `**Ada** beat Daria`, or to one of its players, `you won against Daria`.

    To a player it's what they last reported, as long as that doesn't count.
    """
    forfeit = " by forfeit" if view.match.kind is Kind.FORFEIT else ""
    scoreline = view.match.scoreline
    if to is None:
        winner = next((side for side in view.sides if side.id == view.match.winner_id), None)
        if winner is None:
            return f"{shown(view.pairing)}: {shown(view.state_words)}"
        numbers = score_words(*(scoreline if winner == view.upper else scoreline.flipped))
        return f"**{shown(winner.called)}** beat {shown(view.opponent_of(winner).called)}{numbers}{forfeit}"
    opponent, report = shown(view.opponent_of(to).called), view.report_of(to)
    if view.match.kind is Kind.DOUBLE_LOSS:
        return f"both you and {opponent} lost"
    if view.match.state is not MatchState.CONFIRMED and report is not None:
        result, numbers = report.result, report.scoreline
    else:
        won = Result.WON if view.match.winner_id == to.id else Result.LOST
        result = Result.DRAW if view.match.winner_id is None else won
        numbers = scoreline if to == view.upper else scoreline.flipped
    return f"you {'drew' if result is Result.DRAW else result}{score_words(*numbers)} against {opponent}{forfeit}"


def report_words(report: ReportRow, pronoun: str = "you") -> str:
    """Return what a player reported, in words to them or, as `they`, about them: `they won`, with its numbers."""
    verb = {Result.WON: f"{pronoun} won", Result.LOST: f"{pronoun} lost", Result.DRAW: "a draw"}[report.result]
    return f"{verb}{score_words(*report.scoreline)}"


SAYS = {
    Says.WON: "they won",
    Says.DRAW: "it was a draw",
    Says.SCORE: "the score is wrong",
    Says.NOT_PLAYED: "it wasn't played",
}
"""What a player who disputes a report says, as others read it."""


def over_you(report: ReportRow) -> str:
    """Return the opponent's report as the player who is asked reads it: `a 2-1 win over you, 87-62`."""
    games, scored = report.scoreline
    before = "" if games is None else f"{score(*games)} "
    after = "" if scored is None else f", {score(*scored)}"
    ended = {Result.WON: "win over", Result.LOST: "loss to", Result.DRAW: "draw with"}[report.result]
    return f"a {before}{ended} you{after}"
