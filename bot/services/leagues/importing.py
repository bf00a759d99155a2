"""Import seasons of league files: how large they can be, and what organisers read before they agree."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.league.checking.league_file.league_list import WholeLeague
from bot.league.errors import Conflict
from bot.league.formats import by_key
from bot.league.season.in_words import amount
from bot.league.season.names import look_alike_key
from bot.league.season.phases import LIVE, PLAYING
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, ReadTransaction, Transaction, read_transaction, transaction
from bot.services.leagues import imported_players, imported_season
from bot.services.leagues.file_contents import FileContents
from bot.services.leagues.imported_players import Recognised, people_of, same_people
from bot.services.leagues.importing_records import Brought, next_to_start
from storage.database import Connection
from storage.tables import imports, seasons
from storage.tables.people import apart
from storage.tables.people.apart import Span
from storage.tables.signups import claims

LARGEST_FILE = 4_000_000
"""Bytes of a file that Discord brings; a season of 10,000 players fits twice. The program takes larger ones."""
MOST_ENTRIES = 50_000
"""As many players, matches and earlier meetings as others wait for without noticing while they are saved."""
READING_SECONDS = 30
BY_HAND = "No round of it is open: /round post goes on with it."
MOST_NAMED = 12
"""As many people with two names as a preview says."""
IMPORT_MEMORY = 768_000_000
"""Bytes of address space in which a file is read and judged; a third of it is Python with what it imports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Brought):
    """What league files brought; a `record` counts for ratings and rematches alone, `live` is played on from here.

    A season `between_rounds` has no open round, and an organiser goes on with it.
    """

    players: int
    record: bool
    live: bool
    between_rounds: bool

    @property
    def season_number(self) -> int:
        """The number of its newest season."""
        return self.numbers[-1]


def require_importer(conn: Connection, order: Order) -> None:
    """Raise NotAllowed for who may not import files into a league."""
    read_transaction(conn, order, by=ORGANISER)


def importing_league(conn: Connection, order: Order) -> str:
    """Return the name of the league someone imports into; raises NotAllowed."""
    return read_transaction(conn, order, by=ORGANISER).league.name


LIMITS = (
    f"Here a file can have {LARGEST_FILE / 1_000_000:.0f} MB and {MOST_ENTRIES:,} of those, and take"
    f" {READING_SECONDS} seconds to check. The person who runs the bot can import larger ones with"
    " python -m bot import."
)


def save(
    conn: Connection,
    order: Order,
    files: Sequence[FileContents],
    *,
    league: WholeLeague | None = None,
    agreed: str | None = None,
) -> Imported:
    """Save files that were read as the seasons they are, all or none; `league` lists the people of a whole one.

    Raises ConfirmationNeeded with what they would bring.
    """
    files = sorted(files, key=lambda file: file.season.number)
    tx = transaction(conn, order, by=ORGANISER)
    _require_room(tx, files)
    people = same_people([file.people for file in reversed(files)]) if league is None else people_of(league)
    keys = {name: key for file in files for name, key in file.name_keys.items()}
    keys |= {name: look_alike_key(name) for name in people.called if name not in keys}
    recognised = imported_players.recognise(tx, people.everyone, keys)
    require_confirmation(_preview(tx, files, recognised), agreed)
    row = imports.add(conn, league_id=tx.league.id, at=tx.now)
    players = imported_players.take_players(tx, recognised, keys, row)
    if league is not None:
        imported_players.take_aliases(tx, league, players, row)
    following = next_to_start(tx)
    apart.leave_out(conn, tx.league.id, [_played_elsewhere(file, following) for file in files])
    for file in files:
        names = file.league_names or {}
        own = {person.name: players[people.called[names.get(person.name, person.name)]] for person in file.people}
        imported_season.take(tx, file, row, own)
    imports.note_newest(conn, row.id)
    live = files[-1].phase in LIVE
    if live:
        tx.show_season()
    else:
        tx.found = None
    for file in files:
        season, size = file.season, {"players": len(file.season.entrants), "matches": file.matches}
        after = {"format": season.format, **size, "phase": file.phase}
        tx.note("league.import", f"season {season.number}", after=after)
    return Imported(
        id=row.id,
        numbers=tuple(file.season.number for file in files),
        players=len(people.everyone),
        matches=sum(file.matches for file in files),
        known=len(recognised.known),
        new=len(recognised.new),
        record=not any(by_key(file.season.format).paired for file in files),
        live=live,
        between_rounds=files[-1].between_rounds,
        running=_running(tx),
        next=next_to_start(tx),
        nameless=claims.without_account(tx.conn, tx.league.id),
    )


def _require_room(tx: Transaction, files: Sequence[FileContents]) -> None:
    """Raise Conflict where files can't come in together, or not into the league."""
    often = Counter(file.season.number for file in files)
    twice = next((number for number, many in often.items() if many > 1), None)
    if twice is not None:
        raise Conflict(f"Several of the files are season {twice}. Leave out all but one of them.")
    early = next((file for file in files[:-1] if file.phase in LIVE), None)
    if early is not None:
        raise Conflict(
            f"Season {early.season.number} of the files isn't over, but season {files[-1].season.number} came after it."
            " Only the newest season can go on: leave that file out, or take the one of when it was over."
        )
    for file in files:
        imported_season.require_room(tx, file)


def _played_elsewhere(file: FileContents, following: int) -> Span:
    """Return the rounds of a file's season; one that is newer takes the place of the league's `following` one."""
    number = file.season.number
    after = (number, len(file.season.rounds) + 1) if file.phase in LIVE else (number + 1, 1)
    return (min(number, following), 1), after


def _running(tx: ReadTransaction) -> int | None:
    live = seasons.live(tx.conn, tx.league.id)
    return live.number if live is not None and live.phase in PLAYING else None


def _in_short(file: FileContents) -> str:
    season = file.season
    size = f"{amount(len(season.entrants), 'player')}, {amount(file.matches, 'match', 'matches')}"
    over = "not over" if file.phase in LIVE else "over"
    return f"Season {season.number} ({by_key(season.format).title}), {over}: {size}."


def _preview(tx: ReadTransaction, files: Sequence[FileContents], recognised: Recognised) -> str:
    """Return in sentences what files would bring."""
    live, running = files[-1].phase in LIVE, _running(tx)
    lines = [_in_short(file) for file in files[:MOST_NAMED]]
    if len(files) > MOST_NAMED:
        lines.append(f"And {len(files) - MOST_NAMED} more seasons.")
    lines.append(f"People: {len(recognised.known)} known, {len(recognised.new)} new.")
    other = [f"{name} is {called}" for name, called in recognised.called.items() if name != called]
    if other:
        more = f" and {len(other) - MOST_NAMED} more" if len(other) > MOST_NAMED else ""
        lines.append(f"In the file some are called something else: {', '.join(other[:MOST_NAMED])}{more}.")
    if live:
        lines.append(f"{_goes_on(files[-1])} This import can't be taken back; /season cancel ends it.")
    elif running is not None:
        lines.append(f"Season {running} is running: its pairings and ratings stay as they are.")
    return " ".join(lines)


def _goes_on(file: FileContents) -> str:
    """Return how a season that isn't over goes on."""
    number = file.season.number
    if file.phase not in PLAYING:
        return f"Season {number} takes sign-ups here: its board is posted at once."
    if file.between_rounds:
        return f"Season {number} goes on here: its board is posted at once. {BY_HAND}"
    return f"Season {number} goes on here: its board and its open round are posted at once."
