"""Finals as all formats play them: the bracket, its rounds, its champion, statuses and places.

See docs/formats/shared.md.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from typing import ClassVar

from bot.league.bracket.match_names import BracketRound, RoundNames, match_of
from bot.league.bracket.tree import Bracket, Duel, after_round, as_played, duels, from_slots, third_place
from bot.league.bracket.whole_tree import TreeMatch, whole_tree
from bot.league.counting.history import History, once
from bot.league.counting.meetings import Meetings
from bot.league.counting.standings import Row, Standing
from bot.league.errors import PairingImpossible
from bot.league.formats.shared.base import Format
from bot.league.pairing.in_short import tell
from bot.league.pairing.proposal import Bye, Champion, Next, Pair, Proposal
from bot.league.pairing.reasons import Key, Reason
from bot.league.season.in_words import first_few
from bot.league.season.model import Kind, Name, Round, Season, Stage, Status

_NAMED = 3
"""How many open matches an error names."""
_SEASONS = 8
"""Of as many seasons, those asked about last, the history is kept: a page asks many questions of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseeding:
    """The first pairs of a bracket that aren't best against worst: `met` had met, so that they don't play.

    `by_rating` is whether opponents are chosen by more than places and who has met.
    """

    met: tuple[tuple[Name, Name], ...]
    by_rating: bool
    pairs: tuple[tuple[Name, Name], ...]


