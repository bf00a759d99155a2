"""Setting up a season in groups by the panel: what it shows first, its groups, the question after joining."""

import json
import re
from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.league.season.setting_values import Page
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.signups import signing_up
from storage.rows import LeagueId
from tests.cogs.conftest import World, labels, message_text, selects_of, text_of
from tests.cogs.test_champion import play_out
from tests.cogs.test_season_panel import choose, page_of, panel, press, selects, typed


def settings_shown(shown: InteractionResult) -> list[str]:
    """Return the settings a page of the panel has selects for, in order."""
    return [custom_id.rsplit(":", 1)[1] for custom_id in selects(shown) if ":plan-set:" in custom_id]


async def groups(world: World) -> InteractionResult:
    """Return the groups, as the panel's button shows them."""
    return await press(world, await world.organiser.slash(world.channel, "season settings"), "Groups")


def written(form: InteractionResult) -> str:
    """Return what stands in the form of the groups as it opens."""
    found = re.search(r"'value': '(Group [^']+)'", str(form.modal))
    assert found is not None, form.modal
    return found[1].replace(r"\n", "\n")


async def live_in(world: World, **zones: str) -> None:
    for name, zone in zones.items():
        await world.player(name).slash(world.channel, "availability", time_zone=zone.replace("__", "/"))


@pytest.mark.long
async def test_a_round_robin_shows_first_what_it_is_made_of_and_the_rest_behind(world: World) -> None:
    shown = await panel(world, format="round-robin")
    assert settings_shown(shown) == ["group_size", "grouping", "meetings", "through", "schedule", "scores", "match"]
    options = [option.value for custom_id in selects(shown) for option in selects(shown)[custom_id]]
    assert {"divisions", "open"} <= {*options}
    more = settings_shown(await page_of(world, shown, Page.MORE))
    assert {"cut", "no_show", "tiebreaks"} <= {*more}
    again = await world.organiser.slash(world.channel, "season settings")
    assert {"points", "draws"} <= {*settings_shown(await page_of(world, again, Page.PLAY))}
    assert "moves" not in more
    shown = await typed(world, "grouping", "divisions")
    assert "moves" in settings_shown(await page_of(world, shown, Page.MORE))


@pytest.mark.long
async def test_only_what_can_be_chosen_is_offered_and_the_deadline_is_that_of_full_groups(world: World) -> None:
    shown = await panel(world, format="round-robin")
    assert "stage_ends" not in settings_shown(await page_of(world, shown, Page.TIME))
    shown = await typed(world, "schedule", "open")
    assert "stage_ends" in settings_shown(await page_of(world, shown, Page.TIME))
    shown = await typed(world, "group_size", "6")
    five_weeks = re.search(r"they close <t:(\d+):D>:\nAll rounds by <t:(\d+):F>", text_of(shown))
    assert five_weeks is not None, text_of(shown)
    assert int(five_weeks[2]) - int(five_weeks[1]) == 5 * 7 * 24 * 60 * 60
    assert not {"late_entry", "rejoin"} & {*settings_shown(await page_of(world, shown, Page.PEOPLE))}


async def test_what_is_once_or_twice_offers_nothing_else_to_type(world: World) -> None:
    shown = selects(await panel(world, format="round-robin"))
    meetings = next(shown[custom_id] for custom_id in shown if custom_id.endswith(":meetings"))
    assert [option.label for option in meetings] == ["Meetings: once", "Meetings: twice"]


@pytest.mark.long
async def test_the_panel_says_sizes_rounds_and_dates_and_never_who_is_where(world: World) -> None:
    await world.league()
    await world.season(players=5, format="round-robin", group_size=3)
    shown = text_of(await world.organiser.slash(world.channel, "season settings"))
    assert "With 5 players so far: 2 groups of 3 and 2, 3 rounds, ends about <t:" in shown
    assert not [name for name in ("Ada", "Bruno", "Chidi", "Daria") if name in shown]


@pytest.mark.long
async def test_places_say_how_the_groups_look_before_anyone_has_joined(world: World) -> None:
    shown = await panel(world, format="round-robin")
    assert "groups of" not in text_of(shown)
    shown = await choose(world, shown, "main:group_size", "5")
    shown = await typed(world, "max_players", "14")
    assert "With 14 players: 3 groups of 5 and 4, 5 rounds, ends about <t:" in text_of(shown)
    shown = await typed(world, "max_players", "200")
    shown = await typed(world, "group_size", "default")
    assert "This takes 199 rounds, and 50 are the most." in text_of(shown)


