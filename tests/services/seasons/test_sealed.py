"""The sealed salt: its commitment is shown when sign-ups open, its secret when round 1 is first paired."""

import hashlib
import json
import random
from typing import Any

import pytest

from bot import steps
from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.counting.draw import Purpose, draw_of, salt_of
from bot.league.formats import by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Entrant, Name, SealedSalt, Season
from bot.league.season.phases import SeasonPhase
from bot.league.season.settings import with_salt
from bot.services.base.order import Order
from bot.services.base.outbox import BOARD, ROUND, SIGNUP
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import removing, renaming
from bot.services.reads import overview
from bot.services.seasons import lifecycle, planning
from cogs.reads.board import board, signup
from cogs.reads.rules import chapters
from storage.tables import leagues
from tests.files import change_by_hand, do, look_into
from tests.league.builders import season as by_rules
from tests.services.conftest import ADMIN, NAMES, ORGANISER, World
from tests.services.people.test_forgetting import forget
from tests.services.people.test_merging import merge


def asked(world: World) -> dict[str, Any]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def exported(world: World, league_id: Any = None) -> Season:
    order = Order(actor=BOT, now=world.now, league_id=league_id or world.league_id)
    return read((await world.db.read(exporting.export, order)).text.encode())


def kept(world: World) -> tuple[str, str | None]:
    with look_into(world.db) as conn:
        ((commitment, secret),) = conn.execute_fetchall("SELECT commitment, secret FROM sealed_salts")
    return commitment, secret


async def shown(world: World, kind: str) -> str:
    facts: Any = await world.shown((await world.posts(kind))[0])
    return "\n".join(str(part) for part in board(facts).parts)


async def test_the_commitment_is_shown_at_once_and_the_secret_with_round_1(world: World) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    commitment, secret = kept(world)
    assert secret is not None
    assert hashlib.sha256(secret.encode()).hexdigest() == commitment
    await world.sign_up(*NAMES[:8])
    assert f"the draw is sealed until round 1: `{commitment}`" in await shown(world, BOARD)
    assert secret not in await shown(world, BOARD)
    assert "Protected draw: yes, sealed until round 1" in await shown(world, BOARD)
    early = await exported(world)
    assert (early.sealed, early.settings.salt, early.drawn_names) == (SealedSalt(commitment=commitment), None, None)
    begun = await world.start()
    assert begun.season.salt == salt_of(map(Name, NAMES[:8]), secret)
    assert secret not in await shown(world, BOARD)
    assert f"- Its secret: `{secret}`" in chapters(await world.status())["Random order"]
    assert "Protected draw: yes, sealed until round 1" in (await world.status()).in_short
    facts: Any = await world.shown((await world.posts(ROUND))[0])
    assert (facts.salt, facts.sealed) == (begun.season.salt, SealedSalt(commitment=commitment, secret=secret))
    season = await exported(world)
    assert season.sealed == SealedSalt(commitment=commitment, secret=secret)
    assert season.drawn_names == tuple(sorted(NAMES[:8]))
    assert verify(season).agrees
    assert secret not in str(await world.audit())


async def test_taking_round_1_back_makes_no_other_salt(world: World) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    await world.sign_up(*NAMES[:8])
    salt, before = (await world.start()).season.salt, kept(world)
    await do(rounds_by_hand.undo, db=world.db, **asked(world), reason="too early")
    await world.sign_up("Yara")
    await do(rounds_by_hand.post, db=world.db, **asked(world))
    assert ((await world.status()).season.salt, kept(world)) == (salt, before)
    season = await exported(world)
    assert verify(season).agrees
    assert "Yara" not in (season.drawn_names or ())


@pytest.mark.parametrize("salt", ["sealed", "names"])
async def test_a_season_whose_round_1_was_undone_has_begun_where_it_is_imported(world: World, salt: str) -> None:
    """Its sign-ups were open there, and who withdrew was missing among the names its salt was made of."""
    await world.opened(format="ohs", settings={"salt": "sealed"})
    await world.sign_up(*NAMES[:5])
    await world.start()
    await do(rounds_by_hand.undo, db=world.db, **asked(world), reason="too early")
    text = (await world.db.read(exporting.export, Order(**asked(world)))).text
    if salt == "names":
        named = salt_of(map(Name, NAMES[:5]), None)
        text = json.dumps({**json.loads(text), "sealed": None, "settings": {"salt": named}})
    other = (await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)).id
    there = Order(actor=ADMIN, now=world.now, league_id=other)
    await steps.import_file(world.db, there, data=text.encode())
    assert (await world.db.read(overview.status, there)).season.phase is SeasonPhase.RUNNING
    await world.db.write(removing.remove, there, player=NAMES[0], reason="asked to")
    await world.db.write(rounds_by_hand.post, there)
    season = await exported(world, other)
    assert season.drawn_names is not None
    assert {*season.drawn_names} == {*NAMES[:5]}
    assert len(season.rounds) == 1
    assert verify(season).agrees


