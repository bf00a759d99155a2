"""The program `python -m bot`: a function for each subcommand, its options, and what it says without a token."""

import argparse
import contextlib
import gc
import io
import os
import sys
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot import terminal
from bot.file_commands import FILE_COMMANDS, complain
from bot.league.errors import Invalid, LeagueError
from bot.league.season.node import one_line
from bot.terminal import DONE, INTERRUPTED, NO

if TYPE_CHECKING:
    from bot.settings import Settings

WITHOUT_TOKEN = """\

It's the practice server because DISCORD_TOKEN isn't set: the same bot, in a simulated Discord server.
For a real one, create an application in the Discord Developer Portal (https://discord.com/developers/applications).
Its page "Bot" gives you the token ("Reset Token"); it needs no privileged intent. Copy .env.example to .env, put the
token after DISCORD_TOKEN= and run `python -m bot doctor`: it prints the link that invites the bot.
"""
WITHOUT_PRACTICE = "an installed Fairpair has no practice server; `make run` in a copy of its source starts one"

# What only some subcommands need is imported by them: the file commands start at once, without Discord or database.


def generate(args: argparse.Namespace) -> int:
    """Write random whole seasons as league files, to check an engine with; a seed gives the same bytes."""
    from bot.league.formats import ALL
    from bot.league.season.in_words import amount
    from bot.random_seasons import folder

    keys = tuple(format_.key for format_ in ALL)
    if args.format not in (None, *keys):
        raise Invalid(f"there is no format {args.format!r} to play; the formats are {', '.join(keys)}")
    formats = keys if args.format is None else (args.format,)
    count = folder.write(
        Path(args.folder),
        formats,
        seasons=args.seasons,
        players=args.players,
        seed=args.seed,
        progress=terminal.progress,
    )
    terminal.progress("")
    print(f"{amount(count, 'season')} in {args.folder}, of seed {args.seed}")
    return DONE


async def run(args: argparse.Namespace) -> int:
    """Run the bot until it is told to stop."""
    settings = _settings(need_token=True)  # before the bot is loaded: what is wrong there is told at once
    from bot.hosting.starting import owned_database
    from bot.hosting.watching import while_in_place

    async with owned_database(settings) as owned:  # what is wrong with the database, too
        from bot import start

        return await terminal.until_stopped(while_in_place(start.run(settings), owned), settings)


async def practice(args: argparse.Namespace, below: str = "") -> int:
    """Run the practice server until it is told to stop."""
    try:
        from bot.practice.server import serve
    except ModuleNotFoundError as missing:
        if missing.name == "bot.practice":
            raise Invalid(f"{WITHOUT_PRACTICE}. To run the bot, set DISCORD_TOKEN and start `fairpair run`") from None
        raise Invalid(f"the practice server needs {missing.name}: install Fairpair as `.[practice]`") from None

    settings = _settings()
    return await terminal.until_stopped(serve(settings, port=args.port, autoplay=args.autoplay, below=below), settings)


async def run_or_practise(args: argparse.Namespace) -> int:
    """Run the bot; without a token run the practice server, and say how to get one."""
    return await (run(args) if _settings().token is not None else practice(args, WITHOUT_TOKEN))


async def export(args: argparse.Namespace) -> int:
    """Write a season of the database as a league file, or a whole league as a zip."""
    from bot.services.base.order import by_bot
    from bot.services.leagues import exporting

    if args.all and args.season is not None:
        raise Invalid("--all takes every season; leave out --season")
    async with _league(args) as (db, league_id):
        order = by_bot(datetime.now(UTC), league_id)
        if args.all:
            content = exporting.zipped(await db.read(exporting.export_league, order))
        else:
            content = (await db.read(exporting.export, order, season_number=args.season)).text.encode()
    terminal.write(args.file, content)
    return DONE


async def import_(args: argparse.Namespace) -> int:
    """Read seasons into the database: league files, spreadsheets, or files of other programs."""
    from bot.importing import import_files
    from storage.files import lock

    files = terminal.contents(args)
    with lock.held_beside(_database_file(), "python -m bot import"):
        async with _league(args) as (db, league_id):
            return await import_files(db, league_id, files, args)


