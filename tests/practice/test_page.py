"""The practice page in Chromium on a phone and on a desk: everything in reach, and alive by itself."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.practice.browser import Person, browsing, serving

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def _fits(person: Person) -> bool:
    return bool(person.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_the_others_play_by_themselves_before_ones_eyes_on_a_phone(tmp_path: Path) -> None:
    with serving(tmp_path, "--autoplay") as server, browsing(server.address, width=390, height=844) as person:
        page = person.page
        expect(person.posts.first).to_contain_text("Welcome to the practice server")
        expect(page.get_by_role("heading", name="Welcome to the practice server")).to_be_in_viewport()
        person.act_as("Ada")
        channels = page.get_by_role("navigation", name="Channels").get_by_role("button")
        expect(channels).to_have_text(["#welcome", "#league"])
        expect(channels.filter(has_text="#league")).to_have_class("has-news")
        person.open("#league")
        expect(channels.filter(has_text="#league")).to_have_attribute("aria-current", "page")
        expect(person.posts.last).to_contain_text("7 players signed up")
        expect(page.get_by_role("button", name="Join")).to_be_in_viewport()
        person.press("Join")
        expect(person.posts.filter(has_text="8 players signed up")).to_have_count(1)
        expect(page.get_by_role("button", name="I won").first).to_be_visible()
        # Results are confirmed above; who reads at the end stays there.
        expect(person.posts.filter(has_text="✅").nth(1)).to_be_attached()
        expect(person.posts.last).to_be_in_viewport()
        assert _fits(person)


def test_who_changes_the_person_goes_on_reading_where_he_was(tmp_path: Path) -> None:
    with serving(tmp_path) as server, browsing(server.address, width=390, height=500) as person:
        for number in range(12):
            person.say(f"line {number}")
        line = person.posts.get_by_text("line 4", exact=True)
        line.scroll_into_view_if_needed()
        person.act_as("Bruno")
        expect(line).to_be_in_viewport()
        person.open("#league")
        person.open("#welcome")
        expect(person.page.get_by_role("heading", name="Welcome to the practice server")).to_be_in_viewport()


def test_a_second_server_on_the_same_files_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        second = server.program("practice")
    assert second.returncode != 0
    assert "the practice server is already running" in second.stderr
    assert "Traceback" not in second.stderr
