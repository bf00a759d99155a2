"""Lists and amounts as people say them."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def and_more(more: int) -> str:
    """Return how many a list leaves out, in words."""
    return f" and {more} more" if more > 0 else ""


def first_few(texts: Sequence[str], most: int, joint: str = ", ") -> str:
    """Return the first of some texts, and how many more there are."""
    return f"{joint.join(texts[:most])}{and_more(len(texts) - most)}"


def capitalised(words: str) -> str:
    """Return words as they begin a sentence: the first letter large, the others as they are."""
    return words[:1].upper() + words[1:]


def amount(number: int, thing: str, things: str | None = None) -> str:
    """Return a number of things: `1 day`, `24 hours`, `2 losses`; `things` where the plural is another."""
    return f"{number} {things if things is not None and number != 1 else _one_or_many(number, thing)}"


def spelled(number: int, thing: str) -> str:
    """Return a number of things in words, up to twelve: `four rounds`, `two losses`."""
    return f"{_NUMBERS[number] if number < len(_NUMBERS) else number} {_one_or_many(number, thing)}"


def losses_in_words(losses: int) -> str:
    """Return a record by its losses: `unbeaten`, `1 loss`."""
    return amount(losses, "loss") if losses else "unbeaten"


def with_losses(losses: int) -> str:
    """Return players of so many losses: `unbeaten players`, `players with 1 loss`."""
    return f"players with {amount(losses, 'loss')}" if losses else "unbeaten players"


def group_of_losses(losses: int) -> str:
    """Return the group of so many losses: `the unbeaten group`, `the group with 1 loss`."""
    return f"the group with {amount(losses, 'loss')}" if losses else "the unbeaten group"


def one_joins(losses: int, lower: int) -> str:
    """Return that a player of `lower` losses joins those of so many, because these are an odd number."""
    player = f"one player with {amount(lower, 'loss')}"
    return f"The {with_losses(losses)} were an odd number, so {player} joined them."


def _one_or_many(number: int, thing: str) -> str:
    return thing if number == 1 else f"{thing}{'es' if thing.endswith(('s', 'ch')) else 's'}"


def half_up(exact: Fraction) -> int:
    """Return a value as a whole number, halves up."""
    return floor(exact + Fraction(1, 2))
