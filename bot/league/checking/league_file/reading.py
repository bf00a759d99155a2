"""Read a league file but for its rounds: settings, players, past seasons, substitutes, lists, organisers' orders.

Every fault names its place and how to fix it.
"""

from collections.abc import Callable, Iterator
from typing import Any

from bot.league.checking.league_file import allowed
from bot.league.checking.league_file.json import parse
from bot.league.checking.league_file.layout import (
    APART,
    DECISION,
    FINAL,
    FINGERPRINT,
    LATEST_ROUND,
    PLAYER,
    SEALED,
    SEALED_LIST,
    SIT_OUT,
    SUBSTITUTE,
    VERSION,
)
from bot.league.checking.league_file.people import People, own_name
from bot.league.checking.league_file.round_reading import check_departures, read_departures, read_rounds
from bot.league.errors import Invalid, InvalidFile
from bot.league.formats import by_key
from bot.league.season.list_rules import fingerprint
from bot.league.season.model import (
    Decision,
    Entrant,
    Final,
    Name,
    PastMatch,
    PastSeason,
    Round,
    SealedList,
    SealedSalt,
    Season,
    Substitution,
)
from bot.league.season.node import Node, one_line, quoted
from bot.league.season.settings import NOT_IN_FILES, SeasonSettings

GONE = frozenset({"claim_hours", "accept_hours"})
"""Settings of version 0.2; league files may still have them, and they're ignored."""
_REQUIRED = ("fairpair", "league", "season", "format", "players")
_LISTS = (
    "past_seasons",
    "rounds",
    "departures",
    "decisions",
    "sat_out",
    "substitutes",
    "lists",
    "apart",
)
_OPTIONAL: dict[str, Any] = {
    "settings": {},
    **{key: [] for key in _LISTS},
    "sealed": None,
    "drawn_names": None,
    "forgotten": False,
    "bracket": None,
    "groups": None,
    "ladder": None,
    "ladder_of": None,
    "final": None,
}
_LONGEST_LEAGUE = 200
_LATEST_SEASON = 1_000_000


def read(data: bytes) -> Season:
    """Return the season of a league file; raises InvalidFile naming the place and how to fix it."""
    root = Node(parse(data))
    _check_version(root)
    fields = root.fields(*_REQUIRED, **_OPTIONAL)
    number = fields["season"].whole(0, _LATEST_SEASON)
    settings = _read_settings(fields["format"], fields["settings"])
    people = _read_players(fields["players"])
    rules = by_key(fields["format"].text())
    departures = read_departures(fields["departures"], people)
    stay = rules.fixed_rounds
    rounds = read_rounds(fields["rounds"], people, () if stay else departures, stay=stay)
    check_departures(fields["departures"], departures, rounds, stay=stay)
    substitutes = read_substitutes(fields["substitutes"], people)
    season = Season(
        league=_read_league(fields["league"]),
        number=number,
        format=fields["format"].text(),
        settings=settings,
        entrants=people.entrants,
        past=_read_past(fields["past_seasons"], People(people.entrants, substitutes), number),
        rounds=rounds,
        departures=departures,
        decisions=_read_decisions(fields["decisions"], people, rounds),
        # The same twice is once.
        sat_out=tuple(dict.fromkeys(SIT_OUT.read(item, people) for item in fields["sat_out"].items())),
        substitutes=substitutes,
        lists=read_lists(fields["lists"], people),
        apart=tuple(APART.read(item, people) for item in fields["apart"].items()),
        sealed=fields["sealed"].maybe(lambda node: _read_sealed(node, people, settings)),
        drawn_names=fields["drawn_names"].maybe(lambda node: _read_drawn_names(node, people)),
        forgotten=fields["forgotten"].flag(),
        bracket=fields["bracket"].maybe(lambda node: _read_bracket(node, people, fields["forgotten"].flag())),
        groups=fields["groups"].maybe(lambda node: tuple(_read_names(group, people.entrant) for group in node.items())),
        ladder=fields["ladder"].maybe(lambda node: _read_names(node, lambda name: own_name(name, people))),
        ladder_of=fields["ladder_of"].maybe(lambda node: FINGERPRINT(node, people)),
        final=fields["final"].maybe(lambda node: _read_final(node, people, fields["forgotten"].flag())),
    )
    allowed.check(season)
    return season


def read_playable(data: bytes) -> Season:
    """Return the season of a league file that can be played with those who take part; raises InvalidFile.

    While sign-ups run, `read` takes files that can't be: who takes part can still change.
    """
    season = read(data)
    allowed.require_field(season)
    return season


