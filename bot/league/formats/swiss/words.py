"""The rules of both Swiss formats in plain words."""

from bot.league.formats import words
from bot.league.formats.base import Rule
from bot.league.settings import SeasonSettings

_BRACKET = Rule(
    "Match 1 of the finals is the best seed against the worst, match 2 the second best against the second worst, and "
    "so on. Then the winner of match 1 meets the winner of the last match."
)
_KEYFORGE_BYES = (
    "Drawn in round 1. After that it goes to the lowest in the standings of the players with the fewest byes."
)
_KEYFORGE_TIEBREAKS = (
    Rule("Strength of schedule, extended strength of schedule, the draw.", "Tie-breaks"),
    Rule(
        "Standings go by points, then the tie-breaks. Strength of schedule is the average of your opponents' points "
        "per round. Extended strength of schedule is the average of their strengths of schedule."
    ),
)
_LOSER_CHOOSES = Rule("In a match of several games, the loser of a game chooses who goes first in the next.")
_LIGHTSEEKERS_BYES = "Drawn among the players with the fewest byes and, of those, the fewest wins."
_LIGHTSEEKERS_TIEBREAKS = (
    Rule("Wins of the players you beat, game wins, game win percentage, the organiser, the draw.", "Tie-breaks"),
    Rule(
        "Standings go by wins, then the tie-breaks. Byes add nothing to those. If a complete tie matters for the "
        "finals or the title, the organiser puts the players in order or calls a tie-break match."
    ),
)


def keyforge(settings: SeasonSettings, rounds: int | None, cut: int | None, entrants: int | None) -> tuple[Rule, ...]:
    """Return the rules of a KeyForge season; `rounds` and `cut` are None before the table gives them."""
    several = max(settings.best_of, settings.finals_best_of, settings.final_best_of) > 1
    return (
        *_opening(settings, rounds, cut, entrants),
        _points(settings),
        Rule(_KEYFORGE_BYES, "Byes"),
        *_KEYFORGE_TIEBREAKS,
        *_pairing(settings, cut, unit="points"),
        *((_LOSER_CHOOSES,) if several else ()),
        *words.coming_and_going(settings),
    )


def lightseekers(
    settings: SeasonSettings, rounds: int | None, cut: int | None, entrants: int | None, *, fewest: int
) -> tuple[Rule, ...]:
    """Return the rules of a Lightseekers season, which needs `fewest` players, as `keyforge` does."""
    return (
        *_opening(settings, rounds, cut, entrants),
        Rule(_LIGHTSEEKERS_BYES, "Byes"),
        *_LIGHTSEEKERS_TIEBREAKS,
        *_pairing(settings, cut, unit="wins"),
        Rule(f"The season needs at least {words.counted(fewest, 'player')}."),
        *words.coming_and_going(settings),
    )


def _opening(settings: SeasonSettings, rounds: int | None, cut: int | None, entrants: int | None) -> tuple[Rule, ...]:
    played = (
        "3 for 5 to 8 players, and one more each time the field doubles." if rounds is None else f"{rounds} of Swiss."
    )
    table = Rule(
        "With 9 players or more the best 4 go on to single elimination; with 33 or more the best 8, "
        "with 129 or more 16.",
        "Cut",
    )
    return (
        Rule(f"{played} No one is eliminated in them.", "Rounds"),
        words.matches(settings, finals=cut != 0),
        table if cut is None else words.cut(cut, entrants),
    )


def _pairing(settings: SeasonSettings, cut: int | None, *, unit: str) -> tuple[Rule, ...]:
    group = Rule(
        f"You meet someone with as many {unit} as you. A group with an odd number sends one player down to the next "
        "group; a group that can't avoid a rematch joins the next. You won't meet the same opponent twice before "
        "the finals if that can be avoided."
    )
    return (group,) if cut == 0 else (group, _BRACKET, words.replaced(settings))


def _points(settings: SeasonSettings) -> Rule:
    points = settings.points
    draw = f"draw {points.draw}, " if settings.draws else ""
    return Rule(f"Win {points.win}, {draw}loss {points.loss}, bye {points.bye}.", "Points")
