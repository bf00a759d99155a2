"""A place for each group whose matches are all open: its thread is made once, holds its players, and ends with it."""

from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.league.errors import Conflict
from bot.services.threads import thread_notes
from cogs.posting.match_threads import MatchThreads
from tests.cogs.conftest import World, labels, message_text, text_of
from tests.cogs.test_many_threads import stop_after
from tests.cogs.test_match_threads import allow, lines, stored, thread_of, threads
from tests.cogs.test_open_groups import begun, card_of, cards, choose, select_with

THREADS: dict[str, Any] = {"group_size": 4, "match_places": "threads"}


def inside(world: World, thread: ChannelHandle) -> set[int]:
    """Return who is in a thread besides the bot."""
    return set(stored(world, thread).thread_members) - {world.env.backend.bot_user.id}


def own_thread(world: World, name: str) -> ChannelHandle:
    return next(thread for thread in threads(world) if world.player(name).id in inside(world, thread))


def may_make_threads(world: World, allowed: bool) -> None:
    """Change whether anyone on the server, the bot too, makes public threads."""
    everyone = world.env.backend.get_guild(world.guild.id).roles[world.guild.id]
    changed = discord.Permissions(everyone.permissions)
    changed.update(create_public_threads=allowed)
    world.env.backend.edit_role(world.guild.id, everyone.id, {"permissions": changed.value})
    allow(world, create_public_threads=allowed)


@pytest.mark.long
async def test_each_group_has_a_thread_with_its_players_and_its_card_leads_there(world: World) -> None:
    await begun(world, **THREADS)
    await world.jump(minutes=1)
    assert sorted(str(thread.name) for thread in threads(world)) == [
        "Group A: Arena League, season 1",
        "Group B: Arena League, season 1",
    ]
    for card in cards(world):
        thread = next(thread for thread in threads(world) if f"<#{thread.id}>" in message_text(card))
        (opening,) = thread.history()
        assert str(thread.name)[:7] in message_text(card)
        assert message_text(opening).startswith(f"## {str(thread.name)[:7]}")
        assert labels(opening) == ["Report", "My matches", "Standings"]
        still = message_text(card).split("Still to play: ")[1]
        assert inside(world, thread) == {player.id for player in world.players if str(player.user.global_name) in still}
        assert all(f"<@{person}>" in message_text(opening) for person in inside(world, thread))
    assert lines(world) == []
    assert len(world.channel.history()) == 3, "the board and two cards"


@pytest.mark.long
async def test_players_are_let_in_by_one_request_and_notified_by_none(world: World) -> None:
    await world.league()
    await world.season(players=8, format="round-robin", schedule="open", **THREADS)
    before = len(world.env.http_requests)
    await world.organiser.slash(world.channel, "season start")
    made = [(request.method, request.path) for request in world.env.http_requests[before:]]
    for thread in threads(world):
        (opening,) = thread.history()
        place = f"/channels/{thread.id}/messages"
        in_thread = [request for request in made if f"/channels/{thread.id}" in request[1]]
        assert in_thread == [("POST", place), ("PATCH", f"{place}/{opening.id}")]
        assert len(inside(world, thread)) == 4


@pytest.mark.long
async def test_what_is_asked_about_matches_stands_in_the_groups_thread_and_goes_when_answered(world: World) -> None:
    await begun(world, **THREADS)
    ada, thread, before = world.player("Ada"), own_thread(world, "Ada"), len(world.channel.history())
    asked = await ada.slash(thread, "report", result="won")
    assert "Which match?" in text_of(asked)
    opponent = select_with(asked, "")[1][0]
    assert f"you won against {opponent}" in text_of(await choose(ada, asked, opponent))
    question = thread.history()[-1]
    assert "Is that right?" in message_text(question)
    assert world.pinged(question)[0] == {world.player(opponent).id}
    assert "you lost against Ada" in text_of(await world.player(opponent).slash(thread, "confirm"))
    assert "Is that right?" not in message_text(thread.history()[-1])
    mine = await ada.slash(thread, "match")
    assert labels(mine.response).count("Report") == 2, "the two that are left"
    assert len(world.channel.history()) == before


@pytest.mark.long
async def test_who_has_not_begun_is_asked_in_the_thread_of_their_group(world: World) -> None:
    await begun(world, **THREADS, first_match_days=3)
    before = len(world.channel.history())
    await world.jump(days=3, minutes=1)
    for thread in threads(world):
        question = thread.history()[-1]
        assert "your first match" in message_text(question)
        assert world.pinged(question)[0] == inside(world, thread)
    assert len(world.channel.history()) == before


