"""A question that was answered has nothing to say, also where its message is loaded by mistake."""

from typing import Any

import pytest

from bot.services.base.post_kinds import Gone, PostKind
from bot.services.matches.outcome import Outcome
from bot.services.people import removing
from bot.services.play import decisions, reporting
from bot.services.play.field.moving_up import MOVING_UP
from bot.services.play.round_posts import DISPUTED, QUESTION
from storage.posts import PostRow
from tests.files import do, look_into
from tests.services.conftest import MODERATOR, ORGANISER, World


async def promised(world: World, kind: PostKind) -> PostRow:
    """Return the only post of a kind, which can be loaded now."""
    (post,) = [post for post in await world.posts(kind) if not post.removed]
    await world.shown(post)
    return post


def assert_gone(world: World, kind: PostKind, post: PostRow) -> None:
    assert kind.load is not None
    with look_into(world.db) as conn, pytest.raises(Gone):
        kind.load(conn, post, world.now)


async def test_a_report_that_was_confirmed_or_disputed(world: World) -> None:
    await world.begin(4)
    view = await world.match_of("dok")
    assert view is not None
    upper, lower = (world.player(side.name) for side in view.sides)
    said: Any = {"db": world.db, "now": world.now, "match": view.match.id}
    await do(reporting.report, actor=upper, result="won", **said)
    question = await promised(world, QUESTION)
    await do(reporting.dispute, actor=lower, reason="no", **said)
    assert_gone(world, QUESTION, question)
    disputed = await promised(world, DISPUTED)
    await do(decisions.decide, actor=MODERATOR, outcome=Outcome.LOWER, reason="seen", **said)
    assert_gone(world, DISPUTED, disputed)


@pytest.mark.long
async def test_an_answer_of_a_player_who_moves_up(world: World) -> None:
    await world.begin(8, "keyforge-swiss", rounds=2, cut=4)
    for _ in range(2):
        await world.play_round()
    await world.announce()
    first = (await world.status()).current_round
    assert first is not None
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(removing.remove, **who, player=first.matches[0].upper.name, reason="ill")
    question = await promised(world, MOVING_UP)
    await world.move_up()
    assert_gone(world, MOVING_UP, question)
