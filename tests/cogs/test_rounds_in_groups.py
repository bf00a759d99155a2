"""A season in groups on Discord: its cards by groups, who rests, what comes next, why, finals across groups."""

import pytest
from simcord.actors import MemberActor

from bot.services.base.outbox import PAGE
from cogs.ui.cards import TEXT_LIMIT, texts
from storage.tables.people import notify, players
from storage.tables.people.notify import How, Topic
from tests.cogs.conftest import World, labels, message_text, parts_of, rows_of, selects_of, text_of
from tests.cogs.test_round_card import MOST_PARTS
from tests.files import change_by_hand


async def begun(world: World, count: int, **settings: object) -> None:
    world.players += [world.member(f"Player {number}") for number in range(len(world.players) + 1, count + 1)]
    await world.started(players=count, format="round-robin", **settings)


def pages(world: World) -> list[str]:
    return [message_text(post) for post in world.channel.history() if rows_of(post)]


async def play_round(world: World) -> None:
    for row in world.open_matches():
        await world.report(world.sides(row)[1], "lost", row)


def resting(world: World) -> MemberActor:
    """Return who the newest card says rests."""
    line = next(line for line in pages(world)[-1].splitlines() if line.endswith("rests this round."))
    return world.player(line.split("**")[1])


@pytest.mark.long
async def test_each_groups_matches_stand_under_its_name_with_who_rests(world: World) -> None:
    await begun(world, 11, group_size=4)
    (card,) = pages(world)
    lines = [line.replace("**", "") for line in card.splitlines()]
    headings = [lines.index(f"### Group {letter}") for letter in "ABC"]
    assert headings == sorted(headings)
    assert lines[headings[2] + 1] == f"-# {resting(world).user.global_name} rests this round."
    assert card.count("rests this round") == 1
    matches = [number for number, line in enumerate(lines) if " v " in line]
    assert [sum(number > heading for heading in headings) for number in matches] == [1, 1, 2, 2, 3]
    (post,) = [post for post in world.channel.history() if rows_of(post)]
    assert world.pinged(post)[0] == {player.id for player in world.players}


async def test_one_group_has_no_name_and_still_says_who_rests(world: World) -> None:
    await begun(world, 5)
    (card,) = pages(world)
    assert "###" not in card
    assert "Group" not in card
    assert f"**{resting(world).user.global_name}** rests this round." in card


@pytest.mark.long
async def test_a_group_that_is_done_is_named_at_the_end(world: World) -> None:
    await begun(world, 9, group_size=5, cut=0)
    assert "played all rounds" not in pages(world)[-1]
    for _ in range(3):
        await play_round(world)
    assert "Group B has played all rounds." in pages(world)[-1]
    assert "### Group B" not in pages(world)[-1]


@pytest.mark.long
async def test_a_group_goes_on_on_the_next_page_under_its_name(world: World) -> None:
    await begun(world, 27, group_size=14)
    posts = [post for post in world.channel.history() if rows_of(post)]
    assert [len(rows_of(post)) for post in posts] == [PAGE, 1]
    first, second = pages(world)
    assert [[f"### Group {letter}" in text for letter in "AB"] for text in (first, second)] == [
        [True] * 2,
        [False, True],
    ]
    assert [text.count("rests this round") for text in (first, second)] == [1, 0]
    assert all(sum(map(len, texts(post.components))) <= TEXT_LIMIT for post in posts)
    mentioned = set[int]().union(*(world.pinged(post)[0] for post in posts))
    assert mentioned == {player.id for player in world.players}


