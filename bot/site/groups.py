"""The groups of a season as its page shows them: places, everyone's matches, what ties went by."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bot.league.counting.standings import cut_after
from bot.league.counting.table_columns import Column
from bot.league.formats import by_key
from bot.league.formats.shared.groups import results_in
from bot.league.season.in_words import amount
from bot.league.season.match_score import score
from bot.league.season.model import Kind, Match, Name, Season
from bot.league.season.phases import LIVE
from bot.league.summaries.group_words import goes_on, group_columns, numbers_in_cell, signed_cells, tied
from bot.site import words
from bot.site.crossed import Met, letter
from bot.site.facts import SeasonFacts
from bot.site.lines import Line

Said = tuple[str, str]
"""A match in a cell: its letter, W, L, D or a dot, and its numbers where it has some."""


class GroupPage(NamedTuple):
    """A group: its table like that of a season, a row a player with a cell for each player, and lists for phones."""

    table_title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    cross: tuple[tuple[tuple[Said, ...] | None, ...], ...]
    met: tuple[Met, ...]
    cut_after: int | None
    cut_words: str
    how_far: str
    tied: tuple[str, ...]
    over: bool
    ratings: bool = False
    finals_column: bool = False


def groups(facts: SeasonFacts, everyone: Mapping[Name, Line]) -> Iterator[GroupPage]:
    """Yield the groups of a season with their results before the finals; `everyone` has their lines of the season."""
    record, format_ = facts.record, by_key(facts.record.format)
    tables, begun = format_.group_tables(record), facts.table.begun
    if not tables:
        return
    lines = {line.name: line for line in format_.standings(record)}
    columns = sorted(group_columns(tuple(lines.values()), record.settings), key=lambda column: not column.centred)
    going_on = format_.finalists_now(record) if begun and facts.phase in LIVE else ()
    orders = [table.order if begun else table.numbers for table in tables]
    cuts = [cut_after([lines[name] for name in order], going_on) for order in orders]
    in_finals = record.finals_begun
    for at, (table, order) in enumerate(zip(tables, orders, strict=True)):
        matches = table.matches(record)
        have, every = results_in(matches)
        crossing = {name: tuple(_said(name, order, matches, record)) for name in order}
        yield GroupPage(
            table_title=table.title,
            columns=tuple(columns),
            lines=tuple(
                everyone[name]._replace(
                    rank=place if begun else None,
                    cells=("",) * len(columns) if name in table.struck else tuple(signed_cells(lines[name], columns)),
                    record=words.record(lines[name]),
                    rating=None,
                    went="",
                )
                for place, name in enumerate(order, start=1)
            ),
            cross=tuple(crossing.values()),
            met=tuple(_met(name, order, crossing[name], everyone, words.record(lines[name])) for name in order),
            cut_after=cuts[at],
            cut_words=f"cut: {goes_on(record.settings, cuts, at, in_finals=in_finals)}" if cuts[at] else "",
            how_far=f"{have} of {amount(every, 'result')} in",
            tied=tuple(tied(table, order)) if begun else (),
            over=facts.phase not in LIVE,
        )


def _said(
    name: Name, order: tuple[Name, ...], matches: Mapping[frozenset[Name], tuple[Match | None, ...]], record: Season
) -> Iterator[tuple[Said, ...] | None]:
    """Yield a player's matches with each player of the group; None where they would meet themself."""
    for other in order:
        both = matches.get(frozenset((name, other)), ())
        yield None if other == name else tuple(_match(match, name, record) for match in both)


def _match(match: Match | None, name: Name, record: Season) -> Said:
    if match is None or match.kind is Kind.OPEN:
        return "·", ""
    numbers = numbers_in_cell(match, name, record.settings)
    return letter(match, name), "" if numbers is None else score(*numbers)


def _met(
    name: Name,
    order: tuple[Name, ...],
    cells: tuple[tuple[Said, ...] | None, ...],
    everyone: Mapping[Name, Line],
    record: str,
) -> Met:
    """Return a player's matches as a list for phones."""
    pairs = zip(order, cells, strict=True)
    rows = ((mark, everyone[other].name, numbers) for other, cell in pairs for mark, numbers in cell or ())
    return Met(everyone[name].name, record, tuple(rows))
