"""The whole of a season as the rules see it, with earlier meetings as they were known when it started."""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any

from bot.league.counting.meetings import PAST_SEASONS
from bot.league.formats import by_key
from bot.league.season.choices import Grouping
from bot.league.season.model import (
    Decision,
    Departure,
    DepartureKind,
    Entrant,
    KeptApart,
    Kind,
    Match,
    Name,
    PastMatch,
    PastSeason,
    Rating,
    Round,
    SealedSalt,
    Season,
    SitOut,
    Stage,
    Substitution,
)
from bot.league.season.settings import SeasonSettings, with_salt
from storage.cache import memoized
from storage.columns import read_list
from storage.database import Connection
from storage.query import insert_many, records, run
from storage.rows import EntrantId, EntrantRow, PlayerId, RoundId, SeasonId, SeasonRow
from storage.tables.field import entrants
from storage.tables.field.substitutions import sitting
from storage.tables.people import apart

Records = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Known:
    """All that is known of a season, as plain records: quickly read, and quickly sent to another process."""

    season: Records
    entrants: Records
    substitutes: Records
    rounds: Records
    apart: Records
    past: Records


def settings_of(row: SeasonRow) -> SeasonSettings:
    """Return a season's settings with its format's defaults and its salt."""
    return _settings(row.format, json.dumps(row.settings, default=dict), row.salt)


@lru_cache(1000)
def _settings(format: str, given: str, salt: str | None) -> SeasonSettings:
    """Check them once: a command asks for those of its season up to a hundred times."""
    settings = by_key(format).read_settings(json.loads(given))
    return settings if salt is None else with_salt(settings, salt)


_ROUND = (
    "SELECT r.number, r.stage, r.by_hand, (SELECT json_group_array(json_array(x.rowid, x.entrant_id)) FROM seats x"
    " WHERE x.round_id = r.id AND x.match_id IS NULL), (SELECT json_group_array(json_array(m.position, m.upper_id,"
    " m.lower_id, m.kind, m.winner_id, m.upper_games, m.lower_games, m.upper_points, m.lower_points, m.upper_score,"
    " m.lower_score, m.dice_off_id))"
    " FROM matches m WHERE m.round_id = r.id) FROM rounds r"
)
"""A round with its byes and its matches."""
_SQL = {
    "season": "SELECT l.name, s.number, s.format, s.settings, s.salt, s.forgotten, s.bracket, s.groups, s.ladder,"
    " s.ladder_of, x.commitment,"
    " iif(s.salt IS NULL, NULL, x.secret),"
    " (SELECT json_group_array(json_array(d.id, d.after_round, d.names)) FROM decisions d WHERE d.season_id = s.id)"
    " FROM seasons s JOIN leagues l ON l.id = s.league_id"
    " LEFT JOIN sealed_salts x ON x.season_id = s.id AND s.salt_kind = 'sealed' WHERE s.id = ?",
    "entrants": "SELECT id, player_id, name, mu, sigma, entered, seed, given_group, former_names, drawn,"
    " (SELECT json_group_array(json_array(d.id, e.id, d.kind, d.round, d.after_pairing, d.rejoined))"
    " FROM departures d WHERE d.entrant_id = e.id),"
    " (SELECT json_group_array(json_array(o.id, e.id, o.round)) FROM sat_out o WHERE o.entrant_id = e.id)"
    " FROM entrants e WHERE season_id = ? ORDER BY id",
    "substitutes": "SELECT x.entrant_id, x.player_id, x.name, x.round, x.mu, x.sigma, x.former_names"
    " FROM entrants e JOIN substitutes x ON x.entrant_id = e.id WHERE e.season_id = ? ORDER BY e.id, x.round",
    "rounds": f"{_ROUND} WHERE r.season_id = ? AND r.phase <> 'draft' ORDER BY r.number",
    "apart": "SELECT a.first_id, a.second_id, iif(a.season = n.number, a.round, 1),"
    " iif(a.until_season = n.number, a.until_round, NULL) FROM seasons n JOIN apart a ON a.league_id = n.league_id"
    " WHERE n.id = ? AND a.season <= n.number AND ifnull(a.until_season >= n.number, 1) ORDER BY a.id",
}
"""What is read of a season, by what it is.

What belongs to a row alone comes with it, as JSON, each record with its place first. Ratings don't: they'd be rounded.
"""


