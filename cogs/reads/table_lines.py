"""Standings, brackets, ratings and seals as short lines; `cogs/ui/private_tables.py` cuts pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.league.bracket.match_names import THIRD_PLACE, in_sentence
from bot.league.bracket.whole_tree import TreeMatch
from bot.league.counting.ratings import ENOUGH_MATCHES, ShownRating
from bot.league.counting.standings import Standing
from bot.league.counting.table_columns import Column, cells, further
from bot.league.season.in_words import amount
from bot.league.season.match_score import score, score_words
from bot.league.season.model import SealedSalt, Status
from bot.league.summaries.outlook.prospects import Verdict
from bot.league.summaries.season_table import TableRow
from bot.services.matches.views import MatchView
from bot.services.reads.tables import BracketView, Ranked, RankingView
from cogs.matches.rounds import STATE_MARKS, bye_line
from cogs.ui.context import Host
from cogs.ui.text import shown
from storage.rows import LeagueId

STATUS_WORDS: Mapping[Status, str] = {
    Status.CHAMPION: " 🏆",
    Status.QUALIFIED: " · in the finals",
    Status.ELIMINATED: " · out",
    Status.DROPPED: " · dropped",
    Status.DISQUALIFIED: " · disqualified",
    Status.ACTIVE: "",
}


_VERDICTS = {Verdict.IN: " · sure of the finals", Verdict.OUT: " · out", Verdict.OPEN: ""}


def check_link(
    bot: Host, league: LeagueId, season: int, round_: int | None = None, *, words: str = "Watch it in the browser"
) -> str | None:
    """Return a link to where the league's pages check a season, if the pages are on the web."""
    if not bot.settings.site_url:
        return None
    place = "" if round_ is None else f"#round-{round_}"
    return f"[{words}](<{bot.settings.site_url}/{league}/season-{season}/check.html{place}>)"


def record(row: Standing) -> str:
    """Return wins-losses, with draws where there are any."""
    return score(row.wins, row.losses, *((row.draws,) if row.draws else ()))


def rating_words(rating: ShownRating) -> str:
    """Return a rating with its uncertainty; a star where it is provisional."""
    star = "\\*" if rating.provisional else ""
    return f"rating {rating.value} ± {rating.uncertainty}{star}"


def provisional_lines(rows: Iterable[TableRow]) -> Iterator[str]:
    """Yield what the star at a rating means, where one has it."""
    if any(row.rating and row.rating.provisional for row in rows):
        yield f"-# \\* provisional rating: fewer than {ENOUGH_MATCHES} rated matches"


def standing_line(line: TableRow, columns: Sequence[Column], own: str | None = None) -> str:
    """Return one player's line of the standings; that of the person who asks is the bold one."""
    row = line.standing
    name = in_bold(line.called) if line.called == own else shown(line.called)
    moved = f" {'▲' if line.movement > 0 else '▼'}{abs(line.movement)}" if line.movement else ""
    parts = [f"**{row.rank}.**{moved} {name} · {record(row)}"]
    if row.points != row.wins:
        parts.append(f"{row.points} p")
    others = further(columns)
    parts += [f"{column.title} {cell}" for column, cell in zip(others, cells(row, others), strict=True) if cell]
    parts += [rating_words(line.rating)] if line.rating else []
    # A player with a place in the finals is out of them, or has won them.
    place = "" if row.place is None or row.status is Status.CHAMPION else f" · place {row.place}"
    status = (
        "" if row.place and row.status is Status.ELIMINATED else STATUS_WORDS[row.status] or _VERDICTS[line.verdict]
    )
    drawn = " · tied, by the draw" if line.drawn else ""
    return " · ".join(parts) + place + status + drawn


def bracket_lines(view: BracketView) -> list[str]:
    """Return a bracket round by round: results, states, byes, and who comes into the matches that aren't paired yet."""
    lines: list[str] = []
    order = {match.name: at for at, match in enumerate(view.tree)}
    for round_ in view.rounds:
        lines.append(f"__{round_.round.name}__" + (f" · best of {round_.best_of}" if round_.best_of > 1 else ""))
        lines += [
            _bracket_line(match) for match in sorted(round_.matches, key=lambda match: order.get(match.match.name, 0))
        ]
        lines += [bye_line(bye, round_.round) for bye in round_.byes]
        lines.append("")
    to_come = [match for match in view.tree if match.match is None and match.round > len(view.rounds)]
    lines += ["__Still to come__", *(_line_to_come(match, view) for match in to_come)] if to_come else []
    return lines


def _line_to_come(match: TreeMatch, view: BracketView) -> str:
    which = "Loser" if match.name == THIRD_PLACE else "Winner"
    names = [
        shown(view.called[slot.name] if slot.name else f"{which} of {in_sentence(slot.source or '')}")
        for slot in match.slots
    ]
    return f"{match.name}: {' v '.join(names)}"


def _bracket_line(view: MatchView) -> str:
    won = view.match.winner_id
    names = [f"**{shown(side.called)}**" if side.id == won else shown(side.called) for side in view.sides]
    name = "" if view.match.name == view.round.name else f"{view.match.name}: "
    return f"{STATE_MARKS[view.match.state]} {name}{names[0]} v {names[1]}{score_words(*view.match.scoreline)}"


def in_bold(name: str) -> str:
    """Return a name as the line of the person who asks shows it."""
    return f"**{shown(name)}**"


def ranking_lines(view: RankingView) -> list[str]:
    """Return a league's ratings, the best first; those that are provisional stand apart, without a place."""
    settled = [player for player in view.players if not player.rating.provisional]
    others = [player for player in view.players if player.rating.provisional]
    lines = [f"**{place}.** {_rated(player, view.own)}" for place, player in enumerate(settled, start=1)]
    heading = f"__Provisional: fewer than {ENOUGH_MATCHES} rated matches__"
    return [*lines, *([heading] if others else []), *(f"• {_rated(player, view.own)}" for player in others)]


def _rated(ranked: Ranked, own: str | None) -> str:
    rating = f"**{ranked.rating.value}** ± {ranked.rating.uncertainty}"
    name = in_bold(ranked.name) if ranked.name == own else shown(ranked.name)
    return f"{name} · {rating} · {amount(ranked.matches, 'match')}"


def seal_lines(sealed: SealedSalt | None) -> Iterator[str]:
    """Yield what the draw of a season was sealed by, and the secret once it's shown; nothing where it isn't sealed."""
    if sealed is not None:
        if sealed.secret is None:
            yield f"So that no one can choose opponents, the draw is sealed until round 1: `{sealed.commitment}`"
        else:
            yield f"Sealed draw: `{sealed.commitment}`"
            yield f"Its secret: `{sealed.secret}`"
