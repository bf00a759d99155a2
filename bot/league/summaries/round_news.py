"""What a finished round changed: who got through, who is out, who stands around the cut line, what decided the cut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.bracket.match_names import round_of
from bot.league.counting.history import History
from bot.league.counting.standings import Standing
from bot.league.formats.shared.base import Format
from bot.league.formats.shared.bracketed import BracketedFormat, Reseeding
from bot.league.formats.shared.staged import StagedFormat
from bot.league.pairing.reasons import Decision, decided_between
from bot.league.season.model import Name, Season, Stage, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Finalists:
    """The players who enter the finals, in the order of the table, and their seeds in the bracket.

    `decided` is what decided the last place where records didn't, `reseeding` why seeds aren't places.
    """

    rows: tuple[Standing, ...]
    seeds: Mapping[Name, int]
    decided: Decision | None
    reseeding: Reseeding | None
    line: tuple[Standing, ...] = ()
    """The players that decision names, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundNews:
    """Players the round got through or knocked out; `waiting` are through and don't play for now.

    `for_third_place` lost a semi-final of a season that plays for third place.
    `above` and `below` the cut line is everyone who is still in, while a last round before the finals is to come; `cut`
    comes after it.
    """

    through: tuple[Name, ...] = ()
    waiting: tuple[Name, ...] = ()
    out: tuple[Name, ...] = ()
    for_third_place: tuple[Name, ...] = ()
    above: tuple[Standing, ...] = ()
    below: tuple[Standing, ...] = ()
    cut: Finalists | None = None


def news_of(format_: Format, season: Season, number: int) -> RoundNews:
    """Return what round `number`, which is finished, changed; what came after it isn't looked at."""
    played, after = season.rounds[number - 1], replace(season, rounds=season.rounds[:number])
    rows = format_.standings(after)
    statuses = {row.name: row.status for row in format_.standings(replace(season, rounds=season.rounds[: number - 1]))}
    out = tuple(row.name for row in rows if row.status is Status.ELIMINATED and statuses[row.name].inside)
    if played.stage is Stage.FINALS:
        through = (row.name for row in rows if row.name in played.seated and row.status.inside)
        for_third_place = out if plays_for_third_place(format_, after) else ()
        return RoundNews(through=tuple(through), out=() if for_third_place else out, for_third_place=for_third_place)
    qualified = tuple(row.name for row in rows if row.status is Status.QUALIFIED)
    changed = RoundNews(
        through=tuple(name for name in qualified if statuses[name] is not Status.QUALIFIED),
        waiting=tuple(name for name in qualified if statuses[name] is Status.QUALIFIED),
        out=out,
    )
    return _towards_the_cut(format_, after, rows, changed) if isinstance(format_, StagedFormat) else changed


def plays_for_third_place(format_: Format, season: Season) -> bool:
    """Whether the losers of the last round, where it is finished, still play for third place."""
    semi_finals = format_.round_names(season)[-1].round == round_of(4)
    return season.settings.third_place and semi_finals and len(season.rounds[-1].matches) == 2


def out_since(format_: Format, season: Season, name: Name) -> int:
    """Return the number of the round that knocked a player out, who is out; later ones don't matter."""
    number = len(season.rounds)
    while number > 1:
        before = format_.standings(replace(season, rounds=season.rounds[: number - 1]))
        if not any(row.name == name and row.status is Status.ELIMINATED for row in before):
            break
        number -= 1
    return number


def _towards_the_cut(format_: StagedFormat, season: Season, rows: Sequence[Standing], changed: RoundNews) -> RoundNews:
    """Add who stands at the cut line, or the cut once the regular stage is over."""
    history = format_.before_finals(season)
    if not format_.stage_over(history):
        last_one_follows = format_.planned_rounds(season) == len(season.rounds) + 1
        if not last_one_follows or not format_.plays_finals(season):
            return changed
        inside, places = [row for row in rows if row.status.inside], format_.cut_size(history)
        return replace(changed, above=tuple(inside[:places]), below=tuple(inside[places:]))
    if not format_.plays_finals(season):
        return replace(changed, waiting=())
    # Out are all who played to the end of the regular stage and aren't in the finals.
    out = tuple(row.name for row in rows if row.status in (Status.ELIMINATED, Status.ACTIVE))
    return replace(changed, waiting=(), out=out, cut=_cut(format_, season, history, rows))


def _cut(format_: BracketedFormat, season: Season, history: History, rows: Sequence[Standing]) -> Finalists:
    by_name, slots = {row.name: row for row in rows}, format_.seeds(season)
    entering = format_.entering(history)
    reseeding = None if season.bracket else format_.reseeding(history, entering)
    # With places for all, the format tells everyone who could have gone on, in the same order.
    for_all = replace(season, settings=replace(season.settings, cut=len(season.entrants)))
    below = [name for name in format_.finalists(format_.before_finals(for_all)) if name not in entering]
    decided = decided_between(format_.seed_keys(history), entering, below) if entering and below else None
    rows_in = tuple(by_name[name] for name in sorted(entering, key=lambda name: 0 if reseeding else slots[name]))
    cut = Finalists(rows=rows_in, seeds=slots, decided=None, reseeding=reseeding)
    if decided is None or decided.what in _RECORD:
        return cut
    return replace(cut, decided=decided, line=tuple(by_name[name] for name in (*decided.before, *decided.after)))


_RECORD = ("points", "wins", "losses", "place in their group")
"""What everyone sees without being told."""