@pytest.mark.long
async def test_a_reminder_of_a_group_stands_in_its_thread(world: World) -> None:
    await begun(world, **THREADS, round_days=7)
    await world.jump(days=11)
    assert world.posts("Still to play:", world.channel) == cards(world)
    for thread in threads(world):
        reminder = thread.history()[-1]
        assert world.pinged(reminder)[0] == inside(world, thread)


@pytest.mark.long
async def test_details_of_a_match_lead_to_the_groups_thread(world: World) -> None:
    await begun(world, **THREADS)
    thread, ada = own_thread(world, "Ada"), world.player("Ada")
    mine = await ada.click(card_of(world, ada), label="My matches")
    details = await choose(ada, mine, select_with(mine, "one-of:1:details")[1][0], "one-of:1:details")
    assert f"Talk about it in <#{thread.id}>" in text_of(details)


async def test_report_on_a_message_in_a_groups_thread_asks_which_of_ones_matches(world: World) -> None:
    await begun(world, **THREADS)
    ada, thread = world.player("Ada"), own_thread(world, "Ada")
    for message in (await ada.send(thread, "When can you play?"), thread.history()[0]):
        asked = await ada.context_menu(thread, "Report this match", message)
        assert "Which match?" in text_of(asked)
    await ada.slash(thread, "report", result="won", match=select_with(asked, "")[1][0])
    refused = await ada.context_menu(thread, "Report this match", thread.history()[-1])
    assert "Which match?" not in text_of(refused), "the question is about one match"


@pytest.mark.long
async def test_a_groups_thread_is_archived_a_day_after_its_last_result_and_revived(world: World) -> None:
    await begun(world, 6, group_size=3, match_places="threads", through=1)
    thread = own_thread(world, "Ada")
    names = [player.user.global_name for player in world.players if player.id in inside(world, thread)]
    first, second, third = names
    for loser, winner in ((first, second), (first, third)):
        await world.player(loser).slash(world.channel, "report", result="lost", match=winner)
    await world.jump(days=2)
    assert not stored(world, thread).thread_metadata.archived
    await world.player(second).slash(world.channel, "report", result="lost", match=third)
    await world.jump(hours=23)
    assert labels(thread.history()[0]) == ["Standings"]
    assert not stored(world, thread).thread_metadata.archived
    await world.jump(hours=2)
    assert stored(world, thread).thread_metadata.archived
    world.env.inject_error("PATCH", f"/channels/{thread.id}/messages/{thread.history()[0].id}", status=400, code=50083)
    offered = await world.organiser.autocomplete(world.channel, "result clear", "match", f"{second} {third}", reason="")
    await world.agreed("result clear", "Clear it", match=offered[0]["value"], reason="wrong")
    await world.env.settle()
    assert not stored(world, thread).thread_metadata.archived
    assert labels(thread.history()[0]) == ["Report", "My matches", "Standings"]


@pytest.mark.long
async def test_an_undone_stage_ends_its_threads_and_keeps_what_was_written_in_them(world: World) -> None:
    await begun(world, **THREADS)
    before = threads(world)
    await world.players[0].send(before[0], "When can you play?")
    await world.agreed("round undo", "Undo the round", reason="wrong groups")
    for thread in before:
        assert stored(world, thread).thread_metadata.archived
        assert "undid" in message_text(thread.history()[0])
        assert labels(thread.history()[0]) == []
    assert before[0].history()[-1].content == "When can you play?"
    await world.agreed("round post", "Post it")
    assert len(threads(world)) == 4
    assert lines(world) == []


@pytest.mark.long
async def test_a_cancelled_season_archives_its_groups_threads(world: World) -> None:
    await begun(world, **THREADS)
    await world.agreed("season cancel", "Cancel the season", reason="too few")
    await world.jump(days=1, minutes=5)
    assert all(stored(world, thread).thread_metadata.archived for thread in threads(world))


@pytest.mark.long
async def test_a_deleted_groups_thread_sends_its_posts_to_the_channel_and_says_so_once(world: World) -> None:
    await begun(world, **THREADS)
    await world.jump(minutes=1)
    ada, thread = world.player("Ada"), own_thread(world, "Ada")
    asked = await ada.slash(thread, "report", result="won")
    opponent = select_with(asked, "")[1][0]
    await choose(ada, asked, opponent)
    for gone in threads(world):
        world.env.backend.delete_channel(gone.id)
    await world.jump(minutes=1)
    question = world.post("Is that right?")
    assert world.pinged(question)[0] == {world.player(opponent).id}
    (told,) = world.posts("was deleted", world.back_room)
    assert "The thread of group" in message_text(told)
    assert not any("Talk about" in message_text(card) for card in cards(world))
    assert threads(world) == []


