"""Brackets told to those who can't see the picture."""

from dataclasses import replace

import pytest

from bot.pictures.drawing import draw
from bot.pictures.painting import paint
from bot.pictures.tree import BracketMatch, Side, State
from tests.pictures.drawings import bracket


@pytest.mark.parametrize("won", [0, 1])
def test_the_description_of_a_bracket_says_the_winners_score_first(won: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paint, "png", lambda page: b"")  # type: ignore[reportUnknownLambdaType]
    told = enumerate((("Ada", "87"), ("Bo", "62")))
    sides = [Side(name=name, score=score, won=at == won) for at, (name, score) in told]
    match = BracketMatch(label="Final", round=1, upper=sides[0], lower=sides[1], state=State.DONE)
    alt = draw(replace(bracket(["Ada", "Bo"], rounds=1), matches=(match,)), 0).alt
    assert f"{sides[won].name} won {sides[won].score}–{sides[1 - won].score}" in alt
