"""What a season that is played waits for, in plain words."""

from bot.league.season.choices import Advance
from bot.league.season.in_words import amount, capitalised, first_few
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base.transaction import ReadTransaction
from bot.services.matches.views import MatchView, RoundView
from bot.services.ties.tie_words import tie_words
from storage.database import Connection
from storage.rows import RoundRow, SeasonId, TieRow
from storage.tables import rounds, ties
from storage.tables.field import entrants, finals_places

NAMED = 5
"""As many missing results as are named."""


def waits_for(tx: ReadTransaction, current: RoundView | None) -> str:
    """Return what the season waits for in its current round or after it, with the next step of an organiser."""
    asked = _asked_to_move_up(tx.conn, tx.season.id)
    if asked:
        return f"{asked} The finals wait for the answer."
    tied = ties.waiting(tx.conn, tx.season.id)
    if tied:
        step = tx.hint("/round tiebreak settles that.", _settled_by(tied[0]))
        return f"{tie_words(tied[0])}{step} The season waits for it."
    draft = rounds.draft(tx.conn, tx.season.id)
    if draft is not None:
        return f"{_looked_at(draft)}{tx.hint('/round swap changes it, /round post publishes it.')}"
    if current is None:
        return f"Round 1 isn't posted yet.{tx.hint('/round post pairs and posts it.')}"
    if current.missing:
        return missing_results(current)
    return _between(tx, current)


def _looked_at(draft: RoundRow) -> str:
    return f"An organiser is looking at a preview of {draft.stage_words}."


def waits_for_organiser(conn: Connection, season_id: SeasonId) -> str:
    """Return the tie or preview that waits for an organiser, as everyone may read it; nothing where none does."""
    draft, tied = rounds.draft(conn, season_id), ties.waiting(conn, season_id)
    asked = _asked_to_move_up(conn, season_id)
    if asked or not tied:
        return asked or ("" if draft is None else _looked_at(draft))
    return f"{tie_words(tied[0])} {_settled_by(tied[0])}"


def _asked_to_move_up(conn: Connection, season_id: SeasonId) -> str:
    """Return who is asked whether they move up into the finals; nothing where no one is."""
    asked = [row for row in finals_places.of_season(conn, season_id) if row.answered_at is None]
    names = [player.called for player in entrants.some(conn, [row.entrant_id for row in asked])]
    verb = "is" if len(names) == 1 else "are"
    return f"{first_few(names, NAMED)} {verb} asked to move up into the finals." if names else ""


def _settled_by(tie: TieRow) -> str:
    return "An organiser settles that." if tie.match_at is None else "They play a tie-break match for it."


def missing_results(current: RoundView) -> str:
    """Return which results a round waits for, and what each of them waits for."""
    words, count = current.words, len(current.missing)
    waits = "wait" if words.endswith("s") else "waits"
    results = amount(count, "result")
    listed = first_few([f"{match.pairing} ({_waits(match)})" for match in current.missing], NAMED)
    return f"{capitalised(words)} {waits} for {results}: {listed}."


def _waits(match: MatchView) -> str:
    match match.match.state:
        case MatchState.OPEN if match.problem is not None and match.problem.handed_at is None:
            return f"{match.opponent_of(match.side(match.problem.entrant_id)).called} is asked about a problem"
        case MatchState.OPEN if match.problem is None and match.match.overdue_at is None:
            return "still to play"
        case MatchState.REPORTED:
            return f"waiting for {match.asked.called}"
        case _:
            return "the moderators decide"


def _between(tx: ReadTransaction, current: RoundView) -> str:
    """Return what comes after a round with all results."""
    words = current.words
    if current.round.phase is not RoundPhase.OPEN:
        step = tx.hint("/round post pairs and posts the next one.", "An organiser posts the next one.")
        return f"{capitalised(words)}: over.{step}"
    if tx.season.paused_until is not None:
        return f"All results of {words} are in. The season goes on after its pause."
    if tx.settings.advance is Advance.DEADLINE:
        step = tx.hint("/round post ends it and goes on, or its deadline does.", "It ends at its deadline.")
    else:
        step = tx.hint("/round post ends it and goes on.", "An organiser ends it.")
    return f"All results of {words} are in.{step}"
