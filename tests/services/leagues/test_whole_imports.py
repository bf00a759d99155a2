"""Files of other programs through the whole import: previewed, asked about, saved, counted, and taken back."""

from collections import Counter
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from bot import steps
from bot.league.counting.rating_formula import rate
from bot.league.errors import InvalidFile
from bot.league.season.model import Name, Rating
from bot.league.season.scales import RatingScale
from bot.services.base import cached
from bot.services.leagues import importing_records, taking_back
from bot.services.reads import tables
from bot.steps import File
from bot.worker import Worker
from storage.tables.people import players
from tests.files import look_into, see
from tests.importers.files import challonge_1, challonge_2, cobra
from tests.looked_up import history
from tests.services.conftest import ADMIN, World
from tests.services.leagues.test_importing_records import brought, dump, order

PASTED = "Round 1\nAda 2 - 0 Bruno\nChloé 1-2 Daria\nRound 2\nAda 0 - 2 Daria\n"
Match = tuple[str, str, str | None]
FILES: dict[str, tuple[bytes, int, list[Match], int]] = {
    "a Challonge table": (
        PASTED.encode(),
        4,
        [("Ada", "Bruno", "Ada"), ("Chloe", "Daria", "Daria"), ("Ada", "Daria", "Daria")],
        0,
    ),
    "Challonge JSON, version 1": (
        challonge_1(),
        4,
        [
            *[("Ada", "Daria", "Ada"), ("Bruno", "Chloe", "Chloe"), ("Ada", "Chloe", "Ada")],
            *[("Chloe", "Bruno", "Chloe"), ("Ada", "Chloe", "Chloe")],
        ],
        1,
    ),
    "Challonge JSON, version 2": (
        challonge_2(),
        4,
        [("Ada", "Bruno", "Ada"), ("Chloe", "Daria", None), ("Ada", "Chloe", "Chloe")],
        0,
    ),
    "Cobra JSON": (
        cobra(),
        5,
        [
            *[("Ada", "Bruno", "Ada"), ("Chloe", "Daria", None), ("Ada", "Chloe", None)],
            *[("Chloe", "Ada", "Ada"), ("Ada", "Chloe", "Chloe"), ("Ada", "Chloe", "Chloe")],
        ],
        0,
    ),
}
"""Each file with its people, its rated matches in order as they were written down by hand, and how many forfeits."""


@pytest.fixture
async def worker() -> AsyncGenerator[Worker]:
    made = Worker()
    yield made
    await made.close()


def by_hand(matches: list[Match]) -> dict[str, tuple[float, float]]:
    """Return the ratings after these matches match after match; draws aren't rated."""
    new = Rating(mu=25, sigma=25 / 3)
    ratings: dict[str, Rating] = {}
    for one, other, winner in matches:
        if winner is not None:
            first, second = (one, other) if winner == one else (other, one)
            won, lost = (ratings.get(name, new) for name in (first, second))
            ratings[first], ratings[second] = rate(won, lost, RatingScale())
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind == "Cobra JSON" else pytest.mark.long) for kind in FILES]
)
async def test_a_file_comes_in_counts_and_goes_again(world: World, worker: Worker, kind: str) -> None:
    data, people, matches, forfeits = FILES[kind]
    await brought(world, "season,player,opponent,winner\n5,Chloe,Pavel,Pavel\n")
    before = dump(world)
    file = File(name="old.json", data=data)
    short = await steps.look_through([file], worker)
    assert short is not None
    planned = await world.db.read(importing_records.plan, order(world), file=short, decided={})
    assert (planned.numbers, short.matches, planned.identities.people) == ((4,), len(matches) + forfeits, people)
    assert [(one.name.name, one.candidates) for one in planned.identities.unclear] == [("Chloé", ("Chloe",))]
    assert dump(world) == before
    planned = await world.db.read(importing_records.plan, order(world), file=short, decided={"Chloé": "Chloe"})
    done = await steps.bring_in(world.db, order(world), files=[file], short=short, planned=planned, worker=worker)
    assert (done.numbers, done.known, done.new) == ((4,), 1, people - 1)

    at: dict[str, Any] = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": world.league_id}
    lines = {row.called: row.standing for row in (await see(tables.standings, **at, number=4)).rows}
    wins = Counter(winner for _, _, winner in matches if winner is not None)
    draws = Counter(name for one, other, winner in matches if winner is None for name in (one, other))
    assert len(lines) == people
    assert {name: (line.wins - _free(kind, name), line.draws) for name, line in lines.items()} == {
        name: (wins[name], draws[name]) for name in lines
    }
    for name in ("Ada", "Bruno"):
        career = await see(history, **at, player=name, opponent="Chloe")
        met = [pair for pair in matches if {name, "Chloe"} == {*pair[:2]}]
        assert len(career.meetings) == len(met)
    with look_into(world.db) as conn:
        ids = {Name(one.called): one.player_id for one in players.every_name(conn, world.league_id)}
        known = cached.ratings_before(conn, world.league_id, 5)
    for name, rating in by_hand(matches).items():
        assert (known[ids[Name(name)]].mu, known[ids[Name(name)]].sigma) == pytest.approx(rating, rel=1e-9), name

    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert dump(world) == before


def _free(kind: str, name: str) -> int:
    """Return how many wins someone has without a rated match: a bye, or a forfeit."""
    return {("Cobra JSON", "Emil"): 1, ("Challonge JSON, version 1", "Bruno"): 1}.get((kind, name), 0)


@pytest.mark.long
async def test_as_many_matches_as_one_import_takes_and_no_more(world: World, worker: Worker) -> None:
    rows = [f"{at // 500 + 1},P{at % 500 // 2},Q{at % 499},P{at % 500 // 2}" for at in range(50_001)]
    text = "\n".join(["season,player,opponent,winner", *rows])
    whole = await steps.look_through([File(name="a.csv", data=text.rsplit("\n", 1)[0].encode())], worker)
    assert whole is not None
    assert (whole.matches, whole.problems, whole.questions) == (50_000, (), ())
    with pytest.raises(InvalidFile, match="has 50,001 matches; one import takes at most 50,000"):
        await steps.look_through([File(name="a.csv", data=text.encode())], worker)
