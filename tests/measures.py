"""How the house measures up: `python -m tests.measures` prints sizes, import chains and the path of `/report`."""

import ast
import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
HOUSE = ("bot", "cogs", "storage")
SERVICES = ROOT / "bot" / "services"
LONGEST_FILE = 400
GENDERED = re.compile(r"\b(he|his|him|himself|she|her|hers|herself)\b")


def sources(*folders: str, ending: str = "py") -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob(f"*.{ending}"))


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
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


async def path_of_report() -> tuple[list[str], list[str]]:
    """Return the service files and functions a `/report` runs through until its posts are shown."""
    from tests.cogs.conftest import open_world

    with tempfile.TemporaryDirectory() as folder:
        async with open_world(Path(folder)) as world:
            await world.started(players=4)
            player, _ = world.sides(world.open_matches()[0])
            seen: set[CodeType] = set()
            sys.setprofile(lambda frame, event, _: _note(seen, frame, event))
            try:
                await player.slash(world.channel, "report", result="won")
            finally:
                sys.setprofile(None)
    functions = sorted(f"{Path(code.co_filename).relative_to(SERVICES)}: {code.co_qualname}" for code in seen)
    return sorted({Path(code.co_filename).relative_to(SERVICES).as_posix() for code in seen}), functions


def _note(seen: set[CodeType], frame: FrameType, event: Any) -> None:
    code = frame.f_code
    inside = code.co_filename.startswith(str(SERVICES)) and not re.search(
        r"<(genexpr|lambda|\w+comp|module)>", code.co_name
    )
    if event == "call" and inside:
        seen.add(code)


def main() -> None:
    files, functions = asyncio.run(path_of_report())
    folder, most = fullest_folder("bot/services")
    chain = longest_chain()
    print(f"lines of {', '.join(HOUSE)}: {lines()}")
    print(f"most files in one folder of services: {most} ({folder})")
    print(f"service files on the path of /report: {len(files)} ({', '.join(files)})")
    print(f"service functions on the path of /report: {len(functions)}")
    print(*(f"  {function}" for function in functions), sep="\n")
    print(f"longest import chain inside services: {len(chain)} ({' > '.join(chain)})")
    print(f"files over {LONGEST_FILE} lines: {', '.join(long_files()) or 'none'}")
    print(f"fmt: skip: {len(places('# fmt: ' + 'skip', *HOUSE))}")
    print(f"he, his, him: {len(places(GENDERED, *HOUSE))}")


if __name__ == "__main__":
    main()
