"""Who wins when time is called, step by step (docs/rules.md, 8)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.league.errors import Invalid
from bot.league.model import Name

KEY_COST = 6
"""What the one key after time costs, whatever cards say."""
KEYS_TO_WIN = 3
MOST = 999
"""Æmber or health that can be typed."""

Two = tuple[int, int]


class Rule(StrEnum):
    """The clause a step follows."""

    GAMES = "games"
    LAST_TURNS = "last-turns"
    FORGE = "forge"
    KEYS = "keys"
    AEMBER = "aember"
    POTENTIAL = "potential"
    FIRST_PLAYER = "first-player"
    SUDDEN_DEATH = "sudden-death"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: what was compared (in the order of the players), and the player who won by it, if anyone did."""

    rule: Rule
    sentence: str
    values: Two | None = None
    winner: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The answer: the winner of the match, or None while a sudden death in game `sudden_death` has to be played.

    `games` are the game wins in the order of the players, including the one decided here.
    """

    steps: tuple[Step, ...]
    winner: Name | None
    games: Two
    sudden_death: int | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every step in words."""
        return tuple(step.sentence for step in self.steps)


# -- KeyForge --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyForgeTable:
    """What lies on a KeyForge table after the last turns; pairs of numbers in the order of the players."""

    players: tuple[Name, Name]
    keys: Two
    aember: Two
    first_player: Name
    potential: Two | None = None
    """Friendly creatures of the chosen house plus bonus æmber of its cards in hand; needed only if it decides."""
    games: Two = (0, 0)


LAST_TURNS = "Finish the turn, then the opponent has one last turn. Count only then."


def keyforge(table: KeyForgeTable) -> Ruling:
    """Return who wins a KeyForge match when time is called (KeyForge, Going to Time); raises Invalid."""
    _check(table)
    ahead = _leader(table.players, table.games)
    if ahead is not None:
        return Ruling(steps=(_ahead(table.players, table.games, ahead),), winner=ahead, games=table.games)
    steps: list[Step] = []
    for step in _steps(table):
        steps.append(step)
        if step.winner is not None:
            break
    winner = steps[-1].winner
    return Ruling(steps=tuple(steps), winner=winner, games=_with_win(table.players, table.games, winner))


def _check(table: KeyForgeTable) -> None:
    if table.first_player not in table.players:
        raise Invalid(f"The first player is {table.players[0]} or {table.players[1]}: say which of the two.")
    if not all(0 <= keys < KEYS_TO_WIN for keys in table.keys):
        raise Invalid("Keys go from 0 to 2 each: a player with three has won, and no time rule is needed.")
    if not all(0 <= aember <= MOST for aember in table.aember):
        raise Invalid(f"Æmber goes from 0 to {MOST} each.")
    if table.potential is not None and not all(0 <= value <= MOST for value in table.potential):
        raise Invalid(f"Potential æmber goes from 0 to {MOST} each.")
    if min(table.games) < 0:
        raise Invalid("Game wins can't be negative.")


def _steps(table: KeyForgeTable) -> Iterator[Step]:
    """Yield the steps of the document in order; the last one decides at the latest."""
    forged = tuple(aember >= KEY_COST for aember in table.aember)
    keys = (table.keys[0] + forged[0], table.keys[1] + forged[1])
    aember = (table.aember[0] - KEY_COST * forged[0], table.aember[1] - KEY_COST * forged[1])
    yield Step(rule=Rule.LAST_TURNS, sentence=LAST_TURNS)
    yield Step(rule=Rule.FORGE, values=keys, sentence=_forging(table.players, forged, keys, aember))
    yield _compare(Rule.KEYS, table.players, keys, "keys")
    yield _compare(Rule.AEMBER, table.players, aember, "æmber left")
    yield _compare(Rule.POTENTIAL, table.players, _potential(table), "potential æmber")
    sentence = f"Still equal: {table.first_player} went first and wins."
    yield Step(rule=Rule.FIRST_PLAYER, winner=table.first_player, sentence=sentence)


def _forging(players: tuple[Name, Name], forged: tuple[bool, ...], keys: Two, aember: Two) -> str:
    forging = [name for name, forges in zip(players, forged, strict=True) if forges]
    verb = "forge one key each" if len(forging) > 1 else "forges a key"
    left = zip(players, keys, aember, strict=True)
    state = "; ".join(f"{name}: {_count(own_keys, 'key')}, {own} æmber" for name, own_keys, own in left)
    who = " and ".join(forging) or "nobody"
    return f"{KEY_COST} or more æmber forge one key for {KEY_COST}, whatever cards say: {who} {verb}. Now {state}."


