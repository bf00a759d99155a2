"""A round robin from its sign-ups to its champion: groups, rounds, finals across groups, and as a file."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest

from bot.league.checking.league_file import reading, writing
from bot.league.checking.verify import verify
from bot.league.errors import NotAllowed, PairingImpossible, WrongPhase
from bot.league.formats import by_key
from bot.league.formats.round_robin.berger import season_round
from bot.league.season.model import Kind, Name, Round, Season
from bot.league.season.phases import SeasonPhase
from bot.random_seasons.season import texts
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import forgetting, keeping_apart, notifying, rejoining
from bot.services.seats import sitting_out
from storage import rules_season
from storage.rows import RoundRow
from storage.tables import rounds
from storage.tables.people.notify import How, Topic
from tests.files import look_into
from tests.league.builders import as_round, proposed, season, with_departure, with_round, won
from tests.league.turmoil import forgotten
from tests.services.conftest import ADMIN, ORGANISER, World
from tests.services.leagues.test_kept_apart import exported, imported

ROUND_ROBIN = by_key("round-robin")


async def record(world: World) -> Season:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        return rules_season.load(conn, season_id)


async def file_of(world: World) -> Season:
    return reading.read((await exported(world, world.league_id)).encode())


def without_dice(season: Season) -> list[Round]:
    """Return the rounds without first choices, which are worked out where a file doesn't say them."""
    return [
        replace(round_, matches=tuple(replace(match, dice_off=None) for match in round_.matches))
        for round_ in season.rounds
    ]


@pytest.mark.long
async def test_everyone_meets_everyone_of_their_group_and_the_best_play_finals(world: World) -> None:
    await world.begin(9, "round-robin", group_size=5)
    groups = ROUND_ROBIN.groups(ROUND_ROBIN.before_finals(await record(world)))
    assert sorted(map(len, groups)) == [4, 5]
    view = await world.play_out()
    assert view.season.phase is SeasonPhase.FINISHED
    assert view.champion is not None
    played = await file_of(world)
    regular = [match.players for round_ in played.rounds if round_.stage == "regular" for match in round_.matches]
    assert {frozenset(pair) for pair in regular} == {
        frozenset(pair) for group in groups for pair in combinations(group, 2)
    }
    assert [line.strip() for line in verify(played).lines() if "as the rules say" not in line] == []


@pytest.mark.long
@pytest.mark.parametrize(
    "settings", [{}, {"meetings": 2}, {"group_size": 4, "through": 1}, {"group_size": 3, "cut": 0}, {"cut": 4}]
)
async def test_every_kind_of_round_robin_ends(world: World, settings: dict[str, Any]) -> None:
    await world.begin(7, "round-robin", **settings)
    assert (await world.play_out()).champion is not None
    assert verify(await file_of(world)).agrees


@pytest.mark.parametrize("seed", range(12))
async def test_a_file_comes_in_and_goes_out_as_it_was(world: World, seed: int) -> None:
    *_, text = texts("round-robin", seed)
    season = reading.read(text.encode())
    copy = await imported(world, json.loads(text))
    again = reading.read((await exported(world, copy)).encode())
    names = {entrant.name for entrant in season.entrants}
    ladder = season.ladder and tuple(name for name in season.ladder if name in names)
    assert again.ladder_of == season.ladder_of
    assert (again.entrants, again.groups, again.ladder) == (season.entrants, season.groups, ladder)
    assert (without_dice(again), again.departures) == (without_dice(season), season.departures)


async def test_a_season_with_kept_groups_goes_on_here(world: World) -> None:
    start = season("round-robin", 6, number=1, group_size=3, cut=0)
    now = with_round(start, *(won(*pair.players) for pair in proposed(start).pairs))
    now = forgotten(now, Name("p01"))
    copy = await imported(world, json.loads(writing.to_json(now)))
    again = reading.read((await exported(world, copy)).encode())
    assert (again.groups, again.forgotten) == (now.groups, True)
    view = await world.db.write(rounds_by_hand.post, Order(actor=ADMIN, now=world.now, league_id=copy))
    shown = {frozenset((match.upper.name, match.lower.name)) for match in view.matches}
    assert shown == {frozenset(pair.players) for pair in proposed(now).pairs}


