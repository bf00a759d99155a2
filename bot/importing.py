"""The program's `import`: read files and who their names are, say what they bring or what is wrong, and save it."""

import argparse
import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath

from bot import steps, terminal
from bot.importers.found import About, Answers
from bot.importers.summary import Summary
from bot.importers.tables.pointing import answers_of, how_to_answer, require_titles
from bot.importers.texts import decoded
from bot.league.errors import Invalid, InvalidFile
from bot.league.season.in_words import amount
from bot.league.season.node import one_line
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order, by_bot
from bot.services.leagues import importing_records
from bot.services.leagues.importing_records import Plan
from bot.steps import File
from bot.terminal import BAD_INPUT, DONE, NO
from storage.database import Database
from storage.rows import LeagueId


async def import_files(
    db: Database, league_id: LeagueId, files: Sequence[tuple[str, bytes]], args: argparse.Namespace
) -> int:
    """Bring files into a league, or with `--check` only say what they would bring; returns the exit code."""
    order = by_bot(datetime.now(UTC), league_id)
    decided = _names(args.names) if args.names else {}
    answers = answers_of(args.columns) if args.columns else Answers()
    sent = [File(name=_title(path, [path for path, _ in files]), data=data, answers=answers) for path, data in files]
    terminal.progress(f"reading {one_line(sent[0].name) if len(sent) == 1 else f'{len(sent)} files'} ...")
    try:
        return await _import(db, sent, decided, order, number=args.number, check=args.check)
    finally:
        terminal.progress("")


def _title(path: str, paths: Sequence[str]) -> str:
    """Return what a file is called: its name, its path where several have that name."""
    if path == terminal.STANDARD:
        return "standard input"
    name = PurePath(path).name
    return name if sum(PurePath(other).name == name for other in paths) == 1 else path


async def _import(
    db: Database, files: list[File], decided: Mapping[str, str], order: Order, *, number: int | None, check: bool
) -> int:
    short = await steps.look_through(files)
    while short is not None and short.questions and (asked := short.questions[0]).about is About.NAME:
        if not decided.get(asked.key):
            answers = " or ".join(choice.value for choice in asked.choices) or "the name"
            raise InvalidFile(f"{asked.text} Say it with --names: columns name, is, and a row {asked.key}, {answers}.")
        file = files[short.asks]
        files[short.asks] = replace(file, answers=file.answers.answered(asked, decided[asked.key]))
        short = await steps.look_through(files)
    if short is None:
        return await _import_league_files(db, [file.data for file in files], order, number=number, check=check)
    require_titles(files[0].answers, short.titles)
    if short.questions:
        raise InvalidFile(how_to_answer(short.questions[0]))
    if short.problems:
        return _complain(files[0].name if len(files) == 1 else "", short)
    planned = await db.read(importing_records.plan, order, file=short, decided=decided, number=number)
    terminal.progress("")
    if planned.identities.unfit:
        unfit = ", ".join(f"{name} ({reason})" for name, reason in planned.identities.unfit.items())
        raise Invalid(f"These can't be who --names says: {unfit}. Write what the league calls them, or leave them out.")
    unclear = [f"{doubt.name.name} ({' or '.join(doubt.candidates)})" for doubt in planned.identities.unclear]
    if check:
        _show(short, planned)
        return NO if unclear else DONE
    if unclear:
        could = "1 name could" if len(unclear) == 1 else f"{len(unclear)} names could"
        raise Invalid(
            f"{could} be someone else's: {', '.join(unclear)}. Say who they are with --names FILE:"
            " columns name, is (empty for someone new)"
        )

    def saved(matches: int) -> None:
        terminal.progress(f"saving {short.matches:,} matches: {matches / max(1, short.matches):.0%}")

    saved(0)
    done = await steps.bring_in(db, order, files=files, short=short, planned=planned, saved=saved)
    later = "" if done.running is None else f"; pairings use them from season {done.next} on"
    _show_seasons(short, planned)
    what = f"{amount(len(done.numbers), 'season')}, {amount(done.matches, 'match', 'matches')}"
    terminal.say(f"imported {what}, {amount(done.known + done.new, 'person', 'people')} ({done.new} new){later}")
    return DONE


async def _import_league_files(
    db: Database, files: Sequence[bytes], order: Order, *, number: int | None, check: bool
) -> int:
    if number is not None:
        raise Invalid("a league file has its own number, which its draws use: leave out --number")
    first, *others = files
    try:
        done = await steps.import_file(db, order, data=first, others=others, agreed="" if check else None)
    except ConfirmationNeeded as preview:
        terminal.say(f"{'league files' if others else 'a league file'}: {one_line(preview.cost)}")
        return DONE
    seasons = f"season{'s' if others else ''} {', '.join(map(str, done.numbers))}"
    terminal.say(f"imported {seasons}: {amount(done.players, 'player')}, {amount(done.matches, 'match', 'matches')}")
    return DONE


def _names(path: str) -> dict[str, str]:
    """Return who names are, as a table of the columns `name` and `is` says."""
    try:
        rows = list(csv.DictReader(io.StringIO(decoded(terminal.content(path)))))
    except InvalidFile as wrong:
        raise Invalid(f"{path}: {wrong.problem}") from None
    if not rows or not {"name", "is"} <= rows[0].keys():
        raise Invalid(f"{path}: needs the columns name and is, and a row for each name")
    return {(row["name"] or "").strip(): (row["is"] or "").strip() for row in rows}


def _complain(title: str, short: Summary) -> int:
    terminal.progress("")
    before = f"{title}: " if title else ""
    for problem in short.problems:
        terminal.complain(f"{before}{problem.line}")
    more = short.wrong_rows - len(short.problems)
    if more > 0:
        terminal.complain(f"{before}{amount(more, 'more row')} can't be read")
    return BAD_INPUT


def _show(short: Summary, planned: Plan) -> None:
    identities = planned.identities
    alike = f", {len(identities.unclear)} unclear" if identities.unclear else ""
    terminal.say(
        f"{amount(len(short.seasons), 'season')}, {amount(short.matches, 'match', 'matches')},"
        f" {amount(identities.people, 'person', 'people')}:"
        f" {len(identities.known)} known, {len(identities.new)} new{alike}"
    )
    _show_seasons(short, planned)
    for note in short.notes:
        terminal.say(note)
    if identities.new:
        terminal.say(f"new: {', '.join(identities.new)}")
    for unclear in identities.unclear:
        terminal.say(f"{unclear.name.name} looks like {' and '.join(unclear.candidates)}")


def _show_seasons(short: Summary, planned: Plan) -> None:
    """Say of each season how large it is, who led it, and one result."""
    for number, season in sorted(zip(planned.numbers, short.seasons, strict=True), key=lambda pair: pair[0]):
        size = f"{amount(season.matches, 'match', 'matches')}, {amount(season.people, 'person', 'people')}"
        byes = f", {amount(season.byes, 'bye')}" if season.byes else ""
        dates = "" if season.dates is None else f", {' to '.join(map(str, dict.fromkeys(season.dates)))}"
        terminal.say(f"season {number}: {size}{byes}{dates} ({one_line(season.title)})")
        terminal.say(f"  {', '.join(f'{line.name} {line.record}' for line in season.top[:5])}")
        terminal.say(
            f"  {season.sample}. {f'Champion: {season.champion}' if season.champion else 'No champion in the file'}"
        )
    for before, now in planned.moved.items():
        terminal.say(f"season {before} becomes season {now}")
