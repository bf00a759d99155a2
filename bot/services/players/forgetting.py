"""Forgetting a person: what is kept about them is deleted, and everything still shown calls them by a number."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from bot.league.errors import NotAllowed
from bot.league.model import DepartureKind, Name
from bot.league.names import look_alike_key, similar_name
from bot.league.verify import FORGOTTEN
from bot.services import find
from bot.services.act import Act, act
from bot.services.asking import AskFirst, token_of
from bot.services.computing import begins_again
from bot.services.outbox.post_kinds import PostKind
from bot.services.permissions import Actor, is_organiser
from bot.services.players import leaving
from bot.services.signups import free_places
from storage import traces
from storage.database import Database
from storage.posts import PostId
from storage.rows import EntrantRow, LeagueId, PlayerRow
from storage.tables import entrants, outbox, players, seasons, waitlist
from storage.traces import Forgotten

REWRITTEN = {
    PostKind.BOARD,
    PostKind.SIGNUP,
    PostKind.ROUND,
    PostKind.NEWS,
    PostKind.CHAMPION,
    PostKind.NOTICE,
    PostKind.STUCK,
    PostKind.WITHDRAWN,
    PostKind.THREAD,
    PostKind.THREAD_OVER,
    PostKind.SEALS,
}
"""What shows the database as it is, whenever it's made again; other posts about a person are deleted."""


@begins_again
async def forget(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, agreed: str | None = None
) -> str:
    """Forget a player, as an organiser or the player, and return what they are called from now on.

    They leave the season first. Asked twice: raises AskFirst, NotAllowed and NotFound.
    """
    async with act(db, actor, now, league_id) as do:
        who = await find.player(do, player)
        if not (is_organiser(do.league, actor) or (who.discord_id is not None and who.discord_id == actor.user_id)):
            raise NotAllowed(f"Only {who.name} and organisers of {do.league.name} can do this. Ask an organiser.")
        do.found = await seasons.live(do.conn, league_id)
        seat = None if do.found is None else await _seat(do, who)
        queued = None if do.found is None else await waitlist.by_player(do.conn, do.found.id, who.id)
        _ask_twice(who, _cost(do, who, seat), agreed)
        if seat is not None:
            await leaving.leave(do, seat, DepartureKind.DROP, None)
        if queued is not None:
            await free_places.leave(do, queued, "waitlist.forget")
        return await _forget(do, who)


async def _seat(do: Act, who: PlayerRow) -> EntrantRow | None:
    """Return the place someone has to leave, None where they are in no season or have left it."""
    by_account = None if who.discord_id is None else await entrants.by_discord(do.conn, do.season.id, who.discord_id)
    seat = by_account or await entrants.by_player(do.conn, do.season.id, who.id)
    return seat if seat is not None and seat.active else None


def _cost(do: Act, who: PlayerRow, seat: EntrantRow | None) -> str:
    out = "" if seat is None else f" They leave season {do.season.number} now."
    return (
        f"{who.name} is forgotten in {do.league.name}: Discord account, lists, texts, times and choices are deleted. "
        f"Results stay, under a number instead of the name.{out} Posts are changed or deleted. The rounds they played "
        "in can't be checked by anyone any more."
    )


def _ask_twice(who: PlayerRow, cost: str, agreed: str | None) -> None:
    """Raise AskFirst until both questions, asked one after the other, were agreed to."""
    last = f"This can't be undone, by anyone. Forget {who.name}?"
    if agreed in (None, token_of(last + cost)):
        return
    if agreed == token_of(cost):
        raise AskFirst(last, token=token_of(last + cost), changed=False)
    raise AskFirst(cost, token=token_of(cost), changed=bool(agreed))


async def _forget(do: Act, who: PlayerRow) -> str:
    old = (who.name, *await players.former_names(do.conn, who))
    name = await _number(do, who)
    gone = Forgotten(
        player=who.id,
        league=do.league.id,
        discord=who.discord_id,
        name=name,
        name_key=look_alike_key(name),
        mark=FORGOTTEN,
    )
    own = await traces.own_posts(do.conn, gone)
    await traces.delete(do.conn, gone)
    text = partial(_without, pattern=_whole(old), name=name, discord_id=who.discord_id)
    naming = await traces.rewrite(do.conn, do.league.id, [*old, *_digits(who.discord_id)], text)
    await _show_again(do, gone, sorted({*naming, *await traces.posts_of(do.conn, gone)} - {*own}), own)
    # The log doesn't say who asked, if it was the person themselves.
    themselves = do.actor.user_id is not None and do.actor.user_id == who.discord_id
    actor = Actor(user_id=None, name=name) if themselves else do.actor
    await replace(do, actor=actor, found=None).note("player.forget", name)
    return name


def _digits(discord_id: int | None) -> list[str]:
    return [] if discord_id is None else [str(discord_id)]


async def _number(do: Act, who: PlayerRow) -> str:
    """Return a name like `Player 17` that nothing in the league looks like."""
    taken = [Name(name) for name in await players.names_of(do.conn, do.league.id)]
    number = int(who.id)
    while similar_name(Name(f"Player {number}"), taken) is not None:
        number += 1
    return f"Player {number}"


async def _show_again(do: Act, gone: Forgotten, about: Sequence[int], own: Sequence[int]) -> None:
    """Owe the posts that name a person again, and delete those that can't be made again, and those to the person.

    What others are asked in a season that goes on is made again too.
    """
    rows = [await outbox.get(do.conn, PostId(post)) for post in about]
    played, live = await traces.own_matches(do.conn, gone), None if do.found is None else do.found.id
    waiting = {row.id for row in rows if live is not None and row.season_id == live and row.match_id not in played}
    again = [row.id for row in rows if not row.removed and (row.kind in REWRITTEN or row.id in waiting)]
    await traces.show_again(do.conn, again, do.now, delete=False)
    await traces.show_again(do.conn, [*(row.id for row in rows if row.id not in again), *own], do.now, delete=True)


def _whole(names: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern of these names, none of which is a part of another word; the longest comes first."""
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))


def _without(text: str, *, pattern: re.Pattern[str], name: str, discord_id: int | None) -> str:
    """Return a text, or JSON with texts, in which a person has another name and no Discord account."""
    try:
        known = json.loads(text)
    except ValueError:
        known = None
    if not isinstance(known, dict | list):
        return pattern.sub(name, text)
    return json.dumps(_replaced(known, pattern, name, discord_id), ensure_ascii=False, separators=(",", ":"))


def _replaced(value: Any, pattern: re.Pattern[str], name: str, discord_id: int | None) -> Any:
    match value:
        case str():
            return pattern.sub(name, value)
        case list():
            return [_replaced(member, pattern, name, discord_id) for member in value if member != discord_id]
        case dict():
            return {
                pattern.sub(name, key): _replaced(member, pattern, name, discord_id)
                for key, member in value.items()
                if member != discord_id or discord_id is None
            }
        case _:
            return value
