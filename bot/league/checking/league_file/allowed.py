"""What the rules of its season allow in a league file: results, late entries and returns."""

from collections.abc import Iterable
from typing import Any

from bot.league.coming_and_going import can_enter, can_return
from bot.league.errors import Invalid, InvalidFile
from bot.league.formats import by_key
from bot.league.season.choices import DiceOff
from bot.league.season.match_score import require_agreeing, require_possible, result_of
from bot.league.season.model import Kind, Match, Round, Season, Stage


def check(season: Season) -> None:
    """Raise InvalidFile where the season breaks its rules; the results of a recorded one are taken as they are."""
    _check_dice_offs(season)
    _check_scores(season)
    _check_format(season)
    if not by_key(season.format).paired:
        return
    for round_ in season.rounds:
        for index, match in _unlike(round_):
            _check_result(f"rounds[{round_.number - 1}].matches[{index}]", season, round_, match)
    _check_bracket(season)
    _check_third_place(season)
    _check_entries(season)
    _check_returns(season)


def require_field(season: Season) -> None:
    """Raise InvalidFile where no season can be played with those who take part."""
    for place, wrong in by_key(season.format).field_refusals(season):
        raise InvalidFile(wrong, place=place)


def _check_format(season: Season) -> None:
    try:
        by_key(season.format).check(season)
    except Invalid as wrong:
        raise InvalidFile(wrong.problem, place=wrong.place) from None


def _check_dice_offs(season: Season) -> None:
    if season.settings.dice_off is not DiceOff.OFF:
        return
    for round_ in season.rounds:
        for index, match in enumerate(round_.matches):
            if match.dice_off is not None:
                place = f"rounds[{round_.number - 1}].matches[{index}].dice_off"
                raise InvalidFile(
                    "the setting “dice_off” is off, so no match has one; take it out or fix the setting", place=place
                )


def _check_scores(season: Season) -> None:
    for round_ in season.rounds:
        for index, match in enumerate(round_.matches):
            if match.score is None:
                continue
            place = f"rounds[{round_.number - 1}].matches[{index}].score"
            if not season.settings.scores:
                raise InvalidFile(
                    "the setting “scores” is off, so no match has a score; take it out or fix the setting", place=place
                )
            try:
                require_agreeing(match.score, kind=match.kind, result=result_of(match, match.upper))
            except Invalid as wrong:
                raise InvalidFile(f"{wrong} The first player's comes first.", place=place) from None


def _unlike(round_: Round) -> Iterable[tuple[int, Match]]:
    """Return the matches of a round with their indices; before the finals, one of those that ended alike is enough."""
    if round_.stage is Stage.FINALS:
        return enumerate(round_.matches)
    first: dict[Any, tuple[int, Match]] = {}
    for index, match in enumerate(round_.matches):
        first.setdefault((match.kind, match.games, match.winner and match.winner == match.upper), (index, match))
    return first.values()


def _check_result(place: str, season: Season, round_: Round, match: Match) -> None:
    finals = round_.stage is Stage.FINALS
    if match.drawn and (round_.stage is not Stage.REGULAR or not season.settings.draws):
        raise InvalidFile("there are no draws here; name the winner", place=f"{place}.winner")
    if finals and match.kind is Kind.DOUBLE_LOSS:
        raise InvalidFile("in a bracket someone must go on, so there is no double loss; name the winner", place=place)
    if match.games is None:
        return
    result = None if match.kind is Kind.DOUBLE_LOSS else result_of(match, match.upper)
    best_of = _stated_best_of(season, round_, match)
    try:
        require_possible(match.games, kind=match.kind, result=result, best_of=best_of)
    except Invalid as wrong:
        raise InvalidFile(f"{wrong} The first player's games come first.", place=f"{place}.games") from None


def _stated_best_of(season: Season, round_: Round, match: Match) -> int | None:
    """Return the most games of a match, or None where neither the file nor the format says any."""
    format_ = by_key(season.format)
    key = format_.best_of_key(season, round_, match)
    best_of: int = getattr(season.settings, key)
    by_format = key != "best_of" and "final_best_of" in format_.defaults
    return best_of if best_of > 1 or by_format or key in season.settings.explicit else None


def _check_bracket(season: Season) -> None:
    """Refuse more rounds of finals than the bracket has that a file says."""
    finals = sum(round_.stage is Stage.FINALS for round_ in season.rounds)
    if season.bracket is not None and 1 << finals > len(season.bracket):
        raise InvalidFile("has too few slots for the finals that are played; write all of them", place="bracket")


def _check_third_place(season: Season) -> None:
    """Refuse a player of the final who was put against one of the match for third place by hand."""
    changed = [round_ for round_ in season.rounds if round_.by_hand is not None and round_.stage is Stage.FINALS]
    for round_ in changed if season.settings.third_place else ():
        final, third = by_key(season.format).final_and_third(season, round_.number)
        for index, match in enumerate(round_.matches):
            if final.intersection(match.players) and third.intersection(match.players):
                raise InvalidFile(
                    "a player of the final can't meet one of the match for third place; fix the players",
                    place=f"rounds[{round_.number - 1}].matches[{index}]",
                )


def _check_entries(season: Season) -> None:
    for index, entrant in enumerate(season.entrants):
        number, place = entrant.entered, f"players[{index}].entered"
        if not can_enter(season.settings, number):
            raise InvalidFile(
                f"no one can enter after round {season.settings.late_entry} (“late_entry”); fix the round", place=place
            )
        if number > 1 and _is_after_regular(season, number):
            raise InvalidFile(f"no one can enter after the regular stage, and round {number} is; fix it", place=place)


def _check_returns(season: Season) -> None:
    for index, departure in enumerate(season.departures):
        number, place = departure.rejoined, f"departures[{index}].rejoined"
        if number is None:
            continue
        if not can_return(season.settings):
            raise InvalidFile("no one can come back in this season (“rejoin” is never); take it out", place=place)
        if _is_after_regular(season, number):
            raise InvalidFile(
                f"no one can come back after the regular stage, and round {number} is; fix it", place=place
            )


def _is_after_regular(season: Season, number: int) -> bool:
    """Whether the regular stage was over already when someone came for this round.

    A round that was to be regular when they came can turn out to be one of the finals, because others left.
    """
    before = season.rounds[: number - 1]
    return bool(before) and before[-1].stage is not Stage.REGULAR
