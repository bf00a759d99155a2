"""Use cases that ask what players bring into a season: done only once that is known, because others wait meanwhile."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from bot.services.base import cached
from bot.services.base.cached import Past
from storage.database import Connection
from storage.rows import SeasonRow

Given = ParamSpec("Given")
Made = TypeVar("Made")
About = Callable[[Connection], SeasonRow | None]
"""Which season players are to enter; None where there is none, which the use case says in its own words."""


def unknown(conn: Connection, about: About) -> Past | None:
    """Return what is to be rated first; None where that is known or soon done."""
    season = about(conn)
    return None if season is None else cached.unknown(conn, season)


def rate(conn: Connection, about: About) -> None:
    """Rate it here, where no process beside the bot does."""
    season = about(conn)
    if season is not None:
        cached.brought(conn, season)


def if_known(
    conn: Connection,
    about: About,
    use_case: Callable[Concatenate[Connection, Given], Made],
    *args: Given.args,
    **given: Given.kwargs,
) -> tuple[Made] | None:
    """Do what was asked for, if what it rests on is still known as it begins; None where nothing was done."""
    season = about(conn)
    is_known = season is None or cached.is_known(conn, season)
    return (use_case(conn, *args, **given),) if is_known else None
