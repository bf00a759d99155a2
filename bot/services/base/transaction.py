"""One transaction or one look: who acts, when, why, in which league and season; the one gate between servers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypedDict, TypeVar, Unpack

from bot import logs
from bot.league.errors import Invalid, NotAllowed, NotFound, WrongPhase
from bot.league.season.phases import PLAYING, SeasonPhase
from bot.league.season.settings import SeasonSettings
from bot.services.base import outbox
from bot.services.base.events import Event, Line
from bot.services.base.order import Order
from bot.services.base.outbox import BOARD, NOTICE, SIGNUP, About, NoticeFacts, Sending, Visible
from bot.services.base.permissions import BOT, Actor, belongs, is_organiser, require_moderator, require_organiser
from bot.services.base.post_kinds import AnyKind, Facts, Kept, PostKind
from storage import rules_season
from storage.database import Connection
from storage.posts import Target
from storage.rows import LeagueId, LeagueRow, MatchRow, PlayerRow, SeasonId, SeasonRow
from storage.tables import audit, leagues, matches, rounds, seasons
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows
from storage.tables.signups import join_requests, waitlist

State = Mapping[str, Any] | None
LONGEST_REASON = 500
MOST_NUMBERS = 10
"""As many seasons an error names."""


@dataclass(slots=True, kw_only=True)
class ReadTransaction:
    """A person's look at a league of their server; `season` is the one found last."""

    conn: Connection
    actor: Actor
    league: LeagueRow
    found: SeasonRow | None = None

    @property
    def season(self) -> SeasonRow:
        """The season this is about."""
        if self.found is None:
            raise LookupError("no season was looked for yet")
        return self.found

    @property
    def settings(self) -> SeasonSettings:
        """The settings of the season this is about."""
        return rules_season.settings_of(self.season)

    def organiser(self) -> None:
        """Raise NotAllowed unless the actor runs the league."""
        require_organiser(self.league, self.actor)
        logs.tell(right="organiser")

    def moderator(self) -> None:
        """Raise NotAllowed unless the actor settles the league's disputes."""
        require_moderator(self.league, self.actor)
        logs.tell(right="moderator")

    def player_or_organiser(self, player: PlayerRow) -> None:
        """Raise NotAllowed unless the actor is this player or runs the league."""
        if player.discord_id is None or player.discord_id != self.actor.user_id:
            if not is_organiser(self.league, self.actor):
                words = f"Only {player.name} and organisers of {self.league.name} can do this. Ask an organiser."
                raise NotAllowed(words)
            self.organiser()

    def hint(self, organiser: str, player: str = "") -> str:
        """Return the next step this person can take, with a space before it; nothing where there is none."""
        step = organiser if is_organiser(self.league, self.actor) else player
        return f" {step}" if step else ""

    def opening(self, what: str = "one") -> str:
        """Return how an organiser opens a season, with a space before it; nothing for others."""
        prepared = seasons.unpublished(self.conn, self.league.id)
        step = f"Start {what} with /season create." if prepared is None else "/season settings shows the prepared one."
        return self.hint(step)

    def about(self, season: SeasonRow) -> SeasonRow:
        """Go on about this season: one just made, or the one of what was named."""
        self.found = season
        return season

    def reload(self) -> SeasonRow:
        """Read the season again, after something else may have changed it."""
        self.found = seasons.get(self.conn, self.season.id)
        return self.found


