"""Why players meet: the reasons of a pairing, with what checks them."""

from bot.services.reads import pairings
from bot.services.reads.pairings import Why
from cogs.matches.rounds import changed_line
from cogs.matches.which_match import asks_which
from cogs.play.match_card import OnCard
from cogs.reads.table_lines import check_link
from cogs.ui.actions import Press, action
from cogs.ui.cards import Answer
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Caller, Host, host
from cogs.ui.options.names import PlayerName
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import shown
from storage.rows import LeagueId, MatchId


class Pairings(LeagueCog):
    """Pairings."""

    @command(player="Whose pairing; your own if left out")
    async def why(self, asker: Caller, player: PlayerName | None = None) -> Reply:
        """Explain a pairing, bye or pair-up: every step, so you can check it."""
        return await _why(asker, self.bot, player)


@asks_which
async def _why(asker: Caller, bot: Host, player: PlayerName | None, *, match: MatchId | None = None) -> Reply:
    if match is not None:
        return await reasons(bot, asker, await asker.read(pairings.why_match, match_id=match))
    return await reasons(bot, asker, await asker.read(pairings.why, player=player))


REASONS, CHECK = PrivateTable("why"), PrivateTable("check")


async def reasons(bot: Host, asker: Caller, why: Why) -> Answer:
    """Return why a player was paired, first as a person wants to hear it, to the one who asks."""
    table = _in_short(why, why.in_short, asker.league_id)
    return REASONS.answer(table, asker, 0)


@REASONS.shows
async def show_reasons(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return why a player was paired, to everyone, by the numbers of season and round and the player's id."""
    why = await _asked(asker, which)
    return _in_short(why, why.everyone, asker.league_id)


def _in_short(why: Why, text: str, league_id: LeagueId) -> Table:
    which = (why.season.number or 0, why.round.number, why.player_id)
    by_hand = [changed_line(why.by_hand)] if why.by_hand and why.by_hand not in text else []
    where = f"-# Season {why.season.number}"
    lines = [*by_hand, *(shown(line) for line in text.splitlines()), where]
    check = CHECK.shown_to(league_id, *which).button("Check it yourself")
    return Table(which=which, title=shown(why.title), lines=lambda: lines, more=(check,))


async def _asked(asker: Caller, which: Which) -> Why:
    season, number, player_id = which
    return await asker.read(pairings.why, season=season, number=number, player=player_id)


@CHECK.shows
async def show_check(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return every step to a pairing with its values, and how to recompute its draws."""
    why = await _asked(asker, which)
    link = check_link(bot, asker.league_id, why.season.number or 0, why.round.number) if why.on_pages else None
    lines = [f"**{link}**: every step as a picture, worked out by your own browser.", ""] if link else []
    lines += [f"{step}. {shown(sentence)}" for step, sentence in enumerate(why.sentences, 1)]
    if why.draws:
        lines += ["", "**For programmers:** of the draws, the smallest comes first. Each line of a shell prints one:"]
        lines += [f"`{draw.shell.replace('`', 'ˋ')}`\n→ `{draw.value}`" for draw in why.draws]
    return Table(which=which, title=f"Check it yourself: {shown(why.title)}", lines=lambda: lines)


@action("why")
async def check_pairing(press: Press, match: MatchId) -> Reply:
    """Show how to check the pairing of this match, whatever round is played now."""
    why = await press.who.read(pairings.why_match, match_id=match)
    asker = press.who.of(why.season.league_id)
    return await CHECK.first(host(press.interaction), asker, why.season.number or 0, why.round.number, why.player_id)


ON_CARD = OnCard(looks=lambda details: (check_pairing(details.match.match.id).button("Check it yourself"),))
