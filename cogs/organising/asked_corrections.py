"""Corrections that moderators ask organisers for: the post, and its buttons that make one or leave the result."""

from bot.league.season.in_words import capitalised
from bot.services.matches.views import MatchView
from bot.services.organising import asked_corrections
from bot.services.organising.asked_corrections import CORRECTION, CorrectionPost
from bot.services.play import decisions
from cogs.play.decisions import preview_answer
from cogs.ui.actions import PRIMARY, ActionButton, Press, action
from cogs.ui.cards import ORANGE, Answer, card
from cogs.ui.posts import renders
from cogs.ui.replies import Reply
from cogs.ui.text import quoted, shown
from storage.rows import MatchId


@renders(CORRECTION)
def correction(post: CorrectionPost) -> Answer:
    """Return a correction that organisers are asked for."""
    view = post.view
    why = f": “{quoted(post.why, 500)}”" if post.why else "."
    lines = [
        f"{shown(capitalised(post.by))} asks for it{why}",
        f"Now: {shown(view.state_words)}",
        f"Then: **{shown(post.then)}**",
        *(f"• {shown(effect)}" for effect in post.effects),
    ]
    buttons = (correct(view.match.id).button("Correct it", PRIMARY), leave_it(view.match.id).button("Leave it"))
    return card(f"Correct {shown(view.label)}?", "\n".join(lines), buttons=buttons, colour=ORANGE)


@action("correct")
async def correct(press: Press, match: MatchId) -> Reply:
    """Show an organiser what a correction that is wanted changes, and ask."""
    asked = await press.who.read(asked_corrections.wanted, match=match)
    preview = await press.who.read(decisions.decide_preview, match=match, **asked.result)
    return preview_answer(preview, score=asked.score, reason=asked.reason)


@action("leave-result")
async def leave_it(press: Press, match: MatchId) -> Reply:
    """Leave a result as it is though a correction was asked for."""
    view = await press.who.write(asked_corrections.leave, match=match)
    return Answer(text=f"{shown(view.label)} stays as it is. The moderator who asked is told.")


def correction_buttons(view: MatchView) -> tuple[ActionButton, ...]:
    """Return the buttons of the inbox for a correction that is wanted."""
    correcting = correct(view.match.id).button(f"Correct {view.heading}")
    return (correcting, leave_it(view.match.id).button(f"Leave {view.heading}"))