async def site(args: argparse.Namespace) -> int:
    """Write the pages of leagues that have them into a folder, each below its own number."""
    from bot import publishing
    from bot.services.base import find
    from bot.services.base.order import by_bot
    from bot.site import folder
    from bot.worker import Worker

    settings, root = _settings(), Path(args.folder)
    async with _database() as db:
        rows = [row for row, _ in await db.read(publishing.with_pages)]
        if args.league is not None:
            asked = await db.read(find.league_called, name=args.league, guild_id=args.guild)
            if not asked.site:
                raise Invalid(f"{asked.name} has no pages; an organiser switches them on with /league settings site:on")
            rows = [asked]
        if not rows:
            raise Invalid("no league has pages; an organiser switches them on with /league settings site:on")
        for number, row in enumerate(rows, start=1):
            terminal.progress(f"writing the pages of {one_line(row.name)}, {number} of {len(rows)}")
            order, worker = by_bot(datetime.now(UTC), row.id), Worker()
            try:
                facts = await publishing.facts_of(db, order, worker)
            finally:
                await worker.close()
            try:
                folder.publish(facts, root, settings.site_url)
            except OSError as wrong:
                raise Invalid(f"{root} can't be written ({wrong.strerror}); name another folder") from None
            terminal.progress("")
            print(root / str(row.id) / "index.html")
    return DONE


def backup(args: argparse.Namespace) -> int:
    """Copy the database to a new file; the bot can keep running."""
    from storage.files.copies import write_copy

    source = _database_file()
    target = Path(args.file or f"{source}.{datetime.now(UTC):%Y%m%d-%H%M%S}.backup")
    write_copy(source, target)
    print(target)
    return DONE


def restore(args: argparse.Namespace) -> int:
    """Go back to a backup; asks first, and keeps the file it replaces. The bot must not run."""
    from bot.hosting import restoring

    done = restoring.restore(
        Path(args.file), _settings().database, agreed=lambda asked: args.yes or terminal.agrees(asked)
    )
    print(done or "Nothing was changed.")
    return DONE if done else NO


async def move(args: argparse.Namespace) -> int:
    """Move a server's leagues to another database; no bot may run on either."""
    from bot.hosting import moving

    print(await moving.move(_database_file(), Path(args.target), args.guild))
    return DONE


async def doctor(args: argparse.Namespace) -> int:
    """Check settings, database, disk, backups, clock, fonts and Discord, one line each; exit code 1 if one is wrong."""
    from bot.hosting import doctor
    from bot.hosting.findings import Verdict
    from bot.settings import read_env_file

    named = read_env_file()
    code = DONE
    async for finding in doctor.findings({**named, **os.environ}, named, datetime.now(UTC).date()):
        print(finding.line(), flush=True)
        code = NO if finding.verdict is Verdict.WRONG else code
    return code


@contextlib.asynccontextmanager
async def _league(args: argparse.Namespace) -> AsyncGenerator[tuple[Any, Any]]:
    from bot.services.base import find

    async with _database() as db:
        yield db, (await db.read(find.league_called, name=args.league, guild_id=args.guild)).id


@contextlib.asynccontextmanager
async def _database() -> AsyncGenerator[Any]:
    from bot.hosting.starting import beside_the_bot

    async with beside_the_bot(_database_file()) as db:
        yield db


def _database_file() -> Path:
    path = _settings().database
    if not path.exists():
        raise Invalid(f"there is no database at {path}; set DATABASE to the bot's file, or start the bot once")
    return path


def _settings(*, need_token: bool = False) -> "Settings":
    """Read `.env` and the environment, which wins."""
    from bot.settings import Settings, read_env_file

    return Settings.from_env({**read_env_file(), **os.environ}, need_token=need_token)


