"""Enqueue posts in the transaction of the change they tell of, to a channel or a person; how many matches a page shows.

The announcer makes them afterwards.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypedDict, TypeVar

from bot.services.base import post_kinds
from bot.services.base.addresses import is_apart
from bot.services.base.post_kinds import AnyKind, Facts, Kept, Post, PostKind, Readers, Shows, Until, known
from storage.database import Connection
from storage.facts import written
from storage.posts import PostRow, Target
from storage.rows import EntrantId, EntrantRow, LeagueId, LeagueRow, MatchId, MatchRow, RoundRow, SeasonRow, SeatRow
from storage.tables import leagues, threads
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows
from storage.tables.people import notify
from storage.tables.people.notify import How, Topic

PAGE = 12
"""How many matches one page of a round shows: with its heading and byes they fill the 40 components of a message.

A larger round is split over several messages.
"""
BYES = 24
"""How many byes a page shows besides: who plays and who doesn't can then all be mentioned in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts(Facts):
    """Which page of several a post is, the first being 1."""

    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFacts(PageFacts):
    """The number of a group is its page; `last` are its newest results."""

    name: str
    players: tuple[EntrantId, ...]
    last: tuple[MatchId, ...] = ()


BOARD = PostKind("board", Facts, once=True, shows=Shows.SEASON, rewritten=True)
SIGNUP = PostKind("signup", Facts, once=True, shows=Shows.SEASON, rewritten=True)
"""What a league without a board posts while sign-ups are open."""
ROUND = PostKind("round", PageFacts, topic=Topic.ROUND, once=True, shows=Shows.ROUND, rewritten=True, called="Pairing")
"""A page of a round's pairings."""
GROUP = PostKind(
    "group", GroupFacts, topic=Topic.ROUND, once=True, shows=Shows.ROUND, rewritten=True, called="Pairings"
)
"""The card of a group whose matches are all open at once; it belongs to the first of their rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFacts(Facts):
    """The name and the players of the group whose thread it is; None where it's that of one match."""

    group: str | None = None
    players: tuple[EntrantId, ...] = ()


THREAD = PostKind("thread", ThreadFacts, once=True, shows=Shows.MATCH, until=Until.ROUND_CLOSES, rewritten=True)
"""A match's thread with its card, or a group's whose matches are all open: then it's about the first of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeFacts(Facts):
    """What a notice says, who it mentions, and what it says where only moderators read it."""

    text: str
    pings: tuple[int, ...] = ()
    until: datetime | None = None
    apart: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePost(Post):
    """A plain fact, perhaps with the moment `until` which there is time; or what replaces a post taken back."""

    league: LeagueRow
    text: str
    until: datetime | None = None


def _load_text(conn: Connection, post: PostRow, _: datetime) -> NoticePost:
    facts, league = NOTICE.facts(post), leagues.get(conn, post.league_id)
    text = facts.apart or facts.text if is_apart(league, post) else facts.text
    return NoticePost(league=league, text=text, ping_ids=facts.pings, until=facts.until)


NOTICE = PostKind("notice", NoticeFacts, rewritten=True, load=_load_text)
OWN_PLACE = PostKind("own-place", NoticeFacts, topic=Topic.QUESTION, rewritten=True, load=_load_text)
"""What became of people's own place in a season, or of their wish for one: whether they play. Nobody turns that off."""
PAIRINGS_CHANGED = PostKind("pairings-changed", NoticeFacts, topic=Topic.ROUND, rewritten=True, load=_load_text)
"""What was posted of a round holds no more: some have another opponent now, play again, or don't play."""
STUCK = PostKind("stuck", NoticeFacts, to=Readers.ORGANISERS, rewritten=True, load=_load_text)
WITHDRAWN = PostKind("withdrawn", NoticeFacts, rewritten=True, load=_load_text)
"""What a post that was taken back says instead."""
THREAD_OVER = PostKind("thread-over", NoticeFacts, rewritten=True, load=_load_text)
"""What the card of a thread says once its match isn't played."""

Shown = TypeVar("Shown")
Whose = LeagueRow | SeasonRow
"""Whose post it is: a league's, or a season's."""
Part = RoundRow | MatchRow
"""The part of a season a post is about."""
About = Whose | Part
Visible = SeasonRow | Part
"""What posts show; none shows a league's settings."""


class Sending(TypedDict, total=False):
    """How a post is sent, as `enqueue` takes it."""

    target: Target
    due_at: datetime
    expires_at: datetime | None
    once: str | None
    people: Sequence[int | None]
    quietly: bool


