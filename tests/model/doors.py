"""What the bot hands to the database's writer and to its readers, read from its source."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.measures import ROOT, sources

STEPS = ROOT / "bot" / "steps.py"
WRITING = frozenset({"do", "write", "enter"})
READING = frozenset({"see", "read", "look_back"})


@cache
def use_cases() -> frozenset[str]:
    """Return every function of the services the bot writes with, and those of several steps that write."""
    source = ast.parse(STEPS.read_text(encoding="utf-8"))
    steps = {
        node.name: ast.unparse(node)
        for node in source.body
        if isinstance(node, ast.AsyncFunctionDef) and "use_case" not in [arg.arg for arg in node.args.args]
    }
    return handed(WRITING) | {f"steps.{name}" for name in steps if not name.startswith("_") and _writes(steps, name)}


@cache
def handed(doors: frozenset[str]) -> frozenset[str]:
    """Return what is handed to these methods, as `module.function`, but in what takes several steps."""
    return frozenset(name for path in sources("bot", "cogs") if path != STEPS for name in _handed(path, doors))


def _handed(path: Path, doors: frozenset[str]) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if not any(f".{door}(" in text for door in doors):
        return
    nodes = list(ast.walk(ast.parse(text)))
    known = {
        alias.asname or alias.name: f"{node.module}.{alias.name}".removeprefix("bot.services.")
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bot.services.")
        for alias in node.names
    }
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=door), args=args) if door in doors:
                yield from (given for arg in args[:2] if (given := _named(arg, known)))
            case _:
                pass


def _named(arg: ast.expr, known: Mapping[str, str]) -> str | None:
    """Return what an argument names of the services, as `module.function`: the first, or after what it's about."""
    match arg:
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in known:
            return f"{known[module]}.{name}"
        case _:
            return None


def _writes(steps: dict[str, str], name: str) -> bool:
    """Whether a function of several steps writes, itself or through another of them."""
    called = (other for other in steps if other != name and re.search(rf"(?<![.\w]){other}\(", steps[name]))
    return ".write(" in steps[name] or any(_writes(steps, other) for other in called)
