"""What subjects answer when play and other subjects ask: `bot/services/wiring.py` says who is asked what.

A subject that isn't there adds nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from bot.league.errors import NotAllowed
from bot.league.season.model import Name, Season
from bot.services.base import pending_questions
from bot.services.base.events import ModeratorsMoved
from bot.services.base.post_kinds import AnyKind
from bot.services.base.transaction import ReadTransaction, Transaction
from storage import personal
from storage.database import Connection
from storage.personal import Forgotten, Moving
from storage.rows import EntrantId, EntrantRow, LeagueId, PlayerRow, RoundRow, SeasonId, SeasonRow
from storage.tables import leagues
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows

Hold = Callable[[Transaction, bool], str | None]
"""What keeps an open round whose results are in from ending, in words for organisers, or None.

With True the people whose answer it waits for are asked, if they weren't before.
"""
Cost = Callable[[ReadTransaction], str]
"""What something would cost, in a sentence; nothing where it costs nothing."""


Refusal = Callable[[Transaction, PlayerRow | None, int | None, str], None]
"""Raises NotAllowed where a player, or an account that is called so, can't take part in the league."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePart:
    """What a subject adds to the season of a league file, takes from an imported one, and removes with it again."""

    add: Callable[[Connection, SeasonRow, Season], Season]
    take: Callable[[Transaction, Season, Mapping[Name, EntrantId]], None]
    remove: Callable[[Connection, SeasonId], None]


