"""Private tables: turned page by page, read as text, and shown to everyone once by the person who asked."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bot.league.errors import Conflict, NotAllowed
from bot.pictures.drawing import Drawn
from cogs.ui.actions import ActionButton, ActionSelect, Doing, Press, action
from cogs.ui.cards import BLUE, Answer, Part, card, long_answer
from cogs.ui.context import Caller, Host, Interaction, host
from cogs.ui.drawn import as_parts
from cogs.ui.replies import Reply
from cogs.ui.rights import may_write_here
from cogs.ui.text import pages, shown
from storage.rows import LeagueId

_LIMIT = 3600
"""Characters of a page: a message also holds a title, and who shows it."""

_MOST_SHARED = 5000
"""Of so many messages, the newest, it's known that they are shown to everyone."""

Which = tuple[int, ...]
"""Which table of its kind it is: numbers of seasons and rounds, ids of players."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table as text, all of it, with one page of its picture if there is one; `which` finds the same table again.

    The text is made when it's shown: a picture stands for it until someone asks for the text.
    """

    which: Which
    title: str
    lines: Callable[[], Sequence[str]]
    head: str = ""
    own_line: int = 0
    """The number of the line the person who asks wants to see first."""
    drawn: Drawn | None = None
    parts: Callable[[bool], tuple[Part, ...]] | None = None
    """What is shown in place of a page and read as text: to the person who asks, or with True to everyone."""
    more: tuple[ActionButton, ...] = ()
    """Buttons beside those that every table has."""
    others: ActionSelect | None = None
    """What the person who asks can choose in its place."""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Return its pages as text."""
        lines = self.lines() or ("Nothing yet.",)
        return pages([self.head, *lines] if self.head else lines, _LIMIT)

    @property
    def titles(self) -> tuple[str, ...]:
        """Return what its pages are called."""
        if self.parts:
            return ("",)
        return self.drawn.titles if self.drawn else tuple(f"Page {number}" for number in range(1, len(self.texts) + 1))

    def number(self, wanted: int | None) -> int:
        """Return the page to show, counted from 0: the one that is wanted, or that of the person who asks."""
        if self.parts:
            return 0
        if self.drawn:
            return self.drawn.number
        own = len(pages([self.head, *self.lines()[: self.own_line + 1]], _LIMIT)) - 1
        return min(max(own, 0) if wanted is None else wanted, len(self.texts) - 1)


Show = Callable[[Host, Caller, Which, int | None], Awaitable[Table]]


@dataclass(slots=True)
class PrivateTable:
    """A kind of table; decorate what loads it with `shows`, and answer its command with `first`.

    What loads it gets the bot, who asks, which table, and the page wanted: None for that of the person who asks.
    """

    name: str
    show: Show = field(init=False)

    def shows(self, show: Show) -> Show:
        """Say what loads it."""
        KINDS[self.name] = self
        self.show = show
        return show

    async def first(self, bot: Host, asker: Caller, *which: int) -> Answer:
        """Answer privately, at the page of the person who asks."""
        return await self.page(bot, asker, which, None)

    async def page(self, bot: Host, asker: Caller, which: Which, wanted: int | None) -> Answer:
        """Answer privately with one page."""
        table = await self.show(bot, asker, which, wanted)
        return self.answer(table, asker, table.number(wanted))

    def answer(self, table: Table, asker: Caller, number: int, *, shared: bool = False) -> Answer:
        """Return one page with the buttons of the person who asked: once it is shared, without the one for that."""
        league_id, titles = asker.league_id, table.titles
        turns = {f"◀ {titles[number - 1]}": number - 1} if number else {}
        turns |= {f"{titles[number + 1]} ▶": number + 1} if number + 1 < len(titles) else {}
        buttons = [turn(league_id, self.name, table.which, at).button(label) for label, at in turns.items()]
        buttons += (*table.more, *self._text_button(table, league_id))
        if not shared:
            buttons.append(share(league_id, self.name, table.which, number).button("Show to everyone"))
        page = _shown(table, number)
        parts = page.parts if table.others is None else (*page.parts, (table.others,))
        return replace(page, parts=parts, buttons=tuple(buttons), replace=shared)

    def public(self, table: Table, asker: Caller, number: int) -> Answer:
        """Return one page for everyone, with the name of the person who shows it."""
        answer = _shown(table, number, to_everyone=True)
        return replace(
            answer,
            parts=(*answer.parts, shown_by(asker)),
            buttons=(*table.more, *self._text_button(table, asker.league_id)),
            private=False,
        )

    async def text(self, bot: Host, asker: Caller, which: Which) -> Answer:
        """Return all of it as text."""
        table = await self.show(bot, asker, which, None)
        return long_answer(table.title, table.lines(), file_name=f"{self.name}.txt", private=True, head=table.head)

    def _text_button(self, table: Table, league_id: LeagueId) -> tuple[ActionButton, ...]:
        return (as_text(league_id, self.name, table.which).button("As text"),) if table.drawn or table.parts else ()

    def shown_to(self, league_id: LeagueId, *which: int) -> Doing:
        """Return what a button on a post does: show the table privately to the person who presses."""
        return show(league_id, self.name, which)


KINDS: dict[str, PrivateTable] = {}
"""Every kind of table by the name in its buttons."""


def _shown(table: Table, number: int, *, to_everyone: bool = False) -> Answer:
    if table.parts is not None:
        return Answer(parts=table.parts(to_everyone), colour=BLUE)
    if table.drawn is None:
        return card(table.title, table.texts[number])
    return Answer(parts=as_parts(table.drawn, "table.png"))


def _kind(name: str) -> PrivateTable:
    if name not in KINDS:
        raise Conflict("That button no longer works. Use the command again.")
    return KINDS[name]


@action("show")
async def show(press: Press, league: LeagueId, table: str, which: Which) -> Reply:
    """Show a table to the person who presses."""
    return await _kind(table).first(host(press.interaction), press.who.of(league), *which)


@action("page")
async def turn(press: Press, league: LeagueId, table: str, which: Which, number: int) -> Reply:
    """Turn to another page, in place."""
    page = await _kind(table).page(host(press.interaction), press.who.of(league), which, number)
    return replace(page, replace=True)


@action("text")
async def as_text(press: Press, league: LeagueId, table: str, which: Which) -> Reply:
    """Answer with all of the table as text, to the person who pressed."""
    return await _kind(table).text(host(press.interaction), press.who.of(league), which)


def show_once(interaction: Interaction) -> None:
    """Note that what a message shows is shown to everyone by this press; raises Conflict for a second one.

    Raises NotAllowed for those who couldn't write there themselves.

    Two presses may arrive before the button goes. One press that arrives twice is answered once, and then posts.
    """
    assert interaction.message is not None
    if not may_write_here(interaction):
        raise NotAllowed("You can't write in this channel. Use the command again in one where you can.")
    shared = host(interaction).shared
    if shared.setdefault(interaction.message.id, interaction.id) != interaction.id:
        raise Conflict("You've shown this already. To show it again, use the command again.")
    if len(shared) > _MOST_SHARED:
        del shared[next(iter(shared))]


def shown_by(asker: Caller) -> str:
    """Return the small print below what a person shows to everyone."""
    return f"-# Shown by {shown(asker.actor.name)}"


@action("share")
async def share(press: Press, league: LeagueId, table: str, which: Which, number: int) -> Reply:
    """Show the page to everyone, once; the button then goes."""
    kind, bot, asker = _kind(table), host(press.interaction), press.who.of(league)
    shown_now = await kind.show(bot, asker, which, number)
    show_once(press.interaction)
    return replace(kind.answer(shown_now, asker, number, shared=True), public=kind.public(shown_now, asker, number))
