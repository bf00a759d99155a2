from typing import Any

import pytest

from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, NotFound, WrongPhase
from bot.league.league_file import reading
from bot.league.model import DepartureKind
from bot.league.phases import SeasonPhase
from bot.league.verify import verify
from bot.services import find
from bot.services.leagues import files
from bot.services.matches.views import Seen
from bot.services.permissions import BOT
from bot.services.players import leaving, rejoining, renaming, signing_up
from bot.services.results import decisions
from bot.services.rounds import organising, questions
from bot.services.seasons import careers, lifecycle, planning, tables
from tests.services.conftest import FOREIGNER, MODERATOR, NAMES, ORGANISER, STRANGER, World, missing, person


async def enter(
    world: World, user: str, *, name: str | None = None, deck: str | None = None, agreed: int = 1
) -> signing_up.SignedUp:
    return await signing_up.sign_up(
        world.db,
        actor=world.player(user),
        now=world.now,
        league_id=world.league_id,
        display_name=user,
        name=name,
        deck=deck,
        agreed=agreed,
    )


def by_organiser(world: World, **more: Any) -> dict[str, Any]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "reason": "asked for it", **more}


async def season_file(world: World) -> Any:
    exported = await files.export(world.db, actor=ORGANISER, league_id=world.league_id)
    return reading.read(exported.text.encode())


# -- signing up --------------------------------------------------------------------------------------------------------


async def test_signing_up_fixes_the_name_once(world: World) -> None:
    await world.create()
    first = await enter(world, "dok", name="  The Doc  ")
    assert (first.entrant.name, first.first_time, first.already, first.count) == ("The Doc", True, False, 1)
    again = await enter(world, "dok")
    assert (again.entrant.id, again.first_time, again.already) == (first.entrant.id, False, True)
    with pytest.raises(Conflict, match=r"already registered as The Doc.*ask an organiser"):
        await enter(world, "dok", name="Other")


async def test_a_name_is_kept_for_the_next_season(world: World) -> None:
    await world.create(rounds=1, cut=2)
    await enter(world, "dok", name="The Doc")
    await enter(world, "Xorlof")
    await world.start()
    await world.play_round()
    await world.play_round()
    await world.create()
    again = await enter(world, "dok")
    assert (again.entrant.name, again.first_time) == ("The Doc", False)


@pytest.mark.parametrize("name", ["", "   ", "x" * 33, "dra\u200bw", "draw", "DRAW", "\x07"])
async def test_names_that_cannot_be_are_refused_with_the_way_out(world: World, name: str) -> None:
    await world.create()
    with pytest.raises(Invalid):
        await enter(world, "dok", name=name)
    with pytest.raises(Invalid, match="/signup name:"):
        await signing_up.sign_up(world.db, actor=STRANGER, now=world.now, league_id=world.league_id, display_name=name)
    assert (await world.status()).entrants == ()


@pytest.mark.parametrize("name", ["dok", "DOK", "dоk", "ｄｏｋ"])
async def test_a_name_like_another_is_taken(world: World, name: str) -> None:
    await world.create()
    await enter(world, "dok")
    with pytest.raises(Conflict, match="dok"):
        await enter(world, "somebody", name=name)
    with pytest.raises(Conflict, match="/signup name:"):
        await signing_up.sign_up(world.db, actor=STRANGER, now=world.now, league_id=world.league_id, display_name=name)


@pytest.mark.parametrize("name", ["@everyone", "*bold*", "`code`", "🐉", "مرحبا", "a|b"])
async def test_odd_but_visible_names_are_taken_as_they_are(world: World, name: str) -> None:
    await world.create()
    assert (await enter(world, "dok", name=name)).entrant.name == name


async def test_there_must_be_a_season_to_join(world: World) -> None:
    with pytest.raises(WrongPhase, match="no season running"):
        await enter(world, "dok")


async def test_people_of_other_servers_cannot_join(world: World) -> None:
    await world.create()
    with pytest.raises(NotFound):
        await signing_up.sign_up(
            world.db, actor=FOREIGNER, now=world.now, league_id=world.league_id, display_name="foreigner"
        )


async def test_a_full_season_takes_nobody_until_somebody_leaves(world: World) -> None:
    await world.create(max_players=2)
    await world.sign_up("dok", "Xorlof")
    with pytest.raises(Conflict, match="full: 2 players"):
        await world.sign_up("Zoë")
    await world.drop("dok")
    await world.sign_up("Zoë")
    assert [who.name for who in (await world.status()).entrants] == ["Xorlof", "Zoë"]


