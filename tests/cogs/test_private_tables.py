"""Tables are private: pages turn in place, all of it can be read as text, and one press shows them to everyone once."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

import pytest
from simcord import SetupError

from bot.league.errors import Conflict
from bot.pictures.drawing import Drawn, Picture
from cogs.ui import drawn, private_tables
from cogs.ui.context import Host
from tests.cogs.conftest import World, labels, message_text, text_of
from tests.examples import mostly_long

SHOW = "Show to everyone"


def shown(world: World) -> list[str]:
    """Return the messages in the channel that someone showed."""
    return [message_text(post) for post in world.channel.history() if "Shown by" in message_text(post)]


async def first_round(world: World) -> None:
    await world.started(players=8, rounds=2)
    for match in world.open_matches():
        await world.report(world.sides(match)[1], "lost", match)


@pytest.mark.long
@pytest.mark.parametrize(
    "command", mostly_long(["standings", "why", "profile", "ranking", "rules", "outlook"], quick=2)
)
async def test_a_table_is_private_until_the_person_who_asked_shows_it(world: World, command: str) -> None:
    await first_round(world)
    ada = world.player("Ada")
    answer = await ada.slash(world.channel, command)
    assert answer.ephemeral
    assert shown(world) == []
    with pytest.raises(SetupError, match="not visible to this user"):
        await world.player("Bruno").click(answer.response, label=SHOW)
    await world.restart()
    done = await ada.click(answer.response, label=SHOW)
    assert [text.splitlines()[-1] for text in shown(world)] == ["-# Shown by Ada"]
    assert SHOW not in labels(done.response)


@pytest.mark.long
async def test_standings_are_a_picture_with_words_for_it_and_all_of_it_as_text(world: World) -> None:
    await first_round(world)
    answer = await world.player("Ada").slash(world.channel, "standings")
    assert labels(answer.response) == ["As text", SHOW]
    text = text_of(await world.player("Ada").click(answer.response, label="As text"))
    assert all(player.user.global_name in text for player in world.players[:8])
    assert "after round 1" in text or "round 2 being played" in text
    await world.player("Ada").click(answer.response, label=SHOW)
    [post] = [post for post in world.channel.history() if "Shown by" in message_text(post)]
    assert labels(post) == ["As text"]
    assert [file.filename for file in post.attachments] == ["table.png"]
    other = await world.outsider.click(post, label="As text")
    assert other.ephemeral
    assert text_of(other) == text.replace("**Ada**", "Ada")


@pytest.mark.long
@pytest.mark.painted
async def test_pictures_are_painted_in_a_process_of_their_own(world: World) -> None:
    await first_round(world)
    assert world.env.bot.painter._process is not None, "the board"
    answer = await world.player("Ada").slash(world.channel, "standings")
    [picture] = answer.response.message.attachments
    assert (await picture.read()).startswith(b"\x89PNG")
    assert picture.size > 10_000


@pytest.mark.long
async def test_your_own_line_stands_out(world: World) -> None:
    await first_round(world)
    ada = world.player("Ada")
    standings = await ada.slash(world.channel, "standings")
    for text in (
        text_of(await ada.click(standings.response, label="As text")),
        text_of(await ada.slash(world.channel, "ranking")),
    ):
        assert "**Ada** ·" in text
        assert "**Bruno** ·" not in text
    details = text_of(await ada.slash(world.channel, "match"))
    assert re.search(r"You're \dth|You're (1st|2nd|3rd), they're", details)


@pytest.mark.long
async def test_a_press_delivered_twice_shows_the_table_once(world: World) -> None:
    await first_round(world)
    ada, backend = world.player("Ada"), world.env.backend
    answer = await ada.slash(world.channel, "standings")
    emit = backend.emit

    def emit_twice(event: str, payload: Any, *more: Any, **named: Any) -> None:
        emit(event, payload, *more, **named)
        if event == "INTERACTION_CREATE":
            emit(event, dict(payload), *more, **named)

    backend.emit = emit_twice
    done = await ada.click(answer.response, label=SHOW)
    backend.emit = emit
    assert len(shown(world)) == 1
    assert SHOW not in labels(done.response)


@pytest.mark.long
async def test_two_presses_at_once_show_the_table_once(world: World) -> None:
    await first_round(world)
    ada = world.player("Ada")
    answer = await ada.slash(world.channel, "standings")
    await asyncio.gather(*(ada.click(answer.response, label=SHOW) for _ in range(2)), return_exceptions=True)
    assert len(shown(world)) == 1


@pytest.mark.long
async def test_not_every_table_ever_shown_is_remembered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_tables, "_MOST_SHARED", 1)
    await first_round(world)
    ada = world.player("Ada")
    for count in (1, 2):
        answer = await ada.slash(world.channel, "standings")
        await ada.click(answer.response, label=SHOW)
        assert len(shown(world)) == count
        assert list(world.env.bot.shared) == [answer.response.message.id]


@pytest.mark.long
async def test_a_table_that_could_not_be_loaded_can_be_shown_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await first_round(world)
    ada = world.player("Ada")
    answer = await ada.slash(world.channel, "standings")

    async def broken(*_: object, **__: object) -> None:
        raise Conflict("not now")

    with monkeypatch.context() as now:
        now.setattr(private_tables.KINDS["standings"], "show", broken)
        assert "not now" in text_of(await ada.click(answer.response, label=SHOW))
    await ada.click(answer.response, label=SHOW)
    assert len(shown(world)) == 1


@pytest.mark.long
async def test_before_the_first_result_no_rank_is_claimed(world: World) -> None:
    await world.started(players=4)
    text = text_of(await world.player("Ada").slash(world.channel, "standings"))
    assert "no results yet" in text
    assert "**1.**" not in text


@pytest.mark.long
async def test_where_drawing_fails_the_text_is_shown(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await first_round(world)

    async def broken(*_: object) -> None:
        raise RuntimeError("no painter")

    monkeypatch.setattr("cogs.ui.drawn.drawn", broken)
    answer = await world.player("Ada").slash(world.channel, "standings")
    assert "**1.**" in text_of(answer)
    assert labels(answer.response) == [SHOW]


@pytest.mark.long
async def test_pages_turn_in_place(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.ui.private_tables._LIMIT", 200)
    await first_round(world)
    why = await world.player("Ada").slash(world.channel, "why")
    answer = await world.player("Ada").click(why.response, label="Check it yourself")
    first = text_of(answer)
    turned = await world.player("Ada").click(answer.response, label="Page 2 ▶")
    assert "◀ Page 1" in labels(turned.response)
    assert text_of(turned) != first


@pytest.mark.long
async def test_the_bracket_is_whole_from_its_first_round(world: World) -> None:
    await world.started(players=6, format="single-elimination")
    answer = await world.player("Ada").slash(world.channel, "bracket")
    assert labels(answer.response) == ["As text", SHOW]
    text = text_of(await world.player("Ada").click(answer.response, label="As text"))
    assert "Play-in 1" in text
    assert "Final: Winner of semi-final 1 v Winner of semi-final 2" in text
    assert "has a bye, through to the next round" in text


def counting(world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Awaitable[int]]:
    """Return what lets a player type a command and counts the pictures painted for that."""
    painted: list[object] = []

    async def painting(bot: Host, picture: Picture, page: int | str = 0) -> Drawn:
        painted.append(picture)
        return await drawn.drawn(bot, picture, page)

    async def paintings(name: str, command: str = "standings", **options: str) -> int:
        painted.clear()
        with monkeypatch.context() as patched:
            patched.setattr("cogs.ui.drawn.drawn_if_possible", painting)
            await world.player(name).slash(world.channel, command, **options)
        return len(painted)

    return paintings


@pytest.mark.long
async def test_a_picture_is_painted_again_only_when_what_it_shows_has_changed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=4, rounds=2)
    first, second = world.open_matches()
    await world.report(world.sides(first)[1], "lost", first)
    paintings = counting(world, monkeypatch)
    assert [await paintings(name) for name in ("Ada", "Ada", "Bruno", "Ada")] == [1, 0, 1, 0]
    await world.report(world.sides(second)[1], "lost", second)
    assert [await paintings("Ada"), await paintings("Ada")] == [1, 0]
    assert [await paintings("Ada", "profile"), await paintings("Bruno", "profile", player="Ada")] == [1, 0]


@pytest.mark.long
async def test_a_bracket_is_painted_again_only_when_it_has_changed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=4, format="single-elimination")
    paintings, match = counting(world, monkeypatch), world.open_matches()[0]
    assert [await paintings(name, "bracket") for name in ("Ada", "Ada")] == [1, 0]
    await world.report(world.sides(match)[1], "lost", match)
    assert [await paintings(name, "bracket") for name in ("Ada", "Ada")] == [1, 0]


async def test_a_ranking_before_anyone_has_played_says_so(world: World) -> None:
    await world.league()
    await world.season(players=2)
    assert "Nothing yet." in text_of(await world.players[0].slash(world.channel, "ranking"))


@pytest.mark.long
async def test_the_order_of_tied_players_can_be_checked_where_the_draw_made_it(world: World) -> None:
    """After one round four have won and four have lost; nothing but the draw, or a rating, tells them apart."""
    await world.started(players=8, format="keyforge-swiss")
    for row in world.open_matches():
        await world.report(world.sides(row)[1], "lost", row)
    asked = await world.player("Ada").slash(world.channel, "standings")
    told = text_of(await world.player("Ada").click(asked.response, label="As text"))
    tied = re.findall(r"\*\*\d+\.\*\* (?:[▲▼]\d+ )?\**(\w+)\** · .*tied, by the draw", told)
    lines = re.findall(r"printf '%s' '([^']+)' \| sha256sum`\n→ `([0-9a-f]{64})`", told)
    assert len(tied) == len(lines) == 8
    assert [text.rpartition("/")[2] for text, _ in lines] == tied
    assert all(sha256(text.encode()).hexdigest() == value for text, value in lines)
    values = [value for _, value in lines]
    assert values == [*sorted(values[:4]), *sorted(values[4:])]


@pytest.mark.long
@pytest.mark.painted
async def test_the_painter_is_ready_before_anyone_asks_for_a_picture(world: World) -> None:
    assert world.env.bot.painter._process is not None or world.env.bot.painter.waiting
