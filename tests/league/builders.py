"""Small seasons, and a player of whole ones: what tests of the rules are made of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Any

from bot.league.checking.league_file.reading import read
from bot.league.counting.meetings import Meetings
from bot.league.counting.standings import Standing
from bot.league.formats import by_key
from bot.league.formats.shared.base import Format
from bot.league.pairing.proposal import Champion, Proposal, Qualified
from bot.league.season.model import (
    Decision,
    Departure,
    DepartureKind,
    Entrant,
    Kind,
    Match,
    Meeting,
    Name,
    PastMatch,
    PastSeason,
    Round,
    Season,
    Stage,
)
from tests.league.checking.league_file.examples import encoded

Decide = Callable[[Name, Name, int], Name]
"""Who wins between two in a round of this number."""


def names(count: int) -> tuple[Name, ...]:
    """Return `p01`, `p02`, ..."""
    return tuple(Name(f"p{number:02}") for number in range(1, count + 1))


def season(
    format_: str | Format,
    players: int | Sequence[str | Entrant],
    *,
    number: int = 7,
    past: Mapping[int, Iterable[tuple[str, str]]] | None = None,
    **settings: Any,
) -> Season:
    """Return a season before its first round; `past` maps season numbers to who met each other."""
    chosen = by_key(format_) if isinstance(format_, str) else format_
    listed = names(players) if isinstance(players, int) else players
    entrants = tuple(player if isinstance(player, Entrant) else Entrant(name=Name(player)) for player in listed)
    earlier = tuple(
        PastSeason(
            number=season_number,
            matches=tuple(PastMatch(players=(Name(first), Name(second))) for first, second in matches),
        )
        for season_number, matches in (past or {}).items()
    )
    return Season(
        league="Test league",
        number=number,
        format=chosen.key,
        settings=chosen.read_settings(settings),
        entrants=entrants,
        past=earlier,
    )


def won(first: str, second: str, *, kind: Kind = Kind.PLAYED) -> Match:
    """Return a match the first one has won."""
    return Match(upper=Name(first), lower=Name(second), kind=kind, winner=Name(first))


def open_match(first: str, second: str) -> Match:
    """Return a match without a result."""
    return Match(upper=Name(first), lower=Name(second))


def double_loss(first: str, second: str) -> Match:
    """Return a match both have lost."""
    return Match(upper=Name(first), lower=Name(second), kind=Kind.DOUBLE_LOSS)


def with_round(
    before: Season,
    *matches: Match,
    byes: Sequence[str] = (),
    stage: Stage = Stage.REGULAR,
    by_hand: str | None = None,
) -> Season:
    """Return the season with one more round."""
    number = len(before.rounds) + 1
    named = tuple(map(Name, byes))
    return replace(
        before, rounds=(*before.rounds, Round(number=number, stage=stage, byes=named, matches=matches, by_hand=by_hand))
    )


def with_departure(
    before: Season,
    name: str,
    round_: int,
    *,
    after_pairing: bool = False,
    rejoined: int | None = None,
    kind: DepartureKind = DepartureKind.DROP,
) -> Season:
    """Return the season with one more departure."""
    gone = Departure(name=Name(name), kind=kind, round=round_, after_pairing=after_pairing, rejoined=rejoined)
    return replace(before, departures=(*before.departures, gone))


def result(word: Sequence[str]) -> Match:
    """Return the match of `ab`: a won; of `ab1`: a won two games to one; of `a=b`: both lost."""
    if "=" in word:
        return double_loss(word[0], word[2])
    return replace(won(word[0], word[1]), games=(2, int(word[2])) if len(word) > 2 else None)


def after(now: Season, *results: Sequence[str], byes: Sequence[str] = "") -> Season:
    """Return the season with one more round of results like `ab`, `ab1`, `a=b` or `("p01", "p02")`."""
    return with_round(now, *map(result, results), byes=tuple(byes))


def with_decisions(now: Season, *decisions: tuple[int, str]) -> Season:
    """Return the season with orders an organiser decided, each after a round, in letters."""
    made = tuple(Decision(after_round=number, order=tuple(map(Name, letters))) for number, letters in decisions)
    return replace(now, decisions=(*now.decisions, *made))


def proposed(now: Season) -> Proposal:
    """Return the next round, which the season must have."""
    answer = by_key(now.format).next_round(now)
    assert isinstance(answer, Proposal)
    return answer


def lines(now: Season) -> dict[str, Standing]:
    """Return the standings by name, best first."""
    return {standing.name: standing for standing in by_key(now.format).standings(now)}


def drawn(purpose: str, round_: int, players: Iterable[str]) -> list[str]:
    """Return names in the order of a draw of season 1."""
    return sorted(players, key=lambda name: sha256(f"1/{round_}/{purpose}/{name}".encode()).hexdigest())


def drawn_word(purpose: str, round_: int, letters: str) -> str:
    """Return letters in the order of a draw of season 1, as one word."""
    return "".join(drawn(purpose, round_, letters))


def met(*pairs: tuple[str, str]) -> Meetings:
    """Return meetings of these pairs in the first round of season 7."""
    meetings = Meetings()
    meetings.season = 7
    for first, second in pairs:
        meetings.add(Name(first), Name(second), Meeting(season=7, round=1))
    return meetings


def decided(match: Match, decide: Decide, number: int) -> Match:
    """Return a match with its result, if it has none."""
    if match.kind is not Kind.OPEN:
        return match
    return replace(match, kind=Kind.PLAYED, winner=decide(match.upper, match.lower, number))


def first_by_name(upper: Name, lower: Name, number: int) -> Name:
    """Decide for the name that comes first."""
    return min(upper, lower)


def by_chance(seed: int) -> Decide:
    """Return results by chance, the same ones for the same seed whatever the order of matches."""
    return lambda upper, lower, number: Random(f"{seed}/{number}/{sorted((upper, lower))}").choice(
        sorted((upper, lower))
    )


@dataclass
class Played:
    """A season that has been played to its end."""

    season: Season
    end: Champion | Qualified
    proposals: list[Proposal] = field(default_factory=list[Proposal])

    @property
    def champion(self) -> Name | None:
        assert isinstance(self.end, Champion)
        return self.end.name


class Events:
    """What happens around the pairings of a season that is played; nothing, unless a test says so."""

    def before_pairing(self, season: Season, proposal: Proposal) -> Season:
        """Return the season as it is when the proposed round is really paired."""
        return season

    def after_pairing(self, season: Season) -> Season:
        """Return the season with what happened after its last round was published."""
        return season


def play_season(start: Season, decide: Decide = first_by_name, events: Events | None = None) -> Played:
    """Play a season to its end by the rules."""
    format_, happening = by_key(start.format), events or Events()
    now, proposals = start, []
    for _ in range(200):
        answer = format_.next_round(now)
        if isinstance(answer, Proposal):
            now = happening.before_pairing(now, answer)
            answer = format_.next_round(now)
        if not isinstance(answer, Proposal):
            return Played(season=now, end=answer, proposals=proposals)
        proposals.append(answer)
        now = happening.after_pairing(replace(now, rounds=(*now.rounds, as_round(answer))))
        last = now.rounds[-1]
        results = tuple(decided(match, decide, last.number) for match in last.matches)
        now = replace(now, rounds=(*now.rounds[:-1], replace(last, matches=results)))
    raise AssertionError("the season does not end")


def shuffled(season: Season, seed: int) -> Season:
    """Return the same season with its entrants, matches, past seasons and departures in another order."""
    random = Random(seed)

    def mixed(rows: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(random.sample(rows, len(rows)))

    return replace(
        season,
        entrants=mixed(season.entrants),
        departures=mixed(season.departures),
        sat_out=mixed(season.sat_out),
        substitutes=mixed(season.substitutes),
        past=tuple(replace(earlier, matches=mixed(earlier.matches)) for earlier in mixed(season.past)),
        rounds=tuple(replace(r, matches=mixed(r.matches), byes=mixed(r.byes)) for r in season.rounds),
    )


def until(season: Season, number: int) -> Season:
    """Return the season as it was when round `number` was paired."""
    return replace(season, rounds=tuple(round_ for round_ in season.rounds if round_.number < number))


def as_round(proposal: Proposal) -> Round:
    """Return the round as published: all matches open."""
    return Round(
        number=proposal.number,
        stage=proposal.stage,
        byes=tuple(bye.name for bye in proposal.byes),
        matches=tuple(Match(upper=pair.upper, lower=pair.lower) for pair in proposal.pairs),
    )


def as_sets(answer: Proposal | Round) -> tuple[frozenset[frozenset[Name]], frozenset[Name]]:
    """Return the pairs and the byes, without any order."""
    if isinstance(answer, Proposal):
        answer = as_round(answer)
    return frozenset(frozenset(match.players) for match in answer.matches), frozenset(answer.byes)


def season_of_file(format_: str, players: int, **fields: Any) -> Season:
    """Return season 3 of a league file without rounds; the players are P00, P01 and so on."""
    listed = [{"name": f"P{number:02}"} for number in range(players)]
    data = {"fairpair": 1, "league": "L", "season": 3, "format": format_, "players": listed}
    return read(encoded({**data, **fields}))


def play_rounds(now: Season, rounds: int = 50) -> Season:
    """Play on until the season ends or this many rounds are played; the smaller name wins."""
    for _ in range(rounds):
        answer = by_key(now.format).next_round(now)
        if not isinstance(answer, Proposal):
            break
        open_ = as_round(answer)
        results = tuple(decided(match, first_by_name, open_.number) for match in open_.matches)
        now = replace(now, rounds=(*now.rounds, replace(open_, matches=results)))
    return now
