"""Setting up a season by clicking: nothing is posted before Open sign-ups, and every setting can be reached."""

from typing import Any

import discord
import pytest
from simcord import SetupError
from simcord.results import InteractionResult

from bot.league import formats
from bot.league.season.setting_values import Page
from bot.league.season.settings import SETTINGS
from cogs.seasons.season_settings import DEFAULT, OTHER
from cogs.seasons.seasons import FORMATS
from tests.cogs.conftest import World, labels, message_text, selects_of, text_of
from tests.examples import mostly_long

OF_OPEN_STAGES = {"stage_ends", "first_match_days"}
"""Shown once all rounds are played at once."""
OF_DIVISIONS = {"moves"}
"""Settings that are shown once there are divisions."""


def selects(shown: InteractionResult) -> dict[str, list[discord.SelectOption]]:
    """Return the selects of a panel: custom_id and options."""
    return selects_of(shown.response)


async def choose(world: World, shown: InteractionResult, which: str, value: str) -> InteractionResult:
    """Choose a value in the select whose custom_id ends so."""
    [custom_id] = [custom_id for custom_id in selects(shown) if custom_id.endswith(which)]
    return await world.organiser.select(shown.response, [value], custom_id=custom_id)


async def panel(world: World, **options: Any) -> InteractionResult:
    await world.league()
    return await world.organiser.slash(world.channel, "season create", **{"format": "ohs", **options})


async def typed(world: World, setting: str, value: str) -> InteractionResult:
    return await world.organiser.slash(world.channel, "season settings", setting=setting, value=value)


async def page_of(world: World, shown: InteractionResult, page: Page) -> InteractionResult:
    """Turn from the first page of a panel to another one."""
    shown = await press(world, shown, "All settings")
    return await choose(world, shown, ":plan-page:" + season_of(shown), page)


async def press(world: World, shown: InteractionResult, label: str) -> InteractionResult:
    return await world.organiser.click(shown.response, label=label)


async def test_nobody_sees_a_season_until_its_sign_ups_open(world: World) -> None:
    before = len(world.channel.history())
    shown = await panel(world, signups_close="3d")
    assert shown.ephemeral
    shown = await typed(world, "rounds", "3")
    assert "New season of Arena League" in text_of(shown)
    assert "You play three rounds, one match a week" in text_of(shown)
    assert "Round 1 by <t:" in text_of(shown)
    assert "These are the latest dates, unless a deadline is moved." in text_of(shown)
    assert len(world.channel.history()) == before
    for command in ("signup", "rules", "standings", "season status"):
        assert "no season" in text_of(await world.players[0].slash(world.channel, command)), command
    opened = await press(world, shown, "Open sign-ups")
    assert "Sign-ups for season 1 are open" in text_of(opened)
    assert "You play three rounds" in message_text(world.post("Sign-ups are open"))


@pytest.mark.long
async def test_a_discarded_season_uses_no_number(world: World) -> None:
    shown = await panel(world)
    assert "Discarded" in text_of(await press(world, shown, "Discard"))
    await world.organiser.slash(world.channel, "season create", format="ohs")
    gone = await world.agreed("season cancel", "Cancel the season")
    assert "no number was used" in text_of(gone)
    assert "season 1" in text_of(await world.opened())
    assert not world.posts("cancelled")


@pytest.mark.long
async def test_hurried_presses_open_or_discard_a_season_once(world: World) -> None:
    shown = await panel(world)
    again = await world.organiser.slash(world.channel, "season settings")
    assert "are open" in text_of(await press(world, shown, "Open sign-ups"))
    assert "Players see each change at once" in text_of(await press(world, again, "Open sign-ups"))
    assert len(world.posts("Sign-ups are open")) == 1
    await world.agreed("season cancel", "Cancel the season")
    first = await world.organiser.slash(world.channel, "season create", format="ohs")
    second = await world.organiser.slash(world.channel, "season settings")
    assert "Discarded" in text_of(await press(world, first, "Discard"))
    assert "This season is cancelled" in text_of(await press(world, second, "Discard"))


