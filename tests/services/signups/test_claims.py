"""People of an imported past say who they were, organisers answer, and what else can happen meanwhile."""

from typing import Any

import pytest

from bot.league.checking.verify import verify
from bot.league.errors import Conflict, LeagueError, NotAllowed, NotFound
from bot.league.season.model import DepartureKind
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.leagues import deletion, set_up, taking_back
from bot.services.organising import rounds_by_hand
from bot.services.people import banning, forgetting, merging, rejoining, removing, renaming
from bot.services.reads import inbox
from bot.services.seasons import lifecycle
from bot.services.signups import claim_answers, dropping, recognising, signing_up
from bot.services.signups.recognising import Claimed, ClaimsPost, PerhapsYou
from bot.services.signups.signing_up import LateEntry, SignedUp
from storage import rules_season
from storage.query import records
from tests.files import do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import MODERATION, MODERATOR, NAMES, ORGANISER, World
from tests.services.leagues.test_importing_records import brought, order
from tests.services.seats.test_seats import sit_out, substitute

PAST = "season,player,opponent,winner\n1,Ada,Bruno,Ada\n2,Ada,Chloë,Ada\n2,Bruno,Chloë,Bruno\n"


def there(world: World, name: str | None = None) -> dict[str, Any]:
    actor = ORGANISER if name is None else world.player(name)
    return {"db": world.db, "actor": actor, "now": world.now, "league_id": world.league_id}


async def moved_in(world: World, **settings: Any) -> int:
    done = await brought(world, PAST)
    await world.create(**settings)
    return done.id


async def join(world: World, who: str, name: str | None = None, **more: Any) -> Any:
    given: dict[str, Any] = {"display_name": who, "name": name, "agreed": 99, **more}
    return await do(signing_up.sign_up, **there(world, who), **given)


async def claim(world: World, who: str, name: str | None = None) -> Any:
    """Press **Join**, then **That's me**."""
    with pytest.raises(PerhapsYou) as asked:
        await join(world, who, name)
    return await join(world, who, name, claims_to_be=asked.value.past.player.id)


def newest(world: World, name: str) -> int:
    with look_into(world.db) as conn:
        sql = "SELECT max(c.id) FROM claims c JOIN players p ON p.id = c.player_id WHERE p.name = ?"
        return records(conn, sql, name)[0][0]


async def answer(world: World, name: str, accept: bool = True, claim_id: int | None = None, **more: Any) -> Any:
    who = {**there(world), **more}
    return await do(claim_answers.answer, **who, claim_id=claim_id or newest(world, name), accept=accept)


async def waiting(world: World) -> list[str]:
    found = await see(inbox.inbox, **there(world))
    return [f"{row.called} as {row.name}" for row in (found.rows("claims") or {}).values()]


async def inside(world: World) -> list[str]:
    return [who.name for who in (await world.status()).entrants]


async def told(world: World, kind: str = "claim-answer") -> list[str]:
    return [str(post.facts["text"]) for post in await world.posts(kind) if post.person_id is not None]


async def test_a_name_the_league_knows_is_asked_and_organisers_let_them_in_without_another_press(world: World) -> None:
    await moved_in(world)
    with pytest.raises(PerhapsYou, match=r"Are you the Ada who played seasons 1 and 2 \(2 matches\)\?"):
        await join(world, "Ada")
    assert await waiting(world) == []
    done = await claim(world, "Ada")
    assert isinstance(done, Claimed)
    assert (done.name, done.already) == ("Ada", False)
    assert await waiting(world) == ["Ada as Ada"]
    assert await inside(world) == []
    with pytest.raises(NotAllowed):
        await answer(world, "Ada", actor=MODERATOR)
    await answer(world, "Ada")
    (entry,) = (await world.status()).entrants
    assert (entry.name, entry.discord_id) == ("Ada", world.player("Ada").user_id)
    assert "Ada, you're in season 3: an organiser confirmed who you are." in await world.notices()
    assert (await join(world, "Ada")).already
    with pytest.raises(Conflict, match="Ada is Ada already"):
        await answer(world, "Ada")


