"""A server with two leagues, one with a league of the same name, one without; and the people who try everything."""

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from bot.services.base.accounts import Newcomer
from cogs.runtime.on_server import PAUSE_SECONDS, SECONDS
from tests.cogs.conftest import MatchRow, World, buttons_of, selects_of, text_of
from tests.cogs.who_may.fingerprint import Watch
from tests.cogs.who_may.presses import forge
from tests.story import OnServer

SAME_NAME = "Arena League"


class Kind(StrEnum):
    """Who tries: eleven who have no right to what they try, and those of the league who may."""

    OUTSIDER = "an outsider"
    ENTRANT = "another entrant"
    OTHER_PLAYER = "a player of the server's other league"
    OTHER_MODERATOR = "a moderator of the other league"
    OTHER_ORGANISER = "an organiser of the other league"
    DROPPED = "a player who dropped"
    DISQUALIFIED = "a player who was disqualified"
    ADMIN_ELSEWHERE = "an admin of a server with a league of the same name"
    ENTRANT_ELSEWHERE = "an entrant who is admin there"
    ADMIN_WITHOUT = "an admin of a server without a league"
    ROBOT = "a bot account"
    REPORTER = "the player who reported"
    CONTRADICTED = "the player whose report is disputed"
    OPPONENT = "their opponent"
    MODERATOR = "a moderator"
    ORGANISER = "an organiser"
    ADMIN = "an admin"
    TELLER = "the player who has a problem"
    ANSWERER = "the player who is to answer it"
    SITTER = "a player who sits out the next round"
    INVITED = "a new account that is asked whether it is a player"
    WAITING = "a player who is offered a free place"


ELSEWHERE = frozenset({Kind.ADMIN_ELSEWHERE, Kind.ENTRANT_ELSEWHERE, Kind.ADMIN_WITHOUT})
"""Those who try it from another server."""
WITH_RIGHTS = frozenset({Kind.ORGANISER, Kind.ADMIN, *list(Kind)[-5:]})
"""Those who try only what they may."""


@dataclass(frozen=True)
class Person:
    """Someone with the channel they write in and a private message whose buttons they forge."""

    who: MemberActor
    channel: ChannelHandle
    message: Any

    @property
    def name(self) -> str:
        """What they are called."""
        return self.who.user.global_name or ""


@dataclass
class Crowd:
    """The world with everyone in it, and what there is to try things with."""

    world: World
    watch: Watch
    people: dict[Kind, Person] = field(default_factory=dict[Kind, Person])
    ids: dict[str, Any] = field(default_factory=dict[str, Any])
    """Real subjects of the league by name, for custom_ids and options."""
    names: list[str] = field(default_factory=list[str])
    """What the league's players are called."""


