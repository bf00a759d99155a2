"""Discord accounts that files name: one by its id is given at the import, one as someone wrote it only proposed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.importers.summary import Summary
from bot.league.errors import NotAllowed
from bot.league.season.model import Name
from bot.services.base import hooks
from bot.services.base.accounts import give_account
from bot.services.base.transaction import Transaction
from bot.services.leagues.who_is_who import Who
from storage.rows import PlayerId, PlayerRow
from storage.tables import imports, seasons
from storage.tables.imports import ImportId
from storage.tables.people import memberships, players


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """A player of a file whose account plays as another player: they may be one person."""

    name: str
    holder: str


def take(
    tx: Transaction, import_id: ImportId, file: Summary, identities: Who, ids: Mapping[Name, PlayerId]
) -> tuple[int, tuple[Double, ...]]:
    """Give players the accounts a file names by their ids, and note what it proposes.

    Returns how many were given, and whose account is another player's. One that is banned is given to nobody.
    """
    at = replace(tx, found=seasons.live(tx.conn, tx.league.id))
    given, doubles = 0, list[Double]()
    for name, account in file.accounts.items():
        player = _meant(at, identities, ids, name)
        if player is None or player.discord_id is not None:
            continue
        holder = players.by_discord(at.conn, at.league.id, account)
        if holder is not None:
            doubles.append(Double(name=player.name, holder=holder.name))
        elif _is_welcome(at, player, account):
            imports.name_account(at.conn, player.id, import_id, account, None)
            give_account(at, player, account, "named in the imported file")
            given += 1
    for name, called in file.proposed.items():
        player = _meant(at, identities, ids, name)
        if player is not None and player.discord_id is None:
            imports.name_account(at.conn, player.id, import_id, None, called)
    return given, tuple(doubles)


def brings(tx: Transaction, file: Summary, identities: Who) -> bool:
    """Whether a file says of an account what isn't known yet, for someone the league knows without one."""
    for name in (*file.accounts, *file.proposed):
        called = identities.called.get(name)
        player = None if called is None else players.by_name(tx.conn, tx.league.id, called)
        if player is not None and player.discord_id is None:
            proposed = imports.proposed_account(tx.conn, player.id)
            if name in file.accounts or file.proposed[name] != proposed:
                return True
    return False


def take_back(tx: Transaction, import_id: ImportId) -> None:
    """Take the accounts off again that an import gave, where nobody was let in or paired with them since."""
    for player_id in imports.accounts_given(tx.conn, import_id):
        memberships.remove(tx.conn, player_id)
        players.change(tx.conn, player_id, discord_id=None, refused_at=None)
    imports.remove_accounts(tx.conn, import_id)


def _meant(tx: Transaction, identities: Who, ids: Mapping[Name, PlayerId], name: str) -> PlayerRow | None:
    called = identities.called.get(name)
    player_id = None if called is None else ids.get(Name(called))
    return None if player_id is None else players.get(tx.conn, player_id)


def _is_welcome(tx: Transaction, player: PlayerRow, account: int) -> bool:
    try:
        hooks.require_welcome(tx, None, account=account, called=player.name)
        hooks.require_welcome(tx, player)
    except NotAllowed:
        return False
    return True