@pytest.mark.long
async def test_each_select_changes_the_panel_in_place_and_repeats_its_label(world: World) -> None:
    shown = await panel(world)
    labels = [option.label for options in selects(shown).values() for option in options]
    assert all(label.split(":")[0] in ("Format", "Rounds", "Finals", "Match") for label in labels)
    assert "Rounds: 5, then finals" in labels
    assert "Match: 1 game, finals best of 3, final best of 5" not in labels
    shown = await choose(world, shown, "main:rounds", "5")
    assert "You play five rounds" in text_of(shown)
    shown = await choose(world, shown, "main:match", "1-3-3")
    shown = await choose(world, await page_of(world, shown, Page.MORE), "more:final_best_of", "5")
    shown = await press(world, shown, "Back")
    assert "Finals: best of 3, the final best of 5; lose and you're out." in text_of(shown)
    [games] = [options for custom_id, options in selects(shown).items() if custom_id.endswith(":match")]
    assert [one.label for one in games if one.default] == ["Match: 1 game, finals best of 3, final best of 5"]
    shown = await choose(world, shown, "main:cut", "0")
    assert "There are no finals" in text_of(shown)
    shown = await choose(world, shown, ":plan-format:" + plan_of(shown), "two-loss-out")
    assert "Two losses and you're out" in text_of(shown)


async def test_two_loss_out_says_how_short_it_is_for_few_players_in_the_panel_and_on_the_board(world: World) -> None:
    await world.league()
    prepared = await world.organiser.slash(world.channel, "season create", format="two-loss-out")
    short = "With 8 players: 1 round, then all 8 play the finals, where one loss is enough."
    assert short in text_of(prepared)
    await press(world, prepared, "Open sign-ups")
    assert short in message_text(world.post("Sign-ups are open"))


def plan_of(shown: InteractionResult) -> str:
    """Return which season and version a panel is about."""
    return next(one for one in selects(shown) if ":plan-format:" in one).split(":")[3]


def season_of(shown: InteractionResult) -> str:
    """Return which season a panel is about."""
    return next(one for one in selects(shown) if ":plan-page:" in one).split(":")[3]


@pytest.mark.long
@pytest.mark.parametrize(
    "key",
    mostly_long(format_.key for format_ in formats.ALL),
)
async def test_every_setting_of_a_format_is_reached_and_every_choice_of_it_works(world: World, key: str) -> None:
    shown = await panel(world, format=key)
    reached = {"best_of", "finals_best_of", "final_best_of"}
    for page in Page:
        if page is not Page.MAIN:
            shown = await page_of(world, shown, page)
        for custom_id in [one for one in selects(shown) if f":{page}:" in one]:
            setting = custom_id.rsplit(":", 1)[1]
            reached.add(setting)
            for option in selects(shown)[next(one for one in selects(shown) if one.endswith(f":{page}:{setting}"))]:
                value = option.value
                if value not in (OTHER, DEFAULT):
                    shown = await choose(world, shown, f":{page}:{setting}", value)
                    assert "have changed since" not in text_of(shown), (setting, value)
            shown = await choose(world, shown, f":{page}:{setting}", DEFAULT if setting != "match" else "1-1-1")
        if page is not Page.MAIN:
            shown = await press(world, shown, "Back")
    format_ = formats.by_key(key)
    chosen = {setting for setting in format_.settings_keys if len(format_.offered(setting)) != 1}
    assert reached - {"match"} == chosen - OF_DIVISIONS - OF_OPEN_STAGES
    assert "are open" in text_of(await press(world, shown, "Open sign-ups"))


@pytest.mark.long
async def test_settings_few_leagues_change_are_behind_more_settings_until_they_are_in_force(world: World) -> None:
    shown = await panel(world, format="ohs")

    def there(shown: InteractionResult) -> set[str]:
        return {custom_id.rsplit(":", 1)[1] for custom_id in selects(shown)}

    matches = await page_of(world, shown, Page.MATCHES)
    assert "dice_off" not in there(matches)
    shown = await press(world, matches, "Back")
    more = await page_of(world, shown, Page.MORE)
    assert {"final_best_of", "replace", "dice_off", "variant", "bye_among", "rating"} < there(more)
    more = await choose(world, more, "more:dice_off", "draw")
    assert "dice_off" in there(more), "what was just chosen stays in sight"
    everything = text_of(await choose(world, more, ":plan-page:" + season_of(more), Page.ALL))
    first, few = everything.split("### More settings")
    assert "**Dice-off: by the draw**" in first
    assert "Replacements: the next player goes on" in few
    shown = await press(world, more, "Back")
    assert "Dice-off: by the draw" in text_of(shown), "players read it"
    assert "dice_off" in there(await page_of(world, shown, Page.MATCHES))


