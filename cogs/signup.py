"""Joining a season: the command and the button on the sign-up post; what joining late costs is asked first."""

import dataclasses
from collections.abc import Mapping

from bot.services.players import signing_up
from bot.services.players.signing_up import LateEntry, SignedUp
from cogs.ui.actions import CANCEL, JOIN
from cogs.ui.buttons import GREEN, Press, typed_with
from cogs.ui.commands import command
from cogs.ui.context import LeagueCog, Ordered
from cogs.ui.render.tables import card
from cogs.ui.replies import Answer, Reply
from cogs.ui.text import count, shown
from storage.rows import LeagueId


class Signup(LeagueCog):
    """Sign-ups of players."""

    @command(
        name="Your permanent name in this league; your display name if left out",
        deck="What you play; organisers read it",
    )
    async def signup(self, who: Ordered, name: str | None = None, deck: str | None = None) -> Reply:
        """Join the season while sign-ups are open, or later if its rules allow it."""
        try:
            return _welcome(await signing_up.sign_up(**who, name=name, deck=deck, display_name=who["actor"].name))
        except LateEntry as late:
            return _join_late(late, who["league_id"], {"name": name, "deck": deck})


@JOIN
async def join(press: Press[LeagueId]) -> Reply:
    """Join the season of the league; the button of a question brings the round agreed to and what was typed."""
    (agreed,) = press.parts("([0-9]{0,3})")
    typed = press.typed if agreed else {}
    try:
        done = await signing_up.sign_up(
            **press.by,
            league_id=press.subject,
            display_name=press.who["actor"].name,
            name=typed.get("name"),
            deck=typed.get("deck"),
            agreed=int(agreed or 1),
        )
    except LateEntry as late:
        return _join_late(late, press.subject, typed, replace=bool(agreed))
    return _welcome(done, replace=bool(agreed))


def _join_late(
    late: LateEntry, league_id: LeagueId, typed: Mapping[str, str | None], *, replace: bool = False
) -> Answer:
    """Return the question before a late entry."""
    anyway = JOIN.button("Join anyway", league_id, extra=str(late.first), style=GREEN)
    asked = card("Join late?", str(late), footer=typed_with(typed), buttons=(anyway, CANCEL.button("Stay out", 0)))
    return dataclasses.replace(asked, replace=replace)


def _welcome(done: SignedUp, *, replace: bool = False) -> Answer:
    name, number = shown(done.entrant.name), done.season.number
    if done.already:
        text = f"You're already in season {number} as **{name}**. To leave, use `/drop`."
        return Answer(text=text, replace=replace)
    fixed = " That's your name in this league from now on; an organiser can change it." if done.first_time else ""
    cost = f" {done.cost}" if done.cost else ""
    text = f"You're in season {number} as **{name}**; {count(done.count, 'player')} so far.{fixed}{cost}"
    return Answer(text=f"{text} To leave, use `/drop`.", replace=replace)
