import json
from typing import Any

import pytest

from bot.league.errors import Conflict, Invalid, InvalidFile, NotAllowed, NotFound
from bot.league.league_file import reading
from bot.league.phases import SeasonPhase
from bot.league.verify import verify
from bot.services.leagues import files, set_up
from bot.services.players import rejoining, signing_up
from bot.services.rounds import questions
from bot.services.seasons import careers, overview
from storage.database import Database
from tests.services.conftest import (
    ADMIN,
    CHANNEL,
    FOREIGNER,
    GUILD,
    MODERATION,
    MODERATOR,
    MODERATOR_ROLE,
    NAMES,
    ORGANISER,
    ORGANISER_ROLE,
    STRANGER,
    World,
    person,
)


async def create(world: World, name: str, **more: Any) -> Any:
    return await set_up.create(
        world.db, **{"actor": ADMIN, "now": world.now, "name": name, "channel_id": CHANNEL, **more}
    )


async def change(world: World, **changes: Any) -> Any:
    given = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, **changes}
    return await set_up.change(world.db, **given)


# -- setting up and finding -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", [ORGANISER, MODERATOR, STRANGER])
async def test_setting_up_needs_manage_server(world: World, actor: Any) -> None:
    with pytest.raises(NotAllowed, match="Manage Server"):
        await create(world, "Second", actor=actor)


@pytest.mark.parametrize("name", ["", " ", "x" * 33, "\u200b", "online heroscape", "Online\tHeroScape"])
async def test_league_names_must_be_visible_and_differ(world: World, name: str) -> None:
    with pytest.raises((Invalid, Conflict)):
        await create(world, name)
    assert await set_up.names(world.db, guild_id=GUILD) == ("Online HeroScape",)


async def test_two_guilds_may_have_a_league_of_the_same_name(world: World) -> None:
    other = await create(world, "Online HeroScape", actor=FOREIGNER)
    assert other.guild_id != world.league.guild_id
    with pytest.raises(Invalid, match="--guild"):
        await set_up.find_league(world.db, name="Online HeroScape")
    found = await set_up.find_league(world.db, name="Online HeroScape", guild_id=GUILD)
    assert found == world.league
    with pytest.raises(NotFound):
        await set_up.find_league(world.db, name="Chess")


async def test_the_league_meant_is_the_named_the_channels_or_the_only_one(world: World) -> None:
    async def meant(channel_id: int, name: str | None = None) -> str:
        return (await set_up.resolve(world.db, guild_id=GUILD, channel_id=channel_id, name=name)).name

    assert await meant(1) == "Online HeroScape"
    await create(world, "Second", channel_id=CHANNEL + 50)
    await create(world, "Third", channel_id=CHANNEL + 50)
    assert await meant(CHANNEL) == await meant(MODERATION) == "Online HeroScape"
    assert await meant(CHANNEL, "second") == "Second"
    with pytest.raises(Invalid, match="Second, Third"):
        await meant(CHANNEL + 50)
    with pytest.raises(Invalid, match="Online HeroScape, Second, Third"):
        await meant(1)
    with pytest.raises(NotFound, match="no league “Fourth”"):
        await meant(1, "Fourth")
    with pytest.raises(NotFound, match="/league create"):
        await set_up.resolve(world.db, guild_id=GUILD + 5, channel_id=1, name=None)


async def test_a_guild_cannot_have_leagues_without_end(world: World) -> None:
    for number in range(set_up.MOST_LEAGUES - 1):
        await create(world, f"League {number}")
    with pytest.raises(Conflict, match="25 leagues"):
        await create(world, "One more")


