from datetime import timedelta
from typing import Any

import pytest

from bot.league.counting.draw import salt_of
from bot.league.counting.rating_formula import rate
from bot.league.counting.ratings import season_ratings
from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, NotFound, WrongPhase
from bot.league.formats import ALL
from bot.league.formats.shared.base import Format
from bot.league.season.model import Rating
from bot.league.season.phases import SeasonPhase
from bot.league.season.scales import RatingScale
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order, by_bot
from bot.services.base.permissions import BOT
from bot.services.base.transaction import transaction
from bot.services.organising import rounds_by_hand
from bot.services.people import renaming
from bot.services.reads import overview, tables
from bot.services.seasons import lifecycle, planning
from bot.services.signups import signing_up
from cogs.reads.profile import season_words
from storage import rules_season
from storage.database import Connection
from storage.tables import seasons
from tests.examples import mostly_long
from tests.files import change_by_hand, do, look_into
from tests.looked_up import history, posted_round
from tests.services.conftest import FOREIGNER, MODERATOR, NAMES, ORGANISER, STRANGER, World, missing
from tests.services.seasons.test_salt import salt_by_names


@pytest.mark.long
async def test_a_whole_season_from_sign_up_to_champion(world: World) -> None:
    created = await world.create()
    assert (created.season.number, created.season.phase) == (1, SeasonPhase.SIGNUP)
    await world.sign_up(*NAMES[:8])
    started = await world.start()
    assert started.season.phase is SeasonPhase.RUNNING
    assert missing(started) == 4
    over = await world.play_out()
    assert over.season.phase is SeasonPhase.FINISHED
    assert over.champion in NAMES
    standings = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    rows = [row.standing for row in standings.rows]
    champion = next(row for row in rows if row.status == "champion")
    assert (champion.name, champion.place) == (over.champion, 1)
    assert {row.name for row in rows} == set(NAMES[:8])


@pytest.mark.long
@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
@pytest.mark.parametrize("count", mostly_long([5, 2, 3, 8]))
async def test_every_format_goes_from_start_to_end(world: World, format_: Format, count: int) -> None:
    fewest = max(2, format_.fewest_players)
    await world.create(format_.key)
    await world.sign_up(*NAMES[:count])
    if count < fewest:
        with pytest.raises(Conflict, match=f"at least {fewest} players and has {count}"):
            await world.start()
        return
    await world.start()
    assert (await world.play_out()).season.phase is SeasonPhase.FINISHED


@pytest.mark.parametrize("count", [0, 1])
async def test_too_few_players_cannot_start(world: World, count: int) -> None:
    await world.create()
    await world.sign_up(*NAMES[:count])
    with pytest.raises(Conflict, match=f"at least 2 players and has {count}.*/signup"):
        await world.start()
    assert (await world.status()).season.phase is SeasonPhase.SIGNUP


async def test_only_one_season_at_a_time(world: World) -> None:
    await world.create()
    with pytest.raises(Conflict, match="Season 1 has open sign-ups"):
        await world.create()
    with pytest.raises(Conflict, match="The next season is already prepared"):
        await world.create()
    await world.sign_up("dok", "Xorlof")
    await world.start()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    with pytest.raises(Conflict, match="Season 1 isn't over yet"):
        await do(planning.open_signups, db=world.db, **who)
    await world.play_out()
    assert (await do(planning.open_signups, db=world.db, **who)).number == 2


