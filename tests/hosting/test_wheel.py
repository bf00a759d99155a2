"""The wheel in an empty environment, put there by a real pip: a command, every data file, nothing for developers."""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from bot.league.checking.league_file.writing import to_json
from tests.league.builders import play_rounds, season_of_file
from tests.test_program import ROOT

pytestmark = [pytest.mark.long, pytest.mark.together, pytest.mark.timeout(600)]

FOLDERS = ("bot", "cogs", "storage")


def commands_of(home: Path, *installed: str | Path) -> Path:
    """Return where the commands of a new environment are, in which only this is installed."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    place = home / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", place / "python"]
    pip += ["install", "--quiet", "--use-pep517", "--no-compile"]  # what runs compiles what it imports
    subprocess.run([*pip, "--constraint", ROOT / "constraints.txt", *installed], check=True)
    return place


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that can build what pyproject.toml asks for."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    return commands_of(tmp_path_factory.mktemp("builder"), *needed) / "python"


def built(builder: Path, kind: str, source: Path, into: Path) -> Path:
    into.mkdir()
    script = f"from setuptools import build_meta; build_meta.build_{kind}({str(into)!r})"
    subprocess.run([builder, "-c", script], cwd=source, check=True, capture_output=True)
    return next(into.iterdir())


@pytest.fixture(scope="module")
def archive(builder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive of what git knows, without what lies about in this folder."""
    folder = tmp_path_factory.mktemp("archive")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("only a checkout says which files belong to it")
    copied = folder / "source"
    for name in filter(None, listed.stdout.decode().split("\0")):
        (copied / name).parent.mkdir(parents=True, exist_ok=True)
        (copied / name).write_bytes((ROOT / name).read_bytes())
    return built(builder, "sdist", copied, folder / "sdist")


@pytest.fixture(scope="module")
def wheel(builder: Path, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive as pip builds one."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(archive) as packed:
        # Python 3.11.2, that of Debian 12, knows no filters yet.
        packed.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return built(builder, "wheel", next(folder.iterdir()), folder / "dist")


@pytest.fixture(scope="module")
def commands(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment in which nothing but the wheel and what it needs is installed."""
    return commands_of(tmp_path_factory.mktemp("environment"), wheel)


def tracked(*folders: str) -> set[str]:
    done = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, check=True)
    return set(filter(None, done.stdout.decode().split("\0")))


def test_the_wheel_has_every_file_of_the_program_and_none_for_developers(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
    assert names == {name for name in tracked(*FOLDERS) if not name.startswith("bot/practice/")}


def test_the_source_archive_has_every_file(archive: Path) -> None:
    with tarfile.open(archive) as packed:
        names = {member.name.partition("/")[2] for member in packed if member.isfile()}
    assert tracked() - names == {".gitignore"}


def test_a_package_page_has_a_licence_pythons_and_links_that_work(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        said = message_from_bytes(packed.read(next(name for name in packed.namelist() if name.endswith("/METADATA"))))
    assert said["License-Expression"] == "MIT"
    pythons = {line.rpartition(" ")[2] for line in said.get_all("Classifier", []) if "Python :: 3." in line}
    assert pythons == {"3.11", "3.12", "3.13", "3.14"}
    page = str(said.get_payload())
    assert page.split("](")[1:]
    assert all(rest.startswith("https://") for rest in page.split("](")[1:])
    assert wheel.name in page


def test_it_runs_in_an_empty_environment(commands: Path, tmp_path: Path) -> None:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "DISCORD"))}

    def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True, check=False)

    lean = run(commands / "python", "-P", ROOT / "tests" / "lean.py")
    assert lean.returncode == 0, lean.stdout + lean.stderr
    version = run(commands / "fairpair", "--version")
    assert version.stdout == run(commands / "python", "-P", "-m", "bot", "--version").stdout == "fairpair 0.4.0\n"

    season = play_rounds(season_of_file("ohs", 8), rounds=2)
    (tmp_path / "season.json").write_text(to_json(season), encoding="utf-8")
    assert run(commands / "fairpair", "verify", "season.json").returncode == 0
    without_token = run(commands / "fairpair")
    assert without_token.returncode == 2
    assert without_token.stderr.count("\n") == 1
    assert "DISCORD_TOKEN" in without_token.stderr
