"""The champions of a league, season by season."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from bot.league.season.in_words import first_few
from bot.league.season.match_score import score_words
from bot.league.season.model import Name
from bot.league.season.phases import PLAYING
from bot.league.summaries.league_records import RecordLine, record_lines
from bot.services.reads.past import champions
from bot.services.reads.past.champions import Champions as Found
from bot.services.reads.past.champions import Won
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import EntrantRow

CHAMPIONS = PrivateTable("champions")
MOST_NAMED = 3
"""As many of those who share a record as it names."""
_MOST_DIVISIONS = 10
"""As many divisions below the first are named for a season."""


class Champions(LeagueCog):
    """Champions."""

    @command()
    async def champions(self, asker: Caller) -> Reply:
        """Show the champion and the final of every season, and the records of the league."""
        return await CHAMPIONS.first(self.bot, asker)


@CHAMPIONS.shows
async def show_champions(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return the champions of a league, the newest first."""
    past_champions = await asker.look_back(champions.champions)
    return Table(
        which=(), title=f"{shown(past_champions.league.name)}: champions", lines=lambda: list(_lines(past_champions))
    )


def _lines(contents: Found) -> Iterator[str]:
    if contents.playing is not None and contents.playing.phase in PLAYING:
        yield f"**{contents.playing.number}** · being played"
    for champion, seasons in groupby(contents.won, key=lambda season: season.champion):
        if champion is None:
            yield _without(list(seasons))
        else:
            yield from (_line(won, champion) for won in seasons)
    if not contents.won:
        yield "No season has been played to its end yet."
    lines = [_record(line, contents.names) for line in record_lines(contents.records, contents.names)]
    if lines:
        yield from ("", "**Records**", *lines)


def _without(seasons: Sequence[Won]) -> str:
    """Return one line for seasons in a row without a champion, as those of an import are."""
    newest, oldest = seasons[0].season.number, seasons[-1].season.number
    numbers = f"**{newest}**" if newest == oldest else f"**{oldest}** to **{newest}**"
    return f"{numbers} · no champion"


def _line(won: Won, champion: EntrantRow) -> str:
    line = f"**{won.season.number}** · 🏆 **{shown(champion.called)}**"
    if won.beaten is not None:
        line += f" · beat {shown(won.beaten.called)}{score_words(*won.scoreline)} in the final"
    below = won.divisions[:_MOST_DIVISIONS]
    return " · ".join([line, *(f"division {division.number}: {shown(division.first)}" for division in below)])


def _record(line: RecordLine, names: Mapping[int, Name]) -> str:
    holders = first_few([f"**{shown(names[person])}**" for person in line.people], MOST_NAMED)
    where = f" ({shown(line.where)})" if line.where else ""
    return f"{line.title} · {holders}: {shown(line.number)}{where}"
