"""Results: reported, answered, decided, cleared and taken back."""

import json
from typing import Any

from bot.league.season.model import Kind
from bot.services.base.permissions import Actor
from bot.services.matches.outcome import Outcome
from bot.services.organising import asked_corrections
from bot.services.play import clearing, decisions, reporting
from bot.services.problems import deciding_all, disputed
from bot.services.problems.deciding_all import Way
from bot.services.ties import tie_match_reports
from tests.model.moves.moving import Move, often
from tests.model.walk import PLAYERS, Walk

SCORES = (None, None, None, "2-1", "2-0", "1-0", "1-2", "0-1", "1-1", "5-3", "0-99")


SCORED = ("87-62", "87-62", "87-62", "2-1 87-62", "2-0 87-62", "1-0 12-12", "12-12", "0-0")
"""Games and scores as whoever won tells them, where matches have scores."""


def numbers(walk: Walk, match: Any, result: str) -> str | None:
    """Return what someone types as the score of a match: where it has to have one mostly that."""
    sql = "SELECT s.settings ->> 'scores' FROM rounds r JOIN seasons s ON s.id = r.season_id WHERE r.id = ?"
    if match is None or not walk.file.value(sql, match["round_id"]) or walk.maybe(0.05):
        return walk.pick(SCORES)
    typed = "12-12" if result == "draw" else walk.chance.choice(SCORED)
    return from_the_other_side(typed) if result == "lost" else typed


def from_the_other_side(typed: str) -> str:
    """Return games and score as the opponent tells them."""
    return " ".join("-".join(reversed(pair.split("-"))) for pair in typed.split())


def version(walk: Walk, row: Any) -> int | None:
    """Return the version a button shows: mostly the current one, or none as a command has."""
    return walk.pick([row["version"], row["version"], None, row["version"] - 1])


async def report(walk: Walk) -> None:
    match = walk.match(walk.pick(["open", "open", "reported", None]))
    if match is not None:
        result = walk.chance.choice(["won", "won", "lost", "lost", "draw"])
        says = {"result": result, "score": numbers(walk, match, result)}
        await walk.call(
            reporting.report, **walk.by(walk.side(match)), match=match["id"], version=version(walk, match), **says
        )


async def report_by_command(walk: Walk) -> None:
    result = walk.chance.choice(["won", "lost"])
    says = {"result": result, "score": numbers(walk, walk.match("open"), result)}
    await walk.call(reporting.report, **walk.who(walk.player()), **says)


def asked(walk: Walk, match: Any) -> Actor:
    """Return who mostly has to answer the report of a match; now and then who made it tries to."""
    if walk.maybe(0.2):
        return walk.side(match)
    said = "SELECT entrant_id FROM reports WHERE match_id = ? AND replaced_at IS NULL"
    return walk.side(match, but=walk.file.value(said, match["id"]))


async def confirm(walk: Walk) -> None:
    match = walk.match("reported")
    if match is not None:
        await walk.call(
            reporting.confirm, **walk.by(asked(walk, match)), match=match["id"], version=version(walk, match)
        )


async def confirm_for(walk: Walk) -> None:
    match = walk.match("reported")
    if match is not None:
        seen = {"match": match["id"], "version": version(walk, match)}
        await walk.call(decisions.confirm_for, **walk.by(walk.moderator()), **seen, reason=walk.reason())


async def report_and_answer(walk: Walk) -> None:
    """Let a player report a match that is open, and mostly the other answer it, rightly or not."""
    match = walk.match("open")
    if match is None or match["state"] != "open":
        return
    result = walk.chance.choice(["won", "won", "lost"])
    says = {"result": result, "score": numbers(walk, match, result)}
    made = await walk.call(reporting.report, **walk.by(walk.side(match)), match=match["id"], **says)
    if made.refused is None and walk.together is None and walk.maybe(0.8):
        await walk.chance.choice([confirm, confirm, dispute, report_as_well])(walk)


async def report_as_well(walk: Walk) -> None:
    """Let a player who is asked whether a report is right report the match themselves, mostly the same result."""
    match = walk.match("reported")
    if match is not None:
        result = walk.chance.choice(["lost", "lost", "lost", "won"])
        says = {"result": result, "score": numbers(walk, match, result)}
        await walk.call(reporting.report, **walk.by(asked(walk, match)), match=match["id"], **says)


async def dispute(walk: Walk) -> None:
    match = walk.match("reported")
    if match is not None:
        seen = {"match": match["id"], "version": match["version"]}
        await walk.call(reporting.dispute, **walk.by(asked(walk, match)), **seen, reason="*no*")


async def tell_moderators(walk: Walk) -> None:
    match = walk.match("disputed")
    sql = (
        "SELECT p.discord_id FROM reports r JOIN entrants e ON e.id = r.entrant_id JOIN players p ON p.id = e.player_id"
        " WHERE r.match_id = ? AND r.replaced_at IS NULL"
    )
    number = 1 if match is None else match["id"]
    who = walk.mostly(walk.pick(walk.file.column(sql, number)))
    await walk.call(disputed.tell, **walk.by(who), match=number, text="I have *the* log")


