"""The divisions of a season before its start: who comes into which by the ladder, as the sign-ups are now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.league.counting.draw import Purpose, draw_of
from bot.league.counting.ratings import new_rating, ranking_value
from bot.league.formats.shared.groups import LadderPlace
from bot.league.season.in_words import amount
from bot.league.season.model import Name
from bot.league.season.phases import LIVE, SeasonPhase
from bot.league.summaries.divisions import Filled, filled
from bot.services.base import cached
from bot.services.base.transaction import ReadTransaction
from bot.services.matches import season_ladders
from bot.services.matches.season_ladders import Ladder
from storage import rules_season
from storage.rows import EntrantRow, PlayerId
from storage.tables import audit
from storage.tables.field import entrants
from storage.tables.people import bans, players


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionPlan:
    """What the divisions are filled by, in a sentence, and how; `newcomers` are named where their order is known."""

    words: str
    divisions: tuple[Filled, ...] = ()
    newcomers: tuple[Name, ...] = ()


def planned(tx: ReadTransaction, now: datetime) -> DivisionPlan | None:
    """Return how divisions would be filled now; None without divisions, and once the season has started."""
    season = tx.season
    if season.phase not in (SeasonPhase.UNPUBLISHED, SeasonPhase.SIGNUP) or not season_ladders.has_divisions(season):
        return None
    ladder = season_ladders.to_begin_with(tx.conn, season)
    if ladder is None:
        return _by_a_file(tx) or DivisionPlan(words=_without(tx))
    if season.phase is SeasonPhase.UNPUBLISHED:
        everyone = [(Name(name), ladder.places[player]) for player, name in _welcome(tx, ladder, now).items()]
        returning = amount(len(everyone), "player")
        words = f"By the ladder of season {ladder.season}, if all its {returning} come back:"
        return DivisionPlan(words=words, divisions=filled(everyone, 0, tx.settings.group_size))
    people = [row for row in entrants.of_season(tx.conn, season.id) if row.active]
    back = ladder.of_entrants(people)
    new = [row for row in people if row.player_id not in ladder.places]
    returning = [(Name(row.name), ladder.places[row.player_id]) for row in back]
    return DivisionPlan(
        words=f"By the ladder of season {ladder.season}: {len(back)} of its players so far, and {len(new)} new.",
        divisions=filled(returning, len(new), tx.settings.group_size),
        newcomers=_in_order(tx, new),
    )


def _by_a_file(tx: ReadTransaction) -> DivisionPlan | None:
    """Return how the ladder fills them that an imported season came with, without the season that left it."""
    ladder = rules_season.load(tx.conn, tx.season.id).ladder
    if ladder is None:
        return None
    people = {Name(row.name): row for row in entrants.of_season(tx.conn, tx.season.id) if row.active}
    back = [name for name in ladder if name in people]
    new = [row for name, row in people.items() if name not in back]
    places = [LadderPlace(name=name, place=at, players=len(back)) for at, name in enumerate(back, start=1)]
    return DivisionPlan(
        words=f"By the ladder in the imported file: {len(back)} of its players so far, and {len(new)} new.",
        divisions=filled([(place.name, place) for place in places], len(new), tx.settings.group_size),
        newcomers=_in_order(tx, new),
    )


def _without(tx: ReadTransaction) -> str:
    """Return why there is no ladder, and what is done in its place."""
    before = season_ladders.season_before(tx.conn, tx.season)
    if before is None:
        end = "discard this season" if tx.season.phase is SeasonPhase.UNPUBLISHED else "cancel this season"
        last = f"To begin with the last season's ladder, {end} and prepare it again with /season create and from."
        return f"Filled by rating alone. {last}"
    if before.phase in LIVE:
        return f"The ladder comes when season {before.number} is over."
    return f"Season {before.number} left no ladder, so rating alone fills them."


def _welcome(tx: ReadTransaction, ladder: Ladder, now: datetime) -> Mapping[PlayerId, str]:
    """Return the players of a ladder who can come back, in its order, with their names: not banned, not forgotten."""
    forgotten, league = {*audit.forgotten(tx.conn, tx.league.id)}, tx.league.id
    rows = {row.id: row for row in players.of_league(tx.conn, league) if row.name not in forgotten}

    def can_come(player: PlayerId) -> bool:
        account = rows[player].discord_id if player in rows else None
        return player in rows and bans.holding(tx.conn, league, account=account, player_id=player, now=now) is None

    return {player: rows[player].name for player in ladder.places if can_come(player)}


def _in_order(tx: ReadTransaction, new: list[EntrantRow]) -> tuple[Name, ...]:
    """Return newcomers in the order in which they stand below; nothing while a draw is to come, or ratings are."""
    if tx.season.salt_kind is not None or not cached.is_known(tx.conn, tx.season):
        return ()
    draw = draw_of(rules_season.load(tx.conn, tx.season.id), 0)
    ratings, unrated = cached.brought(tx.conn, tx.season), new_rating(tx.settings.rating)
    value = {Name(row.name): ranking_value(ratings.get(row.player_id, unrated)) for row in new}
    return tuple(sorted(draw.sort(Purpose.TIEBREAK, value), key=lambda name: -value[name]))
