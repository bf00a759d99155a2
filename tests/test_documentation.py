"""The documentation against the code: what it names exists, and what exists is named."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from bot.__main__ import main
from bot.client import LeagueBot
from bot.league.counting.draw import Draw, Purpose
from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.league.season.model import Name
from bot.league.season.settings import SETTINGS
from bot.settings import Settings
from cogs.wiring import COGS
from storage.database import Database
from tests import settings_page, where
from tests.practice.documentation import PICTURES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs").rglob("*.md"))
DOCUMENTS = (*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")), *PAGES)
OF_FORMATS = sorted((ROOT / "docs" / "formats").glob("*.md"))
"""The pages of the rules."""
CODED = "\n".join(path.read_text(encoding="utf-8") for path in OF_FORMATS)
VECTORS = {
    case["id"]
    for file in sorted((ROOT / "tests" / "vectors").glob("*.json"))
    for case in json.loads(file.read_text(encoding="utf-8"))["cases"]
}
VARIABLES = (
    "DISCORD_TOKEN",
    "DATABASE",
    "BACKUPS",
    "LOG_LEVEL",
    "LOG_FORMAT",
    "HEALTH_PORT",
    "SITE",
    "SITE_PORT",
    "SITE_URL",
    "DEV_GUILD",
    "SHARD_IDS",
    "SHARD_COUNT",
)


Command = app_commands.Command[Any, ..., Any]


@pytest.fixture
async def tree(tmp_path: Path) -> dict[str, Command]:
    bot = LeagueBot(Settings.from_env({}))
    async with bot:
        bot.database = await Database.open(tmp_path / "league.db")
        for cog in COGS:
            await bot.add_cog(cog(bot))
        return {f"/{command.qualified_name}": command for command in _leaves(bot.tree.get_commands())}


@pytest.fixture
def commands(tree: dict[str, Command]) -> list[str]:
    return sorted(tree)


def _leaves(commands: Sequence[object]) -> Iterator[Command]:
    for command in commands:
        if isinstance(command, app_commands.Group):
            yield from _leaves(list(command.commands))
        elif isinstance(command, app_commands.Command):
            yield command


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return next(part for part in parts if part.startswith(f"{title}\n"))


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_the_index_leads_to_every_page() -> None:
    assert "(docs/README.md)" in README
    index = page("README")
    assert [
        path.name
        for path in PAGES
        if path.name != "README.md" and f"]({path.relative_to(ROOT / 'docs').as_posix()})" not in index
    ] == []


def test_the_page_of_commands_lists_each_and_no_other(commands: list[str]) -> None:
    named = re.findall(r"`(/[a-z-]+(?: [a-z-]+)?)`", section(page("commands"), "On Discord"))
    assert sorted(named) == commands


def test_the_page_of_settings_has_the_tables_of_the_records() -> None:
    there = settings_page.PAGE.read_text(encoding="utf-8")
    assert all(f"| `{key}` |" in there for key in SETTINGS)
    assert settings_page.written(there) == there, "python -m tests.settings_page writes them"


@pytest.mark.long
def test_where_is_answered_from_the_code() -> None:
    assert all(section.rows for section in where.sections())
    assert "cogs/play/reports.py: Results.report" in where.answer("/report")
    assert "bot/services/play" in where.answer("RoundPosted")
    assert "cogs/ui/actions.py:" in where.answer("That button no longer works")
    assert not where.answer("no such word")


@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
def test_the_rules_name_the_settings_of_each_format_with_its_defaults(format_: Format) -> None:
    [line] = re.findall(rf"^\*\*Settings of `{format_.key}`\.\*\* (.*)$", CODED, flags=re.MULTILINE)
    said = dict(re.findall(r"^`(\w+)` (.*)$", line.replace(" · ", "\n"), flags=re.MULTILINE))
    assert {*format_.own_settings, *format_.defaults} <= said.keys() <= {*format_.settings_keys}
    for key, words in said.items():
        assert re.match(rf"{re.escape(settings_page.default_words(format_, key))}\b", words), key


def test_the_page_for_hosts_and_the_example_list_every_variable() -> None:
    rows = [line.split("|")[1] for line in section(page("hosting"), "Settings").splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`([A-Z_]+)`", " ".join(rows))) == sorted(VARIABLES)
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^([A-Z_]+)=", example, flags=re.MULTILINE)) == sorted(VARIABLES)


def test_the_example_settings_are_read_without_complaint() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert Settings.from_env(given) == Settings()


def test_the_page_of_commands_lists_every_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    known = re.findall(r"^    ([a-z]+) +", capsys.readouterr().out, flags=re.MULTILINE)
    named = re.findall(r"`(?:python -m bot )?([a-z]+)(?: [^`]*)?`", section(page("commands"), "In a shell"))
    assert {"run", "verify"} <= set(known) <= set(named)


def test_every_format_has_its_row_and_its_page() -> None:
    for format_ in ALL:
        assert f"| {format_.title}, `{format_.key}` |" in section(README, "Which formats are there?")
        own = (ROOT / "docs" / "formats" / f"{format_.key}.md").read_text(encoding="utf-8")
        assert own.startswith(f"# {format_.title} (`{format_.key}`)\n")


def rules() -> list[dict[str, str]]:
    """Return the rows of the tables of rules: `rule`, `document`, `code` and perhaps `vectors`."""
    tables = re.findall(r"^(\| rule \|.*\n)\|[-|]+\n((?:\|.*\n)+)", CODED, flags=re.MULTILINE)
    cells = [[row.strip("| \n").split(" | ") for row in (head, *rows.splitlines())] for head, rows in tables]
    return [dict(zip(head, row, strict=True)) for head, *rows in cells for row in rows]


def coded_rows() -> list[tuple[str, str]]:
    """Return the rules, each with the function that its row names."""
    return [(row["rule"], row["code"].strip("`")) for row in rules()]


@cache
def defined(path: str) -> frozenset[str]:
    """Return what a module defines: functions, classes, and what its classes hold."""
    tree = ast.parse((ROOT / "bot" / "league" / path).read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
            annotated = (part.target for part in node.body if isinstance(part, ast.AnnAssign))
            found |= {f"{node.name}.{target.id}" for target in annotated if isinstance(target, ast.Name)}
    return frozenset(found)


@pytest.mark.parametrize(("rule", "code"), coded_rows())
def test_every_rule_names_a_function_that_exists(rule: str, code: str) -> None:
    path, _, name = code.partition(": ")
    assert name in defined(path), rule


def test_every_page_of_the_rules_names_its_code_and_documents() -> None:
    assert all("| rule | document | code |" in path.read_text(encoding="utf-8") for path in OF_FORMATS)
    assert len(rules()) == len(re.findall(r"^\| .+\.py: .+\|$", CODED, flags=re.MULTILINE))
    assert all(row["document"] for row in rules())


def test_the_rules_name_each_vector_and_no_other() -> None:
    named = {name for row in rules() for name in row.get("vectors", "–").split() if name != "–"}
    assert named == VECTORS


@pytest.mark.parametrize("name", ["development", "reliability", "scale", "checking"])
def test_every_file_and_folder_of_the_code_that_a_page_names_is_there(name: str) -> None:
    ours = [
        f"/{path.relative_to(ROOT)}"
        for folder in ("bot", "cogs", "storage", "tests")
        for path in (ROOT / folder).rglob("*")
    ]
    named = set(re.findall(r"`((?:[\w-]+/)+[\w-]+(?:\.(?:py|js|html))?|[\w-]+\.(?:py|js|html))`", page(name)))
    assert [path for path in sorted(named) if not any(file.endswith(f"/{path}") for file in ours)] == []


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(p for extra in project["optional-dependencies"].values() for p in extra)]
    for requirement in wanted:
        name = re.split(r"[=<>\[]", requirement)[0]
        assert re.search(
            rf"^\|.*\b{re.escape(name)}\b.*\|.+\|$", section(page("development"), "Packages"), flags=re.MULTILINE
        ), name


def test_links_and_pictures_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (document.parent / target).exists(), target


def test_each_picture_is_shown_and_can_be_taken_again() -> None:
    shown = {
        Path(found).name for text in DOCUMENTS for found in re.findall(r"\]\(([^)]+\.png)\)", text.read_text("utf-8"))
    }
    taken = {f"{name}.png" for name in PICTURES}
    assert shown == taken == {picture.name for picture in (ROOT / "docs").glob("*.png")}


def test_the_documents_name_only_commands_that_exist(commands: list[str]) -> None:
    known = {part for command in commands for part in (command, command.split()[0])}
    for document in DOCUMENTS:
        for named in re.findall(r"`(/[a-z-]+(?: [a-z-]+)?)(?=[` ])", document.read_text(encoding="utf-8")):
            assert named in known or named.split()[0] in commands, f"{document.name}: {named}"


def test_the_documents_name_only_options_that_exist_and_leave_out_none_a_command_needs(
    tree: dict[str, Command],
) -> None:
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for name, given in re.findall(r"`(/[a-z-]+(?: [a-z-]+)??) ?([a-z_]+:[^`\n]*)?`", text):
            if given:
                options = set(re.findall(r"\b([a-z_]+):(?!/)", given))
                assert options <= {one.display_name for one in tree[name].parameters}, (path.name, name, given)
        for name in re.findall(r"`(/[a-z-]+(?: [a-z-]+)?)`[^|.]*without options", text):
            assert not [one for one in tree[name].parameters if one.required], f"{path.name}: {name} needs an option"


def test_the_shell_line_of_the_documentation_gives_the_documented_draw() -> None:
    assert "printf '%s' '7/1/order/Zoë' | sha256sum" in page("checking")
    value = Draw(season=7, round=1).value(Purpose.ORDER, Name("Zoë"))
    assert value.startswith("3ecd1414f3f9ebb1")


def test_every_test_the_page_on_reliability_names_is_there() -> None:
    named = re.findall(r"tests/[a-z_/]+\.py", page("reliability"))
    assert named
    assert [path for path in named if not (ROOT / path).is_file()] == []
