"""What the objects of a league file hold, but for rounds and matches: each field and its limits; the version."""

import re
from collections.abc import Mapping

from bot.league.checking.league_file.fields import (
    Field,
    Reader,
    Table,
    each,
    entrant,
    flag,
    maybe,
    number,
    text,
    whole,
    word,
)
from bot.league.checking.league_file.people import People, own_name
from bot.league.season.model import (
    Decision,
    Departure,
    DepartureKind,
    Ended,
    Entrant,
    Final,
    FinalStanding,
    KeptApart,
    Name,
    Rating,
    SealedList,
    SealedSalt,
    SitOut,
    Substitution,
)
from bot.league.season.node import Node, quoted

VERSION = 1
"""The version of the file format this program reads and writes."""
LATEST_ROUND = 1000

_GREATEST = 1e308
"""As far from 0 as a tie-break can be."""

_SHA_256 = re.compile(r"[0-9a-f]{64}")


def _two_players(node: Node, people: People) -> tuple[Name, Name]:
    node.pair()
    first, second = (people.entrant(item) for item in node.items())
    if first == second:
        raise node.wrong(f"{quoted(first)} is here twice; name two different players")
    return first, second


def _hash_of(what: str) -> Reader:
    def read(node: Node, _: People) -> str:
        if not _SHA_256.fullmatch(node.text()):
            raise node.refused(f"give {what}, 64 hex digits in small letters")
        return node.value

    return read


FINGERPRINT = _hash_of("the last fingerprint of the season before")


def _tiebreaks(node: Node, _: People) -> Mapping[str, float]:
    if not isinstance(node.value, dict):
        raise node.wrong(f"must be an object, not {quoted(node.value)}")
    return {key: node.below(key).number(-_GREATEST, _GREATEST) for key in node.value}


_ROUND = whole(1, LATEST_ROUND)
_COUNT = whole(0, 2**53 - 1)
_OWN_RATING = Table(Rating, Field("mu", number(-1e6, 1e6)), Field("sigma", number(1e-6, 1e6)))
_RATING = Field("rating", maybe(_OWN_RATING.read), None, write=_OWN_RATING.written)
_FORMER_NAMES = Field("former_names", each(own_name), ())

PLAYER = Table(
    Entrant,
    Field("name", own_name),
    _RATING,
    Field("entered", _ROUND, 1),
    Field("seed", maybe(whole(1, 1_000_000)), None),
    Field("group", maybe(whole(1, LATEST_ROUND)), None),
    _FORMER_NAMES,
)
SUBSTITUTE = Table(
    Substitution, Field("seat", entrant), Field("player", own_name), Field("round", _ROUND), _RATING, _FORMER_NAMES
)
SIT_OUT = Table(SitOut, Field("name", entrant), Field("round", _ROUND))
SEALED_LIST = Table(
    SealedList,
    Field("name", entrant),
    Field("number", _ROUND),
    Field("round", maybe(_ROUND), None, always=True),
    Field("sha256", _hash_of("the SHA-256 of KEY/TEXT")),
    Field("key", maybe(text), None, always=True),
    Field("text", maybe(text), None, always=True),
)
APART = Table(KeptApart, Field("players", _two_players), Field("round", _ROUND), Field("until", maybe(_ROUND), None))
DEPARTURE = Table(
    Departure,
    Field("name", entrant),
    Field("kind", word(DepartureKind)),
    Field("round", _ROUND),
    Field("after_pairing", flag, False, always=True),
    Field("rejoined", maybe(_ROUND), None, always=True),
)
DECISION = Table(Decision, Field("after_round", _ROUND), Field("order", each(entrant)))
SEALED = Table(
    SealedSalt,
    Field("commitment", _hash_of("the SHA-256 of the secret")),
    Field("secret", maybe(_hash_of("the secret")), None, always=True),
)
_FINAL_STANDING = Table(
    FinalStanding,
    Field("rank", _COUNT),
    Field("name", entrant),
    *(Field(key, _COUNT) for key in ("points", "wins", "losses", "draws", "byes")),
    Field("tiebreaks", _tiebreaks, write=dict),
)
FINAL = Table(
    Final,
    Field("ended", word(Ended)),
    Field("champion", maybe(entrant), None, always=True),
    Field("kept", flag, False),
    Field("standings", each(_FINAL_STANDING.read), write=_FINAL_STANDING.all_written),
)
