"""Moving in: the preview of a file of another program, its questions one at a time, the import and taking it back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import discord

from bot import steps
from bot.importers.found import NO_COLUMN, About, Choice, Question
from bot.importers.tables.headings import POINTABLE
from bot.league.errors import Conflict, Invalid, InvalidFile, LeagueError
from bot.league.season.in_words import amount
from bot.services.leagues import importing, importing_records
from bot.services.leagues.importing_records import Plan
from bot.services.leagues.who_is_who import Unclear
from bot.steps import File
from bot.worker import Worker
from cogs.leagues.import_preview import head, seasons
from cogs.leagues.import_reading import BYTES_OF_NAME, Preview, read, with_news
from cogs.leagues.imported import imported
from cogs.ui.actions import (
    MOST_OPTIONS,
    PRIMARY,
    SUCCESS,
    ActionButton,
    ActionSelect,
    Doing,
    Press,
    action,
    choice,
)
from cogs.ui.button_memory import forget, keep, kept
from cogs.ui.cards import BLUE, LINE, ORANGE, Answer, Part, card
from cogs.ui.context import Caller, Interaction, caller, host
from cogs.ui.errors import explain
from cogs.ui.forms import Form
from cogs.ui.questions import cancel, with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import cut, shown
from storage.rows import LeagueRow


async def begin(asker: Caller, league: LeagueRow, files: tuple[File, ...], number: int | None) -> Answer | None:
    """Return the preview of files of other programs, None for league files."""
    short = await read(asker.interaction, files)
    if short is None:
        return None
    size = sum(len(file.data) for file in files) + BYTES_OF_NAME * len(short.names)
    key = keep(Preview(league=league, files=files, number=number, short=short), size=size)
    return await _preview(asker, key)


def _size(_: Worker, files: tuple[File, ...]) -> int:
    return sum(len(file.data) for file in files)


@with_confirmation("import", "Import this?", yes="Import", no="Cancel", style=SUCCESS, size=_size)
async def league_files(asker: Caller, worker: Worker, files: tuple[File, ...], *, agreed: str = "") -> Answer:
    """Import league files: a season each, as what it is."""
    first, *others = files
    more = [file.data for file in others]
    try:
        done = await steps.import_file(
            asker.db, asker.order, data=first.data, others=more, worker=worker, agreed=agreed
        )
    except InvalidFile as wrong:
        raise Invalid(f"{shown(first.name)}: {wrong}" if not others else str(wrong)) from None
    return imported(asker.league_id, done)


async def _once_more(asker: Caller, key: str, error: Exception, doing: str) -> Answer:
    """Return the preview as it was, with what went wrong above: how far it was may stand in its place by now."""
    text = f"❌ {explain(error, doing=doing)}"
    try:
        before = await _preview(asker, key)
    except LeagueError:
        return Answer(text=text, replace=True)
    return replace(before, parts=(text, LINE, *before.parts))


async def _plan(asker: Caller, preview: Preview) -> Plan:
    return await asker.read(importing_records.plan, file=preview.short, decided=preview.decided, number=preview.number)


async def _preview(asker: Caller, key: str) -> Answer:
    """Return what an import would bring, with the first question there is."""
    preview: Preview = kept(key)
    short = preview.short
    if short.problems:
        return _wrong(key, preview)
    if short.questions:
        return _question(key, preview, short.questions[0])
    planned = await _plan(asker, preview)
    unclear = planned.identities.unclear
    label = f"Import {amount(short.matches, 'match', 'matches')}" if short.seasons else "Import"
    open_ = any(season.champion is None for season in short.seasons)
    who_won = (choose_season(key).button("Who won?"),) if open_ else ()
    does = (
        run(key).button(label, SUCCESS, disabled=bool(unclear)),
        *who_won,
        *_columns(key, preview),
        cancel(key).button("Cancel"),
    )
    first = "the question" if len(unclear) == 1 else f"the {len(unclear)} questions"
    parts: list[Part] = [head(preview.title, preview.league.name, short, planned, preview.champions)]
    if unclear:
        parts += [LINE, *_who(key, preview, planned, unclear[0])]
    parts += [LINE, does, *([f"-# Answer {first}, then press **Import**."] if unclear else [])]
    return Answer(parts=tuple(parts), colour=BLUE, replace=True)


def _who(key: str, preview: Preview, planned: Plan, unclear: Unclear) -> list[Part]:
    name, here = unclear.name, planned.in_league
    index = [name_in_file.name for name_in_file in preview.short.names].index(name.name)
    them = [f"**{shown(other)}**" for other in unclear.candidates]
    mine = "your player" if unclear.candidates[0] in here else "the same person as"
    seasons = sorted(planned.numbers[at] for at in name.seasons)
    facts = [f"**{shown(name.name)}**, in the file: {amount(name.matches, 'match', 'matches')}{_in(seasons)}"]
    facts += [
        f"**{shown(other)}**, in this league: {amount(player.matches, 'match', 'matches')}{_in(player.seasons)}"
        for other in unclear.candidates
        if (player := here.get(other)) is not None
    ]
    same = [
        is_someone(key, index, at).button(f"The same as {other}", PRIMARY)
        for at, other in enumerate(unclear.candidates)
    ]
    return [
        f"-# Question 1 of {len(planned.identities.unclear)}\nIs **{shown(name.name)}** in the file {mine}"
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


def _wrong(key: str, preview: Preview) -> Answer:
    short = preview.short
    many = f"{short.wrong_rows} of {amount(short.rows, 'row')}" if short.rows else amount(short.wrong_rows, "place")
    lines = [
        f"**{shown(problem.where)}{f', {shown(problem.column)}' if problem.column else ''}:** {shown(problem.text)}"
        for problem in short.problems
    ]
    more = [f"-# And {short.wrong_rows - len(lines)} more."] if short.wrong_rows > len(lines) else []
    text = "\n".join([f"**{many} can't be read.** Fix them and send the file again.", *lines, *more])
    buttons = _columns(key, preview)
    return replace(card("❌ Nothing was imported", cut(text, 3500), buttons=buttons, colour=ORANGE), replace=True)


def _columns(key: str, preview: Preview) -> tuple[ActionButton, ...]:
    return (choose_role(key).button("Columns"),) if preview.short.titles else ()


def _question(key: str, preview: Preview, asked: Question) -> Answer:
    text = f"{shown(asked.text)}\n-# For {shown(preview.league.name)}. Nothing is imported yet."
    typed = (type_name(key).button("Type the name", PRIMARY),) if asked.about is About.NAME else ()
    answer = card(f"Preview: {preview.title}", text)
    selects = _selects([_option(answer) for answer in asked.choices], lambda at: answer_column(key, at), "Choose")
    return replace(answer, parts=(*answer.parts, *selects, (*typed, cancel(key).button("Cancel"))), replace=True)


def _selects(
    options: Sequence[discord.SelectOption], choosing: Callable[[int], Doing], hint: str
) -> Iterator[tuple[ActionSelect]]:
    """Yield a select for all options, or several for more than one can have; each is told its place among them."""
    for at, first in enumerate(range(0, len(options), MOST_OPTIONS)):
        part = options[first : first + MOST_OPTIONS]
        which = f" ({first + 1} to {first + len(part)} of {len(options)})" if len(options) > MOST_OPTIONS else ""
        yield (choosing(at).select(part, hint=f"{hint}{which}"),)


def _option(answer: Choice) -> discord.SelectOption:
    return discord.SelectOption(label=cut(answer.label, 100), value=cut(answer.value, 100))


async def _kept(asker: Caller, key: str) -> tuple[Preview, Caller]:
    """Return a preview, and who looks at it, in its league; raises NotAllowed for anyone but organisers."""
    preview: Preview = kept(key)
    in_league = asker.of(preview.league.id)
    await in_league.read(importing.require_importer)
    return preview, in_league


async def _answered(interaction: Interaction, key: str, value: str) -> Answer:
    """Take an answer to what the file doesn't say, and read it again with that."""
    preview, asker = await _kept(caller(interaction), key)
    if not preview.short.questions:
        return await _preview(asker, key)
    return await _read_again(interaction, asker, key, preview.short.questions[0], value, [preview.short.asks])


