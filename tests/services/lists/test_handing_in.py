"""Handing in lists: replaced until they're due, sealed once, whatever happens to rounds and players."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound, WrongPhase
from bot.league.season.list_rules import fingerprint
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.leagues import exporting, set_up
from bot.services.lists import handing_in, visibility
from bot.services.lists.handing_in import HandedIn
from bot.services.organising import rounds_by_hand
from bot.services.people import forgetting, rejoining
from storage.tables import seasons
from storage.tables.field import entrants, substitutions
from storage.tables.people import players
from tests.files import change_by_hand, do, look_into, see
from tests.services.conftest import ADMIN, NAMES, ORGANISER, STRANGER, World
from tests.services.leagues.test_importing_records import brought
from tests.services.people import test_merging
from tests.services.people.acting import enter
from tests.services.play.test_bracket_corrections import correct, current
from tests.services.seats import test_seats
from tests.services.seats.test_seats import sit_out


async def hand_in(world: World, name: str, text: str = "", **more: Any) -> HandedIn:
    who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
    return await do(handing_in.hand_in, db=world.db, **who, text=text or f"{name}'s list", **more)


async def all_lists(world: World) -> list[dict[str, Any]]:
    sql = (
        "SELECT e.name, t.round, l.text, l.late, l.sealed_at IS NOT NULL AS sealed FROM lists l"
        " JOIN entrants e ON e.id = l.entrant_id JOIN list_sets t ON t.id = l.set_id ORDER BY l.id"
    )
    with look_into(world.db) as conn:
        return [dict(row) for row in conn.execute_fetchall(sql)]


async def missing_people(world: World) -> list[set[str]]:
    """Return who each reminder about missing lists is for."""
    ids = {actor.user_id: name for name, actor in world.players.items()}
    posts = [await world.shown(post) for post in await world.posts("lists-missing")]
    return [{ids[known] for known in getattr(post, "ping_ids", ())} for post in posts]


async def opened(world: World, count: int = 4, *, closing: Any = None, **rules: Any) -> None:
    await world.opened(format="ohs", settings={"rounds": 3, "cut": 0, "lists": rules}, signups_close=closing)
    await world.sign_up(*NAMES[:count])


async def test_the_same_list_handed_in_again_because_the_answer_was_lost_changes_nothing(world: World) -> None:
    await opened(world)
    first = await hand_in(world, "dok", "4 Dragons")
    world.now += timedelta(minutes=5)
    again = await hand_in(world, "dok", "4 Dragons")
    assert again.row == first.row
    assert not again.replaced
    with look_into(world.db) as conn:
        noted = conn.execute_fetchall("SELECT action FROM audit WHERE action = 'list.hand-in'")
    assert len(list(noted)) == 1


async def test_a_list_is_replaced_until_it_is_due_and_then_fixed(world: World) -> None:
    await opened(world)
    assert not (await hand_in(world, "dok", "one")).replaced
    assert (await hand_in(world, "dok", "two")).replaced
    await world.start()
    with pytest.raises(Conflict, match="sealed and can't change"):
        await hand_in(world, "dok", "three")
    assert await all_lists(world) == [{"name": "dok", "round": None, "text": "two", "late": 0, "sealed": 1}]


async def test_a_list_that_comes_at_the_due_moment_is_late_even_before_the_clock_has_looked(world: World) -> None:
    await opened(world, due_hours=24)
    await world.start()
    world.later(hours=23, minutes=59)
    assert not (await hand_in(world, "dok")).row.late
    world.later(minutes=1)
    with pytest.raises(Conflict, match="sealed"):
        await hand_in(world, "dok", "changed at the last moment")
    assert (await hand_in(world, "Xorlof")).row.late
    assert await steps.tick(world.db, world.now) == 0
    sealed = [(row["name"], row["sealed"]) for row in await all_lists(world)]
    assert sealed == [("dok", 1), ("Xorlof", 1)]
    assert len(await world.posts("seals")) == 2


async def test_players_without_lists_are_reminded_a_day_before_and_told_when_due(world: World) -> None:
    await opened(world, closing=world.now.replace(day=24), due_hours=0)
    await hand_in(world, "dok")
    await steps.tick(world.db, world.later(hours=47))
    assert await missing_people(world) == []
    await steps.tick(world.db, world.later(hours=2))
    await steps.tick(world.db, world.now)
    assert await missing_people(world) == [{"Xorlof", "Zoë", "Kinseth"}]
    await hand_in(world, "Zoë")
    await steps.tick(world.db, world.later(hours=24))
    assert await missing_people(world) == [{"Xorlof", "Kinseth"}]


async def test_lists_of_each_round_are_for_those_who_play_it(world: World) -> None:
    await opened(world, 5, per="round")
    for name in NAMES[:5]:
        assert (await hand_in(world, name)).words == "round 1"
    await world.start()
    assert await missing_people(world) == []
    assert (await hand_in(world, "dok")).words == "the next round"
    with pytest.raises(NotFound, match="for that round now"):
        await hand_in(world, "dok", round=3)
    await world.drop("Ann", agreed=None)
    await world.play_round()
    lists = await all_lists(world)
    assert [(row["name"], row["round"]) for row in lists if row["round"] == 2] == [("dok", 2)]
    (missing,) = await missing_people(world)
    assert missing == set(NAMES[1:4])


async def test_undoing_a_round_seals_and_reveals_nothing_early(world: World) -> None:
    await opened(world, due_hours=24)
    await hand_in(world, "dok")
    await world.start()
    who: Any = {"actor": ORGANISER, "league_id": world.league_id}
    await do(rounds_by_hand.undo, db=world.db, **who, now=world.now, reason="wrong")
    await steps.tick(world.db, world.later(hours=30))
    assert not any(row["sealed"] for row in await all_lists(world))
    assert not (await hand_in(world, "dok", "changed")).row.late
    await do(rounds_by_hand.post, db=world.db, **who, now=world.now)
    await steps.tick(world.db, world.later(hours=1))
    assert [(row["text"], row["sealed"]) for row in await all_lists(world)] == [("changed", 1)]


async def test_sealed_lists_stay_sealed_when_round_1_is_undone(world: World) -> None:
    await opened(world)
    await hand_in(world, "dok")
    await world.start()
    await world.db.write(
        rounds_by_hand.undo, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="wrong"
    )
    with pytest.raises(Conflict, match="sealed"):
        await hand_in(world, "dok", "changed")


async def test_a_player_who_withdraws_takes_their_list_along(world: World) -> None:
    await opened(world)
    await hand_in(world, "dok")
    await world.drop("dok")
    assert await all_lists(world) == []


async def test_a_player_who_left_before_lists_were_due_keeps_theirs_secret(world: World) -> None:
    await opened(world, due_hours=24)
    for name in NAMES[:4]:
        await hand_in(world, name)
    await world.start()
    await world.drop("dok")
    await steps.tick(world.db, world.later(hours=25))
    assert [row["name"] for row in await all_lists(world) if not row["sealed"]] == ["dok"]
    with pytest.raises(WrongPhase, match="You've left"):
        await hand_in(world, "dok", "another")
    with pytest.raises(NotFound, match="no sealed lists"):
        await world.db.read(
            visibility.of_player, Order(actor=STRANGER, now=world.now, league_id=world.league_id), player="dok"
        )


async def test_a_late_list_counts_at_once_is_marked_and_changes_no_more(world: World) -> None:
    await opened(world)
    await hand_in(world, "dok")
    await world.start()
    done = await hand_in(world, "Xorlof", "too late")
    assert done.row.late
    assert done.row.sha256 == fingerprint(done.row.key or "", "too late")
    with pytest.raises(Conflict, match="sealed and can't change"):
        await hand_in(world, "Xorlof", "later still")
    assert await seen(world, "dok", "Xorlof") == ["too late"]
    on_time, late = await world.posts("seals")
    assert [name for name, _ in (await world.shown(on_time)).sealed] == ["dok"]
    assert [name for name, _ in (await world.shown(late)).sealed] == ["Xorlof"]


async def test_which_list_is_meant_has_to_be_clear(world: World) -> None:
    await opened(world, number=2)
    with pytest.raises(Invalid, match="Which list"):
        await hand_in(world, "dok")
    with pytest.raises(Invalid, match="no list 3"):
        await hand_in(world, "dok", number=3)
    with pytest.raises(NotFound, match="not in season"):
        await hand_in(world, "Flo", number=1)


@pytest.mark.long
async def test_sealed_lists_go_out_with_the_league_file_and_come_in_again(world: World) -> None:
    await opened(world, number=2, secret="end")
    await hand_in(world, "dok", "one", number=1)
    await hand_in(world, "dok", "two", number=2)
    await world.start()
    secret = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    await world.play_out()
    open_ = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    for number, made in enumerate((secret, open_)):
        copy = await world.db.write(
            set_up.create, Order(actor=ADMIN, now=world.now), name=f"Copy {number}", channel_id=950 + number
        )
        data = made.text.encode()
        await steps.import_file(world.db, Order(actor=ADMIN, now=world.now, league_id=copy.id), data=data)
        again = await world.db.read(exporting.export, Order(actor=ADMIN, now=world.now, league_id=copy.id))
        assert reading.read(again.text.encode()).lists == reading.read(data).lists
    assert [one.text for one in reading.read(open_.text.encode()).lists] == ["one", "two"]
    assert [one.text for one in reading.read(secret.text.encode()).lists] == [None, None]


async def substitute(world: World, seat: str, name: str, number: int) -> None:
    """Let another person sit in a player's seat from a round on."""
    actor = world.player(name)
    with change_by_hand(world.db) as conn:
        row = players.add(conn, league_id=world.league_id, discord_id=actor.user_id, name=name, name_key=name)
        season = seasons.newest(conn, world.league_id)
        assert season is not None
        entrant = entrants.by_name(conn, season.id, seat)
        assert entrant is not None
        substitutions.sit_down(conn, entrant_id=entrant.id, player_id=row.id, name=name, round=number)


