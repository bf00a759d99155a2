"""What a subject brings to the story in which everyone says all they can, and is forgotten."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.services.conftest import Watched


@dataclass(frozen=True, kw_only=True)
class Saying:
    """What someone says about a match they play, in a season with these settings.

    `say` takes who they are and what makes a text of theirs; `words` are the columns that hold it, `unused` those that
    stay empty in the story, `of_the_seat` those that stay with a seat when a substitute in it is forgotten.
    """

    settings: Mapping[str, Any]
    say: Callable[[Watched, Mapping[str, Any], Callable[[str], str]], Awaitable[None]]
    words: set[str]
    unused: set[str]
    of_the_seat: frozenset[str] = frozenset()
