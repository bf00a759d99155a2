"""A setting that is a list of words in an order that matters, each at most once."""

from typing import Any

from bot.league.season.node import Node
from bot.league.season.setting_values import ChoiceT, Values

_NONE = "none"


class EachOnce(Values[tuple[ChoiceT, ...]]):
    """Some of a few words, in the order they count."""

    def __init__(self, choices: type[ChoiceT], *orders: str) -> None:
        self._choices = choices
        words = tuple(choice.value for choice in choices)
        self.offered = (" ".join(words[:4]), *orders, _NONE)
        self.takes = f"any of these, each once: {', '.join(words)}; or {_NONE}"

    def read(self, node: Node) -> tuple[ChoiceT, ...]:
        """Return the words."""
        items = node.items()
        words = tuple(item.choice(self._choices) for item in items)
        for number, item in enumerate(items):
            if words[number] in words[:number]:
                raise item.wrong(f"{words[number]} is here twice; name each once")
        return words

    def typed(self, node: Node) -> list[str]:
        """Return the words, typed with blanks or commas between them."""
        words: list[str] = [] if node.value == _NONE else node.value.replace(",", " ").split()
        if any(word not in list(self._choices) for word in words):
            raise node.wrong(f"choose {self.takes}")
        self.read(node.inside(words, ""))
        return words

    def text(self, value: Any) -> str:
        """Return the words as people type them."""
        return " ".join(value) or _NONE

    def words(self, value: Any) -> str:
        """Return what the words mean, in their order."""
        return ", ".join(self._choices(word).words for word in value) or _NONE
