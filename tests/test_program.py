"""The program as people start it: exit codes, one line for every complaint."""

import contextlib
import hashlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from bot.__main__ import main
from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.writing import to_json
from bot.league.formats import ALL
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import set_up
from storage.database import Database
from storage.files import lock
from tests.examples import mostly_long
from tests.league.builders import play_rounds, season_of_file
from tests.league.checking.league_file.examples import EXAMPLE, encoded

ROOT = Path(__file__).parents[1]


def environment(**extra: str) -> dict[str, str]:
    ours = ("DISCORD_TOKEN", "DATABASE", "BACKUPS", "LOG_LEVEL", "DEV_GUILD", "SHARD_IDS", "SHARD_COUNT")
    inherited = {key: value for key, value in os.environ.items() if key not in ours}
    return {**inherited, "PYTHONPATH": str(ROOT), **extra}


def run_process(
    *args: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program as people do."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", *args],
        cwd=cwd,
        input=stdin,
        env=environment(**(env or {})),
        capture_output=True,
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def run(
    *args: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program's `main` in this process: what it answers is the same, and nothing is imported again."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with (
        contextlib.chdir(cwd),
        mock.patch.dict(os.environ, environment(**(env or {})), clear=True),
        mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        ThreadPoolExecutor() as thread,  # a test may have a loop of its own, which runs in this one
    ):
        code = thread.submit(_code_of, args).result()
        out.flush()
        err.flush()
    said = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(args, code, *said)


def _code_of(args: Sequence[str]) -> int:
    try:
        return main(args)
    except SystemExit as ended:  # as argparse ends a program
        return int(ended.code or 0)


def written(path: Path, data: Any) -> str:
    path.write_bytes(data if isinstance(data, bytes) else data.encode() if isinstance(data, str) else encoded(data))
    return path.name


@pytest.mark.parametrize("key", [format_.key for format_ in ALL])
def test_a_season_is_paired_ranked_and_verified(key: str, tmp_path: Path) -> None:
    season = play_rounds(season_of_file(key, 9), rounds=2)
    file = written(tmp_path / "season.json", to_json(season))
    paired = run("pair", file, cwd=tmp_path)
    assert (paired.returncode, paired.stderr) == (0, "")
    answer = json.loads(paired.stdout)
    assert (answer["season"], answer["number"], answer["rematches"]) == (3, 3, 0)
    assert all(len(match["players"]) == 2 and match["why"] for match in answer["matches"])
    assert all(sentence.endswith((".", ")")) for match in answer["matches"] for sentence in match["why"])
    ranked = run("standings", file, "--json", cwd=tmp_path)
    assert ranked.returncode == 0
    listed = json.loads(ranked.stdout)
    assert [line["rank"] for line in listed] == list(range(1, 10))
    assert {line["name"] for line in listed} == {entrant.name for entrant in season.entrants}
    verified = run("verify", file, cwd=tmp_path)
    assert (verified.returncode, verified.stdout) == (0, "round 1: as the rules say\nround 2: as the rules say\n")


