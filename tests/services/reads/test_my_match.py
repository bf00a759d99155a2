"""What /match says is true in every state, in all formats."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest

from bot import steps
from bot.league.errors import LeagueError
from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.formats.shared.words import ordinal
from bot.league.season.model import Name, Stage, Status
from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import RoundView
from bot.services.organising import rounds_by_hand
from bot.services.people import rejoining, removing
from bot.services.play import decisions, reporting
from bot.services.reads import tables
from bot.services.reads.my_match import MyMatch, my_match
from storage import rules_season
from storage.rows import EntrantRow, MatchRow, RoundId, RoundRow, SeasonRow, SeatRow, TieRow
from storage.tables import matches, rounds, seasons, ties
from storage.tables.field import entrants
from tests.files import do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, World


def organiser(world: World) -> Any:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def told(world: World, name: str) -> MyMatch:
    return await world.db.read(my_match, Order(actor=world.player(name), now=world.now, league_id=world.league_id))


def said(mine: MyMatch) -> str:
    return " ".join((mine.what_to_do, *mine.after))


@dataclass(frozen=True)
class Recorded:
    """What the database says of the season at one moment, whatever /match says."""

    season: SeasonRow
    entrants: dict[int | None, EntrantRow]
    published: tuple[RoundRow, ...]
    row: RoundRow | None
    draft: RoundRow | None
    seats: tuple[SeatRow, ...]
    pairs: dict[RoundId, tuple[MatchRow, ...]]
    tied: tuple[TieRow, ...]
    format: Format
    states: dict[Name, Status]

    @classmethod
    def of(cls, world: World) -> "Recorded":
        with look_into(world.db) as conn:
            season = seasons.newest(conn, world.league_id)
            assert season is not None
            row, published = rounds.latest(conn, season.id), rounds.published(conn, season.id)
            record, tied = rules_season.load(conn, season.id), ties.waiting(conn, season.id)
            format_ = by_key(record.format)
            states = {} if row is None else {line.name: line.status for line in format_.standings(record)}
            for tie in tied:
                last = tie.first + len(tie.names) - 1
                if tie.first <= tie.going_on < last:  # some of them go on, and nobody knows who
                    states |= {Name(name): Status.ACTIVE for name in tie.names}
            return cls(
                season,
                {one.discord_id: one for one in entrants.of_season(conn, season.id)},
                published,
                row,
                rounds.draft(conn, season.id),
                () if row is None else matches.seats(conn, row.id),
                {one.id: matches.of_round(conn, one.id) for one in published},
                tied,
                format_,
                states,
            )


class Truth:
    """What is so of one player."""

    def __init__(self, world: World, name: str, recorded: Recorded) -> None:
        self.world, self.name, self.recorded = world, name, recorded

    async def require(self) -> str:
        """Require that /match says what is so, and return a word for the state."""
        mine, known = await told(self.world, self.name), self.recorded
        season, row, draft, tied = known.season, known.row, known.draft, known.tied
        entrant = known.entrants[self.world.player(self.name).user_id]
        pairs = () if row is None else known.pairs[row.id]
        if season.phase in (SeasonPhase.FINISHED, SeasonPhase.CANCELLED):
            return await self._over(mine, season.phase, entrant)
        if entrant.departed is not None:
            assert mine.match is None
            word = "disqualified" if entrant.departed == "disqualification" else "left"
            assert word in mine.what_to_do
            return word
        if row is None:
            assert said(mine).startswith("You're in season 1. Round 1 is posted when")
            return "before"
        own = next((pair for pair in pairs if entrant.id in pair.players), None)
        assert (mine.match is None) == (own is None)
        if own is not None and own.state is not MatchState.CONFIRMED:
            assert known.format.fixed_rounds or mine.after == ()
            return self._playing(mine, entrant)
        missing = [pair for pair in pairs if pair.state is not MatchState.CONFIRMED]
        bye = any(seat.entrant_id == entrant.id and seat.match_id is None for seat in known.seats)
        if "out since" not in said(mine):
            assert ("looking at a preview" in said(mine)) == (draft is not None)
            assert ("are equal in everything" in said(mine)) == bool(tied and draft is None)
        return await self._waiting(mine, row, known.states[Name(self.name)], missing=len(missing), bye=bye)

    def _playing(self, mine: MyMatch, entrant: EntrantRow) -> str:
        view = mine.match
        assert view is not None
        assert mine.undecided
        assert entrant in view.sides
        match view.match.state:
            case MatchState.OPEN:
                assert ("deadline has passed" in mine.what_to_do) == (view.match.overdue_at is not None)
                assert "/report" in mine.what_to_do
            case MatchState.REPORTED if view.asked == entrant:
                assert mine.what_to_do == "Press Confirm if that's right, Dispute if it isn't."
            case MatchState.REPORTED:
                assert mine.what_to_do.startswith(f"Waiting for {view.opponent_of(entrant).name} to confirm.")
            case _:
                assert mine.what_to_do.startswith("The moderators will decide")
        return view.match.state.value

    async def _over(self, mine: MyMatch, phase: SeasonPhase, entrant: EntrantRow) -> str:
        text = said(mine)
        assert mine.match is None
        if phase is SeasonPhase.CANCELLED:
            assert "was cancelled" in text
            return "cancelled"
        view = await self.world.db.read(
            tables.standings, Order(actor=BOT, now=self.world.now, league_id=self.world.league_id)
        )
        [line] = [row.standing for row in view.rows if row.standing.name == self.name]
        assert ("You won it" in text) == (line.status is Status.CHAMPION)
        assert ("left it" in text) == (line.status is Status.DROPPED)
        assert ("disqualified" in text) == (line.status is Status.DISQUALIFIED)
        [champion] = [row.standing.name for row in view.rows if row.standing.status is Status.CHAMPION]
        assert (f"{champion} won it." in text) == (champion != self.name)
        if entrant.active and champion != self.name:
            assert f"You came {ordinal(line.place or line.rank)}." in text
        return "over"

    async def _waiting(self, mine: MyMatch, row: RoundRow, status: Status, *, missing: int, bye: bool) -> str:
        text = said(mine)
        assert ("You have a bye" in text or "Third place is yours" in text) == bye
        out = status is Status.ELIMINATED and not bye
        third = "The match for third place comes with the final." in text
        assert ("You've been out since" in text) == (out and not third)
        if out and not third:
            self._out(text)
        elif missing:
            await self._names_what_is_missing(text, missing)
        if not out and not bye:
            through = status is Status.QUALIFIED or (row.stage is Stage.FINALS and status is not Status.CHAMPION)
            assert ("You're through to" in text) == through
            assert ("You've won this season" in text) == (status is Status.CHAMPION)
        return "bye" if bye else "third place" if third else "out" if out else status.value

    def _out(self, text: str) -> None:
        """Who is out lost a match in the round named, or it was the last before the finals."""
        played, names = self.recorded.published, {one.id: one.name for one in self.recorded.entrants.values()}
        [since] = [row for row in played if f"out since {row.words}." in text]
        pairs = self.recorded.pairs[since.id]
        lost = {names[who] for pair in pairs for who in pair.players if pair.kind != "open" and who != pair.winner_id}
        later = [row for row in played if row.number == since.number + 1]
        last = since.stage is not Stage.FINALS and (not later or later[0].stage is Stage.FINALS)
        assert self.name in lost or last

    async def _names_what_is_missing(self, text: str, missing: int) -> None:
        view = await current(self.world)
        results = "1 result: " if missing == 1 else f"{missing} results: "
        assert f"for {results}" in text
        waited = text.split(results)[1]
        named = [match for match in view.matches if match.pairing in waited]
        assert named == list(view.missing[:5])
        assert (f"and {missing - 5} more" in waited) == (missing > 5)
        for match in named:
            why = {MatchState.OPEN: "still to play", MatchState.REPORTED: f"waiting for {match.asked.name}"}
            assert f"{match.pairing} ({why.get(match.match.state, 'the moderators decide')})" in waited


async def current(world: World) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))


async def everyone(world: World, seen: set[str]) -> None:
    """Let everyone ask."""
    recorded = Recorded.of(world)
    for name in list(world.players):
        seen.add(await Truth(world, name, recorded).require())


async def play(world: World, seen: set[str]) -> None:
    """Play the current round in every way, asking after each step."""
    first, *others = (await current(world)).missing
    who: Any = {"match": first.match.id, "now": world.now}
    await do(reporting.report, db=world.db, actor=world.player(first.upper.name), result="won", **who)
    await everyone(world, seen)
    await do(reporting.dispute, db=world.db, actor=world.player(first.lower.name), reason="no", **who)
    await everyone(world, seen)
    for match in others:
        await world.lose(match.lower.name)
    await everyone(world, seen)
    await do(decisions.decide, db=world.db, actor=MODERATOR, outcome=Outcome.LOWER, reason="seen", **who)
    await everyone(world, seen)


async def come_and_go(world: World) -> None:
    """Let someone drop and ask to come back, one be disqualified and one join late, as far as the format lets them."""
    view = await current(world)
    names = [match.upper.name for match in view.matches]
    await world.drop(names[0], agreed=None)
    with suppress(LeagueError):
        await world.db.write(
            rejoining.rejoin, Order(actor=world.player(names[0]), now=world.now, league_id=world.league_id)
        )
    await do(removing.disqualify, db=world.db, **organiser(world), player=names[1], reason="cheats")
    try:
        await world.sign_up("Late")
    except LeagueError:
        del world.players["Late"]


QUICK = "keyforge-swiss"


@pytest.mark.parametrize(
    ("format_", "advance"),
    [
        *(
            pytest.param(format_.key, "all-in", marks=() if format_.key == QUICK else pytest.mark.long)
            for format_ in ALL
        ),
        *(pytest.param(format_.key, "manual", marks=pytest.mark.long) for format_ in (ALL[0], ALL[-1])),
    ],
)
async def test_it_is_true_in_every_state_of_every_format(world: World, format_: str, advance: str) -> None:
    groups = {"group_size": 5, "cut": 4}
    own = {"single-elimination": {"third_place": True}, "two-loss-out": {"cut": 2}, "round-robin": groups}
    settings = own.get(format_, {"cut": 4, "rounds": 3})
    seen: set[str] = set()
    await world.create(format_, advance=advance, **settings)
    await world.sign_up(*NAMES[:13])
    await everyone(world, seen)
    await world.start()
    await everyone(world, seen)
    await come_and_go(world)
    for _ in range(12):
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            break
        if (await current(world)).missing:
            await play(world, seen)
        await world.announce()
        await steps.tick(world.db, world.later(hours=30))
        await everyone(world, seen)
        if advance == "manual":
            await play_next(world, seen)
    await everyone(world, seen)
    assert seen >= {"before", "open", "reported", "disputed", "left", "disqualified", "out", "over"}


async def play_next(world: World, seen: set[str]) -> None:
    """Let the organiser look at a preview, then publish it; or end the season where no round follows."""
    try:
        await do(rounds_by_hand.preview, db=world.db, **organiser(world))
    except LeagueError:
        await do(rounds_by_hand.close, db=world.db, **organiser(world))
        return
    await everyone(world, seen)
    await do(rounds_by_hand.post, db=world.db, **organiser(world))
