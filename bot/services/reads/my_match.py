"""Where a player stands right now: their match or matches, or why they have none, and what their season waits for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bot.league.bracket.match_names import FINAL
from bot.league.counting.standings import at_the_end
from bot.league.formats import by_key
from bot.league.formats.shared.words import ordinal
from bot.league.season.match_score import Result
from bot.league.season.model import DepartureKind, Name, Season, Stage, Status
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.league.summaries.round_news import plays_for_third_place
from bot.services.base import cached, find
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.base.transaction import ReadTransaction, numbered, read_transaction
from bot.services.matches import views
from bot.services.matches.round_groups import group_name
from bot.services.matches.season_calendar import calendar, to_come
from bot.services.matches.views import MatchView
from bot.services.play.field.eligibility import out_since_round, own_standing, way_back
from bot.services.reads.pairings import first_round, seat_of
from bot.services.reads.waiting import waits_for
from bot.services.seasons import own_division
from bot.services.seats.sitting_out import coming
from bot.services.signups import check_in, names_in_game
from bot.services.signups.names_in_game import OwnAnswer
from bot.services.times.proposing import can_agree
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, MatchId, RoundRow, SeasonRow
from storage.tables import matches, rounds, times
from storage.tables.field import entrants, sat_out
from storage.tables.field.sat_out import SitOutRow
from storage.tables.times import TimeProposalRow


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMatches:
    """A player's matches of the regular stage, those that ask something of them first, then by time, results last.

    `group` is the name of their group, nothing where there is one. `proposals` are what waits for an answer by match,
    `to_agree` the matches whose players can still agree on a time. The results of those who are `struck` count for
    nobody.
    """

    side: EntrantRow
    group: str
    matches: tuple[MatchView, ...]
    proposals: Mapping[MatchId, TimeProposalRow]
    to_agree: frozenset[MatchId]
    struck: frozenset[Name]

    @property
    def left(self) -> tuple[MatchView, ...]:
        """Return those without a confirmed result."""
        return tuple(view for view in self.matches if view.match.state is not MatchState.CONFIRMED)

    @property
    def until(self) -> datetime | None:
        """Return the last deadline of those without a result; None where there is none."""
        return max((view.deadline for view in self.left if view.deadline is not None), default=None)

    def is_asked(self, view: MatchView) -> bool:
        """Whether the opponent's report of a match, or their proposed times, wait for the player's answer."""
        proposal = self.proposals.get(view.match.id)
        reported = view.match.state is MatchState.REPORTED and view.asked.id == self.side.id
        return reported or (proposal is not None and proposal.entrant_id != self.side.id)

    def urgency(self, view: MatchView) -> tuple[bool, bool, bool, float, int]:
        """Return by what the matches are sorted."""
        state, agreed = view.match.state, view.match.agreed_at
        at = float("inf") if agreed is None else agreed.timestamp()
        confirmed, waits = state is MatchState.CONFIRMED, state is not MatchState.OPEN
        return (confirmed, not self.is_asked(view), waits, at, view.round.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class MyMatch:
    """A player's match in the current round with their next step, or without one where they stand.

    `after` says what became of them and what the season waits for. `until` is when sign-ups close, or the round ends
    for which they wait. `undecided` is whether results can still get them through or knock them out, `sitting_out` the
    coming rounds they sit out, `answer` what they are asked for opponents. Where all regular rounds are played at the
    same time, `several` are their matches, and there is no current one.
    """

    season: SeasonRow
    name: Name
    match: MatchView | None
    what_to_do: str
    after: tuple[str, ...] = ()
    until: datetime | None = None
    undecided: bool = False
    sitting_out: tuple[SitOutRow, ...] = ()
    answer: OwnAnswer | None = None
    several: OwnMatches | None = None


def my_match(conn: Connection, order: Order) -> MyMatch:
    """Return the asking player's match in the current round, or where they stand; raises NotFound."""
    tx = read_transaction(conn, order, numbered())
    season = tx.season
    entrant = find.own_entrant(tx)
    over = _over(tx, entrant)
    mine = MyMatch(season=season, name=Name(entrant.name), match=None, what_to_do=over)
    if over:
        finished = season.phase is SeasonPhase.FINISHED
        return replace(mine, after=own_division.leads_to(tx, entrant) if finished else ())
    mine = replace(mine, sitting_out=tuple(coming(tx, entrant)), answer=names_in_game.own_if_asked(conn, order))
    row = rounds.latest(tx.conn, season.id)
    if row is None:
        words = f"You're in season {season.number}.{first_round(tx)}{check_in.reminder(season, entrant)}"
        return replace(mine, what_to_do=words, until=season.signups_close)
    several = _own_matches(tx, row, entrant, order.now)
    if several is not None:
        return _several(tx, row, entrant, mine, several)
    coming_up = _coming_up(tx, row, entrant)
    seat = None if _other_there(tx, row, entrant) else seat_of(tx, row, entrant)
    if row.number == 1:
        coming_up = (*own_division.why_in_it(tx, entrant), *coming_up)
    if seat is None or seat.match_id is None:
        waiting = _waiting(tx, row, entrant, mine, bye=seat is not None)
        return replace(waiting, after=(*waiting.after, *coming_up))
    view = views.match_view(tx.conn, seat.match_id)
    mine = replace(mine, match=view, what_to_do=what_to_do(view, tx.actor), undecided=True)
    if view.match.state is MatchState.CONFIRMED:
        mine = _waiting(tx, row, entrant, mine)
    return replace(mine, after=(*mine.after, *coming_up))


