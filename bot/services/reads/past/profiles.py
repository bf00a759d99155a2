"""Who a player is in a league: titles, seasons, record, rating, best win, longest run, who they met and play next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import NotFound
from bot.league.season.phases import MatchState, SeasonPhase
from bot.league.summaries import careers
from bot.league.summaries.careers import Career, OwnSeason
from bot.league.summaries.tallies import Tally
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, read_transaction
from bot.services.matches import views
from bot.services.reads import looking_back
from bot.services.reads.looking_back import PastMeeting, RatingAfter
from storage.database import Connection
from storage.rows import EntrantRow, LeagueId, LeagueRow, PlayerId, PlayerRow
from storage.tables import audit, leagues, matches, rounds, seasons
from storage.tables.people import players


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
class Profile:
    """A player of a league; `reader` is the player who asks, if they are one, and `last` how the two met last.

    `seasons` are newest first; `names` says what those are called who shared a seat.
    `signed_up` is the season they are in that hasn't begun, `elsewhere` the other leagues of the server they are in.
    """

    league: LeagueRow
    player: PlayerRow
    former_names: tuple[str, ...]
    reader: PlayerRow | None
    seasons: tuple[OwnSeason, ...]
    names: Mapping[int, str]
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
        return tuple(season.number for season in self.seasons if season.champion)

    @property
    def tally(self) -> Tally:
        """All seasons together."""
        return sum((season.tally for season in self.seasons), Tally())

    @property
    def against_reader(self) -> Tally | None:
        """How the one who asks did against them; None where they never met."""
        tally = next(
            (opponent.tally for opponent in self.met if self.reader and opponent.opponent.id == self.reader.id), None
        )
        return None if tally is None else tally.seen_by_opponent


def profile(conn: Connection, order: Order, *, player: str | int | None = None) -> Profile:
    """Return a player's profile, by default the actor's; raises NotFound, for someone who was forgotten too."""
    tx = read_transaction(conn, order)
    player_row = _of(tx, find.own_name(conn, order) if player is None else player)
    career = looking_back.of_player(conn, player_row)
    everyone = {row.id: row for row in players.of_league(conn, tx.league.id)}
    met, best = career.against(), career.best_win()
    user_id = order.actor.user_id
    reader = None if user_id is None else players.by_discord(conn, tx.league.id, user_id)
    other = reader if reader is not None and reader.id != player_row.id else None
    theirs = Career() if other is None else looking_back.of_player(conn, other)
    last = None if other is None else met.get(other.id)
    row = tx.found = seasons.live(conn, tx.league.id)
    seat = None if row is None else find.seat_of(tx, player_row)
    return Profile(
        league=tx.league,
        player=player_row,
        former_names=players.former_names(conn, player_row),
        reader=reader,
        seasons=career.seasons[::-1],
        names={player: row.name for player, row in everyone.items()},
        met=tuple(Met(opponent=everyone[PlayerId(player)], tally=tally.tally) for player, tally in met.items()),
        longest=career.longest_run(),
        ratings=looking_back.ratings_of(career),
        best=None if best is None else _best(best, everyone),
        last=None if last is None else looking_back.meeting(last.last, career, theirs),
        next=None if seat is None else _next(tx, seat),
        signed_up=row.number if row and seat and row.phase is SeasonPhase.SIGNUP else None,
        elsewhere=_elsewhere(tx, player_row),
    )


def _of(tx: ReadTransaction, player: str | int) -> PlayerRow:
    row = find.player(tx, player)
    if audit.was_forgotten(tx.conn, tx.league.id, row.name):
        raise NotFound(f"{row.name} asked to be forgotten, so they have no profile.")
    return row


def meetings(conn: Connection, order: Order, *, player: str | int) -> Mapping[PlayerId, Sequence[PastMeeting]]:
    """Return every match of a player by the opponent, oldest first; raises as `profile` does."""
    player_row = _of(read_transaction(conn, order), player)
    own, careers_met = looking_back.of_player(conn, player_row), dict[int, Career]()
    met: dict[PlayerId, list[PastMeeting]] = {}
    for match in own.matches:
        opponent = PlayerId(match.opponent)
        if opponent not in careers_met:
            careers_met[opponent] = looking_back.of_player(conn, players.get(conn, opponent))
        met.setdefault(opponent, []).append(looking_back.meeting(match, own, careers_met[opponent]))
    return met


def _best(best: careers.BestWin, everyone: Mapping[PlayerId, PlayerRow]) -> BestWin:
    opponent = everyone[PlayerId(best.opponent)].name
    return BestWin(opponent=opponent, season=best.season, rating=best.rating, points=best.points)


def league_of_member(conn: Connection, order: Order, *, discord_id: int, channel_id: int) -> LeagueId | None:
    """Return the league in which to show a member's profile: the channel's, or the first they are in, if any."""
    guild_id = order.actor.guild_id or 0
    league_ids = [row.league_id for row in players.on_server(conn, guild_id, discord_id)]
    if not league_ids:
        return None
    here = find.of_channel(leagues.of_guild(conn, guild_id), channel_id)
    return next((row.id for row in here if row.id in league_ids), league_ids[0])


def _elsewhere(tx: ReadTransaction, player: PlayerRow) -> tuple[LeagueRow, ...]:
    if player.discord_id is None:
        return ()
    rows = players.on_server(tx.conn, tx.league.guild_id, player.discord_id)
    return tuple(leagues.get(tx.conn, row.league_id) for row in rows if row.league_id != tx.league.id)


def _next(tx: ReadTransaction, seat: EntrantRow) -> NextMatch | None:
    """Return the match of someone's seat in the round that is posted, while nobody has reported it."""
    row = rounds.latest(tx.conn, tx.season.id)
    match = None if row is None else matches.in_round(tx.conn, row.id, seat.id)
    if match is None or match.state is not MatchState.OPEN:
        return None
    view = views.match_view(tx.conn, match.id)
    return NextMatch(opponent=view.opponent_of(seat).called, place=view.place, deadline=view.deadline)


def of_account(conn: Connection, order: Order, *, discord_id: int) -> PlayerRow:
    """Return the player a Discord user is in a league; raises NotFound."""
    tx = read_transaction(conn, order)
    row = players.by_discord(conn, tx.league.id, discord_id)
    if row is None:
        raise NotFound(f"This person isn't in {tx.league.name} any more.")
    return row
