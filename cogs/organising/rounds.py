"""What organisers do with a round: look at it, post, swap, give time, start its clock, undo."""

from dataclasses import replace

from discord import app_commands

from bot.league.season.phases import RoundPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.matches import match_finding
from bot.services.organising import rounds_by_hand, swapping, timer
from bot.services.organising.rounds_by_hand import EndFirst
from bot.services.play.time_to_play import MOST_DAYS
from bot.services.reads import overview
from cogs.matches.rounds import round_answer
from cogs.play.round_card import extended
from cogs.ui.actions import PRIMARY, Press, action
from cogs.ui.cards import Answer
from cogs.ui.commands import LeagueCog, Reason, command
from cogs.ui.context import Caller
from cogs.ui.options.names import AnyMatch, PlayerName
from cogs.ui.questions import confirmation, with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, shown, when
from storage.rows import LeagueId


class Rounds(LeagueCog):
    """Rounds."""

    @command("round")
    async def post(self, asker: Caller) -> Reply:
        """Post the next round after a look at it; where none follows, end the season."""
        if (await asker.read(overview.status)).season.paused_until is not None:
            return await preview_round(asker, paused=True)
        return await post_round(asker)

    @command("round", a="The first player", b="The second player")
    async def swap(self, asker: Caller, a: PlayerName, b: PlayerName, reason: Reason | None = None) -> Reply:
        """Swap two players in the preview or the open round."""
        return await swap_players(asker, a, b, reason=reason)

    @command(
        "round",
        days="How many more days",
        match="Only this match; the whole round if left out",
        reason="Why; everyone whose time it is reads it",
    )
    async def extend(
        self,
        asker: Caller,
        days: app_commands.Range[int, 1, MOST_DAYS],
        match: AnyMatch | None = None,
        reason: Reason | None = None,
    ) -> Reply:
        """Give the open round, or one of its matches, more days."""
        return await give_days(asker, days, match=match, reason=reason)

    @command("round", minutes="How long the round lasts; the game's usual time if left out")
    async def start_clock(
        self, asker: Caller, minutes: app_commands.Range[int, 1, timer.MOST_MINUTES] | None = None
    ) -> Reply:
        """Start the clock of a live round. It warns 10 and 5 minutes before the end."""
        return await start_clock(asker, minutes)

    @command("round", finals="All of the finals at once, also with results")
    async def undo(self, asker: Caller, reason: Reason | None = None, finals: bool = False) -> Reply:
        """Undo the preview, the open round before anyone reports, or all of the finals."""
        return await (undo_finals if finals else undo_round)(asker, reason=reason)


async def post_round(asker: Caller, *, agreed: str = "") -> Answer:
    """Post the next round once an organiser has agreed, who can look at it first."""
    try:
        view = await asker.write(rounds_by_hand.post, agreed=agreed)
    except EndFirst as first:
        title = "End the season?"
        return confirmation(asker, first, post_round, "end-season", title, yes="End the season", no="Not yet")
    except ConfirmationNeeded as first:
        title, others = "Post the next round?", {"Preview": _preview_instead}
        return confirmation(
            asker, first, post_round, "post-round", title, yes="Post it", no="Not yet", others=others, style=PRIMARY
        )
    if view is None:
        return Answer(text="The season is over. `/standings` shows how it ended.")
    if view.round.phase is RoundPhase.DRAFT:
        return Answer(
            text="A player who moves up into the finals is asked first whether they play. The finals are posted "
            "once everyone asked has answered. `/season status` says who is asked."
        )
    return Answer(text=f"You published {view.round.words} in <#{view.league.channel_id}>.")


async def _preview_instead(asker: Caller, *, agreed: str) -> Answer:
    return await preview_round(asker)


async def preview_round(asker: Caller, *, paused: bool = False) -> Answer:
    """Show organisers the next round, with a button that posts it unless the season is paused."""
    view = await asker.write(rounds_by_hand.preview)
    note = "Only organisers see this preview: `/round swap` changes it, `/round undo` drops it."
    if paused:
        return round_answer(view, note=f"{note} It can be posted after the pause; `/season pause` can end that early.")
    button = post_preview(view.league.id, rounds_by_hand.agreement_to(view)).button("Post it", PRIMARY)
    return replace(round_answer(view, note=note), buttons=(button,))


@action("post-round")
async def post_preview(press: Press, league: LeagueId, seen: str) -> Reply:
    """Post a preview, if it's still as it was shown."""
    return replace(await post_round(press.who.of(league), agreed=seen), replace=True)


@with_confirmation("swap", "Swap these players?", yes="Swap", no="Keep")
async def swap_players(asker: Caller, a: str, b: str, *, reason: str | None = None, agreed: str = "") -> Answer:
    """Swap two players, once an organiser has agreed to who plays then, who sees it and who is told."""
    view = await asker.write(swapping.swap, first=a, second=b, reason=reason, agreed=agreed)
    return round_answer(view, note=f"{quoted(a)} and {quoted(b)} have swapped places.")


@with_confirmation("extend-round", "Give more time?", yes="Give more time", no="Keep the deadline")
async def give_days(
    asker: Caller, days: int, *, match: str | None, reason: str | None = None, agreed: str = ""
) -> Answer:
    """Give a round or a match more days, once an organiser has agreed to the new deadline and who is told."""
    view = await asker.write(rounds_by_hand.extend, days=days, match=match, reason=reason, agreed=agreed)
    if match is None:
        return extended(view)
    extension = await asker.read(match_finding.match_meant, match=match)
    return Answer(text=f"{shown(extension.label)}: the new deadline is {when(extension.deadline)}.")


@with_confirmation("start-again", "Start the clock again?", yes="Start it again", no="Let it run")
async def start_clock(asker: Caller, minutes: int | None, *, agreed: str = "") -> str:
    """Start the clock of a live round; one that runs once an organiser has agreed that it begins again."""
    view = await asker.write(timer.start, minutes=minutes, agreed=agreed)
    return f"The clock of {view.round.words} is running until {when(view.round.deadline)}."


@with_confirmation("undo-round", "Undo the round?", yes="Undo the round", no="Keep it")
async def undo_round(asker: Caller, *, reason: str | None = None, agreed: str = "") -> str:
    """Undo the preview or the open round once an organiser has agreed to what is lost."""
    view = await asker.write(rounds_by_hand.undo, reason=reason, agreed=agreed)
    return f"You undid {view.round.words}. `/round post` pairs it again."


@with_confirmation("undo-finals", "Undo the finals?", yes="Undo the finals", no="Keep them")
async def undo_finals(asker: Caller, *, reason: str | None = None, agreed: str = "") -> str:
    """Take back the finals once an organiser has agreed to what is lost."""
    last = await asker.write(rounds_by_hand.undo_finals, reason=reason, agreed=agreed)
    return f"You took back the finals. Round {last} is the last one now: `/round post` pairs the next."
