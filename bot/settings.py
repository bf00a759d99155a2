"""The program's own settings, from the environment and `.env`."""

import io
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.league.errors import Invalid, LeagueError

_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_LOG_FORMATS = ("text", "json")
_LARGEST_PORT = 2**16 - 1
_LARGEST_ID = 2**63 - 1
_MOST_SHARDS = 10_000

_NO_TOKEN = (
    "DISCORD_TOKEN is missing: get a bot token at https://discord.com/developers/applications and put it after "
    "DISCORD_TOKEN= in the file .env (copy .env.example)"
)


class SettingsError(LeagueError):
    """Settings that can't be used, each with what would work."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the program runs; `token` is None where only the practice server can."""

    token: str | None = field(default=None, repr=False)
    database: Path = Path("league.db")
    backups: Path | None = Path("backups")
    log_level: str = "INFO"
    log_format: str = "text"
    health_address: tuple[str, int] | None = None
    site: Path | None = None
    site_address: tuple[str, int] | None = None
    site_url: str = ""
    dev_guild: int | None = None
    shard_ids: tuple[int, ...] | None = None
    shard_count: int | None = None

    @property
    def backup_folder(self) -> Path | None:
        """Where backups go, in the database's folder unless named from the root; None for none."""
        return None if self.backups is None else self.database.parent / self.backups

    @staticmethod
    def variables() -> Collection[str]:
        """Return the names of all variables there are."""
        return _CHECKS.keys()

    @classmethod
    def from_env(cls, env: Mapping[str, str], *, need_token: bool = False) -> "Settings":
        """Read the settings; raises SettingsError naming all that are bad or missing at once."""
        given = {key: env[key].strip() for key in _CHECKS if env.get(key, "").strip()}
        read: dict[str, Any] = {}
        problems = [_NO_TOKEN] if need_token and "DISCORD_TOKEN" not in given else []
        for key, value in given.items():
            name, check = _CHECKS[key]
            try:
                read[name] = check(value)
            except ValueError as wrong:
                problems.append(f"{key} {wrong}")
        settings = cls(**read)
        problems += _shard_problems(settings, given)
        if "SITE_PORT" in given and "SITE" not in given:
            problems.append("SITE is missing: SITE_PORT serves the folder it names")
        if problems:
            raise SettingsError(tuple(problems))
        return settings


def read_env_file(path: Path = Path(".env")) -> dict[str, str]:
    """Return what a file of NAME=value lines sets; raises Invalid naming the first line that isn't one."""
    from dotenv.parser import parse_stream  # only the bot needs it, the file commands start without

    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as wrong:
        raise Invalid(f"{path} can't be read ({wrong}); save it as UTF-8 text, readable for this user") from None
    given: dict[str, str] = {}
    for line in parse_stream(io.StringIO(text)):
        if line.key is not None and line.value is not None:
            given[line.key] = line.value
        elif line.error or line.key is not None:
            raise Invalid(f"{path}, line {line.original.line}: isn't NAME=value; fix that line or take it out")
    return given


def _token(value: str) -> str:
    # The value itself is never shown: it is a secret.
    if not value.isascii() or any(char.isspace() for char in value):
        raise ValueError("isn't a bot token: those have no spaces, only plain letters, digits, dots and dashes")
    return value


def _database(value: str) -> Path:
    if "\0" in value:
        raise ValueError("isn't a path that can be used (it contains a zero byte): name a file")
    try:
        path = Path(value).expanduser()
        is_directory, has_parent = path.is_dir(), path.parent.is_dir()
    except (OSError, RuntimeError):
        raise ValueError(f"isn't a path that can be used ({value[:60]!r}): name a file") from None
    if is_directory:
        raise ValueError(f"is a directory ({value}): name a file in it")
    if not has_parent:
        raise ValueError(f"is in a directory that doesn't exist ({path.parent}): create it first")
    return path


def _backups(value: str) -> Path | None:
    if "\0" in value:
        raise ValueError("isn't a path that can be used (it contains a zero byte): name a folder, or off")
    return None if value.lower() == "off" else Path(value).expanduser()


def _log_level(value: str) -> str:
    if value.upper() not in _LOG_LEVELS:
        raise ValueError(f"must be one of {', '.join(_LOG_LEVELS)}, not {value!r}")
    return value.upper()


def _log_format(value: str) -> str:
    if value.lower() not in _LOG_FORMATS:
        raise ValueError(f"must be one of {', '.join(_LOG_FORMATS)}, not {value!r}")
    return value.lower()


def _health_address(value: str) -> tuple[str, int]:
    host, _, port = value.rpartition(":")
    problem = "must be a port, such as 8080, or an address with one, such as 0.0.0.0:8080"
    return host.strip("[]") or "127.0.0.1", _whole(port, 1, _LARGEST_PORT, problem)


def _site(value: str) -> Path:
    if "\0" in value:
        raise ValueError("isn't a path that can be used (it contains a zero byte): name a folder")
    folder = Path(value).expanduser()
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"is a file ({value}): name a folder")
    return folder


def _site_url(value: str) -> str:
    if not value.startswith(("https://", "http://")) or not value.isprintable() or set(value) & set(' "<>'):
        raise ValueError(f"must be the address of the folder on the web, such as https://example.org/, not {value!r}")
    return value.rstrip("/")


def _guild(value: str) -> int:
    return _whole(value, 1, _LARGEST_ID, "must be a server's id, a number of 17 to 20 digits")


def _shard_count(value: str) -> int:
    return _whole(value, 1, _MOST_SHARDS, "must be the number of shards, 1 or more")


def _shard_ids(value: str) -> tuple[int, ...]:
    problem = "must be shard numbers separated by commas, such as 0,1"
    ids = tuple(_whole(part.strip(), 0, _MOST_SHARDS - 1, problem) for part in value.split(","))
    if len(set(ids)) < len(ids):
        raise ValueError(f"names a shard twice ({value!r}): name each once")
    return ids


def _whole(value: str, low: int, high: int, problem: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 20 and low <= int(value) <= high):
        raise ValueError(f"{problem}, not {value!r}")
    return int(value)


_CHECKS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "DISCORD_TOKEN": ("token", _token),
    "DATABASE": ("database", _database),
    "BACKUPS": ("backups", _backups),
    "LOG_LEVEL": ("log_level", _log_level),
    "LOG_FORMAT": ("log_format", _log_format),
    "HEALTH_PORT": ("health_address", _health_address),
    "SITE": ("site", _site),
    "SITE_PORT": ("site_address", _health_address),
    "SITE_URL": ("site_url", _site_url),
    "DEV_GUILD": ("dev_guild", _guild),
    "SHARD_IDS": ("shard_ids", _shard_ids),
    "SHARD_COUNT": ("shard_count", _shard_count),
}


def _shard_problems(settings: Settings, given: Collection[str]) -> list[str]:
    if settings.shard_ids is None:
        return []
    if "SHARD_COUNT" not in given:
        return ["SHARD_COUNT is missing: SHARD_IDS needs it"]
    if settings.shard_count is not None and max(settings.shard_ids) >= settings.shard_count:
        return [f"SHARD_IDS must be below SHARD_COUNT, {settings.shard_count}: shards count from 0"]
    return []
