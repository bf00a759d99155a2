"""A season as tables to take along: standings, matches, rounds and people, as everyone is shown them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.exporters.sheets import Cell, Sheet
from bot.league.checking.by_hand import is_by_organiser
from bot.league.counting.ratings import ShownRating
from bot.league.counting.table_columns import cells, further
from bot.league.season.match_score import typed_score
from bot.league.season.model import DepartureKind, Kind, Name, Stage, Status
from bot.league.season.phases import MatchState
from bot.league.summaries.outlook.prospects import Verdict
from bot.league.summaries.season_table import TableRow
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, numbered, read_transaction
from bot.services.matches import views
from bot.services.matches.days_played import days_played
from bot.services.matches.views import MatchView, RoundView
from bot.services.reads import tables
from bot.services.reads.tables import StandingsView
from storage.database import Connection
from storage.rows import DepartureRow, EntrantId, EntrantRow, MatchId
from storage.rules_season import settings_of
from storage.tables import rounds, times
from storage.tables.field import entrants, sat_out, substitutions

STATUS: dict[Status, str] = {
    Status.ACTIVE: "",
    Status.QUALIFIED: "in the finals",
    Status.ELIMINATED: "out",
    Status.CHAMPION: "champion",
    Status.DROPPED: "dropped",
    Status.DISQUALIFIED: "disqualified",
}
_VERDICTS = {Verdict.IN: "sure of the finals", Verdict.OUT: "out", Verdict.OPEN: ""}
_HOW = {Kind.DOUBLE_LOSS: "double loss", Kind.OPEN: ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A season as it's taken along: its table, its rounds, its people, who is asked about times of open matches.

    `days` are when matches were played.
    """

    standings: StandingsView
    rounds: tuple[RoundView, ...]
    people: tuple[EntrantRow, ...]
    departures: tuple[DepartureRow, ...]
    sat_out: tuple[tuple[EntrantId, int], ...]
    asked: dict[MatchId, tuple[str, ...]]
    days: Mapping[MatchId, str]

    @property
    def name(self) -> str:
        """The name to save it under, without an ending; nothing of it comes from people."""
        return f"fairpair-season-{self.standings.season.number}"


def taken(conn: Connection, order: Order, *, season_number: int | None = None) -> Taken:
    """Return a season, by default the newest, for an organiser; raises NotAllowed and NotFound."""
    tx = read_transaction(conn, order, numbered(season_number), by=ORGANISER)
    # In a season without substitutes the same people sit in every round.
    people = None if substitutions.of_season(tx.conn, tx.season.id) else views.people_of(tx.conn, tx.season)
    posted = [views.round_view(tx.conn, row.id, people) for row in rounds.published(tx.conn, tx.season.id)]
    open_ = {view.match.id: view for round_ in posted for view in round_.matches if view.match.state is MatchState.OPEN}
    asked: dict[MatchId, tuple[str, ...]] = {}
    for row in times.waiting_proposals(tx.conn, list(open_)):
        view = open_[row.match_id]
        if order.now < row.moments[-1] and view.match.agreed_at is None:
            opponent = view.opponent_of(view.side(row.entrant_id)).called
            asked[row.match_id] = (*asked.get(row.match_id, ()), opponent)
    return Taken(
        standings=tables.standings_of(tx.conn, tx.season.id, order.now),
        rounds=tuple(posted),
        people=entrants.of_season(tx.conn, tx.season.id),
        departures=entrants.departures_of(tx.conn, tx.season.id),
        sat_out=tuple((row.entrant_id, row.round) for row in sat_out.of_season(tx.conn, tx.season.id)),
        asked=asked,
        days={match_id: day.isoformat() for match_id, day in days_played(tx, tx.season.id).items()},
    )


def sheets(taken: Taken) -> tuple[Sheet, ...]:
    """Return a season as tables."""
    return (_standings(taken.standings), _matches(taken), _rounds(taken), _people(taken))


def _standings(view: StandingsView) -> Sheet:
    """Return the table: before the first result the ranks mean nothing, so there are none."""
    unit = settings_of(view.season).grouping.unit
    grouped = (unit, f"place in the {unit}") if _has_groups(view) else ()
    return Sheet(
        name="standings",
        titles=(
            *("rank", "moved up", "player", *grouped, "wins", "losses", "draws", "byes", "points"),
            *(column.meaning for column in further(view.columns)),
            *("rating", "uncertainty", "provisional", "place in the finals", "status", "goes on", "tied, by the draw"),
        ),
        rows=tuple(_standing(view, at, row) for at, row in enumerate(view.rows, start=1)),
    )


def _has_groups(view: StandingsView) -> bool:
    return any(group.table.called for group in view.groups)


def _in_group(view: StandingsView, row: TableRow) -> tuple[Cell, ...]:
    """Return a player's group and their place in it; nothing in a season without groups."""
    number, place = row.standing.group, row.standing.group_rank
    if not _has_groups(view) or number is None:
        return ("", None) if _has_groups(view) else ()
    return view.groups[number - 1].table.called, place if view.begun else None


def _standing(view: StandingsView, at: int, row: TableRow) -> tuple[Cell, ...]:
    line = row.standing
    cut = "" if view.cut_after is None else _yes(at <= view.cut_after)
    return (
        *(line.rank if view.begun else None, row.movement, row.called, *_in_group(view, row)),
        *(line.wins, line.losses, line.draws, line.byes, line.points),
        *(_number(cell) if cell else None for cell in cells(line, further(view.columns))),
        *_rating(row.rating),
        *(line.place, STATUS[line.status] or _VERDICTS[row.verdict], cut, _yes(bool(row.drawn))),
    )


