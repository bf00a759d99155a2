"""A report that waits for the opponent: asked, asked again, at last confirmed by silence (docs/rules.md, 9)."""

from datetime import datetime

from bot.league.season.phases import PLAYING
from bot.services.base import promises
from bot.services.base.act import Act
from bot.services.base.permissions import BOT
from bot.services.base.post_kinds import PostKind
from bot.services.matches import views
from bot.services.matches.views import MatchView
from bot.services.play import course, transitions
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import Confirmation, MatchId
from storage.tables import matches


def begin(conn: Connection, post: PostRow, now: datetime) -> None:
    """Let the time to answer begin: the question was sent; one asked again, or answered meanwhile, begins nothing."""
    match = None if post.match_id is None else matches.find(conn, post.match_id)
    if match is None or match.version != post.facts["version"] or match.confirm_at is not None:
        return
    time = views.match_view(conn, match.id).time_to_answer
    matches.set_time(conn, match.id, confirm_at=now + time, ask_again_at=now + time / 2)
    promises.touch(conn, match, now=now)


def ask_again(conn: Connection, match_id: MatchId, now: datetime) -> bool:
    """Ask once more at half time, in place of the first question; False where something happened meanwhile."""
    view = views.match_view(conn, match_id)
    do = Act.inside(conn, BOT, view.season.id, now=now)
    due = view.match.ask_again_at
    if do.season.phase not in PLAYING or due is None or due > now:
        return False
    matches.set_time(conn, match_id, ask_again_at=None)
    promises.tidy(conn, view.match, PostKind.QUESTION, now=now)
    transitions.ask(do, view.match, view.asked)
    return True


def confirm_by_silence(conn: Connection, match_id: MatchId, now: datetime) -> bool:
    """Confirm a report nobody answered in time, and tell both; False where something happened meanwhile."""
    view = views.match_view(conn, match_id)
    do = Act.inside(conn, BOT, view.season.id, now=now)
    due = view.match.confirm_at
    if do.season.phase not in PLAYING or due is None or due > now:
        return False
    after = accept(do, view, Confirmation.SILENCE)
    # A player without a Discord account was never asked.
    silent = "No one objected" if view.asked.discord_id is None else f"{view.asked.called} didn't answer"
    text = f"{silent} in time, so the report counts: {after.state_words}."
    transitions.tell_players(do, view, f"{text} If it's wrong, ask a moderator.")
    course.advance(do)
    return True


def accept(do: Act, view: MatchView, by: Confirmation) -> MatchView:
    """Confirm the last report as it is; returns the match as it is now."""
    after = transitions.confirm(do, view, view.claimed(view.reports[-1]), by)
    transitions.note(do, "result.confirm", view, after)
    return after