def _potential(table: KeyForgeTable) -> Two:
    if table.potential is None:
        raise Invalid(
            "Keys and æmber are equal, so potential æmber decides: each player chooses a house and counts its "
            "creatures in play plus the bonus æmber of its cards in hand. Fill in both numbers."
        )
    return table.potential


def _compare(rule: Rule, players: tuple[Name, Name], values: Two, what: str) -> Step:
    winner = _leader(players, values)
    more = f"{winner} has more {what}: {max(values)} to {min(values)}."
    sentence = more if winner is not None else f"Equal in {what}: {values[0]} each."
    return Step(rule=rule, values=values, winner=winner, sentence=sentence)


def _ahead(players: tuple[Name, Name], games: Two, winner: Name) -> Step:
    sentence = f"{winner} leads {max(games)}-{min(games)} in games and wins the match."
    return Step(rule=Rule.GAMES, values=games, winner=winner, sentence=sentence)


def _leader(players: tuple[Name, Name], values: Two) -> Name | None:
    if values[0] == values[1]:
        return None
    return players[0] if values[0] > values[1] else players[1]


def _with_win(players: tuple[Name, Name], games: Two, winner: Name | None) -> Two:
    return (games[0] + (winner == players[0]), games[1] + (winner == players[1]))


# -- Lightseekers ----------------------------------------------------------------------------------------------------


def lightseekers(
    players: tuple[Name, Name], games: Two, *, during_game: bool, best_of: int = 3, sudden_death: Name | None = None
) -> Ruling:
    """Return how a Lightseekers match ends when time is called (Lightseekers, 1v1 Events); raises Invalid.

    `games` are the game wins when time was called, `during_game` whether a game was going on then, and
    `sudden_death` the winner of the game that was finished as one, if it has been played.
    """
    _check_games(games, best_of)
    due = during_game or games[0] == games[1]
    steps: list[Step] = []
    if sudden_death is not None:
        steps.append(_played(players, games, sudden_death, best_of=best_of, due=due))
        games = _with_win(players, games, sudden_death)
        due = games[0] == games[1]
    ahead = _leader(players, games)
    if ahead is not None and (not due or max(games) > best_of // 2):
        steps.append(_ahead(players, games, ahead))
        return Ruling(steps=tuple(steps), winner=ahead, games=games)
    number = sum(games) + 1
    steps.append(_sudden_death(number, games, during_game=during_game and not steps))
    return Ruling(steps=tuple(steps), winner=None, games=games, sudden_death=number)


def _check_games(games: Two, best_of: int) -> None:
    most = best_of // 2 + 1
    if not all(0 <= wins <= most for wins in games) or sum(games) > best_of or games == (most, most):
        raise Invalid(f"In a best of {best_of} nobody has more than {_count(most, 'game win')}: {games[0]}-{games[1]}.")


def _played(players: tuple[Name, Name], games: Two, winner: Name, *, best_of: int, due: bool) -> Step:
    if winner not in players:
        raise Invalid(f"{players[0]} or {players[1]} won the sudden death: say which of the two.")
    if not due or max(games) > best_of // 2:
        raise Invalid(f"At {games[0]}-{games[1]} between games there is no sudden death: leave the health out.")
    after = _with_win(players, games, winner)
    sentence = f"{winner} wins the sudden death; the games are {after[0]}-{after[1]}."
    return Step(rule=Rule.SUDDEN_DEATH, values=after, winner=winner, sentence=sentence)


def _sudden_death(number: int, games: Two, *, during_game: bool) -> Step:
    begins = "goes on as" if during_game else "begins at once as"
    sentence = (
        f"Games are {games[0]}-{games[1]}: game {number} {begins} a sudden death. Each player has three more turns, "
        "the current one included. Then the player with more health wins; if it's equal, play on until health changes."
    )
    return Step(rule=Rule.SUDDEN_DEATH, values=games, sentence=sentence)


def most_health(players: tuple[Name, Name], health: Two) -> Name:
    """Return who won a sudden death after its turns; raises Invalid while health is equal, because it goes on then."""
    if not all(0 <= value <= MOST for value in health):
        raise Invalid(f"Health goes from 0 to {MOST} each.")
    winner = _leader(players, health)
    if winner is None:
        raise Invalid(
            f"Health is equal ({health[0]} each), so the sudden death isn't over: play on until either health changes, "
            "then fill in both numbers again."
        )
    return winner


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
