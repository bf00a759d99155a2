"""Which function renders which kind of post: each stands in the cog of its subject, marked with `renders`."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from bot.services.base.post_kinds import AnyKind, Post
from cogs.ui.cards import Answer, Part
from cogs.ui.context import Host

Shown = TypeVar("Shown", bound=Post)
Render = Callable[[Shown], Answer]
Draw = Callable[[Host, Shown], Awaitable[tuple[Part, ...]]]
RENDERED: dict[AnyKind, Render[Any]] = {}
DRAWN: dict[AnyKind, Draw[Any]] = {}


def renders(*kinds: AnyKind) -> Callable[[Render[Shown]], Render[Shown]]:
    """Let a function render these kinds of posts."""

    def mark(function: Render[Shown]) -> Render[Shown]:
        for kind in kinds:
            if kind in RENDERED:
                raise TypeError(f"two functions render {kind}")
            RENDERED[kind] = function
        return function

    return mark


def draws_below(*kinds: AnyKind) -> Callable[[Draw[Shown]], Draw[Shown]]:
    """Let a function draw what stands below the text of these kinds; where that fails, the text is shown alone."""

    def mark(function: Draw[Shown]) -> Draw[Shown]:
        DRAWN.update(dict.fromkeys(kinds, function))
        return function

    return mark
