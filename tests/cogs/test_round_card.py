"""The card of a round: a row a match, pages for more, one part for each person who wants it directly."""

import json

import discord
import pytest

from bot.services.base.outbox import PAGE
from cogs.ui.cards import AMBER, BLUE, GREEN, ORANGE, TEXT_LIMIT, texts
from storage.tables.people import notify, players
from storage.tables.people.notify import How, Topic
from tests.cogs.conftest import World, labels, message_text, parts_of, rows_of, text_of
from tests.files import change_by_hand


async def enter(world: World, count: int) -> None:
    """Start a season of so many players."""
    world.players += [world.member(f"Player {number}") for number in range(len(world.players) + 1, count + 1)]
    await world.started(players=count)


def cards(world: World) -> list[discord.Message]:
    return [post for post in world.channel.history() if rows_of(post)]


def frame(post: discord.Message) -> discord.Colour | None:
    return next(part.accent_colour for part in post.components if isinstance(part, discord.Container))


@pytest.mark.long
async def test_the_frame_shows_the_most_urgent_state_and_the_head_counts_all(world: World) -> None:
    await world.started(players=6)
    first, second, third = world.open_matches()
    assert (len(cards(world)), frame(cards(world)[0])) == (1, BLUE)
    assert "0 of 3 results in" in message_text(cards(world)[0])
    await world.report(world.sides(first)[0], "won", first)
    assert "0 of 3 results in · 1 waits for an answer" in message_text(cards(world)[0])
    assert frame(cards(world)[0]) == AMBER
    form = await world.answer(world.sides(first)[1], "Dispute", world.fresh(first))
    await world.sides(first)[1].submit_modal(form, {"says": "won", "reason": "It isn't."})
    assert frame(cards(world)[0]) == ORANGE
    assert world.fresh(first).text.endswith("disputes the report. The moderators decide.")
    for row in (second, third):
        await world.report(world.sides(row)[0], "lost", row)
    assert "2 of 3 results in · 1 is disputed" in message_text(cards(world)[0])
    decided = {"match": "R1 M1", "outcome": "double loss", "reason": "both were late"}
    asked = await world.moderator.slash(world.channel, "result set", **decided)
    await world.moderator.click(asked.response, label=labels(asked.response)[0])
    assert frame(cards(world)[0]) == GREEN


@pytest.mark.long
@pytest.mark.parametrize(
    ("format_", "tiers"),
    [
        ("ohs", ["both unbeaten", "both 1 loss"]),
        ("two-loss-out", ["both unbeaten", "both 1 loss"]),
        ("keyforge-swiss", ["both 1 point", "both 0 points"]),
    ],
)
async def test_from_round_2_on_a_match_names_both_records(world: World, format_: str, tiers: list[str]) -> None:
    await world.started(format=format_, cut=2)
    assert {row.text.splitlines()[1] for row in world.open_matches()} == {"-# No time agreed yet"}
    for row in world.open_matches():
        await world.report(world.sides(row)[0], "lost", row)
    states = list(dict.fromkeys(row.text.splitlines()[1] for row in world.open_matches()))
    assert states == [f"-# {tier} · No time agreed yet" for tier in tiers]


@pytest.mark.long
async def test_a_page_holds_twelve_matches_with_a_bye_and_mentions_exactly_who_is_on_it(world: World) -> None:
    await enter(world, 2 * PAGE + 3)
    pages = cards(world)
    assert [len(rows_of(page)) for page in pages] == [PAGE, 1]
    assert [f"({number} of 2)" in message_text(page) for number, page in enumerate(pages, start=1)] == [True, True]
    assert ["Bye: **" in message_text(page) for page in pages] == [True, False]
    mentioned = [world.pinged(page)[0] for page in pages]
    assert [len(people) for people in mentioned] == [2 * PAGE + 1, 2]
    assert set.union(*mentioned) == {player.id for player in world.players}


@pytest.mark.long
async def test_who_wants_direct_messages_gets_their_own_match_there_with_its_buttons(world: World) -> None:
    await world.league()
    await world.season(players=3)
    with change_by_hand(world.env.bot.database) as conn:
        for player in world.players[:3]:
            known = players.by_discord(conn, 1, player.id)
            assert known is not None
            notify.choose(conn, known.id, Topic.ROUND, How.DIRECT)
    await world.organiser.slash(world.channel, "season start")
    assert world.pinged(cards(world)[0]) == (set(), set())
    upper, lower = world.sides(world.open_matches()[0])
    resting = next(player for player in world.players[:3] if player not in (upper, lower))
    (told,) = upper.user.dm_channel.history()
    assert f"You play {lower.user.global_name} in round 1" in message_text(told)
    assert labels(told) == ["Report", "My match"]
    (bye,) = resting.user.dm_channel.history()
    assert "You have a bye in round 1" in message_text(bye)
    form = await upper.user.click(told, label="Report")
    assert "Got it" in text_of(await upper.user.submit_modal(form, {"result": "won"}))


