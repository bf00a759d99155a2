"""What is posted about a tie: the question to the organiser, the tie-break match, the question about its report."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.formats.swiss.organiser_ties import seats
from bot.league.season.model import Name
from bot.services.base import pending_questions
from bot.services.base.post_kinds import Facts, Gone, PostKind, Readers, SeasonPost, Until, about_season, known, there
from bot.services.ties.tie_words import tie_words
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, TieId, TieRow
from storage.tables import ties
from storage.tables.field import entrants
from storage.tables.people.notify import Topic
from storage.tables.ties import TieReportId


@dataclass(frozen=True, slots=True, kw_only=True)
class TieFacts(Facts):
    """Which tie a post is about."""

    tie_id: TieId


@dataclass(frozen=True, slots=True, kw_only=True)
class TiePost(SeasonPost):
    """Equals the organiser is asked about; `text` says who and for what, `silent_at` when the draw stands."""

    tie: TieRow
    text: str
    silent_at: datetime | None


def _load_tie(conn: Connection, post: PostRow, now: datetime) -> TiePost:
    row, (league, season) = _tie(conn, post), about_season(conn, post)
    until = None if row.match_at is not None else pending_questions.ends(conn, TIE, row.id, now)
    return TiePost(league=league, season=season, tie=row, text=tie_words(row), silent_at=until)


TIE = PostKind("tie", TieFacts, to=Readers.ORGANISERS, load=_load_tie)


@dataclass(frozen=True, slots=True, kw_only=True)
class TieMatchPost(SeasonPost):
    """A tie-break match, for its players: their seats, each with the text of its draw."""

    tie: TieRow
    seats: tuple[tuple[str, str], ...]


def _load_match(conn: Connection, post: PostRow, _: datetime) -> TieMatchPost:
    row, (league, season) = _tie(conn, post), about_season(conn, post)
    people = {entrant.name: entrant.discord_id for entrant in entrants.of_season(conn, season.id)}
    names = tuple(Name(name) for name in row.names)
    return TieMatchPost(
        league=league,
        season=season,
        tie=row,
        seats=seats(rules_season.load(conn, season.id), row.after_round, names),
        ping_ids=known(people.get(name) for name in names),
    )


TIE_MATCH = PostKind("tie-match", TieFacts, topic=Topic.ROUND, until=Until.SEASON_ENDS, stands=True, load=_load_match)


@dataclass(frozen=True, slots=True, kw_only=True)
class TieReportFacts(Facts):
    """Which report of a tie-break match a question is about."""

    report_id: TieReportId


@dataclass(frozen=True, slots=True, kw_only=True)
class TieQuestionPost(SeasonPost):
    """A report of a tie-break match, for the opponent: is that right? Without an answer it counts at `counts_at`."""

    tie: TieRow
    reporter: EntrantRow
    opponent: EntrantRow
    counts_at: datetime


def _load_question(conn: Connection, post: PostRow, _: datetime) -> TieQuestionPost:
    """Load the question to the opponent; raises Gone where it's answered."""
    report = there(ties.find_report(conn, TIE_QUESTION.facts(post).report_id))
    row = there(ties.find(conn, report.tie_id))
    if report.disputed_at is not None or row.settled_at is not None:
        raise Gone
    players = players_of(conn, row)
    opponent: EntrantRow = there(next((player for player in players if player.id != report.entrant_id), None))
    league, season = about_season(conn, post)
    return TieQuestionPost(
        league=league,
        season=season,
        tie=row,
        reporter=there(next((player for player in players if player.id == report.entrant_id), None)),
        opponent=opponent,
        counts_at=pending_questions.ends(conn, TIE_QUESTION, report.id, post.created_at),
        ping_ids=known([opponent.discord_id]),
    )


TIE_QUESTION = PostKind(
    "tie-question",
    TieReportFacts,
    topic=Topic.QUESTION,
    personal=True,
    until=Until.SEASON_ENDS,
    load=_load_question,
)


def players_of(conn: Connection, row: TieRow) -> tuple[EntrantRow, ...]:
    """Return the tied players who sit there now."""
    return tuple(entrant for entrant in entrants.of_season(conn, row.season_id) if entrant.name in row.names)


def _tie(conn: Connection, post: PostRow) -> TieRow:
    return there(ties.find(conn, TIE.facts(post).tie_id))
