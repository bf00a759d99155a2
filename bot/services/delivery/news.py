"""What the post after a round tells: results, who is through and out, the cut line, the cut, what comes next."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.league.counting.standings import Standing
from bot.league.formats import by_key
from bot.league.season.model import Match, Name, Round, Season, Stage
from bot.league.telling.outlook.prospects import Prospect, Verdict
from bot.league.telling.round_news import RoundNews, news_of
from bot.services.matches import views
from bot.services.matches.views import RoundView
from bot.services.reads import careers, looking_ahead
from bot.worker import Worker, WorkerFailed
from storage.database import Connection
from storage.rows import EntrantRow, RoundRow
from storage.tables import rounds

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPost:
    """A finished round; `following` is the round after it once it is published.

    `sure` are newly sure of the finals, `hopeless` can't reach them since this round; `prospects` are everyone's now.
    `edge` are the last above and the first below the cut line, before the last round, of those not decided yet.
    """

    view: RoundView
    record: Season
    people: dict[Name, EntrantRow]
    following: RoundRow | None
    news: RoundNews = field(default_factory=RoundNews)
    sure: tuple[Name, ...] = ()
    hopeless: tuple[Name, ...] = ()
    prospects: Mapping[Name, Prospect] = field(default_factory=dict[Name, Prospect])
    ping_ids: tuple[int, ...] = ()

    @property
    def has_finals(self) -> bool:
        """Whether finals follow the regular rounds; without them the first of the table wins the season."""
        return by_key(self.record.format).plays_finals(self.record)

    @property
    def edge(self) -> tuple[Standing, ...]:
        """Who stands at the cut line, above and below it; nobody where one of the two sides is decided."""
        above, below = ([row for row in rows if self._is_open(row)] for rows in (self.news.above, self.news.below))
        return (above[-1], below[0]) if above and below else ()

    def _is_open(self, row: Standing) -> bool:
        prospect = self.prospects.get(row.name)
        return prospect is None or prospect.verdict is Verdict.OPEN


async def load(conn: Connection, row: RoundRow) -> NewsPost:
    """Load a round with what follows it."""
    view = await views.round_view(conn, row)
    after = [other for other in await rounds.published(conn, row.season_id) if other.number == row.number + 1]
    return NewsPost(
        view=view,
        record=await careers.complete(conn, view.season),
        people={Name(person.name): person for person in (await views.people_of(conn, view.season)).values()},
        following=after[0] if after else None,
    )


async def complete(post: NewsPost, worker: Worker | None) -> NewsPost:
    """Work out what the round changed; the players it got through or knocked out hear of it."""
    format_, number = by_key(post.record.format), post.view.round.number
    # Counting a season of thousands takes long enough to keep others waiting.
    news = await asyncio.to_thread(news_of, format_, post.record, number)
    post = replace(post, news=news)
    if worker is not None and news.cut is None and post.view.round.stage is Stage.REGULAR:
        post = await _with_outlook(post, worker)
    changed = (*news.through, *news.out, *news.for_third_place, *post.sure, *post.hopeless)
    concerned = [post.people[name].discord_id for name in changed]
    return replace(post, ping_ids=tuple(person for person in concerned if person is not None))


async def _with_outlook(post: NewsPost, worker: Worker) -> NewsPost:
    """Add the players who play on though the round decided it for them; nothing where the worker fails."""
    number, told = post.view.round.number, (*post.news.through, *post.news.waiting, *post.news.out)
    try:
        before = await _prospects(worker, post, number - 1)
        now = await _prospects(worker, post, number)
    except WorkerFailed:
        _log.warning("no outlook after round %s", number, exc_info=True)
        return post
    active = [name for name, person in post.people.items() if person.active and name not in told and name in now]
    changed = [name for name in active if name not in before or before[name].verdict is not now[name].verdict]
    return replace(
        post,
        prospects=now,
        sure=tuple(name for name in changed if now[name].verdict is Verdict.IN),
        hopeless=tuple(name for name in changed if now[name].verdict is Verdict.OUT),
    )


async def _prospects(worker: Worker, post: NewsPost, after: int) -> Mapping[Name, Prospect]:
    """Return what everyone needed after a round: as it was known once the next one was paired, which is kept."""
    if not after:
        return {}
    rounds_ = post.record.rounds[: after + 1]
    following = tuple(_unplayed(round_) for round_ in rounds_[after:] if round_.stage is Stage.REGULAR)
    season = replace(post.record, rounds=(*rounds_[:after], *following))
    outlook = await looking_ahead.worked_out(worker, post.view.season.id, season, verdicts_only=True)
    return {} if outlook is None else outlook.players


def _unplayed(round_: Round) -> Round:
    """Return a round as it was when it was posted."""
    return replace(round_, matches=tuple(Match(upper=match.upper, lower=match.lower) for match in round_.matches))
