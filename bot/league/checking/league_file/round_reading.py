"""Read the rounds of a league file, their byes and results, and who left: what is wrong in them, and how to fix it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.league.checking.league_file.json import first_double
from bot.league.checking.league_file.layout import DEPARTURE, LATEST_ROUND
from bot.league.checking.league_file.people import DRAWN, People, normal_name
from bot.league.season.match_score import HIGHEST_SCORE, MOST_GAMES
from bot.league.season.model import Departure, DepartureKind, Kind, Match, Name, Round, Stage
from bot.league.season.node import Node, quoted

_STAGES = tuple(Stage)
_DECIDED = {kind.value: kind for kind in (Kind.PLAYED, Kind.FORFEIT, Kind.ADJUDICATED)}


def read_rounds(node: Node, people: People, left: Sequence[Departure], *, stay: bool = False) -> tuple[Round, ...]:
    """Read `rounds`: numbered from 1 without gaps, regular before tie-breaks before finals, open only at the end.

    Where players `stay` in their rounds, all regular ones can be open until there are finals: who left can be back, and
    then plays what they had forfeited. Open matches of those who `left` are forfeits.
    """
    items = node.items()
    rounds = [_read_round(item, people, left) for item in items]
    last = len(rounds) - 1
    if stay and not any(round_.stage is Stage.FINALS for round_ in rounds):
        last = 0
    for index, (item, round_) in enumerate(zip(items, rounds, strict=True)):
        if round_.number != index + 1:
            raise item.wrong(f"is round {round_.number}, but round {index + 1} is next; number them without gaps")
        if index and _STAGES.index(round_.stage) < _STAGES.index(rounds[index - 1].stage):
            raise item.wrong(f"a {round_.stage} round can't follow a {rounds[index - 1].stage} one; fix the stages")
        if not round_.finished and index < last:
            raise item.wrong("has an open match although a later round follows; give every match here its result")
    return tuple(rounds)


def _read_round(node: Node, people: People, left: Sequence[Departure]) -> Round:
    fields = node.fields("number", "matches", stage="regular", bye=None, by_hand=None)
    number = fields["number"].whole(1, LATEST_ROUND)
    gone = [departure.name for departure in left if departure.after_pairing and departure.round == number]
    stage, byes = fields["stage"].choice(Stage), _read_byes(fields["bye"], people)
    listed = fields["matches"]
    matches = tuple(
        _usual_match(value, people.names) or _read_match(Node(value, index, listed), people)
        for index, value in enumerate(listed.values())
    )
    round_ = Round(
        number=number,
        stage=stage,
        byes=byes,
        matches=tuple(_forfeited(match, gone) for match in matches) if gone else matches,
        by_hand=fields["by_hand"].maybe(Node.text),
    )
    _check_seats(node, round_, people)
    return round_


def _read_byes(node: Node, people: People) -> tuple[Name, ...]:
    if node.value is None:
        return ()
    return tuple(people.entrant(name) for name in (node.items() if isinstance(node.value, list) else [node]))


def _check_seats(node: Node, round_: Round, people: People) -> None:
    seated, number = round_.seated, round_.number
    if not seated:
        raise node.wrong("has neither matches nor a bye; take the round out or fill it")
    if len(set(seated)) < len(seated):
        twice = quoted(first_double(seated))
        raise node.wrong(f"{twice} is in round {number} twice; everyone plays or has a bye once")
    entered = {name: entered for name, entered in people.late.items() if entered > number}
    early = next((name for name in seated if name in entered), None) if entered else None
    if early is not None:
        raise node.wrong(
            f"{quoted(early)} plays in round {number} but entered only in round {entered[early]}; fix one of them"
        )


def _usual_match(value: Any, names: Mapping[Any, Name]) -> Match | None:
    """Return a match that someone won, with these four fields or a score besides; None for others and faulty ones.

    Nearly all of a large file are such, and they need no places.
    """
    try:
        players, winner, games, kind = value["players"], value["winner"], value["games"], _DECIDED[value["kind"]]
        first, second = players
        score = value.get("score")
        upper, lower = names[first], names[second]
    except (KeyError, TypeError, ValueError):
        return None
    won = upper if winner == upper else lower
    if len(value) > 4 + ("score" in value) or type(players) is not list or upper is lower or winner != won:
        return None
    if not _is_usual(games, MOST_GAMES) or not _is_usual(score, HIGHEST_SCORE):
        return None
    return Match(
        upper=upper,
        lower=lower,
        kind=kind,
        winner=won,
        games=None if games is None else (games[0], games[1]),
        score=None if score is None else (score[0], score[1]),
    )


def _is_usual(numbers: Any, most: int) -> bool:
    """Whether a value is null or two whole numbers up to this."""
    if numbers is None:
        return True
    if type(numbers) is not list or len(numbers) != 2:
        return False
    first, second = numbers
    return type(first) is int and type(second) is int and 0 <= first <= most and 0 <= second <= most


def _read_match(node: Node, people: People) -> Match:
    fields = node.fields("players", winner=None, games=None, kind=None, points=None, score=None, dice_off=None)
    upper, lower = (people.entrant(name) for name in fields["players"].pair())
    if upper == lower:
        raise fields["players"].wrong(f"{quoted(upper)} is on both sides; fix the names")
    usual = Kind.OPEN if fields["winner"].value is None else Kind.PLAYED
    kind = fields["kind"].maybe(lambda kind: kind.choice(Kind)) or usual
    match = Match(
        upper=upper,
        lower=lower,
        kind=kind,
        winner=_read_winner(fields["winner"], kind, (upper, lower)),
        games=fields["games"].maybe(lambda games: _two(games, MOST_GAMES)),
        points=fields["points"].maybe(lambda points: _two(points, 1000)),
        score=fields["score"].maybe(lambda score: _two(score, HIGHEST_SCORE)),
        dice_off=fields["dice_off"].maybe(lambda first: _one_of(first, (upper, lower))),
    )
    if kind is Kind.OPEN and (match.games, match.points, match.score) != (None, None, None):
        raise node.wrong("an open match has neither games nor points nor a score; give it a result or take them out")
    return match


def _read_winner(node: Node, kind: Kind, players: tuple[Name, Name]) -> Name | None:
    if kind in (Kind.OPEN, Kind.DOUBLE_LOSS):
        if node.value is not None:
            raise node.wrong(f"a match of kind {kind.value} has no winner; fix one of them")
        return None
    if node.value is None:
        raise node.wrong(f"a match of kind {kind.value} needs its winner; name one")
    name = normal_name(node)
    if name == DRAWN and kind is Kind.FORFEIT:
        raise node.wrong('a forfeit can\'t be a draw; name the winner, or make it "double_loss"')
    return None if name == DRAWN else _one_of(node, players)


def _one_of(node: Node, players: tuple[Name, Name]) -> Name:
    name = normal_name(node)
    if name not in players:
        raise node.wrong(f"{quoted(name)} isn't in this match; name {quoted(players[0])} or {quoted(players[1])}")
    return name


def _two(node: Node, most: int) -> tuple[int, int]:
    first, second = (number.whole(0, most) for number in node.pair())
    return first, second


def _forfeited(match: Match, gone: Sequence[Name]) -> Match:
    """Return an open match as the loss it is for the first of its players to leave (docs/formats/shared.md)."""
    leaver = next((name for name in gone if name in match.players), None)
    if match.kind is not Kind.OPEN or leaver is None:
        return match
    return replace(match, kind=Kind.FORFEIT, winner=match.opponent_of(leaver))


def read_departures(node: Node, people: People) -> tuple[Departure, ...]:
    """Read `departures`; `check_departures` compares them with the rounds."""
    return tuple(_read_departure(item, people) for item in node.items())


def _read_departure(node: Node, people: People) -> Departure:
    departure = DEPARTURE.read(node, people)
    if departure.rejoined is not None:
        if departure.kind is DepartureKind.DISQUALIFICATION:
            raise node.wrong("a disqualified player can't come back; take the departure out if it was a mistake")
        if departure.rejoined <= departure.round:
            raise node.wrong(f"rejoined must be later than round {departure.round}, when they left; fix one of them")
    return departure


def check_departures(
    node: Node, departures: Sequence[Departure], rounds: Sequence[Round], *, stay: bool = False
) -> None:
    """Raise InvalidFile where someone plays on after leaving, or leaves twice; where players `stay`, in the finals."""
    seats = (
        {
            round_.number: frozenset(() if stay and round_.stage is not Stage.FINALS else round_.seated)
            for round_ in rounds
        }
        if departures
        else {}
    )
    last: dict[Name, Departure] = {}
    for item, departure in sorted(zip(node.items(), departures, strict=True), key=lambda pair: pair[1].round):
        _check_paired(item, departure, seats)
        before = last.get(departure.name)
        if before is not None and (before.rejoined is None or before.rejoined > departure.round):
            raise item.wrong(f"{quoted(departure.name)} had already left in round {before.round}; fix the rounds")
        last[departure.name] = departure


def _check_paired(node: Node, departure: Departure, seats: Mapping[int, frozenset[Name]]) -> None:
    if departure.after_pairing and departure.round not in seats:
        raise node.wrong(
            f"round {departure.round} isn't paired yet, so no one can have left after its pairing; fix the round"
        )
    for number, names in seats.items():
        if departure.gone_at(number) and departure.name in names:
            raise node.wrong(
                f"{quoted(departure.name)} left in round {departure.round} but is in round {number}; "
                "fix one of them, or say when they rejoined"
            )
