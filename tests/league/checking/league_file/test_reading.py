"""Reading and writing league files: what is read, and every fault with its place."""

import json
from typing import Any

import pytest

from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.verify import verify
from bot.league.errors import InvalidFile
from bot.league.season.model import Departure, DepartureKind, Entrant, Kind, Match, PastMatch, Rating, Season, Stage
from tests.league.builders import proposed, season, with_round, won
from tests.league.checking.league_file.examples import EXAMPLE, changed, encoded


def fault(data: Any) -> InvalidFile:
    with pytest.raises(InvalidFile) as refused:
        read(data if isinstance(data, bytes) else encoded(data))
    assert "\n" not in str(refused.value)
    return refused.value


def test_the_example_is_read_whole() -> None:
    season = read(encoded(EXAMPLE))
    assert (season.league, season.number, season.format) == ("Online HeroScape", 7, "ohs")
    assert (season.settings.rounds, season.settings.cut, season.settings.best_of) == (4, 8, 1)
    assert season.entrants[0] == Entrant(
        name="dok", rating=Rating(mu=31.2, sigma=1.9), entered=1, seed=1, former_names=("d0k",)
    )
    assert season.entrants[4] == Entrant(name="late", entered=2)
    assert season.rounds[0].matches[0] == Match(
        upper="dok", lower="Xorlof", kind=Kind.PLAYED, winner="dok", games=(2, 1)
    )
    assert season.rounds[0].by_hand == "they asked for it"
    assert (season.rounds[1].byes, season.rounds[1].stage) == (("dok",), Stage.REGULAR)
    assert season.departures[1] == Departure(
        name="Xorlof", kind=DepartureKind.DROP, round=1, after_pairing=True, rejoined=4
    )
    assert season.decisions[0].order == ("Zoë", "dok")


def test_past_matches_are_under_present_names_and_strangers_are_ignored() -> None:
    season = read(encoded(EXAMPLE))
    assert [past.number for past in season.past] == [6, 5]
    assert season.past[0].matches == (PastMatch(players=("dok", "Xorlof"), round=1),)


def test_what_is_left_out_takes_its_default() -> None:
    season = read(encoded({"fairpair": 1, "league": "L", "season": 1, "format": "ohs", "players": [{"name": "a"}]}))
    assert season == Season(league="L", number=1, format="ohs", settings=season.settings, entrants=(Entrant(name="a"),))
    assert season.settings.late_entry == 2


def test_a_result_without_kind_was_played_and_a_match_without_result_is_open() -> None:
    data = changed("rounds/1/matches/0", {"players": ["Zoë", "late"]})
    assert read(encoded(data)).rounds[1].matches[0].kind is Kind.OPEN
    data = changed("rounds/1/matches/0", {"players": ["Zoë", "late"], "winner": "late"})
    assert read(encoded(data)).rounds[1].matches[0].kind is Kind.PLAYED


def test_names_are_compared_in_nfc() -> None:
    data = changed("rounds/1/matches/0/players/0", "Zoe\u0308")
    assert read(encoded(data)) == read(encoded(EXAMPLE))
    assert "taken by players[3]" in str(fault(changed("players/5", {"name": "Zoe\u0308"})))


def test_names_may_be_anything_else() -> None:
    odd = ["a\nb", "\u200b", "Draw", "=1+1", "x" * 500, " ", "\x1b[31m"]
    season = read(encoded({**EXAMPLE, "players": [*EXAMPLE["players"], *({"name": name} for name in odd)]}))
    assert [entrant.name for entrant in season.entrants[5:]] == odd
    assert read(to_json(season).encode()) == season


