"""What waits for a question has a limit in bytes, for each server and for all."""

import pytest

from bot.league.errors import Conflict
from cogs.ui import button_memory
from cogs.ui.button_memory import BYTES, BYTES_OF_SERVER, LIGHT, MOST, forget, keep, kept, server


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    button_memory.forget_all()
    server.set(None)


def alive(keys: list[str]) -> list[bool]:
    return [key in button_memory._KEPT for key in keys]


def test_a_server_pushes_out_only_what_is_its_own() -> None:
    server.set(1)
    mine = keep("theirs", size=4_000_000)
    server.set(2)
    files = [keep(number, size=9_000_000) for number in range(3)]
    assert alive(files) == [False, True, True]
    assert kept(mine) == "theirs"
    with pytest.raises(Conflict, match="too old"):
        kept(files[0])


def test_one_that_is_larger_than_all_together_may_be_is_kept_alone() -> None:
    files = [keep("a"), keep("b", size=BYTES_OF_SERVER + 1), keep("c", size=BYTES + 1)]
    assert alive(files) == [False, False, True]


def test_many_servers_keep_no_more_than_all_may() -> None:
    files: list[str] = []
    for number in range(12):
        server.set(number)
        files.append(keep(number, size=10_000_000))
    assert alive(files) == [False, False, *[True] * 10]


def test_what_is_answered_counts_no_longer() -> None:
    for _ in range(30):
        forget(keep("a file", size=9_000_000))
    assert button_memory._bytes.total() == 0
    keys = [keep(number, size=1) for number in range(MOST + 1)]
    assert alive([keys[0], keys[1]]) == [False, True]
    assert button_memory._bytes.total() == MOST
    assert LIGHT * MOST <= BYTES
