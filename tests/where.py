"""Answer "where is ...?" from the tables of the code: `python -m tests.where WORDS` prints the rows that have each."""

import ast
import gc
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.league.season.settings import SETTINGS
from bot.services import wiring
from bot.services.base import post_kinds
from cogs.ui.actions import ACTIONS
from cogs.ui.commands import Command, Menu
from cogs.ui.posts import RENDERED
from cogs.wiring import COGS
from tests.sentences import of_file
from tests.services.meeting.events import EVENTS
from tests.services.meeting.table import TABLE

ROOT = Path(__file__).parents[1]
_DOORS = ("do", "see", "write", "read", "enter", "look_back")
"""What runs a use case or a look, which is the first argument, or comes after what it's about."""
SHORTEST_STEM = 5
"""How many letters of a word count at least where other forms of it are looked for."""
_JAVASCRIPT = re.compile(r"/\* ((?:(?!\*/).)+) \*/\n *(?:async )?function (\w+)", re.DOTALL)
"""A function of a script with the comment before it."""
MOST_ROWS = 12
"""How many rows of a table are shown: more are too many to read."""


@dataclass(frozen=True, eq=False)
class Section:
    """A table: what its rows answer, the heads of its columns, its rows."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@cache
def sections() -> tuple[Section, ...]:
    """Return all tables."""
    uses = "use cases and looks"
    tables: list[tuple[str, Sequence[str], Iterable[Sequence[str]]]] = [
        ("What people type", ("command", "what it does", "declared in", uses), _commands()),
        ("What people press", ("name in the custom_id", "what it does", "declared in", uses), _actions()),
        ("What follows from what, in order", ("what happens", "told in", "who follows", "what they do"), _events()),
        ("What the clock does, in order", ("what is due", "found by", "done by"), _jobs()),
        ("What waits for someone's answer", ("question", "declared in", "what silence does"), _questions()),
        ("What waits for moderators and organisers", ("what", "declared in"), _waits()),
        ("Posts", ("kind", "declared in", "what it shows", "drawn by"), _posts()),
        ("What Discord tells the bot", ("event", "declared in", "what the bot does", uses), _listeners()),
        (
            "What becomes of what is kept of a person",
            ("forgotten", "merged into another", "withdrawn before the start", "with a new account"),
            _personal(),
        ),
        (
            "What becomes of what someone holds (tests/services/meeting/table.py)",
            ("held", "what happens", "what becomes of it", "done by"),
            _meetings(),
        ),
        ("Settings of a season", ("setting", "used in"), _settings()),
        ("Files", ("file", "what it is"), _files()),
        ("Functions, classes and values", ("name", "what it is or does"), _documented()),
    ]
    return tuple(Section(title, head, list(rows)) for title, head, rows in tables)


def answer(*words: str) -> str:
    """Return the rows that have all the words, each under its table; empty where nothing does.

    Where no row has them as they are written, other forms of them are looked for: "reminder" finds "reminded" too. Else
    it's the files that have them all, and of three words or more the rows that have all but one.
    """
    exact = [word.casefold() for word in words]
    stems = [_stem(word) for word in exact]
    found = _found(exact) or _found(stems) or (_nearest(exact) or _nearest(stems)) | _but_one(stems)
    lines: list[str] = []
    for section, rows in found.items():
        lines += ["", f"{section.title}:"]
        for row in rows[:MOST_ROWS]:
            cells = [(head, cell) for head, cell in zip(section.head, row, strict=True) if cell]
            lines += ["", *(f"  {head}: {cell.replace('<br>', ', ').replace('`', '')}" for head, cell in cells)]
        if len(rows) > MOST_ROWS:
            lines += ["", f"  ({len(rows) - MOST_ROWS} more: give one more word)"]
    return "\n".join(lines[1:])


def alone(word: str) -> str:
    """Return how many rows have one of several words that no row and no file has together."""
    count = sum(map(len, _found([word.casefold()]).values()))
    return f"{count} rows have {word!r}, but none has all words. Leave one out, or try another."


def _stem(word: str) -> str:
    """Return how other forms of a word begin too, in two ways where they do: "trie|try" of "tried"."""
    for end, other in (("ied", "y"), ("ies", "y"), ("y", "ie")):
        if word.endswith(end) and len(word) < SHORTEST_STEM + len(end):
            return f"{word.removesuffix('d').removesuffix('s')}|{word.removesuffix(end)}{other}"
    return word[: max(SHORTEST_STEM, len(word) - 3)]


def _found(words: Sequence[str]) -> dict[Section, Sequence[Sequence[str]]]:
    """Return the rows that have all the words, first those that have them before they name a file, by their table."""
    found: dict[Section, Sequence[Sequence[str]]] = {}
    for section in (*sections(), _sentences(words)):
        rows = [row for row in section.rows if _has(words, section, row)]
        if rows:
            found[section] = sorted(rows, key=lambda row: not _has(words, section, row, files=False))
    return found


def _nearest(words: Sequence[str]) -> dict[Section, Sequence[Sequence[str]]]:
    """Return the files that have all the words anywhere, first those in which they stand nearest to each other."""
    rows: list[tuple[int, str, str]] = []
    for path, text in (*_sources("bot", "cogs", "storage"), *_scripts()):
        if _are_in(words, text):
            lines = text.splitlines()
            at = [[number for number, line in enumerate(lines, start=1) if _are_in([word], line)] for word in words]
            if all(at):
                span, first = min(_span(line, at) for line in at[0])
                rows.append((span, f"`{path}:{first}`", lines[first - 1].strip()))
    section = Section("Files that have all words, nearest to each other first", ("file", "begins with"), ())
    return {section: [row[1:] for row in sorted(rows)]} if rows else {}


def _but_one(words: Sequence[str]) -> dict[Section, Sequence[Sequence[str]]]:
    """Return the rows that have all words but one, of three or more, by their table."""
    found: dict[Section, Sequence[Sequence[str]]] = {}
    for section in sections() if len(words) > 2 else ():
        rows = [row for row in section.rows if sum(_has([word], section, row) for word in words) == len(words) - 1]
        if rows:
            found[section] = rows
    return found


def _span(line: int, at: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return over how many lines words stand about a line, each where it's nearest to that, and the first of them."""
    nearest = [min(lines, key=lambda other: abs(other - line)) for lines in at]
    return max(nearest) - min(nearest), min(nearest)


