"""What the post after a round tells if that's more than cards do: who is through, the cut line, the cut, what next."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.league.counting.standings import Standing
from bot.league.formats import by_key
from bot.league.season.model import Match, Name, Round, Season, Stage
from bot.league.summaries.outlook.prospects import Prospect, Verdict
from bot.league.summaries.round_news import RoundNews, news_of
from bot.services.base import cached
from bot.services.base.post_kinds import Facts, Post, PostKind, known, there
from bot.services.matches import views
from bot.services.matches.views import RoundView
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow, Target
from storage.rows import EntrantRow, RoundRow
from storage.tables import proofs, rounds
from storage.tables.field import entrants
from storage.tables.proofs import Fingerprints


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPost(Post):
    """A finished round; `following` is the round after it once it is published, whose card mentions who plays on.

    `sure` are newly sure of the finals; `prospects` are everyone's now. `edge` are the last above and the first below
    the cut line, before the last round, of those not decided yet. `groups` are their names, in order.
    `reader` is the Discord id of who alone reads it.
    """

    view: RoundView
    record: Season
    people: dict[Name, EntrantRow]
    following: RoundRow | None
    fingerprints: Fingerprints = field(default_factory=Fingerprints)
    news: RoundNews = field(default_factory=RoundNews)
    sure: tuple[Name, ...] = ()
    reader: int | None = None
    prospects: Mapping[Name, Prospect] = field(default_factory=dict[Name, Prospect])
    groups: tuple[str, ...] = ()

    @property
    def has_finals(self) -> bool:
        """Whether finals follow the regular rounds; without them the first of the table wins the season."""
        return by_key(self.record.format).plays_finals(self.record)

    @property
    def edge(self) -> tuple[Standing, ...]:
        """Who stands at the cut line, above and below it; nobody where one of the two sides is decided.

        With several groups each has a line of its own, which the tables show.
        """
        if len({row.group for row in self.news.above}) > 1:
            return ()
        above, below = ([row for row in rows if self._is_open(row)] for rows in (self.news.above, self.news.below))
        return (above[-1], below[0]) if above and below else ()

    @property
    def says_more(self) -> bool:
        """Whether there is more to say than the cards of this round and of the one after it show."""
        got_through = () if self.view.round.stage is Stage.FINALS else (*self.news.through, *self.news.waiting)
        more = self.news.cut or self.sure or self.edge or got_through or self.fingerprints.void
        return self.following is None or bool(more) or self.is_out(self.reader)

    def is_out(self, discord_id: int | None) -> bool:
        """Whether the round knocked a person out."""
        return discord_id is not None and any(self.people[name].discord_id == discord_id for name in self.news.out)

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
    record = cached.complete(conn, view.season)
    calendar = by_key(record.format).calendar(record)
    after = [other for other in rounds.published(conn, row.season_id) if other.number == row.number + 1]
    news = NewsPost(
        view=view,
        record=record,
        people={Name(person.name): person for person in people.values()},
        fingerprints=proofs.with_rounds(conn, row.season_id, proofs.told_in(conn, row.season_id, row.number)),
        reader=post.person_id if post.target is Target.PERSON else None,
        following=after[0] if after else None,
        news=news_of(by_key(record.format), record, row.number),
        groups=tuple(group.group for group in calendar[0]) if calendar else (),
    )
    return _concerning(news)


NEWS = PostKind("news", Facts, once=True, rewritten=True, load=load)


def needs_outlook(post: NewsPost) -> bool:
    """Whether a round may have decided something for players who play on."""
    return post.news.cut is None and post.view.round.stage is Stage.REGULAR


def with_prospects(post: NewsPost, before: Mapping[Name, Prospect], now: Mapping[Name, Prospect]) -> NewsPost:
    """Return the news with the players who play on though they're sure of the finals since the round."""
    prospects = (*post.news.through, *post.news.waiting, *post.news.out)
    active = [name for name, person in post.people.items() if person.active and name not in prospects and name in now]
    news = [name for name in active if name not in before or before[name].verdict is not now[name].verdict]
    sure = tuple(name for name in news if now[name].verdict is Verdict.IN)
    return _concerning(replace(post, prospects=now, sure=sure))


def as_of(record: Season, after: int) -> Season:
    """Return a season as it was after a round once the next one was paired."""
    rounds_ = record.rounds[: after + 1]
    following = tuple(_unplayed(round_) for round_ in rounds_[after:] if round_.stage is Stage.REGULAR)
    return replace(record, rounds=(*rounds_[:after], *following))


def _unplayed(round_: Round) -> Round:
    """Return a round as it was when it was posted."""
    return replace(round_, matches=tuple(Match(upper=match.upper, lower=match.lower) for match in round_.matches))


def _concerning(post: NewsPost) -> NewsPost:
    """Return the news with the Discord ids of those it tells what no card does: who got through, until they're paired.

    Who was knocked out is told in a direct message alone.
    """
    on = () if post.following is not None else (*post.news.through, *post.news.for_third_place, *post.sure)
    people = known(post.people[name].discord_id for name in on)
    return replace(post, ping_ids=(*people, post.reader) if post.reader and post.is_out(post.reader) else people)
