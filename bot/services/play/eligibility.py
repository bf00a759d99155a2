"""Whether players can still join or come back, from which round on (docs/rules.md, 9), and how long seasons get."""

from collections import Counter
from collections.abc import Sequence

from bot.league.coming_and_going import can_enter, can_return, has_round_left
from bot.league.counting.standings import Standing
from bot.league.errors import Conflict, WrongPhase
from bot.league.formats import by_key
from bot.league.formats.shared.shape import Shape
from bot.league.season.model import Kind, Name, Season, Status
from bot.league.season.phases import SeasonPhase
from bot.league.telling.round_news import out_since
from bot.services.base import counted
from bot.services.base.act import Act, Look
from storage import rules_season
from storage.rows import DepartureRow, EntrantRow, RoundRow, SeasonRow
from storage.tables import entrants, rounds


def next_round(see: Look) -> int:
    """Return the number of the next round to be paired; a preview is paired again when the field changes."""
    latest = rounds.latest(see.conn, see.season.id)
    return 1 if latest is None else latest.number + 1


def round_to_enter(do: Act) -> int:
    """Return the first round of a player who enters now; raises WrongPhase."""
    season = do.season
    if season.phase is SeasonPhase.SIGNUP:
        if season.signups_close is not None and season.signups_close <= do.now:
            raise WrongPhase(f"Sign-ups for season {season.number} have closed; it starts in a moment. Try again then.")
        return 1
    require_before_finals(season)
    number = next_round(do)
    if not can_enter(do.settings, number):
        raise WrongPhase(
            f"Season {season.number} took new players up to round {do.settings.late_entry}, and round {number} is next."
            " Join the next season: its sign-up post will appear in the league's channel."
        )
    return number


def takes_players(see: Look) -> bool:
    """Whether someone can still get into the season, were there a place for them."""
    if see.season.phase is SeasonPhase.SIGNUP:
        return True
    running = see.season.phase is SeasonPhase.RUNNING
    return running and can_enter(see.settings, next_round(see)) and is_round_left(see)


def require_before_finals(season: SeasonRow) -> None:
    """Raise WrongPhase once the finals go on: no one is added to a bracket."""
    if season.phase is SeasonPhase.FINALS:
        raise WrongPhase(f"Season {season.number} is in its finals, so no one can join now. Join the next season.")


def require_open_stage(do: Act, name: str) -> None:
    """Raise WrongPhase where no round before the finals is left; asked with the newcomer in the season."""
    season = do.season
    if season.phase is SeasonPhase.RUNNING and not is_round_left(do):
        raise WrongPhase(
            f"Season {season.number} has no round left to join, so it's too late for {name}. Join the next season."
        )


def can_come_back(see: Look) -> bool:
    """Whether players who drop out now can come back: the rules let them, and a round before the finals is left."""
    return can_return(see.settings) and see.season.phase is SeasonPhase.RUNNING and is_round_left(see)


def way_back(see: Look) -> str:
    """Tell a player who has dropped out what they can do."""
    return "To come back, use /rejoin." if can_come_back(see) else "You can't come back this season."


def is_round_left(see: Look) -> bool:
    """Whether the season has another round before the finals, as its results are."""
    return has_round_left(rules_season.load(see.conn, see.season.id))


def departure(do: Act, entrant: EntrantRow) -> DepartureRow:
    """Return how a player left last; raises Conflict where they never did."""
    row = entrants.last_departure(do.conn, entrant.id)
    if row is None:
        raise Conflict(f"{entrant.called} hasn't left.")
    return row


def settle_request(do: Act, entrant: EntrantRow, *, accepted: bool) -> None:
    """Answer a request to come back where something else has decided it."""
    waiting = entrants.waiting_request(do.conn, entrant.id)
    if waiting is not None:
        entrants.answer(do.conn, waiting.id, accepted=accepted, at=do.now)
        if not accepted:
            do.note("entrant.answer_rejoin", entrant.name, after={"accepted": False})
        do.touch()


def planned_rounds(see: Look) -> int | None:
    """Return how many rounds the regular stage has; None where that isn't known before it is over."""
    return by_key(see.season.format).planned_rounds(rules_season.load(see.conn, see.season.id))


def own_standing(see: Look, entrant: EntrantRow) -> Standing:
    """Return a player's line of the standings as they are shown it."""
    return counted.shown_table(see.conn, see.season)[Name(entrant.name)]


def knocked_out_in(see: Look, entrant: EntrantRow) -> RoundRow | None:
    """Return the round that knocked a player out for good; None for others, and while they play for third place."""
    record = rules_season.load(see.conn, see.season.id)
    playing = any(match.kind is Kind.OPEN and entrant.name in match.players for match in record.rounds[-1].matches)
    out = own_standing(see, entrant).status is Status.ELIMINATED
    return out_since_round(see, record, entrant) if out and not playing else None


def out_since_round(see: Look, record: Season, entrant: EntrantRow) -> RoundRow:
    """Return the round since which a player is out."""
    row = rounds.by_number(see.conn, see.season.id, out_since(by_key(record.format), record, Name(entrant.name)))
    assert row is not None
    return row


def expected_players(see: Look) -> tuple[int | None, Sequence[int]]:
    """Return how many players a season's dates are for, None for any number, and the sizes of groups that are given.

    Where there are groups, it's those who have signed up as soon as they are enough, else as many as there are places.
    """
    format_, places = by_key(see.season.format), see.settings.max_players
    if not format_.in_groups or see.season.phase is not SeasonPhase.SIGNUP:
        return places, ()
    people = [who for who in entrants.of_season(see.conn, see.season.id) if who.active]
    return (len(people) if len(people) >= format_.fewest_players else places), given_sizes(people)


def given_sizes(people: Sequence[EntrantRow]) -> Sequence[int]:
    """Return the sizes of the groups that are given, in their order."""
    sizes = Counter(row.given_group for row in people if row.given_group is not None)
    return [sizes[number] for number in sorted(sizes)]


def expected_shape(see: Look) -> Shape | None:
    """Return how the groups of the players to expect would look; None where that isn't known or there are none."""
    players, given = expected_players(see)
    return None if players is None else by_key(see.season.format).shape(see.settings, players, given)


def wrong_groups(see: Look) -> str:
    """Return why a season can't start with the players to expect, with what to do; nothing where it can."""
    format_, settings = by_key(see.season.format), see.settings
    shape = expected_shape(see)
    if shape is None and settings.group_size is None:  # one group, however many come
        shape = format_.shape(settings, format_.fewest_players)
    return "" if shape is None else shape.wrong


def require_short_enough(do: Act, *, by_organiser: bool) -> None:
    """Raise Conflict where one player more would make a season longer than one can be."""
    format_, people = by_key(do.season.format), [who for who in entrants.of_season(do.conn, do.season.id) if who.active]
    shape = format_.shape(do.settings, len(people) + 1, given_sizes(people))
    if shape is not None and shape.too_long:
        smaller = "Make the groups smaller with Group size under /season settings."
        step = smaller if by_organiser else "Ask an organiser to make the groups smaller."
        full = f"Season {do.season.number} is full: with one more player it would take {shape.rounds} rounds."
        raise Conflict(f"{full} {step}")
