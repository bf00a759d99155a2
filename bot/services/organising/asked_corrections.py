"""A correction that moderators ask organisers for: of a bracket match whose winner has played on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.league.errors import Conflict, LeagueError
from bot.league.season.model import Kind
from bot.services.base.addresses import is_apart
from bot.services.base.events import MatchChanged, RoundTakenBack, SeasonOver
from bot.services.base.hooks import PendingItems, Section
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.base.post_kinds import Facts, Gone, Post, PostKind, Readers, Shows, Until, there
from bot.services.base.transaction import MODERATOR, ORGANISER, Transaction, read_transaction, required, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.play import decisions, transitions
from storage.database import Connection
from storage.posts import PostRow, Target
from storage.rows import MatchId
from storage.tables.outbox import outbox_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a moderator asks for: the result and why."""

    outcome: Outcome
    kind: Kind
    score: str | None
    reason: str

    @property
    def result(self) -> dict[str, Any]:
        """Return the result as `decisions` takes it."""
        return {"outcome": self.outcome, "kind": self.kind, "score": self.score}


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionFacts(Facts):
    """The correction that is wanted, who asks for it and why."""

    outcome: Outcome
    how: Kind
    score: str | None
    why: str
    by: str
    decided_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPost(Post):
    """A correction that is wanted, what it changes, and who asks; `why` only where moderators alone read it."""

    view: MatchView
    then: str
    effects: tuple[str, ...]
    by: str
    why: str


def _asked(post: PostRow) -> Asked:
    facts = CORRECTION.facts(post)
    return Asked(outcome=facts.outcome, kind=facts.how, score=facts.score, reason=facts.why)


def _load(conn: Connection, post: PostRow, now: datetime) -> CorrectionPost:
    """Load a correction with what it changes now; raises Gone once it can't be made like that."""
    view, asked = views.match_view(conn, there(post.match_id)), _asked(post)
    tx = read_transaction(conn, Order(actor=BOT, now=now), match_id=view.match.id)
    try:
        wanted = decisions.what_it_changes(tx, view, **asked.result)
    except LeagueError as problem:
        raise Gone from problem
    why = asked.reason if is_apart(view.league, post) else ""
    by = CORRECTION.facts(post).by
    return CorrectionPost(view=view, then=wanted.then, effects=wanted.effects, by=by, why=why)


CORRECTION = PostKind(
    "correction", CorrectionFacts, to=Readers.ORGANISERS, shows=Shows.MATCH, until=Until.SEASON_ENDS, load=_load
)


def ask(
    conn: Connection,
    order: Order,
    *,
    match: MatchId,
    outcome: Outcome,
    reason: str,
    kind: Kind = Kind.ADJUDICATED,
    score: str | None = None,
    version: int | None = None,
) -> MatchView:
    """Ask organisers to correct a result that later matches depend on, in place of what was asked for it before.

    Raises as `decisions.decide` does, and Conflict where the moderator can do it, or where that waits already.
    """
    why = required(reason)
    tx = transaction(conn, order, by=MODERATOR, match_id=match)
    view = match_finding.find_match(tx, match)
    transitions.require_current(view, version)
    wanted = Asked(outcome=outcome, kind=kind, score=score, reason=why)
    change = decisions.what_it_changes(tx, view, **wanted.result)
    if not change.by_organiser:
        raise Conflict(f"You can correct {view.label} yourself: /result set shows what that changes.")
    if any(_asked(post).result == wanted.result for post in outbox_rows.wanted_of_match(conn, view.match.id)):
        raise Conflict(f"The organisers have been asked for that already. It waits in /disputes: {view.label}.")
    for post in outbox_rows.wanted_of_match(conn, view.match.id):
        _replace(tx, post)
    by = f"the moderator {tx.actor.name}"
    facts = CorrectionFacts(outcome=outcome, how=kind, score=score, why=why, by=by, decided_by=tx.actor.user_id)
    tx.enqueue(CORRECTION, facts, view.match)
    tx.note("result.ask-organiser", view.label, before={"state": view.news}, after={"state": change.then}, reason=why)
    return view


def wanted(conn: Connection, order: Order, *, match: MatchId) -> Asked:
    """Return the correction of a match that organisers are asked for; raises Conflict once it isn't wanted."""
    tx = read_transaction(conn, order, by=ORGANISER, match_id=match)
    return _asked(_waiting(conn, match_finding.find_match(tx, match)))


def leave(conn: Connection, order: Order, *, match: MatchId) -> MatchView:
    """Leave a result as it is though a correction was asked for, and tell who asked; raises as `wanted`."""
    tx = transaction(conn, order, by=ORGANISER, match_id=match)
    view = match_finding.find_match(tx, match)
    post = _waiting(conn, view)
    tx.note("result.leave", view.label, before={"state": view.news})
    _answer(tx, post, f"{view.label} stays as it is: {view.news}. The organiser {tx.actor.name} decided it.")
    return view


def _waiting(conn: Connection, view: MatchView) -> PostRow:
    posts = outbox_rows.wanted_of_match(conn, view.match.id)
    if not posts:
        raise Conflict(f"Nobody asks for a correction of {view.label} any more: {view.news}.")
    return posts[-1]


def match_changed(tx: Transaction, event: MatchChanged) -> None:
    """Tell who asked for a correction that the match has changed: it was made, or isn't wanted like that any more."""
    for post in outbox_rows.wanted_of_match(tx.conn, event.after.id):
        _tell(tx, post, f"Now: {views.match_view(tx.conn, event.after.id).news}.")


def round_taken_back(tx: Transaction, event: RoundTakenBack) -> None:
    """Tell who asked for a correction that the match was taken back; one that is played again can be corrected."""
    for match in event.matches:
        for post in outbox_rows.wanted_of_match(tx.conn, match.id):
            again = "If the match is there again with a wrong result, use /result set."
            _tell(tx, post, f"The match was taken back, so there's nothing to correct. {again}")


def season_over(tx: Transaction, _: SeasonOver) -> None:
    """Tell who asked for a correction that nobody answered before the season was over."""
    for post in outbox_rows.wanted_in_season(tx.conn, tx.season.id):
        _tell(tx, post, f"Season {tx.season.number} is over, and no organiser had answered. Still wrong? Ask one.")


def _tell(tx: Transaction, post: PostRow, what: str) -> None:
    label = views.match_view(tx.conn, there(post.match_id)).label
    _answer(tx, post, f"You asked for a correction of {label}. {what}")


def _replace(tx: Transaction, post: PostRow) -> None:
    """Take back what was asked for before, and tell who asked, if that is another moderator."""
    if CORRECTION.facts(post).decided_by == tx.actor.user_id:
        outbox_rows.delete(tx.conn, post.id, now=tx.now)
    else:
        _tell(tx, post, f"The moderator {tx.actor.name} asks for another result now, in place of yours. See /disputes.")


def _answer(tx: Transaction, post: PostRow, text: str) -> None:
    outbox_rows.delete(tx.conn, post.id, now=tx.now)
    tx.tell(text, to=Target.MODERATION, pings=[CORRECTION.facts(post).decided_by])


def _section(rows: Sequence[MatchView]) -> Section:
    step = "The winner has played on. An organiser corrects it or leaves it."
    return Section("Corrections", step, [f"{view.label}: {view.state_words}" for view in rows])


CORRECTIONS = PendingItems(
    "corrections", outbox_rows.CORRECTIONS, views.by_ids, _section, {CORRECTION: ""}, by_organisers=True
)
"""Matches whose correction moderators ask organisers for."""
