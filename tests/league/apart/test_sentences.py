"""What /why and the file's reader say of players kept apart: that they are, never why."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from bot.league.bracket.tree import Duel, from_slots
from bot.league.checking.league_file.reading import read
from bot.league.counting.meetings import Meetings, with_kept_apart
from bot.league.errors import InvalidFile
from bot.league.formats.ohs.finals import without_rematches
from bot.league.season.model import KeptApart, Name, Season
from tests.league.builders import after, names, proposed, season
from tests.league.checking.league_file.examples import changed, encoded


def apart(now: Season, *pairs: tuple[str, str], number: int = 1) -> Season:
    rows = (KeptApart(players=(Name(first), Name(second)), round=number) for first, second in pairs)
    return replace(now, apart=tuple(rows))


def said(now: Season) -> str:
    return "\n".join(reason.sentence for pair in proposed(now).pairs for reason in pair.reasons)


def test_who_is_skipped_is_kept_apart() -> None:
    free = season("keyforge-swiss", 6)
    upper, lower = proposed(free).pairs[0].players
    told = said(apart(free, (upper, lower)))
    assert f"{upper} skipped {lower}: they are kept apart." in told
    assert "the next they could meet" in told
    assert "kept apart" not in said(free)


def test_who_met_is_told_as_met_even_if_kept_apart_too() -> None:
    played = after(season("keyforge-swiss", ["a", "b", "c", "d"]), "ab", "cd")
    assert "kept apart" not in said(apart(played, ("a", "b"), number=2))


def test_a_pair_that_cant_be_avoided_says_so() -> None:
    everyone = list(combinations(names(4), 2))
    now = apart(season("keyforge-swiss", 4), *everyone)
    assert proposed(now).rematches == 2
    assert "are kept apart: no pairing of the group with 0 points has fewer rematches or players kept apart." in said(
        now
    )


def test_a_bracket_says_why_two_change_places() -> None:
    a, b, c, d = (Name(letter) for letter in "abcd")
    rows = (KeptApart(players=(a, d), round=6),)
    met = with_kept_apart(Meetings(), replace(season("ohs", 4), apart=rows), 6)
    planned = [Duel(upper=a, lower=d, place=1), Duel(upper=b, lower=c, place=2)]
    duels = without_rematches(from_slots((a, b, c, d)), planned, met)
    assert [(duel.upper, duel.lower) for duel in duels] == [(a, c), (b, d)]
    told = [reason.sentence for duel in duels for reason in duel.reasons]
    assert told[0] == "The bracket had a against d, but they are kept apart; c takes the place of d."


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"players": ["dok", "dok"], "round": 1}, "is here twice; name two different players"),
        ({"players": ["dok"], "round": 1}, "must have two values"),
        ({"players": ["dok", "stranger"], "round": 1}, "is not among the players"),
        ({"players": ["dok", "Zoë"], "round": 0}, "round"),
        ({"players": ["dok", "Zoë"], "round": 1, "reason": "x"}, "reason"),
    ],
)
def test_a_wrong_row_is_refused_by_its_place(row: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidFile, match=problem) as refused:
        read(encoded(changed("apart", [row])))
    assert refused.value.place.startswith("apart[0]")
