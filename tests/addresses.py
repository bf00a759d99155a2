"""Write `[project.urls]` of pyproject.toml into the pages that name addresses: python -m tests.addresses."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = tuple(ROOT / name for name in ("README.md", "docs/hosting.md", "docs/discord-directory.md"))


def addresses() -> dict[str, str]:
    """Return the addresses a publisher enters, by their names."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]


def written(text: str) -> str:
    """Return a page with these addresses in its commands and rows."""
    text = re.sub(r"(?<=git clone )\S+", addresses()["Source"], text)
    for name, address in addresses().items():
        text = re.sub(rf"(?<=^\| {name} \| )\S+(?= \|$)", address, text, flags=re.MULTILINE)
    return text


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