@pytest.mark.long
async def test_38_groups_have_cards_that_discord_takes_with_every_match_once(world: World) -> None:
    await begun(world, 228, group_size=6)
    posts = [post for post in world.channel.history() if rows_of(post)]
    assert len(posts) == -(-114 // PAGE)
    assert sum(len(rows_of(post)) for post in posts) == 114
    for post in posts:
        assert sum(map(len, texts(post.components))) <= TEXT_LIMIT
        assert len(parts_of(post)) <= MOST_PARTS
        assert len(world.pinged(post)[0]) <= 100
    text = "\n".join(map(message_text, posts))
    headings = [line.removeprefix("### ") for line in text.splitlines() if line.startswith("### Group")]
    assert len({*headings}) == 38
    everyone = [id_ for post in posts for id_ in world.pinged(post)[0]]
    assert sorted(everyone) == sorted(player.id for player in world.players)


@pytest.mark.long
async def test_a_rest_is_explained_and_says_who_comes_next(world: World) -> None:
    await begun(world, 5)
    who = resting(world)
    mine = await who.slash(world.channel, "match")
    assert "You rest in round 1: your group has an odd number of players" in text_of(mine)
    assert "Next: round 2 against " in text_of(mine)
    why = await who.slash(world.channel, "why")
    assert "and no one has number 6. Your number is" in text_of(why)
    check = await who.click(why.response, label="Check it yourself")
    assert "sha256sum" in text_of(check)
    assert "Numbers by draw" in text_of(check)
    shown = await who.click(why.response, label="Show to everyone")
    assert f"{who.user.global_name}'s number is" in message_text(world.posts("rests")[-1]), text_of(shown)


@pytest.mark.long
@pytest.mark.parametrize(("grouping", "unit"), [("drawn", "group"), ("divisions", "division")])
async def test_a_rest_comes_directly_to_those_who_want_rounds_so(world: World, grouping: str, unit: str) -> None:
    await world.league()
    await world.season(players=3, format="round-robin", grouping=grouping)
    with change_by_hand(world.env.bot.database) as conn:
        for player in world.players[:3]:
            known = players.by_discord(conn, 1, player.id)
            assert known is not None
            notify.choose(conn, known.id, Topic.ROUND, How.DIRECT)
    await world.organiser.slash(world.channel, "season start")
    (told,) = resting(world).user.dm_channel.history()
    assert "You rest in round 1" in message_text(told)
    assert f"Your {unit} has an odd number of players" in message_text(told)
    assert labels(told) == ["My match"]


@pytest.mark.long
async def test_all_rounds_stand_in_the_schedule_and_the_rules_from_the_first_day(world: World) -> None:
    await begun(world, 8, group_size=4)
    text = text_of(await world.players[0].slash(world.channel, "schedule"))
    own = text.split("**Your rounds**")[1].split("**Nothing proposed yet**")[0].splitlines()
    assert [line.split(":")[0] for line in own if line] == ["• Round 1", "• Round 2", "• Round 3"]
    assert text.count("Group A: ") == text.count("Group B: ") == 2
    rules = await world.players[0].slash(world.channel, "rules")
    ((custom_id, options),) = selects_of(rules.response).items()
    option = next(option for option in options if option.label == "Chapter: All rounds")
    chapter = text_of(await world.players[0].select(rules.response, [option.value], custom_id=custom_id))
    assert [chapter.count(f"**Round {number}** · by <t:") for number in (1, 2, 3)] == [1, 1, 1]
    assert chapter.count("Group A: ") == chapter.count("Group B: ") == 3


@pytest.mark.long
async def test_a_large_season_has_ones_own_group_in_the_rules(world: World) -> None:
    await begun(world, 27, group_size=14)
    rules = await world.players[0].slash(world.channel, "rules")
    ((custom_id, options),) = selects_of(rules.response).items()
    option = next(option for option in options if option.label == "Chapter: All rounds")
    own = text_of(await world.players[0].select(rules.response, [option.value], custom_id=custom_id))
    assert (own.count("Group A: "), own.count("Group B: ")) in [(13, 0), (0, 13)]
    theirs = await world.outsider.slash(world.channel, "rules")
    others = text_of(await world.outsider.select(theirs.response, [option.value], custom_id=custom_id))
    assert (others.count("Group"), others.count("**Round ")) == (0, 13)
    assert "shows who meets in every group" in others


@pytest.mark.long
async def test_the_rules_of_one_large_division_send_to_the_schedule_of_every_division(world: World) -> None:
    await begun(world, 27, grouping="divisions")
    rules = await world.outsider.slash(world.channel, "rules")
    ((custom_id, options),) = selects_of(rules.response).items()
    option = next(option for option in options if option.label == "Chapter: All rounds")
    chapter = text_of(await world.outsider.select(rules.response, [option.value], custom_id=custom_id))
    assert "shows who meets in every division" in chapter


@pytest.mark.long
async def test_finals_across_groups_say_places_in_them_and_explain_seeds(world: World) -> None:
    await begun(world, 11, group_size=4)
    for _ in range(3):
        await play_round(world)
    assert not world.posts("Last place in the finals for now")
    news = message_text(world.post("go on"))
    places = [line.rpartition(" · ")[2] for line in news.splitlines() if line[:1].isdecimal()]
    assert sorted(places) == sorted(f"{place} of group {letter}" for place in ("1st", "2nd") for letter in "ABC")
    assert [place[:3] for place in places] == ["1st"] * 3 + ["2nd"] * 3
    assert "What decided it" not in news
    why = await world.sides(world.open_matches()[0])[0].slash(world.channel, "why")
    assert "best winner of 3 groups: you." in text_of(why)


@pytest.mark.long
async def test_what_decided_between_groups_is_said_by_places_in_them(world: World) -> None:
    await begun(world, 8, group_size=4, cut=3)
    for _ in range(3):
        await play_round(world)
    news = message_text(world.post("go on"))
    assert "are both 2nd of their groups" in news