async def crowd_of(world: World, watch: Watch) -> Crowd:
    """Play into round 1 of a league, with something open of every kind, and gather the others around it."""
    world.players += [world.member(name) for name in ("Ines", "Jona", "Karl", "Lina", "Wanda")]
    await world.league(SAME_NAME)
    lists = {"number": 1, "per": "round", "due_hours": 24, "secret": "due"}
    await world.season(players=12, advance="manual", max_players=12, confirm_hours=72, lists=lists)
    wanda = world.player("Wanda")
    await wanda.click(world.post("Sign-ups are open"), label="Join")
    await world.organiser.slash(world.channel, "season settings", setting="ask_name", value="User name")
    assert "has started" in text_of(await world.organiser.slash(world.channel, "season start"))
    rows = world.open_matches()
    bravo = await _other_league(world)
    home, alone = await _other_server(world, "Elsewhere"), await _other_server(world, "Bare")
    await _play_there(world, *home)
    crowd = Crowd(world, watch)
    crowd.names = [player.user.global_name or "" for player in world.players]
    newcomer = world.member("Newcomer")
    await _things_happen(world, rows, newcomer)
    sides = [world.sides(row) for row in rows]
    here, entrant = world.channel, sides[3][0]
    guest = home[0].guild.add_member(entrant.user, roles=[home[2]])
    robot = world.guild.add_member(world.env.create_user("robot", bot=True, global_name="Robot"))
    there = {
        Kind.OUTSIDER: (world.outsider, here),
        Kind.ENTRANT: (entrant, here),
        Kind.OTHER_PLAYER: (bravo[0], here),
        Kind.OTHER_MODERATOR: (bravo[1], here),
        Kind.OTHER_ORGANISER: (bravo[2], here),
        Kind.DROPPED: (sides[4][0], here),
        Kind.DISQUALIFIED: (sides[5][0], here),
        Kind.ADMIN_ELSEWHERE: home[:2],
        Kind.ENTRANT_ELSEWHERE: (guest, home[1]),
        Kind.ADMIN_WITHOUT: alone[:2],
        Kind.ROBOT: (robot, here),
        Kind.REPORTER: (sides[0][0], here),
        Kind.CONTRADICTED: (sides[1][0], here),
        Kind.OPPONENT: (sides[0][1], here),
        Kind.MODERATOR: (world.moderator, here),
        Kind.ORGANISER: (world.organiser, here),
        Kind.ADMIN: (world.chief, here),
        Kind.TELLER: (sides[2][0], here),
        Kind.ANSWERER: (sides[2][1], here),
        Kind.SITTER: (sides[3][1], here),
        Kind.INVITED: (newcomer, here),
        Kind.WAITING: (wanda, here),
    }
    for kind, (who, channel) in there.items():
        page = await who.slash(channel, "help")
        assert page.response is not None, kind
        crowd.people[kind] = Person(who, channel, page.response)
    prepared = await world.organiser.slash(world.channel, "season create", format="ohs")
    crowd.ids = {
        "round": rows[0].post,
        **_subjects(world, rows),
        "season_v": _behind(prepared, "fp:plan-open:[0-9]+@([0-9]+)"),
    }
    await _questions(crowd)
    return crowd


async def _other_league(world: World) -> tuple[MemberActor, MemberActor, MemberActor]:
    """Make the server's other league; return a player, a moderator and an organiser of it."""
    channel = world.guild.create_text_channel("bravo")
    roles = world.guild.create_role("Bravo moderators"), world.guild.create_role("Bravo organisers")
    given = {"moderator_role": roles[0], "organiser_role": roles[1]}
    made = await world.chief.slash(channel, "league create", name="Bravo", channel=channel, **given)
    assert "is set up" in text_of(made)
    organiser, player = world.member("Otis", roles[1]), world.member("Petra")
    story = OnServer(organiser, channel)
    await story.open()
    await story.sign_up(player)
    return player, world.member("Moni", roles[0]), organiser


async def _other_server(world: World, name: str) -> tuple[MemberActor, ChannelHandle, Any]:
    """Make another server; return its admin, a channel and the admins' role."""
    guild = world.env.create_guild(name)
    role = guild.create_role("Admins", permissions=discord.Permissions(administrator=True))
    channel = guild.create_text_channel("league")
    user = world.env.create_user(f"chief-{name.lower()}", global_name=f"Chief of {name}")
    return guild.add_member(user, roles=[role]), channel, role


async def _play_there(world: World, admin: MemberActor, channel: ChannelHandle, role: Any) -> None:
    """Start a season of a league of the same name with two players nobody else has heard of."""
    made = await admin.slash(channel, "league create", name=SAME_NAME, channel=channel)
    assert "is set up" in text_of(made)
    story = OnServer(admin, channel)
    await story.open(advance="manual")
    for name in ("Xenia", "Zoran"):
        user = world.env.create_user(name.lower(), global_name=name)
        await story.sign_up(admin.guild.add_member(user))
    assert "has started" in text_of(await story.start())