@pytest.mark.long
async def test_groups_are_written_in_a_form_and_two_change_places(world: World) -> None:
    await world.league()
    await world.season(players=6, format="round-robin", grouping="given")
    shown = await groups(world)
    assert "Without a group" in text_of(shown)
    assert "Change places" not in labels(shown.response)
    form = await press(world, shown, "Write groups")
    assert r"Without a group\nAda\nBruno" in str(form.modal)
    refused = await world.organiser.submit_modal(form, {"groups": "Ada\nGroup A\nBruno"})
    assert "Ada: write the group above, such as Group A" in text_of(refused)
    again = await press(world, refused, "Edit and try again")
    text = "Group A\nAda\nBruno\nChidi\n\ngroup b:\nDaria\nEmil"
    shown = await world.organiser.submit_modal(again, {"groups": text})
    assert "Groups saved." in text_of(shown)
    assert "**Group A** (3): Ada, Bruno, Chidi" in text_of(shown)
    assert "**Without a group** (1): " in text_of(shown)
    form = await press(world, shown, "Change places")
    shown = await world.organiser.submit_modal(form, {"first": "ada", "second": "daria"})
    assert "**Group B** (2): Ada, Emil" in text_of(shown)
    asked = await world.organiser.slash(world.channel, "season start")
    assert "They join the smallest groups." in text_of(asked)
    await press(world, asked, "Start anyway")
    assert "Groups" not in labels((await world.organiser.slash(world.channel, "season settings")).response)
    assert "its groups are fixed" in text_of(await press(world, shown, "Write groups"))


@pytest.mark.long
async def test_groups_are_put_right_once_round_1_was_undone_and_a_player_has_left(world: World) -> None:
    await world.league()
    await world.season(players=6, format="round-robin", grouping="given")
    form = await press(world, await groups(world), "Write groups")
    await world.organiser.submit_modal(form, {"groups": "Group A\nAda\nBruno\nChidi\nDaria\nGroup B\nEmil\nFarah"})
    await world.organiser.slash(world.channel, "season start")
    stale = await world.organiser.slash(world.channel, "season settings")
    await world.agreed("round undo", "Undo the round")
    asked = await world.player("Farah").slash(world.channel, "drop")
    await world.player("Farah").click(asked.response, label="Drop out")
    one = "Group B has one player, and a group needs two or more."
    assert one in message_text(world.post("Couldn't pair the next round", world.back_room))
    refused = text_of(await world.organiser.slash(world.channel, "round post"))
    assert refused.startswith(one), refused
    assert "Groups" not in labels(stale.response)
    shown = await world.organiser.slash(world.channel, "season settings")
    assert "can still change, and groups: round 1 isn't posted." in text_of(shown)
    page = await press(world, shown, "Groups")
    assert "**Group B** (1): Emil" in text_of(page)
    form = await press(world, page, "Write groups")
    page = await world.organiser.submit_modal(form, {"groups": "Group B\nDaria"})
    assert "**Group B** (2): Daria, Emil" in text_of(page)
    assert "You published round 1" in text_of(await world.agreed("round post", "Post it"))
    refused = text_of(await press(world, page, "Change places"))
    assert "Season 1 has started, so its groups are fixed. While round 1 has no result, " in refused
    why = await world.player("Emil").slash(world.channel, "why")
    assert "Round 1 of group B: the table says 1 meets 2." in text_of(why)


@pytest.mark.long
async def test_how_many_go_through_is_offered_once_one_group_is_left_of_an_undone_round_1(world: World) -> None:
    world.players += [world.member(f"Player {number}") for number in range(len(world.players) + 1, 9)]
    await world.started(players=8, format="round-robin", group_size=4, through=1)
    await world.agreed("round undo", "Undo the round")
    shown = await world.organiser.slash(world.channel, "season settings")
    assert "round 1 can't be paired" not in text_of(shown)
    for player in world.players[4:8]:
        asked = await player.slash(world.channel, "drop")
        await player.click(asked.response, label="Drop out")
    shown = await world.organiser.slash(world.channel, "season settings")
    assert "and Into finals: round 1 can't be paired as it is" in text_of(shown)
    assert settings_shown(shown) == ["through"]
    (custom_id,) = [custom_id for custom_id in selects(shown) if custom_id.endswith(":through")]
    shown = await choose(world, shown, custom_id, "2")
    assert settings_shown(shown) == []
    assert "You published round 1" in text_of(await world.agreed("round post", "Post it"))