async def test_a_season_sealed_during_sign_ups_keeps_its_secret_whatever_is_chosen_between(world: World) -> None:
    await world.opened(format="ohs", settings={})
    change = {**asked(world), "db": world.db}
    await do(planning.change_settings, **change, settings={"salt": "sealed"})
    before = kept(world)
    await do(planning.change_settings, **change, settings={"salt": None})
    assert (await exported(world)).sealed is None
    await do(planning.change_settings, **change, settings={"salt": "sealed"})
    assert kept(world) == before
    assert any("Protected draw: yes, sealed until round 1 (was no)" in text for text in await world.notices())


async def test_a_plan_and_a_copy_say_that_the_draw_is_sealed(world: World) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    await world.sign_up(*NAMES[:4])
    await world.start()
    await do(lifecycle.cancel, db=world.db, **asked(world), reason="storm")
    plan = await do(planning.prepare, db=world.db, **asked(world), format="ohs", copy_from=1)
    assert (plan.value("salt"), plan.changed) == ("sealed", ())
    plan = await do(planning.change_settings, db=world.db, **asked(world), settings={"salt": None})
    assert (plan.value("salt"), plan.changed) == (None, ("salt",))


@pytest.mark.parametrize("started", [False, True])
async def test_an_import_keeps_the_seal_or_makes_one_of_its_own(world: World, started: bool) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    await world.sign_up(*NAMES[:8])
    if started:
        await world.start()
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    text = (await world.db.read(exporting.export, order)).text
    other = (await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)).id
    await steps.import_file(world.db, Order(actor=ADMIN, now=world.now, league_id=other), data=text.encode())
    there, again = read(text.encode()), await exported(world, other)
    if started:
        assert (again.sealed, again.drawn_names, again.settings.salt) == (
            there.sealed,
            there.drawn_names,
            there.settings.salt,
        )
    else:
        assert there.sealed is not None
        assert again.sealed is not None
        assert again.sealed.commitment != there.sealed.commitment
        await do(lifecycle.start, db=world.db, actor=ADMIN, now=world.now, league_id=other)
        assert (await exported(world, other)).sealed == SealedSalt(
            commitment=again.sealed.commitment, secret=(await sealed_of(world, other)).secret
        )
    assert verify(await exported(world, other)).agrees


async def sealed_of(world: World, league_id: Any) -> SealedSalt:
    sealed = (await exported(world, league_id)).sealed
    assert sealed is not None
    assert sealed.secret is not None
    return sealed


@pytest.mark.long
async def test_a_file_has_the_end_and_no_reason_someone_typed(world: World) -> None:
    await world.begin(8, cut=0, rounds=2)
    match = await world.match_of(NAMES[0])
    assert match is not None
    others = [name for name in NAMES[:8] if name not in (match.upper.name, match.lower.name)]
    await do(
        swapping.swap,
        db=world.db,
        **asked(world),
        first=match.upper.name,
        second=others[0],
        reason="they are sisters",
    )
    await world.play_out()
    season = await exported(world)
    assert season.rounds[0].by_hand == "changed by an organiser"
    assert season.final is not None
    assert (season.final.ended, season.final.champion) == ("rules", season.final.standings[0].name)
    assert verify(season).lines()[-1] == "final: as the rules say"


@pytest.mark.long
@pytest.mark.parametrize("how", ["finished", "cancelled"])
async def test_a_season_an_organiser_ended_says_so_and_is_over_where_it_is_imported(world: World, how: str) -> None:
    await world.begin(8)
    await world.play_round()
    if how == "finished":
        await do(rounds_by_hand.undo, db=world.db, **asked(world), reason="enough")
    end = lifecycle.finish if how == "finished" else lifecycle.cancel
    await do(end, db=world.db, **asked(world), reason="enough")
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    text = (await world.db.read(exporting.export, order, season_number=1)).text
    season = read(text.encode())
    assert json.loads(text)["final"]["ended"] == how
    assert json.loads(text)["final"]["champion"] is None
    assert verify(season).agrees
    other = (await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)).id
    order = Order(actor=ADMIN, now=world.now, league_id=other)
    await steps.import_file(world.db, order, data=text.encode())
    assert (await exported(world, other)).final == season.final


def met_first(names: list[Name], secret: str | None, salt: str | None = None) -> dict[Name, Name]:
    """Return who plays whom in round 1 of a season with these players and a salt of their names."""
    plain = by_rules(by_key("ohs"), 2)
    salt = salt or salt_of(names, secret)
    people = tuple(Entrant(name=name) for name in names)
    first = by_key("ohs").next_round(_without_past(plain, people, salt))
    assert isinstance(first, Proposal)
    return {one: other for pair in first.pairs for one, other in (pair.players, pair.players[::-1])}


def _without_past(plain: Season, people: tuple[Entrant, ...], salt: str) -> Season:
    return Season(
        league=plain.league,
        number=plain.number,
        format="ohs",
        settings=with_salt(plain.settings, salt),
        entrants=people,
    )


FIELDS, PLAYERS, TRIES = 300, 16, 200