async def _things_happen(world: World, rows: list[MatchRow], newcomer: MemberActor) -> None:
    """Let reports, disputes, problems and departures wait for an answer."""
    sides = [world.sides(row) for row in rows]
    world.guild.remove_member(sides[5][1])
    await world.env.advance_time(PAUSE_SECONDS + 1)
    for _ in range(4):  # as many leagues, each of a server
        await world.env.advance_time(SECONDS + 1)
    await world.agreed("player drop", "Drop them", player=_name(sides[4][0]), reason="ill")
    await world.agreed("player disqualify", "Disqualify them", player=_name(sides[5][0]), reason="cheated")
    await sides[4][0].slash(world.channel, "rejoin")
    await world.jump(hours=25)
    await _report_and_quarrel(world, rows)
    await _times_and_problem(world, sides[2])
    asked: Any = await sides[3][1].slash(world.channel, "sit-out", round=2, reason="exams")
    await sides[3][1].click(asked.response, label="Sit out")
    asked = await world.organiser.slash(world.channel, "player link", player=_name(sides[4][1]), user=newcomer.user)
    await world.organiser.click(asked.response, label="Ask them")
    form = await sides[0][0].slash(world.channel, "list", number=1, round=1)
    assert "came late" in text_of(await sides[0][0].submit_modal(form, {"text": "too late"}))


async def _report_and_quarrel(world: World, rows: list[MatchRow]) -> None:
    for row in rows[:2]:
        assert "Got it" in text_of(await world.report(world.sides(row)[0], "won", row))
    form = await world.answer(world.sides(rows[1])[1], "Dispute", world.fresh(rows[1]))
    await world.sides(rows[1])[1].submit_modal(form, {"says": "won", "reason": "I won it"})


async def _times_and_problem(world: World, sides: tuple[MemberActor, MemberActor]) -> None:
    """Let the upper player propose a time and say that the opponent doesn't answer."""
    for player in sides:
        await player.slash(world.channel, "availability", time_zone="Europe/Berlin", hours="daily 9-22")
    mine: Any = await sides[0].slash(world.channel, "match")
    offered: Any = await sides[0].click(mine.response, label="Propose times")
    ((custom_id, options),) = selects_of(offered.response).items()
    chosen: Any = await sides[0].select(offered.response, values=[options[0].value], custom_id=custom_id)
    assert "Sent to" in text_of(await sides[0].click(chosen.response, label="Send"))
    mine = await sides[0].slash(world.channel, "match")
    form = await sides[0].click(mine.response, label="Problem")
    assert "We're asking" in text_of(await sides[0].submit_modal(form, {"kind": "no-answer", "text": "silence"}))


def _subjects(world: World, rows: list[MatchRow]) -> dict[str, Any]:
    """Return the ids of everything that waits in the league, by what it is; a tie is made up, there's no cut yet."""
    now = int(world.now().timestamp())
    client: Any = world.env.bot
    with closing(sqlite3.connect(client.settings.database)) as conn:

        def one(sql: str, *values: Any) -> Any:
            found = conn.execute(sql, values).fetchone()
            assert found is not None, sql
            return found[0]

        ids = {
            "league": 1,
            "tie": one(_TIE, now),
            "account": one("SELECT min(discord_id) FROM players WHERE league_id = 1"),
            "deadline": one("SELECT deadline FROM rounds WHERE season_id = 1"),
            "reported": rows[0].match,
            "disputed": rows[1].match,
            "problem": rows[2].match,
            "free": rows[3].match,
            "post": one("SELECT max(id) FROM outbox WHERE league_id = 1 AND state = 'done'"),
            "season": one("SELECT id FROM seasons WHERE league_id = 1 AND phase = 'unpublished'"),
            "link": one("SELECT id FROM links WHERE ended_at IS NULL"),
            "stay": one("SELECT id FROM stay_decisions WHERE answered_at IS NULL"),
            "entrant": one("SELECT upper_id FROM matches WHERE id = ?", rows[0].match),
            "not_begun": one(_NOT_BEGUN, rows[0].match, now),
            "sit_out": one("SELECT id FROM sat_out"),
            "place": one("SELECT id FROM waitlist WHERE until IS NOT NULL"),
            "asking": one(_ASKING, now),
            "claim": one(_CLAIM, one("INSERT INTO players (league_id, name) VALUES (1, 'Nobody') RETURNING id"), now),
            "correction": one(_CORRECTION, rows[0].match, now),
            "ban": one(
                "INSERT INTO bans (league_id, fingerprint, name) VALUES (1, ?, 'Someone else') RETURNING id", "f" * 64
            ),
            "request": one("SELECT id FROM rejoin_requests WHERE answered_at IS NULL"),
            "problem_id": one("SELECT id FROM problems WHERE ended_at IS NULL"),
            "proposal": one("SELECT id FROM time_proposals WHERE answered_at IS NULL"),
            "start": one("SELECT json_extract(starts, '$[0]') FROM time_proposals WHERE answered_at IS NULL"),
        }
        conn.commit()
        versions = {f"{name}_v": one("SELECT version FROM matches WHERE id = ?", ids[name]) for name in _MATCHES}
    sides = [world.sides(row) for row in rows]
    people = {"upper": sides[0][0], "lower": sides[0][1], "disqualified": sides[5][0], "unlinked": sides[4][1]}
    named = {key: _name(who) for key, who in people.items()}
    newcomer = Newcomer(
        discord_id=world.outsider.id, wanted="Someone", display_name="Otto", by_organiser=True, reason="because"
    )
    whole: dict[str, Any] = {"outsider": world.outsider.user, "newcomer": newcomer}
    return {**ids, **versions, **named, **whole, "reported_ref": "R1 M1"}


