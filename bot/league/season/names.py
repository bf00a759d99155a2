"""Which league names can be taken: visible, short, and unlike any other (docs/rules.md, 1)."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from confusable_homoglyphs.confusables import confusables_data

from bot.league.errors import Conflict, Invalid
from bot.league.season.model import Name

_LONGEST = 32
_RESERVED = ("draw", "double loss")  # these mean a result in commands, the first one in league files too

_COMMAND = re.compile(r"(?<!\w)/\w")
"""Discord shows what begins like this as a command to click."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that Unicode counts as ignorable, and the empty Braille cell: they can't be seen either.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_EMOJI_STYLE = "\ufe0f"
_KEYCAP, _KEYS = "\u20e3", tuple("0123456789#*")
_ARROWS = "\u2194\u2195"
"""Parts of joined emoji that Unicode counts as mathematical."""
_JOINER, _JOINERS = "\u200d", "\u200c\u200d"
_MENTION = re.compile(r"@(everyone|here)\b|<(@[!&]?|#|/[^>]*:|a?:\w+:|t:)-?\d", re.IGNORECASE)
"""What Discord shows as a mention, an emoji of a server or a time."""
_JOINING = (
    *("ARABIC", "SYRIAC", "THAANA", "NKO", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA"),
    *("TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN", "BALINESE", "JAVANESE"),
)
"""Scripts in whose words letters are joined, or kept apart, by a character that isn't seen itself."""
# The data wraps right-to-left characters in these marks.
_DIRECTION = str.maketrans("", "", "\u200e\u200f")


def check_name(raw: str) -> Name:
    """Return a name as it is kept, trimmed and in NFC; raises Invalid with the reason it can't be taken."""
    name = unicodedata.normalize("NFC", raw).strip()
    if not name:
        raise Invalid("A league name can't be empty. Choose one of 1 to 32 characters.")
    if len(name) > _LONGEST:
        raise Invalid(f"This name has {len(name)} characters; use at most {_LONGEST}.")
    hidden = _first_hidden(name)
    if hidden is not None:
        raise Invalid(f"Character {hidden + 1} of this name is invisible (U+{ord(name[hidden]):04X}). Leave it out.")
    if reads_like_command(name):
        raise Invalid("This name reads like a command. Leave out the slash at the beginning of a word.")
    if _MENTION.search(name) is not None:
        raise Invalid("This name reads like a mention on Discord. Leave out the @ or the <.")
    if look_alike_key(name) in {look_alike_key(word) for word in _RESERVED}:
        raise Invalid(f"“{name}” is a word for a result here. Choose another league name.")
    return Name(name)


def reads_like_command(name: str) -> bool:
    """Return whether Discord would show part of a name as a command to click."""
    return _COMMAND.search(name) is not None


def _first_hidden(name: str) -> int | None:
    for position, char in enumerate(name):
        before, after = name[:position], name[position + 1 :]
        if char in _JOINERS and _joins(char, before, after):
            continue
        if unicodedata.category(char) in _UNSEEN or char in _BLANK:
            return position
        styled = _is_symbol(before[-1:]) or (after[:1] == _KEYCAP and before[-1:] in _KEYS)
        if _selects_variant(char) and not (char == _EMOJI_STYLE and styled):
            return position
    return None


def _joins(char: str, before: str, after: str) -> bool:
    """Whether a joiner stands where one is used: within a joined emoji, or between two letters of one such script."""
    symbol = before.removesuffix(_EMOJI_STYLE)[-1:]
    if char == _JOINER and _is_symbol(symbol) and _is_symbol(after[:1]):
        return True
    script = _script(before[-1:])
    return script in _JOINING and script == _script(after[:1])


def _is_symbol(char: str) -> bool:
    """Whether a character is an emoji or a part of one: a picture, or the tone of a skin."""
    return char != "" and (
        unicodedata.category(char) == "So" or char in _ARROWS or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _script(char: str) -> str:
    """Return the script of a letter or of a mark on one, by its name in Unicode; nothing for other characters."""
    is_letter = char != "" and unicodedata.category(char)[0] in "LM"
    return unicodedata.name(char, "").split(" ")[0] if is_letter else ""


def _selects_variant(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


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


def written_key(name: str) -> str:
    """Return a key that is the same for names that differ only in case, width, spaces or what can't be seen.

    Unlike with `look_alike_key`, letters of other scripts stay apart: someone who types one of these names means it.
    """
    seen = _seen(name)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
    return " ".join(folded.split())


def skeleton(name: str) -> str:
    """Return the shape of a text by UTS 39: each character replaced by the prototype it looks like."""
    return _decomposed("".join(_prototypes().get(char, char) for char in _decomposed(_seen(name))))


def _decomposed(text: str) -> str:
    return _seen(unicodedata.normalize("NFD", text))


def _seen(text: str) -> str:
    """Return a text without what can't be seen."""
    return "".join(
        char
        for char in text
        if unicodedata.category(char) != "Cf" and char not in _BLANK and not _selects_variant(char)
    )


@lru_cache(maxsize=1)
def _prototypes() -> dict[str, str]:
    """Return the prototype of each character, from the package's symmetric lists.

    Each class is a star around its prototype, the only member with several neighbours. Two that have only each other
    are ordered by length, because only a prototype is longer than one character, then by code point.
    """
    neighbours = {
        text.translate(_DIRECTION): [str(other["c"]).translate(_DIRECTION) for other in others]
        for text, others in confusables_data.items()
    }
    nearest: dict[str, str] = {}
    for text, others in neighbours.items():
        prototype = max([text, *others], key=lambda one: (len(neighbours[one]), len(one), one))
        if len(text) == 1 and prototype != text:
            nearest[text] = prototype
    return {char: _whole(prototype, nearest) for char, prototype in nearest.items()}


def _whole(text: str, nearest: dict[str, str]) -> str:
    """Replace the parts of a prototype by theirs until nothing changes."""
    replaced = "".join(nearest.get(char, char) for char in text)
    return text if replaced == text else _whole(replaced, nearest)
