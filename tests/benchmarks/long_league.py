"""A league with many seasons behind it, brought in as league files: what its pages are written of."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from bot import steps
from bot.league.checking.league_file import writing
from bot.league.counting.ratings import season_ratings
from bot.league.formats import by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Entrant, Kind, Match, Name, Rating, Season
from bot.services.base.order import by_bot
from bot.services.base.permissions import Actor
from bot.services.leagues import set_up
from storage.database import Database
from storage.rows import LeagueId
from tests.files import do
from tests.league.builders import as_round

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
ADMIN = Actor(user_id=1, name="Admin", role_ids=frozenset(), manage_guild=True, guild_id=1)


async def build(path: Path, *, seasons: int, people: int, format_: str = "keyforge-swiss") -> tuple[Database, LeagueId]:
    """Return a new database with a league in which everyone played each of these seasons."""
    db = await Database.open(path)
    league = await do(set_up.create, db=db, actor=ADMIN, now=NOW, name="Long League", channel_id=5)
    order = by_bot(NOW, league.id)
    ratings: dict[Name, Rating] = {}
    for number in range(1, seasons + 1):
        played = season(number, people, format_, ratings)
        ratings = season_ratings(played)
        await steps.import_file(db, order, data=writing.to_json(played).encode())
    return db, league.id


def season(number: int, people: int, format_: str, ratings: Mapping[Name, Rating]) -> Season:
    """Return a season that was played to its end."""
    random, rules = Random(number), by_key(format_)
    names = [Name(f"Player number {at:03}") for at in range(1, people + 1)]
    now = Season(
        league="Long League",
        number=number,
        format=format_,
        settings=rules.read_settings({}),
        entrants=tuple(Entrant(name=name, rating=ratings.get(name)) for name in names),
    )
    while isinstance(proposal := rules.next_round(now), Proposal):
        round_ = as_round(proposal)
        matches = tuple(_won(match, random) for match in round_.matches)
        now = replace(now, rounds=(*now.rounds, replace(round_, matches=matches)))
    return now


def _won(match: Match, random: Random) -> Match:
    return replace(match, kind=Kind.PLAYED, winner=random.choice(match.players))
