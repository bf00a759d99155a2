"""Two people who are kept apart: asked first, from which round on, in previews, files and the log."""

from typing import Any

import pytest

from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.leagues import exporting
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import forgetting, keeping_apart
from bot.services.people.keeping_apart import Kept
from storage.query import records
from tests.files import do, look_into, see
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, World

A, B = NAMES[:2]


def there(world: World, **more: Any) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id, **more}


async def apart(world: World, first: str, second: str, **more: Any) -> Kept:
    return await do(keeping_apart.keep_apart, **there(world), first=first, second=second, reason="they asked", **more)


async def together(world: World, first: str, second: str, **more: Any) -> Kept:
    return await do(keeping_apart.let_together, **there(world), first=first, second=second, reason="made up", **more)


async def listed(world: World, actor: Any = ORGANISER) -> list[tuple[str, str, int, int]]:
    rows = await see(keeping_apart.listed, **{**there(world), "actor": actor})
    return [(row.first, row.second, row.season, row.round) for row in rows]


def kept(world: World) -> list[tuple[int, int, int | None, int | None]]:
    with look_into(world.db) as conn:
        return [tuple(row) for row in records(conn, "SELECT season, round, until_season, until_round FROM apart")]


async def pair(world: World) -> tuple[str, str]:
    """Return two who play each other in the round that is on."""
    match = await world.match_of(A)
    assert match is not None
    return match.sides[0].name, match.sides[1].name


async def test_it_asks_first_and_says_what_players_can_see(world: World) -> None:
    await world.create()
    await world.sign_up(A, B)
    with pytest.raises(ConfirmationNeeded, match=r"Players can see that they are kept apart, not why\."):
        await apart(world, A, B, agreed="")
    assert kept(world) == []
    done = await apart(world, A, B)
    assert (done.season, done.round) == (1, 1)
    assert await listed(world) == [(A, B, 1, 1)]


async def test_round_one_keeps_them_apart_and_the_file_verifies(world: World) -> None:
    await world.create()
    await world.sign_up(*NAMES[:8])
    # Whoever would play each other without it.
    await world.start()
    first, second = await pair(world)
    await do(rounds_by_hand.undo, **there(world), reason="again")
    await apart(world, first, second)
    await do(rounds_by_hand.post, **there(world))
    match = await world.match_of(first)
    assert match is not None
    assert second not in {side.name for side in match.sides}
    season = read((await see(exporting.export, **there(world), season_number=1)).text.encode())
    assert season.apart
    assert verify(season).agrees


async def test_said_while_they_play_it_holds_from_the_next_round_and_says_so(world: World) -> None:
    await world.begin()
    first, second = await pair(world)
    done = await apart(world, first, second)
    assert done.round == 2
    assert done.against is not None
    assert kept(world) == [(1, 2, None, None)]
    await do(rounds_by_hand.undo, **there(world), reason="again")
    assert kept(world) == [(1, 1, None, None)]
    await do(rounds_by_hand.post, **there(world))
    match = await world.match_of(first)
    assert match is not None
    assert second not in {side.name for side in match.sides}


async def test_a_swap_that_sets_two_who_are_kept_apart_against_each_other_asks_first(world: World) -> None:
    await world.begin()
    view = await world.match_of("dok")
    assert view is not None
    (other,) = {side.name for side in view.sides} - {"dok"}
    third = next(name for name in NAMES[:8] if name not in ("dok", other))
    await apart(world, "dok", third)  # said while the round is open, so it counts from the next one
    swapped: dict[str, Any] = {"first": other, "second": third}
    with pytest.raises(ConfirmationNeeded, match=r"dok.* would meet, though they're kept apart\.") as question:
        await do(swapping.swap, **there(world), **swapped, agreed="")
    assert await world.match_of("dok") == view
    await do(swapping.swap, **there(world), **swapped, agreed=question.value.token)
    after = await world.match_of("dok")
    assert after is not None
    assert {side.name for side in after.sides} == {"dok", third}


