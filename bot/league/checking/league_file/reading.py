"""Read a league file: every fault names its place and how to fix it."""

from typing import Any

from bot.league.checking.league_file import allowed
from bot.league.checking.league_file.json import parse
from bot.league.checking.league_file.people import LATEST_SEASON, Roster, read_past, read_players
from bot.league.checking.league_file.round_reading import check_departures, read_decisions, read_departure, read_rounds
from bot.league.checking.league_file.sealed_list_reading import read_lists
from bot.league.checking.league_file.seat_reading import read_sat_out, read_substitutes
from bot.league.checking.league_file.writing import VERSION
from bot.league.errors import Invalid, InvalidFile
from bot.league.formats import by_key
from bot.league.season.model import Name, Season
from bot.league.season.node import Node, one_line, shown
from bot.league.season.settings import GONE, SeasonSettings

_REQUIRED = ("fairpair", "league", "season", "format", "players")
_LISTS = ("past_seasons", "rounds", "departures", "decisions", "sat_out", "substitutes", "lists", "drawn_names")
_OPTIONAL: dict[str, Any] = {"settings": {}, **{key: [] for key in _LISTS}}
_LONGEST_LEAGUE = 200


def read(data: bytes) -> Season:
    """Return the season of a league file; raises InvalidFile naming the place and how to fix it."""
    root = Node(parse(data))
    _check_version(root)
    fields = root.fields(*_REQUIRED, **_OPTIONAL)
    number = fields["season"].whole(0, LATEST_SEASON)
    settings = _read_settings(fields["format"], fields["settings"])
    roster = read_players(fields["players"])
    departures = tuple(read_departure(item, roster) for item in fields["departures"].items())
    rounds = read_rounds(fields["rounds"], roster, departures)
    check_departures(fields["departures"], departures, rounds)
    substitutes = read_substitutes(fields["substitutes"], roster)
    season = Season(
        league=_read_league(fields["league"]),
        number=number,
        format=fields["format"].text(),
        settings=settings,
        entrants=roster.entrants,
        past=read_past(fields["past_seasons"], Roster(roster.entrants, substitutes), number),
        rounds=rounds,
        departures=departures,
        decisions=read_decisions(fields["decisions"], roster, rounds),
        sat_out=read_sat_out(fields["sat_out"], roster),
        substitutes=substitutes,
        lists=read_lists(fields["lists"], roster),
        drawn_names=_read_drawn_names(fields["drawn_names"], roster),
    )
    allowed.check(season)
    return season


def _check_version(root: Node) -> None:
    """Check the version first: a newer file can have fields this program doesn't know."""
    if not isinstance(root.value, dict) or "fairpair" not in root.value:
        raise InvalidFile('isn\'t a league file: it must be an object with the field "fairpair"')
    version = root.value["fairpair"]
    if type(version) is int and version > VERSION:
        raise InvalidFile(
            f"version {shown(version)} is newer than this program, which reads version {VERSION}; update Fairpair",
            place="fairpair",
        )
    if type(version) is not int or version < 1:
        raise InvalidFile(f"must be the version of the file, {VERSION}, not {shown(version)}", place="fairpair")


def _read_league(node: Node) -> str:
    if len(node.text()) > _LONGEST_LEAGUE:
        raise node.wrong(f"has {len(node.value)} characters; a league's name has at most {_LONGEST_LEAGUE}")
    return node.value


def _read_drawn_names(node: Node, roster: Roster) -> tuple[Name, ...]:
    """Read the names the salt was made of; raises InvalidFile for one that isn't a player's, or that is there twice."""
    names: set[Name] = set()
    for item in node.items():
        name = roster.entrant(item)
        if name in names:
            raise item.wrong(f"{shown(name)} is here twice; the salt is made of each name once")
        names.add(name)
    return tuple(sorted(names))


def _read_settings(format_: Node, node: Node) -> SeasonSettings:
    if not isinstance(node.value, dict):
        raise node.wrong(f"must be an object, not {shown(node.value)}")
    try:
        rules = by_key(format_.text())
    except Invalid as wrong:
        raise format_.wrong(str(wrong)) from None
    try:
        return rules.read_settings({key: value for key, value in node.value.items() if key not in GONE})
    except Invalid as wrong:
        raise InvalidFile(wrong.problem, place=f"settings.{one_line(wrong.place)}") from None
