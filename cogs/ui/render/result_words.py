"""How a match ended, in the words of every card and post; to the players themselves with "you"."""

from bot.league.season.match_score import Games, Result, flipped, score, score_words
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState
from bot.services.matches.views import MatchView
from cogs.ui.text import shown
from storage.rows import EntrantRow, ReportRow


def told_to_all(view: MatchView) -> str:
    """Return a confirmed result for everyone: `**Ada** beat Daria`, with the winner's games first."""
    games = view.result.games
    if view.winner is None:
        return f"{shown(view.pairing)}: {shown(view.state_words)}"
    won = view.upper if view.match.winner_id == view.upper.id else view.lower
    games_won = "" if games is None else f" {score(max(games), min(games))}"
    forfeit = " by forfeit" if view.match.kind is Kind.FORFEIT else ""
    return f"**{shown(won.called)}** beat {shown(view.opponent_of(won).called)}{games_won}{forfeit}"


def own_result(view: MatchView, side: EntrantRow) -> str:
    """Return a result as one of its players sees it, for example `you won against Daria`."""
    opponent = shown(view.opponent_of(side).called)
    if view.match.kind is Kind.DOUBLE_LOSS:
        return f"both you and {opponent} lost"
    result, games = result_of(view, side)
    forfeit = " by forfeit" if view.match.kind is Kind.FORFEIT else ""
    return f"you {'drew' if result is Result.DRAW else result}{score_words(games)} against {opponent}{forfeit}"


def result_of(view: MatchView, side: EntrantRow) -> tuple[Result, Games | None]:
    """Return what counts for a side, or what it last reported, with its own games first."""
    match = view.match
    mine = view.report_of(side)
    if match.state is not MatchState.CONFIRMED and mine is not None:
        return mine.result, mine.games
    games = view.result.games
    won = Result.WON if match.winner_id == side.id else Result.LOST
    return Result.DRAW if match.winner_id is None else won, games if side == view.upper else flipped(games)


def over_you(report: ReportRow) -> str:
    """Return the opponent's report as the player who is asked reads it: `a win over you`, with the games."""
    games = "" if report.games is None else f"{score(*report.games)} "
    match report.result:
        case Result.WON:
            return f"a {games}win over you"
        case Result.LOST:
            return f"a {games}loss to you"
        case Result.DRAW:
            return f"a {games}draw with you"
