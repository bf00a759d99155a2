"""The second engine in the reader's browser: it checks a file from a folder or a server, and sends nothing."""

import functools
import hashlib
import json
import shutil
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, expect

from bot.random_seasons.season import texts
from bot.site.pages import check_page, season_script
from tests.checker.engines import CHECK, FORMATS, HERE, IN_LISTS, NODE, answered
from tests.checker.test_checker import changed, forgotten_bracket, lost_by_all, play, season_of
from tests.practice.browser import AXE
from tests.practice.browser import chromium as chromium

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.together, pytest.mark.timeout(300)]

every_format = pytest.mark.parametrize("format_", FORMATS)
READY = "body[data-state=done], body[data-state=refused]"
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "'; alert(1); '",
    "\u202egnorw",
    "{{7*7}}",
    "javascript:alert(1)",
    "x" * 300,
    '" onclick="alert(1)',
)


class Visit:
    """A look at the page: what it asked for, and what went wrong in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.wrong: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.wrong.append(message.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", self._wave_away)

    def _wave_away(self, dialog: Dialog) -> None:
        self.wrong.append(dialog.message)
        dialog.dismiss()

    def check(self, text: str | bytes, name: str = "season.json") -> None:
        data = text if isinstance(text, bytes) else text.encode()
        self.page.evaluate("delete document.body.dataset.state")
        self.page.set_input_files("#file", {"name": name, "mimeType": "application/json", "buffer": data})
        self.page.wait_for_selector(READY)

    def open_all(self) -> int:
        lines = self.page.locator("button.line")
        for line in lines.all():
            line.click()
        expect(self.page.locator("button.line.open")).to_have_count(lines.count())
        return lines.count()

    def overflow(self) -> int:
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")


@functools.cache
def visit_in(browser: Browser) -> Visit:
    """Return the look that all tests have in turn: to open a page takes longer than to check a file in it."""
    return Visit(browser.new_page())


@contextmanager
def visiting(
    browser: Browser,
    address: str = CHECK.with_name("check.html").as_uri(),
    width: int = 1280,
    scheme: Literal["dark", "light"] = "light",
) -> Generator[Visit]:
    visit = visit_in(browser)
    visit.page.set_viewport_size({"width": width, "height": 844})
    visit.page.emulate_media(color_scheme=scheme)
    visit.asked.clear()
    visit.wrong.clear()
    visit.page.goto(address)
    yield visit
    assert visit.wrong == []


@functools.cache
def whole_seasons(format_: str) -> list[str]:
    return [list(texts(format_, seed))[-1] for seed in range(3, 15)]


@functools.cache
def finished(format_: str, wanted: Callable[..., str] = max) -> str:
    """Return a season that was played as far as its finals, the longest of some or the shortest."""
    return wanted((text for text in whole_seasons(format_) if '"stage": "finals"' in text), key=len)


@every_format
def test_a_season_is_checked_from_a_folder_and_each_round_opens(chromium: Browser, format_: str) -> None:
    text = finished(format_)
    (found,) = answered([text])
    with visiting(chromium) as visit:
        visit.check(text)
        page = visit.page
        assert visit.open_all() == len(json.loads(text)["rounds"])
        expect(page.locator(".round.tick, .round.pencil")).to_have_count(len(json.loads(text)["rounds"]))
        summary = page.locator(".summary h2")
        fine = found["verify"]["fine"]
        expect(summary).to_contain_text("as the rules say" if fine else "The salt differs from the rules.")
        prints = [text[:16] for text in found["fingerprints"][1:]]
        assert page.locator(".print").all_inner_texts() == prints
        rounds = json.loads(text)["rounds"]
        for round_ in rounds:
            if format_ not in IN_LISTS or round_["stage"] == "finals" or "by_hand" in round_:
                continue
            pairs = page.locator(f"#round-{round_['number']}-steps .sentences li.set")
            assert pairs.count() == len(round_["matches"])
        standings = page.locator("[aria-label=Standings] tbody tr td:nth-child(2)")
        assert standings.all_text_contents() == [row["name"] for row in found["standings"]]
        if not any(round_["stage"] == "finals" for round_ in rounds):
            expect(page.locator("[aria-label=Standings] tbody")).not_to_contain_text("in the finals")
        assert all(asked.startswith("file://") for asked in visit.asked)
        assert len(visit.asked) == len(set(visit.asked))


@contextmanager
def serving(folder: Path) -> Generator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@every_format
def test_over_http_the_page_asks_for_nothing_but_its_own_files(chromium: Browser, tmp_path: Path, format_: str) -> None:
    shutil.copytree(CHECK.parent, tmp_path / "checker")
    with serving(tmp_path) as address, visiting(chromium, f"{address}/checker/check.html") as visit:
        visit.page.wait_for_load_state()
        before = {*visit.asked}
        visit.check(finished(format_, wanted=min))
        visit.open_all()
        # A browser asks for the icon of a page when it likes.
        assert {*visit.asked} - before <= {f"{address}/checker/icon.svg"}
        assert all(asked.startswith(f"{address}/checker/") for asked in visit.asked)


LOOKED_AT = 6
"""How many seasons are changed at least; more where none of these then differs from the rules."""


@every_format
def test_a_changed_file_shows_red_where_it_differs(chromium: Browser, format_: str) -> None:
    seen = 0
    with visiting(chromium) as visit:
        for seed in range(60):
            if seen and seed >= LOOKED_AT:
                break
            season: dict[str, Any] = json.loads(list(texts(format_, seed))[-1])
            played = [
                match for round_ in season["rounds"][:2] for match in round_["matches"] if match["kind"] == "played"
            ]
            if not played or played[-1]["winner"] == "draw":
                continue
            played[-1]["winner"] = next(name for name in played[-1]["players"] if name != played[-1]["winner"])
            text = json.dumps(season)
            (found,) = answered([text])
            if "invalid" in found:
                continue
            fine = ("as the rules say", "changed by hand")
            said = [line for line in found["verify"]["lines"] if line.startswith("round")]
            wrong = [line.split(":")[0] for line in said if not any(words in line for words in fine)]
            visit.check(text)
            red = visit.page.locator(".round.cross button.line")
            assert [f"round {str(one.get_attribute('id')).removeprefix('round-')}" for one in red.all()] == wrong
            if wrong:
                seen += 1
                expect(visit.page.locator(".summary.bad h2")).to_contain_text("from the rules")
                expect(visit.page.locator(".round.cross .differs").first).not_to_be_empty()
                visit.open_all()
    assert seen


@every_format
def test_what_a_changed_file_looks_like_is_shown(chromium: Browser, format_: str) -> None:
    with visiting(chromium) as visit:
        visit.check(finished(format_))
        part = visit.page.locator("section", has_text="What does a changed file look like?")
        part.get_by_role("button", name="Show me").click()
        expect(part).to_contain_text("differs from the rules")


def hostile(format_: str) -> str:
    season = finished(format_)
    for name, other in zip([player["name"] for player in json.loads(season)["players"]], HOSTILE, strict=False):
        season = season.replace(json.dumps(name, ensure_ascii=False), json.dumps(other, ensure_ascii=False))
    return season


@every_format
def test_hostile_names_are_text(chromium: Browser, format_: str) -> None:
    with visiting(chromium) as visit:
        text = json.dumps({**json.loads(hostile(format_)), "league": HOSTILE[0]})
        visit.check(text, HOSTILE[1])
        visit.open_all()
        page = visit.page
        expect(page.get_by_text(HOSTILE[0]).first).to_be_attached()
        assert page.locator("img, script:not([src]), [onclick], [onerror]").count() == 0
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 844})
            assert visit.overflow() <= 0


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "expected a value"),
        (b"\xff\xfe", "isn't text in UTF-8"),
        (b"\xef\xbb\xbf{}", "line 1, column 1"),
        (b'{"fairpair": 1, "fairpair": 1}', "stands twice"),
        (b'{"fairpair": 1, "<b>": 1}', 'unknown field "<b>"'),
        (b"PK\x03\x04", "line 1"),
    ],
)
def test_what_is_no_league_file_is_refused_in_words(chromium: Browser, data: bytes, said: str) -> None:
    with visiting(chromium) as visit:
        visit.check(data, "holiday.json")
        expect(visit.page.locator(".summary.bad")).to_contain_text(said)
        expect(visit.page.locator(".summary.bad")).to_contain_text("holiday.json")
        visit.check(finished("ohs"))  # the page goes on
        expect(visit.page.locator(".round").first).to_be_visible()


def test_a_large_file_is_told_before_it_is_checked(chromium: Browser) -> None:
    season = json.loads(finished("ohs"))
    season["past_seasons"] = [{"season": 0, "matches": [["a" * 100, "b" * 100]] * 20_000}]
    with visiting(chromium) as visit:
        page = visit.page
        data = json.dumps(season).encode()
        page.set_input_files("#file", {"name": "l.json", "mimeType": "application/json", "buffer": data})
        expect(page.locator(".summary")).to_contain_text("l.json is large (4.")
        page.get_by_role("button", name="Check it anyway").click()
        page.wait_for_selector(READY)
        expect(page.locator(".round").first).to_be_visible()


def test_on_a_phone_one_goes_through_a_round_step_by_step(chromium: Browser) -> None:
    text = finished("ohs")
    with visiting(chromium, width=390) as visit:
        visit.check(text)
        page = visit.page
        page.locator("#round-1").click()
        opened = page.locator("#round-1-steps")
        expect(opened.locator(".picture")).to_be_hidden()
        expect(opened.locator(".states .chooses")).to_have_count(1)
        expect(opened.get_by_role("button", name="Back")).to_be_disabled()
        following = opened.get_by_role("button", name="Next step")
        while following.is_enabled():
            following.click()
        states = opened.locator(".states .state").all_inner_texts()
        assert "waiting" not in states
        assert visit.overflow() <= 0
        sizes = [
            box["height"]
            for one in page.locator("button:visible, select:visible, summary:visible").all()
            if (box := one.bounding_box())
        ]
        assert min(sizes) >= 44


def test_the_draw_of_any_name_is_worked_out_while_one_types(chromium: Browser) -> None:
    season = json.loads(finished("ohs"))
    season["settings"].pop("salt", None)
    for field in ("sealed", "drawn_names", "final"):
        season.pop(field, None)
    with visiting(chromium) as visit:
        visit.check(json.dumps(season))
        page = visit.page
        page.locator("#round-1").click()
        page.locator(".draw input").fill("Zoe\u0308's")
        text = f"{season['season']}/1/order/Zoë's"
        page.locator(".draw select").select_option("order")
        expect(page.locator(".draw .text")).to_have_text(text)
        expect(page.locator(".draw .hash")).to_have_text(hashlib.sha256(text.encode()).hexdigest())
        expect(page.locator(".draw .shell")).to_have_text(
            f"printf '%s' '{season['season']}/1/order/Zoë'\\''s' | sha256sum"
        )
        expect(page.locator(".draw")).to_contain_text("a sealed salt prevents that")


def test_the_draw_is_shown_only_in_rounds_where_it_decided(chromium: Browser) -> None:
    season = list(texts("keyforge-swiss", 3))[-1]
    with visiting(chromium) as visit:
        visit.check(season)
        last = visit.open_all()
        expect(visit.page.locator("#round-1-steps .draw")).to_have_count(1)
        expect(visit.page.locator(f"#round-{last}-steps .draw")).to_have_count(0)
        equals = visit.page.locator("#round-2-steps .draw")
        equals.locator("select").select_option("who is first of equals")
        expect(equals.locator(".text")).to_contain_text(f"{json.loads(season)['season']}/1/tiebreak/")


def test_a_fingerprint_from_a_post_is_found(chromium: Browser) -> None:
    text = finished("keyforge-swiss")
    (found,) = answered([text])
    with visiting(chromium) as visit:
        visit.check(text)
        field = visit.page.get_by_label("Paste one from the league's posts")
        part = visit.page.locator("section", has_text="Compare a fingerprint")
        field.fill(found["fingerprints"][2][:16])
        expect(part).to_contain_text("after round 2")
        field.fill("0" * 16)
        expect(part).to_contain_text("never had this fingerprint")
        field.fill("hello")
        expect(part).to_contain_text("16 or 64 digits")


def test_a_file_that_stands_beside_the_page_is_checked_at_once(chromium: Browser, tmp_path: Path) -> None:
    shutil.copytree(CHECK.parent, tmp_path / "checker")
    (tmp_path / "season-7").mkdir()
    page = tmp_path / "season-7" / "check.html"
    page.write_text(check_page(CHECK.with_name("check.html").read_text(encoding="utf-8")), encoding="utf-8")
    text = hostile("two-loss-out")
    page.with_name("season.js").write_bytes(season_script(text.encode(), "season-7.json"))
    with visiting(chromium, f"{page.as_uri()}#round-2") as visit:
        visit.page.wait_for_selector(READY)
        expect(visit.page.locator("#round-2")).to_have_attribute("aria-expanded", "true")
        expect(visit.page.get_by_role("link", name="season-7.json")).to_have_attribute("href", "season-7.json")
        expect(visit.page.get_by_role("link", name="Back to the season")).to_have_attribute("href", "index.html")
        assert visit.page.evaluate("fairpair.file") == text


SECRET = "0" * 64
COMMITMENT = hashlib.sha256(SECRET.encode()).hexdigest()
PLAYED = {"players": ["Ada", "Zoë"], "winner": "Zoë", "games": None, "kind": "played"}
ROUND: dict[str, Any] = {"number": 1, "stage": "regular", "bye": None, "matches": [PLAYED]}


def sealed(names: str) -> dict[str, Any]:
    salt = hashlib.sha256(f"{SECRET}\n{names}".encode()).hexdigest()[:16]
    return {"settings": {"salt": salt}, "sealed": {"commitment": COMMITMENT, "secret": SECRET}}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, ["No round to check yet.", "No round is paired yet."]),
        (
            {"rounds": [ROUND]},
            ["The one round is as the rules say.", "Nobody, not even the league's organisers", "Both players"],
        ),
        ({"rounds": [ROUND]}, ["Type any name", "Someone could still try names"]),
        ({"format": "record", "rounds": [ROUND]}, ["Nothing to check: the program didn't pair this season."]),
        (
            {"rounds": [{**ROUND, "by_hand": "<b>"}]},
            ["Every round was changed by an organiser.", "changed by an organiser"],
        ),
        ({"rounds": [ROUND], "forgotten": True}, ["A player asked to be forgotten"]),
        (
            {"rounds": [{**ROUND, "by_hand": "a player was forgotten"}], "forgotten": True},
            ["The rounds can't be checked any more.", "a player was forgotten; no one plays twice"],
        ),
        ({"sealed": {"commitment": COMMITMENT, "secret": None}}, ["The secret is shown when round 1 is paired"]),
        (
            {**sealed("Ada\nZoë"), "rounds": [ROUND]},
            ["Commitment, secret, names and salt fit each other.", "no player could"],
        ),
        (
            {**sealed("Ada\nZoe"), "rounds": [ROUND]},
            ["The salt differs from the rules.", "it is not that of the names"],
        ),
        (
            {"rounds": [ROUND], "final": {"ended": "rules", "champion": "Ada", "standings": []}},
            ["How it ended differs from the rules.", "The file says the end otherwise"],
        ),
    ],
)
def test_what_a_season_can_be_is_said(chromium: Browser, fields: dict[str, Any], said: list[str]) -> None:
    with visiting(chromium) as visit:
        visit.check(changed(**fields))
        visit.open_all()
        for words in said:
            expect(visit.page.locator("main")).to_contain_text(words)


def played_again() -> str:
    season = season_of("two-loss-out", 4, settings={"losses": 1, "cut": 1})
    lost_by_all(season)
    play(season)
    return json.dumps(season)


def swapped() -> str:
    season = season_of("two-loss-out", 16)
    for winners in ((), (), (), (0, 1, 1, 0), ()):
        play(season, *winners)
    return json.dumps(season)


def decided() -> str:
    season = season_of("lightseekers-swiss", 6)
    play(season)
    return json.dumps({**season, "decisions": [{"after_round": 1, "order": ["P1", "P2", "P3", "P4"]}]})


def divided() -> str:
    """Return a season in two divisions by a ladder, played to its end."""
    settings = {"group_size": 3, "grouping": "divisions"}
    season = season_of("round-robin", 6, settings=settings, ladder=["P5", "P2", "gone", "P6"])
    for _ in range(3):
        play(season)
    return json.dumps(season)


def another_bye() -> str:
    """Return a season in whose round 4 the smallest draw for the bye would cost a rematch."""
    made = subprocess.run([NODE, HERE / "generate.js", "two-loss-out", "8", "9"], capture_output=True, check=True)
    return made.stdout.decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (played_again, ["play again: round 1 left no one in", "they have the best S.O.S."]),
        (swapped, ["swapped, because undefeated players meet players with a loss where that's possible"]),
        (decided, ["(P1, P2, P3, P4) counts for nothing, because these aren't all of one group of equals"]),
        (another_bye, ["in the order of the draw with whom the fewest meet again", "more would meet again"]),
        (
            divided,
            [
                "First come the players who are in the ladder: P5, P2, P6.",
                "Then everyone else by ranking: P1, P3, P4.",
                "Of this order, division 1 takes the first 3, division 2 the next 3.",
                "The ladder for the next season",
                "Division: place",
            ],
        ),
        (
            lambda: json.dumps(forgotten_bracket()),
            ["so the slots are taken from the file", "A player asked to be forgotten: salt and fingerprints can't"],
        ),
    ],
)
def test_the_rule_that_decided_a_round_is_told(chromium: Browser, text: Callable[[], str], said: list[str]) -> None:
    with visiting(chromium) as visit:
        visit.check(text())
        visit.open_all()
        for words in said:
            expect(visit.page.locator("main")).to_contain_text(words)


def test_a_file_can_be_dropped_on_the_page(chromium: Browser) -> None:
    with visiting(chromium) as visit:
        visit.page.evaluate(
            """(text) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([text], "dropped.json"));
                document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
            }""",
            changed(rounds=[ROUND]),
        )
        expect(visit.page.locator(".summary")).to_contain_text("dropped.json")


def test_nothing_written_into_the_page_would_run(chromium: Browser) -> None:
    page = chromium.new_page()
    page.goto(CHECK.with_name("check.html").as_uri())
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
    }""")
    assert page.evaluate("window.ran") is None
    assert page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')") == "refused"
    assert "connect-src" in str(
        page.evaluate("""() => new Promise((done) => {
        document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
        fetch("http://127.0.0.1:9/").catch(() => null);
    })""")
    )
    page.close()


@pytest.mark.parametrize(
    ("format_", "scheme", "width"),
    [
        *((format_, "light", 390) for format_ in FORMATS),
        *((FORMATS[0], scheme, width) for scheme, width in [("light", 1280), ("dark", 390), ("dark", 1280)]),
    ],
)
def test_axe_finds_nothing_in_an_opened_season(
    chromium: Browser, format_: str, scheme: Literal["dark", "light"], width: int
) -> None:
    """Its rules look at each element: the smallest season that came to its finals has them all."""
    with visiting(chromium, width=width, scheme=scheme) as visit:
        visit.check(finished(format_, wanted=min))
        visit.open_all()
        visit.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        found = Axe().run(visit.page, options=AXE)
        assert found.violations_count == 0, found.generate_report()