@pytest.mark.long
async def test_while_a_season_runs_only_pages_with_something_to_change_are_listed(world: World) -> None:
    await world.started(players=2)
    shown = await press(world, await world.organiser.slash(world.channel, "season settings"), "All settings")
    pages = next(options for custom_id, options in selects(shown).items() if ":plan-page:" in custom_id)
    assert [one.value for one in pages] == [Page.TIME, Page.PEOPLE, Page.MATCHES, Page.ALL]
    assert pages[1].description == "Places, Joining, Role to join, Check-in"


@pytest.mark.long
async def test_a_panel_works_after_a_restart_and_an_old_one_shows_itself_anew(world: World) -> None:
    first = await panel(world)
    await world.restart()
    second = await choose(world, first, "main:rounds", "6")
    assert "six rounds" in text_of(second)
    again = await world.organiser.slash(world.channel, "season settings")
    third = await choose(world, again, "main:rounds", "2")
    assert "two rounds" in text_of(third)
    stale = await choose(world, second, "main:rounds", "7")
    assert "The settings have changed since" in text_of(stale)
    assert "two rounds" in text_of(stale)


@pytest.mark.long
async def test_impossible_settings_are_said_with_what_to_do_and_block_the_opening(world: World) -> None:
    await panel(world, format="ohs")
    shown = await typed(world, "cut", "6")
    shown = await choose(world, shown, ":plan-format:" + plan_of(shown), "keyforge-swiss")
    assert "6 players don't fill a bracket; use 4, 8, 16 or 32" in text_of(shown)
    assert "from 2" in text_of(await typed(world, "max_players", "1"))
    shown = await choose(world, shown, "main:cut", "8")
    assert "Before sign-ups can open" not in text_of(shown)
    assert "are open" in text_of(await press(world, shown, "Open sign-ups"))


async def test_a_form_with_a_mistake_opens_again_with_everything_typed(world: World) -> None:
    shown = await panel(world)
    form = await press(world, shown, "Change dates")
    refused = await world.organiser.submit_modal(form, {"signups_close": "someday soon", "round_days": "5"})
    assert "isn't a date" in text_of(refused)
    again = await press(world, refused, "Edit and try again")
    done = await world.organiser.submit_modal(again, {"signups_close": "2d", "round_days": "5"})
    assert "5 days for each match" in text_of(done)
    other = await choose(world, done, "main:rounds", OTHER)
    refused = await world.organiser.submit_modal(other, {"value": "99"})
    assert "from 1 to 50" in text_of(refused)
    assert "13 rounds" in text_of(
        await world.organiser.submit_modal(await press(world, refused, "Edit and try again"), {"value": "13"})
    )


@pytest.mark.long
async def test_once_the_season_is_played_the_dates_ask_only_for_days(world: World) -> None:
    await world.started(players=4)
    form = await press(world, await world.organiser.slash(world.channel, "season settings"), "Change dates")
    done = await world.organiser.submit_modal(form, {"round_days": "3"})
    assert "3 days for each match" in text_of(done)
    with pytest.raises(SetupError):
        await world.organiser.submit_modal(form, {"signups_close": "3d", "round_days": "3"})


