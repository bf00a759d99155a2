"""Laws of the league file: what is written is read again as it was, and no spoilt file brings the reader down."""

import copy
import json
import unicodedata
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.league.checking.league_file.reading import read
from bot.league.checking.league_file.writing import to_json
from bot.league.errors import InvalidFile
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.season.match_score import Result, is_possible
from bot.league.season.model import (
    Departure,
    DepartureKind,
    Ended,
    Entrant,
    Final,
    FinalStanding,
    Kind,
    Match,
    Name,
    PastMatch,
    PastSeason,
    Rating,
    Round,
    SealedSalt,
    Season,
    Stage,
)
from tests.examples import examples
from tests.league.builders import names, season, with_round, won
from tests.league.checking.league_file.examples import EXAMPLE, encoded, places

NAMES = st.text(min_size=1, max_size=8).map(lambda text: Name(unicodedata.normalize("NFC", text)))
RATINGS = st.builds(Rating, mu=st.floats(-1e6, 1e6), sigma=st.floats(1e-6, 1e6))
SAID = st.fixed_dictionaries(
    {}, optional={"cut": st.integers(0, 64), "draws": st.booleans(), "salt": st.just("0123456789abcdef")}
)
REASONS = st.none() | st.text(max_size=8)
SMALL = st.integers(0, 99)


@st.composite
def matches(draw: st.DrawFn, upper: Name, lower: Name) -> Match:
    kind = draw(st.sampled_from([Kind.PLAYED, Kind.FORFEIT, Kind.ADJUDICATED, Kind.DOUBLE_LOSS]))
    winners = {Kind.FORFEIT: [upper, lower], Kind.DOUBLE_LOSS: [None]}.get(kind, [upper, lower, None])
    return Match(
        upper=upper,
        lower=lower,
        kind=kind,
        winner=draw(st.sampled_from(winners)),
        games=draw(st.none() | st.tuples(SMALL, SMALL)),
        points=draw(st.none() | st.tuples(SMALL, SMALL)),
    )


@st.composite
def rounds(draw: st.DrawFn, number: int, names: list[Name]) -> Round:
    order = draw(st.permutations(names))
    byes = draw(st.integers(0, len(order)))
    seated = order[byes:]
    return Round(
        number=number,
        byes=tuple(order[:byes] if byes or len(order) > 1 else order),
        matches=tuple(draw(matches(a, b)) for a, b in zip(seated[::2], seated[1::2], strict=False)),
        by_hand=draw(REASONS),
    )


HEX = st.text("0123456789abcdef", min_size=64, max_size=64)


def finals(players: list[Name], kept: st.SearchStrategy[bool]) -> st.SearchStrategy[Final]:
    line = st.builds(
        FinalStanding,
        name=st.sampled_from(players),
        **dict.fromkeys(("rank", "points", "wins", "losses", "draws", "byes"), SMALL),
        tiebreaks=st.dictionaries(st.text(max_size=3), st.integers(-99, 99) | st.floats(-1e9, 1e9), max_size=2),
    )
    lines = st.lists(line, max_size=3).map(tuple)
    by_rules = st.builds(
        Final, ended=st.just(Ended.RULES), champion=st.none() | st.sampled_from(players), kept=kept, standings=lines
    )
    others = st.sampled_from([Ended.FINISHED, Ended.CANCELLED])
    return by_rules | st.builds(Final, ended=others, standings=lines)


@st.composite
def seasons(draw: st.DrawFn) -> Season:
    names = draw(st.lists(NAMES.filter(lambda name: name != "draw"), min_size=1, max_size=7, unique=True))
    players, former = names[: (len(names) + 1) // 2], names[(len(names) + 1) // 2 :]
    played = [draw(rounds(number, players)) for number in range(1, draw(st.integers(0, 3)) + 1)]
    played = [round_ for round_ in played if round_.byes or round_.matches]
    said = draw(SAID)
    past = st.builds(
        PastMatch,
        players=st.permutations(players).map(lambda order: tuple(order[:2])),
        round=st.none() | st.integers(1, 9),
    )
    return Season(
        league=draw(st.text(max_size=20)),
        number=draw(st.integers(3, 10**6)),
        format="record",
        settings=by_key("record").read_settings(said),
        entrants=tuple(
            Entrant(
                name=name,
                rating=draw(st.none() | RATINGS),
                seed=draw(st.none() | st.just(index + 1)),
                former_names=tuple(former[index : index + 1]),
            )
            for index, name in enumerate(players)
        ),
        past=(
            PastSeason(number=2, matches=()),
            PastSeason(number=1, matches=tuple(draw(st.lists(past, max_size=3))) if len(players) > 1 else ()),
        ),
        rounds=tuple(
            Round(
                number=index + 1, stage=round_.stage, byes=round_.byes, matches=round_.matches, by_hand=round_.by_hand
            )
            for index, round_ in enumerate(played)
        ),
        departures=tuple(
            Departure(
                name=name,
                kind=DepartureKind.DROP,
                round=len(played) + 5 + index,
                rejoined=draw(st.none() | st.just(99)),
            )
            for index, name in enumerate(players)
            if draw(st.booleans())
        ),
        sealed=draw(st.none() | st.builds(SealedSalt, commitment=HEX, secret=HEX if "salt" in said else st.none())),
        drawn_names=draw(st.none() | st.sets(st.sampled_from(players)).map(lambda some: tuple(sorted(some)))),
        forgotten=(forgotten := draw(st.booleans())),
        final=draw(st.none() | finals(players, st.booleans() if forgotten else st.just(False))),
    )


@pytest.mark.long
@given(seasons())
@settings(max_examples=examples(150))
def test_what_is_written_is_read_again_as_it_was(season: Season) -> None:
    assert read(to_json(season).encode()) == season


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["dok", "Xorlof", "draw", "open", "finals", "double_loss", "record", "", "1", "\ud800"])
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
PLACES = list(places(EXAMPLE))


