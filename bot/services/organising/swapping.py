"""Two players who change places in a round: by an organiser's hand, in the preview or before anyone reports."""

from collections.abc import Sequence
from dataclasses import replace

from bot.league.checking.verify import as_of
from bot.league.counting.meetings import meetings_before
from bot.league.errors import Conflict, Invalid, WrongPhase
from bot.league.formats import by_key
from bot.league.season.in_words import amount
from bot.league.season.model import Name, Season, Stage
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base.confirmation import require_confirmation
from bot.services.base.events import MatchReseated
from bot.services.base.order import Order
from bot.services.base.outbox import PAIRINGS_CHANGED
from bot.services.base.post_kinds import known
from bot.services.base.transaction import ORGANISER, Transaction, playing, shortened, transaction
from bot.services.matches import match_finding, views
from bot.services.matches.decision_posts import CORRECTED, DECISION, OPEN_AGAIN
from bot.services.matches.views import MatchView, RoundView
from bot.services.organising import bye_by_hand
from bot.services.play import prepared, progression, time_to_play, transitions
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, MatchId, RoundRow
from storage.tables import matches, reports, rounds
from storage.tables.field import entrants
from storage.tables.people import apart

NO_REASON = "two players swapped"
"""What a league file says of a round changed by hand for no given reason."""


def swap(
    conn: Connection, order: Order, *, first: str, second: str, reason: str | None = None, agreed: str | None = None
) -> RoundView:
    """Swap two players' places in the preview or the open round, where nothing was reported in their matches.

    A player who sits it out can play against the one who has its bye.

    Raises ConfirmationNeeded, NotAllowed, NotFound, Invalid, WrongPhase and Conflict.
    """
    tx = transaction(conn, order, playing, by=ORGANISER)
    row = progression.open_round(tx)
    if row is None:
        raise WrongPhase("There's no round to change now. /round post makes a preview of the next one.")
    if row.stage is Stage.REGULAR and by_key(tx.season.format).fixed_rounds:
        raise WrongPhase(
            "In a round robin everyone meets everyone by a table, so no one can swap. /round extend gives a match more "
            "time, and /result set decides one that can't be played."
        )
    why = shortened(reason)
    players = [match_finding.find_seat(tx, row, name) for name in (first, second)]
    before = pairings(views.round_view(tx.conn, row.id), players)
    if not bye_by_hand.pair_with_bye(tx, row, players):
        _require_swappable(tx, row, players)
        matches.swap(tx.conn, players[0].id, players[1].id, row.id)
    by_hand = "; ".join(reason_part for reason_part in (row.by_hand, why) if reason_part) or NO_REASON
    row = rounds.change(tx.conn, row.id, by_hand=by_hand)
    _explain_swap(tx, row, players, why)
    row = _label_again(tx, row)
    view = views.round_view(tx.conn, row.id)
    after = pairings(view, players)
    # It's done already, and undone again if it isn't agreed to.
    require_confirmation(_cost(tx, view, players, f"{' and '.join(after)} instead of {' and '.join(before)}."), agreed)
    tx.note("round.swap", row.words, before={"pairings": before}, after={"pairings": after}, reason=why)
    if row.phase is RoundPhase.OPEN:
        tx.invalidate(row)
        text = f"An organiser changed {row.words} by hand: {', '.join(after)}.{f' Reason: {why}' if why else ''}"
        tx.tell(text, kind=PAIRINGS_CHANGED, pings=_concerned(view, players))
    return view


def _label_again(tx: Transaction, row: RoundRow) -> RoundRow:
    """Note what people call a round and its matches and the first choices, after it was changed by hand."""
    ids = entrants.ids_of(tx.conn, tx.season.id)
    round_ = rules_season.one_round(tx.conn, row.id, {id_: name for name, id_ in ids.items()})
    name, labels = prepared.labelled(rules_season.load(tx.conn, tx.season.id), round_)
    for match, label in zip(matches.of_round(tx.conn, row.id), labels, strict=True):
        matches.change(tx.conn, match.id, **prepared.label_columns(label, ids))
    return rounds.change(tx.conn, row.id, name=name)


def _require_swappable(tx: Transaction, row: RoundRow, players: Sequence[EntrantRow]) -> None:
    """Raise unless two players have places to exchange, and nothing was reported in their matches."""
    gone = next((player for player in players if not player.active), None)
    if players[0].id == players[1].id:
        raise Invalid(f"Choose two different players: both are {players[0].called}.")
    if gone is not None:
        raise Conflict(f"{gone.called} has left the season and can't be paired.")
    their_matches = [matches.in_round(tx.conn, row.id, player.id) for player in players]
    if their_matches[0] == their_matches[1]:
        raise Invalid(f"{players[0].called} and {players[1].called} already play each other, or both have a bye.")
    if row.stage is Stage.FINALS and None in their_matches:
        raise Invalid("In the finals you can only swap opponents: choose two players who both have a match.")
    final, third = by_key(tx.season.format).final_and_third(rules_season.load(tx.conn, tx.season.id), row.number)
    names = {Name(player.name) for player in players}
    if final & names and third & names:
        raise Invalid(
            "The semi-finals decided who plays the final and who plays for third place. They can't change places."
        )
    for match in their_matches:
        if match is not None and match.state is not MatchState.OPEN:
            view = views.match_view(tx.conn, match.id)
            raise Conflict(f"{view.label}: {view.state_words}. Run /result clear first, then change the round.")


