"""What is counted of a season: the standings as they are now, and the ratings its players brought into it."""

from collections.abc import Mapping
from dataclasses import replace

from bot.league.counting.ratings import carried, new_rating
from bot.league.counting.standings import Standing
from bot.league.formats import by_key
from bot.league.season.model import Name, Rating, Season, Status
from storage import rated_seasons, rules_season
from storage.cache import kept
from storage.database import Connection
from storage.rated_seasons import EVERY_IMPORT
from storage.rows import LeagueId, PlayerId, SeasonRow
from storage.tables import entrants, players, substitutions, ties


def table(conn: Connection, row: SeasonRow) -> Mapping[Name, Standing]:
    """Return each player's line of the standings as they are now, in order."""

    def lines() -> Mapping[Name, Standing]:
        return {line.name: line for line in by_key(row.format).standings(complete(conn, row))}

    return kept(conn, row.id, "table", lines, size=len)


def shown_table(conn: Connection, row: SeasonRow) -> Mapping[Name, Standing]:
    """Return the table as people are shown it: in a tie about who goes on nobody is in the finals, or out."""
    waiting = (tie for tie in ties.waiting(conn, row.id) if tie.about_going_on)
    lines, tied = table(conn, row), {name for tie in waiting for name in tie.names}
    if not tied:
        return lines
    return {name: _undecided(line) if name in tied else line for name, line in lines.items()}


def _undecided(line: Standing) -> Standing:
    decided = line.status in (Status.QUALIFIED, Status.ELIMINATED)
    return replace(line, status=Status.ACTIVE) if decided else line


def ratings_before(
    conn: Connection, league_id: LeagueId, number: int, *, imports: int = EVERY_IMPORT
) -> dict[PlayerId, Rating]:
    """Return everyone's rating after all seasons before a number, imports after the one of an id left out."""
    ratings = carried(rated_seasons.of_league(conn, league_id, before=number, imports=imports))
    known = {row.id: ratings.get(Name(row.name)) for row in players.of_league(conn, league_id)}
    return {player_id: rating for player_id, rating in known.items() if rating is not None}


def rating_now(conn: Connection, season: SeasonRow, player_id: PlayerId) -> Rating:
    """Return the rating a player who enters late starts with, by what was known when the season started."""
    known = ratings_before(conn, season.league_id, season.number or 0, imports=season.newest_import)
    return known.get(player_id) or new_rating(rules_season.settings_of(season).rating)


def people_of(conn: Connection, row: SeasonRow) -> Mapping[Name, PlayerId]:
    """Return which player each name of a season is, those of substitutes too."""
    ids = {Name(taken.name): taken.player_id for taken in substitutions.of_season(conn, row.id)}
    return ids | {Name(who.name): who.player_id for who in entrants.of_season(conn, row.id)}


def complete(conn: Connection, row: SeasonRow) -> Season:
    """Return a season with every rating at its start, those of recorded ones from the history before it."""

    def completed() -> Season:
        season = rules_season.load(conn, row.id)
        if all(one.rating is not None for one in (*season.entrants, *season.substitutes)):
            return season
        known, ids = ratings_before(conn, row.league_id, row.number or 0), people_of(conn, row)
        people = (replace(who, rating=who.rating or known.get(ids[who.name])) for who in season.entrants)
        others = (replace(row, rating=row.rating or known.get(ids[row.player])) for row in season.substitutes)
        return replace(season, entrants=tuple(people), substitutes=tuple(others))

    return kept(conn, row.id, "complete", completed, size=rules_season.size_of)