@pytest.mark.parametrize("name", ["ada", "ADA", "Ádà", "Аda", "Chloe", "CHLOË"])
async def test_a_name_in_other_case_accents_or_letters_is_asked_too(world: World, name: str) -> None:
    await moved_in(world)
    with pytest.raises(PerhapsYou):
        await join(world, name)
    with pytest.raises(PerhapsYou):
        await join(world, "Kim", name)


async def test_someone_else_chooses_another_name_unless_theirs_can_be_had(world: World) -> None:
    await moved_in(world)
    with pytest.raises(PerhapsYou) as asked:
        await join(world, "Ada")
    assert asked.value.taken
    with pytest.raises(Conflict, match="choose another name"):
        await join(world, "Ada", someone_else=True)
    assert isinstance(await join(world, "Ada", "Ada Two", someone_else=True), SignedUp)
    with pytest.raises(PerhapsYou) as asked:
        await join(world, "Chloe")
    assert not asked.value.taken
    assert isinstance(await join(world, "Chloe", someone_else=True), SignedUp)


async def test_pressed_fifty_times_it_is_one_request_and_another_name_takes_its_place(world: World) -> None:
    await moved_in(world)
    for number in range(50):
        done = await (claim(world, "Kim", "Ada") if number == 0 else join(world, "Kim", "Ada", claims_to_be=1))
        assert done.already is (number > 0)
    assert (await join(world, "Kim")).already
    assert await waiting(world) == ["Kim as Ada"]
    await claim(world, "Kim", "Bruno")
    assert await waiting(world) == ["Kim as Bruno"]
    assert isinstance(await join(world, "Kim", "Somebody New"), SignedUp)
    assert await waiting(world) == []


async def test_no_is_told_with_what_to_do_and_isnt_asked_again(world: World) -> None:
    await moved_in(world)
    await claim(world, "Kim", "Ada")
    await answer(world, "Ada", accept=False)
    (text,) = await told(world)
    assert [row.subject for row in await world.audit() if row.action == "claim.no"] == ["Ada"]
    assert "an organiser couldn't confirm that you're Ada" in text
    assert "use /signup with another name" in text
    with pytest.raises(NotAllowed, match="An organiser said you aren't Ada"):
        await join(world, "Kim", "Ada")
    with pytest.raises(Conflict, match="said no to Kim already"):
        await answer(world, "Ada")
    assert isinstance(await join(world, "Kim"), SignedUp)


async def test_two_people_for_one_name_the_first_yes_ends_the_other(world: World) -> None:
    await moved_in(world)
    await claim(world, "Ada")
    with pytest.raises(PerhapsYou) as asked:
        await join(world, "Kim", "Ada")
    assert asked.value.other
    await claim(world, "Kim", "Ada")
    first, second = newest(world, "Ada") - 1, newest(world, "Ada")
    await answer(world, "Ada", claim_id=second)
    (text,) = await told(world)
    assert "Ada plays with another account" in text
    with pytest.raises(Conflict, match="isn't asked any more"):
        await answer(world, "Ada", claim_id=first)
    assert (await world.status()).entrants[0].discord_id == world.player("Kim").user_id


async def test_a_full_season_puts_them_on_the_waiting_list(world: World) -> None:
    await moved_in(world, max_players=2)
    await world.sign_up("Yan", "Zed")
    await claim(world, "Ada")
    await answer(world, "Ada")
    assert await inside(world) == ["Yan", "Zed"]
    assert any("Season 3 is full: you're 1st on the waiting list" in text for text in await world.notices())


async def test_with_approval_it_is_one_request_for_both(world: World) -> None:
    await moved_in(world, approval=True)
    await claim(world, "Ada")
    found = await see(inbox.inbox, **there(world))
    assert (len(found.rows("claims")), len(found.rows("join_requests"))) == (1, 0)
    await answer(world, "Ada")
    assert await inside(world) == ["Ada"]


