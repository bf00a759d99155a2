"""Ties and live clocks on Discord: asked with buttons, decided each way; warnings at their very moments."""

from datetime import timedelta

import pytest

from tests.cogs.conftest import World, labels, message_text, text_of


async def play_level(world: World) -> list[str]:
    """Let all upper players win 2-0, and return their names: they are equal in everything."""
    winners: list[str] = []
    for post in world.open_matches():
        upper, lower = world.sides(post)
        winners.append(upper.user.global_name or "")
        await lower.slash(world.channel, "report", result="lost", score="0-2")
    return winners


async def tied(world: World, **options: object) -> list[str]:
    """Play to a tie of three for two places, and return them as the draw has them."""
    given = {"format": "lightseekers-swiss", "rounds": 1, "cut": 2, **options}
    await world.started(players=6, **given)
    winners = await play_level(world)
    line = next(line for line in message_text(asked(world)).splitlines() if line.startswith("By the draw"))
    drawn = line.removeprefix("By the draw it is: ").split(", then ")
    assert set(drawn) == set(winners)
    return drawn


def asked(world: World):  # noqa: ANN201 - a message of simcord
    return world.post("equal after round 1", world.back_room)


def finalists(world: World) -> set[str]:
    return {player.user.global_name or "" for post in world.open_matches() for player in world.sides(post)}


@pytest.mark.long
async def test_the_moderators_are_asked_and_the_finals_wait(world: World) -> None:
    drawn = await tied(world)
    assert labels(asked(world)) == ["Enter an order", "Use the draw", "Tie-break match"]
    assert "for places 1 to 3; the finals have room for 2" in message_text(asked(world))
    assert not world.open_matches()
    for label in ("Use the draw", "Enter an order"):
        refused = await world.moderator.click(asked(world), label=label)
        assert refused.modal is None
        assert "Only organisers" in text_of(refused)
    status = await world.organiser.slash(world.channel, "season status")
    assert "/round tiebreak" in text_of(status)
    inbox = await world.moderator.slash(world.channel, "disputes")
    assert "are equal in everything" in text_of(inbox)
    assert labels(inbox.response) == []
    done = await world.organiser.click(asked(world), label="Use the draw")
    assert done.ephemeral
    assert "An organiser took the draw" in text_of(done)
    assert finalists(world) == set(drawn[:2])
    assert labels(asked(world)) == []
    assert "An organiser took the draw" in message_text(asked(world))
    assert "The draw decided" in message_text(world.post("After round 1"))


@pytest.mark.long
async def test_an_order_by_the_form_says_its_criterion(world: World) -> None:
    drawn = await tied(world)
    form = await world.organiser.click(asked(world), label="Enter an order")
    wrong = await world.organiser.submit_modal(form, {"order": f"{drawn[2]}, Nobody"})
    assert wrong.ephemeral
    assert "isn't one of the tied players" in text_of(wrong)
    form = await world.organiser.click(asked(world), label="Enter an order")
    given = {"order": f"{drawn[2]}, {drawn[0]}", "reason": "*met* in round 0"}
    assert "An organiser decided" in text_of(await world.organiser.submit_modal(form, given))
    assert finalists(world) == {drawn[2], drawn[0]}
    assert "decided (\\*met\\* in round 0)" in message_text(world.post("After round 1"))


@pytest.mark.long
async def test_the_command_takes_an_order_with_suggestions(world: World) -> None:
    drawn = await tied(world)
    panel = await world.organiser.slash(world.channel, "round tiebreak")
    assert panel.ephemeral
    assert labels(panel.response) == ["Enter an order", "Use the draw", "Tie-break match"]
    found = await world.organiser.autocomplete(world.channel, "round tiebreak", "order", f"{drawn[1]},")
    assert {choice["value"] for choice in found} == {f"{drawn[1]}, {drawn[0]}", f"{drawn[1]}, {drawn[2]}"}
    both = await world.organiser.slash(world.channel, "round tiebreak", order=drawn[1], how="draw")
    assert "not both" in text_of(both)
    done = await world.organiser.slash(world.channel, "round tiebreak", order=f"{drawn[1]}, {drawn[2]}")
    assert f"{drawn[1]}, then {drawn[2]}" in text_of(done)
    assert finalists(world) == {drawn[1], drawn[2]}
    late = await world.organiser.slash(world.channel, "round tiebreak")
    assert "The finals have begun" in text_of(late)


