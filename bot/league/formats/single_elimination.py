"""Single elimination: lose and you are out, seeded or drawn, byes in round 1 only (docs/rules.md, 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bot.league.bracket.drawn import drawn_bracket
from bot.league.bracket.tree import Bracket, standard
from bot.league.errors import Invalid, PairingImpossible
from bot.league.formats.base import Summary
from bot.league.formats.staged import StagedFormat
from bot.league.formats.words import bracket_match_rule, common_rules, counted, games_in_short
from bot.league.history import History
from bot.league.model import Name, Season, Stage, Status
from bot.league.proposal import Next, Proposal
from bot.league.settings import SeasonSettings
from bot.league.standings import Row, pairing_draw, ranked, table_draw

_TOLD = 3
_UNSEEDED = 1 << 30
"""Sorts after every seed."""
_SEEDED = (
    "The bracket is filled by seed: best against worst, and byes, in round 1 only, for the best seeds. "
    "Every player needs a seed."
)
_DRAWN = (
    "The bracket is drawn: byes, in round 1 only, by the draw, then neighbours in the drawn order meet. Matches and "
    "byes get their numbers by the draw too; the winner of match 1 meets the winner of the last match, and so on."
)


class SingleElimination(StagedFormat):
    """A bracket from the first round on (Lightseekers, 1v1 Events; KeyForge, Tournament Concepts)."""

    key = "single-elimination"
    title = "Single elimination"
    document = "Lightseekers: 1v1 Events"
    own_settings = ("seeding", "third_place")
    defaults = MappingProxyType({"rejoin": "never", "late_entry": 1})
    status_in_finals = Status.ACTIVE

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check the settings: nobody joins a bracket that has begun; raises Invalid.

        Every round is one of the finals, so a `best_of` that was said holds for them where nothing else is said.
        """
        settings = super().read_settings(given)
        if "best_of" in given:
            unsaid = [key for key in ("finals_best_of", "final_best_of") if key not in given]
            settings = replace(settings, **dict.fromkeys(unsaid, settings.best_of))
        if settings.rejoin == "free":
            raise Invalid("rejoin: nobody comes back into a bracket; leave it out, or use never")
        if settings.late_entry != 1:
            raise Invalid("late_entry: nobody enters a bracket after round 1; leave it out, or use 1")
        return replace(settings, rejoin="never")

    def next_round(self, season: Season) -> Next:
        """Return the next round; raises PairingImpossible while a result, or a seed of a seeded bracket, is missing."""
        if not season.rounds and season.settings.seeding == "seeded":
            _require_seeds(season)
        return super().next_round(season)

    def stage_over(self, history: History) -> bool:
        """Whether the bracket begins: at once, there is no regular stage."""
        return True

    def regular_next(self, history: History) -> Proposal:
        """Return the first round; never asked, since there is no regular stage."""
        raise AssertionError("single elimination has no regular stage")

    def cut_size(self, history: History) -> int:
        """Return how many enter the bracket: everybody at the start."""
        return len(history.starters())

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return everybody at the start, by seed."""
        starters = frozenset(history.starters())
        return tuple(row.name for row in self.table(history) if row.name in starters)

    def first_bracket(self, history: History, finalists: Sequence[Name]) -> Bracket:
        """Return the standard bracket of the seeds, or the drawn one."""
        if history.season.settings.seeding == "seeded":
            return standard(finalists)
        return drawn_bracket(finalists, pairing_draw(history))

    def has_third_place_match(self, season: Season) -> bool:
        """Whether the setting asks for it."""
        return season.settings.third_place

    def table(self, history: History) -> tuple[Row, ...]:
        """Return everybody by seed, then by the draw."""
        return self._ranked(history, {})

    def final_table(self, history: History, bracket: Bracket) -> tuple[Row, ...]:
        """Return everybody by the round reached, a third-place match included, then by seed, then by the draw.

        Who is through has reached the next round while others still play this one.
        """
        rounds = history.season.rounds
        playing = len(rounds) if rounds and not rounds[-1].finished else len(rounds) + 1
        through = frozenset(bracket.standing() if playing == len(rounds) else ())

        def reached(name: Name) -> tuple[int, int]:
            if name in bracket.lost:
                return bracket.lost[name], -bracket.out[name]
            return playing + (name in through), 0

        return self._ranked(history, {name: reached(name) for name in bracket.slots})

    def rules(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return the season's rules in plain words."""
        rounds = "" if entrants is None else f" {counted(max(entrants - 1, 0).bit_length(), 'round').capitalize()}."
        return (
            f"Single elimination: lose and you are out.{rounds}",
            bracket_match_rule(settings),
            _SEEDED if settings.seeding == "seeded" else _DRAWN,
            "Standings: the round you reached, then your seed if you have one, then the draw.",
            *(("The losers of the semi-finals play for third place.",) if settings.third_place else ()),
            "There is no double loss: somebody has to go on. When both of a match left, the next opponent has a bye.",
            *common_rules(settings, comes_back=False, enters_late=False),
        )

    def summary(self, settings: SeasonSettings, entrants: int | None = None) -> Summary:
        """Return rounds, games of a match, bracket, byes and tie-breaks in a few words each."""
        seeded = settings.seeding == "seeded"
        rounds = "" if entrants is None else f"{max(entrants - 1, 0).bit_length()}; "
        third = ", and a match for third place" if settings.third_place else ""
        return (
            ("Rounds", f"{rounds}single elimination: lose and you are out{third}"),
            ("Matches", games_in_short(replace(settings, best_of=settings.finals_best_of))),
            ("Cut", "none; everybody is in the bracket, " + ("filled by seed" if seeded else "which is drawn")),
            ("Byes", "in round 1 only, " + ("to the best seeds" if seeded else "by the draw")),
            ("Tie-breaks", "the round reached, your seed if you have one, the draw"),
        )

    def _ranked(self, history: History, reached: Mapping[Name, tuple[int, int]]) -> tuple[Row, ...]:
        season = history.season
        records = History(season, stages=(Stage.FINALS,)).records
        seeds = {entrant.name: entrant.seed or _UNSEEDED for entrant in season.entrants}
        rows = (Row(record=record) for record in records.values())
        return ranked(rows, lambda row: (reached.get(row.name, (0, 0)), -seeds[row.name]), table_draw(history))


def _require_seeds(season: Season) -> None:
    missing = [entrant.name for entrant in season.entrants if entrant.seed is None]
    if missing:
        named = ", ".join(missing[:_TOLD]) + (f" and {len(missing) - _TOLD} more" if len(missing) > _TOLD else "")
        raise PairingImpossible(
            f"a seeded bracket needs a seed for every player, and there is none for {named}; "
            "give everybody a seed (on Discord: /player seed), or use seeding drawn"
        )
