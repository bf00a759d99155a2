"""Who gets through to the finals, or wins a season without them: by all endings, or by what can be proven."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from bot.league.counting.history import History
from bot.league.formats.shared.proven import NextMatch, Proven
from bot.league.formats.shared.staged import StagedFormat
from bot.league.season.match_score import Result, flipped, result_of
from bot.league.season.model import Match, Name, Season
from bot.league.summaries.outlook.conditions import Chance, Happens, Need, chance, happens, needs, set_of
from bot.league.summaries.outlook.endings import Ending, ToCome, every_ending, matches_to_come, pair_on, with_results
from bot.league.summaries.outlook.prospects import Outlook, Prospect, Verdict
from bot.league.summaries.outlook.words import FINALS, TITLE, OwnResult, Speech

MOST_TRIED = 81_920
"""With more places than this in the tables of single results, nothing is said of the matches after."""

_BEST_FIRST = (Result.WON, Result.DRAW, Result.LOST)
_SURE, _HOPELESS = Chance(endings=1, through=1), Chance(endings=1, through=0)


def before_the_finals(format_: StagedFormat, season: Season, most: int, *, verdicts_only: bool) -> Outlook:
    """Return what every entrant needs before the finals begin."""
    now = pair_on(format_, season)
    if isinstance(now, Ending):
        return _by_all(format_, season, (), (now,))
    coming = matches_to_come(now)
    endings = every_ending(format_, now, most) if format_.endings_known(now) else None
    if endings is not None:
        return _by_all(format_, now, coming, endings)
    return _by_proof(format_, now, () if verdicts_only else coming)


def _speeches(format_: StagedFormat, history: History) -> dict[Name, tuple[Speech, Speech]]:
    """Return for each entrant who speaks to them, and who speaks about them."""
    goal = FINALS if format_.cut_size(history) > 1 and len(format_.candidates(history)) > 1 else TITLE
    won = {row.name for row in format_.table(history) if row.record.wins}  # a win against who is struck isn't one
    return {
        name: (
            Speech("you", goal, record.opponents, has_won=name in won),
            Speech("they", goal, record.opponents, has_won=name in won),
        )
        for name, record in history.records.items()
    }


def _below(format_: StagedFormat, history: History) -> dict[Name, Prospect]:
    """Return what is said of those who don't play for the season: with divisions, all below the first."""
    moves = history.season.settings.moves
    can = "{} can go up, but not win the season" if moves else "{} can't win the season from there"
    words, about = (f"{they.capitalize()} play in a lower division: {can.format(they)}." for they in ("you", "they"))
    return dict.fromkeys(
        sorted(history.records.keys() - format_.contenders(history)), Prospect(Verdict.OUT, words, about)
    )


def _said(speech: Speech, verdict: Verdict, otherwise: str) -> str:
    return {Verdict.IN: speech.sure(), Verdict.OUT: speech.gone()}.get(verdict, otherwise)


# -- all endings ------------------------------------------------------------------------------------------------------


def _by_all(format_: StagedFormat, season: Season, coming: Sequence[ToCome], endings: Sequence[Ending]) -> Outlook:
    history, held = format_.before_finals(season), happens(coming, endings)
    needed, enough = needs(coming, held), format_.enough(history)
    players: dict[Name, Prospect] = {}
    for name, pair in _speeches(format_, history).items():
        view = _Player(name, endings, needed)
        whole, own = view.chance(), tuple(_own(view, coming, held))
        verdict = Verdict.IN if whole.sure else Verdict.OUT if whole.hopeless else Verdict.OPEN
        sentences = (speech.depends(whole, own, enough.get(name)) for speech in pair)
        players[name] = Prospect(verdict, *map(_said, pair, repeat(verdict), sentences))
    below = _below(format_, history)
    return Outlook(exact=True, endings=len(endings), players=players | below, below=frozenset(below))


