"""What players hand in as a list: how long it can be, plain text without tricks, or the link of a KeyForge deck."""

import re
import unicodedata

from bot.league.errors import Invalid

LONGEST_LIST = 4_000
"""Characters of a list: as many as a form takes."""

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_DECK_LINK = re.compile(
    rf"https://(?:(?:www\.)?keyforgegame\.com/deck-details|(?:www\.)?decksofkeyforge\.com/decks)/{_UUID}",
    re.IGNORECASE,
)
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of the text after them."""


def clean(text: str) -> str:
    """Return a list as it is kept: without control characters and what turns a text's direction; raises Invalid."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    kept = "".join(char for char in lines if char in "\n\t" or not _is_trick(char))
    kept = "\n".join(line.rstrip() for line in kept.split("\n")).strip("\n")
    if not kept.strip():
        raise Invalid("The list is empty. Type or paste it, or attach a text file.")
    if len(kept) > LONGEST_LIST:
        raise Invalid(f"The list has {len(kept):,} characters; at most {LONGEST_LIST:,} fit. Shorten it.")
    return kept


def _is_trick(char: str) -> bool:
    """Whether a character is shown by no one, or changes how others are: controls, half characters, marks of a file."""
    return char in _TURNING or char == "\ufeff" or unicodedata.category(char) in ("Cc", "Cs")


def deck_link(link: str) -> str:
    """Return the link of a KeyForge deck without what follows its number; raises Invalid. Nothing is fetched."""
    parsed = _DECK_LINK.match(link.strip())
    if parsed is None or link.strip()[parsed.end() : parsed.end() + 1] not in ("", "/", "?", "#"):
        raise Invalid(
            "That isn't a link to a deck. Copy it from the deck's page on keyforgegame.com (/deck-details/...) or "
            "decksofkeyforge.com (/decks/...)."
        )
    return parsed[0].lower()


def is_deck_link(line: str) -> bool:
    """Return whether a line is nothing but the link of a KeyForge deck."""
    return _DECK_LINK.fullmatch(line) is not None
