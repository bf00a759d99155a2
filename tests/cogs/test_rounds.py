"""Rounds by hand: draft, swap, publish, deadline, end, take back; and what players can look up."""

import pytest
from simcord.backend.errors import OptionError
from simcord.results import InteractionResult

from tests.cogs.conftest import World, labels, message_text, text_of


async def manual(world: World, players: int = 4) -> None:
    """Start a season in which nothing follows of itself, and play its first round."""
    await world.started(players=players, advance="manual", rounds=3)
    for post in world.open_matches():
        await world.report(world.sides(post)[1], "lost", post)
    assert not world.open_matches()


@pytest.mark.long
async def test_a_draft_is_seen_swapped_and_published(world: World) -> None:
    await manual(world)
    status = await world.organiser.slash(world.channel, "season status")
    assert labels(status.response) == ["End the round", "Finish the season"]
    asked = await world.organiser.click(status.response, label="End the round")
    closed = await world.organiser.click(asked.response, label="End the round")
    assert "The round is over" in text_of(closed)
    asked = await world.organiser.slash(world.channel, "round post")
    assert asked.ephemeral
    assert labels(asked.response) == ["Post it", "Preview", "Not yet"]
    draft = await world.organiser.click(asked.response, label="Preview")
    assert "Only organisers see this preview" in text_of(draft)
    assert not world.posts("Round 2")
    pairs = [line.split("** ")[1].split(" v ") for line in text_of(draft).splitlines() if " v " in line]
    named = {"a": pairs[0][1], "b": pairs[1][1], "reason": "holidays"}
    asked = text_of(await world.organiser.slash(world.channel, "round swap", **named))
    assert f"{pairs[0][0]} v {pairs[1][1]} and {pairs[1][0]} v {pairs[0][1]} instead of" in asked
    assert "Everyone who checks the season sees that an organiser changed round 2. It's a preview" in asked
    swapped = await world.agreed("round swap", "Swap", **named)
    assert f"{pairs[0][0]} v {pairs[1][1]}" in text_of(swapped)
    old = await world.organiser.click(draft.response, label="Post it")
    assert "This has changed since you were asked" in text_of(old)
    assert not world.posts("Round 2")
    published = await world.organiser.click(old.response, label="Post it")
    assert "You published round 2 in" in text_of(published)
    assert "Changed by an organiser: holidays" in message_text(world.post("Round 2"))
    assert len(world.open_matches()) == 2


async def test_a_round_can_be_taken_back(world: World) -> None:
    await world.started(players=4)
    undone = await world.agreed("round undo", "Undo the round", reason="wrong players")
    assert "You undid round 1" in text_of(undone)
    assert not world.open_matches()


@pytest.mark.long
async def test_deadlines_move_for_all_or_for_one(world: World) -> None:
    await world.started(players=4)
    asked = await world.organiser.slash(world.channel, "round extend", days=2)
    assert labels(asked.response) == ["Give more time", "Keep the deadline"]
    assert "2 more days for round 1: until " in text_of(asked)
    assert "4 players without a result will be told." in text_of(asked)
    assert not world.posts("2 more days")
    whole = await world.organiser.click(asked.response, label="Give more time")
    one = await world.agreed("round extend", "Give more time", days=3, match="R1 M2")
    assert "Round 1 of 4: the new deadline is <t:" in text_of(whole)
    assert "(round 1): the new deadline is <t:" in text_of(one)
    assert text_of(whole).split("<t:")[1] != text_of(one).split("<t:")[1]
    for days in (0, -1, 1000):
        with pytest.raises(OptionError):
            await world.organiser.slash(world.channel, "round extend", days=days)


@pytest.mark.long
async def test_everybody_can_look_up(world: World) -> None:
    await world.started(players=5)
    post = world.open_matches()[0]
    name = world.sides(post)[0].user.global_name
    by_command = await world.outsider.slash(world.channel, "why", player=name)
    details = await world.press(world.outsider, post)
    assert labels(by_command.response) == ["Check it yourself", "Show to everyone"]
    by_button = await world.outsider.click(details.response, label="Check it yourself")
    checked = await world.outsider.click(by_command.response, label="Check it yourself")
    assert text_of(checked) == text_of(by_button)
    assert "sha256sum" in text_of(checked)
    assert "sha256sum" not in text_of(by_command)
    mine = await world.sides(post)[0].slash(world.channel, "match")
    assert mine.ephemeral
    assert labels(mine.response) == ["Report", "Propose times", "Problem", "Check it yourself"]
    assert (await world.outsider.slash(world.channel, "match")).ephemeral
    career = await world.outsider.slash(world.channel, "profile", player=name)
    assert career.ephemeral
    assert "**1** · being played" in text_of(career)
    rules = await world.outsider.slash(world.channel, "rules")
    assert "single game" in text_of(rules)


