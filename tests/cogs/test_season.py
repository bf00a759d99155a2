"""A whole season of eight on Discord, by commands and buttons alone, with the bot restarted in the middle."""

from tests.cogs.conftest import MatchRow, World, labels, message_text, text_of


async def play_round(world: World) -> int:
    """Settle every open match in turn: by one's own loss, by a win confirmed, by a dispute decided."""
    matches = world.open_matches()
    for turn, post in enumerate(matches):
        upper, lower = world.sides(post)
        if turn % 3 == 0:
            assert "It counts now" in text_of(await world.report(lower, "lost", post))
        elif turn % 3 == 1:
            told = await upper.slash(world.channel, "report", result="won", match=post.pairing)
            assert "to confirm; without an answer it counts" in text_of(told)
            assert "It counts now" in text_of(await world.answer(lower, "Confirm", world.fresh(post)))
        else:
            await world.report(upper, "won", post)
            form = await world.answer(lower, "Dispute", world.fresh(post))
            await lower.submit_modal(form, {"says": "not-played", "reason": "We never finished."})
            await decide(world, post)
    return len(matches)


async def decide(world: World, post: MatchRow) -> None:
    title = post.pairing
    dispute = world.post(f"Dispute: {title}", world.back_room)
    winner = world.sides(post)[0].user.global_name
    form = await world.moderator.click(dispute, label=f"{winner} won")
    answer = await world.moderator.submit_modal(form, {"reason": "The log says so."})
    assert "Both players will be told" in text_of(answer)
    assert "Settled" in message_text(world.post(title, world.back_room))


async def test_eight_play_to_the_champion_with_a_restart_between(world: World) -> None:
    await world.started(rounds=3)
    assert len(world.open_matches()) == 4
    played = 0
    for number in range(20):
        if number == 1:
            await world.restart()
        done = await play_round(world)
        if not done:
            break
        played += done
    final = world.post("is the champion!")
    assert "season 1 is over" in message_text(final)
    assert played >= 12
    picture = await world.outsider.slash(world.channel, "standings")
    assert picture.ephemeral
    table = await world.outsider.click(picture.response, label="As text")
    assert all(name in text_of(table) for name in ("Ada", "Hana"))
    assert "🏆" in text_of(table)
    tree = await world.outsider.slash(world.channel, "bracket")
    assert "Semi-final 1" in text_of(await world.outsider.click(tree.response, label="As text"))
    assert not world.open_matches()
    assert "Join" not in labels(world.post("Updated <t:"))
