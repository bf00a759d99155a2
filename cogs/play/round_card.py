"""Rounds as posts: pages of pairings, one player's in a direct message, reminders, overdue matches, the live clock."""

from collections.abc import Iterator
from datetime import datetime

from bot.league.bracket.match_names import in_sentence
from bot.league.match_day.time_called import FIRST_DUTY
from bot.league.season.in_words import amount
from bot.league.season.model import SealedSalt
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base.outbox import PAGE, ROUND
from bot.services.matches.views import MatchView, RoundView
from bot.services.organising import rounds_by_hand
from bot.services.organising.timer import CLOCK, ClockPost
from bot.services.play.round_posts import OVERDUE, REMINDER, RoundPost
from cogs.matches.rounds import (
    CLOCK_TO_COME,
    STATE_COLOURS,
    bye_words,
    byes_line,
    changed_line,
    done_line,
    fingerprint_lines,
    in_groups,
    match_line,
    on_card,
    sitting_out_line,
)
from cogs.matches.words import name, pairing, paused_until, state_line
from cogs.play.decisions import panel_buttons
from cogs.play.my_match import open_my_match
from cogs.play.reports import match_button, report
from cogs.ui.actions import PRIMARY, Press, action
from cogs.ui.cards import BESIDE_MENTIONS, BLUE, LINE, TEXT_LIMIT, Answer, Part, Row, card, long_answer, text_length
from cogs.ui.context import Caller
from cogs.ui.posts import renders
from cogs.ui.questions import with_confirmation
from cogs.ui.replies import Reply
from cogs.ui.text import ends, pings, season_title, shown, when
from storage import rules_season
from storage.rows import LeagueId

_NAME_LENGTHS = (60, 40, 24, 12)
"""How long names may be at most: as long as the page holds them all."""
_URGENCY = (MatchState.DISPUTED, MatchState.REPORTED, MatchState.OPEN, MatchState.CONFIRMED)
_FULL = PAGE - 1
"""With more matches than these there is no room for a line and for **My match** beside the heading."""


@renders(ROUND)
def round_post(post: RoundPost) -> Answer:
    """Return a page of a round's pairings, or the part of it that concerns one player."""
    if post.person_id is not None:
        return _own_pairing(post)
    left = TEXT_LIMIT - len(pings(post.ping_ids))
    pages = (_page(post, longest) for longest in _NAME_LENGTHS)
    parts = next((page for page in pages if text_length(page) <= left), _page(post, _NAME_LENGTHS[-1]))
    states = {match.match.state for match in post.view.matches}
    colour = next((STATE_COLOURS[state] for state in _URGENCY if state in states), BLUE)
    return Answer(parts=parts, colour=colour)


def _page(post: RoundPost, longest: int) -> tuple[Part, ...]:
    view = post.view
    away = (sitting_out_line(view.sitting_out), done_line(view)) if post.page == post.pages else ()
    open_ = view.round.phase is RoundPhase.OPEN
    why = "-# Why this pairing? Use `/why`." if open_ and view.matches else ""
    proof = (*salt_lines(post.salt, post.sealed), *fingerprint_lines(post.fingerprints))
    without = "\n".join(filter(None, (byes_line(view.byes, view.round), *away, why, *proof)))
    full = len(view.matches) > _FULL
    head, line = "\n".join(_head(post, full=full)), () if full else (LINE,)
    own: Part = Row(head, open_my_match(view.league.id).button("My match")) if open_ and not full else head
    rows = [
        Row(f"{above}\n{pairing(match, longest)}\n-# {state_line(match)}".lstrip(), match_button(match))
        for above, match in in_groups(view)
    ]
    return (own, *line, *rows, without)


def _head(post: RoundPost, *, full: bool) -> Iterator[str]:
    view = post.view
    yield f"## {view.round.name}" + (f" ({post.page} of {post.pages})" if post.pages > 1 else "")
    games = "" if view.best_of == 1 else f" · best of {view.best_of}"
    yield f"**{shown(view.league.name)}**, season {view.season.number}{games}"
    yield from on_card(post.maps)
    yield from _until(view)
    if any(match.match.state is MatchState.OPEN and not match.stopped for match in view.matches):
        yield "Played? One of you presses **Report**."
        if full:
            yield "Find a time, or a problem: `/match`"
    if view.round.by_hand:
        yield f"-# {changed_line(view.round.by_hand)}"
    states = [match.match.state for match in view.matches]
    final, waiting, disputed = map(states.count, (MatchState.CONFIRMED, MatchState.REPORTED, MatchState.DISPUTED))
    here = " on this page" if post.pages > 1 else ""
    lines = [f"{final} of {amount(len(states), 'result')} in{here}"] if states else []
    lines += [f"{waiting} {'waits' if waiting == 1 else 'wait'} for an answer"] if waiting else []
    lines += [f"{disputed} {'is' if disputed == 1 else 'are'} disputed"] if disputed else []
    lines += post.also
    if lines:
        yield f"-# {' · '.join(lines)}"


def salt_lines(salt: str | None, sealed: SealedSalt | None) -> Iterator[str]:
    """Say what the draws of the season are mixed with; the names it's made of are in the league file."""
    if sealed is not None and sealed.secret is not None:
        opened = f"To check later: the draw was sealed as `{sealed.commitment}` before sign-ups. Its secret is"
        yield f"-# {opened} `{sealed.secret}`, which makes `{salt}` with the names at the start."
    elif salt is not None:
        yield f"-# To check later: the draw uses `{salt}`, made of the names at the start."


