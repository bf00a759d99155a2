"""Who plays in a season: sign-up, late entry, adding for somebody else, league names (docs/rules.md, 1 and 9)."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound, WrongPhase
from bot.league.model import DepartureKind, Name
from bot.league.names import check_name, look_alike_key, require_free
from bot.league.phases import PLAYING, SeasonPhase
from bot.services import find
from bot.services.act import Act, Look, look, note
from bot.services.outbox import promises
from bot.services.permissions import BOT, Actor, require_organiser
from bot.services.players.accounts import Newcomer, known_player, new_player
from bot.services.players.eligibility import require_open_stage, round_to_enter
from bot.services.rounds import progress
from bot.services.seasons import careers
from storage import entrants, players, rules_season, seasons
from storage.database import Connection, Database
from storage.rows import EntrantRow, LeagueId, LeagueRow, PlayerRow, SeasonRow

LONGEST_DECK = 100
CHOICES = 25
"""As many suggestions as Discord shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedUp:
    """An entry; `first_time` when the league name was fixed with it, `already` when nothing changed."""

    entrant: EntrantRow
    season: SeasonRow
    count: int
    first_time: bool
    already: bool


async def sign_up(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    display_name: str,
    name: str | None = None,
    deck: str | None = None,
) -> SignedUp:
    """Put the actor into the season that takes players, or into its next round while late entry is possible."""
    if actor.user_id is None:
        raise NotAllowed("Only a person can sign up.")
    newcomer = Newcomer(
        discord_id=actor.user_id, wanted=name, display_name=display_name, deck=_deck(deck), by_organiser=False
    )
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        if actor.guild_id != league.guild_id:
            raise NotAllowed(f"{league.name} belongs to another server. Sign up there.")
        return await _enter(conn, league, newcomer, actor=actor, now=now, reason=None)


async def add(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    discord_id: int,
    display_name: str,
    name: str | None = None,
    reason: str | None = None,
) -> SignedUp:
    """Put somebody else into the season; a name from an imported season makes him that player."""
    newcomer = Newcomer(discord_id=discord_id, wanted=name, display_name=display_name, deck=None, by_organiser=True)
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        return await _enter(conn, league, newcomer, actor=actor, now=now, reason=reason)


def _deck(deck: str | None) -> str | None:
    words = " ".join((deck or "").split())
    if len(words) > LONGEST_DECK:
        raise Invalid(f"The deck's name has {len(words)} characters; {LONGEST_DECK} are kept. Use a shorter one.")
    return words or None


async def _enter(
    conn: Connection, league: LeagueRow, newcomer: Newcomer, *, actor: Actor, now: datetime, reason: str | None
) -> SignedUp:
    season = await find.live_season(conn, league)
    known = await known_player(conn, league, newcomer, actor=actor, now=now, reason=reason)
    entrant = None if known is None else await entrants.by_player(conn, season.id, known.id)
    if entrant is not None:
        return await _again(conn, league, season, entrant, newcomer, actor=actor, now=now)
    first = await round_to_enter(conn, season, now)
    await _require_room(conn, season)
    player = known or await new_player(conn, league, newcomer, now)
    start = await careers.rating_now(conn, season, player.id) if season.phase in PLAYING else None
    entrant = await entrants.add(
        conn,
        season_id=season.id,
        player_id=player.id,
        name=player.name,
        former_names=await players.former_names(conn, player),
        signed_up_at=now,
        entered=first,
        mu=None if start is None else start.mu,
        sigma=None if start is None else start.sigma,
        deck=newcomer.deck,
    )
    await require_open_stage(conn, season, entrant.name)
    after = {"name": entrant.name, "entered": first, "deck": entrant.deck, "discord_id": newcomer.discord_id}
    action = "entrant.add" if newcomer.by_organiser else "entrant.sign_up"
    await note(
        conn, actor=actor, now=now, league=league, season=season, action=action, subject=entrant.name, after=after,
        reason=reason,
    )  # fmt: skip
    await _announce(conn, season, entrant, now)
    return SignedUp(
        entrant=entrant, season=season, count=await _count(conn, season), first_time=known is None, already=False
    )


async def _announce(conn: Connection, season: SeasonRow, entrant: EntrantRow, now: datetime) -> None:
    """Count the entry in the sign-up post; after the start say that somebody joins."""
    await promises.touch(conn, season_id=season.id, now=now)
    if season.phase in PLAYING:
        await progress.advance(await Act.inside(conn, BOT, season.id, now=now))
        await promises.tell(
            conn,
            season,
            f"entrant:{entrant.id}:late",
            f"{entrant.name} joins season {season.number} from round {entrant.entered} on.",
            now=now,
        )


