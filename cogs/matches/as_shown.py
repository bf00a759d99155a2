"""A match as a button shows it: once the match has changed, the press is refused by itself."""

from typing import Annotated

from bot.services.matches import match_finding
from bot.services.matches.views import MatchView
from bot.services.play.transitions import require_current
from cogs.ui.actions import Codec, Press


def _write(view: MatchView) -> str:
    return f"{view.match.id}@{view.match.version}"


async def _load(press: Press, text: str) -> MatchView:
    match, version = map(int, text.split("@"))
    view = await press.who.read(match_finding.match_meant, match=match)
    require_current(view, version)
    return view


MatchAsShown = Annotated[MatchView, Codec("[0-9]{1,18}@[0-9]{1,18}", _write, load=_load)]
