"""The list that goes with the league files of a whole league: its people, each by all their names, and its seasons."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from bot.league.checking.league_file.fields import Field, Table, each, flag, maybe, text, word
from bot.league.checking.league_file.json import parse
from bot.league.checking.league_file.people import People, own_name
from bot.league.errors import InvalidFile
from bot.league.season.model import Name
from bot.league.season.node import Node, quoted

VERSION = 1
"""The version of the list this program reads and writes."""
LIST = "league.json"
"""What the list is called in the zip."""
_KIND = "fairpair_league"

Days = tuple[date, date]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Someone of the league, with the names they had before and those that imported files have for them."""

    name: Name
    former_names: tuple[Name, ...] = ()
    aliases: tuple[str, ...] = ()


class StartRatings(StrEnum):
    """What the ratings at the start of a season count as, once all that came before it is known."""

    GIVEN = "given"
    """Its file brought them from elsewhere, so they count."""
    NOTED = "noted"
    """The league worked them out; they count until more is known of what was before."""
    OUTDATED = "outdated"
    """More was known afterwards, so they're worked out again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonInLeague:
    """A season: its league file, its first and last day where known, and who is called something else in that file.

    Its file can't say that it's `over` where it ended without a round, on which day each match was `played`, by rounds,
    nor whose rating at the start is `worked_out` from earlier seasons, as they are known now.
    """

    file: str
    days: Days | None = None
    over: bool = False
    ratings: StartRatings = StartRatings.GIVEN
    worked_out: tuple[Name, ...] = ()
    played: tuple[tuple[date | None, ...], ...] = ()
    called: Mapping[Name, Name] = field(default_factory=dict[Name, Name])


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeLeague:
    """A league's people in order of their names, and its seasons, oldest first."""

    people: tuple[Person, ...]
    seasons: tuple[SeasonInLeague, ...]


def _days(node: Node, people: People) -> Days:
    first, last = (_day(day, people) for day in node.pair())
    if last < first:
        raise node.wrong("the last day is before the first; swap them")
    return first, last


def _day(node: Node, _: People) -> date:
    try:
        return date.fromisoformat(node.text())
    except ValueError:
        raise node.refused("give a day, such as 2026-11-27") from None


def _called(node: Node, people: People) -> dict[Name, Name]:
    if not isinstance(node.value, dict):
        raise node.wrong(f"must be an object, not {quoted(node.value)}")
    return {own_name(Node(key, key, node), people): own_name(node.below(key), people) for key in node.value}


def _written_days(played: Sequence[Sequence[date | None]]) -> list[list[str | None]]:
    return [[day.isoformat() if day else None for day in days] for days in played]


_PERSON = Table(
    Person, Field("name", own_name), Field("former_names", each(own_name), ()), Field("aliases", each(text), ())
)
_SEASON = Table(
    SeasonInLeague,
    Field("file", text),
    Field("days", maybe(_days), None, write=lambda days: [day.isoformat() for day in days]),
    Field("over", flag, False),
    Field("ratings", word(StartRatings), StartRatings.GIVEN),
    Field("worked_out", each(own_name), ()),
    Field("played", each(each(maybe(_day))), (), write=_written_days),
    Field("called", _called, {}, write=dict),
)


def to_json(league: WholeLeague) -> str:
    """Return the list in a stable order, a person or season on each line."""
    parts = [f'  "{_KIND}": {VERSION}']
    for key, rows in (("people", _PERSON.all_written(league.people)), ("seasons", _SEASON.all_written(league.seasons))):
        lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
        parts.append(f'  "{key}": [\n{lines}\n  ]' if lines else f'  "{key}": []')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read(data: bytes) -> WholeLeague:
    """Return what the list says; raises InvalidFile naming the place and how to fix it."""
    root = Node(parse(data))
    version = root.value.get(_KIND) if isinstance(root.value, dict) else None
    if type(version) is int and version > VERSION:
        raise InvalidFile(f"version {version} is newer than this program, which reads {VERSION}; update Fairpair")
    if type(version) is not int or version < 1:
        raise InvalidFile(f'must be an object with the field "{_KIND}", which is {VERSION}')
    fields = root.fields(_KIND, "people", "seasons")
    league = WholeLeague(
        people=tuple(_rows(fields["people"], _PERSON)), seasons=tuple(_rows(fields["seasons"], _SEASON))
    )
    _require_different(fields["people"], ((person.name, *person.former_names) for person in league.people))
    _require_different(fields["people"], (person.aliases for person in league.people))
    _require_different(fields["seasons"], ((season.file,) for season in league.seasons))
    people = {person.name for person in league.people}
    for node, season in zip(fields["seasons"].items(), league.seasons, strict=True):
        unknown = next((name for name in season.called.values() if name not in people), None)
        if unknown is not None:
            raise node.below("called").wrong(f"{quoted(unknown)} is not among the people; add them there")
    return league


def _rows(node: Node, table: Table[Any]) -> Iterator[Any]:
    return (table.read(item, People()) for item in node.items())


def _require_different(node: Node, words: Iterable[Iterable[str]]) -> None:
    """Raise InvalidFile where two of a list share a word, or one has it twice."""
    seen = set[str]()
    for item, own in zip(node.items(), words, strict=True):
        for name in own:
            if name in seen:
                raise item.wrong(f"{quoted(name)} is here twice; leave one out")
            seen.add(name)