async def _read_again(
    interaction: Interaction, asker: Caller, key: str, asked: Question, value: str, of: Sequence[int]
) -> Answer:
    """Read files again with one more answer about those of these indices."""
    preview: Preview = kept(key)
    files = tuple(
        replace(file, answers=file.answers.answered(asked, value)) if at in of else file
        for at, file in enumerate(preview.files)
    )
    try:
        short = await read(asker.interaction, files)
    except Exception as error:
        return await _once_more(asker, key, error, "reading a file")
    if short is None:
        raise Conflict("This message is too old, so nothing was changed. Use the command again.")
    preview.files, preview.short = files, short
    preview.champions.clear()
    return await _preview(asker, key)


@choice("import-column")
async def answer_column(press: Press, value: str, key: str, _part: int) -> Reply:
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
    preview, asker = await _kept(press.who, key)
    if not preview.short.questions or preview.short.questions[0].about is not About.NAME:
        return await _preview(asker, key)
    return NameForm(key, preview.short.questions[0])


def _choose(title: str, text: str, *selects: tuple[ActionSelect], back: Doing) -> Answer:
    """Return a question beside the preview, with the way back."""
    answer = card(title, text)
    return replace(answer, parts=(*answer.parts, *selects, (back.button("Back"),)), replace=True)


@action("import-columns")
async def choose_role(press: Press, key: str) -> Reply:
    """Show which column is read as what, and ask which of these is wrong or missing."""
    preview, asker = await _kept(press.who, key)
    taken = preview.short.columns
    if not preview.short.titles:
        return await _preview(asker, key)
    options = [
        discord.SelectOption(
            label=role.capitalize(), value=str(at), description=cut(f"Now: {taken.get(role, 'no column')}", 100)
        )
        for at, role in enumerate(POINTABLE)
    ]
    text = "What is read from the wrong column, or not at all? Choose it, then the column."
    select = choose_column(key).select(options, hint="Choose what is wrong or missing")
    return _choose("Columns", text, (select,), back=show_preview(key))