@dataclass(slots=True, kw_only=True)
class Transaction(ReadTransaction):
    """A change by a person at a moment, in one transaction: noted in the audit, with the posts it promises."""

    now: datetime
    line: Line = field(default_factory=Line)

    def by_itself(self) -> "Transaction":
        """Return the same moment with the bot as actor, for what happens automatically."""
        return replace(self, actor=BOT)

    def happened(self, event: Event) -> None:
        """Tell what happened to those who follow from it, before this goes on."""
        self.line.told(self, event)

    def change_season(self, **columns: Any) -> SeasonRow:
        """Change columns of the season."""
        self.found = seasons.change(self.conn, self.season.id, **columns)
        return self.found

    def note(
        self, action: str, subject: str, *, before: State = None, after: State = None, reason: str | None = None
    ) -> None:
        """Note who did what to which subject and why, with the state before and after."""
        audit.add(
            self.conn,
            league_id=self.league.id,
            season_id=None if self.found is None else self.found.id,
            at=self.now,
            actor_id=self.actor.user_id,
            actor=self.actor.name,
            action=action,
            subject=subject,
            before=before,
            after=after,
            reason=shortened(reason),
        )

    def tell(
        self,
        text: str,
        *,
        kind: PostKind[NoticeFacts] = NOTICE,
        to: Target | None = None,
        pings: Sequence[int | None] = (),
        once: str | None = None,
        **more: Any,
    ) -> None:
        """Promise a notice that mentions these Discord ids; `once` is a word for what is told only once.

        `more` is as `outbox.tell` takes it.
        """
        whose = self.found or self.league
        outbox.tell(self.conn, whose, text, now=self.now, kind=kind, target=to, pings=pings, once=once, **more)

    def enqueue(
        self, kind: PostKind[Kept], facts: Kept, about: About | None = None, **sending: Unpack[Sending]
    ) -> None:
        """Promise a post, by default about the season; `sending` is as `outbox.enqueue` takes it."""
        whose, part = (about, None) if isinstance(about, LeagueRow | SeasonRow) else (self.season, about)
        outbox.enqueue(self.conn, kind, whose, facts, part, now=self.now, **sending)

    def show_season(self) -> None:
        """Show the season on the league's board, in place of the season before.

        A league without a board has a post for sign-ups while they are open.
        """
        outbox_rows.retract_kinds(self.conn, (BOARD, SIGNUP), league_id=self.league.id, now=self.now)
        if self.league.board:
            self.enqueue(BOARD, Facts())
        elif self.season.phase is SeasonPhase.SIGNUP:
            self.enqueue(SIGNUP, Facts())

    def invalidate(self, about: Visible | None = None, *kinds: AnyKind) -> None:
        """Say that something changed, by default about the season, so that the posts that show it are edited."""
        outbox.invalidate(self.conn, about or self.season, *kinds, now=self.now)

    def invalidate_once(self, kind: AnyKind, about: About | None = None, *, once: str) -> None:
        """Say that something changed that a post queued once shows, by default one about the season."""
        outbox.invalidate_once(self.conn, kind, about or self.season, once=once, now=self.now)

    def retract(self, kind: AnyKind, about: About | None = None, *, once: str | None = None) -> None:
        """Delete a post that is queued once, by default about the season, or don't send it; it can be queued again."""
        outbox.retract(self.conn, kind, about or self.season, once=once, now=self.now)

    def retract_all(self, about: LeagueRow | SeasonRow | MatchRow, *kinds: AnyKind) -> None:
        """Delete the messages of these kinds about something, or don't send them: that is settled."""
        outbox.retract_all(self.conn, about, *kinds, now=self.now)


Which = Callable[[ReadTransaction], SeasonRow | None]
"""Which season someone means, if any; raises NotFound and WrongPhase in words for this person."""
Someone = TypeVar("Someone", bound=ReadTransaction)
Meant = str | int | None
"""A match by its id, or as it was typed: then it is looked for in the league."""
Right = Callable[[ReadTransaction], None]
"""What someone must be to go on; raises NotAllowed."""
ORGANISER: Right = ReadTransaction.organiser
MODERATOR: Right = ReadTransaction.moderator


def live_if_any(tx: ReadTransaction) -> SeasonRow | None:
    """Find the season that takes sign-ups or is played, if there is one."""
    return seasons.live(tx.conn, tx.league.id)


def prepared_if_any(tx: ReadTransaction) -> SeasonRow | None:
    """Find the season only organisers see, if there is one."""
    return seasons.unpublished(tx.conn, tx.league.id)


def live(tx: ReadTransaction) -> SeasonRow:
    """Find the season that takes sign-ups or is played; raises WrongPhase."""
    season = live_if_any(tx)
    if season is None:
        raise WrongPhase(f"{tx.league.name} has no season running.{tx.opening()}")
    return season


def playing(tx: ReadTransaction) -> SeasonRow:
    """Find the season that is played; raises WrongPhase."""
    season = live(tx)
    if season.phase not in PLAYING:
        step = tx.hint("Start it with /season start.", _before_the_start(tx, season))
        raise WrongPhase(f"Season {season.number} hasn't started yet.{step}")
    return season


