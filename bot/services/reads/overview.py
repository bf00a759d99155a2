"""Where a season stands, and the next step of the person who asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.league.formats import by_key
from bot.league.formats.shared.base import Rule
from bot.league.season.choices import Grouping, Pace, Seeding
from bot.league.season.in_words import amount
from bot.league.season.model import SealedSalt
from bot.league.season.phases import LIVE, SeasonPhase
from bot.league.season.setting_values import SEALED
from bot.league.season.settings import SeasonSettings
from bot.services.base import hooks
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, numbered, read_transaction
from bot.services.matches import views
from bot.services.matches.season_calendar import PlannedRound, calendar
from bot.services.matches.views import RoundView
from bot.services.play.field.eligibility import given_sizes
from bot.services.reads.waiting import waits_for
from bot.services.seasons.plans import salt_chosen, salt_to_come
from bot.services.seasons.season_dates import season_dates
from bot.services.seats.sitting_out import coming_of_season
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, SeasonRow
from storage.tables import rounds, seasons
from storage.tables.field import entrants
from storage.tables.outbox import post_failures
from storage.tables.rounds import MapRow
from storage.tables.signups import waitlist


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonView:
    """Where a season stands, its rules in plain words, and the next step of the person who asks.

    `sitting_out` is who sits out which coming round, `ends` when the season ends at the latest, if that's known.
    `shape` says what groups there are, with the players so far before the start.
    `calendar` is all regular rounds where they are known, `own` is the player who asks, if they play.
    `also` is what subjects say of it, `late_posts` how many posts couldn't be made yet. `sealed` is what its
    salt is made of besides names.
    """

    season: SeasonRow
    league: LeagueRow
    settings: SeasonSettings
    format_title: str
    entrants: tuple[EntrantRow, ...]
    next_step: str
    current_round: RoundView | None
    sitting_out: Mapping[int, Sequence[str]]
    champion: str | None
    ends: datetime | None
    also: tuple[str, ...]
    in_short: tuple[str, ...]
    rules: tuple[Rule, ...]
    maps: tuple[MapRow, ...]
    late_posts: str
    sealed: SealedSalt | None
    shape: str = ""
    calendar: tuple[PlannedRound, ...] = ()
    own: EntrantRow | None = None


def status(conn: Connection, order: Order, *, number: int | None = None) -> SeasonView:
    """Return where a season stands, by default the newest; raises NotFound."""
    tx = read_transaction(conn, order, numbered(number))
    return view(tx)


def view(tx: ReadTransaction) -> SeasonView:
    """Return everything about where the season stands."""
    season = tx.season
    people = entrants.of_season(tx.conn, season.id)
    latest = rounds.latest(tx.conn, season.id)
    current = None if latest is None else views.stage_view(tx.conn, latest)
    # Once it has started, the rules are told for the field it started with.
    field = None if season.started_at is None else len(rules_season.starters(tx.conn, season.id))
    return SeasonView(
        season=season,
        league=tx.league,
        settings=tx.settings,
        format_title=by_key(season.format).title,
        entrants=people,
        next_step=_next_step(tx, people, current),
        current_round=current,
        sitting_out=coming_of_season(tx) if season.phase in LIVE else {},
        champion=next((person.called for person in people if person.id == season.champion_id), None),
        ends=season_dates(tx).last,
        also=hooks.shown_with_season(tx.conn, season, latest) if season.phase in LIVE else (),
        in_short=by_key(season.format).for_players(salt_chosen(tx.settings, season), field),
        rules=by_key(season.format).in_words(salt_to_come(tx.settings, season), field),
        maps=rounds.maps_of(tx.conn, season.id),
        late_posts=_late_posts(tx),
        sealed=rules_season.load(tx.conn, season.id).sealed if season.salt_kind == SEALED else None,
        shape=_shape(tx, people, field) if season.phase in LIVE else "",
        calendar=calendar(tx.conn, tx.league, season),
        own=next(
            (person for person in people if person.discord_id is not None and person.discord_id == tx.actor.user_id),
            None,
        ),
    )


def _shape(tx: ReadTransaction, people: Sequence[EntrantRow], field: int | None) -> str:
    here = people if field is not None else [person for person in people if person.active]
    players = len(here) if field is None else field
    format_ = by_key(tx.season.format)
    shape = format_.shape(tx.settings, players, given_sizes(here)) if players >= format_.fewest_players else None
    return "" if shape is None else shape.words


def _late_posts(tx: ReadTransaction) -> str:
    """Return how many posts of the league were tried in vain; nothing where none was."""
    late = len(post_failures.missing(tx.conn, tx.league.id))
    if not late:
        return ""
    posts = amount(late, "post isn't there yet", "posts aren't there yet")
    return f"⏳ {posts}. The bot keeps trying.{tx.hint('/disputes says why.')}"


def _next_step(tx: ReadTransaction, people: tuple[EntrantRow, ...], current: RoundView | None) -> str:
    match tx.season.phase:
        case SeasonPhase.SIGNUP:
            waiting = len(waitlist.of_season(tx.conn, tx.season.id))
            return _before_start(tx, [person for person in people if person.active], waiting)
        case SeasonPhase.RUNNING | SeasonPhase.FINALS:
            return _during(tx, current)
        case over:
            end = "was cancelled"
            if over is SeasonPhase.FINISHED:
                end = f"is over: /standings season:{tx.season.number} shows the result"
            another = seasons.live(tx.conn, tx.league.id)
            return f"The season {end}.{tx.opening('the next one') if another is None else ''}"


def _before_start(tx: ReadTransaction, people: Sequence[EntrantRow], waiting: int) -> str:
    missing = max(2, by_key(tx.season.format).fewest_players) - len(people)
    if missing > 0:
        step = tx.hint("Then /season start posts round 1.")
        return f"{amount(missing, 'more player is', 'more players are')} needed: they join with /signup.{step}"
    join = "Players join with /signup."
    if tx.settings.max_players is not None and len(people) + waiting >= tx.settings.max_players:
        waits = f" Waiting for one: {waiting}." if waiting else ""
        join = f"All {tx.settings.max_players} places are taken.{waits}"
    if tx.settings.seeding is Seeding.SEEDED and any(person.seed is None for person in people):
        join += tx.hint("Every player needs a seed before the start: /season settings has Seeds.")
    if tx.settings.grouping is Grouping.GIVEN and all(person.given_group is None for person in people):
        join += tx.hint("Groups have to be set before the start: /season settings has Groups.")
    if len(people) <= by_key(tx.season.format).room_in_finals(tx.settings):
        join += tx.hint(f"With {amount(len(people), 'player')} everyone is in the finals.")
    if tx.season.signups_close is not None:
        step = tx.hint("/season start starts it at once.")
        return f"{join} The season starts when sign-ups close.{step}"
    step = tx.hint("/season start closes sign-ups and posts round 1.", "An organiser starts the season.")
    return f"{join}{step}"


def _during(tx: ReadTransaction, current: RoundView | None) -> str:
    waits = waits_for(tx, current)
    if current is None or not current.missing:
        return waits
    to_start = tx.settings.pace is Pace.LIVE and current.round.deadline is None
    start = tx.hint("/round start-clock starts the clock.") if to_start else ""
    count = hooks.how_many_wait(tx.conn, tx.league.id)
    mine = f"{amount(count, 'thing waits', 'things wait')} for you: /disputes." if count else ""
    return f"{waits}{start} Players use /report.{tx.hint(mine)}"
