"""What pictures show of names and numbers, read back from their pages."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.league.counting import table_columns
from bot.league.counting.standings import Standing
from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.league.season.model import Name, Status
from bot.pictures.champion import ChampionPicture, Step
from bot.pictures.drawing import Picture, draw
from bot.pictures.layout import Line, Page
from bot.pictures.painting import fonts, paint
from bot.pictures.rating import RatingPicture, RatingPoint
from bot.pictures.standings import StandingsPicture
from bot.pictures.standings_grid import Mark, StandingsRow
from tests.pictures.drawings import bracket
from tests.pictures.laws import texts

CELLS = {"W–L": "3–1", "Pts": "12", "Games": "10", "Game %": "66.7", "Beaten": "7"}
RANKED = [format_ for format_ in ALL if format_.tiebreaks]


@pytest.fixture(autouse=True)
def laid_out_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paint, "png", lambda page: b"")  # type: ignore[reportUnknownLambdaType]


@pytest.fixture
def no_fonts_of_the_system(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    caches: tuple[Any, ...] = (fonts.width, fonts._other, fonts._system)
    monkeypatch.setattr(fonts, "_FOLDERS", ())
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def page_of(picture: Picture) -> Page:
    return picture.pages(fonts.width)[0]


def words(page: Page) -> list[str]:
    return [text.words for text in texts(page)]


def table(format_: Format, *names: str, size: int = 16) -> StandingsPicture:
    """Return standings with the real columns of a format, marks, movement and ratings."""
    points = 2 if format_.key == "keyforge-swiss" else 1
    winner = Standing(rank=1, name=Name("Ada"), points=points, wins=1, losses=0, draws=0, byes=0, status=Status.ACTIVE)
    columns = table_columns.columns([winner], format_.named_tiebreaks)
    cells = tuple(CELLS.get(column.title, "0.632") for column in columns)
    everyone = [*names, *(f"Player number {rank}" for rank in range(len(names) + 1, size + 1))]
    rows = tuple(
        StandingsRow(
            rank=rank,
            name=name,
            movement=rank % 5 - 2,
            mark=Mark.IN if rank < 4 else None,
            cells=cells,
            rating=1500 - rank,
            uncertainty=334,
            provisional=rank % 3 == 0,
        )
        for rank, name in enumerate(everyone, start=1)
    )
    return StandingsPicture(league="Arena", subtitle="Season 7 · after round 3", columns=columns, rows=rows)


@pytest.mark.parametrize("size", [8, 16])
@pytest.mark.parametrize("format_", RANKED, ids=lambda format_: format_.key)
def test_every_tie_break_that_decides_is_shown(format_: Format, size: int) -> None:
    picture = table(format_, size=size)
    shown = words(page_of(picture))
    assert [column.title for column in picture.columns if column.title not in shown] == []


def test_the_rating_is_shown_where_the_tie_breaks_leave_room() -> None:
    (ohs,) = (format_ for format_ in ALL if format_.key == "ohs")
    assert {"Rating", "1499", "± 334"} <= {*words(page_of(table(ohs)))}
    (keyforge,) = (format_ for format_ in ALL if format_.key == "keyforge-swiss")
    assert "± 334" not in words(page_of(table(keyforge)))


def test_emoji_are_left_out_of_pictures_and_stay_in_their_description() -> None:
    page = page_of(table(RANKED[0], "🎲 Dice Goblin 🎲", "Zoë 👨‍👩‍👧 1️⃣", "★ Ida ☆"))
    assert {"Dice Goblin", "Zoë", "Ida"} <= {*words(page)}
    assert "1. 🎲 Dice Goblin 🎲, " in page.alt


@pytest.mark.usefixtures("no_fonts_of_the_system")
def test_names_no_font_has_are_told_apart_and_said_by_their_numbers() -> None:
    made = draw(table(RANKED[0], "日本太郎", "日本花子", "Player 1", "🎉", "Ada"), 0)
    assert made.stand_ins == (("日本太郎", "Player 2"), ("日本花子", "Player 3"), ("🎉", "Player 4"))
    assert "1. 日本太郎" in made.alt


@pytest.mark.usefixtures("no_fonts_of_the_system")
@pytest.mark.parametrize(
    "picture",
    [
        table(RANKED[0], "日本太郎", "日本花子"),
        bracket(["日本太郎", "日本花子", "Ada", "Bo"], rounds=2),
        ChampionPicture(
            name="日本太郎",
            season="season 6",
            subtitle="",
            way=(Step(stage="Final", opponent="日本花子", result="2–1"),),
            facts=(("Closest", "Final, 日本太郎 2–1 日本花子"),),
        ),
        RatingPicture(player="日本太郎", subtitle="", points=(RatingPoint(season=1, rating=1000, uncertainty=90),)),
    ],
    ids=lambda picture: type(picture).__name__,
)
def test_no_picture_shows_boxes_in_the_place_of_letters(picture: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[Page] = []
    monkeypatch.setattr(paint, "png", lambda page: pages.append(page) or b"")  # type: ignore[reportUnknownLambdaType]
    number = 0
    while draw(picture, number).number == number:
        number += 1
    assert pages
    assert all(fonts.can_draw(text.replace("–", "-")) for page in pages for text in words(page) if text.strip())


@pytest.mark.usefixtures("no_fonts_of_the_system")
def test_a_name_that_is_another_without_its_emoji_is_told_apart() -> None:
    assert draw(table(RANKED[0], "Ada", "Ada 🎲"), 0).stand_ins == (("Ada 🎲", "Player 1"),)


def test_a_page_of_a_bracket_says_of_how_many_it_is() -> None:
    pages = bracket([f"P{n}" for n in range(32)], rounds=0).pages(fonts.width)
    assert "Page A of A–D and Finals · Season 6 · best of 3" in words(pages[0])
    assert "Finals, after pages A–D · Season 6 · best of 3" in words(pages[-1])


def test_a_long_name_is_whole_where_room_is_left_for_third_place() -> None:
    long = [f"Konstantinos Papadopoulos {n}" for n in range(1, 5)]
    page = page_of(bracket(long, rounds=2, third=True))
    assert len([text for text in words(page) if text in long]) == 8
    assert not [text for text in words(page) if text.endswith("…")]


def test_a_name_is_drawn_smaller_before_it_is_cut() -> None:
    eight = bracket(["Konstantinos Papadopoulos", *(f"P{n}" for n in range(7))], rounds=0)
    assert "Konstantinos Papadopoulos" in words(page_of(eight))


def test_the_curve_of_ten_seasons_is_not_pressed_flat_by_the_first_matches() -> None:
    first = [RatingPoint(season=1, rating=1000, uncertainty=660 - 60 * n, provisional=True) for n in range(6)]
    later = [RatingPoint(season=1 + n // 6, rating=1000 + 4 * n, uncertainty=90) for n in range(60)]
    page = page_of(RatingPicture(player="Ada", subtitle="", points=(*first, *later)))
    curve = max(
        (item for item in page.items if isinstance(item, Line) and item.thickness == 6), key=lambda x: len(x.points)
    )
    heights = [y for _, y in curve.points]
    assert max(heights) - min(heights) > 490 / 3


def test_one_rated_match_is_one_match() -> None:
    point = RatingPoint(season=1, rating=1000, uncertainty=90)
    picture = RatingPicture(player="Ada", subtitle="", points=(point,))
    assert "after 1 rated match." in page_of(picture).alt
    assert "after 2 rated matches." in page_of(replace(picture, points=(point, point))).alt