RANGE = "Rounds: 1000000000 isn't possible. Give a whole number from 1 to 50, or leave it empty for the default."


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({"rounds": 10**9}, RANGE),
        ({"cut": 10**12}, "Finals:"),
        ({"max_players": 1}, "Places:"),
        ({"max_players": 1_001}, "Places: 1001 isn't possible. Give a whole number from 2 to 1000"),
        ({"losses": 2}, r"losses: Everyone plays on \(OHS\) doesn't have this setting"),
        ({"salt": "0123456789abcdef"}, "made when sign-ups close"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
async def test_settings_that_cannot_be_are_refused(world: World, settings: dict[str, object], wrong: str) -> None:
    with pytest.raises(Invalid, match=wrong):
        await world.create("ohs", **settings)
    with pytest.raises(NotFound, match="/season settings"):
        await world.status()


async def test_an_unknown_format_is_refused_by_name(world: World) -> None:
    with pytest.raises(Invalid, match="ohs, two-loss-out"):
        await world.create("record")


async def test_sign_ups_cannot_close_in_the_past(world: World) -> None:
    with pytest.raises(Invalid, match="signups_close"):
        await world.db.write(
            planning.prepare,
            Order(actor=ORGANISER, now=world.now, league_id=world.league_id),
            format="ohs",
            signups_close=world.now,
        )


@pytest.mark.parametrize("actor", [STRANGER, MODERATOR, FOREIGNER])
async def test_only_organisers_lead_a_season(world: World, actor: object) -> None:
    who = {"actor": actor, "now": world.now, "league_id": world.league_id}
    with pytest.raises((NotAllowed, NotFound)):
        await do(planning.prepare, db=world.db, **who, format="ohs")
    await world.create()
    for refused in (
        do(lifecycle.start, db=world.db, **who),
        do(lifecycle.cancel, db=world.db, **who, reason="no"),
        do(lifecycle.finish, db=world.db, **who, reason="no"),
        do(planning.change_settings, db=world.db, **who, settings={"round_days": 3}),
    ):
        with pytest.raises((NotAllowed, NotFound)):
            await refused
    assert [row.action for row in await world.audit()] == ["season.open", "season.create", "league.create"]


async def test_the_clock_may_start_a_season(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    season = (await world.status()).season

    def start(conn: Connection) -> None:
        lifecycle.begin(transaction(conn, by_bot(world.now), season_id=season.id))

    await world.db.write(start)
    start = next(row for row in await world.audit() if row.action == "season.start")
    assert start.actor_id is None


async def test_a_season_starts_once(world: World) -> None:
    await world.begin(4)
    with pytest.raises(WrongPhase, match="already started"):
        await world.start()
    assert (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).round.number == 1


async def test_a_season_cancelled_before_round_1_gives_its_number_back(world: World) -> None:
    await world.create()
    await world.sign_up("dok")
    cancelled = await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="too few"
    )
    assert (cancelled.phase, cancelled.number) == (SeasonPhase.SIGNUP, 1)
    assert (await world.create()).season.number == 1


async def test_cancelling_twice_asks_before_the_next_season_is_discarded(world: World) -> None:
    await world.create()
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(planning.prepare, order, format="ohs")
    await world.db.write(lifecycle.cancel, order)
    with pytest.raises(ConfirmationNeeded, match="The one you prepared is discarded"):
        await world.db.write(lifecycle.cancel, order, agreed="")
    assert (await world.audit())[0].action == "season.cancel"
    await world.db.write(lifecycle.cancel, order)
    assert (await world.audit())[0].action == "season.discard"


async def test_a_season_cancelled_later_keeps_number_and_meetings(world: World) -> None:
    await world.begin(4)
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    met = {frozenset((match.upper.name, match.lower.name)) for match in view.matches}
    await world.play_round()
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="storm"
    )
    assert (await world.status()).season.number == 1
    with pytest.raises(WrongPhase, match="Season 1 is cancelled"):
        await world.lose("dok")
    await world.create()
    await world.sign_up(*NAMES[:4])
    await world.start()
    again = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert again.season.number == 2
    assert not met & {frozenset((match.upper.name, match.lower.name)) for match in again.matches}


@pytest.mark.parametrize(
    ("reason", "told"), [("no\nhall", "Season 1 was cancelled: no hall"), ("  ", "Season 1 was cancelled.")]
)
async def test_cancelling_tells_its_reason_if_there_is_one(world: World, reason: str, told: str) -> None:
    await world.create()
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason=reason
    )
    assert await world.notices() == [told]
    assert await world.posts("board") == ()


