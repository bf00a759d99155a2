"""Why two players meet in a bracket, or one has a bye."""

from bot.league.model import Name
from bot.league.reasons import Reason


def bracket_match(upper: Name, lower: Name, slots: tuple[int, int], players: int) -> Reason:
    """Tell the places of two players in the bracket; `players` is how many places this round has."""
    return Reason(f"{_round_name(players)}: {upper} (slot {slots[0]}) meets {lower} (slot {slots[1]}).")


def bracket_bye(name: Name, slot: int, players: int, absent: Name | None) -> Reason:
    """Tell that a player has no opponent: the slot was never filled, or its player left."""
    missing = f"{absent} left the season" if absent else "the slot opposite is empty"
    return Reason(f"{_round_name(players)}: {name} (slot {slot}) has a bye, because {missing}.")


def third_place_match(name: Name, opponent: Name) -> Reason:
    """Tell why two players play for third place."""
    return Reason(f"Match for third place: {name} and {opponent} lost their semi-finals.")


def third_place_bye(name: Name, absent: Name) -> Reason:
    """Tell why a player is third without playing."""
    return Reason(f"Third place goes to {name}, because {absent} left the season.")


def _round_name(players: int) -> str:
    names = {2: "Final", 4: "Semi-final", 8: "Quarter-final"}
    return names.get(players, f"Round of {players}")
