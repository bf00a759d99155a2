"""Write a season as a league file: a stable order, one value per line."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from bot.league.season.model import (
    Decision,
    Departure,
    Entrant,
    Match,
    Name,
    PastSeason,
    Round,
    SealedList,
    Season,
    Stage,
    Substitution,
)

VERSION = 1
"""The version of the file format this program reads and writes."""


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
        *(_listed(key, rows) for key, rows in _of_section_10(season).items() if rows),
        f'  "drawn_names": {_line(season.drawn_names)}' if season.drawn_names else "",
    ]
    return "{\n" + ",\n".join(member for member in members if member) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _listed(key: str, values: Iterable[dict[str, Any]]) -> str:
    """Return a list with one value per line, so that two files can be compared line by line."""
    lines = ",\n".join(f"    {_line(value)}" for value in values)
    return f'  "{key}": [\n{lines}\n  ]' if lines else f'  "{key}": []'


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


def _player(entrant: Entrant) -> dict[str, Any]:
    rating = entrant.rating
    return _said(
        {
            "name": entrant.name,
            "rating": None if rating is None else {"mu": rating.mu, "sigma": rating.sigma},
            "entered": entrant.entered if entrant.entered > 1 else None,
            "seed": entrant.seed,
            "former_names": list(entrant.former_names) or None,
        }
    )


def _past(past: PastSeason) -> dict[str, Any]:
    rounds = [match.round for match in past.matches]
    return _said(
        {
            "season": past.number,
            "matches": [list(match.players) for match in past.matches],
            "rounds": rounds if any(number is not None for number in rounds) else None,
        }
    )


def _round(round_: Round) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "number": round_.number,
        "stage": round_.stage.value,
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
        "players": list(match.players),
        "winner": "draw" if match.drawn else match.winner,
        "games": None if match.games is None else list(match.games),
        "kind": match.kind.value,
    }
    points = None if match.points is None else list(match.points)
    return fields | _said({"points": points, "dice_off": match.dice_off})


def _departure(departure: Departure) -> dict[str, Any]:
    return {
        "name": departure.name,
        "kind": departure.kind.value,
        "round": departure.round,
        "after_pairing": departure.after_pairing,
        "rejoined": departure.rejoined,
    }


def _of_section_10(season: Season) -> dict[str, list[dict[str, Any]]]:
    """Return the lists a file only has where there is something in them."""
    return {
        "sat_out": [{"name": one.name, "round": one.round} for one in season.sat_out],
        "substitutes": [_substitution(row) for row in season.substitutes],
        "lists": [_sealed(one) for one in season.lists],
    }


def _substitution(row: Substitution) -> dict[str, Any]:
    return _said(
        {
            "seat": row.seat,
            "player": row.player,
            "round": row.round,
            "rating": None if row.rating is None else {"mu": row.rating.mu, "sigma": row.rating.sigma},
            "former_names": list(row.former_names) or None,
        }
    )


def _sealed(one: SealedList) -> dict[str, Any]:
    return {
        "name": one.name,
        "number": one.number,
        "round": one.round,
        "sha256": one.sha256,
        "key": one.key,
        "text": one.text,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {"after_round": decision.after_round, "order": list(decision.order)}