async def test_settings_are_free_before_the_start_and_fixed_after(world: World) -> None:
    await world.create(rounds=3)
    change = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    changed = await do(planning.change_settings, db=world.db, **change, settings={"cut": 4})
    assert (changed.settings.rounds, changed.settings.cut) == (3, 4)
    await world.sign_up(*NAMES[:6])
    with pytest.raises(Conflict, match="6 are already in season 1"):
        await do(planning.change_settings, db=world.db, **change, settings={"max_players": 5})
    await world.start()
    with pytest.raises(WrongPhase, match="rounds, cut: fixed"):
        await do(planning.change_settings, db=world.db, **change, settings={"rounds": 4, "cut": 2})
    with pytest.raises(WrongPhase, match="signups_close: fixed"):
        await do(
            planning.change_settings,
            db=world.db,
            **change,
            signups_close=world.now + timedelta(days=1),
        )
    free = {"advance": "manual", "overdue": "extend", "round_days": 3, "confirm_hours": 2, "max_players": 30}
    view = await do(planning.change_settings, db=world.db, **change, settings=free)
    assert {key: getattr(view.settings, key) for key in free} == free
    last = (await world.audit())[0]
    assert (last.action, last.before, last.after) == (
        "season.settings",
        {"format": "ohs", "settings": {"rounds": 3, "cut": 4}, "signups_close": None},
        {"format": "ohs", "settings": {"rounds": 3, "cut": 4, **free}, "signups_close": None},
    )


async def test_a_cut_larger_than_the_field_is_told(world: World) -> None:
    await world.begin(4, cut=16)
    assert "The cut is 16, but only 4 players are in: the finals have room for all of them." in await world.notices()


async def test_a_cut_that_fits_is_not_mentioned(world: World) -> None:
    await world.begin(4, cut=4)
    assert not [text for text in await world.notices() if "cut" in text]


async def test_the_salt_is_made_from_the_names_at_the_start(world: World) -> None:
    await world.opened(format="ohs")
    salt_by_names(world)
    await world.sign_up("dok", "Xorlof", "Zoë")
    await world.drop("Xorlof")
    assert (await world.status()).season.salt is None
    started = await world.start()
    assert started.season.salt == salt_of(("dok", "Zoë"))
    assert started.settings.salt == started.season.salt


async def test_finish_ends_a_season_only_when_every_result_is_in(world: World) -> None:
    await world.begin(4, advance="manual")
    end = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "reason": "holidays"}
    with pytest.raises(WrongPhase, match="2 matches have no confirmed result in round 1"):
        await do(lifecycle.finish, db=world.db, **end)
    await world.play_round()
    await do(lifecycle.finish, db=world.db, **end)
    view = await world.status()
    assert (view.season.phase, view.champion) == (SeasonPhase.FINISHED, None)
    assert view.season.ended_at == world.now
    assert [post.kind for post in await world.posts("champion")] == ["champion"]
    with pytest.raises(WrongPhase, match="no season running"):
        await do(lifecycle.finish, db=world.db, **end)


async def test_the_next_step_names_a_command_in_every_phase(world: World) -> None:
    await world.create(advance="manual")
    assert "2 more players are needed" in (await world.status()).next_step
    await world.sign_up("dok")
    assert "1 more player is needed" in (await world.status()).next_step
    await world.sign_up("Xorlof", "Zoë", "Kinseth")
    assert "/season start" in (await world.status()).next_step
    await world.start()
    missing = (
        "Round 1 waits for 2 results: dok v Kinseth (still to play), Xorlof v Zoë (still to play). Players use /report"
    )
    assert (await world.status()).next_step.startswith(missing)
    await world.play_round()
    assert "/round post" in (await world.status()).next_step
    await world.db.write(rounds_by_hand.preview, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert (await world.status()).next_step.startswith("An organiser is looking at a preview of round 2. /round swap")
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="storm"
    )
    assert "/season create" in (await world.status()).next_step


ORGANISERS_COMMANDS = ("/season", "/round", "/disputes", "/player")


async def test_the_next_step_tells_a_player_no_command_of_organisers(world: World) -> None:
    async def told() -> str:
        who = world.player("dok")
        return (
            await world.db.read(overview.status, Order(actor=who, now=world.now, league_id=world.league_id))
        ).next_step

    await world.create(advance="manual")
    steps = [await told()]
    await world.sign_up("dok", "Xorlof", "Zoë", "Kinseth")
    steps.append(await told())
    await world.start()
    steps.append(await told())
    await world.play_round()
    steps.append(await told())
    await world.db.write(rounds_by_hand.preview, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    steps.append(await told())
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="storm"
    )
    steps.append(await told())
    assert not [step for step in steps if any(command in step for command in ORGANISERS_COMMANDS)]


