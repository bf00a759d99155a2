"""The pages of a walk's league: they are made at any moment, and nothing that is secret is on them."""

import re

from bot import publishing
from bot.services.base.order import by_bot
from bot.site.pages import pages
from storage.rows import LeagueId
from tests.model.walk import PLAYERS, Walk

_SECRET_LISTS = (
    "SELECT l.text FROM lists l JOIN list_sets s ON s.id = l.set_id WHERE l.text IS NOT NULL AND s.revealed_at IS NULL"
    " EXCEPT SELECT l.text FROM lists l JOIN list_sets s ON s.id = l.set_id WHERE s.revealed_at IS NOT NULL"
)
_REASONS = "SELECT DISTINCT reason FROM audit WHERE reason IS NOT NULL AND length(reason) > 7"
_ANSWERS = "SELECT DISTINCT answer FROM signup_answers WHERE length(answer) > 5"
_KNOWN = "SELECT name FROM player_names WHERE league_id = ?"


async def require_pages(walk: Walk) -> None:
    """Fail where a page can't be made, or says what only some may know, or who was forgotten."""
    if not walk.file.column("SELECT id FROM leagues WHERE id = ?", walk.league.id):
        return  # it was deleted
    facts = await publishing.facts_of(walk.db, by_bot(walk.now, LeagueId(walk.league.id)))
    made = pages(facts)
    for season in facts.seasons:
        assert f"season-{season.number}/index.html" in made
    said = repr(facts)  # all that pages and files are made of
    known = set(walk.file.column(_KNOWN, walk.league.id))
    for name in {actor.name for actor in PLAYERS} - known:
        assert not re.search(rf"(?<!\w){re.escape(repr(name)[1:-1])}(?!\w)", said), f"{name} is on the pages"
    for sql in (_SECRET_LISTS, _REASONS, _ANSWERS):
        for text in walk.file.column(sql):
            assert repr(text)[1:-1] not in said, f"on the pages: {text}"
