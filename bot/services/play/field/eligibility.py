"""Whether players can still join or come back, from which round on, and how long seasons get.

See docs/formats/shared.md.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from bot.league.coming_and_going import can_enter, can_return, has_round_left
from bot.league.counting.standings import Standing
from bot.league.errors import Conflict, WrongPhase
from bot.league.formats import by_key
from bot.league.formats.shared.groups import Shape
from bot.league.season.in_words import amount
from bot.league.season.model import Kind, Name, Season, Stage, Status
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.league.summaries.round_news import out_since
from bot.services.base import cached
from bot.services.base.transaction import ReadTransaction, Transaction
from bot.services.matches.given_places import before_round_1
from storage import rules_season
from storage.rows import DepartureRow, EntrantRow, RoundRow, SeasonRow
from storage.tables import rounds
from storage.tables.field import entrants
from storage.tables.signups import claims, join_requests


def next_round(tx: ReadTransaction) -> int:
    """Return the number of the next round to be paired; a preview is paired again when the field changes."""
    latest = rounds.latest(tx.conn, tx.season.id)
    return 1 if latest is None else latest.number + 1


def round_to_enter(tx: Transaction) -> int:
    """Return the first round of a player who enters now; raises WrongPhase."""
    season = tx.season
    if season.phase is SeasonPhase.SIGNUP:
        if has_closed(tx):
            raise WrongPhase(f"Sign-ups for season {season.number} have closed; it starts in a moment. Try again then.")
        return 1
    require_before_finals(season)
    number = next_round(tx)
    if not can_enter(tx.settings, number):
        raise WrongPhase(
            f"Season {season.number} took new players up to round {tx.settings.late_entry}, and round {number} is next."
            " Join the next season: its sign-up post will appear in the league's channel."
        )
    return number


def has_closed(tx: Transaction) -> bool:
    """Whether sign-ups have closed, and the season starts in a moment."""
    season = tx.season
    return season.phase is SeasonPhase.SIGNUP and season.signups_close is not None and season.signups_close <= tx.now


def takes_players(tx: ReadTransaction) -> bool:
    """Whether someone can still get into the season, were there a place for them."""
    if tx.season.phase is SeasonPhase.SIGNUP:
        return True
    running = tx.season.phase is SeasonPhase.RUNNING
    return running and can_enter(tx.settings, next_round(tx)) and is_round_left(tx)


def closed_doors_at(tx: ReadTransaction, taken_back: RoundRow) -> datetime | None:
    """Return when a round was posted, if people who couldn't get in or back from then on can again; else None.

    A preview closed no door, and nobody can join a bracket that has begun, also one that was undone. Of all rounds that
    were posted at once, it was the first.
    """
    if taken_back.stage is not Stage.REGULAR or taken_back.phase is RoundPhase.DRAFT:
        return None
    beside_first = tx.settings.schedule.open_together and taken_back.number > 1
    return None if beside_first else taken_back.posted_at


def require_before_finals(season: SeasonRow) -> None:
    """Raise WrongPhase once the finals go on: no one is added to a bracket."""
    if season.phase is SeasonPhase.FINALS:
        raise WrongPhase(f"Season {season.number} is in its finals, so no one can join now. Join the next season.")


def require_open_stage(tx: Transaction, name: str) -> None:
    """Raise WrongPhase where no round before the finals is left; asked with the newcomer in the season."""
    season = tx.season
    if season.phase is SeasonPhase.RUNNING and not is_round_left(tx):
        raise WrongPhase(
            f"Season {season.number} has no round left to join, so it's too late for {name}. Join the next season."
        )


def can_come_back(tx: ReadTransaction) -> bool:
    """Whether players who drop out now can come back: the rules let them, and a round before the finals is left."""
    return can_return(tx.settings) and tx.season.phase is SeasonPhase.RUNNING and is_round_left(tx)


def way_back(tx: ReadTransaction) -> str:
    """Tell a player who has dropped out what they can do."""
    return "To come back, use /rejoin." if can_come_back(tx) else "You can't come back this season."


def is_round_left(tx: ReadTransaction) -> bool:
    """Whether the season has another round before the finals, as its results are."""
    return has_round_left(rules_season.load(tx.conn, tx.season.id))


def to_let_in(tx: ReadTransaction) -> str:
    """Return how many wait for an organiser to let them in, with a space before it; nothing where nobody does."""
    count = len(join_requests.waiting(tx.conn, tx.season.id)) + len(claims.waiting(tx.conn, tx.season.id))
    wait = amount(count, "player waits", "players wait")
    return f" {wait} to be let in: an organiser can answer in /disputes." if count else ""


def departure(tx: Transaction, entrant: EntrantRow) -> DepartureRow:
    """Return how a player left last; raises Conflict where they never did."""
    row = entrants.last_departure(tx.conn, entrant.id)
    if row is None:
        raise Conflict(f"{entrant.called} hasn't left.")
    return row


def settle_request(tx: Transaction, entrant: EntrantRow, *, accepted: bool) -> None:
    """Answer a request to come back where something else has decided it."""
    waiting = entrants.waiting_request(tx.conn, entrant.id)
    if waiting is not None:
        entrants.answer(tx.conn, waiting.id, accepted=accepted, at=tx.now)
        if not accepted:
            tx.note("entrant.answer_rejoin", entrant.name, after={"accepted": False})
        tx.invalidate()


def planned_rounds(tx: ReadTransaction) -> int | None:
    """Return how many rounds the regular stage has; None where that isn't known before it is over."""
    return by_key(tx.season.format).planned_rounds(rules_season.load(tx.conn, tx.season.id))


