"""Every query is an index search, however much a database holds: each storage function is explained."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest

import storage
from bot.league.season.model import DepartureKind, Name, Stage
from bot.league.season.phases import RoundPhase
from storage import personal, rated_seasons, rules_season, shards
from storage.database import Connection, Database, Shards
from storage.kept import Cache
from storage.personal import Forgotten
from storage.posts import PostId, PostRow, Target
from storage.query import Table
from storage.rows import LeagueId, PlayerId, TieId
from storage.tables import (
    audit,
    availability,
    claims,
    entrants,
    finals_places,
    guilds,
    leagues,
    links,
    lists,
    maps,
    matches,
    memberships,
    notify,
    outbox,
    parked,
    players,
    reports,
    rounds,
    sat_out,
    seasons,
    substitutions,
    threads,
    tie_reports,
    ties,
    time_proposals,
    waitlist,
)
from storage.tables.claims import ClaimEnd, ClaimId, ClaimKind, ClaimRow, Screenshot
from storage.tables.finals_places import FinalsPlaceId
from storage.tables.links import LinkId, LinkRow
from storage.tables.lists import ListRow, ListSetRow
from storage.tables.maps import MapRow
from storage.tables.memberships import StayId, StayReason, StayRow
from storage.tables.notify import How, Topic
from storage.tables.sat_out import SitOutId
from storage.tables.threads import Lost
from storage.tables.tie_reports import TieReportId, TieReportRow
from storage.tables.time_proposals import ProposalId, TimeAnswer
from storage.tables.waitlist import WaitingId
from tests.files import change_by_hand, look_into
from tests.storage.scene import NOW, Scene, a_league

LATER = NOW + timedelta(days=1)
GONE = Forgotten(
    player=PlayerId(1),
    league=LeagueId(1),
    names=("p1",),
    accounts=(1,),
    name="Player 1",
    name_key="player 1",
    mark="forgotten",
)
ANY_SQL = {"query", "database", "migrate"}
"""Modules whose functions run what others hand them."""
WAITING = {
    "reports_to_confirm",
    "open_rounds",
    "deadlines_of_matches",
    "overdue_matches",
    "pauses_to_end",
    "places_to_lapse",
    "ties_to_answer",
    "signups_to_close",
    "list_sets_to_seal",
    "outbox_due",
    "outbox_to_lapse",
    "threads_to_archive",
    "outbox_parked",
    "outbox_to_try",
    "outbox_missing",
    "outbox_troubles",
    "questions_to_repeat",
    "outbox_waiting",
    "one_open_dispute",
    "one_request_at_a_time",
    "one_question_a_tie",
    "one_open_claim",
    "one_live_season",
    "one_stay_at_a_time",
}
"""Partial indexes of what waits at the moment; reading one from end to end reads nothing that is over."""
SMALL = {"everywhere": {"leagues"}, "leagues_elsewhere": {"leagues"}, "servers_elsewhere": {"leagues"}}
"""Functions that want a whole table which stays small: there is one league for a community."""


class Recorder:
    """A connection that remembers what it executes."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn
        self.executed: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._conn, name)

        def execute(sql: str, values: Any = ()) -> Any:
            self.executed += [(sql, each) for each in (values if name == "executemany" else (values,))]
            return method(sql, values)

        return execute if name.startswith("execute") else method


async def plan(conn: Connection, sql: str, values: tuple[Any, ...]) -> list[str]:
    return [row[3] for row in conn.execute_fetchall(f"EXPLAIN QUERY PLAN {sql}", values)]


def storage_modules() -> list[ModuleType]:
    return [importlib.import_module(module.name) for module in pkgutil.walk_packages(storage.__path__, "storage.")]


def public_functions() -> Iterator[str]:
    for module in storage_modules():
        short = module.__name__.rpartition(".")[2]
        if short in ANY_SQL:
            continue
        for name, function in inspect.getmembers(module):
            shared = isinstance(getattr(function, "__self__", None), Table)
            own = shared or getattr(function, "__module__", None) == module.__name__
            if own and inspect.iscoroutinefunction(function) and not name.startswith("_"):
                yield f"{short}.{name}"


async def kept_season(s: Scene) -> object:
    s.conn.cache = Cache(most=1)
    return rules_season.load(s.conn, s.season)


async def a_post(s: Scene) -> PostId:
    owed = {"key": "k", "kind": "match", "league_id": s.league, "target": Target.LEAGUE, "facts": {}, "now": NOW}
    outbox.add(s.conn, **owed, match_id=s.match)
    post = outbox.of_round(s.conn, s.round)[-1]
    assert post is not None
    return post.id


def keep_before(s: Scene) -> Awaitable[None]:
    pressed: dict[str, Any] = {"entrant_id": s.people[0], "version": 2, "at": NOW}
    return reports.keep_before(s.conn, s.match, **pressed, reports=[], dispute_id=None)


def propose(s: Scene) -> Awaitable[Any]:
    starts = [int(LATER.timestamp())]
    return time_proposals.add(s.conn, match_id=s.match, entrant_id=s.people[0], proposed_at=NOW, starts=starts)


async def a_tie(s: Scene) -> TieId:
    return (await new_tie(s)).id


