"""A season whose rounds are known from its first day: who comes next, who rests, by groups, with dates."""

from datetime import timedelta
from itertools import chain

import pytest

from bot.league.errors import NotFound
from bot.services.base.order import Order
from bot.services.matches import season_calendar
from bot.services.matches.season_calendar import PlannedRound
from bot.services.play.round_posts import RoundPost
from bot.services.reads import details, my_match, pairings
from bot.services.times import calendars, timetable
from cogs.matches.calendar_lines import own_rounds
from storage.rows import EntrantRow
from storage.tables import leagues, seasons
from tests.files import look_into
from tests.looked_up import posted_round
from tests.services.conftest import ORGANISER, World
from tests.services.seats.test_seats import substitute


def order(world: World, name: str) -> Order:
    return Order(actor=world.player(name), now=world.now, league_id=world.league_id)


async def planned(world: World) -> tuple[PlannedRound, ...]:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        return season_calendar.calendar(conn, leagues.get(conn, world.league_id), seasons.get(conn, season_id))


async def resting(world: World) -> EntrantRow:
    """Return who rests in the current round, of a season where someone does."""
    view = await world.db.read(posted_round, order(world, "dok"))
    return next(group.resting for group in view.groups if group.resting is not None)


@pytest.mark.long
async def test_all_rounds_are_known_with_their_dates_once_the_first_is_posted(world: World) -> None:
    await world.create("round-robin", group_size=4)
    await world.sign_up(*"abcdefg")
    assert await planned(world) == ()
    await world.start()
    rounds = await planned(world)
    assert [round_.number for round_ in rounds] == [1, 2, 3]
    ends = [round_.until for round_ in rounds]
    assert None not in ends
    assert [ends[0] + timedelta(days=7 * number) for number in range(3) if ends[0]] == ends
    before = [[[(a.name, b.name) for a, b in group.pairs] for group in round_.groups] for round_ in rounds]
    for number in range(3):
        posted = await world.db.read(posted_round, order(world, "a"))
        assert [(match.upper.name, match.lower.name) for match in posted.matches] == [*chain(*before[number])]
        await world.play_round()
    after = [[[(a.name, b.name) for a, b in group.pairs] for group in round_.groups] for round_ in await planned(world)]
    assert after == before


async def test_who_rests_in_the_only_division_reads_of_a_division(world: World) -> None:
    await world.begin(5, "round-robin", grouping="divisions")
    mine = await world.db.read(my_match.my_match, order(world, (await resting(world)).name))
    assert "your division has an odd number of players" in mine.what_to_do


async def test_a_player_reads_who_comes_next_and_why_they_rest(world: World) -> None:
    await world.begin(7, "round-robin", group_size=4)
    rests = await resting(world)
    mine = await world.db.read(my_match.my_match, order(world, rests.name))
    assert mine.match is None
    assert mine.what_to_do == "You rest in round 1: your group has an odd number of players, so one rests each round."
    following = (await planned(world))[1].group_of(rests.person_id)
    assert following is not None
    opponent = following.opponent_of(rests.person_id)
    assert opponent is not None
    assert mine.after[-1] == f"Next: round 2 against {opponent.called}."
    why = await world.db.read(pairings.why, order(world, rests.name))
    assert why.title == f"Round 1 of 3: {rests.called} rests"
    assert why.in_short.startswith(
        "Round 1 of group B: the table says 1 meets 4, and no one has number 4. Your number is"
    )
    assert why.draws[0].text.endswith(f"/{rests.name}")
    other = next(group for group in (await planned(world))[0].groups if group.resting is not None).pairs[0][0]
    theirs = await world.db.read(pairings.why, order(world, other.name), player=rests.name)
    assert f"{rests.name}'s number is 1" in theirs.in_short
    assert "Met" not in (await world.db.read(pairings.why, order(world, other.name))).in_short


