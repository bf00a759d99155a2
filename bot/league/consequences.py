"""What a changed result would mean for a season: later rounds that were paired on the old one, and the standings."""

from dataclasses import dataclass, replace

from bot.league.answers import standings
from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.model import Match, Round, Season, Stage
from bot.league.proposal import Champion, Next, Proposal
from bot.league.standings import Standing
from bot.league.verify import as_of

SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """What a correction changes: regular rounds the rules would have paired otherwise, finals it would upset.

    `moves` tells who changes place in the standings; `end` is how a season that is over ends now.
    """

    regular: tuple[int, ...]
    finals: tuple[int, ...]
    moves: tuple[str, ...]
    end: Next | None


def corrected(record: Season, number: int, match: Match) -> Season:
    """Return a season with another result of one match of round `number`."""
    return replace(
        record, rounds=tuple(_with(round_, match) if round_.number == number else round_ for round_ in record.rounds)
    )


def _with(round_: Round, match: Match) -> Round:
    return replace(round_, matches=tuple(match if old.players == match.players else old for old in round_.matches))


def consequences(before: Season, after: Season, number: int, *, over: bool) -> Consequences:
    """Return what follows where a result of round `number` changes; `over` for a season that has ended."""
    later = [round_ for round_ in before.rounds if round_.number > number]
    upset = [round_ for round_ in later if _upset(before, after, round_)]
    return Consequences(
        regular=tuple(round_.number for round_ in upset if round_.stage is not Stage.FINALS),
        finals=tuple(round_.number for round_ in upset if round_.stage is Stage.FINALS),
        moves=moves(standings(before), standings(after)),
        end=_next(after) if over else None,
    )


def _upset(before: Season, after: Season, round_: Round) -> bool:
    """Whether the rules pair a round otherwise after the correction; a bracket's too where a loser plays in it."""
    if round_.stage is Stage.FINALS and _changed_loser_plays(before, after, round_):
        return True
    old, new = (_paired(_next(as_of(season, round_.number))) for season in (before, after))
    return old != new


def _changed_loser_plays(before: Season, after: Season, round_: Round) -> bool:
    seated = {*round_.byes, *(name for match in round_.matches for name in match.players)}
    for old_round, new_round in zip(before.rounds, after.rounds, strict=True):
        for old, new in zip(old_round.matches, new_round.matches, strict=True):
            if old.winner != new.winner and new_round.stage is Stage.FINALS and seated & set(new.players):
                return True
    return False


def _next(season: Season) -> Next | None:
    try:
        return by_key(season.format).next_round(season)
    except LeagueError:
        return None


def _paired(next_: Next | None) -> object:
    if not isinstance(next_, Proposal):
        return next_.name if isinstance(next_, Champion) else next_
    return {frozenset(pair.players) for pair in next_.pairs}, {bye.name for bye in next_.byes}


def moves(before: tuple[Standing, ...], after: tuple[Standing, ...]) -> tuple[str, ...]:
    """Return who changes place or record in the standings, in words, the first few by name."""
    old = {standing.name: standing for standing in before}
    told = [_move(old[new.name], new) for new in after if _line(old[new.name]) != _line(new)]
    more = [f"and {len(told) - SHOWN} more"] if len(told) > SHOWN else []
    return (*told[:SHOWN], *more)


def _line(standing: Standing) -> tuple[int, int, int, int]:
    return standing.rank, standing.wins, standing.losses, standing.draws


def _move(old: Standing, new: Standing) -> str:
    place = f"rank {old.rank} to {new.rank}" if old.rank != new.rank else f"rank {new.rank}"
    return f"{new.name}: {place}, now {new.wins}-{new.losses}" + (f"-{new.draws}" if new.draws else "")


def differing(record: Season, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return which of these rounds are not as the rules say, and are not marked as changed by hand yet."""
    return tuple(
        round_.number
        for round_ in record.rounds
        if round_.number in numbers
        and round_.by_hand is None
        and _paired(_next(as_of(record, round_.number))) != _posted(round_)
    )


def _posted(round_: Round) -> object:
    return {frozenset(match.players) for match in round_.matches}, set(round_.byes)
