"""What everyone is shown of a season and a league: standings with movement and the cut, the bracket, the ratings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.league.bracket.whole_tree import TreeMatch
from bot.league.checking.by_hand import by_hand_words
from bot.league.counting.ratings import (
    Carried,
    ShownRating,
    new_rating,
    ranking_value,
    ratings_of_the_table,
    season_ratings,
    shown_rating,
)
from bot.league.counting.standings import Standing, at_the_end, cut_after
from bot.league.counting.table_columns import Column, columns
from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.formats.shared.groups import GroupTable
from bot.league.season.model import Match, Name, Season, Stage, Status
from bot.league.season.phases import MatchState, SeasonPhase
from bot.league.season.settings import SeasonSettings
from bot.league.summaries.outlook.prospects import Outlook
from bot.league.summaries.season_table import SeasonTable, TableRow, with_verdicts
from bot.services.base import cached
from bot.services.base.order import Order, by_bot
from bot.services.base.transaction import ReadTransaction, numbered, read_transaction
from bot.services.matches import views
from bot.services.matches.views import RoundView
from storage import rated_seasons
from storage.cache import memoized
from storage.database import Connection
from storage.rated_seasons import EVERY_SEASON
from storage.rows import LeagueRow, PlayerId, RoundRow, SeasonId, SeasonRow
from storage.tables import matches, rounds, seasons
from storage.tables.field import entrants
from storage.tables.people import players


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A group before the finals: its rows with their places in it, and its matches.

    `reported` are those without a confirmed result that someone has reported; `resting` have no match in the round
    that is being played. Before the first result the rows are in the order of the players' numbers.
    """

    table: GroupTable
    rows: tuple[TableRow, ...]
    matches: Mapping[frozenset[Name], tuple[Match | None, ...]]
    reported: frozenset[tuple[Name, Name]]
    resting: tuple[str, ...]
    cut_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsView(SeasonTable):
    """A season's table with its columns, and its groups if it has some.

    `own` is what the person who asks is called in this season, `by_hand` says which rounds were changed by hand, and
    `champion` who won.
    """

    season: SeasonRow
    league: LeagueRow
    latest: RoundRow | None
    columns: tuple[Column, ...]
    own: str | None
    by_hand: str
    settings: SeasonSettings
    champion: str | None = None
    groups: tuple[GroupView, ...] = ()

    @property
    def only_recorded(self) -> bool:
        """Return whether the season was played elsewhere, by rules that aren't known."""
        return not by_key(self.season.format).paired

    @property
    def own_group(self) -> int | None:
        """Return the number of the group of the person who asks."""
        return next((g.table.number for g in self.groups if any(row.called == self.own for row in g.rows)), None)

    @property
    def in_finals(self) -> bool:
        """Return whether the finals have begun."""
        return self.latest is not None and self.latest.stage is Stage.FINALS


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketView:
    """The finals of a season, round by round and as a whole tree, with the seeds where there are any.

    `called` is what people call each player now.
    """

    season: SeasonRow
    league: LeagueRow
    rounds: tuple[RoundView, ...]
    tree: tuple[TreeMatch, ...]
    seeds: Mapping[Name, int]
    called: Mapping[Name, str]
    champion: str | None
    own: str | None


def standings(conn: Connection, order: Order, *, number: int | None = None) -> StandingsView:
    """Return a season's standings, by default the newest's; once it is over the champion leads. Raises NotFound."""
    tx = read_transaction(conn, order, numbered(number))
    return _standings(tx)


def standings_of(conn: Connection, season_id: SeasonId, now: datetime) -> StandingsView:
    """Return the standings of a season, for a post."""
    return _standings(read_transaction(conn, by_bot(now), season_id=season_id))


def _standings(tx: ReadTransaction) -> StandingsView:
    row, season = tx.season, cached.complete(tx.conn, tx.season)
    rows, going_on = _counted(tx, season)
    if row.phase is SeasonPhase.CANCELLED:
        going_on = ()  # there are no finals to come
    return StandingsView(
        season=row,
        league=tx.league,
        latest=rounds.latest(tx.conn, row.id),
        rows=rows,
        columns=columns([line.standing for line in rows], by_key(row.format).named_tiebreaks),
        begun=_begun(season),
        all_in=bool(season.rounds) and all(round_.finished for round_ in season.rounds),
        cut_after=cut_after([line.standing for line in rows], going_on),
        going_on=len(going_on),
        own=_own(tx),
        by_hand=by_hand_words(season),
        settings=season.settings,
        champion=None if row.champion_id is None else entrants.get(tx.conn, row.champion_id).called,
        groups=tuple(_groups(tx, season, rows, going_on)),
    )


