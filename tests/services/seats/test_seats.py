"""Who sits in a seat, and who sits a round out: through whole seasons of every format, to the league file and back."""

import json
import random
from contextlib import suppress
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.counting.rating_formula import rate
from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, PairingImpossible, WrongPhase
from bot.league.formats import ALL, by_key
from bot.league.season.model import Name, Rating, Season
from bot.league.season.phases import SeasonPhase
from bot.league.season.scales import RatingScale
from bot.services.base import cached
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up
from bot.services.organising import rounds_by_hand, swapping
from bot.services.play import reporting
from bot.services.reads import tables
from bot.services.reads.my_match import MyMatch, my_match
from bot.services.seasons import lifecycle
from bot.services.seats import sitting_out, substitutes
from bot.services.seats.sitting_out import SatOut
from bot.services.seats.substitutes import Substituted
from storage import rated_seasons, rules_season
from storage.rows import LeagueId
from storage.tables.people import players
from tests.files import do, look_into
from tests.looked_up import history, posted_round
from tests.services.conftest import ADMIN, NAMES, ORGANISER, World

OTHERS = ("Uma", "Vic", "Wes", "Yan")


async def sit_out(world: World, name: str, number: int, *, agreed: str | None = None) -> SatOut:
    who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
    return await do(sitting_out.sit_out, db=world.db, **who, number=number, agreed=agreed)


async def substitute(world: World, old: str, new: str, *, agreed: str | None = None) -> Substituted:
    discord_id = world.player(new).user_id
    assert discord_id is not None
    newcomer = Newcomer(discord_id=discord_id, wanted=None, display_name=new, by_organiser=True)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    return await do(substitutes.substitute, db=world.db, **who, old=old, newcomer=newcomer, agreed=agreed)


async def where(world: World, name: str) -> MyMatch:
    return await world.db.read(my_match, Order(actor=world.player(name), now=world.now, league_id=world.league_id))


async def record(world: World) -> Season:
    view = await world.status()
    with look_into(world.db) as conn:
        return rules_season.load(conn, view.season.id)


async def exported(world: World, league_id: LeagueId, number: int) -> str:
    file = await world.db.read(
        exporting.export, Order(actor=BOT, now=world.now, league_id=league_id), season_number=number
    )
    return file.text


async def ratings(world: World, league_id: LeagueId) -> dict[str, tuple[float, float]]:
    with look_into(world.db) as conn:
        found = cached.ratings_before(conn, league_id, 99)
        names = {who.id: who.name for who in players.of_league(conn, league_id)}
    return {names[player]: (rating.mu, rating.sigma) for player, rating in found.items()}


def by_hand(texts: list[str]) -> dict[str, tuple[float, float]]:
    """Work out everyone's rating from the files alone: the person in the seat is rated."""
    known: dict[str, Rating] = {}
    for season in map(json.loads, texts):
        taken = sorted(season["substitutes"], key=lambda row: row["round"])
        first = {row["player"]: row for row in reversed(taken)} | {row["name"]: row for row in season["players"]}
        for name, row in first.items():
            before = known.setdefault(name, Rating(mu=25, sigma=25 / 3))
            assert (row["rating"]["mu"], row["rating"]["sigma"]) == pytest.approx((before.mu, before.sigma)), name
        for round_ in season["rounds"]:
            people = {row["seat"]: row["player"] for row in taken if row["round"] <= round_["number"]}
            for match in round_["matches"]:
                if match["kind"] in ("played", "adjudicated") and match["winner"] is not None:
                    (loser,) = {*match["players"]} - {match["winner"]}
                    won, lost = (people.get(seat, seat) for seat in (match["winner"], loser))
                    known[won], known[lost] = rate(known[won], known[lost], RatingScale())
    return {name: (rating.mu, rating.sigma) for name, rating in known.items()}


async def change_seats(world: World, chance: random.Random) -> None:
    """Let someone sit out a coming round, substitute, come back, or leave; refusals are answers too."""
    season = await record(world)
    with suppress(LeagueError):
        match chance.randrange(5):
            case 0 | 1:
                await sit_out(world, chance.choice(list(world.players)), len(season.rounds) + chance.choice([1, 1, 2]))
            case 2 | 3:
                await substitute(world, chance.choice(NAMES[:9]), chance.choice([*OTHERS, *NAMES[:9]]))
            case _:
                await world.drop(chance.choice(list(world.players)))


