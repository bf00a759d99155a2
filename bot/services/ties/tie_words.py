"""A tie in plain words."""

from collections.abc import Sequence

from bot.league.formats.swiss.organiser_ties import Tie
from storage.rows import TieRow


def in_order(names: Sequence[str]) -> str:
    """Return players who were equal as they were ordered, the best first."""
    return ", then ".join(names)


def tie_words(tie: Tie | TieRow) -> str:
    """Return who is equal for what, in plain words."""
    names = ", ".join(tie.names[:-1]) + f" and {tie.names[-1]}"
    places = f"{tie.first} {'and' if len(tie.names) == 2 else 'to'} {tie.first + len(tie.names) - 1}"
    at_stake = f"the finals have room for {tie.going_on}" if tie.going_on else "the first wins the season"
    return f"{names} are equal in everything, for places {places}; {at_stake}."
