"""The board: one message a league that takes sign-ups, shows the season and stays where it is."""

import json

import discord
import pytest

from tests.cogs.conftest import World, descriptions_of, labels, message_text, text_of
from tests.files import change_by_hand


def boards(world: World) -> list[discord.Message]:
    return [post for post in world.posts("Updated <t:") if post.author.id == world.guild.me.id]


def board(world: World) -> discord.Message:
    (found,) = boards(world)
    return found


async def play(world: World, name: str) -> None:
    await world.player(name).slash(world.channel, "report", result="lost")


@pytest.mark.long
async def test_the_board_takes_sign_ups_then_shows_the_season_in_the_same_message(world: World) -> None:
    await world.league()
    await world.season(players=4, signups_close="3d")
    post = board(world)
    assert "2 players so far" not in message_text(post)
    assert "4 players so far:** Ada, Bruno, Chidi, Daria" in message_text(post)
    assert labels(post) == ["Join", "Leave", "Rules"]
    await world.organiser.slash(world.channel, "season start")
    assert board(world).id == post.id
    assert "**Round 1 of 4** · Ends <t:" in message_text(board(world))
    assert "2 results to come**, then round 2." in message_text(board(world))
    assert labels(board(world)) == ["My match", "Standings", "Bracket", "Rules"]
    assert board(world).attachments == []
    await play(world, "Ada")
    assert [file.filename for file in board(world).attachments] == ["standings.png"]
    assert "1 result to come" in message_text(board(world))


@pytest.mark.long
async def test_its_buttons_answer_each_person_privately(world: World) -> None:
    await world.started(players=4)
    for person in (world.players[0], world.outsider):
        for label in labels(board(world)):
            answer = await person.click(board(world), label=label)
            assert answer.ephemeral, label
            assert "Something broke" not in text_of(answer), label


@pytest.mark.long
async def test_leave_takes_a_player_off_the_list_and_asks_nothing_where_nothing_is_lost(world: World) -> None:
    await world.league()
    await world.season(players=2)
    done = await world.players[0].click(board(world), label="Leave")
    assert "off the sign-up list" in text_of(done)
    assert "1 player so far:** Bruno" in message_text(board(world))


@pytest.mark.long
async def test_the_next_season_has_a_new_board_and_the_old_one_goes(world: World) -> None:
    await world.started(players=2, format="single-elimination")
    first = board(world)
    await play(world, "Ada")
    assert board(world).id == first.id
    assert "🏆 **Bruno** is the champion." in message_text(board(world))
    assert [file.filename for file in board(world).attachments] == ["bracket.png"]
    assert labels(board(world)) == ["Standings", "Bracket", "Rules"]
    await world.season(players=1)
    assert board(world).id != first.id
    assert "season 2" in message_text(board(world))


@pytest.mark.long
async def test_a_board_someone_deleted_is_posted_again_at_its_next_change(world: World) -> None:
    await world.started(players=4)
    first = board(world)
    await world.chief.delete(first)
    assert boards(world) == []
    await world.restart()
    await play(world, "Ada")
    assert board(world).id != first.id


@pytest.mark.long
async def test_switching_the_board_off_and_on_acts_at_once(world: World) -> None:
    await world.league()
    await world.season(players=2)
    await world.organiser.slash(world.channel, "league settings", board="off")
    assert boards(world) == []
    signup = world.post("Sign-ups are open")
    assert labels(signup) == ["Join", "Leave", "Rules"]
    await world.players[2].click(signup, label="Join")
    assert "3 players so far" in message_text(world.post("Sign-ups are"))
    await world.organiser.slash(world.channel, "season start")
    assert "Sign-ups are closed" in message_text(world.post("Sign-ups are"))
    assert labels(world.post("Sign-ups are")) == []
    await world.organiser.slash(world.channel, "league settings", board="on")
    assert "**Round 1 of 4**" in message_text(board(world))
    assert not world.posts("Sign-ups are")


@pytest.mark.long
async def test_the_board_is_pinned_where_the_bot_may_and_stays_alone(world: World) -> None:
    await world.league()
    await world.season(players=0)
    assert [post.id for post in world.channel.pinned_messages()] == [board(world).id]
    assert [post.id for post in world.channel.history() if post.type is discord.MessageType.pins_add] == []


@pytest.mark.long
async def test_a_board_the_bot_crashed_on_before_pinning_it_is_pinned_when_found_again(world: World) -> None:
    await world.league()
    await world.season(players=1)
    await world.chief.set_pinned(board(world), False)
    with change_by_hand(world.env.bot.database) as conn:
        conn.execute("UPDATE outbox SET state = 'due', message_id = NULL, channel_id = NULL, shown = 0")
    await world.restart()
    await world.jump(minutes=1)
    assert [post.id for post in world.channel.pinned_messages()] == [board(world).id]


async def test_without_the_right_to_pin_the_board_is_posted_all_the_same(world: World) -> None:
    path = "/channels/*/messages/pins/*"
    world.env.inject_error("PUT", path, status=403, code=50013, message="Missing Permissions")
    await world.league()
    await world.season(players=1)
    assert "1 player so far" in message_text(board(world))
    assert not world.channel.pinned_messages()
    assert not world.posts("a post is missing", world.back_room)


@pytest.mark.long
async def test_the_board_says_when_a_preview_waits_for_an_organiser(world: World) -> None:
    await world.started(players=2, advance="manual")
    await play(world, "Ada")
    assert "preview" not in message_text(board(world))
    await world.agreed("round post", "Preview")
    assert "An organiser is looking at a preview of round 2." in message_text(board(world))
    await world.agreed("round undo", "Undo the round")
    assert "preview" not in message_text(board(world))


async def imported(world: World, players: int) -> discord.Message:
    """Let a league have a season of so many players after its first round, and return its board."""
    await world.league()
    names = [f"Player {number:02}" for number in range(players)]
    first = [
        {"players": names[at : at + 2], "winner": names[at], "kind": "played", "games": None}
        for at in range(0, players, 2)
    ]
    second = [{"players": [names[at], names[at + 2]], "kind": "open"} for at in range(0, players, 4)]
    second += [{"players": [names[at + 1], names[at + 3]], "kind": "open"} for at in range(0, players, 4)]
    rounds = [
        {"number": 1, "stage": "regular", "bye": None, "matches": first},
        {"number": 2, "stage": "regular", "bye": None, "matches": second},
    ]
    people = [{"name": name} for name in names]
    file = {"fairpair": 1, "league": "x", "season": 1, "format": "ohs", "players": people, "rounds": rounds}
    await world.agreed("league import", "Import", file=("a.json", json.dumps(file).encode()))
    return board(world)


@pytest.mark.long
async def test_the_board_shows_groups_with_the_places_in_them(world: World) -> None:
    await world.started(players=9, format="round-robin", group_size=5)
    match = world.open_matches()[-1]
    winner, loser = world.sides(match)
    await world.report(loser, "lost", match)
    [picture] = descriptions_of(board(world))
    assert "Group A: 2 of each group go on. 1." in picture
    assert f"Group B: 2 of each group go on. 1. {winner.user.global_name}, 1–0." in picture


@pytest.mark.long
async def test_the_board_shows_all_of_32_players(world: World) -> None:
    post = await imported(world, 32)
    assert [file.filename for file in post.attachments] == ["standings.png", "standings-2.png"]


@pytest.mark.long
async def test_the_board_of_more_players_says_which_it_shows(world: World) -> None:
    post = await imported(world, 60)
    assert [file.filename for file in post.attachments] == ["standings.png"]
    assert "Players 16–30 of 60. **Standings** shows the others." in message_text(post)
