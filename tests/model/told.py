"""Who has to be told of what: each question that waits has one message, to the one person it waits for."""

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from bot.services.delivery.delivery import Delivery
from storage.posts import Target

if TYPE_CHECKING:
    from tests.model.walk import Walk

_LIVE_POSTS = "SELECT * FROM outbox WHERE removed = 0 AND message_id IS NOT NULL AND kind = ?"
_REPORTED = """
    SELECT m.id, r.number, CASE m.upper_id WHEN x.entrant_id THEN m.lower_id ELSE m.upper_id END AS asked
    FROM reports x JOIN matches m ON m.id = x.match_id JOIN rounds r ON r.id = m.round_id
    JOIN seasons s ON s.id = r.season_id AND s.phase IN ('running', 'finals')
    WHERE x.replaced_at IS NULL AND m.state = 'reported'
"""
_ASKED = """
    SELECT m.id, r.number, CASE m.upper_id WHEN p.entrant_id THEN m.lower_id ELSE m.upper_id END AS asked
    FROM problems p JOIN matches m ON m.id = p.match_id JOIN rounds r ON r.id = m.round_id
    JOIN seasons s ON s.id = r.season_id AND s.phase IN ('running', 'finals')
    WHERE p.ended_at IS NULL AND p.answer IS NULL
"""
_OFFERED = """
    SELECT w.id, p.discord_id FROM waitlist w JOIN players p ON p.id = w.player_id
    WHERE w.asked_at IS NOT NULL AND p.discord_id IS NOT NULL
"""
_DISPUTED = """
    SELECT d.match_id FROM disputes d JOIN matches m ON m.id = d.match_id JOIN rounds r ON r.id = m.round_id
    JOIN seasons s ON s.id = r.season_id AND s.phase IN ('running', 'finals') WHERE d.settled_at IS NULL
"""
_HANDED_OVER = """
    SELECT p.id FROM problems p JOIN matches m ON m.id = p.match_id JOIN rounds r ON r.id = m.round_id
    JOIN seasons s ON s.id = r.season_id AND s.phase IN ('running', 'finals')
    WHERE p.handed_at IS NOT NULL AND p.ended_at IS NULL
"""
_TIED = """
    SELECT t.id FROM ties t JOIN seasons s ON s.id = t.season_id AND s.phase IN ('running', 'finals')
    WHERE t.settled_at IS NULL
"""
_COMING_BACK = """
    SELECT q.id FROM rejoin_requests q JOIN entrants e ON e.id = q.entrant_id
    JOIN seasons s ON s.id = e.season_id AND s.phase IN ('running', 'finals') WHERE q.answered_at IS NULL
"""
_CLAIMED = """
    SELECT q.page FROM claims q JOIN seasons s ON s.id = q.season_id AND s.phase IN ('signup', 'running', 'finals')
    WHERE q.answered_at IS NULL
"""
_CORRECTIONS = "SELECT match_id FROM outbox WHERE kind = 'correction' AND removed = 0 AND state <> 'withdrawn'"
_FIRST_MATCHES = """
    SELECT t.id, p.discord_id, iif(d.id IS NULL, t.until, NULL) AS until
    FROM first_matches t JOIN entrants e ON e.id = t.entrant_id JOIN players p ON p.id = e.player_id
    LEFT JOIN departures d ON d.entrant_id = e.id AND d.rejoined IS NULL WHERE p.discord_id IS NOT NULL
"""
"""A post that was deleted is posted again without who left since: nobody need have been asked in it any more."""
_GIVEN = "SELECT after ->> 'discord_id' FROM audit WHERE action = 'player.link'"
WAITING = {
    "correction": _CORRECTIONS,
    "dispute": _DISPUTED,
    "settle-problem": _HANDED_OVER,
    "tie": _TIED,
    "rejoin": _COMING_BACK,
    "claims": _CLAIMED,
    "link": "SELECT id FROM links WHERE ended_at IS NULL",
}
"""What waits for someone, by the kind of message that asks: the ids of what each is about."""
SUBJECT = {"settle-problem": "problem_id", "tie": "tie_id", "rejoin": "request_id", "link": "link_id", "claims": "page"}


