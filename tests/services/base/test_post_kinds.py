"""A kind of post that is only half there stops the start."""

from types import ModuleType

import pytest

from bot.services.base import post_kinds
from bot.services.base.post_kinds import Facts, Post, PostKind


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know no kinds of the bot here, and forget those of a test."""
    monkeypatch.setattr(post_kinds, "_known", {})
    monkeypatch.setattr(post_kinds, "_loads", {})


def declaring(kind: PostKind) -> ModuleType:
    module = ModuleType("subject")
    vars(module)["KIND"] = kind
    return module


def test_a_kind_that_nobody_loads() -> None:
    with pytest.raises(TypeError, match="kinds that nobody declares or loads: lonely"):
        post_kinds.wire([declaring(PostKind("lonely", Facts))], {})


def test_a_kind_that_is_loaded_and_not_declared() -> None:
    with pytest.raises(TypeError, match="kinds that nobody declares or loads: lonely"):
        post_kinds.wire([], {PostKind("lonely", Facts): lambda conn, post, now: Post()})


def test_a_kind_that_loads_itself_or_is_loaded_by_another_is_known() -> None:
    own = PostKind("own", Facts, load=lambda conn, post, now: Post())
    other = PostKind("other", Facts)
    post_kinds.wire([declaring(own), declaring(other)], {other: lambda conn, post, now: Post()})
    assert post_kinds.every() == (own, other)
