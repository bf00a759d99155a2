"""A season of another kind, only recorded: its results and ratings count, nothing in it is paired or verified."""

from collections.abc import Mapping
from typing import Any

from bot.league.draw import Draw, Purpose
from bot.league.history import History, Record
from bot.league.model import Name, Season, Stage, Status
from bot.league.settings import SETTINGS, SeasonSettings
from bot.league.settings import read_settings as read_allowed
from bot.league.standings import Standing

RECORD = "record"
"""What stands where other seasons name their format."""


def read_settings(given: Mapping[str, Any]) -> SeasonSettings:
    """Check the settings such a season was played by: any there are; raises Invalid."""
    return read_allowed(given, allowed=tuple(setting.key for setting in SETTINGS), defaults={})


def standings(season: Season) -> tuple[Standing, ...]:
    """Return everybody once by wins and losses over all rounds, then by the draw."""
    history = History(season, stages=tuple(Stage))
    draw = Draw(season=season.number, round=len(season.rounds), salt=season.settings.salt)

    def order(record: Record) -> tuple[int, int, str]:
        return -record.wins, record.losses, draw.value(Purpose.TIEBREAK, record.name)

    def status(name: Name) -> Status:
        departure = history.departure(name)
        return Status.ACTIVE if departure is None else departure.status

    return tuple(
        Standing(
            rank=rank,
            name=record.name,
            points=record.wins,
            wins=record.wins,
            losses=record.losses,
            draws=record.draws,
            byes=record.byes,
            status=status(record.name),
        )
        for rank, record in enumerate(sorted(history.records.values(), key=order), start=1)
    )