_NOT_BEGUN = """
INSERT INTO first_matches (entrant_id, asked_at, silent_at)
SELECT upper_id, ?2, ?2 FROM matches WHERE id = ?1 RETURNING id
"""
_TIE = """
INSERT INTO ties (season_id, after_round, first, going_on, names, asked_at)
VALUES (1, 1, 1, 1, '["Ada", "Bruno"]', ?) RETURNING id
"""
_ASKING = """
INSERT INTO join_requests (season_id, player_id, page, asked_at)
SELECT 1, id, 1, ? FROM players WHERE id = (SELECT max(id) FROM players WHERE league_id = 1)
RETURNING id
"""
_CLAIM = """
INSERT INTO claims (season_id, player_id, discord_id, called, page, asked_at)
VALUES (1, ?, 424242424242424242, 'Somebody', 1, ?) RETURNING id
"""
_CORRECTION = """
INSERT INTO outbox (key, kind, league_id, season_id, match_id, target, facts, due_at, created_at)
VALUES ('correction', 'correction', 1, 1, ?1, 'moderation',
    '{"outcome": "upper", "how": "adjudicated", "score": null, "why": "a mix-up", "by": "Someone"}', ?2 + 999999999, ?2)
RETURNING id
"""
_MATCHES = ("reported", "disputed", "problem", "free")


async def _questions(crowd: Crowd) -> None:
    """Add what only those who may are asked: a form that was refused."""
    admin, ids = crowd.people[Kind.ADMIN], crowd.ids
    form = await forge(admin.who, admin.message, "fp:set-up:1")
    refused = await admin.who.submit_modal(form, {"zone": "Mars"})
    ids["refused"] = _behind(refused, "fp:again:([0-9a-f]+)")
    await preview(crowd)


async def preview(crowd: Crowd) -> None:
    """Let an admin send a file with a name that can't be taken, which is asked about until someone answers."""
    sheet = f"season,player,opponent,winner\n0,{'x' * 40},Zed,Zed\n".encode()
    shown = await crowd.people[Kind.ADMIN].who.slash(crowd.world.channel, "league import", file=("old.csv", sheet))
    crowd.ids["preview"] = _behind(shown, "fp:import-name:([0-9a-f]+)")


def _behind(answer: InteractionResult, pattern: str) -> str:
    """Return the part of a custom_id in an answer that a pattern asks for."""
    there = [str(button.custom_id) for button in buttons_of(answer.response)]
    found = [match[1] for custom_id in there if (match := re.fullmatch(pattern, custom_id))]
    assert found, (pattern, there, text_of(answer))
    return found[0]


def _name(who: MemberActor) -> str:
    return who.user.global_name or ""
