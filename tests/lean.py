"""Check an installation without the practice and development parts, run by its own Python: `make lean`."""

import importlib
import pkgutil
import subprocess
import sys

SEASON = b'{"fairpair": 1, "league": "L", "season": 1, "format": "ohs", "players": [{"name": "a"}, {"name": "b"}]}'


def modules() -> list[str]:
    """Return the modules that must be importable."""
    packages = [importlib.import_module(name) for name in ("bot", "cogs", "storage")]
    found = [
        info.name for package in packages for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    return [name for name in found if not name.endswith("__main__")]


def exit_code(*args: str, given: bytes = b"") -> int:
    return subprocess.run([sys.executable, "-m", "bot", *args], input=given, check=False).returncode


if __name__ == "__main__":
    for name in modules():
        importlib.import_module(name)
    assert exit_code("--help") == exit_code("--version") == 0
    assert exit_code("pair", "-", given=SEASON) == exit_code("standings", "-", given=SEASON) == 0
    assert exit_code("doctor") in (0, 1)
    assert exit_code("practice") == 2
    print(f"{len(modules())} modules imported")
