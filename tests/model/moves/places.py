"""Places in a season: signing up, waiting, leaving, coming back, sitting out, sitting down for someone else."""

from datetime import timedelta
from typing import Any

from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.people import banning, forgetting, linking, moving_up_answers, rejoining, removing, renaming, seeds
from bot.services.people.banning import Member
from bot.services.people.linking import Account
from bot.services.play import clearing, reporting
from bot.services.seasons import given_groups
from bot.services.seats import sitting_out, substitutes
from bot.services.signups import (
    check_in,
    claim_answers,
    dropping,
    letting_in,
    names_in_game,
    signing_up,
    waiting_list,
)
from tests.model.moves.moving import Move, often
from tests.model.moves.results import numbers
from tests.model.walk import PLAYERS, Call, Walk
from tests.services.conftest import ORGANISER


async def sign_up(walk: Walk) -> None:
    actor = walk.player()
    name = {"display_name": actor.name, "name": walk.pick([None, None, None, actor.name, "@everyone", "dоk", ""])}
    typed = {"deck": walk.pick([None, None, "My *deck* [link](https://example.org)"])}
    agreed, answer = walk.pick([1, 99]), walk.pick([None, "", f"{actor.name} <b>*77*", f"{actor.name} at home"])
    given: Any = {**name, "typed": typed, "agreed": agreed, "answer": answer}
    call = await walk.call(signing_up.sign_up, **walk.who(actor), **given)
    token = getattr(call.refused, "token", None)
    if token is not None:
        await walk.call(signing_up.sign_up, **walk.who(actor), **given, rules=token)


async def answer(walk: Walk) -> None:
    """Change what opponents read."""
    await walk.call(names_in_game.give, **walk.who(walk.player()), answer=walk.pick(["another", "", "x" * 65]))


async def add(walk: Walk) -> None:
    """Add someone, now and then as a player the league knows without an account."""
    name = walk.pick([None, _nameless(walk)])
    known = {*walk.file.column("SELECT discord_id FROM players")}
    new = [actor for actor in PLAYERS if name is not None and actor.user_id not in known]
    who = walk.pick(new) or walk.player()
    given = {"discord_id": who.user_id, "display_name": who.name, "is_bot": walk.maybe(0.1), "name": name}
    await walk.call(signing_up.add, **walk.who(walk.staff()), **given, reason=walk.pick([None, walk.reason()]))


def _nameless(walk: Walk) -> str | None:
    """Return a player without an account, first of all one whom an account is asked to become."""
    sql = (
        "SELECT p.name FROM players p LEFT JOIN links l ON l.player_id = p.id AND l.ended_at IS NULL"
        " WHERE p.discord_id IS NULL AND p.league_id = ? ORDER BY l.id IS NULL, p.id LIMIT 2"
    )
    return walk.pick(walk.file.column(sql, walk.league.id))


def _waiting(walk: Walk) -> tuple[int, int | None]:
    sql = "SELECT w.id, p.discord_id FROM waitlist w JOIN players p ON p.id = w.player_id ORDER BY w.asked_at IS NULL"
    row = walk.pick(walk.file.rows(f"{sql} LIMIT 3"))
    return (1, None) if row is None else (row["id"], row["discord_id"])


async def take_place(walk: Walk) -> None:
    waiting_id, discord_id = _waiting(walk)
    who = walk.by(walk.mostly(discord_id))
    await walk.call(signing_up.take_place, **who, waiting_id=waiting_id, agreed=walk.pick([1, 99]))


async def decline(walk: Walk) -> None:
    waiting_id, discord_id = _waiting(walk)
    await walk.call(waiting_list.decline, **walk.by(walk.mostly(discord_id)), waiting_id=waiting_id)


async def move_up(walk: Walk) -> None:
    asked = "SELECT f.id, p.discord_id FROM finals_places f JOIN entrants e ON e.id = f.entrant_id"
    row = walk.pick(walk.file.rows(f"{asked} JOIN players p ON p.id = e.player_id ORDER BY f.answered_at IS NOT NULL"))
    place_id, discord_id = (1, None) if row is None else (row["id"], row["discord_id"])
    who = walk.by(walk.mostly(discord_id))
    await walk.call(moving_up_answers.answer, **who, place_id=place_id, plays=walk.maybe(0.6))


