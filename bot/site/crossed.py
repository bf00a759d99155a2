"""All matches of a season as one table: a cross table, a wall chart, or a list a player for phones."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.league.season.model import Kind, Match, Name, Round
from bot.league.summaries.careers import place
from bot.site import words
from bot.site.facts import SeasonFacts

MOST_CROSSED = 32
"""With more players, all matches are a wall chart: a row a player, a column a round."""


class Cell(NamedTuple):
    """A match in a table of all matches: how it ended, and where."""

    result: str
    where: str


class Met(NamedTuple):
    """All matches of a player in a season, as lists for phones."""

    name: str
    record: str
    matches: tuple[tuple[str, str, str], ...]


def letter(match: Match, name: Name) -> str:
    """Return how a match ended for a player: W, L, D, or a dot while it is to play."""
    if match.kind is Kind.OPEN:
        return "·"
    if match.winner is None and match.kind is not Kind.DOUBLE_LOSS:
        return "D"
    return "W" if match.winner == name else "L"


def cross(order: Sequence[Name], whole: Sequence[tuple[Round, Match, str]]) -> Iterator[tuple[Cell, ...]]:
    """Yield a row a player, with a cell for each other player in the same order."""
    results: dict[tuple[Name, Name], list[tuple[str, str]]] = {}
    for round_, match, name in whole:
        for player in match.players:
            where = words.in_a_cell(round_.stage, round_.number, name)
            results.setdefault((player, match.opponent_of(player)), []).append((letter(match, player), where))
    for own in order:
        yield tuple(
            Cell(
                result="self" if own == other else results[own, other][-1][0] if (own, other) in results else "",
                where=" ".join(f"{mark}{where}" for mark, where in results.get((own, other), [])),
            )
            for other in order
        )


def chart(order: Sequence[Name], rounds: Sequence[Round]) -> Iterator[tuple[str, ...]]:
    """Yield a row a player: W, L or D and the opponent's line in the table, round by round."""
    lines = {name: at for at, name in enumerate(order, start=1)}
    by_round: list[dict[Name, str]] = []
    for round_ in rounds:
        cells: dict[Name, str] = dict.fromkeys(round_.byes, "bye")
        for match in round_.matches:
            for name in match.players:
                cells[name] = f"{letter(match, name)} {lines[match.opponent_of(name)]}"
        by_round.append(cells)
    for name in order:
        yield tuple(cells.get(name, "") for cells in by_round)


def met(
    facts: SeasonFacts, whole: Sequence[tuple[Round, Match, str]], seated: Mapping[int, Mapping[Name, str]]
) -> Iterator[Met]:
    """Yield the matches of each player, in the order of the table; `seated` says what all were called in each round."""
    by_name: dict[Name, list[tuple[str, str, str]]] = {}
    for round_, match, name in whole:
        where = place(round_, name)
        where = where[:1].lower() + where[1:]
        for player in match.players:
            other = match.opponent_of(player)
            row = letter(match, player), seated[round_.number].get(other, other), where
            by_name.setdefault(player, []).append(row)
    for row in facts.table.rows:
        line = row.standing
        yield Met(row.called, words.record(line), tuple(by_name.get(line.name, ())))