@pytest.mark.long
async def test_seeds_are_given_in_one_form_of_the_panel_where_organisers_give_them(world: World) -> None:
    await world.league()
    await world.season(players=4, format="single-elimination", seeding="seeded")
    shown = await world.organiser.slash(world.channel, "season settings")
    form = await press(world, shown, "Seeds")
    assert r"Ada\nBruno\nChidi\nDaria" in str(form.modal)
    refused = await world.organiser.submit_modal(form, {"names": "Daria\nNobody"})
    assert "No one in Arena League is called “Nobody”" in text_of(refused)
    again = await press(world, refused, "Edit and try again")
    done = await world.organiser.submit_modal(again, {"names": "Daria\nAda\n\nBruno"})
    assert "Seeds saved: 1 Daria, 2 Ada, 3 Bruno. Without a seed: Chidi." in text_of(done)
    form = await press(world, shown, "Seeds")
    assert r"Daria\nAda\nBruno\nChidi" in str(form.modal)
    await world.organiser.submit_modal(form, {"names": "Daria\nAda\nBruno\nChidi"})
    assert "has started" in text_of(await world.organiser.slash(world.channel, "season start"))
    assert "Seeds" not in labels((await world.organiser.slash(world.channel, "season settings")).response)


@pytest.mark.long
async def test_settings_are_copied_from_an_earlier_season(world: World) -> None:
    await world.league()
    await world.season(players=2, rounds=1, cut=0, confirm_hours=6)
    await world.organiser.slash(world.channel, "season start")
    row = world.open_matches()[0]
    await world.report(world.sides(row)[0], "lost", row)
    shown = await world.organiser.slash(world.channel, "season create", **{"format": "ohs", "from": 1})
    assert "Copied from season 1. Changed: nothing yet." in text_of(shown)
    assert "or 6 hours after" in text_of(shown)
    shown = await choose(world, shown, "main:rounds", "2")
    assert "Copied from season 1. Changed: Rounds." in text_of(shown)


@pytest.mark.long
async def test_the_next_season_is_prepared_while_one_is_played_and_opens_after_it(world: World) -> None:
    await world.started(players=2, rounds=1, cut=0)
    shown = await world.organiser.slash(world.channel, "season create", format="ohs")
    assert "Season 1 isn't over yet" in text_of(shown)
    running = await world.organiser.slash(world.channel, "season settings", season=1)
    assert "Settings of Arena League, season 1" in text_of(running)
    row = world.open_matches()[0]
    await world.report(world.sides(row)[0], "lost", row)
    shown = await world.organiser.slash(world.channel, "season settings")
    assert "Sign-ups for season 2 are open" in text_of(await press(world, shown, "Open sign-ups"))


@pytest.mark.long
async def test_players_are_told_when_open_sign_ups_change(world: World) -> None:
    await world.league()
    await world.season(players=2)
    shown = await world.organiser.slash(world.channel, "season settings")
    shown = await choose(world, shown, "main:rounds", "5")
    shown = await choose(world, shown, "main:cut", "2")
    await choose(world, shown, "main:rounds", "3")
    assert world.posts("The rules of season 1 have changed") == []
    await world.jump(minutes=2)
    [post] = world.posts("The rules of season 1 have changed")
    told = message_text(post)
    assert "Rounds: 3 (was 4)." in told
    assert "Finals: top 2 (was the default number)." in told
    assert "three rounds" in message_text(world.post("Sign-ups are open"))


@pytest.mark.long
async def test_every_setting_is_found_by_its_name_and_its_label(world: World) -> None:
    await panel(world, format="keyforge-swiss")
    known = formats.by_key("keyforge-swiss").settings_keys
    assert len(known) > 25, "Discord suggests no more at once"
    for key in known:
        for typed in (key, SETTINGS[key].label):
            found = await world.organiser.autocomplete(world.channel, "season settings", "setting", typed)
            assert key in [choice["value"] for choice in found], typed


@pytest.mark.long
async def test_one_setting_is_changed_by_its_name(world: World) -> None:
    await panel(world, format="keyforge-swiss")
    for typed, key in [("poin", "points"), ("deadline", "overdue"), ("form", "format"), ("sign-ups", "signups_close")]:
        found = await world.organiser.autocomplete(world.channel, "season settings", "setting", typed)
        assert key in [choice["value"] for choice in found]
    for setting, value, words in [
        ("points", "3-1-0-3", "win 3, draw 1, loss 0, bye 3"),
        ("Next round", "manual", "when an organiser posts it"),
        ("rating", "25 8 4 0.1 0", "sigma 8"),
        ("format", "Everyone plays on (OHS)", "Everyone plays on (OHS)"),
        ("salt", "sealed", "Protected draw: yes, sealed until round 1"),
    ]:
        shown = await world.organiser.slash(world.channel, "season settings", setting=setting, value=value)
        assert "Settings saved" in text_of(shown), text_of(shown)
        everything = await page_of(world, shown, Page.ALL)
        assert words in text_of(everything), setting
    for setting, value in [("rounds", "many"), ("nonsense", "1"), ("rating", "1 2"), ("*" * 400, "@everyone")]:
        refused = await world.organiser.slash(world.channel, "season settings", setting=setting, value=value)
        assert refused.ephemeral
        assert "Settings saved" not in text_of(refused)


