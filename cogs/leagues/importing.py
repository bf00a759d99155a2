"""Moving in: the preview of a file of another program, its questions one at a time, the import and taking it back."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import discord

from bot import steps
from bot.league.errors import Conflict, Invalid, InvalidFile, LeagueError
from bot.league.season.in_words import amount
from bot.moving_in.found import About, Choice, Question
from bot.moving_in.summary import Summary
from bot.services.leagues import importing, moving_in, taking_back
from bot.services.leagues.importing import Imported
from bot.services.leagues.moving_in import Brought, Plan
from bot.services.leagues.who_is_who import Unclear
from bot.steps import File
from bot.worker import Worker
from cogs.leagues.import_preview import MOST_SHOWN, head, seasons
from cogs.ui.actions import PRIMARY, SUCCESS, Press, action, choice
from cogs.ui.button_memory import keep, kept, let_go
from cogs.ui.cards import BLUE, GREEN, LINE, ORANGE, Answer, Part, card
from cogs.ui.context import Caller, Interaction, caller, host
from cogs.ui.errors import explain
from cogs.ui.forms import Form
from cogs.ui.questions import asked_first, cancel
from cogs.ui.replies import Reply, edit_parts
from cogs.ui.text import cut, listed, shown
from storage.rows import LeagueId, LeagueRow

BYTES_OF_NAME = 500
"""What each name of a file takes in its summary."""
NEWS_SECONDS = 2.0
_Made = TypeVar("_Made")


@dataclass(slots=True, kw_only=True)
class Preview:
    """Files someone is looking at before they are imported, and what they said of them so far.

    `number` is what their first season shall be, if anything was said, and `champions` who won those seasons whose
    files don't say it, by their place.
    """

    league: LeagueRow
    files: tuple[File, ...]
    number: int | None
    short: Summary
    decided: dict[str, str] = field(default_factory=dict[str, str])
    champions: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def title(self) -> str:
        """What the files are called."""
        names = [shown(cut(file.name, 60)) for file in self.files]
        return names[0] if len(names) == 1 else f"{len(names)} files"


async def begin(
    interaction: Interaction, league: LeagueRow, files: tuple[File, ...], number: int | None
) -> Answer | None:
    """Return the preview of files of other programs, None for league files."""
    short = await _read(interaction, files)
    if short is None:
        return None
    size = sum(len(file.data) for file in files) + BYTES_OF_NAME * len(short.names)
    key = keep(Preview(league=league, files=files, number=number, short=short), size=size)
    return await _preview(caller(interaction).of(league.id), key)


def _size(_: Worker, files: tuple[File, ...]) -> int:
    return sum(len(file.data) for file in files)


@asked_first("import", "Import this?", yes="Import", no="Cancel", style=SUCCESS, size=_size)
async def league_files(who: Caller, worker: Worker, files: tuple[File, ...], *, agreed: str = "") -> Answer:
    """Import league files: a season each, as what it is."""
    first, *others = files
    more = [file.data for file in others]
    try:
        done = await steps.import_file(who.db, who.order, data=first.data, others=more, worker=worker, agreed=agreed)
    except InvalidFile as wrong:
        raise Invalid(f"{shown(first.name)}: {wrong}" if not others else str(wrong)) from None
    return _done(who.league_id, done)


async def _read(interaction: Interaction, files: tuple[File, ...]) -> Summary | None:
    several, name = len(files) > 1, shown(files[0].name)
    try:
        work = steps.look_through(files, host(interaction).importer)
        return await _with_news(interaction, work, lambda: f"Reading {f'{len(files)} files' if several else name} …")
    except InvalidFile as wrong:
        raise Invalid(str(wrong) if several else f"{name}: {wrong}") from None


async def _with_news(interaction: Interaction, work: Awaitable[_Made], doing: Callable[[], str]) -> _Made:
    """Say in the answer how far this is, while it takes long."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=NEWS_SECONDS)
            if not task.done() and interaction.response.is_done():
                with contextlib.suppress(discord.HTTPException):
                    await interaction.edit_original_response(**edit_parts(Answer(text=doing())))
        return task.result()
    finally:
        task.cancel()