async def test_a_deck_can_change_until_the_start(world: World) -> None:
    await world.create()
    await enter(world, "dok", deck="Dragons")
    changed = await enter(world, "dok", deck=" Elves\n of  the wood ")
    assert (changed.entrant.deck, changed.already) == ("Elves of the wood", False)
    with pytest.raises(Invalid, match="101 characters"):
        await enter(world, "dok", deck="x" * 101)
    await world.sign_up("Xorlof")
    await world.start()
    with pytest.raises(WrongPhase, match="can't change your deck"):
        await enter(world, "dok", deck="Dwarves")


async def test_sign_ups_close_at_their_moment(world: World) -> None:
    await planning.create(
        world.db,
        actor=ORGANISER,
        now=world.now,
        league_id=world.league_id,
        format="ohs",
        signups_close=world.now.replace(hour=13),
    )
    await world.sign_up("dok")
    world.later(hours=1)
    with pytest.raises(WrongPhase, match="have closed"):
        await world.sign_up("Xorlof")


async def test_each_sign_up_is_counted_in_the_sign_up_post_and_noted(world: World) -> None:
    await world.create()
    (before,) = await world.posts("signup")
    await world.sign_up("dok")
    (after,) = await world.posts("signup")
    assert after.wanted == before.wanted + 1
    noted = (await world.audit())[0]
    assert (noted.action, noted.subject, noted.actor_id) == ("entrant.sign_up", "dok", world.player("dok").user_id)


# -- late entry --------------------------------------------------------------------------------------------------------


async def test_late_entry_begins_with_the_next_round_and_costs_the_missed_one(world: World) -> None:
    await world.begin(4)
    late = await enter(world, "Late", agreed=2)
    assert late.entrant.entered == 2
    assert (late.entrant.mu, late.entrant.sigma) == (25.0, 25.0 / 3)
    assert "Late joins season 1 from round 2 on. Round 1 counts as a loss." in await world.notices()
    await world.play_round()
    round_two = await questions.current(world.db, actor=BOT, league_id=world.league_id)
    seated = {side.name for match in round_two.matches for side in match.sides} | {bye.name for bye in round_two.byes}
    assert "Late" in seated
    table = {row.name: row for row in (await tables.standings(world.db, actor=BOT, league_id=world.league_id)).rows}
    assert table["Late"].losses >= 1
    with pytest.raises(WrongPhase, match="up to round 2, and round 3 is next"):
        await enter(world, "TooLate")


async def test_a_late_entry_is_not_counted_before_its_cost_is_agreed_to(world: World) -> None:
    await world.begin(4, late_entry=3)
    with pytest.raises(signing_up.LateEntry, match=r"You missed round 1: it counts as a loss. Join anyway\?") as asked:
        await enter(world, "Late")
    assert asked.value.first == 2
    await world.play_round()
    with pytest.raises(signing_up.LateEntry, match="You missed rounds 1 to 2: they count as losses"):
        await enter(world, "Late", agreed=2)
    assert len((await world.status()).entrants) == 4
    assert not await world.notices()
    assert (await enter(world, "Late", agreed=3)).entrant.entered == 3


async def test_nobody_enters_when_only_finals_are_left(world: World) -> None:
    await world.begin(4, rounds=1)
    with pytest.raises(WrongPhase, match="only finals left"):
        await enter(world, "Late")
    await world.play_round()
    assert (await world.status()).season.phase is SeasonPhase.FINALS
    with pytest.raises(WrongPhase, match="in its finals"):
        await enter(world, "Late")
    assert len((await world.status()).entrants) == 4


async def test_a_bracket_takes_nobody_late(world: World) -> None:
    await world.begin(4, "single-elimination")
    with pytest.raises(WrongPhase):
        await enter(world, "Late")


