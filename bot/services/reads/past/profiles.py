"""Who a player is in a league: titles, seasons, record, rating, best win, longest run, who they met and play next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from bot.league.counting.ratings import ENOUGH_MATCHES, shown_rating
from bot.league.counting.seat_holders import matches_of_people
from bot.league.counting.standings import at_the_end
from bot.league.errors import NotFound
from bot.league.formats import by_key
from bot.league.season.match_score import Result, result_of, result_words
from bot.league.season.model import Kind, Match, Name, Season, Stage, Status
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base import counted, find
from bot.services.base.act import Look, look
from bot.services.base.order import Order
from bot.services.matches import views
from bot.services.reads import careers
from bot.services.reads.careers import OwnRated, PastMeeting, Played, RatingAfter
from storage.cache import kept
from storage.database import Connection
from storage.rows import EntrantRow, LeagueId, LeagueRow, PlayerId, PlayerRow, SeasonRow
from storage.tables import audit, entrants, leagues, matches, players, rounds, seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Wins, losses and draws."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        """Return both together."""
        return Tally(wins=self.wins + other.wins, losses=self.losses + other.losses, draws=self.draws + other.draws)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSeason:
    """A season of a player: their place among `of`, where the season has places and they have a result.

    `place` is that in the finals, `after` the round the table is of while the season is played.
    """

    number: int
    phase: SeasonPhase
    tally: Tally
    rank: int | None
    of: int
    place: int | None
    status: Status
    champion: bool
    after: str
    shared_with: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """An opponent, and how the player did against them."""

    opponent: PlayerRow
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class BestWin:
    """The win over the player rated highest above the winner, or, without `points`, over the highest rated one."""

    opponent: str
    season: int
    rating: int
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMatch:
    """The match a player still has to play in the round that is posted."""

    opponent: str
    place: str
    deadline: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Past:
    """What the seasons of a player say, newest first; it is the same for everyone who asks."""

    seasons: tuple[PastSeason, ...] = ()
    met: tuple[Met, ...] = ()
    longest: int = 0
    ratings: tuple[RatingAfter, ...] = ()
    best: BestWin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A player of a league; `reader` is the player who asks, if they are one, and `last` how the two met last.

    `signed_up` is the season they are in that hasn't begun, `elsewhere` the other leagues of the server they are in.
    """

    league: LeagueRow
    player: PlayerRow
    former_names: tuple[str, ...]
    reader: PlayerRow | None
    seasons: tuple[PastSeason, ...]
    met: tuple[Met, ...]
    longest: int
    ratings: tuple[RatingAfter, ...]
    best: BestWin | None
    last: PastMeeting | None
    next: NextMatch | None
    signed_up: int | None
    elsewhere: tuple[LeagueRow, ...]

    @property
    def own(self) -> bool:
        """Whether they ask for themselves."""
        return self.reader is not None and self.reader.id == self.player.id

    @property
    def titles(self) -> tuple[int, ...]:
        """The seasons they won, newest first."""
        return tuple(one.number for one in self.seasons if one.champion)

    @property
    def tally(self) -> Tally:
        """All seasons together."""
        return sum((one.tally for one in self.seasons), Tally())

    @property
    def against_reader(self) -> Tally | None:
        """How the one who asks did against them; None where they never met."""
        found = next((one.tally for one in self.met if self.reader and one.opponent.id == self.reader.id), None)
        return None if found is None else Tally(wins=found.losses, losses=found.wins, draws=found.draws)


