"""The schema itself refuses what the rules forbid, whatever the code does."""

import sqlite3
from datetime import timedelta
from typing import Any

import pytest

from bot.league.season.model import DepartureKind, Kind
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from storage import query, rules_season
from storage.database import Database
from storage.posts import Target
from storage.rows import PlayerId
from storage.tables import matches, reports, rounds, seasons
from storage.tables.field import entrants, sat_out, substitutions
from storage.tables.outbox import deliveries, outbox_rows
from storage.tables.people import players
from tests.files import change_by_hand, look_into
from tests.storage.scene import NOW, Scene, a_league, a_season


def two_live_seasons(scene: Scene) -> None:
    a_season(scene.conn, scene.league, 2, SeasonPhase.SIGNUP)


def a_number_twice(scene: Scene) -> None:
    a_season(scene.conn, scene.league, 1, SeasonPhase.FINISHED)


def a_live_season_without_number(scene: Scene) -> None:
    seasons.change(scene.conn, scene.season, number=None)


def two_leagues_of_a_name(scene: Scene) -> None:
    a_league(scene.conn, "l")


def a_person_twice_in_a_league(scene: Scene) -> None:
    players.add(scene.conn, league_id=scene.league, discord_id=1, name="q", name_key="q")


def a_name_of_two_players(scene: Scene) -> None:
    players.add(scene.conn, league_id=scene.league, discord_id=9, name="p1", name_key="p1")


def a_new_name_that_was_someone_elses(scene: Scene) -> None:
    second = players.get(scene.conn, entrants.get(scene.conn, scene.people[1]).player_id)
    players.rename(scene.conn, second, "p1", "p1")


def a_player_twice_in_a_season(scene: Scene) -> None:
    first = entrants.get(scene.conn, scene.people[0])
    entrants.add(scene.conn, season_id=scene.season, player_id=first.player_id, name="z", former_names=())


def a_substitute_with_a_seat_of_their_own(scene: Scene) -> None:
    other = entrants.get(scene.conn, scene.people[1])
    _substitute(scene, 0, other.player_id)


def a_substitute_in_two_seats(scene: Scene) -> None:
    _substitute(scene, 0, _newcomer(scene))
    _substitute(scene, 1, players.looking_like(scene.conn, scene.league, "uma")[0].id)


def an_entry_of_a_substitute(scene: Scene) -> None:
    uma = _newcomer(scene)
    _substitute(scene, 0, uma)
    entrants.add(scene.conn, season_id=scene.season, player_id=uma, name="Uma", former_names=())


def _newcomer(scene: Scene) -> PlayerId:
    return players.add(scene.conn, league_id=scene.league, name="Uma", name_key="uma").id


def _substitute(scene: Scene, seat: int, player_id: PlayerId) -> None:
    who = {"entrant_id": scene.people[seat], "player_id": player_id, "name": f"s{seat}", "round": 2}
    substitutions.sit_down(scene.conn, **who)


def a_round_sat_out_twice(scene: Scene) -> None:
    for _ in range(2):
        sat_out.add(scene.conn, entrant_id=scene.people[0], round=2, at=NOW)


def half_a_rating(scene: Scene) -> None:
    entrants.change(scene.conn, scene.people[0], mu=25.0)


def two_rounds_at_once(scene: Scene) -> None:
    scene.add_round(2, RoundPhase.DRAFT)


def a_round_number_twice(scene: Scene) -> None:
    scene.add_round(1, RoundPhase.CLOSED)


def two_matches_in_a_round(scene: Scene) -> None:
    matches.add(scene.conn, round_id=scene.round, position=2, upper_id=scene.people[1], lower_id=scene.people[2])


def a_bye_beside_a_match(scene: Scene) -> None:
    matches.add_round(scene.conn, scene.round, pairs=(), byes=[{"entrant_id": scene.people[0]}])


def a_match_against_oneself(scene: Scene) -> None:
    matches.add(scene.conn, round_id=scene.round, position=2, upper_id=scene.people[2], lower_id=scene.people[2])


def a_winner_from_outside(scene: Scene) -> None:
    scene.set_match(state=MatchState.CONFIRMED, kind=Kind.PLAYED, winner_id=scene.people[3])


def a_result_that_is_not_confirmed(scene: Scene) -> None:
    scene.set_match(kind=Kind.PLAYED, winner_id=scene.people[0])


def a_confirmation_without_result(scene: Scene) -> None:
    scene.set_match(state=MatchState.CONFIRMED)


def a_forfeit_without_winner(scene: Scene) -> None:
    scene.set_match(state=MatchState.CONFIRMED, kind=Kind.FORFEIT)


