"""Loading the views of rounds and matches from the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.league.formats import by_key
from bot.league.match_score import Games, Result
from bot.league.model import Name, Round, Stage
from bot.league.settings import SeasonSettings
from bot.services.matches.views import ByeView, DisputeView, MatchView, ReportView, RoundView, SideView
from storage import entrants, leagues, matches, reports, rounds, rules_season, seasons
from storage.database import Connection
from storage.rows import DisputeRow, EntrantId, EntrantRow, LeagueRow, MatchId, MatchRow, ReportRow, RoundRow, SeasonRow

People = Mapping[EntrantId, EntrantRow]


async def people_of(conn: Connection, season: SeasonRow) -> dict[EntrantId, EntrantRow]:
    """Return a season's entrants by id."""
    return {entrant.id: entrant for entrant in await entrants.of_season(conn, season.id)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """What all matches of a round share."""

    row: RoundRow
    season: SeasonRow
    league: LeagueRow
    settings: SeasonSettings


async def _frame(conn: Connection, row: RoundRow) -> _Frame:
    season = await seasons.get(conn, row.season_id)
    league = await leagues.get(conn, season.league_id)
    return _Frame(row=row, season=season, league=league, settings=rules_season.settings_of(season))


async def round_view(conn: Connection, row: RoundRow) -> RoundView:
    """Return a round with all its matches and byes."""
    frame = await _frame(conn, row)
    people = await people_of(conn, frame.season)
    pairs = await matches.of_round(conn, row.id)
    most = await _best_of(conn, frame, pairs)
    ids = [match.id for match in pairs]
    said = _by_match(await reports.standing(conn, ids))
    disputes = {dispute.match_id: dispute for dispute in await reports.open_disputes(conn, ids)}
    views = [
        _match(frame, match, people, most[match.id], said.get(match.id, ()), disputes.get(match.id)) for match in pairs
    ]
    byes = [_bye(people[seat.entrant_id], seat.why) for seat in await matches.byes(conn, row.id)]
    return RoundView(
        round=row,
        season=frame.season,
        league=frame.league,
        best_of=max(most.values(), default=frame.settings.best_of),
        matches=tuple(views),
        byes=tuple(byes),
    )


async def match_view(conn: Connection, match_id: MatchId) -> MatchView:
    """Return a match with its players and what was said of it; raises LookupError."""
    match = await matches.get(conn, match_id)
    frame = await _frame(conn, await rounds.get(conn, match.round_id))
    people = {player: await entrants.get(conn, player) for player in match.players}
    # Only in the finals, which are small, does it take the whole round to say how many games a match has.
    finals = frame.row.stage is Stage.FINALS
    most = await _best_of(conn, frame, await matches.of_round(conn, match.round_id) if finals else (match,))
    said = await reports.standing(conn, [match_id])
    dispute = next(iter(await reports.open_disputes(conn, [match_id])), None)
    return _match(frame, match, people, most[match.id], said, dispute)


async def match_views(conn: Connection, pairs: Sequence[MatchRow]) -> tuple[MatchView, ...]:
    """Return the views of some matches, loading each of their rounds once."""
    views: dict[MatchId, MatchView] = {}
    for round_id in dict.fromkeys(match.round_id for match in pairs):
        view = await round_view(conn, await rounds.get(conn, round_id))
        views.update({found.match.id: found for found in view.matches})
    return tuple(views[match.id] for match in pairs)


async def _best_of(conn: Connection, frame: _Frame, pairs: Sequence[MatchRow]) -> dict[MatchId, int]:
    """Return the most games each match of a round can have; before the finals all are alike."""
    if frame.row.stage is not Stage.FINALS:
        return dict.fromkeys((match.id for match in pairs), frame.settings.best_of)
    names = {player: Name(entrant.name) for player, entrant in (await people_of(conn, frame.season)).items()}
    pure = {match.id: rules_season.pure_match(match, names) for match in pairs}
    byes = tuple(names[seat.entrant_id] for seat in await matches.byes(conn, frame.row.id))
    round_ = Round(number=frame.row.number, stage=frame.row.stage, byes=byes, matches=tuple(pure.values()))
    record = await rules_season.load(conn, frame.season.id)
    format_ = by_key(frame.season.format)
    return {match_id: format_.best_of(record, round_, match) for match_id, match in pure.items()}


def _match(
    frame: _Frame,
    match: MatchRow,
    people: People,
    best_of: int,
    said: Sequence[ReportRow],
    dispute: DisputeRow | None,
) -> MatchView:
    return MatchView(
        match=match,
        league=frame.league,
        season_id=frame.season.id,
        season_number=frame.season.number or 0,
        upper=side(people[match.upper_id]),
        lower=side(people[match.lower_id]),
        round_number=frame.row.number,
        round_phase=frame.row.phase,
        stage=frame.row.stage,
        best_of=best_of,
        draws=frame.settings.draws and frame.row.stage is Stage.REGULAR,
        deadline=match.deadline or frame.row.deadline,
        reports=_reports(said, people),
        dispute=_dispute(dispute, people),
    )


def side(entrant: EntrantRow) -> SideView:
    """Return an entrant as a side of a match."""
    return SideView(entrant_id=entrant.id, name=entrant.name, discord_id=entrant.discord_id, active=entrant.active)


def _bye(entrant: EntrantRow, why: tuple[str, ...]) -> ByeView:
    return ByeView(entrant_id=entrant.id, name=entrant.name, discord_id=entrant.discord_id, why=why)


def _by_match(rows: Sequence[ReportRow]) -> dict[MatchId, list[ReportRow]]:
    found: dict[MatchId, list[ReportRow]] = {}
    for row in rows:
        found.setdefault(row.match_id, []).append(row)
    return found


def _reports(rows: Sequence[ReportRow], people: People) -> tuple[ReportView, ...]:
    return tuple(
        ReportView(side=side(people[row.entrant_id]), result=Result(row.result), games=games_of(row), at=row.at)
        for row in rows
    )


def games_of(row: ReportRow) -> Games | None:
    """Return a report's games, the reporter's own first."""
    return None if row.own_games is None or row.their_games is None else (row.own_games, row.their_games)


def _dispute(row: DisputeRow | None, people: People) -> DisputeView | None:
    if row is None:
        return None
    by = None if row.entrant_id is None else people[row.entrant_id].name
    return DisputeView(by=by, reason=row.reason, at=row.at)
