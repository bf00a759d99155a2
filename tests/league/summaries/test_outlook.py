"""What players need: every claim is held against all endings, found here by the formats' public functions alone."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.league.checking.verify import as_of
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.staged import StagedFormat
from bot.league.formats.swiss.organiser_ties import ties_that_matter
from bot.league.pairing.proposal import Champion, Proposal
from bot.league.season.model import Kind, Match, Name, Season, SitOut, Stage
from bot.league.summaries.outlook import look_ahead
from bot.league.summaries.outlook.prospects import Verdict
from tests.league.builders import (
    Events,
    as_round,
    by_chance,
    double_loss,
    open_match,
    play_season,
    proposed,
    season,
    with_departure,
    with_round,
    won,
)
from tests.league.turmoil import Turmoil

STAGED = [format_ for format_ in ALL if isinstance(format_, StagedFormat) and not format_.in_groups]
"""What a round robin says is held against its endings in `formats/round_robin/test_what_is_proven.py`."""
VARIANTS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    *((format_.key, players, {}) for format_ in STAGED if not format_.fixed_rounds for players in (6, 8, 9, 11)),
    ("ohs", 8, {"cut": 4, "replace": False}),
    ("ohs", 8, {"cut": 0}),
    ("ohs", 8, {"replace": False}),
    ("ohs", 10, {"rounds": 3, "cut": 6}),
    ("two-loss-out", 9, {"cut": 4, "losses": 3}),
    ("two-loss-out", 8, {"cut": 4, "replace": False}),
    ("two-loss-out", 6, {"cut": 1}),
    ("two-loss-out", 8, {"losses": 1, "cut": 4}),
    ("keyforge-swiss", 8, {"cut": 4, "draws": True, "points": {"win": 3, "draw": 1, "loss": 0, "bye": 3}}),
    ("keyforge-swiss", 7, {"cut": 4, "points": {"win": 2, "draw": 1, "loss": 1, "bye": 0}}),
    ("keyforge-swiss", 9, {"cut": 0}),
    ("lightseekers-swiss", 8, {"cut": 4, "replace": False}),
    ("lightseekers-swiss", 7, {"cut": 4, "best_of": 1}),
    ("lightseekers-swiss", 6, {"cut": 0}),
)
SLOW: tuple[Any, ...] = (
    ("ohs", 8, {"replace": False}),
    ("lightseekers-swiss", 6, {"cut": 0}),
    ("lightseekers-swiss", 8, {}),
    ("lightseekers-swiss", 8, {"cut": 4, "replace": False}),
)
MOST = 600
"""As many endings a test enumerates."""
ALL_OF_THEM, TOO_FEW = 10**6, 0
"""As many places of tables as are looked through."""


# -- all endings, again ------------------------------------------------------------------------------------------------


@dataclass
class End:
    """One ending: the results of the first round to come, who gets through, and who is tied for the last place."""

    results: tuple[Match, ...]
    through: frozenset[str]
    tied: frozenset[str]
    path: tuple[Match, ...] = ()
    """The results of all rounds to come, in order."""


def posted(now: Season) -> Season | End:
    """Return the season with its next round that has a match, or its end."""
    while not any(match.kind is Kind.OPEN for round_ in now.rounds for match in round_.matches):
        next_ = by_key(now.format).next_round(now)
        if not isinstance(next_, Proposal):
            names = [next_.name] if isinstance(next_, Champion) else next_.names[:1]
            return end(now, next_, frozenset(name for name in names if name))
        if next_.stage is Stage.FINALS:
            return end(now, next_, frozenset(as_round(next_).seated))
        now = replace(now, rounds=(*now.rounds, as_round(next_)))
    return now


def end(now: Season, next_: Any, entering: frozenset[str]) -> End:
    """Return an end; with a cut of one the champion is who gets through."""
    ties = ties_that_matter(now, next_)
    tied = frozenset(name for tie in ties if tie.first <= max(tie.going_on, 1) < tie.last for name in tie.names)
    return End(results=(), through=entering - tied, tied=tied)


def opened(now: Season) -> list[tuple[int, Match]]:
    found = [(r.number, match) for r in now.rounds for match in r.matches if match.kind is Kind.OPEN]
    return sorted(found, key=lambda one: (one[0], min(one[1].players)))


def possible(now: Season, match: Match) -> list[Match]:
    """Return the results of a match: first the wins of the name that comes first, then a draw, then the others."""
    scores: list[tuple[int, int] | None] = [None]
    if now.format == "lightseekers-swiss" and now.settings.best_of == 3:
        scores = [(2, 0), (2, 1)]
    first, second = sorted(match.players)
    played = replace(match, kind=Kind.PLAYED)
    wins = [
        replace(played, winner=winner, games=score and (score if winner == match.upper else score[::-1]))
        for winner in (first, second)
        for score in scores
    ]
    return [*wins[: len(scores)], *([played] if now.settings.draws else []), *wins[len(scores) :]]


def with_all(now: Season, results: Sequence[Match]) -> Season:
    given = {(number, match.players): result for (number, match), result in zip(opened(now), results, strict=True)}
    rounds = (replace(r, matches=tuple(given.get((r.number, m.players), m) for m in r.matches)) for r in now.rounds)
    return replace(now, rounds=tuple(rounds))


def all_ends(now: Season) -> Iterator[End]:
    """Yield every ending of a posted season."""
    for results in product(*(possible(now, match) for _, match in opened(now))):
        then = posted(with_all(now, results))
        ends = [then] if isinstance(then, End) else all_ends(then)
        yield from (replace(one, results=results, path=(*results, *one.path)) for one in ends)


def at_most(ends: Iterator[End]) -> list[End] | None:
    found: list[End] = []
    for one in ends:
        found.append(one)
        if len(found) > MOST:
            return None
    return found


# -- seasons by chance -------------------------------------------------------------------------------------------------


def seasons(key: str, players: int, chosen: dict[str, Any]) -> Iterator[Season]:
    """Yield seasons in the middle of a round, or between two, with few enough endings to enumerate."""
    for seed in range(8):
        random = Random(f"{key}{players}{chosen}{seed}")
        start = season(key, max(players, by_key(key).fewest_players), **chosen)
        played = play_season(start, by_chance(seed), Turmoil(seed) if seed % 3 == 0 else Events()).season
        regular = [round_.number for round_ in played.rounds if round_.stage is not Stage.FINALS]
        number = random.choice(regular[-2:])
        yield reopened(as_of(played, number + 1), number, random)


def reopened(now: Season, number: int, random: Random) -> Season:
    """Return the season with some matches of a round open again."""
    round_ = now.rounds[number - 1]
    rated = [match for match in round_.matches if match.kind is Kind.PLAYED]
    chosen = random.sample(rated, random.randint(0, len(rated)))
    matches = tuple(open_match(*m.players) if m in chosen else m for m in round_.matches)
    return replace(now, rounds=(*now.rounds[: number - 1], replace(round_, matches=matches)))


@dataclass
class Case:
    season: Season
    posted: Season
    ends: list[End]


@cache
def cases(variant: int) -> tuple[Case, ...]:
    return tuple(cases_of(*VARIANTS[variant]))


def cases_of(key: str, players: int, chosen: dict[str, Any]) -> Iterator[Case]:
    for now in seasons(key, players, chosen):
        first = posted(now)
        ends = [first] if isinstance(first, End) else at_most(all_ends(first))
        if ends:
            yield Case(now, now if isinstance(first, End) else first, ends)


every_variant = pytest.mark.parametrize(
    "variant",
    [
        pytest.param(number, marks=pytest.mark.long if variant[1] > 8 or variant in SLOW else (), id=str(variant))
        for number, variant in enumerate(VARIANTS)
    ],
)


# -- the laws ----------------------------------------------------------------------------------------------------------


@pytest.mark.long
@every_variant
def test_every_word_of_an_exact_outlook_holds_in_every_ending(variant: int) -> None:
    seen = 0
    for case in cases(variant):
        told = look_ahead(case.season, most=ALL_OF_THEM)
        assert told is not None
        assert told.exact
        assert told.endings == len(case.ends)
        for name, prospect in told.players.items():
            assert_verdict(prospect.verdict, name, case.ends)
            if prospect.verdict is Verdict.OPEN:
                assert_sentences(prospect.words, name, case)
                seen += 1
    assert seen


@pytest.mark.long
@every_variant
def test_what_is_proven_holds_in_every_ending(variant: int) -> None:
    for case in cases(variant):
        told = look_ahead(case.season, most=8 * 2 * len(case.season.entrants))
        assert told is not None
        for name, prospect in told.players.items():
            if prospect.verdict is not Verdict.OPEN:
                assert_verdict(prospect.verdict, name, case.ends)
            elif not told.exact:
                assert_sentences(prospect.words, name, case)


@every_variant
def test_as_many_wins_as_are_said_to_be_enough_are_enough_in_every_ending(variant: int) -> None:
    for case in cases(variant):
        format_ = by_key(case.season.format)
        assert isinstance(format_, StagedFormat)
        for name, enough in format_.enough(format_.before_finals(case.posted)).items():
            kept = [one for one in case.ends if has_won(name, enough.wins, one, in_a_row=enough.in_a_row)]
            assert all(name in one.through for one in kept), (name, enough)


def has_won(name: str, wins: int, one: End, *, in_a_row: bool) -> bool:
    """Whether a player wins so many matches of an ending, or as many of their first ones."""
    won = [match.winner == name for match in one.path if name in match.players]
    return won[:wins] == [True] * wins if in_a_row else won.count(True) >= wins


def assert_verdict(verdict: Verdict, name: str, ends: Sequence[End]) -> None:
    always = all(name in one.through for one in ends)
    never_ = not any(name in one.through | one.tied for one in ends)
    if verdict is Verdict.OPEN:
        assert not always
        assert not never_
    else:
        assert always if verdict is Verdict.IN else never_


# -- sentences, read back ----------------------------------------------------------------------------------------------

OWN = r"(?P<own>(?:win|draw|lose)(?: \d–\d)?(?: or (?:win|draw|lose)(?: \d–\d)?)*)"
IN = r"you're in|you've won the season"
OUT = r"you're out|you can't win the season any more"
NUMBERED = "one|two|three|four|five"
OFTEN = (
    r"(?:about )?(?:\d times out of 10|1 time in \d+|half of the time)|almost always|"
    r"only if an organiser decides a tie that way"
)
THROUGH = r"you (?:get through|win the season)"
Check = Callable[[re.Match[str], str, Case], None]


def ends_after(own: str, name: str, case: Case) -> list[End]:
    """Return the endings in which a player's next match ends in one of these ways."""
    place = next(place for place, (_, match) in enumerate(opened(case.posted)) if name in match.players)
    return [one for one in case.ends if any(is_own(said, name, one.results[place]) for said in own.split(" or "))]


