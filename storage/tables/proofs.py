"""What is shown so that everyone can check the draw and the results: seals of salts, and fingerprints of rounds.

A salt's secret is drawn once a season, and shown to no one before round 1 is first paired.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.league.counting.draw import commitment_of
from bot.league.season.model import SealedSalt
from storage.database import Connection
from storage.query import Change, Rows, Value, run
from storage.rows import SeasonId
from storage.tables import rounds

secret_of = Value[str | None, SeasonId]("SELECT secret FROM sealed_salts WHERE season_id = ?")
"""The secret of a season, None where there is none or only its commitment is known."""


def draw_secret(conn: Connection, season_id: SeasonId) -> None:
    """Draw the secret of a season, once."""
    secret = secrets.token_hex(32)
    keep_seal(conn, season_id, SealedSalt(commitment=commitment_of(secret), secret=secret))


def keep_seal(conn: Connection, season_id: SeasonId, sealed: SealedSalt) -> None:
    """Keep what a salt is sealed by, unless the season has that already."""
    run(
        conn,
        "INSERT OR IGNORE INTO sealed_salts (season_id, commitment, secret) VALUES (?, ?, ?)",
        season_id,
        sealed.commitment,
        sealed.secret,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerprintRow:
    """The fingerprint of a round; `told_in` and `void_in` are the numbers of the rounds whose news say so."""

    id: int
    season_id: SeasonId
    round: int
    value: str
    told_in: int
    void_in: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprints:
    """What a post says of fingerprints, by the numbers of their rounds: the new ones, and what no longer counts.

    `rounds` are what these rounds are called.
    """

    new: Mapping[int, str] = field(default_factory=dict[int, str])
    void: tuple[tuple[int, str], ...] = ()
    rounds: Mapping[int, str] = field(default_factory=dict[int, str], compare=False)


def with_rounds(conn: Connection, season_id: SeasonId, fingerprints: Fingerprints) -> Fingerprints:
    """Return what a post says with the names of all posted rounds."""
    return replace(fingerprints, rounds={row.number: row.words for row in rounds.published(conn, season_id)})


fingerprints_of = Rows[FingerprintRow, SeasonId](
    FingerprintRow, "SELECT * FROM fingerprints WHERE season_id = ? ORDER BY round, id"
)
"""All that were shown of a season, by round."""

_add = Change[SeasonId, int, str, int](
    "INSERT INTO fingerprints (season_id, round, value, told_in) VALUES (?, ?, ?, ?)"
)
_void = Change[int, int]("UPDATE fingerprints SET void_in = ?1 WHERE id = ?2")


def compared(rows: Sequence[FingerprintRow], computed: Sequence[str], number: int) -> Fingerprints:
    """Return what the news of a round has to say, `computed` being the fingerprints of the season as it is now."""
    now = dict(enumerate(computed))
    standing = {row.round: row for row in rows if row.void_in is None}
    void = tuple((row.round, row.value) for row in standing.values() if now.get(row.round) != row.value)
    shown = {*(row.round for row in rows), number}
    new = {
        round_: value
        for round_, value in now.items()
        if round_ in shown and (round_ not in standing or standing[round_].value != value or round_ == number)
    }
    return Fingerprints(new=new, void=void)


def tell(conn: Connection, season_id: SeasonId, computed: Sequence[str], number: int) -> None:
    """Keep what the news of a round says: they're the same whenever it's drawn again."""
    rows = fingerprints_of(conn, season_id)
    comparison = compared(rows, computed, number)
    for row in rows:
        if row.void_in is None and (row.round, row.value) in comparison.void:
            _void(conn, number, row.id)
    standing = {(row.round, row.value) for row in rows if row.void_in is None}
    for round_, value in comparison.new.items():
        if (round_, value) not in standing:
            _add(conn, season_id, round_, value, number)


def told_in(conn: Connection, season_id: SeasonId, number: int) -> Fingerprints:
    """Return what the news of a round says."""
    rows = fingerprints_of(conn, season_id)
    new = {row.round: row.value for row in rows if row.told_in == number and row.void_in != number}
    return Fingerprints(new=new, void=tuple((row.round, row.value) for row in rows if row.void_in == number))


_without_news = Rows[FingerprintRow, SeasonId, int, str](
    FingerprintRow,
    "SELECT f.* FROM fingerprints f WHERE f.season_id = ?1 AND f.told_in = ?2 AND f.void_in IS NULL"
    " AND 1 = (SELECT min(o.state = 'withdrawn' OR o.removed = 1) FROM outbox o JOIN rounds r ON r.id = o.round_id"
    " WHERE r.season_id = ?1 AND r.number = ?2 AND o.kind = ?3 AND o.person_id IS NULL) ORDER BY f.round",
)


def without_news(conn: Connection, season_id: SeasonId, number: int, news: str) -> Fingerprints:
    """Return what the news of a round would have said, if there is none because cards say the rest."""
    return Fingerprints(new={row.round: row.value for row in _without_news(conn, season_id, number, news)})