async def play_season(world: World, chance: random.Random, format_: str) -> None:
    await world.begin(9, format=format_)
    await substitute(world, chance.choice(NAMES[:9]), chance.choice(OTHERS))
    for _ in range(40):
        view = await world.status()
        if view.season.phase is SeasonPhase.FINISHED:
            return
        if view.current_round is None or not view.current_round.missing:
            await unstick(world)
            continue
        await change_seats(world, chance)
        await change_seats(world, chance)
        await world.play_round()
        assert [check.line() for check in verify(await record(world)).rounds if check.difference] == []
    raise AssertionError("the season does not end")


async def unstick(world: World) -> None:
    """Let ties and free places in the finals be settled by silence, and everyone play after all where that's needed."""
    await world.announce()
    await world.announce()
    world.later(days=9)
    await steps.tick(world.db, world.now)
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        rows = sitting_out.sat_out.of_season(conn, season_id)
        seats = {row.id: sitting_out.entrants.one_in_round(conn, row.entrant_id, row.round) for row in rows}
    for row in rows:
        with suppress(LeagueError):
            actor = world.player(seats[row.id].person or seats[row.id].name)
            await world.db.write(sitting_out.play_after_all, Order(actor=actor, now=world.now), sit_out_id=row.id)
    with suppress(LeagueError):
        await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))


@pytest.mark.long
@pytest.mark.parametrize(
    "format_",
    [pytest.param(one.key, marks=() if one.key in ("ohs", "single-elimination") else pytest.mark.long) for one in ALL],
)
async def test_three_seasons_of_substitutes_and_sit_outs_are_the_same_from_their_files(
    world: World, format_: str
) -> None:
    chance = random.Random(f"seats/{format_}")
    for _ in range(3):
        await play_season(world, chance, format_)
    texts = [await exported(world, world.league_id, number) for number in (1, 2, 3)]
    if format_ not in ("single-elimination", "round-robin"):
        assert any('"sat_out": [{' in " ".join(text.split()).replace("[ {", "[{") for text in texts)
    assert all('"substitutes": [' in text and any(name in text for name in OTHERS) for text in texts)
    copy = await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)
    for number, text in enumerate(texts, start=1):
        season = reading.read(text.encode())
        assert [check.line() for check in verify(season).rounds if check.difference] == []
        who: Any = {"actor": ADMIN, "now": world.now, "league_id": copy.id}
        await steps.import_file(world.db, Order(**who), data=text.encode())
        assert (await exported(world, copy.id, number)).replace("Copy", world.league.name, 1) == text
    counted_here = await ratings(world, world.league_id)
    assert await ratings(world, copy.id) == counted_here
    expected = by_hand(texts)
    assert counted_here.keys() == expected.keys()
    assert all(rating == pytest.approx(expected[name]) for name, rating in counted_here.items())
    with look_into(world.db) as conn:
        counted = rated_seasons.matches_of(conn, world.league_id)
    for name in await ratings(world, world.league_id):
        career = await world.db.read(history, Order(actor=BOT, now=world.now, league_id=world.league_id), player=name)
        assert len(career.ratings) == counted.get(career.player.id, 0)


async def test_a_substitute_plays_from_the_next_round_on_and_the_one_before_can_not_act(world: World) -> None:
    await world.begin(4)
    dok = await world.match_of("dok")
    assert dok is not None
    with pytest.raises(ConfirmationNeeded) as asked:
        await substitute(world, "dok", "Uma", agreed="")
    now = "dok still plays round 1. If they can't: they press Problem and choose “Can't before the deadline”"
    assert f"{now}, or you give that match more time with /round extend." in str(asked.value)
    done = await substitute(world, "dok", "Uma", agreed=asked.value.token)
    assert (done.person, done.before, done.when) == ("Uma", "dok", "round 2")
    with pytest.raises(NotAllowed, match=r"You take dok's place from the next round on\. Until then dok plays\."):
        await where(world, "Uma")
    mine = await where(world, "dok")
    assert mine.match is not None
    assert mine.match.round.number == 1
    await world.play_round()
    with pytest.raises(NotAllowed, match="Uma plays in your place this season"):
        await where(world, "dok")
    theirs = (await where(world, "Uma")).match
    assert theirs is not None
    assert "Uma (for dok)" in theirs.pairing
    with pytest.raises(NotAllowed):
        await world.db.write(
            reporting.report, Order(actor=world.player("dok"), now=world.now), match=theirs.match.id, result="lost"
        )
    first = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=1)
    assert not any("Uma" in match.pairing for match in first.matches)
    table = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert [row.called for row in table.rows if row.standing.name == "dok"] == ["Uma (for dok)"]
    assert any("Uma plays for dok in season 1 from round 2 on" in text for text in await world.notices())


