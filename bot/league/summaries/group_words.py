"""The table of a group in words: its columns in the order of what decides, what a tie goes by, how matches ended."""

from collections.abc import Iterable, Iterator, Sequence

from bot.league.counting.standings import Standing
from bot.league.counting.table_columns import RECORD, Column, cells, columns
from bot.league.counting.tiebreaks import DIFFERENCE, GAME_WINS, NAMES, SCORED, TiebreakName
from bot.league.formats.shared.groups import GroupTable
from bot.league.formats.shared.words import table_tiebreaks
from bot.league.season.in_words import capitalised
from bot.league.season.match_score import scoreline_of
from bot.league.season.model import Kind, Match, Name
from bot.league.season.settings import SeasonSettings

_MINUS = "\N{MINUS SIGN}"
_OF_GAMES = {DIFFERENCE: TiebreakName("+/−", "games won minus games lost"), SCORED: NAMES[GAME_WINS]}
_WITHOUT_SCORES = {key: name for key, name in NAMES.items() if key not in _OF_GAMES}


def group_columns(lines: Sequence[Standing], settings: SeasonSettings) -> tuple[Column, ...]:
    """Return the columns of groups: what decides first, the season's tie-breaks in their order, then the record.

    Without scores games count instead of them; where a match is one game, everyone is equal in them.
    """
    names = NAMES if settings.scores else {**NAMES, **_OF_GAMES} if settings.best_of > 1 else _WITHOUT_SCORES
    order = [tiebreak.value.replace("-", "_") for tiebreak in settings.tiebreaks]
    every = columns(lines, {key: names[key] for key in order if key in names})
    return tuple(sorted(every, key=lambda column: (not column.strong, column.key == RECORD)))


def signed_cells(line: Standing, shown: Sequence[Column]) -> Iterator[str]:
    """Yield what stands in these columns of a line, a difference with its sign."""
    for column, words in zip(shown, cells(line, shown), strict=True):
        positive = column.key == DIFFERENCE and words not in ("", "0") and not words.startswith("-")
        yield f"+{words}" if positive else words.replace("-", _MINUS)


def how_ties(settings: SeasonSettings) -> str:
    """Return what a result is worth, and what comes first among equals."""
    points = settings.points
    drawn = f"draw {points.draw}, " if settings.draws else ""
    first, *others = table_tiebreaks(settings)
    then = "".join(f", then {words}" for words in others)
    return f"Win {points.win}, {drawn}loss {points.loss}. Equal? {capitalised(first)}{then}."


def tied(table: GroupTable, order: Iterable[Name]) -> Iterator[str]:
    """Yield what put players behind the one before who has as many points, by their places."""
    for place, name in enumerate(order, start=1):
        if name in table.tied_by:
            yield f"{place} behind {place - 1}: {table.tied_by[name]}"


def numbers_in_cell(match: Match, name: Name, settings: SeasonSettings) -> tuple[int, int] | None:
    """Return what a cell of everyone's matches shows of a result: its score, or its games where there can be several.

    Own number first; None where only who won is known, or told.
    """
    if match.kind is Kind.OPEN:
        return None
    games, score = scoreline_of(match, name)
    return score if settings.scores else games if settings.best_of > 1 else None


def goes_on(settings: SeasonSettings, places: Sequence[int | None], at: int, *, in_finals: bool) -> str:
    """Return what the line of the cut says in group `at`: so many of each group, or of this one as it stands.

    `places` says for all groups after how many players the cut falls.
    """
    many = places[at]
    if many is None:
        return ""
    single = many == 1
    verb = f"play{'s' * single} the finals" if in_finals else f"go{'es' * single} on"
    if len(places) > 1 and settings.cut is None and len({*places}) == 1:
        return f"{many} of each group {verb}"
    first = "the first" if single else f"the first {many}"
    return f"{first} {verb}" if in_finals else f"{first} would now go on"