def _known(when: str) -> str:
    """Return the query of which people met in earlier seasons, as is known now, where that counts for the season."""
    return (
        f"SELECT s.number, r.number, {sitting('u', 'r.number')}, {sitting('l', 'r.number')} FROM seasons n"
        " JOIN seasons s ON s.league_id = n.league_id AND s.number BETWEEN n.number - ?2 AND n.number - 1"
        " JOIN rounds r ON r.season_id = s.id JOIN matches m ON m.round_id = r.id"
        " JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
        f" WHERE n.id = ?1 AND r.phase <> 'draft' AND {when}"
        " UNION ALL SELECT p.season, p.round, p.first_id, p.second_id FROM seasons n JOIN past_meetings p"
        " ON p.league_id = n.league_id AND p.season BETWEEN n.number - ?2 AND n.number - 1"
        f" WHERE n.id = ?1 AND p.hidden_by IS NULL AND {when}"
    )


_STARTED = "(n.started_at IS NOT NULL AND n.format <> 'record')"
_PAST = (
    f"{_known(f'NOT {_STARTED}')} UNION ALL SELECT past, round, first_id, second_id FROM met_before"
    " WHERE season_id = ?1 ORDER BY 1 DESC"
)
_KNOWN_AT_START = _known(_STARTED)
_KEEP_NEWEST = (
    "UPDATE seasons SET newest_import = (SELECT coalesce(max(id), 0) FROM imports WHERE league_id = seasons.league_id)"
    " WHERE id = ?"
)


Meeting = tuple[int, int | None, PlayerId, PlayerId]
"""The season and the round in which two people met."""


def keep_past(
    conn: Connection, season_id: SeasonId, *, people: Set[PlayerId] = frozenset(), met: Sequence[Meeting] = ()
) -> None:
    """Note what is known of earlier seasons now that a season has started: what is learned later changes it no more.

    Where it started elsewhere with `people`, those of them who had met are in `met`; others may come in here yet.
    """
    known = records(conn, _KNOWN_AT_START, season_id, PAST_SEASONS)
    kept = [*met, *(meeting for meeting in known if not people >= {*meeting[2:]})]
    columns = ("past", "round", "first_id", "second_id", "season_id")
    insert_many(conn, "met_before", [dict(zip(columns, (*meeting, season_id), strict=True)) for meeting in kept])
    run(conn, _KEEP_NEWEST, season_id)


def known(conn: Connection, season_id: SeasonId, *, past: bool = True) -> Known:
    """Return what `season_of` makes a season of, if wanted with earlier meetings."""
    rows = {what: records(conn, sql, season_id) for what, sql in _SQL.items()}
    return Known(**rows, past=records(conn, _PAST, season_id, PAST_SEASONS) if past else ())


def load(conn: Connection, season_id: SeasonId) -> Season:
    """Return a season as the rules see it: published rounds only, past meetings under this season's names."""

    def loaded() -> Season:
        return season_of(known(conn, season_id))

    return memoized(conn, season_id, "season", loaded, size=size_of)


def size_of(season: Season) -> int:
    """Return how many players and matches a season has."""
    return len(season.entrants) + sum(len(round_.matches) for round_ in season.rounds)


def season_of(facts: Known) -> Season:
    """Return a season as the rules see it."""
    ((league, number, format_, settings, salt, forgotten, *kept, ladder_of, commitment, secret, decisions),) = (
        facts.season
    )
    names = {EntrantId(row[0]): Name(row[2]) for row in facts.entrants}
    people = {row[1]: Name(row[2]) for row in (*facts.substitutes, *facts.entrants)}
    bracket, groups, ladder = (None if ids is None else json.loads(ids) for ids in kept)
    read = _settings(format_, settings, salt)
    given = read.grouping is Grouping.GIVEN  # who was in a group before an organiser chose to have them drawn isn't now
    return Season(
        league=league,
        number=number or 0,
        format=format_,
        settings=read,
        entrants=tuple(_entrant(*row[2:9], given=given) for row in facts.entrants),
        past=_past(facts.past, people),
        rounds=tuple(_round(names, *row) for row in facts.rounds),
        departures=tuple(
            Departure(
                name=names[entrant_id],
                kind=DepartureKind(kind),
                round=round_,
                after_pairing=bool(after_pairing),
                rejoined=rejoined,
            )
            for entrant_id, kind, round_, after_pairing, rejoined in _in_order(*(row[10] for row in facts.entrants))
        ),
        decisions=tuple(Decision(after_round=after, order=read_list(order)) for after, order in _in_order(decisions)),
        sat_out=tuple(
            SitOut(name=names[entrant_id], round=round_)
            for entrant_id, round_ in _in_order(*(row[11] for row in facts.entrants))
        ),
        substitutes=tuple(_substitution(names[entrant_id], *row) for entrant_id, _, *row in facts.substitutes),
        apart=_apart(facts, names),
        drawn_names=tuple(sorted(Name(row[2]) for row in facts.entrants if row[9])) or None,
        sealed=None if commitment is None else SealedSalt(commitment=commitment, secret=secret),
        forgotten=bool(forgotten),
        bracket=None if bracket is None else tuple(names.get(entrant_id) for entrant_id in bracket),
        groups=None if groups is None else tuple(tuple(names[entrant_id] for entrant_id in group) for group in groups),
        ladder=None if ladder is None else tuple(names[id_] for id_ in ladder if id_ in names),
        ladder_of=ladder_of,
    )