@pytest.mark.long
async def test_a_round_taken_back_is_told_once_and_mentions_no_one(world: World) -> None:
    await enter(world, 2 * PAGE + 2)
    first, second = cards(world)
    await world.agreed("round undo", "Undo the round", reason="wrong players")
    there = {post.id: post for post in world.channel.history()}
    assert second.id not in there
    told = [post for post in there.values() if "An organiser undid round 1 (wrong players)" in message_text(post)]
    assert told[0].id == first.id
    assert labels(told[0]) == []
    assert "<@" not in message_text(told[0])


@pytest.mark.parametrize("name", ["*" * 55, "\N{ARABIC LETTER BEH}" * 50, "Мирослава Олександрівна " * 2, "x" * 190])
async def test_long_and_hostile_names_fit_a_full_page(world: World, name: str) -> None:
    await world.league()
    names = [f"{name}{number:02}" for number in range(2 * PAGE + 1)]
    pairs = [{"players": names[at : at + 2], "kind": "open"} for at in range(0, 2 * PAGE, 2)]
    round_ = {"number": 1, "stage": "regular", "bye": names[-1], "matches": pairs}
    people = [{"name": one} for one in names]
    file = {"fairpair": 1, "league": "x", "season": 1, "format": "ohs", "players": people, "rounds": [round_]}
    await world.agreed("league import", "Import", file=("a.json", json.dumps(file).encode()))
    (card,) = cards(world)
    assert [row.label for row in rows_of(card)] == ["Report"] * PAGE
    assert len("".join(texts(card.components))) <= TEXT_LIMIT
    assert len({row.pairing for row in rows_of(card)}) == PAGE or len(name) > 60


@pytest.mark.long
async def test_details_let_who_reported_a_loss_take_it_back(world: World) -> None:
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(lower, "lost", row)
    mine, theirs = await world.press(lower, world.fresh(row)), await world.press(upper, world.fresh(row))
    assert labels(mine.response) == ["Take back", "Check it yourself"]
    assert labels(theirs.response) == ["Check it yourself"]
    await lower.click(mine.response, label="Take back")
    assert world.fresh(row).label == "Report"


async def test_what_happened_says_that_a_report_was_taken_back(world: World) -> None:
    """It looked like a match that was given up and counted for nobody."""
    await world.started(players=4)
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(lower, "lost", row)
    await lower.click((await world.press(lower, world.fresh(row))).response, label="Take back")
    await world.report(upper, "won", world.fresh(row))
    await world.answer(lower, "Confirm", world.fresh(row))
    await lower.click((await world.press(lower, world.fresh(row))).response, label="Take back")
    seen = text_of(await world.press(upper, world.fresh(row)))
    steps = [line.split(" (")[0] for line in seen.splitlines() if line.startswith("• ")]
    name, other = lower.user.global_name, upper.user.global_name
    back = f"• {name} took it back"
    assert sorted(steps) == sorted([f"• {name} reported: lost", back, f"• {other} reported: won", back])


@pytest.mark.long
async def test_the_card_leads_to_a_time_a_problem_and_the_reason_and_never_has_too_many_parts(world: World) -> None:
    """A week begins with finding a time: My match beside the heading leads there, or a line on a card that is full."""
    await enter(world, 2 * PAGE + 2 * (PAGE - 1))
    full, rest = cards(world)
    assert "Find a time, or a problem: `/match`" in message_text(full)
    assert "My match" not in labels(full)
    assert "My match" in labels(rest)
    assert "Find a time" not in message_text(rest)
    for page in (full, rest):
        assert "No time agreed yet" in message_text(page)
        assert "Why this pairing? Use `/why`." in message_text(page)
        assert len(parts_of(page)) <= MOST_PARTS
    row = rows_of(rest)[0]
    mine = await world.sides(row)[0].click(rest, label="My match")
    assert {"Report", "Propose times", "Problem", "Check it yourself"} <= {*labels(mine.response)}


MOST_PARTS = 40
"""As many components as Discord takes in a message."""