@pytest.mark.long
async def test_one_rests_next_and_one_whose_group_is_done_reads_that(world: World) -> None:
    await world.begin(8, "round-robin", group_size=5)
    rounds = await planned(world)
    assert len(rounds) == 3  # two groups of four
    await world.play_out()
    await world.begin(9, "round-robin", group_size=5)
    assert [len([group for group in round_.groups if group.pairs]) for round_ in await planned(world)] == [
        2,
        2,
        2,
        1,
        1,
    ]
    rests = (await planned(world))[1].groups[0].resting
    assert rests is not None
    mine = await world.db.read(my_match.my_match, order(world, rests.name))
    assert mine.after[-1].startswith("You rest in round 2. Next: round 3 against ")
    small = (await planned(world))[0].groups[1].pairs[0][0]
    for _ in range(3):
        await world.play_round()
    done = await world.db.read(my_match.my_match, order(world, small.name))
    assert done.what_to_do == "You've played all your rounds. Larger groups play on."
    with pytest.raises(NotFound, match="You don't play in round 4"):
        await world.db.read(pairings.why, order(world, small.name))


async def test_calendars_have_all_rounds_and_move_with_them_under_one_uid(world: World) -> None:
    await world.begin(4, "round-robin")
    rounds = await planned(world)
    _, entries = await world.db.write(calendars.own, order(world, "dok"))
    assert [entry.start for entry in entries] == [round_.until for round_ in rounds]
    assert len({entry.uid for entry in entries}) == 3
    assert all("dok" in entry.summary and entry.summary.startswith("Deadline: ") for entry in entries)
    organiser = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    _, of_all = await world.db.write(calendars.of_season, organiser)
    assert [entry.summary.split(" (")[0] for entry in of_all] == [f"Deadline: round {number}" for number in (1, 2, 3)]
    world.later(hours=1)
    await world.play_round()
    _, again = await world.db.write(calendars.own, order(world, "dok"))
    called_off = [entry for entry in again if entry.cancelled]
    assert [entry.uid for entry in called_off] == [entries[0].uid]
    assert {entry.uid for entry in again} == {entry.uid for entry in entries}
    table = await world.db.read(timetable.timetable, order(world, "dok"))
    assert [round_.number for round_ in table.rounds] == [1, 2, 3]
    assert table.own is not None
    assert len([*own_rounds(table.rounds, table.own)]) == 3


async def own_numbers(world: World, name: str) -> list[str]:
    """Return the rounds that someone's schedule says are theirs."""
    table = await world.db.read(timetable.timetable, order(world, name))
    return [] if table.own is None else [line.split(":")[0] for line in own_rounds(table.rounds, table.own)]


async def deadlines(world: World, name: str) -> list[str]:
    """Return the deadlines ahead in someone's calendar."""
    try:
        _, entries = await world.db.write(calendars.own, order(world, name))
    except NotFound:
        return []
    return [entry.summary for entry in entries if not entry.cancelled]


async def test_each_of_two_in_a_seat_is_told_the_rounds_they_sit_in(world: World) -> None:
    await world.begin(4, "round-robin")
    before = await world.db.read(my_match.my_match, order(world, "dok"))
    opponent = before.after[-1].removeprefix("Next: round 2 against ").removesuffix(".")
    await substitute(world, "dok", "Uma")
    mine = await world.db.read(my_match.my_match, order(world, "dok"))
    assert not [line for line in mine.after if line.startswith("Next")]
    other = await world.db.read(my_match.my_match, order(world, opponent))
    assert other.after[-1] == "Next: round 2 against Uma (for dok)."
    for played in (0, 1):
        assert await own_numbers(world, "dok") == ["Round 1"]
        assert await own_numbers(world, "Uma") == ["Round 2", "Round 3"]
        assert len(await deadlines(world, "dok")) == 1 - played
        theirs = await deadlines(world, "Uma")
        assert ["Uma (for dok)" in summary for summary in theirs] == [True, True]
        if not played:
            await world.play_round()


async def test_results_decide_the_rounds_of_other_formats(world: World) -> None:
    await world.begin(8, "keyforge-swiss")
    assert await planned(world) == ()
    assert (await world.status()).calendar == ()
    view = await world.db.read(posted_round, order(world, "dok"))
    assert view.groups == ()


@pytest.mark.long
async def test_a_page_mentions_those_who_rest_too_and_a_match_says_its_group(world: World) -> None:
    await world.create("round-robin", group_size=4)
    await world.sign_up(*"abcdefg")
    await world.start()
    (page,) = [post for post in await world.posts("round") if post.person_id is None]
    facts = await world.shown(page)
    assert isinstance(facts, RoundPost)
    assert {*facts.ping_ids} == {world.player(name).user_id for name in "abcdefg"}
    found = await world.db.read(details.details, order(world, "a"), match=facts.view.matches[0].match.id)
    assert found.group == "group A"