@pytest.mark.long
async def test_after_the_season_the_champion_leads_the_standings_and_the_finals_count(world: World) -> None:
    await world.begin(8)
    view = await world.play_out()
    rows = [
        row.standing
        for row in (
            await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
        ).rows
    ]
    assert (rows[0].name, rows[0].place) == (view.champion, 1)
    assert [row.rank for row in rows] == [row.place or number for number, row in enumerate(rows, start=1)]
    places = [row.place for row in rows if row.place is not None]
    assert places == sorted(places)
    played = {row.name: 0 for row in rows}
    for number in range(1, (view.current_round.round.number if view.current_round else 0) + 1):
        current = await world.db.read(
            posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=number
        )
        for side in (side for match in current.matches for side in match.sides):
            played[side.name] += 1
        for bye in current.byes:
            played[bye.name] += current.round.stage != "finals"
    assert {row.name: row.wins + row.losses for row in rows} == played
    assert [row.points for row in rows] == [row.wins for row in rows], "where a format has no points, none are shown"


async def test_a_season_without_a_result_has_no_rank_in_a_career(world: World) -> None:
    await world.begin(4)
    career = await world.db.read(history, Order(actor=BOT, now=world.now, league_id=world.league_id), player="dok")
    assert [season_words(one, career.names) for one in career.seasons.values()] == ["**1** · being played"]


async def test_more_than_ten_seasons_are_named_as_the_last_ten(world: World) -> None:
    for numbers, words in (
        (range(1, 11), r"Its seasons are 1, 2, 3, .*, 10\."),
        (range(11, 13), r"Its last ten seasons are 3, 4, 5, .*, 12\."),
    ):
        with change_by_hand(world.db) as conn:
            for number in numbers:
                seasons.add(
                    conn,
                    league_id=world.league_id,
                    number=number,
                    format="ohs",
                    settings={},
                    phase=SeasonPhase.FINISHED,
                    signups_close=None,
                )
        with pytest.raises(NotFound, match=words):
            await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id), number=99)


