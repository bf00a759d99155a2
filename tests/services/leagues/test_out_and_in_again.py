"""Our own exports are read back as they were: people, winners, rounds, games and byes, whatever the names are."""

import random
from typing import Any

import pytest

from bot import steps
from bot.exporters.sheets import to_workbook, to_zip
from bot.importers.as_seasons import recorded
from bot.importers.found import Answers
from bot.importers.read_file import read
from bot.league.checking.league_file import writing
from bot.league.errors import Invalid
from bot.league.formats import by_key
from bot.league.season.model import Entrant, Kind, Match, Name, Round, Season
from bot.league.season.names import check_name, similar_name
from bot.services.base.order import Order
from bot.services.reads import season_sheets
from tests.files import see
from tests.importers.test_read_file import whole
from tests.services.conftest import ADMIN, NAMES, World

HARD = (
    *("=Max=", "-Nova-", "+1", "'=x", "''-y", "=A1", "=SUM(A1)", "'quoted", "-5", "= 7"),
    *("1", "2", "0", "2-1", "0.5", "½", "w", "L", "W", "a", "b", "h", "D", "winner", "opponent", "Player 1", "won"),
    *("forfeit", "played", "unplayed", "none", "nobody", "tie", "remis", "Week 1", "Round 2", "Final", "2024-01-02"),
    *("3/4/2024", "45000", "A, B", 'the "Q"', "tab;semi|bar", "Zoë", "名前", "שלום", "null", "TRUE", "NaN", "1e5"),
    *("Jan Novak (2)", "season", "a" * 32, "Ann\u00a0B", "0012", "1.0", "100%"),
)
KINDS = (Kind.PLAYED, Kind.PLAYED, Kind.PLAYED, Kind.FORFEIT, Kind.ADJUDICATED, Kind.DOUBLE_LOSS)


def drawn_names(draw: random.Random) -> list[Name]:
    """Return names a league can have at once."""
    names = list[Name]()
    for raw in draw.sample(HARD, draw.randint(4, 14)):
        try:
            name = check_name(raw)
        except Invalid:
            continue
        if similar_name(name, names) is None:
            names.append(name)
    return [*names, Name("Ada"), Name("Bruno")]


def drawn_season(draw: random.Random, number: int) -> Season:
    names = drawn_names(draw)
    rounds = [_round(draw, at, names) for at in range(1, draw.randint(2, 5))]
    return Season(
        league="Old", number=number, format="record", settings=by_key("record").read_settings({}),
        entrants=tuple(Entrant(name=name) for name in names), rounds=tuple(rounds),
    )  # fmt: skip


def _round(draw: random.Random, number: int, names: list[Name]) -> Round:
    here = draw.sample(names, draw.randint(2, len(names)))
    pairs = [(here[at], here[at + 1]) for at in range(0, len(here) - 1, 2)]
    byes = tuple(here[len(pairs) * 2 :])
    return Round(number=number, matches=tuple(_match(draw, *pair) for pair in pairs), byes=byes)


def _match(draw: random.Random, upper: Name, lower: Name) -> Match:
    kind = draw.choice(KINDS)
    winner = None if kind is Kind.DOUBLE_LOSS else draw.choice((upper, lower))
    if kind is Kind.PLAYED and draw.random() < 0.2:
        winner = None
    games = None
    if kind is Kind.PLAYED and draw.random() < 0.5:
        games = (1, 1) if winner is None else (2, 1) if winner == upper else (0, 3)
    return Match(upper=upper, lower=lower, kind=kind, winner=winner, games=games)


def _facts(season: Season) -> Any:
    rounds = [
        (
            round_.number,
            sorted((match.upper, match.lower, match.winner, match.kind, match.games) for match in round_.matches),
            sorted(round_.byes),
        )
        for round_ in season.rounds
    ]
    return season.number, rounds


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 40))])
async def test_a_season_that_goes_out_comes_in_as_it_was(world: World, seed: int) -> None:
    season = drawn_season(random.Random(seed), 3)
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    await steps.import_file(world.db, order, data=writing.to_json(season).encode())
    at: dict[str, Any] = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": world.league_id}
    tables = season_sheets.sheets(await see(season_sheets.taken, **at, season_number=3))
    for name, data in (("out.zip", to_zip(tables)), ("out.xlsx", to_workbook(tables, world.now))):
        answers, found = Answers(), read(data, name)
        while found.questions and found.questions[0].key.startswith("bye "):  # a person may be called None
            answers = answers.answered(found.questions[0], "person")
            found = read(data, name, answers)
        whole(found)
        (back,) = recorded(found, "Old", [3])
        assert _facts(back) == _facts(season), name
        assert set(found.names) == {who.name for who in season.entrants}, name


async def test_a_season_that_runs_comes_in_without_its_open_matches(world: World) -> None:
    await world.begin(8)
    await world.lose("Ann")
    at: dict[str, Any] = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": world.league_id}
    taken = await see(season_sheets.taken, **at)
    (played,) = [view for round_ in taken.rounds for view in round_.matches if view.match.winner_id is not None]
    found = whole(read(to_zip(season_sheets.sheets(taken)), "out.zip"))
    assert [{*match.players} for season in found.seasons for match in season.matches] == [
        {played.upper.name, played.lower.name}
    ]
    assert "3 matches had no result and stayed out." in found.notes
    assert set(found.names) == set(NAMES[:8])