async def test_settings_change_one_by_one_and_are_noted(world: World) -> None:
    changed = await change(world, time_zone="Europe/Berlin", moderation_channel_id=None)
    assert (changed.time_zone, changed.moderation_channel_id, changed.channel_id) == ("Europe/Berlin", None, CHANNEL)
    noted = (await world.audit())[0]
    assert noted.action == "league.change"
    assert noted.before is not None
    assert noted.after is not None
    assert (noted.before["moderation_channel_id"], noted.after["moderation_channel_id"]) == (MODERATION, None)
    assert (await change(world)) == changed
    assert (await change(world, name="HeroScape")).name == "HeroScape"
    assert (await change(world, name="HEROSCAPE")).name == "HEROSCAPE"


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "UTC\0", "x" * 5000])
async def test_time_zones_are_iana_names(world: World, zone: str) -> None:
    with pytest.raises(Invalid, match="time zone"):
        await change(world, time_zone=zone)


@pytest.mark.parametrize("actor", [STRANGER, MODERATOR, FOREIGNER])
async def test_only_organisers_change_export_import_and_audit(world: World, actor: Any) -> None:
    await world.create()
    who = {"actor": actor, "league_id": world.league_id}
    for refused in (
        change(world, actor=actor, time_zone="UTC"),
        files.export(world.db, **who),
        files.import_file(world.db, **who, now=world.now, text=record_file(1)),
        set_up.audit_page(world.db, **who),
    ):
        with pytest.raises(NotAllowed):
            await refused


async def test_the_audit_is_paged_newest_first(world: World) -> None:
    await world.create()
    await world.sign_up(*NAMES)
    first = await set_up.audit_page(world.db, actor=ORGANISER, league_id=world.league_id)
    last = await set_up.audit_page(world.db, actor=ORGANISER, league_id=world.league_id, page=99)
    assert (first.page, first.pages, len(first.rows)) == (1, 2, 10)
    assert (last.page, len(last.rows), last.rows[-1].action) == (2, 8, "league.create")
    assert [row.id for row in first.rows] == sorted((row.id for row in first.rows), reverse=True)


# -- files -------------------------------------------------------------------------------------------------------------


def record_file(season: int, *matches: tuple[str, str], names: tuple[str, ...] = ("dok", "Xorlof"), **more: Any) -> str:
    """A recorded season in which the first of each match won."""
    played = [{"players": list(pair), "winner": pair[0], "games": None, "kind": "played"} for pair in matches]
    rounds_ = [{"number": number, "matches": [match]} for number, match in enumerate(played, start=1)]
    return json.dumps(
        {
            "fairpair": 1,
            "league": "elsewhere",
            "season": season,
            "format": "record",
            "players": [{"name": name} for name in names],
            "rounds": rounds_,
            **more,
        }
    )


async def take(world: World, text: str) -> files.Imported:
    return await files.import_file(world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, text=text)


async def exported(world: World, number: int | None = None) -> str:
    done = await files.export(world.db, actor=ORGANISER, league_id=world.league_id, season_number=number)
    return done.text


async def other_world(world: World) -> World:
    roles = {"organiser_role_id": ORGANISER_ROLE, "moderator_role_id": MODERATOR_ROLE}
    league = await create(world, "Elsewhere", channel_id=CHANNEL + 70, **roles)
    return World(db=world.db, league=league, now=world.now)


async def test_a_played_season_comes_back_the_same_from_its_file(world: World) -> None:
    await world.begin(7, rounds=3)
    await world.play_round()
    await world.drop("dok")
    await world.play_round()
    await rejoining.rejoin(world.db, actor=world.player("dok"), now=world.now, league_id=world.league_id)
    await world.play_out()
    text = await exported(world)
    assert verify(reading.read(text.encode())).agrees
    elsewhere = await other_world(world)
    done = await take(elsewhere, text)
    assert (done.season_number, done.players, done.record, done.live) == (1, 7, False, False)
    again = json.loads(await exported(elsewhere))
    assert {**again, "league": "Online HeroScape"} == json.loads(text)
    assert (await elsewhere.status()).champion == (await world.status()).champion
    theirs = await overview.standings(world.db, league_id=elsewhere.league_id)
    mine = await overview.standings(world.db, league_id=world.league_id)
    assert (theirs.rows, theirs.ratings) == (mine.rows, mine.ratings)


