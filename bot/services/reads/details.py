"""Everything about one match, as a person or its thread shows it: what was said, who reads that; threads of groups."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from bot.league.formats import by_key
from bot.league.season.choices import MatchPlaces
from bot.league.season.in_words import capitalised
from bot.league.season.model import Name, Stage
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base import cached, hooks
from bot.services.base.order import Order
from bot.services.base.outbox import THREAD
from bot.services.base.permissions import Actor, is_moderator
from bot.services.base.post_kinds import Gone, Post, known, there
from bot.services.base.transaction import ReadTransaction, read_transaction
from bot.services.matches import decision_posts, group_cards, match_finding, views
from bot.services.matches.decision_posts import Decided, TakenBack
from bot.services.matches.round_groups import group_name
from bot.services.matches.views import MatchView
from bot.services.play.reporting import can_take_back
from bot.services.problems import deciding_all
from bot.services.problems.telling import as_told
from bot.services.signups import names_in_game
from bot.services.times import match_times
from bot.services.times.match_times import MatchTimes
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import DisputeRow, EntrantRow, LeagueRow, MatchId, ReportRow, SeasonRow
from storage.tables import leagues, matches, problems, reports, rounds, seasons, threads
from storage.tables.field import entrants
from storage.tables.matches import Meeting
from storage.tables.problems import ProblemRow
from storage.tables.threads import ThreadRow

Part = TypeVar("Part")
LONGEST_NAME = 100
"""Characters Discord allows for a thread's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """A match as one person sees it: `side` is their own place in it, `met` the earlier matches of the two.

    With `shared` it is for both players together, as their thread shows it. `statements` holds every report, what was
    taken back, each dispute, problem and decision in the order they came, those that were replaced too; people who
    aren't concerned read no words of a dispute, no problem and no reason. Until `until` this person can take back what
    made the result count. With `loser_begins` the loser of a game chooses who goes first in the next. For one person
    alone:
    `thread` is where the match is talked about, if they can open that and aren't there, `ranks` where the two stand,
    from the second regular round on, in their `group` if there are several. `several` are those of its players who have
    more open matches, all of which a moderator can decide at once. With a result, `struck` are those of the season who
    left and whose results count for nobody.
    `also` is what subjects add, each asked for by its type (`part`).
    """

    match: MatchView
    side: EntrantRow | None
    can_decide: bool
    loser_begins: bool
    statements: tuple[ReportRow | DisputeRow | ProblemRow | Decided | TakenBack, ...]
    met: tuple[Meeting, ...]
    until: datetime | None
    times: MatchTimes
    also: tuple[object, ...]
    thread: int | None = None
    ranks: tuple[int, int] | None = None
    shared: bool = False
    group: str = ""
    several: tuple[EntrantRow, ...] = ()
    struck: frozenset[Name] = frozenset()

    def part(self, kind: type[Part]) -> Part | None:
        """Return what one subject adds."""
        return next((section for section in self.also if isinstance(section, kind)), None)

    @property
    def is_asked(self) -> bool:
        """Whether the opponent's report waits for this person's answer."""
        waiting = self.match.match.state is MatchState.REPORTED and not self.match.stopped
        return waiting and self.side is not None and self.match.asked == self.side


def details(conn: Connection, order: Order, *, match: MatchId) -> Details:
    """Return everything about a match; raises NotFound."""
    tx = read_transaction(conn, order, match_id=match)
    view = match_finding.find_match(tx, match)
    seen = _as_seen(tx, view, order.now)
    several = deciding_all.with_several(conn, order, match=match) if seen.can_decide and view.round.together else ()
    return replace(seen, thread=_thread(tx, view), ranks=_ranks(tx, view), several=several)


def shared(conn: Connection, match: MatchId, now: datetime, *, private: bool = False) -> Details:
    """Return a match as both its players see it; `private` is whether no one else does."""
    view = views.match_view(conn, match)
    everyone = Actor(user_id=None, name="everyone", guild_id=view.league.guild_id)
    tx = read_transaction(conn, Order(actor=everyone, now=now), match_id=match)
    seen = replace(_as_seen(tx, view, now), shared=True)
    return replace(seen, also=(*seen.also, names_in_game.in_private_thread(conn, view))) if private else seen


def _as_seen(tx: ReadTransaction, view: MatchView, now: datetime) -> Details:
    match, side = view.match.id, view.side_of(tx.actor.user_id)
    open_ = view.match.state is not MatchState.CONFIRMED and not view.stopped
    complaints = [as_told(problem, view, tx) for problem in problems.of_match(tx.conn, match)]
    reported, disputed = reports.of_match(tx.conn, match), reports.disputes_of(tx.conn, match)
    ruled = decision_posts.of_match(tx.conn, view)
    if side is None and not is_moderator(tx.league, tx.actor):
        reported = tuple(replace(statement, statement=None) for statement in reported)
        disputed = tuple(replace(statement, reason="") for statement in disputed)
        ruled = tuple(replace(statement, why="") for statement in ruled)
    taken_back = decision_posts.taken_back(tx.conn, view)
    statements = (*reported, *disputed, *complaints, *ruled, *taken_back)
    now_played = view.season.number or 0, view.round.number
    earlier = matches.between(tx.conn, view.upper.person_id, view.lower.person_id)
    return Details(
        match=view,
        side=side,
        can_decide=open_ and side is None and is_moderator(tx.league, tx.actor),
        loser_begins=by_key(view.season.format).loser_begins(rules_season.settings_of(view.season), view.best_of),
        statements=tuple(sorted(statements, key=lambda statement: statement.at)),
        met=tuple(before for before in earlier if (before.season, before.round) < now_played),
        until=can_take_back(view, tx.actor, now),
        times=match_times.of_match(tx.conn, view, now),
        also=hooks.shown_with_match(tx, view.round, view.sides),
        group=group_name(tx.conn, view.season, view.round, view.sides),
        struck=cached.struck(tx.conn, view.season) if view.match.state is MatchState.CONFIRMED else frozenset(),
    )


def _thread(tx: ReadTransaction, view: MatchView) -> int | None:
    row = threads.find(tx.conn, view.match.id)
    if row is None or not row.works or row.thread_id == tx.actor.thread_id:
        return None
    inside = view.side_of(tx.actor.user_id) is not None or is_moderator(tx.league, tx.actor)
    return row.thread_id if inside or not row.private else None


def _ranks(tx: ReadTransaction, view: MatchView) -> tuple[int, int] | None:
    if view.round.stage is Stage.FINALS or view.round.phase is not RoundPhase.OPEN or view.round.number == 1:
        return None
    table = cached.table(tx.conn, tx.season)
    upper, lower = (table[Name(side.name)] for side in view.sides)
    return upper.group_rank or upper.rank, lower.group_rank or lower.rank


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPost(Post):
    """A thread: its card, and for the announcer its name, its kind and who has to be in it.

    The first of `matches` keeps it. `thread_id` is None until it's made, `inside` are the Discord ids of those who were
    added. Once it's `over`, nothing is left to do in it.
    """

    name: str
    private: bool
    thread_id: int | None
    inside: tuple[int, ...]
    matches: tuple[MatchId, ...]
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchThreadPost(ThreadPost):
    """The thread of a match, with what both its players see."""

    details: Details


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupThreadPost(ThreadPost):
    """The thread of a group whose matches are all open, with its players; `group` is nothing where there is one."""

    league: LeagueRow
    season: SeasonRow
    group: str
    players: tuple[EntrantRow, ...]


def load_thread(conn: Connection, post: PostRow, now: datetime) -> ThreadPost:
    """Return a thread as it has to be now; raises Gone where it's lost, or over before it was made."""
    match_id = there(post.match_id)
    row = threads.find(conn, match_id)
    thread = _of_group(conn, post, row) if THREAD.facts(post).group is not None else _of_match(conn, match_id, row, now)
    if (row is None and thread.over) or (row is not None and row.lost is not None):
        raise Gone
    return thread