@pytest.mark.long
async def test_one_press_fills_groups_by_time_zone_and_a_second_asks(world: World) -> None:
    await world.league()
    await world.season(players=6, format="round-robin", grouping="given", group_size=3)
    await live_in(world, Ada="Asia__Tokyo", Bruno="Europe__Berlin", Chidi="Asia__Seoul", Daria="Europe__Rome")
    shown = await press(world, await groups(world), "Fill by time zone")
    assert "4 of 6 players have said what time it is for them." in text_of(shown)
    group_a = next(line for line in text_of(shown).splitlines() if line.startswith("**Group A**"))
    assert "Bruno" in group_a
    assert "Daria" in group_a
    asked = await press(world, shown, "Fill by time zone")
    assert "6 players already have a group." in text_of(asked)
    assert "Nothing was changed" in text_of(await press(world, asked, "Keep the groups"))


@pytest.mark.long
async def test_more_groups_than_fit_are_written_and_shown_in_parts(world: World) -> None:
    await world.league()
    await world.season(players=4, format="round-robin", grouping="given", group_size=3)
    for number in range(160):
        actor = Actor(user_id=9000 + number, name=f"Extra {number:03}", guild_id=world.guild.id)
        order = Order(actor=actor, now=world.now(), league_id=LeagueId(1))
        await world.env.bot.database.write(signing_up.sign_up, order, display_name=actor.name)
    shown = await press(world, await groups(world), "Fill by time zone")
    assert "The next groups" in labels(shown.response)
    following = await press(world, shown, "The next groups")
    assert "Group A**" not in text_of(following)
    form = await press(world, shown, "Write groups")
    saved = await world.organiser.submit_modal(form, {"groups": written(form)})
    assert "Write the next players" in labels(saved.response)
    rest = await press(world, saved, "Write the next players")
    done = await world.organiser.submit_modal(rest, {"groups": written(rest)})
    assert "Groups saved." in text_of(done)
    assert "Write the next players" not in labels(done.response)


@pytest.mark.long
async def test_joining_a_season_in_groups_asks_what_time_it_is_once(world: World) -> None:
    await world.league()
    await world.opened(format="round-robin", group_size=3)
    ada, bruno = world.player("Ada"), world.player("Bruno")
    joined = await ada.click(world.post("Sign-ups are open"), label="Join")
    assert "You're in season 1 as **Ada**" in text_of(joined)
    assert "What time is it for you now?" in text_of(joined)
    assert "can group players by their time zones" in text_of(joined)
    assert len(selects_of(joined.response)) == 2
    again = await ada.click(world.post("Sign-ups are open"), label="Join")
    assert "What time is it" in text_of(again), "who left it is asked again"
    (west, *_), (east, *_) = selects_of(joined.response).values()
    custom_id = next(iter(selects_of(joined.response)))
    city = await ada.select(joined.response, [west.value], custom_id=custom_id)
    ((custom_id, options),) = selects_of(city.response).items()
    done = await ada.select(city.response, [options[0].value], custom_id=custom_id)
    assert "When you can play" in text_of(done)
    again = await ada.click(world.post("Sign-ups are open"), label="Join")
    assert "What time is it" not in text_of(again)
    assert east.value != west.value
    await bruno.slash(world.channel, "availability", time_zone="Europe/Berlin")
    assert "What time is it" not in text_of(await bruno.click(world.post("Sign-ups are open"), label="Join"))


@pytest.mark.parametrize("options", [{"format": "ohs"}, {"format": "single-elimination"}])
async def test_joining_another_season_asks_no_time(world: World, options: dict[str, Any]) -> None:
    await world.league()
    await world.opened(**options)
    joined = await world.players[0].click(world.post("Sign-ups are open"), label="Join")
    assert "What time is it" not in text_of(joined)
    assert "You're in season" in text_of(joined)


async def chosen(world: World) -> dict[str, Any]:
    """Return the settings an organiser chose for the newest season."""
    newest = "SELECT settings FROM seasons WHERE id = (SELECT max(id) FROM seasons)"
    (settings,) = await world.env.bot.database.read(lambda conn: conn.execute(newest).fetchone())
    return json.loads(settings)


@pytest.mark.long
async def test_a_keyforge_league_with_two_meetings_takes_two_choices(world: World) -> None:
    shown = await panel(world, format="round-robin")
    shown = await choose(world, shown, "main:meetings", "2")
    shown = await choose(world, shown, "main:match", "3-3-3")
    assert "You meet everyone twice: one match a week (best of 3)." in text_of(shown)
    assert "are open" in text_of(await press(world, shown, "Open sign-ups"))
    assert await chosen(world) == {"meetings": 2, "best_of": 3, "finals_best_of": 3, "final_best_of": 3}