async def test_a_substitute_plays_the_posted_round_once_it_is_undone_and_posted_again(world: World) -> None:
    await world.begin(4)
    with pytest.raises(ConfirmationNeeded) as asked:
        await substitute(world, "dok", "Uma", agreed="")
    way = "a way to play round 1 too: /round undo, then /player substitute, then /round post."
    assert way in str(asked.value)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.undo, db=world.db, **who)
    done = await substitute(world, "dok", "Uma")
    assert done.when == "round 1"
    await do(rounds_by_hand.post, db=world.db, **who)
    theirs = (await where(world, "Uma")).match
    assert theirs is not None
    assert "Uma (for dok)" in theirs.pairing
    await world.play_round()
    season = await record(world)
    assert [line.difference for line in verify(season).rounds] == [None] * len(season.rounds)
    playing = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    await world.lose(playing[0].lower.name)
    with pytest.raises(ConfirmationNeeded) as later:
        await substitute(world, playing[1].lower.name, "Kim", agreed="")
    assert "/round undo" not in str(later.value)


@pytest.mark.long
async def test_the_title_and_the_history_are_of_the_person_in_the_seat(world: World) -> None:
    await world.begin(2, format="single-elimination", final_best_of=1)
    await world.play_out()
    await world.begin(4, format="ohs", rounds=2, cut=2)
    await world.play_round()
    for name in NAMES[:4]:
        with suppress(LeagueError):
            await substitute(world, name, f"{name} the second")
    over = await world.play_out()
    assert over.champion is not None
    assert "the second (for" in over.champion
    person = over.champion.partition(" (for")[0]
    theirs = await world.db.read(history, Order(actor=BOT, now=world.now, league_id=world.league_id), player=person)
    assert theirs.seasons[2].place == 1
    before = over.champion.partition("(for ")[2].removesuffix(")")
    other = await world.db.read(history, Order(actor=BOT, now=world.now, league_id=world.league_id), player=before)
    assert (other.seasons[2].place, other.seasons[2].shared_with) == (None, (theirs.player.id,))


async def test_putting_the_one_before_back_until_the_pairing_leaves_no_trace(world: World) -> None:
    await world.begin(4)
    await substitute(world, "dok", "Uma")
    await substitute(world, "dok", "dok")
    assert (await record(world)).substitutes == ()
    await substitute(world, "Xorlof", "Uma")  # and is free for another seat


async def test_who_would_take_over_is_told_that_the_place_or_the_season_is_gone(world: World) -> None:
    await world.begin(6)
    await substitute(world, "dok", "Sam")
    await substitute(world, "Zoë", "Kim")
    await world.announce()
    with pytest.raises(ConfirmationNeeded, match=r"Sam doesn't take the place over then\."):
        await world.drop("dok", agreed="")
    await world.drop("dok")
    pings = [post.facts.get("pings", []) for post in await world.posts("own-place") if "Sam" in str(post.facts["text"])]
    assert pings == [[world.player("Sam").user_id]]
    await world.announce()
    await world.db.write(lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    (told,) = await world.posts("notice")
    assert world.player("Kim").user_id in told.facts["pings"]
    assert world.player("Sam").user_id not in told.facts["pings"]


async def test_one_person_has_one_seat_a_season(world: World) -> None:
    await world.begin(4)
    with pytest.raises(Conflict, match="they play in it already"):
        await substitute(world, "dok", "Xorlof")
    await substitute(world, "dok", "Uma")
    with pytest.raises(Conflict, match="they substitute for dok"):
        await substitute(world, "Xorlof", "Uma")
    with pytest.raises(Conflict, match="each person has one place"):
        await world.sign_up("Uma")
    with pytest.raises(Conflict, match="already plays there"):
        await substitute(world, "dok", "Uma")
    await world.drop("Zoë")
    with pytest.raises(Conflict, match="a substitute doesn't bring them back"):
        await substitute(world, "Zoë", "Vic")
    newcomer = Newcomer(discord_id=5, wanted=None, display_name="Bot", by_organiser=True)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "newcomer": newcomer}
    with pytest.raises(Invalid, match="bots can't play"):
        await do(substitutes.substitute, db=world.db, **who, old="dok", is_bot=True)


