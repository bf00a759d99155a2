"""What a corrected result means for a season: rounds already paired on the old one, the standings, the champion."""

from dataclasses import dataclass, replace

from bot.league.checking.verify import as_of, difference, histories
from bot.league.counting.history import History
from bot.league.counting.standings import Standing
from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.formats.shared.words import ordinal
from bot.league.pairing.proposal import Champion, Next, Proposal
from bot.league.season.model import Match, Round, Season, Stage

_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """What a correction changes.

    `regular` and `finals` are the later rounds that the rules would have paired differently, `moves` says which
    players change place in the standings, and `end` is how a season that is over ends now.
    """

    regular: tuple[int, ...]
    finals: tuple[int, ...]
    moves: tuple[str, ...]
    end: Next | None


def corrected(season: Season, number: int, match: Match) -> Season:
    """Return a season with another result of one match of round `number`."""
    rounds = list(season.rounds)
    matches = (match if old.players == match.players else old for old in rounds[number - 1].matches)
    rounds[number - 1] = replace(rounds[number - 1], matches=tuple(matches))
    return replace(season, rounds=tuple(rounds))


def of_correction(before: Season, after: Season, number: int, *, over: bool) -> Consequences:
    """Return what changes with a result of round `number`; `over` for a season that has ended."""
    standings = by_key(before.format).standings
    rounds = zip(histories(before), histories(after), strict=True)
    upset = [
        round_
        for (round_, old), (_, new) in rounds
        if round_.number > number
        and (_changed_loser_plays(before, after, round_) or _paired(_next_after(old)) != _paired(_next_after(new)))
    ]
    return Consequences(
        regular=tuple(round_.number for round_ in upset if round_.stage is not Stage.FINALS),
        finals=tuple(round_.number for round_ in upset if round_.stage is Stage.FINALS),
        moves=_moves(standings(before), standings(after)),
        end=_next(after) if over else None,
    )


def _changed_loser_plays(before: Season, after: Season, round_: Round) -> bool:
    """Whether a player who lost after the correction plays on in this round of the finals."""
    if round_.stage is not Stage.FINALS:
        return False
    seated = {*round_.seated}
    for old_round, new_round in zip(before.rounds, after.rounds, strict=True):
        for old, new in zip(old_round.matches, new_round.matches, strict=True):
            if old.winner != new.winner and new_round.stage is Stage.FINALS and seated & set(new.players):
                return True
    return False


def _next(season: Season) -> Next | None:
    return _next_after(by_key(season.format).before_finals(season))


def _next_after(history: History) -> Next | None:
    try:
        return by_key(history.season.format).next_after(history)
    except LeagueError:
        return None


def _paired(next_: Next | None) -> object:
    if not isinstance(next_, Proposal):
        return next_.name if isinstance(next_, Champion) else next_
    return next_.stage, {frozenset(pair.players) for pair in next_.pairs}, {bye.name for bye in next_.byes}


def _moves(before: tuple[Standing, ...], after: tuple[Standing, ...]) -> tuple[str, ...]:
    """Return the players who change place or record, in words, the first few by name."""
    old = {standing.name: standing for standing in before}
    sentences: list[str] = []
    for new in after:
        if _line(old[new.name]) != _line(new):
            was = old[new.name].rank
            place = ordinal(new.rank) if was == new.rank else f"{ordinal(was)} → {ordinal(new.rank)}"
            sentences.append(
                f"{new.name}: {place}, now {new.wins}–{new.losses}" + (f"–{new.draws}" if new.draws else "")
            )
    more = [f"and {len(sentences) - _SHOWN} more"] if len(sentences) > _SHOWN else []
    return (*sentences[:_SHOWN], *more)


def _line(standing: Standing) -> tuple[int, int, int, int]:
    return standing.rank, standing.wins, standing.losses, standing.draws


def paired_again(season: Season, number: int) -> Next | None:
    """Return what the rules say of round `number` by the rounds before it; None where it can't be paired."""
    return _next(as_of(season, number))


def rounds_to_mark(season: Season, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return which of these rounds aren't as the rules say, and aren't marked as changed by hand yet."""
    return tuple(
        round_.number
        for round_, history in histories(season)
        if round_.number in numbers and round_.by_hand is None and difference(season, round_, history) is not None
    )