async def test_a_late_entry_changes_a_draft(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    draft = await organising.pair(world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    assert not draft.byes
    await enter(world, "Late", agreed=2)
    posted = await organising.post(world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    assert len(posted.byes) == 1
    assert verify(await season_file(world)).agrees


# -- leaving -----------------------------------------------------------------------------------------------------------


async def test_leaving_before_the_start_is_a_withdrawal(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    preview = await leaving.drop_preview(world.db, actor=world.player("dok"), league_id=world.league_id)
    assert preview.match is None
    assert (await world.drop("dok", confirmed=False)).withdrew
    assert [who.name for who in (await world.status()).entrants] == ["Xorlof"]
    with pytest.raises(NotFound, match="You're not in season 1"):
        await world.drop("dok")
    assert (await enter(world, "dok")).count == 2


async def test_an_open_match_is_lost_only_when_that_is_confirmed(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    opponent = next(side.name for side in match.sides if side.name != "dok")
    preview = await leaving.drop_preview(world.db, actor=world.player("dok"), league_id=world.league_id)
    assert preview.match is not None
    assert f"{match.code} against {opponent}" in preview.cost
    with pytest.raises(Conflict, match="forfeit your open match"):
        await world.drop("dok", confirmed=False)
    assert missing(await world.status()) == 2
    dropped = await world.drop("dok")
    assert dropped.forfeited is not None
    assert (dropped.forfeited.match.kind, dropped.forfeited.winner) == ("forfeit", opponent)
    season = await season_file(world)
    (gone,) = season.departures
    assert (gone.name, gone.kind, gone.round, gone.after_pairing) == ("dok", DepartureKind.DROP, 1, True)
    assert f"dok has left season 1. {opponent} wins {match.code} by forfeit." in await world.notices()


async def test_a_confirmed_result_stands_when_a_player_leaves(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    loser = next(side.name for side in match.sides if side.name != "dok")
    await world.lose(loser)
    assert (await world.drop("dok", confirmed=False)).forfeited is None
    table = {row.name: row for row in (await tables.standings(world.db, actor=BOT, league_id=world.league_id)).rows}
    assert (table["dok"].wins, table["dok"].losses, table["dok"].status) == (1, 0, "dropped")


async def test_who_left_is_not_paired_any_more(world: World) -> None:
    await world.begin(5)
    await world.drop("dok")
    await world.play_round()
    view = await questions.current(world.db, actor=BOT, league_id=world.league_id)
    assert view.round.number == 2
    assert "dok" not in {side.name for match in view.matches for side in match.sides}
    with pytest.raises(Conflict, match="has already left"):
        await world.drop("dok")
    with pytest.raises(Conflict, match="/rejoin"):
        await enter(world, "dok")


async def test_leaving_between_rounds_counts_from_the_next(world: World) -> None:
    await world.begin(6, advance="manual")
    await world.play_round()
    await organising.close(world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.drop("dok")
    (gone,) = (await season_file(world)).departures
    assert (gone.round, gone.after_pairing) == (2, False)


async def test_everybody_may_leave(world: World) -> None:
    await world.begin(4)
    for name in NAMES[:4]:
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            break
        await world.drop(name)
    over = await world.status()
    assert over.season.phase is SeasonPhase.FINISHED
    assert verify(await season_file(world)).agrees


async def test_the_last_one_left_is_champion(world: World) -> None:
    await world.begin(2)
    await world.drop("dok")
    over = await world.status()
    assert (over.season.phase, over.champion) == (SeasonPhase.FINISHED, "Xorlof")


async def test_before_the_first_result_of_the_finals_somebody_moves_up(world: World) -> None:
    await world.begin(8, rounds=2, cut=4)
    await world.play_round()
    await world.play_round()
    before = await questions.current(world.db, actor=BOT, league_id=world.league_id)
    seats = {side.name for match in before.matches for side in match.sides}
    assert (before.round.number, len(seats)) == (3, 4)
    leaver = before.matches[0].upper.name
    dropped = await world.drop(leaver)
    assert dropped.forfeited is None
    after = await questions.current(world.db, actor=BOT, league_id=world.league_id)
    now_seated = {side.name for match in after.matches for side in match.sides}
    assert leaver not in now_seated
    assert len(now_seated) == 4
    assert len(now_seated & seats) == 3
    assert verify(await season_file(world)).agrees
    await world.play_out()
    assert verify(await season_file(world)).agrees


async def test_after_a_result_in_the_finals_the_opponent_goes_on(world: World) -> None:
    await world.begin(8, rounds=2, cut=4)
    await world.play_round()
    await world.play_round()
    view = await questions.current(world.db, actor=BOT, league_id=world.league_id)
    await world.lose(view.matches[0].lower.name)
    dropped = await world.drop(view.matches[1].upper.name)
    assert dropped.forfeited is not None
    assert dropped.forfeited.winner == view.matches[1].lower.name
    assert (await questions.current(world.db, actor=BOT, league_id=world.league_id)).round.number == 4
    assert verify(await season_file(world)).agrees


async def test_a_drop_asked_about_an_earlier_match_forfeits_no_later_one(world: World) -> None:
    await world.begin(4)
    first = await world.match_of("dok")
    assert first is not None
    asked_about = Seen(match=first.match.id, version=first.match.version)
    await world.play_round()
    later = await world.match_of("dok")
    assert later is not None
    who: Any = {"actor": world.player("dok"), "now": world.now, "league_id": world.league_id}
    with pytest.raises(Conflict, match=f"forfeit your open match {later.code}"):
        await leaving.drop(world.db, **who, lost=asked_about)
    assert missing(await world.status()) == 2


async def pinged(world: World, words: str) -> list[str]:
    """Return the players a notice with these words mentions."""
    (post,) = [post for post in await world.posts("notice") if words in str(post.facts["text"])]
    ids = {actor.user_id: name for name, actor in world.players.items()}
    return sorted(ids[known] for known in post.facts["pings"])


async def test_the_disqualified_player_and_their_opponent_are_mentioned(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    await leaving.disqualify(world.db, **by_organiser(world, player="dok"))
    assert await pinged(world, "dok was disqualified from season 1.") == sorted(side.name for side in match.sides)


async def test_a_player_who_joins_late_is_mentioned_and_told_what_it_costs(world: World) -> None:
    await world.begin(4, late_entry=3)
    await world.play_round()
    done = await enter(world, "Late", agreed=3)
    assert done.cost == "Rounds 1 to 2 count as losses."
    assert await pinged(world, "Late joins season 1 from round 3 on. Rounds 1 to 2 count as losses.") == ["Late"]


# -- coming back -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("accept", "words"), [(True, "dok is back"), (False, "an organiser refused the request")])
async def test_a_player_who_asks_to_come_back_is_told_the_answer(world: World, accept: bool, words: str) -> None:
    await world.begin(6)
    await world.drop("dok")
    await rejoin(world, "dok")
    (post,) = await world.posts("rejoin")
    answer: Any = {"actor": ORGANISER, "now": world.now, "request_id": int(post.facts["request_id"])}
    await rejoining.answer_rejoin(world.db, **answer, accept=accept)
    assert await pinged(world, words) == ["dok"]


@pytest.mark.parametrize("kind", DepartureKind)
async def test_leaving_again_before_the_comeback_undoes_the_comeback(world: World, kind: DepartureKind) -> None:
    await world.begin(6, rejoin="free")
    await world.drop("dok")
    await world.play_round()
    assert (await rejoin(world, "dok")).round == 3
    if kind is DepartureKind.DROP:
        await world.drop("dok")
    else:
        await leaving.disqualify(world.db, **by_organiser(world, player="dok"))
    (gone,) = (await season_file(world)).departures
    assert (gone.round, gone.rejoined, gone.kind) == (1, None, kind)
    await world.play_round()
    assert verify(await season_file(world)).agrees


async def rejoin(world: World, name: str) -> rejoining.Comeback:
    return await rejoining.rejoin(world.db, actor=world.player(name), now=world.now, league_id=world.league_id)


async def test_coming_back_is_asked_and_each_missed_round_is_a_loss(world: World) -> None:
    await world.begin(6)
    await world.drop("dok")
    await world.play_round()
    asked = await rejoin(world, "dok")
    assert asked.round is None
    with pytest.raises(Conflict, match="already asked"):
        await rejoin(world, "dok")
    (post,) = await world.posts("rejoin")
    assert post.target == "moderation"
    request_id = int(post.facts["request_id"])
    with pytest.raises(NotAllowed):
        await rejoining.answer_rejoin(world.db, actor=MODERATOR, now=world.now, request_id=request_id, accept=True)
    answer = await rejoining.answer_rejoin(world.db, actor=ORGANISER, now=world.now, request_id=request_id, accept=True)
    assert answer.round == 3
    with pytest.raises(Conflict, match="already accepted"):
        await rejoining.answer_rejoin(world.db, actor=ORGANISER, now=world.now, request_id=request_id, accept=False)
    await world.play_round()
    table = {row.name: row for row in (await tables.standings(world.db, actor=BOT, league_id=world.league_id)).rows}
    assert (table["dok"].losses, table["dok"].status) == (2, "active")
    (gone,) = (await season_file(world)).departures
    assert (gone.round, gone.after_pairing, gone.rejoined) == (1, True, 3)
    await world.play_out()
    assert verify(await season_file(world)).agrees


async def test_a_refused_wish_can_be_asked_again(world: World) -> None:
    await world.begin(6)
    await world.drop("dok")
    for _ in range(2):
        await rejoin(world, "dok")
        request_id = max(int(post.facts["request_id"]) for post in await world.posts("rejoin"))
        answer = await rejoining.answer_rejoin(
            world.db, actor=ORGANISER, now=world.now, request_id=request_id, accept=False
        )
        assert answer.round is None
    assert [who.name for who in (await world.status()).entrants if not who.active] == ["dok"]


async def test_coming_back_before_a_round_was_missed_leaves_no_trace_in_the_table(world: World) -> None:
    await world.begin(6, rejoin="free", advance="manual")
    await world.play_round()
    await organising.close(world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.drop("dok")
    assert (await rejoin(world, "dok")).round == 2
    assert (await season_file(world)).departures == ()


async def test_one_can_leave_and_come_back_more_than_once(world: World) -> None:
    await world.begin(7, rejoin="free", rounds=5)
    for _ in range(2):
        await world.drop("dok")
        await world.play_round()
        assert (await rejoin(world, "dok")).round is not None
        await world.play_round()
    assert len((await season_file(world)).departures) == 2
    await world.play_out()
    assert verify(await season_file(world)).agrees


async def test_there_are_seasons_and_times_without_a_way_back(world: World) -> None:
    with pytest.raises(WrongPhase):
        await rejoin(world, "dok")
    await world.begin(6, rejoin="never")
    with pytest.raises(Conflict, match="already in season 1"):
        await rejoin(world, "dok")
    await world.drop("dok")
    with pytest.raises(NotAllowed, match="can't come back"):
        await rejoin(world, "dok")


@pytest.mark.parametrize("format", ["two-loss-out", "single-elimination"])
async def test_formats_that_eliminate_have_no_way_back(world: World, format: str) -> None:
    await world.begin(6, format)
    await world.drop("dok")
    with pytest.raises(LeagueError, match=r"can't come back|finals"):
        await rejoin(world, "dok")


async def test_no_way_back_into_the_finals(world: World) -> None:
    await world.begin(6, rounds=1, rejoin="free")
    await world.drop("dok")
    with pytest.raises(WrongPhase, match="finals"):
        await rejoin(world, "dok")
    await world.play_round()
    with pytest.raises(WrongPhase, match="finals"):
        await rejoin(world, "dok")


# -- what organisers do for players ------------------------------------------------------------------------------------


async def test_a_disqualified_player_is_out_for_good(world: World) -> None:
    await world.begin(6, rejoin="free")
    done = await leaving.disqualify(world.db, **by_organiser(world, player="dok"))
    assert done.forfeited is not None
    with pytest.raises(NotAllowed, match="disqualified"):
        await rejoin(world, "dok")
    with pytest.raises(NotAllowed, match="disqualified"):
        await enter(world, "dok")
    await world.play_round()
    with pytest.raises(Conflict, match="can't be undone any more"):
        await rejoining.reinstate(world.db, **by_organiser(world, player="dok"))
    table = {
        row.name: row.status for row in (await tables.standings(world.db, actor=BOT, league_id=world.league_id)).rows
    }
    assert table["dok"] == "disqualified"


async def test_a_disqualification_is_taken_back_before_the_next_round(world: World) -> None:
    await world.begin(6)
    await leaving.disqualify(world.db, **by_organiser(world, player="dok"))
    back = await rejoining.reinstate(world.db, **by_organiser(world, player="dok"))
    assert back.forfeited is not None
    assert (await season_file(world)).departures == ()
    await decisions.clear(
        world.db, actor=MODERATOR, now=world.now, match=back.forfeited.match.id, league_id=world.league_id, reason="x"
    )
    assert await world.match_of("dok") is not None


async def test_who_is_disqualified_before_the_start_cannot_sign_up_again(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof", "Zoë")
    await leaving.disqualify(world.db, **by_organiser(world, player="dok"))
    with pytest.raises(NotAllowed):
        await enter(world, "dok")
    await world.start()
    view = await questions.current(world.db, actor=BOT, league_id=world.league_id)
    assert {side.name for match in view.matches for side in match.sides} == {"Xorlof", "Zoë"}


async def test_who_has_dropped_can_still_be_disqualified(world: World) -> None:
    await world.begin(6, rejoin="free")
    await world.drop("dok")
    await leaving.disqualify(world.db, **by_organiser(world, player="dok"))
    with pytest.raises(NotAllowed, match="disqualified"):
        await rejoin(world, "dok")


async def test_a_player_who_has_left_is_not_dropped_or_disqualified_once_more(world: World) -> None:
    await world.begin(6)
    await world.drop("dok", confirmed=True)
    with pytest.raises(Conflict, match="dok has already left season 1"):
        await world.drop("dok", confirmed=False)
    with pytest.raises(Conflict, match="dok has already left season 1"):
        await leaving.remove(world.db, **by_organiser(world, player="dok"))
    await leaving.disqualify(world.db, **by_organiser(world, player="dok"))
    with pytest.raises(Conflict, match="dok has already left season 1"):
        await leaving.disqualify(world.db, **by_organiser(world, player="dok"))


async def test_a_disqualification_between_rounds_stands_once_the_next_is_paired(world: World) -> None:
    await world.begin(6, advance="manual")
    await world.play_round()
    await organising.close(world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    await leaving.disqualify(world.db, **by_organiser(world, player="dok"))
    await organising.post(world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    with pytest.raises(Conflict, match="The next round was paired without dok"):
        await rejoining.reinstate(world.db, **by_organiser(world, player="dok"))


async def test_a_request_to_come_back_into_a_season_that_is_over_is_not_accepted(world: World) -> None:
    await world.begin(6, rejoin="ask")
    await world.drop("dok")
    await rejoin(world, "dok")
    await lifecycle.cancel(world.db, **by_organiser(world))
    with pytest.raises(WrongPhase, match=r"Season 1 is over\. dok can join the next one"):
        await rejoining.answer_rejoin(world.db, actor=ORGANISER, now=world.now, request_id=1, accept=True)


async def test_the_match_a_player_won_by_forfeit_is_not_told_as_their_forfeit(world: World) -> None:
    await world.begin(6)
    match = await world.match_of("dok")
    assert match is not None
    await world.drop(next(side.name for side in match.sides if side.name != "dok"))
    await leaving.remove(world.db, **by_organiser(world, player="dok"))
    back = await rejoining.reinstate(world.db, **by_organiser(world, player="dok"))
    assert back.forfeited is None


async def test_an_organiser_drops_and_brings_back(world: World) -> None:
    await world.begin(6)
    await leaving.remove(world.db, **by_organiser(world, player="dok"))
    await world.play_round()
    back = await rejoining.reinstate(world.db, **by_organiser(world, player="dok"))
    assert back.round == 3
    with pytest.raises(Conflict, match="nothing to undo"):
        await rejoining.reinstate(world.db, **by_organiser(world, player="dok"))
    noted = {row.action: row for row in await world.audit()}
    assert (noted["entrant.drop"].actor_id, noted["entrant.drop"].reason) == (ORGANISER.user_id, "asked for it")


@pytest.mark.parametrize("reason", [None, "", " \n "])
async def test_acting_for_a_player_needs_a_reason(world: World, reason: str | None) -> None:
    await world.begin(4)
    for act in (leaving.remove, leaving.disqualify, rejoining.reinstate):
        with pytest.raises(Invalid, match="reason"):
            await act(world.db, **{**by_organiser(world, player="dok"), "reason": reason})


@pytest.mark.parametrize("actor", [STRANGER, MODERATOR, FOREIGNER])
async def test_only_organisers_act_for_players(world: World, actor: Any) -> None:
    await world.begin(4)
    given = {**by_organiser(world), "actor": actor}
    for refused in (
        leaving.remove(world.db, **given, player="dok"),
        leaving.disqualify(world.db, **given, player="dok"),
        rejoining.reinstate(world.db, **given, player="dok"),
        renaming.rename(world.db, **given, player="dok", new_name="doc"),
        signing_up.add(world.db, **given, discord_id=77, display_name="New"),
    ):
        with pytest.raises((NotAllowed, NotFound)):
            await refused
    assert [who.name for who in (await world.status()).entrants] == list(NAMES[:4])


async def test_a_bot_account_cannot_be_added(world: World) -> None:
    await world.create()
    with pytest.raises(Invalid, match="Helper is a bot, and bots can't play"):
        await signing_up.add(world.db, **by_organiser(world, discord_id=77, display_name="Helper", is_bot=True))
    assert (await world.status()).entrants == ()


async def test_adding_a_player_is_signing_them_up(world: World) -> None:
    await world.create()
    added = await signing_up.add(world.db, **by_organiser(world, discord_id=77, display_name="Newcomer"))
    assert (added.entrant.name, added.entrant.discord_id, added.first_time) == ("Newcomer", 77, True)
    noted = (await world.audit())[0]
    assert (noted.action, noted.reason, noted.actor_id) == ("entrant.add", "asked for it", ORGANISER.user_id)


async def test_only_an_organiser_says_who_an_imported_player_is(world: World) -> None:
    text = '{"fairpair": 1, "league": "x", "season": 1, "format": "record", "players": [{"name": "Champ"}]}'
    await files.import_file(world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, data=text.encode())
    await world.create()
    with pytest.raises(Conflict, match="ask an organiser to add you"):
        await enter(world, "Champ")
    with pytest.raises(Conflict, match="ask an organiser to add you"):
        await enter(world, "thief", name="Champ")
    thief = person(66, "Champ")
    with pytest.raises(Conflict):
        await signing_up.sign_up(
            world.db, actor=thief, now=world.now, league_id=world.league_id, display_name="Champ", name="ＣＨＡＭＰ"
        )
    with pytest.raises(Conflict, match="/player add name:"):
        await signing_up.add(world.db, **by_organiser(world, discord_id=77, display_name="Champ"))
    added = await signing_up.add(world.db, **by_organiser(world, discord_id=77, display_name="Somebody", name="Champ"))
    assert (added.entrant.name, added.entrant.discord_id) == ("Champ", 77)
    entry, link = (await world.audit())[:2]
    assert (entry.action, link.action, link.after) == ("entrant.add", "player.link", {"discord_id": 77})
    career = await careers.history(world.db, actor=BOT, league_id=world.league_id, player="Champ")
    assert len(career.seasons) == 0  # neither season has a round
    with pytest.raises(Conflict):
        await signing_up.add(world.db, **by_organiser(world, discord_id=78, display_name="Other", name="Champ"))


async def test_names_change_between_seasons_only_and_stay_taken(world: World) -> None:
    await world.begin(2, rounds=1, cut=2)
    change = by_organiser(world, player="dok", new_name="doc")
    with pytest.raises(WrongPhase, match="between seasons"):
        await renaming.rename(world.db, **change)
    await world.play_out()
    with pytest.raises(Conflict):
        await renaming.rename(world.db, **{**change, "new_name": "XORLOF"})
    assert (await renaming.rename(world.db, **change)).name == "doc"
    noted = (await world.audit())[0]
    assert (noted.action, noted.before, noted.after) == ("player.rename", {"name": "dok"}, {"name": "doc"})
    assert [who.name for who in (await world.status(1)).entrants] == ["dok", "Xorlof"]
    await world.create()
    with pytest.raises(Conflict):
        await enter(world, "thief", name="dok")
    assert (await enter(world, "dok")).entrant.former_names == ("dok",)
    assert (await renaming.rename(world.db, **{**change, "player": "doc", "new_name": "dok"})).name == "dok"
    assert (await world.status()).entrants[0].name == "dok"


async def test_names_are_suggested_the_fitting_ones_first(world: World) -> None:
    await world.create()
    await world.sign_up(*NAMES)

    async def names(typed: str) -> tuple[str, ...]:
        return await find.player_names(world.db, actor=STRANGER, league_id=world.league_id, typed=typed)

    assert await names("k") == ("Kim", "Kinseth", "dok")
    assert len(await names("")) == len(NAMES)
    assert await names("nobody") == ()


async def test_players_are_found_by_former_and_similar_names_but_not_by_chance(world: World) -> None:
    await world.begin(4)
    assert (await leaving.remove(world.db, **by_organiser(world, player=" DOK "))).name == "dok"
    with pytest.raises(NotFound, match="No one in Online HeroScape"):
        await leaving.remove(world.db, **by_organiser(world, player="'; DROP TABLE players; --"))
