"""Who the names in another program's file are: known to the league, new, or perhaps someone written differently."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.importers.summary import NameInFile, Summary, looks_of
from bot.importers.typing_errors import Typed
from bot.league.season.names import written_key
from storage.rows import PlayerId
from storage.tables.people.players import KnownName

MOST_CANDIDATES = 4
"""As many people as one question offers, beside someone new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclear:
    """A name that could be someone else's, and what those are called: in the league, or first in the file."""

    name: NameInFile
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """What everyone in the file is called in the league: the known, the new, and the names that have to be asked.

    `unfit` are names with what was said of them that doesn't fit: nobody is called that, or they're someone else.
    """

    called: Mapping[str, str]
    known: frozenset[str]
    new: tuple[str, ...]
    unclear: tuple[Unclear, ...]
    unfit: Mapping[str, str]

    @property
    def people(self) -> int:
        """How many people there are, each unclear name for itself."""
        return len(self.known) + len(self.new) + len(self.unclear)


class _Names:
    """Who has which name, and which names look like which."""

    def __init__(self, known_names: Iterable[KnownName], aliases: Mapping[str, PlayerId]) -> None:
        self.exact: dict[str, str] = {}
        self._written: dict[str, set[str]] = {}
        self._alike: dict[str, dict[str, None]] = {}
        self._typed = Typed()
        people: dict[PlayerId, str] = {}
        for known_name in known_names:
            self.exact[known_name.name] = people[known_name.player_id] = known_name.called
            self._written.setdefault(written_key(known_name.name), set()).add(known_name.called)
            self.show(known_name.called, known_name.name, looks_of(known_name.name))
        self.aliases = {name: people[player] for name, player in aliases.items() if player in people}

    def show(self, called: str, name: str, looks: Iterable[str]) -> None:
        """Note what someone's name looks like."""
        self._typed.add(name, called)
        for key in looks:
            self._alike.setdefault(key, {})[called] = None

    def sure(self, name: str) -> str | None:
        """Return who certainly has this name."""
        exact = self.exact.get(name) or self.aliases.get(name)
        written = self._written.get(written_key(name), set())
        return exact or (next(iter(written)) if len(written) == 1 else None)

    def alike(self, name: str, looks: Iterable[str]) -> tuple[str, ...]:
        """Return everyone who has a name that looks like this, then those whose name is one typing error away."""
        same = (called for key in sorted(looks) for called in self._alike.get(key, ()))
        return tuple(dict.fromkeys([*same, *self._typed.near(name)]))


def who_is_who(
    file: Summary, known_names: Sequence[KnownName], aliases: Mapping[str, PlayerId], decided: Mapping[str, str]
) -> Who:
    """Return who is who; `decided` says what a name's person is or was called, nothing for someone new."""
    names = _Names(known_names, aliases)
    decided = {name: names.exact.get(answer, answer) for name, answer in decided.items()}
    called: dict[str, str] = {}
    present, new, unclear = set[str](), dict[str, None](), list[Unclear]()
    league = {row.called for row in known_names}
    opponents: dict[str, set[str]] = {}
    for pair in file.met:
        for name in pair:
            opponents.setdefault(name, set()).update(pair - {name})
    # Who they are said to be comes first.
    for person in sorted(file.names, key=lambda person: bool(decided.get(person.name))):
        answer = decided.get(person.name)
        answer_meant = names.sure(person.name) or (answer if answer in league or answer in new else None)
        if answer_meant is not None:
            called[person.name] = answer_meant
            present |= {answer_meant} & league
            continue
        taken = {called.get(other) for other in opponents.get(person.name, ())}
        candidates = tuple(other for other in names.alike(person.name, person.looks) if other not in taken)
        if candidates and answer != "":
            unclear.append(Unclear(name=person, candidates=candidates[:MOST_CANDIDATES]))
            continue
        called[person.name] = person.name
        new[person.name] = None
        names.show(person.name, person.name, person.looks)
    in_file = {name.name for name in file.names}
    unfit = {
        name: answer_of
        for name, answer_of in decided.items()
        if answer_of and name in in_file and called.get(name) != answer_of
    }
    return Who(called=called, known=frozenset(present), new=tuple(new), unclear=tuple(unclear), unfit=unfit)
