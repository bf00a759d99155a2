import itertools
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, InvalidFile, NotAllowed, NotFound
from bot.league.season.phases import SeasonPhase
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.leagues import exporting, importing, set_up
from bot.services.people import rejoining
from bot.services.reads import audit_log, overview, tables
from bot.services.reads.my_match import my_match
from bot.services.signups import signing_up
from storage.database import Database
from storage.rows import LeagueId
from storage.tables import leagues
from tests.files import change_by_hand, do, see
from tests.looked_up import history, posted_round
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
    missing,
    person,
)

CHANNELS = itertools.count(5000)


async def create(world: World, name: str, **more: Any) -> Any:
    return await do(
        set_up.create,
        db=world.db,
        **{"actor": ADMIN, "now": world.now, "name": name, "channel_id": next(CHANNELS), **more},
    )


async def change(world: World, **changes: Any) -> Any:
    actor = changes.pop("actor", ORGANISER)
    return await world.db.write(
        set_up.change, Order(actor=actor, now=world.now, league_id=world.league_id), changes=changes
    )


# -- setting up and finding -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", [ORGANISER, MODERATOR, STRANGER])
async def test_setting_up_needs_manage_server(world: World, actor: Any) -> None:
    with pytest.raises(NotAllowed, match="Manage Server"):
        await create(world, "Second", actor=actor)


@pytest.mark.parametrize("name", ["", " ", "x" * 33, "\u200b", "online heroscape", "Online\tHeroScape"])
async def test_league_names_must_be_visible_and_differ(world: World, name: str) -> None:
    with pytest.raises((Invalid, Conflict)):
        await create(world, name)
    assert await world.db.read(find.league_names, Order(actor=STRANGER, now=world.now)) == ("Online HeroScape",)


async def test_two_guilds_may_have_a_league_of_the_same_name(world: World) -> None:
    other = await create(world, "Online HeroScape", actor=FOREIGNER)
    assert other.guild_id != world.league.guild_id
    with pytest.raises(Invalid, match="--guild"):
        await world.db.read(find.league_called, name="Online HeroScape")
    found = await world.db.read(find.league_called, name="Online HeroScape", guild_id=GUILD)
    assert found == world.league
    with pytest.raises(NotFound):
        await world.db.read(find.league_called, name="Chess")


async def meant(world: World, channel_id: int, name: str | None = None, actor: Actor = STRANGER) -> str:
    return (
        await world.db.read(find.league_meant, Order(actor=actor, now=world.now), channel_id=channel_id, name=name)
    ).name


async def test_the_league_meant_is_the_named_the_channels_or_the_only_one(world: World) -> None:
    assert await meant(world, 1) == "Online HeroScape"
    second = await create(world, "Second", channel_id=CHANNEL + 50)
    with change_by_hand(world.db) as conn:
        leagues.change(conn, second.id, moderation_channel_id=CHANNEL)  # as earlier versions let it be
    assert await meant(world, CHANNEL) == await meant(world, MODERATION) == "Online HeroScape"
    assert await meant(world, CHANNEL + 50) == await meant(world, CHANNEL, "second") == "Second"
    with pytest.raises(Invalid, match="Online HeroScape, Second"):
        await meant(world, 1)
    with pytest.raises(NotFound, match="no league “Fourth”"):
        await meant(world, 1, "Fourth")
    with pytest.raises(NotFound, match="/league create"):
        await meant(world, 1, actor=person(1, "admin", manage_guild=True, guild_id=GUILD + 5))
    with pytest.raises(NotFound, match=r"no league yet\. Ask someone with Manage Server"):
        await meant(world, 1, actor=person(1, "guest", guild_id=GUILD + 5))


async def test_a_channel_that_has_a_league_is_refused_to_a_second_one(world: World) -> None:
    for taken in (CHANNEL, MODERATION):
        with pytest.raises(Conflict, match=r"Online HeroScape already uses that channel.*Choose another channel"):
            await create(world, "Weekend Cup", channel_id=taken)
    second = await create(world, "Weekend Cup", moderation_channel_id=MODERATION)
    with pytest.raises(Conflict, match="Weekend Cup already uses that channel"):
        await change(world, channel_id=second.channel_id)
    assert (await change(world, channel_id=CHANNEL)).channel_id == CHANNEL


