"""Problems that keep matches from being played, and players who may not stay."""

from typing import Any

from bot.league.formats.round_robin import RoundRobin
from bot.services.matches.outcome import Outcome
from bot.services.problems import answering, judging, on_server, patience, stay_or_leave, telling
from storage.tables.people.memberships import Sought
from storage.tables.problems import ProblemKind
from tests.model.moves.moving import Move, often
from tests.model.walk import Walk
from tests.services.conftest import GUILD

_PROBLEMS = (
    "SELECT p.*, m.upper_id, m.lower_id, r.number FROM problems p JOIN matches m ON m.id = p.match_id"
    " JOIN rounds r ON r.id = m.round_id ORDER BY p.ended_at IS NOT NULL, p.id DESC LIMIT 3"
)


def _about(walk: Walk) -> tuple[Any, dict[str, Any]] | None:
    row = walk.pick(walk.file.rows(_PROBLEMS))
    return None if row is None else (row, {"match": row["match_id"], "problem": row["id"]})


async def problem(walk: Walk) -> None:
    """Say what keeps a match from being played, often a day after nothing came of it."""
    if walk.together is None and walk.maybe(0.3):
        walk.pass_time(hours=25)
    match = walk.match("open")
    if match is not None:
        actor = walk.side(match)
        await walk.look(telling.tellable, **walk.by(actor), match=match["id"])
        said = {"kind": walk.pick(list(ProblemKind)), "text": "they *never* answer"}
        await walk.call(telling.tell_problem, **walk.by(actor), match=match["id"], **said)


async def answer(walk: Walk) -> None:
    if (found := _about(walk)) is not None:
        row, about = found
        actor = walk.side(row, but=row["entrant_id"])
        await walk.call(answering.answer, **walk.by(actor), **about, text="I did")


async def withdraw(walk: Walk) -> None:
    if (found := _about(walk)) is not None:
        row, about = found
        actor = walk.mostly(walk.file.person(row["entrant_id"], row["number"]))
        await walk.call(telling.withdraw, **walk.by(actor), **about)


async def award(walk: Walk) -> None:
    if (found := _about(walk)) is not None:
        outcome = walk.pick([Outcome.UPPER, Outcome.LOWER, Outcome.DOUBLE_LOSS])
        only = walk.maybe(0.5)
        who = walk.by(walk.moderator())
        await walk.look(judging.case, actor=who["actor"], **found[1])
        await walk.call(judging.award, **who, **found[1], outcome=outcome, only_this_match=only, reason="told")


async def give_time(walk: Walk) -> None:
    if (found := _about(walk)) is not None:
        await walk.call(judging.give_time, **walk.by(walk.moderator()), **found[1], days=walk.pick([1, 3]))


async def let_play(walk: Walk) -> None:
    if (found := _about(walk)) is not None:
        await walk.call(judging.let_play, **walk.by(walk.moderator()), **found[1])


async def look_for(walk: Walk) -> None:
    known = [Sought(guild_id=GUILD, discord_id=walk.player().user_id or 0)]
    known += (await walk.look(on_server.due, now=walk.now)).answer[:3]
    there = walk.pick([True, False, False, None])
    await walk.call(on_server.seen, sought=walk.pick(known), now=walk.now, present=there)


def _stay(walk: Walk) -> int:
    return (
        walk.pick(walk.file.column("SELECT id FROM stay_decisions ORDER BY answered_at IS NOT NULL, id LIMIT 2")) or 1
    )


async def keep(walk: Walk) -> None:
    """Let a player stay; where all rounds can be open and no one is asked about, let one who hasn't begun be."""
    stays = walk.file.value("SELECT count(*) FROM stay_decisions WHERE answered_at IS NULL")
    if walk.format == RoundRobin.key and not stays:
        silent = "SELECT id FROM first_matches ORDER BY silent_at IS NULL, settled_at IS NOT NULL, id LIMIT 3"
        question = walk.pick(walk.file.column(silent)) or 1
        await walk.call(patience.let_be, **walk.by(walk.moderator()), question=question)
    else:
        await walk.call(stay_or_leave.keep, **walk.by(walk.staff()), stay=_stay(walk))


async def drop_meant(walk: Walk) -> None:
    await walk.call(stay_or_leave.drop_meant, **walk.by(walk.staff()), stay=_stay(walk))


MOVES: tuple[Move, ...] = (
    *often(6, problem),
    *often(2, answer),
    *often(1, withdraw),
    *often(2, award),
    *often(1, give_time),
    *often(1, let_play),
    *often(2, look_for),
    *often(1, keep),
    *often(1, drop_meant),
)
