"""The cards of a group whose matches are all open and of a thread, and what is told of such a stage every week."""

from collections.abc import Iterator

from bot.league.season.in_words import amount, capitalised, first_few
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base.outbox import GROUP, THREAD
from bot.services.matches import group_cards
from bot.services.matches.group_cards import STAGE_NEWS, GroupPost, StageNewsPost
from bot.services.reads import tables
from bot.services.reads.details import GroupThreadPost, MatchThreadPost
from bot.services.reads.tables import GroupView, StandingsView
from cogs.matches.words import name, outcome, paused_until
from cogs.play.match_card import details_answer
from cogs.play.my_match import open_my_match
from cogs.play.reports import report_own
from cogs.play.round_card import salt_lines
from cogs.reads.groups import group_picture
from cogs.reads.tables import STANDINGS, standings_button
from cogs.ui.actions import PRIMARY
from cogs.ui.cards import BLUE, GREEN, Answer, Part, card, long_answer
from cogs.ui.context import Host
from cogs.ui.drawn import drawn_part
from cogs.ui.posts import draws_below, renders
from cogs.ui.private_tables import as_text
from cogs.ui.text import cut, ends, season_title, shown
from storage.rows import EntrantRow

_NAMED = 80
"""As many players as are named with what they have to play."""


@renders(GROUP)
def group_card(post: GroupPost) -> Answer:
    """Return a group's card, or a player's own matches of it."""
    if post.reader is not None:
        return _own(post)
    lines = [*_head(post), *_thread(post), *post.also, *_progress(post), *salt_lines(post.salt, post.sealed)]
    league, number = post.league.id, post.season.number or 0
    over = post.round.phase is not RoundPhase.OPEN
    acts = () if over else (report_own(league).button("Report", PRIMARY), open_my_match(league).button("My matches"))
    text = as_text(league, STANDINGS.name, (number, post.number)).button("As text")
    return Answer(parts=("\n".join(lines),), colour=BLUE if post.left else GREEN, buttons=(*acts, text))


@draws_below(GROUP)
async def drawn_below(bot: Host, post: GroupPost) -> tuple[Part, ...]:
    """Return the picture of the group's table."""
    if post.reader is not None:
        return ()
    view = await bot.database.read(tables.standings_of, post.season.id, bot.now())
    group = next((group for group in view.groups if group.table.number == post.number), None)
    return () if group is None else await drawn_part(bot, group_picture(view, group), 0, "group.png", button="As text")


def _head(post: GroupPost) -> Iterator[str]:
    yield f"## {_title(post)}"
    going_on = post.round.phase is RoundPhase.OPEN
    season = f"**{shown(post.league.name)}**, season {post.season.number}"
    yield f"{season} · all matches are {'open' if going_on else 'over'}"
    if not going_on:
        return
    yield from filter(None, [paused_until(post.season)])
    if post.round.deadline is not None:
        yield ends(post.round.deadline)
    if post.left:
        yield "Play them in any order. Played? One of you presses **Report**."


def _thread(post: GroupPost) -> Iterator[str]:
    if post.thread is not None and post.round.phase is RoundPhase.OPEN:
        yield f"Talk about your matches in <#{post.thread}>."


def _title(post: GroupPost) -> str:
    return capitalised(group_cards.called(post.name))


def _progress(post: GroupPost) -> Iterator[str]:
    if post.last:
        yield f"-# Last: {' · '.join(outcome(view) for view in reversed(post.last))}"
    if post.left:
        players = [f"{name(player, 24)} {count}" for player, count in post.left]
        yield f"-# Still to play: {first_few(players, _NAMED)}"
    else:
        yield "-# All results are in."


def _own(post: GroupPost) -> Answer:
    """Return the matches of a player, as a direct message."""
    assert post.reader is not None
    open_ = [view for view in post.own if view.match.state is not MatchState.CONFIRMED]
    opponents = first_few([name(view.opponent_of(post.reader)) for view in post.own], _NAMED)
    where = f" in {post.name}" if post.name else ""
    lines = [
        season_title(post),
        *_thread(post),
        *([ends(post.round.deadline)] if post.round.deadline and open_ else []),
        opponents,
    ]
    mine = open_my_match(post.league.id).button("My matches")
    can = (report_own(post.league.id).button("Report", PRIMARY),) if open_ else ()
    title = f"You play {amount(len(post.own), 'match', 'matches')}{where}"
    return card(title, "\n".join(lines), buttons=(*can, mine))


@renders(STAGE_NEWS)
def stage_news(post: StageNewsPost) -> Answer:
    """Return the results since the news before; who leads stands below."""
    head = f"{amount(len(post.results), 'result')} since the last news, {post.to_come} to come."
    league, number = post.league.id, post.season.number
    buttons = (open_my_match(league).button("My matches", PRIMARY), standings_button(league, number))
    title = f"{season_title(post)}: where it stands"
    lines = [head, *(f"• {outcome(view)}" for view in post.results)]
    return long_answer(title, lines, file_name="results.txt", buttons=buttons, room=_ROOM)


_ROOM = 1700
"""Characters of results beside who leads each group."""


@draws_below(STAGE_NEWS)
async def leaders(bot: Host, post: StageNewsPost) -> tuple[Part, ...]:
    """Return who leads each group."""
    view = await bot.database.read(tables.standings_of, post.season.id, bot.now())
    lines = [line for group in view.groups if (line := _leader(view, group))]
    return (cut("\n".join(["**First**", *lines]), 1800),) if lines else ()


def _leader(view: StandingsView, group: GroupView) -> str:
    """Return who is first in a group with how many points; nothing before its first result."""
    first = group.rows[0].standing if group.rows else None
    if first is None or not first.wins + first.draws + first.losses:
        return ""
    called = f"{group.table.title}: " if group.table.called else ""
    return f"{called}**{shown(group.rows[0].called)}**, {amount(first.points, 'point')}"


@renders(THREAD)
def opening(post: MatchThreadPost | GroupThreadPost) -> Answer:
    """Return the card of a thread, kept as its matches are now."""
    if isinstance(post, MatchThreadPost):
        return details_answer(post.details)
    league, number = post.league.id, post.season.number
    acts = (
        () if post.over else (report_own(league).button("Report", PRIMARY), open_my_match(league).button("My matches"))
    )
    buttons = (*acts, standings_button(league, number))
    return Answer(parts=("\n".join(_in_thread(post)),), colour=GREEN if post.over else BLUE, buttons=buttons)


def _in_thread(post: GroupThreadPost) -> Iterator[str]:
    yield f"## {capitalised(group_cards.called(post.group))}"
    yield season_title(post)
    yield " · ".join(_called(player) for player in post.players)
    if not post.over:
        yield "Agree here on when you play. What the bot asks about your matches comes here, too."


def _called(player: EntrantRow) -> str:
    """Return a player's mention, which lets them into the thread as the card is edited, or their name."""
    return f"**{shown(player.called)}**" if player.discord_id is None else f"<@{player.discord_id}>"
