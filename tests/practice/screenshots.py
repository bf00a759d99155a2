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
    """One picture: who looks where, what they type, press and choose before, and what the post shown says."""

    name: str
    person: str
    do: tuple[str | tuple[str, ...], ...] = ()
    """Commands, labels of buttons, and options to choose in a select, in order."""
    shows: str = ""
    """A post with these words is put at the top; else the newest is."""
    channel: str = "#league"


Moment = tuple[str, tuple[Scene, ...]]
"""What the stage is told (see there), and the pictures taken then."""

STORY: tuple[Moment, ...] = (
    (
        "play 2 1 2",  # one match decided, the next disputed, two to play
        (
            Scene("round", "Hana", shows="round 2"),
            Scene("report", "Hana", do=("Report",)),
            Scene("moderators", "Marco (moderator)", channel="#moderators"),
            Scene("pairings", "Hana", do=("/pairings",)),
            Scene("why", "Hana", do=("/why",)),
            Scene("notify", "Hana", do=("/notify",)),
        ),
    ),
    (
        "play 3 2 1",  # the third match reported
        (
            Scene("board", "Hana", shows="Updated"),
            Scene("match", "Emil", do=("/match",)),
            Scene("standings", "Emil", do=("/standings",)),
            Scene("outlook", "Emil", do=("/outlook",)),
            Scene("rules", "Emil", do=("/rules",)),
        ),
    ),
    (
        "play 5 1 0",
        (
            Scene("bracket", "Emil", do=("/bracket",)),
            Scene("ranking", "Emil", do=("/ranking",)),
            Scene("history", "Emil", do=("/history",)),
        ),
    ),
    ("play 99 0 0", (Scene("champion", "Emil", shows="champion"),)),
)
"""A season from the second round on."""

STORIES: dict[str, tuple[str, tuple[Moment, ...]]] = {
    "season": ("", STORY),
}
"""Each story with the moment its clock starts at, if that matters; it has a server of its own."""


def main(folder: Path, wanted: Sequence[str]) -> None:
    """Take each picture at each width; what can't be shown is named and left out."""
    for name, (start, story) in STORIES.items():
        known = {scene.name for _, scenes in story for scene in scenes}
        if not wanted or name in wanted or known.intersection(wanted):
            _tell(story, start, folder, () if name in wanted else wanted)


def _tell(story: Sequence[Moment], start: str, folder: Path, wanted: Sequence[str]) -> None:
    told = ("tests.practice.stage", *([start] if start else []))
    with tempfile.TemporaryDirectory() as own, running(Path(own), *told) as server:
        for lines, scenes in story:
            for line in lines.splitlines():
                server.tell(line.strip(), "done")
            with browsing(server.address, sharpness=2) as person:
                for scene in scenes:
                    # One that isn't wanted may lead to one that is.
                    _take(scene, person, folder if not wanted or scene.name in wanted else None)


def _take(scene: Scene, person: Person, folder: Path | None) -> None:
    person.page.set_default_timeout(_PATIENCE)
    expect.set_options(timeout=_PATIENCE)
    try:
        _resize(person, max(WIDTHS))
        _play(scene, person)
        for width in WIDTHS if folder else ():
            _resize(person, width)
            if not person.page.get_by_role("dialog").count():
                _put_at_top(_post(person, scene.shows))
            person.page.mouse.move(0, 0)
            person.page.wait_for_timeout(1500)  # pictures load
            person.page.screenshot(path=folder / f"{scene.name}-{width}.png")
            print(folder / f"{scene.name}-{width}.png", flush=True)
    except (Error, AssertionError) as error:
        print(f"{scene.name} can't be taken: {str(error).splitlines()[0]}", flush=True)
        person.page.reload()
        person.settle()


def _resize(person: Person, width: int) -> None:
    person.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    person.settle()


def _play(scene: Scene, person: Person) -> None:
    person.act_as(scene.person)
    person.open(scene.channel)
    for step in scene.do:
        if isinstance(step, tuple):
            person.pick(*step)
        elif step.startswith("/"):
            person.type(*step.split("|"))
        else:
            person.press(step)


def _post(person: Person, words: str) -> Locator:
    return person.posts.filter(has_text=words).last if words else person.posts.last


def _put_at_top(post: Locator) -> None:
    post.evaluate(
        "(post) => { post.closest('#channel-timeline').scrollTop += post.getBoundingClientRect().top - 150; }"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
