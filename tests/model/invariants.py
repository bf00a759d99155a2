"""What holds of a league's database whatever happened: nothing waits for what is over, and each end is explained."""

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.model.facts import Facts, File

_MATCH = "JOIN matches m ON m.id = {}.match_id JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
_PLAYED = "s.phase IN ('running', 'finals')"
_INSIDE = (
    "(SELECT count(*) FROM entrants e WHERE e.season_id = s.id"
    " AND NOT EXISTS (SELECT 1 FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL))"
)
_PLAYED_OUT = (
    f"r.phase = 'open' AND {_PLAYED} AND s.paused_until IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM rounds o JOIN matches m ON m.round_id = o.id"
    " WHERE o.season_id = s.id AND o.phase = 'open' AND m.state <> 'confirmed')"
    " AND NOT EXISTS (SELECT 1 FROM ties t WHERE t.season_id = s.id AND t.settled_at IS NULL)"
)
"""A round with all results, also of those open at once, that nothing holds: no pause, and no tie to be decided."""
_ALL_IN = "coalesce(s.settings ->> 'advance', 'all-in') = 'all-in'"
NEVER = {
    "a dispute that is open though its match isn't disputed": (
        "SELECT d.match_id FROM disputes d JOIN matches m ON m.id = d.match_id"
        " WHERE d.settled_at IS NULL AND m.state <> 'disputed'"
    ),
    "a disputed match without an open dispute": (
        "SELECT id FROM matches m WHERE state = 'disputed'"
        " AND NOT EXISTS (SELECT 1 FROM disputes d WHERE d.match_id = m.id AND d.settled_at IS NULL)"
    ),
    "a report that stands though its match is open": (
        "SELECT m.id FROM matches m JOIN reports x ON x.match_id = m.id AND x.replaced_at IS NULL"
        " WHERE m.state = 'open'"
    ),
    "a reported match that isn't reported by exactly one": (
        "SELECT m.id FROM matches m WHERE m.state = 'reported'"
        " AND 1 <> (SELECT count(*) FROM reports x WHERE x.match_id = m.id AND x.replaced_at IS NULL)"
    ),
    "a result that players reported without the score their season has": (
        "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
        " WHERE s.settings ->> 'scores' AND m.upper_score IS NULL"
        " AND m.confirmed_by IN ('loss', 'agreement', 'opponent') AND m.kind = 'played'"
    ),
    "a score in a season without scores": (
        "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
        " WHERE m.upper_score IS NOT NULL AND NOT coalesce(s.settings ->> 'scores', 0)"
    ),
    "a score that isn't the one that was reported and agreed to": (
        "SELECT m.id FROM matches m JOIN reports x ON x.match_id = m.id AND x.replaced_at IS NULL"
        " WHERE m.confirmed_by IN ('loss', 'agreement', 'opponent', 'silence') AND m.upper_score IS NOT"
        " iif(x.entrant_id = m.upper_id, x.own_score, x.their_score)"
    ),
    "a problem that keeps a match with a result from being played": (
        "SELECT p.match_id FROM problems p JOIN matches m ON m.id = p.match_id"
        " WHERE p.ended_at IS NULL AND m.state = 'confirmed'"
    ),
    "times proposed for a match with a result": (
        "SELECT t.match_id FROM time_proposals t JOIN matches m ON m.id = t.match_id"
        " WHERE t.answered_at IS NULL AND m.state = 'confirmed'"
    ),
    "an open round or a preview in a season that isn't played": (
        f"SELECT r.id FROM rounds r JOIN seasons s ON s.id = r.season_id WHERE r.phase <> 'closed' AND NOT {_PLAYED}"
    ),
    "a tie someone has to decide in a season that isn't played": (
        f"SELECT t.id FROM ties t JOIN seasons s ON s.id = t.season_id WHERE t.settled_at IS NULL AND NOT {_PLAYED}"
    ),
    "a tie someone has to decide while results are missing": (
        "SELECT t.id FROM ties t JOIN rounds r ON r.season_id = t.season_id AND r.phase = 'open'"
        " JOIN matches m ON m.round_id = r.id AND m.state <> 'confirmed' WHERE t.settled_at IS NULL"
    ),
    "someone who waits for a place in a season that is over": (
        "SELECT w.id FROM waitlist w JOIN seasons s ON s.id = w.season_id WHERE s.phase IN ('finished', 'cancelled')"
    ),
    "someone without an account who waits for a place or asks to join": (
        "SELECT w.id FROM waitlist w JOIN players p ON p.id = w.player_id WHERE p.discord_id IS NULL"
        " UNION ALL SELECT q.id FROM join_requests q JOIN players p ON p.id = q.player_id"
        " WHERE q.answered_at IS NULL AND p.discord_id IS NULL"
    ),
    "a claim that waits in a season that is over, or says someone is a player who has an account": (
        "SELECT q.id FROM claims q JOIN seasons s ON s.id = q.season_id JOIN players p ON p.id = q.player_id"
        " WHERE q.answered_at IS NULL AND (s.phase IN ('finished', 'cancelled') OR p.discord_id IS NOT NULL)"
    ),
    "someone who asks to join a season that is over": (
        "SELECT q.id FROM join_requests q JOIN seasons s ON s.id = q.season_id"
        " WHERE q.answered_at IS NULL AND s.phase IN ('finished', 'cancelled')"
    ),
    "a name that waits for the end of a season, and none is played": (
        "SELECT p.id FROM players p WHERE p.next_name IS NOT NULL AND NOT EXISTS (SELECT 1 FROM seasons s"
        " WHERE s.league_id = p.league_id AND s.phase IN ('running', 'finals'))"
    ),
    "a link that waits for an account the player has": (
        "SELECT l.id FROM links l JOIN players p ON p.id = l.player_id"
        " WHERE l.ended_at IS NULL AND p.discord_id = l.discord_id"
    ),
    "a question that was sent, and the time to answer it hasn't begun": (
        "SELECT m.id FROM matches m JOIN outbox o ON o.match_id = m.id AND o.kind = 'question' AND o.removed = 0"
        " WHERE o.sent_at IS NOT NULL AND o.state <> 'withdrawn' AND o.facts ->> 'version' = m.version"
        " AND m.state = 'reported' AND m.confirm_at IS NULL"
    ),
    "a reason that is too long, or on several lines": (
        "SELECT id FROM audit WHERE length(reason) > 500 OR instr(reason, char(10))"
    ),
    "a free place nobody is asked about though someone waits, or one offered that isn't free": (
        "SELECT s.id FROM seasons s WHERE s.phase IN ('signup', 'running', 'finals') AND"
        " (SELECT count(*) FROM waitlist w WHERE w.season_id = s.id AND w.asked_at IS NOT NULL)"
        " <> min((SELECT count(*) FROM waitlist w WHERE w.season_id = s.id),"
        f" max(0, coalesce(s.settings ->> 'max_players', 1000000) - {_INSIDE}))"
    ),
    "a round that is over in a season that goes on, of which nobody is told": (
        f"SELECT r.id FROM rounds r JOIN seasons s ON s.id = r.season_id AND {_PLAYED} WHERE r.phase = 'closed'"
        " AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.round_id = r.id AND o.kind = 'news' AND o.removed = 0)"
        # News goes where it says no more than the cards of the round after it, also if that one is undone.
        " AND NOT EXISTS (SELECT 1 FROM rounds n WHERE n.season_id = s.id AND n.number > r.number"
        " AND n.phase <> 'draft')"
        " AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.season_id = s.id AND a.action = 'round.undo')"
        " AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.season_id = s.id AND a.action = 'league.import')"
    ),
    "a message that shows something older, and nothing more is to come": (
        "SELECT key FROM outbox WHERE state = 'done' AND shown <> wanted"
    ),
    "someone on the list of those who haven't begun before the time of a question that was sent was over": (
        "SELECT id FROM first_matches WHERE silent_at IS NOT NULL AND (until IS NULL OR silent_at < until)"
    ),
    "someone asked when they begin where rounds are played one after the other": (
        "SELECT t.id FROM first_matches t JOIN entrants e ON e.id = t.entrant_id JOIN seasons s ON s.id = e.season_id"
        " WHERE coalesce(s.settings ->> 'schedule', 'rounds') <> 'open'"
    ),
    "someone who is to take over a place that has left, or has no account any more": (
        f"SELECT x.id FROM substitutes x JOIN entrants e ON e.id = x.entrant_id JOIN seasons s ON s.id = e.season_id"
        f" AND {_PLAYED} JOIN players p ON p.id = x.player_id WHERE x.round > coalesce((SELECT r.number +"
        " (r.phase = 'closed') FROM rounds r WHERE r.season_id = s.id ORDER BY r.number DESC LIMIT 1), 1)"
        # A season that came in has its people without accounts.
        " AND (p.discord_id IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM audit a WHERE a.season_id = s.id AND a.action = 'league.import')"
        # Who sat there already as the place left is to take it over again once the round before is open again.
        " OR EXISTS (SELECT 1 FROM departures d"
        " WHERE d.entrant_id = e.id AND d.rejoined IS NULL AND d.round < x.round))"
    ),
    "someone in two seats of a round": (
        "SELECT x.round_id FROM seats x GROUP BY x.round_id, x.entrant_id HAVING count(*) > 1"
    ),
}


