"""Brackets within a page: as high as their first matches, no box on another, each between those it comes from."""

from collections.abc import Sequence

import pytest

from bot.pictures.tree import Side
from bot.site import drawings
from bot.site.drawings import BOX_HEIGHT, Box
from tests.pictures.drawings import bracket

GAP = 22


@pytest.mark.parametrize("third", [False, True])
@pytest.mark.parametrize("size", range(2, 40))
def test_a_wide_bracket_has_a_row_for_each_match_nothing_leads_to_and_no_other(size: int, third: bool) -> None:
    matches = bracket([f"p{number}" for number in range(size)], rounds=1, third=third).matches
    drawn = drawings.wide(matches, "")
    boxes = {box.match.label: box for box in drawn.boxes}
    first = [match for match in matches if match.third_place or not before(match.sides, boxes)]
    assert drawn.height == len(first) * (BOX_HEIGHT + GAP) - GAP
    for box in drawn.boxes:
        assert 0 <= box.y <= drawn.height - BOX_HEIGHT
        over = [other for other in drawn.boxes if other != box and other.x == box.x]
        assert all(abs(other.y - box.y) >= BOX_HEIGHT for other in over)
        sources = before(box.match.sides, boxes)
        assert box.match.third_place or not sources or abs(box.y - sum(sources) / len(sources)) <= 1


def before(sides: Sequence[Side], boxes: dict[str, Box]) -> list[int]:
    return [boxes[side.source].y for side in sides if side.source in boxes]
