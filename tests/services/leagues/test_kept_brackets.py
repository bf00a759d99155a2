"""A bracket that was kept when a player was forgotten comes into a league with its file and goes out as it came."""

import json

from bot.league.checking.league_file import reading, writing
from bot.league.formats import by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Name, Stage
from bot.services.base.order import Order
from bot.services.organising import rounds_by_hand
from tests.league.builders import proposed, season, with_decisions, with_round, won
from tests.league.turmoil import forgotten
from tests.services.conftest import ADMIN, World
from tests.services.leagues.test_kept_apart import exported, imported


async def test_an_imported_season_goes_on_from_its_bracket(world: World) -> None:
    now = season("single-elimination", 8, number=4)
    matches = (won(*pair.players) for pair in proposed(now).pairs)
    now = forgotten(with_round(now, *matches, stage=Stage.FINALS), Name("p01"))
    copy = await imported(world, json.loads(writing.to_json(now)))
    again = reading.read((await exported(world, copy)).encode())
    assert (again.bracket, again.forgotten) == (now.bracket, True)
    view = await world.db.write(rounds_by_hand.post, Order(actor=ADMIN, now=world.now, league_id=copy))
    due = by_key(now.format).next_round(now)
    assert isinstance(due, Proposal)
    shown = {frozenset((match.upper.name, match.lower.name)) for match in view.matches}
    assert shown == {frozenset(pair.players) for pair in due.pairs}


async def test_several_orders_of_one_round_come_and_go_in_their_order(world: World) -> None:
    start = season("lightseekers-swiss", "abcdef", number=1, rounds=1, cut=4)
    now = with_round(start, *(won(*pair) for pair in ("ab", "cd", "ef")))
    now = with_decisions(now, (1, "cea"), (1, "bfd"), (1, "ace"))
    copy = await imported(world, json.loads(writing.to_json(now)))
    again = reading.read((await exported(world, copy)).encode())
    assert again.decisions == now.decisions
