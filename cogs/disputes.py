"""What moderators and organisers settle: disputes, results, players."""

from typing import Any, Literal

import discord
from discord import app_commands

from bot.league.model import Kind
from bot.services.matches import choosing
from bot.services.matches.views import MatchView
from bot.services.outbox import delivery
from bot.services.permissions import require_moderator
from bot.services.results import decisions, inbox
from bot.services.results.decisions import DecisionPreview
from bot.services.results.inbox import Inbox, MatchItem
from cogs.ui.buttons import ActionButton, Form, Press, action, button
from cogs.ui.context import Interaction, LeagueCog, actor, host, league_meant
from cogs.ui.options.names import AnyMatch, LeagueName, OutcomeText
from cogs.ui.render.posts import decision_buttons, panel_buttons, statement_lines
from cogs.ui.render.tables import embed, long_answer
from cogs.ui.render.ties import tie_buttons
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import shown, told

REASON_LIMIT = 500


class Moderation(LeagueCog):
    """The inbox and the results set by moderators."""

    result = app_commands.Group(name="result", description="Decide or correct results (moderators)")

    @app_commands.command(name="disputes", description="What waits for the moderators, each with its safe next step")
    @answered()
    async def disputes(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Show the moderators' inbox."""
        meant = await league_meant(interaction, league)
        found = await inbox.inbox(self.db, actor=actor(interaction), now=self.now(), league_id=meant.id)
        return inbox_answer(found)

    @result.command(name="set", description="Decide or correct a result; shows first what it changes")
    @answered(
        match="Which match",
        outcome="The winner's name, draw, or double loss",
        score="Games, the winner's first: 2-1",
        kind="How it was settled; adjudicated if left out",
    )
    async def set(
        self,
        interaction: Interaction,
        match: AnyMatch,
        outcome: OutcomeText,
        reason: app_commands.Range[str, 0, REASON_LIMIT],
        score: str | None = None,
        kind: Literal["played", "forfeit", "adjudicated"] = "adjudicated",
        league: LeagueName | None = None,
    ) -> Reply:
        """Show what a decision would change, with a button that makes it."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        preview = await decisions.decide_preview(
            self.db, actor=who, now=self.now(), league_id=meant.id, match=match, outcome=outcome, kind=kind, score=score
        )
        return preview_answer(preview, kind=kind, reason=reason)

    @result.command(name="clear", description="Take a result, report or dispute back: the match is open again")
    @answered(match="Which match")
    async def clear(
        self,
        interaction: Interaction,
        match: AnyMatch,
        reason: app_commands.Range[str, 0, REASON_LIMIT],
        league: LeagueName | None = None,
    ) -> Reply:
        """Open a match again."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        view = await decisions.clear(self.db, actor=who, now=self.now(), league_id=meant.id, match=match, reason=reason)
        return Answer(text=f"{shown(view.label)} is open again; both players are told.")


def inbox_answer(found: Inbox) -> Answer:
    """Return what waits, with a button for each thing that can be settled at once."""
    title = f"{shown(found.league.name)}: waiting for you"
    if found.empty:
        return Answer(embeds=(embed(title, "Nothing. All is settled."),))
    lines: list[str] = []
    for heading, items in (
        ("Disputes", found.disputes), ("Unanswered reports", found.stuck_reports), ("Overdue", found.overdue)
    ):  # fmt: skip
        lines += _section(heading, [(item.view.label, item.next_step) for item in items])
    lines += _section("Asks to come back", [(item.name, item.next_step) for item in found.rejoin_requests])
    lines += _section("Ties", [(item.words, item.next_step) for item in found.ties])
    lines += _section(
        "Missing posts", [(f"{item.post.kind}: {item.post.problem}", item.next_step) for item in found.failed_posts]
    )
    answer = long_answer(title, lines, file_name="inbox.txt", private=True)
    return Answer(embeds=answer.embeds, file=answer.file, buttons=_inbox_buttons(found))


def _section(heading: str, items: list[tuple[str, str]]) -> list[str]:
    """Return what waits and its next step, which is said once where it is the same for all."""
    if len({step for _, step in items}) == 1:
        return [f"**{heading}** · {told(items[0][1])}", *(f"• {shown(what)}" for what, _ in items), ""]
    return [f"**{heading}**", *(f"• {shown(what)} · {told(step)}" for what, step in items), ""] if items else []


def _waiting(found: Inbox) -> tuple[MatchItem, ...]:
    return (*found.disputes, *found.stuck_reports, *found.overdue)


def _inbox_buttons(found: Inbox) -> tuple[ActionButton, ...]:
    made: list[ActionButton] = []
    for request in found.rejoin_requests:
        made.append(button("rejoin-accept", f"Accept {request.name}", subject=request.request_id))
        made.append(button("rejoin-refuse", f"Refuse {request.name}", subject=request.request_id))
    made += [pressed for item in found.ties for pressed in tie_buttons(item.tie)]
    one_a_channel = {item.post.target: item.post.id for item in found.failed_posts}
    made += [button("retry", "Try the posts again", subject=post_id) for post_id in one_a_channel.values()]
    made += panel_buttons([item.view for item in _waiting(found)])
    return tuple({made_one.custom_id: made_one for made_one in made}.values())


def preview_answer(preview: DecisionPreview, *, kind: str, reason: str) -> Answer:
    """Return what a decision changes; what it takes to make it is in the button and in the footer."""
    match = preview.match.match
    lines = [f"Now: {shown(preview.before)}", f"Then: **{shown(preview.after)}**"]
    lines += [f"• {shown(effect)}" for effect in preview.effects]
    asked = embed(f"Decide {shown(preview.match.label)}?", "\n".join(lines), footer=f"{_REASON}{reason}")
    extra = f"{kind}:{_decided_as(preview)}"
    apply = button(
        "apply", "Apply", subject=match.id, version=match.version, extra=extra, style=discord.ButtonStyle.success
    )
    return Answer(embeds=(asked,), buttons=(apply, button("cancel", "Cancel", subject=match.id)))


_REASON = "Reason: "
_KINDS = "(played|forfeit|adjudicated)"
_OUTCOMES = "(upper|lower|draw|double loss)"
"""How a button says who won: a name may be longer than a custom_id."""


def _decided_as(preview: DecisionPreview) -> str:
    """Return the games, the winner's first, and the outcome as a button holds them."""
    ruling, upper = preview.ruling, preview.match.upper
    games = ruling.games or ()
    if ruling.kind is Kind.DOUBLE_LOSS:
        said = "double loss"
    elif ruling.winner_id is None:
        said = "draw"
    else:
        said = "upper" if ruling.winner_id == upper.entrant_id else "lower"
    return f"{'-'.join(str(won) for won in (games[::-1] if said == 'lower' else games))}:{said}"


async def _outcome(press: Press, said: str) -> tuple[MatchView, str]:
    """Return the match a button decides, for a moderator, and the outcome as one types it."""
    view = await choosing.look(press.db, actor=press.actor, match=press.subject)
    require_moderator(view.league, press.actor)
    names = {"upper": view.upper.name, "lower": view.lower.name}
    return view, names.get(said, said)


@action("apply")
async def apply_decision(press: Press) -> Reply:
    """Make the decision that was previewed, unless the match changed since."""
    kind, score, said = press.parts(f"{_KINDS}:([0-9]+-[0-9]+)?:{_OUTCOMES}")
    _, outcome = await _outcome(press, said)
    message = press.interaction.message
    footer = (message.embeds[0].footer.text if message is not None and message.embeds else None) or ""
    view = await decisions.decide(
        press.db,
        actor=press.actor,
        now=press.now,
        match=press.subject,
        outcome=outcome,
        reason=footer.removeprefix(_REASON),
        kind=kind,
        score=score or None,
        version=press.version,
    )
    return decided(view, replace=True)


def decided(view: MatchView, *, replace: bool = False) -> Answer:
    """Return what whoever decided is told."""
    return Answer(text=f"{shown(view.label)}: {shown(view.state_words)}. Both players are told.", replace=replace)


@action("decide")
async def decide_pressed(press: Press) -> Reply:
    """Ask for the reason of a decision."""
    kind, said = press.parts(f"{_KINDS}:{_OUTCOMES}")
    view, outcome = await _outcome(press, said)
    counted = kind != "forfeit" and said != "double loss" and view.best_of > 1
    return DecisionForm(press, kind=kind, outcome=outcome, counted=counted)


class DecisionForm(Form):
    """Why a match is decided so."""

    def __init__(self, press: Press, *, kind: str, outcome: str, counted: bool) -> None:
        super().__init__(title=f"Decide: {outcome}")
        self._press, self._kind, self._outcome = press, kind, outcome
        self._reason = self.ask("reason", "Why? Both players read it", limit=REASON_LIMIT, long=True)
        self._score = (
            self.ask("score", "Games, the winner's first", limit=20, hint="for example 2-1", required=False)
            if counted
            else None
        )

    async def answer(self, interaction: Interaction) -> Reply:
        """Decide the match."""
        bot, press = host(interaction), self._press
        view = await decisions.decide(
            bot.database,
            actor=actor(interaction),
            now=bot.now(),
            match=press.subject,
            outcome=self._outcome,
            reason=self._reason.value,
            kind=self._kind,
            score=(self._score.value.strip() or None) if self._score is not None else None,
            version=press.version,
        )
        return decided(view)


@action("panel")
async def panel(press: Press) -> Reply:
    """Show everything said of a match that waits, with the ways to decide it."""
    view = await choosing.look(press.db, actor=press.actor, match=press.subject)
    require_moderator(view.league, press.actor)
    text = "\n".join([*statement_lines(view), "", f"Now: {shown(view.state_words)}"])
    return Answer(embeds=(embed(f"Decide {shown(view.label)}", text),), buttons=decision_buttons(view))


@action("retry")
async def retry_post(press: Press) -> Reply:
    """Make a post that failed once more."""
    await delivery.retry(press.db, actor=press.actor, now=press.now, post_id=press.subject)
    return Answer(text="The bot tries again now. If the post does not appear, check its rights in the channel.")


async def setup(bot: Any) -> None:
    """Add the moderation to the bot."""
    await bot.add_cog(Moderation(bot))
