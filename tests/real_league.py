"""Play seasons of a real league again as OHS through the services: `python -m tests.real_league FILE [SEASON...]`.

FILE is a table of matches with the columns season, number, round, player_a, player_b, winner and how. The seasons
before the one played are taken in as records; a match goes to who really won it that season, else to the better rating.
"""

import asyncio
import csv
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot import steps
from bot.answers import next_round
from bot.league.checking.league_file import reading
from bot.league.checking.verify import as_of, verify
from bot.league.counting.ratings import ranking_value, season_ratings
from bot.league.season.model import Name, Rating, Season
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.leagues import exporting, set_up
from bot.services.matches.views import MatchView
from bot.services.reads import overview
from bot.services.signups import signing_up
from storage.database import Database
from storage.rows import LeagueId
from tests.story import AtServices

GUILD, CHANNEL, FIRST_PERSON = 1, 2, 1000
KINDS = {"normal": "played", "timeout": "adjudicated", "forfeit": "forfeit"}
ORGANISER = Actor(user_id=1, name="organiser", manage_guild=True, guild_id=GUILD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One match of the real league; without a second player it was a bye."""

    season: int
    round: int
    players: tuple[str, str]
    winner: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What playing one season again came to."""

    number: int
    players: int
    rounds: int
    byes: int
    rematches: int
    """Matches their list forbade, and had to take."""
    repeated: int
    """Pairs that met more than once in the season."""
    champion: str | None
    differing: int
    """Rounds of the exported file that are not as the rules say."""

    def line(self) -> str:
        """Return the outcome in one line."""
        agreed = "verify agrees with every round" if not self.differing else f"{self.differing} rounds differ"
        return (
            f"season {self.number}: {self.players} players, {self.rounds} rounds, {self.byes} byes, {self.rematches} "
            f"rematches ({self.repeated} pairs met twice), champion {self.champion}; {agreed}"
        )


def read_rows(path: Path) -> list[Row]:
    """Return the matches of a real league."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            Row(
                season=int(line["number"]),
                round=int(line["round"]),
                players=(line["player_a"], line["player_b"]),
                winner=line["winner"],
                how=line["how"],
            )
            for line in csv.DictReader(file)
        ]


def roster(rows: Iterable[Row], season: int) -> list[str]:
    """Return who played in a season, in order of appearance."""
    played = (name for row in rows if row.season == season for name in row.players if name)
    return list(dict.fromkeys(played))


def record(rows: Iterable[Row], season: int) -> str:
    """Return a real season as a league file; who played twice in a week plays the second match a round later."""
    rounds: list[dict[str, list[Row]]] = []
    for row in sorted((row for row in rows if row.season == season), key=lambda row: row.round):
        names = [name for name in row.players if name]
        last = max((n for n, round_ in enumerate(rounds) if any(name in round_ for name in names)), default=-1)
        position = max(last + 1, row.round - 1)
        rounds.extend({} for _ in range(position + 1 - len(rounds)))
        for name in names:
            rounds[position].setdefault(name, []).append(row)
    listed = [list(dict.fromkeys(row for of in round_.values() for row in of)) for round_ in rounds if round_]
    return json.dumps({
        "fairpair": 1, "league": "real", "season": season, "format": "record",
        "players": [{"name": name} for name in roster(rows, season)],
        "rounds": [_round(number, of) for number, of in enumerate(listed, start=1)],
    })  # fmt: skip


def _round(number: int, rows: Iterable[Row]) -> dict[str, object]:
    listed = list(rows)
    return {
        "number": number,
        "bye": [row.players[0] for row in listed if not row.players[1]],
        "matches": [
            {"players": list(row.players), "winner": row.winner, "kind": KINDS[row.how]}
            for row in listed
            if row.players[1]
        ],
    }


async def replay(rows: list[Row], season: int, database: Path) -> Outcome:
    """Play one season again in a new database and return what came of it."""
    db = await Database.open(database)
    try:
        now = datetime(2026, 1, 1, tzinfo=UTC)
        league = await db.write(set_up.create, Order(actor=ORGANISER, now=now), name="real", channel_id=CHANNEL)
        for past in sorted({row.season for row in rows if row.season < season}):
            await steps.import_file(
                db, Order(actor=ORGANISER, now=now, league_id=league.id), data=record(rows, past).encode()
            )
        await _play(db, league.id, roster(rows, season), real_winners(rows, season), now)
        exported = await db.read(
            exporting.export, Order(actor=ORGANISER, now=now, league_id=league.id), season_number=season
        )
    finally:
        await db.close()
    return outcome(reading.read(exported.text.encode()))


def real_winners(rows: Iterable[Row], season: int) -> dict[frozenset[str], str]:
    """Return who won when two really met in a season, the last time if they met more than once."""
    return {frozenset(row.players): row.winner for row in rows if row.season == season and row.players[1]}


async def _play(
    db: Database, league: LeagueId, names: list[str], really: Mapping[frozenset[str], str], now: datetime
) -> None:
    story = AtServices(db=db, league_id=league, organiser=ORGANISER, now=now)
    await story.open()
    for number, name in enumerate(names, start=FIRST_PERSON):
        await db.write(
            signing_up.add,
            Order(actor=ORGANISER, now=now, league_id=league),
            discord_id=number,
            display_name=name,
            name=name,
        )
    await story.start()
    while matches := await _open_matches(db, league, now):
        now = story.now = now + timedelta(days=1)
        season = reading.read(
            (await db.read(exporting.export, Order(actor=ORGANISER, now=now, league_id=league))).text.encode()
        )
        ratings = season_ratings(season)
        for match in matches:
            await _concede(story, match, really, ratings)
        await steps.tick(db, now)


async def _open_matches(db: Database, league: LeagueId, now: datetime) -> list[MatchView]:
    view = await db.read(overview.status, Order(actor=BOT, now=now, league_id=league))
    if view.current_round is None or view.champion is not None:
        return []
    return [match for match in view.current_round.matches if match.winner is None]


async def _concede(
    story: AtServices, match: MatchView, really: Mapping[frozenset[str], str], ratings: Mapping[Name, Rating]
) -> None:
    """Let the loser report: one's own loss is confirmed at once."""
    expected = max((match.upper, match.lower), key=lambda side: ranking_value(ratings[Name(side.name)]))
    winner = really.get(frozenset((match.upper.name, match.lower.name)), expected.name)
    loser = match.lower if winner == match.upper.name else match.upper
    actor = Actor(user_id=loser.discord_id, name=loser.name, guild_id=GUILD)
    await story.report(actor, "lost", match=match.match.id)


def outcome(season: Season) -> Outcome:
    """Return what an exported season shows of itself."""
    pairs = [frozenset(match.players) for round_ in season.rounds for match in round_.matches]
    ended = next_round(season)
    return Outcome(
        number=season.number,
        players=len(season.entrants),
        rounds=len(season.rounds),
        byes=sum(len(round_.byes) for round_ in season.rounds),
        rematches=sum(next_round(as_of(season, round_.number))["rematches"] for round_ in season.rounds),
        repeated=len(pairs) - len(set(pairs)),
        champion=ended.get("champion"),
        differing=sum(check.difference is not None for check in verify(season).rounds),
    )


async def main(path: Path, chosen: list[int]) -> int:
    """Play the chosen seasons, by default all but the first, and print what came of each."""
    rows = read_rows(path)
    numbers = chosen or sorted({row.season for row in rows})[1:]
    differing = 0
    for number in numbers:
        with tempfile.TemporaryDirectory() as folder:
            found = await replay(rows, number, Path(folder) / "league.db")
        print(found.line(), flush=True)
        differing += found.differing
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]), [int(number) for number in sys.argv[2:]])))
