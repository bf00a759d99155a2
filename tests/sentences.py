"""Every sentence a person can see, for reading aloud: `python -m tests.sentences [WORD...]` prints them by place.

Texts in the code stand as they are written, with `{...}` where a value goes; README and docs follow paragraph by
paragraph. With words given, only sentences that hold one of them.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bot.league import errors

ROOT = Path(__file__).parents[1]
CODE = ("bot", "cogs", "storage")
PAGES = ("README.md", ".env.example", "CHANGELOG.md")
UNSEEN_CALLS = ("debug", "info", "warning", "exception", "execute", "fetch", "rows", "row", "value", "re.compile")
"""Calls whose texts go to the log or to SQLite."""
SENTENCE = re.compile(r"[^\W\d_]{2,}.*\s+.*[^\W\d_]", re.DOTALL)
SQL = re.compile(
    r"^\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|WITH|CREATE|BEGIN|COMMIT|ROLLBACK|VACUUM|AND |WHERE|ORDER BY)\b"
)


def of_code(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that people can see, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unseen = set(_docstrings(tree, commands=path.parts[-2] in ("cogs", "bot"))) | set(_logged(tree))
    for node in ast.walk(tree):
        if id(node) in unseen:
            continue
        if isinstance(node, ast.JoinedStr):
            unseen.update(id(part) for part in ast.walk(node))
            yield node.lineno, _plain(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def of_errors(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts with which a module raises what a person is told, with their lines."""
    kinds = {name for name, kind in vars(errors).items() if isinstance(kind, type)}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and ast.unparse(node.exc.func) in kinds:
            yield node.lineno, " ".join(ast.unparse(text) for text in node.exc.args)


def _docstrings(tree: ast.Module, *, commands: bool) -> Iterator[int]:
    """Yield docstrings that nobody sees: all but those of commands, which Discord and `--help` show."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        shown = commands and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.decorator_list
        if isinstance(body, list) and not shown:
            yield from (id(line.value) for line in body if isinstance(line, ast.Expr))


def _logged(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in UNSEEN_CALLS:
            yield from (id(part) for argument in node.args for part in ast.walk(argument))


def _plain(text: ast.JoinedStr) -> str:
    parts = (
        part.value if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}" for part in _parts(text)
    )
    return "".join(str(part) for part in parts)


def _parts(text: ast.JoinedStr) -> Iterator[ast.Constant | ast.FormattedValue]:
    yield from (part for part in text.values if isinstance(part, ast.Constant | ast.FormattedValue))


def of_page(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a page, with their first lines."""
    line = 1
    for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
        yield line, paragraph
        line += paragraph.count("\n") + 2


def sentences() -> Iterator[tuple[str, str]]:
    """Yield each text a person can see, with its place as `file:line`."""
    pages = [
        found for page in PAGES for found in ([ROOT / page] if (ROOT / page).is_file() else (ROOT / page).glob("*.md"))
    ]
    code = sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py"))
    for path in [*code, *pages]:
        yield from of_file(path)


def of_file(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each text of a module or page that a person can see, with its place as `file:line`."""
    texts = of_code(path) if path.suffix == ".py" else of_page(path)
    for line, text in sorted(set(texts)):
        if SENTENCE.search(text) and not SQL.match(text):
            yield f"{path.relative_to(ROOT)}:{line}", " ".join(text.split())


def main(words: list[str]) -> None:
    for place, text in sentences():
        if not words or any(re.search(rf"\b{word}\b", text, re.IGNORECASE) for word in words):
            print(f"{place}: {text}")


if __name__ == "__main__":
    main(sys.argv[1:])
