"""What is behind **Details** of a match: what two players did before it, not after."""

from collections import Counter

from bot.services.base.order import Order
from bot.services.matches.decision_posts import Decided, TakenBack
from bot.services.matches.outcome import read_outcome
from bot.services.organising import swapping
from bot.services.play import clearing, decisions, reporting
from bot.services.reads import details
from storage.rows import DisputeRow, ReportRow
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, World


async def test_a_meeting_that_came_later_is_not_one_before(world: World) -> None:
    await world.begin(4, "ohs", rounds=1, cut=0)
    first = await world.match_of("dok")
    await world.play_out()
    await world.create("single-elimination")
    await world.sign_up(*(side.name for side in first.sides))
    await world.start()
    second = await world.match_of("dok")
    await world.play_out()
    order = Order(actor=world.player("dok"), now=world.now, league_id=world.league_id)
    assert (await world.db.read(details.details, order, match=first.match.id)).met == ()
    later = await world.db.read(details.details, order, match=second.match.id)
    assert [one.id for one in later.met] == [first.match.id]


async def test_what_was_said_of_a_match_before_its_pairing_was_changed_is_about_another_match(world: World) -> None:
    await world.begin(4)
    first = await world.match_of("dok")
    upper, lower = (Order(actor=world.player(side.name), now=world.now) for side in first.sides)
    judge = Order(actor=MODERATOR, now=world.now)
    match = first.match.id
    await world.db.write(reporting.report, lower, match=match, result="lost")
    lost = await world.match_of("dok")
    await world.db.write(reporting.take_back, lower, match=match, version=lost.match.version)
    await world.db.write(reporting.report, upper, match=match, result="won")
    await world.db.write(reporting.dispute, lower, match=match, reason="we never met")
    outcome = read_outcome(first, first.upper.name)
    await world.db.write(decisions.decide, judge, match=match, outcome=outcome, reason="seen the log")
    await world.db.write(clearing.clear, judge, match=match, reason="a mix-up")
    before = await world.db.read(details.details, judge, match=match)
    kinds = Counter(type(statement) for statement in before.statements)
    assert kinds == {ReportRow: 2, TakenBack: 1, DisputeRow: 1, Decided: 2}
    assert {post.kind for post in await world.posts()} >= {"decision", "open-again"}
    view = await world.db.read(posted_round, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    other = next(one for one in view.matches if one.match.id != match)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(swapping.swap, order, first=first.lower.name, second=other.lower.name, reason="a mix-up")
    assert (await world.db.read(details.details, judge, match=match)).statements == ()
    assert not {post.kind for post in await world.posts()} & {"decision", "open-again"}
    await world.db.write(reporting.report, upper, match=match, result="won")
    assert len((await world.db.read(details.details, judge, match=match)).statements) == 1