async def seen(world: World, viewer: str, player: str) -> list[str | None]:
    """Return the texts of a player's lists as another person sees them, None for each they can't read."""
    try:
        who: Any = {"actor": world.player(viewer), "league_id": world.league_id, "player": player}
        return [one.row.text for one in await see(visibility.of_player, db=world.db, **who)]
    except NotFound:
        return []


async def test_lists_of_a_round_are_the_persons_who_sits_in_the_seat_then(world: World) -> None:
    await opened(world, per="round", due_hours=24, secret="match")
    await world.start()
    await hand_in(world, "dok", "dok's first", round=1)
    await substitute(world, "dok", "Hana", 2)
    with pytest.raises(NotAllowed, match="You take dok's place from the next round on"):
        await hand_in(world, "Hana", "not yet", round=1)
    await steps.tick(world.db, world.later(hours=25))
    first = await world.match_of("dok")
    assert first is not None
    opponent = next(side.name for side in first.sides if side.name != "dok")
    assert await seen(world, opponent, "dok") == ["dok's first"]
    assert await seen(world, "dok", "dok") == ["dok's first"]
    assert await seen(world, "Hana", "dok") == [None]
    await world.play_round()
    with pytest.raises(NotAllowed, match="Hana plays in your place"):
        await hand_in(world, "dok", "not any more", round=2)
    assert (await hand_in(world, "Hana", "Hana's first")).scope.round == 2
    assert await seen(world, "Hana", "dok") == [None, "Hana's first"]
    await steps.tick(world.db, world.later(hours=25))
    second = await world.match_of("dok")
    assert second is not None
    other = next(side.name for side in second.sides if side.name != "dok")
    assert await seen(world, other, "dok") == [None, "Hana's first"]
    assert await seen(world, "dok", "dok") == ["dok's first", None]