class _Version(argparse.Action):
    """Prints the version of the program, which takes longer to look up than a small file to pair."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print it and end the program."""
        from importlib.metadata import version

        print(f"fairpair {version('fairpair')}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = terminal.Parser(
        prog="python -m bot", description="Run Fairpair. Without a subcommand this starts the bot."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the program's version and end")
    parser.set_defaults(do=run_or_practise, port=None, autoplay=False)
    commands = parser.add_subparsers(title="subcommands", metavar="SUBCOMMAND", parser_class=terminal.Parser)
    parsers: dict[str, argparse.ArgumentParser] = {}
    for do in (
        run,
        practice,
        *FILE_COMMANDS,
        generate,
        export,
        import_,
        site,
        backup,
        restore,
        doctor,
        move,
    ):
        name = do.__name__.strip("_")
        parsers[name] = commands.add_parser(name, help=do.__doc__, description=do.__doc__)
        parsers[name].set_defaults(do=do)
    parsers["practice"].add_argument(
        "--port", type=terminal.port, metavar="N", help="the page's port (default: the first free one)"
    )
    parsers["practice"].add_argument(
        "--autoplay", action="store_true", help="let the bot play everyone you don't act as"
    )
    for name in ("pair", "standings", "ladder"):
        parsers[name].add_argument("file", metavar="FILE", help="a league file, or - for standard input")
    parsers["verify"].add_argument("files", metavar="FILE", nargs="+", help="league files, or - for standard input")
    parsers["verify"].add_argument(
        "--fingerprint",
        type=terminal.fingerprint,
        metavar="HEX",
        help="only say after which round the file has this fingerprint, 16 or 64 hex digits",
    )
    parsers["standings"].add_argument(
        "--json", action="store_true", help="print JSON with exact fractions, for programs"
    )
    parsers["import"].add_argument(
        "files", metavar="FILE", nargs="+", help="files to bring in, or - for standard input"
    )
    parsers["import"].add_argument(
        "--number", type=terminal.whole(0, 1_000_000), metavar="N", help="of the first season"
    )
    parsers["import"].add_argument("--names", metavar="NAMES.csv", help="who names are: columns name, is (empty: new)")
    parsers["import"].add_argument("--columns", metavar="ROLE=HEADING,...", help="what columns are, such as player=Foe")
    parsers["import"].add_argument("--check", action="store_true", help="only show what would be imported")
    parsers["generate"].add_argument("folder", metavar="DIR", help="a new or empty folder")
    parsers["generate"].add_argument("--format", metavar="F", help="a key such as ohs (default: each)")
    for option, kind, default, meaning in (
        ("--seasons", terminal.whole(1, 100_000), 1, "how many of each format (default: 1)"),
        ("--players", terminal.whole(2, 1_000), None, "how many start in each (default: by chance)"),
        ("--seed", terminal.whole(0, 2**63 - 1), 0, "where chance begins (default: 0)"),
    ):
        parsers["generate"].add_argument(option, type=kind, default=default, metavar="N", help=meaning)
    for name in ("export", "import", "site"):
        parsers[name].add_argument("--league", required=name != "site", metavar="NAME")
        parsers[name].add_argument(
            "--guild", type=int, metavar="ID", help="the server's id, if several servers have a league of that name"
        )
    parsers["export"].add_argument("--season", type=int, metavar="N", help="number of the season (default: the newest)")
    parsers["export"].add_argument("--all", action="store_true", help="all seasons and people, as a zip")
    parsers["export"].add_argument("file", nargs="?", default="-", metavar="FILE", help="default: standard output")
    parsers["site"].add_argument("folder", metavar="DIR", help="the folder; a league's pages go into DIR/NUMBER")
    parsers["backup"].add_argument(
        "file", nargs="?", metavar="FILE", help="default: next to the database, named after the time"
    )
    parsers["move"].add_argument("--guild", type=int, required=True, metavar="ID", help="the server's id")
    parsers["move"].add_argument("target", metavar="TARGET", help="the other database; made if it isn't there")
    parsers["restore"].add_argument("file", metavar="FILE", help="the backup")
    parsers["restore"].add_argument("--yes", action="store_true", help="don't ask, for scripts")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return the exit code: 0 done, 1 the answer is no, 2 bad input."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    gc.disable()  # file commands keep all they load and read to their end, so looking for what to free only costs time
    try:
        return _do(_parser().parse_args(argv))
    finally:
        gc.enable()


def _do(args: argparse.Namespace) -> int:
    if args.do not in FILE_COMMANDS:
        gc.enable()
    try:
        done = args.do(args)
        if not isinstance(done, int):
            import asyncio

            done = asyncio.run(done)
        sys.stdout.flush()
        return done
    except LeagueError as wrong:
        return complain(args, wrong)
    except BrokenPipeError:
        terminal.stop_listening()
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