def is_own(said: str, name: str, result: Match) -> bool:
    word, _, score = said.partition(" ")
    seen = "draw" if result.winner is None else "win" if result.winner == name else "lose"
    games = result.games if result.games is None or name == result.upper else result.games[::-1]
    return word == seen and (not score or games == tuple(map(int, score.split("–"))))


def is_met(need: str, one: End) -> bool:
    """Whether `p01, p02 and p03 to lose and p04 to win` holds."""
    parts = re.findall(r"(.+?) (to lose|to win|not to win)(?: and | or |$)", need.removesuffix(" too"))
    results = [happened(who, verb, one) for names, verb in parts for who in re.split(", | and | or ", names)]
    assert results
    return any(results) if " or " in need else all(results)


def happened(who: str, verb: str, one: End) -> bool:
    result = next(match for match in one.results if who in match.players)
    won = result.winner == who
    return {"to win": won, "not to win": not won, "to lose": not won and result.winner is not None}[verb]


def assert_sentences(words: str, name: str, case: Case) -> None:
    """Hold each sentence against the endings it is about."""
    for sentence in re.split(r"(?<=\.) ", words):
        checks = [check(found, name, case) for form, check in FORMS if (found := re.fullmatch(form, sentence, re.I))]
        assert checks == [None], sentence