async def test_the_list_of_a_seat_stays_when_the_substitute_who_wrote_it_is_forgotten(world: World) -> None:
    await opened(world, per="round", due_hours=24, secret="match")
    await world.start()
    await hand_in(world, "dok", "dok's first", round=1)
    await substitute(world, "dok", "Hana", 2)
    await world.play_round()
    await hand_in(world, "Hana", "3x Marro")
    await steps.tick(world.db, world.later(hours=25))
    match = await world.match_of("dok")
    assert match is not None
    other = next(side.name for side in match.sides if side.name != "dok")
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(forgetting.forget, **who, player="Hana")
    assert await seen(world, other, "dok") == [None, "3x Marro"]
    with look_into(world.db) as conn:
        writers = [row[0] for row in conn.execute_fetchall("SELECT player_id FROM lists WHERE text = '3x Marro'")]
    assert writers == [None]
    await do(forgetting.forget, **who, player="dok")
    with look_into(world.db) as conn:
        texts = [row[0] for row in conn.execute_fetchall("SELECT text FROM lists")]
    assert "dok's first" not in texts


async def test_a_substitute_of_the_next_round_hands_in_its_list_before_it_is_posted(world: World) -> None:
    await opened(world, per="round")
    await hand_in(world, "dok", "dok's first")
    await world.start()
    await substitute(world, "dok", "Hana", 2)
    with pytest.raises(NotFound, match="for that round now"):
        await hand_in(world, "dok", "not any more", round=2)
    assert (await hand_in(world, "Hana", "Hana's first")).scope.round == 2
    await world.play_round()
    assert await seen(world, "Xorlof", "dok") == ["dok's first", "Hana's first"]


