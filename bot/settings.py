"""The program's own settings, from the environment and `.env`."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from bot.league.errors import Invalid, LeagueError

DEFAULT_DATABASE = Path("league.db")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_LARGEST_ID = 2**63 - 1
_MOST_SHARDS = 10_000

_NO_TOKEN = (
    "DISCORD_TOKEN is missing: get a bot token at https://discord.com/developers/applications and write it behind "
    "DISCORD_TOKEN= in the file .env (copy .env.example)"
)

Read = TypeVar("Read")


class SettingsError(LeagueError):
    """Settings that can't be used, each with what would work."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the program runs; `token` is None where only the practice server can."""

    token: str | None = field(default=None, repr=False)
    database: Path = DEFAULT_DATABASE
    log_level: str = "INFO"
    dev_guild: int | None = None
    shard_ids: tuple[int, ...] | None = None
    shard_count: int | None = None

    @classmethod
    def from_env(cls, env: Mapping[str, str], *, need_token: bool = False) -> "Settings":
        """Read the settings; raises SettingsError naming all that are bad or missing at once."""
        reader = _Reader(env)
        settings = cls(
            token=reader.read("DISCORD_TOKEN", _token, None),
            database=reader.read("DATABASE", _database, DEFAULT_DATABASE),
            log_level=reader.read("LOG_LEVEL", _log_level, "INFO"),
            dev_guild=reader.read("DEV_GUILD", _guild, None),
            shard_ids=reader.read("SHARD_IDS", _shard_ids, None),
            shard_count=reader.read("SHARD_COUNT", _shard_count, None),
        )
        if need_token and not reader.given("DISCORD_TOKEN"):
            reader.problems.insert(0, _NO_TOKEN)
        reader.problems.extend(_shard_problems(settings, reader))
        if reader.problems:
            raise SettingsError(tuple(reader.problems))
        return settings


def read_env_file(path: Path = Path(".env")) -> dict[str, str]:
    """Return what a file of NAME=value lines sets; raises Invalid naming the first line that is none."""
    from dotenv.parser import parse_stream  # only the bot needs it, the file commands start without

    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as wrong:
        raise Invalid(f"{path} can't be read ({wrong}); save it as UTF-8 text, readable for this user") from None
    given: dict[str, str] = {}
    for line in parse_stream(io.StringIO(text)):
        if line.error or (line.key is not None and line.value is None):
            raise Invalid(f"{path}, line {line.original.line}: isn't NAME=value; fix that line or take it out")
        if line.key is not None and line.value is not None:
            given[line.key] = line.value
    return given


class _Reader:
    """Reads one value after another and notes what is wrong with each."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self.problems: list[str] = []

    def given(self, key: str) -> str:
        """Return a value, or an empty text where it is not set."""
        return self._env.get(key, "").strip()

    def read(self, key: str, check: Callable[[str], Read], default: Read) -> Read:
        value = self.given(key)
        if not value:
            return default
        try:
            return check(value)
        except ValueError as wrong:
            self.problems.append(f"{key} {wrong}")
            return default


def _token(value: str) -> str:
    # The value itself is never shown: it is a secret.
    if not value.isascii() or any(char.isspace() for char in value):
        raise ValueError("isn't a bot token: those have no spaces, only plain letters, digits, dots and dashes")
    return value


def _database(value: str) -> Path:
    if "\0" in value:
        raise ValueError("isn't a path that can be used (it holds a zero byte): name a file")
    try:
        path = Path(value).expanduser()
        is_directory, has_parent = path.is_dir(), path.parent.is_dir()
    except (OSError, RuntimeError):
        raise ValueError(f"isn't a path that can be used ({value[:60]!r}): name a file") from None
    if is_directory:
        raise ValueError(f"is a directory ({value}): name a file in it")
    if not has_parent:
        raise ValueError(f"is in a directory that doesn't exist ({path.parent}): make it first")
    return path


def _log_level(value: str) -> str:
    if value.upper() not in LOG_LEVELS:
        raise ValueError(f"must be one of {', '.join(LOG_LEVELS)}, not {value!r}")
    return value.upper()


def _guild(value: str) -> int:
    return _whole(value, 1, _LARGEST_ID, "must be a guild's id, a number of 17 to 20 digits")


def _shard_count(value: str) -> int:
    return _whole(value, 1, _MOST_SHARDS, "must be the number of shards, 1 or more")


def _shard_ids(value: str) -> tuple[int, ...]:
    problem = "must be shard numbers with commas between, such as 0,1"
    ids = tuple(_whole(part.strip(), 0, _MOST_SHARDS - 1, problem) for part in value.split(","))
    if len(set(ids)) < len(ids):
        raise ValueError(f"names a shard twice ({value!r}): name each once")
    return ids


def _whole(value: str, low: int, high: int, problem: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 20 and low <= int(value) <= high):
        raise ValueError(f"{problem}, not {value!r}")
    return int(value)


def _shard_problems(settings: Settings, reader: _Reader) -> list[str]:
    if settings.shard_ids is None:
        return []
    if settings.shard_count is None:
        # A bad count has been named already.
        return [] if reader.given("SHARD_COUNT") else ["SHARD_COUNT is missing: SHARD_IDS needs it"]
    if max(settings.shard_ids) >= settings.shard_count:
        return [f"SHARD_IDS must be below SHARD_COUNT, {settings.shard_count}: shards count from 0"]
    return []
