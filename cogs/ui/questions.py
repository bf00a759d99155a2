"""Questions before something is done: the button that agrees does it, and what was typed is kept in memory for it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Concatenate, ParamSpec

import discord

from bot.league.errors import Conflict
from bot.services.base.confirmation import ConfirmationNeeded
from cogs.ui.actions import DANGER, OLD_BUTTON, Press, action
from cogs.ui.button_memory import LIGHT, forget, keep, kept
from cogs.ui.cards import Answer, card
from cogs.ui.context import Caller
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, with_commands

P = ParamSpec("P")
Then = Callable[[Press], Awaitable[Reply]]
Again = Callable[..., Awaitable[Reply]]
"""Does something for someone who has agreed: of a Caller and of `agreed`."""
CHANGED = "This has changed since you were asked:\n"


def question(
    name: str,
    title: str,
    text: str,
    *,
    yes: str,
    no: str | None,
    then: Then,
    others: Mapping[str, Then] = MappingProxyType({}),
    footer: str = "",
    style: discord.ButtonStyle = DANGER,
    size: int = LIGHT,
) -> Answer:
    """Return a question with the button that does something, those that do something else, and any for nothing.

    The log calls a press on one of them by `name`. What it needs, of so many bytes, is kept until it's answered.
    """
    key = keep((then, *others.values()), size=size)
    does = [agree(name, key, which).button(label) for which, label in enumerate(others, start=1)]
    nothing = () if no is None else (cancel(key).button(no),)
    buttons = (agree(name, key, 0).button(yes, style), *does, *nothing)
    return card(title, text, footer=footer, buttons=buttons)


@action("agree", form=True)
async def agree(press: Press, name: str, key: str, which: int) -> Reply:
    """Do what the person was asked about, or open the form that comes next: until that is sent, the question stays."""
    does: Sequence[Then] = kept(key)
    if not 0 <= which < len(does):
        raise Conflict(OLD_BUTTON)
    done = await does[which](press)
    if not isinstance(done, Answer):
        return done
    forget(key)
    return replace(done, replace=True)


@action("cancel")
async def cancel(press: Press, key: str) -> Reply:
    """Leave everything as it is, and forget what was asked."""
    forget(key)
    return Answer(text="Nothing was changed.", replace=True)


def confirmation(
    asker: Caller,
    asked: ConfirmationNeeded,
    again: Again,
    name: str,
    title: str,
    *,
    yes: str,
    no: str,
    others: Mapping[str, Again] = MappingProxyType({}),
    text: str | None = None,
    reason: object = None,
    style: discord.ButtonStyle = DANGER,
    size: int = LIGHT,
) -> Answer:
    """Ask for what is needed to do something: agreed to, it's done once more, as is each of the `others`.

    `text` stands in place of the cost.
    """
    league, token = asker.order.league_id, asked.token

    def then(work: Again) -> Then:
        return lambda press: work(press.who.of(league), agreed=token)

    body = (CHANGED if asked.changed else "") + (with_commands(asked.cost) if text is None else text)
    footer = f"Reason: {quoted(str(reason))}" if reason else ""
    ways = {label: then(work) for label, work in others.items()}
    return question(
        name, title, body, yes=yes, no=no, then=then(again), others=ways, footer=footer, style=style, size=size
    )


def with_confirmation(
    name: str,
    title: str,
    *,
    yes: str,
    no: str,
    style: discord.ButtonStyle = DANGER,
    size: Callable[..., int] = lambda *_, **__: LIGHT,
    above: Callable[..., str] = lambda *_, **__: "",
) -> Callable[
    [Callable[Concatenate[Caller, P], Awaitable[Answer | str]]], Callable[Concatenate[Caller, P], Awaitable[Answer]]
]:
    """Let a function that raises ConfirmationNeeded ask with a title; agreed to, it is called once more with `agreed`.

    `size` says how many bytes of what it is given are kept until then, `above` what of it stands above the cost.
    """

    def wrap(
        work: Callable[Concatenate[Caller, P], Awaitable[Answer | str]],
    ) -> Callable[Concatenate[Caller, P], Awaitable[Answer]]:
        async def first(asker: Caller, *given: P.args, **typed: P.kwargs) -> Answer:
            try:
                done = await work(asker, *given, **typed)
            except ConfirmationNeeded as asked:

                def once_more(asker: Caller, *, agreed: str) -> Awaitable[Reply]:
                    typed["agreed"] = agreed
                    return first(asker, *given, **typed)

                return confirmation(
                    asker,
                    asked,
                    once_more,
                    name,
                    title,
                    yes=yes,
                    no=no,
                    text=above(*given) + with_commands(asked.cost),
                    reason=typed.get("reason"),
                    style=style,
                    size=size(*given),
                )
            return done if isinstance(done, Answer) else Answer(text=done)

        return first

    return wrap
