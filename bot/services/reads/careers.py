"""Players over the seasons: their line of each table, their rating match by match, and head-to-heads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.league.bracket.match_names import in_sentence
from bot.league.counting.ratings import RatedMatch, RatedSeason, ShownRating, in_turn, shown_rating
from bot.league.counting.seat_holders import matches_of_people, people_in_seats
from bot.league.counting.standings import Standing
from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.season.match_score import flipped, result_words
from bot.league.season.model import Name, Rating, Season, Stage, Status
from bot.league.season.scales import RatingScale
from bot.services.base import counted, find
from bot.services.base.act import look
from bot.services.base.counted import people_of
from bot.services.base.order import Order
from storage import rated_seasons, rules_season
from storage.cache import kept
from storage.database import Connection
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
    rows = seasons.of_player(see.conn, see.league.id, who.id)
    ratings, lines = _so_far(see.conn, rows, who) if rows else ((), {})
    return Career(
        league=see.league,
        player=who,
        former_names=players.former_names(see.conn, who),
        ratings=ratings,
        seasons=lines,
        opponent=other,
        meetings=() if other is None else meetings_of(see.conn, rows, who, other),
    )


def _so_far(
    conn: Connection, rows: Sequence[SeasonRow], who: PlayerRow
) -> tuple[tuple[RatingAfter, ...], dict[int, SeasonLine]]:
    """Return what the seasons of a league say of one player: their ratings and their lines."""

    def told() -> tuple[tuple[RatingAfter, ...], dict[int, SeasonLine]]:
        lines = {one.season.number: line(conn, one, who.id) for one in begun(conn, rows, who)}
        return ratings_of(conn, who), lines

    return kept(conn, rows[-1].id, f"career of {who.id}", told, size=lambda so_far: len(so_far[0]) + 1)


def ratings_of(conn: Connection, who: PlayerRow) -> tuple[RatingAfter, ...]:
    """Return a player's rating after each of their rated matches in the league."""
    return tuple(
        RatingAfter(season=one.season, rating=shown_rating(one.rating, one.scale, matches))
        for matches, one in enumerate(course_of(conn, who), start=1)
    )


def begun(conn: Connection, rows: Sequence[SeasonRow], who: PlayerRow) -> list[Played]:
    """Return the seasons in which a player sat in a round."""
    played = [_load(conn, row) for row in rows]
    return [one for one in played if one.seat_of(who.id) is not None]


class OwnRated(NamedTuple):
    """A rated match of a player: how they ended it, and both ratings before it and theirs after it."""

    season: int
    scale: RatingScale
    rating: Rating
    before: Rating
    won: bool
    opponent: Name
    theirs: Rating
    their_matches: int
    """How many rated matches the opponent had before."""


Turn = tuple[RatedSeason[PlayerId], RatedMatch[PlayerId], tuple[Rating, Rating], tuple[Rating, Rating], tuple[int, int]]
"""A rated match, with both ratings before and after it, and how many rated matches both had before."""


def course_of(conn: Connection, who: PlayerRow) -> tuple[OwnRated, ...]:
    """Return a player's rated matches in the league, in order."""
    newest = seasons.newest(conn, who.league_id)
    if newest is None:
        return ()

    def rated() -> Mapping[PlayerId, Sequence[Turn]]:
        ratings: dict[PlayerId, Rating] = {}
        found: dict[PlayerId, list[Turn]] = {}
        for one in rated_seasons.of_league(conn, who.league_id):
            for match, before in in_turn(one, ratings):
                upper, lower = (found.setdefault(player, []) for player in match[:2])
                turn = (one, match, before, (ratings[match[0]], ratings[match[1]]), (len(upper), len(lower)))
                upper.append(turn)
                lower.append(turn)
        return found

    # Both players of a match have the same turn, so there are half as many as they have together.
    turns = kept(conn, newest.id, "ratings", rated, size=lambda found: sum(map(len, found.values())) // 2)
    names = {row.id: Name(row.name) for row in players.of_league(conn, who.league_id)}
    return tuple(_seen_by(who.id, turn, names) for turn in turns.get(who.id, ()))


def _seen_by(player: PlayerId, turn: Turn, names: Mapping[PlayerId, Name]) -> OwnRated:
    one, match, before, after, counts = turn
    at = match.index(player)
    won, other = match[2] == player, names[match[0] if at else match[1]]
    return OwnRated(one.number, one.scale, after[at], before[at], won, other, before[1 - at], counts[1 - at])


def line(conn: Connection, played: Played, player_id: PlayerId) -> SeasonLine:
    """Return the line of a player's seat; a place in the finals is of the person who sat there at the end."""
    seat = played.seat_of(player_id)
    assert seat is not None
    found, people = counted.table(conn, played.row)[seat], played.people_of(seat)
    if played.ids[people[-1]] != player_id:
        left = found.status in (Status.DROPPED, Status.DISQUALIFIED)  # which the one who sat there last did
        found = replace(found, place=None, status=Status.ACTIVE if left else found.status)
    return SeasonLine(standing=found, shared_with=tuple(name for name in people if played.ids[name] != player_id))


def meetings_of(
    conn: Connection, rows: Sequence[SeasonRow], one: PlayerRow, other: PlayerRow
) -> tuple[PastMeeting, ...]:
    """Return the matches of two players in these seasons, in order."""
    found: list[PastMeeting] = []
    for played in begun(conn, rows, one):
        season, both = played.season, {one.id, other.id}
        people = (match for round_ in season.rounds for match in matches_of_people(season, round_))
        if not any({played.ids[match.upper], played.ids[match.lower]} == both for match in people):
            continue
        for round_, names in zip(season.rounds, by_key(season.format).round_names(season), strict=True):
            for match, name in zip(matches_of_people(season, round_), names.matches, strict=True):
                if {played.ids[match.upper], played.ids[match.lower]} != both:
                    continue
                regular = round_.stage is Stage.REGULAR
                where = f"round {round_.number}" if regular else in_sentence(name or names.round)
                games = match.games if match.winner in (None, match.upper) else flipped(match.games)
                result = result_words(match.kind, winner=match.winner, games=games)
                found.append(PastMeeting(season=season.number, match=where, result=result))
    return tuple(found)
