"""Find or register the player behind a Discord account, and say which names they can't have.

See docs/formats/shared.md.
"""

import unicodedata
from dataclasses import dataclass

from bot.league.errors import Conflict, Invalid, LeagueError
from bot.league.season.model import Name
from bot.league.season.names import check_name, look_alike_key, require_free
from bot.services.base import hooks
from bot.services.base.events import AccountChanged, AccountTaken
from bot.services.base.transaction import Transaction
from storage.rows import EntrantRow, PlayerId, PlayerRow
from storage.tables import audit
from storage.tables.people import memberships, players

NO_ACCOUNT = "no account can be theirs any more."
"""What isn't possible for someone who was forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """A person who wants to join: the name they ask for, the one Discord shows, and what they agreed to.

    `agreed` is the first round they know they would play, `rules` their agreement to the league's own rules. `claims`
    is the player of the past they say they are, `someone_else` that they aren't one with a name like theirs.
    """

    discord_id: int
    wanted: str | None
    display_name: str
    agreed: int = 1
    rules: str | None = None
    by_organiser: bool = False
    reason: str | None = None
    claims: PlayerId | None = None
    someone_else: bool = False

    @property
    def wanted_name(self) -> str | None:
        """Return the name they ask for as names are kept, unchecked."""
        return None if self.wanted is None else unicodedata.normalize("NFC", self.wanted).strip()


def known_player(tx: Transaction, newcomer: Newcomer) -> PlayerRow | None:
    """Return the player of a Discord account, if any; raises NotAllowed, and Conflict where they ask for another name.

    An organiser who names an imported player makes the account that player. No one can do this for themselves: names
    are free to type, so the first to come would take another's record and rating.
    """
    player = players.by_discord(tx.conn, tx.league.id, newcomer.discord_id)
    hooks.require_welcome(tx, player, account=newcomer.discord_id, called=newcomer.display_name)
    if player is not None:
        _require_own_name(tx, player, newcomer)
        return player
    holder = _without_account(tx, newcomer.wanted_name)
    if not newcomer.by_organiser or holder is None:
        return None
    hooks.require_welcome(tx, holder)
    require_not_forgotten(tx, holder, f"{NO_ACCOUNT} {_other_name(newcomer)}")
    return give_account(tx, holder, newcomer.discord_id, newcomer.reason)


def require_not_forgotten(tx: Transaction, player: PlayerRow, so: str) -> None:
    """Raise Conflict for a player who was forgotten, with what isn't possible: nobody is to learn who that was."""
    if audit.was_forgotten(tx.conn, tx.league.id, player.name):
        raise Conflict(f"{player.name} was forgotten, which can't be undone, so {so}")


def give_account(tx: Transaction, player: PlayerRow, discord_id: int, reason: str | None = None) -> PlayerRow:
    """Make an account a player's; while a season goes on, what waits for them waits for it from now on."""
    linked = players.change(tx.conn, player.id, discord_id=discord_id, refused_at=None)
    before, after = {"discord_id": player.discord_id}, {"discord_id": discord_id}
    tx.note("player.link", player.name, before=before, after=after, reason=reason)
    memberships.note(tx.conn, player.id, tx.now, None)
    tx.happened(AccountTaken(account=discord_id))
    if tx.found is not None:
        tx.happened(AccountChanged(before=player, after=linked))
    return linked


def _without_account(tx: Transaction, name: str | None) -> PlayerRow | None:
    """Return the player of this name if they have no account, such as one from an imported file."""
    player = None if name is None else players.by_name(tx.conn, tx.league.id, name)
    return None if player is None or player.discord_id is not None else player


def _require_own_name(tx: Transaction, player: PlayerRow, newcomer: Newcomer) -> None:
    if newcomer.wanted_name in (None, player.name):
        return
    holder = _without_account(tx, newcomer.wanted_name)
    if newcomer.by_organiser:
        step = "Leave the name empty; /player rename changes it."
        if holder is not None:
            step = f"If they are {holder.name} too, use /player merge. If not, leave the name empty."
        raise Conflict(f"This person is {player.name} in this league. {step}")
    step = "Leave the name empty to sign up. To change it, ask an organiser."
    if holder is not None:
        step = f"If you're {holder.name} too, ask an organiser to merge the two. Leave the name empty to sign up."
    raise Conflict(f"You're already registered as {player.name}. {step}")


def new_player(tx: Transaction, newcomer: Newcomer) -> PlayerRow:
    """Register a person new to the league; raises Invalid and Conflict where they can't have the name."""
    name = _new_name(newcomer)
    holder = _without_account(tx, name)
    if holder is not None:
        require_not_forgotten(tx, holder, f"{NO_ACCOUNT} {_other_name(newcomer)}")
        raise Conflict(_imported(holder, newcomer))
    try:
        require_free(name, players.mistakable(tx.conn, tx.league.id, name))
    except Conflict as taken:
        other = "" if newcomer.wanted is not None else f" {_other_name(newcomer)}"
        raise Conflict(f"{taken}{other} {_same_person(newcomer)}") from None
    key, discord_id = look_alike_key(name), newcomer.discord_id
    player = players.add(tx.conn, league_id=tx.league.id, discord_id=discord_id, name=name, name_key=key)
    tx.happened(AccountTaken(account=discord_id))
    return player


def _new_name(newcomer: Newcomer) -> Name:
    if newcomer.wanted is not None:
        return check_name(newcomer.wanted)
    try:
        return check_name(newcomer.display_name)
    except LeagueError as refused:
        whose = "Their" if newcomer.by_organiser else "Your"
        raise Invalid(f"{whose} display name can't be a league name. {refused} {_other_name(newcomer)}") from None


def _other_name(newcomer: Newcomer) -> str:
    return "Fill in the option name with another name." if newcomer.by_organiser else "Use /signup with another name."


def _same_person(newcomer: Newcomer) -> str:
    """Return what to do where the player of a name has another Discord account now."""
    if newcomer.by_organiser:
        return "If it's the same person with a new account, use /player link."
    return "If that's you with a new account, use /player link from the old one, or ask an organiser to do it."


def _imported(holder: PlayerRow, newcomer: Newcomer) -> str:
    played = f"{holder.name} played in an earlier season."
    if newcomer.by_organiser:
        return f"{played} If it's the same person, fill in that name in the option name; if not, choose another one."
    return f"{played} So that nobody mixes you up, choose another name. {_other_name(newcomer)}"


def require_own_seat(entrant: EntrantRow, player: PlayerRow) -> None:
    """Raise Conflict for a player who wants to join a season in which they substitute for another."""
    if entrant.player_id != player.id:
        raise Conflict(
            f"{player.name} substitutes for {entrant.name} this season, and each person has one place in it."
        )
