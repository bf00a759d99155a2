"""What a season asks players at sign-up, such as their user name in the game, and their opponents alone are shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.league.errors import Conflict, NotFound, WrongPhase
from bot.league.season.names import written_key
from bot.league.season.phases import LIVE, MatchState
from bot.league.season.short_text import one_line_text
from bot.services.base.events import SettingsChanged
from bot.services.base.order import Order
from bot.services.base.outbox import THREAD
from bot.services.base.transaction import ReadTransaction, Transaction, live, live_if_any, read_transaction, transaction
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, MatchId, PlayerId, PlayerRow, RoundRow, SeasonRow
from storage.tables import matches, rounds
from storage.tables.field import entrants
from storage.tables.people import players
from storage.tables.signups import join_requests

LONGEST_ANSWER = 64


class AnswerNeeded(Conflict):
    """The season asks players something at sign-up that this one hasn't answered."""

    def __init__(self, question: str) -> None:
        self.question = question
        super().__init__(f"This season asks for your {question}. Use /signup and fill it in.")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAnswer:
    """What the season asks, and what someone answered; None for nothing yet."""

    league: LeagueRow
    question: str
    answer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAnswers:
    """What players of a match answered that those may read who look, each with who did, and whether they did."""

    question: str
    answers: tuple[tuple[EntrantRow, str | None], ...]
    answered: bool


def question_of(season: SeasonRow) -> str:
    """Return what a season asks now; nothing once it's over."""
    return (rules_season.settings_of(season).ask_name or "") if season.phase in LIVE else ""


def ask(tx: Transaction, player: PlayerRow, answer: str | None) -> None:
    """Keep what someone answered as they signed up; raises AnswerNeeded for one who hasn't, and Invalid."""
    question = question_of(tx.season)
    if not question:
        return
    if answer is not None:
        _keep(tx, player, question, answer)
    elif _answer(tx.conn, player.id, question) is None:
        raise AnswerNeeded(question)


def require_answer(tx: Transaction, player: PlayerRow, answer: str | None) -> None:
    """Check what someone answered who can't sign up yet; raises AnswerNeeded for one who hasn't, and Invalid."""
    question = question_of(tx.season)
    if question and answer is not None:
        _said(question, answer)
    elif question and _answer(tx.conn, player.id, question) is None:
        raise AnswerNeeded(question)


def give(conn: Connection, order: Order, *, answer: str) -> OwnAnswer:
    """Change what the actor answered; raises Invalid, and WrongPhase where nothing is asked."""
    tx = transaction(conn, order, live)
    player, question = _asked(tx)
    _keep(tx, player, question, answer)
    return own(conn, order)


def own(conn: Connection, order: Order) -> OwnAnswer:
    """Return what the actor answered; raises WrongPhase where nothing is asked, and NotFound for who isn't a player."""
    tx = read_transaction(conn, order, live)
    player, question = _asked(tx)
    return OwnAnswer(league=tx.league, question=question, answer=_answer(conn, player.id, question))


def own_if_asked(conn: Connection, order: Order) -> OwnAnswer | None:
    """Return what the actor answered, None where nothing is asked or they aren't a player."""
    tx = read_transaction(conn, order, live_if_any)
    question = "" if tx.found is None else question_of(tx.found)
    player = players.by_discord(conn, tx.league.id, order.actor.user_id or 0)
    if not question or player is None:
        return None
    return OwnAnswer(league=tx.league, question=question, answer=_answer(conn, player.id, question))


def _asked(tx: ReadTransaction) -> tuple[PlayerRow, str]:
    question = question_of(tx.season)
    if not question:
        raise WrongPhase(f"Season {tx.season.number} asks nothing for opponents now.")
    player = players.by_discord(tx.conn, tx.league.id, tx.actor.user_id or 0)
    if player is None:
        raise NotFound(f"You haven't signed up in {tx.league.name} yet. /signup asks for your {question}.")
    return player, question