async def test_the_start_says_who_waits_and_a_late_yes_says_what_it_costs(world: World) -> None:
    await moved_in(world)
    await world.sign_up(*NAMES[:8])
    await claim(world, "Ada")
    with pytest.raises(ConfirmationNeeded, match="Ada still waits for an organiser to say who they are"):
        await do(lifecycle.start, **there(world), agreed="")
    await world.start()
    assert await waiting(world) == ["Ada as Ada"]
    with pytest.raises(PerhapsYou):
        await join(world, "Kim", "Bruno", agreed=1)
    with pytest.raises(LateEntry):
        await join(world, "Kim", "Bruno", agreed=1, claims_to_be=2)
    await answer(world, "Ada")
    assert any(
        "you play in season 3 from round 2 on. Round 1 counts as a loss." in one for one in await world.notices()
    )


async def test_a_yes_after_the_last_round_to_join_gives_the_account_and_says_so(world: World) -> None:
    await moved_in(world, late_entry=1)
    await world.sign_up(*NAMES[:8])
    await claim(world, "Ada")
    await world.start()
    await answer(world, "Ada")
    assert "Ada" not in await inside(world)
    assert "takes no new players any more. Join the next one" in (await told(world))[0]


async def test_a_cancelled_season_ends_every_claim_and_tells_who_waited(world: World) -> None:
    await moved_in(world)
    await claim(world, "Ada")
    gone = newest(world, "Ada")
    await do(lifecycle.cancel, **there(world), reason="too few")
    assert await waiting(world) == []
    assert "no organiser had answered whether you're Ada" in (await told(world))[0]
    with pytest.raises(NotFound):
        await answer(world, "Ada", claim_id=gone)
    with look_into(world.db) as conn:
        assert records(conn, "SELECT * FROM claims") == ()


async def test_someone_with_a_record_here_asks_for_a_merge_and_joins_meanwhile(world: World) -> None:
    await moved_in(world)
    await world.sign_up("Kim")
    done = await claim(world, "Kim", "Ada")
    assert (done.name, done.own) == ("Ada", "Kim")
    assert (await join(world, "Kim")).entrant.name == "Kim"
    with pytest.raises(Conflict, match="/player merge player:Ada into:Kim"):
        await answer(world, "Ada")
    await do(merging.merge, **there(world), player="Ada", into="Kim", reason="one person")
    assert await waiting(world) == []
    assert "Ada and Kim are one player now" in (await told(world))[0]


async def test_a_merge_of_the_claimed_with_someone_else_ends_the_claim(world: World) -> None:
    await moved_in(world)
    await world.sign_up("Kim")
    await claim(world, "Thief", "Ada")
    await do(merging.merge, **there(world), player="Ada", into="Kim", reason="one person")
    assert await waiting(world) == []
    assert "Ada is Kim, who has an account" in (await told(world))[0]


async def test_who_is_banned_claims_nobody_and_nobody_is_let_in_past_a_ban(world: World) -> None:
    await moved_in(world)
    await claim(world, "Ada")
    await claim(world, "Kim", "Bruno")
    await do(banning.ban, **there(world), player="Bruno", reason="cheated")
    assert await waiting(world) == ["Ada as Ada"]
    assert "Nobody can be Bruno" in (await told(world))[0]
    member = banning.Member(discord_id=world.player("Ada").user_id or 0, name="Ada")
    await do(banning.ban, **there(world), player=member, reason="cheated")
    assert await waiting(world) == []
    with pytest.raises(Conflict, match="This isn't asked any more"):
        await answer(world, "Ada")
    for name in (None, "Chloë"):
        with pytest.raises(NotAllowed, match="You're banned"):
            await join(world, "Ada", name)
    with pytest.raises(NotAllowed, match="can't play"):
        await join(world, "Lee", "Bruno")


