"""Who a player is in a league, as a command and in the menu of a member: titles, seasons, rating, head-to-head."""

from collections.abc import Iterator, Mapping

import discord

from bot.league.counting.ratings import highest
from bot.league.formats.shared.words import ordinal
from bot.league.season.in_words import amount
from bot.league.season.match_score import score
from bot.league.season.model import Status
from bot.league.season.phases import PLAYING, SeasonPhase
from bot.league.summaries.careers import OwnSeason, Tally
from bot.pictures.drawing import Drawn
from bot.services.reads.past import profiles
from bot.services.reads.past.profiles import Profile
from cogs.reads.pictures import rating_drawn
from cogs.reads.table_lines import rating_words
from cogs.ui.actions import Press, action
from cogs.ui.cards import LINE, Answer, Part
from cogs.ui.commands import LeagueCog, command, on_member
from cogs.ui.context import Caller, Host, Interaction, caller, channel_of, host
from cogs.ui.drawn import as_parts
from cogs.ui.options.names import PlayerName
from cogs.ui.private_tables import PrivateTable, Table, Which
from cogs.ui.replies import Reply
from cogs.ui.text import listed, relative, shown
from storage.rows import LeagueId

PROFILE, SEASONS, HEAD_TO_HEAD = PrivateTable("profile"), PrivateTable("seasons"), PrivateTable("head-to-head")
MOST_SEASONS = 4
"""So many seasons stand in the profile itself."""
BYES_COUNT = "Byes count as wins."
MOST_LEAGUES = 3
"""Buttons for so many other leagues fit beside the others."""


class Profiles(LeagueCog):
    """Profiles."""

    @command(player="Whose profile; your own if left out")
    async def profile(self, who: Caller, player: PlayerName | None = None) -> Reply:
        """Show a player's titles, seasons, record and rating, and how you did against them."""
        found = await who.look_back(profiles.profile, player=player)
        return await PROFILE.first(self.bot, who, found.player.id)

    @on_member("League profile")
    async def of_member(self, interaction: Interaction, member: discord.Member) -> Reply:
        """Show the profile of the member that was pressed on."""
        who, channel_id = caller(interaction), channel_of(interaction)
        league_id = await who.read(profiles.league_of_member, discord_id=member.id, channel_id=channel_id)
        if league_id is None:
            you = member.id == interaction.user.id
            words = "You haven't" if you else f"{member.mention} hasn't"
            return Answer(text=f"{words} joined a league here yet.{' Join one with `/signup`.' if you else ''}")
        return await _of_account(self.bot, who.of(league_id), member.id)


async def _of_account(bot: Host, who: Caller, account: int) -> Reply:
    return await PROFILE.first(bot, who, (await who.read(profiles.of_account, discord_id=account)).id)


@action("profile-in")
async def in_another_league(press: Press, league: LeagueId, account: int) -> Reply:
    """Show the profile of the same person in another league."""
    return await _of_account(host(press.interaction), press.who.of(league), account)