@dataclass(frozen=True, slots=True)
class Section:
    """What waits of one kind as the inbox says it: a heading, the next step, and a line for each."""

    heading: str
    step: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class PendingItems:
    """A kind of thing that waits for moderators or organisers, by its name.

    `rows` is a query of the league, the id and since when it waits; `load` returns what is known of the rows of a
    league, and `section` how the inbox says that. `asks` are the kinds of posts that ask about a row, each with the
    fact that names it, or nothing where the id is that of the match a post is about. With `by_organisers` moderators
    read of it and only organisers settle it.
    """

    name: str
    rows: str
    load: Callable[[Connection, Sequence[int]], Any]
    section: Callable[[Any], Section]
    asks: Mapping[AnyKind, str] = field(default_factory=dict[AnyKind, str])
    by_organisers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSections:
    """What a subject adds where a match, a season or what a person can do is shown.

    `match` returns what its card draws of a match between these sides in a round. `season` is a line without a full
    stop for everyone, with the newest round, and `person` a sentence for the one who looks.
    """

    match: Callable[[ReadTransaction, RoundRow, Sequence[EntrantRow]], object] | None = None
    season: Callable[[Connection, SeasonRow, RoundRow | None], str] | None = None
    person: Callable[[ReadTransaction], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalData:
    """What a subject holds of people, if it has a word for it, and what else happens to that.

    Rows that refer to a player need nothing here: they are deleted with a person who is forgotten, and become those of
    the one they are. `forget` and `merge` do before what the foreign keys don't say, `withdraw` deletes what is held of
    an entrant who withdraws before the start, and `new_account` keeps for a person's new Discord account what is held
    of the old one.
    """

    word: str = ""
    forget: Callable[[Connection, Forgotten], None] | None = None
    withdraw: Callable[[Connection, EntrantId], object] | None = None
    merge: Callable[[Moving], None] | None = None
    new_account: Callable[[Connection, int, int], object] | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """What the clock does about rows of a table: which ones `find` says it may be time for, and what is `done` then.

    What is `done` is False where it was done or undone meanwhile. `due` says of one row whether it is time, where that
    takes more than a query: a season that can't be read then hides no other one. `refused` is done in place of it where
    the rules of the league say no, and takes their `problem`. What `asks_ratings` is about a season, and done once it's
    known what its players bring into it.
    """

    words: str
    table: str
    find: Callable[[Connection, datetime], Sequence[int]]
    done: Callable[..., bool]
    due: Callable[[Connection, Any, datetime], bool] | None = None
    refused: Callable[..., bool] | None = None
    asks_ratings: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Which functions of the subjects answer which question."""

    holds: Sequence[Hold] = ()
    costs_of_starting: Sequence[Cost] = ()
    costs_of_pausing: Sequence[Callable[[Transaction], str]] = ()
    costs_of_substituting: Sequence[Callable[[Transaction, EntrantRow, PlayerRow], str]] = ()
    """What else changes where a person plays in a seat from the next round on, in a sentence."""
    file_parts: Sequence[FilePart] = ()
    typed: Mapping[str, Callable[[Transaction, EntrantRow, str], object | None]] = field(default_factory=dict[str, Any])
    """Who keeps what a player types under a name as they sign up, if the season takes it; may refuse it."""
    audit_words: Mapping[str, str] = field(default_factory=dict[str, str])
    """A sentence for each kind of change, `{}` being what was changed."""
    requests: Sequence[Callable[[Transaction, PlayerRow], str]] = ()
    """What a season asks of someone who takes over a seat, in a sentence."""
    refusals: Sequence[Refusal] = ()
    waits: Sequence[PendingItems] = ()
    shown: Sequence[CardSections] = ()
    personal: Sequence[PersonalData] = ()
    kept: Sequence[Callable[[Transaction, PlayerRow], str]] = ()
    """What is kept of a person who is forgotten, in a sentence."""
    jobs: Sequence[Job] = ()
    later_jobs: Sequence[Job] = ()
    """Jobs after silence has decided what it decides: that lets something count, and this reminds of it."""


_hooks = Hooks()


def wire(tables: Hooks) -> None:
    """Let these functions answer; called once, by `wiring`."""
    global _hooks
    _hooks = tables


def holds(tx: Transaction, *, ask: bool) -> tuple[str, ...]:
    """Return what keeps an open round with all results from ending, in words; `ask` those it waits for."""
    return tuple(words for hold in _hooks.holds if (words := hold(tx, ask)) is not None)


def cost_of_starting(tx: ReadTransaction) -> str:
    """Return what starting the season now costs."""
    return " ".join(filter(None, (cost(tx) for cost in _hooks.costs_of_starting)))


def costs_of_pausing(tx: Transaction) -> tuple[str, ...]:
    """Return what else a pause of the season moves, or a new end of it, in sentences."""
    return tuple(filter(None, (cost(tx) for cost in _hooks.costs_of_pausing)))


def cost_of_substituting(tx: Transaction, seat: EntrantRow, person: PlayerRow) -> str:
    """Return what else changes where a person plays in a seat from the next round on."""
    return " ".join(filter(None, (cost(tx, seat, person) for cost in _hooks.costs_of_substituting)))


def with_all_parts(conn: Connection, row: SeasonRow, season: Season) -> Season:
    """Return a season with what subjects add to its file."""
    for part in _hooks.file_parts:
        season = part.add(conn, row, season)
    return season


def take_parts(tx: Transaction, season: Season, ids: Mapping[Name, EntrantId]) -> None:
    """Let each subject take its part of the season of a file; the entrants are there, the rounds aren't."""
    for part in _hooks.file_parts:
        part.take(tx, season, ids)


def remove_parts(conn: Connection, season_id: SeasonId) -> None:
    """Let each subject remove its part of an imported season."""
    for part in _hooks.file_parts:
        part.remove(conn, season_id)


def keep_typed(tx: Transaction, entrant: EntrantRow, typed: Mapping[str, str | None]) -> dict[str, object]:
    """Keep what someone types as they sign up, and return what was made of it by its name; it may be refused."""
    given = {name: keep(tx, entrant, text) for name, keep in _hooks.typed.items() if (text := typed.get(name))}
    return {name: kept for name, kept in given.items() if kept is not None}


def requests_to(tx: Transaction, player: PlayerRow) -> str:
    """Return what the season asks of someone who takes over a seat, in sentences."""
    return " ".join(filter(None, (request(tx, player) for request in _hooks.requests)))


def audit_words() -> Mapping[str, str]:
    """Return what the audit log says of each kind of change."""
    return _hooks.audit_words


def require_welcome(tx: Transaction, player: PlayerRow | None, *, account: int | None = None, called: str = "") -> None:
    """Raise NotAllowed where a person can't take part in the league: each way into a season asks this first.

    A player is asked about with their account, unless another one is given; who isn't a player yet by their account
    and what it's `called`.
    """
    account = player.discord_id if account is None and player is not None else account
    for refuse in _hooks.refusals:
        refuse(tx, player, account, called if player is None else player.name)


def is_welcome(tx: Transaction, player: PlayerRow) -> bool:
    """Whether a player can take part in the league."""
    try:
        require_welcome(tx, player)
    except NotAllowed:
        return False
    return True


def shown_with_match(tx: ReadTransaction, round_: RoundRow, sides: Sequence[EntrantRow]) -> tuple[object, ...]:
    """Return what subjects add to a match, each as a type of its own that its card asks for."""
    return tuple(sections.match(tx, round_, sides) for sections in _hooks.shown if sections.match is not None)


def shown_with_season(conn: Connection, season: SeasonRow, latest: RoundRow | None) -> tuple[str, ...]:
    """Return the lines subjects add to a season, or to its newest round."""
    lines = (sections.season(conn, season, latest) for sections in _hooks.shown if sections.season is not None)
    return tuple(filter(None, lines))


def shown_to(tx: ReadTransaction) -> tuple[str, ...]:
    """Return the sentences subjects have for the person who looks at the season they play in."""
    return tuple(filter(None, (sections.person(tx) for sections in _hooks.shown if sections.person is not None)))


def held_of_people() -> tuple[str, ...]:
    """Return what subjects hold of people, in words, each once."""
    return tuple(dict.fromkeys(held.word for held in _hooks.personal if held.word))


def kept_of(tx: Transaction, player: PlayerRow) -> str:
    """Return what is kept of a person who is forgotten, in sentences."""
    return " ".join(filter(None, (kept(tx, player) for kept in _hooks.kept)))


def forget(conn: Connection, forgotten: Forgotten) -> None:
    """Delete what subjects hold of a person, then what the league itself keeps of them."""
    for held in _hooks.personal:
        if held.forget is not None:
            held.forget(conn, forgotten)
    personal.forget(conn, forgotten)


def move_to_account(conn: Connection, old: int, new: int) -> None:
    """Keep for a person's new Discord account what subjects hold of the old one."""
    for held in _hooks.personal:
        if held.new_account is not None:
            held.new_account(conn, old, new)


def withdraw(conn: Connection, entrant_id: EntrantId) -> None:
    """Delete an entrant who withdraws before the start, with what subjects hold of them."""
    for held in _hooks.personal:
        if held.withdraw is not None:
            held.withdraw(conn, entrant_id)
    entrants.remove(conn, entrant_id)


def merge(moving: Moving) -> None:
    """Let what subjects hold of a person be that of the one they are."""
    for held in _hooks.personal:
        if held.merge is not None:
            held.merge(moving)


def jobs() -> tuple[Job, ...]:
    """Return what the clock does, in order."""
    silence = [
        Job(
            question.words,
            question.asked.table,
            partial(pending_questions.silent, question),
            partial(pending_questions.lapse, question),
        )
        for question in pending_questions.with_silence()
    ]
    return (*_hooks.jobs, *silence, *_hooks.later_jobs)


def waiting(conn: Connection, league_id: LeagueId) -> dict[PendingItems, Any]:
    """Return what waits for a league's moderators and organisers, by its kind, in the order of the inbox."""
    waiting_rows = leagues.waiting_in(conn, league_id, _rows())
    ids = {wait: [row.id for row in waiting_rows if row.kind == wait.name] for wait in _hooks.waits}
    return {wait: wait.load(conn, some) for wait, some in ids.items() if some}


def how_many_wait(conn: Connection, league_id: LeagueId) -> int:
    """Return how many things wait for a league's moderators and organisers."""
    return len(leagues.waiting_in(conn, league_id, _rows()))


def waiting_since(conn: Connection) -> dict[LeagueId, datetime]:
    """Return the leagues in which something waits, with the moment the oldest of it began to wait."""
    return leagues.waiting_since(conn, _rows())


def moderators_moved(tx: Transaction, _: ModeratorsMoved) -> None:
    """Post what waits, such as disputes, where only moderators read from now on, with the words said in private."""
    waiting_here = leagues.waiting_in(tx.conn, tx.league.id, _rows())
    for wait in _hooks.waits:
        ids = [row.id for row in waiting_here if row.kind == wait.name]
        for kind, fact in wait.asks.items():
            outbox_rows.post_again(tx.conn, tx.season.id, kind, fact, ids, now=tx.now)


def _rows() -> dict[str, str]:
    return {wait.name: wait.rows for wait in _hooks.waits}
