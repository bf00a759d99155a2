"""The groups of a season that an organiser gives: who is where, a form to write them, by time zone, two exchanged."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.league.errors import Invalid
from bot.league.formats.round_robin.filling import group_name
from bot.league.season.choices import Grouping
from bot.league.season.in_words import amount, capitalised, first_few
from bot.services.seasons import given_groups
from bot.services.seasons.given_groups import GivenGroups
from cogs.ui.actions import Press, action
from cogs.ui.cards import Answer, card
from cogs.ui.context import Caller, Interaction, caller
from cogs.ui.forms import Form
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import EntrantRow, LeagueId

_ROOM = 2500
"""Characters of groups on a page, so that names of any kind fit."""
_LINES, _CHARACTERS = 100, 3600
"""Lines of a form, and as many characters as fit into it beside what someone adds."""
_NAMED = 30
_HEADING = re.compile(r"group\s+([a-z]{1,3}|\d{1,4})\s*:?", re.IGNORECASE)
_NONE = re.compile(r"(?:without|no)\s+(?:a\s+)?group\s*:?", re.IGNORECASE)


class Block(NamedTuple):
    """Some players under a heading."""

    heading: str
    players: Sequence[EntrantRow]


@action("groups")
async def show_groups(press: Press, league: LeagueId, first: int) -> Reply:
    """Show the groups from one on."""
    return _page(await press.who.of(league).read(given_groups.listed), first)


@action("groups-write", form=True)
async def write_groups(press: Press, league: LeagueId, first: int) -> Reply:
    """Open the form of the groups, from one of its lines on."""
    return GroupsForm(league, first, await press.who.of(league).read(given_groups.listed))


@action("groups-fill")
async def fill_groups(press: Press, league: LeagueId) -> Reply:
    """Fill the groups in the order of time zones."""
    return await by_time_zone(press.who.of(league))


@action("groups-swap", form=True)
async def change_places(press: Press, league: LeagueId) -> Reply:
    """Open the form in which two players change places."""
    await press.who.of(league).read(given_groups.listed)
    return PlacesForm(league)


@with_confirmation("groups-fill", "Fill all groups again?", yes="Fill them again", no="Keep the groups")
async def by_time_zone(asker: Caller, *, agreed: str = "") -> Answer:
    """Fill the groups in the order of time zones, once an organiser has agreed to lose those there are."""
    return _page(await asker.write(given_groups.fill, agreed=agreed), 1, "Filled in the order of time zones.")


def _page(groups: GivenGroups, first: int, done: str = "") -> Answer:
    """Return the groups from one on, as many as fit, with what can be done to them."""
    blocks, lines, last = _blocks(groups), list[str](), first - 1
    for block in blocks[first - 1 :]:
        names = shown(first_few([row.name for row in block.players], _NAMED))
        line = f"**{block.heading}** ({len(block.players)}): {names}"
        if lines and sum(map(len, lines)) + len(line) > _ROOM:
            break
        lines.append(line)
        last += 1
    league, players = groups.league.id, sum(len(block.players) for block in blocks)
    footer = f"{groups.with_zone} of {amount(players, 'player')} have said what time it is for them."
    if groups.without:
        footer += " Players without a group join the smallest when round 1 is posted."
    buttons = [write_groups(league, 1).button("Write groups"), fill_groups(league).button("Fill by time zone")]
    buttons += [change_places(league).button("Change places")] if groups.groups else []
    buttons += [show_groups(league, last + 1).button("The next groups")] if last < len(blocks) else []
    title = f"{shown(groups.league.name)}, season {groups.number}: groups"
    text = "\n".join([*([done] if done else []), *(lines or ["No one has joined yet."])])
    return card(title, text, footer=footer, buttons=tuple(buttons))


def _blocks(given: GivenGroups) -> list[Block]:
    """Return the groups that have players with their names, then who has none."""
    groups = [Block(_called(number), rows) for number, rows in enumerate(given.groups, start=1) if rows]
    return [*groups, *([Block("Without a group", given.without)] if given.without else [])]


def _called(number: int) -> str:
    name = group_name(number, Grouping.GIVEN)
    return capitalised(name)


class GroupsForm(Form):
    """Players under the names of their groups, to be sorted."""

    def __init__(self, league: LeagueId, first: int, given: GivenGroups) -> None:
        super().__init__("Groups" if first == 1 else "Groups: more players")
        self._league, self._first = league, first
        lines = [(block.heading, row.name) for block in _blocks(given) for row in block.players][first - 1 :]
        text, self._count = _written(lines)
        self._more = self._count < len(lines)
        note = "A line Group A, its players below, then Group B and so on. Who isn't named stays."
        self._text = self.ask("groups", "A player in each line", limit=4000, note=note, long=True)
        self._text.default = text or None

    async def answer(self, interaction: Interaction) -> Reply:
        """Save who is in which group."""
        groups, without = _read(self._text.value)
        asker = caller(interaction).of(self._league)
        page = _page(await asker.write(given_groups.assign, groups=groups, without=without), 1, "Groups saved.")
        if not self._more:
            return page
        following = write_groups(self._league, self._first + self._count).button("Write the next players")
        return Answer(parts=page.parts, colour=page.colour, buttons=(following, *page.buttons))


def _written(lines: Sequence[tuple[str, str]]) -> tuple[str, int]:
    """Return players under their headings, as many as a form takes, and how many they are."""
    written, heading = "", ""
    for count, (above, name) in enumerate(lines[:_LINES]):
        more = name if above == heading else f"{above}\n{name}"
        if len(written) + len(more) > _CHARACTERS:
            return written, count
        written, heading = f"{written}\n{more}" if written else more, above
    return written, len(lines[:_LINES])


def _read(text: str) -> tuple[dict[int, list[str]], list[str]]:
    """Return the names under each group, and under none; raises Invalid for a name above the first heading."""
    groups, without = dict[int, list[str]](), list[str]()
    names: list[str] | None = None
    for line in _lines(text):
        heading = _HEADING.fullmatch(line)
        if heading is not None:
            names = groups.setdefault(_number(heading[1]), [])
        elif _NONE.fullmatch(line):
            names = without
        elif names is None:
            raise Invalid(f"{line[:40]}: write the group above, such as Group A in a line of its own.")
        else:
            names.append(line)
    return {group: rows for group, rows in groups.items() if rows}, without


def _lines(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.splitlines()))


def _number(name: str) -> int:
    """Return the number of a group: 2 of `B` and of `2`."""
    if name.isdecimal():
        number = int(name)
    else:
        number = 0
        for letter in name.upper():
            number = number * 26 + ord(letter) - ord("A") + 1
    if not number:
        raise Invalid("There's no group 0. Begin with Group A.")
    return number


class PlacesForm(Form):
    """Two players who change places."""

    def __init__(self, league: LeagueId) -> None:
        super().__init__("Change places")
        self._league = league
        self._first = self.ask("first", "One player", limit=100)
        self._second = self.ask("second", "The other", limit=100)

    async def answer(self, interaction: Interaction) -> Reply:
        """Let the two change places."""
        asker, names = caller(interaction).of(self._league), (self._first.value, self._second.value)
        groups = await asker.write(given_groups.exchange, first=names[0], second=names[1])
        return _page(groups, 1, f"{shown(names[0])} and {shown(names[1])} have changed places.")