def _has(words: Sequence[str], section: Section, row: Sequence[str], *, files: bool = True) -> bool:
    cells = zip(section.head, row, strict=True)
    return _are_in(words, " ".join(f"{head} {cell}" for head, cell in cells if cell and (files or ".py" not in cell)))


def _are_in(words: Sequence[str], text: str) -> bool:
    folded = text.casefold()
    return all(any(form in folded for form in word.split("|")) for word in words)


# -- what people do --------------------------------------------------------------------------------------------------


def _commands() -> Iterator[tuple[str, ...]]:
    for cog in COGS:
        for name, made in vars(cog).items():
            if isinstance(made, Command):
                typed = f"`/{made.group} {made.name}`" if made.group else f"`/{made.name}`"
            elif isinstance(made, Menu):
                typed = f"{made.name}, in a menu"
            else:
                continue
            method = f"{cog.__name__}.{name}"
            told = _first_sentence(ast.get_docstring(_source(cog.__module__).functions[method]) or "")
            yield typed, told, f"`{_path(cog.__module__)}: {method}`", _listed(_run_by(cog.__module__, method))


def _actions() -> Iterator[tuple[str, ...]]:
    for name, declared in sorted(ACTIONS.items()):
        work = declared.work
        yield f"`{name}`", _told(work), _place(work), _listed(_run_by(work.__module__, work.__qualname__))


def _listeners() -> Iterator[tuple[str, ...]]:
    for cog in COGS:
        for event, name in cog.__cog_listeners__:
            method = getattr(cog, name)
            runs = _run_by(cog.__module__, method.__qualname__)
            yield f"`{event}`", _place(method), _told(method), _listed(runs)


@dataclass(frozen=True)
class _Source:
    """What a module's text says of names: its functions, those of its classes too, and what it imports."""

    functions: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef]
    imported: Mapping[str, tuple[str, str]]

    def meant(self, node: ast.AST) -> tuple[str, str]:
        """Return the module and the name of what a name, or one in a module, stands for; empty for anything else."""
        match node:
            case ast.Name(id=name) if name in self.imported:
                return self.imported[name]
            case ast.Name(id=name) if name in self.functions:
                return "", name
            case ast.Attribute(value=ast.Name(id="self"), attr=attr):
                return "", next((name for name in self.functions if name.endswith(f".{attr}")), "")
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in self.imported:
                return ".".join(self.imported[name]), attr
            case _:
                return "", ""


