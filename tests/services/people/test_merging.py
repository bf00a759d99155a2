"""Two league names that turn out to be one person: what moves, what is refused, and taking it back."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.counting.ratings import RatedSeason, after_each, shown_rating
from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound
from bot.league.season.scales import RatingScale
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.leagues import exporting
from bot.services.people import forgetting, keeping_apart, merging, renaming
from bot.services.people.merging import Merged
from bot.services.signups import dropping, signing_up
from bot.worker import Worker, WorkerFailed
from storage import rated_seasons, rules_season
from storage.query import records
from storage.rows import PlayerId
from tests.examples import mostly_long
from tests.files import change_by_hand, do, look_into, see
from tests.services.conftest import ADMIN, MODERATOR, NAMES, ORGANISER, World
from tests.services.leagues.test_set_up import record_file, take
from tests.services.leagues.test_whole_league import a_league, bring, out

A, B, C, D = NAMES[:4]


def there(world: World, **more: Any) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id, **more}


async def merge(world: World, player: str, into: str, **more: Any) -> Merged:
    return await do(merging.merge, **there(world), player=player, into=into, reason="one person", **more)


async def back(world: World, done: Merged) -> Merged:
    return await do(merging.take_back, **there(world), merge=done.id)


async def keep_apart(world: World, first: str, second: str) -> None:
    await do(keeping_apart.keep_apart, **there(world), first=first, second=second, reason="they asked")


def dump(world: World) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row but those of the audit, and of how many ids were used."""
    with look_into(world.db) as conn:
        names = records(conn, "SELECT name FROM sqlite_schema WHERE type = 'table'")
        beside = {"audit", "sqlite_sequence"}
        kept = [name for (name,) in names if name not in beside]
        return {name: sorted(records(conn, f"SELECT * FROM {name}"), key=repr) for name in kept}


def column(world: World, sql: str) -> list[Any]:
    with look_into(world.db) as conn:
        return [value for (value,) in records(conn, sql)]


async def seasons(world: World, *fields: Sequence[str]) -> None:
    """Play a season of each field to its end."""
    for names in fields:
        await world.opened(format="ohs", settings={"rounds": 2, "cut": 0})
        await world.sign_up(*names)
        await world.start()
        await world.play_out()


async def exported(world: World, number: int) -> str:
    return (await see(exporting.export, **there(world), season_number=number)).text


def rated(world: World) -> tuple[RatedSeason[PlayerId], ...]:
    with look_into(world.db) as conn:
        return rated_seasons.of_league(conn, world.league_id)


FIELDS = ([A, C, D, NAMES[4]], [B, C, D, NAMES[4]], [B, C, D, NAMES[4]])


class Stuck(Worker):
    """One that never answers in time."""

    async def run(self, function: Any, *given: Any, seconds: float) -> Any:
        raise WorkerFailed(f"no answer within {seconds} seconds")


@pytest.mark.long
async def test_it_asks_first_with_what_changes_and_nothing_has(world: World) -> None:
    await seasons(world, *FIELDS)
    before, order = dump(world), Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    given = {"player": A, "into": B, "reason": "one person"}
    worker, stuck = Worker(), Stuck()
    with pytest.raises(ConfirmationNeeded) as asked:
        await steps.merge(world.db, order, worker, **given, agreed="")
    with pytest.raises(ConfirmationNeeded) as without:
        await steps.merge(world.db, order, stuck, **given, agreed="")
    for said in (f"{A} stays as a former name", "1 season (1), 2 rated", f"{B} keeps their Discord account"):
        assert said in str(asked.value)
        assert said in str(without.value)
    assert str(asked.value) == f"{without.value} {shown_before_and_after(world, A, B)}"
    assert dump(world) == before
    await steps.merge(world.db, order, worker, **given, agreed=asked.value.token)
    await worker.close()
    await stuck.close()
    assert str(asked.value).endswith(f", {as_shown(world, B)} after.")


async def test_the_rating_that_is_said_first_is_the_one_after_in_the_copy_of_a_league_too(world: World) -> None:
    await seasons(world, *FIELDS)
    copy = await a_league(world)
    await bring(world, {name: text.encode() for name, text in await out(world)}, copy)
    world.league = replace(world.league, id=copy)
    order = Order(actor=ADMIN, now=world.now, league_id=copy)
    said = await world.db.read(lambda conn: merging.rated(conn, order, player=A, into=B))
    await world.db.write(merging.merge, order, player=A, into=B, reason="one person")
    assert merging.rating_in_words(said).endswith(f" before, {as_shown(world, B)} after.")


def as_shown(world: World, name: str) -> str:
    [player] = column(world, f"SELECT id FROM players WHERE name = '{name}' AND league_id = {world.league_id}")
    shown = shown_rating(after_each(rated(world))[-1].ratings[player], RatingScale(), 0)
    return f"{shown.value} ± {shown.uncertainty}"


