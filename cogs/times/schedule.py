"""When the open matches are played, by `/schedule`, and the calendar file of a player's deadlines and times."""

from collections.abc import Sequence

from bot.exporters.calendar import to_ics
from bot.league.errors import WrongPhase
from bot.services.times import calendars, timetable
from bot.services.times.timetable import Planned
from cogs.matches.calendar_lines import own_rounds, round_lines
from cogs.matches.words import name
from cogs.ui.actions import Press, action
from cogs.ui.cards import Answer, Attached
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import listed, season_title, when
from storage.rows import LeagueId

SCHEDULE = PrivateTable("schedule")


class Schedule(LeagueCog):
    """Agreed times."""

    @command()
    async def schedule(self, asker: Caller) -> Reply:
        """Show the open matches: who has agreed on a time, and who hasn't yet."""
        return await SCHEDULE.first(self.bot, asker)


@SCHEDULE.shows
async def show_schedule(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return the open matches by what is agreed, the earliest first."""
    buttons = (calendar_file(asker.league_id).button("Calendar file"),)
    try:
        plans = await asker.read(timetable.timetable)
    except WrongPhase as none:  # what a calendar was told of the season before may still be ahead
        text = str(none)
        return Table(which=(), title="Schedule", lines=lambda: [text], more=buttons)
    waiting = [(planned, listed([name(side) for side in planned.asked])) for planned in plans.proposed]
    proposed = [f"{_who(planned)} · waiting for {asked}" for planned, asked in waiting]
    own = [] if plans.own is None else [*own_rounds(plans.rounds, plans.own)]
    lines = [
        *_section("Your rounds", own),
        *_section("Agreed", [f"{when(planned.match.match.agreed_at)} · {_who(planned)}" for planned in plans.agreed]),
        *_section("Times proposed", proposed),
        *_section("Nothing proposed yet", [_who(planned) for planned in plans.silent]),
        *round_lines(round_ for round_ in plans.rounds if round_.phase is None),
    ]
    title = f"{season_title(plans)}: schedule"
    return Table(which=(), title=title, lines=lambda: lines or ["No match is open."], more=buttons)


@action("calendar")
async def calendar_file(press: Press, league: LeagueId) -> Answer:
    """Give who presses their deadlines and agreed times on this server as a file for their calendar."""
    asker = press.who.of(league)
    name_, entries = await asker.write(calendars.own)
    text = (
        "Your deadlines and agreed times on this server. After changes, import a new file: it moves and "
        "cancels what your calendar has, and nothing doubles."
    )
    return Answer(text=text, parts=(Attached("fairpair.ics", to_ics(name_, entries, asker.now)),))


def _section(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"**{heading}**", *(f"• {line}" for line in lines)] if lines else []


def _who(planned: Planned) -> str:
    return " v ".join(f"**{name(side)}**" for side in planned.match.sides)
