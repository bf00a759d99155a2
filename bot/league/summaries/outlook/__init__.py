"""What each player of a season needs: in, out, or what their next match means (docs/formats/outlook.md)."""

from bot.league.bracket.match_names import in_sentence, round_of
from bot.league.counting.standings import Standing
from bot.league.formats import by_key
from bot.league.formats.shared.bracketed import BracketedFormat
from bot.league.formats.shared.staged import StagedFormat
from bot.league.season.model import Kind, Season
from bot.league.summaries.outlook.endings import MOST_RANKED
from bot.league.summaries.outlook.prospects import Outlook, Prospect, Verdict
from bot.league.summaries.outlook.to_the_cut import before_the_finals
from bot.league.summaries.outlook.words import after


def look_ahead(season: Season, verdicts_only: bool = False, *, most: int = MOST_RANKED) -> Outlook | None:
    """Return what every entrant needs; None before round 1 and for a season without rules.

    All endings are looked at if all their tables together have at most `most` places. Otherwise it says what can be
    proven, and unless `verdicts_only`, what each result of the next matches decides.
    """
    format_ = by_key(season.format)
    if not season.rounds or not isinstance(format_, BracketedFormat):
        return None
    if isinstance(format_, StagedFormat) and not season.finals_begun:
        return before_the_finals(format_, season, most, verdicts_only=verdicts_only)
    return in_the_bracket(format_, season)


def in_the_bracket(format_: BracketedFormat, season: Season) -> Outlook:
    """Return what every entrant needs once the bracket has begun."""
    left = _left_after_the_round(format_, season)
    playing = {name for match in season.rounds[-1].matches if match.kind is Kind.OPEN for name in match.players}
    players = {
        line.name: _playing(season, line, left) if line.name in playing else _waiting(line, left)
        for line in format_.standings(season)
    }
    return Outlook(exact=True, endings=0, players=players)


def _left_after_the_round(format_: BracketedFormat, season: Season) -> int:
    """Return how many places the bracket has after the last published round."""
    history = format_.before_finals(season)
    return len(format_.as_made(history).places) >> (len(season.rounds) - history.number + 1)


def _playing(season: Season, line: Standing, left: int) -> Prospect:
    if not line.status.inside:
        return _both("'re third", "'re fourth")
    third_place = season.settings.third_place and left == 2
    lost = "'re second" if left == 1 else " play for third place" if third_place else "'re out"
    return _both(f"'re {_where(left)}", lost)


def _both(won: str, lost: str) -> Prospect:
    words, about = (
        f"{after(pronoun, 'win')} {pronoun}{won}. {after(pronoun, 'lose')} {pronoun}{lost}."
        for pronoun in ("you", "they")
    )
    return Prospect(Verdict.OPEN, words, about)


def _waiting(line: Standing, left: int) -> Prospect:
    if line.status.inside:
        return Prospect(Verdict.IN, f"You're {_where(left)}.", f"They're {_where(left)}.")
    if line.place is None:
        return Prospect(Verdict.OUT, "You aren't in the finals.", "They aren't in the finals.")
    return Prospect(Verdict.OUT, "You're out of the finals.", "They're out of the finals.")


def _where(left: int) -> str:
    """Return where a player is once so many are left."""
    return "the champion" if left == 1 else f"in the {in_sentence(round_of(left))}"