def enqueue(
    conn: Connection,
    kind: PostKind[Kept],
    whose: Whose,
    facts: Kept,
    part: Part | None = None,
    *,
    now: datetime,
    target: Target | None = None,
    due_at: datetime | None = None,
    expires_at: datetime | None = None,
    once: str | None = None,
    people: Sequence[int | None] = (),
    quietly: bool = False,
) -> None:
    """Enqueue a post about a league, a season or a part of one, with the facts it shows beyond what the database says.

    A board, sign-up, champion, or page of a round is posted once, however often it is queued; others each
    time, or once for the word `once` says. A post is made from `due_at` on, by default now, and no more once it has
    expired. Moderators' kinds go to their channel. Of the Discord ids `people`, those who prefer direct messages get
    it there and aren't mentioned in the channel, and with `quietly` all of them; who else is mentioned there is
    decided when it is sent.
    """
    place = _place(whose, part)
    accounts = known(people)
    wanting = notify.wanting(conn, place["league_id"], accounts, kind.topic, How.DIRECT) if accounts else ()
    direct = set(accounts) if quietly else wanting
    channel = target or (Target.MODERATION if kind.for_moderators else Target.LEAGUE)
    key = _key(kind, part or whose, once) if once or kind.once else None
    for person in (None, *sorted(direct)):
        outbox_rows.add(
            conn,
            key=key if key is None or person is None else f"{key}:to:{person}",
            kind=kind,
            target=channel if person is None else Target.PERSON,
            person_id=person,
            facts=written(replace(facts, direct=tuple(sorted(direct))) if person is None else facts),
            now=now,
            due_at=due_at,
            expires_at=expires_at,
            **place,
        )


def _key(kind: AnyKind, about: About, part: int | str | None = None) -> str:
    return f"{kind}:{about.id}" + (f":{part}" if part is not None else "")


def _place(whose: Whose, part: Part | None) -> dict[str, Any]:
    """Return the columns that say what a post is about."""
    match part:
        case RoundRow():
            return {**_place(whose, None), "round_id": part.id}
        case MatchRow():
            return {**_place(whose, None), "round_id": part.round_id, "match_id": part.id}
        case None if isinstance(whose, SeasonRow):
            return {"league_id": whose.league_id, "season_id": whose.id}
        case None:
            return {"league_id": whose.id}


def enqueue_round(
    conn: Connection,
    season: SeasonRow,
    row: RoundRow,
    pairs: Sequence[MatchRow],
    byes: Sequence[SeatRow],
    *,
    now: datetime,
    quietly: bool = False,
    resting: Mapping[MatchId, EntrantRow] = MappingProxyType({}),
) -> None:
    """Enqueue the pages of a round's pairings, to those who chose that as direct messages too.

    With `quietly` they mention nobody: who has another match is told otherwise. Who rests reads it beside a match. Who
    has left isn't told.
    """
    ids = {person.id: person.discord_id for person in entrants.of_season(conn, season.id) if person.active}
    for page in range(1, pages_of(len(pairs), len(byes)) + 1):
        seated = [player for match in on_page(pairs, page, PAGE) for player in match.players]
        without = [seat.entrant_id for seat in on_page(byes, page, BYES)]
        without += [resting[match.id].id for match in on_page(pairs, page, PAGE) if match.id in resting]
        people = [ids.get(player) for player in (*seated, *without)]
        facts = PageFacts(page=page, quiet=quietly)
        enqueue(conn, ROUND, season, facts, row, now=now, once=str(page), people=() if quietly else people)


