"""Film a season in half a minute for the README: join, report, confirm, the next round, and the check in a browser."""

import re
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Locator, Page, expect

from bot.league.formats.ohs import Ohs
from bot.practice.world import ORGANISER, PLAYERS
from tests.practice.browser import ROOT, Person, browsing, serving

TOUR = ROOT / "docs" / "tour.webp"

_WIDTH, _HEIGHT, _CAPTION = 800, 600, 44
_LOADING = 1200  # milliseconds
_FIRST, *_OTHERS = PLAYERS


class Film:
    """The pictures of a page, each with what is written below it and how many milliseconds it stands."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._pictures: list[tuple[Image.Image, int]] = []
        self.caption = ""

    def show(self, milliseconds: int) -> None:
        """Take a picture of the page as it is."""
        self._page.mouse.move(0, 0)
        self._page.wait_for_timeout(_LOADING)
        self._take(milliseconds)

    def point(self, part: Locator) -> None:
        """Show what is pressed next."""
        part.evaluate("(part) => { part.style.outline = '4px solid #f0b232'; part.style.outlineOffset = '3px'; }")
        self._take(1000)
        part.evaluate("(part) => { part.style.outline = ''; }")

    def press(self, button: Locator) -> None:
        """Show which button is pressed, and press it."""
        self.point(button)
        button.click()

    def _take(self, milliseconds: int) -> None:
        taken = Image.open(BytesIO(self._page.screenshot())).convert("RGB")
        picture = Image.new("RGB", (_WIDTH, _HEIGHT + _CAPTION), "#111318")
        picture.paste(taken, (0, 0))
        middle = (_WIDTH / 2, _HEIGHT + _CAPTION / 2)
        ImageDraw.Draw(picture).text(middle, self.caption, "#ffffff", ImageFont.load_default(22), anchor="mm")
        self._pictures.append((picture, milliseconds))

    def save(self, path: Path) -> None:
        """Write all pictures as one that moves."""
        pictures, durations = zip(*self._pictures, strict=True)
        first, *later = pictures
        first.save(path, save_all=True, append_images=later, duration=durations, loop=0, quality=80, method=6)


def film() -> None:
    """Play on a practice server, and film what the README shows of it."""
    with (
        tempfile.TemporaryDirectory() as own,
        serving(Path(own)) as server,
        browsing(server.address, width=_WIDTH, height=_HEIGHT) as person,
    ):
        tour = Film(person.page)
        _joining(person, tour)
        _first_round(person, tour)
        _why(person, tour)
        tour.save(TOUR)
    print(TOUR.relative_to(ROOT), flush=True)


def _joining(person: Person, film: Film) -> None:
    person.act_as(ORGANISER)
    person.open("#league")
    person.type("/season create", Ohs.title)
    person.press("Open sign-ups")
    person.act_as(_FIRST)
    film.caption = "A season begins: sign-ups are open."
    _put_at_top(person.posts.last)
    film.show(2000)
    film.caption = "Ada joins."
    _put_at_top(_button(person.posts, "Join"))
    film.press(_button(person.posts, "Join"))
    person.settle()
    film.show(2000)
    for name in _OTHERS:
        person.act_as(name)
        person.press("Join")
    person.act_as(ORGANISER)
    person.type("/season start")


def _first_round(person: Person, film: Film) -> None:
    person.act_as(_FIRST)
    film.caption = "Round 1 is posted, with a button for each match."
    _put_at_top(_card(person))
    film.show(2000)
    row = _rows(person).filter(has_text=_FIRST)
    opponent = _opponent(row)
    film.caption = "Ada reports a win."
    film.press(_button(row, "Report"))
    form = person.page.get_by_role("dialog")
    form.get_by_role("radio", name=re.compile("^I won")).first.check()
    film.show(1800)
    form.get_by_role("button", name="Submit").click()
    expect(form).to_be_hidden()
    person.settle()
    _put_at_top(person.posts.filter(has_text="Got it").last)
    film.show(2200)
    person.act_as(opponent)
    film.caption = f"{opponent} is asked, and confirms."
    film.show(1800)
    film.press(_button(person.posts, "Confirm"))
    person.settle()
    film.show(1500)
    _rest_of_the_round(person, {_FIRST, opponent})
    person.act_as(_FIRST)
    film.caption = "The last result is in: round 2 follows by itself."
    _put_at_top(_card(person))
    film.show(2500)


def _rest_of_the_round(person: Person, done: set[str]) -> None:
    matches = len(PLAYERS) // 2
    for name in PLAYERS:
        if name in done:
            continue
        # The card follows each result within seconds, and its buttons move then.
        expect(_card(person)).to_contain_text(f"{len(done) // 2} of {matches} results in")
        person.settle()
        row = _rows(person).filter(has_text=name)
        done |= {name, _opponent(row, of=name)}
        person.act_as(name)
        person.press("Report", row)
        person.choose("I lost")
    expect(person.posts.filter(has_text="Round 2 of").first).to_be_visible()


def _why(person: Person, film: Film) -> None:
    person.type("/why")
    film.caption = "Why this opponent? /why says it."
    film.show(2500)
    film.press(_button(person.posts, "Check it yourself"))
    person.settle()
    link = person.posts.get_by_role("link", name="Watch it in the browser").last
    address = link.get_attribute("href")
    assert address
    film.caption = "Is that true? Watch it in your own browser."
    _put_at_top(link)
    film.point(link)
    _check(person.page, address, film)


def _check(page: Page, address: str, film: Film) -> None:
    page.goto(address)
    round_two = page.get_by_text("Round 2").first
    while not round_two.count():  # pages are written some time after a round
        page.wait_for_timeout(2000)
        page.reload()
    page.evaluate("scrollTo(0, 0)")
    film.caption = "Your browser works it out again: as the rules say,"
    film.show(2500)
    round_two.evaluate("(row) => { row.scrollIntoView(); }")
    film.caption = "and it shows every step."
    film.show(3000)


def _card(person: Person) -> Locator:
    return person.posts.filter(has=_sections(person)).last


def _rows(person: Person) -> Locator:
    """Return the matches on the newest card."""
    return _card(person).locator(_sections(person))


def _sections(person: Person) -> Locator:
    button = person.page.get_by_role("button", name="Report", exact=True)
    return person.page.locator(".component-section").filter(has=button)


def _opponent(row: Locator, of: str = _FIRST) -> str:
    pair = re.search(r"(\w+) v (\w+)", row.inner_text())
    assert pair is not None
    return pair[2] if pair[1] == of else pair[1]


def _put_at_top(part: Locator) -> None:
    part.evaluate(
        "(part) => { part.closest('#channel-timeline').scrollTop += part.getBoundingClientRect().top - 140; }"
    )


def _button(where: Locator, label: str) -> Locator:
    return where.get_by_role("button", name=label, exact=True).last
