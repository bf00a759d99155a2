"""The results of a league file: matches, each with a result its rules allow."""

from bot.league.league_file.json import Node, shown
from bot.league.league_file.people import DRAWN, Roster, normal_name
from bot.league.model import Kind, Match, Name, Stage
from bot.league.settings import SeasonSettings

_MOST_GAMES = 99
_MOST_POINTS = 1000


def read_match(node: Node, roster: Roster, settings: SeasonSettings, stage: Stage, *, lenient: bool) -> Match:
    """Read one match of a round; `lenient` for a season of another kind, whose results are taken as they are."""
    fields = node.fields(required=("players",), optional=("winner", "games", "kind", "points"))
    upper, lower = (roster.entrant(name) for name in fields["players"].pair())
    if upper == lower:
        raise fields["players"].wrong(f"{shown(upper)} stands on both sides; mend the names")
    winner = fields.get("winner", Node(None, f"{node.place}.winner"))
    kind = _kind(fields.get("kind"), winner)
    match = Match(
        upper=upper,
        lower=lower,
        kind=kind,
        winner=None if winner.value in (None, DRAWN) else _winner(winner, upper, lower),
        games=_two(fields.get("games"), _MOST_GAMES),
        points=_two(fields.get("points"), _MOST_POINTS),
    )
    _check_winner(winner, kind, drawable=lenient or (settings.draws and stage is Stage.REGULAR))
    if stage is Stage.FINALS and kind is Kind.DOUBLE_LOSS:
        raise node.wrong("in a bracket somebody must go on: a double loss cannot be; name the winner")
    _check_numbers(node, match)
    if match.games is not None and not lenient:
        _check_games(fields["games"], match, match.games, _best_of(settings, stage))
    return match


def _kind(node: Node | None, winner: Node) -> Kind:
    """Return how the match ended; without the field it was played if it has a result."""
    if node is not None:
        return Kind(node.choice([kind.value for kind in Kind]))
    return Kind.OPEN if winner.value is None else Kind.PLAYED


def _winner(node: Node, upper: Name, lower: Name) -> Name:
    name = normal_name(node)
    if name not in (upper, lower):
        raise node.wrong(f"{shown(name)} is not in this match; name {shown(upper)} or {shown(lower)}")
    return name


def _two(node: Node | None, most: int) -> tuple[int, int] | None:
    if node is None or node.value is None:
        return None
    first, second = (number.whole(0, most) for number in node.pair())
    return first, second


def _check_winner(winner: Node, kind: Kind, *, drawable: bool) -> None:
    if kind in (Kind.OPEN, Kind.DOUBLE_LOSS):
        if winner.value is not None:
            raise winner.wrong(f"a match of kind {kind.value} has no winner; mend one of them")
    elif winner.value is None:
        raise winner.wrong(f"a match of kind {kind.value} needs its winner; name one")
    elif winner.value == DRAWN and kind is Kind.FORFEIT:
        raise winner.wrong('a forfeit cannot be a draw; name the winner, or make it "double_loss"')
    elif winner.value == DRAWN and not drawable:
        raise winner.wrong("there are no draws here; name the winner")


def _check_numbers(node: Node, match: Match) -> None:
    if match.kind is Kind.OPEN and (match.games is not None or match.points is not None):
        raise node.wrong("an open match has neither games nor points; give it a result or take them out")


def _best_of(settings: SeasonSettings, stage: Stage) -> int | None:
    """Return the most games a match can have, or None where nobody said and games are a mere score."""
    keys = ("finals_best_of", "final_best_of") if stage is Stage.FINALS else ("best_of",)
    most = max(getattr(settings, key) for key in keys)
    return most if most > 1 or any(key in settings.explicit for key in keys) else None


def _check_games(node: Node, match: Match, games: tuple[int, int], best_of: int | None) -> None:
    won, lost = games if match.winner != match.lower else games[::-1]
    needed = _MOST_GAMES if best_of is None else best_of // 2 + 1
    if won > needed or lost > needed or won + lost > (best_of or 2 * _MOST_GAMES):
        raise node.wrong(f"{games[0]}-{games[1]} cannot be in a best of {best_of}; mend the games")
    if match.winner is None and match.kind is Kind.PLAYED and won != lost:
        raise node.wrong(f"{games[0]}-{games[1]} is no draw; mend the games or name the winner")
    if match.winner is not None and (lost == needed or (match.kind is Kind.PLAYED and won <= lost)):
        raise node.wrong(f"{games[0]}-{games[1]} contradicts the winner, {shown(match.winner)}; mend one of them")