@pytest.mark.long
def test_a_seed_gives_the_same_seasons_again_which_are_as_the_rules_say(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        done = run("generate", folder, "--seasons", "2", "--seed", "7", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"12 seasons in {folder}, of seed 7\n"
    files = sorted((tmp_path / "one").iterdir())
    assert [file.name for file in files] == sorted(f"{key.key}-{n}.json" for key in ALL for n in (1, 2))
    assert all(file.read_bytes() == (tmp_path / "two" / file.name).read_bytes() for file in files)
    for file in files[::3]:
        assert run("verify", str(file), cwd=tmp_path).returncode == 0
    assert hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest() == SEVEN


SEVEN = "081b08bd407c2723a0766fbf3f84227c5c51da1117dffbe6b908746df3365f07"
"""The hash of twelve seasons of seed 7: they are the same on every machine and with every version of Python."""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["full"], "full isn't empty"),
        (["full/file"], "can't be written"),
        (["new", "--format", "chess"], "the formats are ohs,"),
        (["new", "--players", "1"], "must be a number from 2 to 1000"),
        (["new", "--seasons", "many"], "must be a number from 1 to 100000"),
    ],
)
def test_seasons_are_only_generated_where_that_is_possible(arguments: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    done = run("generate", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
    assert not (tmp_path / "new").exists()


def test_a_bye_is_a_name_with_its_reasons_and_in_a_bracket_a_list(tmp_path: Path) -> None:
    season = season_of_file("ohs", 9, settings={"rounds": 1, "cut": 6})
    first = json.loads(run("pair", "-", cwd=tmp_path, stdin=to_json(season).encode()).stdout)
    assert isinstance(first["bye"], str)
    assert len(first["bye_why"]) == 1
    assert "smallest draw" in " ".join(first["bye_why"][0])
    later = json.loads(run("pair", "-", cwd=tmp_path, stdin=to_json(play_rounds(season, rounds=1)).encode()).stdout)
    assert (later["stage"], len(later["bye"]), len(later["matches"])) == ("finals", 2, 2)


def test_the_end_of_a_season_is_an_answer_too(tmp_path: Path) -> None:
    whole = to_json(play_rounds(season_of_file("ohs", 4)))
    ended = run("pair", "-", cwd=tmp_path, stdin=whole.encode())
    assert (ended.returncode, json.loads(ended.stdout)) == (0, {"champion": "P00"})
    cutless = to_json(play_rounds(season_of_file("ohs", 4, settings={"cut": 0})))
    ended = run("pair", "-", cwd=tmp_path, stdin=cutless.encode())
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["qualified"][0] == "P00"
    assert len(json.loads(ended.stdout)["qualified"]) == 4


def test_standings_as_a_table_are_aligned_and_as_json_exact(tmp_path: Path) -> None:
    season = play_rounds(season_of_file("two-loss-out", 8), rounds=2)
    file = written(tmp_path / "s.json", to_json(season))
    table = run("standings", file, cwd=tmp_path)
    assert table.returncode == 0
    lines = table.stdout.splitlines()
    assert lines[0].split()[:3] == ["#", "name", "W–L"]
    assert len(lines) == 9
    status = lines[0].index("status")
    assert all(line[status - 1] == " " and line[status:].split()[0].isalpha() for line in lines[1:])
    listed = json.loads(run("standings", file, "--json", cwd=tmp_path).stdout)
    exact = listed[0]["tiebreaks"]["strength_of_schedule"]
    numerator, _, denominator = exact["exact"].partition("/")
    assert exact["value"] == int(numerator) / int(denominator or 1)
    assert set(listed[0]["rating"]) == {"mu", "sigma"}


def test_names_of_any_script_are_printed_whatever_the_locale(tmp_path: Path) -> None:
    data = {**EXAMPLE, "players": [*EXAMPLE["players"], {"name": "名前\n\x1b[31m"}]}
    env = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = run_process("standings", "-", cwd=tmp_path, stdin=encoded(data), env=env)
    assert done.returncode == 0
    assert "Zoë" in done.stdout
    assert '"名前\\n\\u001b[31m"' in done.stdout


def test_an_open_match_is_a_no(tmp_path: Path) -> None:
    done = run_process("pair", written(tmp_path / "open.json", EXAMPLE), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("open.json: ")
    assert done.stderr.count("\n") == 1


def test_a_difference_is_a_no(tmp_path: Path) -> None:
    season = json.loads(to_json(play_rounds(season_of_file("ohs", 8), rounds=2)))
    first, second = season["rounds"][1]["matches"][:2]
    first["players"][1], second["players"][1] = second["players"][1], first["players"][1]
    first["winner"], second["winner"] = first["players"][0], second["players"][0]
    done = run_process("verify", written(tmp_path / "s.json", season), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "round 1: as the rules say"
    assert done.stdout.splitlines()[1].startswith("round 2: differs")


def test_a_fingerprint_is_found_after_its_round(tmp_path: Path) -> None:
    season = play_rounds(season_of_file("ohs", 8), rounds=2)
    start, _, last = fingerprints(season)
    file = written(tmp_path / "s.json", json.loads(to_json(season)))
    for wanted in (last, last[:16], last[:16].upper()):
        done = run("verify", file, "--fingerprint", wanted, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "the file has this fingerprint after round 2\n")
    assert "after round 0" in run("verify", file, "--fingerprint", start, cwd=tmp_path).stdout
    never = run("verify", file, "--fingerprint", "0" * 64, cwd=tmp_path)
    assert (never.returncode, never.stdout) == (1, "the file never had this fingerprint\n")
    short = run("verify", file, "--fingerprint", "abc", cwd=tmp_path)
    assert (short.returncode, short.stderr.count("\n")) == (2, 1)
    assert "16 or 64 hex digits" in short.stderr


def test_a_record_is_ranked_but_neither_paired_nor_verified(tmp_path: Path) -> None:
    record = {**EXAMPLE, "format": "record", "settings": {}}
    ranked = run("standings", "-", "--json", cwd=tmp_path, stdin=encoded(record))
    assert [line["name"] for line in json.loads(ranked.stdout)][:2] == ["dok", "Zoë"]
    for command in ("pair", "verify"):
        done = run(command, "-", cwd=tmp_path, stdin=encoded(record))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("standard input: this season was recorded elsewhere")


BAD_FILES: list[tuple[bytes, str]] = [
    (b"", "is empty"),
    (b"\xff\xfe", "not UTF-8"),
    (b"\xef\xbb\xbf{}", "byte order mark"),
    (b"{", "line 1, column 2: not JSON"),
    (b"[" * 200_000, "nested too deeply"),
    (encoded({**EXAMPLE, "fairpair": 2}), "newer than this program"),
    (encoded({**EXAMPLE, "surprise": 1}), 'unknown field "surprise"'),
    (encoded({**EXAMPLE, "format": "a\nb"}), "format: there is no format"),
    (encoded({**EXAMPLE, "players": [{"name": "a\nb"}, {"name": "a\nb"}]}), "players[1]: the name"),
]


@pytest.mark.parametrize("command", ["pair", "standings", "verify"])
@pytest.mark.parametrize(("data", "words"), BAD_FILES, ids=[words for _, words in BAD_FILES])
def test_a_bad_file_is_one_line_and_exit_2(command: str, data: bytes, words: str, tmp_path: Path) -> None:
    done = run(command, written(tmp_path / "bad.json", data), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bad.json: ")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.long
def test_several_files_are_verified_each_under_its_name_and_the_worst_is_the_exit_code(tmp_path: Path) -> None:
    good, bad = written(tmp_path / "a.json", encoded(EXAMPLE)), written(tmp_path / "b.json", b"{")
    alone = run_process("verify", good, cwd=tmp_path)
    both = run_process("verify", bad, good, good, cwd=tmp_path)
    assert both.stdout.splitlines() == [f"{good}: {line}" for line in alone.stdout.splitlines()] * 2
    assert (alone.returncode, both.returncode, both.stderr.count("\n")) == (0, 2, 1)
    assert both.stderr.startswith("b.json: ")


def test_the_ladder_of_a_round_robin_is_printed_once_it_is_known_and_compared_with_the_next_season(
    tmp_path: Path,
) -> None:
    start = season_of_file("round-robin", 6, settings={"grouping": "divisions", "group_size": 3})
    early = run("ladder", written(tmp_path / "a.json", to_json(play_rounds(start, rounds=2))), cwd=tmp_path)
    assert (early.returncode, early.stdout) == (1, "")
    assert "the regular stage isn't over" in early.stderr
    other = run("ladder", written(tmp_path / "b.json", encoded(EXAMPLE)), cwd=tmp_path)
    assert (other.returncode, other.stdout) == (2, "")
    assert other.stderr == "b.json: format: only a round robin has a ladder\n"

    season = play_rounds(start, rounds=3)
    first = written(tmp_path / "c.json", to_json(season))
    done = run("ladder", first, cwd=tmp_path)
    ladder = json.loads(done.stdout)["ladder"]
    assert (done.returncode, sorted(ladder)) == (0, sorted(one.name for one in season.entrants))
    *_, last = fingerprints(season)
    later = replace(start, number=season.number + 1, ladder=tuple(ladder), ladder_of=last)
    second = written(tmp_path / "d.json", to_json(later))
    alone = run("verify", second, cwd=tmp_path)
    assert (alone.returncode, alone.stdout) == (0, "ladder not compared: no given file has that fingerprint\n")
    both = run("verify", second, first, cwd=tmp_path)
    assert (both.returncode, both.stdout.splitlines()[0]) == (0, f"d.json: ladder: as season {season.number} says")
    piped = run("verify", second, "-", cwd=tmp_path, stdin=to_json(season).encode())
    assert (piped.returncode, piped.stdout.splitlines()[0]) == (0, f"d.json: ladder: as season {season.number} says")
    turned = written(tmp_path / "e.json", to_json(replace(later, ladder=tuple(reversed(ladder)))))
    wrong = run("verify", first, turned, cwd=tmp_path)
    assert wrong.returncode == 1
    said = f'place 1 is by season {season.number} "{ladder[0]}", in the file "{ladder[-1]}"'
    assert wrong.stdout.splitlines()[-1] == f"e.json: ladder: differs: {said}"


def test_ratings_that_cannot_be_computed_are_bad_input(tmp_path: Path) -> None:
    far = [{"name": name, "rating": {"mu": mu, "sigma": 0.001}} for name, mu in (("a", 1e5), ("b", -1e5))]
    rounds = [{"number": 1, "matches": [{"players": ["a", "b"], "winner": "b"}]}]
    data = {"fairpair": 1, "league": "L", "season": 1, "format": "ohs", "players": far, "rounds": rounds}
    done = run("standings", "-", cwd=tmp_path, stdin=encoded(data))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "too far apart" in done.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["pair"], "the following arguments are required: FILE"),
        (["pair", "none.json"], "none.json: can't be read (No such file or directory)"),
        (["pair", "."], ".: can't be read (Is a directory)"),
        (["juggle"], "invalid choice: 'juggle'"),
        (["pair", "a", "b"], "unrecognized arguments: b"),
        (["practice", "--port", "70000"], "must be a number from 1 to 65535"),
        (["export"], "--league"),
        (["run"], "https://discord.com/developers/applications and put it after DISCORD_TOKEN= in the file .env"),
        (["backup"], "there is no database at league.db"),
        (["export", "--league", "L"], "there is no database at league.db"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_2(args: list[str], words: str, tmp_path: Path) -> None:
    done = run_process(*args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_broken_line_of_the_env_file_is_named_instead_of_starting_the_practice_server(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=INFO\nDISCORD_TOKEN abc\n")
    for command in ([], ["run"]):
        done = run_process(*command, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "python -m bot: .env, line 2: isn't NAME=value; fix that line or take it out\n"


@pytest.mark.long
def test_a_port_that_was_asked_for_and_is_taken_is_an_error(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run_process("practice", "--port", str(taken.getsockname()[1]), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is taken; choose a free one with --port" in done.stderr


@pytest.mark.long
def test_a_practice_that_cannot_be_deleted_is_named(tmp_path: Path) -> None:
    (tmp_path / "league.practice.db").mkdir()
    done = run_process("practice", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "league.practice.db can't be deleted (" in done.stderr


def test_the_version_is_told(tmp_path: Path) -> None:
    assert run_process("--version", cwd=tmp_path).stdout.startswith("fairpair 0.")


def test_the_help_says_that_pair_prints_json(tmp_path: Path) -> None:
    assert "as JSON" in run("pair", "--help", cwd=tmp_path).stdout


def test_bad_settings_are_all_named_and_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=loud\nSHARD_COUNT=many\nDEV_GUILD=${HOME}\n")
    done = run_process("run", cwd=tmp_path, env={"SHARD_COUNT": "2"})
    assert done.returncode == 2
    assert all(key in done.stderr for key in ("DISCORD_TOKEN", "LOG_LEVEL", "DEV_GUILD must be a server's id"))
    assert "SHARD_COUNT" not in done.stderr
    assert "'${HOME}'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.long
async def test_a_backup_is_a_whole_database_and_never_overwrites(tmp_path: Path) -> None:
    await (await Database.open(tmp_path / "league.db")).close()
    done = run("backup", "copy.db", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "copy.db\n", "")
    await (await Database.open(tmp_path / "copy.db")).close()
    again = run("backup", "copy.db", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert "already exists" in again.stderr
    nowhere = run("backup", "no/such/place.db", cwd=tmp_path)
    assert (nowhere.returncode, nowhere.stderr.count("\n")) == (2, 1)
    assert run("backup", cwd=tmp_path).stdout.startswith("league.db.")


async def league_in(database: Path, name: str, guild: int) -> None:
    db = await Database.open(database)
    organiser = Actor(user_id=1, name="Olivia", manage_guild=True, guild_id=guild)
    await db.write(set_up.create, Order(actor=organiser, now=datetime.now(UTC)), name=name, channel_id=5)
    await db.close()


@pytest.mark.long
async def test_a_season_goes_into_the_database_and_out_again(tmp_path: Path) -> None:
    await league_in(tmp_path / "league.db", "L", 7)
    past = [{"season": 2, "matches": [["P00", "P01"]]}]
    season = to_json(play_rounds(season_of_file("ohs", 9, past_seasons=past), rounds=3))
    file = written(tmp_path / "season.json", season)
    done = run("import", file, "--league", "L", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "imported season 3: 9 players, 12 matches\n"
    for args in (["--season", "3"], ["--guild", "7"], ["--season", "3", "-"]):
        assert run("export", "--league", "L", *args, cwd=tmp_path).stdout == season
    assert run("export", "--league", "L", "out.json", cwd=tmp_path).returncode == 0
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == season
    assert run("verify", "out.json", cwd=tmp_path).returncode == 0
    await league_in(tmp_path / "league.db", "L", 8)
    assert run("export", "--league", "L", "--guild", "7", "--all", "one.zip", cwd=tmp_path).returncode == 0
    assert run("import", "one.zip", "--league", "L", "--guild", "8", cwd=tmp_path).returncode == 0
    assert run("export", "--league", "L", "--guild", "8", "--all", "two.zip", cwd=tmp_path).returncode == 0
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


@pytest.mark.long
async def test_what_cannot_go_in_or_out_is_one_line_and_exit_2(tmp_path: Path) -> None:
    await league_in(tmp_path / "league.db", "L", 7)
    await league_in(tmp_path / "league.db", "L", 8)
    file = written(tmp_path / "season.json", to_json(play_rounds(season_of_file("ohs", 9))))
    for args, words in [
        (["import", file, "--league", "L"], "choose one with --guild"),
        (["import", file, "--league", "M"], "there is no league 'M'"),
        (["import", written(tmp_path / "bad.json", b"{"), "--league", "L", "--guild", "7"], "bad.json: line 1"),
        (["export", "--league", "L", "--guild", "9"], "there is no league 'L'"),
        (["export", "--league", "L", "--guild", "7", "--season", "4"], "season 4"),
        (["export", "--league", "L", "--guild", "7"], "season"),
        (["export", "--league", "L", "--guild", "7", "--all"], "has no season yet"),
        (["export", "--league", "L", "--guild", "7", "--all", "--season", "4"], "leave out --season"),
    ]:
        done = run(*args, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), args
        assert words in done.stderr
    assert run("import", file, "--league", "L", "--guild", "7", cwd=tmp_path).returncode == 0
    again = run("import", file, "--league", "L", "--guild", "7", cwd=tmp_path)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    nowhere = run("export", "--league", "L", "--guild", "7", "no/such/place.json", cwd=tmp_path)
    assert (nowhere.returncode, nowhere.stderr.count("\n")) == (2, 1)


def test_what_is_no_database_is_one_line_and_exit_2(tmp_path: Path) -> None:
    (tmp_path / "league.db").write_text("no database at all, and longer than the sixteen bytes of a header")
    done = run("export", "--league", "L", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "league.db" in done.stderr


@pytest.mark.long
def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    file = written(tmp_path / "s.json", to_json(season_of_file("ohs", 3000)))
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "standings", file, "--json"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"[\n"
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


@pytest.mark.long
def test_the_file_commands_need_neither_discord_nor_a_database(tmp_path: Path) -> None:
    file = written(tmp_path / "s.json", to_json(season_of_file("ohs", 4)))
    script = (
        "import sys; from bot.__main__ import main; "
        f"codes = [main([c, {file!r}]) for c in ('pair', 'standings', 'verify')]; "
        "heavy = {'discord', 'aiosqlite', 'sqlite3', 'simcord', 'aiohttp'} & set(sys.modules); "
        "print(codes, sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment(), capture_output=True, check=False, timeout=60
    )
    assert done.stderr.decode() == "[0, 0, 0] []\n"


@pytest.mark.long
@pytest.mark.parametrize("number", mostly_long([signal.SIGTERM, signal.SIGINT]))
def test_without_a_token_the_practice_server_starts_and_ends_when_told(number: signal.Signals, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "practice"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        seen = ""
        while "http://" not in seen:
            line = process.stdout.readline()
            assert line, seen
            seen += line
        process.send_signal(number)
        rest = process.stdout.read()
        assert process.wait(60) == 0, rest
        assert "Traceback" not in seen + rest


@pytest.mark.long
def test_without_a_token_the_address_to_open_comes_first_and_below_it_where_to_get_one(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bot"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        first, *_ = iter(process.stdout.readline, "\n")
        paragraph = "".join(islice(process.stdout, 4))
        process.terminate()
        process.stdout.read()
        process.wait(60)
    assert first.startswith("Open http://127.0.0.1:")
    for words in ("DISCORD_TOKEN", "https://discord.com/developers/applications", "python -m bot doctor", ".env"):
        assert words in paragraph


@pytest.mark.long
async def test_import_of_a_table_says_what_it_brings_and_asks_who_people_are(tmp_path: Path) -> None:
    await league_in(tmp_path / "league.db", "L", 7)
    old = written(tmp_path / "old.csv", "season,player,opponent,winner\n1,Zoë,Kai,Kai\n2,Kai,Mio,Mio\n".encode())
    shown = run("import", old, "--league", "L", "--check", cwd=tmp_path)
    assert (shown.returncode, shown.stdout.splitlines()[0]) == (0, "2 seasons, 2 matches, 3 people: 0 known, 3 new")
    done = run("import", old, "--league", "L", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "imported 2 seasons, 2 matches, 3 people (3 new)")
    assert "Row 2: Kai won against Zoë" in done.stdout
    new = written(tmp_path / "new.csv", b"season,player,opponent,winner\n3,Zoe,Kai,Kai\n")
    asked = run("import", new, "--league", "L", cwd=tmp_path)
    assert asked.returncode == 2
    assert "Zoe (Zoë)" in asked.stderr
    assert run("import", new, "--league", "L", "--check", cwd=tmp_path).returncode == 1
    slip = written(tmp_path / "slip.csv", "name,is\nZoe,Zoë\nKai,Mia\n".encode())
    unfit = run("import", new, "--league", "L", "--names", slip, "--check", cwd=tmp_path)
    assert (unfit.returncode, unfit.stdout) == (2, "")
    assert "can't be who --names says: Kai (Mia)" in unfit.stderr
    names = written(tmp_path / "names.csv", "name,is\nZoe,Zoë\n".encode())
    done = run("import", new, "--league", "L", "--names", names, cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "imported 1 season, 1 match, 2 people (0 new)")
    people = [{"participant": {"id": at, "name": name}} for at, name in enumerate(("Mio", "Mio", "Kai"))]
    match = {"match": {"id": 1, "player1_id": 1, "player2_id": 2, "winner_id": 1, "state": "complete"}}
    doubled = written(tmp_path / "doubled.json", json.dumps([*people, match]).encode())
    who = run("import", doubled, "--league", "L", cwd=tmp_path)
    assert who.stderr.endswith("--names: columns name, is, and a row Mio (2), Mio or Mio (2).\n")
    names = written(tmp_path / "names.csv", b"name,is\nMio (2),Mio (2)\n")
    told = run("import", doubled, "--league", "L", "--names", names, "--check", cwd=tmp_path)
    assert "1 match, 3 people: 2 known, 1 new" in told.stdout, told.stderr
    bad = written(tmp_path / "bad.csv", b"season,player,opponent,winner\n4,Kai,Mio,Brno\n")
    wrong = run("import", bad, "--league", "L", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("bad.csv: Row 2, winner: ")
    assert len(wrong.stderr.splitlines()) == 1


@pytest.mark.long
async def test_an_import_runs_beside_a_bot_but_not_beside_what_moves_or_replaces_the_database(tmp_path: Path) -> None:
    database = tmp_path / "league.db"
    await league_in(database, "L", 7)
    old = written(tmp_path / "old.csv", b"season,player,opponent,winner\n1,Ada,Kai,Kai\n")
    with lock.held_alone(database, "a restore"):
        refused = run("import", old, "--league", "L", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "league.db is in use by a restore (process " in refused.stderr
    with lock.held(database, "a bot"):
        done = run("import", old, "--league", "L", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "imported 1 season, 1 match, 2 people (2 new)"
