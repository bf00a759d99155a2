"""What a season asks at sign-up for opponents: who gives it, who reads it, and where it never stands."""

import json
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Invalid, NotFound, WrongPhase
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.permissions import Actor
from bot.services.delivery import delivery
from bot.services.leagues import exporting
from bot.services.matches.outcome import Outcome
from bot.services.people import forgetting, notifying
from bot.services.play import decisions, reporting
from bot.services.reads import details, guidance, my_match, season_sheets
from bot.services.reads.details import Details, MatchThreadPost
from bot.services.seasons import lifecycle, planning
from bot.services.seats import substitutes
from bot.services.signups import names_in_game, signing_up
from bot.services.signups.names_in_game import AnswerNeeded, MatchAnswers
from bot.services.threads import thread_notes
from bot.services.times import proposing
from cogs.posting.renderings import render
from cogs.ui.cards import texts_of
from storage.tables.people.notify import How, Topic
from tests.files import do, look_into, see
from tests.services.conftest import MODERATOR, ORGANISER, STRANGER, World, person

QUESTION = "KeyForge user name"
NAMES = ("Ann", "Bo", "Cy", "Dee")


def said(name: str) -> str:
    return f"QX-{name.upper()}-77"


def there(world: World, actor: Actor = ORGANISER) -> dict[str, Any]:
    return {"db": world.db, "actor": actor, "now": world.now, "league_id": world.league_id}


async def sign_up(world: World, name: str, answer: str | None = None, **more: Any) -> Any:
    return await do(
        signing_up.sign_up, **there(world, world.player(name)), display_name=name, agreed=99, answer=answer, **more
    )


async def begin(world: World, **settings: Any) -> None:
    await world.create(ask_name=QUESTION, **settings)
    for name in NAMES:
        await sign_up(world, name, said(name))
    await world.start()


async def seen(world: World, name: str, actor: Actor) -> dict[str, str | None] | None:
    """Return what an actor reads in the match of a player, None where they read nothing."""
    view = await world.match_of(name)
    assert view is not None
    return answers(await see(details.details, db=world.db, actor=actor, now=world.now, match=view.match.id))


def answers(found: Details) -> dict[str, str | None] | None:
    part = found.part(MatchAnswers)
    return None if part is None else {side.name: answer for side, answer in part.answers}


async def opponent_of(world: World, name: str) -> str:
    view = await world.match_of(name)
    assert view is not None
    return next(side.name for side in view.sides if side.name != name)


async def change(world: World, **settings: Any) -> None:
    await do(planning.change_settings, **there(world), settings=settings)


async def test_who_joins_is_asked_and_isnt_in_before_they_answer(world: World) -> None:
    await world.create(ask_name=QUESTION)
    with pytest.raises(AnswerNeeded) as needed:
        await sign_up(world, "Ann")
    assert needed.value.question == QUESTION
    assert (await world.status()).entrants == ()
    assert not (await sign_up(world, "Ann", "  Ann 77 ")).already
    mine = await see(names_in_game.own, **there(world, world.player("Ann")))
    assert (mine.question, mine.answer) == (QUESTION, "Ann 77")


@pytest.mark.parametrize(
    "typed",
    ["", "   ", "x" * 65, "x" * 100_000, "two\nlines", "@everyone", "<@123>", "go /report", "\u202egnp", "a\u200bb"],
)
async def test_an_answer_no_one_could_show_is_refused_and_nothing_is_kept(world: World, typed: str) -> None:
    await world.create(ask_name=QUESTION)
    with pytest.raises(Invalid):
        await sign_up(world, "Ann", typed)
    assert (await world.status()).entrants == ()
    await sign_up(world, "Ann", "*Ann* `77` [x](y)")
    with pytest.raises(Invalid):
        await do(names_in_game.give, **there(world, world.player("Ann")), answer=typed)
    mine = await see(names_in_game.own, **there(world, world.player("Ann")))
    assert mine.answer == "*Ann* `77` [x](y)"


async def test_an_answer_is_kept_for_the_next_season_and_other_words_ask_again(world: World) -> None:
    await world.create(ask_name=QUESTION)
    await sign_up(world, "Ann", "Ann 77")
    await do(lifecycle.cancel, **there(world))
    await world.create(ask_name="keyforge  USER name")
    await sign_up(world, "Ann")
    await do(lifecycle.cancel, **there(world))
    await world.create(ask_name="The Crucible name")
    with pytest.raises(AnswerNeeded):
        await sign_up(world, "Ann")
    await sign_up(world, "Ann", "Crucible Ann")
    await change(world, ask_name=QUESTION)
    mine = await see(names_in_game.own, **there(world, world.player("Ann")))
    assert mine.answer == "Ann 77"


