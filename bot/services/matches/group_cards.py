"""The groups of a stage whose rounds are played at once: a card each, when it's drawn again, news of every week."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.league.season.choices import MatchPlaces
from bot.league.season.model import SealedSalt
from bot.league.season.phases import MatchState, RoundPhase
from bot.services.base import outbox
from bot.services.base.events import MatchChanged
from bot.services.base.outbox import GROUP, THREAD, GroupFacts, ThreadFacts
from bot.services.base.post_kinds import Facts, Gone, Post, PostKind, Until, there
from bot.services.base.transaction import Transaction
from bot.services.matches import views
from bot.services.matches.round_groups import groups_of
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, LeagueRow, MatchId, RoundRow, SeasonRow
from storage.tables import leagues, matches, rounds, seasons
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows

PAUSE = 600
"""A group's card is drawn again once in so many seconds at most; the last result of a group shows at once."""
LAST = 3
"""As many results as a card names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPost(Post):
    """A group's card, or what one of its players reads of it directly: `own` are their matches then.

    `number` counts the groups from 1, `name` is nothing where there is one. `last` are the newest results, `left` says
    how many matches each player has to play, `thread` is where they talk, if that works. The first card has the salt of
    the season, and what it was sealed by.
    """

    league: LeagueRow
    season: SeasonRow
    round: RoundRow
    number: int
    name: str
    players: tuple[EntrantRow, ...]
    last: tuple[MatchView, ...]
    left: tuple[tuple[EntrantRow, int], ...]
    thread: int | None = None
    own: tuple[MatchView, ...] = ()
    reader: EntrantRow | None = None
    also: tuple[str, ...] = ()
    salt: str | None = None
    sealed: SealedSalt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageNewsFacts(Facts):
    """The results since the news before."""

    results: tuple[MatchId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StageNewsPost(Post):
    """What happened in a stage since the news before: the results, oldest first, and how many are to come."""

    league: LeagueRow
    season: SeasonRow
    round: RoundRow
    results: tuple[MatchView, ...]
    to_come: int


def _load_news(conn: Connection, post: PostRow, _: datetime) -> StageNewsPost:
    """Load the results that came since the news before; raises Gone without any, and once the stage is over."""
    season, row = seasons.get(conn, there(post.season_id)), rounds.get(conn, there(post.round_id))
    listed = matches.some(conn, STAGE_NEWS.facts(post).results)
    results = [match for match in listed if match.state is MatchState.CONFIRMED]
    if post.message_id is None and (not results or row.phase is not RoundPhase.OPEN):
        raise Gone
    return StageNewsPost(
        league=leagues.get(conn, post.league_id),
        season=season,
        round=row,
        results=tuple(views.match_view(conn, match.id) for match in results),
        to_come=matches.count_missing(conn, row),
    )


STAGE_NEWS = PostKind(
    "stage-news", StageNewsFacts, once=True, until=Until.ROUND_CLOSES, rewritten=True, load=_load_news
)


def stage_posted(tx: Transaction, row: RoundRow) -> bool:
    """Enqueue a card for each group of a stage, which mentions its players, and the news of each week to come.

    A group also gets a thread where the season has them for matches. `row` is the stage's first round. Returns whether
    there is anything to play: without it, nothing is posted.
    """
    if not matches.count_missing(tx.conn, row):
        return False
    people = {person.id: person for person in entrants.of_season(tx.conn, tx.season.id)}
    first = matches.of_round(tx.conn, row.id)
    for number, group in enumerate(groups_of(tx.conn, tx.season, row, people), start=1):
        players = [*group.players, *(() if group.resting is None else (group.resting.id,))]
        accounts = [people[player].discord_id for player in players]
        facts = GroupFacts(page=number, name=group.name, players=tuple(sorted(players)))
        tx.enqueue(GROUP, facts, row, once=str(number), people=accounts)
        if tx.settings.match_places is MatchPlaces.THREADS:
            keeper = next(match for match in first if match.upper_id in group.players)
            tx.enqueue(THREAD, ThreadFacts(group=group.name, players=facts.players), keeper)
    length, week = timedelta(days=tx.settings.round_days), 1
    while row.deadline is not None and tx.now + length * week < row.deadline:
        tx.enqueue(STAGE_NEWS, StageNewsFacts(), row, due_at=tx.now + length * week, once=str(week))
        week += 1
    return True


def of_stage(conn: Connection, first: RoundRow) -> tuple[PostRow, ...]:
    """Return the cards of a stage's groups by its first round; their facts hold each group's number, name, players."""
    posts = outbox_rows.of_round(conn, first.id)
    return tuple(post for post in posts if post.kind == GROUP and post.person_id is None)


def called(name: str) -> str:
    """Return what a group of this name is called in a sentence; one that is alone has no name."""
    return name or "everyone’s matches"


def of_match(conn: Connection, match_id: MatchId) -> PostRow | None:
    """Return the card of the group of a match; None where not all matches are open at once."""
    match = matches.get(conn, match_id)
    row = rounds.get(conn, match.round_id)
    cards = of_stage(conn, rounds.at_once(conn, row)[0]) if row.together else ()
    return next((post for post in cards if not {*match.players}.isdisjoint(GROUP.facts(post).players)), None)


def show_thread(conn: Connection, match_id: MatchId, *, now: datetime) -> None:
    """Let the card of a match's group lead to the group's thread, or no more."""
    card = of_match(conn, match_id)
    if card is not None:
        outbox_rows.invalidate_key(conn, card.key, now=now, pause=0)


def match_changed(tx: Transaction, event: MatchChanged) -> None:
    """Let the card of a match's group be drawn again where a result came or went, and name it in the next news."""
    after = event.after
    if not tx.settings.schedule.open_together or MatchState.CONFIRMED not in (event.before.state, after.state):
        return
    row = rounds.get(tx.conn, after.round_id)
    if not row.together:
        return
    newest = (after.id,) if after.state is MatchState.CONFIRMED else ()
    for post in of_stage(tx.conn, rounds.at_once(tx.conn, row)[0]):
        group = GROUP.facts(post)
        if after.upper_id in group.players:
            last = tuple(other for other in group.last if other != after.id)
            over = not matches.count_left(tx.conn, tx.season.id, group.players)
            outbox_rows.invalidate_key(tx.conn, post.key, now=tx.now, pause=0 if over else PAUSE)
            facts = replace(group, last=(*last, *newest)[-LAST:])
            outbox.reword(tx.conn, post, facts, now=tx.now)  # it's due by then, no sooner
    for news in outbox_rows.to_come(tx.conn, tx.season.id, STAGE_NEWS, tx.now)[:1] if newest else ():
        facts = STAGE_NEWS.facts(news)
        results = tuple(other for other in facts.results if other != after.id)
        outbox.reword(tx.conn, news, replace(facts, results=(*results, *newest)), now=tx.now)
