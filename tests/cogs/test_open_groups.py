"""A stage whose matches are all open, on Discord: which match is meant, one's own list, a card for each group."""

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.cogs.conftest import World, labels, message_text, selects_of, text_of


async def begun(world: World, count: int = 8, **settings: Any) -> None:
    world.players += [world.member(f"Player {number}") for number in range(len(world.players) + 1, count + 1)]
    await world.started(players=count, format="round-robin", schedule="open", **settings)


def cards(world: World) -> list[discord.Message]:
    return world.posts("season 1 · all matches are ")


def card_of(world: World, who: MemberActor) -> discord.Message:
    return next(card for card in cards(world) if f"{who.user.global_name} " in message_text(card))


def select_with(answer: InteractionResult, hint: str) -> tuple[str, list[str], list[str]]:
    """Return the custom_id, the labels and the values of the select whose custom_id holds some words."""
    chosen = next((id_, options) for id_, options in selects_of(answer.response).items() if hint in id_)
    return chosen[0], [option.label for option in chosen[1]], [option.value for option in chosen[1]]


async def choose(who: MemberActor, answer: InteractionResult, opponent: str, hint: str = "") -> InteractionResult:
    custom_id, names, values = select_with(answer, hint)
    return await who.select(answer.response, [values[names.index(opponent)]], custom_id=custom_id)


@pytest.mark.long
async def test_which_match_is_asked_and_then_what_was_typed_is_done(world: World) -> None:
    await begun(world)
    ada = world.player("Ada")
    asked = await ada.slash(world.channel, "report", result="won")
    assert "Which match?" in text_of(asked)
    assert sorted(select_with(asked, "")[1]) == ["Bruno", "Chidi", "Daria", "Emil", "Farah", "Goro", "Hana"]
    assert "you won against Chidi" in text_of(await choose(ada, asked, "Chidi"))
    chidi = world.player("Chidi")
    assert "you lost against Ada" in text_of(await chidi.slash(world.channel, "confirm")), "the only report for them"
    refused = await ada.slash(world.channel, "confirm")
    assert "None of your open matches waits for that" in text_of(refused)
    disputed = await chidi.slash(world.channel, "dispute", reason="no")
    assert "None of your open matches waits for that" in text_of(disputed)


async def test_a_result_against_who_left_early_is_said_to_count_for_nobody(world: World) -> None:
    """The match and the list of one's matches showed a win that stood in no table."""
    await begun(world, 4)
    ada, bruno, chidi = map(world.player, ("Ada", "Bruno", "Chidi"))
    await ada.slash(world.channel, "report", result="lost", match="Bruno")
    await ada.click((await ada.slash(world.channel, "drop")).response, label="Drop out")
    played = "It counts for nobody, because Ada has left."
    mine = await bruno.slash(world.channel, "match")
    assert f"You won against Ada\n-# Reported by Ada. {played}" in text_of(mine)
    assert f"-# {played}" in text_of(await bruno.click(mine.response, label="Details"))
    forfeit = text_of(await chidi.slash(world.channel, "match"))
    assert "You won against Ada by forfeit\n-# Forfeit: Ada has left. It counts for nobody." in forfeit


@pytest.mark.long
async def test_an_opponents_name_means_the_match_against_them_also_once_it_counts(world: World) -> None:
    await begun(world)
    ada = world.player("Ada")
    assert "you lost against Emil" in text_of(await ada.slash(world.channel, "report", result="lost", match="emil"))
    again = await ada.slash(world.channel, "report", result="lost", match="Emil")
    assert text_of(again).startswith("Already confirmed: ")
    offered = await ada.autocomplete(world.channel, "report", "match", "far", result="won")
    assert ["Farah" in choice["name"] for choice in offered] == [True]


@pytest.mark.long
async def test_the_last_open_match_is_meant_without_a_question(world: World) -> None:
    await begun(world, 3)
    ada = world.player("Ada")
    await ada.slash(world.channel, "report", result="lost", match="Bruno")
    await world.jump(minutes=3)
    assert "you lost against Chidi" in text_of(await ada.slash(world.channel, "report", result="lost"))


@pytest.mark.long
async def test_a_second_lost_right_after_the_last_but_one_is_asked_about(world: World) -> None:
    await begun(world, 3)
    ada = world.player("Ada")
    await ada.slash(world.channel, "report", result="lost", match="Bruno")
    asked = await ada.slash(world.channel, "report", result="lost")
    assert "This is for your match with Chidi. Right?" in text_of(asked)
    assert "Your match with Bruno is already confirmed: Bruno won." in text_of(asked)
    assert "you lost against Chidi" in text_of(await ada.click(asked.response, label="Yes, report it"))