async def test_who_waits_is_asked_too_and_who_is_added_or_takes_a_place_isnt(world: World) -> None:
    await world.create(ask_name=QUESTION, max_players=2)
    who: Any = {"discord_id": world.player("Ann").user_id, "display_name": "Ann"}
    await do(signing_up.add, **there(world), **who)
    await sign_up(world, "Bo", said("Bo"))
    with pytest.raises(AnswerNeeded):
        await sign_up(world, "Cy")
    await sign_up(world, "Cy", said("Cy"))
    await world.drop("Ann")
    (asked,) = await world.posts("place")
    place: Any = {"actor": world.player("Cy"), "now": world.now, "waiting_id": asked.facts["waiting_id"]}
    await do(signing_up.take_place, db=world.db, **place)
    assert [one.name for one in (await world.status()).entrants if one.active] == ["Bo", "Cy"]


async def test_who_was_added_is_told_how_to_give_it(world: World) -> None:
    await world.create(ask_name=QUESTION)
    ann = world.player("Ann")
    await do(signing_up.add, **there(world), discord_id=ann.user_id, display_name="Ann")
    told = f"Your opponents can't see your {QUESTION} yet: fill it in with /match."
    assert told in (await see(guidance.guidance, **there(world, ann))).parts["As a player"]
    mine = await see(my_match.my_match, **there(world, ann))
    assert mine.answer is not None
    assert mine.answer.answer is None
    with pytest.raises(AnswerNeeded):
        await sign_up(world, "Ann")
    assert (await sign_up(world, "Ann", said("Ann"))).already
    assert told not in (await see(guidance.guidance, **there(world, ann))).parts["As a player"]


async def test_an_opponent_reads_it_and_no_one_else(world: World) -> None:
    await begin(world)
    other = await opponent_of(world, "Ann")
    third = next(name for name in NAMES if name not in ("Ann", other))
    assert await seen(world, "Ann", world.player("Ann")) == {other: said(other)}
    for actor in (world.player(third), MODERATOR, ORGANISER, STRANGER):
        assert await seen(world, "Ann", actor) is None
    await do(names_in_game.give, **there(world, world.player(other)), answer="another")
    assert await seen(world, "Ann", world.player("Ann")) == {other: "another"}


async def test_a_substitutes_answer_takes_the_place_of_the_one_they_play_for(world: World) -> None:
    await begin(world, rounds=3)
    other = await opponent_of(world, "Ann")
    sam = person(8888, "Sam")
    newcomer = Newcomer(discord_id=8888, wanted=None, display_name="Sam", by_organiser=True)
    await do(substitutes.substitute, **there(world), old=other, newcomer=newcomer)
    assert await seen(world, "Ann", world.player("Ann")) == {other: said(other)}, "who plays this round"
    (told,) = [post for post in await world.posts("own-place") if QUESTION in str(post.facts["text"])]
    assert 8888 in told.facts["pings"]
    assert len([post for post in await world.posts("own-place") if 8888 in post.facts.get("pings", ())]) == 1, "once"
    await world.play_round()
    world.players["Sam"] = sam
    view = await world.match_of(other)
    assert view is not None
    rival = next(side.name for side in view.sides if side.name != other)
    assert await seen(world, other, world.player(rival)) == {other: None}
    await do(names_in_game.give, **there(world, sam), answer=said("Sam"))
    assert await seen(world, other, world.player(rival)) == {other: said("Sam")}
    assert await seen(world, other, world.player(other)) is None


async def test_nothing_is_shown_once_nothing_is_asked_or_the_season_is_over(world: World) -> None:
    await begin(world)
    ann = world.player("Ann")
    await change(world, ask_name=None)
    assert await seen(world, "Ann", ann) is None
    with pytest.raises(WrongPhase, match="asks nothing"):
        await do(names_in_game.give, **there(world, ann), answer="x")
    await change(world, ask_name=QUESTION)
    assert await seen(world, "Ann", ann) is not None
    view = await world.match_of("Ann")
    assert view is not None
    await do(lifecycle.cancel, **there(world))
    found = await see(details.details, db=world.db, actor=ann, now=world.now, match=view.match.id)
    assert answers(found) is None
    with pytest.raises(WrongPhase):
        await do(names_in_game.give, **there(world, ann), answer="x")


async def test_who_never_signed_up_has_nothing_to_change(world: World) -> None:
    await world.create(ask_name=QUESTION)
    with pytest.raises(NotFound, match="haven't signed up"):
        await do(names_in_game.give, **there(world, STRANGER), answer="x")


async def thread(world: World, name: str) -> MatchThreadPost:
    """Return what the thread of a player's match shows, which is made if it wasn't yet."""
    view = await world.match_of(name)
    assert view is not None
    (post,) = [post for post in await world.posts("thread") if post.match_id == view.match.id]
    facts = await world.shown(post)
    assert isinstance(facts, MatchThreadPost)
    if facts.thread_id is None:
        await world.db.write(thread_notes.begin, view.match.id)
        await world.db.write(
            thread_notes.made, view.match.id, 50_000 + view.match.id, private=facts.private, now=world.now
        )
    return facts


