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
from bot.services.base import asked
from bot.services.base.act import Look, look, numbered
from bot.services.base.order import Order
from bot.services.matches import views
from bot.services.matches.season_calendar import PlannedRound, calendar
from bot.services.matches.views import RoundView
from bot.services.reads.waiting import waits_for
from bot.services.seasons.plans import salt_chosen, salt_to_come
from bot.services.seasons.season_dates import season_dates
from bot.services.seats.sitting_out import coming_of_season
from storage import rules_season
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, SeasonRow
from storage.tables import entrants, parked, rounds, seasons, waitlist
from storage.tables.rounds import MapRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonView:
    """Where a season stands, its rules in plain words, and the next step of the person who asks.

    `sitting_out` is who sits out which coming round, `ends` when the season ends at the latest, if that's known.
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
    calendar: tuple[PlannedRound, ...] = ()
    own: EntrantRow | None = None


def status(conn: Connection, order: Order, *, number: int | None = None) -> SeasonView:
    """Return where a season stands, by default the newest; raises NotFound."""
    see = look(conn, order, numbered(number))
    return view(see)


def view(see: Look) -> SeasonView:
    """Return everything about where the season stands."""
    season = see.season
    people = entrants.of_season(see.conn, season.id)
    latest = rounds.latest(see.conn, season.id)
    current = None if latest is None else views.round_view(see.conn, latest.id)
    # Once it has started, the rules are told for the field it started with.
    field = None if season.started_at is None else len(rules_season.starters(see.conn, season.id))
    return SeasonView(
        season=season,
        league=see.league,
        settings=see.settings,
        format_title=by_key(season.format).title,
        entrants=people,
        next_step=_next_step(see, people, current),
        current_round=current,
        sitting_out=coming_of_season(see) if season.phase in LIVE else {},
        champion=next((who.called for who in people if who.id == season.champion_id), None),
        ends=season_dates(see).last,
        also=asked.shown_with_season(see.conn, season, latest) if season.phase in LIVE else (),
        in_short=by_key(season.format).for_players(salt_chosen(see.settings, season), field),
        rules=by_key(season.format).in_words(salt_to_come(see.settings, season), field),
        maps=rounds.maps_of(see.conn, season.id),
        late_posts=_late_posts(see),
        sealed=rules_season.load(see.conn, season.id).sealed if season.salt_kind == SEALED else None,
        calendar=calendar(see.conn, see.league, season),
        own=next((who for who in people if who.discord_id is not None and who.discord_id == see.actor.user_id), None),
    )


def _late_posts(see: Look) -> str:
    """Return how many posts of the league were tried in vain; nothing where none was."""
    late = len(parked.missing(see.conn, see.league.id))
    if not late:
        return ""
    posts = amount(late, "post isn't there yet", "posts aren't there yet")
    return f"⏳ {posts}. The bot keeps trying.{see.hint('/disputes says why.')}"


def _next_step(see: Look, people: tuple[EntrantRow, ...], current: RoundView | None) -> str:
    match see.season.phase:
        case SeasonPhase.SIGNUP:
            waiting = len(waitlist.of_season(see.conn, see.season.id))
            return _before_start(see, [who for who in people if who.active], waiting)
        case SeasonPhase.RUNNING | SeasonPhase.FINALS:
            return _during(see, current)
        case over:
            end = "was cancelled"
            if over is SeasonPhase.FINISHED:
                end = f"is over: /standings season:{see.season.number} shows the result"
            another = seasons.live(see.conn, see.league.id)
            return f"The season {end}.{see.opening('the next one') if another is None else ''}"


def _before_start(see: Look, people: Sequence[EntrantRow], waiting: int) -> str:
    missing = max(2, by_key(see.season.format).fewest_players) - len(people)
    if missing > 0:
        step = see.hint("Then /season start posts round 1.")
        return f"{amount(missing, 'more player is', 'more players are')} needed: they join with /signup.{step}"
    join = "Players join with /signup."
    if see.settings.max_players is not None and len(people) + waiting >= see.settings.max_players:
        waits = f" Waiting for one: {waiting}." if waiting else ""
        join = f"All {see.settings.max_players} places are taken.{waits}"
    if see.settings.seeding is Seeding.SEEDED and any(who.seed is None for who in people):
        join += see.hint("Every player needs a seed before the start: /season settings has Seeds.")
    if see.settings.grouping is Grouping.GIVEN and all(who.given_group is None for who in people):
        join += see.hint("Groups have to be set before the start: /season settings has Groups.")
    if len(people) <= by_key(see.season.format).room_in_finals(see.settings):
        join += see.hint(f"With {amount(len(people), 'player')} everyone is in the finals.")
    if see.season.signups_close is not None:
        step = see.hint("/season start starts it at once.")
        return f"{join} The season starts when sign-ups close.{step}"
    step = see.hint("/season start closes sign-ups and posts round 1.", "An organiser starts the season.")
    return f"{join}{step}"


def _during(see: Look, current: RoundView | None) -> str:
    waits = waits_for(see, current)
    if current is None or not current.missing:
        return waits
    to_start = see.settings.pace is Pace.LIVE and current.round.deadline is None
    start = see.hint("/round start-clock starts the clock.") if to_start else ""
    count = asked.how_many_wait(see.conn, see.league.id)
    mine = f"{amount(count, 'thing waits', 'things wait')} for you: /disputes." if count else ""
    return f"{waits}{start} Players use /report.{see.hint(mine)}"
