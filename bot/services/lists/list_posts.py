"""What posts about lists show: their fingerprints, and who hasn't handed in."""

from dataclasses import dataclass
from datetime import datetime

from bot.league.season.in_words import amount
from bot.league.season.list_rules import ListRules
from bot.services.base.outbox import on_page
from bot.services.base.post_kinds import Facts, Gone, PostKind, SeasonPost, Until, known
from bot.services.lists import list_sets
from storage import rules_season
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import RoundRow, SeasonRow
from storage.tables import leagues, lists, seasons
from storage.tables.lists import ListId, ListRow, ListSetId, ListSetRow
from storage.tables.people.notify import Topic

SEALS_A_PAGE = 24
"""As many lists as one message names with their fingerprints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealsFacts(Facts):
    """A page of the sealed lists of a set, or the one late list it is about."""

    set_id: ListSetId
    page: int = 1
    list_id: ListId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealsPost(SeasonPost):
    """The sealed lists of a set with their fingerprints, a page of them, or one that came late: (player, list)."""

    rules: ListRules
    scope: ListSetRow
    words: str
    sealed: tuple[tuple[str, ListRow], ...]
    page: int = 1
    pages: int = 1


def _load_seals(conn: Connection, post: PostRow, _: datetime) -> SealsPost:
    """Load a page of the sealed lists of a set, or the one late list it is about."""
    facts = SEALS.facts(post)
    season, scope, rules = _about(conn, facts.set_id)
    names = {entrant.id: entrant for entrant in list_sets.owners(conn, scope)}
    sealed = [row for row in lists.of_set(conn, scope.id) if row.sealed_at is not None]
    late, page = facts.list_id, facts.page
    on_time = [row for row in sealed if not row.late]
    rows = [row for row in sealed if row.id == late] if late else on_page(on_time, page, SEALS_A_PAGE)
    if not rows:
        raise Gone
    people = [names[row.entrant_id].discord_id for row in rows] if late else []
    return SealsPost(
        league=leagues.get(conn, season.league_id),
        season=season,
        rules=rules,
        scope=scope,
        words=list_sets.words_of(conn, scope),
        sealed=tuple((names[row.entrant_id].called, row) for row in rows),
        page=page,
        pages=1 if late else -(-len(on_time) // SEALS_A_PAGE),
        ping_ids=tuple(person for person in people if person is not None),
    )


SEALS = PostKind("seals", SealsFacts, stands=True, rewritten=True, load=_load_seals)


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingListsFacts(Facts):
    """Which set of lists a reminder is about."""

    set_id: ListSetId


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingListsPost(SeasonPost):
    """The players who haven't handed in their lists: due soon, or due already once the set is sealed."""

    rules: ListRules
    scope: ListSetRow
    words: str
    due_at: datetime | None


def _load_missing(conn: Connection, post: PostRow, _: datetime) -> MissingListsPost:
    """Load who hasn't handed in their lists of a set by now."""
    season, scope, rules = _about(conn, LISTS_MISSING.facts(post).set_id)
    progress = list_sets.progress_of(conn, season, scope)
    return MissingListsPost(
        league=leagues.get(conn, season.league_id),
        season=season,
        rules=rules,
        scope=scope,
        words=progress.words,
        due_at=scope.due_at or season.signups_close,
        ping_ids=known(entrant.discord_id for entrant in progress.missing),
    )


LISTS_MISSING = PostKind(
    "lists-missing",
    MissingListsFacts,
    topic=Topic.DEADLINE,
    personal=True,
    until=Until.SEASON_ENDS,
    pauses=True,
    stands=True,
    load=_load_missing,
)


def _about(conn: Connection, set_id: ListSetId) -> tuple[SeasonRow, ListSetRow, ListRules]:
    scope = lists.get_set(conn, set_id)
    season = seasons.get(conn, scope.season_id)
    return season, scope, rules_season.settings_of(season).lists or ListRules()


def missing_words(conn: Connection, season: SeasonRow, row: RoundRow | None) -> str:
    """Return how many players still have to hand in lists, for the board and the round's card; nothing for none."""
    scope = _shown_with(conn, season, row)
    if scope is None:
        return ""
    missing = len(list_sets.progress_of(conn, season, scope).missing)
    players = amount(missing, "player hasn't", "players haven't")
    later = " for the next round" if row is not None and scope.round == row.number + 1 else ""
    return f"{players} handed in their lists{later} yet" if missing else ""


def _shown_with(conn: Connection, season: SeasonRow, row: RoundRow | None) -> ListSetRow | None:
    """Return the set a round's card speaks of: its own until all are in, else that of the next round."""
    rules = rules_season.settings_of(season).lists
    if rules is None or (row is not None and row.phase == "closed"):
        return None
    if rules.for_season:
        return lists.set_of(conn, season.id, None) if row is None or row.number == 1 else None
    number = 1 if row is None else row.number if rules.due_hours else row.number + 1
    return lists.set_of(conn, season.id, number)
