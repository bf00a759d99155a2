"""How players of a league want to be told: for each topic a mention, a direct message, or nothing."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from storage.database import Connection
from storage.query import Change, Exists, column, records, run
from storage.rows import LeagueId, PlayerId


class Topic(StrEnum):
    """What people are told about; a question can cost a result if it isn't answered."""

    QUESTION = "question"
    ROUND = "round"
    TIME = "time"
    DEADLINE = "deadline"
    NEWS = "news"


class How(StrEnum):
    """How someone is told."""

    MENTION = "mention"
    DIRECT = "direct"
    OFF = "off"


_WANT = (
    "SELECT p.discord_id FROM players p JOIN notify n ON n.player_id = p.id AND n.topic = ?3 AND n.how = ?4"
    " WHERE p.league_id = ?1 AND p.discord_id IN (SELECT value FROM json_each(?2))"
)


def wanting(conn: Connection, league_id: LeagueId, people: Sequence[int], topic: Topic, how: How) -> frozenset[int]:
    """Return those of these Discord ids that chose this for a topic; without a choice it's a mention."""
    return frozenset(column(conn, _WANT, league_id, people, topic, how))


def chosen(conn: Connection, player_id: PlayerId) -> Mapping[Topic, How]:
    """Return what a player chose, for every topic."""
    rows = records(conn, "SELECT topic, how FROM notify WHERE player_id = ?", player_id)
    own = {Topic(topic): How(how) for topic, how in rows}
    return {topic: own.get(topic, How.MENTION) for topic in Topic}


choose = Change[PlayerId, Topic, How](
    "INSERT INTO notify (player_id, topic, how) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET how = excluded.how"
)
"""Keep what a player chose for a topic."""


def explain_refusal(conn: Connection, league_id: LeagueId, discord_id: int, now: datetime) -> bool:
    """Return whether a person whose direct messages are closed has yet to be told so, and note that they are."""
    sql = "UPDATE players SET refused_at = ?3 WHERE league_id = ?1 AND discord_id = ?2 AND refused_at IS NULL"
    return run(conn, sql, league_id, discord_id, now) > 0


refused = Exists[PlayerId]("SELECT 1 FROM players WHERE id = ? AND refused_at IS NOT NULL")
"""Whether the last direct message to a player was refused."""

got_through = Change[LeagueId, int](
    "UPDATE players SET refused_at = NULL WHERE league_id = ? AND discord_id = ? AND refused_at IS NOT NULL"
)
"""Note that a direct message reached a person: should they close them again, they're told so again."""