def _groups(
    tx: ReadTransaction, season: Season, rows: Sequence[TableRow], going_on: Collection[Name]
) -> Iterator[GroupView]:
    """Yield the groups, with the results before the finals alone."""
    group_tables = by_key(season.format).group_tables(season)
    if not group_tables:
        return
    lines, own, begun = (
        cached.shown_table(tx.conn, tx.season),
        {row.standing.name: row for row in rows},
        _begun(season),
    )
    names = {entrant.id: Name(entrant.name) for entrant in entrants.of_season(tx.conn, tx.season.id)}
    reported = frozenset(
        (names[match.upper_id], names[match.lower_id])
        for match in matches.of_season(tx.conn, tx.season.id)
        if match.state in (MatchState.REPORTED, MatchState.DISPUTED)
    )
    last = season.rounds[-1]
    playing = last.stage is Stage.REGULAR and not last.finished
    for table in group_tables:
        placed = [
            replace(own[name], standing=replace(lines[name], rank=place), movement=None)
            for place, name in enumerate(table.order if begun else table.numbers, start=1)
        ]
        yield GroupView(
            table=table,
            rows=tuple(placed),
            matches=table.matches(season),
            reported=reported,
            resting=tuple(own[name].called for name in table.resting(last)) if playing else (),
            cut_after=cut_after([row.standing for row in placed], going_on),
        )


def _counted(tx: ReadTransaction, season: Season) -> tuple[tuple[TableRow, ...], tuple[Name, ...]]:
    """Return the rows, and who goes on to the finals as it stands."""

    def count() -> tuple[tuple[TableRow, ...], tuple[Name, ...]]:
        matches = rated_seasons.matches_of(tx.conn, tx.league.id)
        people = entrants.of_season(tx.conn, tx.season.id)
        called = {Name(person.name): person.called for person in people}
        counts = {Name(person.name): matches.get(person.person_id, 0) for person in people}
        table = tuple(cached.shown_table(tx.conn, tx.season).values())
        return _table(season, table, called, counts, over=tx.season.phase is SeasonPhase.FINISHED)

    return memoized(tx.conn, tx.season.id, "rows", count, size=lambda rows: len(rows[0]))


def judged(view: StandingsView, outlook: Outlook) -> StandingsView:
    """Return a table with who is sure of the finals, and who can't reach them."""
    verdicts = outlook.verdicts
    groups = tuple(replace(group, rows=with_verdicts(group.rows, verdicts)) for group in view.groups)
    return replace(view, rows=with_verdicts(view.rows, verdicts), groups=groups)


def _own(tx: ReadTransaction) -> str | None:
    user_id = tx.actor.user_id
    row = None if user_id is None else entrants.by_discord(tx.conn, tx.season.id, user_id)
    return None if row is None or row.discord_id != user_id else row.called


def _begun(season: Season) -> bool:
    return any(match.rated or match.winless for round_ in season.rounds for match in round_.matches)


def _table(
    season: Season, table: Sequence[Standing], called: Mapping[Name, str], matches: Mapping[Name, int], *, over: bool
) -> tuple[tuple[TableRow, ...], tuple[Name, ...]]:
    """Return the rows, and who goes on to the finals as it stands."""
    format_, scale = by_key(season.format), season.settings.rating
    ratings, new = season_ratings(season) if over else ratings_of_the_table(season), new_rating(scale)
    begun = _begun(season)
    before = _ranks_before(season) if begun and not over else {}
    if over:
        table = at_the_end(season, table)
        if not format_.plays_finals(season):  # the rules say `qualified` of everyone still in, people read it as finals
            table = [replace(row, status=Status.ACTIVE) if row.status is Status.QUALIFIED else row for row in table]
    elif not begun:
        table = sorted(table, key=lambda row: row.name.casefold())
    drawn = format_.drawn_places(season) if begun and not over else {}
    rows = (
        TableRow(
            standing=row,
            called=called[row.name],
            movement=before[row.name] - row.rank if row.name in before else None,
            rating=None if rating == new else shown_rating(rating, scale, matches[row.name]),
            drawn=drawn.get(row.name, ""),
        )
        for row in table
        for rating in (ratings[row.name],)
    )
    return tuple(rows), format_.finalists_now(season) if begun and not over else ()