@pytest.mark.long
@pytest.mark.parametrize("dice_off", ["draw", "equalizer"])
async def test_first_choices_that_forgetting_removed_stay_away_when_the_file_comes_in(
    world: World, dice_off: str
) -> None:
    await world.begin(5, "round-robin", dice_off=dice_off)
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    await world.play_round()
    await world.db.write(forgetting.forget, order, player="dok")
    await world.play_round()
    text = await exported(world, world.league_id)
    season = reading.read(text.encode())
    assert [any(match.dice_off for match in round_.matches) for round_ in season.rounds] == [False, False, True]
    copy = await imported(world, json.loads(text))
    assert reading.read((await exported(world, copy)).encode()).rounds == season.rounds


async def drop(world: World, name: str) -> str:
    """Let a player leave, and return what they read before."""
    with pytest.raises(ConfirmationNeeded) as asking:
        await world.drop(name, agreed="")
    await world.drop(name, agreed=asking.value.token)
    return str(asking.value)


@pytest.mark.long
async def test_who_leaves_loses_each_match_as_its_round_comes(world: World) -> None:
    await world.begin(5, "round-robin", cut=0)
    await world.play_round()
    asked = await drop(world, "dok")
    assert re.search(r"You have played [01] of 4: your results will count for nobody\.", asked)
    assert "dok has left season 1." in (said := " ".join(await world.notices()))
    assert " dok's opponents win the matches that are left. dok's results count for nobody" in said
    await world.play_out()
    season = await record(world)
    lost = [match for round_ in season.rounds[1:] for match in round_.matches if "dok" in match.players]
    assert [(match.kind, match.winner == match.opponent_of(Name("dok"))) for match in lost] == [
        (Kind.FORFEIT, True)
    ] * len(lost)
    table = ROUND_ROBIN.standings(season)
    assert table[-1].name == "dok"
    assert (table[-1].points, table[-1].wins, table[-1].losses) == (0, 0, 0)
    assert verify(await file_of(world)).agrees


@pytest.mark.parametrize("won", [True, False])
async def test_whose_result_counts_no_more_because_a_player_left_is_told(world: World, *, won: bool) -> None:
    """Only who won by forfeit was told, not who had played."""
    await world.begin(6, "round-robin")
    match = await world.match_of("dok")
    assert match is not None
    opponent = next(side.name for side in match.sides if side.name != "dok")
    await world.lose(opponent if won else "dok")
    await world.announce()
    await drop(world, "dok")
    (post,) = [delivery for delivery in await world.announce() if delivery.row.kind == "notice"]
    assert post.row.facts["text"] == (
        "dok has left season 1. dok's opponents win the matches that are left. dok's results count for nobody, also"
        f" those against {opponent}."
    )
    assert post.mention.people == (world.player(opponent).user_id,)


@pytest.mark.parametrize("how", [How.MENTION, How.DIRECT])
async def test_who_has_left_is_told_of_no_later_round(world: World, how: How) -> None:
    await world.begin(4, "round-robin", cut=0)
    dok = Order(actor=world.player("dok"), now=world.now, league_id=world.league_id)
    await world.db.write(notifying.choose, dok, topic=Topic.ROUND, how=how)
    await drop(world, "dok")
    await world.announce()
    await world.play_round()
    made = [delivery for delivery in await world.announce() if delivery.row.kind == "round"]
    told = {person for post in made for person in (*post.mention.people, post.row.person_id)}
    assert told - {None} == {world.player(name).user_id for name in world.players if name != "dok"}