async def test_where_leagues_share_a_channel_a_command_means_the_one_the_person_plays_in(world: World) -> None:
    second = await create(world, "Weekend Cup")
    with change_by_hand(world.db) as conn:
        leagues.change(conn, second.id, channel_id=CHANNEL)
    await world.create()
    await world.sign_up("dok")
    assert await meant(world, CHANNEL, actor=world.player("dok")) == "Online HeroScape"
    with pytest.raises(Invalid, match=r"Which league.*Online HeroScape, Weekend Cup"):
        await meant(world, CHANNEL)


@pytest.mark.parametrize("role", ["moderator_role_id", "organiser_role_id"])
async def test_everyone_on_the_server_cannot_be_a_role_of_the_league(world: World, role: str) -> None:
    with pytest.raises(Invalid, match="@everyone"):
        await create(world, "Second", **{role: GUILD})
    with pytest.raises(Invalid, match="@everyone"):
        await change(world, **{role: GUILD})
    assert (await change(world, **{role: 77})) != world.league


async def test_a_role_and_the_moderators_channel_can_be_taken_away(world: World) -> None:
    gone = dict.fromkeys(("moderator_role_id", "organiser_role_id", "moderation_channel_id"))
    changed = await change(world, actor=ADMIN, **gone)
    assert (changed.moderator_role_id, changed.organiser_role_id, changed.moderation_channel_id) == (None, None, None)
    with pytest.raises(NotAllowed):
        await change(world, time_zone="UTC")


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


async def test_settings_and_rules_set_to_what_they_are_are_not_noted_again(world: World) -> None:
    who = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    for _ in "ab":
        await change(world, participant_role_id=77, moderation_channel_id=None)
        await do(set_up.write_rules, **who, text="Be kind.")
    assert [line.action for line in await world.audit()][:3] == ["league.rules", "league.change", "league.create"]


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
        see(exporting.export, db=world.db, **who),
        steps.import_file(world.db, Order(**who, now=world.now), data=record_file(1).encode()),
        see(audit_log.show, db=world.db, now=world.now, **who),
        see(audit_log.export, db=world.db, now=world.now, **who),
        see(audit_log.actions, db=world.db, **who),
    ):
        with pytest.raises((NotAllowed, NotFound)):
            await refused


async def test_an_import_asks_who_you_are_before_it_reads_the_file(world: World) -> None:
    with pytest.raises(NotAllowed):
        await steps.import_file(
            world.db, Order(actor=STRANGER, now=world.now, league_id=world.league_id), data=b"no league file"
        )


async def test_an_import_names_its_limit(world: World) -> None:
    large = record_file(1).encode() + b" " * importing.LARGEST_FILE
    with pytest.raises(Invalid, match=r"The file is 4\.0 MB\. Here a file can have 4 MB .*python -m bot import"):
        await steps.import_file(world.db, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), data=large)
    done = await steps.import_file(world.db, Order(actor=BOT, now=world.now, league_id=world.league_id), data=large)
    assert done.record


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


async def player_names(world: World) -> tuple[str, ...]:
    return await world.db.read(
        find.player_names, Order(actor=STRANGER, now=world.now, league_id=world.league_id), typed=""
    )


async def take(world: World, text: str) -> importing.Imported:
    data = text.encode(errors="surrogatepass")
    return await steps.import_file(
        world.db, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), data=data
    )


async def exported(world: World, number: int | None = None) -> str:
    done = await world.db.read(
        exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), season_number=number
    )
    return done.text


async def other_world(world: World) -> World:
    roles = {"organiser_role_id": ORGANISER_ROLE, "moderator_role_id": MODERATOR_ROLE}
    league = await create(world, "Elsewhere", channel_id=CHANNEL + 70, **roles)
    return World(db=world.db, league=league, now=world.now)


@pytest.mark.long
async def test_a_played_season_comes_back_the_same_from_its_file(world: World) -> None:
    await world.begin(7, rounds=3, rejoin="free")
    await world.play_round()
    await world.drop("dok")
    await world.db.write(rejoining.rejoin, Order(actor=world.player("dok"), now=world.now, league_id=world.league_id))
    await world.play_round()
    await world.play_out()
    text = await exported(world)
    assert verify(reading.read(text.encode())).agrees
    elsewhere = await other_world(world)
    done = await take(elsewhere, text)
    assert (done.season_number, done.players, done.record, done.live) == (1, 7, False, False)
    again = json.loads(await exported(elsewhere))
    assert {**again, "league": "Online HeroScape"} == json.loads(text)
    assert (await elsewhere.status()).champion == (await world.status()).champion
    theirs = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=elsewhere.league_id))
    mine = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert theirs.rows == mine.rows


