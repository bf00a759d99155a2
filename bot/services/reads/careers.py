"""Players over the seasons: careers and head-to-heads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.bracket.match_names import in_sentence
from bot.league.counting.ratings import ShownRating, in_turn, shown_rating
from bot.league.counting.seat_holders import matches_of_people, people_in_seats
from bot.league.counting.standings import Standing
from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.season.match_score import flipped, result_words
from bot.league.season.model import Name, Rating, Season, Stage
from bot.league.season.scales import RatingScale
from bot.services.base import counted, find
from bot.services.base.act import look
from bot.services.base.counted import people_of
from bot.services.base.order import Order
from storage import rated_seasons, rules_season
from storage.database import Connection
from storage.kept import kept
from storage.rows import LeagueRow, PlayerId, PlayerRow, SeasonRow
from storage.tables import players, seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMeeting:
    """One match against an opponent: where in the season, and the result in words."""

    season: int
    match: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingAfter:
    """The shown rating after a rated match of a season."""

    season: int
    rating: ShownRating


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonLine:
    """What a player's seat did in a season, and who else sat in it."""

    standing: Standing
    shared_with: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A player's line in the table of each season and their rating after each rated match, newest last.

    `meetings` are those with `opponent` where one was asked for.
    """

    league: LeagueRow
    player: PlayerRow
    former_names: tuple[str, ...]
    ratings: tuple[RatingAfter, ...]
    seasons: Mapping[int, SeasonLine]
    opponent: PlayerRow | None
    meetings: tuple[PastMeeting, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A season as the rules see it, and which player each of its names is, those of substitutes too."""

    row: SeasonRow
    season: Season
    ids: Mapping[Name, PlayerId]

    def seat_of(self, player_id: PlayerId) -> Name | None:
        """Return in whose seat a player sat in a round of the season, or None for one who never did."""
        names = {name for name, known in self.ids.items() if known == player_id}
        sat = (seat for people in self._rounds() for seat, person in people.items() if person in names)
        return next(sat, None)

    def people_of(self, seat: Name) -> tuple[Name, ...]:
        """Return everyone who sat in a seat, in order."""
        return tuple(dict.fromkeys(people[seat] for people in self._rounds()))

    def _rounds(self) -> Iterator[Mapping[Name, Name]]:
        rounds = self.season.rounds if self.season.substitutes else self.season.rounds[:1]
        return (people_in_seats(self.season, round_.number) for round_ in rounds)


def _load(conn: Connection, row: SeasonRow) -> Played:
    def read() -> Played:
        return Played(row=row, season=rules_season.load(conn, row.id), ids=people_of(conn, row))

    return kept(conn, row.id, "people", read, size=lambda played: len(played.ids))


def history(conn: Connection, order: Order, *, player: str | int, opponent: str | int | None = None) -> Career:
    """Return a player's career, and their matches against an opponent; raises NotFound."""
    see = look(conn, order)
    who = find.player(see, player)
    other = None if opponent is None else find.player(see, opponent)
    if other == who:
        raise NotFound(f"Both are {who.name}. Choose a different opponent.")
    rows = seasons.of_league(see.conn, see.league.id)
    ratings, lines = _so_far(see.conn, rows, who) if rows else ((), {})
    return Career(
        league=see.league,
        player=who,
        former_names=players.former_names(see.conn, who),
        ratings=ratings,
        seasons=lines,
        opponent=other,
        meetings=() if other is None else _meetings(_begun(see.conn, rows, who), who.id, other.id),
    )


def _so_far(
    conn: Connection, rows: Sequence[SeasonRow], who: PlayerRow
) -> tuple[tuple[RatingAfter, ...], dict[int, SeasonLine]]:
    """Return what the seasons of a league say of one player: their ratings and their lines."""

    def told() -> tuple[tuple[RatingAfter, ...], dict[int, SeasonLine]]:
        course = _courses(conn, rows[-1]).get(Name(who.name), ())
        ratings = tuple(
            RatingAfter(season=number, rating=shown_rating(rating, scale, matches))
            for matches, (number, scale, rating) in enumerate(course, start=1)
        )
        return ratings, {one.season.number: _line(conn, one, who.id) for one in _begun(conn, rows, who)}

    return kept(conn, rows[-1].id, f"career of {who.id}", told, size=lambda so_far: len(so_far[0]) + 1)


def _begun(conn: Connection, rows: Sequence[SeasonRow], who: PlayerRow) -> list[Played]:
    """Return the seasons in which a player sat in a round."""
    played = [_load(conn, row) for row in rows]
    return [one for one in played if who.id in one.ids.values() and one.seat_of(who.id) is not None]


def _courses(conn: Connection, newest: SeasonRow) -> Mapping[Name, Sequence[tuple[int, RatingScale, Rating]]]:
    """Return each player's rating after each of their rated matches in the league, with its season and scale."""

    def rated() -> Mapping[Name, Sequence[tuple[int, RatingScale, Rating]]]:
        ratings: dict[Name, Rating] = {}
        courses: dict[Name, list[tuple[int, RatingScale, Rating]]] = {}
        for season, match in in_turn(rated_seasons.of_league(conn, newest.league_id), ratings):
            for name in match.players:
                courses.setdefault(name, []).append((season.number, season.scale, ratings[name]))
        return courses

    return kept(conn, newest.id, "ratings", rated, size=lambda courses: sum(map(len, courses.values())))


def _line(conn: Connection, played: Played, player_id: PlayerId) -> SeasonLine:
    """Return the line of a player's seat; a place in the finals is of the person who sat there at the end."""
    seat = played.seat_of(player_id)
    assert seat is not None
    line, people = counted.table(conn, played.row.id)[seat], played.people_of(seat)
    if played.ids[people[-1]] != player_id:
        line = replace(line, place=None)
    return SeasonLine(standing=line, shared_with=tuple(name for name in people if played.ids[name] != player_id))


def _meetings(begun: Sequence[Played], one: PlayerId, other: PlayerId) -> tuple[PastMeeting, ...]:
    found: list[PastMeeting] = []
    for played in begun:
        season = played.season
        for round_, names in zip(season.rounds, by_key(season.format).round_names(season), strict=True):
            for match, name in zip(matches_of_people(season, round_), names.matches, strict=True):
                if {played.ids[match.upper], played.ids[match.lower]} != {one, other}:
                    continue
                regular = round_.stage is Stage.REGULAR
                where = f"round {round_.number}" if regular else in_sentence(name or names.round)
                games = match.games if match.winner in (None, match.upper) else flipped(match.games)
                result = result_words(match.kind, winner=match.winner, games=games)
                found.append(PastMeeting(season=season.number, match=where, result=result))
    return tuple(found)
