"""The calendar of a round robin, known once the groups are, and what the table says of a round as a reason."""

from collections.abc import Iterator, Sequence

from bot.league.formats.round_robin.berger import Meeting, resting, rounds_of, season_round
from bot.league.formats.round_robin.filling import Group
from bot.league.formats.shared.calendar import Calendar, GroupRound
from bot.league.pairing.in_short import tell
from bot.league.pairing.reasons import Reason


def calendar_of(groups: Sequence[Group], called: Sequence[str], meetings: int, rounds: int) -> Calendar:
    """Return each round of a season by groups, which are `called` so."""

    def round_(number: int) -> Iterator[GroupRound]:
        for group, name in zip(groups, called, strict=True):
            rests = resting(len(group), meetings, number)
            pairs = season_round(len(group), meetings, number)
            yield GroupRound(
                group=name,
                pairs=tuple((group[upper - 1], group[lower - 1]) for upper, lower in pairs),
                resting=None if rests is None else group[rests - 1],
            )

    return tuple(tuple(round_(number)) for number in range(1, rounds + 1))


def meeting_reason(group: Group, called: str, number: int, meeting: Meeting, kept: bool) -> Reason:
    """Return why two numbers of a group meet; `kept` is whether groups and numbers are as the file says."""
    upper, lower = meeting
    table = f"{_round(number, called)}: the table says {upper} meets {lower}."
    again = " They meet a second time, with upper and lower exchanged." * (number > rounds_of(len(group)))
    numbers = f"{{a:their}} number is {upper}, {{b:their}} number is {lower}, {_numbered(kept)}."
    short = tell(f"{table} {numbers}", a=group[upper - 1], b=group[lower - 1])
    return Reason(f"{table}{again}", short=short)


def rest_reason(group: Group, called: str, number: int, rests: int, kept: bool) -> Reason:
    """Return why a number of a group rests."""
    missing = len(group) + 1
    table = f"{_round(number, called)}: the table says {rests} meets {missing}, and no one has number {missing}."
    means = "A player who rests has no match in the round: that is no win and no loss."
    short = tell(f"{table} {{a:their}} number is {rests}, {_numbered(kept)}. {means}", a=group[rests - 1])
    return Reason(f"{table} So {rests} rests. {means}", short=short)


def _round(number: int, called: str) -> str:
    return f"Round {number}{f' of {called}' if called else ''}"


def _numbered(kept: bool) -> str:
    return "as when a player was forgotten" if kept else "by the draw"