async def _once_more(who: Caller, key: str, error: Exception, doing: str) -> Answer:
    """Return the preview as it was, with what went wrong above: how far it was may stand in its place by now."""
    told = f"❌ {explain(error, doing=doing)}"
    try:
        before = await _preview(who, key)
    except LeagueError:
        return Answer(text=told, replace=True)
    return replace(before, parts=(told, LINE, *before.parts))


async def _plan(who: Caller, found: Preview) -> Plan:
    return await who.see(moving_in.plan, file=found.short, decided=found.decided, number=found.number)


async def _preview(who: Caller, key: str) -> Answer:
    """Return what an import would bring, with the first question there is."""
    found: Preview = kept(key)
    short = found.short
    if short.problems:
        return _wrong(found)
    if short.questions:
        return _question(key, found, short.questions[0])
    planned = await _plan(who, found)
    unclear = planned.who.unclear
    label = f"Import {amount(short.matches, 'match', 'matches')}" if short.seasons else "Import"
    open_ = any(season.champion is None for season in short.seasons)
    who_won = (choose_season(key).button("Who won?"),) if open_ else ()
    does = (run(key).button(label, SUCCESS, disabled=bool(unclear)), *who_won, cancel(key).button("Cancel"))
    first = "the question" if len(unclear) == 1 else f"the {len(unclear)} questions"
    parts: list[Part] = [head(found.title, found.league.name, short, planned, found.champions)]
    if unclear:
        parts += [LINE, *_who(key, found, planned, unclear[0])]
    parts += [LINE, does, *([f"-# Answer {first}, then press **Import**."] if unclear else [])]
    return Answer(parts=tuple(parts), colour=BLUE, replace=True)


def _who(key: str, found: Preview, planned: Plan, unclear: Unclear) -> list[Part]:
    name, here = unclear.name, planned.there
    index = [one.name for one in found.short.names].index(name.name)
    them = [f"**{shown(other)}**" for other in unclear.candidates]
    mine = "your player" if unclear.candidates[0] in here else "the same person as"
    seasons = sorted(planned.numbers[at] for at in name.seasons)
    facts = [f"**{shown(name.name)}**, in the file: {amount(name.matches, 'match', 'matches')}{_in(seasons)}"]
    facts += [
        f"**{shown(other)}**, in this league: {amount(known.matches, 'match', 'matches')}{_in(known.seasons)}"
        for other in unclear.candidates
        if (known := here.get(other)) is not None
    ]
    same = [
        is_someone(key, index, at).button(f"The same as {other}", PRIMARY)
        for at, other in enumerate(unclear.candidates)
    ]
    return [
        f"-# Question 1 of {len(planned.who.unclear)}\nIs **{shown(name.name)}** in the file {mine}"
        f" {' or '.join(them)}?\n" + "\n".join(facts),
        (*same, is_someone(key, index, -1).button("Someone new")),
        "-# You're asked once. The answer is kept for your next import.",
    ]


def _in(seasons: Sequence[int]) -> str:
    if not seasons:
        return ""
    if len(seasons) == 1:
        return f", season {seasons[0]}"
    return f", seasons {seasons[0]} to {seasons[-1]}"


def _wrong(found: Preview) -> Answer:
    short = found.short
    many = f"{short.wrong_rows} of {amount(short.rows, 'row')}" if short.rows else amount(short.wrong_rows, "place")
    lines = [
        f"**{shown(problem.where)}{f', {shown(problem.column)}' if problem.column else ''}:** {shown(problem.text)}"
        for problem in short.problems
    ]
    more = [f"-# And {short.wrong_rows - len(lines)} more."] if short.wrong_rows > len(lines) else []
    text = "\n".join([f"**{many} can't be read.** Fix them and send the file again.", *lines, *more])
    return replace(card("❌ Nothing was imported", cut(text, 3500), colour=ORANGE), replace=True)


def _question(key: str, found: Preview, asked: Question) -> Answer:
    text = f"{shown(asked.text)}\n-# For {shown(found.league.name)}. Nothing is imported yet."
    typed = (type_name(key).button("Type the name", PRIMARY),) if asked.about is About.NAME else ()
    made = card(f"Preview: {found.title}", text)
    options = [_option(one) for one in asked.choices]
    select = ((answer_column(key).select(options, hint="Choose"),),) if options else ()
    return replace(made, parts=(*made.parts, *select, (*typed, cancel(key).button("Cancel"))), replace=True)


