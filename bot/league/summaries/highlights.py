"""A finished season in numbers: how much was played, the closest match, the biggest upset, the champion's way."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.league.counting.ratings import ENOUGH_MATCHES, RatedSeason, in_turn, shown_rating, starting_ratings
from bot.league.counting.seat_holders import matches_of_people
from bot.league.formats.shared.base import Format
from bot.league.season.model import Kind, Match, Name, Round, Season, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMatch:
    """A match with the name people know it by, or a bye (both are None) with that of its round.

    `match` names the seats, `of_people` the people who sat there.
    """

    name: str
    stage: Stage
    match: Match | None = None
    of_people: Match | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Upset:
    """A match, by the names of its people, won by who was rated `points` lower before it, as ratings are shown."""

    match: Match
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """A season in numbers; `matches` are those that were played, `closest` and `upset` None where no match is one.

    `in_finals` is how many players had a place in the finals, 0 where there were none. `way` has what counted for the
    champion: no matches against who is struck.
    """

    players: int
    rounds: int
    matches: int
    in_finals: int
    closest: Match | None
    closest_name: str
    upset: Upset | None
    way: tuple[NamedMatch, ...]


def highlights(format_: Format, season: Season, champion: Name | None) -> Highlights:
    """Return a season in numbers, with the way of its champion if it has one."""
    rounds = tuple(_named(format_, season))
    rated = [
        played for _, _, matches in rounds for played in matches if played.match is not None and played.match.rated
    ]
    closest = _closest(rated)
    return Highlights(
        players=len(season.entrants),
        rounds=len(season.rounds),
        matches=len(rated),
        in_finals=len({name for round_ in season.rounds if round_.stage is Stage.FINALS for name in round_.seated}),
        closest=closest.of_people if closest else None,
        closest_name=closest.name if closest else "",
        upset=_upset(season, rated),
        way=() if champion is None else tuple(_way(rounds, champion, format_.struck(season))),
    )


def _named(format_: Format, season: Season) -> Iterator[tuple[Round, str, list[NamedMatch]]]:
    """Yield each round with its name and its matches in order."""
    for round_, names in zip(season.rounds, format_.round_names(season), strict=True):
        rows = zip(round_.matches, matches_of_people(season, round_), names.matches, strict=True)
        matches = [
            NamedMatch(name=name or names.round, stage=round_.stage, match=match, of_people=of_people)
            for match, of_people, name in rows
        ]
        yield round_, names.round, matches


def _way(
    rounds: Iterable[tuple[Round, str, list[NamedMatch]]], champion: Name, struck: frozenset[Name]
) -> Iterator[NamedMatch]:
    for round_, name, matches in rounds:
        for match in matches:
            if match.match is not None and champion in match.match.players and struck.isdisjoint(match.match.players):
                yield match
        if champion in round_.byes:
            yield NamedMatch(name=name, stage=round_.stage)


def _closest(played: Sequence[NamedMatch]) -> NamedMatch | None:
    """Return the played match with the least distance in games, then with the most games, then the latest.

    Where matches have scores those count instead. The loser has more than none: two that ended 2-0 aren't close.
    """
    closest: tuple[tuple[int, int], NamedMatch] | None = None
    scored = any(match.match is not None and match.match.score is not None for match in played)
    for match in played:
        ended = match.match if match.match and match.match.kind is Kind.PLAYED and match.match.winner else None
        numbers = None if ended is None else ended.score if scored else ended.games
        if numbers is not None and min(numbers) > 0:
            rank = (abs(numbers[0] - numbers[1]), -sum(numbers))
            closest = (rank, match) if closest is None or rank <= closest[0] else closest
    return closest and closest[1]


def _upset(season: Season, rated: Sequence[NamedMatch]) -> Upset | None:
    """Return the match whose winner was rated lowest below the other player before it; the first of equal ones."""
    scale, upset = season.settings.rating, None
    matches = tuple(played.of_people for played in rated if played.of_people is not None and played.of_people.rated)
    rated_season = RatedSeason(
        number=season.number,
        scale=scale,
        start={**starting_ratings(season)},
        matches=tuple((match.upper, match.lower, match.winner) for match in matches),
    )
    for match, (_, before) in zip(matches, in_turn(rated_season, {}), strict=True):
        if match.winner is not None:
            shown = [shown_rating(rating, scale, ENOUGH_MATCHES).value for rating in before]
            won, lost = shown if match.winner == match.upper else reversed(shown)
            if lost - won > (upset.points if upset else 0):
                upset = Upset(match=match, points=lost - won)
    return upset
