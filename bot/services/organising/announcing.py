"""A message from organisers that mentions a season's players: which of them, its preview, how long and how often."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.league.errors import Conflict, Invalid
from bot.league.season.model import Name, Status
from bot.league.season.phases import PLAYING, MatchState, SeasonPhase
from bot.services.base import cached, outbox
from bot.services.base.confirmation import ConfirmationNeeded, require_confirmation
from bot.services.base.order import Order
from bot.services.base.outbox import NoticeFacts
from bot.services.base.post_kinds import PostKind, SeasonPost, about_season, known
from bot.services.base.transaction import ORGANISER, ReadTransaction, Transaction, live_if_any, numbered, transaction
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, SeasonRow
from storage.tables import audit, matches, rounds
from storage.tables.field import entrants

LONGEST = 1_800
"""Characters of an announcement: they fit one message beside its mentions."""
PAUSE = timedelta(minutes=1)
"""As long as a league waits between two announcements."""
_NOTED = "league.announce"


class Audience(StrEnum):
    """Which of a season's players an announcement is for."""

    ALL = "all"
    IN = "in"
    """Who can still play in it."""
    OUT = "out"
    """The others."""
    UNPLAYED = "unplayed"
    """Who has an open match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementPost(SeasonPost):
    """What organisers tell players of a season."""

    text: str


def _load(conn: Connection, post: PostRow, _: datetime) -> AnnouncementPost:
    league, season = about_season(conn, post)
    facts = ANNOUNCEMENT.facts(post)
    return AnnouncementPost(league=league, season=season, text=facts.text, ping_ids=facts.pings)


ANNOUNCEMENT = PostKind("announcement", NoticeFacts, rewritten=True, load=_load)


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """An announcement, and the people it told: who is mentioned or gets a direct message, and who can't be."""

    season: SeasonRow
    text: str
    people: tuple[str, ...]
    silent: tuple[str, ...]
    """Players without a Discord account, and those who chose not to be told."""


class PreviewFirst(ConfirmationNeeded):
    """An announcement that its author hasn't seen yet."""

    preview: Announced


def announce(
    conn: Connection, order: Order, *, text: str, to: Audience = Audience.ALL, agreed: str | None = None
) -> Announced:
    """Post a message that mentions players of a season; raises PreviewFirst, Invalid, and Conflict within a minute."""
    tx = transaction(conn, order, _season, by=ORGANISER)
    cleaned = text.strip().encode(errors="replace").decode()  # half a character becomes a question mark
    if not cleaned:
        raise Invalid("Write what players should read.")
    if len(cleaned) > LONGEST:
        raise Invalid(f"An announcement can have at most {LONGEST:,} characters; this one has {len(cleaned):,}.")
    people = _people(tx, to)
    if not people:
        raise Invalid(f"{_NOBODY[to].format(tx.season.number)} Nothing was posted.")
    announced = _announced(tx, cleaned, people)
    try:
        require_confirmation("\n".join([cleaned, *announced.people, "", *announced.silent]), agreed)
    except ConfirmationNeeded as asked:
        first = PreviewFirst(asked.cost, token=asked.token, changed=asked.changed)
        first.preview = announced
        raise first from None
    if audit.noted_between(conn, tx.league.id, _NOTED, order.now - PAUSE, order.now):
        raise Conflict("The last announcement was less than a minute ago. Wait a minute, then press again.")
    pings = known(person.discord_id for person in people)
    tx.enqueue(ANNOUNCEMENT, NoticeFacts(text=cleaned, pings=pings), people=pings)
    tx.note(_NOTED, f"season {tx.season.number}", after={"to": to, "people": len(announced.people), "text": cleaned})
    return announced


def _season(tx: ReadTransaction) -> SeasonRow:
    """Find the season that takes sign-ups or is played, else the newest."""
    return live_if_any(tx) or numbered()(tx)


_NOBODY = {
    Audience.ALL: "Season {} has no players yet.",
    Audience.IN: "No one can play in season {} any more.",
    Audience.OUT: "Everyone can still play in season {}.",
    Audience.UNPLAYED: "No one has an open match in season {}.",
}


def _people(tx: ReadTransaction, to: Audience) -> Sequence[EntrantRow]:
    """Return the seats whose people an announcement is for."""
    everyone, open_ = entrants.of_season(tx.conn, tx.season.id), _with_open_match(tx)
    match to:
        case Audience.ALL:
            return everyone
        case Audience.UNPLAYED:
            return [person for person in everyone if person.id in open_]
        case Audience.IN | Audience.OUT:
            inside = {person.id for person in everyone if person.id in open_ or _can_play(tx, person)}
            return [person for person in everyone if (person.id in inside) is (to is Audience.IN)]


def _with_open_match(tx: ReadTransaction) -> set[int]:
    """Return the seats of the matches nobody has reported in the rounds being played."""
    played = rounds.open_rounds(tx.conn, tx.season.id) if tx.season.phase in PLAYING else ()
    here = [match for row in played for match in matches.of_round(tx.conn, row.id)]
    return {side for match in here if match.state is MatchState.OPEN for side in match.players}


def _can_play(tx: ReadTransaction, entrant: EntrantRow) -> bool:
    if not entrant.active or tx.season.phase not in (SeasonPhase.SIGNUP, *PLAYING):
        return False
    if tx.season.phase is SeasonPhase.SIGNUP:
        return True
    return cached.shown_table(tx.conn, tx.season)[Name(entrant.name)].status is not Status.ELIMINATED


def _announced(tx: Transaction, text: str, people: Sequence[EntrantRow]) -> Announced:
    silent = outbox.unreachable(tx.conn, tx.league.id, ANNOUNCEMENT, people)
    return Announced(
        season=tx.season,
        text=text,
        people=tuple(person.called for person in people if person.id not in silent),
        silent=tuple(person.called for person in people if person.id in silent),
    )