@choice("import-role")
async def choose_column(press: Press, value: str, key: str) -> Reply:
    """Ask in which column something is."""
    preview, asker = await _kept(press.who, key)
    if not preview.short.titles:
        return await _preview(asker, key)
    role = POINTABLE[int(value)]
    options = [discord.SelectOption(label="No column", value=NO_COLUMN)]
    options += [discord.SelectOption(label=cut(title, 100), value=cut(title, 100)) for title in preview.short.titles]
    selects = _selects(options, lambda at: point_at(key, int(value), at), "Choose a column")
    return _choose("Columns", f"Which column is it: {role}?", *selects, back=choose_role(key))


@choice("import-pointed")
async def point_at(press: Press, value: str, key: str, role: int, _part: int) -> Reply:
    """Read the files again with this column."""
    preview, asker = await _kept(press.who, key)
    title = next((title for title in preview.short.titles if cut(title, 100) == value), NO_COLUMN)
    asked = Question(about=About.COLUMN, key=str(POINTABLE[role]), text="")
    return await _read_again(press.interaction, asker, key, asked, title, range(len(preview.files)))


@action("import-who")
async def is_someone(press: Press, key: str, name: int, candidate: int) -> Reply:
    """Say who a name in the file is, if that isn't said yet."""
    preview, asker = await _kept(press.who, key)
    planned = await _plan(asker, preview)
    meant = preview.short.names[name].name
    asked = next((doubt for doubt in planned.identities.unclear if doubt.name.name == meant), None)
    if asked is not None and candidate < len(asked.candidates):
        preview.decided[meant] = "" if candidate < 0 else asked.candidates[candidate]
    return await _preview(asker, key)


@action("import-won")
async def choose_season(press: Press, key: str) -> Reply:
    """Ask which season someone won, of those whose file doesn't say it, or who if there is only one."""
    preview, asker = await _kept(press.who, key)
    open_ = [at for at, season in enumerate(preview.short.seasons) if season.champion is None]
    if preview.short.questions or not open_:
        return await _preview(asker, key)
    planned = await _plan(asker, preview)
    if len(open_) == 1:
        return _who_won(key, preview, open_[0], planned.numbers[open_[0]])
    options = [
        discord.SelectOption(
            label=cut(f"Season {planned.numbers[at]}: {preview.short.seasons[at].title}", 100), value=str(at)
        )
        for at in sorted(open_, key=lambda at: planned.numbers[at])
    ]
    select = ask_champion(key).select(options, hint="Choose a season")
    text = "Which season do you mean? Seasons you leave out have no champion."
    return _choose("Who won?", text, (select,), back=show_preview(key))


def _who_won(key: str, preview: Preview, at: int, number: int) -> Answer:
    top = preview.short.seasons[at].top
    options = [
        discord.SelectOption(label=cut(line.name, 100), value=cut(line.name, 100), description=line.record)
        for line in top
    ]
    select = note_champion(key, at).select(options, hint="Choose a person")
    text = f"Who is the champion of season {number}? The best {len(options)} are listed."
    return _choose("Who won?", text, (select,), back=show_preview(key))


@choice("import-season")
async def ask_champion(press: Press, value: str, key: str) -> Reply:
    """Ask who won a season."""
    preview, asker = await _kept(press.who, key)
    if preview.short.questions or int(value) >= len(preview.short.seasons):
        return await _preview(asker, key)
    planned = await _plan(asker, preview)
    return _who_won(key, preview, int(value), planned.numbers[int(value)])


@choice("import-champion")
async def note_champion(press: Press, value: str, key: str, at: int) -> Reply:
    """Note who won a season, and show the preview."""
    preview, asker = await _kept(press.who, key)
    top = preview.short.seasons[at].top if at < len(preview.short.seasons) else ()
    chosen = (line.name for line in top if cut(line.name, 100) == value)
    if (name := next(chosen, None)) is not None:
        preview.champions[at] = name
    return await _preview(asker, key)


@action("import-preview")
async def show_preview(press: Press, key: str) -> Reply:
    """Show the preview again."""
    _, asker = await _kept(press.who, key)
    return await _preview(asker, key)


@action("import-run")
async def run(press: Press, key: str) -> Reply:
    """Import a file that was previewed."""
    preview, asker = await _kept(press.who, key)
    planned = await _plan(asker, preview)
    if planned.identities.unclear:
        return await _preview(asker, key)
    worker, matches, saved = host(press.interaction).importer, preview.short.matches, [0]

    def far() -> str:
        how = f"{saved[-1] / max(1, matches):.0%} saved" if len(saved) > 1 else "reading the file"
        return f"Importing {amount(matches, 'match', 'matches')}: {how} …"

    work = steps.bring_in(
        asker.db,
        asker.order,
        files=preview.files,
        short=preview.short,
        planned=planned,
        champions=preview.champions,
        worker=worker,
        saved=saved.append,
    )
    try:
        done = await with_news(press.interaction, work, far)
    except Exception as error:
        return await _once_more(asker, key, error, "button import-run")
    forget(key)
    return imported(preview.league.id, done, [*seasons(preview.short, planned.numbers, preview.champions)])