class BracketedFormat(Format):
    """A format that ends in a single-elimination bracket.

    A format says who enters it (`finalists`) and how the table is ranked (`table`), and, where it differs from the
    usual bracket, how that is filled and paired. `history` is always the season before the finals.
    """

    status_in_finals: ClassVar[Status] = Status.QUALIFIED
    """The status of players who are still in the bracket."""

    @abstractmethod
    def table(self, history: History) -> tuple[Row, ...]:
        """Return every entrant once, best first, with tie-breaks; the last one is `draw(tiebreak)` by `table_draw`."""

    @abstractmethod
    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return the players who enter the finals, in seed order."""

    @abstractmethod
    def seed_keys(self, history: History) -> tuple[Key, ...]:
        """Return what sorts the finalists; nothing where a draw fills the bracket."""

    def seed_in_words(self, history: History, name: Name) -> str:
        """Return what a finalist has their seed for, where that isn't only the place in the table."""
        return ""

    def first_bracket(self, history: History, finalists: Sequence[Name]) -> Bracket:
        """Return the bracket as it is made; by default the standard one, seed s against P+1-s."""
        return from_slots(finalists)

    def reseeding(self, history: History, finalists: Sequence[Name]) -> Reseeding | None:
        """Return how the first pairs differ from best against worst, and why; by default they don't."""
        return None

    def rearrange_first(self, history: History, bracket: Bracket, planned: Sequence[Duel]) -> tuple[Duel, ...]:
        """Return the duels of the first round of the bracket; by default by the smaller first slot."""
        return tuple(planned)

    def rearrange(self, history: History, number: int, bracket: Bracket, planned: Sequence[Duel]) -> tuple[Duel, ...]:
        """Return the duels of a later round of the bracket; by default by their numbers, match 1 first."""
        return tuple(sorted(planned, key=lambda duel: duel.place))

    def bracket_meetings(self, season: Season, number: int) -> Meetings:
        """Return the meetings that make a match of bracket round `number` a rematch; by default none count."""
        return Meetings()

    def final_table(self, history: History, bracket: Bracket) -> tuple[Row, ...]:
        """Return every entrant once, best first, once there is a bracket; by default the table of the cut."""
        return self.table(history)

    # -- the next round ----------------------------------------------------------------------------------------------

    def history(self, season: Season, *, before: int | None = None, earlier: History | None = None) -> History:
        """Return what happened in the regular stage before round `before`, or so far; `earlier` as in `History`."""
        return History(season, before=before, earlier=earlier)

    def before_finals(self, season: Season, earlier: History | None = None) -> History:
        """Return the season before the first round of its finals: all of it where they have not begun."""
        if earlier is None:
            return _counted(self, _Itself(season))
        return self.history(season, before=_first_of_finals(season), earlier=earlier)

    def next_after(self, history: History) -> Next:
        """Return what comes after the season's rounds; raises PairingImpossible while a result is missing."""
        if self.needs_results(history):
            require_results(history)
        return self.next_before_finals(history) or self._next_in_finals(history, self._bracket(history))

    def needs_results(self, history: History) -> bool:
        """Whether every match must have its result before anything comes next."""
        return True

    def next_before_finals(self, history: History) -> Next | None:
        """Return the next round of the regular stage, or the season's end without finals; None once finals are due."""
        return None

    def _next_in_finals(self, history: History, bracket: Bracket) -> Champion | Proposal:
        season, number = history.season, len(history.season.rounds) + 1
        in_play = _still_in(history, bracket)
        if bracket.decided or len(in_play) < 2:
            return Champion(name=in_play[0] if in_play else None)
        planned = self._planned(history, bracket, number)
        if season.settings.third_place:
            planned += third_place(bracket, lambda name: history.is_active(name, at=number))
        met = self.bracket_meetings(season, number)
        first = number == history.number
        pairs = (_pair(bracket, duel, duel.lower, met) for duel in planned if duel.lower is not None)
        byes = (_bye(bracket, duel) for duel in planned if duel.lower is None)
        return Proposal(
            number=number,
            stage=Stage.FINALS,
            pairs=tuple(self._with_seeds(history, bracket, pair) for pair in pairs) if first else tuple(pairs),
            byes=tuple(
                replace(bye, reasons=(*self._how_filled(history, bracket, [bye.name]), *bye.reasons)) if first else bye
                for bye in byes
            ),
        )

    def _with_seeds(self, history: History, bracket: Bracket, pair: Pair) -> Pair:
        return replace(pair, why=lambda: (*self._how_filled(history, bracket, pair.players), *pair.reasons))

    def _how_filled(self, history: History, bracket: Bracket, players: Sequence[Name]) -> tuple[Reason, ...]:
        """Return why the players have the slots of the first round that they have, in short those of a match."""
        if history.season.bracket is not None:
            return (Reason("The bracket stands as it was when a player was forgotten."),)
        keys = self.seed_keys(history)
        each = [(name, words) for name in players if (words := self.seed_in_words(history, name))]
        reasons = [tell(f"Seed {bracket.slot(name)}, {words}: {{a}}.", a=name) for name, words in each]
        short = tuple(
            chain.from_iterable((*(("= ",) if number else ()), *pieces) for number, pieces in enumerate(reasons))
        )
        return (Reason("Seeds, ", self.finalists(history), keys, short=short),) if keys else ()

    def _bracket(self, history: History) -> Bracket:
        """Return the bracket after every published round of the finals."""
        bracket = self.as_made(history)
        played = self._played(history, bracket)
        return after_round(*played[-1]) if played else bracket

    def entering(self, history: History) -> tuple[Name, ...]:
        """Return who entered the bracket, or would now, in seed order; where it was kept, by slot."""
        kept = history.season.bracket
        return self.finalists(history) if kept is None else tuple(name for name in kept if name is not None)

    @once
    def as_made(self, history: History) -> Bracket:
        """Return the bracket before its first round: as it was kept when a player was forgotten, else by the rules."""
        kept = history.season.bracket
        return self.first_bracket(history, self.finalists(history)) if kept is None else from_slots(kept)

    def _played(self, history: History, bracket: Bracket) -> tuple[BracketRound, ...]:
        """Return the published rounds of the finals."""
        played: list[BracketRound] = []
        for round_ in history.season.rounds[history.number - 1 :]:
            if bracket.decided:
                break
            planned = self._planned(history, bracket, round_.number)
            played.append(BracketRound(bracket, as_played(bracket, planned, round_), round_))
            bracket = after_round(*played[-1])
        return tuple(played)

    def plays_finals(self, season: Season) -> bool:
        """Return whether the season has finals, or will have them with the players it has now."""
        return True

    def tree(self, season: Season) -> tuple[TreeMatch, ...]:
        """Return the whole bracket of the finals once they have begun."""
        history = self.before_finals(season)
        if history.number > len(season.rounds):
            return ()
        first = self.as_made(history)
        return whole_tree(first, self._played(history, first), third_place=season.settings.third_place)

    def drawn_places(self, season: Season) -> Mapping[Name, str]:
        """Return the players of the table who are tied with a neighbour in everything but the draw, with its texts."""
        history = self.before_finals(season)
        *keys, draw = self.seed_keys(history) or (None,)
        rows = self.table(history)
        if draw is None or draw.text is None or history.number <= len(season.rounds):
            return {}
        values = {row.name: (row.record.wins, *(key.of(row.name) for key in keys if key)) for row in rows}
        tied = (both for both in pairwise(row.name for row in rows) if values[both[0]] == values[both[1]])
        return {name: draw.text(name) for both in tied for name in both}

    def first_slots(self, season: Season) -> tuple[Name | None, ...]:
        """Return the players by first slot of a bracket that has begun, None for an empty slot; nothing without one."""
        history = self.before_finals(season)
        return self.as_made(history).places if history.number <= len(season.rounds) else ()

    def final_and_third(self, season: Season, number: int) -> tuple[frozenset[Name], frozenset[Name]]:
        """Return who plays the final and who plays for third place in a round; nobody where it isn't that round."""
        history = self.before_finals(replace(season, rounds=season.rounds[: number - 1]))
        bracket = self._bracket(history) if season.settings.third_place else from_slots(())
        if len(bracket.places) != 2:
            return super().final_and_third(season, number)
        return frozenset(bracket.standing()), frozenset(name for name, place in bracket.out.items() if place == 3)

    def seeds(self, season: Season) -> Mapping[Name, int]:
        """Return the seed of each player in the finals; nothing where a draw fills the bracket."""
        history = self.before_finals(season)
        return self.as_made(history).slots if self.seed_keys(history) else {}

    def round_names(self, season: Season) -> tuple[RoundNames, ...]:
        """Return what people call each round of a season and its matches."""
        named, history = super().round_names(season), self.before_finals(season)
        before = named[: history.number - 1]
        if len(before) == len(named):
            return named
        finals = [stage.names for stage in self._played(history, self.as_made(history))]
        return (*before, *finals, *named[len(before) + len(finals) :])

    def _planned(self, history: History, bracket: Bracket, number: int) -> tuple[Duel, ...]:
        """Return the duels of bracket round `number` as the rules say, without the one for third place."""
        planned = duels(bracket, lambda name: history.is_active(name, at=number))
        if number == history.number:
            return self.rearrange_first(history, bracket, planned)
        return self.rearrange(history, number, bracket, planned)

    # -- the standings -----------------------------------------------------------------------------------------------

    def standings(self, season: Season) -> tuple[Standing, ...]:
        """Return every entrant once, best first, as of now."""
        history = self.before_finals(season)
        return self.standings_before_finals(history) or self._standings_in_finals(history)

    def standings_before_finals(self, history: History) -> tuple[Standing, ...] | None:
        """Return the standings until finals are due, then None."""
        return None

    def _standings_in_finals(self, history: History) -> tuple[Standing, ...]:
        bracket = self._as_of_now(history, self._bracket(history))
        inside = [name for name in bracket.slots if name not in bracket.lost and history.is_active(name)]
        alone = len(inside) == 1 and all(round_.finished for round_ in history.season.rounds)
        champion = inside[0] if alone else None
        status = dict.fromkeys(inside, self.status_in_finals)

        def place(name: Name) -> int | None:
            return 1 if name == champion and bracket.out else bracket.out.get(name)

        return self.numbered(self.final_table(history, bracket), history, status, champion, place)

    def _as_of_now(self, history: History, bracket: Bracket) -> Bracket:
        """Return the bracket with the players who left since the last finished round as losers of the next one."""
        season, number = history.season, len(history.season.rounds) + 1
        if bracket.decided or not all(round_.finished for round_ in season.rounds):
            return bracket
        planned = self._planned(history, bracket, number)
        return after_round(bracket, planned, Round(number=number, stage=Stage.FINALS))


