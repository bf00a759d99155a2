"""The draw: anyone can recompute it in a shell."""

import pytest

from bot.league.counting.draw import Draw, Purpose, salt_of
from bot.league.season.model import Name


@pytest.mark.parametrize(
    ("season", "round_", "purpose", "name", "expected"),
    [
        (1, 1, "order", "dok", "7aec7f5563572293b03e079611d8bb9b590336a5958e63d74011a47063a3c931"),
        (7, 1, "order", "Zoë", "3ecd1414f3f9ebb1c678620956453e9286b9911bd5763480d75b520f96c30b0f"),
        (7, 1, "order", "Zoe\u0308", "3ecd1414f3f9ebb1c678620956453e9286b9911bd5763480d75b520f96c30b0f"),
        (7, 1, "bye", "Zoë", "a814f4a5b601bfb117aca02713344ed7c6780949d7f2fa53bd5e95027dbd9b5e"),
        (12, 3, "pair-up", "Xorlof", "66698010d9fa7e61f91b951d8f24dda27d42146d4bf3c2a78ba9470bb139400b"),
        (12, 3, "tiebreak", "a/b", "357b0e2e7a18c839a4963d2b04f5146d8486319400efccdc29027aa4bd64c743"),
        (3, 2, "match", "名前", "1be454e2d81823a2d4cbb198984396c61b300fb1527c35b0dc077376e21183e2"),
    ],
)
def test_published_draws(season: int, round_: int, purpose: str, name: str, expected: str) -> None:
    assert Draw(season=season, round=round_).value(Purpose(purpose), Name(name)) == expected


def test_the_salt_stands_before_the_name() -> None:
    salted = Draw(season=7, round=1, salt="0123456789abcdef")
    assert salted.text(Purpose.SEAT, Name("dok")) == "7/1/seat/0123456789abcdef/dok"
    assert salted.value(Purpose.SEAT, Name("dok")) != Draw(season=7, round=1).value(Purpose.SEAT, Name("dok"))


def test_the_salt_is_made_of_the_sorted_names() -> None:
    # printf 'Xorlof\nZoë\ndok' | sha256sum
    expected = "4f8868b31abd7cfd"
    assert salt_of([Name("dok"), Name("Zoe\u0308"), Name("Xorlof")]) == expected
    assert salt_of([Name("Xorlof"), Name("dok"), Name("Zoë")]) == expected


def test_the_smallest_hex_number_comes_first() -> None:
    draw = Draw(season=7, round=1)
    names = [Name(letter) for letter in "abcdefgh"]
    ordered = draw.sort(Purpose.ORDER, names)
    values = [draw.value(Purpose.ORDER, name) for name in ordered]
    assert values == sorted(values)
    assert draw.first(Purpose.ORDER, names) == ordered[0]
    assert draw.sort(Purpose.ORDER, reversed(names)) == ordered