def _check_version(root: Node) -> None:
    """Check the version first: a newer file can have fields this program doesn't know."""
    if not isinstance(root.value, dict) or "fairpair" not in root.value:
        raise InvalidFile('isn\'t a league file: it must be an object with the field "fairpair"')
    version = root.value["fairpair"]
    if type(version) is int and version > VERSION:
        raise InvalidFile(
            f"version {quoted(version)} is newer than this program, which reads version {VERSION}; update Fairpair",
            place="fairpair",
        )
    if type(version) is not int or version < 1:
        raise InvalidFile(f"must be the version of the file, {VERSION}, not {quoted(version)}", place="fairpair")


def _read_league(node: Node) -> str:
    if len(node.text()) > _LONGEST_LEAGUE:
        raise node.wrong(f"has {len(node.value)} characters; a league's name has at most {_LONGEST_LEAGUE}")
    return node.value


def _read_settings(format_: Node, node: Node) -> SeasonSettings:
    if not isinstance(node.value, dict):
        raise node.wrong(f"must be an object, not {quoted(node.value)}")
    try:
        rules = by_key(format_.text())
    except Invalid as wrong:
        raise format_.wrong(str(wrong)) from None
    for key in sorted(NOT_IN_FILES & node.value.keys()):
        raise InvalidFile("a league file has no such setting; leave it out", place=f"settings.{key}")
    try:
        return rules.read_settings({key: value for key, value in node.value.items() if key not in GONE})
    except Invalid as wrong:
        raise InvalidFile(wrong.problem, place=f"settings.{one_line(wrong.place)}") from None


def _read_players(node: Node) -> People:
    """Read `players`; raises InvalidFile where two can't be told apart."""
    items = node.items()
    entrants = [PLAYER.read(item, People()) for item in items]
    owners: dict[tuple[str, Name | int], Node] = {}
    for item, entrant in zip(items, entrants, strict=True):
        for what, value in _belongings(entrant):
            owner = owners.setdefault((what, value), item)
            if owner is not item:
                raise item.wrong(f"the {what} {quoted(value)} is taken by {owner.place}; give each their own")
    return People(entrants)


def _belongings(entrant: Entrant) -> Iterator[tuple[str, Name | int]]:
    yield "name", entrant.name
    yield from (("former name", name) for name in entrant.former_names)
    if entrant.seed is not None:
        yield "seed", entrant.seed


def _read_past(node: Node, people: People, season: int) -> tuple[PastSeason, ...]:
    """Read `past_seasons` under the names of this season, without people who are not in it."""
    seasons: dict[int, PastSeason] = {}
    for item in node.items():
        past = _read_past_season(item, people)
        if past.number >= season:
            raise item.wrong(f"season {past.number} is not before this one, {season}; only earlier seasons belong here")
        if past.number in seasons:
            raise item.wrong(f"season {past.number} is here twice; merge its matches")
        seasons[past.number] = past
    return tuple(seasons.values())


def _read_past_season(node: Node, people: People) -> PastSeason:
    fields = node.fields("season", "matches", rounds=...)
    matches = fields["matches"].items()
    rounds = [Node(None)] * len(matches) if fields["rounds"].value is ... else fields["rounds"].items()
    if len(rounds) != len(matches):
        raise fields["rounds"].wrong(f"has {len(rounds)} values for {len(matches)} matches; give each match its round")
    read = [_read_past_match(match, number, people) for match, number in zip(matches, rounds, strict=True)]
    return PastSeason(
        number=fields["season"].whole(0, _LATEST_SEASON), matches=tuple(match for match in read if match is not None)
    )


def _read_past_match(node: Node, number: Node, people: People) -> PastMatch | None:
    first, second = (people.present(name) for name in node.pair())
    round_ = number.maybe(lambda node: node.whole(1, LATEST_ROUND))
    if first is None or second is None:
        return None
    if first == second:
        raise node.wrong(f"{quoted(first)} is on both sides; fix the names")
    return PastMatch(players=(first, second), round=round_)


def _read_decisions(node: Node, people: People, rounds: tuple[Round, ...]) -> tuple[Decision, ...]:
    """Read `decisions`, the orders an organiser set among equals."""
    decisions: list[Decision] = []
    for item in node.items():
        decision = DECISION.read(item, people)
        if decision.after_round > len(rounds):
            raise item.below("after_round").wrong(f"there is no round {decision.after_round} yet; fix the number")
        if len(set(decision.order)) < len(decision.order):
            raise item.below("order").wrong("names someone twice; keep one place for each")
        decisions.append(decision)
    return tuple(decisions)


