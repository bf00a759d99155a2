"""Loading what posts about ties and live clocks have to show."""

from datetime import UTC, datetime, timedelta

from bot.league.formats.swiss.organiser_ties import Tie, seats
from bot.league.model import Name
from bot.league.phases import MatchState
from bot.services.outbox.kinds import ClockPost, TieMatchPost, TiePost
from storage import entrants, leagues, matches, rounds, rules_season, seasons, ties
from storage.database import Connection
from storage.rows import PostRow, RoundId, SeasonRow, TieId, TieRow


def tie_words(tie: Tie | TieRow) -> str:
    """Return who is equal for what, in plain words."""
    names = ", ".join(tie.names[:-1]) + f" and {tie.names[-1]}"
    places = f"{tie.first} {'and' if len(tie.names) == 2 else 'to'} {tie.first + len(tie.names) - 1}"
    at_stake = f"{tie.going_on} enter the finals" if tie.going_on else "the first wins the season"
    return f"{names} are equal in everything, for places {places}; {at_stake}."


def silent_at(row: TieRow, season: SeasonRow) -> datetime | None:
    """Return when the draw stands because nobody answered; None while a tie-break match is played."""
    hours = rules_season.settings_of(season).confirm_hours
    return None if row.match_at is not None else row.asked_at + timedelta(hours=hours)


async def tie(conn: Connection, post: PostRow) -> TiePost:
    """Load a question about a tie."""
    row = await ties.get(conn, TieId(int(post.facts["tie_id"])))
    season = await seasons.get(conn, row.season_id)
    return TiePost(
        league=await leagues.get(conn, season.league_id),
        season=season,
        tie=row,
        text=tie_words(row),
        silent_at=silent_at(row, season),
    )


async def tie_match(conn: Connection, post: PostRow) -> TieMatchPost:
    """Load a tie-break match with its seats."""
    row = await ties.get(conn, TieId(int(post.facts["tie_id"])))
    season = await seasons.get(conn, row.season_id)
    record = await rules_season.load(conn, season.id)
    ids = {entrant.name: entrant.discord_id for entrant in await entrants.of_season(conn, season.id)}
    names = tuple(Name(name) for name in row.names)
    found = [ids.get(name) for name in names]
    return TieMatchPost(
        league=await leagues.get(conn, season.league_id),
        season=season,
        tie=row,
        seats=seats(record, row.after_round, names),
        ping_ids=tuple(id_ for id_ in found if id_ is not None),
    )


async def clock(conn: Connection, post: PostRow) -> ClockPost:
    """Load what the clock says; it calls the players whose matches nobody has reported."""
    row = await rounds.get(conn, RoundId(post.round_id or 0))
    season = await seasons.get(conn, row.season_id)
    ids = {entrant.id: entrant.discord_id for entrant in await entrants.of_season(conn, season.id)}
    playing = [match for match in await matches.of_round(conn, row.id) if match.state is MatchState.OPEN]
    found = [ids[player] for match in playing for player in match.players]
    left = post.facts["left"]
    return ClockPost(
        league=await leagues.get(conn, season.league_id),
        season=season,
        round_number=row.number,
        left=left,
        minutes=int(post.facts["minutes"]),
        ends_at=datetime.fromtimestamp(post.facts["ends_at"], UTC),
        ping_ids=() if left is None else tuple(id_ for id_ in found if id_ is not None),
    )
