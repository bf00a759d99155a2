"""What the program answers about a season: its next round and its standings, as JSON values or as a table."""

import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from bot.league.checking.league_file.writing import written_byes
from bot.league.counting import table_columns
from bot.league.counting.ratings import new_rating, ratings_of_the_table, season_ratings, shown_rating
from bot.league.counting.standings import Standing, at_the_end
from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.match_day.dice_offs import first_choices
from bot.league.pairing.proposal import Champion, Proposal, Qualified
from bot.league.season.model import Rating, Season
from bot.league.season.node import quoted


def next_round(season: Season) -> dict[str, Any]:
    """Return the next round with its reasons, or how the season ended; raises PairingImpossible or WrongPhase."""
    answer = by_key(season.format).next_round(season)
    if isinstance(answer, Champion):
        return {"champion": answer.name}
    if isinstance(answer, Qualified):
        return {"qualified": list(answer.names)}
    return _round(season, answer)


def _round(season: Season, proposal: Proposal) -> dict[str, Any]:
    return {
        "season": season.number,
        "number": proposal.number,
        "stage": proposal.stage.value,
        "bye": written_byes([bye.name for bye in proposal.byes], proposal.stage),
        "bye_why": [[reason.sentence for reason in bye.reasons] for bye in proposal.byes],
        "matches": _matches(season, proposal),
        "rematches": proposal.rematches,
    }


def _matches(season: Season, proposal: Proposal) -> list[dict[str, Any]]:
    matches: list[dict[str, Any]] = [
        {"players": list(pair.players), "why": [reason.sentence for reason in pair.reasons]} for pair in proposal.pairs
    ]
    choices = first_choices(season, proposal.number, [pair.players for pair in proposal.pairs])
    for match, choice in zip(matches, choices, strict=False):
        match |= {"dice_off": choice.name, "why": [*match["why"], *(reason.sentence for reason in choice.reasons)]}
    return matches


def standings_list(season: Season) -> list[dict[str, Any]]:
    """Return the standings as JSON values, ratios exact and as numbers."""
    rules, ratings = by_key(season.format), ratings_of_the_table(season)
    return [
        _standing(line, ratings[line.name]) | (_in_group(line) if rules.in_groups else {})
        for line in rules.standings(season)
    ]


def _in_group(standing: Standing) -> dict[str, Any]:
    return {"group": standing.group, "group_rank": standing.group_rank}


def ladder(season: Season) -> dict[str, Any]:
    """Return the order in which the next season fills its divisions; raises Invalid or PairingImpossible."""
    return {"ladder": list(by_key(season.format).ladder(season))}


def _standing(standing: Standing, rating: Rating) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "name": standing.name,
        "points": standing.points,
        "wins": standing.wins,
        "losses": standing.losses,
        "draws": standing.draws,
        "byes": standing.byes,
        "status": standing.status.value,
        "place": standing.place,
        "rating": {"mu": rating.mu, "sigma": rating.sigma},
        "tiebreaks": {key: _exact(value) for key, value in standing.tiebreaks.items()},
    }


def _exact(value: Fraction | float) -> dict[str, Any]:
    """Return a tie-break as a number, and as a fraction unless it is a rounded mean of chances."""
    if isinstance(value, float):
        return {"value": value}
    return {"exact": str(value), "value": value if isinstance(value, int) else float(value)}


def standings_table(season: Season) -> str:
    """Return the standings as an aligned text table, as Discord shows them: at the end the finals count too."""
    format_, over = by_key(season.format), _is_over(season)
    listed, ratings = format_.standings(season), season_ratings(season) if over else ratings_of_the_table(season)
    if over:
        listed = at_the_end(season, listed)
    columns = table_columns.columns(listed, format_.named_tiebreaks)
    grouped = ("group",) if format_.in_groups else ()
    rows = [["#", "name", *grouped, *(column.title for column in columns), "rating", "exact (mu ± sigma)", "status"]]
    scale = season.settings.rating
    for standing in listed:
        rating = ratings[standing.name]
        shown = shown_rating(rating, scale, 0)
        rows.append(
            [
                str(standing.rank),
                standing.name if standing.name.isprintable() else quoted(standing.name),
                *(str(standing.group or "") for _ in grouped),
                *table_columns.cells(standing, columns),
                "" if rating == new_rating(scale) else f"{shown.value} ± {shown.uncertainty}",
                f"{rating.mu:.2f} ± {rating.sigma:.2f}",
                standing.status.value,
            ]
        )
    return "\n".join(_aligned(rows))


def _is_over(season: Season) -> bool:
    """Whether no round is due any more; a recorded season shows its table as it is."""
    try:
        return bool(season.rounds) and not isinstance(by_key(season.format).next_round(season), Proposal)
    except LeagueError:
        return False


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    words = {1, len(rows[0]) - 1}  # to the left, numbers to the right
    return [
        "  ".join(_padded(cell, widths[column], left=column in words) for column, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def _padded(cell: str, width: int, *, left: bool) -> str:
    space = " " * (width - _width(cell))
    return cell + space if left else space + cell


def _width(text: str) -> int:
    """Return the columns a text takes in a terminal: wide characters two, marks none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