def own_standing(tx: ReadTransaction, entrant: EntrantRow) -> Standing:
    """Return a player's line of the standings as they are shown it."""
    return cached.shown_table(tx.conn, tx.season)[Name(entrant.name)]


def knocked_out_in(tx: ReadTransaction, entrant: EntrantRow) -> RoundRow | None:
    """Return the round that knocked a player out for good; None for others, and while they play for third place."""
    record = rules_season.load(tx.conn, tx.season.id)
    playing = any(match.kind is Kind.OPEN and entrant.name in match.players for match in record.rounds[-1].matches)
    out = own_standing(tx, entrant).status is Status.ELIMINATED
    return out_since_round(tx, record, entrant) if out and not playing else None


def out_since_round(tx: ReadTransaction, record: Season, entrant: EntrantRow) -> RoundRow:
    """Return the round since which a player is out."""
    row = rounds.by_number(tx.conn, tx.season.id, out_since(by_key(record.format), record, Name(entrant.name)))
    assert row is not None
    return row


def expected_players(tx: ReadTransaction) -> tuple[int | None, Sequence[int]]:
    """Return how many players a season's dates are for, None for any number, and the sizes of groups that are given.

    Where there are groups, it's those who have signed up as soon as they are enough, else as many as there are places.
    """
    format_, places = by_key(tx.season.format), tx.settings.max_players
    if not format_.in_groups or not before_round_1(tx):
        return places, ()
    people = [entrant for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.active]
    return (len(people) if len(people) >= format_.fewest_players else places), given_sizes(people)


def given_sizes(people: Sequence[EntrantRow]) -> Sequence[int]:
    """Return the sizes of the groups that are given, in their order."""
    sizes = Counter(row.given_group for row in people if row.given_group is not None)
    return [sizes[number] for number in sorted(sizes)]


def expected_shape(tx: ReadTransaction) -> Shape | None:
    """Return how the groups of the players to expect would look; None where that isn't known or there are none."""
    players, given = expected_players(tx)
    return None if players is None else by_key(tx.season.format).shape(tx.settings, players, given)


def wrong_groups(tx: ReadTransaction) -> str:
    """Return why a season can't start with the players to expect, with what to do; nothing where it can."""
    format_, settings = by_key(tx.season.format), tx.settings
    shape = expected_shape(tx)
    if shape is None and settings.group_size is None:  # one group, however many come
        shape = format_.shape(settings, format_.fewest_players)
    return "" if shape is None else shape.wrong


def settings_in_the_way(tx: ReadTransaction) -> frozenset[str]:
    """Return the settings with which round 1 can't be paired for those who are here; none once it's posted."""
    season = rules_season.load(tx.conn, tx.season.id)
    refused = () if season.rounds else by_key(tx.season.format).field_refusals(season)
    return frozenset(place.removeprefix("settings.") for place, _ in refused if place.startswith("settings."))


def too_long(tx: ReadTransaction, *, by_organiser: bool) -> str:
    """Return that one player more would make a season longer than one can be, and what to do; "" where it wouldn't."""
    people = [entrant for entrant in entrants.of_season(tx.conn, tx.season.id) if entrant.active]
    shape = by_key(tx.season.format).shape(tx.settings, len(people) + 1, given_sizes(people))
    if shape is None or not shape.too_long:
        return ""
    unit = tx.settings.grouping.unit
    smaller = f"Make the {unit}s smaller with Group size under /season settings."
    step = smaller if by_organiser else f"Ask an organiser to make the {unit}s smaller."
    return f"Season {tx.season.number} is full: with one more player it would take {shape.rounds} rounds. {step}"
