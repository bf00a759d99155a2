"""Rounds: what players look up about their pairing, and what organisers do with a round."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from discord import app_commands

from bot.league.errors import Invalid
from bot.services.matches import choosing
from bot.services.matches.views import RoundView
from bot.services.outbox.tie_content import tie_words
from bot.services.rounds import organising, questions, timer
from bot.services.rounds.questions import MyMatch, Why
from bot.services.ties import commands
from cogs.ui.buttons import Form, Press, action
from cogs.ui.context import Interaction, LeagueCog, actor, host, league_meant
from cogs.ui.options.names import AnyMatch, LeagueName, PlayerName, TieOrder
from cogs.ui.render.posts import match_answer
from cogs.ui.render.tables import long_answer, round_answer
from cogs.ui.render.ties import tie_buttons, tie_state
from cogs.ui.replies import Answer, Reply, answered
from cogs.ui.text import MESSAGE_LIMIT, listed, pages, quoted, shown, told, when
from storage.rows import LeagueId, TieRow


class Rounds(LeagueCog):
    """Pairings."""

    round = app_commands.Group(name="round", description="Pair, publish and end rounds (organisers)")

    @app_commands.command(name="match", description="Your match: opponent, deadline, state and what to do")
    @answered()
    async def match(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Show the asking player's match."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        return my_match(await questions.my_match(self.db, actor=who, league_id=meant.id))

    @app_commands.command(name="pairings", description="All matches of the current round, or of another one")
    @app_commands.rename(number="round")
    @answered(private=False, number="Number of the round; the current one if left out")
    async def pairings(
        self,
        interaction: Interaction,
        number: int | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Show a round's matches."""
        meant = await league_meant(interaction, league)
        return round_answer(await questions.current(self.db, league_id=meant.id, number=number), private=False)

    @app_commands.command(name="why", description="Why this pairing, bye or pair-up: every step, to be recomputed")
    @answered(player="Whose pairing; your own if left out")
    async def why(
        self, interaction: Interaction, player: PlayerName | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Explain a pairing."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        return reasons(await questions.why(self.db, actor=who, league_id=meant.id, player=player))

    @round.command(name="pair", description="Pair the next round as a draft that only organisers see")
    @answered()
    async def pair(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Pair the next round as a draft."""
        meant = await league_meant(interaction, league)
        view = await organising.pair(self.db, actor=actor(interaction), now=self.now(), league_id=meant.id)
        return round_answer(view, private=True, note="A draft: `/round swap` changes it, `/round post` publishes it.")

    @round.command(name="post", description="Publish the draft, or pair and publish the next round")
    @answered()
    async def post(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Publish the next round."""
        meant = await league_meant(interaction, league)
        view = await organising.post(self.db, actor=actor(interaction), now=self.now(), league_id=meant.id)
        return Answer(text=f"Round {view.round.number} is published in <#{view.league.channel_id}>.")

    @round.command(name="swap", description="Exchange two players' places in the draft or the open round, by hand")
    @answered(a="One of them", b="The other")
    async def swap(
        self,
        interaction: Interaction,
        a: PlayerName,
        b: PlayerName,
        reason: app_commands.Range[str, 0, 300] = "no reason given",
        league: LeagueName | None = None,
    ) -> Reply:
        """Exchange two players' places."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        view = await organising.swap(
            self.db, actor=who, now=self.now(), league_id=meant.id, first=a, second=b, reason=reason
        )
        return round_answer(view, private=True, note=f"{quoted(a)} and {quoted(b)} have changed places.")

    @round.command(name="extend", description="Give the open round, or one match of it, more days")
    @answered(days="How many days more", match="Only this match; the whole round if left out")
    async def extend(
        self,
        interaction: Interaction,
        days: int,
        match: AnyMatch | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Move a deadline."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        view = await organising.extend(self.db, actor=who, now=self.now(), league_id=meant.id, days=days, match=match)
        if match is None:
            return extended(view)
        one = await choosing.look(self.db, actor=who, league_id=meant.id, match=match)
        return Answer(text=f"{shown(one.label)}: the deadline is {when(one.deadline)}.")

    @round.command(name="close", description="End the open round now; matches without result must be decided first")
    @answered()
    async def close(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """End the open round."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        following = await organising.close(self.db, actor=who, now=self.now(), league_id=meant.id)
        if following is None:
            return Answer(text="The round is closed. `/season status` shows what comes next.")
        return Answer(text=f"The round is closed; round {following.round.number} is published.")

    @round.command(name="tiebreak", description="Break a tie that matters: by an order, a tie-break match, or the draw")
    @answered(
        order="The players in order, best first, with commas between; after a tie-break match, its result",
        how="Instead of an order: let them play for it, or take the draw as it stands",
    )
    async def tiebreak(
        self,
        interaction: Interaction,
        order: TieOrder | None = None,
        how: Literal["match", "draw"] | None = None,
        reason: app_commands.Range[str, 0, 300] | None = None,
        league: LeagueName | None = None,
    ) -> Reply:
        """Settle a tie, or show those that wait."""
        meant = await league_meant(interaction, league)
        asked: dict[str, Any] = {"actor": actor(interaction), "now": self.now(), "league_id": meant.id}
        if order is not None and how is not None:
            raise Invalid("Give an order, or say how else it shall be settled, not both.")
        if order is not None:
            return settled([await commands.order(self.db, named=order, reason=reason, **asked)])
        if how == "draw":
            return settled(await commands.take_draw(self.db, **asked))
        if how == "match":
            return called(await commands.call_match(self.db, **asked))
        return tie_panel(await commands.waiting(self.db, **asked))

    @round.command(
        name="start-clock", description="Start the clock of a live round; it warns 10 and 5 minutes before time"
    )
    @answered(minutes="How long the round lasts; as the game's document says if left out")
    async def start_clock(
        self, interaction: Interaction, minutes: int | None = None, league: LeagueName | None = None
    ) -> Reply:
        """Start the clock of a live round."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        view = await timer.start(self.db, actor=who, now=self.now(), league_id=meant.id, minutes=minutes)
        return Answer(text=f"The clock of round {view.round.number} runs. Time is called {when(view.round.deadline)}.")

    @round.command(name="undo", description="Take the draft, or the open round while nobody has reported, back")
    @answered()
    async def undo(
        self,
        interaction: Interaction,
        reason: app_commands.Range[str, 0, 300] = "no reason given",
        league: LeagueName | None = None,
    ) -> Reply:
        """Take a round back."""
        meant, who = await league_meant(interaction, league), actor(interaction)
        view = await organising.undo(self.db, actor=who, now=self.now(), league_id=meant.id, reason=reason)
        return Answer(text=f"Round {view.round.number} is taken back. `/round pair` or `/round post` pairs it anew.")


def extended(view: RoundView) -> Answer:
    """Return the new deadline of a round."""
    return Answer(text=f"Round {view.round.number}: the deadline is {when(view.round.deadline)}.")


def settled(found: Sequence[TieRow]) -> Answer:
    """Return what whoever settled ties is told."""
    lines = [f"{tie_state(tie)}." for tie in found]
    return Answer(text=pages([*lines, "It is posted in the league's channel."], MESSAGE_LIMIT)[0])


def called(found: Sequence[TieRow]) -> Answer:
    """Return what whoever called tie-break matches is told."""
    lines = [f"{shown(listed(tie.names))} are told to play, with their seats." for tie in found]
    return Answer(text=pages([*lines, "Then enter the result as an order."], MESSAGE_LIMIT)[0])


def tie_panel(found: Sequence[TieRow]) -> Answer:
    """Return the ties that wait, each with its buttons."""
    lines = [f"{shown(tie_words(tie))}\nBy the draw: {shown(', then '.join(tie.names))}" for tie in found]
    buttons = [pressed for tie in found for pressed in tie_buttons(tie)]
    answer = long_answer("Equal in everything", lines, file_name="ties.txt", private=True)
    return replace(answer, buttons=tuple(buttons))


def my_match(mine: MyMatch) -> Answer:
    """Return a player's match with what he can press."""
    view = mine.match
    if view is None:
        return Answer(text=told(mine.what_to_do))
    return match_answer(view, to_you=mine.what_to_do)


def reasons(why: Why) -> Answer:
    """Return every step to a pairing, and how to recompute its draws."""
    by_hand = [f"Changed by an organiser: {quoted(why.by_hand)}"] if why.by_hand else []
    lines = [*by_hand, *(f"{step}. {shown(sentence)}" for step, sentence in enumerate(why.sentences, 1))]
    if why.draws:
        lines += ["", "To check a draw, run its line in a shell:"]
        lines += [f"`{draw.shell.replace('`', 'ˋ')}`\n→ `{draw.value}`" for draw in why.draws]
    return long_answer(shown(why.title), lines, file_name="why.txt", private=True)


@action("my-match")
async def my_match_pressed(press: Press) -> Reply:
    """Show the match of whoever presses."""
    return my_match(await questions.my_match(press.db, actor=press.actor, league_id=LeagueId(press.subject)))


@action("why")
async def why_pressed(press: Press) -> Reply:
    """Explain the pairing of a match."""
    return reasons(
        await questions.why(press.db, actor=press.actor, league_id=LeagueId(press.subject), player=press.extra or None)
    )


@action("extend")
async def extend_pressed(press: Press) -> Reply:
    """Give the open round more days."""
    league_id, (days,) = LeagueId(press.subject), press.parts(r"([0-9]{1,3})")
    return extended(
        await organising.extend(press.db, actor=press.actor, now=press.now, league_id=league_id, days=int(days))
    )


@action("tie-draw")
async def tie_draw_pressed(press: Press) -> Reply:
    """Take the draw."""
    return settled(await commands.take_draw(press.db, actor=press.actor, now=press.now, tie_id=press.subject))


@action("tie-match")
async def tie_match_pressed(press: Press) -> Reply:
    """Call a tie-break match."""
    return called(await commands.call_match(press.db, actor=press.actor, now=press.now, tie_id=press.subject))


@action("tie-order")
async def tie_order_pressed(press: Press) -> Reply:
    """Ask for the order of a tie."""
    return OrderForm(press)


class OrderForm(Form):
    """The order of players who are equal."""

    def __init__(self, press: Press) -> None:
        super().__init__(title="Who comes first?")
        self._press = press
        self._order = self.ask("order", "Names, best first, with commas between", limit=1000, long=True)
        self._reason = self.ask("reason", "By which criterion? Everybody reads it", limit=300, required=False)

    async def answer(self, interaction: Interaction) -> Reply:
        """Settle the tie."""
        bot = host(interaction)
        tie = await commands.order(
            bot.database,
            actor=actor(interaction),
            now=bot.now(),
            named=self._order.value,
            tie_id=self._press.subject,
            reason=self._reason.value,
        )
        return settled([tie])


async def setup(bot: Any) -> None:
    """Add the rounds to the bot."""
    await bot.add_cog(Rounds(bot))