def a_double_loss_with_winner(scene: Scene) -> None:
    scene.set_match(state=MatchState.CONFIRMED, kind=Kind.DOUBLE_LOSS, winner_id=scene.people[0])


def a_time_to_answer_without_a_report(scene: Scene) -> None:
    scene.set_match(confirm_at=NOW)


def half_a_score(scene: Scene) -> None:
    scene.set_match(upper_games=2)


def half_a_score_of_points(scene: Scene) -> None:
    confirmed(scene, upper_score=87)


def a_score_without_a_result(scene: Scene) -> None:
    scene.set_match(upper_score=87, lower_score=62)


def a_score_below_nothing(scene: Scene) -> None:
    confirmed(scene, kind=Kind.FORFEIT, upper_score=-1, lower_score=0)


def a_score_above_9999(scene: Scene) -> None:
    confirmed(scene, upper_score=10_000, lower_score=0)


def a_lower_score_of_the_winner(scene: Scene) -> None:
    confirmed(scene, upper_score=61, lower_score=62)


def two_scores_of_a_draw(scene: Scene) -> None:
    confirmed(scene, winner_id=None, upper_score=61, lower_score=62)


def confirmed(scene: Scene, **columns: Any) -> None:
    result = {"kind": Kind.PLAYED, "winner_id": scene.people[0], **columns}
    scene.set_match(state=MatchState.CONFIRMED, **result)


def two_departures_at_once(scene: Scene) -> None:
    for _ in range(2):
        entrants.depart(scene.conn, entrant_id=scene.people[0], kind=DepartureKind.DROP, round=1, after_pairing=True)


def a_return_before_the_departure(scene: Scene) -> None:
    entrants.depart(
        scene.conn,
        entrant_id=scene.people[0],
        kind=DepartureKind.DROP,
        round=3,
        after_pairing=False,
        rejoined=3,
    )


def two_wishes_to_come_back(scene: Scene) -> None:
    for _ in range(2):
        entrants.ask_back(scene.conn, scene.people[0], NOW)


def two_open_disputes(scene: Scene) -> None:
    for _ in range(2):
        reports.dispute(scene.conn, match_id=scene.match, entrant_id=scene.people[0], reason="no", at=NOW)


def a_sent_post_without_message(scene: Scene) -> None:
    outbox_rows.add(scene.conn, key="k", kind="notice", league_id=scene.league, target=Target.LEAGUE, facts={}, now=NOW)
    query.run(scene.conn, "UPDATE outbox SET state = 'done', shown = wanted")


def an_entrant_of_nobody(scene: Scene) -> None:
    query.insert(scene.conn, "entrants", season_id=scene.season, player_id=999, name="ghost")


def a_seat_in_another_season(scene: Scene) -> None:
    other = Scene.build(scene.conn, "Other")
    matches.add_round(scene.conn, scene.round, pairs=(), byes=[{"entrant_id": other.people[0]}])


def a_match_of_two_seasons(scene: Scene) -> None:
    other = Scene.build(scene.conn, "Other")
    matches.add(scene.conn, round_id=scene.round, position=2, upper_id=scene.people[2], lower_id=other.people[3])


def a_seat_in_a_match_of_another_round(scene: Scene) -> None:
    other = Scene.build(scene.conn, "Other")
    query.insert(scene.conn, "seats", round_id=scene.round, entrant_id=scene.people[2], match_id=other.match)


def a_word_for_a_number(scene: Scene) -> None:
    scene.set_match(position="first")


FORBIDDEN = [
    two_live_seasons, a_number_twice, a_live_season_without_number, two_leagues_of_a_name, a_person_twice_in_a_league,
    a_name_of_two_players, a_new_name_that_was_someone_elses, a_player_twice_in_a_season,
    a_substitute_with_a_seat_of_their_own,
    a_substitute_in_two_seats, an_entry_of_a_substitute, a_round_sat_out_twice,
    half_a_rating, two_rounds_at_once, a_round_number_twice,
    two_matches_in_a_round, a_bye_beside_a_match, a_match_against_oneself, a_winner_from_outside,
    a_result_that_is_not_confirmed, a_confirmation_without_result, a_forfeit_without_winner, a_double_loss_with_winner,
    a_time_to_answer_without_a_report, half_a_score, two_departures_at_once,
    half_a_score_of_points, a_score_without_a_result, a_score_below_nothing, a_score_above_9999,
    a_lower_score_of_the_winner, two_scores_of_a_draw, a_return_before_the_departure,
    two_wishes_to_come_back, two_open_disputes, a_sent_post_without_message, an_entrant_of_nobody, a_word_for_a_number,
    a_seat_in_another_season, a_match_of_two_seasons, a_seat_in_a_match_of_another_round,
]  # fmt: skip