@pytest.mark.long
async def test_a_blood_bowl_league_of_groups_with_touchdowns_takes_three_choices(world: World) -> None:
    shown = await panel(world, format="round-robin")
    shown = await choose(world, shown, "main:group_size", "4")
    shown = await choose(world, shown, "main:scores", "yes")
    shown = await choose(world, await page_of(world, shown, Page.PLAY), "play:draws", "yes")
    assert "Points: win 3, draw 1, loss 0" in [
        option.label for options in selects(shown).values() for option in options if option.default
    ]
    shown = await press(world, shown, "Back")
    assert "- Points: win 3, draw 1, loss 0" in text_of(shown)
    assert "The first 2 of each group play the finals" in text_of(shown)
    assert "are open" in text_of(await press(world, shown, "Open sign-ups"))
    assert await chosen(world) == {"group_size": 4, "scores": True, "draws": True}


async def test_points_are_typed_as_three_numbers(world: World) -> None:
    await panel(world, format="round-robin")
    assert "Points: win 2, draw 1, loss 0" in text_of(await typed(world, "points", "2-1-0"))
    refused = text_of(await typed(world, "points", "3-1"))
    assert "give 3 numbers (win, draw, loss), for example 3-1-0" in refused


@pytest.mark.long
async def test_the_status_says_that_groups_are_missing(world: World) -> None:
    await world.league()
    await world.season(players=4, format="round-robin", grouping="given")
    status = text_of(await world.organiser.slash(world.channel, "season status"))
    assert "Groups have to be set before the start: `/season settings` has Groups." in status
    refused = await world.organiser.slash(world.channel, "season start")
    assert "No groups are set yet." in text_of(refused)
    assert not world.posts("Round 1")
    assert "Sign-ups are open" in message_text(world.post("Sign-ups are open"))


@pytest.mark.long
async def test_the_status_says_how_many_divisions_there_are_as_the_panel_does(world: World) -> None:
    await world.league()
    await world.season(players=7, format="round-robin", grouping="divisions", group_size=3)
    panel_words = text_of(await world.organiser.slash(world.channel, "season settings"))
    assert "With 7 players so far: 3 divisions of 3 and 2, 3 rounds" in panel_words
    for command in ("season status", "season start", "season status"):
        status = text_of(await world.organiser.slash(world.channel, command))
        assert "Round robin · 7 players · 3 divisions of 3 and 2, 3 rounds" in status


@pytest.mark.long
async def test_the_panel_says_that_players_are_so_far_only_of_those_who_signed_up(world: World) -> None:
    await world.league()
    await world.season(players=2, format="round-robin", group_size=4, max_players=12)
    assert "With 12 players: 3 groups of 4" in text_of(await world.organiser.slash(world.channel, "season settings"))


@pytest.mark.long
async def test_the_panel_says_what_divisions_are_filled_by_and_who_is_where(world: World) -> None:
    await world.league()
    await world.season(players=6, format="round-robin", grouping="divisions", group_size=3)
    shown = await world.organiser.slash(world.channel, "season settings")
    assert "Filled by rating alone. To begin with the last season's ladder" in text_of(shown)
    await world.organiser.slash(world.channel, "season start")
    await play_out(world)
    (post,) = world.posts("is the champion!")
    first = re.search(r"Division 2: first \*\*(\w+)\*\*\. Up to division 1: (\w+)\n", message_text(post))
    assert first is not None
    assert first[1] == first[2]
    champions = text_of(await world.organiser.slash(world.channel, "champions"))
    assert f"** · division 2: {first[1]}" in champions
    profile = text_of(await world.organiser.slash(world.channel, "profile", player=first[1]))
    assert "1st in division 2" in profile
    await world.organiser.slash(world.channel, "season create", format="round-robin", **{"from": 1})
    shown = await world.organiser.slash(world.channel, "season settings")
    text = text_of(shown)
    assert "By the ladder of season 1, if all its 6 players come back:" in text
    assert re.search(rf"\*\*Division 1\*\* \(3\): up {first[1]} · stay \w+, \w+\n", text)
    assert re.search(r"\n\*\*Division 2\*\* \(3\): stay \w+, \w+ · down \w+", text)
    assert "Divisions" not in labels(shown.response)