def require(file: "File") -> None:
    """Fail where the database says two things that can't both be."""
    for what, sql in NEVER.items():
        found = file.column(sql)
        assert not found, f"{what}: {found}"


DUE = {
    "a report that silence confirms": (
        "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
        f" WHERE m.state = 'reported' AND m.confirm_at <= ? AND {_PLAYED}"
    ),
    "a place that was offered": (
        "SELECT w.id FROM waitlist w JOIN seasons s ON s.id = w.season_id"
        " WHERE w.until <= ? AND s.phase IN ('signup', 'running', 'finals') AND s.paused_until IS NULL"
    ),
    "a pause": f"SELECT id FROM seasons s WHERE paused_until <= ? AND {_PLAYED}",
    "sign-ups": "SELECT id FROM seasons s WHERE s.phase = 'signup' AND signups_close <= ?",
    "a question to someone who hasn't begun": (
        "SELECT t.id FROM first_matches t JOIN entrants e ON e.id = t.entrant_id JOIN seasons s ON s.id = e.season_id"
        f" WHERE t.silent_at IS NULL AND t.settled_at IS NULL AND t.until <= ? AND {_PLAYED} AND s.paused_until IS NULL"
    ),
    "a ban": "SELECT id FROM bans WHERE until <= ?",
    "a round with all its results": (
        f"SELECT r.id FROM rounds r JOIN seasons s ON s.id = r.season_id WHERE r.posted_at <= ?1 AND {_PLAYED_OUT}"
        f" AND ({_ALL_IN} OR s.settings ->> 'advance' = 'deadline' AND r.deadline <= ?1)"
    ),
    "the time to play a match": (
        "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
        f" WHERE m.state = 'open' AND m.overdue_at IS NULL AND r.phase = 'open' AND {_PLAYED}"
        " AND s.paused_until IS NULL AND coalesce(m.deadline, r.deadline) <= ? - 900"  # in a live round
        " AND NOT EXISTS (SELECT 1 FROM problems p WHERE p.match_id = m.id AND p.ended_at IS NULL)"
    ),
}
"""What is over by a moment, so that the clock has ended it."""
ENDS = {"round.close", "season.cancel", "season.finish", "round.undo"}
"""What the audit log says where a round is over."""


