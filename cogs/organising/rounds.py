"""Rounds: what players look up about their pairing, and what organisers do with a round."""

from discord import app_commands

from bot.league.season.phases import RoundPhase
from bot.services.matches import choosing
from bot.services.matches.views import RoundView
from bot.services.organising import organising, swapping, timer
from bot.services.reads import questions
from bot.services.reads.questions import Why
from cogs.matches.rounds import round_answer, round_head, round_lines, round_title
from cogs.ties import ties
from cogs.ui.actions import EXTEND, SHOW, WHY
from cogs.ui.ask_first import AskedFirst
from cogs.ui.buttons import Press
from cogs.ui.cards import Answer
from cogs.ui.commands import Reason, command
from cogs.ui.context import Caller, Host, LeagueCog, host
from cogs.ui.options.names import AnyMatch, PlayerName, TieOrder
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, shown, when
from storage.rows import LeagueId, MatchId


class Rounds(LeagueCog):
    """Pairings."""

    round = app_commands.Group(name="round", description="Pair, publish and end rounds (organisers)")

    @command(number="Number of the round; the current one if left out")
    @app_commands.rename(number="round")
    async def pairings(self, who: Caller, number: int | None = None) -> Reply:
        """Show all matches of the current round, or of another one."""
        view = await who.see(questions.current, number=number)
        return await PAIRINGS.first(self.bot, who, view.season.number or 0, view.round.number)

    @command(player="Whose pairing; your own if left out")
    async def why(self, who: Caller, player: PlayerName | None = None) -> Reply:
        """Explain a pairing, bye or pair-up: every step, so you can check it."""
        return await reasons(self.bot, who, await who.see(questions.why, player=player))

    @command(round)
    async def pair(self, who: Caller) -> Reply:
        """Pair the next round as a preview that only organisers see."""
        return await PAIR.first(who)

    @command(round)
    async def post(self, who: Caller) -> Reply:
        """Publish the preview, or pair and publish the next round."""
        view = await who.do(organising.post)
        if view.round.phase is RoundPhase.DRAFT:
            return Answer(
                text="A player who moves up into the finals is asked first whether they play. The finals are posted "
                "once everyone asked has answered. `/season status` says who is asked."
            )
        return Answer(text=f"You published {view.round.words} in <#{view.league.channel_id}>.")

    @command(round, a="The first player", b="The second player")
    async def swap(self, who: Caller, a: PlayerName, b: PlayerName, reason: Reason | None = None) -> Reply:
        """Swap two players in the preview or the open round."""
        view = await who.do(swapping.swap, first=a, second=b, reason=reason)
        return round_answer(view, note=f"{quoted(a)} and {quoted(b)} have swapped places.")

    @command(
        round,
        days="How many more days",
        match="Only this match; the whole round if left out",
        reason="Why; everyone whose time it is reads it",
    )
    async def extend(
        self, who: Caller, days: int, match: AnyMatch | None = None, reason: Reason | None = None
    ) -> Reply:
        """Give the open round, or one of its matches, more days."""
        view = await who.do(organising.extend, days=days, match=match, reason=reason)
        if match is None:
            return extended(view)
        one = await who.see(choosing.match_meant, match=match)
        return Answer(text=f"{shown(one.label)}: the new deadline is {when(one.deadline)}.")

    @command(round)
    async def close(self, who: Caller) -> Reply:
        """End the open round now; decide missing results first."""
        return await CLOSE.first(who)

    @command(
        round,
        order="The players in order, best first, separated by commas; after a tie-break match, its result",
        how="Instead of an order: let them play for it, or take the draw",
    )
    async def tiebreak(
        self, who: Caller, order: TieOrder | None = None, how: ties.How | None = None, reason: Reason | None = None
    ) -> Reply:
        """Break a tie that matters: by an order, a tie-break match, or the draw."""
        return await ties.break_tie(who, order=order, how=how, reason=reason)

    @command(round, minutes="How long the round lasts; the game's usual time if left out")
    async def start_clock(self, who: Caller, minutes: int | None = None) -> Reply:
        """Start the clock of a live round. It warns 10 and 5 minutes before the end."""
        view = await who.do(timer.start, minutes=minutes)
        return Answer(text=f"The clock of {view.round.words} is running until {when(view.round.deadline)}.")

    @command(round, finals="All of the finals at once, also with results")
    async def undo(self, who: Caller, reason: Reason | None = None, finals: bool = False) -> Reply:
        """Undo the preview, the open round before anyone reports, or all of the finals."""
        return await (UNDO_FINALS if finals else UNDO).first(who, reason=reason)


PAIR = AskedFirst("pair-again", title="Pair the preview again?", yes="Pair it again", no="Keep the preview")
CLOSE = AskedFirst("close-round", title="Close the round?", yes="Close the round", no="Leave it open")
UNDO = AskedFirst("undo-round", title="Undo the round?", yes="Undo the round", no="Keep it")
UNDO_FINALS = AskedFirst("undo-finals", title="Undo the finals?", yes="Undo the finals", no="Keep them")


