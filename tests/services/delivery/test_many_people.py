"""What concerns more people than one message can mention is told in several, and everyone hears of it once."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.services.base.outbox import ROUND
from bot.services.base.post_kinds import MOST_MENTIONS, PostKind
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.people import notifying
from bot.services.play import reporting
from bot.services.play.round_posts import REMINDER
from bot.services.seasons import lifecycle, pausing, planning
from bot.services.seasons.invitations import INVITATION
from bot.services.seasons.pausing import PAUSE
from bot.services.signups import check_in
from bot.services.signups.check_in import CHECK_IN
from cogs.posting.renderings import render
from cogs.ui.actions import ActionButton
from cogs.ui.cards import text_length
from cogs.ui.text import pings
from storage.tables.people.notify import How, Topic
from tests.files import do
from tests.services.conftest import ORGANISER, World

MANY = [f"Player number {number}" for number in range(1, 182)]
"""As many as three messages mention."""


def mentioned(made: Sequence[Delivery], kind: PostKind) -> Counter[int]:
    """Return how often each person was mentioned; no message mentions more than it can or says more than it holds."""
    told: Counter[int] = Counter()
    for one in made:
        if one.row.kind == kind:
            assert 0 < len(one.mention.people) <= MOST_MENTIONS
            answer = render(kind, one.post)
            assert len(pings(one.mention.people)) + text_length(answer.parts) <= 4000
            told.update(one.mention.people)
    return told


def everyone(world: World, names: Sequence[str] = MANY) -> Counter[int]:
    return Counter(world.player(name).user_id or 0 for name in names)


@pytest.mark.long
async def test_a_pause_and_a_reminder_mention_everyone_in_a_big_season(world: World) -> None:
    await world.create("lightseekers-swiss")
    await world.sign_up(*MANY)
    await world.start()
    await world.announce()
    off, direct = MANY[0], MANY[1]
    for name, how in ((off, How.OFF), (direct, How.DIRECT)):
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        await do(notifying.choose, db=world.db, **who, topic=Topic.DEADLINE, how=how)
    organiser: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(pausing.pause, db=world.db, **organiser, until=world.now + timedelta(days=1))
    made = [one for one in await world.announce() if one.row.kind == PAUSE]
    direct_id = world.player(direct).user_id
    in_channel = [one for one in made if one.row.person_id is None]
    assert mentioned(in_channel, PAUSE) == everyone(world, MANY[2:])
    assert [one.row.person_id for one in made if one.row.person_id is not None] == [direct_id]
    assert len(in_channel) == 3
    await world.announce()
    assert not [one for one in await world.announce() if one.row.kind == PAUSE]


@pytest.mark.long
async def test_a_reminder_mentions_everyone_and_lists_every_match(world: World) -> None:
    await world.create("lightseekers-swiss")
    await world.sign_up(*MANY[:-1])
    await world.start()
    made: list[Delivery] = []
    while not made:
        await world.announce()
        world.later(hours=6)
        await steps.tick(world.db, world.now)
        made = [one for one in await world.announce() if one.row.kind == REMINDER]
    assert mentioned(made, REMINDER) == everyone(world, MANY[:-1])
    said = str([render(REMINDER, one.post).parts for one in made])
    assert all(name in said for name in MANY[:-1])


@pytest.mark.long
async def test_check_in_and_invitation_reach_everyone_and_are_kept_up_to_date(world: World) -> None:
    given: Any = {"check_in_hours": 12, "late_entry": 1}
    await world.opened(format="ohs", settings=given, signups_close=world.now + timedelta(hours=48))
    await world.sign_up(*MANY)
    world.later(hours=40)
    await steps.tick(world.db, world.now)
    made = [one for one in await world.announce() if one.row.kind == CHECK_IN]
    assert mentioned(made, CHECK_IN) == everyone(world)
    who: Any = {"actor": world.player(MANY[0]), "now": world.now, "league_id": world.league_id}
    await do(check_in.check_in, db=world.db, **who)
    due = [
        post for lane in (await world.db.read(delivery.due, world.now + timedelta(minutes=5))).values() for post in lane
    ]
    assert len([post for post in due if post.kind == CHECK_IN]) == len(made) == 3
    organiser: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(lifecycle.start, db=world.db, **organiser)
    await world.announce()
    assert not [post for post in await world.posts("check-in") if post.message_id and not post.removed]

    await do(lifecycle.cancel, db=world.db, **organiser, reason=None)
    await do(planning.prepare, db=world.db, **organiser, format="ohs")
    await do(planning.open_signups, db=world.db, **organiser)
    assert mentioned(await world.announce(), INVITATION) == everyone(world)


@pytest.mark.parametrize("how", ["reported", "confirmed"])
async def test_a_round_card_in_a_direct_message_is_edited_when_its_match_changes(world: World, how: str) -> None:
    await world.create()
    await world.sign_up("Ada", "Bruno")
    for name in ("Ada", "Bruno"):
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        await do(notifying.choose, db=world.db, **who, topic=Topic.ROUND, how=How.DIRECT)
    await world.start()
    made = await world.announce()
    cards = [one for one in made if one.row.kind == ROUND and one.row.person_id is not None]
    assert len(cards) == 2
    match = await world.match_of("Ada")
    assert match is not None
    if how == "confirmed":
        await world.lose(match.lower.name)
    else:
        said: Any = {"match": match.match.id, "result": "won"}
        await do(reporting.report, db=world.db, actor=world.player(match.upper.name), now=world.now, **said)
    world.later(minutes=1)
    lanes = await world.db.read(delivery.due, world.now)
    edited = {post.id for lane in lanes.values() for post in lane if post.message_id is not None}
    assert {one.row.id for one in cards} <= edited
    found = await steps.load(world.db, cards[0].row.id, world.now)
    assert found is not None
    shown = render(ROUND, found.post)
    assert [button.item.label for button in shown.buttons if isinstance(button, ActionButton)] == ["My match"]
