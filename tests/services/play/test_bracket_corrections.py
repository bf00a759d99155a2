"""A bracket corrected after its winner played on, and the cut undone: nothing is lost that didn't depend on it."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, WrongPhase
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up
from bot.services.matches.decision_posts import Decided
from bot.services.matches.outcome import read_outcome
from bot.services.matches.views import MatchView, RoundView
from bot.services.organising import rounds_by_hand
from bot.services.people import notifying, removing
from bot.services.play import decisions, reporting
from bot.services.problems import telling
from bot.services.reads import details
from bot.services.times import proposing
from storage.posts import Target
from storage.tables.people.notify import How, Topic
from storage.tables.problems import ProblemKind
from tests.files import do, see
from tests.looked_up import posted_round
from tests.services.conftest import ADMIN, MODERATOR, ORGANISER, ORGANISER_ROLE, World
from tests.services.leagues.test_kept_apart import exported, imported


async def current(world: World, number: int | None = None) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=number)


async def correct(world: World, match: MatchView, **more: Any) -> MatchView:
    """Give a match to who lost it, after the look at what that changes, as an organiser does."""
    assert match.loser is not None
    said: Any = {"actor": ORGANISER, "match": match.match.id, "outcome": read_outcome(match, match.loser.name)}
    look = await see(decisions.decide_preview, db=world.db, **said)
    given: Any = {"agreed": look.agreement or "", **said, **more}
    return await do(decisions.decide, db=world.db, now=world.now, reason="a typo", **given)


async def verified(world: World) -> bool:
    made = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    return verify(reading.read(made.text.encode())).agrees


async def bracket(world: World, *, played: int) -> list[RoundView]:
    """Return the rounds of a bracket of eight of which the first are played."""
    await world.begin(8, "single-elimination")
    for _ in range(played):
        await world.play_round()
    return [await current(world, number) for number in range(1, played + 1)]


@pytest.mark.long
async def test_a_corrected_quarter_final_takes_back_what_depends_on_it_and_nothing_else(world: World) -> None:
    quarters, semis = await bracket(world, played=2)
    wrong = quarters.matches[0]
    assert wrong.loser is not None
    assert wrong.winner is not None
    (theirs,) = [match for match in semis.matches if wrong.winner in (match.upper.name, match.lower.name)]
    (other,) = [match for match in semis.matches if match is not theirs]
    await correct(world, wrong)
    now = await current(world)
    assert (now.round.number, now.round.phase) == (2, RoundPhase.OPEN)
    waiting = [match for match in now.matches if match.match.state is MatchState.OPEN]
    stands = [match for match in now.matches if match.match.state is MatchState.CONFIRMED]
    assert [match.state_words for match in stands] == [other.state_words]
    assert wrong.loser.name in {side.name for side in waiting[0].sides}
    assert wrong.winner not in {side.name for match in now.matches for side in match.sides}
    assert await verified(world)
    view = await world.play_out()
    assert view.season.phase is SeasonPhase.FINISHED
    assert await verified(world)


@pytest.mark.long
async def test_a_match_that_stays_keeps_its_games_and_how_it_was_decided(world: World) -> None:
    await world.begin(8, "single-elimination", best_of=3)
    for number, score in ((1, "0-2"), (2, "1-2")):
        for match in (await current(world, number)).matches:
            loser = world.player(match.lower.name)
            said: Any = {"match": match.match.id, "result": "lost", "score": score}
            await world.db.write(reporting.report, Order(actor=loser, now=world.now), **said)
    quarters, semis = await current(world, 1), await current(world, 2)
    wrong = quarters.matches[0]
    assert wrong.loser is not None
    (other,) = [match for match in semis.matches if wrong.winner not in {side.name for side in match.sides}]
    await correct(world, wrong, score="2-0")
    (stays,) = [match for match in (await current(world, 2)).matches if match.match.state is MatchState.CONFIRMED]
    assert (stays.pairing, stays.state_words) == (other.pairing, other.state_words)
    assert (stays.match.upper_games, stays.match.lower_games) == (2, 1)
    assert stays.match.confirmed_by == other.match.confirmed_by


async def test_a_match_beside_a_correction_keeps_its_result_in_a_season_that_was_imported(world: World) -> None:
    await bracket(world, played=2)
    copy = await imported(world, json.loads(await exported(world, world.league_id)))
    here = Order(actor=ADMIN, now=world.now, league_id=copy)
    await world.db.write(set_up.change, here, changes={"organiser_role_id": ORGANISER_ROLE})
    world.league = replace(world.league, id=copy)
    quarters, semis = await current(world, 1), await current(world, 2)
    wrong = quarters.matches[0]
    (other,) = [match for match in semis.matches if wrong.winner not in {side.name for side in match.sides}]
    await correct(world, wrong)
    stands = [match for match in (await current(world, 2)).matches if match.match.state is MatchState.CONFIRMED]
    assert [(match.pairing, match.state_words) for match in stands] == [(other.pairing, other.state_words)]
    assert await verified(world)


@pytest.mark.long
async def test_one_message_tells_each_what_a_correction_means_for_them_and_no_one_else(world: World) -> None:
    quarters, semis = await bracket(world, played=2)
    final = await current(world)
    await world.announce()
    wrong = quarters.matches[0]
    (theirs,) = [m for m in semis.matches if wrong.winner in (m.upper.name, m.lower.name)]
    (waits,) = [side for side in final.matches[0].sides if side not in theirs.sides]
    (rival,) = [side for side in theirs.sides if side.name != wrong.winner]
    was = wrong.loser
    assert was is not None
    out = wrong.opponent_of(was)
    await correct(world, wrong)
    made = [one for one in await world.announce() if one.row.target is not Target.MODERATION]
    told, card = [one for one in made if one.row.kind in ("corrected", "round", "decision", "pairings-changed")]
    assert (told.row.kind, card.row.kind, card.mention.people) == ("corrected", "round", ())
    assert set(told.mention.people) == {side.discord_id for side in (was, out, rival, waits)}
    text = told.row.facts["text"]
    (again,) = [m for m in (await current(world)).matches if m.match.state is MatchState.OPEN]
    assert text == (
        f"Corrected: {was.name} won. {again.upper.name} and {again.lower.name}, you play each other now. "
        f"{waits.name}, your final waits. {out.name}, your {theirs.place} doesn't count any more."
    )
    seen = await see(details.details, db=world.db, actor=world.player(was.name), match=wrong.match.id, now=world.now)
    assert text in [step.text for step in seen.statements if isinstance(step, Decided)], "it stays in what happened"
    lines = {line.action: line for line in await world.audit()}
    assert lines["finals.again"].before == {match.label: match.state_words for match in (theirs, *final.matches)}


async def hold(world: World, match: MatchView, what: str) -> None:
    """Let a match that has no result hold something."""
    upper, lower = (world.player(side.name) for side in match.sides)
    about: Any = {"now": world.now, "match": match.match.id}
    if what in ("report", "dispute"):
        await do(reporting.report, db=world.db, actor=upper, result="won", **about)
    if what == "dispute":
        await do(reporting.report, db=world.db, actor=lower, result="won", **about)
    if what == "problem":
        await do(telling.tell_problem, db=world.db, actor=upper, kind=ProblemKind.TOO_LATE, text="ill", **about)
    for actor in {"proposal": [upper], "time": [upper, lower]}.get(what, []):  # who proposes the same agrees
        await do(proposing.propose, db=world.db, actor=actor, chosen=[world.now + timedelta(days=1)], **about)
    if what == "days":
        await world.db.write(
            rounds_by_hand.extend,
            Order(actor=ORGANISER, now=world.now, league_id=world.league_id),
            days=2,
            match=match.match.id,
        )


@pytest.mark.long
@pytest.mark.parametrize("what", ["report", "dispute", "problem", "proposal", "time", "days", "nothing"])
async def test_a_match_of_the_same_players_that_holds_something_is_said_to_start_again(world: World, what: str) -> None:
    """Else a player believes that they reported, and silence never confirms it."""
    (quarters,) = await bracket(world, played=1)
    _, other = (await current(world)).matches
    await hold(world, other, what)
    wrong = quarters.matches[0]
    assert wrong.loser is not None
    said: Any = {"actor": ORGANISER, "match": wrong.match.id, "outcome": read_outcome(wrong, wrong.loser.name)}
    look = " ".join((await see(decisions.decide_preview, db=world.db, **said)).effects)
    again = what != "nothing"
    assert (f"These start again, without what was reported or agreed: {other.heading}" in look) is again
    assert ("start again" in look) is again
    assert (f"stay as they are: {other.heading}" in look) is not again
    assert ("stay as they are" in look) is not again
    assert "champion" not in look
    await correct(world, wrong)
    (post,) = await world.posts("corrected")
    assert ("your match starts again" in post.facts["text"]) is again
    assert ({side.discord_id for side in other.sides} <= set(post.facts["pings"])) is again


@pytest.mark.long
async def test_nothing_is_played_again_that_no_organiser_agreed_to(world: World) -> None:
    quarters, _ = await bracket(world, played=2)
    match = quarters.matches[0]
    assert match.loser is not None
    with pytest.raises(ConfirmationNeeded, match="don't count any more"):
        await correct(world, match, agreed="")
    with pytest.raises(ConfirmationNeeded):
        await correct(world, match, agreed="0" * 16)
    said: Any = {"match": match.match.id, "outcome": read_outcome(match, match.loser.name)}
    look = await see(decisions.decide_preview, db=world.db, actor=MODERATOR, **said)
    assert look.by_organiser
    with pytest.raises(Conflict, match="An organiser can correct it"):
        await correct(world, match, actor=MODERATOR, agreed=look.agreement)
    assert (await current(world)).round.number == 3


@pytest.mark.long
async def test_a_season_that_is_over_is_played_for_again(world: World) -> None:
    await bracket(world, played=2)
    semis = await current(world, 2)
    await world.play_out()
    (champion,) = await world.posts("champion")
    await correct(world, semis.matches[0])
    view = await world.status()
    assert (view.season.phase, view.season.champion_id, view.season.ended_at) == (SeasonPhase.FINALS, None, None)
    assert champion.id not in {post.id for post in await world.posts("champion") if not post.removed}
    view = await world.play_out()
    assert view.season.champion_id is not None
    assert await verified(world)


@pytest.mark.long
async def test_a_season_that_is_over_stays_once_the_next_has_been_opened(world: World) -> None:
    await bracket(world, played=2)
    semis = await current(world, 2)
    await world.play_out()
    await world.opened(format="ohs")
    match = semis.matches[0]
    assert match.loser is not None
    said: Any = {"actor": ORGANISER, "match": match.match.id, "outcome": read_outcome(match, match.loser.name)}
    with pytest.raises(Conflict, match="season 2 has been opened, so the finals of season 1 can't be played again"):
        await see(decisions.decide_preview, db=world.db, **said)


@pytest.mark.long
async def test_a_player_who_left_since_loses_the_match_they_would_play_again(world: World) -> None:
    (quarters,) = await bracket(world, played=1)
    wrong = quarters.matches[0]
    await world.play_round()
    assert wrong.loser is not None
    await world.drop(wrong.loser.name)
    await correct(world, wrong)
    now = await world.play_out()
    assert now.season.phase is SeasonPhase.FINISHED
    assert await verified(world)


async def cut(world: World, *, played: int) -> None:
    await world.begin(8, "ohs", rounds=2, cut=4)
    for _ in range(played):
        await world.play_round()


@pytest.mark.long
async def test_a_correction_that_moves_a_bye_alone_names_no_matches_that_count_no_more(world: World) -> None:
    """The opponent in the semi-final left before it was posted, so who goes on has a bye in it."""
    await world.begin(8, "single-elimination")
    quarters = (await current(world, 1)).matches
    for match in quarters[:-1]:
        await world.lose(match.lower.name)
    await world.drop(quarters[-2].upper.name)
    await world.lose(quarters[-1].lower.name)
    (bye,) = (await current(world)).byes
    wrong = next(match for match in (await current(world, 1)).matches if match.winner == bye.name)
    assert wrong.loser is not None
    said: Any = {"actor": ORGANISER, "match": wrong.match.id, "outcome": read_outcome(wrong, wrong.loser.name)}
    look = await see(decisions.decide_preview, db=world.db, **said)
    assert look.effects[0].startswith("These stay as they are: Semi-final 1")
    await world.announce()
    await correct(world, wrong)
    assert [who.name for who in (await current(world)).byes] == [wrong.loser.name]
    assert await world.notices() == []


@pytest.mark.long
async def test_the_cut_is_undone_with_everything_played_since(world: World) -> None:
    await cut(world, played=3)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    with pytest.raises(ConfirmationNeeded, match="results are lost") as asked:
        await do(rounds_by_hand.undo_finals, db=world.db, **who, agreed="")
    assert await do(rounds_by_hand.undo_finals, db=world.db, **who, agreed=asked.value.token) == 2
    view = await world.status()
    assert view.season.phase is SeasonPhase.RUNNING
    closed = await current(world, 2)
    assert closed.round.phase is RoundPhase.CLOSED
    await correct(world, closed.matches[0])
    await do(rounds_by_hand.post, db=world.db, **who)
    finals = await current(world)
    assert (finals.round.number, finals.round.stage) == (3, "finals")
    assert await verified(world)
    await world.play_out()
    assert await verified(world)


@pytest.mark.long
async def test_a_player_who_dropped_in_the_finals_is_gone_before_them_when_they_are_undone(world: World) -> None:
    await cut(world, played=3)
    final = await current(world)
    await world.drop(final.matches[0].upper.name)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    if (await world.status()).season.phase is SeasonPhase.FINISHED:
        return  # the final was decided by the drop
    await do(rounds_by_hand.undo_finals, db=world.db, **who)
    await do(rounds_by_hand.post, db=world.db, **who)
    assert final.matches[0].upper.name not in {s.name for m in (await current(world)).matches for s in m.sides}
    assert await verified(world)


async def test_there_is_no_cut_to_undo_without_one(world: World) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await world.begin(4, "single-elimination")
    with pytest.raises(WrongPhase, match="no cut to undo"):
        await do(rounds_by_hand.undo_finals, db=world.db, **who)


async def test_where_the_one_who_goes_on_left_before_the_final_the_other_finalist_is_the_champion(world: World) -> None:
    await world.begin(4, "single-elimination")
    wrong, other = (await current(world)).matches
    await world.lose(wrong.lower.name)
    await remove(world, wrong.lower.name)
    await world.lose(other.lower.name)
    (final,) = (await current(world)).matches
    wrong = (await current(world, 1)).matches[0]
    said: Any = {"actor": ORGANISER, "match": wrong.match.id, "outcome": read_outcome(wrong, wrong.lower.name)}
    look = await see(decisions.decide_preview, db=world.db, **said)
    assert not [line for line in look.effects if line.startswith("Next to play")]
    assert f"The champion is {other.upper.name}: no one is left to play against." in look.effects
    await correct(world, wrong)
    view = await world.status()
    assert (view.season.phase, view.champion) == (SeasonPhase.FINISHED, other.upper.name)
    assert final.label not in [match.label for match in (await current(world)).matches]
    assert await verified(world)


@pytest.mark.long
async def test_where_both_players_of_a_new_match_have_left_the_upper_one_forfeits(world: World) -> None:
    quarters, semis = await bracket(world, played=2)
    wrong = quarters.matches[0]
    (theirs,) = [match for match in semis.matches if wrong.winner in (match.upper.name, match.lower.name)]
    rival = next(side for side in theirs.sides if side.name != wrong.winner)
    assert wrong.loser is not None
    for name in (wrong.loser.name, rival.name):
        await remove(world, name)
    await correct(world, wrong)
    (again,) = [
        match for match in (await current(world, 2)).matches if rival.name in {side.name for side in match.sides}
    ]
    assert again.match.confirmed_by == "departure"
    assert await verified(world)


async def remove(world: World, name: str) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(removing.remove, db=world.db, **who, player=name, reason="moved away")


@pytest.mark.long
async def test_a_champion_by_direct_message_is_told_it_is_open_again_and_hears_of_it_when_they_win_again(
    world: World,
) -> None:
    await world.begin(4, "single-elimination")
    await world.play_round()
    final = (await current(world)).matches[0]
    for side in final.sides:
        who: Any = {"db": world.db, "actor": world.player(side.name), "now": world.now, "league_id": world.league_id}
        await do(notifying.choose, **who, topic=Topic.NEWS, how=How.DIRECT)
    await world.play_round()
    first = (await world.status()).champion
    assert first is not None
    told = [made.row for made in await world.announce() if made.row.kind == "champion"]
    assert world.player(first).user_id in {post.person_id for post in told}
    semis = await current(world, 1)
    await correct(world, next(match for match in semis.matches if first not in (match.upper.name, match.lower.name)))
    assert {post.id for post in told} <= {post.id for post in await world.posts("champion") if post.removed}
    await world.announce()
    again = (await current(world)).matches[0]
    await world.lose(next(side.name for side in again.sides if side.name != first))
    assert (await world.status()).champion == first
    anew = [made.row.person_id for made in await world.announce() if made.row.kind == "champion"]
    assert world.player(first).user_id in anew