def shown_before_and_after(world: World, gone: str, stays: str) -> str:
    with look_into(world.db) as conn:
        order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
        return merging.rating_in_words(merging.rated(conn, order, player=gone, into=stays))


@pytest.mark.long
async def test_all_that_one_name_did_is_the_others_and_comes_back_in_one_step(world: World) -> None:
    await seasons(world, *FIELDS)
    await keep_apart(world, A, C)
    before = dump(world)
    done = await merge(world, A, B)
    assert column(world, f"SELECT name FROM players WHERE name IN ('{A}', '{B}')") == [B]
    assert column(
        world, f"SELECT p.name FROM entrants e JOIN players p ON p.id = e.player_id WHERE e.name = '{A}'"
    ) == [B]
    with pytest.raises(Invalid, match=f"are {B} already"):
        await merge(world, A, B)
    assert [(row.first, row.second) for row in await see(keeping_apart.listed, **there(world))] == [(B, C)]
    await back(world, done)
    assert dump(world) == before
    with pytest.raises(NotFound, match="taken back already"):
        await back(world, done)
    actions = [row.action for row in await world.audit() if row.action in ("player.merge", "player.unmerge")]
    assert sorted(actions) == ["player.merge", "player.unmerge"]


@pytest.mark.long
async def test_ratings_are_those_of_one_person_from_the_first_season_on(world: World) -> None:
    await seasons(world, *FIELDS)

    ids = dict(zip(column(world, "SELECT name FROM players"), column(world, "SELECT id FROM players"), strict=True))
    one = {ids[A]: ids[B]}

    def of_one(player: PlayerId) -> PlayerId:
        return one.get(player, player)

    expected = [
        replace(
            season,
            start={of_one(player): noted if season.number == 1 else None for player, noted in season.start.items()},
            matches=tuple(
                (of_one(upper), of_one(lower), winner and of_one(winner)) for upper, lower, winner in matches
            ),
        )
        for season in rated(world)
        for matches in (season.matches,)
    ]
    noted = after_each(rated(world))[-1].ratings
    await merge(world, A, B)
    as_one = after_each(rated(world))[-1].ratings
    assert as_one == after_each(expected)[-1].ratings
    assert as_one[ids[C]] != noted[ids[C]]  # who played them is rated again, too


@pytest.mark.long
async def test_files_of_all_seasons_verify_as_before(world: World) -> None:
    await seasons(world, *FIELDS)
    await keep_apart(world, B, D)
    await seasons(world, [B, C, D, NAMES[4]], [NAMES[5], C, D, NAMES[4]])
    await keep_apart(world, NAMES[5], NAMES[4])
    before = [await exported(world, number) for number in range(1, 6)]
    for gone in (A, NAMES[5]):
        await merge(world, gone, B)
    assert [await exported(world, number) for number in range(1, 6)] == before
    assert all(verify(read(text.encode())).agrees for text in before)


@pytest.mark.long
async def test_a_season_that_runs_goes_on_with_what_was_known_at_its_start(world: World) -> None:
    await seasons(world, [A, C, D, NAMES[4]])
    await world.opened(format="ohs", settings={"rounds": 3, "cut": 0})
    await world.sign_up(B, C, D, NAMES[4])
    await world.start()
    with look_into(world.db) as conn:
        before = rules_season.load(conn, (await world.status()).season.id)
    with pytest.raises(ConfirmationNeeded, match="Season 2 goes on with what was known at its start"):
        await merge(world, A, B, agreed="")
    assert (await merge(world, A, B)).live == 2
    with look_into(world.db) as conn:
        after = rules_season.load(conn, (await world.status()).season.id)
    assert (after.past, after.entrants, after.apart) == (before.past, before.entrants, before.apart)
    await world.play_out()
    await world.opened(format="ohs", settings={"rounds": 1, "cut": 0})
    await world.sign_up(B, C)
    with look_into(world.db) as conn:
        third = rules_season.load(conn, (await world.status()).season.id)
    earlier = {season.number: {frozenset(match.players) for match in season.matches} for season in third.past}
    met = {frozenset(B if name == A else name for name in pair) for pair in _pairs(world, 1)}
    assert frozenset((B, C)) in earlier[2] | met
    assert (frozenset((B, C)) in met) == (frozenset((B, C)) in earlier.get(1, set()))


def _pairs(world: World, *numbers: int) -> list[tuple[str, str]]:
    """Return who met in the rated matches of these seasons, or of all."""
    names = dict(zip(column(world, "SELECT id FROM players"), column(world, "SELECT name FROM players"), strict=True))
    matches = (match for one in rated(world) if not numbers or one.number in numbers for match in one.matches)
    return [(names[upper], names[lower]) for upper, lower, _ in matches]


