"""A person who is forgotten: asked twice, gone from every table, and everything else still works."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, NotAllowed
from bot.league.formats import by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Season
from bot.league.season.phases import SeasonPhase
from bot.services.base import outbox, post_kinds
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.transaction import LONGEST_REASON
from bot.services.delivery import delivery
from bot.services.leagues import exporting
from bot.services.matches.decision_posts import DecisionFacts
from bot.services.matches.outcome import read_outcome
from bot.services.organising import rounds_by_hand
from bot.services.organising.asked_corrections import CorrectionFacts
from bot.services.organising.daily_reminder import WAITING
from bot.services.people import forgetting, linking, rejoining, removing, renaming
from bot.services.people.linking import LINK, Account
from bot.services.play import decisions, reporting
from bot.services.reads import tables
from bot.services.seats import sitting_out
from bot.services.signups import letting_in, signing_up
from bot.services.signups.approval import JOIN_REQUEST
from bot.services.signups.free_places import PLACE
from storage.posts import PostRow, Target
from storage.query import column, many
from storage.tables.people.players import LinkId
from tests.files import change_by_hand, do, look_into, see
from tests.looked_up import posted_round
from tests.services.base.test_facts import filled
from tests.services.conftest import FOREIGNER, MODERATOR, NAMES, ORGANISER, STRANGER, World, person

KIN = "Kinseth"


async def forget(world: World, name: str = KIN, **more: Any) -> str:
    asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "player": name, **more}
    return await do(forgetting.forget, db=world.db, **asked)


def everything(world: World) -> str:
    """Return every record of the database as text."""
    with closing(sqlite3.connect(world.db.path)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return "\n".join(f"{table} {row}" for table in tables for row in file.execute(f"SELECT * FROM {table}"))


async def played(world: World) -> None:
    """Play a season in which Kinseth says a lot, and open the next."""
    await world.begin(8)
    match = await world.match_of(KIN)
    assert match is not None
    who: Any = {"actor": world.player(KIN), "now": world.now}
    await do(reporting.report, db=world.db, **who, match=match.match.id, result="won")
    other = match.opponent_of(next(side for side in match.sides if side.name == KIN)).name
    said = {"actor": world.player(other), "now": world.now, "match": match.match.id}
    await do(reporting.dispute, db=world.db, **said, reason=f"{KIN} never came")
    await world.play_out()


@pytest.mark.long
async def test_every_post_can_be_read_after_people_are_forgotten_whose_names_are_words_of_the_program(
    world: World,
) -> None:
    names = ("text", "why", "pings", "direct", list(Target)[-1].value)
    await world.create()
    await world.sign_up(*names)
    season = (await world.start()).season
    accounts = tuple(world.player(name).user_id for name in names)
    decided: Any = {"why": "said text", "by": "the moderator why", "decided_by": accounts[1]}
    with change_by_hand(world.db) as conn:
        for kind in post_kinds.every():
            told = {"direct": accounts, "only": accounts, "explain": False, "matches": ()}
            told |= decided if issubclass(kind.keeps, DecisionFacts | CorrectionFacts) else {}
            facts = replace(filled(kind.keeps), **told)
            outbox.enqueue(conn, kind, season, facts, now=world.now, once="by hand")
    for name in names:
        await forget(world, name)
    with look_into(world.db) as conn:
        posts = many(conn, PostRow, "SELECT * FROM outbox WHERE key LIKE '%:by hand'")
    facts = {post.kind: post_kinds.facts(post) for post in posts}
    assert set(facts) == set(post_kinds.every())
    assert {kept.only for kept in facts.values()} == {()}
    (correction,) = [kept for kept in facts.values() if isinstance(kept, CorrectionFacts)]
    assert (correction.decided_by, correction.why) == (None, "(deleted)")


@pytest.mark.long
async def test_a_forgotten_person_is_in_no_table_any_more(world: World) -> None:
    await played(world)
    discord_id = str(world.player(KIN).user_id)
    before = everything(world)
    assert KIN in before
    assert discord_id in before
    name = await forget(world)
    after = everything(world)
    assert KIN not in after
    assert discord_id not in after
    assert name in after


async def test_it_is_asked_twice_and_by_the_person_themselves_or_an_organiser_alone(world: World) -> None:
    await world.begin(4)
    for actor in (STRANGER, MODERATOR, world.player(NAMES[0]), FOREIGNER):
        with pytest.raises((NotAllowed, LookupError, Exception)) as refused:
            await forget(world, actor=actor)
        assert "Kinseth is forgotten" not in str(refused.value)
    own = world.player(KIN)
    with pytest.raises(ConfirmationNeeded, match="is forgotten in") as first:
        await forget(world, actor=own, agreed="")
    with pytest.raises(ConfirmationNeeded, match="can't be undone") as second:
        await forget(world, actor=own, agreed=first.value.token)
    assert KIN in everything(world)
    name = await forget(world, actor=own, agreed=second.value.token)
    assert name.startswith("Player ")
    newest = (await world.audit())[0]
    assert (newest.action, newest.actor, newest.actor_id) == ("player.forget", name, None)


@pytest.mark.long
async def test_someone_in_a_running_season_leaves_it_first_and_the_season_goes_on(world: World) -> None:
    await world.begin(8)
    await world.play_round()
    name = await forget(world)
    entrants = {entrant.name: entrant for entrant in (await world.status()).entrants}
    assert not entrants[name].active
    view = await world.play_out()
    assert view.season.phase is SeasonPhase.FINISHED


async def test_a_forgotten_person_whose_place_is_reinstated_sits_out_no_round_to_come(world: World) -> None:
    """They have no account to take it back with, so two players of whom one was forgotten were never paired."""
    await world.begin(4)
    for number in (2, 3):
        who: Any = {"actor": world.player(KIN), "now": world.now, "league_id": world.league_id}
        await do(sitting_out.sit_out, db=world.db, **who, number=number)
    await world.play_round()
    name = await forget(world)
    asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "reason": "a mistake"}
    await do(rejoining.reinstate, db=world.db, **asked, player=name)
    with look_into(world.db) as conn:
        assert column(conn, "SELECT round FROM sat_out") == (2,), "it's paired already, so it counts as a loss"
    await world.play_round()
    view = await see(posted_round, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    assert view.round.number == 3
    assert name in {side.name for match in view.matches for side in match.sides}


@pytest.mark.long
async def test_the_file_says_which_rounds_can_be_checked_no_more(world: World) -> None:
    await played(world)
    made = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert verify(reading.read(made.text.encode())).agrees
    await forget(world)
    made = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    season = reading.read(made.text.encode())
    assert {round_.by_hand for round_ in season.rounds} == {"a player was forgotten"}
    found = verify(season)
    assert found.agrees
    assert all("a player was forgotten" in line for line in found.lines() if line != "final: as the rules say")
    assert "salt and fingerprints: not compared, because a player was forgotten" in found.lines()


@pytest.mark.long
async def test_a_later_season_is_still_checked(world: World) -> None:
    await played(world)
    await world.create(rounds=1, cut=0)
    await world.sign_up(*(name for name in NAMES[:8] if name != KIN))
    await world.start()
    await world.play_out()
    await forget(world)
    made = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert all("as the rules say" in line for line in verify(reading.read(made.text.encode())).lines())


async def test_the_preview_of_a_bracket_is_the_one_of_the_draw_with_the_number_instead_of_the_name(
    world: World,
) -> None:
    await world.begin(12, "single-elimination", advance="manual")
    await world.play_round()
    by_organiser: Any = {"actor": ORGANISER, "league_id": world.league_id, "now": world.now}
    await do(rounds_by_hand.preview, db=world.db, **by_organiser)
    await forget(world)
    await do(rounds_by_hand.post, db=world.db, **by_organiser)
    made = await see(exporting.export, db=world.db, **by_organiser)
    assert verify(reading.read(made.text.encode())).agrees


async def exported(world: World) -> Season:
    made = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    return reading.read(made.text.encode())


def due(season: Season) -> set[frozenset[str]]:
    """Return who meets next by the rules."""
    next_ = by_key(season.format).next_round(season)
    assert isinstance(next_, Proposal)
    return {frozenset(pair.players) for pair in next_.pairs}


@pytest.mark.long
@pytest.mark.parametrize("format", ["single-elimination", "ohs", "keyforge-swiss", "two-loss-out"])
async def test_a_bracket_that_has_begun_stays_as_it_was(world: World, format: str) -> None:
    """Without it the draw would fill another bracket with the number, and the others would meet someone else."""
    await world.begin(12, format, advance="manual", **({} if format == "single-elimination" else {"cut": 8}))
    while (await world.status()).season.phase is not SeasonPhase.FINALS:
        await world.play_round()
        await do(rounds_by_hand.post, db=world.db, actor=ORGANISER, league_id=world.league_id, now=world.now)
    await world.play_round()
    before = await exported(world)
    assert before.bracket is None
    expected = due(before)
    beaten = next(match.opponent_of(match.winner) for match in before.rounds[-1].matches if match.winner)
    name = await forget(world, beaten)
    after = await exported(world)
    assert after.bracket is not None
    assert name in after.bracket
    assert due(after) == expected
    while isinstance(by_key(format).next_round(await exported(world)), Proposal):
        await do(rounds_by_hand.post, db=world.db, actor=ORGANISER, league_id=world.league_id, now=world.now)
        await world.play_round()
    over = await exported(world)
    assert over.bracket == after.bracket
    assert verify(over).agrees


async def test_a_bracket_is_kept_too_when_someone_outside_of_it_or_a_second_person_is_forgotten(world: World) -> None:
    await world.begin(12, "keyforge-swiss", rounds=1, cut=4, replace=False)
    await world.play_round()
    before = await exported(world)
    slots = by_key(before.format).first_slots(before)
    outside = next(entrant.name for entrant in before.entrants if entrant.name not in slots)
    await forget(world, outside)
    assert (await exported(world)).bracket == slots
    assert slots[3] is not None
    called = await forget(world, slots[3])
    assert (await exported(world)).bracket == (*slots[:3], called)


async def test_finals_that_are_undone_are_made_again_by_the_rules(world: World) -> None:
    await world.begin(12, "single-elimination", advance="manual")
    await forget(world, NAMES[3])
    assert (await exported(world)).bracket is not None
    await do(rounds_by_hand.undo, db=world.db, actor=ORGANISER, league_id=world.league_id, now=world.now)
    assert (await exported(world)).bracket is None
    await do(rounds_by_hand.post, db=world.db, actor=ORGANISER, league_id=world.league_id, now=world.now)
    again = await exported(world)
    assert again.bracket is None
    assert verify(again).agrees


async def test_a_kept_bracket_outlives_a_correction(world: World) -> None:
    await world.begin(8, "single-elimination", advance="manual")
    await world.play_round()
    first = (await exported(world)).rounds[0].matches
    await forget(world, first[0].opponent_of(first[0].winner))  # type: ignore[arg-type]
    kept = (await exported(world)).bracket
    view = await see(posted_round, db=world.db, actor=ORGANISER, league_id=world.league_id)
    match = view.matches[1]
    said: Any = {"match": match.match.id, "outcome": read_outcome(match, match.lower.name), "reason": "a typo"}
    await do(decisions.decide, db=world.db, actor=ORGANISER, now=world.now, **said)
    season = await exported(world)
    assert season.bracket == kept
    assert match.lower.name in {name for pair in due(season) for name in pair}


@pytest.mark.long
async def test_the_standings_of_the_others_stay(world: World) -> None:
    await played(world)
    asked: Any = {"actor": STRANGER, "league_id": world.league_id}
    before = await see(tables.standings, db=world.db, **asked)
    name = await forget(world)
    after = await see(tables.standings, db=world.db, **asked)

    def lines(view: Any, called: str) -> list[tuple[Any, ...]]:
        rows = [row.standing for row in view.rows]
        return [(row.name if row.name != called else "?", row.rank, row.wins, row.losses) for row in rows]

    assert lines(after, name) == lines(before, KIN)


async def test_a_hint_of_the_name_within_another_stays(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Annabel", "Bo", "Joanne")
    await world.start()
    name = await forget(world, "Ann")
    there = everything(world)
    assert "Annabel" in there
    assert "Joanne" in there
    assert f"{name}abel" not in there


async def test_a_text_full_of_a_short_name_is_no_longer_than_it_was(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Dee", "Bo", "Joanne")
    await world.start()
    why: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "reason": "Bo " * 166}
    await do(removing.remove, db=world.db, **why, player="Dee")
    await world.drop("Bo")
    name = await forget(world, "Bo")
    with look_into(world.db) as conn:
        (said,) = column(conn, "SELECT reason FROM audit WHERE reason IS NOT NULL")
    assert said.startswith(name)
    assert len(said) < LONGEST_REASON


@pytest.mark.long
async def test_the_same_account_can_join_again_as_someone_new(world: World) -> None:
    await played(world)
    name = await forget(world)
    await world.create()
    await world.sign_up(KIN)
    assert [entrant.name for entrant in (await world.status()).entrants] == [KIN]
    assert name != KIN


async def test_the_place_kept_for_a_forgotten_person_is_offered_to_the_next(world: World) -> None:
    await world.create(max_players=2)
    await world.sign_up("Zoë", "Kinseth", "Ann", "Bo")
    await world.drop("Kinseth")
    (first,) = [made for made in await world.announce() if made.row.kind == PLACE]
    assert first.mention.people == (world.player("Ann").user_id,)
    await forget(world, "Ann")
    (second,) = [made for made in await world.announce() if made.row.kind == PLACE]
    assert second.mention.people == (world.player("Bo").user_id,)
    assert "Ann" not in everything(world)


async def shown_again(world: World, kind: str) -> list[bool]:
    """Return which messages of a kind are due to be edited, or, where True, deleted; those that go later, too."""
    for post in await world.posts(kind):
        await steps.load(world.db, post.id, world.now)
    return [post.removed for post in await world.posts(kind) if post.message_id is not None]


@pytest.mark.long
@pytest.mark.parametrize("accept", [True, False, None], ids=["accepted", "refused", "waits"])
async def test_the_question_whether_an_account_is_a_forgotten_person_goes(world: World, accept: bool | None) -> None:
    await played(world)
    account, new = Account(discord_id=5000, name="new"), person(5000, "new")
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(linking.propose, db=world.db, **who, player=KIN, account=account)
    await world.announce()
    if accept is not None:
        await world.db.write(linking.answer, Order(actor=new, now=world.now), link=LinkId(1), accept=accept)
        await world.announce()
    await forget(world)
    assert await shown_again(world, LINK) == [True]


async def test_that_question_on_its_way_is_looked_for_where_the_bot_died_before_it_noted_the_message(
    world: World,
) -> None:
    await world.begin(4)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(linking.propose, db=world.db, **who, player=KIN, account=Account(discord_id=5000, name="new"))
    (question,) = await world.posts(LINK)
    await forget(world)
    assert await world.posts(LINK) == ()
    await world.db.write(delivery.begin, world.now)
    assert [(post.id, post.removed) for post in await world.posts(LINK)] == [(question.id, True)]


@pytest.mark.long
@pytest.mark.parametrize("how", ["link", "add", "sign up", "rename"])
async def test_nobody_can_be_given_the_results_of_a_forgotten_person(world: World, how: str) -> None:
    await played(world)
    name = await forget(world)
    who: dict[str, Any] = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    stranger: dict[str, Any] = {**who, "actor": STRANGER}
    await world.create()
    account = Account(discord_id=5000, name="new")
    tries: dict[str, Any] = {
        "link": lambda: do(linking.propose, db=world.db, **who, player=name, account=account),
        "add": lambda: do(signing_up.add, db=world.db, **who, discord_id=5000, name=name, display_name="new"),
        "sign up": lambda: do(signing_up.sign_up, db=world.db, **stranger, name=name, display_name="new"),
        "rename": lambda: do(renaming.rename, db=world.db, **who, player=name, new_name=KIN, reason="back"),
    }
    with pytest.raises(Conflict, match=f"{name} was forgotten, which can't be undone"):
        await tries[how]()


@pytest.mark.parametrize("answered", [True, False])
async def test_the_request_of_a_forgotten_person_who_asked_to_join_goes(world: World, answered: bool) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await world.create(approval=True)
    await world.sign_up(KIN)
    if answered:
        await do(letting_in.answer, db=world.db, **who, request_id=1, accept=False)
    await world.announce()
    await forget(world)
    assert await shown_again(world, JOIN_REQUEST) == [True]


async def test_what_waits_for_moderators_names_no_forgotten_person(world: World) -> None:
    await world.begin(4)
    for name in NAMES[:4]:
        match = await world.match_of(name)
        assert match is not None
        about: Any = {"now": world.now, "match": match.match.id}
        await do(reporting.report, db=world.db, actor=world.player(name), result="won", **about)
    await world.announce()
    await steps.tick(world.db, world.later(days=1))
    await world.announce()
    await forget(world, "dok")
    assert await shown_again(world, WAITING) == [False]


async def test_the_groups_of_a_round_robin_are_kept_and_its_rounds_stay_checkable(world: World) -> None:
    await world.begin(6, "round-robin", group_size=3, cut=0, dice_off="draw")
    await world.play_round()
    before = await exported(world)
    groups = by_key("round-robin").kept_groups(before)
    name = await forget(world)
    await world.play_round()
    after = await exported(world)
    assert after.groups == tuple(tuple(name if player == KIN else player for player in group) for group in groups)
    assert not any(round_.by_hand for round_ in after.rounds)
    assert not any(match.dice_off for match in after.rounds[0].matches)
    found = verify(after)
    assert found.agrees
    assert any("groups as in the file" in line for line in found.lines())
