"""What a tag releases, the practice server in a container, and the file that opens it beside the code."""

import json
import re
from pathlib import Path

import pytest

from tests import addresses, release
from tests.hosting.test_deployment import DOCKERFILE
from tests.test_program import ROOT

VERSION = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]  # type: ignore[index]
ENTERED = {name: f"https://{name.split()[0].lower()}.example.org/x" for name in addresses.addresses()}


def test_the_notes_of_a_release_are_the_change_log_s_section(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "addresses", lambda: ENTERED)
    release.main(f"v{VERSION}", str(tmp_path / "notes.md"))
    written = (tmp_path / "notes.md").read_text(encoding="utf-8")
    assert f"\n\n{written.strip()}\n" in f"\n\n{section_of(VERSION)}\n"
    assert "\n## " not in written
    assert capsys.readouterr().out == "image=container.example.org/x\nregistry=container.example.org\n"


def section_of(version: str) -> str:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return log.split(f"## {version}\n")[1].split("\n## ")[0].strip()


def test_a_tag_that_isn_t_the_version_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"^The tag is v9\.9\.9, and pyproject\.toml says version "):
        release.notes("v9.9.9")


def test_nothing_is_released_while_an_address_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {**ENTERED, "Source": "https://fairpair.example/fairpair.git"}
    monkeypatch.setattr(release, "addresses", lambda: given)
    with pytest.raises(SystemExit, match="has no address yet for: Source"):
        release.image()


def test_the_workflow_of_a_release_runs_what_there_is() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert 'run: python -m tests.release "$GITHUB_REF_NAME" notes.md' in workflow
    assert all((ROOT / path).is_file() for path in re.findall(r"tests/\S+\.py", workflow))


def test_the_practice_server_s_container_has_the_ports_it_publishes() -> None:
    compose = (ROOT / "compose.practice.yaml").read_text(encoding="utf-8")
    target = re.search(r"^      target: (\w+)$", compose, re.MULTILINE)
    assert target
    stage = DOCKERFILE.partition(f" AS {target[1]}\n")[2].partition("\nFROM ")[0]
    served = re.search(r"for port in ([\d ]+);", stage)
    assert served
    assert re.findall(r"127\.0\.0\.1:(\d+):\1", compose) == served[1].split()
    assert f"practice --port {served[1].split()[0]}" in stage


def test_the_development_container_shows_the_same_ports() -> None:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    settings = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    assert settings["forwardPorts"] == [8765, 8766] == [int(port) for port in settings["portsAttributes"]]
    assert settings["postCreateCommand"] == "make setup"
    assert settings["postAttachCommand"] == "make run"
