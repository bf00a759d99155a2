"""Who wins when time is called, step by step, and how long live rounds last (docs/rules.md, 8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.league.errors import Invalid
from bot.league.model import Name

KEY_COST = 6
"""What the one key after time costs, whatever cards say."""

KEYS_TO_WIN = 3
_MOST_AEMBER = 999
_MOST_HEALTH = 999

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
    """One step: what was compared (in the order of the players), and who won by it, if anybody."""

    rule: Rule
    values: Two | None
    winner: Name | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The answer: the winner of the match, or None while a sudden death in game `sudden_death` has to be played.

    `games` are the game wins in the order of the players, the one decided here included.
    """

    steps: tuple[Step, ...]
    winner: Name | None
    games: Two
    sudden_death: int | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every step in words."""
        return tuple(step.sentence for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyForgeTable:
    """What lies on a KeyForge table after the last turns; pairs of numbers in the order of the players."""

    players: tuple[Name, Name]
    keys: Two
    aember: Two
    first_player: Name
    potential: Two | None = None
    """Friendly creatures of the chosen house plus bonus aember of its cards in hand; asked for only if it decides."""
    games: Two = (0, 0)


def keyforge(table: KeyForgeTable) -> Ruling:
    """Return who wins a KeyForge match when time is called (KeyForge, Going to Time); raises Invalid."""
    _check(table)
    ahead = _leader(table.players, table.games)
    if ahead is not None:
        step = _compare(Rule.GAMES, table.players, table.games, "game wins, and the match is decided by them")
        return Ruling(steps=(step,), winner=ahead, games=table.games)
    steps = [_LAST_TURNS, _forge(table)]
    for step in _comparisons(table):
        steps.append(step)
        if step.winner is not None:
            games = _with_win(table.players, table.games, step.winner)
            return Ruling(steps=tuple(steps), winner=step.winner, games=games)
    raise AssertionError("the first player decides at the latest")


_LAST_TURNS = Step(
    rule=Rule.LAST_TURNS,
    values=None,
    winner=None,
    sentence="Whose turn it is finishes it, then the opponent has one last turn; what lies there then counts.",
)


def _check(table: KeyForgeTable) -> None:
    if table.first_player not in table.players:
        raise Invalid(f"the first player is {table.players[0]} or {table.players[1]}; say which of the two")
    if not all(0 <= keys < KEYS_TO_WIN for keys in table.keys):
        raise Invalid("keys go from 0 to 2 each: who has forged three has won, and no time rule is needed")
    if not all(0 <= aember <= _MOST_AEMBER for aember in table.aember):
        raise Invalid(f"aember goes from 0 to {_MOST_AEMBER} each")
    if table.potential is not None and not all(0 <= value <= _MOST_AEMBER for value in table.potential):
        raise Invalid(f"potential aember goes from 0 to {_MOST_AEMBER} each")
    if min(table.games) < 0:
        raise Invalid("game wins cannot be negative")


def _after_forging(table: KeyForgeTable) -> tuple[Two, Two]:
    (keys, other_keys), (aember, other_aember) = table.keys, table.aember
    mine, theirs = aember >= KEY_COST, other_aember >= KEY_COST
    return (keys + mine, other_keys + theirs), (aember - KEY_COST * mine, other_aember - KEY_COST * theirs)


def _forge(table: KeyForgeTable) -> Step:
    forging = [name for name, aember in zip(table.players, table.aember, strict=True) if aember >= KEY_COST]
    keys, aember = _after_forging(table)
    who = " and ".join(forging) if forging else "nobody"
    verb = "forge one key each" if len(forging) > 1 else "forges a key"
    state = "; ".join(
        f"{name}: {_count(k, 'key')}, {a} aember" for name, k, a in zip(table.players, keys, aember, strict=True)
    )
    sentence = f"{KEY_COST} or more aember forge one key for {KEY_COST}, whatever cards say: {who} {verb}. Now {state}."
    return Step(rule=Rule.FORGE, values=keys, winner=None, sentence=sentence)


def _comparisons(table: KeyForgeTable) -> Sequence[Step]:
    keys, aember = _after_forging(table)
    steps = [_compare(Rule.KEYS, table.players, keys, "keys")]
    if steps[-1].winner is None:
        steps.append(_compare(Rule.AEMBER, table.players, aember, "aember left"))
    if steps[-1].winner is None:
        steps.append(_potential(table))
    if steps[-1].winner is None:
        sentence = f"Still equal: {table.first_player} went first and wins."
        steps.append(Step(rule=Rule.FIRST_PLAYER, values=None, winner=table.first_player, sentence=sentence))
    return steps


def _potential(table: KeyForgeTable) -> Step:
    if table.potential is None:
        raise Invalid(
            "keys and aember are equal, so potential aember decides: each chooses a house and counts the creatures of "
            "it in play plus the bonus aember of its cards in hand; give both numbers"
        )
    return _compare(Rule.POTENTIAL, table.players, table.potential, "potential aember")


def _compare(rule: Rule, players: tuple[Name, Name], values: Two, what: str) -> Step:
    winner = _leader(players, values)
    if winner is None:
        sentence = f"Equal in {what}: {values[0]} each."
    else:
        sentence = f"{winner} has most {what}: {max(values)} against {min(values)}."
    return Step(rule=rule, values=values, winner=winner, sentence=sentence)


def _leader(players: tuple[Name, Name], values: Two) -> Name | None:
    if values[0] == values[1]:
        return None
    return players[0] if values[0] > values[1] else players[1]


def _with_win(players: tuple[Name, Name], games: Two, winner: Name) -> Two:
    return (games[0] + (winner == players[0]), games[1] + (winner == players[1]))


def lightseekers(
    players: tuple[Name, Name], games: Two, *, during_game: bool, best_of: int = 3, sudden_death: Name | None = None
) -> Ruling:
    """Return how a Lightseekers match ends when time is called (Lightseekers, 1v1 Events); raises Invalid.

    `games` are the game wins when time was called, `during_game` whether a game was going on then, and
    `sudden_death` who won the game that was finished by one, if it has been played.
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
        steps.append(_compare(Rule.GAMES, players, games, "game wins and wins the match"))
        return Ruling(steps=tuple(steps), winner=ahead, games=games)
    number = sum(games) + 1
    steps.append(_sudden_death(number, games, during_game=during_game and not steps))
    return Ruling(steps=tuple(steps), winner=None, games=games, sudden_death=number)