@pytest.mark.long
async def test_a_season_going_on_moves_and_is_played_on(world: World) -> None:
    await world.begin(6)
    await world.play_round()
    first = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    await world.lose(first.matches[0].lower.name)
    text = await exported(world)
    elsewhere = await other_world(world)
    assert (await take(elsewhere, text)).live
    shown = [post for post in await elsewhere.posts("board") if post.league_id == elsewhere.league_id]
    assert len(shown) == 1, "a season that goes on has its board"
    view = await elsewhere.status()
    assert (view.season.phase, missing(view)) == (SeasonPhase.RUNNING, 2)
    moved = await elsewhere.db.read(posted_round, Order(actor=BOT, now=elsewhere.now, league_id=elsewhere.league_id))
    assert [match.label for match in moved.matches] == [match.label for match in first.matches]
    with pytest.raises(Conflict, match="already has a season 1"):
        await take(elsewhere, text)
    for name, actor in world.players.items():
        linked = await world.db.write(
            signing_up.add,
            Order(actor=ORGANISER, now=world.now, league_id=elsewhere.league_id),
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
        await world.db.write(
            signing_up.add,
            Order(actor=ORGANISER, now=world.now, league_id=world.league_id),
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
    assert [(past.number, len(past.matches)) for past in season.past] == [(6, 2)]
    paired = {frozenset(match.players) for match in season.rounds[0].matches}
    assert not paired & {frozenset({"Zoë", "dok"}), frozenset({"Zoë", "Xorlof"})}


async def test_history_may_come_in_any_order(world: World) -> None:
    await take(world, record_file(2, ("dok", "Xorlof")))
    await take(world, record_file(1, ("dok", "Xorlof")))
    career = await world.db.read(
        history,
        Order(actor=BOT, now=world.now, league_id=world.league_id),
        player="dok",
        opponent="Xorlof",
    )
    assert list(career.seasons) == [1, 2]
    assert [meeting.season for meeting in career.meetings] == [1, 2]
    second = json.loads(await exported(world, 2))
    assert second["players"][0]["rating"]["mu"] == pytest.approx(29.2, abs=0.1)
    assert "rating" not in json.loads(await exported(world, 1))["players"][0]


async def test_a_substitute_of_a_recorded_season_has_their_rating_of_the_seasons_before(world: World) -> None:
    await take(world, record_file(1, ("Sam", "dok"), names=("dok", "Sam")))
    replaced = [{"seat": "Xorlof", "player": "Sam", "round": 1}]
    await take(world, record_file(2, ("dok", "Xorlof"), substitutes=replaced))
    second = json.loads(await exported(world, 2))
    assert second["substitutes"][0]["rating"]["mu"] == pytest.approx(29.2, abs=0.1)


async def test_meetings_known_from_a_file_alone_are_kept(world: World) -> None:
    fourth = {"season": 4, "matches": [["dok", "Xorlof"]]}
    past = [fourth, {"season": 5, "matches": [["dok", "Xorlof"], ["dok", "stranger"]]}]
    await take(world, record_file(6, past_seasons=past))
    known = json.loads(await exported(world, 6))["past_seasons"]
    assert known == [{"season": 5, "matches": [["dok", "Xorlof"]]}, fourth]
    await take(world, record_file(5, ("Xorlof", "dok")))
    assert json.loads(await exported(world, 6))["past_seasons"][0]["matches"] == [["Xorlof", "dok"]]


async def test_people_of_a_file_are_the_players_there_are(world: World) -> None:
    await take(world, record_file(1, names=("dok", "Xorlof")))
    text = record_file(2, ("d0k_", "XORLOF"), names=("d0k_", "XORLOF"))
    data = json.loads(text)
    data["players"][0]["former_names"] = ["dok"]
    await take(world, json.dumps(data))
    assert set(await player_names(world)) == {
        "dok",
        "Xorlof",
    }
    career = await world.db.read(
        history,
        Order(actor=BOT, now=world.now, league_id=world.league_id),
        player="dok",
        opponent="XORLOF",
    )
    assert [meeting.season for meeting in career.meetings] == [2]
    assert json.loads(await exported(world, 2))["players"][0]["former_names"] == ["dok"]


async def test_two_people_of_a_file_never_become_one(world: World) -> None:
    await take(world, record_file(1, names=("Bob",)))
    await take(world, record_file(2, ("bob", "Bob"), names=("bob", "Bob")))
    assert set(await player_names(world)) == {"Bob", "bob"}
    career = await world.db.read(
        history,
        Order(actor=BOT, now=world.now, league_id=world.league_id),
        player="Bob",
        opponent="bob",
    )
    assert [meeting.season for meeting in career.meetings] == [2]


async def test_an_import_waits_for_the_season_going_on(world: World) -> None:
    await world.begin(4)
    text = await exported(world)
    with pytest.raises(Conflict, match="already has a season 1"):
        await take(world, record_file(1))
    with pytest.raises(Conflict, match="would come after season 1"):
        await take(world, record_file(2))
    with pytest.raises(Conflict, match="isn't over, and season 1 is still running"):
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


@pytest.mark.parametrize("name", ["/report", "Ada /drop"])
async def test_no_imported_name_becomes_a_command_to_click(world: World, name: str) -> None:
    former = [{"name": "dok", "former_names": [name]}]
    for text in (record_file(1, names=("dok", name)), record_file(1, players=former)):
        with pytest.raises(Invalid, match=r"players\[.\].* reads like a command") as refused:
            await take(world, text)
        assert name not in str(refused.value)


async def test_an_import_is_noted_and_the_program_may_do_it(world: World) -> None:
    await steps.import_file(
        world.db, Order(actor=BOT, now=world.now, league_id=world.league_id), data=record_file(3).encode()
    )
    noted = (await world.audit())[0]
    assert (noted.action, noted.actor_id, noted.subject) == ("league.import", None, "season 3")
    done = await world.db.read(exporting.export, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert done.filename == "fairpair-season-3.json"


async def test_leagues_do_not_know_each_others_players(world: World) -> None:
    elsewhere = await other_world(world)
    await world.create()
    await world.sign_up("dok")
    await elsewhere.create()
    actor = person(5000, "dok")
    await world.db.write(
        signing_up.sign_up, Order(actor=actor, now=world.now, league_id=elsewhere.league_id), display_name="dok"
    )
    assert [who.discord_id for who in (await elsewhere.status()).entrants] == [5000]
    with pytest.raises(NotFound):
        await world.db.read(history, Order(actor=BOT, now=world.now, league_id=elsewhere.league_id), player="Xorlof")


async def test_a_league_that_is_gone_is_said(db: Database) -> None:
    with pytest.raises(NotFound, match="on this server"):
        await db.read(
            audit_log.show, Order(actor=ORGANISER, now=datetime(2026, 11, 21, tzinfo=UTC), league_id=LeagueId(77))
        )


async def test_people_of_another_server_can_read_nothing_of_a_league(world: World) -> None:
    await world.begin(4)
    who: Any = {"actor": FOREIGNER, "league_id": world.league_id}
    for refused in (
        see(overview.status, db=world.db, **who),
        see(tables.standings, db=world.db, **who),
        see(tables.bracket, db=world.db, **who),
        see(tables.numbers, db=world.db, **who),
        see(history, db=world.db, **who, player="dok"),
        see(find.player_names, db=world.db, **who, typed=""),
        see(find.own_name, db=world.db, **who),
        see(posted_round, db=world.db, **who),
        see(my_match, db=world.db, **who),
        see(exporting.export, db=world.db, **who),
    ):
        with pytest.raises(NotFound, match="on this server"):
            await refused


async def test_a_substitute_of_a_season_to_come_gets_their_rating_at_the_start(world: World) -> None:
    file = json.loads(record_file(1)) | {"format": "ohs", "rounds": []}
    file["players"] = [{"name": name} for name in NAMES[:4]]
    file["substitutes"] = [{"seat": NAMES[0], "player": "Sam", "round": 1}]
    await take(world, json.dumps(file))
    await world.start()
    made = json.loads(await exported(world))
    assert made["substitutes"][0]["rating"] == {"mu": 25.0, "sigma": 25 / 3}


async def test_what_moderators_read_is_in_no_channel_of_another_league(world: World) -> None:
    order = Order(actor=ADMIN, now=world.now)
    other = await world.db.write(set_up.create, order, name="Second", channel_id=777)
    with pytest.raises(Conflict, match="isn't for them"):
        await world.db.write(set_up.change, order.of(other.id), changes={"moderation_channel_id": CHANNEL})
    shared = {"moderation_channel_id": world.league.moderation_channel_id}
    changed = await world.db.write(set_up.change, order.of(other.id), changes=shared)
    assert changed.moderation_channel_id == world.league.moderation_channel_id
