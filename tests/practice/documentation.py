"""Take the pictures of the documentation as a phone shows them: python -m tests.practice.documentation [SCENE ...].

`tour` is the one that moves, at the top of the README.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from tests.practice import tour
from tests.practice.browser import ROOT, Person
from tests.practice.screenshots import STORIES, WIDTHS, Scene, names_in, post, tell

DOCS = ROOT / "docs"
PICTURES = (
    "agreed-match",
    "board",
    "bracket",
    "champion",
    "disputes",
    "list-match",
    "match",
    "moderators",
    "panel",
    "problem-form",
    "problem-moderators",
    "profile",
    "proposed-asked",
    "report",
    "round",
    "set-up",
    "standings",
    "status",
    "thread",
)
"""The scenes the documentation shows: each the post alone, or the form."""

_LOADING = 1500  # milliseconds


def main(wanted: Sequence[str]) -> None:
    """Take these pictures, by default all."""
    for start, story in STORIES.values():
        chosen = names_in(story).intersection(wanted or PICTURES)
        if chosen:
            tell(story, start, chosen, _take)
    if not wanted or "tour" in wanted:
        tour.film()


def _take(scene: Scene, person: Person) -> None:
    # As wide as a phone, and high enough for a whole post.
    person.page.set_viewport_size({"width": min(WIDTHS), "height": 1800})
    person.settle()
    form = person.page.get_by_role("dialog")
    person.page.mouse.move(0, 0)
    person.page.wait_for_timeout(_LOADING)
    path = DOCS / f"{scene.name}.png"
    (form if form.count() else post(person, scene)).screenshot(path=path)
    _make_small(path)
    print(path.relative_to(ROOT), flush=True)


def _make_small(path: Path) -> None:
    with Image.open(path) as taken:
        taken.convert("RGB").quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
