"""Deadlines and agreed times as entries of a calendar: a season's for organisers, a player's own for themselves.

What a file says is kept when it's handed out. The next file calls off what is gone, and says everything with a higher
sequence: only then does a calendar that takes it in again end up right. Sequences are seconds, so that no file made
after a backup was restored has lower ones than those handed out before. What has passed stays as it was said.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.exporters.calendar import Entry
from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.season.in_words import capitalised
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, numbered, read_transaction
from bot.services.matches import views
from bot.services.matches.season_calendar import calendar
from bot.services.matches.views import MatchView
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, PlayerId, PlayerRow, RoundRow, SeasonId, SeasonRow
from storage.tables import leagues, matches, rounds, seasons, times
from storage.tables.people import players
from storage.tables.times import CalendarRow

A_MATCH = timedelta(hours=1)
"""How long an agreed match is shown to last: no one says, and an hour is seen in every calendar."""
_FIRST = datetime(2026, 1, 1, tzinfo=UTC)
"""What sequences count from: they fit into 31 bits for 68 years."""
Calendar = tuple[str, tuple[Entry, ...]]
"""A calendar's name and its entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A file as it was handed out last: the organisers' of a season, or what a player's says of one league."""

    league: LeagueRow
    season_id: SeasonId | None
    player_id: PlayerId | None
    rows: Sequence[CalendarRow]


def of_season(conn: Connection, order: Order, *, season_number: int | None = None) -> Calendar:
    """Hand out a season's deadlines and agreed times, for an organiser; raises NotAllowed and NotFound."""
    tx = read_transaction(conn, order, numbered(season_number), by=ORGANISER)
    rows = times.calendar_of_season(conn, tx.season.id)
    file = _File(league=tx.league, season_id=tx.season.id, player_id=None, rows=rows)
    current = [
        *(
            entry
            for row in rounds.published(conn, tx.season.id)
            for entry in _of_round(tx.league, tx.season, row, order.now)
        ),
        *_to_come(conn, tx.league, tx.season),
        *(
            entry
            for view in views.match_views(conn, matches.with_own_times(conn, tx.season.id))
            for entry in _of_match(view, order.now, deadline=view.match.deadline)
        ),
    ]
    entries = _hand_out(conn, file, current, order.now)
    if not entries:
        raise NotFound(f"Season {tx.season.number} of {tx.league.name} has no deadline and no agreed time yet.")
    return f"{tx.league.name}, season {tx.season.number}", tuple(entries)


def own(conn: Connection, order: Order) -> Calendar:
    """Hand out the deadlines and agreed times of who asks, of all leagues of a server; raises NotFound without any."""
    tx = read_transaction(conn, order)
    calendars = [
        (league, _hand_out(conn, file, wanted, order.now))
        for player in players.on_server(conn, tx.league.guild_id, order.actor.user_id or 0)
        for league, file, wanted in [_own(conn, player, order.now)]
    ]
    filled = [(league, entries) for league, entries in calendars if entries]
    if not filled:
        raise NotFound("You have no match with a deadline or an agreed time on this server.")
    name = filled[0][0].name if len(filled) == 1 else f"{filled[0][0].name} and {len(filled) - 1} more"
    return name, tuple(entry for _, entries in filled for entry in entries)


def _own(conn: Connection, player: PlayerRow, now: datetime) -> tuple[LeagueRow, _File, list[Entry]]:
    league, season = leagues.get(conn, player.league_id), seasons.live(conn, player.league_id)
    file = _File(
        league=league,
        season_id=None if season is None else season.id,
        player_id=player.id,
        rows=times.calendar_of_player(conn, player.id),
    )
    pairs = () if season is None else matches.of_player_in(conn, season.id, player.id)
    mine = [views.match_view(conn, match.id) for match in pairs]
    entries = [entry for view in mine for entry in _of_match(view, now, deadline=view.deadline)]
    if season is not None:
        entries += _own_to_come(conn, league, season, player.id)
    return league, file, entries


def _to_come(conn: Connection, league: LeagueRow, season: SeasonRow) -> Iterator[Entry]:
    """Yield when rounds to come end, as foreseen, where their pairings are known from the first day."""
    for planned in calendar(conn, league, season):
        if planned.phase is None and planned.until is not None:
            summary = f"Deadline: {planned.words} ({league.name})"
            uid = _uid(league, "round", f"{season.id}.{planned.number}")
            yield Entry(uid=uid, sequence=0, start=planned.until, summary=summary)


