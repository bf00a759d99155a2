"""How long live rounds last, and who wins when time is called, step by step (docs/formats/time-called.md)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.league.errors import Invalid
from bot.league.season.choices import Game, Variant
from bot.league.season.in_words import amount
from bot.league.season.model import Name

_SINGLE, _BEST_OF_THREE = 1, 3
_KEYFORGE = {
    # variant, games of a match: minutes, and those of the final
    (Variant.ARCHON, _SINGLE): (35, 50),
    (Variant.ARCHON, _BEST_OF_THREE): (90, 120),
    (Variant.SEALED, _SINGLE): (45, 60),
    (Variant.SEALED, _BEST_OF_THREE): (100, 125),
}
_LIGHTSEEKERS = 60


def round_minutes(game: Game | None, variant: Variant | None, *, best_of: int, final: bool) -> int | None:
    """Return the minutes of a live match, or None where no document gives them.

    KeyForge's Swiss and elimination rounds are equally long, only the final is longer; a season that doesn't name its
    variant counts as Archon, the one most events play.
    """
    if game is Game.LIGHTSEEKERS:
        return _LIGHTSEEKERS
    minutes = _KEYFORGE.get((variant or Variant.ARCHON, best_of)) if game is Game.KEYFORGE else None
    return None if minutes is None else minutes[final]


KEY_COST = 6
"""What the one key after time costs, whatever cards say."""
MOST = 999
"""Æmber or health that can be typed."""
LAST_TURNS = "Finish the turn, then the opponent has one last turn. While you count, it's no one's turn."
FIRST_DUTY: Mapping[Game, str] = {
    Game.KEYFORGE: LAST_TURNS,
    Game.LIGHTSEEKERS: "In the middle of a game, each player has three more turns, the current one included.",
}
"""What players do first when time is called (KeyForge, Going to Time; Lightseekers, time limit)."""

_POTENTIAL = r"(?:[^\W\d_]+ )?(\d{1,3})(?: ?\+ ?(\d{1,3}))?"
_POTENTIALS = re.compile(rf"{_POTENTIAL}(?: ?[-–,;:/] ?| ){_POTENTIAL}")

Two = tuple[int, int]
Players = tuple[Name, Name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The answer: the winner of the match, or None while a sudden death has to be played.

    `sentences` are its steps in words, `games` the game wins in the order of the players, with the one decided here.
    """

    sentences: tuple[str, ...]
    winner: Name | None
    games: Two


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyForgeTable:
    """What lies on a KeyForge table after the last turns; pairs of numbers in the order of the players."""

    players: Players
    keys: Two
    aember: Two
    potential: Two | None = None
    """Friendly creatures of the chosen house plus bonus æmber of its cards in hand; needed only if it decides."""
    first_player: Name | None = None
    """Needed only if everything else is equal."""
    games: Two = (0, 0)


def read_potential(typed: str) -> Two:
    """Return the potential æmber of both players from text like `8-7` or `Brobnar 4+4, Mars 6+1`; raises Invalid.

    The parts of a sum are the creatures of the chosen house and the bonus æmber of its cards in hand.
    """
    parsed = _POTENTIALS.fullmatch(typed.strip())
    if parsed is None:
        raise Invalid(
            "Potential æmber: type yours first, with its parts, for example Brobnar 4+4, Mars 6+1 (house, creatures "
            "in play, bonus in hand), or just 8-7."
        )
    mine, my_bonus, theirs, their_bonus = (int(number or 0) for number in parsed.groups())
    return mine + my_bonus, theirs + their_bonus


def keyforge(table: KeyForgeTable) -> Ruling:
    """Return who wins a KeyForge match when time is called (KeyForge, Going to Time); raises Invalid."""
    _check(table)
    ahead = _leader(table.players, table.games)
    if ahead is not None:
        return Ruling(sentences=(_leads(ahead, table.games),), winner=ahead, games=table.games)
    sentences: list[str] = []
    for sentence, winner in _steps(table):
        sentences.append(sentence)
        if winner is not None:
            games = _with_win(table.players, table.games, winner)
            return Ruling(sentences=tuple(sentences), winner=winner, games=games)
    raise Invalid("Everything is equal, so the first player of this game wins: say who went first.")


def _check(table: KeyForgeTable) -> None:
    if not all(0 <= keys < 3 for keys in table.keys):
        raise Invalid("Give 0 to 2 keys for each player: with three they have already won.")
    _require_count("Æmber", table.aember)
    _require_count("Potential æmber", table.potential or (0, 0))
    _require_count("Games", table.games)
    if table.first_player not in (None, *table.players):
        raise Invalid(f"The first player is {table.players[0]} or {table.players[1]}: say which of the two.")


