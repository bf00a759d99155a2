"""When the open matches are played: `/schedule`."""

from collections.abc import Sequence

from bot.services.times import timetable
from bot.services.times.timetable import Planned
from cogs.matches.words import name
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import listed, shown, when

SCHEDULE = PrivateTable("schedule")


class Schedule(LeagueCog):
    """Agreed times."""

    @command()
    async def schedule(self, who: Caller) -> Reply:
        """Show the open matches: who has agreed on a time, and who hasn't yet."""
        return await SCHEDULE.first(self.bot, who)


@SCHEDULE.shows
async def show_schedule(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return the open matches by what is agreed, the earliest first."""
    found = await who.see(timetable.timetable)
    waiting = [(one, listed([name(side) for side in one.asked])) for one in found.proposed]
    proposed = [f"{_who(one)} · waiting for {asked}" for one, asked in waiting]
    lines = [
        *_section("Agreed", [f"{when(one.match.match.agreed_at)} · {_who(one)}" for one in found.agreed]),
        *_section("Times proposed", proposed),
        *_section("Nothing proposed yet", [_who(one) for one in found.silent]),
    ]
    title = f"{shown(found.league.name)}, season {found.season.number}: schedule"
    return Table(which=(), title=title, lines=lambda: lines or ["No match is open."])


def _section(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"**{heading}**", *(f"• {line}" for line in lines)] if lines else []


def _who(one: Planned) -> str:
    return " v ".join(f"**{name(side)}**" for side in one.match.sides)