def _own_matches(tx: ReadTransaction, row: RoundRow, entrant: EntrantRow, now: datetime) -> OwnMatches | None:
    """Return a player's matches in the newest round and those beside it; None where theirs is played alone."""
    every = tx.settings.schedule.open_together
    earlier = any(view.round.id != row.id for view in views.open_matches(tx.conn, entrant.id))
    if row.stage is not Stage.REGULAR or not (every or earlier):
        return None
    played = matches.of_player_in(tx.conn, tx.season.id, entrant.person_id)
    loaded = [views.match_view(tx.conn, match.id) for match in played]
    waiting = times.waiting_proposals(tx.conn, [match.id for match in played])
    own = OwnMatches(
        side=entrant,
        group="" if not loaded else group_name(tx.conn, tx.season, loaded[0].round, loaded[0].sides),
        matches=tuple(loaded),
        proposals={proposal.match_id: proposal for proposal in waiting if now < proposal.moments[-1]},
        to_agree=frozenset(view.match.id for view in loaded if can_agree(view, now)),
        struck=cached.struck(tx.conn, tx.season),
    )
    return replace(own, matches=tuple(sorted(loaded, key=own.urgency)))


def _several(tx: ReadTransaction, row: RoundRow, entrant: EntrantRow, mine: MyMatch, several: OwnMatches) -> MyMatch:
    """Return how many matches a player has played and has left, and what the season waits for once none is."""
    left, count = len(several.left), len(several.matches)
    played = f"{count - left} of {count} played" + (f", {left} left." if left else ".")
    begins = own_division.why_in_it(tx, entrant) if left == count else ()
    mine = replace(mine, several=several, what_to_do=played, after=begins, undecided=True)
    return mine if left else _waiting(tx, row, entrant, mine)


def _coming_up(tx: ReadTransaction, row: RoundRow, entrant: EntrantRow) -> tuple[str, ...]:
    """Return who a player meets next, where that's known from the first day."""
    if row.stage is not Stage.REGULAR:
        return ()
    person = entrant.person_id
    following = list(to_come(calendar(tx.conn, tx.league, tx.season), person, row.number))
    rest = [f"You rest in {round_.words}." for round_, group in following[:1] if group.opponent_of(person) is None]
    for round_, group in following:
        opponent = group.opponent_of(person)
        if opponent is not None:
            left = "" if opponent.active else ", who has left the season"
            return (" ".join([*rest, f"Next: {round_.words} against {opponent.called}{left}."]),)
    return tuple(rest)


def _waiting(tx: ReadTransaction, row: RoundRow, entrant: EntrantRow, mine: MyMatch, *, bye: bool = False) -> MyMatch:
    """Add where a player stands who has nothing to play now, and what the season waits for if they wait with it."""
    record = rules_season.load(tx.conn, tx.season.id)
    status = own_standing(tx, entrant).status
    if bye:
        where = _bye(row)
    elif status is Status.ELIMINATED:
        where = _out(tx, record, row, entrant)
    else:
        where = _through(record, row, status) or ("" if mine.match or mine.several else _unseated(tx, row, entrant))
    waits = status is not Status.ELIMINATED or where == _THIRD_PLACE
    wait = waits_for(tx, views.round_view(tx.conn, row.id)) if waits else ""
    first, *after = filter(None, (mine.what_to_do, where, wait))
    return replace(
        mine,
        what_to_do=first,
        after=tuple(after),
        until=row.deadline if waits and row.phase is RoundPhase.OPEN else None,
        undecided=status is Status.ACTIVE and row.stage is not Stage.FINALS,
    )


# -- whose season is over -------------------------------------------------------------------------------------------