def _cost(tx: Transaction, view: RoundView, players: Sequence[EntrantRow], change: str) -> str:
    """Return what a swap that was made changes, who sees that, and who is told."""
    ids, words = {player.id for player in players}, view.round.words
    again = [match.pairing for match in view.matches if match.match.rematch and ids & {*match.match.players}]
    rematches = [f"{pairing} would be a rematch." for pairing in again]
    apart_ = [f"{pairing} would meet, though they're kept apart." for pairing in _kept_apart(tx, view, players)]
    checkers = f"Everyone who checks the season sees that an organiser changed {words}."
    people = amount(len(known(_concerned(view, players))), "player")
    notice = f"{people} will be told." if view.round.phase is RoundPhase.OPEN else "It's a preview, so no one is told."
    return " ".join([change, *rematches, *apart_, checkers, notice])


def _kept_apart(tx: Transaction, view: RoundView, players: Sequence[EntrantRow]) -> list[str]:
    """Return the matches of some players between people who are kept apart."""
    ids = {player.id for player in players}
    return [
        match.pairing
        for match in view.matches
        if ids & {*match.match.players}
        and apart.of_two(tx.conn, tx.league.id, match.upper.person_id, match.lower.person_id)
    ]


def pairings(view: RoundView, players: Sequence[EntrantRow]) -> list[str]:
    """Return the matches and byes of some players in words."""
    ids = {player.id for player in players}
    pairs = [match for match in view.matches if any(side.id in ids for side in match.sides)]
    named = [match.pairing for match in pairs]
    return [*named, *(f"bye for {bye.called}" for bye in view.byes if bye.id in ids)]


def _concerned(view: RoundView, players: Sequence[EntrantRow]) -> list[int | None]:
    """Return the Discord ids of the players and their opponents."""
    ids = {player.id for player in players}
    pairs = [match for match in view.matches if any(side.id in ids for side in match.sides)]
    byes = [bye.discord_id for bye in view.byes if bye.id in ids]
    return [*(side.discord_id for match in pairs for side in match.sides), *byes]


def _explain_swap(tx: Transaction, row: RoundRow, players: Sequence[EntrantRow], why: str | None) -> None:
    """Note in the changed matches that they were made by hand, and whether they are rematches."""
    season = rules_season.load(tx.conn, tx.season.id)
    met = meetings_before(season, row.number)
    people = views.people_of(tx.conn, tx.season)
    levels = _levels(tx, row, season)
    for player in players:
        match = matches.in_round(tx.conn, row.id, player.id)
        if match is None:
            continue
        upper, lower = (Name(people[side].name) for side in match.players)
        again, reason = met.between(upper, lower) is not None, f": {why}" if why else "."
        kept = any(kept.holds_in(row.number) and {*kept.players} == {upper, lower} for kept in season.apart)
        what = f"{', a rematch' if again else ''}{', though they are kept apart' if kept else ''}"
        words = f"An organiser paired {upper} v {lower} by hand{what}{reason}"
        reports.forget(tx.conn, [match.id])
        tx.retract_all(match, DECISION, CORRECTED, OPEN_AGAIN)
        tx.happened(MatchReseated(round=row, match=match))
        tier = levels[match.id]
        matches.save(tx.conn, replace(match, rematch=again, tier=tier, why=(words,), draws=(), agreed_at=None))
        if row.phase is RoundPhase.OPEN:
            _give_time(tx, views.match_view(tx.conn, match.id))


def _levels(tx: Transaction, row: RoundRow, season: Season) -> dict[MatchId, str]:
    """Return the levels of both players of each match of a round, by what was known when it was paired."""
    pairs, ids = matches.of_round(tx.conn, row.id), entrants.ids_of(tx.conn, tx.season.id)
    names = {id_: name for name, id_ in ids.items()}
    sides = [(names[match.upper_id], names[match.lower_id]) for match in pairs]
    levels = prepared.both_levels(as_of(season, row.number), row.stage, sides)
    return {match.id: tier for match, tier in zip(pairs, levels, strict=True)}


def _give_time(tx: Transaction, before: MatchView) -> None:
    """Give players who get another opponent when little is left of the round time to play, and tell them."""
    view = time_to_play.open_again(tx, before)
    if view.deadline != before.deadline:
        text = "You were paired just now, so you get time to play."
        transitions.tell_players(tx, view, text, decided=True, until=view.deadline)
