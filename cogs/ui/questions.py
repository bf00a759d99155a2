"""Questions before something is done: the button that agrees does it, and what was typed is kept in memory for it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Concatenate, ParamSpec

import discord

from bot.services.base.ask_first import AskFirst
from cogs.ui.actions import DANGER, Press, action
from cogs.ui.button_memory import keep, kept
from cogs.ui.cards import Answer, card
from cogs.ui.context import Caller
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, with_commands

P = ParamSpec("P")
Then = Callable[[Press], Awaitable[Reply]]
CHANGED = "This has changed since you were asked:\n"


def question(
    name: str,
    title: str,
    text: str,
    *,
    yes: str,
    no: str,
    then: Then,
    others: Mapping[str, Then] = MappingProxyType({}),
    footer: str = "",
    style: discord.ButtonStyle = DANGER,
) -> Answer:
    """Return a question with the button that does something, those that do something else, and the one for nothing.

    The log calls a press on one of them by `name`.
    """
    does = [agree(name, keep(other)).button(label) for label, other in others.items()]
    buttons = (agree(name, keep(then)).button(yes, style), *does, cancel().button(no))
    return card(title, text, footer=footer, buttons=buttons)


@action("agree", form=True)
async def agree(press: Press, name: str, key: str) -> Reply:
    """Do what the person was asked about, or open the form that comes next."""
    done: Reply = await kept(key)(press)
    return replace(done, replace=True) if isinstance(done, Answer) else done


@action("cancel")
async def cancel(press: Press) -> Reply:
    """Leave everything as it is."""
    return Answer(text="Nothing was changed.", replace=True)


def asked_first(
    name: str, title: str, *, yes: str, no: str, style: discord.ButtonStyle = DANGER
) -> Callable[
    [Callable[Concatenate[Caller, P], Awaitable[Answer | str]]], Callable[Concatenate[Caller, P], Awaitable[Answer]]
]:
    """Let a function that raises AskFirst ask with a title; agreed to, it is called once more with `agreed`."""

    def wrap(
        work: Callable[Concatenate[Caller, P], Awaitable[Answer | str]],
    ) -> Callable[Concatenate[Caller, P], Awaitable[Answer]]:
        again: Any

        async def first(who: Caller, *given: P.args, **typed: P.kwargs) -> Answer:
            try:
                done = await work(who, *given, **typed)
            except AskFirst as asked:
                token, reason = asked.token, typed.get("reason")

                async def then(press: Press) -> Answer:
                    return await again(press.who.of(who.order.league_id), *given, **{**typed, "agreed": token})

                text = (CHANGED if asked.changed else "") + with_commands(asked.cost)
                footer = f"Reason: {quoted(str(reason))}" if reason else ""
                return question(name, title, text, yes=yes, no=no, then=then, footer=footer, style=style)
            return done if isinstance(done, Answer) else Answer(text=done)

        again = first
        return first

    return wrap
