"""What a season knows of the seasons before it, and in which order it has matches and departures."""

from bot.league.counting.meetings import PAST_SEASONS
from bot.league.season.model import DepartureKind, PastSeason
from bot.league.season.phases import RoundPhase, SeasonPhase
from storage import rules_season
from storage.database import Database
from storage.tables import matches, rounds, seasons
from storage.tables.field import entrants
from tests.files import change_by_hand
from tests.storage.scene import Scene, a_league, a_season


def the_same_people_again(scene: Scene, number: int) -> tuple[PastSeason, ...]:
    """Start another season with everyone of the scene's, and return what it knows of the past."""
    seasons.change(scene.conn, scene.season, phase=SeasonPhase.FINISHED)
    again = a_season(scene.conn, scene.league, number)
    for person in entrants.of_season(scene.conn, scene.season):
        entrants.add(
            scene.conn,
            season_id=again,
            player_id=person.player_id,
            name=person.name,
            former_names=(),
        )
    return rules_season.load(scene.conn, again).past


def test_the_meetings_of_season_0_count_in_season_1(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        seasons.change(conn, scene.season, number=0)
        (past,) = the_same_people_again(scene, 1)
    assert past.number == 0
    assert [match.players for match in past.matches] == [("p1", "p2")]


def test_season_0_has_no_past(db: Database) -> None:
    with change_by_hand(db) as conn:
        assert the_same_people_again(Scene.build(conn), 0) == ()


def test_a_round_that_was_never_posted_is_no_past_meeting(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        rounds.change(conn, scene.round, phase=RoundPhase.DRAFT)
        assert the_same_people_again(scene, 2) == ()


def test_only_the_leagues_own_newest_seasons_count_the_newest_first(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        one, other, *_ = entrants.of_season(conn, scene.season)
        met = [(1, one.player_id, other.player_id)]
        newest = PAST_SEASONS + 2
        for number in range(2, newest + 1):
            seasons.add_past_meetings(conn, scene.league, number, met)
        seasons.add_past_meetings(conn, a_league(conn, "Other"), newest, met)
        past = the_same_people_again(scene, newest + 1)
    assert [(season.number, len(season.matches)) for season in past] == [(number, 1) for number in range(newest, 2, -1)]


def test_matches_are_in_order_of_their_place_and_departures_of_leaving_not_of_sign_up(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        first, _, third, fourth = scene.people
        matches.add(conn, round_id=scene.round, position=2, upper_id=third, lower_id=fourth)
        matches.swap(conn, first, third, scene.round)
        for person in (fourth, third):
            entrants.depart(conn, entrant_id=person, kind=DepartureKind.DROP, round=1, after_pairing=True)
        season = rules_season.load(conn, scene.season)
    assert [match.upper for match in season.rounds[0].matches] == ["p3", "p1"]
    assert [left.name for left in season.departures] == ["p4", "p3"]
