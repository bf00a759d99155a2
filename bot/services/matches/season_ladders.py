"""The ladder an earlier season leaves, by which a season's divisions are filled; kept when the season starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.checking.fingerprints import fingerprints
from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.formats.shared.groups import LadderPlace
from bot.league.season.choices import Grouping
from bot.league.season.model import Name, Season
from bot.league.season.phases import LIVE
from bot.league.summaries.divisions import Ended, ended
from bot.services.base import cached
from bot.services.base.transaction import Transaction
from storage import rules_season
from storage.cache import memoized
from storage.database import Connection
from storage.rows import EntrantRow, PlayerId, SeasonRow
from storage.tables import seasons
from storage.tables.field import entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The ladder a season left: everyone's place in its order, and the season's last fingerprint.

    A place belongs to the player who signed up; one who has two names there has the better place.
    """

    season: int
    fingerprint: str
    places: Mapping[PlayerId, LadderPlace]
    names: Mapping[PlayerId, Sequence[Name]]
    """What each player was called in it."""

    def of_entrants(self, people: Sequence[EntrantRow]) -> list[EntrantRow]:
        """Return those of a later season's players who have a place, in its order."""
        order = {player: at for at, player in enumerate(self.places)}
        return sorted((row for row in people if row.player_id in order), key=lambda row: order[row.player_id])


def has_divisions(season: SeasonRow) -> bool:
    """Whether a season is to be played in divisions."""
    try:
        settings = rules_season.settings_of(season)
    except LeagueError:
        return False
    return by_key(season.format).in_groups and settings.grouping is Grouping.DIVISIONS


def left_by(conn: Connection, season: SeasonRow) -> Ladder | None:
    """Return the ladder a season has left; None while it isn't over, or where it left none."""

    def worked_out() -> Ladder | None:
        record = cached.complete(conn, season)
        try:
            places = by_key(season.format).ladder_places(record)
        except LeagueError:
            return None
        people = {Name(row.name): row.player_id for row in entrants.of_season(conn, season.id)}
        best: dict[PlayerId, LadderPlace] = {}
        names: dict[PlayerId, list[Name]] = {}
        for place in places:
            best.setdefault(people[place.name], place)
            names.setdefault(people[place.name], []).append(place.name)
        *_, last = fingerprints(record)
        return Ladder(season=record.number, fingerprint=last, places=best, names=names)

    if season.phase in LIVE or season.number is None:
        return None
    return memoized(conn, season.id, "ladder", worked_out, size=lambda ladder: len(ladder.places) if ladder else 1)


def ends(conn: Connection, season: SeasonRow) -> tuple[Ended, ...]:
    """Return the divisions of a season below the first with how they ended; nothing without divisions."""
    if not has_divisions(season):
        return ()
    return memoized(conn, season.id, "divisions", lambda: ended(cached.complete(conn, season)), size=len)


def season_before(conn: Connection, season: SeasonRow) -> SeasonRow | None:
    """Return the season one was prepared from."""
    number = season.copied_from
    if number is None or (season.number is not None and number >= season.number):  # its number was given back
        return None
    return seasons.by_number(conn, season.league_id, number)


def to_begin_with(conn: Connection, season: SeasonRow) -> Ladder | None:
    """Return the ladder a season in divisions would begin with now; None where ratings alone decide."""
    before = season_before(conn, season) if has_divisions(season) else None
    if before is not None:
        return left_by(conn, before)
    fingerprint = rules_season.load(conn, season.id).ladder_of  # of an imported one
    return None if fingerprint is None else _with_fingerprint(conn, season, fingerprint)


def begun_with(conn: Connection, season: SeasonRow) -> Ladder | None:
    """Return the ladder a season began with; None where it had none, or where results have changed since."""
    fingerprint = rules_season.load(conn, season.id).ladder_of
    if fingerprint is None or season.number is None:
        return None
    before = season_before(conn, season)
    if before is None:
        return _with_fingerprint(conn, season, fingerprint)
    ladder = left_by(conn, before)
    return ladder if ladder is not None and ladder.fingerprint == fingerprint else None


def _with_fingerprint(conn: Connection, season: SeasonRow, fingerprint: str) -> Ladder | None:
    """Return the ladder of an earlier season with this last fingerprint, as that of an import is."""
    for number in seasons.numbers(conn, season.league_id):
        before = seasons.by_number(conn, season.league_id, number) if number < (season.number or 0) else None
        ladder = None if before is None else left_by(conn, before)
        if ladder is not None and ladder.fingerprint == fingerprint:
            return ladder
    return None


def keep(tx: Transaction) -> None:
    """Keep the ladder a season in divisions begins with, as it is now: what changes later changes it no more.

    Names its players had in it are former names of theirs, so that anyone can compare the two.
    """
    ladder = to_begin_with(tx.conn, tx.season)
    if ladder is None:
        return
    people = ladder.of_entrants(entrants.of_season(tx.conn, tx.season.id))
    for row in people:
        others = [name for name in ladder.names[row.player_id] if name not in (row.name, *row.former_names)]
        if others:
            entrants.change(tx.conn, row.id, former_names=[*row.former_names, *others])
    seasons.keep_ladder(tx.conn, [row.id for row in people], ladder.fingerprint, tx.season.id)


def with_ladder(conn: Connection, row: SeasonRow, season: Season) -> Season:
    """Return a season that hasn't started with the ladder it would begin with now, for its file."""
    ladder = None if row.started_at is not None else to_begin_with(conn, row)
    if ladder is None:
        return season
    names = tuple(Name(person.name) for person in ladder.of_entrants(entrants.of_season(conn, row.id)))
    return replace(season, ladder=names, ladder_of=ladder.fingerprint)