async def test_forgetting_deletes_what_was_claimed_of_someone_and_by_them(world: World) -> None:
    await moved_in(world)
    await world.sign_up("Kim")
    await claim(world, "Kim", "Ada")
    await claim(world, "Lee", "Bruno")
    await do(forgetting.forget, **there(world), player="Kim")
    assert await waiting(world) == ["Lee as Bruno"]
    await do(forgetting.forget, **there(world), player="Bruno")
    assert await waiting(world) == []
    assert "Nobody can be" in (await told(world))[0]
    with look_into(world.db) as conn:
        assert records(conn, "SELECT * FROM claims") == ()
    with pytest.raises(LeagueError, match="was forgotten"):
        await join(world, "Lee", "Player 2")


async def test_a_rename_is_shown_and_the_claim_goes_on(world: World) -> None:
    await moved_in(world)
    await claim(world, "Ada")
    await world.announce()
    await do(renaming.rename, **there(world), player="Ada", new_name="Ada L.", reason="two Adas")
    (post,) = await world.posts("claims")
    facts = await world.shown(post)
    assert isinstance(facts, ClaimsPost)
    assert [row.name for row, _, _ in facts.rows] == ["Ada L."]
    await answer(world, "Ada L.")
    assert await inside(world) == ["Ada L."]


async def test_an_import_is_taken_back_under_claims_that_wait_and_names_the_accepted_ones(world: World) -> None:
    back = {"import_id": await moved_in(world)}
    await claim(world, "Ada")
    await answer(world, "Ada")
    await claim(world, "Kim", "Bruno")
    with pytest.raises(Conflict, match=r"Ada has a Discord account here now.*Undo.*/player link without a user"):
        await world.db.write(taking_back.take_back, order(world), **back)
    assert await waiting(world) == ["Kim as Bruno"]
    await do(claim_answers.undo, **there(world), claim_id=newest(world, "Ada"))
    await world.db.write(taking_back.take_back, order(world), **back)
    assert await waiting(world) == []
    assert any("Bruno were taken out of this league" in text for text in await told(world))
    assert isinstance(await join(world, "Kim", "Bruno"), SignedUp)


@pytest.mark.long
async def test_a_wrong_yes_is_undone_until_they_are_paired(world: World) -> None:
    await moved_in(world)
    await claim(world, "Kim", "Ada")
    await answer(world, "Ada")
    moderator: dict[str, Any] = {**there(world), "actor": MODERATOR}
    with pytest.raises(NotAllowed):
        await do(claim_answers.undo, **moderator, claim_id=newest(world, "Ada"))
    await do(claim_answers.undo, **there(world), claim_id=newest(world, "Ada"))
    assert await inside(world) == []
    assert "took back that you're Ada" in (await told(world))[-1]
    with pytest.raises(Conflict, match="doesn't have the account of Kim"):
        await do(claim_answers.undo, **there(world), claim_id=newest(world, "Ada"))
    await claim(world, "Ada")
    await answer(world, "Ada")
    with pytest.raises(ConfirmationNeeded, match="leaves the sign-ups of season 3"):
        await do(claim_answers.unlink, **there(world), player="Ada", agreed="")
    await do(claim_answers.unlink, **there(world), player="Ada")
    with pytest.raises(Conflict, match="has no Discord account"):
        await do(claim_answers.unlink, **there(world), player="Ada")
    await claim(world, "Lee", "Ada")
    await answer(world, "Ada")
    await world.sign_up(*NAMES[:7])
    await world.start()
    with pytest.raises(Conflict, match="was paired with this account"):
        await do(claim_answers.undo, **there(world), claim_id=newest(world, "Ada"))
    with pytest.raises(NotAllowed, match="didn't come with an import"):
        await do(claim_answers.unlink, **there(world), player=NAMES[0])


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_wrong_yes_is_undone_while_round_1_waits_also_where_they_have_left(world: World, leaves: bool) -> None:
    """Who had left was to be deleted, which the row of their leaving forbids."""
    await moved_in(world, advance="manual")
    await claim(world, "Kim", "Ada")
    await answer(world, "Ada")
    await world.sign_up(*NAMES[:6])
    await world.start()
    await do(rounds_by_hand.undo, **there(world), reason="oops")
    if leaves:
        await do(dropping.drop, **there(world, "Kim"))
    await do(claim_answers.undo, **there(world), claim_id=newest(world, "Ada"))
    (ada,) = [who for who in (await world.status()).entrants if who.name == "Ada"]
    assert (ada.departed, ada.discord_id) == (DepartureKind.DROP, None)
    await do(rounds_by_hand.post, **there(world))
    await require_verified(world)


