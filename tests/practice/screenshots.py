"""Take the pictures of the documentation: python -m tests.practice.screenshots FOLDER [SCENE ...]."""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Error, Locator, expect

from tests.practice.browser import Person, browsing, running

WIDTHS = {1280: 900, 390: 844}
"""The heights of the windows, by their widths."""

_PATIENCE = 6000  # milliseconds


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: who looks where, what they type and press before, and what the post shown says."""

    name: str
    person: str
    do: tuple[str, ...] = ()
    """Commands, and labels of buttons, in order."""
    shows: str = ""
    """A post with these words is put at the top; else the newest is."""
    channel: str = "#league"


STORY: tuple[tuple[str, tuple[Scene, ...]], ...] = (
    (
        "2 1 2",  # one match decided, the next disputed, two to play
        (
            Scene("round", "Hana", shows="round 2"),
            Scene("report", "Hana", do=("Report",)),
            Scene("moderators", "Marco (moderator)", channel="#moderators"),
        ),
    ),
    (
        "3 2 1",  # the third match reported
        (
            Scene("board", "Hana", shows="Updated"),
            Scene("match", "Emil", do=("/match",)),
            Scene("standings", "Emil", do=("/standings",)),
            Scene("outlook", "Emil", do=("/outlook",)),
            Scene("rules", "Emil", do=("/rules",)),
        ),
    ),
    ("5 1 0", (Scene("bracket", "Emil", do=("/bracket",)),)),
    ("99 0 0", (Scene("champion", "Emil", shows="champion"),)),
)
"""What is played to (a round, how many of its matches are decided, further moves), and the pictures taken then."""


def main(folder: Path, wanted: Sequence[str]) -> None:
    """Take each picture at each width; what can't be shown is named and left out."""
    with tempfile.TemporaryDirectory() as own, running(Path(own), "tests.practice.stage") as server:
        for moment, scenes in STORY:
            server.tell(moment, "played")
            for width, height in WIDTHS.items():
                with browsing(server.address, width=width, height=height, sharpness=1 if width > 1000 else 2) as person:
                    for scene in scenes:
                        if not wanted or scene.name in wanted:
                            _take(scene, person, folder / f"{scene.name}-{width}.png")


def _take(scene: Scene, person: Person, file: Path) -> None:
    person.page.set_default_timeout(_PATIENCE)
    expect.set_options(timeout=_PATIENCE)
    try:
        person.page.reload()
        person.settle()
        _play(scene, person)
        person.page.screenshot(path=file)
        print(file)
    except (Error, AssertionError) as error:
        print(f"{file} can't be taken: {str(error).splitlines()[0]}")


def _play(scene: Scene, person: Person) -> None:
    person.act_as(scene.person)
    person.open(scene.channel)
    for step in scene.do:
        if step.startswith("/"):
            person.type(step)
        else:
            person.press(step)
    if not person.page.get_by_role("dialog").count():
        _put_at_top(_post(person, scene.shows))
    person.page.mouse.move(0, 0)
    person.page.wait_for_timeout(1500)  # pictures load


def _post(person: Person, words: str) -> Locator:
    return person.posts.filter(has_text=words).last if words else person.posts.last


def _put_at_top(post: Locator) -> None:
    post.evaluate(
        "(post) => { post.closest('#channel-timeline').scrollTop += post.getBoundingClientRect().top - 150; }"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
