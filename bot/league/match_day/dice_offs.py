"""Who has the first choice in a match: by the draw, or the player who won fewer dice-offs (docs/formats/shared.md)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from bot.league.counting.draw import Draw, Purpose, draw_of
from bot.league.pairing.reasons import Reason, by_draw
from bot.league.season.choices import DiceOff
from bot.league.season.model import Name, Season

Players = tuple[Name, Name]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstChoice:
    """The player who has the first choice in a match, and the steps that decided it."""

    name: Name
    reasons: tuple[Reason, ...]


class _Tally:
    """The dice-offs each entrant won, and their matches, in the rounds so far."""

    def __init__(self) -> None:
        self._won: dict[Name, int] = {}
        self._matches: dict[Name, int] = {}

    @property
    def started(self) -> bool:
        return bool(self._matches)

    def add(self, players: Players, first: Name) -> None:
        self._won[first] = self._won.get(first, 0) + 1
        for name in players:
            self._matches[name] = self._matches.get(name, 0) + 1

    def share(self, name: Name) -> Fraction:
        matches = self._matches.get(name, 0)
        return Fraction(self._won.get(name, 0), matches) if matches else Fraction(0)

    def words(self, name: Name) -> str:
        return f"{self._won.get(name, 0)} of {self._matches.get(name, 0)}"


def first_choices(season: Season, number: int, pairs: Iterable[Players]) -> tuple[FirstChoice, ...]:
    """Return who has the first choice in each of these matches of round `number`, in their order, with the reasons.

    Nothing where the season has no dice-offs. Only the matches of earlier rounds count, each with the dice-off these
    rules give, whatever is noted in it. Byes and the tie-break match of Lightseekers have none.
    """
    if season.settings.dice_off is DiceOff.OFF:
        return ()
    tally, draw = _tally_before(season, number), draw_of(season, number)
    return tuple(_first_choice(players, tally, draw) for players in pairs)


def _tally_before(season: Season, number: int) -> _Tally:
    """Return what the equalizer counts before round `number`; where the draw alone decides, nothing counts."""
    tally = _Tally()
    if season.settings.dice_off is DiceOff.EQUALIZER:
        for round_ in season.rounds[: number - 1]:
            draw = draw_of(season, round_.number)
            chosen = [_first(match.players, tally, draw) for match in round_.matches]
            for match, first in zip(round_.matches, chosen, strict=True):
                tally.add(match.players, first)
    return tally


def _first(players: Players, tally: _Tally, draw: Draw) -> Name:
    first, other = (tally.share(name) for name in players)
    if first != other:
        return players[0] if first < other else players[1]
    return draw.first(Purpose.DICE, players)


def _first_choice(players: Players, tally: _Tally, draw: Draw) -> FirstChoice:
    first = _first(players, tally, draw)
    second = players[1] if first == players[0] else players[0]
    shares = f"{first} has won {tally.words(first)} dice-offs this season, {second} {tally.words(second)}"
    if tally.share(first) != tally.share(second):
        return FirstChoice(name=first, reasons=(Reason(f"{shares}. So {first} has the first choice."),))
    drawn = Reason(
        f"{first} has the first choice: the smaller draw of the two, ",
        draw.sort(Purpose.DICE, players),
        (by_draw(draw, Purpose.DICE),),
    )
    counted = (Reason(f"{shares}: an equal share, so the draw decides."),) if tally.started else ()
    return FirstChoice(name=first, reasons=(*counted, drawn))
