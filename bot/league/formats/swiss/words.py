"""The rules of both Swiss formats in plain words."""

from collections.abc import Collection

from bot.league.counting.tiebreaks import TiebreakName
from bot.league.formats.shared import words
from bot.league.formats.shared.base import Chapter, Rule
from bot.league.season.choices import Game
from bot.league.season.in_words import spelled
from bot.league.season.settings import SeasonSettings, has_finals

_BRACKET = Rule(
    Chapter.FINALS,
    "Match 1 of the finals is the best seed against the worst, match 2 the second best against the second worst, and "
    "so on. Then the winner of match 1 meets the winner of the last match. So seeds 1 and 2 can only meet in the "
    "final, and the best four not before the semi-finals. Rematches are possible.",
)
_KEYFORGE_BYES = (
    "Drawn in round 1. After that it goes to the lowest in the standings of the players with the fewest byes."
)
_KEYFORGE_STANDINGS = Rule(
    Chapter.STANDINGS,
    "Standings go by points, then the tie-breaks. Strength of schedule is the average of your opponents' points "
    "per round. Extended strength of schedule is the average of their strengths of schedule.",
)
_LIGHTSEEKERS_BYES = "Drawn among the players with the fewest byes and, of those, the fewest wins."
_LIGHTSEEKERS_STANDINGS = Rule(
    Chapter.STANDINGS,
    "Standings go by wins, then the tie-breaks. Byes add nothing to those; a win by forfeit counts as the fewest "
    "games that win a match. If a complete tie matters for the finals or the title, the organiser puts exactly "
    "those players in order or calls a tie-break match.",
)


def keyforge(
    settings: SeasonSettings,
    rounds: int | None,
    cut: int | None,
    entrants: int | None,
    *,
    tiebreaks: Collection[TiebreakName],
) -> tuple[Rule, ...]:
    """Return the rules of a KeyForge season; `rounds` and `cut` are None before the table gives them."""
    return (
        *_opening(settings, Game.KEYFORGE, rounds, cut),
        Rule(Chapter.ROUNDS, _KEYFORGE_BYES, "Byes"),
        _pairing("points"),
        *words.results(settings, Game.KEYFORGE, finals=has_finals(cut)),
        _points(settings),
        words.tiebreaks(tiebreaks, "the draw"),
        _KEYFORGE_STANDINGS,
        *_finals(settings, cut, entrants),
        *words.coming_and_going(settings),
    )


def lightseekers(
    settings: SeasonSettings,
    rounds: int | None,
    cut: int | None,
    entrants: int | None,
    *,
    fewest: int,
    tiebreaks: Collection[TiebreakName],
) -> tuple[Rule, ...]:
    """Return the rules of a Lightseekers season, which needs `fewest` players, as `keyforge` does."""
    return (
        *_opening(settings, Game.LIGHTSEEKERS, rounds, cut),
        Rule(Chapter.ROUNDS, _LIGHTSEEKERS_BYES, "Byes"),
        _pairing("wins"),
        *words.results(settings, Game.LIGHTSEEKERS, finals=has_finals(cut)),
        words.tiebreaks(tiebreaks, "the organiser", "the draw"),
        _LIGHTSEEKERS_STANDINGS,
        *_finals(settings, cut, entrants),
        Rule(Chapter.PEOPLE, f"The season needs at least {spelled(fewest, 'player')}."),
        *words.coming_and_going(settings),
    )


def in_short(
    settings: SeasonSettings, rounds: int | None, cut: int | None, entrants: int | None, *, unit: str, ties: str
) -> tuple[str, ...]:
    """Return what players ask first; `unit` is what a score counts, `ties` what breaks ties."""
    by_field = "Everyone plays every round: 3 rounds with 8 players, 4 with 16"
    many = by_field if rounds is None else f"Everyone plays {spelled(rounds, 'round')}"
    return (
        f"{many}, {words.a_match(settings)} ({words.best_of(settings.best_of)}). You meet players "
        f"with as many {unit} as you.",
        words.finals_in_short(settings, cut, entrants, usually="With 9 players or more the best 4, 8 or 16"),
        words.results_in_short(settings, finals=has_finals(cut)),
        f"Equal? {ties}",
    )


def _opening(settings: SeasonSettings, game: Game, rounds: int | None, cut: int | None) -> tuple[Rule, ...]:
    by_field = "3 for 5 to 8 players, and one more each time the field doubles"
    return (
        Rule(Chapter.ROUNDS, f"{rounds or by_field}. Everyone plays all of them.", "Rounds"),
        *words.matches(settings, game, finals=cut != 0),
    )


def _pairing(unit: str) -> Rule:
    return Rule(
        Chapter.ROUNDS,
        f"You meet someone with as many {unit} as you. A group with an odd number sends one player down to the next "
        "group; a group that can't avoid a rematch joins the next. You meet the same opponent twice before the "
        "finals only if no pairing of the round avoids it.",
    )


def _finals(settings: SeasonSettings, cut: int | None, entrants: int | None) -> tuple[Rule, ...]:
    table = Rule(
        Chapter.FINALS,
        "With 9 players or more the best 4 go on to the finals; with 33 or more the best 8, with 129 or more 16. "
        "Lose a match there and you're out.",
        "Cut",
    )
    size = table if cut is None else words.cut(cut, entrants)
    return (size,) if cut == 0 else (size, _BRACKET, words.replaced(settings))


def _points(settings: SeasonSettings) -> Rule:
    points = settings.points
    draw = f"draw {points.draw}, " if settings.draws else ""
    return Rule(Chapter.STANDINGS, f"Win {points.win}, {draw}loss {points.loss}, bye {points.bye}.", "Points")