def _over(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Return what to tell a player whose season is over, or who has left it; nothing to others."""
    season = tx.season
    match season.phase:
        case SeasonPhase.CANCELLED:
            return f"Season {season.number} was cancelled, so there's nothing left to play."
        case SeasonPhase.FINISHED:
            return f"Season {season.number} is over. {_at_the_end(tx, entrant)} /standings shows how it ended."
        case _:
            return "" if entrant.active else _gone(tx, entrant)


def _at_the_end(tx: ReadTransaction, entrant: EntrantRow) -> str:
    winner = tx.season.champion_id
    if winner == entrant.id:
        return "You won it."
    first = "No one" if winner is None else entrants.get(tx.conn, winner).called
    if not entrant.active:
        disqualified = entrant.departed is DepartureKind.DISQUALIFICATION
        return f"{'You were disqualified.' if disqualified else 'You left it.'} {first} won it."
    record = rules_season.load(tx.conn, tx.season.id)
    table = at_the_end(record, tuple(cached.table(tx.conn, tx.season).values()))
    own = next(line for line in table if line.name == entrant.name)
    return f"You came {ordinal(own.place or own.rank)}. {first} won it."


def _gone(tx: ReadTransaction, entrant: EntrantRow) -> str:
    number = tx.season.number
    if entrant.departed is DepartureKind.DISQUALIFICATION:
        return f"You were disqualified from season {number}. You can't come back this season."
    asked = entrants.waiting_request(tx.conn, entrant.id) is not None
    back = "You've asked to come back and will be told the answer." if asked else way_back(tx)
    return f"You've left season {number}. {back}"


# -- who has nothing to play ----------------------------------------------------------------------------------------

_THIRD_PLACE = "The match for third place comes with the final."


def _bye(row: RoundRow) -> str:
    if row.stage is not Stage.FINALS:
        return f"You have a bye in {row.words}: it counts as a win, and there's nothing for you to do."
    if row.name == FINAL:  # a finalist without an opponent has won already
        return "Third place is yours, because your opponent has left the season."
    return f"You have a bye in {row.words}: you're through to the next round without a match."


def _out(tx: ReadTransaction, record: Season, row: RoundRow, entrant: EntrantRow) -> str:
    """Tell a player who is out since when, or that they still play for third place."""
    since = out_since_round(tx, record, entrant)
    if since == row and plays_for_third_place(by_key(record.format), record):
        return _THIRD_PLACE
    bracket = ", /bracket" if tx.season.phase is SeasonPhase.FINALS else " and"
    return f"You've been out since {since.words}. /standings shows your place{bracket} who is still in."


def _through(record: Season, row: RoundRow, status: Status) -> str:
    """Tell a player how far they have got for sure; nothing while that's open."""
    if status is Status.CHAMPION:
        return "You've won this season."
    if row.stage is Stage.FINALS:
        return "You're through to the next round."
    if status is not Status.QUALIFIED or not by_key(record.format).plays_finals(record):
        return ""
    return "You're through to the finals, so you have no match until they start."


def _unseated(tx: ReadTransaction, row: RoundRow, entrant: EntrantRow) -> str:
    """Tell a player who is in the season but not in this round why, and when they play."""
    other = _other_there(tx, row, entrant)
    if other is not None:
        return f"{other.person or other.name} had your place in {row.words}. You play from the next round on."
    if row.stage is Stage.REGULAR and sat_out.in_round(tx.conn, entrant.id, row.number) is not None:
        return f"You sit out {row.words}: it counts as a loss."
    here = [planned for planned in calendar(tx.conn, tx.league, tx.season) if planned.number == row.number]
    if here and row.stage is Stage.REGULAR:
        unit = tx.settings.grouping.unit
        if any(group.has(entrant.id) for group in here[0].groups):
            return f"You rest in {row.words}: your {unit} has an odd number of players, so one rests each round."
        return f"You've played all your rounds. Larger {unit}s play on."
    left = entrants.last_departure(tx.conn, entrant.id)
    first = max(entrant.entered, left.rejoined or 0 if left else 0)
    later = f"You play from round {first} on." if first > row.number else "You're still in the season."
    return f"You have no match in {row.words}. {later}"


def _other_there(tx: ReadTransaction, row: RoundRow, entrant: EntrantRow) -> EntrantRow | None:
    """Return the seat of one who plays there from the next round on as another person had it in this one."""
    then = entrants.one_in_round(tx.conn, entrant.id, row.number)
    return None if then.person_id == entrant.person_id else then


def what_to_do(view: MatchView, actor: Actor) -> str:
    """Return the next step of a player in their match."""
    side = view.side_of(actor.user_id)
    match view.match.state:
        case MatchState.CONFIRMED:
            return "The result is confirmed. If it's wrong, ask a moderator."
        case MatchState.DISPUTED:
            report = None if side is None else view.report_of(side)
            concede = " To give your opponent the match, use /report result:lost."
            return (
                f"The moderators will decide and tell you.{'' if report and report.result is Result.LOST else concede}"
            )
        case MatchState.REPORTED if side is not None and view.reports[-1].entrant_id == side.id:
            return f"Waiting for {view.opponent_of(side).called} to confirm. Made a mistake? Report again."
        case MatchState.REPORTED:
            return "Press Confirm if that's right, Dispute if it isn't."
        case MatchState.OPEN if view.match.overdue_at is not None:
            return "The deadline has passed, so the moderators decide. If you have played, use /report now."
        case MatchState.OPEN:
            return "Played? One of you presses Report on the round's card, or uses /report."