PLACE = {"rank": 1, "name": "dok", "points": 1, "wins": 1, "losses": 0, "draws": 0, "byes": 0, "tiebreaks": {}}
FAULTS: list[tuple[str, Any, str, str]] = [
    # path in the example, value (... takes it out), place in the message, words in the message
    ("fairpair", ..., "", "isn't a league file"),
    ("fairpair", 2, "fairpair", "newer than this program"),
    ("fairpair", True, "fairpair", "must be the version"),
    ("fairpair", 0, "fairpair", "must be the version"),
    ("league", ..., "", '"league" is missing'),
    ("league", 5, "league", "must be text"),
    ("season", "7", "season", "whole number"),
    ("season", 7.0, "season", "whole number"),
    ("season", True, "season", "whole number"),
    ("season", 10**30, "season", "whole number"),
    ("season", -1, "season", "whole number"),
    ("format", "swiss", "format", "there is no format 'swiss'"),
    ("format", None, "format", "must be text"),
    ("surprise", 1, "", 'unknown field "surprise"'),
    ("drawn_names", "dok", "drawn_names", "must be a list"),
    ("drawn_names", [7], "drawn_names[0]", "must be text"),
    ("drawn_names", ["dok", "nobody"], "drawn_names[1]", "not among the players"),
    ("drawn_names", ["d0k"], "drawn_names[0]", "not among the players"),
    ("drawn_names", ["Zoë", "dok", "Zoe\u0308"], "drawn_names[2]", "here twice"),
    ("sealed", [], "sealed", "must be an object"),
    ("sealed", {"secret": None}, "sealed", '"commitment" is missing'),
    ("sealed", {"commitment": "0" * 63}, "sealed.commitment", "give the SHA-256 of the secret, 64 hex digits"),
    ("sealed", {"commitment": "A" * 64}, "sealed.commitment", "in small letters"),
    ("sealed", {"commitment": "0" * 64, "secret": 7}, "sealed.secret", "must be text"),
    ("sealed", {"commitment": "0" * 64, "secret": "0" * 64}, "sealed.secret", "give settings.salt"),
    ("sealed", {"commitment": "0" * 64, "names": []}, "sealed", 'unknown field "names"'),
    ("forgotten", 1, "forgotten", "give true or false"),
    ("forgotten", None, "forgotten", "give true or false"),
    ("final", {"standings": []}, "final", '"ended" is missing'),
    ("final", {"ended": "rules"}, "final", '"standings" is missing'),
    ("final", {"ended": "won", "standings": []}, "final.ended", "choose one of rules, finished, cancelled"),
    ("final", {"ended": "rules", "champion": "nobody", "standings": []}, "final.champion", "not among the players"),
    ("final", {"ended": "rules", "standings": [{"rank": 1}]}, "final.standings[0]", '"name" is missing'),
    ("final", {"ended": "rules", "standings": [{**PLACE, "wins": 1.5}]}, "final.standings[0].wins", "whole number"),
    ("final", {"ended": "rules", "standings": [{**PLACE, "place": 1}]}, "final.standings[0]", "unknown field"),
    ("final", {"ended": "rules", "standings": [{**PLACE, "tiebreaks": []}]}, "final.standings[0].tiebreaks", "object"),
    (
        "final",
        {"ended": "rules", "standings": [{**PLACE, "tiebreaks": {"owr": "1/2"}}]},
        "final.standings[0].tiebreaks.owr",
        "give a number",
    ),
    ("settings", [], "settings", "must be an object"),
    ("settings/cut", "all", "settings.cut", "whole number"),
    ("settings/best_of", 2, "settings.best_of", "give 1, 3, 5, 7 or 9"),
    ("settings/losses", 2, "settings.losses", "no such setting"),
    ("settings/a\x1fb", 2, "settings.a\\u001fb", "this format has no such setting"),
    ("settings/salt", "", "settings.salt", "published at the start"),
    ("settings/rating", {"mu": "x"}, "settings.rating.mu", "give a number"),
    ("players", {}, "players", "must be a list"),
    ("players/1", "Xorlof", "players[1]", "must be an object"),
    ("players/1/name", ..., "players[1]", '"name" is missing'),
    ("players/1/name", "", "players[1].name", "empty"),
    ("players/1/name", "draw", "players[1].name", "drawn match"),
    ("players/1/name", "dok", "players[1]", "taken by players[0]"),
    ("players/1/name", ["dok"], "players[1].name", "must be text"),
    ("players/1/nick", "x", "players[1]", 'unknown field "nick"'),
    ("players/1/rating", {"mu": 25}, "players[1].rating", '"sigma" is missing'),
    ("players/1/rating", {"mu": 25, "sigma": 0}, "players[1].rating.sigma", "give a number"),
    ("players/1/rating", {"mu": "25", "sigma": 8}, "players[1].rating.mu", "give a number"),
    ("players/1/entered", 0, "players[1].entered", "whole number"),
    ("players/1/seed", 0, "players[1].seed", "whole number"),
    ("players/1/seed", 1, "players[1]", "seed 1 is taken by players[0]"),
    ("players/1/former_names", ["d0k"], "players[1]", 'former name "d0k" is taken by players[0]'),
    ("players/1/former_names", "d0k", "players[1].former_names", "must be a list"),
    ("past_seasons/0/season", 7, "past_seasons[0]", "not before this one"),
    ("past_seasons/0/season", 5, "past_seasons[1]", "is here twice"),
    ("past_seasons/0/matches/0", ["dok"], "past_seasons[0].matches[0]", "two values"),
    ("past_seasons/0/matches/0", ["dok", 1], "past_seasons[0].matches[0][1]", "must be text"),
    ("past_seasons/0/matches/0", ["dok", "d0k"], "past_seasons[0].matches[0]", "both sides"),
    ("past_seasons/0/rounds", [1], "past_seasons[0].rounds", "1 values for 2 matches"),
    ("rounds/0/number", 2, "rounds[0]", "round 1 is next"),
    ("rounds/1/number", 3, "rounds[1]", "round 2 is next"),
    ("rounds/0/stage", "final", "rounds[0].stage", "choose one of regular, tiebreak, finals"),
    ("rounds/0/stage", "finals", "rounds[1]", "regular round can't follow a finals one"),
    ("rounds/0/bye", "nobody", "rounds[0].bye", "not among the players"),
    ("rounds/0/bye", "dok", "rounds[0]", '"dok" is in round 1 twice'),
    ("rounds/1/bye", ["dok", "dok"], "rounds[1]", '"dok" is in round 2 twice'),
    ("rounds/0/bye", "late", "rounds[0]", "entered only in round 2"),
    ("rounds/0/bye", 3, "rounds[0].bye", "must be text"),
    ("rounds/0/matches", ..., "rounds[0]", '"matches" is missing'),
    ("rounds/0/matches/0/players", ["dok", "dok"], "rounds[0].matches[0].players", "both sides"),
    ("rounds/0/matches/0/players", ["dok", "who"], "rounds[0].matches[0].players[1]", "not among the players"),
    ("rounds/0/matches/0/players", ["dok"], "rounds[0].matches[0].players", "two values"),
    ("rounds/0/matches/0/winner", "Zoë", "rounds[0].matches[0].winner", "isn't in this match"),
    ("rounds/0/matches/0/winner", "draw", "rounds[0].matches[0].winner", "no draws here"),
    ("rounds/0/matches/0/winner", None, "rounds[0].matches[0].winner", "needs its winner"),
    ("rounds/0/matches/0/winner", ..., "rounds[0].matches[0].winner", "needs its winner"),
    ("rounds/0/matches/1/winner", "draw", "rounds[0].matches[1].winner", "forfeit can't be a draw"),
    ("rounds/0/matches/0/kind", "open", "rounds[0].matches[0].winner", "has no winner"),
    ("rounds/0/matches/0/kind", "double_loss", "rounds[0].matches[0].winner", "has no winner"),
    ("rounds/0/matches/0/kind", "won", "rounds[0].matches[0].kind", "choose one of"),
    ("rounds/0/matches/0/kind", {}, "rounds[0].matches[0].kind", "choose one of"),
    ("rounds/0/matches/0/games", [1, 2], "rounds[0].matches[0].games", "the winner has more games"),
    ("rounds/0/matches/0/games", [1, 1], "rounds[0].matches[0].games", "the winner has more games"),
    ("rounds/0/matches/0/games", [2], "rounds[0].matches[0].games", "two values"),
    ("rounds/0/matches/0/games", [2, -1], "rounds[0].matches[0].games[1]", "whole number"),
    ("rounds/0/matches/0/games", [2, 0.5], "rounds[0].matches[0].games[1]", "whole number"),
    ("rounds/0/matches/0/points", [1, 10**9], "rounds[0].matches[0].points[1]", "whole number"),
    ("rounds/1/matches/0/games", [0, 0], "rounds[1].matches[0]", "neither games nor points"),
    ("rounds/1/matches/0/points", [0, 0], "rounds[1].matches[0]", "neither games nor points"),
    ("rounds/0/matches/1", {"players": ["Kinseth", "Zoë"]}, "rounds[0]", "open match although a later round"),
    ("rounds/0/by_hand", True, "rounds[0].by_hand", "must be text"),
    ("rounds/1", {"number": 2, "matches": []}, "rounds[1]", "neither matches nor a bye"),
    ("departures/0/name", "who", "departures[0].name", "not among the players"),
    ("departures/0/kind", "left", "departures[0].kind", "choose one of"),
    ("departures/0/round", 0, "departures[0].round", "whole number"),
    ("departures/0/round", 1, "departures[0]", "left in round 1 but is in round 1"),
    ("departures/0/after_pairing", 1, "departures[0].after_pairing", "give true or false"),
    ("departures/0/rejoined", 3, "departures[0]", "can't come back"),
    ("departures/1/rejoined", 1, "departures[1]", "later than round 1"),
    ("departures/1/round", 3, "departures[1]", "round 3 isn't paired yet"),
    ("departures/2", {"name": "Xorlof", "kind": "drop", "round": 2}, "departures[2]", "already left in round 1"),
    ("decisions/0/after_round", 3, "decisions[0].after_round", "no round 3 yet"),
    ("decisions/0/order", ["dok", "dok"], "decisions[0].order", "someone twice"),
    ("bracket", ["dok", "Zoë"], "bracket", "only a file where a player was forgotten"),
    (
        "final",
        {"ended": "rules", "kept": True, "standings": []},
        "final.kept",
        "only a file where a player was forgotten",
    ),
]


