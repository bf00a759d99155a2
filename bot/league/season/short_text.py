"""Short texts of people, which stand between words of the bot: visible, on one line, no command and no mention."""

import re
import unicodedata

from bot.league.errors import Invalid

_COMMAND = re.compile(r"(?<!\w)/\w")
"""Discord shows what begins like this as a command to click."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that Unicode counts as ignorable, and the empty Braille cell: they can't be seen either.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
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


def one_line_text(raw: str, what: str, most: int, *, empty: str) -> str:
    """Return a text as it is kept, trimmed and in NFC; raises Invalid with the reason it can't be, or with `empty`."""
    text = unicodedata.normalize("NFC", raw).strip()
    if not text:
        raise Invalid(empty)
    if len(text) > most:
        raise Invalid(f"This {what} has {len(text)} characters; use at most {most}.")
    hidden = _first_hidden(text)
    if hidden is not None:
        raise Invalid(f"Character {hidden + 1} of this {what} is invisible (U+{ord(text[hidden]):04X}). Leave it out.")
    if reads_like_command(text):
        raise Invalid(f"This {what} reads like a command. Leave out the slash at the beginning of a word.")
    if _MENTION.search(text) is not None:
        raise Invalid(f"This {what} reads like a mention on Discord. Leave out the @ or the <.")
    return text


def reads_like_command(name: str) -> bool:
    """Return whether Discord would show part of a name as a command to click."""
    return _COMMAND.search(name) is not None


def _first_hidden(name: str) -> int | None:
    for position, char in enumerate(name):
        before, after = name[:position], name[position + 1 :]
        if char in _JOINERS and _joins(char, before, after):
            continue
        if unicodedata.category(char) in _UNSEEN or char in BLANK:
            return position
        styled = _is_symbol(before[-1:]) or (after[:1] == _KEYCAP and before[-1:] in _KEYS)
        if selects_variant(char) and not (char == _EMOJI_STYLE and styled):
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


def selects_variant(char: str) -> bool:
    """Whether a character only says how the one before it is drawn."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