async def test_who_rests_in_round_1_and_loses_their_account_leaves_and_changes_no_round(world: World) -> None:
    """They were deleted from their group, and its rounds weren't those of the tables any more."""
    names = ("Ada", "Bruno", "Chloë", "Dora", "Emil")
    await brought(world, f"{PAST}2,Dora,Emil,Dora\n")
    await world.create("round-robin")
    for name in names:
        await claim(world, name)
        await answer(world, name)
    await world.start()
    paired = (await see(posted_round, **there(world))).matches
    played = {side.called for match in paired for side in (match.upper, match.lower)}
    (resting,) = set(names) - played
    with pytest.raises(ConfirmationNeeded, match=f"^{resting} has no Discord account any more, and leaves season 3."):
        await do(claim_answers.unlink, **there(world), player=resting, agreed="")
    await do(claim_answers.unlink, **there(world), player=resting)
    assert len((await world.status()).entrants) == 5
    await require_verified(world)


async def require_verified(world: World) -> None:
    with look_into(world.db) as conn:
        season = rules_season.load(conn, (await world.status()).season.id)
    assert verify(season).agrees


async def test_an_account_stays_while_its_player_takes_over_anothers_place(world: World) -> None:
    """The place was taken for their own, of someone who rests in round 1, and was nearly deleted with them."""
    await moved_in(world, format="round-robin")
    await claim(world, "Kim", "Ada")
    await answer(world, "Ada")
    await do(dropping.drop, **there(world, "Kim"))
    await world.sign_up(*NAMES[:5])
    await world.start()
    paired = (await see(posted_round, **there(world))).matches
    played = {side.called for match in paired for side in (match.upper, match.lower)}
    (resting,) = set(NAMES[:5]) - played
    await substitute(world, resting, "Kim")
    with pytest.raises(Conflict, match=f"/player substitute with {resting} as the new person"):
        await do(claim_answers.unlink, **there(world), player="Ada", agreed="")
    await substitute(world, "Ada", resting)
    await do(claim_answers.unlink, **there(world), player="Ada")
    assert len(await inside(world)) == 5


@pytest.mark.long
async def test_a_page_has_nine_and_mentions_organisers_once(world: World) -> None:
    rows = "".join(f"1,P{number},Q{number},P{number}\n" for number in range(20))
    await brought(world, f"season,player,opponent,winner\n{rows}")
    await world.create()
    mentions: list[Any] = []
    for number in range(12):
        await claim(world, f"P{number}")
        mentions += [found.mention.roles for found in await world.announce() if found.row.kind == "claims"]
    assert mentions == [(world.league.organiser_role_id,)] * 2
    for number in range(9):
        await answer(world, f"P{number}")
    await claim(world, "P13")
    assert [found.row.facts["page"] for found in await world.announce() if found.row.kind == "claims"] == []
    world.later(hours=25)
    await claim(world, "P14")
    assert [found.row.facts["page"] for found in await world.announce() if found.row.kind == "claims"] == [3]