@pytest.mark.parametrize(("path", "value", "place", "words"), FAULTS)
def test_a_fault_is_named_with_its_place(path: str, value: Any, place: str, words: str) -> None:
    wrong = fault(changed(path, value))
    assert wrong.place == place
    assert words in wrong.problem


def with_match(match: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a season of one round with one match of two players."""
    round_ = {"number": 1, "stage": fields.pop("stage", "regular"), "matches": [{"players": ["a", "b"], **match}]}
    head = {"fairpair": 1, "league": "L", "season": 1, "format": "keyforge-swiss"}
    return {**head, "players": [{"name": "a"}, {"name": "b"}], "rounds": [round_], **fields}


BEST_OF_THREE = {"settings": {"best_of": 3}}
POSSIBLE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"winner": "b", "games": [1, 2]}, BEST_OF_THREE),
    ({"winner": "a", "games": [1, 0]}, BEST_OF_THREE),  # time was called
    ({"winner": "a", "games": [0, 1], "kind": "forfeit"}, BEST_OF_THREE),
    ({"winner": "a", "games": [1, 1], "kind": "adjudicated"}, BEST_OF_THREE),
    ({"games": [1, 1], "kind": "double_loss"}, BEST_OF_THREE),
    ({"winner": "draw", "games": [1, 1]}, {"settings": {"best_of": 3, "draws": True}}),
    ({"winner": "draw"}, {"settings": {"draws": True}}),
    ({"winner": "a", "points": [3, 1]}, {}),
    ({"winner": "draw"}, {"format": "record"}),
    ({"winner": "a", "games": [9, 30]}, {"format": "record"}),
    ({"winner": "a", "games": [2, 1]}, {"stage": "finals", "settings": {"finals_best_of": 3}}),
]


@pytest.mark.parametrize(("match", "fields"), POSSIBLE)
def test_results_that_can_be_are_read_and_written(match: dict[str, Any], fields: dict[str, Any]) -> None:
    season = read(encoded(with_match(match, **fields)))
    assert read(to_json(season).encode()) == season


IMPOSSIBLE: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"winner": "a", "games": [3, 0]}, BEST_OF_THREE, "in a best of 3, a"),
    ({"winner": "a", "games": [2, 2]}, BEST_OF_THREE, "in a best of 3, a"),
    ({"winner": "a", "games": [2, 1]}, {"settings": {"best_of": 1}}, "one game, so its score is 1-0"),
    ({"winner": "b", "games": [2, 0]}, BEST_OF_THREE, "a loss is 0-1 or 0-2 or 1-2"),
    ({"winner": "b", "games": [2, 0], "kind": "forfeit"}, BEST_OF_THREE, "in a best of 3, a loss is 0-0"),
    ({"winner": "b", "games": [2, 1], "kind": "adjudicated"}, BEST_OF_THREE, "in a best of 3, a loss is 0-0"),
    ({"winner": "draw", "games": [1, 0]}, {"settings": {"best_of": 3, "draws": True}}, "a draw is 0-0 or 1-1"),
    ({"winner": "draw"}, {}, "no draws here"),
    ({"winner": "draw"}, {"stage": "finals", "settings": {"draws": True}}, "no draws here"),
    ({"kind": "double_loss"}, {"stage": "finals"}, "someone must go on"),
    ({"kind": "forfeit"}, {}, "needs its winner"),
]


@pytest.mark.parametrize(("match", "fields", "words"), IMPOSSIBLE)
def test_results_that_cannot_be_are_refused(match: dict[str, Any], fields: dict[str, Any], words: str) -> None:
    assert words in str(fault(with_match(match, **fields)))


def finals_match(games: list[int], **season: Any) -> dict[str, Any]:
    """Return a two-loss-out season whose only round is its semi-finals; the first has this score."""
    people = [{"name": name} for name in "abcd"]
    matches = [{"players": ["a", "b"], "winner": "a", "games": games}, {"players": ["c", "d"], "winner": "c"}]
    rounds = [{"number": 1, "stage": "finals", "matches": matches}, *season.pop("later", [])]
    head = {"fairpair": 1, "league": "L", "season": 1, "format": "two-loss-out", "players": people}
    return {**head, "rounds": rounds, **season}


def test_the_games_of_finals_count_for_the_match_they_belong_to() -> None:
    final = {"number": 2, "stage": "finals", "matches": [{"players": ["a", "c"], "winner": "a", "games": [2, 1]}]}
    assert read(encoded(finals_match([1, 0], later=[final]))).rounds[1].matches[0].games == (2, 1)
    assert "a match here is one game, so its score is 1-0" in str(fault(finals_match([2, 1], later=[final])))
    assert "a match here is one game, so its score is 1-0" in str(fault(finals_match([3, 1])))


def test_every_match_of_the_finals_is_looked_at_because_they_can_have_other_numbers_of_games() -> None:
    semi_finals = [{"players": ["a", "d"], "winner": "a"}, {"players": ["b", "c"], "winner": "b"}]
    last = [{"players": ["a", "b"], "winner": "a", "games": [2, 0]}]
    last += [{"players": ["c", "d"], "winner": "c", "games": [2, 0]}]
    rounds = [{"number": number, "stage": "finals", "matches": of} for number, of in enumerate((semi_finals, last), 1)]
    head = {"fairpair": 1, "league": "L", "season": 1, "format": "single-elimination", "rounds": rounds}
    people = [{"name": name} for name in "abcd"]
    settings = {"third_place": True, "finals_best_of": 1, "final_best_of": 3}
    wrong = fault({**head, "players": people, "settings": settings})
    assert wrong.place == "rounds[1].matches[1].games"


def test_games_are_a_mere_score_where_the_file_does_not_say_how_many_a_match_has() -> None:
    data = with_match({"winner": "a", "games": [9, 4]})
    assert read(encoded(data)).rounds[0].matches[0].games == (9, 4)
    assert "the winner has more games" in str(fault(with_match({"winner": "a", "games": [4, 9]})))


@pytest.mark.parametrize(
    ("format_", "fields", "place", "words"),
    [
        ("ohs", {"settings": {"rejoin": "never"}}, "departures[0].rejoined", "no one can come back in this season"),
        ("two-loss-out", {}, "departures[0].rejoined", "no one can come back in this season"),
        ("single-elimination", {}, "departures[0].rejoined", "no one can come back in this season"),
        ("ohs", {"last": "finals"}, "departures[0].rejoined", "no one can come back after the regular stage"),
    ],
)
def test_a_return_the_rules_forbid_is_refused(format_: str, fields: dict[str, Any], place: str, words: str) -> None:
    stage = fields.pop("last", "regular")
    rounds = [
        {"number": number, "stage": "regular" if number == 1 else stage, "matches": [{"players": pair, "winner": "a"}]}
        for number, pair in ((1, ["a", "b"]), (2, ["a", "b"]), (3, ["a", "c"]))
    ]
    gone = [{"name": "c", "kind": "drop", "round": 2, "rejoined": 3}]
    head = {"fairpair": 1, "league": "L", "season": 1, "format": format_, "rounds": rounds, "departures": gone}
    wrong = fault({**head, "players": [{"name": name} for name in "abc"], **fields})
    assert (wrong.place, words in wrong.problem) == (place, True)


def test_an_entry_the_rules_forbid_is_refused() -> None:
    wrong = fault(changed("players/5", {"name": "later", "entered": 3}))
    assert (wrong.place, "no one can enter after round 2 (“late_entry”)" in wrong.problem) == (
        "players[5].entered",
        True,
    )
    data = in_finals(changed("rounds/1/stage", "finals"))
    data["rounds"][0]["stage"] = "finals"
    assert "no one can enter after the regular stage" in str(fault(data))


def test_who_enters_late_can_be_known_before_the_first_round() -> None:
    data = {**changed("rounds", []), "departures": [], "decisions": []}
    assert [one.name for one in read(encoded(data)).entrants if one.entered == 2] == ["late"]


def in_finals(data: dict[str, Any]) -> dict[str, Any]:
    """Return a file whose second round, the first of its last player, is of the finals."""
    data["rounds"][1]["bye"] = "late"
    data["rounds"][1]["matches"][0]["players"] = ["Zoë", "dok"]
    data["departures"] = []
    return data


def test_who_came_for_a_round_that_turned_out_to_be_of_the_finals_may_stay() -> None:
    data = in_finals(changed("rounds/1/stage", "finals"))
    assert read(encoded(data)).entrants[-1].entered == 2


def test_an_open_match_of_a_player_who_left_after_the_pairing_reads_as_the_forfeit_it_is() -> None:
    gone = [{"name": "b", "kind": "drop", "round": 1, "after_pairing": True}]
    (match,) = read(encoded(with_match({}, departures=gone))).rounds[0].matches
    assert (match.kind, match.winner) == (Kind.FORFEIT, "a")
    both = [*gone, {"name": "a", "kind": "drop", "round": 1, "after_pairing": True}]
    assert read(encoded(with_match({}, departures=both))).rounds[0].matches[0].winner == "a"


def test_leaving_twice_without_having_come_back_is_refused() -> None:
    again = {"name": "Xorlof", "kind": "drop", "round": 3}
    assert "already left in round 1" in str(fault(changed("departures/2", again)))
    assert len(read(encoded(changed("departures/2", {**again, "round": 4}))).departures) == 3


def test_what_is_written_is_stable_and_readable() -> None:
    text = to_json(read(encoded(EXAMPLE)))
    assert to_json(read(text.encode())) == text
    assert '"Zoë"' in text
    assert list(json.loads(text)) == list(EXAMPLE)
    assert json.loads(text)["rounds"] == EXAMPLE["rounds"]
    assert json.loads(text)["departures"] == EXAMPLE["departures"]


def test_numbers_are_written_in_full() -> None:
    season = read(encoded(changed("players/1/rating", {"mu": 0.1 + 0.2, "sigma": 25 / 3})))
    assert '"mu": 0.30000000000000004, "sigma": 8.333333333333334' in to_json(season)


def semi_finals(*final: list[str], by_hand: str | None) -> dict[str, Any]:
    """Return the file of a bracket of four with a match for third place whose last round has these matches."""
    start = season("single-elimination", 4, number=4, third_place=True)
    file = json.loads(to_json(with_round(start, *(won(*p.players) for p in proposed(start).pairs), stage=Stage.FINALS)))
    matches = [{"players": players, "winner": None} for players in final]
    last = {"number": 2, "stage": "finals", "matches": matches}
    file["rounds"].append(last if by_hand is None else {**last, "by_hand": by_hand})
    return file


def test_a_player_of_the_final_is_never_put_against_one_of_the_match_for_third_place() -> None:
    start = season("single-elimination", 4, number=4, third_place=True)
    (a, c), (b, d) = (pair.players for pair in proposed(start).pairs)
    read(encoded(semi_finals([a, b], [c, d], by_hand="the hall is small")))
    for players in ([a, c], [b, d]), ([b, c], [d, a]):
        with pytest.raises(InvalidFile, match="can't meet one of the match for third place") as refused:
            read(encoded(semi_finals(*players, by_hand="they asked")))
        assert refused.value.place == "rounds[1].matches[0]"
    # Not said to be changed by hand, it's only wrong.
    assert not verify(read(encoded(semi_finals([a, c], [b, d], by_hand=None)))).agrees