@pytest.mark.long
async def test_a_result_after_the_opponent_reported_theirs_is_asked_about(world: World) -> None:
    await begun(world, 3)
    ada = world.player("Ada")
    await world.player("Bruno").slash(world.channel, "report", result="lost", match="Ada")
    asked = await ada.slash(world.channel, "report", result="won")
    assert "Your match with Bruno is already confirmed: Ada won." in text_of(asked)
    await world.jump(minutes=11)
    assert "you won against Chidi" in text_of(await ada.slash(world.channel, "report", result="won"))


@pytest.mark.long
@pytest.mark.parametrize(("first", "last"), [("Bruno", "Chidi"), ("Chidi", "Bruno")])
async def test_one_lost_more_than_there_are_matches_disputes_nothing(world: World, first: str, last: str) -> None:
    await begun(world, 3)
    ada = world.player("Ada")
    await world.player(first).slash(world.channel, "report", result="lost", match="Ada")
    await world.jump(minutes=11)
    assert f"you lost against {last}" in text_of(await ada.slash(world.channel, "report", result="lost"))
    again = text_of(await ada.slash(world.channel, "report", result="lost"))
    assert again.startswith("Already confirmed: ")
    assert f"you lost against {last}" in again


@pytest.mark.long
async def test_a_moderator_who_names_a_player_with_several_matches_is_asked_which(world: World) -> None:
    await begun(world)
    await world.player("Ada").slash(world.channel, "report", result="won", match="Bruno")
    asked = await world.moderator.slash(world.channel, "confirm", match="Bruno")
    names = select_with(asked, "")[1]
    assert len(names) == 7
    form = await choose(world.moderator, asked, next(one for one in names if "Ada" in one))
    assert form.modal is not None


@pytest.mark.long
async def test_more_matches_than_a_select_holds_follow_behind_more(world: World) -> None:
    await begun(world, 28)
    ada = world.player("Ada")
    asked = await ada.slash(world.channel, "report", result="lost")
    first = select_with(asked, "")[1]
    assert (len(first), first[-1]) == (25, "More…")
    more = await choose(ada, asked, "More…")
    rest = select_with(more, "")[1]
    assert len(first[:-1]) + len(rest) == 27
    assert f"you lost against {rest[-1]}" in text_of(await choose(ada, more, rest[-1]))
    mine = await ada.click(card_of(world, ada), label="My matches")
    assert labels(mine.response).count("Report") == 7
    following = await ada.click(mine.response, label="More matches ▶")
    assert labels(following.response)[:7] == ["Report"] * 7
    assert "◀ Matches before" in labels(following.response)
    details = await choose(ada, mine, "More…", "one-of:1:details")
    assert "You play" in text_of(await choose(ada, details, select_with(details, "")[1][0]))


@pytest.mark.long
async def test_with_seven_open_matches_few_presses_do_everything(world: World) -> None:
    """Report one in three presses, propose a time for another in four, see who still waits in one."""
    await begun(world)
    ada = world.player("Ada")
    asked = await ada.click(card_of(world, ada), label="Report")
    form = await choose(ada, asked, "Bruno")
    assert "you won against Bruno" in text_of(await ada.submit_modal(form, {"result": "won"}))
    for player in (ada, world.player("Goro")):
        await player.slash(world.channel, "availability", time_zone="Europe/Berlin")
    mine = await ada.click(card_of(world, ada), label="My matches")
    assert "Waiting for their answer" in text_of(mine)
    offered = await choose(ada, mine, "Goro", "one-of:1:times")
    custom_id, _, values = select_with(offered, "pick-times")
    confirm = await ada.select(offered.response, values[:1], custom_id=custom_id)
    assert "Sent to Goro" in text_of(await ada.click(confirm.response, label="Send"))
    theirs = await world.player("Goro").slash(world.channel, "match")
    assert "They propose times." in text_of(theirs)
    assert labels(theirs.response)[0] == "Answer", "what asks something of them stands first"
    bruno = await world.player("Bruno").slash(world.channel, "match")
    assert "They reported a win over you. Is that right?" in text_of(bruno)
    answer = await world.player("Bruno").click(bruno.response, label="Answer")
    assert "you lost against Ada" in text_of(await world.player("Bruno").click(answer.response, label="Confirm"))
    problem = await choose(ada, mine, "Hana", "one-of:1:problem")
    assert problem.modal is not None


async def test_menus_ask_which_where_two_meet_twice(world: World) -> None:
    await begun(world, 3, meetings=2)
    ada, bruno = world.player("Ada"), world.player("Bruno")
    asked = await ada.context_menu(world.channel, "Propose a time", bruno)
    assert select_with(asked, "")[1] == ["Bruno", "Bruno"]
    reporting = await ada.context_menu(world.channel, "Report our match", bruno)
    assert (await choose(ada, reporting, "Bruno")).modal is not None
    form = await choose(ada, await ada.context_menu(world.channel, "Report this match", cards(world)[0]), "Bruno")
    assert form.modal is not None
    named = await ada.slash(world.channel, "report", result="lost", match="Bruno")
    assert select_with(named, "")[1] == ["Bruno", "Bruno"]
    assert ", round " in text_of(await ada.slash(world.channel, "match"))


