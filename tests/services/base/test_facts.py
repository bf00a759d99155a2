"""What a post is promised with: written and read again for every kind, and what can't be read says so."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from bot.services.base import outbox, post_kinds
from bot.services.base.outbox import GroupFacts, NoticeFacts
from bot.services.base.post_kinds import Facts
from bot.services.organising.timer import ClockFacts
from bot.services.problems.stay_or_leave import GoneFacts
from bot.services.seasons.planning import ChangedFacts
from bot.services.ties.tie_match_reports import DisagreementFacts
from storage.facts import UnreadableFacts, read, written
from tests.files import change_by_hand
from tests.services.conftest import World

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
SOME = (ChangedFacts, DisagreementFacts, GoneFacts)
"""Facts that some posts of a kind have."""
SHAPES = sorted({*SOME, *(kind.keeps for kind in post_kinds.every())}, key=lambda shape: shape.__name__)


def value_of(hint: Any, number: int) -> Any:
    """Return a value of a type, not one that is there by default."""
    members = [member for member in get_args(hint) if member is not NoneType]
    if get_origin(hint) is tuple:
        return (value_of(members[0], number), value_of(members[0], number + 1))
    if get_origin(hint) is Mapping:
        return {"a": {"b": [number]}}
    if members:
        return value_of(members[0], number)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return list(hint)[-1]
    return {datetime: NOON + timedelta(minutes=number), bool: True, str: f"“{number}”"}.get(hint, number)


def filled(shape: type[Any]) -> Any:
    """Return facts in which everything is said."""
    hints = get_type_hints(shape)
    return shape(**{name: value_of(hint, number) for number, (name, hint) in enumerate(hints.items(), start=7)})


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_facts_are_read_as_they_were_written(shape: type[Any]) -> None:
    facts = filled(shape)
    assert set(written(facts)) == set(get_type_hints(shape))
    assert read(shape, written(facts)) == facts


async def test_the_facts_of_every_kind_come_back_from_the_file(world: World) -> None:
    season = (await world.create()).season
    everything = {kind: replace(filled(kind.keeps), direct=()) for kind in post_kinds.every()}
    with change_by_hand(world.db) as conn:
        for kind, facts in everything.items():
            outbox.enqueue(conn, kind, season, facts, now=world.now, once="by hand")
    kept = {post.kind: post for post in await world.posts() if post.key.endswith("by hand")}
    assert {kind: kind.facts(kept[kind]) for kind in everything} == everything


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd(Facts):
    """Facts of a type that no row can keep."""

    share: float


def test_what_is_said_by_default_is_not_written() -> None:
    assert written(NoticeFacts(text="Hi")) == {"text": "Hi"}
    assert read(NoticeFacts, {"text": "Hi"}) == NoticeFacts(text="Hi")


def test_what_a_kind_does_not_know_is_left_alone() -> None:
    assert read(NoticeFacts, {"text": "Hi", "was": {}}) == NoticeFacts(text="Hi")


@pytest.mark.parametrize(
    ("shape", "kept"),
    [
        (NoticeFacts, {}),
        (NoticeFacts, {"text": None}),
        (NoticeFacts, {"text": "Hi", "pings": 7}),
        (NoticeFacts, {"text": "Hi", "pings": ["7"]}),
        (NoticeFacts, {"text": "Hi", "until": "tomorrow"}),
        (NoticeFacts, {"text": "Hi", "until": 10**20}),
        (ClockFacts, {"left": True, "minutes": 50, "ends_at": 0}),
        (GroupFacts, {"page": 1, "name": "A", "players": {"7": 8}}),
    ],
    ids=str,
)
def test_facts_of_another_shape_are_refused_with_their_name(shape: type[Facts], kept: Mapping[str, Any]) -> None:
    with pytest.raises(UnreadableFacts, match=f"^{shape.__name__} can't be read"):
        read(shape, kept)


def test_a_type_that_no_row_can_keep_is_refused() -> None:
    with pytest.raises(UnreadableFacts, match="facts can't have <class 'float'>"):
        read(Odd, {"share": 0.5})


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="times are aware"):
        written(NoticeFacts(text="Hi", until=datetime(2026, 11, 27)))  # noqa: DTZ001
