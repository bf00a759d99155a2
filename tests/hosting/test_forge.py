"""The workflow of a public forge runs what `.ci/run` does, but for what needs files beside the project."""

import json
import re

from tests.conftest import share_of
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


def test_every_part_of_the_gate_is_run() -> None:
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    parts = set(re.findall(r"^(?:part|beside) (make .+?)(?: \|\|.*)?$", gate, re.MULTILINE))
    assert parts
    assert parts <= set(re.findall(r"- run: (.+)$", WORKFLOW, re.MULTILINE))


def test_the_shares_make_a_whole() -> None:
    shares = json.loads(re.search(r"share: (\[.+\])", WORKFLOW).group(1))
    tests = list(range(100))
    assert sorted(test for share in shares for test in share_of(tests, share)) == tests
