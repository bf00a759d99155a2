"""A name typed wrong once is found, and asked about; other names aren't."""

from itertools import product
from random import Random

import pytest

from bot.importers.typing_errors import Typed, letters_of, one_slip

SAME = [
    ("Jonathan", "Jonahtan"),
    ("Jonathan", "Jonatan"),
    ("Jonathan", "Jonathann"),
    ("Jonathan", "Jomathan"),
    ("Jonathan", "onathan"),
    ("Zoë Smith", "zoe smyth"),
    ("Ada Lovelace", "Ada-Lovelac"),
]
OTHERS = [
    ("Anna", "Anne"),
    ("Player 12", "Player 13"),
    ("Player 1", "Player 11"),
    ("Jonathan", "Jonathan"),
    ("Jonathan", "Jonhatna"),
    ("abcdef", "bcdefa"),
    ("Jonathan", "Johan"),
]


@pytest.mark.parametrize(("pair", "same"), [*((pair, True) for pair in SAME), *((pair, False) for pair in OTHERS)])
def test_one_error_is_found_and_no_more(pair: tuple[str, str], same: bool) -> None:
    for first, second in (pair, pair[::-1]):
        typed = Typed()
        typed.add(first, "them")
        assert typed.near(second) == (("them",) if same else ())


@pytest.mark.long
def test_all_that_comparing_each_pair_finds_is_found() -> None:
    dice = Random(5)
    names = ["".join(dice.choices("abc1", k=dice.randint(4, 8))) for _ in range(300)]
    typed = Typed()
    for name in names:
        typed.add(name, name)
    found = {(one, other) for one in names for other in typed.near(one)}
    assert found == {pair for pair in product(names, names) if one_slip(*map(letters_of, pair))}
    assert found
