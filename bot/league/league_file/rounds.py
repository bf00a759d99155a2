"""The course of a league file: rounds one after another, who left, and what an organiser decided."""

from collections.abc import Iterable

from bot.league.league_file.json import Node, shown
from bot.league.league_file.people import LATEST_ROUND, Roster
from bot.league.league_file.results import read_match
from bot.league.model import Decision, Departure, DepartureKind, Name, Round, Stage
from bot.league.settings import SeasonSettings

_STAGES = tuple(Stage)


def read_rounds(node: Node, roster: Roster, settings: SeasonSettings, *, lenient: bool) -> tuple[Round, ...]:
    """Read `rounds`: numbered from 1 without gaps, regular before tie-breaks before finals, open only at the end."""
    items = node.items()
    rounds = [_read_round(item, roster, settings, lenient=lenient) for item in items]
    for index, (item, round_) in enumerate(zip(items, rounds, strict=True)):
        if round_.number != index + 1:
            raise item.wrong(
                f"is round {round_.number} where round {index + 1} is due; number them from 1 without gaps"
            )
        if index and _STAGES.index(round_.stage) < _STAGES.index(rounds[index - 1].stage):
            raise item.wrong(f"a {round_.stage} round cannot follow a {rounds[index - 1].stage} one; mend the stages")
        if not round_.finished and index < len(rounds) - 1:
            raise item.wrong("has an open match although a later round follows; give every match here its result")
    return tuple(rounds)


def _read_round(node: Node, roster: Roster, settings: SeasonSettings, *, lenient: bool) -> Round:
    fields = node.fields(required=("number", "matches"), optional=("stage", "bye", "by_hand"))
    stage = Stage(fields["stage"].choice([stage.value for stage in Stage])) if "stage" in fields else Stage.REGULAR
    round_ = Round(
        number=fields["number"].whole(1, LATEST_ROUND),
        stage=stage,
        byes=_read_byes(fields.get("bye", Node(None)), roster),
        matches=tuple(
            read_match(match, roster, settings, stage, lenient=lenient) for match in fields["matches"].items()
        ),
        by_hand=fields.get("by_hand", Node(None)).maybe(Node.text),
    )
    _check_seats(node, round_, roster)
    return round_


def _read_byes(node: Node, roster: Roster) -> tuple[Name, ...]:
    if node.value is None:
        return ()
    return tuple(roster.entrant(name) for name in (node.items() if isinstance(node.value, list) else [node]))


def _check_seats(node: Node, round_: Round, roster: Roster) -> None:
    seated: set[Name] = set()
    for name in _seats(round_):
        if name in seated:
            raise node.wrong(f"{shown(name)} stands twice in round {round_.number}; everybody plays or has a bye once")
        seated.add(name)
        entered = roster.by_name[name].entered
        if entered > round_.number:
            raise node.wrong(f"{shown(name)} plays although they entered in round {entered}; mend one of them")
    if not seated:
        raise node.wrong("has neither matches nor a bye; take the round out or fill it")


def _seats(round_: Round) -> Iterable[Name]:
    yield from round_.byes
    for match in round_.matches:
        yield from match.players


def read_departures(node: Node, roster: Roster, rounds: tuple[Round, ...]) -> tuple[Departure, ...]:
    """Read `departures`; raises InvalidFile where somebody plays on, leaves twice or comes back before he left."""
    items = node.items()
    departures = tuple(_read_departure(item, roster) for item in items)
    seats = [(round_.number, frozenset(_seats(round_))) for round_ in rounds]
    last: dict[Name, Departure] = {}
    for item, departure in sorted(zip(items, departures, strict=True), key=lambda pair: pair[1].round):
        _check_paired(item, departure, seats)
        before = last.get(departure.name)
        if before is not None and (before.rejoined is None or before.rejoined > departure.round):
            raise item.wrong(f"{shown(departure.name)} was gone already since round {before.round}; mend the rounds")
        last[departure.name] = departure
    return departures


def _read_departure(node: Node, roster: Roster) -> Departure:
    fields = node.fields(required=("name", "kind", "round"), optional=("after_pairing", "rejoined"))
    departure = Departure(
        name=roster.entrant(fields["name"]),
        kind=DepartureKind(fields["kind"].choice([kind.value for kind in DepartureKind])),
        round=fields["round"].whole(1, LATEST_ROUND),
        after_pairing=fields.get("after_pairing", Node(False)).flag(),
        rejoined=fields.get("rejoined", Node(None)).maybe(lambda back: back.whole(1, LATEST_ROUND)),
    )
    if departure.rejoined is not None:
        if departure.kind is DepartureKind.DISQUALIFICATION:
            raise node.wrong("who is disqualified cannot come back; take the departure out if it was a mistake")
        if departure.rejoined <= departure.round:
            raise node.wrong(f"rejoined must be later than round {departure.round}, when they left; mend one of them")
    return departure


def _check_paired(node: Node, departure: Departure, seats: list[tuple[int, frozenset[Name]]]) -> None:
    if departure.after_pairing and departure.round > len(seats):
        raise node.wrong(f"round {departure.round} is not paired yet, so nobody left after its pairing; mend the round")
    for number, names in seats:
        if departure.gone_at(number) and departure.name in names:
            raise node.wrong(
                f"{shown(departure.name)} left in round {departure.round} but is in round {number}; "
                "mend one of them, or say when they rejoined"
            )


def read_decisions(node: Node, roster: Roster, rounds: tuple[Round, ...]) -> tuple[Decision, ...]:
    """Read `decisions`, the orders an organiser set among equals."""
    decisions: dict[int, Decision] = {}
    for item in node.items():
        fields = item.fields(required=("after_round", "order"))
        after = fields["after_round"].whole(1, LATEST_ROUND)
        order = tuple(roster.entrant(name) for name in fields["order"].items())
        if after > len(rounds):
            raise fields["after_round"].wrong(f"there is no round {after} yet; mend the number")
        if len(set(order)) < len(order):
            raise fields["order"].wrong("names somebody twice; keep one place for each")
        if after in decisions:
            raise item.wrong(f"there are two decisions after round {after}; keep the one that stands")
        decisions[after] = Decision(after_round=after, order=order)
    return tuple(decisions.values())