def profile(conn: Connection, order: Order, *, player: str | int | None = None) -> Profile:
    """Return a player's profile, by default the actor's; raises NotFound, for someone who was forgotten too."""
    see = look(conn, order)
    who = find.player(see, find.own_name(conn, order) if player is None else player)
    if audit.was_forgotten(conn, see.league.id, who.name):
        raise NotFound(f"{who.name} asked to be forgotten, so they have no profile.")
    rows = seasons.of_player(conn, see.league.id, who.id)
    past = _past(conn, rows, who) if rows else _Past()
    user_id = order.actor.user_id
    reader = None if user_id is None else players.by_discord(conn, see.league.id, user_id)
    other = reader if reader is not None and reader.id != who.id else None
    row = see.found = seasons.live(conn, see.league.id)
    seat = None if row is None else find.seat_of(see, who)
    return Profile(
        league=see.league,
        player=who,
        former_names=players.former_names(conn, who),
        reader=reader,
        seasons=past.seasons,
        met=past.met,
        longest=past.longest,
        ratings=past.ratings,
        best=past.best,
        last=None if other is None else _last(conn, rows, who, other),
        next=None if seat is None else _next(see, seat),
        signed_up=row.number if row and seat and row.phase is SeasonPhase.SIGNUP else None,
        elsewhere=_elsewhere(see, who),
    )


def _last(conn: Connection, rows: Sequence[SeasonRow], one: PlayerRow, other: PlayerRow) -> PastMeeting | None:
    """Return the newest match of two players that has a result."""
    for row in reversed(rows):
        for met in reversed(careers.meetings_of(conn, (row,), one, other)):
            if met.result != result_words(Kind.OPEN, winner=None, games=None):
                return met
    return None


def league_of_member(conn: Connection, order: Order, *, discord_id: int, channel_id: int) -> LeagueId | None:
    """Return the league in which to show a member's profile: the channel's, or the first they are in, if any."""
    guild_id = order.actor.guild_id or 0
    there = [row.league_id for row in players.on_server(conn, guild_id, discord_id)]
    if not there:
        return None
    here = find.of_channel(leagues.of_guild(conn, guild_id), channel_id)
    return next((row.id for row in here if row.id in there), there[0])


def _elsewhere(see: Look, who: PlayerRow) -> tuple[LeagueRow, ...]:
    if who.discord_id is None:
        return ()
    there = players.on_server(see.conn, see.league.guild_id, who.discord_id)
    return tuple(leagues.get(see.conn, row.league_id) for row in there if row.league_id != see.league.id)


def _next(see: Look, seat: EntrantRow) -> NextMatch | None:
    """Return the match of someone's seat in the round that is posted, while nobody has reported it."""
    row = rounds.latest(see.conn, see.season.id)
    match = None if row is None else matches.in_round(see.conn, row.id, seat.id)
    if match is None or match.state is not MatchState.OPEN:
        return None
    view = views.match_view(see.conn, match.id)
    return NextMatch(opponent=view.opponent_of(seat).called, place=view.place, deadline=view.deadline)


def _past(conn: Connection, rows: Sequence[SeasonRow], who: PlayerRow) -> _Past:
    def worked_out() -> _Past:
        begun = careers.begun(conn, rows, who)
        own = [(one, _own_matches(one, who.id)) for one in begun]
        results = [result_of(match, name) for _, ended in own for match, name in ended]
        runs = (len(list(run)) for result, run in groupby(results) if result is Result.WON)
        return _Past(
            seasons=tuple(_season(conn, one, who, ended) for one, ended in reversed(own)),
            met=_met(conn, who, own),
            longest=max(runs, default=0),
            ratings=careers.ratings_of(conn, who),
            best=_best_win(careers.course_of(conn, who)),
        )

    return kept(conn, rows[-1].id, f"profile of {who.id}", worked_out, size=lambda past: len(past.met) + 1)


OwnMatch = tuple[Match, Name]
"""A match that has a result, under the names of those who played it, and which of them it is about."""


def _own_matches(played: Played, player_id: PlayerId) -> list[OwnMatch]:
    """Return a player's matches of a season that have a result, in order."""
    names = {name for name, known in played.ids.items() if known == player_id}
    return [
        (match, name)
        for round_ in played.season.rounds
        for match in matches_of_people(played.season, round_)
        if match.kind is not Kind.OPEN
        for name in match.players
        if name in names
    ]


def _tally(ended: Sequence[OwnMatch]) -> Tally:
    """Count matches; a double loss is one."""
    return sum((_counted(match, name) for match, name in ended), Tally())


