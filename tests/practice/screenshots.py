"""Take pictures of every scene, to look at: python -m tests.practice.screenshots FOLDER [SCENE ...]."""

import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Error, Locator, expect

from tests.practice.browser import Person, browsing, running

WIDTHS = {1280: 900, 390: 844}
"""The heights of the windows, by their widths."""

_PATIENCE = 15_000  # milliseconds


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: who looks where, what they type, press and choose before, and what the post shown says."""

    name: str
    person: str
    do: tuple[str | tuple[str, ...] | dict[str, str], ...] = ()
    """Commands, labels of buttons, options to choose in a select, and answers in a form, in order."""
    shows: str = ""
    """A post with these words is put at the top; else the newest is."""
    channel: str = "#league"


Moment = tuple[str, tuple[Scene, ...]]
"""What the stage is told (see there), and the pictures taken then."""

STORY: tuple[Moment, ...] = (
    (
        "play 2 1 2",  # one match decided, the next disputed, two to play
        (
            Scene("hello", "Olivia (organiser)", channel="#welcome"),
            Scene("set-up", "Olivia (organiser)", channel="#moderators", shows="is set up"),
            Scene("round", "Hana", shows="Round 2 of"),
            Scene("report", "Goro", do=("Report",)),
            Scene("moderators", "Marco (moderator)", channel="#moderators"),
            Scene("disputes", "Marco (moderator)", do=("/disputes",)),
            Scene("status", "Olivia (organiser)", do=("/season status",)),
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
            Scene("profile", "Emil", do=("/profile",)),
        ),
    ),
    ("play 99 0 0", (Scene("champion", "Emil", shows="champion"),)),
)
"""A season from the second round on."""

WEEK: tuple[Moment, ...] = (
    (
        "open ohs dice_off=equalizer\nplay 1 0 0",
        (Scene("availability", "Goro", do=("/availability",)), Scene("why-dice", "Ada", do=("/why",))),
    ),
    (
        """Goro availability time_zone=Europe/Berlin 'hours=mon-fri 18-22, sun 17-22'
        Emil availability time_zone=America/Los_Angeles 'hours=daily 9-14'""",
        (
            Scene("propose", "Goro", do=("/match", "Propose times")),
            Scene("propose-times", "Goro", do=((),)),
            Scene("propose-send", "Goro", do=(("Fri 30 Oct, 19:00", "Sun 1 Nov, 19:00"),)),
            Scene("proposed", "Goro", do=("Send",)),
            Scene("proposed-asked", "Emil", shows="proposes times"),
            Scene("agreed", "Emil", do=("2. Sun 1 Nov, 10:00 (10 am)",)),
            Scene("agreed-match", "Goro", do=("/match",)),
            Scene("schedule", "Ada", do=("/schedule",)),
        ),
    ),
    (
        """move 25
        Ada sit-out round=2""",
        (
            Scene("sit-out", "Ada"),
            Scene("sitting-out", "Ada", do=("Sit out",)),
            Scene("agreed-card", "Hana", shows="Round 1 of"),
            Scene("problem-form", "Chidi", do=("/match", "Problem")),
            Scene(
                "problem",
                "Chidi",
                do=({"What's wrong?": "No answer", "What happened?": "I wrote on Monday and on Tuesday."},),
            ),
            Scene("problem-asked", "Farah", channel="Direct messages"),
            Scene("problem-concede", "Farah", do=("I concede",), channel="Direct messages"),
        ),
    ),
    (
        """move 25
        Olivia player substitute old=Bruno new=Marco
        Olivia season pause until=7d""",
        (
            Scene("problem-moderators", "Marco (moderator)", channel="#moderators"),
            Scene("pause", "Olivia (organiser)"),
            Scene("paused", "Olivia (organiser)", do=("Pause the season",)),
            Scene("substitute", "Olivia (organiser)", do=("Substitute",)),
            Scene("substitute-match", "Hana", do=("/match",)),
            Scene("substitute-card", "Hana", shows="Round 1 of"),
            Scene("paused-board", "Hana", shows="Updated"),
        ),
    ),
)
"""The week in which Berlin's clocks have changed and those of Los Angeles haven't yet."""

LISTS: tuple[Moment, ...] = (
    (
        "open ohs 'lists=1 season 0 match'\nsign-up",
        (
            Scene("list", "Ada", do=("/list",)),
            Scene("list-form", "Ada", do=("Hand in list",)),
            Scene("list-in", "Ada", do=({"Your list": "Raelin the Kyrie Warrior\nKrav Maga Agents x2\n500 points"},)),
            Scene("lists-missing", "Olivia (organiser)", do=("/list",)),
            Scene("panel", "Olivia (organiser)", do=("/season settings",)),
            Scene("maps-form", "Olivia (organiser)", do=("/season maps",)),
            Scene("maps", "Olivia (organiser)", do=({"Maps": "1, Fields of Fire, 500 points\n2, Ticalla Sunrise"},)),
        ),
    ),
    (
        "start\nplay 1 1 0",
        (
            Scene("lists-sealed", "Ada", shows="sealed"),
            Scene("maps-card", "Ada", shows="Round 1 of"),
            Scene("list-match", "Ada", do=("/match",)),
        ),
    ),
)
"""Lists that stay secret until each match, and maps."""

SIGNUPS: tuple[Moment, ...] = (
    (
        """open ohs max_players=6 check_in_hours=24 signups_close=3d
        Ada signup
        Bruno signup
        Chidi signup
        Daria signup
        Emil signup
        Farah signup""",
        (
            Scene("waitlist", "Goro", do=("Join",)),
            Scene("signups-full", "Hana", shows="Updated"),
            Scene("leave", "Ada", do=("Leave",)),
            Scene("left", "Ada", do=("Leave",)),
            Scene("place-offered", "Goro"),
        ),
    ),
    ("move 49", (Scene("check-in", "Bruno"),)),
)
"""Sign-ups for fewer places than there are people."""

THREADS: tuple[Moment, ...] = (
    (
        "open ohs match_places=threads\nplay 1 0 0",
        (
            Scene("threads-league", "Goro", shows="Round 1 of"),
            Scene("thread", "Goro", channel="#Round 1: Goro v Emil"),
        ),
    ),
)
"""A thread for each match."""

GROUPS: tuple[Moment, ...] = (
    (
        "open round-robin group_size=4 scores=yes\nsign-up",
        (Scene("groups-panel", "Olivia (organiser)", do=("/season settings",)),),
    ),
    (
        "Olivia season start\nplay 1 2 1",
        (
            Scene("groups-round", "Hana", shows="Round 1 of"),
            Scene("groups-match", "Hana", do=("/match",)),
            Scene("groups-standings", "Hana", do=("/standings",)),
        ),
    ),
    (
        "play 2 3 1",
        (
            Scene("groups-card", "Hana", shows="Round 2 of"),
            Scene("groups-board", "Hana", shows="Updated"),
            Scene("groups-table", "Hana", do=("/standings",)),
            Scene("groups-outlook", "Hana", do=("/outlook",)),
            Scene("groups-schedule", "Hana", do=("/schedule",)),
            Scene("groups-why", "Hana", do=("/why",)),
            Scene("groups-rules", "Hana", do=("/rules",)),
        ),
    ),
    ("play 4 0 0", (Scene("groups-bracket", "Hana", shows="Updated"), Scene("groups-news", "Hana"))),
)
"""Two groups with touchdowns, and their finals."""

STORIES: dict[str, tuple[str, tuple[Moment, ...]]] = {
    "season": ("", STORY),
    "week": ("2026-10-26T12:00+00:00", WEEK),
    "lists": ("", LISTS),
    "sign-ups": ("", SIGNUPS),
    "threads": ("", THREADS),
    "groups": ("", GROUPS),
}
"""Each story with the moment its clock starts at, if that matters; it has a server of its own."""


Take = Callable[[Scene, Person], None]


def main(folder: Path, wanted: Sequence[str]) -> None:
    """Take each picture at each width; what can't be shown is named and left out."""
    for name, (start, story) in STORIES.items():
        known = names_in(story)
        if not wanted or name in wanted or known.intersection(wanted):
            chosen = known if not wanted or name in wanted else known.intersection(wanted)
            tell(story, start, chosen, lambda scene, person: _take_window(scene, person, folder))