def _keep(tx: Transaction, player: PlayerRow, question: str, answer: str) -> None:
    cleaned = _said(question, answer)
    if cleaned == _answer(tx.conn, player.id, question):
        return
    join_requests.keep_answer(tx.conn, player.id, written_key(question), cleaned)
    tx.note("player.answer", player.name)
    seat = _seat(tx, player)
    for match in () if seat is None else matches.in_open_rounds(tx.conn, tx.season.id, seat.id):
        tx.invalidate(match, THREAD)


def _said(question: str, answer: str) -> str:
    return one_line_text(answer, "answer", LONGEST_ANSWER, empty=f"Your {question} can't be empty. Type it, then send.")


def _seat(tx: ReadTransaction, player: PlayerRow) -> EntrantRow | None:
    return None if player.discord_id is None else entrants.by_discord(tx.conn, tx.season.id, player.discord_id)


def _answer(conn: Connection, player_id: PlayerId, question: str) -> str | None:
    return join_requests.answer_of(conn, player_id, written_key(question))


def on_match(tx: ReadTransaction, _: RoundRow, sides: Sequence[EntrantRow]) -> MatchAnswers | None:
    """Return what the actor's opponent in a match answered; nothing for people who don't play it, moderators too."""
    user_id = tx.actor.user_id
    return _read_by(tx.conn, tx.season, sides, [side for side in sides if user_id and side.discord_id == user_id])


def in_private_thread(conn: Connection, view: MatchView) -> MatchAnswers | None:
    """Return what both players of a match answered, for a thread that only they read."""
    return _read_by(conn, view.season, view.sides, view.sides)


def in_message(conn: Connection, match_id: MatchId, reader: int) -> Iterator[str]:
    """Yield what the opponent answered, for a direct message to a player about a match that isn't over."""
    view = views.match_view(conn, match_id)
    readers = [side for side in view.sides if side.discord_id == reader]
    over = view.stopped or view.match.state is MatchState.CONFIRMED
    seen = None if over else _read_by(conn, view.season, view.sides, readers)
    if seen is not None:
        yield from (f"{side.called} · {seen.question}: {answer}" for side, answer in seen.answers if answer is not None)


def _read_by(
    conn: Connection, season: SeasonRow, sides: Sequence[EntrantRow], readers: Sequence[EntrantRow]
) -> MatchAnswers | None:
    question = question_of(season)
    sides_read = [side for side in sides if any(reader != side for reader in readers)]
    if not question or not sides_read:
        return None
    given = {side.id: _answer(conn, side.person_id, question) for side in sides}
    return MatchAnswers(
        question=question,
        answers=tuple((side, given[side.id]) for side in sides_read),
        answered=all(given[reader.id] is not None for reader in readers),
    )


def to_answer(tx: ReadTransaction) -> str:
    """Return that the actor's opponents can't see their answer yet, in a sentence; nothing where they can."""
    question, account = question_of(tx.season), tx.actor.user_id
    seat = None if account is None else entrants.by_discord(tx.conn, tx.season.id, account)
    if not question or seat is None or not seat.active or seat.discord_id != account:
        return ""
    answered = _answer(tx.conn, seat.person_id, question) is not None
    return "" if answered else f"Your opponents can't see your {question} yet: fill it in with /match."


def settings_changed(tx: Transaction, event: SettingsChanged) -> None:
    """Let the threads of the matches that are played show what is asked now."""
    if question_of(event.before) != question_of(tx.season):
        for row in rounds.open_rounds(tx.conn, tx.season.id):
            tx.invalidate(row, THREAD)


def request(tx: Transaction, player: PlayerRow) -> str:
    """Return what someone who takes over a seat is asked, as players were at sign-up; nothing once they answered."""
    question = question_of(tx.season)
    if not question or _answer(tx.conn, player.id, question) is not None:
        return ""
    return f"{player.name}, this season asks for your {question}, for your opponents. Fill it in with /match."