def _own_to_come(conn: Connection, league: LeagueRow, season: SeasonRow, player: PlayerId) -> Iterator[Entry]:
    """Yield when a player's matches of rounds to come end, as foreseen; an opponent who left forfeits theirs."""
    for planned in calendar(conn, league, season):
        for upper, lower in (pair for group in planned.groups for pair in group.pairs):
            mine = player in (upper.person_id, lower.person_id) and upper.active and lower.active
            if mine and planned.phase is None and planned.until is not None:
                summary = f"Deadline: {upper.called} v {lower.called} ({league.name})"
                uid = _uid(league, "deadline", _place(season, planned.number, upper))
                words = f"{planned.words.capitalize()} of season {season.number}"
                yield Entry(uid=uid, sequence=0, start=planned.until, summary=summary, description=words)


def _place(season: SeasonRow, number: int, upper: EntrantRow) -> str:
    """Return what tells a match apart before there is one: its season, its round, its upper player."""
    return f"{season.id}.{number}.{upper.id}"


def _of_round(league: LeagueRow, season: SeasonRow, row: RoundRow, now: datetime) -> Iterator[Entry]:
    """Yield when a round has to be played; one that ended earlier has no deadline ahead."""
    every = row.together and rules_season.settings_of(season).schedule.open_together
    repeated = every and row.number > 1  # all rounds that are played at once have one deadline
    if row.deadline is not None and not repeated and (row.phase is RoundPhase.OPEN or row.deadline <= now):
        summary = f"Deadline: {row.stage_words if every else row.words} ({league.name})"
        number = f"{season.id}.{row.number}" if by_key(season.format).fixed_rounds else row.id
        yield Entry(uid=_uid(league, "round", number), sequence=0, start=row.deadline, summary=summary)


def _of_match(view: MatchView, now: datetime, *, deadline: datetime | None) -> Iterator[Entry]:
    """Yield when a match is played, unless it was played or decided earlier, and until when it has to be."""
    league, match = view.league, view.match
    over = match.state is MatchState.CONFIRMED or view.stopped
    if match.agreed_at is not None and (match.agreed_at <= now or not over):
        yield Entry(
            uid=_uid(league, "match", match.id),
            sequence=0,
            start=match.agreed_at,
            lasts=A_MATCH,
            summary=f"{view.pairing} ({league.name})",
            description=capitalised(view.in_season),
        )
    if deadline is not None and not over:
        summary = f"Deadline: {view.pairing} ({league.name})"
        has_entry = by_key(view.season.format).fixed_rounds  # its entry was there before the match
        number = _place(view.season, view.round.number, view.upper) if has_entry else match.id
        yield Entry(uid=_uid(league, "deadline", number), sequence=0, start=deadline, summary=summary)


def _hand_out(conn: Connection, file: _File, current: Sequence[Entry], now: datetime) -> list[Entry]:
    """Return the entries of a file with their sequences and what is called off in it, and keep what it says."""
    rows = {row.uid: row for row in file.rows}
    gone = {row.uid: row for row in file.rows if now < row.starts_at}
    newest = {row.uid: row for row in times.in_calendars(conn, [*rows, *(entry.uid for entry in current)])}
    entries: list[Entry] = []
    for entry in current:
        gone.pop(entry.uid, None)
        old = rows.get(entry.uid)
        off = old is not None and old.cancelled and old.starts_at == entry.start and entry.start <= now
        entries.append(_numbered(replace(entry, cancelled=off), newest.get(entry.uid), now))
        assert file.season_id is not None
        _keep(conn, file.season_id, file.player_id, entries[-1])
    for row in gone.values():
        summary = f"{'Match' if row.uid.startswith('match') else 'Deadline'} called off ({file.league.name})"
        entry = Entry(uid=row.uid, sequence=0, start=row.starts_at, summary=summary, cancelled=True)
        entries.append(_numbered(entry, newest[row.uid], now))
        _keep(conn, row.season_id, file.player_id, entries[-1])
    return entries


def _numbered(entry: Entry, newest: CalendarRow | None, now: datetime) -> Entry:
    """Return an entry with its sequence: the time, but no lower than any before, and higher where it says another."""
    lowest = int((now - _FIRST).total_seconds())
    if newest is not None:
        other = (newest.starts_at, newest.cancelled) != (entry.start, entry.cancelled)
        lowest = max(lowest, newest.sequence + other)
    return replace(entry, sequence=lowest)


def _keep(conn: Connection, season_id: SeasonId, player_id: PlayerId | None, entry: Entry) -> None:
    given = (entry.uid, entry.sequence, entry.start, entry.cancelled)
    times.say_in_calendar(conn, season_id, player_id, *given)


def _uid(league: LeagueRow, what: str, number: int | str) -> str:
    """Return what tells an entry from all others, of other leagues and servers too, for good; without Discord's ids."""
    place = hashlib.sha256(f"{league.guild_id}/{league.id}".encode()).hexdigest()[:16]
    return f"{what}-{number}.{place}@fairpair"