def _counted(match: Match, name: Name) -> Tally:
    if match.drawn:
        return Tally(draws=1)
    return Tally(wins=1) if match.winner == name else Tally(losses=1)


def _season(conn: Connection, played: Played, who: PlayerRow, ended: Sequence[OwnMatch]) -> PastSeason:
    """Return a player's season: its line of the table, or only their own matches where they shared a seat."""
    row, season, line = played.row, played.season, careers.line(conn, played, who.id)
    found, over = line.standing, row.phase is SeasonPhase.FINISHED
    if over:
        table = at_the_end(season, tuple(counted.table(conn, row).values()))
        at_end = next(one for one in table if one.name == found.name)
        found = replace(at_end, place=found.place)
    tally = Tally(wins=found.wins, losses=found.losses, draws=found.draws)
    if line.shared_with:
        tally = _tally(ended)
    elif not over and any(round_.stage is Stage.REGULAR for round_ in season.rounds):
        tally += _in_finals(season, found.name)
    ranked = by_key(row.format).paired and row.phase is not SeasonPhase.CANCELLED and tally != Tally()
    winner = None if row.champion_id is None else entrants.get(conn, row.champion_id)
    last = next((one for one in reversed(season.rounds) if one.finished), None)
    return PastSeason(
        number=season.number,
        phase=row.phase,
        tally=tally,
        rank=found.rank if ranked else None,
        of=len(season.entrants),
        place=found.place,
        status=found.status,
        champion=winner is not None and winner.person_id == who.id,
        after=f"after round {last.number}" if last and not over and last.stage is Stage.REGULAR else "",
        shared_with=line.shared_with,
    )


def _in_finals(season: Season, name: Name) -> Tally:
    """Count a player's matches in finals that are being played, which the table doesn't have before the end."""
    finals = [match for round_ in season.rounds if round_.stage is Stage.FINALS for match in round_.matches]
    return _tally([(match, name) for match in finals if match.kind is not Kind.OPEN and name in match.players])


def _met(conn: Connection, who: PlayerRow, own: Sequence[tuple[Played, Sequence[OwnMatch]]]) -> tuple[Met, ...]:
    """Return everyone a player has a result against, those they met most often first."""
    tallies: dict[PlayerId, Tally] = {}
    for played, ended in own:
        for match, name in ended:
            other = played.ids[match.opponent_of(name)]
            tallies[other] = tallies.get(other, Tally()) + _counted(match, name)
    known = {row.id: row for row in players.of_league(conn, who.league_id)}
    found = [Met(opponent=known[other], tally=tally) for other, tally in tallies.items()]
    most = sorted(found, key=lambda one: (-(one.tally.wins + one.tally.losses + one.tally.draws), one.opponent.name))
    return tuple(most)


def _best_win(course: Sequence[OwnRated]) -> BestWin | None:
    """Return the best win: over the one rated highest above the player, once neither rating was provisional.

    Without one it's that over the highest rated opponent.
    """
    wins = [(at, one) for at, one in enumerate(course) if one.won]
    if not wins:
        return None
    shown = [(_shown(one, theirs=True), _shown(one, theirs=False), at, one) for at, one in wins]
    above = [
        (their - own, their, one)
        for their, own, at, one in shown
        if their > own and min(at, one.their_matches) >= ENOUGH_MATCHES
    ]
    if above:
        points, rating, one = max(above, key=lambda found: found[:2])
        return BestWin(opponent=one.opponent, season=one.season, rating=rating, points=points)
    rating, _, _, one = max(shown, key=lambda found: found[0])
    return BestWin(opponent=one.opponent, season=one.season, rating=rating, points=None)


def _shown(match: OwnRated, *, theirs: bool) -> int:
    return shown_rating(match.theirs if theirs else match.before, match.scale, 0).value


def of_account(conn: Connection, order: Order, *, discord_id: int) -> PlayerRow:
    """Return the player a Discord user is in a league; raises NotFound."""
    see = look(conn, order)
    row = players.by_discord(conn, see.league.id, discord_id)
    if row is None:
        raise NotFound(f"This person isn't in {see.league.name} any more.")
    return row
