"""The league file: one season as JSON, complete enough to pair, rank and verify it anywhere."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bot.league.errors import Invalid, InvalidFile
from bot.league.file_roster import LATEST_SEASON, read_past, read_players
from bot.league.file_rounds import read_decisions, read_departures, read_rounds
from bot.league.formats import by_key
from bot.league.model import (
    Decision,
    Departure,
    Entrant,
    Match,
    Name,
    PastSeason,
    Round,
    Season,
    Stage,
)
from bot.league.settings import SETTINGS, SeasonSettings, read_settings
from bot.league.strict_json import Node, one_line, parse, shown

VERSION = 1
"""The version of the file format this program reads and writes."""

RECORD = "record"
"""The format of a season of another kind: its results and ratings count, nothing is paired or verified."""

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
        every = tuple(setting.key for setting in SETTINGS)
        return lambda given: read_settings(given, allowed=every, defaults={})
    try:
        return by_key(format_.text()).read_settings
    except Invalid as wrong:
        raise format_.wrong(f"{wrong}, {RECORD}") from None


def _at_setting(node: Node, problem: str) -> InvalidFile:
    key, _, rest = problem.partition(": ")
    known = rest and key in node.value and key.isidentifier()
    return InvalidFile(f"{node.place}.{key}", rest) if known else node.wrong(one_line(problem))


def to_json(season: Season) -> str:
    """Return the season as a league file: a stable order, and no field that says only the default."""
    members = [
        f'  "fairpair": {VERSION}',
        f'  "league": {_line(season.league)}',
        f'  "season": {season.number}',
        f'  "format": {_line(season.format)}',
        f'  "settings": {_line(dict(season.settings.explicit))}',
        _listed("players", (_player(entrant) for entrant in season.entrants)),
        _listed("past_seasons", (_past(past) for past in season.past)),
        _listed("rounds", (_round(round_) for round_ in season.rounds)),
        _listed("departures", (_departure(departure) for departure in season.departures)),
        _listed("decisions", (_decision(decision) for decision in season.decisions)),
    ]
    return "{\n" + ",\n".join(member for member in members if member) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _listed(key: str, values: Iterable[dict[str, Any]]) -> str:
    """Return a list with one value a line, so that two files can be compared line by line."""
    lines = ",\n".join(f"    {_line(value)}" for value in values)
    return f'  "{key}": [\n{lines}\n  ]' if lines else f'  "{key}": []'


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


def _player(entrant: Entrant) -> dict[str, Any]:
    rating = entrant.rating
    return _said({
        "name": entrant.name,
        "rating": None if rating is None else {"mu": rating.mu, "sigma": rating.sigma},
        "entered": entrant.entered if entrant.entered > 1 else None,
        "seed": entrant.seed,
        "former_names": list(entrant.former_names) or None,
    })  # fmt: skip


def _past(past: PastSeason) -> dict[str, Any]:
    rounds = [match.round for match in past.matches]
    return _said({
        "season": past.number,
        "matches": [list(match.players) for match in past.matches],
        "rounds": rounds if any(number is not None for number in rounds) else None,
    })  # fmt: skip


def _round(round_: Round) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "number": round_.number,
        "stage": round_.stage.value,
        "bye": _byes(round_.byes, round_.stage),
        "matches": [_match(match) for match in round_.matches],
    }
    return fields if round_.by_hand is None else {**fields, "by_hand": round_.by_hand}


def _byes(names: tuple[Name, ...], stage: Stage) -> Name | list[Name] | None:
    if stage is not Stage.FINALS and len(names) == 1:
        return names[0]
    return list(names) or None


def _match(match: Match) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "players": list(match.players),
        "winner": "draw" if match.drawn else match.winner,
        "games": None if match.games is None else list(match.games),
        "kind": match.kind.value,
    }
    return fields if match.points is None else {**fields, "points": list(match.points)}


def _departure(departure: Departure) -> dict[str, Any]:
    return {
        "name": departure.name,
        "kind": departure.kind.value,
        "round": departure.round,
        "after_pairing": departure.after_pairing,
        "rejoined": departure.rejoined,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {"after_round": decision.after_round, "order": list(decision.order)}