@pytest.mark.long
async def test_a_tie_break_match_is_posted_with_its_seats(world: World) -> None:
    drawn = await tied(world)
    done = await world.organiser.slash(world.channel, "round tiebreak", how="match")
    assert done.ephemeral
    seats = world.post("tie-break match")
    assert {user.global_name for user in seats.mentions} == set(drawn)
    assert all(f"1/1/seat/{name}" in message_text(seats) for name in drawn)
    assert labels(asked(world)) == ["Enter the result", "Use the draw"]
    await world.jump(days=3)
    assert not world.open_matches()
    form = await world.organiser.click(asked(world), label="Enter the result")
    await world.organiser.submit_modal(form, {"order": ", ".join(reversed(drawn))})
    assert finalists(world) == set(drawn[1:])
    assert "The tie-break match decided" in message_text(world.post("tie-break match"))


@pytest.mark.long
async def test_silence_takes_the_draw_after_a_restart(world: World) -> None:
    drawn = await tied(world, confirm_hours=2)
    await world.restart()
    await world.jump(hours=1)
    assert not world.open_matches()
    await world.jump(hours=1)
    assert finalists(world) == set(drawn[:2])


# -- live clocks -------------------------------------------------------------------------------------------------------

LIVE = {"format": "keyforge-swiss", "pace": "live", "rounds": 2, "cut": 0, "players": 4}


async def test_a_live_round_says_who_starts_its_clock(world: World) -> None:
    await world.started(**LIVE)
    assert "an organiser starts its clock" in message_text(world.post("Round 1"))
    assert "`/round start-clock` starts the clock." in text_of(
        await world.organiser.slash(world.channel, "season status")
    )
    refused = await world.players[0].slash(world.channel, "round start-clock")
    assert refused.ephemeral
    assert "Only organisers" in text_of(refused)
    done = await world.organiser.slash(world.channel, "round start-clock")
    assert "The clock of round 1 is running" in text_of(done)
    started = world.post("runs: 35 minutes")
    assert started.mentions == []
    assert "starts its clock" not in message_text(world.post("Round 1"))


@pytest.mark.long
async def test_the_warnings_come_at_their_moments_and_once(world: World) -> None:
    await world.started(**LIVE)
    await world.organiser.slash(world.channel, "round start-clock", minutes=12)
    begun = world.env.now()
    await world.env.advance_time(12 * 60 + 40)
    said = [world.posts(words) for words in ("10 minutes left", "5 minutes left", "Time is called in round 1")]
    assert [len(posts) for posts in said] == [1, 1, 1]
    for minutes, (post,) in zip((2, 7, 12), said, strict=True):
        late = post.created_at - begun - timedelta(minutes=minutes)
        assert abs(late) < timedelta(seconds=2), late
        assert {user.id for user in post.mentions} == {player.id for player in world.players[:4]}
    assert "`/time-called`" in message_text(said[2][0])


@pytest.mark.long
async def test_a_restart_loses_and_doubles_no_warning(world: World) -> None:
    await world.started(**LIVE)
    await world.organiser.slash(world.channel, "round start-clock", minutes=20)
    await world.restart()
    await world.jump(minutes=12)
    assert len(world.posts("10 minutes left")) == 1
    await world.restart()
    # Away over the next warning and the end: only what still holds is said.
    await world.jump(minutes=30)
    assert len(world.posts("10 minutes left")) == 1
    assert world.posts("5 minutes left") == []
    assert len(world.posts("Time is called in round 1")) == 1