def new_tie(s: Scene) -> Awaitable[Any]:
    return ties.add(s.conn, season_id=s.season, after_round=1, first=1, going_on=2, names=("a", "b"), asked_at=NOW)


def a_claim(s: Scene) -> Awaitable[ClaimRow]:
    said = {"entrant_id": s.people[0], "kind": ClaimKind.NO_ANSWER, "text": "t"}
    return claims.add(s.conn, match_id=s.match, **said, at=NOW, answer_until=LATER)


async def of_claim(s: Scene, use: Callable[[ClaimId], Awaitable[Any]]) -> None:
    await use((await a_claim(s)).id)


def a_picture(s: Scene) -> Screenshot:
    return Screenshot(entrant_id=s.people[0], name="a.png", content=b"png")


def a_stay(s: Scene) -> Awaitable[StayRow]:
    return memberships.ask(s.conn, entrant_id=s.people[0], reason=StayReason.GONE, asked_at=NOW)


async def of_stay(s: Scene, use: Callable[[StayId], Awaitable[Any]]) -> None:
    await use((await a_stay(s)).id)


async def a_link(s: Scene) -> LinkRow:
    player = entrants.get(s.conn, s.people[0])
    return links.add(s.conn, player_id=player.player_id, discord_id=7, asked_at=NOW)


async def of_link(s: Scene, use: Callable[[LinkId], Awaitable[Any]]) -> None:
    await use((await a_link(s)).id)


def leave(s: Scene) -> Awaitable[None]:
    return entrants.depart(s.conn, entrant_id=s.people[0], kind=DepartureKind.DROP, round=1, after_pairing=True)


def a_sit_out(s: Scene) -> Awaitable[Any]:
    return sat_out.add(s.conn, entrant_id=s.people[0], player_id=PlayerId(1), round=1, reason=None, at=NOW)


async def a_substitute(s: Scene) -> None:
    new = players.add(s.conn, league_id=s.league, name="Sub", name_key="sub")
    substitutions.sit_down(s.conn, entrant_id=s.people[0], player_id=new.id, name="Sub", round=1)


async def another_round(s: Scene) -> Any:
    rounds.change(s.conn, s.round, phase=RoundPhase.CLOSED)
    return rounds.add(s.conn, season_id=s.season, number=2, stage=Stage.REGULAR, phase=RoundPhase.DRAFT)


async def of_player(s: Scene, use: Callable[[Any], Awaitable[Any]]) -> None:
    await use(players.get(s.conn, entrants.get(s.conn, s.people[0]).player_id))


async def newcomers(s: Scene) -> None:
    player = players.add(s.conn, league_id=s.league, name="n", name_key="n")
    entrants.add_many(s.conn, [{"season_id": s.season, "player_id": player.id, "name": "n"}])


async def of_post(s: Scene, use: Callable[[PostId], Awaitable[Any]]) -> None:
    await use(await a_post(s))


async def a_tie_report(s: Scene) -> TieReportRow:
    return tie_reports.add(s.conn, tie_id=await a_tie(s), entrant_id=s.people[0], reported_at=NOW)


async def of_tie_report(s: Scene, use: Callable[[TieReportId], Awaitable[Any]]) -> None:
    await use((await a_tie_report(s)).id)


async def of_tie(s: Scene, use: Callable[[TieId], Awaitable[Any]]) -> None:
    await use(await a_tie(s))


async def a_deletion(s: Scene) -> None:
    leagues.remove(s.conn, await a_league(s.conn, "N"))


async def one_round(s: Scene) -> Any:
    names = {row.id: Name(row.name) for row in entrants.of_season(s.conn, s.season)}
    return rules_season.one_round(s.conn, rounds.get(s.conn, s.round), names)


async def match_of(s: Scene) -> Any:
    return matches.save(s.conn, matches.get(s.conn, s.match))


async def withdraw(s: Scene) -> None:
    post = outbox.get(s.conn, await a_post(s))
    outbox.withdraw(s.conn, post, kind="gone", facts={}, delete=False, now=NOW)


async def of_row(s: Scene, run: Callable[[PostRow], Awaitable[object]]) -> None:
    await run(outbox.get(s.conn, await a_post(s)))


async def between(s: Scene) -> Any:
    one, other = [entrants.get(s.conn, person).player_id for person in s.people[:2]]
    return matches.between(s.conn, one, other)


async def a_wait(s: Scene) -> WaitingId:
    player = players.add(s.conn, league_id=s.league, discord_id=99, name="w", name_key="w")
    return waitlist.add(s.conn, season_id=s.season, player_id=player.id).id


async def of_place(s: Scene, use: Callable[[FinalsPlaceId], Awaitable[Any]]) -> None:
    await use(finals_places.add(s.conn, entrant_id=s.people[0], asked_at=NOW).id)


async def of_wait(s: Scene, use: Callable[[WaitingId], Awaitable[Any]]) -> None:
    await use(await a_wait(s))


async def a_set(s: Scene) -> ListSetRow:
    return lists.get_set(s.conn, lists.add_set(s.conn, season_id=s.season, round=1).id)


def hand_in(s: Scene, scope: ListSetRow) -> Awaitable[ListRow]:
    said = {"player_id": PlayerId(1), "number": 1, "key": "k", "text": "t", "late": False}
    return lists.hand_in(s.conn, scope, s.people[0], **said, now=NOW)


