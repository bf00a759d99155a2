"""The program's own settings: all that is wrong is named at once."""

import dataclasses
from pathlib import Path

import pytest

from bot.settings import Settings, SettingsError

EXAMPLE = Path(__file__).parents[1] / ".env.example"


def test_everything_has_a_default() -> None:
    settings = Settings.from_env({})
    assert (settings.token, settings.database, settings.log_level) == (None, Path("league.db"), "INFO")
    assert (settings.dev_guild, settings.shard_ids, settings.shard_count) == (None, None, None)


def test_everything_can_be_set(tmp_path: Path) -> None:
    env = {
        "DISCORD_TOKEN": " abc.def ",
        "DATABASE": str(tmp_path / "other.db"),
        "BACKUPS": "/srv/copies",
        "LOG_LEVEL": "debug",
        "LOG_FORMAT": "JSON",
        "HEALTH_PORT": "8080",
        "SITE": "/srv/pages",
        "SITE_PORT": "0.0.0.0:8081",
        "SITE_URL": "https://league.example.org/",
        "DEV_GUILD": "123456789012345678",
        "SHARD_IDS": "0, 2",
        "SHARD_COUNT": "4",
        "PATH": "/bin",
    }
    assert Settings.from_env(env, need_token=True) == Settings(
        token="abc.def",
        database=tmp_path / "other.db",
        backups=Path("/srv/copies"),
        log_level="DEBUG",
        log_format="json",
        health_address=("127.0.0.1", 8080),
        site=Path("/srv/pages"),
        site_address=("0.0.0.0", 8081),
        site_url="https://league.example.org",
        dev_guild=123456789012345678,
        shard_ids=(0, 2),
        shard_count=4,
    )


def test_backups_are_kept_beside_the_database_unless_told_otherwise(tmp_path: Path) -> None:
    database = {"DATABASE": str(tmp_path / "league.db")}
    for given, folder in [
        ("", tmp_path / "backups"),
        ("copies", tmp_path / "copies"),
        ("/srv", Path("/srv")),
        ("Off", None),
    ]:
        assert Settings.from_env({**database, "BACKUPS": given}).backup_folder == folder


def test_empty_values_are_as_if_not_set() -> None:
    keys = ("DISCORD_TOKEN", "DATABASE", "BACKUPS", "LOG_LEVEL", "DEV_GUILD", "SHARD_IDS", "SHARD_COUNT")
    assert Settings.from_env(dict.fromkeys(keys, " ")) == Settings()


def test_all_problems_are_named_at_once(tmp_path: Path) -> None:
    env = {
        "DATABASE": str(tmp_path),
        "LOG_LEVEL": "loud",
        "DEV_GUILD": "mine",
        "SHARD_IDS": "0,x",
        "SHARD_COUNT": "-1",
    }
    with pytest.raises(SettingsError) as wrong:
        Settings.from_env(env, need_token=True)
    assert [problem.split()[0] for problem in wrong.value.problems] == ["DISCORD_TOKEN", *env]
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"SHARD_IDS": "0,1"}, "SHARD_COUNT is missing"),
        ({"SHARD_IDS": "0,4", "SHARD_COUNT": "4"}, "must be below SHARD_COUNT"),
        ({"SHARD_IDS": "1,1", "SHARD_COUNT": "4"}, "twice"),
        ({"DEV_GUILD": "²"}, "DEV_GUILD must be"),
        ({"DEV_GUILD": "9" * 30}, "DEV_GUILD must be"),
        ({"SITE_PORT": "8081"}, "SITE is missing"),
        ({"SITE_URL": "league.example.org"}, "SITE_URL must be"),
        ({"SITE": __file__}, "SITE is a file"),
        ({"DATABASE": "/no/such/place/league.db"}, "doesn't exist"),
        ({"DATABASE": "x" * 5000 + "/league.db"}, "DATABASE"),
        ({"DATABASE": "a\0b"}, "DATABASE isn't a path"),
        ({"DATABASE": "~nobody-of-this-name/league.db"}, "DATABASE"),
    ],
)
def test_what_cannot_be_used_is_refused(env: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        Settings.from_env(env)


def test_the_token_is_never_shown() -> None:
    with pytest.raises(SettingsError) as wrong:
        Settings.from_env({"DISCORD_TOKEN": "my secret"})
    assert "secret" not in str(wrong.value)
    assert "secret" not in repr(Settings(token="secret"))


def test_the_example_file_names_every_setting_with_its_default() -> None:
    lines = [line for line in EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    env = dict(line.split("=", 1) for line in lines)
    assert len(env) == len(dataclasses.fields(Settings))
    assert Settings.from_env(env) == Settings()
