"""Fingerprints: one short text for all that was played up to a round (docs/formats/shared.md)."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from bot.league.checking.league_file.people import DRAWN
from bot.league.counting.history import History
from bot.league.season.model import Decision, Match, Round, Season

SHOWN = 16
"""As many hex digits of a fingerprint are shown."""


def fingerprints(season: Season) -> Iterator[str]:
    """Yield the fingerprint of the start and of each round, up to the first that has an open match."""
    yield (fingerprint := of_start(season))
    for round_ in season.rounds:
        if not round_.finished:
            return
        yield (fingerprint := of_round(fingerprint, round_, season.decisions))


def found_in(season: Season, wanted: str) -> tuple[bool, str]:
    """Return whether nothing speaks against a fingerprint, whole or as shown, and the sentence to say.

    Once a person is forgotten those from before can't be compared any more.
    """
    for number, fingerprint in enumerate(fingerprints(season)):
        if wanted in (fingerprint, fingerprint[:SHOWN]):
            return True, f"the file has this fingerprint after round {number}"
    if season.forgotten:
        return True, "not compared: a player was forgotten, and the fingerprints from before had their name"
    return False, "the file never had this fingerprint"


def of_start(season: Season) -> str:
    """Return the fingerprint of who was there when round 1 was paired."""
    return _hashed(
        {"format": season.format, "players": sorted(History(season, before=1).starters()), "season": season.number}
    )


def of_round(before: str, round_: Round, decisions: Sequence[Decision]) -> str:
    """Return the fingerprint of a finished round, which that of the round before it goes into."""
    facts: dict[str, Any] = {
        "bye": sorted(round_.byes),
        "matches": [_facts(match) for match in round_.matches],
        "number": round_.number,
        "stage": round_.stage,
    }
    orders = [decision.order for decision in decisions if decision.after_round == round_.number]
    return _hashed({**facts, "decisions": orders} if orders else facts, f"{before}\n")


def _facts(match: Match) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "games": match.games,
        "kind": match.kind,
        "players": match.players,
        "winner": DRAWN if match.drawn else match.winner,
    }
    rare = {"points": match.points, "score": match.score}
    return facts | {key: value for key, value in rare.items() if value is not None}


def _hashed(facts: dict[str, Any], before: str = "") -> str:
    canonical = json.dumps(facts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{before}{canonical}".encode()).hexdigest()
