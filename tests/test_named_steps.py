"""What texts tell people to press or type is there: a button with these words, a command with this name."""

import ast
import re
from functools import cache

from tests.sentences import CODE, ROOT, sentences

PRESS = re.compile(r"[Pp]ress(?:es)? \*\*([^*{]+)\*\*")
TYPE = re.compile(r"(?<![\w/.<:*{}|)~-])/([a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*)?)(?![\w/-])")


def constants() -> set[str]:
    """Return every text of the surface that stands alone, as labels do."""
    files = (path for folder in ("cogs", "bot/practice") for path in (ROOT / folder).rglob("*.py"))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in files)
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def commands() -> set[str]:
    """Return the names of all commands, as the page about them lists them."""
    return set(re.findall(r"`/([a-z-]+(?: [a-z-]+)?)", (ROOT / "docs/commands.md").read_text(encoding="utf-8")))


@cache
def told() -> list[tuple[str, str]]:
    return [(place, text) for place, text in sentences() if place.startswith(CODE)]


def test_each_button_a_text_names_is_the_label_of_one() -> None:
    labels = constants()
    missing = [(place, name) for place, text in told() for name in PRESS.findall(text) if name not in labels]
    assert not missing
    assert sum(len(PRESS.findall(text)) for _, text in told()) > 10


def test_each_command_a_text_names_is_there() -> None:
    there = commands()
    texts = [(place, text) for place, text in told() if not place.startswith("bot/practice")]
    named = [(place, name) for place, text in texts for name in TYPE.findall(text)]
    assert not [(place, name) for place, name in named if not there & {name, name.split()[0]}]
    assert len(named) > 50