async def test_a_sit_out_says_its_cost_counts_as_a_loss_and_can_be_taken_back_until_the_pairing(world: World) -> None:
    await world.begin(5)
    with pytest.raises(ConfirmationNeeded, match="it counts as a loss"):
        await sit_out(world, "dok", 2, agreed="")
    row = await sit_out(world, "dok", 2)
    assert [one.round for one in (await where(world, "dok")).sitting_out] == [2]
    assert (await world.status()).sitting_out == {2: ["dok"]}
    number = await world.db.write(
        sitting_out.play_after_all, Order(actor=world.player("dok"), now=world.now), sit_out_id=row.id
    )
    assert number == 2
    assert (await world.status()).sitting_out == {}
    row = await sit_out(world, "dok", 2)
    with pytest.raises(LeagueError):
        await world.db.write(
            sitting_out.play_after_all, Order(actor=world.player("Ann"), now=world.now), sit_out_id=row.id
        )
    await world.play_round()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert ([one.name for one in view.sitting_out], view.byes) == (["dok"], ())
    mine = await where(world, "dok")
    assert mine.what_to_do == "You sit out round 2: it counts as a loss."
    with pytest.raises(WrongPhase, match="already paired"):
        await world.db.write(
            sitting_out.play_after_all, Order(actor=world.player("dok"), now=world.now), sit_out_id=row.id
        )
    with pytest.raises(WrongPhase, match=r"Round 2 is already paired\..*if you can't play it, press Problem there"):
        await sit_out(world, "Xorlof", 2)


