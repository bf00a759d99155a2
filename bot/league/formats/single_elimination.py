"""Single elimination: lose and you're out, seeded or drawn, byes in round 1 only.

See docs/formats/single-elimination.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bot.league.bracket.tree import Bracket, from_slots
from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.history import History
from bot.league.counting.meetings import Meetings
from bot.league.counting.standings import Row, ranked
from bot.league.errors import Invalid, PairingImpossible
from bot.league.formats.shared import words
from bot.league.formats.shared.base import Chapter, Rule
from bot.league.formats.shared.bracketed import BracketedFormat
from bot.league.pairing import pair_list
from bot.league.pairing.proposal import Next
from bot.league.pairing.reasons import MOST_LISTED, Key, Reason, by_draw
from bot.league.season.choices import Game, Rejoin, Seeding
from bot.league.season.in_words import first_few
from bot.league.season.model import Name, Season, Stage, Status
from bot.league.season.settings import GAMES, SeasonSettings

_NAMED = 3
"""How many players without a seed an error names."""
_UNSEEDED = 1 << 30
"""Sorts after every seed."""
_SEEDED = "Filled by seed, the best against the worst. Every player needs a seed."
_DRAWN = (
    "Neighbours in the drawn order meet, and matches and byes are numbered by the draw. "
    "The winner of match 1 meets the winner of the last match, and so on."
)

_LIGHTSEEKERS = Rule(
    Chapter.PEOPLE, "Lightseekers events use single elimination for four players or more; here two are enough."
)


class SingleElimination(BracketedFormat):
    """A bracket from the first round on (Lightseekers, 1v1 Events; KeyForge, Tournament Concepts)."""

    key = "single-elimination"
    title = "Single elimination"
    sentence = "only a bracket: lose and you're out"
    own_settings = ("seeding", "third_place")
    defaults = MappingProxyType({"rejoin": Rejoin.NEVER, "late_entry": 1})
    offers = MappingProxyType({"rejoin": ("never",), "late_entry": ("1",)})
    status_in_finals = Status.ACTIVE

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check the settings: nobody joins a bracket that has begun; raises Invalid.

        Every round is one of the finals, so `best_of` holds for them too unless they are given. A match of Lightseekers
        is best of three.
        """
        settings = super().read_settings(given)
        if settings.rejoin is Rejoin.FREE:
            raise Invalid("no one can come back into a bracket; leave it out, or use never", place="rejoin")
        if settings.late_entry != 1:
            raise Invalid("no one can join a bracket after round 1; leave it out, or use 1", place="late_entry")
        if "best_of" in given or settings.game is Game.LIGHTSEEKERS:
            default = settings.best_of if "best_of" in given else 3
            games: dict[str, Any] = dict.fromkeys((key for key in GAMES if key not in given), default)
            settings = replace(settings, **games)
        return replace(settings, rejoin=Rejoin.NEVER)

    def next_after(self, history: History) -> Next:
        """Return the next round; raises PairingImpossible while a result, or a seed of a seeded bracket, is missing."""
        season = history.season
        if not season.rounds and season.settings.seeding is Seeding.SEEDED:
            _require_seeds(season)
        return super().next_after(history)

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return every entrant at the start, by seed."""
        starters = frozenset(history.starters())
        return tuple(row.name for row in self.table(history) if row.name in starters)

    def seed_keys(self, history: History) -> tuple[Key, ...]:
        """Return the seeds, then the draw; nothing for a drawn bracket."""
        if history.season.settings.seeding is not Seeding.SEEDED:
            return ()
        seeds = {entrant.name: entrant.seed or _UNSEEDED for entrant in history.season.entrants}
        return Key("seed", seeds.__getitem__), by_draw(history.table_draw, Purpose.TIEBREAK)

    def first_bracket(self, history: History, finalists: Sequence[Name]) -> Bracket:
        """Return the standard bracket of the seeds, or the drawn one."""
        if history.season.settings.seeding is Seeding.SEEDED:
            return from_slots(finalists)
        return drawn_bracket(finalists, history.pairing_draw)

    def table(self, history: History) -> tuple[Row, ...]:
        """Return every entrant by seed, then by the draw."""
        return self._ranked(history, {})

    def final_table(self, history: History, bracket: Bracket) -> tuple[Row, ...]:
        """Return every entrant by the round reached, a third-place match included, then by seed, then by the draw.

        Players who are through have reached the next round while others still play this one.
        """
        rounds = history.season.rounds
        playing = len(rounds) if rounds and not rounds[-1].finished else len(rounds) + 1
        through = frozenset(bracket.standing() if playing == len(rounds) else ())

        def reached(name: Name) -> tuple[int, int]:
            if name in bracket.lost:
                return bracket.lost[name], -bracket.out[name]
            return playing + (name in through), 0

        return self._ranked(history, {name: reached(name) for name in bracket.slots})

    def _ranked(self, history: History, reached: Mapping[Name, tuple[int, int]]) -> tuple[Row, ...]:
        season = history.season
        records = History(season, stages=(Stage.FINALS,)).records
        seeds = {entrant.name: entrant.seed or _UNSEEDED for entrant in season.entrants}
        rows = (Row(record=record) for record in records.values())
        return ranked(rows, lambda row: (reached.get(row.name, (0, 0)), -seeds[row.name]), history.table_draw)

    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return what players ask first."""
        games, last = settings.finals_best_of, settings.final_best_of
        final = f", the final {words.best_of(last)}" if last != games else ""
        seeded = settings.seeding is Seeding.SEEDED
        return (
            f"Lose a match and you're out. You play {words.a_match(settings)} ({words.best_of(games)}{final}).",
            "The bracket is filled by seed." if seeded else "The bracket is drawn, and anyone can check the draw.",
            *(("The losers of the semi-finals play for third place.",) if settings.third_place else ()),
            words.results_in_short(settings, finals=True, bracket=True),
        )

    def in_words(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[Rule, ...]:
        """Return the rules of a season in plain words."""
        rounds = "" if entrants is None else f"{max(entrants - 1, 0).bit_length()}. "
        seeded = settings.seeding is Seeding.SEEDED
        third = " The losers of the semi-finals play for third place." if settings.third_place else ""
        return (
            Rule(Chapter.ROUNDS, f"{rounds}Lose a match and you're out.{third}", "Rounds"),
            *words.matches(replace(settings, best_of=settings.finals_best_of)),
            Rule(Chapter.ROUNDS, _SEEDED if seeded else _DRAWN, "Bracket"),
            Rule(
                Chapter.ROUNDS,
                f"In round 1, {'for the best seeds' if seeded else 'by the draw'}. Later only if an opponent has left.",
                "Byes",
            ),
            *words.results(settings, None, finals=True, bracket=True),
            Rule(
                Chapter.RESULTS,
                "There is no double loss: someone must go on. If both players leave, the next opponent has a bye.",
            ),
            Rule(Chapter.STANDINGS, "The round you reached, your seed if you have one, the draw.", "Tie-breaks"),
            *((_LIGHTSEEKERS,) if settings.game is Game.LIGHTSEEKERS else ()),
            *words.coming_and_going(settings, comes_back=False, enters_late=False, sits_out=""),
        )


def _require_seeds(season: Season) -> None:
    missing = [entrant.name for entrant in season.entrants if entrant.seed is None]
    if missing:
        raise PairingImpossible(
            f"a seeded bracket needs a seed for every player, but these have none: {first_few(missing, _NAMED)}; "
            "give everyone a seed (on Discord: Seeds, under /season settings), or use seeding drawn"
        )


def drawn_bracket(players: Sequence[Name], draw: Draw) -> Bracket:
    """Return the bracket: number i has slots i and P+1-i, so that match 1 meets the last in the next round."""
    if len(players) < 2:
        return from_slots(players)
    by_bye = draw.sort(Purpose.BYE, players)
    byes = (1 << (len(players) - 1).bit_length()) - len(players)
    order = draw.sort(Purpose.ORDER, by_bye[byes:])
    before = f"Byes in round 1: {byes} for {len(by_bye)} players, the smallest "
    excused = Reason(before, by_bye[: byes + 1], (by_draw(draw, Purpose.BYE),), size=len(by_bye))
    why: dict[tuple[Name, ...], tuple[Reason, ...]] = {(name,): (excused,) for name in by_bye[:byes]}
    why |= {pair.players: pair.reasons for pair in pair_list(order, Meetings(), (by_draw(draw, Purpose.ORDER),))}
    first = {draw.first(Purpose.MATCH, both): both for both in why}
    firsts = draw.sort(Purpose.MATCH, first)
    numbered = [first[name] for name in firsts]
    lowers = [both[1] if len(both) > 1 else None for both in numbered]
    bracket = from_slots([*(both[0] for both in numbered), *reversed(lowers)])
    notes: dict[tuple[Name, ...], tuple[Reason, ...]] = {}
    for number, both in enumerate(numbered, start=1):
        # They are sorted by the smaller draw of their players.
        before, few = f"It is number {number} of the matches and byes, sorted ", firsts[: min(number, MOST_LISTED) + 1]
        notes[both] = (*why[both], Reason(before, few, (by_draw(draw, Purpose.MATCH),), size=len(firsts)))
    return replace(bracket, notes=notes)
