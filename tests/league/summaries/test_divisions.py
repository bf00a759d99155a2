"""What players read of divisions from one season to the next."""

import pytest

from bot.league.formats.shared.groups import LadderPlace
from bot.league.season.model import Name
from bot.league.summaries.divisions import ended, filled, newcomer_here, why_here, would_go
from tests.league.builders import play_season, season


def place(division: int | None, at: int, leads_to: int | None, players: int = 8) -> LadderPlace:
    return LadderPlace(name=Name("Ada"), place=at, players=players, division=division, leads_to=leads_to)


@pytest.mark.parametrize(
    ("had", "division", "divisions", "words"),
    [
        (place(2, 2, 1), 1, 3, "You were 2nd in division 2 of season 7: up to division 1."),
        (place(1, 8, 2), 2, 3, "You were last in division 1 of season 7: down to division 2."),
        (place(1, 8, 2), 1, 3, "You were last in division 1 of season 7, but places were free: you stay."),
        (place(2, 4, 2), 2, 3, "You were 4th in division 2 of season 7: you stay."),
        (place(2, 4, 2), 1, 3, "You were 4th in division 2 of season 7, and places were free: up to division 1."),
        (
            place(2, 1, 1),
            2,
            3,
            "You were 1st in division 2 of season 7, but there are fewer places above now: you stay.",
        ),
        (place(3, 5, 3), 3, 3, "You were 5th in division 3 of season 7: you stay."),
        (place(3, 5, 3), 2, 2, "You were 5th in division 3 of season 7. There are only 2 divisions now: you're in"),
        (place(2, 5, 2), 1, 1, "You were 5th in division 2 of season 7. There is only 1 division now: you're in"),
        (place(None, 8, None), 2, 3, "You were 8th in season 7, so you begin in division 2."),
    ],
)
def test_a_player_is_told_why_they_begin_in_a_division(
    had: LadderPlace, division: int, divisions: int, words: str
) -> None:
    assert why_here(had, division, divisions, season=7).startswith(words)


def test_the_end_of_a_season_says_where_a_place_leads() -> None:
    assert would_go(place(2, 1, 1)) == "You were 1st in division 2: you'd go up to division 1 in the next season."
    assert would_go(place(1, 8, 2)) == "You were last in division 1: you'd go down to division 2 in the next season."
    assert would_go(place(1, 3, 1)) == "You were 3rd in division 1: you'd stay there in the next season."
    assert would_go(place(None, 3, None)) == ""


def test_a_newcomer_is_told_that_ratings_decide() -> None:
    words = newcomer_here(3, 3, season=7)
    assert (
        words == "You weren't in season 7. After its players the divisions are filled by rating: you're in division 3."
    )


def test_divisions_are_filled_from_the_top_and_newcomers_stand_below() -> None:
    names = [Name(name) for name in ("Ada", "Ben", "Cy", "Dee", "Eve")]
    came = (1, 2, 1, 3, 2)
    returning = [(name, place(division, 1, division)) for name, division in zip(names, came, strict=True)]
    first, second, third = filled(returning, 3, 3)
    assert [one.players for one in (first, second, third)] == [3, 3, 2]
    assert [*first.moving()] == [("up", ["Ben"]), ("stay", ["Ada", "Cy"])]
    assert [*second.moving()] == [("up", ["Dee"]), ("stay", ["Eve"])]
    assert (second.newcomers, third.newcomers, [*third.moving()]) == (1, 2, [])
    assert filled([], 0, 3) == ()
    (alone,) = filled([(names[0], place(None, 1, None))], 1, None)
    assert [*alone.moving()] == [("by the ladder", ["Ada"])]


@pytest.mark.parametrize("grouping", ["drawn", "divisions"])
def test_who_would_go_up_is_named_at_the_end_only_with_divisions(grouping: str) -> None:
    played = play_season(season("round-robin", 8, grouping=grouping, group_size=4)).season
    assert [(one.number, len(one.up)) for one in ended(played)] == ([(2, 2)] if grouping == "divisions" else [])
