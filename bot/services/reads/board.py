"""A league's board: the one message that shows its season, by which players also sign up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.bracket.match_names import FINAL
from bot.league.checking.by_hand import by_hand_words
from bot.league.formats import by_key
from bot.league.season.model import SealedSalt, Season, Stage
from bot.league.season.phases import SeasonPhase
from bot.league.season.settings import SeasonSettings
from bot.services.base import hooks
from bot.services.base.order import by_bot
from bot.services.base.post_kinds import SeasonPost, about_season
from bot.services.base.transaction import read_transaction
from bot.services.matches import views
from bot.services.matches.views import RoundView
from bot.services.reads.waiting import waits_for_organiser
from bot.services.seasons.plans import salt_chosen
from bot.services.seasons.season_dates import season_dates
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, LeagueRow, RoundRow, SeasonRow
from storage.tables import rounds
from storage.tables.field import entrants, sat_out
from storage.tables.signups import claims, waitlist


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPost(SeasonPost):
    """A season as everyone sees it: its players, its newest round, and what follows that round (`then`).

    `full` is whether all places are taken, `waiting` how many wait for one, `sitting_out` how many sit out the next
    round, `decision` what waits for an organiser, `ends` when the season ends at the latest, `finals` whether it has
    finals. `sealed` is what its salt is made of besides names, `by_hand` says which rounds were changed by hand.
    `past` is whether people of earlier seasons have no account yet, `also` what subjects say of it.
    """

    format_title: str
    in_short: tuple[str, ...]
    names: tuple[str, ...]
    full: bool
    waiting: int
    sitting_out: int
    current: RoundView | None
    then: str
    decision: str
    ends: datetime | None
    finals: bool
    champion: str | None
    settings: SeasonSettings
    sealed: SealedSalt | None
    by_hand: str
    past: bool
    also: tuple[str, ...]


def load(conn: Connection, post: PostRow, now: datetime) -> BoardPost:
    """Load what the board or the sign-up post of a season shows now; raises Gone."""
    return of_season(conn, *about_season(conn, post), now)


def of_season(conn: Connection, league: LeagueRow, season: SeasonRow, now: datetime) -> BoardPost:
    """Return what the board of a season shows now."""
    format_ = by_key(season.format)
    people = entrants.of_season(conn, season.id)
    waiting = waitlist.of_season(conn, season.id)
    latest = rounds.latest(conn, season.id)
    record = rules_season.load(conn, season.id)
    settings, names = rules_season.settings_of(season), tuple(person.called for person in people if person.active)
    return BoardPost(
        league=league,
        season=season,
        format_title=format_.title,
        in_short=format_.for_players(salt_chosen(settings, season)),
        names=names,
        full=settings.max_players is not None and len(names) + len(waiting) >= settings.max_players,
        waiting=len(waiting),
        sitting_out=_sitting_out(conn, season, 1 if latest is None else latest.number + 1, people),
        current=None if latest is None else views.stage_view(conn, latest),
        then="" if latest is None else then(record, latest),
        ends=season_dates(read_transaction(conn, by_bot(now), season_id=season.id)).last,
        decision=waits_for_organiser(conn, season.id),
        settings=settings,
        sealed=record.sealed,
        by_hand=by_hand_words(record),
        past=bool(claims.without_account(conn, league.id)),
        also=hooks.shown_with_season(conn, season, latest),
        finals=format_.plays_finals(record),
        champion=next((person.called for person in people if person.id == season.champion_id), None),
    )


def _sitting_out(conn: Connection, season: SeasonRow, number: int, people: Sequence[EntrantRow]) -> int:
    """Return how many sit out a coming round; nobody does in the finals."""
    if season.phase is not SeasonPhase.RUNNING:
        return 0
    away = {row.entrant_id for row in sat_out.of_season(conn, season.id) if row.round == number}
    return sum(person.active for person in people if person.id in away)


def then(record: Season, row: RoundRow) -> str:
    """Return what comes after a round; nothing where the results of the regular stage decide how long it is."""
    format_ = by_key(record.format)
    if row.stage is Stage.FINALS:
        return "then the champion is known" if row.name == FINAL else "then the winners play on"
    if row.stage is Stage.TIEBREAK:
        return "then the finals"
    if (planned := format_.planned_rounds(record)) is None:
        return ""
    if row.number < planned:
        return f"then round {row.number + 1}"
    return "then the finals" if format_.plays_finals(record) else "then the season is over"