def read_substitutes(node: Node, people: People) -> tuple[Substitution, ...]:
    """Read `substitutes`; raises InvalidFile for a person in two seats, and for two people in one seat and round."""
    items = node.items()
    read = [SUBSTITUTE.read(item, people) for item in items]
    seats: dict[Name, Name] = {entrant.name: entrant.name for entrant in people.entrants}
    rounds: set[tuple[Name, int]] = set()
    former = dict(people.former)
    for item, row in zip(items, read, strict=True):
        seat = seats.setdefault(row.player, row.seat)
        if seat != row.seat:
            raise item.wrong(f"{quoted(row.player)} has the seat of {quoted(seat)}; a person has one seat a season")
        if (row.seat, row.round) in rounds:
            raise item.wrong(f"the seat of {quoted(row.seat)} is taken twice from round {row.round} on; keep one")
        rounds.add((row.seat, row.round))
        for name in row.former_names:
            if former.setdefault(name, row.player) != row.player:
                raise item.wrong(f"the former name {quoted(name)} is {quoted(former[name])}'s; give each their own")
    return tuple(read)


def read_lists(node: Node, people: People) -> tuple[SealedList, ...]:
    """Read `lists`; raises InvalidFile where a revealed list isn't the one that was sealed."""
    items = node.items()
    read = [_read_list(item, people) for item in items]
    seen: set[tuple[Name, int, int | None]] = set()
    for item, entry in zip(items, read, strict=True):
        which = (entry.name, entry.number, entry.round)
        if which in seen:
            raise item.wrong(f"list {entry.number} of {quoted(entry.name)} is here twice; keep one of them")
        seen.add(which)
    return tuple(read)


def _read_list(node: Node, people: People) -> SealedList:
    entry = SEALED_LIST.read(node, people)
    if (entry.key is None) != (entry.text is None):
        raise node.wrong("a revealed list has both key and text; give both, or null for both")
    if entry.key is not None and entry.text is not None and fingerprint(entry.key, entry.text) != entry.sha256:
        raise node.wrong("its sha256 isn't that of KEY/TEXT, so it isn't the list that was sealed; fix key and text")
    return entry


def _read_sealed(node: Node, people: People, settings: SeasonSettings) -> SealedSalt:
    sealed = SEALED.read(node, people)
    if sealed.secret is not None and settings.salt is None:
        raise node.below("secret").wrong(
            "the secret is known once the salt is made of it; give settings.salt, or null before the draw"
        )
    return sealed


def _read_bracket(node: Node, people: People, forgotten: bool) -> tuple[Name | None, ...]:
    """Read the players by first slot of a bracket that had begun when one was forgotten; raises InvalidFile."""
    if not forgotten:
        raise node.wrong("only a file where a player was forgotten says its bracket; take it out, or add forgotten")
    items = node.items()
    size = len(items)
    if not size or size & (size - 1):
        raise node.wrong(f"has {size} slots; give 1, 2, 4, 8 or another power of two, null for an empty slot")
    names: set[Name] = set()
    slots = tuple(item.maybe(people.entrant) for item in items)
    for item, name in zip(items, slots, strict=True):
        if name in names:
            raise item.wrong(f"{quoted(name)} is here twice; everyone has one slot")
        names |= {name} if name is not None else set()
    return slots


def _read_final(node: Node, people: People, forgotten: bool) -> Final:
    final = FINAL.read(node, people)
    if final.kept and not forgotten:
        raise node.below("kept").wrong("only a file where a player was forgotten keeps its end; take it out")
    return final


def _read_names(node: Node, read: Callable[[Node], Name]) -> tuple[Name, ...]:
    """Read names in an order that matters; raises InvalidFile for one that is there twice."""
    names: dict[Name, Node] = {}
    for item in node.items():
        name = read(item)
        if name in names:
            raise item.wrong(f"{quoted(name)} is here twice; everyone has one place")
        names[name] = item
    return tuple(names)


def _read_drawn_names(node: Node, people: People) -> tuple[Name, ...]:
    """Read the names the salt was made of; raises InvalidFile for one that isn't a player's, or that is there twice."""
    names: set[Name] = set()
    for item in node.items():
        name = people.entrant(item)
        if name in names:
            raise item.wrong(f"{quoted(name)} is here twice; the salt is made of each name once")
        names.add(name)
    return tuple(sorted(names))
