"""Write a season as a league file: a stable order, one value per line."""

import json
from collections.abc import Sequence
from typing import Any

from bot.league.checking.league_file.layout import (
    APART,
    DECISION,
    DEPARTURE,
    FINAL,
    PLAYER,
    SEALED,
    SEALED_LIST,
    SIT_OUT,
    SUBSTITUTE,
    VERSION,
)
from bot.league.checking.league_file.people import DRAWN
from bot.league.season.model import Match, Name, PastSeason, Round, Season, Stage
from bot.league.season.settings import NOT_IN_FILES


def to_json(season: Season) -> str:
    """Return the season as a league file: a stable order, and no field that says only the default."""
    where_there_are_any = {
        "sat_out": SIT_OUT.all_written(season.sat_out),
        "substitutes": SUBSTITUTE.all_written(season.substitutes),
        "lists": SEALED_LIST.all_written(season.lists),
        "apart": APART.all_written(season.apart),
    }
    settings = {key: value for key, value in season.settings.explicit.items() if key not in NOT_IN_FILES}
    members = [
        f'  "fairpair": {VERSION}',
        f'  "league": {_line(season.league)}',
        f'  "season": {season.number}',
        f'  "format": {_line(season.format)}',
        f'  "settings": {_line(settings)}',
        _listed("players", PLAYER.all_written(season.entrants)),
        _listed("past_seasons", [_past(past) for past in season.past]),
        _listed("rounds", [_round(round_) for round_ in season.rounds]),
        _listed("departures", DEPARTURE.all_written(season.departures)),
        _listed("decisions", DECISION.all_written(season.decisions)),
        *(_listed(key, rows) for key, rows in where_there_are_any.items() if rows),
    ]
    if season.sealed is not None:
        members.append(f'  "sealed": {_line(SEALED.written(season.sealed))}')
    if season.drawn_names is not None:
        members.append(f'  "drawn_names": {_line(season.drawn_names)}')
    if season.forgotten:
        members.append('  "forgotten": true')
    if season.bracket is not None:
        members.append(f'  "bracket": {_line(season.bracket)}')
    if season.groups is not None:
        members.append(f'  "groups": {_line(season.groups)}')
    if season.ladder is not None:
        members.append(f'  "ladder": {_line(season.ladder)}')
    if season.ladder_of is not None:
        members.append(f'  "ladder_of": {_line(season.ladder_of)}')
    if season.final is not None:
        members.append(_final(FINAL.written(season.final)))
    return "{\n" + ",\n".join(members) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _listed(key: str, values: Sequence[dict[str, Any]]) -> str:
    """Return a list with one value per line, so that two files can be compared line by line."""
    lines = ",\n".join(f"    {_line(value)}" for value in values)
    return f'  "{key}": [\n{lines}\n  ]' if lines else f'  "{key}": []'


def _final(fields: dict[str, Any]) -> str:
    *others, (key, rows) = fields.items()
    listed = _listed(key, rows).replace("\n", "\n  ").strip()
    return f'  "final": {{{_line(dict(others))[1:-1]}, {listed}}}'


def _past(past: PastSeason) -> dict[str, Any]:
    fields = {"season": past.number, "matches": [match.players for match in past.matches]}
    rounds = [match.round for match in past.matches]
    return fields if all(number is None for number in rounds) else {**fields, "rounds": rounds}


def _round(round_: Round) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "number": round_.number,
        "stage": round_.stage,
        "bye": written_byes(round_.byes, round_.stage),
        "matches": [_match(match) for match in round_.matches],
    }
    return fields if round_.by_hand is None else {**fields, "by_hand": round_.by_hand}


def written_byes(names: Sequence[Name], stage: Stage) -> Name | list[Name] | None:
    """Return byes as a JSON value: null, a name, or a list where there are several or in a bracket."""
    if stage is not Stage.FINALS and len(names) == 1:
        return names[0]
    return list(names) or None


def _match(match: Match) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "players": match.players,
        "winner": DRAWN if match.drawn else match.winner,
        "games": match.games,
        "kind": match.kind,
    }
    rare = {"points": match.points, "score": match.score, "dice_off": match.dice_off}
    return fields | {key: value for key, value in rare.items() if value is not None}