async def test_what_is_not_there_is_said(world: World) -> None:
    with pytest.raises(NotFound, match="no season yet"):
        await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    await world.begin(4)
    with pytest.raises(NotFound, match=r"no season 7\. Its only season is 1\."):
        await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id), number=7)
    with pytest.raises(NotFound, match="no bracket yet"):
        await world.db.read(tables.bracket, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert await world.db.read(tables.numbers, Order(actor=BOT, now=world.now, league_id=world.league_id)) == (1,)


@pytest.mark.long
async def test_the_bracket_shows_its_rounds(world: World) -> None:
    await world.begin(8, rounds=1)
    await world.play_round()
    first = (await world.db.read(tables.bracket, Order(actor=BOT, now=world.now, league_id=world.league_id))).rounds
    assert [view.round.number for view in first] == [2]
    assert (await world.status()).season.phase is SeasonPhase.FINALS
    await world.play_out()
    assert (
        len((await world.db.read(tables.bracket, Order(actor=BOT, now=world.now, league_id=world.league_id))).rounds)
        > 1
    )


@pytest.mark.long
async def test_ratings_at_the_start_are_those_after_all_seasons_before(world: World) -> None:
    await world.begin(4, rounds=2)
    await world.play_out()
    first = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    with look_into(world.db) as conn:
        over = season_ratings(rules_season.load(conn, first.season.id))
    await world.begin(5, rounds=1)
    ratings = {who.name: (who.mu, who.sigma) for who in (await world.status()).entrants}
    assert ratings == {name: (rating.mu, rating.sigma) for name, rating in over.items()} | {"Ann": (25.0, 25.0 / 3)}
    assert len({mu for mu, _ in ratings.values()}) > 2


@pytest.mark.long
async def test_ratings_recomputed_from_results_alone_are_equal(world: World) -> None:
    ratings = dict.fromkeys(NAMES[:6], Rating(mu=25, sigma=25 / 3))
    for number in (1, 2, 3):
        await world.begin(6, rounds=2)
        await world.play_out()
        bracket = (
            await world.db.read(tables.bracket, Order(actor=BOT, now=world.now, league_id=world.league_id))
        ).rounds
        regular = [
            await world.db.read(
                posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=round_number
            )
            for round_number in (1, 2)
        ]
        stored = {who.name: (who.mu, who.sigma) for who in (await world.status(number)).entrants}
        assert stored == {name: pytest.approx((rating.mu, rating.sigma)) for name, rating in ratings.items()}
        for view in (*regular, *bracket):
            for match in view.matches:
                winner = match.winner
                assert winner is not None
                loser = match.lower.name if winner == match.upper.name else match.upper.name
                ratings[winner], ratings[loser] = rate(ratings[winner], ratings[loser], RatingScale())


@pytest.mark.long
async def test_a_career_goes_over_seasons_and_names(world: World) -> None:
    await world.begin(2, cut=2, rounds=1)
    await world.play_out()
    await world.db.write(
        renaming.rename,
        Order(actor=ORGANISER, now=world.now, league_id=world.league_id),
        player="dok",
        new_name="doc",
        reason="typo",
    )
    await world.create(rounds=1, cut=2)
    for name in ("dok", "Xorlof"):
        await world.db.write(
            signing_up.sign_up,
            Order(actor=world.player(name), now=world.now, league_id=world.league_id),
            display_name=name,
        )
    await world.start()
    career = await world.db.read(
        history,
        Order(actor=BOT, now=world.now, league_id=world.league_id),
        player="dok",
        opponent="Xorlof",
    )
    assert (career.player.name, career.former_names, len(career.meetings)) == (
        "doc",
        ("dok",),
        3,
    )
    assert list(career.seasons) == [1, 2]
    assert [(met.season, met.match) for met in career.meetings] == [(1, "round 1"), (1, "final"), (2, "round 1")]
    assert "dok" in career.meetings[0].result
    with pytest.raises(NotFound, match="No one"):
        await world.db.read(history, Order(actor=BOT, now=world.now, league_id=world.league_id), player="nobody")


async def test_a_failing_start_changes_nothing(world: World) -> None:
    await world.create(format="single-elimination", seeding="seeded")
    await world.sign_up(*NAMES[:4])
    before = await world.audit()
    with pytest.raises(LeagueError, match="seed"):
        await world.start()
    view = await world.status()
    assert (view.season.phase, view.current_round) == (SeasonPhase.SIGNUP, None)
    assert all(who.mu is None for who in view.entrants)
    assert await world.audit() == before


async def test_everyone_still_in_a_season_that_is_cancelled_is_mentioned_with_the_reason(world: World) -> None:
    await world.begin(4)
    await world.announce()
    who: dict[str, Any] = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(lifecycle.cancel, db=world.db, **who, reason="the hall burnt down")
    (told,) = [made for made in await world.announce() if made.mention.people]
    assert set(told.mention.people) == {world.player(name).user_id for name in NAMES[:4]}
    assert told.row.facts["text"] == "Season 1 was cancelled: the hall burnt down"


async def test_everyone_still_in_a_season_an_organiser_ends_is_mentioned_with_the_reason(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    await world.announce()
    who: dict[str, Any] = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(lifecycle.finish, db=world.db, **who, reason="summer")
    (told,) = [made for made in await world.announce() if made.row.kind == "notice"]
    assert set(told.mention.people) == {world.player(name).user_id for name in NAMES[:4]}
    assert told.row.facts["text"] == "Season 1 was ended by an organiser: summer"


async def test_more_days_for_a_round_say_until_when_and_why(world: World) -> None:
    view = await world.begin(4)
    await world.announce()
    who: dict[str, Any] = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    after = await do(rounds_by_hand.extend, db=world.db, **who, days=3, reason="A holiday.")
    (told,) = [made for made in await world.announce() if made.row.kind == "notice"]
    assert len(told.mention.people) == 4
    assert told.row.facts["text"] == "3 more days for round 1. A holiday."
    assert told.post.until == after.round.deadline, view