@cache
def _source(module: str) -> _Source:
    tree = ast.parse(Path(sys.modules[module].__file__ or "").read_text(encoding="utf-8"))
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    imported: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            imported |= {one.asname or one.name: (node.module or "", one.name) for one in node.names}
        before = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for one in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                functions[f"{before}{one.name}"] = one
                for decorator in one.decorator_list:
                    if isinstance(decorator, ast.Attribute) and isinstance(decorator.value, ast.Name):
                        functions[decorator.value.id] = one  # a table that this function shows
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Name(id=made_of), *_])):
                if made_of in functions:
                    functions[name] = functions[made_of]
            case _:
                pass
    return _Source(functions, imported)


def _run_by(module: str, function: str, seen: frozenset[tuple[str, str]] = frozenset()) -> dict[str, None]:
    """Return the use cases and looks that a function of the cogs runs, itself or through others of them, in order."""
    found: dict[str, None] = {}
    if (module, function) in seen:
        return found
    for there, name, runs in _named_in(module, function):
        if runs:
            found[f"`{_path(there)}: {name}`"] = None
        else:
            found |= _run_by(there, name, seen | {(module, function)})
    return found


@cache
def _named_in(module: str, function: str) -> Sequence[tuple[str, str, bool]]:
    """Return what a function names in order: use cases and looks that it runs, and other functions of the cogs."""
    source = _source(module)
    named: list[tuple[str, str, bool]] = []
    for node in ast.walk(source.functions[function]) if function in source.functions else ():
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            runs = called in _DOORS
            for there, name in map(source.meant, node.args[:2] if runs else [node.func]):
                if there == "bot.steps" or (runs and there.startswith("bot.services.")):
                    named.append((there, name, True))
        there, name = source.meant(node)
        if name and (not there or (there.startswith("cogs.") and not there.startswith("cogs.ui."))):
            named.append((there or module, name, False))
    return named


# -- the tables of the house -----------------------------------------------------------------------------------------


def _events() -> Iterator[tuple[str, ...]]:
    for event, listeners in wiring.LISTENERS.items():
        told = [
            path for path, text in _sources("bot/services") if re.search(rf"\bhappened\(\s*{event.__name__}\(", text)
        ]
        for listener in listeners:
            named = f"{event.__name__}: {_told(event)}"
            yield named, "<br>".join(f"`{path}`" for path in told), _place(listener), _told(listener)


def _jobs() -> Iterator[tuple[str, ...]]:
    for job in wiring.ASKED.jobs:
        yield job.words.format("..."), _place(job.find), _place(job.done)
    for question in wiring.QUESTIONS:
        if question.silence is not None:
            yield question.words.format("..."), _declaration(question, "bot.services."), _place(question.silence)
    for job in wiring.ASKED.later_jobs:
        yield job.words.format("..."), _place(job.find), _place(job.done)


def _questions() -> Iterator[tuple[str, ...]]:
    for question in wiring.QUESTIONS:
        told = "Nothing by itself." if question.silence is None else _told(question.silence)
        yield f"`{question.kind}`", _declaration(question, "bot.services."), told


def _waits() -> Iterator[tuple[str, ...]]:
    for wait in wiring.ASKED.waits:
        yield wait.name.replace("_", " "), _declaration(wait, "bot.services.")


def _posts() -> Iterator[tuple[str, ...]]:
    for kind in post_kinds.every():
        load = wiring.LOADS.get(kind, kind.load)
        yield f"`{kind}`", _declaration(kind, "bot.services."), _place(load), _place(RENDERED[kind])


def _personal() -> Iterator[tuple[str, ...]]:
    for held in wiring.ASKED.personal:
        parts = (held.forget, held.merge, held.withdraw, held.new_account)
        yield tuple("" if part is None else _place(part) for part in parts)