def names_in(story: Sequence[Moment]) -> set[str]:
    """Return the names of the pictures of a story."""
    return {scene.name for _, scenes in story for scene in scenes}


def tell(story: Sequence[Moment], start: str, wanted: Collection[str], take: Take) -> None:
    """Play a story on a server of its own, and take those of its pictures that are wanted."""
    told = ("tests.practice.stage", *([start] if start else []))
    with tempfile.TemporaryDirectory() as own, running(Path(own), *told) as server:
        for lines, scenes in story:
            for line in lines.splitlines():
                server.tell(line.strip(), "done")
            with browsing(server.address, sharpness=2) as person:
                for scene in scenes:
                    # One that isn't wanted may lead to one that is.
                    _show(scene, person, take if scene.name in wanted else None)


def _take_window(scene: Scene, person: Person, folder: Path) -> None:
    for width in WIDTHS:
        _resize(person, width)
        if not person.page.get_by_role("dialog").count():
            _put_at_top(post(person, scene))
        person.page.mouse.move(0, 0)
        person.page.wait_for_timeout(1500)  # pictures load
        person.page.screenshot(path=folder / f"{scene.name}-{width}.png")
        print(folder / f"{scene.name}-{width}.png", flush=True)


def _show(scene: Scene, person: Person, take: Take | None) -> None:
    person.page.set_default_timeout(_PATIENCE)
    expect.set_options(timeout=_PATIENCE)
    try:
        _resize(person, max(WIDTHS))
        _play(scene, person)
        if take is not None:
            take(scene, person)
    except (Error, AssertionError) as error:
        print(f"{scene.name} can't be taken: {str(error).splitlines()[0]}", flush=True)
        person.page.reload()
        person.settle()


def _resize(person: Person, width: int) -> None:
    person.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    person.settle()


def _play(scene: Scene, person: Person) -> None:
    form = person.page.get_by_role("dialog")
    goes_on = form.count() and scene.do and isinstance(scene.do[0], dict)
    if form.count() and not goes_on:
        form.get_by_role("button", name="Cancel").click()
    if not goes_on:
        person.act_as(scene.person)
        person.open(scene.channel)
    for step in scene.do:
        if isinstance(step, tuple):
            person.pick(*step)
        elif isinstance(step, dict):
            person.fill_in_all(step)
        elif step.startswith("/"):
            person.type(*step.split("|"))
        else:
            person.press(step)


def post(person: Person, scene: Scene) -> Locator:
    """Return the post a scene is about."""
    return person.posts.filter(has_text=scene.shows).last if scene.shows else person.posts.last


def _put_at_top(post: Locator) -> None:
    post.evaluate(
        "(post) => { post.closest('#channel-timeline').scrollTop += post.getBoundingClientRect().top - 150; }"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