def check_settled(found: re.Match[str], name: str, case: Case) -> None:
    for one in ends_after(found["own"].lower(), name, case):
        assert name in one.through if re.fullmatch(IN, found["goal"], re.I) else name not in one.through | one.tied


def check_needed(found: re.Match[str], name: str, case: Case) -> None:
    for one in ends_after(found["own"].lower(), name, case) if "own" in found.groupdict() else case.ends:
        assert (name in one.through) == is_met(found["need"], one)


def check_often(found: re.Match[str], name: str, case: Case) -> None:
    ends = ends_after(found["own"].lower(), name, case) if "own" in found.groupdict() else case.ends
    assert is_so(found["often"], share(name, ends))


def check_luck(found: re.Match[str], name: str, case: Case) -> None:
    parts = found["parts"].split("; ")
    assert parts
    for part in parts:
        read = re.fullmatch(rf"{OWN},(?: and {THROUGH})? (?P<often>{OFTEN})", part)
        assert read, part
        assert is_so(read["often"], share(name, ends_after(read["own"], name, case)))


def share(name: str, ends: Sequence[End]) -> Fraction:
    return Fraction(sum(name in one.through for one in ends), len(ends))


def is_so(often: str, exactly: Fraction) -> bool:
    """Whether words say a share: to the nearest tenth, below a quarter as one in a whole number."""
    about, often = often.startswith("about "), often.removeprefix("about ")
    if often in ("almost always", "only if an organiser decides a tie that way"):
        return exactly > Fraction(19, 20) if often == "almost always" else not exactly
    tenths, of_many = re.match(r"\d", often), re.fullmatch(r"1 time in (\d+)", often)
    if of_many:
        near = abs(1 / exactly - int(of_many[1])) <= Fraction(1, 2)
        return near and exactly < Fraction(1, 4) and about != (exactly == Fraction(1, int(of_many[1])))
    value = Fraction(int(tenths[0]), 10) if tenths else Fraction(1, 2)
    return abs(exactly - value) <= Fraction(1, 20) and about != (exactly == value)