class _Player:
    """The endings in which one player gets through."""

    def __init__(self, name: Name, endings: Sequence[Ending], needed: Mapping[Need, int]) -> None:
        self.name = name
        self._all = (1 << len(endings)) - 1
        self._through = set_of(number for number, ending in enumerate(endings) if name in ending.through)
        self._tied = set_of(number for number, ending in enumerate(endings) if name in ending.tied)
        self._known = needed

    def chance(self, among: int | None = None) -> Chance:
        """Return their chance among some endings, or all."""
        return chance(self.name, self._all if among is None else among, self._through, self._tied, self._known)


def _own(view: _Player, coming: Sequence[ToCome], held: Sequence[Happens]) -> Iterator[OwnResult]:
    """Yield what each result of a player's next match means, the best first: each score apart only where it matters."""
    place = next((place for place, fixture in enumerate(coming) if view.name in fixture.match.players), None)
    if place is None:
        return
    for result in _BEST_FIRST:
        scores = [score for score in held[place] if result_of(score, view.name) is result]
        each = [
            OwnResult(
                result=result,
                games=score.games if view.name == score.upper else flipped(score.games),
                chance=view.chance(held[place][score]),
            )
            for score in scores
        ]
        if len({own.meaning for own in each}) > 1 and all(own.chance.plain for own in each):
            yield from sorted(each, key=lambda own: own.margin, reverse=True)
        elif each:
            whole = view.chance(sum(held[place][score] for score in scores))
            yield OwnResult(result=result, games=None, chance=whole)


# -- what can be proven -----------------------------------------------------------------------------------------------


def _by_proof(format_: StagedFormat, season: Season, coming: Sequence[ToCome]) -> Outlook:
    history = format_.before_finals(season)
    now, enough, own = format_.proven(history), format_.enough(history), _proven_results(format_, history, coming)
    next_matches = format_.next_matches(history)
    players: dict[Name, Prospect] = {}
    for name, pair in _speeches(format_, history).items():
        verdict = Verdict.IN if name in now.sure else Verdict.OUT if name in now.out else Verdict.OPEN
        sentences = (speech.proven(own.get(name, ()), enough.get(name), _left(next_matches, name)) for speech in pair)
        players[name] = Prospect(verdict, *map(_said, pair, repeat(verdict), sentences))
    below = _below(format_, history)
    return Outlook(exact=False, endings=0, players=players | below, below=frozenset(below))


def _proven_results(
    format_: StagedFormat, history: History, coming: Sequence[ToCome]
) -> dict[Name, tuple[OwnResult, ...]]:
    """Return the results of each player's next match that are proven to decide it, the best first."""
    season, next_matches = history.season, format_.next_matches(history)
    if next_matches is not None:
        return {name: _known_results(match.decisive) for name, match in next_matches.items()}
    results: dict[Name, tuple[OwnResult, ...]] = {}
    tried = 0
    for upcoming in coming:
        by_winner = {result.winner: result for result in upcoming.results}
        tried += len(by_winner) * len(season.entrants)
        if tried > MOST_TRIED:
            break
        then = ((result, with_results(season, (upcoming,), (result,))) for result in by_winner.values())
        after = [(result, format_.proven(format_.before_finals(season))) for result, season in then]
        for name in upcoming.match.players:
            decided = (_decided(name, result, proven) for result, proven in after)
            listed = sorted((own for own in decided if own), key=lambda own: _BEST_FIRST.index(own.result))
            results.setdefault(name, tuple(listed))
    return results


def _left(next_matches: Mapping[Name, NextMatch] | None, name: Name) -> int | None:
    """Return how many matches a player has before the cut, where that's none or one, and known."""
    if next_matches is None:
        return None
    return 0 if name not in next_matches else 1 if next_matches[name].last else None


def _known_results(decided: Mapping[Result, bool]) -> tuple[OwnResult, ...]:
    listed = ((result, decided[result]) for result in _BEST_FIRST if result in decided)
    return tuple(OwnResult(result=result, games=None, chance=_SURE if sure else _HOPELESS) for result, sure in listed)


def _decided(name: Name, result: Match, proven: Proven) -> OwnResult | None:
    if name not in proven.sure | proven.out:
        return None
    return OwnResult(result=result_of(result, name), games=None, chance=_SURE if name in proven.sure else _HOPELESS)
