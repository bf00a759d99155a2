"""A thousand pasts, each kept as tables of many shapes, come in as they were played, after a right answer at most."""

from random import Random

import pytest

from bot.importers.found import Answers
from bot.importers.read_file import read
from tests.importers.written import answer, came_in, expected, past, written

_MOST_ASKED = 12


def check(seed: int, shapes: int) -> None:
    dice = Random(seed)
    played = past(dice)
    people = {name for game in played.games for name in game.players}
    for _ in range(shapes):
        made, answers = written(played, dice), Answers()
        found = read(made.text.encode(), "past.csv", answers)
        for _ in range(_MOST_ASKED):
            if found.questions:
                answers = answers.answered(found.questions[0], answer(made, found.questions[0]))
                found = read(made.text.encode(), "past.csv", answers)
        table = f"seed {seed}\n{made.text}\n{answers}"
        assert [*found.questions, *(problem.line for problem in found.problems)] == [], table
        assert came_in(found) == expected(played, made), table
        assert set(found.names) == people, table


@pytest.mark.parametrize("seed", range(25))
def test_a_past_comes_in_as_it_was_from_every_table(seed: int) -> None:
    check(seed, shapes=4)


@pytest.mark.long
@pytest.mark.timeout(480)
def test_five_hundred_pasts_come_in_as_they_were() -> None:
    for seed in range(500):
        check(seed, shapes=1 + seed % 6)
