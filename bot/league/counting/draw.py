"""The draw: a random order anyone can recompute from names and numbers, its salt and secret.

See docs/formats/shared.md.
"""

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bot.league.season.model import Name, Season


class Purpose(StrEnum):
    """What a draw decides; part of the hashed text, so that draws are independent."""

    ORDER = "order"
    BYE = "bye"
    PAIR_UP = "pair-up"
    TIEBREAK = "tiebreak"
    MATCH = "match"
    SEAT = "seat"
    DICE = "dice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The draws of one round: SHA-256 of `SEASON/ROUND/PURPOSE/[SALT/]NAME`, in ascending hex order."""

    season: int
    round: int
    salt: str | None = None

    def text(self, purpose: Purpose, name: Name) -> str:
        """Return the text that is hashed, the name in NFC."""
        salt = "" if self.salt is None else f"{self.salt}/"
        return f"{self.season}/{self.round}/{purpose}/{salt}{unicodedata.normalize('NFC', name)}"

    def value(self, purpose: Purpose, name: Name) -> str:
        """Return the draw of one name: 64 hex digits."""
        return _sha256(self.text(purpose, name))

    def sort(self, purpose: Purpose, names: Iterable[Name]) -> list[Name]:
        """Return the names in ascending order of their draws."""
        return sorted(names, key=lambda name: self.value(purpose, name))

    def first(self, purpose: Purpose, names: Iterable[Name]) -> Name:
        """Return the name with the smallest draw."""
        return min(names, key=lambda name: self.value(purpose, name))


def draw_of(season: Season, number: int) -> Draw:
    """Return the draws of round `number`."""
    return Draw(season=season.number, round=number, salt=season.settings.salt)


def salt_of(names: Iterable[Name], secret: str | None = None) -> str:
    """Return the salt of a season: the first 16 hex digits of the hash of its entrants' sorted names.

    In a sealed one the secret stands before the names.
    """
    listed = sorted(unicodedata.normalize("NFC", name) for name in names)
    return _sha256("\n".join(listed if secret is None else [secret, *listed]))[:16]


def commitment_of(secret: str) -> str:
    """Return what a secret is sealed by when sign-ups open."""
    return _sha256(secret)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
