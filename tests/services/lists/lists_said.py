"""The list everyone hands in before they are forgotten."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.services.lists import handing_in
from tests.files import do
from tests.services.conftest import Watched
from tests.services.people.saying import Saying


async def _hand_in(db: Watched, who: Mapping[str, Any], said: Callable[[str], str]) -> None:
    await do(handing_in.hand_in, db=db, **who, text=said("a list"))


LISTS = Saying(
    settings={"lists": {"number": 1, "per": "round", "due_hours": 24, "secret": "end"}},
    say=_hand_in,
    words={"lists.text"},
    of_the_seat=frozenset({"lists.text"}),
    unused={"lists.sha256"},
)