async def sealed_names(world: World) -> list[str]:
    """Return whose sealed lists the posts that stand show."""
    posts = [post for post in await world.posts("seals") if not post.removed]
    return [name for post in posts for name, _ in (await world.shown(post)).sealed]


async def test_a_substitute_plays_with_no_list_that_the_one_before_handed_in_for_the_next_round(world: World) -> None:
    await opened(world, per="round")
    await world.start()
    await hand_in(world, "dok", "dok's", round=2)
    await hand_in(world, "Xorlof", round=2)
    await test_seats.substitute(world, "dok", "Hana")
    assert await seen(world, "Hana", "dok") == []
    await world.announce()
    await world.play_round()
    assert await sealed_names(world) == ["Xorlof"]
    assert "Hana" in (await missing_people(world))[-1]
    assert (await hand_in(world, "Hana", "Hana's", round=2)).row.late
    assert await seen(world, "Xorlof", "dok") == ["Hana's"]


@pytest.mark.parametrize("due_hours", [0, 24])
async def test_a_substitute_plays_a_round_that_was_undone_with_their_own_list(world: World, due_hours: int) -> None:
    await opened(world, per="round", due_hours=due_hours)
    for name in NAMES[:4]:
        await hand_in(world, name)
    await world.start()
    await world.announce()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.undo, **who)
    await test_seats.substitute(world, "dok", "Hana")
    await do(rounds_by_hand.post, **who)
    await steps.tick(world.db, world.later(hours=due_hours))
    assert (await missing_people(world))[-1] == {"Hana"}
    assert await sealed_names(world) == list(NAMES[1:4])
    assert (await hand_in(world, "Hana", "Hana's")).row.late
    assert [row["text"] for row in await all_lists(world) if row["name"] == "dok"] == ["Hana's"]


async def test_the_post_of_sealed_lists_names_those_no_more_that_a_substitute_made_void(world: World) -> None:
    await opened(world, per="round", due_hours=24)
    await world.start()
    await world.play_round()
    await hand_in(world, "dok")
    await hand_in(world, "Xorlof")
    await steps.tick(world.db, world.later(hours=24))
    await world.announce()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.undo, **who)
    await test_seats.substitute(world, "dok", "Hana")
    await do(rounds_by_hand.post, **who)
    (post,) = await world.posts("seals")
    assert post.wanted > post.shown
    assert await sealed_names(world) == ["Xorlof"]


async def put_back(world: World) -> None:
    await test_seats.substitute(world, "dok", "dok")


async def forgotten(world: World) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(forgetting.forget, db=world.db, **who, player="Hana")


async def left_and_reinstated(world: World) -> None:
    await world.drop("dok")
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rejoining.reinstate, db=world.db, **who, player="dok", reason="a mistake")


@pytest.mark.parametrize("back", [put_back, forgotten, left_and_reinstated])
async def test_who_plays_on_in_their_seat_gets_no_list_of_the_substitute(
    world: World, back: Callable[[World], Awaitable[None]]
) -> None:
    await opened(world, per="round")
    await hand_in(world, "dok", "dok's first")
    await world.start()
    await test_seats.substitute(world, "dok", "Hana")
    await hand_in(world, "Hana", "Hana's", round=2)
    await back(world)
    assert [row["text"] for row in await all_lists(world)] == ["dok's first"]
    assert (await hand_in(world, "dok", "dok's second", round=2)).scope.round == 2


