"""A small league to try the storage on."""

from datetime import UTC, datetime
from typing import Any

from bot.league.season.model import Stage
from bot.league.season.phases import RoundPhase, SeasonPhase
from storage import query
from storage.database import Connection
from storage.rows import EntrantId, LeagueId, MatchId, RoundId, SeasonId
from storage.tables import leagues, matches, rounds, seasons
from storage.tables.field import entrants
from storage.tables.people import players

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def a_league(conn: Connection, name: str = "L") -> LeagueId:
    league = leagues.add(
        conn,
        guild_id=1,
        name=name,
        name_key=name.casefold(),
        channel_id=2,
        moderation_channel_id=None,
        moderator_role_id=None,
        organiser_role_id=None,
    )
    return league.id


def a_season(
    conn: Connection, league_id: LeagueId, number: int = 1, phase: SeasonPhase = SeasonPhase.RUNNING
) -> SeasonId:
    season = seasons.add(
        conn,
        league_id=league_id,
        number=number,
        format="ohs",
        settings={},
        phase=phase,
        signups_close=None,
    )
    return season.id


def an_entrant(conn: Connection, league_id: LeagueId, season_id: SeasonId, number: int) -> EntrantId:
    name = f"p{number}"
    player = players.add(conn, league_id=league_id, discord_id=number, name=name, name_key=name)
    entrant = entrants.add(conn, season_id=season_id, player_id=player.id, name=name, former_names=())
    return entrant.id


class Scene:
    """A league with a running season of four and one open round with one match; `conn` is in a transaction."""

    conn: Connection
    league: LeagueId
    season: SeasonId
    people: list[EntrantId]
    round: RoundId
    match: MatchId

    @classmethod
    def build(cls, conn: Connection, name: str = "L") -> "Scene":
        scene = cls()
        scene.conn = conn
        scene.league = a_league(conn, name)
        scene.season = a_season(conn, scene.league)
        scene.people = [an_entrant(conn, scene.league, scene.season, number) for number in range(1, 5)]
        scene.round = (scene.add_round(1, RoundPhase.OPEN)).id
        match = matches.add(conn, round_id=scene.round, position=1, upper_id=scene.people[0], lower_id=scene.people[1])
        scene.match = match.id
        return scene

    def add_round(self, number: int, phase: RoundPhase) -> Any:
        return rounds.add(
            self.conn,
            season_id=self.season,
            number=number,
            stage=Stage.REGULAR,
            phase=phase,
            posted_at=None if phase is RoundPhase.DRAFT else NOW,
        )

    def set_match(self, **columns: Any) -> None:
        query.update(self.conn, "matches", self.match, **columns)