async def test_who_met_others_in_a_season_known_from_a_file_alone_can_be_merged(world: World) -> None:
    past = [{"season": 5, "matches": [[A, B]]}]
    await take(world, record_file(6, names=(A, B), past_seasons=past))
    await take(world, record_file(7, names=(C, D)))
    with pytest.raises(Conflict, match=f"{B} and {A} played each other in season 5"):
        await merge(world, B, A)
    await merge(world, A, C)
    await merge(world, B, D)


@pytest.mark.long
async def test_two_people_are_never_made_one(world: World) -> None:
    await seasons(world, [A, B])
    with pytest.raises(Conflict, match=f"{A} and {B} played each other in season 1, round 1, so they are two people"):
        await merge(world, A, B)
    await seasons(world, NAMES[2:10])
    pair = next(iter({*NAMES[2:10]} - {NAMES[2]} - _opponents(world, NAMES[2])))
    with pytest.raises(Conflict, match="were both in season 2"):
        await merge(world, NAMES[2], pair)
    await seasons(world, NAMES[2:10])
    pair = next(iter({*NAMES[2:10]} - {NAMES[2]} - _opponents(world, NAMES[2])))
    with pytest.raises(Conflict, match="were both in seasons 2, 3, so"):
        await merge(world, NAMES[2], pair)
    with pytest.raises(NotFound, match="No one in"):
        await merge(world, A, "Nobody")
    with pytest.raises(Invalid, match="Choose two players"):
        await merge(world, A, A)
    moderator: dict[str, Any] = {**there(world), "actor": MODERATOR}
    with pytest.raises(NotAllowed):
        await do(merging.merge, **moderator, player=A, into=NAMES[2], reason="x")


def _opponents(world: World, name: str) -> set[str]:
    return {side for pair in _pairs(world) if name in pair for side in pair}


async def test_who_plays_now_stays_and_those_kept_apart_are_told_what_to_do(world: World) -> None:
    await seasons(world, [A, C])
    await world.opened(format="ohs")
    await world.sign_up(B, D)
    with pytest.raises(Conflict, match=f"{B} is in season 2, which isn't over. Merge {A} into {B} instead"):
        await merge(world, B, A)
    await keep_apart(world, A, B)
    with pytest.raises(Conflict, match="End that under /league settings first"):
        await merge(world, A, B)


@pytest.mark.long
@pytest.mark.parametrize("what", ["renamed", "joined", "started", "merged", "apart", "account"])
async def test_what_something_was_built_on_stays(world: World, what: str) -> None:
    await seasons(world, [A, C], [B, C], [NAMES[4], C])
    done = await merge(world, A, B)
    match what:
        case "renamed":
            await do(renaming.rename, **there(world), player=B, new_name="Someone", reason="asked")
        case "joined":
            await world.opened(format="ohs")
            await world.sign_up(B)
        case "started":
            await seasons(world, [C, D])
        case "merged":
            await merge(world, NAMES[4], B)
        case "apart":
            await keep_apart(world, B, C)
        case _:
            with closing(sqlite3.connect(world.db.path)) as file, file:
                file.execute(f"UPDATE players SET discord_id = 77 WHERE name = '{B}'")
    with pytest.raises(Conflict, match="can't be taken back any more, because"):
        await back(world, done)


@pytest.mark.long
async def test_merges_of_merges_come_back_one_after_another(world: World) -> None:
    await seasons(world, [A, C], [B, C], [D, C])
    states, done = [dump(world)], [await merge(world, A, B)]
    states.append(dump(world))
    done.append(await merge(world, B, D))
    with pytest.raises(Conflict):
        await back(world, done[0])
    for made, before in zip(reversed(done), reversed(states), strict=True):
        await back(world, made)
        assert dump(world) == before


@pytest.mark.long
async def test_the_account_that_played_as_the_one_who_went_may_play_as_someone_else(world: World) -> None:
    await seasons(world, [A, C], [B, C])
    done = await merge(world, A, B)
    world.players["Another"] = world.player(A)
    await world.opened(format="ohs")
    await world.sign_up("Another")
    with pytest.raises(Conflict, match=f"the account of {A} plays as Another now"):
        await back(world, done)


@pytest.mark.long
async def test_an_account_goes_to_who_had_none_and_comes_back(world: World) -> None:
    """A name of an imported season and the account that plays today: the usual reason to merge."""
    await seasons(world, [A, C], [B, C])
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = ?", (B,))
    before, account = dump(world), world.player(A).user_id
    done = await merge(world, A, B)
    assert column(world, f"SELECT discord_id FROM players WHERE name = '{B}'") == [account]
    await back(world, done)
    assert dump(world) == before