async def test_a_variant_of_another_game_is_a_problem_that_names_the_game(world: World) -> None:
    await panel(world, format="lightseekers-swiss")
    told = await world.organiser.slash(world.channel, "season settings", setting="variant", value="sealed")
    assert "Sealed belongs to KeyForge" in text_of(told)
    told = await world.organiser.slash(world.channel, "season settings", setting="variant", value="booster-draft")
    assert "belongs to" not in text_of(told)


@pytest.mark.long
async def test_settings_that_were_changed_are_seen_in_the_panel_and_by_players(world: World) -> None:
    await world.league()
    lists = {"number": 1, "per": "season", "due_hours": 0, "secret": "due"}
    settings = {"max_players": 7, "rejoin": "never", "lists": lists, "confirm_hours": 12}
    await world.season(players=2, **settings)
    panel = text_of(await world.organiser.slash(world.channel, "season settings"))
    board = message_text(world.post("Sign-ups are open"))
    rules = text_of(await world.players[0].slash(world.channel, "rules"))
    for shown in (panel, board, rules):
        assert "Places: 7 players" in shown
        assert "Coming back: not possible" in shown
        assert "Lists: 1 for the season" in shown
        assert "12 hours after they were asked" in shown
        assert "Late entry" not in shown


async def test_each_format_is_offered_with_its_sentence(world: World) -> None:
    for one in formats.ALL:
        assert len(f"{one.title}: {one.sentence}") <= 100
    names = [choice.name for choice in FORMATS]
    assert "Single elimination: only a bracket: lose and you're out" in names


async def test_without_a_closing_time_the_dates_are_an_example(world: World) -> None:
    shown = text_of(await panel(world))
    assert "Sign-ups close when you start the season." in shown
    assert "For example, if they close <t:" in shown
    assert "Round 1 by <t:" in shown
    await world.organiser.slash(world.channel, "season settings", setting="signups_close", value="9d")
    assert "For example" not in text_of(await world.organiser.slash(world.channel, "season settings"))


@pytest.mark.long
@pytest.mark.sealed
async def test_a_new_season_is_sealed_which_is_called_its_default(world: World) -> None:
    shown = await page_of(world, await panel(world), Page.PLAY)
    [draws] = [options for custom_id, options in selects(shown).items() if custom_id.endswith(":salt")]
    said = [(one.label, one.description, one.default) for one in draws]
    assert said == [
        ("Protected draw: yes, sealed until round 1", "Default", True),
        ("Protected draw: no", None, False),
    ]
    everything = await choose(world, shown, ":plan-page:" + season_of(shown), Page.ALL)
    assert "**Protected draw" not in text_of(everything), "no one chose it"
    shown = await choose(world, everything, ":plan-page:" + season_of(everything), Page.PLAY)
    shown = await choose(world, shown, "play:salt", "off")
    everything = await choose(world, shown, ":plan-page:" + season_of(shown), Page.ALL)
    assert "**Protected draw: no**" in text_of(everything)
    shown = await choose(world, everything, ":plan-page:" + season_of(everything), Page.PLAY)
    shown = await choose(world, shown, "play:salt", DEFAULT)
    assert "Protected draw: yes" in text_of(await press(world, shown, "Back"))
    assert "Protected draw: no" in text_of(await page_of(world, await typed(world, "salt", "off"), Page.ALL))
    assert "Protected draw: yes" in text_of(await typed(world, "salt", "default"))
    assert "one of: off, sealed" in text_of(await typed(world, "salt", "names"))
