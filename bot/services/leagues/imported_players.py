"""Which players of a league the people of a league file are: by a name, former name or looks; names it refuses."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.league.checking.league_file.league_list import WholeLeague
from bot.league.errors import Conflict, Invalid
from bot.league.season.model import Entrant, Name
from bot.league.season.short_text import reads_like_command
from bot.services.base import hooks
from bot.services.base.transaction import Transaction
from storage.rows import PlayerId
from storage.tables import imports
from storage.tables.imports import ImportRow
from storage.tables.people import players
from storage.tables.people.players import KnownName


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """Who the people of a file are: players of the league, what those are called here, and who is new.

    `names` are those the league doesn't know yet, each after whose it is.
    """

    known: Mapping[Name, PlayerId]
    called: Mapping[Name, str]
    new: tuple[Name, ...]
    names: tuple[tuple[Name, Name], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SamePeople:
    """The people of several files, each once, and what everyone's names in the files are called there."""

    everyone: tuple[Entrant, ...]
    called: Mapping[Name, Name]


def same_people(files: Sequence[Sequence[Entrant]]) -> SamePeople:
    """Return whose names in files of one league, the newest first, are one person's.

    Raises Conflict where an older file has two players that a newer one says are one.
    """
    called: dict[Name, Name] = {}
    everyone: dict[Name, Entrant] = {}
    for people in files:
        here: dict[Name, Entrant] = {}
        for person in people:
            names = (person.name, *person.former_names)
            name = next((called[name] for name in names if name in called), person.name)
            if name in here:
                raise Conflict(
                    f"{person.name} and {here[name].name} are two players in one of the files, but another file says"
                    " they are one. Fix the names in the files."
                )
            here[name] = person
            player = everyone.get(name)
            former = names if player is not None else person.former_names
            kept = () if player is None else player.former_names
            others = tuple(dict.fromkeys(former_name for former_name in (*kept, *former) if former_name != name))
            everyone[name] = replace(player or person, former_names=others)
        for own, person in here.items():
            for name in (person.name, *person.former_names):
                called.setdefault(name, own)
    return SamePeople(everyone=tuple(everyone.values()), called=called)


def people_of(league: WholeLeague) -> SamePeople:
    """Return the people of a whole league, which says itself whose each name is."""
    return SamePeople(
        everyone=tuple(Entrant(name=person.name, former_names=person.former_names) for person in league.people),
        called={name: person.name for person in league.people for name in (person.name, *person.former_names)},
    )


def take_aliases(tx: Transaction, league: WholeLeague, ids: Mapping[Name, PlayerId], by: ImportRow) -> None:
    """Note what files call the people of a whole league, where this league doesn't know better."""
    taken_names = {
        *imports.aliases(tx.conn, tx.league.id),
        *(row.name for row in players.every_name(tx.conn, tx.league.id)),
    }
    aliases = {
        alias: ids[person.name] for person in league.people for alias in person.aliases if alias not in taken_names
    }
    imports.explain(tx.conn, tx.league.id, by.id, aliases)


def recognise(tx: Transaction, people: Sequence[Entrant], keys: Mapping[Name, str]) -> Recognised:
    """Return who the people of a file are; raises Conflict where two of them are one.

    A player is known by a current or former name, then by a former name of the file, then by a name that differs
    only in looks. Each is taken once, the surest first, so that two people of a file never become one. `keys` say
    what each name looks like.
    """
    _require_usable(people)
    every = players.every_name(tx.conn, tx.league.id)
    known_here = _known(people, every, keys)
    new = {person.name: None for person in people if person.name not in known_here}
    owners, called = (
        {known_name.name: known_name.called for known_name in every},
        {known_name.player_id: known_name.called for known_name in every},
    )
    names = tuple(
        (person.name, name) for person in people for name in _own_names(tx, person, person.name in new, owners)
    )
    return Recognised(
        known=known_here,
        called={name: called[player] for name, player in known_here.items()},
        new=tuple(new),
        names=names,
    )


def take_players(
    tx: Transaction, recognised: Recognised, keys: Mapping[Name, str], by: ImportRow
) -> dict[Name, PlayerId]:
    """Return a player for each name of a file, those who are new added."""
    added = players.add_many(tx.conn, tx.league.id, recognised.new)
    ids = {**recognised.known, **added}
    names = [(ids[person], name, keys[name]) for person, name in recognised.names]
    players.add_names(tx.conn, tx.league.id, names, import_id=by.id)
    imports.bring_players(tx.conn, by.id, added.values())
    return ids


def require_welcome(tx: Transaction, people: Iterable[PlayerId]) -> None:
    """Raise NotAllowed where one of these players can't take part in the league any more."""
    for player_id in people:
        hooks.require_welcome(tx, players.get(tx.conn, player_id))


def _require_usable(people: Sequence[Entrant]) -> None:
    """Raise Invalid for a name with a zero byte, where SQLite would end it, and for one that reads like a command."""
    for number, entrant in enumerate(people):
        names = (entrant.name, *entrant.former_names)
        if any("\0" in name for name in names):
            raise Invalid(f"A name of {entrant.name!r} contains a zero byte. Fix the name in the file.")
        if any(map(reads_like_command, names)):
            # The name is not repeated: sentences show a command as one to click.
            raise Invalid(
                f"A name of players[{number}] in the file reads like a command."
                " Leave out the slash at the beginning of a word, everywhere in the file."
            )


def _known(
    people: Sequence[Entrant], known_names: Iterable[KnownName], keys: Mapping[Name, str]
) -> dict[Name, PlayerId]:
    """Return the players the league knows already."""
    by_name = {known_name.name: known_name.player_id for known_name in known_names}
    alike: dict[str, set[PlayerId]] = {}
    for known_name in known_names:
        alike.setdefault(known_name.name_key, set()).add(known_name.player_id)

    def by_looks(entrant: Entrant) -> PlayerId | None:
        looking = alike.get(keys[entrant.name], set())
        return next(iter(looking)) if len(looking) == 1 else None

    def by_former_names(entrant: Entrant) -> PlayerId | None:
        return next((by_name[name] for name in entrant.former_names if name in by_name), None)

    steps: tuple[Callable[[Entrant], PlayerId | None], ...] = (
        lambda person: by_name.get(person.name),
        by_former_names,
        by_looks,
    )
    ids: dict[Name, PlayerId] = {}
    taken: set[PlayerId] = set()
    for step in steps:
        for person in people:
            player = None if person.name in ids else step(person)
            if player is not None and player not in taken:
                ids[person.name] = player
                taken.add(player)
    return ids


def _own_names(tx: Transaction, entrant: Entrant, new: bool, owners: dict[Name, str]) -> list[Name]:
    """Return the names of a player that no one has yet, and note that they have them now."""
    if new and entrant.name in owners:
        raise Conflict(
            f"{entrant.name} belongs to {owners[entrant.name]} in {tx.league.name}, but in the file they are two"
            " players. Fix the names in the file."
        )
    names = (entrant.name, *entrant.former_names) if new else (*entrant.former_names, entrant.name)
    own = [name for name in dict.fromkeys(names) if name not in owners]
    owners.update(dict.fromkeys(own, entrant.name))
    return own