@pytest.mark.long
async def test_two_names_that_were_kept_apart_once_are_kept_from_nobody_as_one(world: World) -> None:
    await seasons(world, [A, C], [B, C])
    await keep_apart(world, A, B)
    await seasons(world, [C, D])
    await do(keeping_apart.let_together, **there(world), first=A, second=B, reason="over")
    before = dump(world)
    assert column(world, "SELECT count(*) FROM apart") == [1]
    done = await merge(world, A, B)
    assert column(world, "SELECT count(*) FROM apart") == [0]
    await back(world, done)
    assert dump(world) == before


@pytest.mark.long
async def test_forgetting_leaves_nothing_of_either_name(world: World) -> None:
    await seasons(world, [A, C], [B, C])
    account = world.player(A).user_id
    done = await merge(world, A, B)
    await do(forgetting.forget, **there(world), player=B)
    after = repr(dump(world))
    assert all(word not in after for word in (f"'{A}'", f'"{A}"', f"'{B}'", str(account)))
    with pytest.raises(Conflict, match="can't be taken back"):
        await back(world, done)


def test_everything_that_holds_a_person_moves(world: World) -> None:
    """A new table about people has to say what becomes of it when two of them are one."""
    moved = {"players", "player_names", "links", "entrants", "substitutes", "past_meetings", "met_before", "merges"}
    moved |= {
        "lists",
        "sat_out",
        "notify",
        "memberships",
        "waitlist",
        "join_requests",
        "claims",
        "signup_answers",
        "bans",
        "aliases",
        "imported_players",
        "imported_accounts",
        "apart",
        "calendar_entries",
    }
    with look_into(world.db) as conn:
        names = [name for (name,) in records(conn, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
        about = {
            name for name in names for key in records(conn, f"PRAGMA foreign_key_list({name})") if key[2] == "players"
        }
    assert about <= moved


@pytest.mark.long
@pytest.mark.parametrize("seed", mostly_long(range(6), quick=2))
async def test_random_leagues_are_as_before_once_all_is_taken_back(world: World, seed: int) -> None:
    dice = Random(seed)
    for _ in range(3):
        await seasons(world, dice.sample(NAMES[:10], 4))
        people = column(world, "SELECT name FROM players ORDER BY name")
        first, second = dice.sample(people, 2)
        await do(keeping_apart.keep_apart, **there(world), first=first, second=second, reason="x")
    files_before = [await exported(world, number) for number in (1, 2, 3)]
    states, done = list[Any](), list[Merged]()
    for _ in range(30):
        people, before = column(world, "SELECT name FROM players ORDER BY name"), dump(world)
        first, second = dice.sample(people, 2)
        said = shown_before_and_after(world, first, second)
        try:
            done.append(await merge(world, first, second))
            states.append(before)
            assert said.endswith(f", {as_shown(world, second)} after.") or said.endswith(", none yet after.")
        except Conflict:
            assert dump(world) == before
    assert [await exported(world, number) for number in (1, 2, 3)] == files_before
    assert done
    for made, before in zip(reversed(done), reversed(states), strict=True):
        await back(world, made)
        assert dump(world) == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("settings", "there", "wants", "said"),
    [
        ({"approval": True}, [B, C], [A], f"{A} asks to join and {B} plays"),
        ({"max_players": 2}, [B, C], [A], f"{A} waits for a place and {B} plays"),
        ({"max_players": 2}, [C, D], [A, B], f"{A} waits for a place and {B} waits for a place"),
    ],
)
async def test_two_who_want_or_have_a_place_in_one_season_stay_two_until_one_leaves_it(
    world: World, settings: dict[str, Any], there: list[str], wants: list[str], said: str
) -> None:
    await seasons(world, [A, C, D], [B, C, D])
    await world.opened(format="ohs", settings={"rounds": 2, "cut": 0, **settings})
    for name in there:
        who: Any = {"discord_id": world.player(name).user_id, "display_name": name, "is_bot": False}
        await do(signing_up.add, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, **who)
    await world.sign_up(*wants)
    before = dump(world)
    with pytest.raises(Conflict, match=f"In season 3 {said}, but one person has one place"):
        await merge(world, A, B)
    assert dump(world) == before
    await do(dropping.drop, db=world.db, actor=world.player(A), now=world.now, league_id=world.league_id, agreed=None)
    await merge(world, A, B)


@pytest.mark.long
@pytest.mark.parametrize("into", [False, True])
async def test_who_was_forgotten_is_merged_with_nobody(world: World, into: bool) -> None:
    await world.begin(4)
    await world.play_out()
    forgotten = await do(forgetting.forget, **there(world), player=A)
    await world.create()
    await world.sign_up("Newcomer")
    one, other = (("Newcomer", forgotten), (forgotten, "Newcomer"))[into]
    before = dump(world)
    with pytest.raises(Conflict, match="was forgotten"):
        await merge(world, one, other)
    assert dump(world) == before