def _option(one: Choice) -> discord.SelectOption:
    return discord.SelectOption(label=cut(one.label, 100), value=cut(one.value, 100))


async def _kept(who: Caller, key: str) -> tuple[Preview, Caller]:
    """Return a preview, and who looks at it, in its league; raises NotAllowed for anyone but organisers."""
    found: Preview = kept(key)
    in_league = who.of(found.league.id)
    await in_league.see(importing.require_importer)
    return found, in_league


async def _answered(interaction: Interaction, key: str, value: str) -> Answer:
    """Take an answer to what the file doesn't say, and read it again with that."""
    found, who = await _kept(caller(interaction), key)
    if found.short.questions:
        files, asks = [*found.files], found.short.asks
        answers = files[asks].answers.answered(found.short.questions[0], value)
        files[asks] = replace(files[asks], answers=answers)
        try:
            short = await _read(interaction, tuple(files))
        except Exception as error:
            return await _once_more(who, key, error, "reading a file")
        if short is None:
            raise Conflict("This message is too old, so nothing was changed. Use the command again.")
        found.files, found.short = tuple(files), short
        found.champions.clear()
    return await _preview(who, key)


@choice("import-column")
async def answer_column(press: Press, value: str, key: str) -> Reply:
    """Say what a column, a sheet, a date or a name means."""
    return await _answered(press.interaction, key, value)


class NameForm(Form):
    """What someone is called whose name can't be taken, or is another's too."""

    def __init__(self, key: str, asked: Question) -> None:
        super().__init__("Another name")
        self._key = key
        self._name = self.ask("name", "League name", limit=32, note=cut(asked.text, 100))

    async def answer(self, interaction: Interaction) -> Reply:
        """Read the file again with this name."""
        return await _answered(interaction, self._key, self._name.value)


@action("import-name", form=True)
async def type_name(press: Press, key: str) -> Reply:
    """Ask for a name in place of one that can't be taken, or is another's too."""
    found, who = await _kept(press.who, key)
    if not found.short.questions or found.short.questions[0].about is not About.NAME:
        return await _preview(who, key)
    return NameForm(key, found.short.questions[0])


@action("import-who")
async def is_someone(press: Press, key: str, name: int, candidate: int) -> Reply:
    """Say who a name in the file is, if that isn't said yet."""
    found, who = await _kept(press.who, key)
    planned = await _plan(who, found)
    meant = found.short.names[name].name
    asked = next((one for one in planned.who.unclear if one.name.name == meant), None)
    if asked is not None and candidate < len(asked.candidates):
        found.decided[meant] = "" if candidate < 0 else asked.candidates[candidate]
    return await _preview(who, key)


@action("import-won")
async def choose_season(press: Press, key: str) -> Reply:
    """Ask which season someone won, of those whose file doesn't say it, or who if there is only one."""
    found, who = await _kept(press.who, key)
    planned = await _plan(who, found)
    open_ = [at for at, season in enumerate(found.short.seasons) if season.champion is None]
    if len(open_) == 1:
        return _who_won(key, found, open_[0], planned.numbers[open_[0]])
    options = [
        discord.SelectOption(
            label=cut(f"Season {planned.numbers[at]}: {found.short.seasons[at].title}", 100), value=str(at)
        )
        for at in sorted(open_, key=lambda at: planned.numbers[at])
    ]
    made = card("Who won?", "Which season do you mean? Seasons you leave out have no champion.")
    select = (ask_champion(key).select(options, hint="Choose a season"),)
    return replace(made, parts=(*made.parts, select, (show_preview(key).button("Back"),)), replace=True)


def _who_won(key: str, found: Preview, at: int, number: int) -> Answer:
    top = found.short.seasons[at].top
    options = [
        discord.SelectOption(label=cut(line.name, 100), value=cut(line.name, 100), description=line.record)
        for line in top
    ]
    made = card("Who won?", f"Who is the champion of season {number}? The best {len(options)} are listed.")
    select = (note_champion(key, at).select(options, hint="Choose a person"),)
    return replace(made, parts=(*made.parts, select, (show_preview(key).button("Back"),)), replace=True)


