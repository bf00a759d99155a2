"""Read several files as one past: each has its own questions, and what is in two of them is asked about."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

from bot.importers.found import About, Answers, Choice, Found, FoundMatch, FoundSeason, Problem, Question, called
from bot.importers.gathering import require_few
from bot.importers.read_file import OF_LEAGUES, WHOLE_LEAGUE, read, reader_of
from bot.importers.reader import Reader
from bot.league.errors import InvalidFile
from bot.league.season.in_words import amount
from bot.league.season.names import written_key

ONCE, TWICE = "once", "twice"
"""Answers to whether matches in two files were played once or twice."""
_ASKED = "in two files"
_written = lru_cache(maxsize=5_000)(written_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file someone sent, and what they answered about it."""

    name: str
    data: bytes
    answers: Answers = field(default_factory=Answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """All that some files have; the questions are those of the file of the index `asks`."""

    contents: Found
    asks: int


def are_league_files(files: Sequence[File]) -> bool:
    """Return whether files are league files, or one is a whole league; raises InvalidFile for those among others."""
    readers = [_reader_of(file, several=len(files) > 1) for file in files]
    if len(files) > 1 and WHOLE_LEAGUE in readers:
        whole = files[readers.index(WHOLE_LEAGUE)].name
        raise InvalidFile(f"{whole} is a whole league. Send it on its own.")
    are = [reader in OF_LEAGUES for reader in readers]
    if len(set(are)) > 1:
        league, other = files[are.index(True)].name, files[are.index(False)].name
        raise InvalidFile(f"{league} is a league file, {other} isn't. Send the league files on their own.")
    return are[0]


def _reader_of(file: File, *, several: bool) -> Reader:
    try:
        return reader_of(file.data)
    except InvalidFile as wrong:
        raise InvalidFile(wrong.problem, place=file.name if several else wrong.place) from None


def read_together(files: Sequence[File]) -> Together:
    """Return all that some files have; raises InvalidFile, which names the file where there are several."""
    if len(files) == 1:
        return Together(contents=_alone(files[0]), asks=0)
    _require_different(files)
    read_ = [read(file.data, file.name, file.answers) for file in files]
    asks = next((at for at, contents in enumerate(read_) if contents.questions), None)
    several = [_of_file(file.name, contents) for file, contents in zip(files, _spelled(read_), strict=True)]
    if asks is None:
        several, asks = _without_doubles(files, several)
    together = _joined(several)
    return Together(contents=replace(together, questions=several[asks].questions), asks=asks)


def _alone(file: File) -> Found:
    try:
        return read(file.data, file.name, file.answers)
    except InvalidFile as wrong:  # who asks says which file it is
        raise InvalidFile(wrong.problem, place=wrong.place.removeprefix(file.name).removeprefix(", ")) from None


def _require_different(files: Sequence[File]) -> None:
    first: dict[bytes, File] = {}
    for file in files:
        if (before := first.setdefault(file.data, file)) is not file:
            raise InvalidFile(f"{before.name} and {file.name} are the same file. Leave one of them out.")


def _spelled(several: Sequence[Found]) -> list[Found]:
    """Return files in which a name in other letter case is the same person, by the first spelling."""
    spelled: dict[str, str] = {}
    names = [{name: spelled.setdefault(written_key(name), name) for name in contents.names} for contents in several]
    return [called(contents, others) for contents, others in zip(several, names, strict=True)]


def _of_file(name: str, contents: Found) -> Found:
    """Return what a file has with its name wherever a place is said."""

    def placed(where: str) -> str:
        return f"{name}, {where[:1].lower()}{where[1:]}"

    seasons = (
        replace(season, matches=tuple(replace(match, where=placed(match.where)) for match in season.matches))
        for season in contents.seasons
    )
    return replace(
        contents,
        seasons=tuple(seasons),
        problems=tuple(replace(problem, where=placed(problem.where)) for problem in contents.problems),
        questions=tuple(replace(question, text=f"{name}: {question.text}") for question in contents.questions),
        notes=tuple(f"{name}: {note}" for note in contents.notes),
    )


def _joined(several: Sequence[Found]) -> Found:
    seasons = tuple(season for contents in several for season in contents.seasons)
    require_few(sum(len(season.matches) for season in seasons))
    doubled = _same_numbers(seasons)
    return Found(
        source=several[0].source,
        seasons=seasons,
        people=tuple(dict.fromkeys(name for contents in several for name in contents.people)),
        rows=sum(contents.rows for contents in several),
        problems=(*doubled, *(problem for contents in several for problem in contents.problems)),
        wrong_rows=len(doubled) + sum(contents.wrong_rows for contents in several),
        notes=tuple(note for contents in several for note in contents.notes),
        accounts={name: account for contents in several for name, account in contents.accounts.items()},
        proposed={name: account for contents in several for name, account in contents.proposed.items()},
        titles=tuple(dict.fromkeys(title for contents in several for title in contents.titles)),
        columns=next((contents.columns for contents in several if contents.columns), {}),
    )


def _same_numbers(seasons: Sequence[FoundSeason]) -> list[Problem]:
    often = Counter(season.number for season in seasons if season.number is not None)
    text = "is in several files. Put its matches into one file, or give each season its own number."
    return [Problem(where=f"Season {number}", column="", text=text) for number, many in often.items() if many > 1]


_Key = tuple[frozenset[str], str | None, tuple[int, ...], date | None]


def _without_doubles(files: Sequence[File], several: Sequence[Found]) -> tuple[list[Found], int]:
    """Return files without what an earlier one has too, or with the question whether it was played twice."""
    first: dict[_Key, FoundMatch] = {}
    undated: dict[frozenset[_Key], FoundMatch] = {}
    left, asks = list[Found](), None
    for at, (file, contents) in enumerate(zip(files, several, strict=True)):
        doubles = _doubles(contents, first, undated)
        answer = file.answers.meant.get(_ASKED)
        if doubles and answer is None and asks is None:
            asks, contents = at, replace(contents, questions=(_twice(file, doubles),))
        elif answer == ONCE:
            contents = _without(contents, {id(match) for match, _ in doubles})
        left.append(contents)
        for season in contents.seasons:
            for match in season.matches:
                first.setdefault(_key(match), match)
            if season.matches and season.dates is None:
                undated.setdefault(frozenset(map(_key, season.matches)), season.matches[0])
    return left, asks or 0


def _key(match: FoundMatch) -> _Key:
    winner = None if match.winner is None else _written(match.winner)
    return frozenset(map(_written, match.players)), winner, tuple(sorted(match.games or ())), match.day


def _doubles(
    contents: Found, first: Mapping[_Key, FoundMatch], undated: Mapping[frozenset[_Key], FoundMatch]
) -> list[tuple[FoundMatch, FoundMatch]]:
    """Return the matches that earlier files have too, each with that one; without days only whole seasons do."""
    doubles = list[tuple[FoundMatch, FoundMatch]]()
    for season in contents.seasons:
        whole = None if season.dates is not None else undated.get(frozenset(map(_key, season.matches)))
        doubles += [
            (match, first[_key(match)])
            for match in season.matches
            if _key(match) in first and (match.day is not None or whole is not None)
        ]
    return doubles


def _twice(file: File, doubles: Sequence[tuple[FoundMatch, FoundMatch]]) -> Question:
    match, before = doubles[0]
    more = len(doubles) - 1
    many = f" So {'is' if more == 1 else 'are'} {more} more." if more else ""
    when = "" if match.day is None else f" on {match.day.day} {match.day:%B %Y}"
    text = f"{before.where} and {match.where} are the same match, {' against '.join(match.players)}{when}.{many}"
    return Question(
        about=About.MEANING,
        key=_ASKED,
        text=f"{text} Were they played twice?" if many else f"{text} Was it played twice?",
        choices=(
            Choice(value=ONCE, label=f"No, leave {'them' if many else 'it'} out of {file.name}"),
            Choice(value=TWICE, label="Yes, count both"),
        ),
    )


def _without(contents: Found, doubles: set[int]) -> Found:
    """Return what a file has without some of its matches, and without seasons of which none are left."""
    seasons = (
        replace(season, matches=tuple(match for match in season.matches if id(match) not in doubles))
        for season in contents.seasons
    )
    left = [
        season if len(season.matches) == len(before.matches) else _played(season)
        for before, season in zip(contents.seasons, seasons, strict=True)
    ]
    note = f"{amount(len(doubles), 'match', 'matches')} of another file came in once."
    return replace(contents, seasons=tuple(season for season in left if season.matches), notes=(*contents.notes, note))


def _played(season: FoundSeason) -> FoundSeason:
    """Return a season with the people who play in it or have a bye."""
    names = {name for match in season.matches for name in match.players} | {bye.name for bye in season.byes}
    champion = season.champion if season.champion in names else None
    return replace(season, people=tuple(name for name in season.people if name in names), champion=champion)
