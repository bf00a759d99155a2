"""How the house measures up: `python -m tests.measures` prints sizes, import chains and the paths of two commands."""

import ast
import asyncio
import contextlib
import glob
import re
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

from storage.database import Connection, Database

ROOT = Path(__file__).parents[1]
HOUSE = ("bot", "cogs", "storage")
SERVICES = ROOT / "bot" / "services"
LONGEST_FILE = 400
NAMELESS = re.compile(r"<(genexpr|lambda|\w+comp|module)>")
STATEMENTS = {function.__code__ for name, function in vars(Connection).items() if name.startswith("execute")}
Note = Callable[[FrameType, str, object], None]
GENDERED = re.compile(r"\b(he|his|him|himself|she|her|hers|herself)\b")


def sources(*folders: str, ending: str = "py") -> list[Path]:
    """Return the files of these folders, also of those that are links, as most are in a copy with a planted fault."""
    found = (glob.iglob(f"{folder}/**/*.{ending}", root_dir=ROOT, recursive=True) for folder in folders)
    return sorted(ROOT / name for names in found for name in names)


def line_count(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def lines() -> int:
    """Lines of the product: Python, SQL, and what the practice page adds."""
    return sum(
        line_count(path) for ending in ("py", "sql", "css", "js", "svg") for path in sources(*HOUSE, ending=ending)
    )


def fullest_folder(*folders: str) -> tuple[str, int]:
    """Return the folder with the most Python files, `__init__` aside, and how many."""
    counted = Counter(path.parent for path in sources(*folders) if path.name != "__init__.py")
    folder, count = counted.most_common(1)[0]
    return str(folder.relative_to(ROOT)), count


def long_files() -> list[str]:
    return [str(path.relative_to(ROOT)) for path in sources(*HOUSE) if line_count(path) > LONGEST_FILE]


def places(pattern: str | re.Pattern[str], *folders: str) -> list[str]:
    """Return each line of Python that matches, as `file:line`."""
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources(*folders)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(pattern, line)
    ]


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports() -> dict[str, set[str]]:
    """Return which modules of the services import which others of them."""
    modules = {module(path): path for path in sources("bot/services")}
    return {name: {one for one in _imported(path) if one in modules and one != name} for name, path in modules.items()}


def _imported(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    checked = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for node in [one for part in tree.body if part not in checked for one in ast.walk(part)]:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def longest_chain() -> list[str]:
    """Return the longest chain of service modules in which each imports the next; packages themselves hold nothing."""
    graph = {name: sorted(found - _packages()) for name, found in imports().items()}

    @cache
    def chain(name: str) -> tuple[str, ...]:
        return (name, *max((chain(one) for one in graph[name]), key=len, default=()))

    return [name.removeprefix("bot.services.") for name in max(map(chain, graph), key=len)]


def _packages() -> set[str]:
    return {module(path) for path in sources("bot/services") if path.name == "__init__.py"}


@dataclass
class Course:
    """What one action runs through until its posts are shown, in all threads."""

    name: str
    seen: set[CodeType] = field(default_factory=set[CodeType])
    statements: int = 0

    @property
    def files(self) -> list[str]:
        return sorted({Path(code.co_filename).relative_to(SERVICES).as_posix() for code in self.seen})

    @property
    def functions(self) -> list[str]:
        return sorted(f"{Path(code.co_filename).relative_to(SERVICES)}: {code.co_qualname}" for code in self.seen)

    def note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code in STATEMENTS:
            self.statements += 1
        elif event == "call" and code.co_filename.startswith(str(SERVICES)) and not NAMELESS.match(code.co_name):
            self.seen.add(code)


async def courses() -> list[Course]:
    """Let a player of a league of 4 report the last match of a round, and the other confirm: the next one is posted."""
    from tests.cogs.conftest import open_world

    with tempfile.TemporaryDirectory() as folder:
        async with open_world(Path(folder)) as world:
            await world.started(players=4)
            first, last = (world.sides(match) for match in world.open_matches())
            await first[0].slash(world.channel, "report", result="lost")
            report = Course("/report")
            async with every_thread(world.env.bot.database, report.note):
                await last[0].slash(world.channel, "report", result="won")
            confirm = Course("/confirm, with the next round")
            async with every_thread(world.env.bot.database, confirm.note):
                await last[1].slash(world.channel, "confirm")
            assert world.open_matches()
    return [report, confirm]


@contextlib.asynccontextmanager
async def every_thread(db: Database, note: Note) -> AsyncIterator[None]:
    """Note what runs in the event loop's thread and in those of the database."""
    await _profile(db, note)
    try:
        yield
    finally:
        await _profile(db, None)


async def _profile(db: Database, note: Note | None) -> None:
    for thread in (db._writer, *db._idle._queue):
        await thread.run(lambda _: sys.setprofile(note))
    sys.setprofile(note)


def main() -> None:
    folder, most = fullest_folder("bot/services")
    chain = longest_chain()
    print(f"lines of {', '.join(HOUSE)}: {lines()}")
    print(f"most files in one folder of services: {most} ({folder})")
    print(f"longest import chain inside services: {len(chain)} ({' > '.join(chain)})")
    print(f"files over {LONGEST_FILE} lines: {', '.join(long_files()) or 'none'}")
    print(f"fmt: skip: {len(places('# fmt: ' + 'skip', *HOUSE))}")
    print(f"he, his, him: {len(places(GENDERED, *HOUSE))}")
    for course in asyncio.run(courses()):
        counts = f"{len(course.files)} service files, {len(course.functions)} functions, {course.statements} statements"
        print(f"the path of {course.name}: {counts}")
        print(*(f"  {function}" for function in course.functions), sep="\n")


if __name__ == "__main__":
    main()