async def stop_waiting(walk: Walk) -> None:
    await walk.agreed(dropping.drop, **walk.who(walk.mostly(_waiting(walk)[1])))


async def say_there(walk: Walk) -> None:
    asked = (
        "SELECT p.discord_id FROM entrants e JOIN players p ON p.id = e.player_id"
        " JOIN seasons s ON s.id = e.season_id AND s.phase = 'signup' WHERE e.checked_in = 0"
    )
    await walk.call(check_in.check_in, **walk.who(walk.mostly(walk.pick(walk.file.column(asked)))))


async def drop(walk: Walk) -> None:
    await walk.agreed(dropping.drop, **walk.who(walk.player()), reason=walk.pick([None, walk.reason()]))


async def remove(walk: Walk) -> None:
    await walk.agreed(removing.remove, **walk.who(walk.staff()), player=walk.name(), reason=walk.reason())


async def disqualify(walk: Walk) -> None:
    await walk.agreed(removing.disqualify, **walk.who(walk.staff()), player=walk.name(), reason=walk.reason())


def gone(walk: Walk) -> Any:
    """Return a player who has left the newest season, if any, as a row."""
    sql = (
        "SELECT e.name, p.discord_id FROM departures d JOIN entrants e ON e.id = d.entrant_id"
        " JOIN players p ON p.id = e.player_id WHERE d.rejoined IS NULL AND d.kind = 'drop' ORDER BY d.id DESC LIMIT 3"
    )
    return walk.pick(walk.file.rows(sql))


async def rejoin(walk: Walk) -> None:
    left = gone(walk)
    actor = walk.player() if left is None else walk.mostly(left["discord_id"])
    await walk.call(rejoining.rejoin, **walk.who(actor))


async def answer_rejoin(walk: Walk) -> None:
    waiting = "SELECT id FROM rejoin_requests ORDER BY answered_at IS NOT NULL, id DESC LIMIT 2"
    request = walk.pick(walk.file.column(waiting)) or 1
    accept = walk.maybe(0.7)
    await walk.call(rejoining.answer_rejoin, **walk.by(walk.staff()), request_id=request, accept=accept)


async def let_in(walk: Walk) -> None:
    waiting = "SELECT id FROM join_requests ORDER BY answered_at IS NOT NULL, id DESC LIMIT 3"
    request = walk.pick(walk.file.column(waiting)) or 1
    await walk.call(letting_in.answer, **walk.by(walk.staff()), request_id=request, accept=walk.maybe(0.8))


async def claim(walk: Walk) -> None:
    """Say that someone new, or a player, is one of the past; who that is they're asked first."""
    actor, name = walk.player(), _nameless(walk)
    given: Any = {"display_name": actor.name, "name": walk.pick([name, None]), "agreed": walk.pick([1, 99])}
    given["answer"] = walk.pick([None, "at home"])
    call = await walk.call(signing_up.sign_up, **walk.who(actor), **given)
    past = getattr(call.refused, "past", None)
    if past is not None:
        said: Any = walk.pick([{"claims_to_be": past.player.id}, {"someone_else": True}])
        call = await walk.call(signing_up.sign_up, **walk.who(actor), **given, **said)
        token = getattr(call.refused, "token", None)
        if token is not None:
            await walk.call(signing_up.sign_up, **walk.who(actor), **given, **said, rules=token)


def _claim(walk: Walk) -> int:
    return walk.pick(walk.file.column("SELECT id FROM claims ORDER BY answered_at IS NOT NULL, id DESC LIMIT 3")) or 1


async def answer_claim(walk: Walk) -> None:
    accept = walk.maybe(0.7)
    await walk.call(claim_answers.answer, **walk.by(walk.staff()), claim_id=_claim(walk), accept=accept)


async def undo_claim(walk: Walk) -> None:
    await walk.call(claim_answers.undo, **walk.by(walk.staff()), claim_id=_claim(walk))


