"""A decision in the sentences a person wants, kept in pieces so that each reader is called "you"."""

from collections.abc import Collection, Iterable
from string import Formatter

from bot.league.season.in_words import capitalised
from bot.league.season.model import Name

Pieces = tuple[str, ...]
"""Each begins with what it is.

`=` is words, `@` a player, `~` their pronoun, `^` what is theirs; `!` is words for those two, `-` for others.
"""

_KINDS = {"they": "~", "their": "^"}


def tell(template: str, **players: Name) -> Pieces:
    """Return a sentence in pieces: `{a}` stands for a player, `{a:they}` for their pronoun, `{a:their}` for `Ada's`."""
    pieces: list[str] = []
    for words, field, kind, _ in Formatter().parse(template):
        if words:
            pieces.append(f"={words}")
        if field is not None:
            pieces.append(f"{_KINDS.get(kind or '', '@')}{players[field]}")
    return tuple(pieces)


def either(to_them: str, to_others: str) -> Pieces:
    """Return a sentence in pieces that reads differently to those it is about."""
    return f"!{to_them}", f"-{to_others}"


def listed(players: Iterable[Name], last: str = "and") -> Pieces:
    """Return players in pieces as a person lists them: `A, B and C`."""
    each = [f"@{name}" for name in players]
    joints = ["=, "] * (len(each) - 2) + [f"= {last} "] * (len(each) > 1)
    return tuple(piece for both in zip(each, [*joints, ""], strict=True) for piece in both if piece)


def told_to(pieces: Iterable[str], concerned: Collection[Name], you: Name | None) -> str:
    """Return pieces as text for a reader: `you` is their name, if they are one of those it concerns."""
    text = ""
    for piece in pieces:
        kind, words = piece[:1], piece[1:]
        if kind == "@":
            words = "you" if words == you else words
        elif kind == "~":
            words = "you" if words == you else "they"
        elif kind == "^":
            words = "your" if words == you else f"{words}'s"
        elif kind in ("!", "-") and (kind == "!") != (you in concerned):
            continue
        begins = not text or text.endswith((". ", "\n"))
        text += capitalised(words) if begins and words in ("you", "your") else words
    return text
