"""Past seasons of other programs' files: what an import would bring, and bringing it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from bot.importers.as_seasons import days_played, recorded
from bot.importers.found import called
from bot.importers.summary import Summary, champion_of, digest_of
from bot.importers.together import File, read_together
from bot.league.errors import Conflict, Invalid
from bot.league.season.in_words import amount
from bot.league.season.model import Name
from bot.league.season.names import look_alike_key
from bot.league.season.node import quoted
from bot.league.season.phases import PLAYING
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, ReadTransaction, read_transaction, transaction
from bot.services.leagues import imported_accounts, imported_season, making_room
from bot.services.leagues.file_contents import FileContents, judged
from bot.services.leagues.imported_accounts import Double
from bot.services.leagues.who_is_who import Who, who_is_who
from storage.database import Connection
from storage.rows import PlayerId
from storage.tables import imports, seasons
from storage.tables.imports import ImportId
from storage.tables.people import apart, players
from storage.tables.signups import claims

MOST_NAMED = 12
"""As many seasons, or people with two names, as a sentence names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What an import would bring: the numbers of its seasons in the order of the file, and who is who.

    `number` was asked for; `moved` are the new numbers of seasons that make room, by those they have. `running` is the
    season that is played, or None; `first` the league's first season, if there is one.
    """

    numbers: tuple[int, ...]
    number: int | None
    moved: Mapping[int, int]
    identities: Who
    running: int | None
    first: int | None
    in_league: Mapping[str, "InLeague"]
    decided: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class InLeague:
    """What someone has played in the league."""

    matches: int
    seasons: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What an import brought; `next` is the season that uses it first, and keeps it in the league.

    `linked` is how many were given the account the file names, `doubles` are those whose account plays as another
    player, `nameless` is how many people of the league have no account.
    """

    id: ImportId
    numbers: tuple[int, ...]
    matches: int
    known: int
    new: int
    running: int | None
    next: int
    linked: int = 0
    doubles: tuple[Double, ...] = ()
    nameless: int = 0


def plan(
    conn: Connection, order: Order, *, file: Summary, decided: Mapping[str, str], number: int | None = None
) -> Plan:
    """Return what an import would bring, its first season as `number` if one is given.

    Raises NotAllowed, and Conflict for numbers that are taken and for seasons that are there already.
    """
    return _plan(read_transaction(conn, order, by=ORGANISER), file, decided, number)


def _plan(tx: ReadTransaction, file: Summary, decided: Mapping[str, str], number: int | None) -> Plan:
    taken = seasons.numbers(tx.conn, tx.league.id)
    if number is None:
        _require_others(tx, file)
    live = seasons.live(tx.conn, tx.league.id)
    if live is not None and live.phase in PLAYING:
        _require_room(live.number or 0, taken, len(file.seasons))
    given = making_room.numbers_of(tx, file.seasons, number)
    numbers = given.new
    late = (
        []
        if live is None
        else sorted(number for number in numbers if number > given.moved.get(live.number or 0, live.number or 0))
    )
    if live is not None and late:
        raise Conflict(
            f"Season {late[0]} would come after season {live.number}, which isn't over."
            " Give the seasons of the file smaller numbers, or import them between seasons."
        )
    known_names = players.every_name(tx.conn, tx.league.id)
    identities = who_is_who(file, known_names, imports.aliases(tx.conn, tx.league.id), decided)
    asked = identities.unclear[0].candidates if identities.unclear else ()
    ids = {row.called: row.player_id for row in known_names if row.called in asked}
    return Plan(
        numbers=numbers,
        number=number,
        moved=given.moved,
        identities=identities,
        in_league={name: _in_league(tx, player) for name, player in ids.items()},
        running=live.number if live is not None and live.phase in PLAYING else None,
        first=min(taken, default=None),
        decided=decided,
    )


def _require_others(tx: ReadTransaction, file: Summary) -> None:
    """Raise Conflict for seasons that are in the league already, by what is in them, as the number they have."""
    here = {season.digest: season.number for season in imports.of_league(tx.conn, tx.league.id)}
    twice = [
        season for season in file.seasons if season.digest in here and season.number in (None, here[season.digest])
    ]
    if twice:
        named = ", ".join(f"{quoted(season.title)} is season {here[season.digest]}" for season in twice[:MOST_NAMED])
        step = " If it was played twice, say a number." if all(season.number is None for season in twice) else ""
        raise Conflict(f"These matches are in the league already: {named}. Leave them out.{step}")


def _require_room(live: int, taken: Collection[int], many: int) -> None:
    """Raise Conflict where fewer numbers are free below the season that runs than seasons are to come in."""
    free = live - 1 - sum(number < live for number in taken)
    if free < many:
        numbers = "no number is" if not free else "1 number is" if free == 1 else f"{free} numbers are"
        past, them = amount(many, "past season"), "it" if many == 1 else "them"
        raise Conflict(
            f"{past} can't come in now: season {live} isn't over, and {numbers} free below it."
            f" Import {them} when season {live} is over."
        )


