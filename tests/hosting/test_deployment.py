"""The container and the service: what they name exists, and what the container copies isn't left out."""

import re
import subprocess
import sys

from bot.hosting import checkpoints
from storage.files import wal_reset
from tests.test_program import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_the_container_copies_what_there_is_and_no_more_than_is_sent_to_it() -> None:
    copied = {
        name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()
    }
    sent = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))
    assert copied == sent
    assert all((ROOT / name).exists() for name in copied)


def test_the_container_runs_the_bot_as_a_user_of_its_own_on_its_volume() -> None:
    last = DOCKERFILE.rpartition("FROM ")[2]
    for line in ("USER fairpair", "WORKDIR /data", "VOLUME /data", 'ENTRYPOINT ["python", "-m", "bot"]', 'CMD ["run"]'):
        assert f"\n{line}\n" in f"{last}\n"
    assert last.index("USER fairpair") < last.index("ENTRYPOINT")


def test_the_container_is_built_only_with_a_sqlite_without_the_bug() -> None:
    last = DOCKERFILE.rpartition("FROM ")[2]
    assert f"assert sqlite3.sqlite_version_info >= {wal_reset.FIXED}, " in last


def test_the_pages_for_hosts_name_the_versions_of_both_sides() -> None:
    fixed = ".".join(map(str, wal_reset.FIXED))
    for page in ("scale.md", "hosting.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert f"SQLite {fixed}" in text
        assert f"Litestream {checkpoints.LITESTREAM}" in text
    older = (".".join(map(str, version)) for version in wal_reset.FIXED_IN_OLDER.values())
    assert all(version in (ROOT / "docs" / "scale.md").read_text(encoding="utf-8") for version in older)


def test_the_service_keeps_its_data_where_it_may_write() -> None:
    unit = dict(
        line.split("=", 1)
        for line in (ROOT / "deploy" / "fairpair.service").read_text(encoding="utf-8").splitlines()
        if "=" in line and not line.startswith("#")
    )
    assert unit["WorkingDirectory"] == f"/var/lib/{unit['StateDirectory']}"
    assert unit["ProtectSystem"] == "strict"
    assert unit["ExecStart"].endswith("python -m bot run")
    assert unit["RestartPreventExitStatus"] == "2"


def test_compose_passes_on_every_setting_and_keeps_its_own_two() -> None:
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert "    env_file: .env\n" in compose
    own = compose.partition("environment:\n")[2].partition("volumes:")[0]
    assert re.findall(r"^      (\w+):", own, re.MULTILINE) == ["DISCORD_TOKEN", "DATABASE", "HEALTH_PORT"]
    assert re.search(r"DATABASE=(\S+) HEALTH_PORT=(\d+)", DOCKERFILE).groups() == ("/data/league.db", "8080")  # type: ignore[union-attr]
    assert "DATABASE: /data/league.db" in own
    assert 'HEALTH_PORT: "8080"' in own


def test_an_older_python_is_told_in_one_line() -> None:
    script = "import sys; sys.version_info = (3, 10, 13); import bot"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Fairpair needs Python 3.11 or newer; this is Python ")
    assert done.stderr.count("\n") == 1