def require_ended(file: "File", now: datetime) -> None:
    """Fail where the clock was asked and something that is over goes on."""
    for what, sql in DUE.items():
        found = file.column(sql, int(now.timestamp()))
        assert not found, f"{what} is over and goes on: {found}"


def require_gone_on(file: "File", before: "Facts") -> None:
    """Fail where the last result of a round came in, and the round isn't over although it ends by that."""
    sql = f"SELECT r.id FROM rounds r JOIN seasons s ON s.id = r.season_id WHERE {_PLAYED_OUT} AND {_ALL_IN}"
    missing = {row["round_id"] for row in before.matches.values() if row["state"] != "confirmed"}
    over = missing & {*file.column(sql)}
    assert not over, f"all results of rounds {over} are in, and they go on"


def require_linked(before: "Facts", after: "Facts") -> None:
    """Fail where a player was given an account, and another is still asked to become theirs."""
    old, now = before.tables["players"], after.tables["players"]
    given = {key for key, row in now.items() if key in old and row["discord_id"] not in (None, old[key]["discord_id"])}
    asked = [
        row for key, row in after.tables["links"].items() if row["ended_at"] is None and key in before.tables["links"]
    ]
    late = [row["id"] for row in asked if row["player_id"] in given]
    assert not late, f"links {late} wait for players who have another account now"


def require_explained(before: "Facts", after: "Facts") -> None:
    """Fail where a round is over and the audit log has no line that says so."""
    over = [
        key
        for key, row in after.tables["rounds"].items()
        if row["phase"] == "closed" and (old := before.tables["rounds"].get(key)) and old["phase"] == "open"
    ]
    new = [row["action"] for key, row in after.tables["audit"].items() if key not in before.tables["audit"]]
    assert not over or ENDS & {*new}, f"rounds {over} are over, and the audit log says only {new}"