@pytest.mark.long
async def test_settings_are_shown_and_changed(world: World) -> None:
    async def change(setting: str, value: object) -> InteractionResult:
        return await world.organiser.slash(world.channel, "season settings", setting=setting, value=str(value))

    await world.league()
    await world.season(players=2)
    assert "The others are the default" in text_of(await world.players[0].slash(world.channel, "season settings"))
    for setting, value in {"best_of": 3, "overdue": "extend", "signups_close": "2026-12-01 18:00"}.items():
        assert "Settings saved" in text_of(await change(setting, value))
    assert "best of 3" in message_text(world.post("Sign-ups are open")).casefold()
    for setting, value in {"signups_close": "yesterday", "best_of": 2, "rounds": 0, "points": "3-1-0", "x": 1}.items():
        refused = await change(setting, value)
        assert refused.ephemeral
        assert "Settings saved" not in text_of(refused)
    await world.organiser.slash(world.channel, "season start")
    assert "fixed since season 1 started" in text_of(await change("rounds", 2))
    assert "Settings saved" in text_of(await change("confirm_hours", 3))


@pytest.mark.long
async def test_a_season_is_cancelled_or_finished(world: World) -> None:
    await world.league()
    await world.season(players=3)
    await world.agreed("season cancel", "Cancel the season", reason="too few")
    assert "Join" not in labels(world.post("This season was cancelled"))
    assert "too few" in message_text(world.post("was cancelled"))
    assert "has no season" in text_of(await world.outsider.slash(world.channel, "signup"))
    await world.season(players=3)
    await world.organiser.slash(world.channel, "season start")
    status = await world.organiser.slash(world.channel, "season status")
    assert "Finish the season" not in labels(status.response)
    post = world.open_matches()[0]
    await world.report(world.sides(post)[0], "lost", post)
    post = world.open_matches()[0]
    await world.moderator.slash(world.channel, "result clear", match="R2 M1", reason="x")
    await world.agreed("round undo", "Undo the round")
    done = await world.finished("enough")
    assert "finished" in text_of(done)


@pytest.mark.long
async def test_why_begins_with_the_sentence_a_person_wants_and_calls_them_you(world: World) -> None:
    """Values, draws and shell lines stand behind Check it yourself, also in Details."""
    await world.started(players=4)
    for row in world.open_matches():
        await world.report(world.sides(row)[1], "lost", row)
    row = world.open_matches()[0]
    upper, lower = (side.user.global_name for side in world.sides(row))
    asked = await world.sides(row)[1].slash(world.channel, "why")
    _, first, *_ = text_of(asked).splitlines()
    assert first == "You were both 1\N{EN DASH}0."
    assert f"{upper} and you were the last two left." in text_of(asked)
    others = text_of(await world.outsider.slash(world.channel, "why", player=str(lower)))
    assert f"Both were 1\N{EN DASH}0.\n{upper} and {lower} were the last two left." in others
    details = text_of(await world.sides(row)[0].slash(world.channel, "match"))
    assert f"**Why this pairing?**\nYou were both 1\N{EN DASH}0.\nYou and {lower} were the last two left." in details
    assert "0.5" not in others + details
    await world.sides(row)[1].click(asked.response, label="Show to everyone")
    shown = message_text(world.post("Both were 1\N{EN DASH}0."))
    assert "you" not in shown.lower().replace("check it yourself", "")


@pytest.mark.long
async def test_a_pairing_made_by_hand_says_so(world: World) -> None:
    await world.started(players=4)
    one, two = world.open_matches()
    a, b = world.sides(one)[0], world.sides(two)[0]
    await world.agreed("round swap", "Swap", a=a.user.global_name, b=b.user.global_name, reason="same house")
    why = text_of(await a.slash(world.channel, "why"))
    assert "by hand: same house" in why
    assert why.count("same house") == 1