def _apart(facts: Known, names: Mapping[EntrantId, Name]) -> tuple[KeptApart, ...]:
    """Return who is kept apart, as the seats they sit in."""
    if not facts.apart:
        return ()
    seats = {names[row[0]]: row[1] for row in facts.entrants}
    taken = ((names[row[0]], row[3], row[1]) for row in facts.substitutes)
    return apart.of_seats(facts.apart, apart.sittings(seats, taken))


def starters(conn: Connection, season_id: SeasonId) -> tuple[EntrantRow, ...]:
    """Return the players a season started with; those who left before round 1 was paired aren't among them."""
    left = entrants.departures_of(conn, season_id)
    gone = {departure.entrant_id for departure in left if departure.round == 1 and not departure.after_pairing}
    people = entrants.of_season(conn, season_id)
    return tuple(person for person in people if person.entered == 1 and person.id not in gone)


def _entrant(
    name: str,
    mu: float | None,
    sigma: float | None,
    entered: int,
    seed: int | None,
    group: int | None,
    former_names: str,
    *,
    given: bool,
) -> Entrant:
    return Entrant(
        name=Name(name),
        rating=_rating(mu, sigma),
        entered=entered,
        seed=seed,
        group=group if given else None,
        former_names=read_list(former_names),
    )


def _substitution(
    seat: Name, name: str, round_: int, mu: float | None, sigma: float | None, former_names: str
) -> Substitution:
    return Substitution(
        seat=seat, player=Name(name), round=round_, rating=_rating(mu, sigma), former_names=read_list(former_names)
    )


def _rating(mu: float | None, sigma: float | None) -> Rating | None:
    return None if mu is None or sigma is None else Rating(mu=mu, sigma=sigma)


def one_round(conn: Connection, round_id: RoundId, names: Mapping[EntrantId, Name]) -> Round:
    """Return a round as the rules see it, also one that isn't published."""
    (row,) = records(conn, f"{_ROUND} WHERE r.id = ?", round_id)
    return _round(names, *row)


def _round(
    names: Mapping[EntrantId, Name], number: int, stage: str, by_hand: str | None, byes: str, matches: str
) -> Round:
    return Round(
        number=number,
        stage=Stage(stage),
        byes=tuple([names[entrant_id] for (entrant_id,) in _in_order(byes)]),
        matches=tuple([_match(names, *match) for match in _in_order(matches)]),
        by_hand=by_hand,
    )


def _in_order(*stored: str) -> list[list[Any]]:
    """Return records that came with rows, in order of their first value, which is left out."""
    return [record for _, *record in sorted(chain.from_iterable(map(read_list, stored)), key=itemgetter(0))]


def _match(
    names: Mapping[EntrantId, Name],
    upper_id: EntrantId,
    lower_id: EntrantId,
    kind: str,
    winner_id: EntrantId | None,
    upper_games: int | None,
    lower_games: int | None,
    upper_points: int | None,
    lower_points: int | None,
    upper_score: int | None,
    lower_score: int | None,
    dice_off_id: EntrantId | None,
) -> Match:
    return Match(
        upper=names[upper_id],
        lower=names[lower_id],
        kind=Kind(kind),
        winner=None if winner_id is None else names[winner_id],
        games=None if upper_games is None or lower_games is None else (upper_games, lower_games),
        points=None if upper_points is None or lower_points is None else (upper_points, lower_points),
        score=None if upper_score is None or lower_score is None else (upper_score, lower_score),
        dice_off=None if dice_off_id is None else names[dice_off_id],
    )


def _past(met: Records, names: Mapping[PlayerId, Name]) -> tuple[PastSeason, ...]:
    """Return the earlier meetings of this season's players, the newest season first."""
    past: dict[int, list[PastMatch]] = {}
    for season, played, first, second in met:
        if first in names and second in names:
            match = PastMatch(players=(names[first], names[second]), round=played)
            past.setdefault(season, []).append(match)
    return tuple(
        PastSeason(number=season, matches=tuple(sorted(matches, key=lambda match: (match.round or 0, match.players))))
        for season, matches in past.items()
    )
