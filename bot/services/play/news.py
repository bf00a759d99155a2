"""What the post after a round tells: results, who is through and out, the cut line, the cut, what comes next."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.league.counting.standings import Standing
from bot.league.formats import by_key
from bot.league.season.model import Match, Name, Round, Season, Stage
from bot.league.telling.outlook.prospects import Prospect, Verdict
from bot.league.telling.round_news import RoundNews, news_of
from bot.services.base import counted
from bot.services.base.post_kinds import Facts, PostKind, known, there
from bot.services.matches import views
from bot.services.matches.views import RoundView
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, RoundRow
from storage.tables import entrants, proofs, rounds
from storage.tables.proofs import Fingerprints


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPost(Facts):
    """A finished round; `following` is the round after it once it is published.

    `sure` are newly sure of the finals, `hopeless` can't reach them since this round; `prospects` are everyone's now.
    `edge` are the last above and the first below the cut line, before the last round, of those not decided yet.
    """

    view: RoundView
    record: Season
    people: dict[Name, EntrantRow]
    following: RoundRow | None
    fingerprints: Fingerprints = field(default_factory=Fingerprints)
    news: RoundNews = field(default_factory=RoundNews)
    sure: tuple[Name, ...] = ()
    hopeless: tuple[Name, ...] = ()
    prospects: Mapping[Name, Prospect] = field(default_factory=dict[Name, Prospect])

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


def load(conn: Connection, post: PostRow, _: datetime) -> NewsPost:
    """Load a round with what it changed and what follows it."""
    season_id = there(post.season_id)
    people = {person.id: person for person in entrants.of_season(conn, season_id)}
    replaced = rules_season.load(conn, season_id).substitutes
    view = views.round_view(conn, there(post.round_id), None if replaced else people)
    row = view.round
    record = counted.complete(conn, view.season)
    after = [other for other in rounds.published(conn, row.season_id) if other.number == row.number + 1]
    news = NewsPost(
        view=view,
        record=record,
        people={Name(person.name): person for person in people.values()},
        fingerprints=proofs.told_in(conn, row.season_id, row.number),
        following=after[0] if after else None,
        news=news_of(by_key(record.format), record, row.number),
    )
    return _concerning(news)


NEWS = PostKind("news", once=True, rewritten=True, load=load)


def needs_outlook(post: NewsPost) -> bool:
    """Whether a round may have decided something for players who play on."""
    return post.news.cut is None and post.view.round.stage is Stage.REGULAR


def with_prospects(post: NewsPost, before: Mapping[Name, Prospect], now: Mapping[Name, Prospect]) -> NewsPost:
    """Return the news with the players who play on though the round decided it for them."""
    told = (*post.news.through, *post.news.waiting, *post.news.out)
    active = [name for name, person in post.people.items() if person.active and name not in told and name in now]
    changed = [name for name in active if name not in before or before[name].verdict is not now[name].verdict]
    return _concerning(
        replace(
            post,
            prospects=now,
            sure=tuple(name for name in changed if now[name].verdict is Verdict.IN),
            hopeless=tuple(name for name in changed if now[name].verdict is Verdict.OUT),
        )
    )


def as_of(record: Season, after: int) -> Season:
    """Return a season as it was after a round once the next one was paired."""
    rounds_ = record.rounds[: after + 1]
    following = tuple(_unplayed(round_) for round_ in rounds_[after:] if round_.stage is Stage.REGULAR)
    return replace(record, rounds=(*rounds_[:after], *following))


def _unplayed(round_: Round) -> Round:
    """Return a round as it was when it was posted."""
    return replace(round_, matches=tuple(Match(upper=match.upper, lower=match.lower) for match in round_.matches))


def _concerning(post: NewsPost) -> NewsPost:
    """Return the news with the Discord ids of those it got through or knocked out."""
    changed = (*post.news.through, *post.news.out, *post.news.for_third_place, *post.sure, *post.hopeless)
    return replace(post, ping_ids=known(post.people[name].discord_id for name in changed))
