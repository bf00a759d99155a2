"""Broken files through the program: each is refused in a line that says where, and the database stays byte for byte."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.importing import import_files
from bot.league.errors import LeagueError
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import set_up
from bot.terminal import BAD_INPUT
from storage.database import Database
from storage.rows import LeagueId
from tests.importers.test_bad_input import FILES, ROWS

BROKEN = {f"rows: {case}": data for case, (data, _) in ROWS.items()} | {case: data for case, (data, _) in FILES.items()}
HOSTILE = "season,player,opponent,winner\n1,@everyone,<@1>,@everyone\n1,/report,[x](http://x),/report\n"


async def a_league(path: Path) -> tuple[Database, LeagueId]:
    db = await Database.open(path)
    organiser = Actor(user_id=1, name="Olivia", manage_guild=True, guild_id=7)
    league = await db.write(set_up.create, Order(actor=organiser, now=datetime.now(UTC)), name="L", channel_id=5)
    return db, league.id


def there(path: Path) -> dict[str, bytes]:
    """Return what the files of a database hold; the index of the log is of whoever has them open."""
    return {one.name: one.read_bytes() for one in path.parent.iterdir() if not one.name.endswith("-shm")}


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_broken_files_are_refused_and_leave_the_database_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "league.db"
    db, league = await a_league(path)
    before = there(path)
    assert len(BROKEN) >= 30
    for case, data in {**BROKEN, "hostile names": HOSTILE.encode()}.items():
        args = argparse.Namespace(names=None, number=None, columns=None, check=False)
        try:
            code, told = await import_files(db, league, [("old.csv", data)], args), capsys.readouterr().err
        except LeagueError as refused:
            code, told = BAD_INPUT, f"old.csv: {refused}\n"
        assert code == BAD_INPUT, case
        assert told.startswith("old.csv: "), (case, told)
        assert all(line.startswith("old.csv: ") for line in told.splitlines()), (case, told)
        if case.startswith("rows: "):
            # Files without rows have rounds and tables, or the numbers of matches.
            assert any(word in told.casefold() for word in ("row ", "round ", "match ", "line ", "player ")), (
                case,
                told,
            )
        assert there(path) == before, case
    await db.close()


GAMES = "Combatant,Foe,k1,k2,Cycle\nAda,Bruno,2,1,Spring\nBruno,Ada,12,5,Autumn"


async def test_every_question_of_a_table_has_its_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db, league = await a_league(tmp_path / "league.db")
    try:
        await options_answer(db, league, capsys)
    finally:
        await db.close()


async def options_answer(db: Database, league: LeagueId, capsys: pytest.CaptureFixture[str]) -> None:
    async def told(columns: str) -> str:
        args = argparse.Namespace(names=None, number=None, columns=columns, check=True)
        try:
            await import_files(db, league, [("old.csv", GAMES.encode())], args)
        except LeagueError as refused:
            return str(refused)
        return capsys.readouterr().out

    people = "player=combatant, opponent=Foe"
    games = f"{people}, player score=k1, opponent score=k2"
    assert [await told(columns) for columns in ("", people, games)] == [
        'Which column is the player? Say it with --columns "player=...": Combatant, Foe, k1, k2 or Cycle.',
        "Which column says who won, by name or by score? Say it with --columns "
        '"winner=...": k1, k2, Cycle or -- (Two columns: games of the first and of the second).',
        "Is 12-5 in row 3 the games of a match, or its points? Say it with --columns "
        '"scores=...": points (Points of one match) or games (Games each won).',
    ]
    assert "2 seasons, 2 matches, 2 people" in await told(f"{games}, scores=points, season=Cycle")
    assert await told("fighter=Foe") == (
        "“fighter” is no role. Possible are season, season number, year, round, stage, player, opponent, winner, loser,"
        " score, player score, opponent score, points, player points, opponent points, how, date, champion, discord,"
        " sheet, and dates (day or month)."
    )
    assert await told("player=Fighter") == (
        "no column is called “Fighter”, which shall be player. There are Combatant, Foe, k1, k2, Cycle."
    )
    assert await told("player") == "“player” has no =. Write a role and a heading, such as player=Combatant."
