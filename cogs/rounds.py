"""Rounds: what players look up about their pairing, and what organisers do with a round."""

from typing import Any

from discord import app_commands

from bot.services.matches import choosing
from bot.services.matches.views import RoundView
from bot.services.rounds import organising, questions, timer
from bot.services.rounds.questions import MyMatch, Why
from cogs import ties
from cogs.ui.actions import EXTEND, MY_MATCH, WHY
from cogs.ui.buttons import Press
from cogs.ui.context import Interaction, LeagueCog, asked, ordered
from cogs.ui.options.names import AnyMatch, LeagueName, PlayerName, TieOrder
from cogs.ui.render.matches import match_answer
from cogs.ui.render.tables import long_answer, round_answer
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import quoted, shown, when, with_commands
from storage.rows import LeagueId, MatchId

Reason = app_commands.Range[str, 0, 300]


class Rounds(LeagueCog):
    """Pairings."""

    round = app_commands.Group(name="round", description="Pair, publish and end rounds (organisers)")

    @app_commands.command(name="match", description="Your match: opponent, deadline and what to do next")
    @answered()
    async def match(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Show the asking player's match."""
        return my_match(await questions.my_match(self.db, **await asked(interaction, league)))

    @app_commands.command(name="pairings", description="All matches of the current round, or of another one")
    @app_commands.rename(number="round")
    @answered(private=False, number="Number of the round; the current one if left out")
    async def pairings(
        self, interaction: Interaction, number: int | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Show a round's matches."""
        who = await asked(interaction, league)
        return round_answer(await questions.current(self.db, **who, number=number), private=False)

    @app_commands.command(name="why", description="Why this pairing, bye or pair-up: every step, so you can check it")
    @answered(player="Whose pairing; your own if left out")
    async def why(
        self, interaction: Interaction, player: PlayerName | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Explain a pairing."""
        return reasons(await questions.why(self.db, **await asked(interaction, league), player=player))

    @round.command(name="pair", description="Pair the next round as a preview that only organisers see")
    @answered()
    async def pair(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Pair the next round as a preview."""
        view = await organising.pair(self.db, **await ordered(interaction, league))
        return round_answer(view, private=True, note="A preview: `/round swap` changes it, `/round post` publishes it.")

    @round.command(name="post", description="Publish the preview, or pair and publish the next round")
    @answered()
    async def post(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Publish the next round."""
        view = await organising.post(self.db, **await ordered(interaction, league))
        return Answer(text=f"Round {view.round.number} is published in <#{view.league.channel_id}>.")

    @round.command(name="swap", description="Exchange two players in the preview or the open round")
    @answered(a="The first player", b="The second player")
    async def swap(
        self,
        interaction: Interaction,
        a: PlayerName,
        b: PlayerName,
        reason: Reason | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Exchange two players' places."""
        who = await ordered(interaction, league)
        view = await organising.swap(self.db, **who, first=a, second=b, reason=reason)
        return round_answer(view, private=True, note=f"{quoted(a)} and {quoted(b)} have changed places.")

    @round.command(name="extend", description="Give the open round, or one match of it, more days")
    @answered(days="How many more days", match="Only this match; the whole round if left out")
    async def extend(
        self, interaction: Interaction, days: int, match: AnyMatch | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Move a deadline."""
        who = await ordered(interaction, league)
        view = await organising.extend(self.db, **who, days=days, match=match)
        if match is None:
            return extended(view)
        one = await choosing.match_meant(self.db, actor=who["actor"], league_id=who["league_id"], match=match)
        return Answer(text=f"{shown(one.label)}: the new deadline is {when(one.deadline)}. The match post shows it.")

    @round.command(name="close", description="End the open round now; decide missing results first")
    @answered()
    async def close(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """End the open round."""
        following = await organising.close(self.db, **await ordered(interaction, league))
        if following is None:
            return Answer(text="The round is closed. `/season status` shows what comes next.")
        return Answer(text=f"The round is closed; round {following.round.number} is published.")

    @round.command(name="tiebreak", description="Break a tie that matters: by an order, a tie-break match, or the draw")
    @answered(
        order="The players in order, best first, with commas between; after a tie-break match, its result",
        how="Instead of an order: let them play for it, or take the draw",
    )
    async def tiebreak(
        self,
        interaction: Interaction,
        order: TieOrder | None = None,
        how: ties.How | None = None,
        reason: Reason | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Settle a tie, or show those that wait."""
        return await ties.break_tie(self.db, await ordered(interaction, league), order=order, how=how, reason=reason)

    @round.command(name="start-clock", description="Start the clock of a live round; it warns 10 and 5 minutes before")
    @answered(minutes="How long the round lasts; the game's usual time if left out")
    async def start_clock(
        self, interaction: Interaction, minutes: int | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Start the clock of a live round."""
        view = await timer.start(self.db, **await ordered(interaction, league), minutes=minutes)
        return Answer(text=f"The clock of round {view.round.number} is running until {when(view.round.deadline)}.")

    @round.command(name="undo", description="Undo the preview, or the open round before anyone reports")
    @answered()
    async def undo(
        self, interaction: Interaction, reason: Reason | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Take a round back."""
        view = await organising.undo(self.db, **await ordered(interaction, league), reason=reason)
        return Answer(text=f"Round {view.round.number} is undone. `/round pair` or `/round post` pairs it again.")


def extended(view: RoundView) -> Answer:
    """Return the new deadline of a round."""
    number = view.round.number
    return Answer(text=f"Round {number}: the new deadline is {when(view.round.deadline)}. The round post shows it.")


def my_match(mine: MyMatch) -> Answer:
    """Return a player's match with the buttons they can press."""
    if mine.match is None:
        return Answer(text=with_commands(mine.what_to_do))
    return match_answer(mine.match, to_you=mine.what_to_do)


def reasons(why: Why) -> Answer:
    """Return every step to a pairing, and how to recompute its draws."""
    by_hand = [f"Changed by an organiser: {quoted(why.by_hand)}"] if why.by_hand else []
    lines = [*by_hand, *(f"{step}. {shown(sentence)}" for step, sentence in enumerate(why.sentences, 1))]
    if why.draws:
        lines += ["", "To check a draw, run its line in a shell:"]
        lines += [f"`{draw.shell.replace('`', 'ˋ')}`\n→ `{draw.value}`" for draw in why.draws]
    return long_answer(shown(why.title), lines, file_name="why.txt", private=True)


@MY_MATCH
async def my_match_pressed(press: Press[LeagueId]) -> Reply:
    """Show the match of the person who presses."""
    return my_match(await questions.my_match(press.db, actor=press.by["actor"], league_id=press.subject))


@WHY
async def why_pressed(press: Press[MatchId]) -> Reply:
    """Explain the pairing of this match, whatever round is played now."""
    return reasons(await questions.why_match(press.db, actor=press.by["actor"], match_id=press.subject))


@EXTEND
async def extend_pressed(press: Press[LeagueId]) -> Reply:
    """Give the open round more days, if its deadline is still the one the button was made for."""
    days, deadline = (int(part) for part in press.parts(r"([0-9]{1,3}):([0-9]{1,12})"))
    view = await organising.extend(press.db, **press.by, league_id=press.subject, days=days, deadline=deadline)
    return extended(view)


async def setup(bot: Any) -> None:
    """Add the rounds to the bot."""
    await bot.add_cog(Rounds(bot))