class Told:
    """Who was told what in a new message, as the announcer sent it."""

    def __init__(self) -> None:
        self.people: dict[int, tuple[int, ...]] = {}
        self._ever: dict[int, set[int]] = {}
        """Who a post mentioned in any of its messages: one posted again mentions only those who still have to act."""
        self.known: set[int] = set()
        self.times: Counter[tuple[Any, ...]] = Counter()
        self._counted: dict[int, list[tuple[Any, ...]]] = {}

    def know(self, walk: "Walk") -> set[int]:
        """Return everyone who is or was known in a league: players, and accounts that asked or were asked to be one."""
        for table in ("players", "links", "claims"):
            self.known.update(walk.file.column(f"SELECT discord_id FROM {table} WHERE discord_id IS NOT NULL"))
        return self.known

    def note(self, found: Delivery, *, place_gone: bool) -> None:
        """Note a message that was sent; one in place of a message people deleted mentions nobody once more.

        One in place of a message whose thread is gone does: who is asked there may never have seen it.
        """
        post = found.row
        people = (post.person_id,) if post.target is Target.PERSON else found.mention.people
        self.people[post.id] = people or (() if place_gone else self.people.get(post.id, ()))
        self._ever.setdefault(post.id, set()).update(self.people[post.id])
        facts = json.dumps(post.facts, sort_keys=True)
        about = (post.kind, post.season_id, post.round_id, post.match_id, facts)
        self._counted[post.id] = [(*about, person) for person in self.people[post.id]]
        self.times.update(self._counted[post.id])

    def forget(self, found: Delivery) -> None:
        """Forget a message that someone deleted, whatever it shows by now: the next like it says nothing twice."""
        self.times.subtract(self._counted.pop(found.row.id, ()))

    def require(self, walk: "Walk") -> None:
        """Fail unless each question that waits stands in one message, to the person it waits for; no other does.

        While posts are failed, or are tried again later, nothing is compared.
        """
        if walk.file.value("SELECT 1 FROM outbox WHERE state = 'failed' OR (state = 'due' AND attempts > 0)"):
            return
        assert self._asked(walk, "question") == self._expected(walk, _REPORTED)
        assert self._asked(walk, "problem") == self._expected(walk, _ASKED)
        places = Counter((row["id"], row["discord_id"]) for row in walk.file.rows(_OFFERED))
        assert self._asked(walk, "place", "waiting_id") == places
        for kind, sql in WAITING.items():
            about = [_subject(kind, row) for row in walk.file.rows(_LIVE_POSTS, kind)]
            missing = [one for one in walk.file.column(sql) if one not in about]
            assert not missing, f"no one was told of {kind} {missing}"
        self._require_first_matches(walk)
        again = {key: count for key, count in self.times.items() if count > MOST_TIMES.get(key[0], 1)}
        assert not again, f"told again and again: {again}"

    def _require_first_matches(self, walk: "Walk") -> None:
        """Fail unless each player whose time to begin runs was asked in one message; an account given later is one."""
        posts = walk.file.rows("SELECT id, facts FROM outbox WHERE kind = 'first-match'")
        given = {*walk.file.column(_GIVEN)}
        for row in walk.file.rows(_FIRST_MATCHES):
            about = [post["id"] for post in posts if row["id"] in json.loads(post["facts"])["asked"]]
            times = sum(row["discord_id"] in self._ever.get(post, ()) for post in about)
            known = row["discord_id"] in given
            assert times <= 1 or known, f"{row['discord_id']} was asked {times} times when they begin"
            assert times or known or row["until"] is None, f"{row['discord_id']} wasn't asked when they begin"

    def _asked(self, walk: "Walk", kind: str, subject: str | None = None) -> Counter[tuple[int, int]]:
        posts = walk.file.rows(_LIVE_POSTS, kind)
        about = [post["match_id"] if subject is None else json.loads(post["facts"])[subject] for post in posts]
        return Counter(
            (one, person) for one, post in zip(about, posts, strict=True) for person in self.people[post["id"]]
        )

    def _expected(self, walk: "Walk", sql: str) -> Counter[tuple[int, int]]:
        rows = walk.file.rows(sql)
        people = [(row["id"], walk.file.person(row["asked"], row["number"])) for row in rows]
        return Counter((match, person) for match, person in people if person is not None)


MOST_TIMES = {
    "question": 3,  # at first, at half time, and once their match's thread was deleted
    "lists-missing": 9,  # a day before they are due, each time that was moved, and then
    "check-in": 9,  # each time the end of sign-ups was moved
    "news": 9,  # each time the round is over again
    "disputed": 9,  # each time the match was cleared and its report is disputed again
    "place": 9,
    "moving-up": 9,  # each time the place is free again
    "open-again": 99,
    "waiting": 99,  # every day; where no role is chosen, whoever set the league up
    "announcement": 9,  # each time an organiser says the same words
    "pause": 9,  # each time it is paused again until then
    # each time the thread of their match, or of their group, was deleted
    **dict.fromkeys(("times", "agreed", "problem", "answered", "first-match"), 9),
    "reminder": 99,
    "notice": 99,
    "own-place": 99,
    "pairings-changed": 99,
    "decision": 99,
    "corrected": 99,
    "round": 99,
    "thread": 99,
}
"""A report is asked about again at half time, missing lists are told of before they are due and then; the same sentence
can be true again later, and a place that was taken back can become free again."""
ONLY_TELLS = frozenset(
    (
        "agreed",
        "announcement",
        "answered",
        "claim-answer",
        "clock",
        "corrected",
        "counted",
        "decided-together",
        "decision",
        "disputed",
        "invitation",
        "news",
        "notice",
        "open-again",
        "own-place",
        "pairings-changed",
        "pause",
        "reminder",
        "stage-news",
        "time-reminder",
        "withdrawn",
    )
)
"""Messages that tell something and ask nobody: what people deleted of them stays deleted, whatever is shown again."""


def _subject(kind: str, row: Any) -> int:
    return row["match_id"] if kind in ("dispute", "correction") else json.loads(row["facts"])[SUBJECT[kind]]