async def test_a_season_going_on_moves_and_is_played_on(world: World) -> None:
    await world.begin(6)
    await world.play_round()
    first = await questions.current(world.db, league_id=world.league_id)
    await world.lose(first.matches[0].lower.name)
    text = await exported(world)
    elsewhere = await other_world(world)
    assert (await take(elsewhere, text)).live
    view = await elsewhere.status()
    assert (view.season.phase, view.waiting) == (SeasonPhase.RUNNING, 2)
    moved = await questions.current(elsewhere.db, league_id=elsewhere.league_id)
    assert [match.label for match in moved.matches] == [match.label for match in first.matches]
    with pytest.raises(Conflict, match="a season 1 already"):
        await take(elsewhere, text)
    for name, actor in world.players.items():
        linked = await signing_up.add(
            world.db,
            actor=ORGANISER,
            now=world.now,
            league_id=elsewhere.league_id,
            discord_id=actor.user_id or 0,
            display_name="whoever",
            name=name,
            reason="the same person",
        )
        assert (linked.already, linked.entrant.discord_id) == (True, actor.user_id)
    elsewhere.players = world.players
    assert (await elsewhere.play_out()).season.phase is SeasonPhase.FINISHED
    assert verify(reading.read((await exported(elsewhere)).encode())).agrees


async def test_a_file_of_sign_ups_opens_them(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    text = await exported(world)
    elsewhere = await other_world(world)
    assert (await take(elsewhere, text)).live
    assert (await elsewhere.status()).season.phase is SeasonPhase.SIGNUP
    started = await elsewhere.start()
    assert started.season.phase is SeasonPhase.RUNNING


async def test_recorded_seasons_count_for_ratings_and_rematches(world: World) -> None:
    done = await take(world, record_file(6, ("Zoë", "dok"), ("Zoë", "Xorlof"), names=("dok", "Xorlof", "Zoë")))
    assert (done.season_number, done.matches, done.record, done.live) == (6, 2, True, False)
    await world.create()
    for number, name in enumerate(("dok", "Xorlof", "Zoë")):
        await signing_up.add(
            world.db,
            actor=ORGANISER,
            now=world.now,
            league_id=world.league_id,
            discord_id=100 + number,
            display_name=name,
            name=name,
            reason="it is he",
        )
    await world.sign_up("Kinseth")
    view = await world.start()
    assert view.season.number == 7
    ratings = {who.name: who.mu for who in view.entrants}
    assert ratings["Zoë"] is not None
    assert ratings["dok"] is not None
    assert ratings["Zoë"] > 25 > ratings["dok"]
    assert ratings["Kinseth"] == 25
    season = reading.read((await exported(world)).encode())
    assert [(past.number, len(past.matches)) for past in season.past] == [(6, 2), (5, 0)]
    paired = {frozenset(match.players) for match in season.rounds[0].matches}
    assert not paired & {frozenset({"Zoë", "dok"}), frozenset({"Zoë", "Xorlof"})}


async def test_history_may_come_in_any_order(world: World) -> None:
    await take(world, record_file(2, ("dok", "Xorlof")))
    await take(world, record_file(1, ("dok", "Xorlof")))
    career = await careers.history(world.db, league_id=world.league_id, player="dok", opponent="Xorlof")
    assert [line.number for line in career.seasons] == [1, 2]
    assert [meeting.season for meeting in career.meetings] == [1, 2]
    second = json.loads(await exported(world, 2))
    assert second["players"][0]["rating"]["mu"] == pytest.approx(29.2, abs=0.1)
    assert "rating" not in json.loads(await exported(world, 1))["players"][0]


async def test_meetings_known_from_a_file_alone_are_kept(world: World) -> None:
    past = [{"season": 5, "matches": [["dok", "Xorlof"], ["dok", "stranger"]]}]
    await take(world, record_file(6, past_seasons=past))
    assert json.loads(await exported(world, 6))["past_seasons"][0] == {"season": 5, "matches": [["dok", "Xorlof"]]}
    await take(world, record_file(5, ("Xorlof", "dok")))
    assert json.loads(await exported(world, 6))["past_seasons"][0]["matches"] == [["Xorlof", "dok"]]


async def test_people_of_a_file_are_the_players_there_are(world: World) -> None:
    await take(world, record_file(1, names=("dok", "Xorlof")))
    text = record_file(2, ("d0k_", "XORLOF"), names=("d0k_", "XORLOF"))
    data = json.loads(text)
    data["players"][0]["former_names"] = ["dok"]
    await take(world, json.dumps(data))
    assert set(await signing_up.player_names(world.db, league_id=world.league_id, typed="")) == {"dok", "Xorlof"}
    career = await careers.history(world.db, league_id=world.league_id, player="dok", opponent="XORLOF")
    assert [meeting.season for meeting in career.meetings] == [2]
    assert json.loads(await exported(world, 2))["players"][0]["former_names"] == ["dok"]


async def test_two_people_of_a_file_never_become_one(world: World) -> None:
    await take(world, record_file(1, names=("Bob",)))
    await take(world, record_file(2, ("bob", "Bob"), names=("bob", "Bob")))
    assert set(await signing_up.player_names(world.db, league_id=world.league_id, typed="")) == {"Bob", "bob"}
    career = await careers.history(world.db, league_id=world.league_id, player="Bob", opponent="bob")
    assert [meeting.season for meeting in career.meetings] == [2]


async def test_an_import_waits_for_the_season_going_on(world: World) -> None:
    await world.begin(4)
    text = await exported(world)
    with pytest.raises(Conflict, match="season 1 already"):
        await take(world, record_file(1))
    with pytest.raises(Conflict, match="would come after season 1"):
        await take(world, record_file(2))
    with pytest.raises(Conflict, match="is not over, and season 1 is going on"):
        await take(world, text.replace('"season": 1', '"season": 2'))
    assert (await world.audit())[0].action != "league.import"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "."),
        ("{", "."),
        ("[]", "fairpair"),
        ('{"fairpair": 2}', "newer than this program"),
        (record_file(1, names=("dok", "dok")), r"players\[1\]"),
        (record_file(1, names=("draw",)), r"players\[0\]\.name"),
        (record_file(1, ("dok", "nobody")), r"rounds\[0\]"),
        (record_file(1, surprise=1), "surprise"),
        (record_file(10**20), "season"),
        ("\ud800", "."),
    ],
)
async def test_files_that_are_wrong_change_nothing(world: World, text: str, wrong: str) -> None:
    with pytest.raises(InvalidFile, match=wrong):
        await take(world, text)
    assert len(await world.audit()) == 1
    with pytest.raises(NotFound):
        await world.status()


