"""Rounds as posts: a page of pairings, a reminder, what is overdue, and what the clock of a live round says."""

from bot.league.phases import RoundPhase
from bot.league.settings import Pace
from bot.services.matches.views import MatchView
from bot.services.outbox.kinds import ClockPost, RoundPost
from cogs.ui.actions import EXTEND, MY_MATCH
from cogs.ui.render.matches import BLUE, panel_buttons
from cogs.ui.render.tables import card, match_line, round_head, round_lines, round_title
from cogs.ui.replies import Answer
from cogs.ui.text import count, pages, shown, when


def round_post(facts: RoundPost) -> Answer:
    """Return a page of a round's pairings."""
    view = facts.view
    title = round_title(view) + (f" ({facts.page} of {facts.pages})" if facts.pages > 1 else "")
    lines = [round_head(view), *round_lines(view)]
    if not facts.match_posts:
        lines.append("Played? Press **My match** to report.")
    mine = MY_MATCH.button("My match", view.league.id, style=BLUE)
    return card(title, "\n".join(lines), buttons=(mine,))


def overdue_post(facts: RoundPost) -> Answer:
    """Return the matches no one reported by the deadline, for the moderators."""
    title = f"{shown(facts.view.league.name)}, {facts.view.round.words}: past the deadline"
    if facts.view.round.phase is not RoundPhase.OPEN:
        return card(title, "The round is over.")
    if not facts.view.matches:
        return card(title, "✅ Nothing is overdue any more.")
    lines = ["No one has reported these matches. Decide them, or give more time:"]
    lines += [match_line(match) for match in facts.view.matches]
    # A live round has a clock and no days.
    live = facts.view.season.settings.get("pace") == Pace.LIVE
    deadline = int(facts.view.round.deadline.timestamp()) if facts.view.round.deadline else 0
    more = () if live else (EXTEND.button("3 more days for all", facts.view.league.id, extra=f"3:{deadline}"),)
    return card(title, pages(lines)[0], buttons=(*panel_buttons(facts.view.matches), *more))


def reminder_post(facts: RoundPost) -> Answer:
    """Return a reminder to the players of open matches."""
    lines = [f"Play by {when(facts.view.round.deadline)}"] if facts.view.round.deadline is not None else []
    lines += [_with_own_deadline(match) for match in facts.view.matches]
    title = f"{shown(facts.view.league.name)}, {facts.view.round.words}: still to play"
    return card(title, pages(lines)[0])


def _with_own_deadline(match: MatchView) -> str:
    own = match.match.deadline
    return match_line(match) + (f" · play by {when(own)}" if own is not None else "")


def clock_post(facts: ClockPost) -> Answer:
    """Return what the clock of a live round says."""
    name = facts.view.round.words
    until = f"Time is called {when(facts.ends_at)}."
    if facts.left is None:
        title, text = f"The clock of {name} runs: {count(facts.minutes, 'minute')}", until
    elif facts.left > 0:
        title, text = f"{count(facts.left, 'minute')} left in {name}", until
    else:
        title = f"Time is called in {name}"
        text = "`/time-called` shows step by step who wins an unfinished match. Then report it."
    league = f"{shown(facts.view.league.name)}, season {facts.view.season.number}"
    return card(f"⏱️ {title}", f"{league}\n{text}")
