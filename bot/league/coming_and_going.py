"""Until when people enter late or come back, who sits out, who moves up into the finals, if a no-show is dropped.

See docs/formats/shared.md.
"""

from dataclasses import replace

from bot.league.errors import PairingImpossible
from bot.league.formats import by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.choices import NoShow, Rejoin
from bot.league.season.model import Departure, Kind, Match, Name, Round, Season, Stage, Status
from bot.league.season.settings import SeasonSettings


def can_enter(settings: SeasonSettings, number: int) -> bool:
    """Whether a new player can enter with round `number`."""
    return number <= settings.late_entry


def can_return(settings: SeasonSettings) -> bool:
    """Whether players who dropped out can come back while a regular round is left; disqualified ones never can."""
    return settings.rejoin is not Rejoin.NEVER


def drops_absent(settings: SeasonSettings, kind: Kind) -> bool:
    """Whether the loser of a match that ends in this way is dropped from the season."""
    return kind is Kind.FORFEIT and settings.no_show is NoShow.DROP


def has_round_left(season: Season) -> bool:
    """Whether a regular round is left to pair after the one being played."""
    try:
        answer = by_key(season.format).next_round(_as_if_decided(season))
    except PairingImpossible:
        return True
    return isinstance(answer, Proposal) and answer.stage is Stage.REGULAR


def lost_by_leaving(season: Season, round_: Round, match: Match) -> bool:
    """Whether a match of a round looks lost because players left who aren't back: moderators decide others alike."""
    if match.kind not in (Kind.FORFEIT, Kind.DOUBLE_LOSS):
        return False
    losers = {name for name in match.players if name != match.winner}
    leaving = [left for left in season.departures if left.name in losers and left.rejoined is None]
    return losers == {left.name for left in leaving if _costs(season, left, round_)}


def _costs(season: Season, left: Departure, round_: Round) -> bool:
    """Whether leaving cost a player what they hadn't played of a round; where all are open, of the whole stage."""
    if left.gone_at(round_.number) or (left.after_pairing and left.round == round_.number):
        return True
    if not left.after_pairing or not season.settings.schedule.open_together:
        return False
    stage = {other.number for other in season.rounds if other.stage is Stage.REGULAR}
    return {left.round, round_.number} <= stage


def moving_up(season: Season) -> tuple[Name, ...]:
    """Return who enters the finals that come next only because others left after the last round, in seed order."""
    if not season.rounds or season.rounds[-1].stage is Stage.FINALS:
        return ()
    number, format_ = len(season.rounds) + 1, by_key(season.format)
    stayed = tuple(left for left in season.departures if left.round < number)
    entering = frozenset(format_.finalists_now(replace(season, departures=stayed)))
    return tuple(name for name in format_.finalists_now(season) if name not in entering)


def _as_if_decided(season: Season) -> Season:
    """Return the season as if each open match had gone to its upper player, to look one round ahead."""

    def decided(match: Match) -> Match:
        return replace(match, kind=Kind.PLAYED, winner=match.upper) if match.kind is Kind.OPEN else match

    return replace(
        season, rounds=tuple(replace(round, matches=tuple(map(decided, round.matches))) for round in season.rounds)
    )


def sitting_out(season: Season, number: int) -> tuple[Name, ...]:
    """Return who sits round `number` out: they asked to, and would play in it."""
    asked = {sit_out.name for sit_out in season.sat_out if sit_out.round == number}
    if not asked:
        return ()
    before = replace(season, rounds=season.rounds[: number - 1])
    playing = {row.name for row in by_key(season.format).standings(before) if row.status is Status.ACTIVE}
    return tuple(
        entrant.name for entrant in season.entrants if entrant.name in asked & playing and entrant.entered <= number
    )