class _Itself:
    """A season that is equal to itself alone: to compare two takes longer than to count one."""

    def __init__(self, season: Season) -> None:
        self.season = season

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.season is self.season

    def __hash__(self) -> int:
        return id(self.season)


@lru_cache(maxsize=_SEASONS)
def _counted(format_: BracketedFormat, itself: _Itself) -> History:
    return format_.history(itself.season, before=_first_of_finals(itself.season))


def _first_of_finals(season: Season) -> int | None:
    return next((round_.number for round_ in season.rounds if round_.stage is Stage.FINALS), None)


def _still_in(history: History, bracket: Bracket) -> list[Name]:
    """Return the players still in the bracket before the next round; the winner of its last match stays in for good."""
    number = len(history.season.rounds) + 1
    won = bracket.decided and number > history.number
    return [name for name in bracket.standing() if won or history.is_active(name, at=number)]


def require_results(history: History) -> None:
    """Raise PairingImpossible where a match has no result."""
    for round_ in history.season.rounds[len(history.rounds) if history.finished else 0 :]:
        open_ = [match for match in round_.matches if match.kind is Kind.OPEN]
        if open_:
            named = first_few([f"{match.upper} v {match.lower}" for match in open_], _NAMED)
            raise PairingImpossible(
                f"round {round_.number} has matches without a result: {named}; enter their results first, "
                f"then the next round can be paired"
            )