def _played(players: tuple[Name, Name], games: Two, winner: Name, *, best_of: int, due: bool) -> Step:
    if winner not in players:
        raise Invalid(f"the sudden death was won by {players[0]} or {players[1]}; say which of the two")
    if not due or max(games) > best_of // 2:
        raise Invalid(f"at {games[0]}-{games[1]} between games there is no sudden death: leave its winner out")
    after = _with_win(players, games, winner)
    sentence = f"{winner} wins the sudden death; the games are {after[0]}-{after[1]}."
    return Step(rule=Rule.SUDDEN_DEATH, values=after, winner=winner, sentence=sentence)


def _check_games(games: Two, best_of: int) -> None:
    most = best_of // 2 + 1
    if not all(0 <= wins <= most for wins in games) or sum(games) > best_of or games == (most, most):
        raise Invalid(
            f"in a best of {best_of} nobody can have more than {_count(most, 'game win')}: {games[0]}-{games[1]}"
        )


def most_health(players: tuple[Name, Name], health: Two) -> Name:
    """Return who won a sudden death after its turns; raises Invalid while health is equal, for it goes on then."""
    if not all(0 <= value <= _MOST_HEALTH for value in health):
        raise Invalid(f"health goes from 0 to {_MOST_HEALTH} each")
    winner = _leader(players, health)
    if winner is None:
        raise Invalid(
            f"health is equal ({health[0]} each), so the sudden death is not over: play on until either health "
            "changes, then give both numbers again"
        )
    return winner


def _sudden_death(number: int, games: Two, *, during_game: bool) -> Step:
    begins = "goes on as" if during_game else "begins at once as"
    sentence = (
        f"Games are {games[0]}-{games[1]}: game {number} {begins} a sudden death. Each player has three more turns, "
        f"the current one included; then most health wins, and if it is equal, play goes on until "
        f"health changes and most health wins."
    )
    return Step(rule=Rule.SUDDEN_DEATH, values=games, winner=None, sentence=sentence)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_KEYFORGE_MINUTES = {
    # variant: single game, final single game, best of three, final best of three
    "archon": (35, 50, 90, 120),
    "sealed": (45, 60, 100, 125),
}
LIGHTSEEKERS_MINUTES = 60


def round_minutes(game: str | None, variant: str | None, *, best_of: int, final: bool) -> int | None:
    """Return the minutes of a live round, or None where no document gives any.

    KeyForge's Swiss and elimination rounds are equally long, only the final match is longer; a season that does
    not say its variant is taken for Archon, the one most events play.
    """
    if game == "lightseekers":
        return LIGHTSEEKERS_MINUTES
    if game != "keyforge" or best_of > 3:
        return None
    minutes = _KEYFORGE_MINUTES[variant or "archon"]
    return minutes[2 * (best_of == 3) + final]
