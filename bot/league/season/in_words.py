"""Lists and amounts as people say them."""

from collections.abc import Sequence


def and_more(more: int) -> str:
    """Return how many a list leaves out, in words."""
    return f" and {more} more" if more > 0 else ""


def first_few(texts: Sequence[str], most: int, joint: str = ", ") -> str:
    """Return the first of some texts, and how many more there are."""
    return f"{joint.join(texts[:most])}{and_more(len(texts) - most)}"