async def test_a_page_that_a_clock_dated_ahead_does_not_grow_until_then(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n1,P0,Q0,P0\n1,P1,Q1,P1\n")
    await world.create()
    right = world.now
    world.later(days=30)
    await claim(world, "P0")
    await world.announce()
    world.now = right
    await claim(world, "P1")
    assert [found.row.facts["page"] for found in await world.announce() if found.row.kind == "claims"] == [2]


async def test_a_page_is_posted_again_where_moderators_get_a_channel(world: World) -> None:
    await do(set_up.change, **there(world), changes={"moderation_channel_id": None})
    await moved_in(world)
    await claim(world, "Ada")
    (public,) = [made for made in await world.announce() if made.row.kind == "claims"]
    assert isinstance(public.post, ClaimsPost)
    assert not public.post.apart
    await do(set_up.change, **there(world), changes={"moderation_channel_id": MODERATION})
    (private,) = [made for made in await world.announce() if made.row.kind == "claims"]
    assert isinstance(private.post, ClaimsPost)
    assert private.post.apart


@pytest.mark.parametrize(
    ("seasons", "words"),
    [
        ((), "Ada of this league's list"),
        ((3,), "Ada who played season 3 (1 match)"),
        ((1, 2), "Ada who played seasons 1 and 2 (2 matches)"),
        ((1, 2, 3, 4), "Ada who played seasons 1 to 4 (4 matches)"),
        ((1, 2, 4), "Ada who played seasons 1, 2 and 4 (3 matches)"),
    ],
)
async def test_someone_is_known_by_what_they_played(world: World, seasons: tuple[int, ...], words: str) -> None:
    rows = "".join(f"{number},Ada,Zed,Ada\n" for number in seasons)
    await brought(world, f"season,player,opponent,winner\n{rows}" if rows else "name\nAda\n")
    await world.create()
    with pytest.raises(PerhapsYou) as asked:
        await join(world, "Ada")
    assert asked.value.past.words == words


async def test_a_deleted_league_leaves_no_claim(world: World) -> None:
    await brought(world, "name\nAda\nBruno\n")
    await world.create()
    await claim(world, "Ada")
    await answer(world, "Ada")
    await claim(world, "Kim", "Bruno")
    await do(deletion.delete, **there(world))
    with look_into(world.db) as conn:
        assert records(conn, "SELECT * FROM claims") == ()
        assert records(conn, "SELECT * FROM imported_accounts") == ()


async def test_who_asks_no_more_leaves_and_the_form_finds_only_who_is_there(world: World) -> None:
    await moved_in(world)
    await claim(world, "Kim", "Ada")
    assert (await do(dropping.drop, **there(world, "Kim"))).asked
    assert await waiting(world) == []
    await see(recognising.require_known, **there(world, "Kim"), name="ada")
    with pytest.raises(NotFound, match="Check the spelling"):
        await see(recognising.require_known, **there(world, "Kim"), name="Adele")


async def test_what_opponents_see_is_kept_until_the_yes(world: World) -> None:
    await moved_in(world, ask_name="user name")
    with pytest.raises(PerhapsYou) as asked:
        await join(world, "Ada")
    me: dict[str, Any] = {"claims_to_be": asked.value.past.player.id}
    with pytest.raises(Conflict, match="asks for your user name"):
        await join(world, "Ada", **me)
    await join(world, "Ada", **me, answer="ada99")
    await answer(world, "Ada")
    with look_into(world.db) as conn:
        assert records(conn, "SELECT answer FROM signup_answers") == (("ada99",),)


async def test_an_organiser_who_adds_them_ends_the_claim(world: World) -> None:
    await moved_in(world)
    await claim(world, "Ada")
    account = world.player("Ada").user_id or 0
    await do(signing_up.add, **there(world), discord_id=account, display_name="Ada", name="Ada")
    assert await waiting(world) == []
    assert await inside(world) == ["Ada"]


async def test_who_substitutes_for_another_claims_to_be_nobody_of_the_past_any_more(world: World) -> None:
    await moved_in(world)
    await world.sign_up(*NAMES[:4])
    await world.start()
    await claim(world, "Kim", "Ada")
    await substitute(world, "dok", "Kim")
    assert await waiting(world) == []


async def test_someone_who_asks_to_join_and_loses_their_account_asks_no_more(world: World) -> None:
    await moved_in(world, approval=True)
    await join(world, "Kim")
    await brought(world, "season,player,opponent,winner\nOld,Kim,Zed,Kim\n")
    assert "Kim" in str((await see(inbox.inbox, **there(world))).rows("join_requests"))
    await do(claim_answers.unlink, **there(world), player="Kim")
    assert not (await see(inbox.inbox, **there(world))).rows("join_requests")


async def test_who_loses_their_account_sits_out_no_round_to_come(world: World) -> None:
    """An organiser who reinstates the place has nobody who could take it back."""
    await moved_in(world)
    await world.sign_up(*NAMES[:4])
    await world.start()
    await claim(world, "Kim", "Ada")
    await answer(world, "Ada")
    await sit_out(world, "Kim", 2)
    await do(claim_answers.unlink, **there(world), player="Ada")
    with look_into(world.db) as conn:
        assert records(conn, "SELECT round FROM sat_out") == ()


@pytest.mark.parametrize("gone", ["account", "person"])
async def test_who_reinstates_a_place_without_an_account_is_told_so_and_what_to_do(world: World, gone: str) -> None:
    await moved_in(world, late_entry=3)
    await world.sign_up(*NAMES[:4])
    await world.start()
    await claim(world, "Kim", "Ada")
    await answer(world, "Ada")
    name, step = "Ada", "/player link gives them one, or /player substitute puts someone else there."
    if gone == "account":
        await do(claim_answers.unlink, **there(world), player="Ada")
    else:
        await do(forgetting.forget, **there(world), player="Ada")
        name = next(who.called for who in (await world.status()).entrants if not who.active)
        step = "nobody can play in this place. /player substitute puts someone else there."
    back: dict[str, Any] = {**there(world), "player": name, "reason": "a mistake"}
    with pytest.raises(ConfirmationNeeded) as asked:
        await do(rejoining.reinstate, **back, agreed="")
    assert f"{name} has no Discord account" in str(asked.value)
    assert step in str(asked.value)
    assert "A post" not in str(asked.value)
    assert (await do(rejoining.reinstate, **back)).to_do.endswith(step)


async def test_whose_account_is_taken_off_asks_to_come_back_no_more(world: World) -> None:
    await brought(world, PAST)
    await world.begin(4, late_entry=3, rejoin="ask")
    await claim(world, "Ada")
    await answer(world, "Ada")
    await do(dropping.drop, **there(world, "Ada"))
    await do(rejoining.rejoin, **there(world, "Ada"))
    assert (await see(inbox.inbox, **there(world))).rows("rejoin_requests")
    await do(claim_answers.unlink, **there(world), player="Ada")
    assert not (await see(inbox.inbox, **there(world))).rows("rejoin_requests")


@pytest.mark.parametrize("then", ["left", "disqualified", "replaced"])
async def test_who_has_no_seat_to_play_in_after_a_yes_is_told_so_with_the_way_back(world: World, then: str) -> None:
    """They got no message: only who can play in the seat is told where."""
    await moved_in(world, late_entry=4)
    await world.sign_up(*NAMES[:8])
    await world.start()
    await claim(world, "Kim", "Ada")
    await answer(world, "Ada")
    await do(claim_answers.undo, **there(world), claim_id=newest(world, "Ada"))
    way = "Ada has left season 3. To come back, use /rejoin."
    if then == "disqualified":
        await do(removing.disqualify, **there(world), player="Ada", reason="x")
        way = "Ada has left season 3. You can't come back this season."
    elif then == "replaced":
        await do(rejoining.reinstate, **there(world), player="Ada", reason="x")
        await substitute(world, "Ada", "Uma")
        await world.play_round()
        way = "Uma plays in your place in season 3. If you want it back, ask an organiser."
    await claim(world, "Ada")
    await answer(world, "Ada")
    assert (await told(world))[-1] == f"You're Ada in this league now: an organiser confirmed it. {way}"