def _before_the_start(tx: ReadTransaction, season: SeasonRow) -> str:
    """Return the next step of a person who is in a season that takes sign-ups, waits for a place, or can join."""
    about = tx.conn, season.id, tx.actor.user_id or 0
    if entrants.by_discord(*about) is not None:
        return "You're in. /match says when round 1 comes."
    waits = waitlist.by_discord(*about) is not None or join_requests.by_discord(*about) is not None
    return "/match shows where you stand." if waits else "Join it with /signup."


def numbered(number: int | None = None) -> Callable[[ReadTransaction], SeasonRow]:
    """Say which season is meant by its number, by default the newest; raises NotFound."""

    def find(tx: ReadTransaction) -> SeasonRow:
        last = seasons.newest(tx.conn, tx.league.id)
        if last is None:
            which = "season" if number is None else f"season {number}"
            raise NotFound(f"{tx.league.name} has no {which} yet.{tx.opening()}")
        season = last if number is None else seasons.by_number(tx.conn, tx.league.id, number)
        if season is None:
            numbers = seasons.numbers(tx.conn, tx.league.id)
            which = "Its seasons are" if len(numbers) <= MOST_NUMBERS else "Its last ten seasons are"
            which = which if len(numbers) > 1 else "Its only season is"
            listed = ", ".join(str(known_number) for known_number in reversed(numbers[:MOST_NUMBERS]))
            raise NotFound(f"{tx.league.name} has no season {number}. {which} {listed}.")
        return season

    return find


class Meaning(TypedDict, total=False):
    """Who may do it, and the match or the season it's about, whose id tells the league."""

    by: Right | None
    match_id: Meant
    season_id: SeasonId | None


def transaction(conn: Connection, order: Order, which: Which | None = None, **about: Unpack[Meaning]) -> Transaction:
    """Return a change in the league meant by one who may, about the season or the match meant.

    Raises NotFound for another server's league, NotAllowed, and what `which` raises.
    """
    league, season = _meant(conn, order, about)
    return _admit(Transaction(conn=conn, actor=order.actor, league=league, found=season, now=order.now), which, about)


def read_transaction(
    conn: Connection, order: Order, which: Which | None = None, **about: Unpack[Meaning]
) -> ReadTransaction:
    """Return a look, as `transaction` returns a change."""
    league, season = _meant(conn, order, about)
    return _admit(ReadTransaction(conn=conn, actor=order.actor, league=league, found=season), which, about)


def _admit(tx: Someone, which: Which | None, about: Meaning) -> Someone:
    right = about.get("by")
    if right is not None:
        right(tx)
    if which is not None:
        tx.found = which(tx)
    return tx


def _meant(conn: Connection, order: Order, about: Meaning) -> tuple[LeagueRow, SeasonRow | None]:
    match_id, season_id = about.get("match_id"), about.get("season_id")
    if isinstance(match_id, int):
        match = matches.find(conn, match_id)
        if match is None:
            raise NotFound("This match is gone: its round was undone. /match shows yours of the current round.")
        season_id = rounds.get(conn, match.round_id).season_id
    if season_id is not None:
        season = seasons.find(conn, season_id)
        if season is None:
            raise NotFound("That season is gone. /season status shows the newest one.")
        return _league(conn, order.actor, season.league_id), season
    if order.league_id is None:
        raise NotFound("Which league? Use the command in its channel, or fill in the option league.")
    return _league(conn, order.actor, order.league_id), None


def _league(conn: Connection, actor: Actor, league_id: LeagueId) -> LeagueRow:
    row = leagues.find(conn, league_id)
    if row is None or not belongs(row, actor):
        raise NotFound("This league isn't on this server. Use the command in your league's channel.")
    logs.tell(league=row.id)
    return row


def shortened(reason: str | None) -> str | None:
    """Return a reason as it is kept: trimmed, on one line, at most 500 characters; None for an empty one."""
    words = " ".join((reason or "").split())
    return words[:LONGEST_REASON] or None


def required(reason: str | None) -> str:
    """Return a reason as it is kept; raises Invalid for none."""
    words = shortened(reason)
    if words is None:
        raise Invalid("Give a reason. It's kept in the audit log.")
    return words