@PAIR.does
async def pair_round(who: Caller, agreed: str) -> Answer:
    """Pair the next round as a preview, once an organiser has agreed to lose what was changed in the one there is."""
    view = await who.do(organising.pair, agreed=agreed)
    return round_answer(view, note="A preview: `/round swap` changes it, `/round post` publishes it.")


@CLOSE.does
async def close_round(who: Caller, agreed: str) -> str:
    """Close the open round once an organiser has agreed to what follows."""
    following = await who.do(organising.close, agreed=agreed)
    if following is None:
        return "The round is closed. `/season status` shows what comes next."
    return f"The round is closed, and {following.round.words} can be played."


@UNDO.does
async def undo_round(who: Caller, agreed: str, reason: str | None = None) -> str:
    """Undo the preview or the open round once an organiser has agreed to what is lost."""
    view = await who.do(organising.undo, reason=reason, agreed=agreed)
    return f"You undid {view.round.words}. `/round pair` or `/round post` pairs it again."


@UNDO_FINALS.does
async def undo_finals(who: Caller, agreed: str, reason: str | None = None) -> str:
    """Take back the finals once an organiser has agreed to what is lost."""
    last = await who.do(organising.undo_finals, reason=reason, agreed=agreed)
    return f"You took back the finals. Round {last} is the last one now: `/round post` pairs the next."


def extended(view: RoundView) -> Answer:
    """Return the new deadline of a round."""
    return Answer(text=f"{view.round.name}: the new deadline is {when(view.round.deadline)}. The round post shows it.")


PAIRINGS, REASONS, CHECK = PrivateTable("pairings"), PrivateTable("why"), PrivateTable("check")


@PAIRINGS.shows
async def show_pairings(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return all matches of a round, by the numbers of its season and its own."""
    season, number = which
    view = await who.see(questions.current, season=season, number=number)
    own = [at for at, match in enumerate(view.matches) if match.side_of(who.actor.user_id)]
    head, lines = round_head(view), round_lines(view)
    return Table(which=which, title=round_title(view), head=head, lines=lambda: lines, own_line=next(iter(own), 0))


async def reasons(bot: Host, who: Caller, why: Why) -> Answer:
    """Return why a player was paired, first as a person wants to hear it, to the one who asks."""
    table = _in_short(why, why.in_short, who.league_id)
    return REASONS.answer(table, who, 0)


@REASONS.shows
async def show_reasons(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return why a player was paired, to everyone, by the numbers of season and round and the player's id."""
    why = await _asked(who, which)
    return _in_short(why, why.everyone, who.league_id)


def _in_short(why: Why, told: str, league_id: LeagueId) -> Table:
    which = (why.season.number or 0, why.round.number, why.player_id)
    by_hand = [f"Changed by an organiser: {quoted(why.by_hand)}"] if why.by_hand and why.by_hand not in told else []
    where = f"-# Season {why.season.number}"
    lines = [*by_hand, *(shown(line) for line in told.splitlines()), where]
    extra = f"check:{'-'.join(map(str, which))}"
    check = SHOW.button("Check it yourself", league_id, extra=extra)
    return Table(which=which, title=shown(why.title), lines=lambda: lines, more=(check,))


async def _asked(who: Caller, which: Which) -> Why:
    season, number, player_id = which
    return await who.see(questions.why, season=season, number=number, player=player_id)


@CHECK.shows
async def show_check(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return every step to a pairing with its values, and how to recompute its draws."""
    why = await _asked(who, which)
    lines = [f"{step}. {shown(sentence)}" for step, sentence in enumerate(why.sentences, 1)]
    if why.draws:
        lines += ["", "**The draws:** the smallest comes first. To check one, run its line in a shell:"]
        lines += [f"`{draw.shell.replace('`', 'ˋ')}`\n→ `{draw.value}`" for draw in why.draws]
    return Table(which=which, title=f"Check it yourself: {shown(why.title)}", lines=lambda: lines)


@WHY
async def why_pressed(press: Press[MatchId]) -> Reply:
    """Show how to check the pairing of this match, whatever round is played now."""
    why = await press.who.see(questions.why_match, match_id=press.subject)
    asked = press.who.of(why.season.league_id)
    return await CHECK.first(host(press.interaction), asked, why.season.number or 0, why.round.number, why.player_id)


@EXTEND
async def extend_pressed(press: Press[LeagueId]) -> Reply:
    """Give the open round more days, if its deadline is still the one the button was made for."""
    days, deadline = (int(part) for part in press.parts(r"([0-9]{1,3}):([0-9]{1,12})"))
    view = await press.who.of(press.subject).do(organising.extend, days=days, deadline=deadline)
    return extended(view)
