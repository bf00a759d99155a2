"""Who has no match in a round: those with a bye, and those who sit it out."""

from collections.abc import Mapping

from bot.league import coming_and_going
from bot.league.season.model import Stage
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow, RoundRow
from storage.tables import matches
from storage.tables.field import sat_out

People = Mapping[EntrantId, EntrantRow]


def with_bye(conn: Connection, row: RoundRow, people: People) -> tuple[EntrantRow, ...]:
    """Return who has a bye in a round."""
    return tuple([people[seat.entrant_id] for seat in matches.byes(conn, row.id)])


def sitting_out(conn: Connection, row: RoundRow, people: People) -> tuple[EntrantRow, ...]:
    """Return who sits a round out: not those who have a match or a bye in it by hand."""
    asked = {sit_out.entrant_id for sit_out in sat_out.of_season(conn, row.season_id) if sit_out.round == row.number}
    if not asked or row.stage is not Stage.REGULAR:
        return ()
    seated = {seat.entrant_id for seat in matches.seats(conn, row.id)}
    names = coming_and_going.sitting_out(rules_season.load(conn, row.season_id), row.number)
    return tuple(person for person in people.values() if person.id in asked - seated and person.name in names)
