"""Find the league, player or entry people mean, and suggest names as they type; every miss says what to do instead."""

import unicodedata
from collections.abc import Sequence

from bot.league.errors import Invalid, NotAllowed, NotFound
from bot.league.season.names import look_alike_key, written_key
from bot.league.season.phases import SeasonPhase
from bot.services.base.order import Order
from bot.services.base.permissions import Actor, is_moderator
from bot.services.base.transaction import ORGANISER, ReadTransaction, read_transaction
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, PlayerId, PlayerRow
from storage.tables import leagues, matches, rounds, seasons, threads
from storage.tables.field import entrants, substitutions
from storage.tables.people import players
from storage.tables.signups import claims, join_requests, waitlist

CHOICES = 25
"""As many suggestions as Discord shows."""
NO_LEAGUE = "Ask someone with Manage Server to set one up."


def league_meant(conn: Connection, order: Order, *, channel_id: int, name: str | None) -> LeagueRow:
    """Return the league a person means: the named one, their thread's or channel's, the only one, or theirs.

    Raises NotFound, and Invalid where it can't be told: someone may take part in one and moderate another.
    """
    rows = leagues.of_guild(conn, order.actor.guild_id or 0)
    if not rows:
        step = "Set one up with /league create." if order.actor.manage_guild else NO_LEAGUE
        raise NotFound(f"This server has no league yet. {step}")
    if name is not None:
        return _named(rows, name)
    here = threads.match_of(conn, order.actor.thread_id)
    if here is not None:
        row = rounds.get(conn, matches.get(conn, here).round_id)
        return leagues.get(conn, seasons.get(conn, row.season_id).league_id)
    candidates = of_channel(rows, channel_id) or list(rows)
    if len(candidates) > 1:
        candidates = [row for row in candidates if _is_theirs(conn, row, order.actor)] or candidates
    if len(candidates) > 1:
        listed = ", ".join(row.name for row in candidates)
        raise Invalid(f"Which league? Fill in the option league: {listed}.")
    return candidates[0]


def _named(rows: tuple[LeagueRow, ...], name: str) -> LeagueRow:
    key = look_alike_key(name)
    named = next((row for row in rows if look_alike_key(row.name) == key), None)
    if named is None:
        listed = ", ".join(row.name for row in rows)
        raise NotFound(f"This server has no league “{name[:50]}”. Its leagues are {listed}.")
    return named


def of_channel(rows: Sequence[LeagueRow], channel_id: int) -> list[LeagueRow]:
    """Return those of these leagues whose channel this is, or else whose moderators' channel."""
    own = [row for row in rows if channel_id == row.channel_id]
    return own or [row for row in rows if channel_id == row.moderation_channel_id]


def _is_theirs(conn: Connection, league: LeagueRow, actor: Actor) -> bool:
    """Whether someone plays, waits or asks to play in a league's season, or moderates it."""
    if is_moderator(league, actor):
        return True
    season = seasons.live(conn, league.id)
    if season is None or actor.user_id is None:
        return False
    places = (entrants.by_discord, waitlist.by_discord, join_requests.by_discord, claims.by_discord)
    return any(place(conn, season.id, actor.user_id) is not None for place in places)


def league_names(conn: Connection, order: Order) -> tuple[str, ...]:
    """Return the names of the leagues of the actor's guild, for autocomplete."""
    return tuple(row.name for row in leagues.of_guild(conn, order.actor.guild_id or 0))


def league_called(conn: Connection, *, name: str, guild_id: int | None = None) -> LeagueRow:
    """Return the league of a name for the program, in any guild where it is unique; raises NotFound and Invalid."""
    key = look_alike_key(name)
    rows = [row for row in leagues.everywhere(conn) if look_alike_key(row.name) == key]
    here = [row for row in rows if guild_id in (None, row.guild_id)]
    if not here:
        raise NotFound(f"there is no league {name!r} in this database; /league create on Discord sets one up")
    if len(here) > 1:
        guilds = ", ".join(str(row.guild_id) for row in here)
        raise Invalid(f"several servers have a league {name!r}; choose one with --guild: {guilds}")
    return here[0]


def player(tx: ReadTransaction, named: str | int) -> PlayerRow:
    """Return the player of an id, or who has or had a name, whatever its case; raises NotFound.

    A name that only looks like one is another's, perhaps one who wants to be mistaken for them.
    """
    if isinstance(named, int):
        return _numbered(tx, PlayerId(named))
    name = unicodedata.normalize("NFC", named).strip()
    exact = players.by_name(tx.conn, tx.league.id, name)
    if exact is not None:
        return exact
    alike = players.looking_like(tx.conn, tx.league.id, look_alike_key(name))
    written = [row for row in alike if _is_written(tx, row, name)]
    if len(written) != 1:
        looks = f" {alike[0].name} looks like it, but is written with other letters." if len(alike) == 1 else ""
        none = f"No one in {tx.league.name} is called “{name[:50]}”.{looks}"
        raise NotFound(f"{none} Choose a name from the list as you type.")
    return written[0]