def _in_league(tx: ReadTransaction, player_id: PlayerId) -> InLeague:
    played = imports.played(tx.conn, player_id)
    return InLeague(matches=sum(matches for _, matches in played), seasons=tuple(number for number, _ in played))


def prepared(
    files: Sequence[File],
    names: Mapping[str, str],
    league: str,
    numbers: Sequence[int],
    by_date: bool,
    champions: Mapping[int, str],
) -> tuple[FileContents, ...]:
    """Read files once more and return their seasons as they will be saved, the lowest number first.

    `champions` are those that were said for seasons whose file names none, by the place of the season.
    """
    as_named = read_together(files).contents
    named, digests = called(as_named, names), map(digest_of, as_named.seasons)
    by_number = {season.number: season for season in recorded(named, league, numbers)}
    won = [champion_of(season) or champions.get(at) for at, season in enumerate(named.seasons)]
    every = sorted(zip(numbers, named.seasons, digests, won, strict=True), key=itemgetter(0))
    return tuple(
        replace(
            judged(by_number[number], champion=None if champion is None else Name(names.get(champion, champion))),
            days=season.dates,
            played=days_played(season),
            by_date=by_date and season.number is None,
            digest=digest,
        )
        for number, season, digest, champion in every
    )


def bring(
    conn: Connection,
    order: Order,
    *,
    file: Summary,
    planned: Plan,
    contents: Sequence[FileContents],
    saved: Callable[[int], object] = lambda matches: None,
) -> Brought:
    """Save what an import brings, all or nothing; raises Conflict where the league isn't as it was planned for.

    After each season `saved` is told how many matches are saved by now.
    """
    tx = transaction(conn, order, by=ORGANISER)
    now = _plan(tx, file, planned.decided, planned.number)
    if (now.numbers, now.moved, now.identities) != (planned.numbers, planned.moved, planned.identities):
        raise Conflict("The league changed since this preview. Nothing was imported; send the file again.")
    if now.identities.unclear:
        raise Conflict("Some names are still unclear. Answer the questions first; nothing was imported.")
    if not contents and not now.identities.new and not imported_accounts.brings(tx, file, now.identities):
        raise Invalid("Everyone in this file is in the league already, so there's nothing to import.")
    row = imports.add(conn, league_id=tx.league.id, at=tx.now)
    tx.found, before = None, next_to_start(tx)
    making_room.make_room(tx, row.id, now.moved)
    ids, done = _people(conn, tx, row.id, now.identities), 0
    for season in contents:
        imported_season.take(tx, season, row, ids)
        done += season.matches
        saved(done)
    imports.note_newest(conn, row.id)
    tx.found = None
    linked, doubles = imported_accounts.take(tx, row.id, file, now.identities, ids)
    apart.follow(conn, tx.league.id, before, next_to_start(tx))
    numbers = tuple(sorted(now.numbers))
    size = {
        "seasons": list(numbers),
        "matches": file.matches,
        "known": len(now.identities.known),
        "new": len(now.identities.new),
    }
    tx.note("league.import_records", _listed(numbers), after=size)
    return Brought(
        id=row.id,
        numbers=numbers,
        matches=file.matches,
        known=len(now.identities.known),
        new=len(now.identities.new),
        running=now.running,
        next=next_to_start(tx),
        linked=linked,
        doubles=doubles,
        nameless=claims.without_account(conn, tx.league.id),
    )


def next_to_start(tx: ReadTransaction) -> int:
    """Return the number of the season that takes sign-ups, or else of the next one."""
    live = seasons.live(tx.conn, tx.league.id)
    number = None if live is None or live.phase in PLAYING else live.number
    return seasons.next_number(tx.conn, tx.league.id) if number is None else number


def _listed(numbers: Sequence[int]) -> str:
    if not numbers:
        return "a list of people"
    return f"season {numbers[0]}" if len(numbers) == 1 else f"seasons {', '.join(map(str, numbers))}"


def _people(conn: Connection, tx: ReadTransaction, import_id: ImportId, identities: Who) -> dict[Name, PlayerId]:
    """Add who is new, note what was explained, and return everyone by what they are called in the league.

    Only here do people come in by a file. Nobody enters a season by it.
    """
    league_id = tx.league.id
    added = players.add_many(conn, league_id, [Name(name) for name in identities.new])
    players.add_names(conn, league_id, [(player, name, look_alike_key(name)) for name, player in added.items()])
    imports.bring_players(conn, import_id, added.values())
    ids = {Name(row.called): row.player_id for row in players.every_name(conn, league_id)}
    aliases = imports.aliases(conn, league_id)
    names = {row.name for row in players.every_name(conn, league_id)}
    explained = {
        name: ids[Name(is_)] for name, is_ in identities.called.items() if name not in names and name not in aliases
    }
    imports.explain(conn, league_id, import_id, explained)
    return ids
