"""One record of a player: `/profile`, the pages and the tables say the same, whatever happened in the seasons."""

import json
import re
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file.reading import read
from bot.league.counting.ratings import Carried
from bot.league.counting.standings import Standing, at_the_end
from bot.league.errors import LeagueError, NotFound
from bot.league.formats import ALL, by_key
from bot.league.season.model import Kind, Season
from bot.league.season.phases import SeasonPhase
from bot.league.summaries import careers
from bot.league.summaries.careers import SeasonPlayed
from bot.league.summaries.tallies import Tally
from bot.random_seasons.season import texts
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.people import forgetting, merging
from bot.services.reads.past import profiles, whole_league
from bot.site.pages import pages
from cogs.reads.profile import tally_words
from storage.query import records
from tests.examples import mostly_long
from tests.files import look_into
from tests.services.conftest import ADMIN, World

PAIRED = [format_.key for format_ in ALL if format_.paired]
RECORD = re.compile(r"<dd>([^<]*)</dd><dt>won and lost(.*?)</dt>")
ROW = re.compile(r'>Season (\d+)</a></th>.*?<td class="mid">([^<]*)</td></tr>')


def order(world: World) -> Order:
    return Order(actor=ADMIN, now=world.now, league_id=world.league_id)


async def agreed(world: World, use_case: Any, **given: Any) -> None:
    token = ""
    for _ in range(3):
        try:
            await world.db.write(use_case, order(world), **given, agreed=token)
            return
        except ConfirmationNeeded as question:
            token = question.token


async def random_league(world: World, format_: str, seed: int) -> None:
    """Bring in random seasons with byes, forfeits, substitutes and departures; merge and forget people."""
    for number in range(1, 4):
        *_, text = texts(format_, f"{seed}/{number}", 9)
        file: dict[str, Any] = {**json.loads(text), "season": number, "past_seasons": []}
        for row in file["players"]:
            row.pop("former_names", None)
        await steps.import_file(world.db, order(world), data=json.dumps(file).encode())
    with look_into(world.db) as conn:
        names = [name for (name,) in records(conn, "SELECT name FROM players ORDER BY id")]
    for gone in names:
        for stays in names:
            try:
                await agreed(world, merging.merge, player=gone, into=stays, reason="one person")
            except LeagueError:
                continue
            break
    await agreed(world, forgetting.forget, player=names[2])


async def compared(world: World) -> int:
    """Compare what is said of everyone, and return how many records have byes."""
    made = pages(await world.db.read(whole_league.whole, order(world)))
    with look_into(world.db) as conn:
        people = records(conn, "SELECT id, name FROM players")
    with_byes = shown = 0
    for player, _ in people:
        try:
            found = await world.db.read(profiles.profile, order(world), player=player)
        except NotFound:
            assert f"players/{player}.html" not in made, "forgotten"
            continue
        if not found.seasons:
            continue
        html = made[f"players/{player}.html"].decode()
        [(record, small)] = RECORD.findall(html)
        assert record == tally_words(found.tally)
        assert ("byes count as wins" in small) == (found.tally.byes > 0)
        by_season = {int(number): words for number, words in ROW.findall(html)}
        expected = {one.number: tally_words(one.tally) for one in found.seasons}
        assert by_season == expected
        with_byes += found.tally.byes > 0
        shown += 1
    assert shown > 3
    return with_byes


@pytest.mark.long
@pytest.mark.parametrize("format_", mostly_long(PAIRED, quick=2))
async def test_the_profile_and_the_pages_say_one_record(world: World, format_: str) -> None:
    await random_league(world, format_, seed=7)
    assert await compared(world) or format_ in ("single-elimination", "round-robin"), "neither has byes"


@pytest.mark.parametrize("format_", PAIRED)
@pytest.mark.parametrize("seed", mostly_long(range(12), quick=2))
def test_the_records_of_those_who_shared_a_seat_are_its_line_of_the_table(format_: str, seed: int) -> None:
    for text in texts(format_, seed, 9):
        season = read(text.encode())
        names = {*(one.name for one in season.entrants), *(one.player for one in season.substitutes)}
        people = {name: number for number, name in enumerate(sorted(names))}
        start = dict.fromkeys(people.values())
        played = SeasonPlayed(record=season, people=people, phase=SeasonPhase.FINISHED, champion=None, start=start)
        own, _ = careers.of_season(played, Carried())
        table = at_the_end(season, by_key(format_).standings(season))
        for line in table:
            together = sum((one.tally for one in own.values() if one.seat == line.name), Tally())
            assert together == expected(season, line), line.name


def expected(season: Season, line: Standing) -> Tally:
    """Return a player's record: the line of the table; in groups all matches, those that count in no table too."""
    if not by_key(season.format).in_groups:
        return Tally(wins=line.wins, losses=line.losses, draws=line.draws, byes=line.byes)
    own = [match for one in season.rounds for match in one.matches if line.name in match.players]
    ended = [match for match in own if match.kind is not Kind.OPEN]
    drawn, won = sum(match.drawn for match in ended), sum(match.winner == line.name for match in ended)
    return Tally(wins=won, losses=len(ended) - won - drawn, draws=drawn)