@pytest.mark.parametrize("forbidden", FORBIDDEN, ids=lambda act: act.__name__)
def test_the_schema_refuses(db: Database, forbidden: Any) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        with pytest.raises(sqlite3.IntegrityError):
            forbidden(scene)


def test_a_score_goes_with_a_result(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        for columns in (
            {"upper_score": 87, "lower_score": 62},
            {"upper_score": 6, "lower_score": 6},
            {"winner_id": None, "upper_score": 9_999, "lower_score": 9_999},
            {"kind": Kind.ADJUDICATED, "upper_score": 0, "lower_score": 62},
        ):
            confirmed(scene, **columns)


@pytest.mark.parametrize("table", ["matches", "rounds", "entrants", "disputes", "departures"])
def test_an_id_that_a_button_carried_is_never_used_again(db: Database, table: str) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        leave_and_dispute(scene)
        before = query.value(conn, f"SELECT max(id) FROM {table}")
        reports.forget(conn, [match.id for match in matches.of_round(conn, scene.round)])
        rounds.remove(conn, scene.round)
        query.run(conn, "DELETE FROM departures")
        query.run(conn, "DELETE FROM entrants")
        again = Scene.build(conn, "Again")
        leave_and_dispute(again)
        assert query.value(conn, f"SELECT min(id) FROM {table}") > before


def leave_and_dispute(scene: Scene) -> None:
    reports.dispute(scene.conn, match_id=scene.match, entrant_id=None, reason="no", at=NOW)
    entrants.depart(scene.conn, entrant_id=scene.people[0], kind=DepartureKind.DROP, round=1, after_pairing=True)


def test_what_the_rules_allow_goes_through(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        scene.set_match(state=MatchState.CONFIRMED, kind=Kind.PLAYED, winner_id=scene.people[0])
        matches.add_round(conn, scene.round, pairs=(), byes=[{"entrant_id": scene.people[2], "why": ["smallest draw"]}])
        rounds.change(conn, scene.round, phase=RoundPhase.CLOSED)
        scene.add_round(2, RoundPhase.DRAFT)
        entrants.depart(
            conn, entrant_id=scene.people[0], kind=DepartureKind.DROP, round=1, after_pairing=True, rejoined=3
        )
        entrants.depart(conn, entrant_id=scene.people[0], kind=DepartureKind.DROP, round=4, after_pairing=False)
    with look_into(db) as conn:
        season = rules_season.load(conn, scene.season)
    assert [round_.number for round_ in season.rounds] == [1]
    assert season.rounds[0].byes == ("p3",)
    assert season.rounds[0].matches[0].winner == "p1"
    assert [departure.rejoined for departure in season.departures] == [3, None]


def test_two_who_swap_change_places_and_a_bye_can_be_one(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        one, two, three, _ = scene.people
        matches.add_round(conn, scene.round, pairs=(), byes=[{"entrant_id": three}])
        matches.swap(conn, one, three, scene.round)
        match = matches.get(conn, scene.match)
        assert (match.players, match.version) == ((three, two), 2)
        assert [seat.entrant_id for seat in matches.byes(conn, scene.round)] == [one]
        matches.swap(conn, three, two, scene.round)
        assert set(matches.get(conn, scene.match).players) == {two, three}


def test_a_post_goes_from_promised_to_sent_to_owed_again(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        queued: dict[str, Any] = {
            "key": "k",
            "kind": "match",
            "league_id": scene.league,
            "target": Target.LEAGUE,
            "facts": {},
            "now": NOW,
        }
        outbox_rows.add(conn, **queued, match_id=scene.match)
        outbox_rows.add(conn, **queued, match_id=scene.match)
        (found,) = deliveries.due(conn, NOW)
        post = outbox_rows.get(conn, found.id)
        outbox_rows.invalidate(conn, "match", match_id=scene.match, now=NOW)
        deliveries.sent(conn, post.id, now=NOW, channel_id=1, message_id=2, version=post.wanted)
        (again,) = deliveries.due(conn, NOW)  # touched while it was being sent
        again = outbox_rows.get(conn, again.id)
        assert (again.shown, again.wanted, again.message_id) == (1, 2, 2)
        deliveries.sent(conn, post.id, now=NOW, channel_id=1, message_id=2, version=again.wanted)
        later = NOW + timedelta(seconds=10)
        assert deliveries.due(conn, later) == ()
        outbox_rows.invalidate(conn, "round", match_id=scene.match, now=NOW)
        assert deliveries.due(conn, later) == ()
        outbox_rows.invalidate(conn, "match", match_id=scene.match, now=NOW)
        assert deliveries.due(conn, NOW) == ()
        assert len(deliveries.due(conn, later)) == 1