async def test_names_of_files_may_be_longer_than_those_of_sign_ups(world: World) -> None:
    long = "x" * 200
    await take(world, record_file(1, (long, "dok"), names=(long, "dok")))
    assert json.loads(await exported(world))["players"][0]["name"] == long


async def test_an_import_is_noted_and_the_program_may_do_it(world: World) -> None:
    await files.import_file(
        world.db, actor=None, now=world.now, league_id=world.league_id, text=record_file(3).encode()
    )
    noted = (await world.audit())[0]
    assert (noted.action, noted.actor_id, noted.subject) == ("league.import", None, "season 3")
    done = await files.export_file(world.db, league_id=world.league_id)
    assert done.filename == "fairpair-season-3.json"


async def test_leagues_do_not_know_each_others_players(world: World) -> None:
    elsewhere = await other_world(world)
    await world.create()
    await world.sign_up("dok")
    await elsewhere.create()
    actor = person(5000, "dok")
    await signing_up.sign_up(world.db, actor=actor, now=world.now, league_id=elsewhere.league_id, display_name="dok")
    assert [who.discord_id for who in (await elsewhere.status()).entrants] == [5000]
    with pytest.raises(NotFound):
        await careers.history(world.db, league_id=elsewhere.league_id, player="Xorlof")


async def test_a_league_that_is_gone_is_said(db: Database) -> None:
    with pytest.raises(NotFound, match="/league create"):
        await set_up.by_id(db, 77)  # type: ignore[arg-type]