def _until(view: RoundView) -> Iterator[str]:
    if view.round.phase is RoundPhase.OPEN:
        yield from filter(None, [paused_until(view.season)])
        yield CLOCK_TO_COME if view.round.deadline is None else ends(view.round.deadline)


def _own_pairing(post: RoundPost) -> Answer:
    """Return a player's match or bye of a new round, as a direct message."""
    view = post.view
    mine = open_my_match(view.league.id).button("My match")
    if not view.matches and view.groups:
        unit = rules_season.settings_of(view.season).grouping.unit
        words = f"Your {unit} has an odd number of players, so one rests each round. There's nothing for you to do."
        return card(f"You rest in {view.round.words}", f"{season_title(view)}\n{words}", buttons=(mine,))
    if not view.matches:
        return card(f"You have a bye in {view.round.words}", bye_words(view.round), buttons=(mine,))
    match = view.matches[0]
    side = match.side_of(post.person_id) or match.upper
    title = f"You play {name(match.opponent_of(side))} in {in_sentence(match.match.name) or view.round.words}"
    lines = [season_title(view)]
    if match.match.state is MatchState.OPEN and not match.stopped:
        button = report(match.match.id).button("Report", PRIMARY)
        return card(title, "\n".join([*lines, *_until(view)]), buttons=(button, mine))
    return card(title, "\n".join([*lines, state_line(match)]), buttons=(mine,))


@renders(OVERDUE)
def overdue_post(post: RoundPost) -> Answer:
    """Return the matches no one reported by the deadline, for the moderators."""
    title = f"{shown(post.view.league.name)}, {post.view.round.stage_words}: past the deadline"
    if post.view.round.phase is not RoundPhase.OPEN:
        return card(title, "The round is over.")
    if not post.view.matches:
        return card(title, "✅ Nothing is overdue any more.")
    lines = ["No one has reported these matches. Decide them, or give more time:"]
    lines += [match_line(match) for match in post.view.matches]
    # A live round has a clock and no days.
    doing = extend(post.view.league.id, _DAYS, post.view.round.deadline)
    more = () if post.view.matches[0].live else (doing.button(f"{_DAYS} more days for all"),)
    return long_answer(title, lines, file_name="overdue.txt", buttons=(*panel_buttons(post.view.matches), *more))


_DAYS = 3


@action("extend")
async def extend(press: Press, league: LeagueId, days: int, deadline: datetime | None) -> Reply:
    """Give the open round more days, if its deadline is still the one the button was made for."""
    at = 0 if deadline is None else int(deadline.timestamp())
    return extended(await press.who.of(league).write(rounds_by_hand.extend_overdue, days=days, deadline=at))


END = "End the round"


@action("close-round")
async def end_round(press: Press, league: LeagueId) -> Reply:
    """End the open round, after a question."""
    return await close_round(press.who.of(league))


@with_confirmation("close-round", "End the round?", yes=END, no="Leave it open")
async def close_round(asker: Caller, *, agreed: str = "") -> str:
    """End the open round once an organiser has agreed to what follows."""
    following = await asker.write(rounds_by_hand.close, agreed=agreed)
    if following is None:
        return "The round is over. `/season status` shows what comes next."
    return f"The round is over, and {following.round.words} can be played."


def extended(view: RoundView) -> Answer:
    """Return the new deadline of a round."""
    return Answer(text=f"{view.round.name}: the new deadline is {when(view.round.deadline)}. The round post shows it.")


@renders(REMINDER)
def reminder_post(post: RoundPost) -> Answer:
    """Return a reminder to the players of open matches."""
    lines = [f"Play by {when(post.view.round.deadline)}"] if post.view.round.deadline is not None else []
    lines += [_with_own_deadline(match) for match in post.view.matches]
    title = f"{shown(post.view.league.name)}, {post.group or post.view.words}: still to play"
    return long_answer(title, lines, file_name="still-to-play.txt", room=BESIDE_MENTIONS)


def _with_own_deadline(match: MatchView) -> str:
    """Return what is missing in a match, and until when where that is its own."""
    waits = match.match.state is MatchState.REPORTED
    missing = f"waiting for {shown(match.asked.called)}'s answer" if waits else "not reported yet"
    own = match.match.deadline
    return f"{shown(match.heading)} · {missing}" + (f" · play by {when(own)}" if own is not None else "")


@renders(CLOCK)
def clock_post(post: ClockPost) -> Answer:
    """Return what the clock of a live round says."""
    name = post.view.round.words
    until = f"Time is called {when(post.ends_at)}."
    if post.left is None:
        title, text = f"The clock of {name} runs: {amount(post.minutes, 'minute')}", until
    elif post.left > 0:
        title, text = f"{amount(post.left, 'minute')} left in {name}", until
    else:
        title = f"Time is called in {name}"
        duty = "" if post.game is None else f"{FIRST_DUTY[post.game]}\n"
        text = f"{duty}`/time-called` shows step by step who wins an unfinished match. Then report it."
    league = season_title(post.view)
    return card(f"⏱️ {title}", f"{league}\n{text}")
