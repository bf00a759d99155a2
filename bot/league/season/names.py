"""Which names players, and leagues themselves, can have: visible, short, unlike any other (docs/formats/shared.md)."""

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from bot.league.errors import Conflict, Invalid
from bot.league.season.model import Name
from bot.league.season.short_text import BLANK, one_line_text, selects_variant

LONGEST = 32
_RESERVED = ("draw", "double loss")  # these mean a result in commands, the first one in league files too

# The data wraps right-to-left characters in these marks.
_DIRECTION = str.maketrans("", "", "\u200e\u200f")


def check_name(raw: str) -> Name:
    """Return a name as it is kept, trimmed and in NFC; raises Invalid with the reason it can't be taken."""
    name = one_line_text(raw, "name", LONGEST, empty="A league name can't be empty. Choose one of 1 to 32 characters.")
    if look_alike_key(name) in _reserved():
        raise Invalid(f"“{name}” is a word for a result here. Choose another league name.")
    return Name(name)


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(look_alike_key, _RESERVED))


def require_free(name: Name, taken: Iterable[Name]) -> None:
    """Raise Conflict if a name equals or looks like one that is taken."""
    other = similar_name(name, taken)
    if other == name:
        raise Conflict(f"The league name “{name}” is taken. Choose another one.")
    if other is not None:
        raise Conflict(f"“{name}” looks too much like “{other}”, who is in this league. Choose another league name.")


def similar_name(name: Name, taken: Iterable[Name]) -> Name | None:
    """Return the first taken name this one could be mistaken for."""
    shape, key = skeleton(name), look_alike_key(name)
    return next((other for other in taken if skeleton(other) == shape or look_alike_key(other) == key), None)


def look_alike_key(name: str) -> str:
    """Return a key that is the same for names that differ only in case, width, script or the encoding of accents.

    A league never has two names with the same key. Names with different keys can still look alike: `Bill` and `BiIl`
    have the same skeleton, although an I is an i in another case. So ask `similar_name`.
    """
    return skeleton(written_key(name)).casefold()


@lru_cache(maxsize=4096)
def written_key(name: str) -> str:
    """Return a key that is the same for names that differ only in case, width, spaces or what can't be seen.

    Unlike with `look_alike_key`, letters of other scripts stay apart: someone who types one of these names means it.
    """
    seen = _seen(name)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
    return " ".join(folded.split())


def skeleton(name: str) -> str:
    """Return the shape of a text by UTS 39: each character replaced by the prototype it looks like."""
    return _decomposed(_decomposed(_seen(name)).translate(prototypes()))


def _decomposed(text: str) -> str:
    return _seen(unicodedata.normalize("NFD", text))


def _seen(text: str) -> str:
    """Return a text without what can't be seen."""
    if text.isascii():
        return text
    return "".join(
        char for char in text if unicodedata.category(char) != "Cf" and char not in BLANK and not selects_variant(char)
    )


@lru_cache(maxsize=1)
def prototypes() -> dict[int, str]:
    """Return the prototype of each character, for `str.translate`: a tenth of a second the first time.

    They come from the package's symmetric lists.
    Each class is a star around its prototype, the only member with several neighbours. Two that have only each other
    are ordered by length, because only a prototype is longer than one character, then by code point.
    """
    from confusable_homoglyphs.confusables import confusables_data  # 9 MB that few processes need

    neighbours = {
        text.translate(_DIRECTION): [str(other["c"]).translate(_DIRECTION) for other in others]
        for text, others in confusables_data.items()
    }
    nearest: dict[str, str] = {}
    for text, others in neighbours.items():
        prototype = max([text, *others], key=lambda character: (len(neighbours[character]), len(character), character))
        if len(text) == 1 and prototype != text:
            nearest[text] = prototype
    return str.maketrans({char: _whole(prototype, nearest) for char, prototype in nearest.items()})


def _whole(text: str, nearest: dict[str, str]) -> str:
    """Replace the parts of a prototype by theirs until nothing changes."""
    replaced = "".join(nearest.get(char, char) for char in text)
    return text if replaced == text else _whole(replaced, nearest)