async def unlink(walk: Walk) -> None:
    await walk.agreed(claim_answers.unlink, **walk.who(walk.staff()), player=walk.name())


async def reinstate(walk: Walk) -> None:
    left = gone(walk)
    name = walk.name() if left is None else left["name"]
    await walk.agreed(rejoining.reinstate, **walk.who(walk.staff()), player=name, reason="a mistake")


async def rename(walk: Walk) -> None:
    name = walk.pick(["Nyx", "Ann", "a" * 33, "@here", "Zed\u202eabc"])
    await walk.call(renaming.rename, **walk.who(walk.staff()), player=walk.name(), new_name=name, reason=walk.reason())


async def seed(walk: Walk) -> None:
    names = [walk.name() for _ in range(walk.pick([1, 1, 2]) or 1)]
    await walk.call(seeds.rank, **walk.who(walk.staff()), first=walk.pick([1, 2, 3, 99]), names=names)


async def group(walk: Walk) -> None:
    names = sorted({walk.name() for _ in range(4)})
    half = walk.pick([1, 2, len(names)]) or 1
    groups = {1: names[:half], walk.pick([2, 2, 9]) or 2: names[half:]}
    await walk.call(given_groups.assign, **walk.who(walk.staff()), groups=groups, without=[])
    await walk.call(given_groups.exchange, **walk.who(walk.staff()), first=walk.name(), second=walk.name())
    await walk.agreed(given_groups.fill, **walk.who(walk.staff()))


async def sit_out(walk: Walk) -> None:
    await walk.agreed(
        sitting_out.sit_out, **walk.who(walk.player()), number=walk.pick([1, 2, 3, 4]), reason=walk.reason()
    )


async def play_after_all(walk: Walk) -> None:
    row = walk.pick(
        walk.file.rows(
            "SELECT x.id, p.discord_id FROM sat_out x JOIN entrants e ON e.id = x.entrant_id"
            " JOIN players p ON p.id = e.player_id ORDER BY x.id DESC LIMIT 3"
        )
    )
    if row is not None:
        await walk.call(sitting_out.play_after_all, **walk.by(walk.mostly(row[1])), sit_out_id=row[0])


def _queued(walk: Walk) -> str | None:
    """Return the name of someone who waits for a place, if anyone does."""
    return walk.pick(
        walk.file.column("SELECT p.name FROM waitlist w JOIN players p ON p.id = w.player_id ORDER BY w.id")
    )


async def forget(walk: Walk) -> None:
    """Let a player, an organiser, or someone who may not, have a player forgotten."""
    who = {"player": walk.pick([walk.name(), _queued(walk)]) or walk.name()}
    asked = await walk.call(forgetting.forget, **walk.who(walk.staff()), **who, agreed="")
    if isinstance(asked.refused, ConfirmationNeeded) and walk.maybe(0.5):
        await _agree_to_forget(walk, asked, who)


async def _agree_to_forget(walk: Walk, asked: Call, who: dict[str, Any]) -> None:
    """Let an organiser agree to what forgetting a player costs: they are asked twice at most."""
    for _ in range(2):
        if isinstance(asked.refused, ConfirmationNeeded):
            asked = await walk.call(forgetting.forget, **walk.who(ORGANISER), **who, agreed=asked.refused.token)


async def play_without_account(walk: Walk) -> None:
    """Let organisers bring back a player who was forgotten, whose opponent says they won; then an account is theirs."""
    match = walk.match("open")
    if match is None:
        return
    name = "SELECT name FROM entrants WHERE id = ?"
    who = {"player": walk.file.value(name, match["upper_id"])}
    asked = await walk.call(forgetting.forget, **walk.who(ORGANISER), **who, agreed="")
    await _agree_to_forget(walk, asked, who)
    number = walk.file.value(name, match["upper_id"])
    if number is None:
        return  # someone deleted the season meanwhile
    await walk.agreed(rejoining.reinstate, **walk.who(ORGANISER), player=number, reason="a mistake")
    await walk.call(clearing.clear, **walk.by(ORGANISER), match=match["id"], reason="they play on")
    winner = walk.file.person(match["lower_id"], match["number"])
    if winner is not None:
        won: dict[str, Any] = {"match": match["id"], "result": "won", "version": None}
        won["score"] = numbers(walk, match, "won")
        await walk.call(reporting.report, **walk.by(walk.account(winner)), **won)
    account = Account(discord_id=2002, name="new account")
    if number is not None and walk.maybe(0.5):
        await walk.agreed(linking.propose, **walk.who(ORGANISER), player=number, account=account)
    theirs = {"discord_id": 2003, "display_name": "another account", "name": number}
    await walk.call(signing_up.add, **walk.who(ORGANISER), **theirs)


