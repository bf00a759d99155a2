"""Another person in a player's seat, from the next round on (docs/formats/shared.md)."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.league.bracket.match_names import FINAL
from bot.league.errors import Conflict, Invalid, WrongPhase
from bot.league.formats import by_key
from bot.league.season.choices import Pace
from bot.league.season.model import Name, Season, Status
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.league.summaries.round_news import out_since, plays_for_third_place
from bot.services.base import cached, find, hooks
from bot.services.base.accounts import Newcomer, known_player, new_player
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import SeatTaken
from bot.services.base.order import Order
from bot.services.base.outbox import OWN_PLACE
from bot.services.base.transaction import ORGANISER, Transaction, playing, shortened, transaction
from bot.services.matches import views
from bot.services.play import progression
from bot.services.play.field.eligibility import next_round, own_standing, planned_rounds
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, PlayerRow, RoundRow
from storage.tables import matches, rounds
from storage.tables.field import entrants, substitutions
from storage.tables.people import players
from storage.tables.signups import waitlist


@dataclass(frozen=True, slots=True, kw_only=True)
class Substituted:
    """Who plays in a seat from a round on (`when` in words); `before` is who sat there until then."""

    person: str
    before: str
    when: str


def substitute(
    conn: Connection, order: Order, *, old: str, newcomer: Newcomer, is_bot: bool = False, agreed: str | None = None
) -> Substituted:
    """Put another person into a player's seat from the next round on, as an organiser; raises ConfirmationNeeded.

    Until that round is paired, putting the one before back undoes it.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    if is_bot:
        raise Invalid(f"{newcomer.display_name} is a bot, and bots can't play. Choose a person.")
    number = next_round(tx)
    seat = entrants.one_in_round(tx.conn, find.entrant(tx, old).id, number)
    _require_seat(tx, seat)
    person = known_player(tx, newcomer) or new_player(tx, newcomer)
    last = entrants.one_at_last(tx.conn, seat.id)
    _require_free(tx, last if seat.person_id == person.id else seat, person)
    when = _from(tx, number)
    before = seat if last.person_id == person.id else last  # who takes it over later, where rounds were undone
    cost = f"{_cost(tx, before, person, when)} {hooks.cost_of_substituting(tx, seat, person)}".strip()
    require_confirmation(cost, agreed)
    _sit_down(tx, seat, person, number)
    _tell(tx, before, person, when, pings=[seat.discord_id, last.discord_id])
    change = {"before": {"person": before.person or before.name}, "after": {"person": person.name, "round": number}}
    tx.note("entrant.substitute", seat.name, **change, reason=shortened(newcomer.reason))
    tx.invalidate()
    tx.happened(SeatTaken(before=seat, after=entrants.get(tx.conn, seat.id), person=person))
    progression.advance(tx)
    return Substituted(person=person.name, before=before.person or before.name, when=when)


def _require_seat(tx: Transaction, seat: EntrantRow) -> None:
    """Raise unless a seat still plays a round after the one being played."""
    if not seat.active:
        raise Conflict(
            f"{seat.called} has left season {tx.season.number}, and a substitute doesn't bring them back. If it isn't "
            "too late, use /player reinstate first."
        )
    latest = rounds.latest(tx.conn, tx.season.id)
    if latest is None and tx.settings.schedule.open_together:
        raise WrongPhase(
            "Where all rounds are played at once, a substitute can play from the finals on. Post them first."
        )
    if latest is not None and latest.phase is RoundPhase.OPEN and latest.name == FINAL:
        none = "The final is the last match of the season, so there's no round for a substitute to play."
        raise WrongPhase(f"{none}{_for_now(tx, seat, latest)}")
    if latest is not None and latest.phase is RoundPhase.OPEN and _is_last(tx, latest):
        every = tx.settings.schedule.open_together and latest.together
        last = "All rounds are played at once" if every else "This is the last round of the season"
        none = f"{last}, so there's no round for a substitute to play."
        raise WrongPhase(f"{none}{_for_now(tx, seat, latest)}")
    if latest is not None and _is_out(tx, seat, latest):
        raise Conflict(f"{seat.called} is out of season {tx.season.number}, so there's nothing to take over.")


def _is_last(tx: Transaction, row: RoundRow) -> bool:
    """Whether a regular round is the last one of a season without finals."""
    without = not by_key(tx.season.format).plays_finals(rules_season.load(tx.conn, tx.season.id))
    return without and row.number == planned_rounds(tx)


def _is_out(tx: Transaction, seat: EntrantRow, latest: RoundRow) -> bool:
    """Whether a seat plays no more matches, not even the one for third place."""
    if own_standing(tx, seat).status is not Status.ELIMINATED:
        return False
    season = rules_season.load(tx.conn, tx.season.id)
    return _plays_no_more(season, Name(seat.name), latest.number)


