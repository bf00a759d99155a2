"""Seasons get their numbers by their dates: between those a league has, which make room where they may."""

from dataclasses import dataclass
from datetime import date

import pytest

from bot.importers.numbering import Here, Numbers, numbers_for
from bot.league.errors import Conflict


@dataclass(frozen=True)
class Season:
    """A season of a file."""

    number: int | None
    dates: tuple[date, date] | None
    title: str = ""


def month(number: int | None) -> tuple[date, date] | None:
    return None if number is None else (date(2024, number, 1), date(2024, number, 28))


def new(*months: int | None) -> tuple[Season, ...]:
    return tuple(Season(None, month(one)) for one in months)


def loose(number: int, of: int | None) -> Here:
    return Here(number=number, dates=month(of), loose=True)


def own(number: int, of: int | None = None) -> Here:
    return Here(number=number, dates=month(of), own=True)


def stated(number: int, of: int | None = None) -> Here:
    return Here(number=number, dates=month(of))


@pytest.mark.parametrize(
    ("seasons", "here", "numbers", "moved"),
    [
        (new(9, 3), (), (2, 1), {}),
        (new(9, 3), (own(4), own(5)), (3, 2), {}),
        (new(1), (loose(1, 2), loose(2, 3)), (1,), {1: 2, 2: 3}),
        (new(2), (loose(1, 1), loose(2, 3)), (2,), {2: 3}),
        (new(4), (loose(1, 1), loose(2, 3)), (3,), {}),
        (new(2), (loose(6, 1), own(7)), (6,), {6: 5}),
        (new(3), (loose(5, 1), loose(6, 2), own(7)), (6,), {5: 4, 6: 5}),
        (new(None), (loose(1, 1),), (2,), {}),
        (new(1), (loose(1, None),), (1,), {1: 2}),
        (new(2), (stated(1, 1), stated(4, 3)), (3,), {}),
        (new(5), (stated(1, 1), stated(4, 3)), (5,), {}),
        (new(None), (stated(1), stated(2)), (3,), {}),
        (new(3), (stated(5),), (4,), {}),
        (new(5), (own(1, 1), own(2, 2)), (3,), {}),
        (new(2), (own(7, 2),), (6,), {}),
    ],
)
def test_seasons_stand_in_the_order_of_their_dates(
    seasons: tuple[Season, ...], here: tuple[Here, ...], numbers: tuple[int, ...], moved: dict[int, int]
) -> None:
    assert numbers_for(seasons, here) == Numbers(new=numbers, moved=moved)


@pytest.mark.parametrize(
    ("seasons", "here", "first", "told"),
    [
        (new(1, 2), (own(2),), None, "2 seasons belong below season 2, but 1 number is free there"),
        (
            new(2),
            (stated(3, 1), stated(4, 3)),
            None,
            "This season belongs between season 3 and season 4, but no number is free",
        ),
        (new(2), (own(1),), None, "belongs below season 1, but no number is free there"),
        (new(None), (own(1, 1),), None, "This season belongs below season 1"),
        (new(2), (own(4),), 4, r"has these seasons already: 4\. Give another number"),
        (new(1, 2), (stated(5),), 4, r"has these seasons already: 5\. Give another number"),
        ((Season(1, None),), (own(1),), None, r"already: 1\. Leave it out, or give another number"),
        (
            (Season(1, None), Season(2, None)),
            (own(1),),
            None,
            r"already: 1\. Leave them out, or give them other numbers",
        ),
        ((Season(1, None), Season(2, None)), (), 4, "have numbers already"),
    ],
)
def test_seasons_without_room_are_refused(
    seasons: tuple[Season, ...], here: tuple[Here, ...], first: int | None, told: str
) -> None:
    with pytest.raises(Conflict, match=told):
        numbers_for(seasons, here, first)


def test_a_number_that_is_said_counts_whatever_the_dates() -> None:
    assert numbers_for(new(9, 3), (own(7),), 2) == Numbers(new=(3, 2), moved={})
    assert numbers_for(new(5), (loose(1, 1), loose(2, 2)), 1) == Numbers(new=(1,), moved={1: 2, 2: 3})
    assert numbers_for([Season(1, month(1))], (stated(1),), 4).new == (4,)


@pytest.mark.parametrize(
    ("titles", "numbers"),
    [
        (("2023", "2022"), (2, 1)),
        (("2023/24", "2022/23", "2021/22"), (3, 2, 1)),
        (("Winter 2025", "Fall 2024", "Spring 2024"), (3, 2, 1)),
        (("Herbst 2024", "Sommer 2024", "Frühling 2024"), (3, 2, 1)),
        (("Season 1 (2024)", "Season 2 (2023)"), (2, 1)),
        (("Winter 2024", "Fall 2024"), (1, 2)),
        (("2023 Open", "2022 Open", "2022 Closed"), (1, 2, 3)),
        (("2023", "2022", "Beta"), (1, 2, 3)),
    ],
)
def test_seasons_without_dates_stand_in_the_order_of_their_years(
    titles: tuple[str, ...], numbers: tuple[int, ...]
) -> None:
    seasons = [Season(None, None, title) for title in titles]
    assert numbers_for(seasons).new == numbers
    assert numbers_for(seasons, (), 4).new == tuple(number + 3 for number in numbers)
    if numbers[0] != 1:
        assert numbers_for([*seasons, Season(None, month(1), "2030")]).new == (*(one + 1 for one in numbers), 1)