@pytest.mark.long
@pytest.mark.parametrize("advance", ["all-in", "deadline", "manual"])
async def test_a_round_in_which_nobody_has_to_play_ends_at_once_without_a_post(world: World, advance: str) -> None:
    await world.begin(4, "round-robin", cut=0, meetings=2, advance=advance)
    first = (await record(world)).rounds[0]
    stays = first.matches[0].players
    for name in first.matches[1].players:
        await drop(world, name)
    await drop(world, stays[1])
    season = await record(world)
    if advance != "all-in":
        await world.db.write(rounds_by_hand.close, Order(actor=ADMIN, now=world.now, league_id=world.league_id))
        if advance == "manual":
            await world.db.write(rounds_by_hand.post, Order(actor=ADMIN, now=world.now, league_id=world.league_id))
        season = await record(world)
    assert len(season.rounds) == 6
    both = {match.kind for round_ in season.rounds[1:] for match in round_.matches if stays[0] not in match.players}
    assert both == {Kind.DOUBLE_LOSS}
    view = await world.status()
    assert view.season.phase is SeasonPhase.FINISHED
    assert view.champion == stays[0]
    shown = {post.round_id for post in await world.posts("round")}
    assert len(shown) == 1


async def reinstate(world: World, name: str) -> str:
    """Put a player back, and return what the organiser reads before."""
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    given: dict[str, Any] = {"player": name, "reason": "by mistake"}
    with pytest.raises(ConfirmationNeeded) as asking:
        await world.db.write(rejoining.reinstate, order, **given, agreed="")
    await world.db.write(rejoining.reinstate, order, **given, agreed=asking.value.token)
    return str(asking.value)


async def test_putting_a_player_back_opens_the_match_of_the_round_that_is_played(world: World) -> None:
    await world.begin(4, "round-robin", cut=0, advance="manual")
    first, second = (await record(world)).rounds[0].matches
    await drop(world, first.upper)
    await drop(world, second.upper)
    assert [match.kind for match in (await record(world)).rounds[0].matches] == [Kind.FORFEIT, Kind.FORFEIT]
    asked = await reinstate(world, first.upper)
    assert re.search(r"as if they had never left\. Open again: .+ \(round 1\)\.", asked)
    again = await record(world)
    assert [match.kind for match in again.rounds[0].matches] == [Kind.OPEN, Kind.FORFEIT]
    assert [left.name for left in again.departures] == [second.upper]
    assert not [post for post in await world.posts("stuck") if "All results" in str(post.facts)]


@pytest.mark.long
async def test_putting_a_player_back_opens_the_matches_of_ended_rounds_too(world: World) -> None:
    await world.begin(6, "round-robin", cut=0)
    (group,) = ROUND_ROBIN.kept_groups(await record(world))
    upper, lower = season_round(6, 1, 2)[0]
    both = [group[upper - 1], group[lower - 1]]
    for name in both:
        await drop(world, name)
    await world.play_round()
    await world.play_round()
    before = await record(world)
    assert len(before.rounds) == 3
    world.later(days=5)
    asked = await reinstate(world, both[0])
    assert re.search(r"Open again: .+ \(round 1\), .+ \(round 3\)\. Earlier rounds get the time of a round", asked)
    after = await record(world)
    assert (after.rounds[1].matches[0].kind, after.rounds[1].matches[0].winner) == (Kind.FORFEIT, both[0])
    open_ = [[match.players for match in round_.matches if match.kind is Kind.OPEN] for round_ in after.rounds]
    assert [len(pairs) for pairs in open_] == [1, 0, 2]
    assert both[0] in open_[0][0]
    rows = await open_rows(world)
    assert [row.number for row in rows] == [1, 3]
    assert rows[0].deadline == world.now + timedelta(days=7)
    assert rows[1].deadline == world.now + timedelta(days=2)
    file = await file_of(world)
    assert verify(file).agrees
    with pytest.raises(PairingImpossible, match="round 1 has matches without a result"):
        ROUND_ROBIN.next_round(file)


