"""Read a league file: every fault names its place and the mend."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.league.errors import Invalid, InvalidFile
from bot.league.formats import by_key, record
from bot.league.formats.record import RECORD
from bot.league.league_file.json import Node, one_line, parse, shown
from bot.league.league_file.people import LATEST_SEASON, read_past, read_players
from bot.league.league_file.rounds import read_decisions, read_departures, read_rounds
from bot.league.league_file.writing import VERSION
from bot.league.model import Season
from bot.league.settings import SeasonSettings

_REQUIRED = ("fairpair", "league", "season", "format", "players")
_OPTIONAL = ("settings", "past_seasons", "rounds", "departures", "decisions")
_LONGEST_LEAGUE = 200


def read(data: bytes) -> Season:
    """Return the season of a league file; raises InvalidFile naming place and mend."""
    root = Node(parse(data))
    _check_version(root)
    fields = root.fields(required=_REQUIRED, optional=_OPTIONAL)
    number = fields["season"].whole(0, LATEST_SEASON)
    key = fields["format"].text()
    settings = _read_settings(fields["format"], fields.get("settings", Node({}, "settings")))
    roster = read_players(fields["players"])
    rounds = read_rounds(fields.get("rounds", Node([])), roster, settings, lenient=key == RECORD)
    return Season(
        league=_read_league(fields["league"]),
        number=number,
        format=key,
        settings=settings,
        entrants=roster.entrants,
        past=read_past(fields.get("past_seasons", Node([])), roster, number),
        rounds=rounds,
        departures=read_departures(fields.get("departures", Node([])), roster, rounds),
        decisions=read_decisions(fields.get("decisions", Node([])), roster, rounds),
    )


def _check_version(root: Node) -> None:
    """Look at the version first: a newer file may have fields this program cannot know."""
    if not isinstance(root.value, dict) or "fairpair" not in root.value:
        raise InvalidFile("", 'is no league file: it must be an object with the field "fairpair"')
    version = root.value["fairpair"]
    if type(version) is int and version > VERSION:
        raise InvalidFile("fairpair", f"version {shown(version)} is newer than this program's, {VERSION}; update it")
    if type(version) is not int or version < 1:
        raise InvalidFile("fairpair", f"must be the version of the file, {VERSION}, not {shown(version)}")


def _read_league(node: Node) -> str:
    name = node.text()
    if len(name) > _LONGEST_LEAGUE:
        raise node.wrong(f"the league's name has {len(name)} characters; {_LONGEST_LEAGUE} at most")
    return name


def _read_settings(format_: Node, node: Node) -> SeasonSettings:
    if not isinstance(node.value, dict):
        raise node.wrong(f"must be an object, not {shown(node.value)}")
    checked = _settings_reader(format_)
    try:
        return checked(node.value)
    except Invalid as wrong:
        raise _at_setting(node, str(wrong)) from None


def _settings_reader(format_: Node) -> Callable[[Mapping[str, Any]], SeasonSettings]:
    if format_.value == RECORD:
        return record.read_settings
    try:
        return by_key(format_.text()).read_settings
    except Invalid as wrong:
        raise format_.wrong(f"{wrong}, {RECORD}") from None


def _at_setting(node: Node, problem: str) -> InvalidFile:
    key, _, rest = problem.partition(": ")
    known = rest and key in node.value and key.isidentifier()
    return InvalidFile(f"{node.place}.{key}", rest) if known else node.wrong(one_line(problem))
