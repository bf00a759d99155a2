"""What a finished round changed: who got through, who is out, who stands at the cut line, what decided the cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.league.bracket.match_names import round_of
from bot.league.formats.base import Format
from bot.league.formats.bracketed import BracketedFormat
from bot.league.formats.staged import StagedFormat
from bot.league.history import History
from bot.league.model import Name, Season, Stage, Status
from bot.league.reasons import Key, decided_between
from bot.league.standings import Standing
from bot.league.tiebreaks import printed

INSIDE = (Status.ACTIVE, Status.QUALIFIED, Status.CHAMPION)
"""The statuses of players who can still win the season."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The players who enter the finals, in seed order; `decided` says what decided the last place and other ties."""

    seeds: tuple[Standing, ...]
    decided: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundNews:
    """Players the round got through or knocked out; `waiting` are through and don't play for now.

    `for_third_place` lost a semi-final of a season that plays for third place.
    `edge` are the last above and the first below the cut line while the regular stage goes on; `cut` comes at its end.
    """

    through: tuple[Name, ...] = ()
    waiting: tuple[Name, ...] = ()
    out: tuple[Name, ...] = ()
    for_third_place: tuple[Name, ...] = ()
    edge: tuple[Standing, ...] = ()
    cut: Cut | None = None


def news_of(format_: Format, season: Season, number: int) -> RoundNews:
    """Return what round `number`, which is finished, changed; what came after it isn't looked at."""
    played, after = season.rounds[number - 1], replace(season, rounds=season.rounds[:number])
    rows = format_.standings(after)
    known = {row.name: row.status for row in format_.standings(replace(season, rounds=season.rounds[: number - 1]))}
    out = tuple(row.name for row in rows if row.status is Status.ELIMINATED and known[row.name] in INSIDE)
    if played.stage is Stage.FINALS:
        through = (row.name for row in rows if row.name in played.seated and row.status in INSIDE)
        for_third_place = out if plays_for_third_place(format_, after) else ()
        return RoundNews(through=tuple(through), out=() if for_third_place else out, for_third_place=for_third_place)
    qualified = tuple(row.name for row in rows if row.status is Status.QUALIFIED)
    changed = RoundNews(
        through=tuple(name for name in qualified if known[name] is not Status.QUALIFIED),
        waiting=tuple(name for name in qualified if known[name] is Status.QUALIFIED),
        out=out,
    )
    return _towards_the_cut(format_, after, rows, changed) if isinstance(format_, StagedFormat) else changed


def plays_for_third_place(format_: Format, season: Season) -> bool:
    """Whether the losers of the last round, where it is finished, still play for third place."""
    semi_finals = format_.names(season)[-1].round == round_of(4)
    return season.settings.third_place and semi_finals and len(season.rounds[-1].matches) == 2


def out_since(format_: Format, season: Season, name: Name) -> int:
    """Return the number of the round that knocked a player out, who is out; later ones don't matter."""
    number = len(season.rounds)
    while number > 1 and _is_out(format_, replace(season, rounds=season.rounds[: number - 1]), name):
        number -= 1
    return number


def _is_out(format_: Format, season: Season, name: Name) -> bool:
    return any(row.name == name and row.status is Status.ELIMINATED for row in format_.standings(season))


def _towards_the_cut(format_: StagedFormat, season: Season, rows: Sequence[Standing], changed: RoundNews) -> RoundNews:
    """Add who stands at the cut line, or the cut once the regular stage is over."""
    history = format_.before_finals(season)
    if not format_.stage_over(history):
        return replace(changed, edge=_edge(rows, format_.cut_size(history)))
    cut = _cut(format_, history, rows) if format_.cut_size(history) else None
    return replace(changed, waiting=(), out=_left_behind(rows) if cut else changed.out, cut=cut)


def _left_behind(rows: Sequence[Standing]) -> tuple[Name, ...]:
    """Return the players who played to the end of the regular stage and aren't in the finals."""
    return tuple(row.name for row in rows if row.status in (Status.ELIMINATED, Status.ACTIVE))


def _edge(rows: Sequence[Standing], places: int) -> tuple[Standing, ...]:
    inside = [row for row in rows if row.status in INSIDE]
    return tuple(inside[places - 1 : places + 1]) if 0 < places < len(inside) else ()


def _cut(format_: BracketedFormat, history: History, rows: Sequence[Standing]) -> Cut:
    by_name = {row.name: row for row in rows}
    seeds = [by_name[name] for name in format_.finalists(history)]
    below = [row for row in rows if row.status is Status.ELIMINATED and row.wins == seeds[-1].wins] if seeds else []
    keys, last = format_.seed_keys(history), len(seeds) - 1
    pairs = zip([*seeds, *below[:1]], [*seeds, *below[:1]][1:], strict=False)
    told = (_decided(keys, *pair) for place, pair in enumerate(pairs) if place == last or not _is_shown(*pair))
    return Cut(seeds=tuple(seeds), decided=tuple(sentence for sentence in told if sentence))


def _is_shown(better: Standing, worse: Standing) -> bool:
    """Whether the values beside two seeds tell them apart."""
    return printed(better.tiebreaks) != printed(worse.tiebreaks)


def _decided(keys: Sequence[Key], better: Standing, worse: Standing) -> str:
    """Say what put one player before the next; nothing where their results did."""
    same = (better.points, better.wins, better.losses) == (worse.points, worse.wins, worse.losses)
    return decided_between(keys, better.name, worse.name) if same else ""