@pytest.mark.parametrize("gone", ["dropped", "cancelled"])
async def test_who_does_not_play_any_more_takes_back_no_sit_out(world: World, gone: str) -> None:
    await world.begin(6)
    row = await sit_out(world, "dok", 3)
    if gone == "dropped":
        await world.drop("dok")
    else:
        await world.db.write(lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    with pytest.raises(WrongPhase, match="You don't play in season 1 any more"):
        await world.db.write(
            sitting_out.play_after_all, Order(actor=world.player("dok"), now=world.now), sit_out_id=row.id
        )


async def test_no_one_plays_after_all_in_a_season_none_that_was_cancelled_before_the_start(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    row = await sit_out(world, "dok", 2)
    await world.db.write(lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    with pytest.raises(WrongPhase, match="You don't play in that season any more"):
        await world.db.write(
            sitting_out.play_after_all, Order(actor=world.player("dok"), now=world.now), sit_out_id=row.id
        )


async def test_in_two_loss_out_a_sit_out_says_that_the_second_loss_puts_one_out(world: World) -> None:
    await world.begin(8, format="two-loss-out", cut=2)
    with pytest.raises(ConfirmationNeeded, match="your first loss; the second puts you out"):
        await sit_out(world, "dok", 2, agreed="")
    await sit_out(world, "dok", 2)
    with pytest.raises(ConfirmationNeeded, match="your second loss, so you'd be out"):
        await sit_out(world, "dok", 3, agreed="")


@pytest.mark.long
async def test_sit_outs_are_refused_where_no_round_can_be_sat_out(world: World) -> None:
    await world.begin(4, format="single-elimination")
    with pytest.raises(WrongPhase, match="every round knocks players out"):
        await sit_out(world, "dok", 2)
    await world.play_out()
    await world.begin(4, rounds=2, cut=2)
    with pytest.raises(WrongPhase, match="You can't sit out round 3"):
        await sit_out(world, "dok", 3)
    await world.drop("dok")
    with pytest.raises(Conflict, match="You've left"):
        await sit_out(world, "dok", 2)


async def test_a_round_with_fewer_than_two_left_waits_and_organisers_read_who_sits_out(world: World) -> None:
    await world.begin(3, rounds=3, cut=0)
    rows = [await sit_out(world, name, 2) for name in NAMES[:2]]
    await world.play_round()
    told = await world.notices()
    assert any("sit it out: Xorlof, dok" in text and "/round post" in text for text in told), told
    await world.db.write(
        sitting_out.play_after_all, Order(actor=world.player("dok"), now=world.now), sit_out_id=rows[0].id
    )
    await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert (view.round.number, [one.name for one in view.sitting_out]) == (2, ["Xorlof"])


async def test_a_preview_is_paired_again_without_those_who_sit_out(world: World) -> None:
    await world.begin(6, advance="manual")
    await world.play_round()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.preview, db=world.db, **who)
    row = await sit_out(world, "dok", 2)
    view = await do(rounds_by_hand.post, db=world.db, **who)
    assert [one.name for one in view.sitting_out] == ["dok"]
    await do(rounds_by_hand.undo, db=world.db, **who)
    await world.db.write(sitting_out.play_after_all, Order(actor=world.player("dok"), now=world.now), sit_out_id=row.id)
    assert (await do(rounds_by_hand.post, db=world.db, **who)).sitting_out == ()


@pytest.mark.long
async def test_a_player_who_sits_out_can_be_paired_by_hand_with_the_bye_and_has_not_sat_out(world: World) -> None:
    await world.begin(6)
    await sit_out(world, "dok", 2)
    await world.play_round()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    (bye,) = view.byes
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    with pytest.raises(Conflict, match="They can only play against someone who has a bye"):
        await do(swapping.swap, db=world.db, **who, first="dok", second=view.matches[0].upper.name)
    after = await do(swapping.swap, db=world.db, **who, first="dok", second=bye.name, reason="they can play")
    assert (after.byes, after.sitting_out) == ((), ())
    assert {side.name for side in after.matches[-1].sides} == {"dok", bye.name}
    await world.play_round()
    season = await record(world)
    line = next(row for row in by_key("ohs").standings(season) if row.name == "dok")
    assert line.wins + line.losses == 2
    checks = verify(season).rounds
    assert [check.line() for check in checks if check.difference] == []


async def test_before_the_start_players_say_what_they_sit_out_and_too_few_left_stop_the_start(world: World) -> None:
    await world.create(rounds=3, cut=0)
    await world.sign_up("dok", "Xorlof", "Zoë")
    for name in ("dok", "Zoë"):
        await sit_out(world, name, 1)
    with pytest.raises(PairingImpossible, match="sit it out: Zoë, dok"):
        await world.start()
    await world.drop("dok")
    await world.sign_up("dok")
    view = await world.start()
    assert view.current_round is not None
    assert [one.name for one in view.current_round.sitting_out] == ["Zoë"]


@pytest.mark.long
async def test_in_the_finals_a_substitute_plays_the_next_match_of_the_seat(world: World) -> None:
    await world.begin(8, format="single-elimination")
    first = await world.match_of("dok")
    assert first is not None
    await substitute(world, "dok", "Uma")
    other = first.opponent_of(first.upper if first.upper.name == "dok" else first.lower)
    await world.lose(other.name)
    await world.play_round()
    second = await world.match_of("dok")
    assert second is not None
    assert second.round.number == 2
    assert "Uma (for dok)" in second.pairing
    view = await world.db.read(tables.bracket, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert view.called[Name("dok")] == "Uma (for dok)"
    with pytest.raises(Conflict, match="is out of season 1"):
        await substitute(world, other.name, "Vic")


async def test_a_substitute_can_play_for_third_place(world: World) -> None:
    await world.begin(4, format="single-elimination", third_place=True, advance="manual")
    first = await world.match_of("dok")
    assert first is not None
    await world.lose("dok")
    await substitute(world, "dok", "Uma")
    await world.play_round()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    view = await do(rounds_by_hand.post, db=world.db, **who)
    assert any("Uma (for dok)" in match.heading and "hird place" in match.heading for match in view.matches)


async def test_a_substitution_stays_when_its_round_is_undone(world: World) -> None:
    await world.begin(4)
    await substitute(world, "dok", "Uma")
    await world.play_round()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.undo, db=world.db, **who)
    view = await do(rounds_by_hand.post, db=world.db, **who)
    assert any("Uma (for dok)" in match.pairing for match in view.matches)