def _pair(bracket: Bracket, duel: Duel, lower: Name, met: Meetings) -> Pair:
    upper, slot = duel.upper, bracket.slot
    both = {"a": upper, "b": lower}
    third = tell("{a} and {b} lost their semi-finals, so they play for third place.", **both)
    reasons = (Reason(f"Match for third place: {upper} and {lower} lost their semi-finals.", short=third),)
    if duel.place:
        notes = bracket.notes.get((upper, lower), ())
        short = tell("The bracket brings {a} and {b} together.", **both)
        if notes or any(piece.startswith("@") for reason in duel.reasons for piece in reason.short):
            short = ()
        elif not bracket.lost:
            best = f"The best seeds meet the worst: {{a}} ({slot(upper)}) and {{b}} ({slot(lower)})."
            short = tell(best, **both)
        match = f"{match_of(len(bracket.places))}: {upper} (slot {slot(upper)}) meets {lower} (slot {slot(lower)})."
        reasons = (Reason(match, short=short), *notes, *duel.reasons)
    return Pair(upper=upper, lower=lower, why=lambda: reasons, rematch=met.between(upper, lower) is not None)


def _bye(bracket: Bracket, duel: Duel) -> Bye:
    missing = f"{duel.absent} left the season" if duel.absent else "the slot opposite is empty"
    because = "{b} had left the season" if duel.absent else "the slot opposite was empty"
    both = {"a": duel.upper, "b": duel.absent or duel.upper}
    if not duel.place:
        third = tell(f"Third place went to {{a}}, because {because}.", **both)
        return Bye(
            name=duel.upper, reasons=(Reason(f"Third place goes to {duel.upper}, because {missing}.", short=third),)
        )
    slot = f"{duel.upper} (slot {bracket.slot(duel.upper)})"
    reason = Reason(
        f"{match_of(len(bracket.places))}: {slot} has a bye, because {missing}.",
        short=tell(f"In the bracket {{a}} had a bye, because {because}.", **both),
    )
    notes = () if bracket.lost else bracket.notes.get((duel.upper,), ())
    return Bye(name=duel.upper, reasons=(reason, *notes))
