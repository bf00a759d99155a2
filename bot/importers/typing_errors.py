"""Names that could be one person's because of a typing error: a letter wrong, too many, missing, or two swapped."""

import unicodedata
from collections.abc import Iterator

from bot.league.season.names import written_key

FEWEST_LETTERS = 5
"""Shorter names that differ by a letter are mostly two people's."""


def letters_of(name: str) -> str:
    """Return the letters and digits of a name, without accents, all small."""
    plain = unicodedata.normalize("NFKD", written_key(name))
    return "".join(char for char in plain if char.isalnum())


def one_slip(first: str, second: str) -> bool:
    """Whether two names, by their letters, differ by one typing error; numbers in them are never one."""
    short, long = sorted((first, second), key=len)
    if len(long) - len(short) > 1 or short == long:
        return False
    if sum(map(str.isalpha, short)) < FEWEST_LETTERS or list(filter(str.isdigit, short)) != list(
        filter(str.isdigit, long)
    ):
        return False
    at = next((at for at in range(len(short)) if short[at] != long[at]), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return swapped or short[at + 1 :] == long[at + 1 :]


class Typed:
    """Finds names one typing error away without comparing all: two such names are equal once each lost one letter."""

    def __init__(self) -> None:
        self._names: dict[str, list[tuple[str, str]]] = {}

    def add(self, name: str, called: str) -> None:
        """Note a name, and what the person is called who has it."""
        letters = letters_of(name)
        for key in _keys(letters):
            self._names.setdefault(key, []).append((letters, called))

    def near(self, name: str) -> tuple[str, ...]:
        """Return what those are called who have a name one typing error away."""
        letters = letters_of(name)
        near = (
            called for key in _keys(letters) for other, called in self._names.get(key, ()) if one_slip(letters, other)
        )
        return tuple(dict.fromkeys(near))


def _keys(letters: str) -> Iterator[str]:
    if len(letters) >= FEWEST_LETTERS:
        yield letters
        yield from {letters[:at] + letters[at + 1 :] for at in range(len(letters))}
