"""The cut: early places, run-off rounds, and tie-break rounds between equals at its last place.

See docs/formats/two-loss-out.md.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from bot.league.counting.draw import Purpose
from bot.league.counting.history import History
from bot.league.counting.meetings import Meetings
from bot.league.counting.standings import ranked
from bot.league.counting.tiebreaks import STRENGTH_OF_SCHEDULE
from bot.league.formats.two_loss_out.elimination import plays_again, rows_by_schedule, still_in
from bot.league.pairing import pair_list
from bot.league.pairing.drawn_byes import drawn_bye
from bot.league.pairing.in_short import tell
from bot.league.pairing.proposal import Bye, Proposal
from bot.league.pairing.reasons import Key, Reason, by_draw
from bot.league.season.in_words import spelled
from bot.league.season.model import Kind, Name, Round, Stage

MOST_TIEBREAK_ROUNDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """The players in the finals already (`qualified`), the others, and the places left for them."""

    qualified: tuple[Name, ...]
    others: tuple[Name, ...]
    left: int
    run_offs: bool
    """Whether nobody can qualify undefeated any more: the others play for the places left."""


def contest(history: History, cut: int) -> Contest:
    """Return who plays the next round for what: the undefeated qualify once they are half the cut or fewer."""
    alive, losses = still_in(history.active(), history), history.season.settings.losses
    undefeated = tuple(name for name in alive if history.records[name].losses == 0)
    early = bool(history.table_rounds) and losses > 1 and cut > 1 and 2 * len(undefeated) <= cut
    qualified = undefeated if early else ()
    others = tuple(name for name in alive if history.records[name].losses) if early else alive
    run_offs = early or (losses == 1 and bool(history.table_rounds))
    return Contest(qualified=qualified, others=others, left=cut - len(qualified), run_offs=run_offs)


def wins_to_be_early(history: History, undefeated: Collection[Name], cut: int) -> int:
    """Return after how many more wins the undefeated who are left are in; 0 where that can't be said.

    Each round leaves half of them, rounded up; one more where one of an even number can have the bye.
    """
    names, playing = {*undefeated}, history.table_rounds[-1:]
    open_ = [match for round_ in playing for match in round_.matches if match.kind is Kind.OPEN]
    met = {name for match in open_ for name in match.players}
    left, number, wins = len(names), len(history.table_rounds), 0
    if open_:
        left = len(names - met) + sum(not names.isdisjoint(match.players) for match in open_)
        wins = 1
    while 2 * left > cut or not wins:
        # The bye comes from the players with a loss while one of them has had none, of those the last round beat.
        bye = left % 2 == 0 and (bool(history.season.departures) or left - 2 <= number)
        after = (left + 1) // 2 + bye
        if after == left:
            return 0
        left, number, wins = after, number + 1, wins + 1
    return wins


def run_offs_over(history: History, cut: int) -> bool:
    """Whether the others are fewer than twice the places left, or one with a cut of 1; never before the first round."""
    if _tiebreak_rounds(history):
        return True
    if not history.table_rounds or plays_again(history):
        return False
    now = contest(history, cut)
    if cut == 1:
        return len(now.others) <= 1
    return now.run_offs and len(now.others) < 2 * now.left


Seeded = Sequence[tuple[Name, tuple[int, ...]]]
"""Players, best first, each with what ranks them before the draw: greater is better."""


def seeded(history: History, names: Iterable[Name]) -> Seeded:
    """Return these players by fewest losses, then SoS, then the tie-break rounds, then the draw."""
    rows, schedule = rows_by_schedule(history, names)
    lost = lost_tiebreaks(history)
    keys = {
        row.name: (-row.record.losses, schedule[row.name], *(-(row.name in losers) for losers in lost)) for row in rows
    }
    return [(row.name, keys[row.name]) for row in ranked(rows, lambda row: keys[row.name], history.table_draw)]


def lost_tiebreaks(history: History) -> tuple[frozenset[Name], ...]:
    """Return the losers of each tie-break round; winners and the bye rank above them."""
    return tuple(
        frozenset(name for match in round_.matches for name in match.winless) for round_ in _tiebreak_rounds(history)
    )


def equal_at_the_line(history: History, order: Seeded, cut: int) -> tuple[tuple[Name, ...], int] | None:
    """Return the players exactly equal at the last place, and their places; None where no tie-break round is due."""
    if cut == 1 or len(order) <= cut or len(_tiebreak_rounds(history)) >= MOST_TIEBREAK_ROUNDS:
        return None
    last_in = order[cut - 1][1]
    if order[cut][1] != last_in:
        return None
    above = sum(key > last_in for _, key in order)
    return tuple(name for name, key in order if key == last_in), cut - above


def _tiebreak_rounds(history: History) -> tuple[Round, ...]:
    return tuple(round_ for round_ in history.rounds if round_.stage is Stage.TIEBREAK)


def pair_tiebreak(history: History, equal: Sequence[Name], places: int) -> Proposal:
    """Return the round of players who are equal: by `draw(order)`, neighbours meet, rematches allowed."""
    draw = history.pairing_draw
    why = _equal_at_the_line(history, equal, places)
    byes = (_bye(history, equal, why),) if len(equal) % 2 else ()
    order = draw.sort(Purpose.ORDER, [name for name in equal if not byes or name != byes[0].name])
    pairs = pair_list(order, Meetings(), (by_draw(draw, Purpose.ORDER),), opening=lambda _: (why,))
    return Proposal(number=history.number, stage=Stage.TIEBREAK, pairs=pairs, byes=byes)


def _equal_at_the_line(history: History, equal: Sequence[Name], places: int) -> Reason:
    rows, _ = rows_by_schedule(history, equal)
    return Reason(
        f"A tie-break round by the draw, rematches allowed: {len(equal)} players are tied "
        f"(losses {rows[0].record.losses}, SoS {rows[0].tiebreaks[STRENGTH_OF_SCHEDULE]}), "
        f"for {spelled(places, 'place')} in the cut.",
        short=tell(f"A tie-break round: {len(equal)} players were tied for {spelled(places, 'place')} in the finals."),
    )


def _bye(history: History, equal: Sequence[Name], why: Reason) -> Bye:
    """Return the bye: the smallest draw among those with the fewest, earlier tie-break rounds included."""
    earlier = [name for round_ in _tiebreak_rounds(history) for name in round_.byes]
    byes = Key("byes", lambda name: history.records[name].byes + earlier.count(name))
    bye = drawn_bye(history.pairing_draw, equal, byes)
    return replace(bye, reasons=(why, *bye.reasons))
