"""What players are asked before the finals: whether they move up into them, and how their tie-break match ended."""

import pytest
from simcord.actors import MemberActor

from tests.cogs.conftest import World, labels, message_text, text_of


async def play(world: World, rounds: int, result: str = "lost") -> None:
    """Let the second of each pair report their own loss."""
    for _ in range(rounds):
        for match in world.open_matches():
            score = {"score": "0-2"} if result == "lost 0-2" else {}
            await world.sides(match)[1].slash(world.channel, "report", result="lost", match=match.pairing, **score)


@pytest.mark.long
async def test_a_player_moves_up_into_the_finals_by_a_button_and_another_declines(world: World) -> None:
    await world.started(players=8, format="keyforge-swiss", rounds=2, cut=4)
    await play(world, 2)
    for answer in ("No thanks", "I'll play"):
        finalist = world.sides(world.open_matches()[0])[0] if world.open_matches() else None
        if finalist is not None:
            dropped = await finalist.slash(world.channel, "drop")
            await finalist.click(dropped.response, label=labels(dropped.response)[0])
        assert world.open_matches() == [], "the finals wait"
        [post] = world.posts("you're the next in")
        [asked] = world.pinged(post)[0]
        player = next(one for one in world.players if one.user.id == asked)
        assert labels(post) == ["I'll play", "No thanks"]
        said = await player.click(post, label=answer)
        assert said.ephemeral
        assert ("you're in the finals" if answer == "I'll play" else "You're out of the season") in text_of(said)
    assert len(world.open_matches()) == 2


async def tied(world: World) -> list[MemberActor]:
    """Let two winners of the last round be equal, and return them as they are to play for it."""
    world.players.append(world.member("Ines"))
    await world.started(players=9, format="lightseekers-swiss", rounds=2, cut=4)
    await play(world, 2, "lost 0-2")
    await world.organiser.slash(world.channel, "round tiebreak", how="match")
    post = world.posts("Played? One of you presses")[0]
    return [one for one in world.players if one.user.id in world.pinged(post)[0]]


@pytest.mark.long
async def test_two_tied_players_report_their_tie_break_match(world: World) -> None:
    first, second = await tied(world)
    post = world.posts("Played? One of you presses")[0]
    form = await first.click(post, label="Report")
    assert labels(form.response) == ["I won", "I lost"]
    said = await first.click(form.response, label="I won")
    assert "We're asking" in text_of(said)
    [question] = world.posts("they won your tie-break match")
    assert world.pinged(question)[0] == {second.user.id}
    assert labels(question) == ["Confirm", "Dispute"]
    confirmed = await second.slash(world.channel, "confirm")
    assert "counts now" in text_of(confirmed)
    assert world.posts("they won your tie-break match") == []
    assert any("The tie-break match decided" in message_text(post) for post in world.channel.history())


@pytest.mark.long
async def test_a_typed_win_of_a_tie_break_match_is_not_taken_for_the_last_match_that_was_won(world: World) -> None:
    first, second = await tied(world)
    said = await first.slash(world.channel, "report", result="won")
    assert "you won your tie-break match" in text_of(said)
    confirmed = await second.slash(world.channel, "confirm")
    assert "your tie-break match counts now" in text_of(confirmed)


async def test_a_typed_loss_of_a_tie_break_match_disputes_no_match_that_counts(world: World) -> None:
    first, second = await tied(world)
    said = await first.slash(world.channel, "report", result="lost")
    assert "your tie-break match counts now" in text_of(said)
    assert world.posts("two answers") == []
    decided = f"The tie-break match decided: {second.user.name.title()}"
    assert any(decided in message_text(post) for post in world.channel.history())


@pytest.mark.long
async def test_a_match_that_is_named_is_meant_before_a_tie_break_match(world: World) -> None:
    first, _ = await tied(world)
    said = await first.slash(world.channel, "report", result="won", match=first.user.name.title())
    assert "Already confirmed" in text_of(said)
