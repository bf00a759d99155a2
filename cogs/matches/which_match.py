"""Which match is meant: asked in one way, with the opponents to choose from, where several are open."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec

import discord

from bot.services.matches.match_finding import WhichMatch
from bot.services.matches.views import MatchView
from cogs.matches.words import choice_words
from cogs.ui.actions import MOST_OPTIONS, ActionSelect, Doing, Press, choice, some
from cogs.ui.button_memory import keep, kept
from cogs.ui.cards import BLUE, Answer
from cogs.ui.context import Caller
from cogs.ui.replies import Reply
from storage.rows import MatchId

P = ParamSpec("P")
MORE = 0
"""What is chosen for the matches that have no room in a select."""


def match_select(
    does: Doing, matches: Sequence[MatchView], user_id: int | None, first: int = 0, hint: str = "Choose your opponent"
) -> ActionSelect:
    """Return a select of matches by their opponents, from the `first` on; its last option asks for more of them."""
    options = [_option(view, user_id) for view in matches]
    return does.select(some(options, first, str(MORE)), hint=hint)


def _option(view: MatchView, user_id: int | None) -> discord.SelectOption:
    label, about = choice_words(view, user_id)
    return discord.SelectOption(label=label[:100], value=str(view.match.id), description=about[:100])


def asks_which(
    work: Callable[Concatenate[Caller, P], Awaitable[Reply]],
) -> Callable[Concatenate[Caller, P], Awaitable[Reply]]:
    """Let a function of a `match` ask which is meant where several can be, and do it for the one that is chosen."""

    again: Any = work

    async def first(asker: Caller, *given: P.args, **typed: P.kwargs) -> Reply:
        try:
            return await work(asker, *given, **typed)
        except WhichMatch as several:

            async def then(press: Press, match: MatchId) -> Reply:
                return await again(press.who.of(asker.order.league_id), *given, **{**typed, "match": match})

            return _which(keep((then, several.candidates)), several.candidates, asker.actor.user_id)

    return first


def _which(key: str, matches: Sequence[MatchView], user_id: int | None, first: int = 0) -> Answer:
    return Answer(parts=("### Which match?", (match_select(chosen(key, first), matches, user_id, first),)), colour=BLUE)


@choice("which-match", form=True)
async def chosen(press: Press, match: MatchId, key: str, first: int) -> Reply:
    """Do what was asked for the match that was chosen, or show more of them."""
    then, matches = kept(key)
    if match == MORE:
        reply = _which(key, matches, press.interaction.user.id, first + MOST_OPTIONS - 1)
    else:
        reply = await then(press, match)
    return replace(reply, replace=True) if isinstance(reply, Answer) else reply
