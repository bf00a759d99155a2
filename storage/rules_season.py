"""The whole of a season as the rules see it."""

import json
from collections.abc import Mapping

from bot.league.formats import by_key
from bot.league.meetings import PAST_SEASONS
from bot.league.model import (
    Decision,
    Departure,
    Entrant,
    Match,
    Name,
    PastMatch,
    PastSeason,
    Rating,
    Round,
    Season,
    SitOut,
    Substitution,
)
from bot.league.settings import SeasonSettings, with_salt
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow, MatchRow, PlayerId, RoundRow, SeasonId, SeasonRow
from storage.tables import entrants, leagues, matches, rounds, sat_out, seasons, substitutions
from storage.tables.substitutions import SubstitutionRow, sitting


def settings_of(row: SeasonRow) -> SeasonSettings:
    """Return a season's settings with its format's defaults and its salt."""
    settings = by_key(row.format).read_settings(row.settings)
    return settings if row.salt is None else with_salt(settings, row.salt)


async def load(conn: Connection, season_id: SeasonId) -> Season:
    """Return a season as the rules see it: published rounds only, past meetings under this season's names."""
    row = await seasons.get(conn, season_id)
    people = await entrants.of_season(conn, season_id)
    names = {person.id: Name(person.name) for person in people}
    substitutes = await substitutions.of_season(conn, season_id)
    known = {row.player_id: Name(row.name) for row in substitutes} | {who.player_id: names[who.id] for who in people}
    return Season(
        league=(await leagues.get(conn, row.league_id)).name,
        number=row.number or 0,
        format=row.format,
        settings=settings_of(row),
        entrants=tuple(_entrant(person) for person in people),
        past=await _past(conn, row, known),
        rounds=await _rounds(conn, season_id, names),
        departures=tuple(
            Departure(
                name=names[gone.entrant_id],
                kind=gone.kind,
                round=gone.round,
                after_pairing=gone.after_pairing,
                rejoined=gone.rejoined,
            )
            for gone in await entrants.departures_of(conn, season_id)
        ),
        decisions=await _decisions(conn, season_id),
        sat_out=tuple(
            SitOut(name=names[missed.entrant_id], round=missed.round)
            for missed in await sat_out.of_season(conn, season_id)
        ),
        substitutes=tuple(_substitution(taken, names[taken.entrant_id]) for taken in substitutes),
    )


async def starters(conn: Connection, season_id: SeasonId) -> tuple[EntrantRow, ...]:
    """Return the players a season started with; those who left before round 1 was paired aren't among them."""
    left = await entrants.departures_of(conn, season_id)
    gone = {departure.entrant_id for departure in left if departure.round == 1 and not departure.after_pairing}
    people = await entrants.of_season(conn, season_id)
    return tuple(person for person in people if person.entered == 1 and person.id not in gone)


def _entrant(row: EntrantRow) -> Entrant:
    return Entrant(
        name=Name(row.name),
        rating=_rating(row),
        entered=row.entered,
        seed=row.seed,
        former_names=tuple(Name(name) for name in row.former_names),
    )


def _substitution(row: SubstitutionRow, seat: Name) -> Substitution:
    return Substitution(
        seat=seat,
        player=Name(row.name),
        round=row.round,
        rating=_rating(row),
        former_names=tuple(Name(name) for name in row.former_names),
    )


def _rating(row: EntrantRow | SubstitutionRow) -> Rating | None:
    return None if row.mu is None or row.sigma is None else Rating(mu=row.mu, sigma=row.sigma)


async def _rounds(conn: Connection, season_id: SeasonId, names: Mapping[EntrantId, Name]) -> tuple[Round, ...]:
    played: dict[int, list[Match]] = {}
    for match in await matches.of_season(conn, season_id):
        played.setdefault(match.round_id, []).append(pure_match(match, names))
    byes: dict[int, list[Name]] = {}
    for seat in await matches.byes_of_season(conn, season_id):
        byes.setdefault(seat.round_id, []).append(names[seat.entrant_id])
    return tuple(
        Round(
            number=row.number,
            stage=row.stage,
            byes=tuple(byes.get(row.id, ())),
            matches=tuple(played.get(row.id, ())),
            by_hand=row.by_hand,
        )
        for row in await rounds.published(conn, season_id)
    )


async def one_round(conn: Connection, row: RoundRow, names: Mapping[EntrantId, Name]) -> Round:
    """Return a round as the rules see it, also one that isn't published."""
    return Round(
        number=row.number,
        stage=row.stage,
        byes=tuple([names[seat.entrant_id] for seat in await matches.byes(conn, row.id)]),
        matches=tuple([pure_match(match, names) for match in await matches.of_round(conn, row.id)]),
        by_hand=row.by_hand,
    )


def pure_match(row: MatchRow, names: Mapping[EntrantId, Name]) -> Match:
    """Return a match as the rules see it."""
    games = None if row.upper_games is None or row.lower_games is None else (row.upper_games, row.lower_games)
    points = None if row.upper_points is None or row.lower_points is None else (row.upper_points, row.lower_points)
    return Match(
        upper=names[row.upper_id],
        lower=names[row.lower_id],
        kind=row.kind,
        winner=None if row.winner_id is None else names[row.winner_id],
        games=games,
        points=points,
        dice_off=None if row.dice_off_id is None else names[row.dice_off_id],
    )


async def _decisions(conn: Connection, season_id: SeasonId) -> tuple[Decision, ...]:
    sql = "SELECT after_round, names FROM decisions WHERE season_id = ? ORDER BY id"
    records = await conn.execute_fetchall(sql, (season_id,))
    return tuple(Decision(after_round=after, order=tuple(json.loads(names))) for after, names in records)


async def _past(conn: Connection, row: SeasonRow, names: Mapping[PlayerId, Name]) -> tuple[PastSeason, ...]:
    """Return the earlier meetings of this season's players, the newest season first."""
    if row.number is None:
        return ()
    sql = (
        f"SELECT s.number, {sitting('u', 'r.number')}, {sitting('l', 'r.number')}, r.number"  # noqa: S608 (our own words)
        " FROM seasons s JOIN rounds r ON r.season_id = s.id"
        " JOIN matches m ON m.round_id = r.id JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
        " WHERE s.league_id = ?1 AND s.number BETWEEN ?2 AND ?3 AND r.phase <> 'draft'"
        " UNION ALL SELECT season, first_id, second_id, round FROM past_meetings"
        " WHERE league_id = ?1 AND season BETWEEN ?2 AND ?3 ORDER BY 1 DESC"
    )
    found: dict[int, list[PastMatch]] = {}
    for season, first, second, played in await conn.execute_fetchall(
        sql, (row.league_id, row.number - PAST_SEASONS, row.number - 1)
    ):
        if first in names and second in names:
            match = PastMatch(players=(names[first], names[second]), round=played)
            found.setdefault(season, []).append(match)
    return tuple(
        PastSeason(number=season, matches=tuple(sorted(matches, key=lambda match: (match.round or 0, match.players))))
        for season, matches in found.items()
    )
