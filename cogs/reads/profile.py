"""Who a player is in a league, as a command and in the menu of a member: titles, seasons, rating, head-to-head."""

from collections.abc import Iterator, Mapping

import discord

from bot.league.counting.ratings import highest
from bot.league.formats.shared.words import ordinal
from bot.league.season.in_words import amount
from bot.league.season.match_score import score
from bot.league.season.model import Status
from bot.league.season.phases import PLAYING, SeasonPhase
from bot.league.summaries.careers import OwnSeason
from bot.league.summaries.tallies import Tally
from bot.pictures.drawing import Drawn
from bot.services.reads.past import profiles
from bot.services.reads.past.profiles import Profile
from cogs.reads.pictures import rating_drawn
from cogs.reads.table_lines import rating_words
from cogs.ui.actions import Press, action
from cogs.ui.cards import LINE, Answer, Part
from cogs.ui.commands import LeagueCog, command, on_member
from cogs.ui.context import Caller, Host, channel_of, host
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
    async def profile(self, asker: Caller, player: PlayerName | None = None) -> Reply:
        """Show a player's titles, seasons, record and rating, and how you did against them."""
        profile = await asker.look_back(profiles.profile, player=player)
        return await PROFILE.first(self.bot, asker, profile.player.id)

    @on_member("League profile")
    async def of_member(self, asker: Caller, member: discord.Member) -> Reply:
        """Show the profile of the member that was pressed on."""
        channel_id = channel_of(asker.interaction)
        league_id = await asker.read(profiles.league_of_member, discord_id=member.id, channel_id=channel_id)
        if league_id is None:
            you = member.id == asker.actor.user_id
            words = "You haven't" if you else f"{member.mention} hasn't"
            return Answer(text=f"{words} joined a league here yet.{' Join one with `/signup`.' if you else ''}")
        return await _of_account(self.bot, asker.of(league_id), member.id)


async def _of_account(bot: Host, asker: Caller, account: int) -> Reply:
    return await PROFILE.first(bot, asker, (await asker.read(profiles.of_account, discord_id=account)).id)


@action("profile-in")
async def in_another_league(press: Press, league: LeagueId, account: int) -> Reply:
    """Show the profile of the same person in another league."""
    return await _of_account(host(press.interaction), press.who.of(league), account)