def _number(printed_: str) -> int | float:
    return float(printed_) if "." in printed_ else int(printed_)


def _rating(rating: ShownRating | None) -> tuple[Cell, ...]:
    return (None, None, "") if rating is None else (rating.value, rating.uncertainty, _yes(rating.provisional))


def _yes(so: bool) -> str:
    return "yes" if so else ""


def _matches(taken: Taken) -> Sheet:
    """Return a line for each match and bye, under the names of who played it, as `/league import` reads it too."""
    season, settings = taken.standings.season.number, settings_of(taken.standings.season)
    scores, unit = settings.scores, settings.grouping.unit
    numbers = ("games", "score") if scores else ("score",)
    groups = _groups_of(taken.standings)
    return Sheet(
        name="matches",
        titles=(
            *("season", "round", "stage", *((unit,) if groups else ()), "match", "player", "opponent", "winner"),
            *(*numbers, "how", "date", "confirmation"),
            *("agreed (UTC)", "deadline (UTC)", "waits for", "rematch", "changed by an organiser"),
            *("seat of the player", "seat of the opponent"),
        ),
        rows=tuple(row for round_ in taken.rounds for row in _round(season, round_, taken, groups, scores=scores)),
    )


def _groups_of(view: StandingsView) -> dict[str, str]:
    """Return what the group of each seat is called; nothing in a season without groups."""
    return {row.standing.name: group.table.called for group in view.groups if group.table.called for row in group.rows}


def _round(
    season: int | None, round_: RoundView, taken: Taken, groups: Mapping[str, str], *, scores: bool
) -> Iterator[tuple[Cell, ...]]:
    row, by_hand = round_.round, _yes(is_by_organiser(round_.round.by_hand))
    for view in round_.matches:
        winner, how = _result(view)
        games, score = (typed_score(pair).strip() for pair in view.match.scoreline)
        group = groups.get(view.upper.name, "") if row.stage is Stage.REGULAR else ""
        yield (
            *(season, row.number, row.name, *((group,) if groups else ()), view.match.name or str(view.match.position)),
            *(_person_in(view.upper), _person_in(view.lower), winner),
            *(games, *((score,) if scores else ()), how, taken.days.get(view.match.id, ""), _state(view)),
            *(view.match.agreed_at, view.deadline, ", ".join(_waits(view, taken)), _yes(view.match.rematch), by_hand),
            *(_other_seat(view.upper), _other_seat(view.lower)),
        )
    for bye in round_.byes:
        yield (
            *(season, row.number, row.name, *(("",) if groups else ()), "", _person_in(bye), "bye", "", ""),
            *(*(("",) if scores else ()), "bye"),
            *("", "", None, None, "", "", by_hand),
            *(_other_seat(bye), ""),
        )


def _person_in(seat: EntrantRow) -> str:
    return seat.person or seat.name


def _other_seat(seat: EntrantRow) -> str:
    """Return in whose seat a substitute plays; nothing for all others."""
    return seat.name if seat.person else ""


def _state(view: MatchView) -> str:
    return f"{view.match.state}, season cancelled" if view.stopped else view.match.state


def _result(view: MatchView) -> tuple[str, str]:
    """Return who won, and how it came about: open while there's no result."""
    if view.match.state is not MatchState.CONFIRMED:
        return "", Kind.OPEN.value
    kind, winner = view.match.kind, next((side for side in view.sides if side.id == view.match.winner_id), None)
    drawn = "" if kind is Kind.DOUBLE_LOSS else "draw"
    return drawn if winner is None else _person_in(winner), _HOW.get(kind, kind.value)


def _waits(view: MatchView, taken: Taken) -> tuple[str, ...]:
    """Return who has to answer a report, or times that were proposed."""
    if view.match.state is MatchState.REPORTED and not view.stopped:
        return (view.asked.called,)
    return taken.asked.get(view.match.id, ())


def _rounds(taken: Taken) -> Sheet:
    """Return a line for each round, with what holds for all its matches."""
    return Sheet(
        name="rounds",
        titles=(
            *("season", "round", "stage", "part", "state", "best of", "deadline (UTC)", "sitting out"),
            "changed by an organiser",
        ),
        rows=tuple(
            (
                *(taken.standings.season.number, view.round.number, view.round.name, view.round.stage),
                *(view.round.phase, view.best_of, view.round.deadline),
                ", ".join(entrant.called for entrant in view.sitting_out),
                view.round.by_hand if is_by_organiser(view.round.by_hand) else None,
            )
            for view in taken.rounds
        ),
    )


def _people(taken: Taken) -> Sheet:
    """Return a line for each seat, with who sits there now and when they came and went."""
    ratings = {row.standing.name: row.rating for row in taken.standings.rows}
    return Sheet(
        name="people",
        titles=(
            *("player", "played by", "formerly", "seed", "first round", "left in round", "how they left", "back in"),
            *("sits out rounds", "rating", "uncertainty", "provisional"),
        ),
        rows=tuple(_person(person, taken, ratings.get(Name(person.name))) for person in taken.people),
    )


def _person(person: EntrantRow, taken: Taken, rating: ShownRating | None) -> tuple[Cell, ...]:
    left = next((row for row in reversed(taken.departures) if row.entrant_id == person.id), None)
    how = {DepartureKind.DROP: "dropped", DepartureKind.DISQUALIFICATION: "disqualified"}
    return (
        *(person.name, person.person or person.name, ", ".join(person.former_names), person.seed, person.entered),
        *((None, "", None) if left is None else (left.round, how[left.kind], left.rejoined)),
        ", ".join(str(number) for entrant, number in taken.sat_out if entrant == person.id),
        *_rating(rating),
    )