async def substitute(walk: Walk) -> None:
    who = walk.player()
    newcomer = Newcomer(discord_id=who.user_id or 0, wanted=None, display_name=who.name, by_organiser=True)
    await walk.agreed(substitutes.substitute, **walk.who(walk.staff()), old=walk.name(), newcomer=newcomer)


def _to_answer(walk: Walk) -> str | None:
    """Return the name of someone who is asked whether a report is right: they may have lost their account."""
    sql = (
        "SELECT p.name FROM reports x JOIN matches m ON m.id = x.match_id AND m.state = 'reported'"
        " JOIN entrants e ON e.id = CASE m.upper_id WHEN x.entrant_id THEN m.lower_id ELSE m.upper_id END"
        " JOIN players p ON p.id = e.player_id WHERE x.replaced_at IS NULL ORDER BY x.id"
    )
    return walk.pick(walk.file.column(sql))


async def link(walk: Walk) -> None:
    """Ask a new account to become a player's; most answer at once."""
    account = Account(discord_id=walk.pick([2001, 2002, 2003, 1000, 1005]) or 0, name="new account")
    name = walk.pick([walk.name(), _to_answer(walk), _nameless(walk)]) or walk.name()
    asked = await walk.agreed(linking.propose, **walk.who(walk.staff()), player=name, account=account)
    if asked.refused is None and walk.maybe(0.6):
        await answer_link(walk)


async def ban(walk: Walk) -> None:
    """Ban a player or an account; someone who may not tries, too."""
    account = walk.player()
    who = walk.pick([walk.name(), Member(discord_id=account.user_id or 0, name=account.name)])
    until = walk.pick([None, walk.now + timedelta(days=3)])
    given: dict[str, Any] = {"player": who, "until": until, "reason": "cheated", "plays_out": walk.maybe(0.5)}
    await walk.agreed(banning.ban, **walk.who(walk.staff()), **given)


async def unban(walk: Walk) -> None:
    ban = walk.pick(walk.file.column("SELECT id FROM bans ORDER BY id LIMIT 3")) or 1
    await walk.call(banning.unban, **walk.who(walk.staff()), ban=ban, reason="sorry")


async def answer_link(walk: Walk) -> None:
    row = walk.pick(walk.file.rows("SELECT id, discord_id FROM links ORDER BY ended_at IS NOT NULL, id DESC LIMIT 1"))
    if row is not None:
        actor = walk.account(row["discord_id"]) if walk.maybe(0.8) else walk.player()
        await walk.call(linking.answer, **walk.by(actor), link=row["id"], accept=walk.maybe(0.7))


MOVES: tuple[Move, ...] = (
    *often(8, sign_up),
    answer,
    *often(3, add),
    *often(3, take_place),
    *often(1, decline),
    *often(2, move_up),
    *often(1, stop_waiting),
    *often(3, say_there),
    *often(4, drop),
    *often(1, remove),
    *often(1, disqualify),
    *often(3, rejoin),
    *often(2, answer_rejoin),
    *often(6, let_in),
    *often(3, claim),
    *often(3, answer_claim),
    *often(1, undo_claim),
    *often(1, unlink),
    *often(2, reinstate),
    *often(1, rename),
    *often(1, seed),
    *often(1, group),
    *often(2, sit_out),
    *often(1, play_after_all),
    *often(2, substitute),
    *often(2, forget),
    *often(1, play_without_account),
    *often(3, link),
    *often(1, ban),
    *often(3, unban),
    *often(1, answer_link),
)