def league(conn: Connection, order: Order) -> LeagueRow:
    """Return the league someone asks something of."""
    return read_transaction(conn, order).league


def league_as_organiser(conn: Connection, order: Order) -> LeagueRow:
    """Return the league someone organises; raises NotAllowed."""
    return read_transaction(conn, order, by=ORGANISER).league


def account_of(conn: Connection, order: Order, *, named: str) -> int | None:
    """Return the Discord id of a named player; raises NotFound."""
    tx = read_transaction(conn, order)
    return player(tx, named).discord_id


def _is_written(tx: ReadTransaction, row: PlayerRow, typed: str) -> bool:
    """Whether a player has or had the name someone typed, but for case, width and spaces."""
    names = (row.name, *players.former_names(tx.conn, row))
    return written_key(typed) in map(written_key, names)


def _numbered(tx: ReadTransaction, player_id: PlayerId) -> PlayerRow:
    row = players.find(tx.conn, player_id)
    if row is None or row.league_id != tx.league.id:
        raise NotFound(f"This player isn't in {tx.league.name} any more.")
    return row


def entrant(tx: ReadTransaction, named: str | int) -> EntrantRow:
    """Return a named player's entry in the season; raises NotFound."""
    player_row = player(tx, named)
    row = entrants.by_player(tx.conn, tx.season.id, player_row.id)
    if row is None:
        step = tx.hint("/player add puts someone into the season.")
        raise NotFound(f"{player_row.name} isn't in season {tx.season.number}.{step}")
    return row


def seat_of(tx: ReadTransaction, player: PlayerRow) -> EntrantRow | None:
    """Return the entry in whose seat a player sits now, or None."""
    row = entrants.by_player(tx.conn, tx.season.id, player.id)
    return None if row is None or row.person_id != player.id else row


def own_entrant(tx: ReadTransaction, number: int | None = None) -> EntrantRow:
    """Return the entry in whose seat the actor sits now, or in round `number`.

    Raises NotFound, and NotAllowed while another person sits there.
    """
    user_id = tx.actor.user_id
    row = None if user_id is None else entrants.by_discord(tx.conn, tx.season.id, user_id)
    if row is None and user_id is not None and waitlist.by_discord(tx.conn, tx.season.id, user_id) is not None:
        raise NotFound(
            f"You're on the waiting list of season {tx.season.number}. You'll be asked when a place becomes free. "
            "/drop takes you off the list."
        )
    if row is None and user_id is not None and join_requests.by_discord(tx.conn, tx.season.id, user_id) is not None:
        raise NotFound(
            f"You asked to join season {tx.season.number}. You'll be told when an organiser answers. "
            "/drop takes it back."
        )
    if row is None:
        way = {SeasonPhase.SIGNUP: " Join with /signup.", SeasonPhase.RUNNING: " /signup joins if it's not too late."}
        raise NotFound(f"You're not in season {tx.season.number}.{way.get(tx.season.phase, '')}")
    entrant = row if number is None else entrants.one_in_round(tx.conn, row.id, number)
    if entrant.discord_id != user_id:
        raise NotAllowed(_in_your_place(tx, entrant))
    return entrant


def _in_your_place(tx: ReadTransaction, entrant: EntrantRow) -> str:
    """Tell someone who sat in a seat, or will sit there, who plays now."""
    now, latest = entrant.person or entrant.name, rounds.latest(tx.conn, tx.season.id)
    for row in substitutions.coming(tx.conn, entrant.id):
        if players.get(tx.conn, row.player_id).discord_id == tx.actor.user_id:
            undone = row.round > (1 if latest is None else latest.number + 1)
            when = "later in the season" if undone else "from the next round on"
            return f"You take {entrant.name}'s place {when}. Until then {now} plays. If you can't, tell an organiser."
    return f"{now} plays in your place this season. If you want it back, ask an organiser."


def own_name(conn: Connection, order: Order) -> str:
    """Return the actor's league name; raises NotFound before they have one."""
    tx = read_transaction(conn, order)
    row = None if order.actor.user_id is None else players.by_discord(tx.conn, tx.league.id, order.actor.user_id)
    if row is None:
        raise NotFound(f"You haven't played in {tx.league.name} yet. Choose a player.")
    return row.name


def player_names(conn: Connection, order: Order, *, typed: str) -> tuple[str, ...]:
    """Return at most 25 league names for autocomplete: those that begin with what is typed, then those with it."""
    tx = read_transaction(conn, order)
    names = [row.name for row in players.of_league(tx.conn, tx.league.id)]
    part = unicodedata.normalize("NFC", typed).casefold().strip()
    fitting = [name for name in names if part in name.casefold()]
    fitting.sort(key=lambda name: (not name.casefold().startswith(part), name.casefold(), name))
    return tuple(fitting[:CHOICES])