@pytest.mark.long
async def test_report_on_the_opponent_opens_the_form_of_the_match_with_them(world: World) -> None:
    await begun(world, group_size=4)
    ada = world.player("Ada")
    mates = [who for who in world.players if card_of(world, who).id == card_of(world, ada).id]
    mate = next(who for who in mates if who is not ada)
    stranger = next(who for who in world.players if who not in mates)
    form = await ada.context_menu(world.channel, "Report our match", mate)
    assert form.modal is not None
    done = await ada.submit_modal(form, {"result": "won"})
    assert f"you won against {mate.user.global_name}" in text_of(done)
    question = world.post("Is that right?")
    assert "round" not in message_text(question)
    assert "(group " in message_text(question)
    refused = await ada.context_menu(world.channel, "Report our match", stranger)
    assert "You have no open match with them." in text_of(refused)


@pytest.mark.long
async def test_each_group_has_one_card_that_mentions_its_players(world: World) -> None:
    await begun(world, group_size=4)
    assert [message_text(card).count("### ") + ("## Group" in message_text(card)) for card in cards(world)] == [1, 1]
    assert len(world.channel.history()) == 3, "the board and two cards"
    pinged = [world.pinged(card)[0] for card in cards(world)]
    assert [len(people) for people in pinged] == [4, 4]
    assert pinged[0] | pinged[1] == {player.id for player in world.players}
    assert [labels(card) for card in cards(world)] == [["Report", "My matches", "As text"]] * 2
    assert "My matches" in labels(world.channel.history()[0])
    text = await world.outsider.click(cards(world)[1], label="As text")
    assert "group B" in text_of(text)
    outside = await world.outsider.click(cards(world)[0], label="Report")
    assert "You're not in season 1." in text_of(outside)


@pytest.mark.long
async def test_a_card_says_what_was_last_and_is_drawn_again_each_ten_minutes_and_for_the_last_result(
    world: World,
) -> None:
    await begun(world, 3, cut=0)
    ada, bruno = world.player("Ada"), world.player("Bruno")
    await ada.slash(world.channel, "report", result="lost", match="Bruno")
    assert "Last: **Bruno** beat Ada" in message_text(cards(world)[0])
    assert "Still to play: Chidi 2, Ada 1, Bruno 1" in message_text(cards(world)[0])
    await world.jump(seconds=1)
    await ada.slash(world.channel, "report", result="lost", match="Chidi")
    assert "Ada 1" in message_text(cards(world)[0]), "not again so soon"
    await world.jump(minutes=10)
    assert "Last: **Chidi** beat Ada · **Bruno** beat Ada" in message_text(cards(world)[0])
    await bruno.slash(world.channel, "report", result="lost", match="Chidi")
    (card,) = cards(world)
    assert "all matches are over" in message_text(card)
    assert "All results are in." in message_text(card)
    assert labels(card) == ["As text"]


@pytest.mark.long
async def test_why_asks_which_match_is_meant(world: World) -> None:
    await begun(world, 4)
    ada = world.player("Ada")
    asked = await ada.slash(world.channel, "why")
    assert "Which match?" in text_of(asked)
    why = text_of(await choose(ada, asked, "Bruno"))
    assert "Bruno" in why
    assert "Season 1" in why
    theirs = await ada.slash(world.channel, "why", player="Bruno")
    assert len(select_with(theirs, "")[1]) == 3, "Bruno's, of which one is Ada's own"


@pytest.mark.long
async def test_undoing_the_stage_takes_its_cards_back(world: World) -> None:
    await begun(world, group_size=4)
    await world.agreed("round undo", "Undo the round", reason="wrong groups")
    assert cards(world) == []


@pytest.mark.long
@pytest.mark.parametrize("meetings", [1, 2])
async def test_news_come_once_a_week_with_results_and_who_leads(world: World, meetings: int) -> None:
    await begun(world, 3, round_days=7, meetings=meetings)
    await world.jump(days=7, minutes=1)
    assert world.posts("since the last news") == [], "without a result there's nothing to tell"
    await world.player("Ada").slash(world.channel, "report", result="lost", match="R1 M1")
    await world.player("Ada").slash(world.channel, "report", result="lost", match="R2 M1")
    await world.jump(days=7, minutes=1)
    (news,) = world.posts("since the last news")
    assert "1 result since the last news" in message_text(news)
    assert "**First**" in message_text(news)
    await world.jump(days=14)
    assert len(world.posts("since the last news")) == 1