@pytest.mark.long
async def test_without_the_right_groups_stay_in_the_channel_until_it_is_given(world: World) -> None:
    may_make_threads(world, False)
    await begun(world, **THREADS)
    assert threads(world) == []
    (told,) = world.posts("threads are missing", world.back_room)
    await world.jump(hours=1)
    assert len(world.posts("threads are missing", world.back_room)) == 1
    await world.player("Ada").slash(world.channel, "report", result="won", match="R1 M1")
    may_make_threads(world, True)
    await world.moderator.click(told, label="Try again")
    assert len(threads(world)) == 2
    assert all(len(inside(world, thread)) == 4 for thread in threads(world))


@pytest.mark.long
@pytest.mark.parametrize(
    ("where", "name"),
    [(thread_notes, "begin"), (thread_notes, "made"), (MatchThreads, "keep"), (thread_notes, "added")],
)
async def test_a_groups_thread_is_made_once_wherever_the_bot_stops(
    world: World, monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    await world.league()
    await world.season(players=8, format="round-robin", schedule="open", **THREADS)
    await stop_after(world, monkeypatch, where, name)
    assert len(threads(world)) == 2
    for thread in threads(world):
        assert len(thread.history()) == 1
        assert len(inside(world, thread)) == 4
    assert lines(world) == []


@pytest.mark.long
async def test_a_new_account_is_let_into_the_groups_thread(world: World) -> None:
    await begun(world, **THREADS)
    thread = own_thread(world, "Ada")
    await world.agreed("player link", "Ask them", player="Ada", user=world.outsider)
    await world.outsider.click(world.post("Are you"), label="That's me")
    await world.jump(minutes=1)
    assert world.outsider.id in inside(world, thread)


@pytest.mark.long
async def test_who_left_stays_in_the_groups_thread_and_plays_there_once_put_back(world: World) -> None:
    await begun(world, **THREADS)
    thread, ada = own_thread(world, "Ada"), world.player("Ada")
    await world.agreed("player drop", "Drop them", player="Ada", reason="no time")
    await world.jump(minutes=1)
    assert ada.id in inside(world, thread)
    await world.agreed("player reinstate", "Undo it", player="Ada", reason="time after all")
    await world.jump(minutes=1)
    assert ada.id in inside(world, thread)
    asked = await ada.slash(thread, "report", result="won")
    assert len(select_with(asked, "")[1]) == 3


@pytest.mark.long
async def test_the_card_of_a_groups_thread_names_no_one_who_was_forgotten(world: World) -> None:
    await begun(world, **THREADS)
    thread, ada = own_thread(world, "Ada"), world.player("Ada")
    assert f"<@{ada.id}>" in message_text(thread.history()[0])
    asked = await ada.slash(world.channel, "player forget", player="Ada")
    again = await ada.click(asked.response, label="Forget them")
    assert "called Player " in text_of(await ada.click(again.response, label="Forget them"))
    await world.jump(minutes=2)
    assert f"<@{ada.id}>" not in message_text(thread.history()[0])


@pytest.mark.long
async def test_a_stage_that_goes_on_has_the_threads_it_began_with_whatever_the_setting_is_now(world: World) -> None:
    await begun(world, **{**THREADS, "match_places": "card"})
    await world.settings(match_places="threads")
    await world.jump(minutes=1)
    assert threads(world) == []
    with pytest.raises(Conflict, match="threads are public, one for each group"):
        await world.settings(match_places="private")


@pytest.mark.long
async def test_a_groups_thread_stays_where_its_posts_go_as_the_league_moves_to_another_channel(world: World) -> None:
    await begun(world, **THREADS)
    thread, elsewhere = own_thread(world, "Ada"), world.guild.create_text_channel("elsewhere")
    await world.chief.slash(world.channel, "league settings", channel=elsewhere)
    asked = await world.player("Ada").slash(elsewhere, "report", result="won")
    await choose(world.player("Ada"), asked, select_with(asked, "")[1][0])
    assert "Is that right?" in message_text(thread.history()[-1])


@pytest.mark.long
async def test_a_thread_of_finals_is_one_of_a_match(world: World) -> None:
    await begun(world, 6, group_size=3, match_places="threads", through=1)
    for thread in threads(world):
        names = [player.user.global_name for player in world.players if player.id in inside(world, thread)]
        for loser, winner in ((0, 1), (0, 2), (1, 2)):
            await world.player(str(names[loser])).slash(world.channel, "report", result="lost", match=names[winner])
    assert thread_of(world, "Final: ")