@pytest.mark.parametrize("back", [put_back, forgotten, left_and_reinstated])
async def test_a_list_counts_again_once_who_handed_it_in_plays_the_round_after_all(
    world: World, back: Callable[[World], Awaitable[None]]
) -> None:
    await opened(world, per="round")
    for name in NAMES[:4]:
        await hand_in(world, name)
    await world.start()
    await hand_in(world, "dok", "dok's second", round=2)
    await test_seats.substitute(world, "dok", "Hana")
    assert await seen(world, "dok", "dok") == ["dok's list"]
    await back(world)
    assert await seen(world, "dok", "dok") == ["dok's list", "dok's second"]
    await world.announce()
    await world.play_round()
    assert await sealed_names(world) == ["dok"]


async def test_a_sealed_list_of_a_round_that_was_undone_counts_again_once_its_player_is_back(world: World) -> None:
    await opened(world, per="round")
    await hand_in(world, "dok")
    await hand_in(world, "Xorlof")
    await world.start()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.undo, **who)
    await test_seats.substitute(world, "dok", "Hana")
    assert await sealed_names(world) == ["Xorlof"]
    await put_back(world)
    assert await sealed_names(world) == ["dok", "Xorlof"]
    await test_seats.substitute(world, "dok", "Hana")
    assert (await hand_in(world, "Hana", "Hana's")).row.late
    await do(rounds_by_hand.post, **who)
    assert [row["text"] for row in await all_lists(world)] == ["Xorlof's list", "Hana's"]


async def test_whose_list_counts_is_said_before_someone_takes_a_place_over_and_they_are_asked_for_theirs(
    world: World,
) -> None:
    await opened(world, per="round")
    await world.start()
    await hand_in(world, "dok", round=2)
    with pytest.raises(ConfirmationNeeded) as asked:
        await test_seats.substitute(world, "dok", "Hana", agreed="")
    said = "dok's list for the next round doesn't count then: Hana plays with a list of their own."
    assert str(asked.value).endswith(said)
    await test_seats.substitute(world, "dok", "Hana")
    assert (await world.notices())[-1].endswith("Hana, hand in your list for the next round with /list.")
    with pytest.raises(ConfirmationNeeded) as asked:
        await test_seats.substitute(world, "dok", "dok", agreed="")
    assert "list" not in str(asked.value)
    await hand_in(world, "Hana", round=2)
    with pytest.raises(ConfirmationNeeded, match="Hana's list for the next round doesn't count then: dok plays with"):
        await test_seats.substitute(world, "dok", "dok", agreed="")


@pytest.mark.parametrize("into", ["dok", "Hana"])
@pytest.mark.parametrize("taken_back", [True, False])
async def test_lists_of_a_place_taken_over_are_whose_they_were_after_a_merge_and_once_it_is_taken_back(
    world: World, into: str, taken_back: bool
) -> None:
    await brought(world, "season,player,opponent,winner\nOld,Zed,Yan,Zed\n")
    await opened(world, per="round")
    await world.start()
    await hand_in(world, "dok", "dok's", round=2)
    await test_seats.substitute(world, "dok", "Hana")
    merged = await test_merging.merge(world, "Zed", into)
    assert await seen(world, "dok", "dok") == []
    assert (await hand_in(world, "Hana", "Hana's", number=None, round=2)).row.text == "Hana's"
    if taken_back:
        await test_merging.back(world, merged)
    assert await seen(world, "Hana", "dok") == ["Hana's"]
    await put_back(world)
    assert await seen(world, "dok", "dok") == []
    await hand_in(world, "dok", "dok's again", round=2)
    await world.play_round()
    assert await seen(world, "Xorlof", "dok") == ["dok's again"]


async def test_a_substitute_who_is_sent_back_takes_no_list_along_into_a_merge(world: World) -> None:
    """Theirs would have been the player's, and gone again once the merge was taken back."""
    await opened(world, per="round")
    await world.start()
    await test_seats.substitute(world, "dok", "Hana")
    await hand_in(world, "Hana", "Hana's", round=2)
    await put_back(world)
    merged = await test_merging.merge(world, "Hana", "dok")
    assert await seen(world, "dok", "dok") == []
    await hand_in(world, "dok", "dok's", round=2)
    await test_merging.back(world, merged)
    assert await seen(world, "dok", "dok") == ["dok's"]


