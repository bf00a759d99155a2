"""The lanes of the announcer alone: who waits for whom, and who doesn't."""

import asyncio
from collections.abc import Mapping

import pytest

from bot.pace import Pace
from bot.services.delivery.delivery import Lane, Work
from cogs.posting.lanes import REST_SECONDS, Lanes
from storage.posts import PostId, QueuedPost, Target


def queued(number: int, channel: int, *, message: int | None = None) -> QueuedPost:
    return QueuedPost(
        id=PostId(number),
        key=str(number),
        kind="notice",
        target=Target.LEAGUE,
        person_id=None,
        channel_id=channel,
        message_id=message,
        attempts=0,
        removed=False,
    )


class Channels:
    """A Discord of channels: some are stuck, some refuse; `posts` is what is due."""

    def __init__(self, *posts: QueuedPost) -> None:
        self.posts = list(posts)
        self.made: list[int] = []
        self.stuck: set[int] = set()
        self.refusing: set[int] = set()
        self.rests: list[float] = []
        self.rested = asyncio.Event()
        self.pace = Pace(0.001)
        self.lanes = Lanes(self.look, self.turn, self.make, sleep=self.sleep)

    async def look(self) -> Mapping[Lane, list[QueuedPost]]:
        lanes: dict[Lane, list[QueuedPost]] = {}
        for post in self.posts:
            work = Work.SEND if post.message_id is None else Work.EDIT
            lanes.setdefault(Lane(post.channel_id, work), []).append(post)
        await asyncio.sleep(0)
        return lanes

    async def turn(self, post: QueuedPost) -> None:
        await self.pace.turn(hurry=post.message_id is None)

    async def make(self, post: QueuedPost) -> bool:
        if post.channel_id in self.stuck:
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        if post.channel_id in self.refusing:
            return False
        self.made.append(post.id)
        self.posts.remove(post)
        return True

    async def sleep(self, seconds: float) -> None:
        self.rests.append(seconds)
        await self.rested.wait()

    async def until_made(self, count: int) -> None:
        async with asyncio.timeout(20):
            while len(self.made) < count:  # noqa: ASYNC110 (the lanes run in between)
                await asyncio.sleep(0)


@pytest.mark.long
async def test_stuck_channels_hold_up_no_other_however_many_they_are() -> None:
    stuck = [queued(number, channel) for channel in range(200) for number in (2 * channel, 2 * channel + 1)]
    there = Channels(*stuck, queued(1000, 1000), queued(1001, 1000))
    there.stuck = set(range(200))
    there.lanes.wake()
    await there.until_made(2)
    assert there.made == [1000, 1001]
    await there.lanes.close(0)


async def test_a_lane_in_which_a_post_failed_rests_and_then_goes_on_in_order() -> None:
    there = Channels(queued(1, 7), queued(2, 7), queued(3, 8))
    there.refusing = {7}
    there.lanes.wake()
    await there.until_made(1)
    while not there.rests:  # noqa: ASYNC110 (the lanes run in between)
        await asyncio.sleep(0)
    assert (there.made, there.rests) == ([3], [REST_SECONDS])
    there.refusing = set()
    there.rested.set()
    await there.until_made(3)
    assert there.made == [3, 1, 2]


async def test_a_post_is_made_once_however_often_the_lanes_are_woken() -> None:
    there = Channels(*(queued(number, number % 3) for number in range(30)))
    for _ in range(10):
        there.lanes.wake()
        await asyncio.sleep(0)
    await there.until_made(30)
    there.lanes.wake()
    for _ in range(50):
        await asyncio.sleep(0)
    assert sorted(there.made) == list(range(30))
    assert [number for number in there.made if number % 3 == 0] == list(range(0, 30, 3))


async def test_new_posts_get_their_turn_before_edits() -> None:
    edits = [queued(number, number, message=1) for number in range(10)]
    there = Channels(*edits, *(queued(100 + number, 100 + number) for number in range(10)))
    there.lanes.wake()
    await there.until_made(20)
    assert there.made.index(109) < there.made.index(1)