def _of_match(conn: Connection, match_id: MatchId, row: ThreadRow | None, now: datetime) -> MatchThreadPost:
    view = views.match_view(conn, match_id)
    private = rules_season.settings_of(view.season).match_places is MatchPlaces.PRIVATE
    if row is not None and row.thread_id is not None:
        private = row.private
    seen = shared(conn, match_id, now, private=private)
    return MatchThreadPost(
        details=seen,
        name=f"{seen.match.match.name or seen.match.round.words.capitalize()}: {seen.match.pairing}"[:LONGEST_NAME],
        private=private,
        thread_id=None if row is None else row.thread_id,
        inside=() if row is None else row.people,
        matches=(match_id,),
        over=seen.match.stopped or seen.match.match.state is MatchState.CONFIRMED,
        ping_ids=known(side.discord_id for side in seen.match.sides),
    )


def _of_group(conn: Connection, post: PostRow, row: ThreadRow | None) -> GroupThreadPost:
    """Return the thread of a group; players who left aren't added any more, and stay where they were."""
    league, season = leagues.get(conn, post.league_id), seasons.get(conn, there(post.season_id))
    first, keeper, facts = rounds.get(conn, there(post.round_id)), there(post.match_id), THREAD.facts(post)
    players = entrants.some(conn, facts.players)
    ids = {player.id for player in players}
    every = (match for other in rounds.at_once(conn, first) for match in matches.of_round(conn, other.id))
    played = [match for match in every if not ids.isdisjoint(match.players)]
    over = all(match.state is MatchState.CONFIRMED for match in played) or first.phase is not RoundPhase.OPEN
    group = facts.group or ""
    called = f"{capitalised(group_cards.called(group))}: {league.name}, season {season.number}"
    return GroupThreadPost(
        league=league,
        season=season,
        group=group,
        players=players,
        name=called[:LONGEST_NAME],
        private=False,
        thread_id=None if row is None else row.thread_id,
        inside=() if row is None else row.people,
        matches=(keeper, *(match.id for match in played if match.id != keeper)),
        over=over,
        ping_ids=known(player.discord_id for player in players if player.active),
    )