@choice("import-season")
async def ask_champion(press: Press, value: str, key: str) -> Reply:
    """Ask who won a season."""
    found, who = await _kept(press.who, key)
    planned = await _plan(who, found)
    return _who_won(key, found, int(value), planned.numbers[int(value)])


@choice("import-champion")
async def note_champion(press: Press, value: str, key: str, at: int) -> Reply:
    """Note who won a season, and show the preview."""
    found, who = await _kept(press.who, key)
    chosen = (line.name for line in found.short.seasons[at].top if cut(line.name, 100) == value)
    if (name := next(chosen, None)) is not None:
        found.champions[at] = name
    return await _preview(who, key)


@action("import-preview")
async def show_preview(press: Press, key: str) -> Reply:
    """Show the preview again."""
    _, who = await _kept(press.who, key)
    return await _preview(who, key)


@action("import-run")
async def run(press: Press, key: str) -> Reply:
    """Import a file that was previewed."""
    found, who = await _kept(press.who, key)
    planned = await _plan(who, found)
    if planned.who.unclear:
        return await _preview(who, key)
    worker, matches, saved = host(press.interaction).importer, found.short.matches, [0]

    def far() -> str:
        how = f"{saved[-1] / max(1, matches):.0%} saved" if len(saved) > 1 else "reading the file"
        return f"Importing {amount(matches, 'match', 'matches')}: {how} …"

    work = steps.bring_in(
        who.db,
        who.order,
        files=found.files,
        short=found.short,
        planned=planned,
        champions=found.champions,
        worker=worker,
        saved=saved.append,
    )
    try:
        done = await _with_news(press.interaction, work, far)
    except Exception as error:
        return await _once_more(who, key, error, "button import-run")
    let_go(key)
    return _done(found.league.id, done, [*seasons(found.short, planned.numbers, found.champions)])


def _done(league: LeagueId, done: Brought | Imported, brought: Sequence[str] = ()) -> Answer:
    people = f"{amount(done.known + done.new, 'person', 'people')}: {done.known} known, {done.new} new."
    what = [amount(len(done.numbers), "season"), amount(done.matches, "match", "matches")] if done.numbers else []
    title = f"✅ Imported: {', '.join(what) or amount(done.new, 'person', 'people')}"
    counts = "" if not done.numbers else " Ratings and head-to-head include them now."
    if done.numbers and done.running is not None:
        counts += f" Pairings use them from season {done.next} on, because season {done.running} is running."
    until = f"You can take it back until season {done.next} starts, or until one of these people is merged or renamed."
    back = take_back(league, done.id).button("Take the import back")
    if isinstance(done, Imported) and done.live:
        return replace(card(title, f"{people} Season {done.season_number} goes on here.", colour=GREEN), replace=True)
    text = "\n".join([f"{people}{counts}", *brought, *_accounts(done)])
    made = card(title, text, footer=until, buttons=(back,), colour=GREEN)
    return replace(made, replace=True)


def _accounts(done: Brought) -> Iterator[str]:
    """Yield who has an account now, who may be someone else too, and how everyone else comes in."""
    if done.linked:
        yield f"{amount(done.linked, 'person has', 'people have')} the Discord account the file names."
    for double in done.doubles[:MOST_SHOWN]:
        merge = f"/player merge player:{double.name} into:{double.holder}"
        yield f"The file's account of {shown(double.name)} plays as {shown(double.holder)}. One person? Use `{merge}`."
    if done.nameless:
        yield (
            f"{amount(done.nameless, 'person has', 'people have')} no account yet. They press **Join** and say who "
            "they are; you answer in one post, with one press each."
        )


@action("import-back")
async def take_back(press: Press, league: LeagueId, import_id: int) -> Reply:
    """Take an import back while nothing rests on it."""
    numbers = await press.who.of(league).do(taking_back.take_back, import_id=import_id)
    what = listed([f"season {number}" for number in numbers]) or "The list of people"
    gone = "is" if len(numbers) < 2 else "are"
    text = f"{what[:1].upper()}{what[1:]} {gone} gone again. Everything is as it was before the import."
    return Answer(text=text, replace=True)
