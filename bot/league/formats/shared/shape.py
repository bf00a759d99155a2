"""How the rounds of a season in groups would look, before it starts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Groups of these sizes, and how many rounds they take.

    `words` says both. `wrong` is why a season can't start like this, with what organisers do next; `too_long` whether
    that is the number of rounds. `known` is what they should know before.
    """

    sizes: tuple[int, ...]
    rounds: int
    words: str
    wrong: str = ""
    too_long: bool = False
    known: str = ""