def check_ties(found: re.Match[str], name: str, case: Case) -> None:
    tied = Fraction(sum(name in one.tied for one in case.ends), len(case.ends))
    assert is_so(found["often"][:1].lower() + found["often"][1:], tied)


def check_level(found: re.Match[str], name: str, case: Case) -> None:
    assert all(name in one.tied for one in case.ends)


def check_enough(found: re.Match[str], name: str, case: Case) -> None:
    wins, in_a_row = [*NUMBERED.split("|")].index((found["wins"] or "one").lower()) + 1, found.string.startswith("Win")
    assert all(name in one.through for one in case.ends if has_won(name, wins, one, in_a_row=in_a_row))


def unchecked(found: re.Match[str], name: str, case: Case) -> None:
    """What another test checks, or what says that nothing is known."""


FORMS: tuple[tuple[str, Check], ...] = (
    (rf"{OWN} and (?P<goal>{IN}|{OUT})\.", check_settled),
    (rf"{OWN}, and you need (?P<need>.+)\.", check_needed),
    (r"You need (?!luck)(?P<need>.+)\.", check_needed),
    (rf"{OWN}, and {THROUGH} (?P<often>{OFTEN})\.", check_often),
    (rf"It depends on other results: {THROUGH} (?P<often>{OFTEN})\.", check_often),
    (r"You need luck: (?P<parts>.+)\.", check_luck),
    (rf"(?P<often>{OFTEN}) an organiser decides a tie\.", check_ties),
    (r"You're tied with others for the last place\.", check_level),
    (r"An organiser decides who gets it\.", check_level),
    (
        rf"(?P<wins>{NUMBERED})(?: more)? wins? (?:is|are) always enough (?:for the finals|to win the season)\.",
        check_enough,
    ),
    (rf"Win your next (?:(?P<wins>{NUMBERED}) )?match(?:es)? and (?P<goal>{IN})\.", check_enough),
    (r"It's too early to say what you need\.", unchecked),
)


