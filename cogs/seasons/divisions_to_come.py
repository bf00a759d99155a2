"""The divisions of a season before its start: on the panel as far as they fit, all of them behind a button."""

from collections.abc import Iterator

from bot.league.season.in_words import amount, first_few
from bot.services.seasons import plans
from bot.services.seasons.division_plan import DivisionPlan
from bot.services.seasons.plans import Plan
from cogs.ui.actions import ActionButton, Press, action
from cogs.ui.cards import Answer, card
from cogs.ui.replies import Reply
from cogs.ui.text import shown, with_commands
from storage.rows import SeasonId

_ON_PANEL, _ON_A_PAGE = 800, 2500
"""Characters of divisions on the panel and on a page."""
_NAMED = 40
"""As many players of a division as are named for each way."""


def on_panel(plan: Plan) -> list[str]:
    """Return the divisions to come under a heading, as many as fit."""
    if plan.divisions is None:
        return []
    return ["\n".join(["### Divisions", with_commands(plan.divisions.words), *_page(plan.divisions, 1, _ON_PANEL)])]


def more_button(plan: Plan) -> tuple[ActionButton, ...]:
    """Return the button for all divisions, where the panel has no room for them."""
    divisions = plan.divisions
    if divisions is None or len(_page(divisions, 1, _ON_PANEL)) == len(divisions.divisions):
        return ()
    return (show_divisions(plan.season.id, 1).button("Divisions"),)


@action("divisions")
async def show_divisions(press: Press, season: SeasonId, first: int) -> Reply:
    """Show the divisions to come from one on."""
    plan = await press.who.read(plans.of_season, season_id=season)
    title = f"{shown(plan.league.name)}, season {plan.number}: divisions"
    if plan.divisions is None:
        return Answer(text=f"Season {plan.number} has started, or has no divisions any more.")
    lines = _page(plan.divisions, first, _ON_A_PAGE)
    following = first + len(lines)
    more = following <= len(plan.divisions.divisions)
    buttons = (show_divisions(season, following).button("The next divisions"),) if more else ()
    return card(title, "\n".join([with_commands(plan.divisions.words), *lines]), buttons=buttons)


def _page(divisions: DivisionPlan, first: int, room: int) -> list[str]:
    """Return a line for each division from one on, as many as fit; on a page there is always one."""
    lines = list[str]()
    for line in [*_lines(divisions)][first - 1 :]:
        if sum(map(len, lines)) + len(line) > room and (lines or room == _ON_PANEL):
            break
        lines.append(line)
    return lines


def _lines(divisions: DivisionPlan) -> Iterator[str]:
    before = 0
    for division in divisions.divisions:
        parts = [f"{way} {shown(first_few(names, _NAMED))}" for way, names in division.moving()]
        new = divisions.newcomers[before : before + division.newcomers]
        before += division.newcomers
        if division.newcomers:
            parts.append(f"new {shown(first_few(new, _NAMED))}" if new else amount(division.newcomers, "newcomer"))
        yield f"**Division {division.number}** ({division.players}): {' · '.join(parts)}"