def _ranks_before(season: Season) -> dict[Name, int]:
    """Return everyone's rank after the round before the last finished one; in the finals nobody moves.

    Nor where all rounds are played at once: none of them is the last.
    """
    finished = [round_.number for round_ in season.rounds if round_.finished]
    together = season.settings.schedule.open_together
    if together or len(finished) < 2 or season.finals_begun:
        return {}
    earlier = replace(season, rounds=tuple(round_ for round_ in season.rounds if round_.number < finished[-1]))
    return {row.name: row.rank for row in by_key(season.format).standings(earlier)}


def bracket(conn: Connection, order: Order, *, number: int | None = None) -> BracketView:
    """Return a season's finals, by default the newest's; raises NotFound while there are none."""
    tx = read_transaction(conn, order, numbered(number))
    return _bracket(tx)


def bracket_of(conn: Connection, season_id: SeasonId, now: datetime) -> BracketView | None:
    """Return the finals of a season, for a post; None while there are none."""
    try:
        return _bracket(read_transaction(conn, by_bot(now), season_id=season_id))
    except NotFound:
        return None


def _bracket(tx: ReadTransaction) -> BracketView:
    row = tx.season
    finals = [round_ for round_ in rounds.published(tx.conn, row.id) if round_.stage is Stage.FINALS]
    if not finals:
        raise NotFound(_no_bracket(tx))
    season, format_ = cached.complete(tx.conn, row), by_key(row.format)
    return BracketView(
        season=row,
        league=tx.league,
        rounds=tuple([views.round_view(tx.conn, round_.id) for round_ in finals]),
        tree=format_.tree(season),
        seeds=format_.seeds(season),
        called={Name(entrant.name): entrant.called for entrant in entrants.of_season(tx.conn, row.id)},
        champion=None if row.champion_id is None else entrants.get(tx.conn, row.champion_id).called,
        own=_own(tx),
    )


def _no_bracket(tx: ReadTransaction) -> str:
    """Say why a season has no bracket; how many go on is only known once the field is."""
    row = tx.season
    if not by_key(row.format).paired:
        unknown = f"Season {row.number} was recorded elsewhere, so its bracket isn't known."
        return f"{unknown} /standings season:{row.number} shows wins and losses, and who won if that's known."
    if row.phase in (SeasonPhase.FINISHED, SeasonPhase.CANCELLED):
        return f"Season {row.number} has no bracket. /standings season:{row.number} shows how it ended."
    record = cached.complete(tx.conn, row)
    if (record.rounds or record.settings.cut == 0) and not by_key(row.format).plays_finals(record):
        return "This season has no finals. /standings shows the table, /rules who wins the season."
    return f"Season {row.number} has no bracket yet. /standings shows the table, /rules who goes on to the finals."


def numbers(conn: Connection, order: Order) -> tuple[int, ...]:
    """Return the numbers of a league's seasons, newest first, for autocomplete."""
    tx = read_transaction(conn, order)
    return seasons.numbers(tx.conn, tx.league.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A player with a rating, and how many rated matches it rests on."""

    name: str
    rating: ShownRating
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingView:
    """The players of a league with a rated match, the best rating first; `own` is the name of the person who asks."""

    league: LeagueRow
    players: tuple[Ranked, ...]
    own: str | None


def ranking(conn: Connection, order: Order) -> RankingView:
    """Return the ratings of a league's players."""
    tx = read_transaction(conn, order)
    taken = cached.taken_out(tx.conn, tx.league.id, EVERY_SEASON)
    names = {row.id: Name(row.name) for row in players.of_league(tx.conn, tx.league.id)}
    own = None if order.actor.user_id is None else players.by_discord(tx.conn, tx.league.id, order.actor.user_id)
    return RankingView(league=tx.league, players=_ranked(taken, names), own=None if own is None else own.name)


def _ranked(taken: Carried[PlayerId], names: Mapping[PlayerId, Name]) -> tuple[Ranked, ...]:
    values = {player: ranking_value(taken.ratings[player]) for player in taken.matches}
    return tuple(
        Ranked(
            name=names[player],
            rating=shown_rating(taken.ratings[player], taken.scale, taken.matches[player]),
            matches=taken.matches[player],
        )
        for player in sorted(values, key=lambda player: (-values[player], names[player]))
    )
