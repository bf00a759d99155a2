"""Lists on Discord: handed in by a form or a file, sealed, late, read by those who may."""

import hashlib
import re
from typing import Any

import pytest

from cogs.ui.options.uploads import LARGEST_TEXT
from tests.cogs.conftest import World, labels, message_text, selects_of, text_of
from tests.cogs.test_waiting_list import full

DRAGONS = "4 Dragons\n**2** Elves <@&1> @everyone [x](https://evil.example)"


async def hand_in(world: World, name: str, text: str, **options: Any) -> Any:
    form = await world.player(name).slash(world.channel, "list", number=1, **options)
    assert form.modal is not None, text_of(form)
    return await world.player(name).submit_modal(form, {"text": text})


@pytest.mark.long
async def test_a_list_is_typed_echoed_changed_sealed_and_read_by_everyone_when_its_due(world: World) -> None:
    await world.league()
    await world.season(players=4, lists={"number": 1, "per": "season", "due_hours": 0, "secret": "due"})
    board = message_text(world.post("Sign-ups are open"))
    assert "Hand in your list with `/list` before the season starts. 4 players haven't handed in" in board
    assert "Lists: 1 for the season, before the season starts, secret until then" in board
    done = await hand_in(world, "Ada", "4 Dragons")
    assert done.ephemeral
    assert "Your list for the season is in" in text_of(done)
    assert "4 Dragons" in text_of(done)
    assert "3 players haven't handed in their lists yet" in message_text(world.post("Sign-ups are open"))
    again = await hand_in(world, "Ada", DRAGONS)
    assert "is replaced" in text_of(again)
    assert r"\*\*2\*\* Elves" in text_of(again)
    status = await world.organiser.slash(world.channel, "list")
    assert "Lists for the season: 1 of 4 players".replace(":", ":**").replace("Lists", "**Lists", 1) in text_of(status)
    assert "Missing: Bruno, Chidi, Daria" in text_of(status)
    assert "Dragons" not in text_of(status)
    asked = await world.organiser.slash(world.channel, "season start")
    assert "3 of 4 players haven't handed in their lists: Bruno, Chidi, Daria." in text_of(asked)
    assert not world.open_matches()
    await world.organiser.click(asked.response, label="Start anyway")
    (posted,) = re.findall(r"Ada\*\* `([0-9a-f]{64})`", message_text(world.post("Lists for the season: sealed")))
    late = world.post("is still missing")
    assert world.pinged(late)[0] == {world.player(name).user.id for name in ("Bruno", "Chidi", "Daria")}
    assert "late" not in message_text(late)
    for name in ("Bruno", "Chidi", "Daria"):
        await hand_in(world, name, "6 Orcs")
    assert not world.posts("is still missing")
    refused = await world.player("Ada").slash(world.channel, "list", number=1)
    assert refused.modal is None
    assert "Your list is sealed and can't change any more." in text_of(refused)
    read = await world.outsider.slash(world.channel, "list", player="Ada")
    assert "4 Dragons" in text_of(read)
    (file,) = read.response.attachments
    assert hashlib.sha256(await file.read()).hexdigest() == posted


@pytest.mark.long
async def test_a_secret_list_is_shown_to_the_opponent_in_details_of_their_match(world: World) -> None:
    await world.league()
    await world.season(players=4, lists={"number": 1, "per": "season", "due_hours": 0, "secret": "match"})
    for player in world.players[:4]:
        await hand_in(world, player.user.global_name or "", f"Army of {player.user.global_name}")
    await world.organiser.slash(world.channel, "season start")
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    seen = await upper.slash(world.channel, "match")
    assert "Lists" in labels(seen.response)
    lists = await upper.click(seen.response, label="Lists")
    assert f"Army of {lower.user.global_name}" in text_of(lists)
    await world.restart()
    for stranger in (world.organiser, world.moderator, world.outsider):
        hidden = await stranger.slash(world.channel, "list", player=lower.user.global_name)
        assert "still secret" in text_of(hidden)
        assert "Army of" not in text_of(hidden)
        assert not hidden.response.attachments


@pytest.mark.long
async def test_a_late_list_counts_at_once_and_is_marked(world: World) -> None:
    await world.league()
    await world.season(players=4, lists={"number": 1, "per": "round", "due_hours": 24, "secret": "due"})
    await world.organiser.slash(world.channel, "season start")
    assert "4 players haven't handed in their lists yet" in message_text(world.post("Round 1"))
    await world.jump(minutes=1)
    reminder = world.post("your list, please")
    assert len(world.pinged(reminder)[0]) == 4
    await hand_in(world, "Ada", "on time", round=1)
    await world.jump(hours=25)
    sealed = message_text(world.post("Lists for round 1: sealed"))
    assert "Ada" in sealed
    late = await hand_in(world, "Bruno", "too late", round=1)
    assert "It came late, which is marked, and it's sealed" in text_of(late)
    posted = world.post("Lists for round 1: handed in late")
    assert "Bruno" in message_text(posted)
    assert world.posts("list 1 for round 1", world.back_room) == []
    assert "too late" in text_of(await world.outsider.slash(world.channel, "list", player="Bruno"))
    assert "sealed, late" in text_of(await world.player("Bruno").slash(world.channel, "list"))