def pages_of(matches: int, byes: int) -> int:
    """Return over how many pages, each a message, a round's pairings are split."""
    return max(1, -(-matches // PAGE), -(-byes // BYES))


def page_of(match: MatchRow) -> int:
    """Return the page of its round a match is on."""
    return (match.position - 1) // PAGE + 1


def on_page(everything: Sequence[Shown], page: int, size: int) -> Sequence[Shown]:
    """Return what a page shows, the first page being 1."""
    return everything[(page - 1) * size : page * size]


def tell(
    conn: Connection,
    whose: Whose,
    text: str,
    part: Part | None = None,
    *,
    now: datetime,
    kind: PostKind[NoticeFacts] = NOTICE,
    target: Target | None = None,
    pings: Sequence[int | None] = (),
    once: str | None = None,
    until: datetime | None = None,
    apart: str | None = None,
) -> None:
    """Enqueue a notice, which mentions the Discord ids `pings`; `once` is a word for what is told only once.

    Where moderators have a channel of their own it says `apart` there, if that is given.
    """
    facts = NoticeFacts(text=text, pings=known(pings), until=until, apart=apart)
    enqueue(conn, kind, whose, facts, part, now=now, target=target, once=once, people=facts.pings)


def unreachable(
    conn: Connection, league_id: LeagueId, kind: AnyKind, people: Iterable[EntrantRow]
) -> frozenset[EntrantId]:
    """Return the players a post of a kind reaches in no way: they have no account, or turned its topic off."""
    accounts = {person.id: person.discord_id for person in people}
    off = notify.wanting(conn, league_id, known(accounts.values()), kind.topic, How.OFF)
    return frozenset(id_ for id_, account in accounts.items() if account is None or account in off)


def invalidate(conn: Connection, about: Visible, *kinds: AnyKind, now: datetime) -> None:
    """Say that something changed, so that the posts that show it are edited: all of them, or those of some kinds.

    A match shows on its page of the round.
    """
    match about:
        case MatchRow():
            listing = [kind for kind in _showing(Shows.ROUND) if kind not in (ROUND, GROUP)]
            shown, page = kinds or _showing(Shows.MATCH), f"{ROUND}:{about.round_id}:{page_of(about)}"
            outbox_rows.invalidate_match(conn, about.id, about.round_id, page, kinds=shown, listing=listing, now=now)
        case RoundRow():
            shown, board = kinds or _showing(Shows.ROUND, Shows.MATCH), f"{BOARD}:{about.season_id}"
            outbox_rows.invalidate(conn, *shown, now=now, round_id=about.id, key=board)
            if about.together and GROUP in shown:
                outbox_rows.invalidate(conn, GROUP, now=now, season_id=about.season_id)
        case SeasonRow():
            outbox_rows.invalidate(conn, *(kinds or _showing(Shows.SEASON)), now=now, season_id=about.id)


def invalidate_thread(conn: Connection, match: MatchRow, *, now: datetime) -> None:
    """Say that something changed that the card in a match's thread shows, or that of its group; and who is in it."""
    row = threads.find(conn, match.id)
    outbox_rows.invalidate_key(conn, thread_key(match.id if row is None else row.match_id), now=now)


def _showing(*what: Shows) -> list[AnyKind]:
    return [kind for kind in post_kinds.every() if kind.shows in what]


def retract_all(conn: Connection, about: LeagueRow | SeasonRow | MatchRow, *kinds: AnyKind, now: datetime) -> None:
    """Delete the messages of these kinds about a league, season or match, or don't send them: that is settled."""
    match about:
        case LeagueRow():
            outbox_rows.remove(conn, kinds, league_id=about.id, now=now)
        case SeasonRow():
            outbox_rows.remove(conn, kinds, season_id=about.id, now=now)
        case MatchRow():
            outbox_rows.remove(conn, kinds, match_id=about.id, now=now)


def retract_to_others(
    conn: Connection, kind: AnyKind, about: About, *, once: str, people: Iterable[int | None], now: datetime
) -> None:
    """Delete the direct messages of a post that was queued once to others than these people, or don't send them."""
    outbox_rows.remove_copies_of_others(conn, _key(kind, about, once), known(people), now=now)


def retract(conn: Connection, kind: AnyKind, about: About, *, now: datetime, once: str | None = None) -> None:
    """Delete a post that is queued once about something, to everyone it went to, or don't send it.

    It can be queued again.
    """
    outbox_rows.remove_with_copies(conn, _key(kind, about, once), now=now)


def enqueue_again(
    conn: Connection, kind: PostKind[Kept], whose: Whose, facts: Kept, *, once: str, now: datetime
) -> None:
    """Enqueue a post that is queued once, unless it still is, or is shown: its message may be deleted meanwhile."""
    outbox_rows.free_gone(conn, _key(kind, whose, once))
    enqueue(conn, kind, whose, facts, now=now, once=once)


def say(conn: Connection, kind: PostKind[NoticeFacts], whose: Whose, *, once: str, text: str, now: datetime) -> None:
    """Enqueue a post of a text once; where it's queued or shown already, let it show the text of now."""
    facts = NoticeFacts(text=text)
    outbox_rows.reword(conn, _key(kind, whose, once), written(facts), now=now)
    enqueue(conn, kind, whose, facts, now=now, once=once)


def reword(conn: Connection, post: PostRow, facts: Facts, *, now: datetime) -> None:
    """Let a post that is queued or shown have other facts."""
    outbox_rows.reword(conn, post.key, written(facts), now=now)


def invalidate_once(conn: Connection, kind: AnyKind, about: About, *, once: str, now: datetime) -> None:
    """Say that something changed that a post queued once shows in the channel."""
    outbox_rows.invalidate_key(conn, _key(kind, about, once), now=now)


def cancel_unsent(conn: Connection, about: SeasonRow | RoundRow, *kinds: AnyKind, now: datetime) -> None:
    """Cancel the unsent posts about a season or round, of all kinds or some."""
    season_id, round_id = (about.id, None) if isinstance(about, SeasonRow) else (None, about.id)
    outbox_rows.cancel_unsent(conn, kinds, season_id=season_id, round_id=round_id, now=now)


def thread_key(match_id: MatchId) -> str:
    """Return the key of the post that makes and keeps the thread of a match, or of the group whose first it is."""
    return f"{THREAD}:{match_id}"