def fields(secret: bool) -> int:
    """Return in how many fields whoever signs up last meets the opponent they want, trying names until one does.

    They know all the others' names; with a secret they have to guess it, and try with what they guess.
    """
    chance, met = random.Random(11), 0
    for number in range(FIELDS):
        others = [Name(f"player {number}-{one}") for one in range(PLAYERS - 1)]
        wanted = chance.choice(others)
        real = f"{chance.getrandbits(256):064x}" if secret else None
        guessed = f"{chance.getrandbits(256):064x}" if secret else None
        tried = (Name(f"last {one}") for one in range(TRIES))
        name = next((one for one in tried if meets(others, one, wanted, guessed)), Name("last"))
        met += meets(others, name, wanted, real)
    return met


def meets(others: list[Name], name: Name, wanted: Name, secret: str | None) -> bool:
    """Whether the last player would meet the wanted one: neighbours in the order of the draw play each other."""
    names = [*others, name]
    draw = draw_of(_without_past(PLAIN, (), salt_of(names, secret)), 1)
    order = draw.sort(Purpose.ORDER, names)
    place, other = order.index(name), order.index(wanted)
    return place ^ 1 == other


PLAIN = by_rules(by_key("ohs"), 2)


def test_the_short_way_to_an_opponent_is_the_pairing() -> None:
    names = [Name(f"P{one}") for one in range(PLAYERS)]
    pairs = met_first(names, "5ea1" * 16)
    for other in names[:-1]:
        assert meets(names[:-1], names[-1], other, "5ea1" * 16) == (pairs[names[-1]] == other)


@pytest.mark.long
def test_trying_names_finds_an_opponent_with_the_plain_salt_and_not_with_a_sealed_one() -> None:
    """By chance one in 15 meets the one they want: 20 of 300 fields, and 40 or more hardly once in 10,000 tries."""
    assert fields(secret=False) == FIELDS
    assert 5 <= fields(secret=True) < 40


async def test_once_a_player_is_forgotten_the_seal_stays_and_is_compared_no_more(world: World) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    await world.sign_up(*NAMES[:8])
    await world.start()
    sealed = (await exported(world)).sealed
    await do(rounds_by_hand.undo, db=world.db, **asked(world), reason="too early")
    name = await forget(world, NAMES[0])
    await do(rounds_by_hand.post, db=world.db, **asked(world))
    season = await exported(world)
    assert (season.forgotten, season.sealed) == (True, sealed)
    assert name in (season.drawn_names or ())
    found = verify(season)
    assert found.agrees
    assert found.lines()[-1] == "salt and fingerprints: not compared, because a player was forgotten"


async def test_who_withdraws_and_is_forgotten_before_the_draw_takes_nothing_from_it(world: World) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    await world.sign_up(*NAMES[:8])
    await forget(world, NAMES[0])
    await world.start()
    season = await exported(world)
    assert (season.forgotten, season.drawn_names) == (False, tuple(sorted(NAMES[1:8])))
    assert verify(season).agrees


@pytest.mark.long
async def test_a_merge_leaves_the_names_that_were_drawn_with(world: World) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    await world.sign_up(*NAMES[:8])
    await world.start()
    await world.play_out()
    await world.create(rounds=1, cut=0)
    await world.sign_up(*NAMES[:4], "Yara")
    await world.start()
    await world.play_out()
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    before = (await world.db.read(exporting.export, order, season_number=1)).text
    await merge(world, NAMES[7], "Yara")
    season = read((await world.db.read(exporting.export, order, season_number=1)).text.encode())
    assert verify(season).agrees
    assert season.sealed == read(before.encode()).sealed
    assert [*fingerprints(season)] == [*fingerprints(read(before.encode()))]


async def test_who_is_renamed_before_the_start_is_drawn_with_the_new_name(world: World) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    await world.sign_up(*NAMES[:8])
    await do(renaming.rename, db=world.db, **asked(world), player=NAMES[0], new_name="Ottilie", reason=None)
    await world.start()
    season = await exported(world)
    assert season.drawn_names == tuple(sorted(["Ottilie", *NAMES[1:8]]))
    assert verify(season).agrees


async def test_the_secret_of_a_season_that_never_began_is_never_shown(world: World) -> None:
    await world.opened(format="ohs", settings={"salt": "sealed"})
    commitment, secret = kept(world)
    assert secret is not None
    await world.sign_up(*NAMES[:8])
    await world.announce()
    await do(lifecycle.cancel, db=world.db, **asked(world), reason="storm")
    told = await shown(world, BOARD)
    assert commitment in told
    assert secret not in told


async def test_a_league_without_a_board_shows_the_seal_with_its_sign_ups(world: World) -> None:
    with change_by_hand(world.db) as conn:
        leagues.change(conn, world.league_id, board=False)
    await world.opened(format="ohs", settings={"salt": "sealed"})
    facts: Any = await world.shown((await world.posts(SIGNUP))[0])
    assert f"the draw is sealed until round 1: `{kept(world)[0]}`" in str(signup(facts).parts[0])
    assert f"is sealed until round 1: `{kept(world)[0]}`" in str(chapters(await world.status())["Random order"])
