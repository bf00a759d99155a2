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
    async def schedule(self, who: Caller) -> Reply:
        """Show the open matches: who has agreed on a time, and who hasn't yet."""
        return await SCHEDULE.first(self.bot, who)


@SCHEDULE.shows
async def show_schedule(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return the open matches by what is agreed, the earliest first."""
    buttons = (calendar_file(who.league_id).button("Calendar file"),)
    try:
        found = await who.read(timetable.timetable)
    except WrongPhase as none:  # what a calendar was told of the season before may still be ahead
        text = str(none)
        return Table(which=(), title="Schedule", lines=lambda: [text], more=buttons)
    waiting = [(one, listed([name(side) for side in one.asked])) for one in found.proposed]
    proposed = [f"{_who(one)} · waiting for {asked}" for one, asked in waiting]
    own = [] if found.own is None else [*own_rounds(found.rounds, found.own)]
    lines = [
        *_section("Your rounds", own),
        *_section("Agreed", [f"{when(one.match.match.agreed_at)} · {_who(one)}" for one in found.agreed]),
        *_section("Times proposed", proposed),
        *_section("Nothing proposed yet", [_who(one) for one in found.silent]),
        *round_lines(round_ for round_ in found.rounds if round_.phase is None),
    ]
    title = f"{season_title(found)}: schedule"
    return Table(which=(), title=title, lines=lambda: lines or ["No match is open."], more=buttons)


@action("calendar")
async def calendar_file(press: Press, league: LeagueId) -> Answer:
    """Give who presses their deadlines and agreed times on this server as a file for their calendar."""
    who = press.who.of(league)
    name_, entries = await who.write(calendars.own)
    text = (
        "Your deadlines and agreed times on this server. After changes, import a new file: it moves and "
        "cancels what your calendar has, and nothing doubles."
    )
    return Answer(text=text, parts=(Attached("fairpair.ics", to_ics(name_, entries, who.now)),))


def _section(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"**{heading}**", *(f"• {line}" for line in lines)] if lines else []


def _who(one: Planned) -> str:
    return " v ".join(f"**{name(side)}**" for side in one.match.sides)
