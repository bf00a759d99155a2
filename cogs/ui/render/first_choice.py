"""Who has the first choice in a match, as a line of its private card."""

from bot.league.season.phases import MatchState
from bot.services.reads.details import Details
from cogs.ui.render.match_rows import name


def first_choice(found: Details) -> list[str]:
    """Return who goes first as far as the rules say it, until the match has its result."""
    if found.match.match.state is MatchState.CONFIRMED:
        return []
    told = [*_dice_off(found), *_later_games(found)]
    return [" ".join(told)] if told else []


def _dice_off(found: Details) -> list[str]:
    view = found.match
    holder = next((side for side in view.sides if side.id == view.match.dice_off_id), None)
    if holder is None:
        return []
    who = "You have" if holder == found.side else f"{name(holder)} has"
    return [f"{who} the first choice{'' if view.best_of == 1 else ' in game 1'}."]


def _later_games(found: Details) -> list[str]:
    return ["The loser of a game chooses who goes first in the next."] if found.loser_begins else []
