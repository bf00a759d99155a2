"""The scores of matches in a league file: where they can be, and which go with a result."""

from typing import Any

import pytest

from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.errors import InvalidFile
from bot.league.formats import ALL
from tests.league.checking.league_file.examples import encoded

PLAYERS = [{"name": name} for name in "abcde"]


def with_match(match: dict[str, Any], format_: str = "keyforge-swiss", **settings: Any) -> bytes:
    """Return a season of one round, whose first match this is."""
    matches = [{"players": ["a", "b"], **match}, {"players": ["c", "d"], "winner": "c", "kind": "played"}]
    bye = None if format_ == "round-robin" else "e"  # where players rest
    rounds = [{"number": 1, "stage": "regular", "bye": bye, "matches": matches}]
    head: dict[str, Any] = {"fairpair": 1, "league": "L", "season": 1, "format": format_, "players": PLAYERS}
    return encoded({**head, "settings": {"scores": True, **settings}, "rounds": rounds})


POSSIBLE: list[dict[str, Any]] = [
    {"winner": "a", "score": [87, 62]},
    {"winner": "b", "score": [0, 9_999], "games": [0, 1], "kind": "played"},
    {"winner": "a", "score": [6, 6], "games": None, "kind": "played"},
    {"winner": "draw", "score": [5, 5]},
    {"winner": "a", "score": None},
    {"winner": "a", "kind": "played"},
    {"winner": "a", "score": [1, 2], "games": None, "kind": "forfeit"},
    {"winner": "a", "score": [1, 2], "points": [1, 0], "kind": "adjudicated"},
    {"winner": "draw", "score": [1, 2], "kind": "adjudicated"},
    {"score": [1, 2], "kind": "double_loss"},
]


@pytest.mark.parametrize("match", POSSIBLE)
def test_a_score_that_goes_with_its_result_is_read_and_written(match: dict[str, Any]) -> None:
    season = read(with_match(match, draws=True))
    score = match.get("score")
    assert season.rounds[0].matches[0].score == (tuple(score) if score else None)
    assert read(to_json(season).encode()) == season


@pytest.mark.parametrize("format_", ["record", *(format_.key for format_ in ALL)])
def test_every_format_can_have_scores(format_: str) -> None:
    match = {"winner": "a", "score": [87, 62]}
    data = with_match(match, format_)
    assert read(data).rounds[0].matches[0].score == (87, 62)
    with pytest.raises(InvalidFile, match="the winner's isn't the lower one"):
        read(with_match({"winner": "a", "score": [61, 62]}, format_))


IMPOSSIBLE: list[tuple[dict[str, Any], str, str]] = [
    ({"winner": "a", "score": [61, 62]}, "score", "61-62 isn't possible: the winner's isn't the lower one"),
    ({"winner": "b", "score": [62, 61]}, "score", "the winner's isn't the lower one"),
    ({"winner": "draw", "score": [5, 6]}, "score", "after a draw both scores are the same"),
    ({"winner": "a", "score": [10_000, 1]}, "score[0]", "give a whole number from 0 to 9999"),
    ({"winner": "a", "score": [1, -1]}, "score[1]", "give a whole number"),
    ({"winner": "a", "score": [2.0, 1]}, "score[0]", "give a whole number"),
    ({"winner": "a", "score": [True, 0]}, "score[0]", "give a whole number"),
    ({"winner": "a", "score": ["2", 1]}, "score[0]", "give a whole number"),
    ({"winner": "a", "score": [2]}, "score", "two values"),
    ({"winner": "a", "score": 2}, "score", "must be a list"),
    ({"winner": "a", "score": "2-1"}, "score", "must be a list"),
    ({"score": [0, 0]}, "", "an open match has"),
]


@pytest.mark.parametrize(("match", "place", "words"), IMPOSSIBLE)
def test_a_score_that_can_not_be_is_refused(match: dict[str, Any], place: str, words: str) -> None:
    fields: dict[str, Any] = {"games": None, "kind": "played" if "winner" in match else "open"}
    for each in (match, fields | match):  # without and with all of a match's usual fields
        with pytest.raises(InvalidFile, match=words) as refused:
            read(with_match(each, draws=True))
        assert refused.value.place == f"rounds[0].matches[0]{place and f'.{place}'}"


@pytest.mark.parametrize("settings", [{"scores": False}, {"scores": ...}])
def test_a_season_without_scores_has_none(settings: dict[str, Any]) -> None:
    data = with_match({"winner": "a", "score": [2, 1]}, **settings) if settings["scores"] is not ... else None
    without = data or with_match({"winner": "a", "score": [2, 1]}).replace(b'"scores": true', b"")
    with pytest.raises(InvalidFile, match="“scores” is off") as refused:
        read(without)
    assert refused.value.place == "rounds[0].matches[0].score"


def test_the_score_of_a_match_is_in_its_fingerprint() -> None:
    start, scored = fingerprints(read(with_match({"winner": "a", "score": [87, 62]})))
    assert (
        len(
            {
                scored,
                *(
                    list(fingerprints(read(with_match({"winner": "a", "score": score}))))[1]
                    for score in ([87, 61], None)
                ),
            }
        )
        == 3
    )
    assert start == next(fingerprints(read(with_match({"winner": "a"}))))
