"""A season's rules, chapter by chapter: in short with its dates, the league's own, maps, that results are public."""

from collections.abc import Iterator
from dataclasses import replace

import discord

from bot.league.formats.shared.base import Chapter
from bot.services.reads import overview
from bot.services.reads.overview import SeasonView
from cogs.matches.calendar_lines import round_lines
from cogs.matches.rounds import chapter_lines
from cogs.reads.table_lines import seal_lines
from cogs.ui.actions import Press, action, choice, written
from cogs.ui.cards import BLUE, Answer
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, host
from cogs.ui.options.names import SeasonNumber
from cogs.ui.private_tables import show_once, shown_by
from cogs.ui.replies import Reply
from cogs.ui.text import season_title, shown, when, with_commands
from storage.rows import LeagueId

IN_SHORT = "In short"
SEALED = (
    "This draw is sealed: a secret was locked away before anyone could sign up, and round 1 shows it. So no one can "
    "try names to get an opponent or a bye."
)
"""What players read of a draw that is sealed."""


class Rules(LeagueCog):
    """What players agreed to."""

    @command()
    async def rules(self, asker: Caller, season: SeasonNumber | None = None) -> Reply:
        """Show the season's rules in plain words."""
        return chapter(await asker.read(overview.status, number=season))


@action("show-rules")
async def show_rules(press: Press, league: LeagueId, season: int) -> Reply:
    """Show the rules of a season to the person who presses."""
    return chapter(await press.who.of(league).read(overview.status, number=season))


@choice("rules")
async def turn_to(press: Press, place: int, league: LeagueId, season: int) -> Reply:
    """Show another chapter; in place of the one before, but not where everyone reads it."""
    view = await press.who.of(league).read(overview.status, number=season)
    message = press.interaction.message
    shared = message is not None and message.id in host(press.interaction).shared
    return chapter(view, place, in_place=message is not None and message.flags.ephemeral, shared=shared)


@action("share-rules")
async def share_chapter(press: Press, league: LeagueId, season: int, place: int) -> Reply:
    """Show the chapter to everyone, once; the button then goes."""
    view = await press.who.of(league).read(overview.status, number=season)
    show_once(press.interaction)
    answer = chapter(view, place, in_place=True, shared=True)
    public = replace(answer, parts=(*answer.parts, shown_by(press.who)), replace=False, private=False)
    return replace(answer, public=public)


def chapter(view: SeasonView, place: int = 0, *, in_place: bool = False, shared: bool = False) -> Answer:
    """Return one chapter of the rules, the first the rules in short, with a select of all.

    Once it's `shared`, it has no button for that any more.
    """
    texts = chapters(view)
    titles = list(texts)
    title = titles[min(place, len(titles) - 1)]
    options = [
        discord.SelectOption(label=f"Chapter: {name}", value=written(number), default=name == title)
        for number, name in enumerate(titles)
    ]
    head = f"### {season_title(view)}: rules\n**{title}**"
    league, number = view.league.id, view.season.number or 0
    select = turn_to(league, number).select(options)
    share = share_chapter(league, number, place).button("Show to everyone")
    text, buttons = "\n".join([head, *texts[title]]), () if shared else (share,)
    return Answer(parts=(text, (select,)), colour=BLUE, buttons=buttons, replace=in_place)


_ROOM = 3000
"""Characters of a chapter with all rounds; of a larger season it has the rounds of one group, or the dates."""


def _all_rounds(view: SeasonView) -> Iterator[str]:
    """Yield all rounds with who meets, as far as a chapter has room for them."""
    lines = [*round_lines(view.calendar)]
    if len("\n".join(lines)) <= _ROOM:
        yield from lines
        return
    groups = [group for round_ in view.calendar for group in round_.groups]
    if view.own is not None and any(group.has(view.own.id) for group in groups):
        yield from round_lines(view.calendar, view.own)
    else:
        yield from round_lines(replace(round_, groups=()) for round_ in view.calendar)
    yield f"`/schedule` shows who meets in every {view.settings.grouping.unit}."


def public_line() -> str:
    """Return what players have to know of a league that has pages."""
    return "🌐 Results are public: names, matches, ratings and revealed lists are on the league's web pages."


def chapters(view: SeasonView) -> dict[str, list[str]]:
    """Return the chapters of a season's rules with their lines."""
    closing = view.season.signups_close
    dates = [] if closing is None else [f"Sign-ups close {when(closing)}. Then the season starts."]
    dates += [] if view.ends is None else [f"The season ends {when(view.ends)} at the latest, if no deadline is moved."]
    dates += [public_line()] if view.league.site else []
    texts = {IN_SHORT: [shown(view.format_title), *(f"- {with_commands(line)}" for line in view.in_short), *dates]}
    if view.calendar:
        texts["All rounds"] = [*_all_rounds(view)]
    if view.league.rules_text:
        texts["Rules of this league"] = [view.league.rules_text]
    if view.maps:
        texts["Maps"] = chapter_lines(view.maps)
    for part in Chapter:
        rules = [rule for rule in view.rules if rule.chapter is part]
        if rules:
            sealed = [SEALED, *seal_lines(view.sealed)] if view.sealed and part is Chapter.DRAW else []
            texts[part.value] = [
                *(f"- {with_commands(rule.sentence)}" for rule in rules),
                *(f"- {x}" for x in sealed),
            ]
    return texts