async def test_a_private_thread_shows_both_answers_and_a_public_one_none_whatever_is_set_later(world: World) -> None:
    await begin(world, match_places="private")
    other = await opponent_of(world, "Ann")
    facts = await thread(world, "Ann")
    assert answers(facts.details) == {"Ann": said("Ann"), other: said(other)}
    words = "\n".join(texts_of(render("thread", facts).parts))  # type: ignore[arg-type]
    assert said("Ann") in words
    assert said(other) in words


async def test_a_thread_that_was_made_for_everyone_stays_so(world: World) -> None:
    await begin(world, match_places="threads")
    assert answers((await thread(world, "Ann")).details) is None
    await change(world, match_places="private")
    facts = await thread(world, "Ann")
    assert not facts.private
    assert answers(facts.details) is None
    assert "QX-" not in "\n".join(texts_of(render("thread", facts).parts))  # type: ignore[arg-type]


async def test_a_message_that_asks_shows_it_only_where_no_one_else_reads(world: World) -> None:
    await begin(world)
    ann = world.player("Ann")
    bo = world.player(await opponent_of(world, "Ann"))
    view = await world.match_of("Ann")
    assert view is not None
    times: Any = {"match": view.match.id, "chosen": [world.now + timedelta(days=1)]}
    await do(proposing.propose, db=world.db, actor=ann, now=world.now, **times)
    assert [one.also for one in await world.announce() if one.row.kind == "times"] == [()]
    await do(notifying.choose, **there(world, bo), topic=Topic.TIME, how=How.DIRECT)
    times["chosen"] = [world.now + timedelta(days=2)]
    await do(proposing.propose, db=world.db, actor=ann, now=world.now, **times)
    told = [one for one in await world.announce() if one.row.kind == "times"]
    assert [(one.row.person_id, one.also) for one in told] == [(bo.user_id, (f"Ann · {QUESTION}: {said('Ann')}",))]


async def test_a_reminder_tells_each_person_only_of_their_own_opponent(world: World) -> None:
    await begin(world)
    for name in NAMES[:2]:
        await do(notifying.choose, **there(world, world.player(name)), topic=Topic.DEADLINE, how=How.DIRECT)
    await steps.tick(world.db, world.later(days=6, hours=1))
    told = {one.row.person_id: one.also for one in await world.announce() if one.row.kind == "reminder"}
    for name in NAMES[:2]:
        other = await opponent_of(world, name)
        assert told[world.player(name).user_id] == (f"{other} · {QUESTION}: {said(other)}",)
    assert told[None] == ()


async def test_a_direct_message_about_a_result_that_counts_shows_it_no_more(world: World) -> None:
    await begin(world)
    bo = world.player(await opponent_of(world, "Ann"))
    view = await world.match_of("Ann")
    assert view is not None
    match: Any = {"db": world.db, "now": world.now, "match": view.match.id}
    for topic in (Topic.QUESTION, Topic.NEWS):
        await do(notifying.choose, **there(world, bo), topic=topic, how=How.DIRECT)
    await do(reporting.report, **match, actor=world.player("Ann"), result="won")
    (asked,) = [one for one in await world.announce() if one.row.person_id == bo.user_id]
    assert asked.also == (f"Ann · {QUESTION}: {said('Ann')}",)
    await do(decisions.decide, **match, actor=MODERATOR, outcome=Outcome.LOWER, reason="seen")
    told = [one for one in await world.announce() if one.row.person_id == bo.user_id]
    assert told
    assert all(one.also == () for one in told)


async def test_it_stands_in_no_file_no_post_for_all_and_no_line_of_the_log(world: World) -> None:
    await begin(world)
    await do(names_in_game.give, **there(world, world.player("Ann")), answer="QX-NEW")
    made = (await see(exporting.export, **there(world))).text
    assert "QX-" not in made
    assert "ask_name" not in json.loads(made)["settings"]
    found = await see(season_sheets.taken, **there(world))
    tables = season_sheets.sheets(found)
    assert "QX-" not in repr(tables)
    posts = await world.posts()
    assert {"round", "board"} <= {post.kind for post in posts}
    for post in posts:
        loaded = await world.db.read(delivery.load, post.id, world.now)
        assert loaded is not None
        assert "QX-" not in repr(loaded)
    assert all("QX-" not in repr(row) for row in await world.audit())
    assert any(row.action == "player.answer" for row in await world.audit())


async def test_it_is_forgotten_with_the_person(world: World) -> None:
    await begin(world)
    with pytest.raises(ConfirmationNeeded) as cost:
        await do(forgetting.forget, **there(world), player="Ann", agreed="")
    assert "answers" in cost.value.cost
    await do(forgetting.forget, **there(world), player="Ann")
    with look_into(world.db) as conn:
        kept = {answer for (answer,) in conn.execute_fetchall("SELECT answer FROM signup_answers")}
    assert kept == {said(name) for name in NAMES[1:]}