async def play_tie_break(walk: Walk) -> None:
    row = walk.pick(walk.file.rows("SELECT id, names FROM ties WHERE match_at IS NOT NULL AND settled_at IS NULL"))
    tie, names = (1, []) if row is None else (row["id"], json.loads(row["names"]))
    there = [actor for actor in PLAYERS if actor.name in names]
    who = walk.by(walk.pick(there) or walk.player())
    if walk.maybe(0.5):
        await walk.call(tie_match_reports.report, **who, tie_id=tie, won=walk.maybe(0.7))
    else:
        await walk.call(tie_match_reports.answer, **who, tie_id=tie, right=walk.maybe(0.6))


async def take_back(walk: Walk) -> None:
    match = walk.match("confirmed")
    if match is not None:
        pressed = walk.file.value("SELECT entrant_id FROM takebacks WHERE match_id = ?", match["id"])
        actor = walk.side(match) if pressed is None else walk.mostly(walk.file.person(pressed, match["number"]))
        if match["confirmed_by"] == "moderator":
            actor = walk.moderator()
        await walk.call(reporting.take_back, **walk.by(actor), match=match["id"], version=match["version"])


async def decide(walk: Walk) -> None:
    match = walk.match()
    if match is not None:
        outcome = walk.pick([Outcome.UPPER, Outcome.UPPER, Outcome.LOWER, Outcome.DRAW, Outcome.DOUBLE_LOSS])
        kind = walk.pick([Kind.ADJUDICATED, Kind.PLAYED, Kind.FORFEIT])
        result = "draw" if outcome is Outcome.DRAW else "won"
        said = {"outcome": outcome, "kind": kind, "score": walk.pick([None, numbers(walk, match, result)])}
        actor = walk.moderator()
        await walk.look(decisions.decide_preview, actor=actor, match=match["id"], **said)
        more = {"reason": walk.reason(), "only_this_match": walk.maybe(0.5)}
        await walk.call(decisions.decide, **walk.by(actor), match=match["id"], **said, **more)


async def decide_all(walk: Walk) -> None:
    """Decide all open matches of a player at once, mostly of one who has several."""
    actor, match = walk.moderator(), walk.match("open")
    if match is None:
        return
    several = await walk.look(deciding_all.with_several, actor=actor, match=match["id"])
    ids = [player.id for player in several.answer or ()] or [match["upper_id"]]
    what = {"player": walk.pick(ids)}
    look = (await walk.look(deciding_all.preview, actor=actor, **what)).answer
    more = {"way": walk.pick(list(Way)), "reason": walk.reason(), "agreed": "" if look is None else look.token}
    await walk.call(deciding_all.decide, **walk.by(actor), **what, **more)


async def ask_correction(walk: Walk) -> None:
    """Ask organisers for another result of a match whose round is over, where they can still be asked, or of any."""
    over = (
        "SELECT m.* FROM matches m JOIN rounds r ON r.id = m.round_id AND r.phase = 'closed'"
        " JOIN seasons s ON s.id = r.season_id AND s.phase = 'finals' WHERE s.league_id = ? ORDER BY m.id"
    )
    match = walk.pick(walk.file.rows(over, walk.league.id)) or walk.match()
    if match is not None:
        won = Outcome.UPPER if match["winner_id"] == match["lower_id"] else Outcome.LOWER
        said = {"match": match["id"], "outcome": walk.pick([won, won, won, Outcome.DRAW])}
        more = {"reason": walk.reason(), "version": walk.pick([match["version"], None])}
        await walk.call(asked_corrections.ask, **walk.by(walk.moderator()), **said, **more)


async def answer_correction(walk: Walk) -> None:
    """Make a correction that is wanted, as its button does, or leave the result."""
    wanted = "SELECT match_id FROM outbox WHERE kind = 'correction' AND removed = 0 AND state <> 'withdrawn'"
    match = walk.pick(walk.file.column(wanted)) or 1
    actor = walk.staff()
    if walk.maybe(0.4):
        await walk.call(asked_corrections.leave, **walk.by(actor), match=match)
        return
    asked = (await walk.look(asked_corrections.wanted, actor=actor, match=match)).answer
    if asked is None:
        return
    look = (await walk.look(decisions.decide_preview, actor=actor, match=match, **asked.result)).answer
    if look is not None:
        more = {"reason": asked.reason, "agreed": look.agreement or ""}
        await walk.call(decisions.decide, **walk.by(actor), match=match, **asked.result, **more)


async def clear(walk: Walk) -> None:
    match = walk.match()
    if match is not None:
        await walk.call(clearing.clear, **walk.by(walk.moderator()), match=match["id"], reason="a mix-up")


async def play_round(walk: Walk) -> None:
    """Let a player of each open match of the round report their loss."""
    sql = "SELECT m.*, r.number FROM matches m JOIN rounds r ON r.id = m.round_id WHERE r.phase = 'open'"
    for match in walk.file.rows(f"{sql} AND m.state = 'open'"):
        person = walk.file.person(match["lower_id"], match["number"])
        if person is not None:
            lost = {"match": match["id"], "result": "lost", "score": numbers(walk, match, "lost")}
            await walk.call(reporting.report, **walk.by(walk.account(person)), **lost)


MOVES: tuple[Move, ...] = (
    *often(10, report),
    *often(10, report_and_answer),
    *often(4, play_round),
    *often(2, report_by_command),
    *often(6, confirm),
    *often(2, confirm_for),
    *often(3, dispute),
    *often(2, tell_moderators),
    *often(2, play_tie_break),
    *often(3, take_back),
    *often(5, decide),
    decide_all,
    *often(2, clear),
    *often(2, ask_correction),
    *often(2, answer_correction),
)