@PROFILE.shows
async def show_profile(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return a player's profile, with the picture of their rating if they have one."""
    found = await who.look_back(profiles.profile, player=which[0])
    drawn = None
    if found.ratings:
        drawn = await rating_drawn(bot, found)
    account = found.player.discord_id
    others = found.elsewhere[:MOST_LEAGUES] if account is not None else ()
    return Table(
        which=which,
        title=shown(found.player.name),
        lines=lambda: [line for text in _texts(found, everyone=False) for line in [*text.splitlines(), ""]],
        parts=lambda everyone: _parts(found, drawn, everyone=everyone),
        drawn=drawn,
        more=(
            *([HEAD_TO_HEAD.shown_to(who.league_id, *which).button("Head-to-head")] if found.met else []),
            *([SEASONS.shown_to(who.league_id, *which).button("All seasons")] if found.seasons else []),
            *(in_another_league(one.id, account or 0).button(f"In {one.name}") for one in others),
        ),
    )


def _parts(found: Profile, drawn: Drawn | None, *, everyone: bool) -> tuple[Part, ...]:
    """Return the texts of a profile with lines between them, and the picture after the first."""
    first, *others = _texts(found, everyone=everyone)
    parts: list[Part] = [f"### {shown(found.player.name)}\n{first}"]
    parts += [LINE, *as_parts(drawn, "rating.png")] if drawn else []
    for text in others:
        parts += [LINE, text]
    return tuple(parts)


def _texts(found: Profile, *, everyone: bool) -> Iterator[str]:
    """Yield what a profile says, subject by subject; `everyone` reads no "you"."""
    yield "\n".join(_about(found, everyone=everyone))
    if found.seasons:
        yield "\n".join(["**Seasons**", *_newest(found)])
    if found.against_reader is not None:
        yield _the_two(found, found.against_reader, everyone=everyone)
    if found.next is not None:
        ends = f" Ends {relative(found.next.deadline)}" if found.next.deadline else ""
        yield f"**Next match:** {shown(found.next.opponent)}, {shown(found.next.place)}.{ends}"


def _about(found: Profile, *, everyone: bool) -> Iterator[str]:
    if found.former_names:
        yield f"-# Formerly {shown(', '.join(found.former_names))}"
    if found.player.next_name is not None:
        yield f"-# **{shown(found.player.next_name)}** once the season is over"
    if found.titles:
        seasons = "season" if len(found.titles) == 1 else "seasons"
        yield f"🏆 **Champion of {seasons} {listed([str(number) for number in reversed(found.titles)])}**"
    if found.ratings:
        now = found.ratings[-1].rating
        peak = highest(after.rating for after in found.ratings)
        best = f", the highest was {peak}" if peak is not None and peak > now.value else ""
        yield f"{rating_words(now).capitalize()}{' (provisional)' if now.provisional else ''}{best}"
    if found.seasons:
        run = f" · longest run of wins: **{found.longest}**" if found.longest > 1 else ""
        yield f"**{tally_words(found.tally)}** in {amount(len(found.seasons), 'season')}{run}"
        if found.tally.byes:
            yield f"-# {BYES_COUNT}"
    elif found.signed_up is None:
        who = "You haven't" if found.own and not everyone else f"{shown(found.player.name)} hasn't"
        yield f"{who} played a match in {shown(found.league.name)} yet."
    if found.best is not None:
        you = not everyone and found.reader is not None and found.reader.name == found.best.opponent
        rated = f"rated {found.best.rating}"
        if found.best.points is not None:
            rated = f"rated {amount(found.best.points, 'point')} higher"
        yield f"Best win: {shown(found.best.opponent)}{' (you)' if you else ''}, {rated}, season {found.best.season}"
    if found.signed_up is not None:
        yield f"Signed up for season {found.signed_up}."


def _newest(found: Profile) -> Iterator[str]:
    """Yield a line for each of the newest seasons, and one for all before them."""
    yield from (season_words(one, found.names) for one in found.seasons[:MOST_SEASONS])
    if earlier := found.seasons[MOST_SEASONS:]:
        together = sum((one.tally for one in earlier), Tally())
        yield f"-# {amount(len(earlier), 'earlier season')}: {tally_words(together)}"


def season_words(one: OwnSeason, names: Mapping[int, str]) -> str:
    """Return what a player did in a season, on one line; `names` are today's."""
    parts = [f"**{one.number}**", *_places(one)]
    if one.tally != Tally():
        parts.append(tally_words(one.tally))
    if one.shared_with:
        parts.append(f"seat shared with {shown(listed([names[other] for other in one.shared_with]))}")
    return " · ".join(parts)


def _places(one: OwnSeason) -> Iterator[str]:
    if one.champion:
        yield "🏆 **champion**"
        return
    if one.phase is SeasonPhase.CANCELLED:
        yield "cancelled"
    left = {Status.DROPPED: "dropped out", Status.DISQUALIFIED: "disqualified"}.get(one.status)
    if left:
        yield left
    elif one.place == 2 and one.phase is SeasonPhase.FINISHED:
        yield "lost the final"
    elif one.rank is not None:
        after = f" {one.after}" if one.after else ""
        if one.in_group is None:
            yield f"{ordinal(one.rank)} of {one.of}{after}"
        else:
            place, group = one.in_group
            yield f"{ordinal(place)} in {group}{after}"
    if one.phase in PLAYING and one.place is None and not left and one.rank is None:
        yield "being played"


def tally_words(tally: Tally) -> str:
    """Return wins and losses, with draws where there are any."""
    return score(tally.wins, tally.losses, *((tally.draws,) if tally.draws else ()))


def _the_two(found: Profile, tally: Tally, *, everyone: bool) -> str:
    """Return how the one who asks did against the player, and how their last match ended."""
    assert found.reader is not None
    reader, name = shown(found.reader.name), shown(found.player.name)
    lines = (
        [f"**{reader} and {name}**", f"{reader} is **{tally_words(tally)}** against {name}."]
        if everyone
        else ["**You two**", f"You're **{tally_words(tally)}** against {name}."]
    )
    if found.last is not None:
        lines.append(f"Last time: **{shown(found.last.result)}**, season {found.last.season}, {found.last.match}.")
    return "\n".join(lines)


@SEASONS.shows
async def show_seasons(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return all seasons of a player."""
    found = await who.look_back(profiles.profile, player=which[0])
    lines = [season_words(one, found.names) for one in found.seasons]
    head = f"-# {tally_words(found.tally)} in {amount(len(found.seasons), 'season')}"
    return Table(which=which, title=f"{shown(found.player.name)}: seasons", head=head, lines=lambda: lines)


@HEAD_TO_HEAD.shows
async def show_head_to_head(bot: Host, who: Caller, which: Which, page: int | None) -> Table:
    """Return everyone a player has met with every match, those met most often first."""
    found = await who.look_back(profiles.profile, player=which[0])
    matches = await who.look_back(profiles.meetings, player=which[0])
    own, own_line, lines = found.reader.id if found.reader else None, 0, list[str]()
    for one in found.met:
        own_line = len(lines) if one.opponent.id == own else own_line
        lines.append(f"**{shown(one.opponent.name)}** · {tally_words(one.tally)}")
        lines += [f"-# Season {it.season}, {it.match}: {shown(it.result)}" for it in matches.get(one.opponent.id, ())]
    return Table(
        which=which,
        title=f"{shown(found.player.name)}: head-to-head",
        head="-# Wins and losses against everyone they met, with every match.",
        lines=lambda: lines,
        own_line=own_line,
    )