async def open_rows(world: World) -> tuple[RoundRow, ...]:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        return rounds.open_rounds(conn, season_id)


async def test_who_left_before_the_groups_were_made_again_is_in_none_of_them(world: World) -> None:
    """Round 1 was taken back, they left, and it was posted without them: putting them back gave it other pairs."""
    await world.begin(6, "round-robin", cut=0, advance="manual")
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    await world.db.write(rounds_by_hand.undo, order, reason="too early")
    leaver = (await record(world)).entrants[0].name
    await drop(world, leaver)
    await reinstate(world, leaver)
    await drop(world, leaver)
    await world.db.write(rounds_by_hand.post, order)
    with pytest.raises(
        WrongPhase, match=rf"^{leaver} left season 1 before round 1 was paired, so they are in no group\."
    ):
        await world.db.write(rejoining.reinstate, order, player=leaver, reason="by mistake")
    assert verify(await file_of(world)).agrees


@pytest.mark.long
async def test_no_one_comes_back_into_finals(world: World) -> None:
    await world.begin(4, "round-robin", cut=2)
    leaver = (await record(world)).rounds[0].matches[0].upper
    await drop(world, leaver)
    while (await world.status()).season.phase is SeasonPhase.RUNNING:
        await world.play_round()
        await world.move_up()
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    with pytest.raises(WrongPhase, match=f"The finals of season 1 have begun without {leaver}: it's too late."):
        await world.db.write(rejoining.reinstate, order, player=leaver, reason="by mistake")


@pytest.mark.long
async def test_who_leaves_after_the_last_result_is_not_struck(world: World) -> None:
    await world.begin(4, "round-robin", cut=2, advance="manual")
    leaver = (await record(world)).rounds[0].matches[0].upper
    for number in range(3):
        await world.play_round()
        if number < 2:
            await world.db.write(rounds_by_hand.post, Order(actor=ADMIN, now=world.now, league_id=world.league_id))
    assert "Results so far still count." in await drop(world, leaver)
    season = await record(world)
    assert [left.round for left in season.departures] == [4]
    assert ROUND_ROBIN.struck_by_leaving(season, leaver) is None


async def test_what_is_not_possible_says_what_is_instead(world: World) -> None:
    await world.begin(5, "round-robin", cut=0)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    before = await record(world)
    with pytest.raises(WrongPhase, match="everyone meets everyone by a table, so no one can swap"):
        await world.db.write(swapping.swap, order, first="dok", second="Zoë")
    own = Order(actor=world.player("dok"), now=world.now, league_id=world.league_id)
    with pytest.raises(WrongPhase, match="so no one can sit out a round"):
        await world.db.write(sitting_out.sit_out, own, number=2)
    with pytest.raises(WrongPhase, match="took new players up to round 1"):
        await world.sign_up("Late")
    with pytest.raises(ConfirmationNeeded, match="they meet all the same if they are in one group"):
        await world.db.write(keeping_apart.keep_apart, order, first="dok", second="Zoë", reason="no", agreed="")
    await drop(world, "dok")
    with pytest.raises(NotAllowed, match="players who left can't come back"):
        await world.db.write(rejoining.rejoin, own)
    assert (await record(world)).entrants == before.entrants


async def test_an_open_match_of_a_player_who_left_is_lost_when_its_file_comes_in(world: World) -> None:
    start = season("round-robin", 6, number=1, cut=0)
    now = replace(start, rounds=(as_round(proposed(start)),))
    leaver = now.rounds[0].matches[0].upper
    now = with_departure(now, leaver, 1, after_pairing=True)
    copy = await imported(world, json.loads(writing.to_json(now)))
    again = reading.read((await exported(world, copy)).encode())
    assert [match.kind for match in again.rounds[0].matches] == [Kind.FORFEIT, Kind.OPEN, Kind.OPEN]
