"""Say what a tag releases: python -m tests.release TAG NOTES writes its notes and prints where the image goes.

It refuses a tag that isn't the version, a version the change log doesn't name, and addresses nobody has entered.
"""

import re
import sys
import tomllib
from pathlib import Path

from tests.addresses import ROOT, addresses


def notes(tag: str) -> str:
    """Return what the change log says of a tag's version; ends the program with what is missing."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if tag != f"v{version}":
        sys.exit(f"The tag is {tag}, and pyproject.toml says version {version}.")
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(version)}\n(.+?)(?=^## |\Z)", log, flags=re.MULTILINE | re.DOTALL)
    if section is None:
        sys.exit(f"CHANGELOG.md has no section {version}.")
    return section[1].strip() + "\n"


def image() -> str:
    """Return the name of the image; ends the program where an address isn't entered."""
    missing = [name for name, address in addresses().items() if address.split("/")[2].endswith(".example")]
    if missing:
        sys.exit(f"[project.urls] in pyproject.toml has no address yet for: {', '.join(missing)}.")
    return addresses()["Container image"].removeprefix("https://")


def main(tag: str, path: str) -> None:
    """Write the notes, and print what the workflow needs to know."""
    Path(path).write_text(notes(tag), encoding="utf-8")
    name = image()
    print(f"image={name}\nregistry={name.partition('/')[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
