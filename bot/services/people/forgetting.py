"""Forgetting a person: each table deletes what it has of them (a list in `wiring.py`); a number stands for them."""

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from bot.league.checking.by_hand import FORGOTTEN
from bot.league.formats import by_key
from bot.league.season.names import look_alike_key
from bot.services.base import find, hooks, post_kinds
from bot.services.base.confirmation import ConfirmationNeeded, token_of
from bot.services.base.events import PlayerForgotten
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.base.transaction import Transaction, live_if_any, transaction
from bot.services.people import places
from bot.services.people.places import Place
from bot.services.play import progression
from storage import personal, rules_season
from storage.database import Connection
from storage.facts import texts_in
from storage.personal import Forgotten
from storage.posts import PostId
from storage.rows import PlayerRow
from storage.tables import audit, seasons
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows
from storage.tables.people import players

GROWS_TO = 200
"""A text can grow to so many characters when a name in it does; of a longer one, what no longer fits is cut."""


def forget(conn: Connection, order: Order, *, player: str, agreed: str | None = None) -> str:
    """Forget a player, as an organiser or the player, and return what they are called from now on.

    They leave the season first. Asked twice: raises ConfirmationNeeded, NotAllowed and NotFound.
    """
    tx = transaction(conn, order, live_if_any)
    person = find.player(tx, player)
    tx.player_or_organiser(person)
    place = None if tx.found is None else places.place_of(tx, person)
    _ask_twice(person, _cost(tx, person, place), agreed)
    if place is not None:
        places.play_no_more(tx, person, place)
    if tx.found is not None:
        tx.happened(PlayerForgotten(player=person))
    name = _forget(tx, person)
    if tx.found is not None:
        progression.advance(tx)  # a preview may be another by the draw with the new name
    return name


def _cost(tx: Transaction, player: PlayerRow, place: Place | None) -> str:
    checked = (
        " The rounds they played in can't be checked by anyone any more." if entrants.ever(tx.conn, player.id) else ""
    )
    season = "" if place is None else f" {places.of_playing_no_more(tx, player, place)}"
    *held, last = "Discord account", *hooks.held_of_people()
    cost = (
        f"{player.name} is forgotten in {tx.league.name}: {', '.join(held)} and {last} are deleted. "
        f"Results stay, under a number instead of the name.{season} Posts are changed or deleted.{checked}"
    )
    return f"{cost} {hooks.kept_of(tx, player)}".rstrip()


def _ask_twice(player: PlayerRow, cost: str, agreed: str | None) -> None:
    """Raise ConfirmationNeeded until both questions, asked one after the other, were agreed to."""
    last = f"This can't be undone, by anyone. Forget {player.name}?"
    if agreed in (None, token_of(last + cost)):
        return
    if agreed == token_of(cost):
        raise ConfirmationNeeded(last, token=token_of(last + cost), changed=False)
    raise ConfirmationNeeded(cost, token=token_of(cost), changed=bool(agreed))


def _forget(tx: Transaction, player: PlayerRow) -> str:
    old = (player.name, *players.former_names(tx.conn, player), *([player.next_name] if player.next_name else []))
    accounts = tuple(personal.accounts_of(tx.conn, tx.league.id, player.id, old))
    name = _number(tx, player)
    gone = Forgotten(
        player=player.id,
        league=tx.league.id,
        names=old,
        accounts=accounts,
        name=name,
        name_key=look_alike_key(name),
        mark=FORGOTTEN,
    )
    own, played = personal.own_posts(tx.conn, gone), personal.own_matches(tx.conn, gone)
    reasons = personal.reasons_of(tx.conn, gone)
    _keep_what_was_drawn(tx, player)
    hooks.forget(tx.conn, gone)
    others = frozenset(audit.forgotten(tx.conn, tx.league.id)) - {*old}
    words = _Words(
        names=_whole([*old, *others]),
        others=others,
        name=name,
        accounts=accounts,
        reasons=tuple((about, _whole([why])) for about, why in reasons),
    )
    wanted = [*old, *map(str, accounts), *(why for _, why in reasons)]
    naming = personal.rewrite(tx.conn, tx.league.id, wanted, words.left_out_of)
    _show_again(tx, played, sorted({*naming, *personal.posts_of(tx.conn, gone)} - {*own}), own)
    # The log doesn't say who asked, if it was the person themselves.
    themselves = tx.actor.user_id is not None and tx.actor.user_id == player.discord_id
    actor = Actor(user_id=None, name=name) if themselves else tx.actor
    replace(tx, actor=actor, found=None).note("player.forget", name)
    return name