@PROFILE.shows
async def show_profile(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return a player's profile, with the picture of their rating if they have one."""
    profile = await asker.look_back(profiles.profile, player=which[0])
    drawn = None
    if profile.ratings:
        drawn = await rating_drawn(bot, profile)
    account = profile.player.discord_id
    others = profile.elsewhere[:MOST_LEAGUES] if account is not None else ()
    return Table(
        which=which,
        title=shown(profile.player.name),
        lines=lambda: [line for text in _texts(profile, everyone=False) for line in [*text.splitlines(), ""]],
        parts=lambda everyone: _parts(profile, drawn, everyone=everyone),
        drawn=drawn,
        more=(
            *([HEAD_TO_HEAD.shown_to(asker.league_id, *which).button("Head-to-head")] if profile.met else []),
            *([SEASONS.shown_to(asker.league_id, *which).button("All seasons")] if profile.seasons else []),
            *(in_another_league(other.id, account or 0).button(f"In {other.name}") for other in others),
        ),
    )


def _parts(profile: Profile, drawn: Drawn | None, *, everyone: bool) -> tuple[Part, ...]:
    """Return the texts of a profile with lines between them, and the picture after the first."""
    first, *others = _texts(profile, everyone=everyone)
    parts: list[Part] = [f"### {shown(profile.player.name)}\n{first}"]
    parts += [LINE, *as_parts(drawn, "rating.png")] if drawn else []
    for text in others:
        parts += [LINE, text]
    return tuple(parts)


def _texts(profile: Profile, *, everyone: bool) -> Iterator[str]:
    """Yield what a profile says, subject by subject; `everyone` reads no "you"."""
    yield "\n".join(_about(profile, everyone=everyone))
    if profile.seasons:
        yield "\n".join(["**Seasons**", *_newest(profile)])
    if profile.against_reader is not None:
        yield _the_two(profile, profile.against_reader, everyone=everyone)
    if profile.next is not None:
        ends = f" Ends {relative(profile.next.deadline)}" if profile.next.deadline else ""
        yield f"**Next match:** {shown(', '.join(filter(None, (profile.next.opponent, profile.next.place))))}.{ends}"


def _about(profile: Profile, *, everyone: bool) -> Iterator[str]:
    if profile.former_names:
        yield f"-# Formerly {shown(', '.join(profile.former_names))}"
    if profile.player.next_name is not None:
        yield f"-# **{shown(profile.player.next_name)}** once the season is over"
    if profile.titles:
        seasons = "season" if len(profile.titles) == 1 else "seasons"
        yield f"🏆 **Champion of {seasons} {listed([str(number) for number in reversed(profile.titles)])}**"
    if profile.ratings:
        now = profile.ratings[-1].rating
        peak = highest(after.rating for after in profile.ratings)
        best = f", the highest was {peak}" if peak is not None and peak > now.value else ""
        yield f"{rating_words(now).capitalize()}{' (provisional)' if now.provisional else ''}{best}"
    if profile.seasons:
        run = f" · longest run of wins: **{profile.longest}**" if profile.longest > 1 else ""
        yield f"**{tally_words(profile.tally)}** in {amount(len(profile.seasons), 'season')}{run}"
        if profile.tally.byes:
            yield f"-# {BYES_COUNT}"
    elif profile.signed_up is None:
        subject = "You haven't" if profile.own and not everyone else f"{shown(profile.player.name)} hasn't"
        yield f"{subject} played a match in {shown(profile.league.name)} yet."
    if profile.best is not None:
        you = not everyone and profile.reader is not None and profile.reader.name == profile.best.opponent
        rated = f"rated {profile.best.rating}"
        if profile.best.points is not None:
            rated = f"rated {amount(profile.best.points, 'point')} higher"
        opponent = f"{shown(profile.best.opponent)}{' (you)' if you else ''}"
        yield f"Best win: {opponent}, {rated}, season {profile.best.season}"
    if profile.signed_up is not None:
        yield f"Signed up for season {profile.signed_up}."


def _newest(profile: Profile) -> Iterator[str]:
    """Yield a line for each of the newest seasons, and one for all before them."""
    yield from (season_words(season, profile.names) for season in profile.seasons[:MOST_SEASONS])
    if earlier := profile.seasons[MOST_SEASONS:]:
        together = sum((season.tally for season in earlier), Tally())
        yield f"-# {amount(len(earlier), 'earlier season')}: {tally_words(together)}"


def season_words(season: OwnSeason, names: Mapping[int, str]) -> str:
    """Return what a player did in a season, on one line; `names` are today's."""
    parts = [f"**{season.number}**", *_places(season)]
    if season.tally != Tally():
        parts.append(tally_words(season.tally))
    if season.shared_with:
        parts.append(f"seat shared with {shown(listed([names[other] for other in season.shared_with]))}")
    return " · ".join(parts)


def _places(season: OwnSeason) -> Iterator[str]:
    if season.champion:
        yield "🏆 **champion**"
        return
    if season.phase is SeasonPhase.CANCELLED:
        yield "cancelled"
    left = {Status.DROPPED: "dropped out", Status.DISQUALIFIED: "disqualified"}.get(season.status)
    if left:
        yield left
    elif season.place == 2 and season.phase is SeasonPhase.FINISHED:
        yield "lost the final"
    elif season.rank is not None:
        after = f" {season.after}" if season.after else ""
        if season.in_group is None:
            yield f"{ordinal(season.rank)} of {season.of}{after}"
        else:
            place, group = season.in_group
            yield f"{ordinal(place)} in {group}{after}"
    if season.phase in PLAYING and season.place is None and not left and season.rank is None:
        yield "being played"


def tally_words(tally: Tally) -> str:
    """Return wins and losses, with draws where there are any."""
    return score(tally.wins, tally.losses, *((tally.draws,) if tally.draws else ()))


def _the_two(profile: Profile, tally: Tally, *, everyone: bool) -> str:
    """Return how the one who asks did against the player, and how their last match ended."""
    assert profile.reader is not None
    reader, name = shown(profile.reader.name), shown(profile.player.name)
    lines = (
        [f"**{reader} and {name}**", f"{reader} is **{tally_words(tally)}** against {name}."]
        if everyone
        else ["**You two**", f"You're **{tally_words(tally)}** against {name}."]
    )
    if profile.last is not None:
        lines.append(
            f"Last time: **{shown(profile.last.result)}**, season {profile.last.season}, {profile.last.match}."
        )
    return "\n".join(lines)


@SEASONS.shows
async def show_seasons(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return all seasons of a player."""
    profile = await asker.look_back(profiles.profile, player=which[0])
    lines = [season_words(season, profile.names) for season in profile.seasons]
    head = f"-# {tally_words(profile.tally)} in {amount(len(profile.seasons), 'season')}"
    return Table(which=which, title=f"{shown(profile.player.name)}: seasons", head=head, lines=lambda: lines)


@HEAD_TO_HEAD.shows
async def show_head_to_head(bot: Host, asker: Caller, which: Which, page: int | None) -> Table:
    """Return everyone a player has met with every match, those met most often first."""
    profile = await asker.look_back(profiles.profile, player=which[0])
    matches = await asker.look_back(profiles.meetings, player=which[0])
    own, own_line, lines = profile.reader.id if profile.reader else None, 0, list[str]()
    for opponent in profile.met:
        own_line = len(lines) if opponent.opponent.id == own else own_line
        lines.append(f"**{shown(opponent.opponent.name)}** · {tally_words(opponent.tally)}")
        lines += [
            f"-# Season {it.season}, {it.match}: {shown(it.result)}" for it in matches.get(opponent.opponent.id, ())
        ]
    return Table(
        which=which,
        title=f"{shown(profile.player.name)}: head-to-head",
        head="-# Wins and losses against everyone they met, with every match.",
        lines=lambda: lines,
        own_line=own_line,
    )