async def test_a_preview_is_paired_again_at_once_unless_it_was_changed_by_hand(world: World) -> None:
    await world.begin(advance="manual")
    await world.play_round()
    view = await do(rounds_by_hand.preview, **there(world))
    first, second = (side.name for side in view.matches[0].sides)
    done = await apart(world, first, second)
    assert (done.round, done.preview, done.by_hand) == (2, "round 2", "")
    again = await see_preview(world)
    assert {first, second} not in again
    swapped: dict[str, Any] = {"first": first, "second": sorted(again[-1])[0], "reason": "by hand"}
    await do(swapping.swap, **there(world), **swapped)
    before = await see_preview(world)
    done = await together(world, first, second)
    assert (done.round, done.preview, done.by_hand) == (3, "", "round 2")
    assert await see_preview(world) == before
    await do(rounds_by_hand.undo, **there(world), agreed=None)
    await do(rounds_by_hand.preview, **there(world))
    assert kept(world) == [(1, 2, 1, 2)]  # what was said since the preview was made counts for it
    assert {first, second} in await see_preview(world)


async def see_preview(world: World) -> list[set[str]]:
    with look_into(world.db) as conn:
        sql = (
            "SELECT u.name, l.name FROM rounds r JOIN matches m ON m.round_id = r.id"
            " JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
            " WHERE r.phase = 'draft' ORDER BY m.position"
        )
        return [set(row) for row in records(conn, sql)]


async def test_between_seasons_it_holds_from_the_next_season_on(world: World) -> None:
    await world.begin(4, rounds=1, cut=0)
    await world.play_out()
    done = await apart(world, A, B)
    assert (done.season, done.round, done.against) == (2, 1, None)


async def test_said_and_taken_back_before_a_round_leaves_nothing(world: World) -> None:
    await world.begin()
    await apart(world, A, B)
    await together(world, A, B)
    assert kept(world) == []
    await apart(world, A, B)
    assert kept(world) == [(1, 2, None, None)]


async def test_one_pair_ends_and_no_other_and_can_begin_again(world: World) -> None:
    third, fourth = NAMES[2:4]
    await world.begin()
    for first, second in ((A, B), (A, third), (third, fourth)):
        await apart(world, first, second)
    await world.play_round()
    await together(world, B, A)
    assert {row[:2] for row in await listed(world)} == {(A, third), (third, fourth)}
    assert sorted(kept(world), key=str) == [(1, 2, 1, 3), (1, 2, None, None), (1, 2, None, None)]
    with pytest.raises(Conflict, match="aren't kept apart"):
        await together(world, A, fourth)
    await apart(world, A, B)
    assert (A, B, 1, 3) in await listed(world)


async def test_what_is_wrong_is_said_and_changes_nothing(world: World) -> None:
    await world.begin()
    with pytest.raises(Invalid, match="Choose two different players"):
        await apart(world, A, A)
    with pytest.raises(NotFound, match="No one in"):
        await apart(world, A, "Nobody")
    with pytest.raises(Conflict, match="aren't kept apart"):
        await together(world, A, B)
    await apart(world, A, B)
    with pytest.raises(Conflict, match="are kept apart already"):
        await apart(world, B, A)
    with pytest.raises(NotAllowed):
        await do(keeping_apart.keep_apart, **{**there(world), "actor": MODERATOR}, first=A, second=NAMES[2], reason="x")
    assert await listed(world, MODERATOR) == []
    assert len(kept(world)) == 1


async def test_the_log_keeps_why(world: World) -> None:
    await world.begin()
    await apart(world, A, B)
    row = next(row for row in await world.audit() if row.action.startswith("player"))
    assert (row.action, row.subject, row.reason) == ("player.apart", f"{A} and {B}", "they asked")


async def test_forgetting_one_of_them_lets_it_go(world: World) -> None:
    await world.begin()
    await apart(world, A, B)
    await do(forgetting.forget, **there(world), player=A)
    assert kept(world) == []