def _meetings() -> Iterator[tuple[str, ...]]:
    done = {
        name: _listed(_run_by(event.do.__module__, event.do.__qualname__.partition(".")[0]))
        for name, event in EVENTS.items()
    }
    for held, cells in TABLE.items():
        for happens, becomes in cells.items():
            yield held, happens, becomes, done[happens]


def _settings() -> Iterator[tuple[str, ...]]:
    sources = [one for one in _sources("bot", "cogs", "storage") if one[0] != "bot/league/season/settings.py"]
    for key in SETTINGS:
        using = [path for path, text in sources if re.search(rf"settings(_of\([^()]*\))?\.{key}\b", text)]
        yield f"`{key}`", "<br>".join(f"`{path}`" for path in using)


def _files() -> Iterator[tuple[str, ...]]:
    for path, tree in _trees():
        if len(tree.body) > 1 and (told := ast.get_docstring(tree)):
            yield f"`{path}`", " ".join(told.split())
    for path, text in _scripts():
        yield f"`{path}`", text.partition("\n")[0].strip("/* ")


def _documented() -> Iterator[tuple[str, ...]]:
    for path, tree in _trees():
        for body in [tree.body, *(kind.body for kind in tree.body if isinstance(kind, ast.ClassDef))]:
            for node, after in pairwise([*body, ast.Pass()]):
                match node, after:
                    case ((ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name)), _):
                        told = ast.get_docstring(node)
                    case (
                        ast.Assign(targets=[ast.Name() | ast.Tuple() as target]) | ast.AnnAssign(target=target),
                        ast.Expr(value=ast.Constant(value=str(told))),
                    ):
                        name = ast.unparse(target).strip("()")
                    case _:
                        continue
                if told:
                    yield f"`{path}: {name}`", _first_sentence(told)
    for path, text in _scripts():
        for told, name in _JAVASCRIPT.findall(text):
            yield f"`{path}: {name}`", " ".join(told.replace("\n   *", " ").split())


@cache
def _trees() -> Sequence[tuple[str, ast.Module]]:
    return [(path, ast.parse(text)) for path, text in _sources("bot", "cogs", "storage")]


def _sentences(words: Sequence[str]) -> Section:
    """Return the sentences of the files that have all the words: to read them all takes some seconds."""
    paths = [path for path, text in _sources("bot", "cogs", "storage") if _are_in(words, f"{path} {text}")]
    rows = [(text, f"`{place}`") for path in paths for place, text in of_file(ROOT / path)]
    return Section("Sentences people see", ("sentence", "stands in"), rows)


# -- words -----------------------------------------------------------------------------------------------------------


@cache
def _sources(*folders: str) -> Sequence[tuple[str, str]]:
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return [(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in paths]


@cache
def _scripts() -> Sequence[tuple[str, str]]:
    paths = sorted((ROOT / "bot").rglob("*.js"))
    return [(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in paths]


def _told(what: Callable[..., Any]) -> str:
    return _first_sentence(inspect.getdoc(what) or "")


def _first_sentence(docstring: str) -> str:
    return re.split(r"(?<=\.)\s", " ".join(docstring.split()))[0].replace("|", "\\|")


def _place(what: Any) -> str:
    """Return the file and the name of a function, or of a query that is a value."""
    named = inspect.isfunction(what)
    return f"`{_path(what.__module__)}: {what.__qualname__}`" if named else _declaration(what, "storage.tables.")


def _declaration(what: object, within: str) -> str:
    """Return the file and the name of a value, where it is declared."""
    modules = (name for name in sorted(sys.modules) if name.startswith(within) and name != wiring.__name__)
    found = [(module, name) for module in modules for name, value in vars(sys.modules[module]).items() if value is what]
    module, name = next(one for one in found if one[1] not in _source(one[0]).imported)
    return f"`{_path(module)}: {name}`"


def _path(module: str) -> str:
    there = Path(sys.modules[module].__file__ or "")
    return str(there.relative_to(ROOT))


def _listed(found: Iterable[str]) -> str:
    return "<br>".join(found)


if __name__ == "__main__":
    gc.disable()  # all that is read is kept to the end
    match sys.argv[1:]:
        case []:
            sys.exit("Use: python -m tests.where WORDS")
        case words:
            print(answer(*words) or "\n".join(map(alone, words)))
