"""How the house speaks: words that readers stumble over, or that guess who a person is, stand nowhere."""

import re
from pathlib import Path

import pytest

from tests import sentences

ROOT = Path(__file__).parents[1]
READ = [
    *(path for folder in ("bot", "cogs", "storage") for path in sorted((ROOT / folder).rglob("*.py"))),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(ROOT.glob("*.md")),
    ROOT / ".env.example",
]
AVOIDED = ["he", "his", "him", "himself", "she", "hers", "whoever", "anew", "mend", "mended", "somebody", "whom"]


@pytest.mark.parametrize("word", AVOIDED)
def test_no_sentence_uses(word: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in READ
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(rf"\b{word}\b", line, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)


def test_no_test_guesses_who_a_person_is() -> None:
    guessed = re.compile(r"(?<![a-z])(?:he|his|him|himself|she|her|hers|herself)(?![a-z])", re.IGNORECASE)
    tests = [path for path in sorted((ROOT / "tests").rglob("*.py")) if path != Path(__file__)]
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in tests
        for name in re.findall(r"\bdef (\w+)", path.read_text(encoding="utf-8"))
        if guessed.search(name)
    ]
    assert not found, "\n".join(found)


def test_rules_services_and_errors_are_plain_words() -> None:
    """They are escaped as a whole, with the names in them: a mention or a backtick would be read as it is typed."""
    texts = [
        (path, line, text)
        for folder in ("league", "services", "importers")
        for path in sorted((ROOT / "bot" / folder).rglob("*.py"))
        for line, text in sentences.of_code(path)
    ]
    texts += [
        (path, line, text) for path in sorted((ROOT / "cogs").rglob("*.py")) for line, text in sentences.of_errors(path)
    ]
    marked = re.compile(r"`\S|<[@#]\{|<t:|\*\*\w|\.mention\}")
    wrong = [f"{path.relative_to(ROOT)}:{line}: {text}" for path, line, text in texts if marked.search(text)]
    assert not wrong, "\n".join(wrong)