def _plays_no_more(season: Season, name: Name, latest: int) -> bool:
    format_ = by_key(season.format)
    return out_since(format_, season, name) != latest or not plays_for_third_place(format_, season)


def _require_free(tx: Transaction, seat: EntrantRow, person: PlayerRow) -> None:
    """Raise unless a person can sit in this seat: one person has one seat a season."""
    if person.id == seat.person_id:
        raise Conflict(f"{person.name} already plays there. Choose another person.")
    other = entrants.by_player(tx.conn, tx.season.id, person.id)
    if other is not None and other.id != seat.id:
        own = "play in it already" if other.player_id == person.id else f"substitute for {other.name}"
        raise Conflict(f"{person.name} can't substitute in season {tx.season.number}: they {own}. Choose someone else.")


def _from(tx: Transaction, number: int) -> str:
    """Return the round a substitute plays first, in words."""
    planned = planned_rounds(tx)
    if tx.season.phase is SeasonPhase.RUNNING and (planned is None or number <= planned):
        return f"round {number}"
    return "the next round" if tx.season.phase is SeasonPhase.FINALS else "the finals"


def _cost(tx: Transaction, seat: EntrantRow, person: PlayerRow, when: str) -> str:
    before, latest = seat.person or seat.name, rounds.latest(tx.conn, tx.season.id)
    until = ""
    if latest is not None and latest.phase is RoundPhase.OPEN:
        now = entrants.one_in_round(tx.conn, seat.id, latest.number)
        until = f" {now.person or now.name} still plays {latest.stage_words}.{_for_now(tx, seat, latest)}"
    if person.id == seat.player_id:
        return (
            f"{person.name} plays in their own place again from {when} on, instead of {before}.{until} Both are told."
        )
    waits = waitlist.by_player(tx.conn, tx.season.id, person.id) is not None
    queue = f" {person.name} leaves the waiting list." if waits else ""
    return (
        f"{person.name} plays for {seat.name} from {when} on.{until}{queue} The place keeps its results, points, "
        f"byes and the opponents of this season. From then on {person.name}'s own rating counts, and so do the people "
        "they met in earlier seasons. Both are told in the league's channel."
    )


def _for_now(tx: Transaction, seat: EntrantRow, latest: RoundRow) -> str:
    """Return what helps where the one who plays the open round can't, in sentences; a live round has no more time."""
    match = matches.in_round(tx.conn, latest.id, seat.id)
    if match is None or match.state is not MatchState.OPEN:
        return ""
    steps = (
        "they press Problem and choose “Can't before the deadline”, or you give that match more time with /round extend"
    )
    sooner = "" if tx.settings.pace is Pace.LIVE else f" If they can't: {steps}."
    view = views.stage_view(tx.conn, latest)
    if all(other.match.state is MatchState.OPEN for other in view.matches):
        sooner += (
            f" No one has reported yet, so there's a way to play {view.words} too: /round undo, then "
            "/player substitute, then /round post. It's paired again for everyone."
        )
    return sooner


def _sit_down(tx: Transaction, seat: EntrantRow, person: PlayerRow, number: int) -> None:
    """Note who sits in a seat; putting back the one who sits there until then leaves no trace."""
    substitutions.stay(tx.conn, seat.id, number)
    until_then = entrants.one_in_round(tx.conn, seat.id, number)
    if until_then.person_id == person.id:
        return
    rating = cached.rating_now(tx.conn, tx.season, person.id)
    substitutions.sit_down(
        tx.conn,
        entrant_id=seat.id,
        player_id=person.id,
        name=seat.name if person.id == seat.player_id else person.name,
        round=number,
        mu=rating.mu,
        sigma=rating.sigma,
        former_names=players.former_names(tx.conn, person),
    )


def _tell(tx: Transaction, seat: EntrantRow, person: PlayerRow, when: str, *, pings: Sequence[int | None]) -> None:
    """Tell the person what they take over, and those before that they don't play any more."""
    line = own_standing(tx, seat)
    before, results = seat.person or seat.name, f"{line.wins} won, {line.losses} lost"
    if person.id == seat.player_id:
        text = f"{person.name} plays in their own place again from {when} on, instead of {before} ({results})."
    else:
        text = f"{person.name} plays for {seat.name} in season {tx.season.number} from {when} on ({results} so far)."
    text = f"{text} {hooks.requests_to(tx, person)}".strip()
    tx.tell(text, kind=OWN_PLACE, pings=[*dict.fromkeys((person.discord_id, *pings))])
