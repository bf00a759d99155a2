"""What the post after a round tells: results, who is through and out, the cut line, the cut, what comes next."""

import asyncio
from dataclasses import dataclass, field, replace

from bot.league.formats import by_key
from bot.league.model import Name, Season
from bot.league.round_news import RoundNews, news_of
from bot.services.matches import views
from bot.services.matches.views import RoundView
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, RoundRow
from storage.tables import rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPost:
    """A finished round; `following` is the round after it once it is published."""

    view: RoundView
    record: Season
    people: dict[Name, EntrantRow]
    following: RoundRow | None
    news: RoundNews = field(default_factory=RoundNews)
    ping_ids: tuple[int, ...] = ()


async def load(conn: Connection, row: RoundRow) -> NewsPost:
    """Load a round with what follows it."""
    view = await views.round_view(conn, row)
    after = [other for other in await rounds.published(conn, row.season_id) if other.number == row.number + 1]
    return NewsPost(
        view=view,
        record=await rules_season.load(conn, row.season_id),
        people={Name(person.name): person for person in (await views.people_of(conn, view.season)).values()},
        following=after[0] if after else None,
    )


async def complete(post: NewsPost) -> NewsPost:
    """Work out what the round changed; the players it got through or knocked out hear of it."""
    format_, number = by_key(post.record.format), post.view.round.number
    # Counting a season of thousands takes long enough to keep others waiting.
    news = await asyncio.to_thread(news_of, format_, post.record, number)
    concerned = [post.people[name].discord_id for name in (*news.through, *news.out)]
    return replace(post, news=news, ping_ids=tuple(person for person in concerned if person is not None))
