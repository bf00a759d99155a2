"""The workflow of a public forge: what it leaves out exists, and is all that needs files beside the project."""

import re

from tests.test_program import ROOT

WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
NEEDS = re.compile(r"^@pytest\.mark\.skipif\(not CODEX\.exists\(\).*\n(?:@.*\n)*(?:async )?def (\w+)", re.MULTILINE)


def test_what_needs_files_beside_the_project_is_left_out_by_name() -> None:
    needing = {
        f"{path.relative_to(ROOT).as_posix()}::{name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in NEEDS.findall(path.read_text(encoding="utf-8"))
    }
    assert needing
    assert set(re.findall(r"--deselect (\S+)", WORKFLOW)) == needing


def test_every_supported_python_is_tried() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    assert f"python: {named}".replace("'", '"') in WORKFLOW
