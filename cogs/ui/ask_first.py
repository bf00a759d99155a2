"""Commands that cost something: asked first with what they do and who it affects, done when the button is pressed."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.services.base.asking import AskFirst
from cogs.ui.actions import CANCEL
from cogs.ui.buttons import DANGER, Action, ActionButton, Press
from cogs.ui.cards import Answer, card
from cogs.ui.context import Caller
from cogs.ui.kept import KEY, keep, kept
from cogs.ui.text import quoted, with_commands
from storage.rows import LeagueId

Work = Callable[..., Awaitable[Answer | str]]
_CHANGED = "This has changed since you were asked:\n"


class AskedFirst:
    """One thing that is asked first; decorate what does it, which gets `agreed` and answers.

    `title` is the question, `yes` the button that does it and `no` the one that leaves everything as it is. What was
    typed with the command comes back as it was.
    """

    def __init__(self, name: str, *, title: str, yes: str, no: str) -> None:
        self._action = Action[LeagueId](name)
        self._title, self._yes, self._no = title, yes, no
        self._work: Work

    def does(self, work: Work) -> Work:
        """Say what does it."""
        self._work = work
        self._action(self._pressed)
        return work

    def button(self, label: str, league_id: LeagueId) -> ActionButton:
        """Return a button that asks."""
        return self._action.button(label, league_id, extra="ask")

    async def first(self, who: Caller, **typed: Any) -> Answer:
        """Ask, or do it where it costs nothing."""
        return await self._do(who, "", typed)

    async def _pressed(self, press: Press[LeagueId]) -> Answer:
        agreed, key = press.parts(f"(?:([0-9a-f]{{16}})|ask)(?::({KEY}))?")
        return await self._do(press.who.of(press.subject), agreed, kept(key))

    async def _do(self, who: Caller, agreed: str, typed: Mapping[str, Any]) -> Answer:
        try:
            done = await self._work(who, agreed=agreed, **typed)
            return replace(done if isinstance(done, Answer) else Answer(text=done), replace=bool(agreed))
        except AskFirst as question:
            said = (_CHANGED if question.changed else "") + with_commands(question.cost)
            extra = ":".join(filter(None, (question.token, keep(typed))))
            yes = self._action.button(self._yes, who.league_id, extra=extra, style=DANGER)
            buttons = (yes, CANCEL.button(self._no, 0))
            reason = typed.get("reason")
            footer = f"Reason: {quoted(reason)}" if reason else ""
            return replace(card(self._title, said, footer=footer, buttons=buttons), replace=bool(agreed))
