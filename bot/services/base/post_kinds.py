"""Kinds of posts, each declared beside its subject: who one is for, when it's edited or goes, how many it mentions.

`bot/services/wiring.py` says in which modules kinds are declared.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import ModuleType
from typing import Any, Generic, Self, TypeVar

from storage.database import Connection
from storage.facts import read
from storage.posts import PostRow
from storage.rows import LeagueRow, MatchId, SeasonRow
from storage.tables import leagues, seasons
from storage.tables.people.notify import Topic

Row = TypeVar("Row")
Kept = TypeVar("Kept", bound="Facts")
MOST_MENTIONS = 80
"""As many people as one message mentions: the rest are mentioned by others like it."""


class Readers(StrEnum):
    """Who a post is for: everyone in the league's channel, or those who can answer it, mentioned in their own."""

    PLAYERS = "players"
    MODERATORS = "moderators"
    ORGANISERS = "organisers"
    """Moderators read it too; organisers, who alone can answer, are mentioned."""


class Shows(StrEnum):
    """What a post shows, so that it's edited when that changes."""

    SEASON = "season"
    ROUND = "round"
    MATCH = "match"


class Until(StrEnum):
    """When a post has nothing to say any more."""

    ROUND_CLOSES = "round"
    """It isn't sent any more; one that was sent stays."""
    SEASON_STARTS = "start"
    """Its message is deleted, and where the season never starts, at its end."""
    SEASON_ENDS = "end"
    """Its message is deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a post of any kind can be promised with: a kind that shows more has facts of its own."""

    direct: tuple[int, ...] = ()
    """Who gets it as a direct message, so that the channel doesn't mention them."""
    only: tuple[int, ...] | None = None
    """Who alone is mentioned of those it concerns; it isn't posted for nobody."""
    quiet: bool = False
    """It mentions nobody: another post did."""
    explain: bool = False
    """It says that direct messages to this person are closed."""
    organisers: bool = False
    """It mentions the organisers beside the moderators."""
    organisers_alone: bool = False
    """It mentions the organisers instead of the moderators."""
    matches: tuple[MatchId, ...] = ()
    """What it's about, where that is several matches."""
    thread_match: MatchId | None = None
    """One of several matches of a group: it goes to their thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What a post shows, and the Discord ids of those it concerns."""

    ping_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPost(Post):
    """What a post about a season shows."""

    league: LeagueRow
    season: SeasonRow


Load = Callable[[Connection, PostRow, datetime], Post]
"""Returns what a post shows if it is sent now; raises Gone where there is nothing to show any more."""


class PostKind(str, Generic[Kept]):
    """A kind of post: the word it's kept by in the database, and what is true of all posts of this kind."""

    keeps: type[Kept]
    """The facts such a post is promised with."""
    to: Readers
    topic: Topic
    """Under which people chose how they hear of it."""
    once: bool
    """It shows how something is now: posted once, then edited, however often it's queued."""
    personal: bool
    """It concerns only the people it mentions, and isn't posted in the channel where no one is mentioned there."""
    shows: Shows | None
    until: Until | None
    pauses: bool
    """It shows a time other than a question's that moves with a pause."""
    asked_again: bool
    """It's sent to the channel where the thread it was in is deleted."""
    stands: bool
    """It shows something that goes on, or is asked again: deleted by people, it's posted again at its next change.

    Others only tell something: deleted, they stay deleted, apart from questions.
    """
    rewritten: bool
    """It's made again where someone it names is forgotten; others about them are deleted."""
    called: str
    """What moderators read it as in the list of what a match's players were told; nothing if it isn't listed."""
    load: Load | None
    """None where it shows more than its subject knows: `wiring` says who loads it."""

    def __new__(
        cls,
        name: str,
        keeps: type[Kept],
        *,
        to: Readers = Readers.PLAYERS,
        topic: Topic = Topic.NEWS,
        once: bool = False,
        personal: bool = False,
        shows: Shows | None = None,
        until: Until | None = None,
        pauses: bool = False,
        asked_again: bool = False,
        stands: bool = False,
        rewritten: bool = False,
        called: str = "",
        load: Load | None = None,
    ) -> Self:
        """Declare a kind."""
        kind = super().__new__(cls, name)
        kind.keeps = keeps
        kind.to, kind.topic, kind.once, kind.personal = to, topic, once, personal
        kind.shows, kind.until, kind.pauses, kind.asked_again = shows, until, pauses, asked_again
        kind.stands = stands or shows is not None or asked_again
        kind.rewritten, kind.called, kind.load = rewritten, called, load
        return kind

    def facts(self, post: PostRow) -> Kept:
        """Return the facts a post was promised with; raises UnreadableFacts."""
        return read(self.keeps, post.facts)

    @property
    def for_moderators(self) -> bool:
        """Whether it waits for moderators, in their channel."""
        return self.to is not Readers.PLAYERS


AnyKind = PostKind[Any]
_known: dict[str, AnyKind] = {}
_loads: dict[str, Load] = {}


def wire(modules: Iterable[ModuleType], loads: Mapping[AnyKind, Load]) -> None:
    """Know the kinds these modules declare, and who loads what shows more than its subject; called by `wiring`."""
    for module in modules:
        kinds: list[AnyKind] = [value for value in vars(module).values() if isinstance(value, PostKind)]
        _known.update((kind, kind) for kind in kinds)
    _loads.update((kind, kind.load) for kind in _known.values() if kind.load is not None)
    _loads.update(loads.items())
    if missing := _known.keys() ^ _loads.keys():
        raise TypeError(f"kinds that nobody declares or loads: {', '.join(sorted(missing))}")


def every() -> tuple[AnyKind, ...]:
    """Return all kinds."""
    return tuple(_known.values())


def until(*moments: Until) -> list[AnyKind]:
    """Return the kinds that have nothing to say any more from such a moment on."""
    return [kind for kind in every() if kind.until in moments]


def named(kind: str) -> AnyKind:
    """Return a kind by the word it's kept by."""
    return _known[kind]


def of(post: PostRow) -> AnyKind:
    """Return the kind of a post."""
    return named(post.kind)


def facts(post: PostRow) -> Facts:
    """Return what a post of any kind was promised with; raises UnreadableFacts."""
    return of(post).facts(post)


def load(conn: Connection, post: PostRow, now: datetime) -> Post:
    """Return what a post shows if it is sent now; raises Gone."""
    return _loads[post.kind](conn, post, now)


def there(row: Row | None) -> Row:
    """Return a row a post is about; raises Gone where it's there no more."""
    if row is None:
        raise Gone
    return row


def about_season(conn: Connection, post: PostRow) -> tuple[LeagueRow, SeasonRow]:
    """Return the league and the season a post is about; raises Gone."""
    return leagues.get(conn, post.league_id), seasons.get(conn, there(post.season_id))


def known(accounts: Iterable[int | None]) -> tuple[int, ...]:
    """Return the Discord ids there are, each once."""
    return tuple(dict.fromkeys(account for account in accounts if account is not None))


class Gone(Exception):
    """What a post was about is gone, so there's nothing to show."""