# -- examples ----------------------------------------------------------------------------------------------------------


def words(now: Season, *, most: int = ALL_OF_THEM) -> dict[str, str]:
    found = look_ahead(now, most=most)
    assert found is not None
    return {name: prospect.words for name, prospect in found.players.items()}


SURE = "You're sure of the finals. That holds for every result still to come, if no one leaves the season."
GONE = "You can't reach the finals any more. That holds for every result still to come, if no one leaves the season."


def after_three_rounds() -> Season:
    now = season("ohs", ["Ada", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana"], number=1, cut=4)
    for results in ("df eg ac bh", "de ba gf hc", "db he ag fc"):
        now = with_round(now, *(won(BY_LETTER[first], BY_LETTER[second]) for first, second in results.split()))
    return now


BY_LETTER = {name[0].lower(): name for name in ("Ada", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana")}


def test_the_last_round_says_what_a_win_and_a_loss_mean() -> None:
    open_ = (open_match("Dana", "Ada"), open_match("Emil", "Fay"), open_match("Gus", "Cleo"))
    assert words(with_round(after_three_rounds(), won("Hana", "Ben"), *open_)) == {
        "Ada": "Win and you're in. Lose, and you need Emil to lose too.",
        "Ben": SURE,
        "Cleo": GONE,
        "Dana": SURE,
        "Emil": "Win, and you need Dana to win too. Lose and you're out.",
        "Fay": GONE,
        "Gus": GONE,
        "Hana": SURE,
    }


def test_early_on_it_says_how_many_wins_are_enough_and_nothing_that_was_only_tried() -> None:
    now = with_round(season("ohs", 16, number=1), *(won(f"p{n:02}", f"p{n + 8:02}") for n in range(1, 9)))
    said = words(now, most=TOO_FEW)
    assert said["p01"] == "Win and you're in."
    assert said["p09"] == "Two wins are always enough for the finals."
    assert words(with_departure(now, "p16", 2), most=TOO_FEW)["p16"] == GONE


def test_wins_are_enough_because_the_others_have_to_share_the_rest() -> None:
    # Twelve players share 24 wins in four rounds: nine of them can't have three each.
    now = with_round(
        season("keyforge-swiss", 12, number=1, rounds=4, cut=8),
        *(won(f"p{n:02}", f"p{n + 6:02}") for n in range(1, 7)),
    )
    said = words(now, most=TOO_FEW)
    assert said["p01"] == "Two more wins are always enough for the finals."
    assert said["p12"] == "Three wins are always enough for the finals."


def test_no_more_wins_are_said_to_be_enough_than_a_player_who_sits_out_can_have() -> None:
    now = season("keyforge-swiss", 8, number=1, rounds=3, cut=4)
    now = with_round(now, *(open_match(f"p{n:02}", f"p{n + 4:02}") for n in range(1, 5)))
    said = words(now, most=TOO_FEW)
    assert said["p01"] == "Three wins are always enough for the finals."
    now = replace(now, sat_out=(SitOut(name=Name("p01"), round=2),))
    assert "enough" not in words(now, most=TOO_FEW)["p01"]
    assert words(now, most=TOO_FEW)["p02"] == said["p02"]
    now = with_round(season("two-loss-out", 32, number=1), *(won(f"p{n:02}", f"p{n + 16:02}") for n in range(1, 17)))
    said = words(replace(now, sat_out=(SitOut(name=Name("p01"), round=2),)), most=TOO_FEW)
    assert said["p02"] == "Win your next two matches and you're in."
    assert "Win your next" not in said["p01"]


def test_wins_that_are_enough_are_told_also_where_a_loss_is_better_than_a_win() -> None:
    # A loss gives p01 the bye of the last round.
    now = season("keyforge-swiss", 6, number=1, rounds=3, cut=4, draws=True)
    now = with_round(now, won("p06", "p01"), won("p03", "p04"), won("p02", "p05"))
    now = with_departure(now, "p05", 1, after_pairing=True)
    said = words(with_round(now, won("p06", "p02"), open_match("p03", "p01"), byes=["p04"]))
    assert said["p01"] == (
        "Win, and you get through about 7 times out of 10. Draw, and you get through about 9 times out of 10. "
        "Lose and you're in. Two wins are always enough for the finals."
    )


def test_two_loss_out_says_how_many_wins_in_a_row_bring_an_early_place() -> None:
    now = with_round(season("two-loss-out", 32, number=1), *(won(f"p{n:02}", f"p{n + 16:02}") for n in range(1, 17)))
    found = look_ahead(now, most=TOO_FEW)
    assert found is not None
    undefeated, other = found.players[Name("p01")], found.players[Name("p32")]
    assert undefeated.words == "Win your next two matches and you're in."
    assert undefeated.about == "If they win their next two matches, they're in."
    assert other.words == "Lose and you're out."
    found = look_ahead(now, True, most=TOO_FEW)
    assert found is not None
    assert found.players[Name("p32")].words == "It's too early to say what you need."
    assert found.players[Name("p32")].about == "It's too early to say what they need."


def test_others_are_told_about_a_player_in_other_words() -> None:
    open_ = (open_match("Dana", "Ada"), open_match("Emil", "Fay"), open_match("Gus", "Cleo"))
    found = look_ahead(with_round(after_three_rounds(), won("Hana", "Ben"), *open_))
    assert found is not None
    ada = "If they win, they're in. If they lose, they need Emil to lose too."
    assert found.players[Name("Ada")].about == ada
    assert found.players[Name("Hana")].about == SURE.replace("You", "They")


def test_between_two_rounds_it_looks_at_the_round_the_rules_pair_next() -> None:
    assert words(after_three_rounds())["Emil"] == "Win, and you need Dana and Hana to win. Lose and you're out."


def test_where_one_of_two_results_is_enough_both_are_named() -> None:
    now = season("keyforge-swiss", ["Ada", "Ben", "Cleo", "Dana", "Emil", "Fay"], number=1, cut=0, rounds=2)
    now = with_round(now, won("Fay", "Dana"), won("Cleo", "Ben"), won("Ada", "Emil"))
    now = with_round(now, open_match("Fay", "Cleo"), open_match("Ada", "Dana"), open_match("Emil", "Ben"))
    said = "Win, and you need Emil to lose or Dana to win. Lose and you can't win the season any more."
    assert words(now)["Fay"] == said


def test_where_more_than_three_results_are_needed_it_says_how_often_they_come() -> None:
    now = season("keyforge-swiss", 10, number=1, cut=0, rounds=1)
    level = with_round(now, *(double_loss(f"p{n:02}", f"p{n + 5:02}") for n in range(1, 6)))
    first, second, third, fourth, own, *others = (row.name for row in by_key(now.format).standings(level))
    before_own = zip((first, second, third, fourth), others, strict=False)
    said = words(with_round(now, won(own, others[4]), *(open_match(*pair) for pair in before_own)))
    assert said[own] == "It depends on other results: you win the season 1 time in 16."
    one, other, another = sorted((first, second, third))
    assert said[fourth].startswith(f"Win, and you need {one}, {other} and {another} to lose. Lose and ")


def test_where_games_count_a_score_can_decide() -> None:
    now = season("lightseekers-swiss", ["Ada", "Ben", "Cleo", "Dana", "Emil"], number=1, cut=2, rounds=2)
    now = with_round(now, result_of("Cleo", "Dana", 2, 1), result_of("Ada", "Emil", 2, 0), byes=["Ben"])
    now = with_round(now, open_match("Cleo", "Ada"), result_of("Emil", "Ben", 2, 0), byes=["Dana"])
    assert words(now)["Cleo"] == "Win or lose 1–2 and you're in. Lose 0–2 and you're out."


def result_of(first: str, second: str, *games: int) -> Match:
    return replace(won(first, second), games=games)


def test_who_may_draw_but_not_win_is_named_though_the_player_met_their_opponent() -> None:
    points = {"win": 3, "draw": 1, "loss": 0, "bye": 3}
    names = ["Ada", "Ben", "Cleo", "Dana", "Emil", "Fay"]
    now = season("keyforge-swiss", names, number=1, cut=2, rounds=3, draws=True, points=points)
    now = with_round(now, won("Dana", "Fay"), won("Ben", "Cleo"), won("Emil", "Ada"))
    now = with_round(now, won("Dana", "Emil"), replace(won("Ben", "Fay"), winner=None), won("Ada", "Cleo"))
    now = with_round(now, open_match("Dana", "Ben"), open_match("Ada", "Fay"), open_match("Emil", "Cleo"))
    assert words(now)["Ada"] == "Win, and you need Ben and Emil not to win. Draw or lose and you're out."


def test_a_season_without_finals_is_about_its_title() -> None:
    now = season("keyforge-swiss", ["Ada", "Ben", "Cleo", "Dana"], number=1, cut=0, rounds=2)
    now = with_round(now, won("Ada", "Ben"), won("Cleo", "Dana"))
    said = words(with_round(now, open_match("Ada", "Cleo"), open_match("Ben", "Dana")))
    assert said["Ada"] == "Win and you've won the season. Lose and you can't win the season any more."
    assert said["Ben"].startswith("You can't win the season any more. That holds for every result still to come")


@pytest.mark.parametrize(
    ("format_", "settings"),
    [
        ("keyforge-swiss", {"cut": 0, "rounds": 2}),
        ("keyforge-swiss", {"cut": 2, "rounds": 2}),
        ("ohs", {"cut": 2, "rounds": 2}),
        ("two-loss-out", {"cut": 2}),
    ],
)
def test_the_only_one_left_has_won_the_season(format_: str, settings: dict[str, Any]) -> None:
    now = season(format_, ["Ada", "Ben", "Cleo", "Dana"], number=1, **settings)
    now = with_round(now, won("Ada", "Ben"), won("Cleo", "Dana"))
    for name in ("Ada", "Ben", "Cleo"):
        now = with_departure(now, name, 2)
    said = words(now)
    assert said["Dana"].startswith("You've won the season already.")
    assert said["Ada"].startswith("You can't win the season any more.")
    assert words(with_departure(now, "Dana", 2))["Dana"].startswith("You can't win the season any more.")


def test_equals_whose_order_an_organiser_decides_are_neither_in_nor_out() -> None:
    now = season("lightseekers-swiss", ["Ada", "Ben", "Cleo", "Dana", "Emil", "Fay"], number=1, cut=2, rounds=1)
    now = with_round(now, *(result_of(*pair, 2, 0) for pair in (("Ada", "Ben"), ("Cleo", "Dana"), ("Emil", "Fay"))))
    said = words(now)
    level = "You're tied with others for the last place. An organiser decides who gets it."
    assert [said[name] for name in ("Ada", "Cleo", "Emil")] == [level] * 3
    assert said["Fay"] == GONE


def test_in_a_bracket_a_win_is_enough() -> None:
    now = season("single-elimination", ["Ada", "Ben", "Cleo", "Dana"], number=1, seeding="drawn", third_place=True)
    pairs = [match.players for match in as_round(proposed(now)).matches]
    (ada, *_), (other, *_) = pairs
    now = with_round(now, open_match(*pairs[0]), won(*pairs[1]), stage=Stage.FINALS)
    said = words(now)
    assert said[ada] == "Win and you're in the final. Lose and you play for third place."
    assert said[other] == "You're in the final."
    assert said[pairs[1][1]] == "You're out of the finals."
    now = replace(now, rounds=(replace(now.rounds[0], matches=tuple(won(*pair) for pair in pairs)),))
    now = replace(now, rounds=(*now.rounds, as_round(proposed(now))))
    said = words(now)
    assert said[other] == "Win and you're the champion. Lose and you're second."
    assert said[pairs[1][1]] == "Win and you're third. Lose and you're fourth."


def test_before_round_1_and_for_a_recorded_season_nothing_is_said() -> None:
    for now in (season("ohs", 8), with_round(season("record", 2), won("p01", "p02"))):
        assert look_ahead(now) is None
