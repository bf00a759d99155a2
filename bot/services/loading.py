"""Loading the views of rounds and matches from the database."""

from collections.abc import Mapping, Sequence

from bot.league.formats import by_key
from bot.league.league_file import RECORD
from bot.league.model import Name, Round, Stage
from bot.league.scores import Games, Result
from bot.services.views import ByeView, DisputeView, MatchView, ReportView, RoundView, SideView
from storage import entrants, leagues, reports, rounds, seasons
from storage.database import Connection
from storage.rows import (
    DisputeRow,
    EntrantId,
    EntrantRow,
    MatchId,
    MatchRow,
    ReportRow,
    RoundId,
    RoundRow,
    SeasonRow,
)

People = Mapping[EntrantId, EntrantRow]


async def people_of(conn: Connection, season: SeasonRow) -> dict[EntrantId, EntrantRow]:
    """Return a season's entrants by id."""
    return {entrant.id: entrant for entrant in await entrants.of_season(conn, season.id)}


async def _best_of(conn: Connection, season: SeasonRow, row: RoundRow, people: People) -> dict[MatchId, int]:
    """Return the most games each match of a round can have; before the finals all are alike."""
    matches = await rounds.matches_of(conn, row.id)
    if season.format == RECORD or row.stage is not Stage.FINALS:
        settings = seasons.settings_of(season)
        return dict.fromkeys((match.id for match in matches), settings.best_of)
    names = {entrant_id: Name(entrant.name) for entrant_id, entrant in people.items()}
    pure = {match.id: seasons.pure_match(match, names) for match in matches}
    byes = tuple(names[seat.entrant_id] for seat in await rounds.byes_of(conn, row.id))
    round_ = Round(number=row.number, stage=row.stage, byes=byes, matches=tuple(pure.values()))
    record = await seasons.load_season(conn, season.id)
    format_ = by_key(season.format)
    return {match_id: format_.best_of(record, round_, match) for match_id, match in pure.items()}


async def round_view(conn: Connection, row: RoundRow) -> RoundView:
    """Return a round with all its matches and byes."""
    season = await seasons.get(conn, row.season_id)
    league = await leagues.get(conn, season.league_id)
    people = await people_of(conn, season)
    settings = seasons.settings_of(season)
    matches = await rounds.matches_of(conn, row.id)
    most = await _best_of(conn, season, row, people)
    said = _by_match(await reports.standing_in_round(conn, row.id))
    disputes = {dispute.match_id: dispute for dispute in await reports.open_disputes_in_round(conn, row.id)}
    views = [
        MatchView(
            match=match,
            league=league,
            season_id=season.id,
            season_number=season.number or 0,
            upper=side(people[match.upper_id]),
            lower=side(people[match.lower_id]),
            round_number=row.number,
            round_phase=row.phase,
            stage=row.stage,
            best_of=most[match.id],
            draws=settings.draws and row.stage is Stage.REGULAR,
            deadline=match.deadline or row.deadline,
            reports=_reports(said.get(match.id, ()), people),
            dispute=_dispute(disputes.get(match.id), people),
        )
        for match in matches
    ]
    byes = [_bye(people[seat.entrant_id], seat.why) for seat in await rounds.byes_of(conn, row.id)]
    return RoundView(
        round=row,
        season=season,
        league=league,
        best_of=max(most.values(), default=settings.best_of),
        matches=tuple(views),
        byes=tuple(byes),
    )


async def match_view(conn: Connection, match_id: MatchId) -> MatchView:
    """Return a match with its players and what was said of it; raises LookupError."""
    match = await rounds.get_match(conn, match_id)
    view = await round_view(conn, await rounds.get(conn, match.round_id))
    return next(found for found in view.matches if found.match.id == match_id)


async def match_views(conn: Connection, matches: Sequence[MatchRow]) -> tuple[MatchView, ...]:
    """Return the views of some matches, loading each of their rounds once."""
    views: dict[RoundId, RoundView] = {}
    found: list[MatchView] = []
    for match in matches:
        if match.round_id not in views:
            views[match.round_id] = await round_view(conn, await rounds.get(conn, match.round_id))
        found.extend(view for view in views[match.round_id].matches if view.match.id == match.id)
    return tuple(found)


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