def _require_count(what: str, numbers: Two) -> None:
    if not all(0 <= number <= MOST for number in numbers):
        raise Invalid(f"{what}: give a number from 0 to {MOST} for each player.")


def _steps(table: KeyForgeTable) -> Iterator[tuple[str, Name | None]]:
    """Yield the steps of the document in order, each with the player who wins by it."""
    forged = tuple(aember >= KEY_COST for aember in table.aember)
    keys = (table.keys[0] + forged[0], table.keys[1] + forged[1])
    aember = (table.aember[0] - KEY_COST * forged[0], table.aember[1] - KEY_COST * forged[1])
    yield LAST_TURNS, None
    yield _forging(table.players, forged, keys, aember), None
    yield _compare(table.players, keys, "keys")
    yield _compare(table.players, aember, "æmber left")
    yield _compare(table.players, _potential(table), "potential æmber")
    yield f"Still equal: {table.first_player} went first and wins.", table.first_player


def _forging(players: Players, forged: tuple[bool, ...], keys: Two, aember: Two) -> str:
    forging = [name for name, forges in zip(players, forged, strict=True) if forges]
    verb = "forge one key each" if len(forging) > 1 else "forges a key"
    left = zip(players, keys, aember, strict=True)
    state = "; ".join(f"{name}: {amount(own_keys, 'key')}, {own} æmber" for name, own_keys, own in left)
    forgers = " and ".join(forging) or "no one"
    return f"{KEY_COST} or more æmber forge one key for {KEY_COST}, whatever cards say: {forgers} {verb}. Now {state}."


def _potential(table: KeyForgeTable) -> Two:
    if table.potential is None:
        raise Invalid(
            "Keys and æmber are equal, so potential æmber decides: each player chooses a house and counts its "
            "creatures in play plus the bonus æmber of its cards in hand. Fill in both numbers."
        )
    return table.potential


def _compare(players: Players, values: Two, what: str) -> tuple[str, Name | None]:
    winner = _leader(players, values)
    if winner is None:
        return f"Equal in {what}: {values[0]} each.", None
    return f"{winner} has more {what}: {max(values)} to {min(values)}.", winner


def _leads(winner: Name, games: Two) -> str:
    return f"{winner} leads {max(games)}-{min(games)} in games and wins the match."


def _leader(players: Players, values: Two) -> Name | None:
    if values[0] == values[1]:
        return None
    return players[0] if values[0] > values[1] else players[1]


def _with_win(players: Players, games: Two, winner: Name) -> Two:
    return (games[0] + (winner == players[0]), games[1] + (winner == players[1]))


def lightseekers(
    players: Players, games: Two, *, during_game: bool, best_of: int = 3, health: Two | None = None
) -> Ruling:
    """Return how a Lightseekers match ends when time is called (Lightseekers, 1v1 Events); raises Invalid.

    `games` are the game wins when time was called, `during_game` whether a game was going on then, and `health` what
    both had left after the sudden death, if one has been played.
    """
    _check_games(games, best_of)
    due = during_game or games[0] == games[1]
    sentences: list[str] = []
    if health is not None:
        if not due or max(games) > best_of // 2:
            raise Invalid(f"At {games[0]}-{games[1]} between games there is no sudden death: leave the health out.")
        survivor = _most_health(players, health)
        games = _with_win(players, games, survivor)
        due = games[0] == games[1]
        sentences.append(f"{survivor} wins the sudden death. The games are now {games[0]}-{games[1]}.")
    ahead = _leader(players, games)
    if ahead is not None and (not due or max(games) > best_of // 2):
        return Ruling(sentences=(*sentences, _leads(ahead, games)), winner=ahead, games=games)
    number = sum(games) + 1
    sentences.append(_sudden_death(number, games, goes_on=during_game and health is None))
    return Ruling(sentences=tuple(sentences), winner=None, games=games)


def _check_games(games: Two, best_of: int) -> None:
    most = best_of // 2 + 1
    if not all(0 <= wins <= most for wins in games) or sum(games) > best_of:
        raise Invalid(
            f"In a best of {best_of} no one gets more than {amount(most, 'game win')}: {games[0]}-{games[1]}."
        )


def _sudden_death(number: int, games: Two, *, goes_on: bool) -> str:
    begins = "goes on as" if goes_on else "begins at once as"
    return (
        f"Games are {games[0]}-{games[1]}: game {number} {begins} a sudden death. Each player has three more turns, "
        "the current one included. Then the player with more health wins; if it's equal, play on until health changes."
    )


def _most_health(players: Players, health: Two) -> Name:
    _require_count("Health", health)
    winner = _leader(players, health)
    if winner is None:
        raise Invalid(
            f"Health is equal ({health[0]} each), so the sudden death isn't over: play on until either health changes, "
            "then fill in both numbers again."
        )
    return winner