async def a_list(s: Scene) -> ListRow:
    return await hand_in(s, await a_set(s))


async def of_set(s: Scene, use: Callable[[ListSetRow], Awaitable[Any]]) -> None:
    await use(await a_set(s))


async def of_list(s: Scene, use: Callable[[ListRow], Awaitable[Any]]) -> None:
    await use(await a_list(s))


async def a_lost_thread(s: Scene) -> None:
    threads.begin(s.conn, s.match)
    threads.made(s.conn, s.match, 7)
    threads.lose(s.conn, s.match, Lost.DELETED)


EXAMPLES: dict[str, Callable[[Scene], Awaitable[Any]]] = {
    "availability.copy": lambda s: availability.copy(s.conn, old=7, new=8),
    "availability.keep": lambda s: availability.keep(s.conn, 7, time_zone="UTC", hours=""),
    "availability.of_people": lambda s: availability.of_people(s.conn, [7]),
    "audit.add": lambda s: audit.add(
        s.conn, league_id=s.league, at=NOW, actor_id=None, actor="bot", action="a", subject="b"
    ),
    "audit.actions": lambda s: audit.actions(s.conn, s.league),
    "audit.count": lambda s: audit.count(s.conn, s.league),
    "audit.page": lambda s: audit.page(s.conn, s.league, limit=5, offset=5),
    "claims.add": a_claim,
    "claims.change": lambda s: of_claim(s, lambda c: claims.change(s.conn, c, answer="a", answered_at=NOW)),
    "claims.find": lambda s: claims.find(s.conn, 1),
    "claims.finish": lambda s: claims.finish(s.conn, s.match, ClaimEnd.RESULT, NOW),
    "claims.forget": lambda s: claims.forget(s.conn, [s.match]),
    "claims.forget_screenshots": lambda s: claims.forget_screenshots(s.conn, s.season),
    "claims.keep": lambda s: of_claim(s, lambda claim: claims.keep(s.conn, claim, a_picture(s))),
    "claims.move_answers": lambda s: claims.move_answers(s.conn, s.season, after=NOW, seconds=60),
    "claims.of_match": lambda s: claims.of_match(s.conn, s.match),
    "claims.open_claims": lambda s: claims.open_claims(s.conn, [s.match]),
    "claims.screenshots": lambda s: claims.screenshots(s.conn, ClaimId(1)),
    "claims.unanswered": lambda s: claims.unanswered(s.conn, NOW),
    "entrants.add": lambda s: Scene.build(s.conn, "M"),
    "entrants.answer": lambda s: entrants.answer(s.conn, 1, accepted=True, at=NOW),
    "entrants.ask_back": lambda s: entrants.ask_back(s.conn, s.people[0], NOW),
    "entrants.by_discord": lambda s: entrants.by_discord(s.conn, s.season, 1),
    "entrants.add_many": lambda s: newcomers(s),
    "entrants.ever": lambda s: entrants.ever(s.conn, PlayerId(1)),
    "entrants.by_name": lambda s: entrants.by_name(s.conn, s.season, "p1"),
    "entrants.by_player": lambda s: of_player(s, lambda row: entrants.by_player(s.conn, s.season, row.id)),
    "entrants.change": lambda s: entrants.change(s.conn, s.people[0], seed=1),
    "entrants.change_departure": lambda s: entrants.change_departure(s.conn, 1, rejoined=3),
    "entrants.depart": leave,
    "entrants.depart_many": lambda s: entrants.depart_many(
        s.conn, [{"entrant_id": s.people[0], "kind": "drop", "round": 1}]
    ),
    "entrants.draw_names": lambda s: entrants.draw_names(s.conn, s.people),
    "entrants.ids_of": lambda s: entrants.ids_of(s.conn, s.season),
    "entrants.departures_of": lambda s: entrants.departures_of(s.conn, s.season),
    "entrants.forget_departure": lambda s: entrants.forget_departure(s.conn, 1),
    "entrants.forget_asked": lambda s: entrants.forget_asked(s.conn, s.season),
    "entrants.get": lambda s: entrants.get(s.conn, s.people[0]),
    "entrants.in_round": lambda s: entrants.in_round(s.conn, s.season, 1),
    "entrants.last_departure": lambda s: entrants.last_departure(s.conn, s.people[0]),
    "entrants.leave_before_pairing": lambda s: entrants.leave_before_pairing(s.conn, s.season, 1),
    "entrants.of_season": lambda s: entrants.of_season(s.conn, s.season),
    "entrants.one_in_round": lambda s: entrants.one_in_round(s.conn, s.people[0], 1),
    "entrants.remove": lambda s: entrants.remove(s.conn, s.people[3]),
    "entrants.request": lambda s: entrants.request(s.conn, 1),
    "entrants.waiting_request": lambda s: entrants.waiting_request(s.conn, s.people[0]),
    "entrants.waiting_requests": lambda s: entrants.waiting_requests(s.conn, s.season),
    "finals_places.add": lambda s: finals_places.add(s.conn, entrant_id=s.people[0], asked_at=NOW),
    "finals_places.change": lambda s: of_place(s, lambda row: finals_places.change(s.conn, row, until=NOW)),
    "finals_places.find": lambda s: finals_places.find(s.conn, 1),
    "finals_places.move_answers": lambda s: finals_places.move_answers(s.conn, s.season, after=NOW, seconds=60),
    "finals_places.of_season": lambda s: finals_places.of_season(s.conn, s.season),
    "finals_places.posted": lambda s: finals_places.posted(s.conn, s.season, NOW),
    "finals_places.silent": lambda s: finals_places.silent(s.conn, NOW),
    "guilds.forget": lambda s: guilds.forget(s.conn, 1),
    "guilds.greet": lambda s: guilds.greet(s.conn, 1, joined_at=NOW, now=LATER),
    "leagues.add": lambda s: Scene.build(s.conn, "M"),
    "leagues.change": lambda s: leagues.change(s.conn, s.league, time_zone="UTC"),
    "leagues.everywhere": lambda s: leagues.everywhere(s.conn),
    "leagues.find": lambda s: leagues.find(s.conn, s.league),
    "leagues.get": lambda s: leagues.get(s.conn, s.league),
    "leagues.of_guild": lambda s: leagues.of_guild(s.conn, 1),
    "leagues.waiting_in": lambda s: leagues.waiting_in(s.conn, s.league),
    "leagues.waiting_since": lambda s: leagues.waiting_since(s.conn),
    "leagues.remove": a_deletion,
    "lists.add": a_list,
    "lists.add_set": a_set,
    "lists.change": lambda s: of_list(s, lambda row: lists.change(s.conn, row.id, late=True)),
    "lists.change_set": lambda s: of_set(s, lambda scope: lists.change_set(s.conn, scope.id, due_at=NOW)),
    "lists.close_sets": lambda s: lists.close_sets(s.conn, s.season, NOW),
    "lists.due_within_a_day": lambda s: lists.due_within_a_day(s.conn, NOW),
    "lists.find": lambda s: lists.find(s.conn, 1),
    "lists.get_set": a_set,
    "lists.hand_in": lambda s: of_set(s, lambda scope: hand_in(s, scope)),
    "lists.have_met": lambda s: of_player(s, lambda row: lists.have_met(s.conn, row.id, s.people[1], 1)),
    "lists.of_entrant": lambda s: lists.of_entrant(s.conn, s.people[0]),
    "lists.move_due": lambda s: lists.move_due(s.conn, s.season, after=NOW, seconds=60),
    "lists.of_set": lambda s: of_set(s, lambda scope: lists.of_set(s.conn, scope.id)),
    "lists.one_of": lambda s: of_set(s, lambda scope: lists.one_of(s.conn, scope, s.people[0], 1)),
    "lists.reveal_all": lambda s: lists.reveal_all(s.conn, s.season, NOW),
    "lists.set_of": lambda s: lists.set_of(s.conn, s.season, None),
    "lists.sets_of": lambda s: lists.sets_of(s.conn, s.season),
    "lists.to_seal": lambda s: lists.to_seal(s.conn, NOW),
    "lists.withdraw": lambda s: lists.withdraw(s.conn, s.people[0]),
    "maps.of_season": lambda s: maps.of_season(s.conn, s.season),
    "maps.set_all": lambda s: maps.set_all(s.conn, s.season, [MapRow(place="1", name="m")]),
    "links.add": a_link,
    "links.change": lambda s: of_link(s, lambda link: links.change(s.conn, link, ended_at=NOW, accepted=True)),
    "links.find": lambda s: links.find(s.conn, 1),
    "links.waiting": lambda s: of_player(s, lambda row: links.waiting(s.conn, row.id)),
    "memberships.ask": a_stay,
    "memberships.change": lambda s: of_stay(s, lambda x: memberships.change(s.conn, x, answered_at=NOW, how="back")),
    "memberships.find_stay": lambda s: memberships.find_stay(s.conn, 1),
    "memberships.forfeits": lambda s: memberships.forfeits(s.conn, s.people[0]),
    "memberships.last_stay": lambda s: memberships.last_stay(s.conn, s.people[0], StayReason.GONE),
    "memberships.playing": lambda s: memberships.playing(s.conn),
    "memberships.note": lambda s: of_player(s, lambda row: memberships.note(s.conn, row.id, NOW, None)),
    "memberships.of_player": lambda s: of_player(s, lambda row: memberships.of_player(s.conn, row.id)),
    "matches.add": lambda s: Scene.build(s.conn, "M"),
    "matches.add_round": lambda s: matches.add_round(s.conn, s.round, pairs=(), byes=[{"entrant_id": s.people[2]}]),
    "matches.between": between,
    "matches.byes": lambda s: matches.byes(s.conn, s.round),
    "matches.byes_of_season": lambda s: matches.byes_of_season(s.conn, s.season),
    "matches.count_unfinished": lambda s: matches.count_unfinished(s.conn, s.round),
    "matches.find": lambda s: matches.find(s.conn, s.match),
    "matches.forget_overdue": lambda s: matches.forget_overdue(s.conn, s.round, LATER),
    "matches.count_confirmed": lambda s: matches.count_confirmed(s.conn, s.season),
    "matches.get": lambda s: matches.get(s.conn, s.match),
    "matches.got_time": lambda s: matches.got_time(s.conn, s.match),
    "matches.in_round": lambda s: matches.in_round(s.conn, s.round, s.people[0]),
    "matches.move_deadlines": lambda s: matches.move_deadlines(s.conn, s.round, after=NOW, seconds=60),
    "matches.label": lambda s: matches.label(s.conn, s.match, name="Final"),
    "matches.of_round": lambda s: matches.of_round(s.conn, s.round),
    "matches.of_season": lambda s: matches.of_season(s.conn, s.season),
    "matches.overdue": lambda s: matches.overdue(s.conn, s.round, NOW),
    "matches.questions_due": lambda s: matches.questions_due(s.conn, NOW),
    "matches.reminders_due": lambda s: matches.reminders_due(s.conn, NOW),
    "matches.remove_bye": lambda s: matches.remove_bye(s.conn, s.round, s.people[0]),
    "matches.reports_due": lambda s: matches.reports_due(s.conn, NOW),
    "matches.rounds_to_remind": lambda s: matches.rounds_to_remind(s.conn, NOW),
    "matches.save": match_of,
    "matches.seats": lambda s: matches.seats(s.conn, s.round),
    "matches.set_time": lambda s: matches.set_time(s.conn, s.match, deadline=LATER),
    "matches.swap": lambda s: matches.swap(s.conn, s.people[0], s.people[1], s.round),
    "matches.unconfirmed_of_league": lambda s: matches.unconfirmed_of_league(s.conn, s.league),
    "matches.unfinished_of": lambda s: matches.unfinished_of(s.conn, s.people[0]),
    "notify.choose": lambda s: of_player(s, lambda p: notify.choose(s.conn, p.id, Topic.NEWS, How.OFF)),
    "notify.chosen": lambda s: of_player(s, lambda p: notify.chosen(s.conn, p.id)),
    "notify.explain_refusal": lambda s: notify.explain_refusal(s.conn, s.league, 7, NOW),
    "notify.refused": lambda s: of_player(s, lambda p: notify.refused(s.conn, p.id)),
    "notify.wanting": lambda s: notify.wanting(s.conn, s.league, (7,), Topic.ROUND, How.DIRECT),
    "outbox.about_waiting": lambda s: outbox.about_waiting(s.conn),
    "outbox.add": a_post,
    "parked.add_another": lambda s: of_row(s, lambda post: parked.add_another(s.conn, post, only=(7,), now=NOW)),
    "outbox.cancel_unsent": lambda s: outbox.cancel_unsent(s.conn, ("match",), round_id=s.round),
    "outbox.change_account": lambda s: of_post(s, lambda _: outbox.change_account(s.conn, s.league, old=1, new=2)),
    "outbox.drop": lambda s: of_post(s, lambda post: outbox.drop(s.conn, post)),
    "outbox.due": lambda s: outbox.due(s.conn, NOW),
    "outbox.expire": lambda s: outbox.expire(s.conn, s.league, NOW),
    "outbox.expired": lambda s: outbox.expired(s.conn, NOW),
    "outbox.failed": lambda s: of_post(s, lambda post: outbox.failed(s.conn, post, problem="p", retry_at=LATER)),
    "outbox.find": lambda s: outbox.find(s.conn, 1),
    "parked.is_owed_elsewhere": lambda s: of_row(s, lambda post: parked.is_owed_elsewhere(s.conn, post)),
    "parked.lost": lambda s: of_post(s, lambda post: parked.lost(s.conn, post)),
    "outbox.get": lambda s: of_post(s, lambda post: outbox.get(s.conn, post)),
    "outbox.oldest_unsent": lambda s: outbox.oldest_unsent(s.conn, NOW),
    "outbox.newest": lambda s: outbox.newest(s.conn),
    "outbox.touch_trouble": lambda s: of_row(s, lambda post: outbox.touch_trouble(s.conn, post, now=NOW)),
    "outbox.of_match": lambda s: outbox.of_match(s.conn, s.match, ("match",)),
    "outbox.of_round": lambda s: outbox.of_round(s.conn, s.round),
    "outbox.to_come": lambda s: outbox.to_come(s.conn, s.season, "notice", NOW),
    "parked.send_again": lambda s: parked.send_again(s.conn, 7, ("match",), now=NOW),
    "parked.readdress": lambda s: of_post(
        s, lambda post: parked.readdress(s.conn, post, target=Target.LEAGUE, facts={})
    ),
    "outbox.reword": lambda s: of_post(s, lambda _: outbox.reword(s.conn, "k", {"text": "t"}, now=NOW)),
    "outbox.remove": lambda s: outbox.remove(s.conn, ("match",), match_id=s.match, now=NOW),
    "outbox.remove_keys": lambda s: of_post(s, lambda _: outbox.remove_keys(s.conn, ("k",), now=NOW)),
    "outbox.removed": lambda s: of_post(s, lambda post: outbox.removed(s.conn, post)),
    "outbox.sent": lambda s: of_post(
        s, lambda post: outbox.sent(s.conn, post, now=NOW, channel_id=1, message_id=2, version=1)
    ),
    "outbox.take_down": lambda s: outbox.take_down(s.conn, ("board",), league_id=s.league, now=NOW),
    "outbox.touch": lambda s: outbox.touch(s.conn, "match", match_id=s.match, now=NOW),
    "outbox.withdraw": withdraw,
    "outbox.touch_key": lambda s: of_post(s, lambda _: outbox.touch_key(s.conn, "k", now=NOW)),
    "parked.alike": lambda s: of_row(s, lambda post: parked.alike(s.conn, post)),
    "parked.bring_back": lambda s: of_post(s, lambda post: parked.bring_back(s.conn, post, now=NOW)),
    "parked.first_of_guild": lambda s: parked.first_of_guild(s.conn, 1),
    "parked.first_rested": lambda s: parked.first_rested(s.conn, s.league, NOW),
    "parked.missing": lambda s: parked.missing(s.conn, s.league),
    "parked.of_league": lambda s: parked.of_league(s.conn, s.league),
    "parked.park": lambda s: of_post(s, lambda post: parked.park(s.conn, post, "p", now=NOW)),
    "parked.park_alike": lambda s: of_row(s, lambda post: parked.park_alike(s.conn, post, "p", now=NOW)),
    "parked.park_key": lambda s: of_post(s, lambda _: parked.park_key(s.conn, "k", "p", now=NOW)),
    "parked.probe": lambda s: of_row(s, lambda post: parked.probe(s.conn, post, now=NOW)),
    "parked.rested": lambda s: parked.rested(s.conn, NOW),
    "parked.retry": lambda s: of_post(s, lambda post: parked.retry(s.conn, post, now=NOW, channel_id=1)),
    "players.add": lambda s: Scene.build(s.conn, "M"),
    "players.add_many": lambda s: players.add_many(s.conn, s.league, ["n"]),
    "players.add_names": lambda s: of_player(
        s, lambda row: players.add_names(s.conn, s.league, [(row.id, Name("n"), "n")])
    ),
    "players.every_name": lambda s: players.every_name(s.conn, s.league),
    "players.add_name": lambda s: of_player(s, lambda row: players.add_name(s.conn, s.league, row.id, "n", "n")),
    "players.by_discord": lambda s: players.by_discord(s.conn, s.league, 1),
    "players.by_name": lambda s: players.by_name(s.conn, s.league, "p1"),
    "players.change": lambda s: of_player(s, lambda row: players.change(s.conn, row.id, discord_id=7)),
    "players.find": lambda s: of_player(s, lambda row: players.find(s.conn, row.id)),
    "players.former_names": lambda s: of_player(s, lambda row: players.former_names(s.conn, row)),
    "players.get": lambda s: of_player(s, lambda row: players.get(s.conn, row.id)),
    "players.looking_like": lambda s: players.looking_like(s.conn, s.league, "p1"),
    "players.mistakable": lambda s: players.mistakable(s.conn, s.league, "p1"),
    "players.of_league": lambda s: players.of_league(s.conn, s.league),
    "players.on_server": lambda s: players.on_server(s.conn, 1, 1),
    "players.rename": lambda s: of_player(s, lambda row: players.rename(s.conn, row, "n", "n")),
    "reports.add": lambda s: reports.add(
        s.conn, match_id=s.match, entrant_id=s.people[0], result="won", own_games=1, their_games=0, at=NOW
    ),
    "reports.clear": lambda s: reports.clear(s.conn, s.match, NOW),
    "reports.dispute": lambda s: reports.dispute(s.conn, match_id=s.match, entrant_id=None, reason="no", at=NOW),
    "reports.disputes_of": lambda s: reports.disputes_of(s.conn, s.match),
    "reports.forget_round": lambda s: reports.forget_round(s.conn, s.round),
    "reports.of_match": lambda s: reports.of_match(s.conn, s.match),
    "reports.keep_before": keep_before,
    "reports.open_disputes": lambda s: reports.open_disputes(s.conn, [s.match]),
    "reports.takebacks": lambda s: reports.takebacks(s.conn, [s.match]),
    "reports.restore": lambda s: reports.restore(s.conn, [1], 1),
    "reports.settle": lambda s: reports.settle(s.conn, s.match, NOW),
    "reports.state": lambda s: reports.state(s.conn, 1, "so"),
    "reports.standing": lambda s: reports.standing(s.conn, [s.match]),
    "rounds.add": another_round,
    "rounds.by_number": lambda s: rounds.by_number(s.conn, s.season, 1),
    "rounds.change": lambda s: rounds.change(s.conn, s.round, deadline=LATER),
    "rounds.draft": lambda s: rounds.draft(s.conn, s.season),
    "rounds.find": lambda s: rounds.find(s.conn, s.round),
    "rounds.get": lambda s: rounds.get(s.conn, s.round),
    "rounds.latest": lambda s: rounds.latest(s.conn, s.season),
    "rounds.move_deadline": lambda s: rounds.move_deadline(s.conn, s.round, after=NOW, seconds=60),
    "rounds.of_season": lambda s: rounds.of_season(s.conn, s.season),
    "rounds.overdue": lambda s: rounds.overdue(s.conn, NOW),
    "rounds.played_out": lambda s: rounds.played_out(s.conn, NOW),
    "rounds.published": lambda s: rounds.published(s.conn, s.season),
    "rounds.remove": lambda s: rounds.remove(s.conn, s.round),
    "rated_seasons.matches_of": lambda s: rated_seasons.matches_of(s.conn, s.league),
    "rated_seasons.of_league": lambda s: rated_seasons.of_league(s.conn, s.league),
    "kept.kept": kept_season,
    "rules_season.load": lambda s: rules_season.load(s.conn, s.season),
    "rules_season.read": lambda s: rules_season.read(s.conn, s.season),
    "rules_season.one_round": one_round,
    "rules_season.starters": lambda s: rules_season.starters(s.conn, s.season),
    "sat_out.add_many": lambda s: sat_out.add_many(s.conn, [{"entrant_id": s.people[0], "round": 3, "at": NOW}]),
    "sat_out.add": a_sit_out,
    "sat_out.find": lambda s: sat_out.find(s.conn, 1),
    "sat_out.in_round": lambda s: sat_out.in_round(s.conn, s.people[0], 1),
    "sat_out.of_entrant": lambda s: sat_out.of_entrant(s.conn, s.people[0]),
    "sat_out.of_season": lambda s: sat_out.of_season(s.conn, s.season),
    "sat_out.remove": lambda s: sat_out.remove(s.conn, SitOutId(1)),
    "seasons.add": lambda s: Scene.build(s.conn, "M"),
    "seasons.add_decision": lambda s: seasons.add_decision(s.conn, s.season, after_round=1, names=("a",)),
    "seasons.add_past_meetings": lambda s: of_player(
        s, lambda row: seasons.add_past_meetings(s.conn, s.league, 1, [(1, row.id, row.id + 1)])
    ),
    "seasons.by_number": lambda s: seasons.by_number(s.conn, s.league, 1),
    "seasons.change": lambda s: seasons.change(s.conn, s.season, salt="s"),
    "seasons.forget_past_meetings": lambda s: seasons.forget_past_meetings(s.conn, s.league, 0),
    "seasons.get": lambda s: seasons.get(s.conn, s.season),
    "seasons.last_played": lambda s: seasons.last_played(s.conn, s.league),
    "seasons.live": lambda s: seasons.live(s.conn, s.league),
    "seasons.newest": lambda s: seasons.newest(s.conn, s.league),
    "seasons.next_number": lambda s: seasons.next_number(s.conn, s.league),
    "seasons.numbers": lambda s: seasons.numbers(s.conn, s.league),
    "seasons.of_league": lambda s: seasons.of_league(s.conn, s.league),
    "seasons.check_ins_due": lambda s: seasons.check_ins_due(s.conn, NOW),
    "seasons.last_days_due": lambda s: seasons.last_days_due(s.conn, NOW),
    "seasons.pauses_due": lambda s: seasons.pauses_due(s.conn, NOW),
    "seasons.past_meetings_known": lambda s: seasons.past_meetings_known(s.conn, s.league, 1),
    "seasons.signups_due": lambda s: seasons.signups_due(s.conn, NOW),
    "seasons.unpublished": lambda s: seasons.unpublished(s.conn, s.league),
    "substitutions.of_entrant": lambda s: substitutions.of_entrant(s.conn, s.people[0]),
    "substitutions.of_season": lambda s: substitutions.of_season(s.conn, s.season),
    "substitutions.rate": lambda s: substitutions.rate(s.conn, 1, mu=25.0, sigma=8.0),
    "substitutions.sit_down": a_substitute,
    "substitutions.stay": lambda s: substitutions.stay(s.conn, s.people[0], 1),
    "threads.add_people": lambda s: threads.add_people(s.conn, s.match, [1, 2]),
    "threads.archive": lambda s: threads.archive(s.conn, s.match),
    "threads.begin": lambda s: threads.begin(s.conn, s.match),
    "threads.find": lambda s: threads.find(s.conn, s.match),
    "threads.forget": lambda s: threads.forget(s.conn, s.match),
    "threads.known": lambda s: threads.known(s.conn, [7]),
    "threads.lose": a_lost_thread,
    "threads.made": lambda s: threads.made(s.conn, s.match, 7),
    "threads.match_of": lambda s: threads.match_of(s.conn, 7),
    "threads.reopen": lambda s: threads.reopen(s.conn, s.match),
    "threads.rest": lambda s: threads.rest(s.conn, s.match, since=LATER),
    "threads.rest_unfinished": lambda s: threads.rest_unfinished(s.conn, s.round, LATER),
    "shards.here": lambda s: shards.here(s.conn, "matches", [s.match], [s.league]),
    "shards.leagues_elsewhere": lambda s: shards.leagues_elsewhere(s.conn, Shards((1,), 2)),
    "shards.servers_elsewhere": lambda s: shards.servers_elsewhere(s.conn, Shards((1,), 2)),
    "threads.to_archive": lambda s: threads.to_archive(s.conn, NOW),
    "threads.working": lambda s: threads.working(s.conn, [s.match]),
    "time_proposals.add": propose,
    "time_proposals.find": lambda s: time_proposals.find(s.conn, ProposalId(1)),
    "time_proposals.of_match": lambda s: time_proposals.of_match(s.conn, s.match),
    "time_proposals.settle": lambda s: time_proposals.settle(s.conn, s.match, TimeAnswer.LAPSED, NOW),
    "time_proposals.waiting": lambda s: time_proposals.waiting(s.conn, [s.match]),
    "tie_reports.add": a_tie_report,
    "tie_reports.change": lambda s: of_tie_report(s, lambda row: tie_reports.change(s.conn, row, counts_at=NOW)),
    "tie_reports.due": lambda s: tie_reports.due(s.conn, NOW),
    "tie_reports.find": lambda s: tie_reports.find(s.conn, 1),
    "tie_reports.move_answers": lambda s: tie_reports.move_answers(s.conn, s.season, after=NOW, seconds=60),
    "tie_reports.of_tie": lambda s: tie_reports.of_tie(s.conn, TieId(1)),
    "tie_reports.remove": lambda s: tie_reports.remove(s.conn, TieId(1)),
    "ties.add": new_tie,
    "ties.change": lambda s: of_tie(s, lambda tie: ties.change(s.conn, tie, names=("b", "a"), match_at=NOW)),
    "ties.find": lambda s: ties.find(s.conn, 1),
    "ties.get": lambda s: of_tie(s, lambda tie: ties.get(s.conn, tie)),
    "ties.move_answers": lambda s: ties.move_answers(s.conn, s.season, after=NOW, seconds=60),
    "ties.unanswered": lambda s: ties.unanswered(s.conn, NOW),
    "ties.waiting": lambda s: ties.waiting(s.conn, s.season),
    "ties.waiting_of_league": lambda s: ties.waiting_of_league(s.conn, s.league),
    "personal.accounts_of": lambda s: personal.accounts_of(s.conn, s.league, PlayerId(1), ["p1"]),
    "personal.reasons_of": lambda s: personal.reasons_of(s.conn, GONE),
    "personal.delete": lambda s: personal.delete(s.conn, GONE),
    "personal.own_matches": lambda s: personal.own_matches(s.conn, GONE),
    "personal.own_posts": lambda s: personal.own_posts(s.conn, GONE),
    "personal.posts_of": lambda s: personal.posts_of(s.conn, GONE),
    "personal.rewrite": lambda s: personal.rewrite(s.conn, s.league, ["p1"], str.upper),
    "personal.show_again": lambda s: personal.show_again(s.conn, [1], NOW, delete=True),
    "waitlist.add": a_wait,
    "waitlist.by_discord": lambda s: waitlist.by_discord(s.conn, s.season, 1),
    "waitlist.by_player": lambda s: waitlist.by_player(s.conn, s.season, PlayerId(1)),
    "waitlist.change": lambda s: of_wait(s, lambda row: waitlist.change(s.conn, row, asked_at=NOW)),
    "waitlist.clear": lambda s: waitlist.clear(s.conn, s.season),
    "waitlist.find": lambda s: waitlist.find(s.conn, 1),
    "waitlist.lapsed": lambda s: waitlist.lapsed(s.conn, NOW),
    "waitlist.move_answers": lambda s: waitlist.move_answers(s.conn, s.season, after=NOW, seconds=60),
    "waitlist.of_season": lambda s: waitlist.of_season(s.conn, s.season),
    "waitlist.remove": lambda s: of_wait(s, lambda row: waitlist.remove(s.conn, row)),
}


