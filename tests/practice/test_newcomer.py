"""A newcomer plays a season in Chromium with nothing but the page and its posts; the server is killed in between."""

import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from bot.league import formats
from tests.practice.browser import Person, Server, browsing, serving

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(600)]


class Newcomer:
    """Someone who does what the numbered steps of the welcome post say, and nothing else."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._page = person.page
        expect(person.posts).to_have_count(2)
        self._steps = [self._read(step) for step in person.posts.first.locator("ol > li").all()]
        asides = person.posts.last.locator("ul > li").all()
        self._silence, self._dispute, *_ = [aside.locator("strong").all_inner_texts() for aside in asides]
        self._report, self._confirm = self._steps[3][1]
        self._people = self._page.get_by_label("Acting as").get_by_role("option").all_inner_texts()
        self._settled: dict[str, set[str]] = {}

    @staticmethod
    def _read(step: Locator) -> tuple[str, list[str]]:
        """Return a step's words, and what it stresses: people, channels, commands, choices and buttons, in order."""
        return step.inner_text(), step.locator("strong, code").all_inner_texts()

    def follow(self, number: int) -> None:
        """Do what is stressed in a step, then the same as everybody else it names."""
        text, stressed = self._steps[number - 1]
        self._do(stressed)
        _, _, others = text.partition("Do the same as ")
        for name in self._people:
            if re.search(rf"\b{re.escape(name)}\b", others):
                self._do([name, *stressed[1:]])

    def _do(self, stressed: list[str]) -> None:
        for place, words in enumerate(stressed):
            if words in self._people:
                self._person.act_as(words)
            elif words.startswith("#"):
                self._person.open(words)
            elif words.startswith("/"):
                self._person.type(words, *(word for word in stressed[place + 1 :] if self._is_format(word)))
            elif not self._is_format(words):
                self._person.press(words)

    @staticmethod
    def _is_format(words: str) -> bool:
        return words in {format_.title for format_ in formats.ALL}

    def report_next_match(self, result: str) -> tuple[str, str] | None:
        """Report the first match still to play, as its first player; return the two, or None where there's none."""
        row = self._to_play().first
        if not row.count():
            return None
        found = re.search(r"(\w+) v (\w+)", row.inner_text())
        assert found is not None
        self._settled.setdefault(self._newest_card(), set()).add(found[0])
        self._person.act_as(found[1])
        self._person.press(self._report, row)
        self._person.choose(result)
        return found[1], found[2]

    def _to_play(self) -> Locator:
        """Return the rows of the newest round that can be reported; a card follows a report some seconds later."""
        card = self._newest_card()
        rows = self._page.locator(f"[data-message-id='{card}']").locator(self._rows())
        for pairing in self._settled.get(card, ()):
            rows = rows.filter(has_not_text=pairing)
        return rows

    def _newest_card(self) -> str:
        cards = self._person.posts.filter(has=self._rows())
        return str(cards.last.get_attribute("data-message-id")) if cards.count() else ""

    def _rows(self) -> Locator:
        button = self._page.get_by_role("button", name=self._report, exact=True)
        return self._page.locator(".component-section").filter(has=button)

    def settle_next_match(self, *, modest: bool) -> bool:
        """Settle the first open match in one of the two ways; return whether there was one."""
        players = self.report_next_match("I lost" if modest else "I won")
        if players is not None and not modest:
            self._person.act_as(players[1])
            self._person.press(self._confirm)
        return players is not None

    def dispute_next_match(self) -> None:
        """Try what the welcome post says to try: dispute a report, and decide as the moderator."""
        dispute, _, moderator, back_room = self._dispute
        players = self.report_next_match("I won")
        assert players is not None
        self._person.act_as(players[1])
        self._person.press(dispute)
        self._person.fill_in_all({"What really happened?": "I won", "In your words": "My last figure stood."})
        self._person.act_as(moderator)
        self._person.open(back_room)
        self._person.press(f"{players[1]} won")
        self._person.fill_in("Reason", "The log says so.")
        self._person.open("#league")
        expect(self._person.posts.filter(has_text="decided it")).to_contain_text(f"{players[1]} won")

    def say_nothing_about_the_next_match(self) -> None:
        """Try what the welcome post says to try: report, and let the time for an answer pass."""
        assert self.report_next_match("I won") is not None
        self._person.move_clock(self._silence[0])

    def settle_matches(self, *, until: str) -> int:
        """Settle match after match as steps 4 and 5 say until a post brings these words; return how many."""
        settled = 0
        told = self._person.posts.filter(has_text=until)
        while not told.count():
            if self.settle_next_match(modest=settled % 6 != 5):
                settled += 1
            else:  # the next round comes by itself
                expect(told.or_(self._new_cards()).first).to_be_visible()
        return settled

    def _new_cards(self) -> Locator:
        cards = self._person.posts.filter(has=self._rows())
        for card in self._settled:
            cards = cards.and_(self._page.locator(f":not([data-message-id='{card}'])"))
        return cards


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def test_a_season_of_eight_with_nothing_but_the_welcome_post(folder: Path) -> None:
    with serving(folder) as server, browsing(server.address) as person:
        newcomer = Newcomer(person)
        for step in (1, 2, 3):
            newcomer.follow(step)
        newcomer.dispute_next_match()
        newcomer.say_nothing_about_the_next_match()
        newcomer.settle_matches(until="Round 2 of")
        settled = newcomer.settle_matches(until="is the champion")
        assert settled >= 15  # three more rounds of four, and a bracket of four at least
        person.open("#welcome")
        expect(person.posts.first).to_contain_text("You are here: step 1. Season 1 is over.")
        export = ("export", "--league", "Practice League", "season.json")
        exported = server.program(*export, database="league.practice.db")
        assert (exported.returncode, exported.stderr) == (0, "")
        person.open("#league")
        _kill_and_start_again(server, person)
        person.open("#welcome")
        expect(person.posts.first).to_contain_text("You are here: step 1. There's no season yet.")
    verified = server.program("verify", "season.json")
    assert (verified.returncode, verified.stderr) == (0, "")
    *rounds, final = verified.stdout.splitlines()
    assert rounds == [f"round {number}: as the rules say" for number in range(1, len(rounds) + 1)]
    assert final == "final: as the rules say"
    assert len(rounds) >= 6  # four rounds, and a bracket of two at least


def _kill_and_start_again(server: Server, person: Person) -> None:
    """Kill the process; the open page says so, and goes on as the same person in the same channel, which is empty."""
    before = person.page.get_by_label("Acting as").input_value()
    server.end(signal.SIGKILL)
    expect(person.page.locator("#practice-notice")).to_be_visible()
    with person.page.expect_event("load"):  # it reloads itself
        server.start()
    expect(person.page.locator("#channel-name")).to_have_text("league")
    expect(person.page.get_by_label("Acting as")).to_have_value(before)
    person.settle()
