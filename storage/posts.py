"""Promised posts as the rest of the program sees them, and how they change.

| event | state before | state after |
|---|---|---|
| enqueued | - | due |
| sent or edited | due | done; due where more changed meanwhile |
| invalidated: what it shows changed | done | due |
| an attempt failed by what passes | due | due, later |
| an attempt failed by what doesn't pass | due | failed |
| tried again | failed | due |
| retracted with a message, or perhaps with one | due, done, failed | due and `removed`: the message is deleted |
| retracted or expired while it may be on its way | due | due and `removed`: also if the bot ends before it knows |
| retracted or expired without a message | due, failed | withdrawn |
| its message deleted, or none sent | due and `removed` | withdrawn |

One post of a key stands for what is told once. Where that can be told again, the post is `superseded`: another one can
have its key. Copies for people have the key, `:to:` and an account; one for those it had no room to mention `:more`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NewType

from storage.rows import LeagueId, MatchId, RoundId, SeasonId

PostId = NewType("PostId", int)


class Target(StrEnum):
    """Where a post belongs: a channel of the league, or a person's direct messages."""

    LEAGUE = "league"
    MODERATION = "moderation"
    PERSON = "person"


class PostState(StrEnum):
    """Whether a promised post still has to be sent or edited."""

    DUE = "due"
    DONE = "done"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedPost:
    """A post that is due, as far as it matters who makes it when; `channel_id` is where it is or goes."""

    id: PostId
    key: str
    kind: str
    target: Target
    person_id: int | None
    channel_id: int
    message_id: int | None
    attempts: int
    removed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRow:
    """A promised post: queued while `shown` is behind `wanted`.

    `failed_at` is since when it couldn't be made for a reason that doesn't pass by itself, until it's made. `gone` is
    how many messages it had before that are gone, or in a channel it has left.
    """

    id: PostId
    key: str
    kind: str
    league_id: LeagueId
    season_id: SeasonId | None
    round_id: RoundId | None
    match_id: MatchId | None
    target: Target
    person_id: int | None
    facts: Mapping[str, Any]
    state: PostState
    wanted: int
    shown: int
    attempts: int
    problem: str | None
    failed_at: datetime | None
    channel_id: int | None
    message_id: int | None
    created_at: datetime
    expires_at: datetime | None
    sent_at: datetime | None
    removed: bool
    gone: int

    def is_over(self, now: datetime) -> bool:
        """Return whether its time is over: what is still to be said is of no use any more."""
        return self.expires_at is not None and self.expires_at <= now

    @property
    def thread_match(self) -> MatchId | None:
        """The match in whose thread it belongs: its own, or where it's about several of a group, one of them."""
        return self.match_id if self.match_id is not None else self.facts.get("thread_match")
