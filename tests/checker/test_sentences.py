"""The sentences of the checker's page, read against the round: who is left, met, undone or next is so at that step."""

import json
import re
import subprocess
from collections.abc import Sequence
from itertools import count
from typing import Any, cast

import pytest

from bot.league.checking.league_file.reading import read
from bot.league.counting.meetings import Meetings
from bot.league.formats import by_key
from bot.league.season.model import Name, Season, Stage
from bot.random_seasons.season import texts
from tests.checker.engines import CHECK, FORMATS, HERE, IN_LISTS, NODE
from tests.league.builders import until
from tests.league.pairing.literal_pairing import matching_size

WHY = r"\((met in (?:round \d+|season -?\d+)|kept apart|then more would have to meet again|place \d+ [^)]*)\)"


def said(files: Sequence[str]) -> list[Any]:
    asked = "\n".join(map(json.dumps, files)).encode()
    done = subprocess.run([NODE, HERE / "sentences.js"], input=asked, capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


class Steps:
    """The steps of one list, taken again as its sentences say."""

    def __init__(self, before: Season, told: dict[str, Any]) -> None:
        self.before, self.by, self.list = before, told["by"], [Name(name) for name in told["list"]]
        self.met = self.meetings(len(before.rounds) + 1)
        self.forbidden = frozenset(frozenset((a, b)) for a in self.list for b in self.met.of(a) if b in self.list)
        self.pairs: dict[int, tuple[Name, Name]] = {}
        self.stuck: Name | None = None

    def meetings(self, number: int) -> Meetings:
        history = cast(Any, by_key(self.before.format)).before_finals(self.before)
        past = 0
        if self.before.format == "ohs":
            past = (1 if number == 2 else 0) if self.by == "schedule" else 2
        stages = (Stage.REGULAR,) if self.before.format.endswith("swiss") else tuple(Stage)
        return history.meetings(stages=stages, past=past)

    @property
    def free(self) -> list[Name]:
        paired = {name for pair in self.pairs.values() for name in pair}
        return [name for name in self.list if name not in paired]

    @property
    def fewest(self) -> int:
        return len(self.list) // 2 - matching_size(self.list, self.forbidden)

    def is_so(self, one: Name, other: Name, why: str) -> bool:
        """Whether a reason not to pair two holds by what the file says of them."""
        if why == "kept apart":  # two who met as well can be told either
            now = len(self.before.rounds) + 1
            return any({*kept.players} == {one, other} and kept.holds_in(now) for kept in self.before.apart)
        meeting = self.met.between(one, other)
        if not why.startswith("met"):
            return meeting is None or why.startswith("then")
        if meeting is None:
            return False
        number = int(why.split()[-1])
        if "season" in why:
            return meeting.season == number
        rounds = [r.number for r in self.before.rounds for m in r.matches if {*m.players} == {one, other}]
        return number in rounds

    def names_with_reasons(self, one: Name, text: str, among: Sequence[Name]) -> list[Name]:
        """Return the names a text lists with their reasons, each of which has to be so."""
        found = [(at, name) for name in among for at in [text.find(f"{name} (")] if at >= 0]
        for at, name in found:
            why = re.match(WHY, text[at + len(name) + 1 :])
            assert why, text
            assert self.is_so(one, name, why[1]), text
        return [name for _, name in found]

    def read(self, number: int, sentence: str) -> None:
        if " is stuck: left " in sentence:
            self.read_stuck(sentence)
            return
        chooser = self.stuck or self.free[0]
        assert sentence.startswith(f"{chooser} "), sentence
        rest = sentence.removeprefix(chooser)
        others = [name for name in self.free if name != chooser]
        chosen = max((name for name in others if re.search(rf"takes {re.escape(name)}(?:[.,]|$)", rest)), key=len)
        self.names_with_reasons(chooser, rest.partition("They skip ")[2], [name for name in others if name != chosen])
        if rest.endswith(", the next."):
            assert chosen == others[0]
        forbidden = frozenset((chooser, chosen)) in self.forbidden
        assert forbidden == ("can't avoid each other" in rest)
        if forbidden:
            why = re.search(r"can't avoid each other \(([^)]*)\)", rest)
            assert why
            assert self.is_so(chooser, chosen, why[1])
        self.pairs[number], self.stuck = (chooser, chosen), None

    def read_stuck(self, sentence: str) -> None:
        self.stuck, left = self.free[0], self.free[1:]
        told = self.names_with_reasons(self.stuck, sentence.removeprefix(self.stuck), left)
        assert told == left[:6]
        assert all(frozenset((self.stuck, name)) in self.forbidden for name in left)
        undone = re.search(r"So the last pair(?:s are undone, |, )(.*?)(?:, is undone)?: now everyone", sentence)
        for number in map(int, re.findall(r"\d+", undone[1])) if undone else ():
            assert number == max(self.pairs)
            del self.pairs[number]
        rest = sum(frozenset(pair) in self.forbidden for pair in self.pairs.values())
        free = self.free
        assert rest + len(free) // 2 - matching_size(free, self.forbidden) == self.fewest
        assert ("with as few who meet again" in sentence) == bool(undone and self.fewest)

    def read_end(self, sentence: str) -> None:
        assert not self.free
        again = sum(frozenset(pair) in self.forbidden for pair in self.pairs.values())
        assert again == self.fewest
        assert sentence.startswith(
            f"Everyone is paired, with {again} pair" if again else "Everyone is paired, and no two"
        )


@pytest.mark.long
@pytest.mark.parametrize("format_", [key for key in IN_LISTS if key != "single-elimination"])
@pytest.mark.parametrize("seeds", [range(3, 15), pytest.param(range(15, 50), marks=pytest.mark.long)])
def test_each_step_of_the_page_is_so(format_: str, seeds: range) -> None:
    files = [[*texts(format_, seed)][-1] for seed in seeds]
    stuck = 0
    for file, rounds in zip(files, said(files), strict=True):
        season = read(file.encode())
        for round_ in rounds:
            if season.rounds[round_["number"] - 1].stage is Stage.TIEBREAK:
                continue
            for told in round_["lists"]:
                steps = Steps(until(season, round_["number"]), told)
                if not told["list"]:
                    continue
                for number, sentence in zip(count(1), told["steps"], strict=False):
                    steps.read(number, sentence)
                    stuck += " is stuck" in sentence
                steps.read_end(told["end"])
    assert stuck


def test_a_format_has_one_name_on_the_page_and_everywhere_else() -> None:
    shown = "require('./words.js'); console.log(JSON.stringify(Fairpair.words.FORMATS))"
    done = subprocess.run([NODE, "-e", shown], capture_output=True, check=True, cwd=CHECK.parent)
    assert json.loads(done.stdout) == {key: by_key(key).title for key in (*FORMATS, "record")}
