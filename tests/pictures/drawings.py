"""Pictures to test with: brackets of any size at any stage, standings, ratings, champions."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from bot.pictures.bracket import BracketPicture
from bot.pictures.champion import ChampionPicture, Step
from bot.pictures.group_grid import Ended, GroupRow, Meeting
from bot.pictures.group_table import MOST_CROSSED, GroupPicture
from bot.pictures.many_groups import GroupRows, GroupsPicture
from bot.pictures.rating import RatingPicture, RatingPoint
from bot.pictures.standings import StandingsPicture
from bot.pictures.standings_grid import Column, Mark, StandingsRow
from bot.pictures.tree import BracketMatch, Side, State

HOSTILE = (
    "W" * 60,
    "Konstantinos Papadopoulos",
    "Ελένη",
    "Мирослава",
    "שלום עולם",
    "مرحبا بالعالم",
    "日本語の名前です",
    "नमस्ते दुनिया",
    "😀🎉👨‍👩‍👧",
    "a" + "\u0301" * 30,
    "\u0301\u0301",
    "\u202eleft\u202c to\x00 right\n",
    "\ud83d",
    "ﷺ" * 12,
    "i" * 200,
    "",
)
names = st.one_of(st.text(max_size=40), st.sampled_from(HOSTILE))
ROUNDS = {2: "Final", 4: "Semi-final", 8: "Quarter-final"}

Waiting = tuple[str | None, int | None, str | None]
"""A player or nobody yet, the seed, the label of the match they come from."""


def label(size: int, number: int) -> str:
    if size == 2:
        return "Final"
    return f"{ROUNDS[size]} {number}" if size in ROUNDS else f"Round of {size}, match {number}"


def bracket(players: list[str], *, rounds: int, seed: int = 0, third: bool = False) -> BracketPicture:
    """Return the bracket of these players after so many rounds, the better seeds with a bye."""
    random, matches, semifinals = Random(seed), list[BracketMatch](), list[Waiting]()
    size = 1 << (len(players) - 1).bit_length()
    places: list[Waiting | None] = [(name, number, None) for number, name in enumerate(players, start=1)]
    places += [None] * (size - len(players))
    champion = None
    for number in range(1, size.bit_length()):
        size, coming = len(places), list[Waiting | None]()
        for at, (upper, lower) in enumerate(zip(places[: size // 2], places[: size // 2 - 1 : -1], strict=True), 1):
            if upper is None or lower is None:
                coming.append(upper or lower)
                continue
            match, winner, loser = _match(label(size, at), number, upper, lower, random, decided=number <= rounds)
            matches.append(match)
            coming.append(winner)
            semifinals += [loser] if size == 4 else []
            champion = winner[0] if size == 2 else None
        places = coming
    if third and len(semifinals) == 2:
        matches.append(_third(semifinals, number))
    return BracketPicture(
        league="Sunday League", subtitle="Season 6 · best of 3", matches=tuple(matches), champion=champion
    )


def _match(
    name: str, number: int, upper: Waiting, lower: Waiting, random: Random, *, decided: bool
) -> tuple[BracketMatch, Waiting, Waiting]:
    both, nobody = (upper, lower), (None, None, name)
    if not decided or upper[1] is None or lower[1] is None:
        open_states = (State.TO_PLAY, State.REPORTED, State.DISPUTED)
        state = State.FUTURE if None in (upper[1], lower[1]) else random.choice(open_states)
        return _of(name, number, both, None, state), nobody, nobody
    won = random.randrange(2)
    winner, loser = both[won], both[1 - won]
    match = _of(name, number, both, won, State.DONE)
    return match, (winner[0], winner[1], name), (loser[0], loser[1], name)


def _of(name: str, number: int, both: tuple[Waiting, ...], won: int | None, state: State) -> BracketMatch:
    upper, lower = (
        Side(name=who, seed=seed, source=source, won=won == at, score="" if won is None else "21"[won != at])
        for at, (who, seed, source) in enumerate(both)
    )
    byes = [str(side.seed) for side in (upper, lower) if side.source is None]
    note = f"bye: seeds {', '.join(byes)}" if byes and number > 1 else ""
    return BracketMatch(label=name, round=number, upper=upper, lower=lower, state=state, note=note)


def _third(losers: list[Waiting], number: int) -> BracketMatch:
    upper, lower = (Side(name=name, seed=seed, source=source) for name, seed, source in losers)
    state = State.TO_PLAY if upper.name and lower.name else State.FUTURE
    return BracketMatch(label="Third place", round=number, upper=upper, lower=lower, state=state, third_place=True)


@st.composite
def brackets(draw: st.DrawFn) -> BracketPicture:
    players = draw(st.lists(names, min_size=2, max_size=70))
    rounds, seed, third = draw(st.integers(0, 7)), draw(st.integers(0, 99)), draw(st.booleans())
    whole = bracket(players, rounds=rounds, seed=seed, third=third)
    if draw(st.booleans()):
        return whole
    known = draw(st.integers(1, 7))
    return replace(whole, matches=tuple(match for match in whole.matches if match.round <= known))


@st.composite
def standings(draw: st.DrawFn) -> StandingsPicture:
    titles = draw(st.lists(st.sampled_from(("W–L", "Points", "SoS", "Ext. SoS", "Game wins")), max_size=5))
    columns = tuple(Column(key=title, title=title, meaning=title, strong=not at) for at, title in enumerate(titles))
    whole = st.integers(-99_999, 99_999)
    rows = st.builds(
        StandingsRow,
        rank=st.integers(1, 999),
        name=names,
        movement=st.none() | st.integers(-99, 99),
        mark=st.none() | st.sampled_from(Mark),
        cells=st.just(()) | st.tuples(*(st.sampled_from(("3–0", "0.480", "100")) for _ in columns)),  # () of the struck
        rating=st.none() | whole,
        uncertainty=st.none() | st.integers(0, 9_999),
        provisional=st.booleans(),
    )
    return StandingsPicture(
        league=draw(names),
        subtitle=draw(names),
        columns=columns,
        rows=tuple(draw(st.lists(rows, max_size=70))),
        cut_after=draw(st.none() | st.integers(1, 70)),
        cut_words=draw(names),
    )


meetings = st.lists(
    st.builds(Meeting, ended=st.sampled_from(Ended))
    | st.builds(
        Meeting,
        ended=st.sampled_from((Ended.WON, Ended.LOST, Ended.DREW)),
        own=st.integers(0, 9_999).map(str),
        other=st.integers(0, 9_999).map(str),
    ),
    max_size=2,
).map(tuple)


@st.composite
def many_groups(draw: st.DrawFn) -> GroupsPicture:
    table = draw(standings())
    sizes = draw(st.lists(st.integers(2, 12), min_size=2, max_size=40))
    rows = iter(table.rows * (sum(sizes) // max(len(table.rows), 1) + 1))
    groups = tuple(
        GroupRows(
            title=f"Group {number}",
            rows=tuple(replace(row, name=f"{row.name} {number}") for row, _ in zip(rows, range(size), strict=False)),
            cut_after=draw(st.none() | st.integers(1, size)),
            cut_words=draw(names),
        )
        for number, size in enumerate(sizes, start=1)
    )
    return GroupsPicture(
        league=table.league,
        subtitle=table.subtitle,
        columns=table.columns,
        unit="group",
        groups=groups,
        in_words=table.in_words,
        out_words=table.out_words,
    )


@st.composite
def groups(draw: st.DrawFn) -> GroupPicture:
    columns = (
        Column(key="points", title="Pts", meaning="points", strong=True),
        *(Column(key=title, title=title, meaning=title) for title in ("+/−", "Scored", "SB")),
    )
    size = draw(st.integers(2, MOST_CROSSED))
    marks = st.none() | st.sampled_from(Mark)
    rows = (
        GroupRow(
            rank=rank,
            name=draw(names),
            mark=draw(marks),
            cells=draw(st.sampled_from(((), ("12", "+3", "40", "7.500"), ("120", "−19,998", "9,999", "1234.500")))),
            meetings=tuple(() if at == rank else draw(meetings) for at in range(1, size + 1)),
            own=draw(st.booleans()),
        )
        for rank in range(1, size + 1)
    )
    return GroupPicture(
        title="Group B",
        season=draw(names),
        subtitle=draw(names),
        columns=columns,
        rows=tuple(rows),
        cut_after=draw(st.none() | st.integers(1, size)),
        cut_words=draw(names),
        ties=tuple(draw(st.lists(names, max_size=3))),
    )


ratings = st.builds(
    RatingPicture,
    player=names,
    subtitle=names,
    points=st.lists(
        st.builds(
            RatingPoint,
            season=st.integers(1, 99),
            rating=st.integers(-9_999, 99_999),
            uncertainty=st.integers(0, 9_999),
            provisional=st.booleans(),
        ),
        min_size=1,
        max_size=80,
    ).map(lambda points: tuple(sorted(points, key=lambda point: point.season))),
)

champions = st.builds(
    ChampionPicture,
    name=names,
    season=st.just("season 6"),
    subtitle=names,
    way=st.lists(
        st.builds(
            Step,
            stage=names,
            opponent=names,
            seed=st.none() | st.integers(1, 999),
            words=names,
            result=st.sampled_from(("2–1", "10–9", "seed 12")),
        ),
        max_size=9,
    ).map(tuple),
    numbers=st.lists(st.tuples(st.sampled_from(("14", "10,000")), names), max_size=8).map(tuple),
    facts=st.lists(st.tuples(st.sampled_from(("Closest", "Upset")), names), max_size=3).map(tuple),
    file=names,
)