async def test_the_list_of_the_season_goes_with_the_seat(world: World) -> None:
    await opened(world, due_hours=24, secret="end")
    await hand_in(world, "dok", "dok's")
    await world.start()
    await substitute(world, "dok", "Hana", 1)
    assert await seen(world, "Hana", "dok") == ["dok's"]
    assert await seen(world, "dok", "dok") == []
    assert (await hand_in(world, "Hana", "Hana's")).replaced
    with pytest.raises(NotAllowed, match="Hana plays in your place"):
        await hand_in(world, "dok")


async def test_a_deck_typed_with_a_sign_up_is_list_1_and_can_change_until_its_due(world: World) -> None:
    await world.create(lists={"number": 2})
    assert (await enter(world, "dok")).kept == {}
    await enter(world, "dok", deck="Dragons")
    changed = await enter(world, "dok", deck="Elves")
    kept: Any = changed.kept["deck"]
    assert (kept.text, kept.late) == ("Elves", False)
    with look_into(world.db) as conn:
        assert list(map(tuple, conn.execute_fetchall("SELECT number, text FROM lists"))) == [(1, "Elves")]
    assert not changed.already
    await world.sign_up("Xorlof")
    await world.start()
    with pytest.raises(Conflict, match="is sealed and can't change"):
        await enter(world, "dok", deck="Dwarves")


async def test_a_season_without_lists_keeps_no_deck(world: World) -> None:
    await world.create()
    assert (await enter(world, "dok", deck="Dragons")).kept == {}
    with look_into(world.db) as conn:
        assert not list(conn.execute_fetchall("SELECT * FROM lists"))


async def test_the_list_of_a_player_who_comes_back_is_sealed_where_the_others_are(world: World) -> None:
    await opened(world, 6, due_hours=24, secret="match")
    for name in NAMES[:6]:
        await hand_in(world, name)
    await world.start()
    await world.drop("dok")
    await steps.tick(world.db, world.later(hours=25))
    await world.announce()
    organiser: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rejoining.reinstate, **organiser, player="dok", reason="a mistake")
    assert {row["sealed"] for row in await all_lists(world)} == {1}
    assert [post.kind for post in await world.posts("seals")] == ["seals"], "the message that is there is edited"
    with pytest.raises(Conflict, match="sealed and can't change"):
        await hand_in(world, "dok", "another")


@pytest.mark.long
async def test_a_list_for_a_final_that_is_played_again_stays_secret_until_the_season_is_over(world: World) -> None:
    rules = {"number": 1, "per": "round", "due_hours": 0, "secret": "end"}
    await world.create("single-elimination", lists=rules)
    await world.sign_up(*NAMES[:4])
    await world.start()
    await world.play_round()
    await world.play_round()
    await world.announce()
    first = (await world.status()).champion
    semis = await current(world, 1)
    wrong = next(match for match in semis.matches if first not in (match.upper.name, match.lower.name))
    await correct(world, wrong)
    assert wrong.loser is not None
    assert first is not None
    new = wrong.loser.name
    assert new in (await missing_people(world))[0]
    await hand_in(world, new, "a secret deck")
    assert await seen(world, first, new) == [None]
    await world.play_round()
    assert await seen(world, first, new) == ["a secret deck"]


@pytest.mark.long
async def test_no_list_is_missing_of_who_sits_the_round_out(world: World) -> None:
    await world.create("ohs", rounds=4, cut=0, lists={"number": 1, "per": "round", "due_hours": 0, "secret": "due"})
    await world.sign_up(*NAMES[:8])
    await world.start()
    await sit_out(world, "dok", 2)
    for name in NAMES[:8]:
        await hand_in(world, name)  # for round 1, late
        if name != "dok":
            await hand_in(world, name)
    deadline = (await world.match_of("dok")).deadline
    assert deadline is not None
    world.now = deadline - timedelta(hours=20)
    await steps.tick(world.db, world.now)
    assert not any("dok" in people for people in await missing_people(world))