def allowed(step: str, name: str) -> bool:
    """Whether a step of a plan reads no more than it must."""
    if not step.startswith("SCAN") or re.match(r"SCAN (CONSTANT ROW|json_each|\(subquery)", step):
        return True
    if step.split()[1] in SMALL.get(name.partition(".")[2], ()):
        return True
    index = re.search(r"USING (?:COVERING )?INDEX (\w+)", step)
    return index is not None and index[1] in WAITING


def test_each_storage_function_has_an_example_here() -> None:
    assert sorted(public_functions()) == sorted(EXAMPLES)


async def executed(db: Database, name: str) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the statements a function executes, together with those of the example before it."""
    with change_by_hand(db) as conn:
        scene = await Scene.build(conn)
        recorder = Recorder(conn)
        scene.conn = recorder  # type: ignore[assignment]
        await EXAMPLES[name](scene)
    return recorder.executed


@pytest.mark.parametrize("name", sorted(EXAMPLES))
async def test_no_storage_function_reads_a_table_that_grows_from_end_to_end(db: Database, name: str) -> None:
    statements = await executed(db, name)
    assert statements
    with change_by_hand(db) as conn:
        for sql, values in statements:
            for step in await plan(conn, sql, values):
                assert allowed(step, name), f"{step}\n{sql}"


def deleted_from() -> set[str]:
    """Return the tables some storage function deletes from."""
    return {
        table for module in storage_modules() for table in re.findall(r"DELETE FROM (\w+)", inspect.getsource(module))
    }


async def test_deleting_a_row_searches_the_rows_that_refer_to_it_by_an_index(db: Database) -> None:
    assert {"entrants", "rounds", "matches"} <= deleted_from()
    with look_into(db) as conn:
        tables = [row[0] for row in conn.execute_fetchall("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            for key in conn.execute_fetchall(f"PRAGMA foreign_key_list({table})"):
                indexed = key[2] not in deleted_from() or key[3] in await first_columns(conn, table)
                assert indexed, f"{table}.{key[3]} has no index"


async def first_columns(conn: Connection, table: str) -> set[str]:
    """Return the columns by which a table's complete indexes begin."""
    indexes = conn.execute_fetchall(f"PRAGMA index_list({table})")
    found = [list(conn.execute_fetchall(f"PRAGMA index_info({row[1]})")) for row in indexes if not row[4]]
    return {columns[0][2] for columns in found}
