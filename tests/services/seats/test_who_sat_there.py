"""Where several people sat in one seat: each is told, shown and counted for what they did themselves."""

from typing import Any

import pytest

from bot.league.errors import WrongPhase
from bot.league.season.match_score import DASH
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.matches.outcome import read_outcome
from bot.services.organising import rounds_by_hand
from bot.services.people import removing
from bot.services.play import decisions
from bot.services.reads import tables
from bot.services.reads.champion import ChampionPost
from bot.services.reads.past import profiles
from cogs.reads.champion import champion, champion_picture
from cogs.reads.pictures import standings_picture
from cogs.reads.profile import season_words
from cogs.reads.table_lines import standing_line
from tests.files import do, see
from tests.services.conftest import NAMES, ORGANISER, World
from tests.services.play.test_bracket_corrections import current
from tests.services.play.test_reporting import report
from tests.services.seats.test_seats import substitute, where


def organiser(world: World) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}


@pytest.mark.long
@pytest.mark.parametrize("leave", [removing.remove, removing.disqualify])
async def test_who_left_is_who_sat_there_then(world: World, leave: Any) -> None:
    await world.begin(8, rounds=4, cut=0)
    await substitute(world, "dok", "Uma")
    await world.play_round()
    await world.play_round()
    await do(leave, **organiser(world), player="Uma", reason="cheated")
    found = {name: await see(profiles.profile, **organiser(world), player=name) for name in ("dok", "Uma")}
    told = {name: season_words(one.seasons[0], one.names) for name, one in found.items()}
    assert "dropped" not in told["dok"]
    assert "disqualified" not in told["dok"]
    assert "dropped" in told["Uma"] or "disqualified" in told["Uma"]


@pytest.mark.long
async def test_a_substitutes_own_line_is_marked(world: World) -> None:
    await world.begin(8, rounds=4, cut=0)
    await substitute(world, "dok", "Uma")
    early = Order(actor=world.player("Uma"), now=world.now, league_id=world.league_id)
    assert (await world.db.read(tables.standings, early)).own is None
    await world.play_round()
    await world.play_round()
    replaced = Order(actor=world.player("dok"), now=world.now, league_id=world.league_id)
    assert (await world.db.read(tables.standings, replaced)).own is None
    order = Order(actor=world.player("Uma"), now=world.now, league_id=world.league_id)
    view = await world.db.read(tables.standings, order)
    assert [row.name for row in standings_picture(view).rows if row.own] == ["Uma (for dok)"]
    lines = [standing_line(row, view.columns, view.own) for row in view.rows]
    assert [line for line in lines if "**Uma (for dok)**" in line]


async def test_nobody_takes_a_place_over_in_the_last_round_of_a_season_without_finals(world: World) -> None:
    await world.begin(8, "keyforge-swiss", rounds=3, cut=0)
    await world.play_round()
    await world.play_round()
    with pytest.raises(WrongPhase, match="last round of the season"):
        await substitute(world, "dok", "Uma")


async def test_the_preview_of_a_correction_names_who_gets_the_title(world: World) -> None:
    await world.begin(4, "single-elimination")
    seat = (await current(world)).matches[0].upper.name
    await substitute(world, seat, "Uma")
    await world.play_round()
    final = next(one for one in (await current(world)).matches if seat in (one.upper.name, one.lower.name))
    await world.lose(seat)
    for match in (await current(world)).matches:
        if match.match.state is not MatchState.CONFIRMED:
            await world.lose(match.lower.name)
    said: Any = {"db": world.db, "actor": ORGANISER, "match": final.match.id, "outcome": read_outcome(final, seat)}
    preview = await see(decisions.decide_preview, **said)
    assert f"The champion is Uma (for {seat})." in preview.effects


async def test_the_end_of_a_season_names_who_played_its_matches(world: World) -> None:
    await world.begin(4, "single-elimination", final_best_of=3)
    winners = [match.upper.name for match in (await current(world)).matches]
    await substitute(world, winners[1], "Uma")
    await world.play_round()
    final = (await current(world)).matches[0]
    await report(world, "Uma", final, "lost", "1-2")
    (post,) = await world.posts("champion")
    facts = await world.shown(post)
    assert isinstance(facts, ChampionPost)
    assert [step.opponent for step in champion_picture(facts).way][-1] == "Uma"
    (text,) = champion(facts).parts
    assert f"Closest: Final, {winners[0]} 2{DASH}1 Uma" in str(text)


@pytest.mark.parametrize(("format_", "count"), [("round-robin", 5), ("ohs", 5), ("ohs", 4)])
async def test_who_plays_from_the_next_round_on_isnt_told_of_the_round_before_as_theirs(
    world: World, format_: str, count: int
) -> None:
    await world.begin(count, format_, advance="manual")
    playing = {side.name for match in (await current(world)).matches for side in (match.upper, match.lower)}
    seat = next((name for name in NAMES[:count] if name not in playing), NAMES[0])
    await substitute(world, seat, "Uma")
    await world.play_round()
    await do(rounds_by_hand.close, **organiser(world))
    mine = await where(world, "Uma")
    assert mine.match is None
    assert mine.what_to_do == f"{seat} had your place in round 1. You play from the next round on."