def _keep_what_was_drawn(tx: Transaction, person: PlayerRow) -> None:
    """Keep the brackets and groups of someone's seasons: without the name, the draw would fill them in another way."""
    for row in seasons.of_player(tx.conn, tx.league.id, person.id):
        seats = {entrant.name: entrant for entrant in entrants.of_season(tx.conn, row.id)}
        if any(entrant.player_id == person.id for entrant in seats.values()):
            format_, season = by_key(row.format), rules_season.load(tx.conn, row.id)
            slots = [None if name is None else seats[name].id for name in format_.first_slots(season)]
            groups = [[seats[name].id for name in group] for group in format_.kept_groups(season)]
            seasons.keep_bracket(tx.conn, slots or None, row.id)
            seasons.keep_groups(tx.conn, groups or None, row.id)


def _number(tx: Transaction, player: PlayerRow) -> str:
    """Return a name like `Player 17` that nothing in the league looks like."""
    number = int(player.id)
    while players.mistakable(tx.conn, tx.league.id, f"Player {number}"):
        number += 1
    return f"Player {number}"


def _show_again(tx: Transaction, played: Sequence[int], about: Sequence[int], own: Sequence[int]) -> None:
    """Enqueue the posts that name a person again, and delete those that can't be made again, and those to the person.

    What others are asked in a season that goes on is made again too.
    """
    rows = [outbox_rows.get(tx.conn, PostId(post)) for post in about]
    live = None if tx.found is None else tx.found.id
    waiting = {row.id for row in rows if live is not None and row.season_id == live and row.match_id not in played}
    again = [row.id for row in rows if not row.removed and (post_kinds.of(row).rewritten or row.id in waiting)]
    personal.show_again(tx.conn, again, tx.now, delete=False)
    personal.show_again(tx.conn, [*(row.id for row in rows if row.id not in again), *own], tx.now, delete=True)


def _whole(names: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern of these names, none of which is a part of another word; the longest comes first."""
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What texts say no more of a person: their names, their accounts, and the `reasons` they gave for something."""

    names: re.Pattern[str]
    others: frozenset[str]
    """What those are called who were forgotten before: it stays, though a part of it may be the person's name."""
    name: str
    accounts: Sequence[int]
    reasons: Sequence[tuple[str, re.Pattern[str]]]

    def left_out_of(self, text: str, kind: str | None = None) -> str:
        """Return a text, JSON with texts, or facts of a post, in which a person has another name and no account."""
        try:
            loaded = json.loads(text)
        except ValueError:
            loaded = None
        if not isinstance(loaded, (dict, list)):
            return self._renamed(text)
        if kind is not None and isinstance(loaded, dict):
            changed = self._facts(loaded, texts_in(post_kinds.named(kind).keeps))
        else:
            changed = self._replaced(loaded)
        return json.dumps(changed, ensure_ascii=False, separators=(",", ":"))

    def _replaced(self, value: Any) -> Any:
        match value:
            case str():
                return self._renamed(value)
            case list():
                return [self._replaced(member) for member in value if member not in self.accounts]
            case dict():
                return {self._renamed(key): self._replaced(member) for key, member in self._known(value).items()}
            case _:
                return value

    def _facts(self, facts: Mapping[str, Any], texts: Set[str]) -> dict[str, Any]:
        """Return the facts of a post without the person, whose name may be a word of the program: those stay."""
        changed = {key: self._replaced(member) for key, member in self._known(facts).items()}
        fixed = facts.keys() - texts
        return changed | {key: facts[key] for key in fixed if isinstance(facts[key], (str, dict))}

    def _known(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is known beside a person's accounts; without who decided, what they said of it goes too."""
        kept = {key: member for key, member in value.items() if member not in self.accounts}
        if "decided_by" in value.keys() - kept.keys():
            kept |= {"by": self.name, "why": "(deleted)" if value.get("why") else ""}
        return kept

    def _renamed(self, text: str) -> str:
        room = max(len(text), GROWS_TO)
        for about, why in self.reasons:
            text = why.sub("(deleted)", text) if about in text else text
        return self.names.sub(lambda edit: edit[0] if edit[0] in self.others else self.name, text)[:room]