async def _again(
    conn: Connection,
    league: LeagueRow,
    season: SeasonRow,
    entrant: EntrantRow,
    newcomer: Newcomer,
    *,
    actor: Actor,
    now: datetime,
) -> SignedUp:
    """Answer somebody who is in the season already; a new deck is taken before the start."""
    if entrant.departed is DepartureKind.DISQUALIFICATION:
        raise NotAllowed(f"{entrant.name} is disqualified from season {season.number} and cannot come back.")
    if entrant.departed is not None:
        way = "/player reinstate brings a player back" if newcomer.by_organiser else "/rejoin asks to come back"
        raise Conflict(f"{entrant.name} has left season {season.number}. {way}.")
    changed = newcomer.deck is not None and newcomer.deck != entrant.deck
    if changed:
        if season.phase is not SeasonPhase.SIGNUP:
            raise WrongPhase("The season has started: decks cannot change any more. You are in the season.")
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="entrant.deck", subject=entrant.name,
            before={"deck": entrant.deck}, after={"deck": newcomer.deck},
        )  # fmt: skip
        entrant = await entrants.change(conn, entrant.id, deck=newcomer.deck)
    return SignedUp(
        entrant=entrant, season=season, count=await _count(conn, season), first_time=False, already=not changed
    )


async def _require_room(conn: Connection, season: SeasonRow) -> None:
    limit = rules_season.settings_of(season).max_players
    if limit is not None and await _count(conn, season) >= limit:
        raise Conflict(
            f"Season {season.number} is full: {limit} players. If somebody leaves, there is room again;"
            " an organiser can raise max_players with /season settings."
        )


async def _count(conn: Connection, season: SeasonRow) -> int:
    return sum(entrant.active for entrant in await entrants.of_season(conn, season.id))


async def rename(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, player: str, new_name: str, reason: str | None
) -> PlayerRow:
    """Give a player another league name between seasons; past seasons keep the one they were drawn with."""
    name = check_name(new_name)
    async with db.transaction() as conn:
        league = await find.league(conn, league_id)
        require_organiser(league, actor)
        season = await seasons.live(conn, league.id)
        if season is not None and season.phase in PLAYING:
            raise WrongPhase(
                f"Season {season.number} is being played and its draws use the names. Rename between seasons."
            )
        row = await find.player(Look(conn=conn, actor=actor, league=league, found=season), player)
        own = (row.name, *await players.former_names(conn, row))
        if name not in own:
            others = [Name(taken) for taken in await players.names_of(conn, league.id) if taken not in own]
            require_free(name, others)
        renamed = await players.rename(conn, row, name, look_alike_key(name))
        await _rename_entry(conn, season, renamed, now)
        await note(
            conn, actor=actor, now=now, league=league, season=season, action="player.rename", subject=name,
            before={"name": row.name}, after={"name": name}, reason=reason,
        )  # fmt: skip
        return renamed


async def _rename_entry(conn: Connection, season: SeasonRow | None, player: PlayerRow, now: datetime) -> None:
    """Carry a new name into the season that takes sign-ups: nothing is drawn in it yet."""
    entrant = None if season is None else await entrants.by_player(conn, season.id, player.id)
    if entrant is None:
        return
    former = await players.former_names(conn, player)
    await entrants.change(conn, entrant.id, name=player.name, former_names=list(former))
    await promises.touch(conn, season_id=entrant.season_id, now=now)


async def own_name(db: Database, *, actor: Actor, league_id: LeagueId) -> str:
    """Return the actor's league name; raises NotFound before they have one."""
    async with look(db, actor, league_id) as see:
        row = None if actor.user_id is None else await players.by_discord(see.conn, league_id, actor.user_id)
        if row is None:
            raise NotFound(f"You haven't played in {see.league.name} yet. Name a player.")
        return row.name


async def player_names(db: Database, *, league_id: LeagueId, typed: str) -> tuple[str, ...]:
    """Return at most 25 league names for autocomplete: those that begin with what is typed, then those that hold it."""
    async with db.snapshot() as conn:
        names = [row.name for row in await players.of_league(conn, league_id)]
    part = unicodedata.normalize("NFC", typed).casefold().strip()
    found = [name for name in names if part in name.casefold()]
    found.sort(key=lambda name: (not name.casefold().startswith(part), name.casefold(), name))
    return tuple(found[:CHOICES])
