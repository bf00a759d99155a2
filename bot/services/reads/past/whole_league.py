"""All that the pages of a league say: its seasons, its players, and a season's files, without anyone's secrets."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeVar

from bot.league.checking.by_hand import is_by_organiser
from bot.league.season.model import Name, Rating, Round, Season
from bot.league.season.phases import MatchState
from bot.league.season.settings import NOT_IN_FILES, SETTINGS
from bot.league.summaries.season_table import SeasonTable
from bot.services.base import cached
from bot.services.base.hooks import with_all_parts
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, ReadTransaction, read_transaction
from bot.services.leagues import exporting
from bot.services.matches.views import RoundView
from bot.services.reads import season_sheets
from bot.services.reads.season_sheets import Taken
from bot.services.reads.tables import StandingsView
from bot.services.seasons.plans import salt_to_come
from bot.site.facts import Files, LeagueFacts, PlayerFacts, RoundFacts, SeasonFacts
from storage import rated_seasons, rules_season
from storage.database import Connection
from storage.rows import PlayerId, RoundRow, SeasonRow
from storage.tables import audit, imports, rounds, seasons
from storage.tables.field import entrants
from storage.tables.people import players

AnyRound = TypeVar("AnyRound", Round, RoundRow)
CHANGED = "changed by an organiser"
"""Stands for each reason: pages say that a round was changed, not why."""


def whole(conn: Connection, order: Order) -> LeagueFacts:
    """Return all that a league's pages say, for an organiser; raises NotAllowed."""
    tx = read_transaction(conn, order, by=ORGANISER)
    league = tx.league
    forgotten, former = {*audit.forgotten(conn, league.id)}, players.all_former_names(conn, league.id)
    people = tuple(
        PlayerFacts(
            id=row.id,
            name=Name(row.name),
            former_names=() if row.name in forgotten else former.get(row.id, ()),
            forgotten=row.name in forgotten,
        )
        for row in players.of_league(conn, league.id)
    )
    starts = rated_seasons.starts_of(conn, league.id)
    return LeagueFacts(
        id=league.id,
        name=league.name,
        time_zone=league.time_zone,
        rules_text=league.rules_text,
        now=order.now,
        players=people,
        seasons=tuple(_season(tx, row, order, starts.get(row.id, {})) for row in seasons.of_league(conn, league.id)),
        someone_forgotten=any(person.forgotten for person in people),
        changed=audit.newest(conn, league.id),
    )


def _season(tx: ReadTransaction, row: SeasonRow, order: Order, start: Mapping[PlayerId, Rating | None]) -> SeasonFacts:
    conn = tx.conn
    taken = season_sheets.taken(conn, order, season_number=row.number)
    champion = None if row.champion_id is None else entrants.get(conn, row.champion_id)
    began, ended = _course(tx, row)
    return SeasonFacts(
        record=_record(conn, row),
        phase=row.phase,
        people=cached.people_of(conn, row),
        start=start,
        called={Name(person.name): person.called for person in taken.people},
        champion=None if champion is None else Name(champion.name),
        champion_id=None if champion is None else champion.person_id,
        rounds=tuple(_round(view) for view in taken.rounds),
        field=None if row.started_at is None else len(rules_season.starters(conn, row.id)),
        maps=tuple((map_row.place, map_row.name) for map_row in rounds.maps_of(conn, row.id)),
        signups_close=row.signups_close,
        paused_until=row.paused_until,
        began=began,
        ended=ended,
        table=_table(taken.standings),
        files=Files(
            name=taken.name,
            league_file=exporting.file_of(conn, row).text.encode(),
            sheets=season_sheets.sheets(_without_reasons(taken)),
        ),
    )


def _course(tx: ReadTransaction, row: SeasonRow) -> tuple[date | None, date | None]:
    """Return when a season began and ended: of what was played elsewhere, what its file says."""
    brought = imports.of_season(tx.conn, row.id)
    if brought is None:
        return row.started_at, row.ended_at
    ended_here = row.ended_at is not None and row.ended_at > brought.at
    first, last = brought.days or (None, None)
    return first, row.ended_at if ended_here else last


def _record(conn: Connection, row: SeasonRow) -> Season:
    """Return a season as the rules see it, with its revealed lists, and without anything that was said in private."""
    record = with_all_parts(conn, row, cached.complete(conn, row))
    private: dict[str, Any] = {key: SETTINGS[key].default for key in NOT_IN_FILES}
    settings = replace(salt_to_come(record.settings, row), explicit={}, **private)
    return replace(record, settings=settings, past=(), rounds=tuple(_without_reason(round) for round in record.rounds))


def _without_reasons(taken: Taken) -> Taken:
    """Return a season without the reasons of its organisers, which stand in the tables they take along themselves."""
    return replace(taken, rounds=tuple(replace(view, round=_without_reason(view.round)) for view in taken.rounds))


def _without_reason(round_: AnyRound) -> AnyRound:
    return replace(round_, by_hand=CHANGED) if is_by_organiser(round_.by_hand) else round_


def _round(view: RoundView) -> RoundFacts:
    row = view.round
    agreed: Mapping[tuple[Name, Name], datetime] = {
        (Name(match.upper.name), Name(match.lower.name)): match.match.agreed_at
        for match in view.matches
        if match.match.agreed_at is not None and match.match.state is not MatchState.CONFIRMED
    }
    return RoundFacts(
        number=row.number,
        words=row.words,
        phase=row.phase,
        posted_at=row.posted_at,
        deadline=row.deadline,
        agreed=agreed,
    )


def _table(view: StandingsView) -> SeasonTable:
    return SeasonTable(
        rows=view.rows,
        begun=view.begun,
        all_in=view.all_in,
        cut_after=view.cut_after,
        going_on=view.going_on,
    )