@pytest.mark.long
async def test_files_and_links_are_checked_before_they_are_read(world: World) -> None:
    await world.league()
    await world.season(
        format="keyforge-swiss", players=2, lists={"number": 1, "per": "season", "due_hours": 0, "secret": "end"}
    )
    ada = world.player("Ada")
    whole = await ada.slash(world.channel, "list", file=("deck.txt", b"\xef\xbb\xbfline\r\n\x07two\xe2\x80\xae"))
    assert "line\ntwo" in text_of(whole)
    assert "isn't a text file" in text_of(await ada.slash(world.channel, "list", file=("deck.png", b"\x89PNG\xff")))
    large = ("deck.txt", b"x" * (LARGEST_TEXT + 1))
    assert "at most 16 kB fit" in text_of(await ada.slash(world.channel, "list", file=large))
    assert "at most 16 kB" in text_of(await ada.slash(world.channel, "list", file=("deck.txt", b"x" * 17_000)))
    assert "at most 4,000 fit" in text_of(await ada.slash(world.channel, "list", file=("deck.txt", b"x" * 4_001)))
    form = await ada.slash(world.channel, "list", number=1)
    link = "https://www.keyforgegame.com/deck-details/0123abcd-0123-4567-89ab-0123456789ab"
    done = await ada.submit_modal(form, {"link": f"{link}?utm=1", "file": [("more.txt", b"sideboard")]})
    assert f"<{link}>\nsideboard" in text_of(done)
    wrong = await ada.slash(world.channel, "list", number=1)
    told = await ada.submit_modal(wrong, {"link": "https://keyforgegame.com.evil.example/deck-details/1"})
    assert "isn't a link to a deck" in text_of(told)
    long = await ada.slash(world.channel, "list", file=("deck.txt", b"_" * 4_000))
    assert [file.filename for file in long.response.attachments] == ["list.txt"]


@pytest.mark.long
async def test_a_season_without_lists_says_so(world: World) -> None:
    await world.started(players=4)
    assert "takes no lists" in text_of(await world.player("Ada").slash(world.channel, "list"))
    asked = await world.outsider.slash(world.channel, "signup", deck="Dragons")
    told = await world.outsider.click(asked.response, label="Join anyway")
    assert "takes no lists, so your deck wasn't kept" in text_of(told)


@pytest.mark.long
async def test_maps_are_typed_as_lines_and_shown_where_the_round_is(world: World) -> None:
    await world.started(players=4)
    form = await world.organiser.slash(world.channel, "season maps")
    lines = '1, "Fields, of Fire", 500 points, https://example.org/map?a=1\n1, *Ruins*\nsemi-finals, The <@1> Bridge'
    saved = await world.organiser.submit_modal(form, {"lines": lines})
    assert "3 maps saved" in text_of(saved)
    card = world.post("Round 1")
    assert r"🗺️ Fields, of Fire, \*Ruins\*" in message_text(card)
    details = await world.outsider.click(card, label="Details") if "Details" in labels(card) else None
    mine = details or await world.player("Ada").slash(world.channel, "match")
    assert "500 points · <https://example.org/map?a=1>" in text_of(mine)
    rules = await world.outsider.slash(world.channel, "rules")
    (options,) = selects_of(rules.response).values()
    maps = next(option.value for option in options if option.label == "Chapter: Maps")
    chapter = await world.outsider.select(rules.response, [maps])
    assert "Semi-finals: **The <" not in text_of(chapter)
    assert "Semi-finals" in text_of(chapter)
    again = await world.organiser.slash(world.channel, "season maps")
    assert '"Fields, of Fire"' in str(again.modal)
    wrong = await world.organiser.submit_modal(again, {"lines": "1, Fields, http://example.org"})
    assert "Line 1: that link can't be posted" in text_of(wrong)
    assert "Only organisers" in text_of(await world.player("Ada").slash(world.channel, "season maps"))


@pytest.mark.long
async def test_a_list_typed_by_someone_who_waits_is_said_not_to_be_kept(world: World) -> None:
    await full(world, lists={"number": 1, "per": "season", "due_hours": 0, "secret": "due"})
    told = await world.outsider.slash(world.channel, "signup", deck="4 Dragons")
    assert "3rd on the waiting list" in text_of(told)
    assert "Your list wasn't kept, because you have no place yet" in text_of(told)
    status = await world.organiser.slash(world.channel, "season status")
    assert "2 players haven't handed in their lists yet" in text_of(status)


async def test_a_list_typed_with_a_sign_up_comes_through_the_rules_and_a_longer_one_is_refused(world: World) -> None:
    await world.league()
    await world.season(players=0, lists={"number": 1, "per": "season", "due_hours": 0, "secret": "due"})
    form = await world.rules_form()
    await world.organiser.submit_modal(form, {"rules": "Be kind."})
    ada = world.players[0]
    refused = await ada.slash(world.channel, "signup", deck="*" * 4000)
    assert "at most 100 characters. Join, then use `/list`" in text_of(refused)
    asked = await ada.slash(world.channel, "signup", deck="_Elves_")
    done = text_of(await ada.click(asked.response, label="I agree, join"))
    assert r"Your list: \_Elves\_" in done
