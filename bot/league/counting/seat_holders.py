"""Who sits in an entrant's seat: its first person, or a substitute (docs/formats/shared.md)."""

from dataclasses import replace

from bot.league.season.model import Match, Name, Rating, Round, Season


def people_in_seats(season: Season, number: int) -> dict[Name, Name]:
    """Return the person in every entrant's seat in round `number`, by the seat's name, which is the entrant's.

    A round that isn't paired yet counts as well: `len(season.rounds) + 1` gives the people of the next one. The title
    belongs to the person in the champion's seat in the last round.
    """
    seats = {entrant.name: entrant.name for entrant in season.entrants}
    taken = sorted((row for row in season.substitutes if row.round <= number), key=lambda row: row.round)
    return seats | {row.seat: row.player for row in taken if row.seat in seats}


def matches_of_people(season: Season, round_: Round) -> tuple[Match, ...]:
    """Return the matches of a round under the names of the people who sat there: they are rated, and have met."""
    if not season.substitutes:
        return round_.matches
    people = people_in_seats(season, round_.number)
    return tuple(
        replace(
            match, upper=people[match.upper], lower=people[match.lower], winner=match.winner and people[match.winner]
        )
        for match in round_.matches
    )


def ratings_brought(season: Season) -> dict[Name, Rating | None]:
    """Return the rating each person of a season starts with, None for a new one; substitutes as they first sit down."""
    last_first = sorted(season.substitutes, key=lambda row: row.round, reverse=True)
    brought = {row.player: row.rating for row in last_first}
    return brought | {entrant.name: entrant.rating for entrant in season.entrants}
