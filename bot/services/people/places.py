"""The place a person has in a season that goes on, and what becomes of it when they play no more."""

from dataclasses import dataclass

from bot.league.season.model import DepartureKind
from bot.services.base import hooks
from bot.services.base.events import SeatTaken
from bot.services.base.outbox import OWN_PLACE
from bot.services.base.transaction import Transaction
from bot.services.matches import views
from bot.services.play import progression, transitions
from bot.services.play.field import withdrawals
from bot.services.play.field.eligibility import next_round
from storage.rows import EntrantRow, PlayerRow
from storage.tables import matches
from storage.tables.field import entrants, substitutions
from storage.tables.field.substitutions import SubstitutionRow
from storage.tables.people import players


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place someone has, had or will have in a season that goes on: who sits there now, and in the next round.

    `coming` are those who take it over: with the next round, or later where rounds were undone.
    """

    now: EntrantRow
    next: EntrantRow
    coming: tuple[SubstitutionRow, ...]

    def is_played_by(self, player: PlayerRow) -> bool:
        """Whether someone sits there now, or will."""
        return player.id == self.now.person_id or bool(self.taken_by(player))

    def taken_by(self, player: PlayerRow) -> tuple[SubstitutionRow, ...]:
        """Return how someone will take it over."""
        return tuple(row for row in self.coming if row.player_id == player.id)


def place_of(tx: Transaction, player: PlayerRow) -> Place | None:
    """Return someone's place in the season, None where they have none, or it was left."""
    row = entrants.by_player(tx.conn, tx.season.id, player.id)
    if row is None or not row.active:
        return None
    next_ = entrants.one_in_round(tx.conn, row.id, next_round(tx))
    return Place(now=row, next=next_, coming=substitutions.coming(tx.conn, row.id))


def of_playing_no_more(tx: Transaction, player: PlayerRow, place: Place) -> str:
    """Return what becomes of the place in the season, and who plays on in it."""
    if place.now.person_id != player.id:
        if not place.is_played_by(player):
            return f"{_called(place.now)} plays on in this place and keeps everything that's theirs."
        stays = _before(tx, place, player)
        plays_on = hooks.is_welcome(tx, players.get(tx.conn, stays.person_id))
        after = "plays on" if plays_on else "is banned and leaves the season"
        return f"They don't take over from {_called(stays)}, who {after}."
    opponents, lost = withdrawals.open_opponents(tx, place.now), ""
    if opponents:
        lost = f" and forfeit the open {withdrawals.against(opponents)}"
    if place.next.person_id == player.id:
        return f"They leave season {tx.season.number} now{lost}.{withdrawals.ends_with_it(tx, place.now)}"
    forfeits = f"They{lost.removeprefix(' and')}. " if lost else ""
    return f"{forfeits}{_called(place.next)} plays on in their place from the next round on."


def _called(place: EntrantRow) -> str:
    return place.person or place.name


def _before(tx: Transaction, place: Place, player: PlayerRow) -> EntrantRow:
    """Return the place with the person who sits there until someone takes it over."""
    return entrants.one_in_round(tx.conn, place.now.id, place.taken_by(player)[0].round - 1)


def play_no_more(tx: Transaction, player: PlayerRow, place: Place, reason: str | None = None) -> None:
    """Let someone play no more; a place in which another person plays, or will play, stays in the season."""
    taken = place.taken_by(player)
    substitutions.stand_down(tx.conn, taken)
    if place.now.person_id == place.next.person_id == player.id:
        withdrawals.leave(tx, place.now, DepartureKind.DROP, reason)
    elif place.now.person_id == player.id:
        _forfeit(tx, place)
    elif taken:
        stays = _before(tx, place, player)
        person = players.get(tx.conn, stays.person_id)
        tx.note("entrant.no_substitute", place.now.name, after={"from_round": taken[0].round})
        if not hooks.is_welcome(tx, person):
            withdrawals.leave(tx, place.now, DepartureKind.DROP, None)
            return
        text = f"{stays.called} plays on in season {tx.season.number}."
        tx.tell(text, kind=OWN_PLACE, pings=[stays.discord_id])
        tx.invalidate()
        tx.happened(SeatTaken(before=place.next, after=place.now, person=person))
        progression.advance(tx)


def _forfeit(tx: Transaction, place: Place) -> None:
    """Let the person whose place another takes over with the next round lose what's still open."""
    open_, later = matches.open_of(tx.conn, place.now.id), place.next.person or place.next.name
    if not open_:
        return
    for match in open_:
        transitions.forfeit(tx, match.id, place.now.id)
        view = views.match_view(tx.conn, match.id)
        opponent = view.opponent_of(place.now)
        text = f"{opponent.called} wins {view.label} by forfeit, because {place.now.called} doesn't play any more."
        tx.tell(f"{text} From the next round on {later} plays.", pings=[opponent.discord_id, place.next.discord_id])
    tx.invalidate()
    progression.advance(tx)
