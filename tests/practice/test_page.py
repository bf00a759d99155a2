"""The practice page in Chromium on a phone and on a desk: everything in reach, and alive by itself."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bot.league.formats.ohs import Ohs
from tests.practice.browser import browsing, running, serving
from tests.practice.browser import chromium as chromium

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.together, pytest.mark.timeout(300)]


def test_the_others_play_by_themselves_before_ones_eyes_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, "--autoplay") as server, browsing(server.address, chromium, width=390, height=844) as person:
        page = person.page
        expect(person.posts.first).to_contain_text("Welcome to the practice server")
        expect(page.get_by_role("heading", name="Welcome to the practice server")).to_be_in_viewport()
        person.act_as("Ada")
        channels = page.get_by_role("navigation", name="Channels").get_by_role("button")
        expect(channels).to_have_text(["#welcome", "#league"])
        expect(channels.filter(has_text="#league")).to_have_class("has-news")
        person.open("#league")
        expect(channels.filter(has_text="#league")).to_have_attribute("aria-current", "page")
        expect(person.posts.last).to_contain_text("7 players so far")
        expect(page.get_by_role("button", name="Join")).to_be_in_viewport()
        person.press("Join")
        expect(person.posts.filter(has_text="8 players so far")).to_have_count(1)
        expect(page.get_by_role("button", name="Report").first).to_be_visible()
        # Results are confirmed above; who reads at the end stays there.
        expect(person.posts.filter(has_text="results in").first).to_be_attached(timeout=60_000)
        expect(person.posts.last).to_be_in_viewport()
        assert not any(person.widths())


def test_after_a_change_of_person_reading_goes_on_at_the_same_place(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server, browsing(server.address, chromium, width=390, height=500) as person:
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
    assert "is in use by the practice server" in second.stderr
    assert "Traceback" not in second.stderr


def test_the_welcome_post_opens_at_its_beginning_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server, browsing(server.address, chromium, width=390, height=700) as person:
        heading = person.page.get_by_role("heading", name="Welcome to the practice server")
        expect(heading).to_be_in_viewport()
        person.page.reload()
        person.settle()
        expect(heading).to_be_in_viewport()
        person.open("#league")
        person.open("#welcome")
        expect(heading).to_be_in_viewport()


def test_nothing_scrolls_sideways_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    with (
        running(tmp_path, "tests.practice.wide_bot") as server,
        browsing(server.address, chromium, width=390) as person,
    ):
        person.act_as("Ada")
        person.type("/wide")
        person.type("/whisper")
        expect(person.page.get_by_role("img", name="A picture")).to_be_attached()
        assert not any(person.widths())
        person.page.get_by_role("combobox").last.click()
        assert not any(person.widths())
        person.page.keyboard.press("Escape")
        person.press("Rules")
        expect(person.page.get_by_role("radio")).to_have_count(2)
        assert not any(person.widths())
        person.page.get_by_role("button", name="Cancel").click()
        person.open("Direct messages")
        assert not any(person.widths())


def test_mentions_pins_and_direct_messages_are_shown_to_the_person_they_are_for(
    chromium: Browser, tmp_path: Path
) -> None:
    with running(tmp_path, "tests.practice.wide_bot") as server, browsing(server.address, chromium) as person:
        channels = person.page.get_by_role("navigation", name="Channels").get_by_role("button")
        person.act_as("Ada")
        expect(channels).to_have_text(["#welcome", "#league"])
        person.type("/whisper")
        expect(channels).to_have_text(["#welcome", "#league", "Direct messages"])
        expect(channels.last).to_have_class("has-news")
        person.type("/wide")
        mentioned = person.page.locator(".mentions-you")
        expect(mentioned).to_have_count(1)
        expect(person.page.locator(".is-pinned")).to_have_count(1)
        person.act_as("Bruno")
        expect(channels).to_have_text(["#welcome", "#league"])
        expect(person.page.locator(".is-pinned")).to_have_count(1)
        expect(mentioned).to_have_count(0)
        person.act_as("Ada")
        person.open("Direct messages")
        expect(person.posts.last).to_contain_text("A secret of #welcome")
        expect(channels.last).not_to_have_class("has-news")
        person.press("Report")
        person.choose("I won 2–0")
        expect(person.posts.last).to_contain_text("done")
        person.act_as("Bruno")
        expect(person.page.locator("#channel-name")).to_have_text("league")


def test_a_page_whose_answer_was_lost_loads_again_by_itself(chromium: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "tests.practice.wide_bot") as server, browsing(server.address, chromium) as person:
        page = person.page
        page.evaluate("window.before = true")
        page.route("**/api/action", lambda route: None, times=1)
        page.get_by_label("Acting as").select_option(label="Ada")
        expect(page.locator("#action-status")).to_have_text("Switching viewer…")
        page.wait_for_timeout(1000)
        expect(page.locator("#action-status")).to_have_text("Switching viewer…")
        page.evaluate("() => { const now = Date.now() + 60_000; Date.now = () => now; }")
        page.wait_for_function("() => window.before === undefined")
        person.act_as("Ada")
        person.type("/wide")


def test_with_autoplay_the_welcome_post_begins_with_who_plays_and_what_to_do(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, "--autoplay") as server, browsing(server.address, chromium) as person:
        first = person.posts.first
        expect(first).to_contain_text("Everyone else plays by themselves")
        expect(first).to_contain_text("act as someone else at the top and it begins within seconds")


def test_the_clock_of_the_page_moves_and_times_follow_it(chromium: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "tests.practice.wide_bot") as server, browsing(server.address, chromium) as person:
        person.type("/wide")
        deadline = person.page.locator("time.discord-timestamp")
        expect(deadline).to_have_text("in 2 days")
        for ahead, left in (("+24 hours", "tomorrow"), ("+12 hours", "in 12 hours"), ("+1 hour", "in 11 hours")):
            person.move_clock(ahead)
            expect(deadline).to_have_text(left)
        person.move_clock("+3 days")
        expect(deadline).to_have_text("3 days ago")


def test_without_a_token_the_first_line_of_the_terminal_is_the_address_to_open(tmp_path: Path) -> None:
    with running(tmp_path, "bot") as server:
        first, *_ = server.said
        assert first.startswith(f"Open {server.address} in a browser")


def test_a_select_shows_what_is_chosen_and_not_what_was_chosen_in_its_place_before(
    chromium: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path) as server, browsing(server.address, chromium) as person:
        person.open("#league")
        person.type("/season create", Ohs.title)
        chosen = person.posts.last.get_by_role("combobox")
        chosen.filter(has_text="Finals: ").click()
        person.page.get_by_role("option", name="Finals: top 4").click()
        person.settle()
        expect(chosen.filter(has_text="Finals: top 4")).to_have_count(1)
        person.press("All settings")
        expect(chosen.filter(has_text="Round length: 7 days")).to_have_count(1)
