"""Laws of all pictures, over fields of any size and names of any kind."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

from bot.pictures.bracket import BracketPicture
from bot.pictures.champion import ChampionPicture
from bot.pictures.drawing import Picture
from bot.pictures.group_table import GroupPicture
from bot.pictures.layout import Page
from bot.pictures.many_groups import GroupsPicture
from bot.pictures.painting import fonts
from bot.pictures.rating import RatingPicture
from bot.pictures.sheet import shown
from bot.pictures.standings import StandingsPicture
from bot.pictures.tree import MOST_MATCHES, BracketMatch, Side, State, cut, trees
from tests.examples import examples
from tests.pictures import drawings
from tests.pictures.laws import assert_sound, crossed, texts

TALLEST = 1.7
few = settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))


def pages_of(picture: Picture) -> tuple[Page, ...]:
    return picture.pages(fonts.width)


def is_there(name: str, page: Page) -> bool:
    """Return whether a name is on a page, maybe shortened."""
    words = [text.words for text in texts(page)]
    whole = shown(name)
    return whole == "" or whole in words or any(whole.startswith(w[:-1].rstrip()) for w in words if w.endswith("…"))


@pytest.mark.long
@few
@given(drawings.standings())
def test_standings_can_be_read_and_name_everyone_once(picture: StandingsPicture) -> None:
    pages = pages_of(picture)
    for page in pages:
        assert_sound(page)
        assert all(is_there(name, page) for name in page.names)
    assert [name for page in pages for name in page.names] == [row.name for row in picture.rows]


@pytest.mark.long
@few
@given(drawings.groups())
def test_a_group_can_be_read_and_names_everyone_once(picture: GroupPicture) -> None:
    (page,) = pages_of(picture)
    assert_sound(page)
    assert page.height <= TALLEST * page.width
    assert all(is_there(name, page) for name in page.names)
    assert page.names == tuple(row.name for row in picture.rows)


@pytest.mark.long
@few
@given(drawings.many_groups())
def test_groups_below_each_other_can_be_read_and_name_everyone_once(picture: GroupsPicture) -> None:
    pages = pages_of(picture)
    for page in pages:
        assert_sound(page)
        assert page.height <= TALLEST * page.width
        assert all(is_there(name, page) for name in page.names)
    assert [name for page in pages for name in page.names] == [row.name for row in picture.rows]
    assert {group.title for group in picture.groups} <= {text.words for page in pages for text in texts(page)}


@pytest.mark.long
@few
@given(drawings.brackets())
def test_a_bracket_can_be_read_and_names_everyone(picture: BracketPicture) -> None:
    pages = pages_of(picture)
    for page in pages:
        assert_sound(page)
        assert crossed(page) == []
        assert page.height <= TALLEST * page.width
        assert all(is_there(name, page) for name in page.names)
    named = {name for page in pages for name in page.names}
    assert named == {side.name for match in picture.matches for side in match.sides if side.name}


@few
@given(drawings.brackets())
def test_a_side_not_decided_yet_names_a_match_as_its_box_does(picture: BracketPicture) -> None:
    labels = {match.label[:1].lower() + match.label[1:] for match in picture.matches}
    for page in pages_of(picture):
        waiting = [text.words for text in texts(page) if text.style.italic]
        named = [words.partition(" of ")[2] for words in waiting if not words.endswith("…")]
        assert set(named) <= labels


@few
@given(drawings.ratings)
def test_a_rating_can_be_read(picture: RatingPicture) -> None:
    (page,) = pages_of(picture)
    assert_sound(page)
    assert is_there(picture.player, page)


@few
@given(drawings.champions)
def test_a_champion_can_be_read(picture: ChampionPicture) -> None:
    (page,) = pages_of(picture)
    assert_sound(page)
    assert is_there(picture.name, page)


def test_a_bracket_is_cut_into_pages_a_phone_can_show() -> None:
    for size in (11, 16, 24, 36, 40, 64, 100, 128):
        pages = cut(trees(drawings.bracket([f"P{n}" for n in range(size)], rounds=1).matches))
        assert all(len(page.matches) <= MOST_MATCHES for page in pages)
        shown_on = Counter(match.label for page in pages for match in page.matches)
        assert len(shown_on) == size - 1
        assert max(shown_on.values()) <= 2


def test_each_player_enters_a_bracket_on_one_page() -> None:
    for size in (11, 16, 24, 36, 40, 64, 100, 128):
        pages = cut(trees(drawings.bracket([f"P{n}" for n in range(size)], rounds=0).matches))
        seen: set[str] = set()
        entered = Counter[str]()
        for page in pages:
            new = [match for match in page.matches if match.label not in seen]
            seen |= {match.label for match in new}
            entered.update(side.name for match in new for side in match.sides if side.name and not side.source)
        assert entered == Counter(f"P{n}" for n in range(size))


def test_a_bracket_drawn_again_each_round_is_drawn_too() -> None:
    matches = drawings.bracket([f"P{n}" for n in range(16)], rounds=0).matches
    first = tuple(match for match in matches if match.round == 1)
    pages = pages_of(BracketPicture(league="L", subtitle="", matches=first))
    assert [page.title for page in pages] == ["A", "B"]
    assert len({name for page in pages for name in page.names}) == 16


def test_seeds_of_three_figures_have_room() -> None:
    for page in pages_of(drawings.bracket([f"P{n}" for n in range(130)], rounds=1)):
        assert_sound(page)


def test_a_player_without_opponent_has_a_box_that_says_so() -> None:
    semifinals = (
        BracketMatch(label="Semi-final 1", round=1, upper=Side(name="Ada", won=True), lower=Side(), state=State.BYE),
        BracketMatch(label="Semi-final 2", round=1, upper=Side(name="Bo"), lower=Side(name="Cy"), state=State.TO_PLAY),
    )
    upper, lower = Side(name="Ada", source="Semi-final 1"), Side(source="Semi-final 2")
    final = BracketMatch(label="Final", round=2, upper=upper, lower=lower, state=State.FUTURE)
    (page,) = pages_of(BracketPicture(league="L", subtitle="", matches=(*semifinals, final)))
    assert_sound(page)
    assert crossed(page) == []
    assert {"No opponent: bye", "Winner of semi-final 2"} <= {text.words for text in texts(page)}
    assert "Semi-final 1: Ada has a bye." in page.alt