def spoil(data: Any, path: str, value: Any) -> None:
    """Replace a value, or take it out for `...`; a path that an earlier change removed changes nothing."""
    *parents, last = path.split("/")
    for part in parents:
        data = _below(data, part)
    key = int(last) if isinstance(data, list) and last.isdigit() else last
    known = (
        isinstance(key, int) and key < len(data) if isinstance(data, list) else isinstance(data, dict) and key in data
    )
    if known and value is ...:
        del data[key]
    elif known:
        data[key] = value


def _below(data: Any, part: str) -> Any:
    if isinstance(data, dict):
        return data.get(part)
    return data[int(part)] if isinstance(data, list) and part.isdigit() and int(part) < len(data) else None


def read_or_refusal(data: bytes) -> Season | str:
    try:
        return read(data)
    except InvalidFile as refused:
        return str(refused)


@pytest.mark.long
@given(st.lists(st.tuples(st.sampled_from(PLACES), VALUES | st.just(...)), min_size=1, max_size=3))
@settings(max_examples=examples(500))
def test_a_spoilt_file_is_read_or_refused_in_one_line(changes: list[tuple[str, Any]]) -> None:
    data = copy.deepcopy(EXAMPLE)
    for path, value in changes:
        spoil(data, path, value)
    season = read_or_refusal(json.dumps(data).encode())
    if isinstance(season, str):
        assert season.isprintable()
    else:
        assert read(to_json(season).encode()) == season


@given(st.integers(0, len(encoded(EXAMPLE)) - 1), st.binary(max_size=3))
@settings(max_examples=examples(300))
def test_spoilt_bytes_are_read_or_refused(position: int, noise: bytes) -> None:
    data = encoded(EXAMPLE)
    assert read_or_refusal(data[:position] + noise + data[position + len(noise) :])


GAMES = st.tuples(st.integers(0, 6), st.integers(0, 6))
BEST_OF = st.fixed_dictionaries(
    {}, optional={key: st.sampled_from([1, 3, 5]) for key in ("best_of", "finals_best_of", "final_best_of")}
)
RESULTS = [(Kind.PLAYED, result) for result in Result] + [
    (kind, result) for kind in (Kind.FORFEIT, Kind.ADJUDICATED) for result in (Result.WON, Result.LOST)
]


@pytest.mark.long
@given(st.sampled_from(ALL), BEST_OF, st.sampled_from(RESULTS), GAMES, st.booleans(), st.sampled_from([0, 1, 2]))
@settings(max_examples=examples(1000))
def test_every_result_a_player_or_a_moderator_can_enter_survives_export_and_read(
    format_: Format,
    said: dict[str, int],
    ended: tuple[Kind, Result],
    games: tuple[int, int],
    finished: bool,
    finals_matches: int,
) -> None:
    (kind, result), draws = ended, "draws" in format_.own_settings and not finals_matches
    stage = Stage.FINALS if finals_matches else Stage.REGULAR
    upper, lower = names(2)
    winner = {Result.WON: upper, Result.LOST: lower}.get(result)
    match = Match(upper=upper, lower=lower, kind=kind, winner=winner, games=games)
    others = (won("p03", "p04"),) if finals_matches == 2 else ()
    before = season(format_, 4, **said, **({"draws": True} if draws else {}))
    now = with_round(before, match, *others, stage=stage)
    best_of = format_.best_of(now, now.rounds[0], match)
    assume(result is not Result.DRAW or draws)
    if is_possible(games, kind=kind, result=result, best_of=best_of, finished=finished):
        assert read(to_json(now).encode()) == now
