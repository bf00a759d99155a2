"""A season's plan as its organisers see it: its settings, what players will read, and what is in the way."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from bot.league.errors import Conflict, Invalid
from bot.league.formats import by_key
from bot.league.formats.shared.base import Format
from bot.league.formats.shared.groups import Shape
from bot.league.season.choices import VARIANTS, Game, MatchPlaces, Pace, Variant
from bot.league.season.phases import PLAYING, SeasonPhase
from bot.league.season.settings import SETTINGS, SeasonSettings
from bot.services.base.order import Order
from bot.services.base.permissions import is_organiser
from bot.services.base.transaction import ORGANISER, ReadTransaction, numbered, prepared_if_any, read_transaction
from bot.services.matches import given_places
from bot.services.play import time_to_play
from bot.services.play.field.eligibility import expected_shape, settings_in_the_way, wrong_groups
from bot.services.seasons.division_plan import DivisionPlan, planned
from bot.services.seasons.season_dates import SeasonDates, season_dates
from storage import rules_season
from storage.database import Connection
from storage.rows import LeagueRow, SeasonId, SeasonRow
from storage.tables import seasons

EXAMPLE = timedelta(days=7)
"""After as much time sign-ups close in the example of dates, while no one has said when they do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A season's settings; `problems` are what is in the way of its sign-ups, `changed` what differs from its copy.

    `gives_groups` is whether organisers give its groups and can still change them, `in_the_way` which settings keep
    round 1 of a season that has started from being paired.

    `settings` is None while they are impossible together; `number` is the one it has or will have.
    """

    season: SeasonRow
    league: LeagueRow
    number: int
    settings: SeasonSettings | None
    in_short: tuple[str, ...]
    dates: SeasonDates
    shape: Shape | None
    problems: tuple[str, ...]
    changed: tuple[str, ...]
    divisions: DivisionPlan | None = None
    gives_groups: bool = False
    in_the_way: frozenset[str] = frozenset()

    @property
    def format(self) -> Format:
        """The format it is played in."""
        return by_key(self.season.format)

    def value(self, key: str) -> Any:
        """Return what a setting is, by default its format's default."""
        given = chosen(self.season)
        if key == "salt":  # its text is made at the start
            return given.get(key)
        if self.settings is not None:
            return getattr(self.settings, key)
        return SETTINGS[key].read(given[key]) if key in given else self.format.default(key)

    def usual(self, key: str) -> Any:
        """Return what a setting is where no one chose it."""
        begins = SETTINGS[key].begins
        if begins is not None:
            return begins
        if self.settings is None:
            return self.format.default(key)
        given = chosen(self.season)
        if key not in (*given, "salt"):  # so it is what it usually is, and most settings are
            return getattr(self.settings, key)
        others = {other: value for other, value in given.items() if other not in (key, "salt")}
        return getattr(self.format.read_settings(others), key)

    @property
    def version(self) -> int:
        """What a panel shows: a press on an older one is refused."""
        return version_of(self.season)


def chosen(season: SeasonRow) -> dict[str, Any]:
    """Return the settings an organiser chose for a season, as plain JSON values."""
    return {**season.settings, **({"salt": season.salt_kind} if season.salt_kind else {})}


def plan(conn: Connection, order: Order, *, number: int | None = None) -> Plan:
    """Return a season's plan: for organisers the prepared one unless they give a number; raises NotFound."""

    def meant(tx: ReadTransaction) -> SeasonRow:
        own = number is None and is_organiser(tx.league, order.actor)
        return (prepared_if_any(tx) if own else None) or numbered(number)(tx)

    return plan_of(read_transaction(conn, order, meant), order.now)


def of_season(conn: Connection, order: Order, *, season_id: SeasonId) -> Plan:
    """Return the plan of one season, for its organisers; raises NotFound and NotAllowed."""
    return plan_of(read_transaction(conn, order, by=ORGANISER, season_id=season_id), order.now)


def plan_of(tx: ReadTransaction, now: datetime) -> Plan:
    """Return the plan of the season this is about."""
    season = tx.season
    try:
        settings = salt_to_come(rules_season.settings_of(season), season)
    except Invalid:
        settings = None
    return Plan(
        season=season,
        league=tx.league,
        number=season.number or seasons.next_number(tx.conn, tx.league.id),
        settings=settings,
        in_short=() if settings is None else by_key(season.format).for_players(salt_chosen(settings, season)),
        shape=None if settings is None else expected_shape(tx),
        dates=SeasonDates() if settings is None else season_dates(tx, example=now + EXAMPLE),
        problems=problems(tx, now) if season.phase is SeasonPhase.UNPUBLISHED else (),
        changed=_changed(tx),
        divisions=None if settings is None else planned(tx, now),
        gives_groups=settings is not None and given_places.can_be_given(tx),
        in_the_way=settings_in_the_way(tx) if settings is not None and season.phase in PLAYING else frozenset(),
    )


def salt_to_come(settings: SeasonSettings, season: SeasonRow) -> SeasonSettings:
    """Return a season's settings, with a word for a salt that is made only at the start."""
    return replace(settings, salt="SALT") if season.salt_kind and season.salt is None else settings


def salt_chosen(settings: SeasonSettings, season: SeasonRow) -> SeasonSettings:
    """Return a season's settings, with what organisers chose for its salt in place of the text."""
    return replace(settings, salt=season.salt_kind) if season.salt_kind else settings


def problems(tx: ReadTransaction, now: datetime) -> tuple[str, ...]:
    """Return what is in the way of opening sign-ups, each with what to do."""
    season, live = tx.season, seasons.live(tx.conn, tx.league.id)
    sentences = [*_impossible(season), *of_schedule(season)] or [*_wrong_groups(tx)]
    sentences += over_before(tx, season.signups_close or now)
    if season.signups_close is not None and season.signups_close <= now:
        sentences.append("Sign-ups would close in the past. Choose another time with Change dates.")
    if live is not None:
        open_now = "has open sign-ups. /season start starts it, /season cancel cancels it"
        playing = "isn't over yet. /season cancel, or Finish the season under /season status, ends it now"
        sentences.append(f"Season {live.number} {open_now if live.phase is SeasonPhase.SIGNUP else playing}.")
    return tuple(sentences)


def _impossible(season: SeasonRow) -> tuple[str, ...]:
    """Return why a season's settings are impossible together."""
    format_ = by_key(season.format)
    try:
        settings = rules_season.settings_of(season)
    except Invalid as wrong:
        label = SETTINGS[wrong.place].label if wrong.place in SETTINGS else wrong.place
        return (f"{label}: {wrong.problem}.",)
    fewest = max(2, format_.fewest_players)
    if settings.max_players is not None and settings.max_players < fewest:
        return (f"Places: {format_.title} needs at least {fewest} players. Allow more of them.",)
    if settings.variant is not None and settings.variant not in _variants(format_.game_of(settings)):
        belongs = next(game for game, variants in VARIANTS.items() if settings.variant in variants)
        return (f"Variant: {settings.variant.words} belongs to {belongs.words}. Choose that game, or no variant.",)
    return ()


_ONE_AFTER_ANOTHER = " Choose another value, or rounds one after the other as Schedule."


def of_schedule(season: SeasonRow) -> Iterator[str]:
    """Yield what a season's schedule doesn't go with, each with what to do."""
    try:
        settings = rules_season.settings_of(season)
    except Invalid:
        return
    if not settings.schedule.open_together:
        if settings.stage_ends is not None:
            yield "Stage ends is for seasons whose rounds are all played at once. Leave it empty."
        if settings.first_match_days is not None:
            yield "First match is for seasons whose rounds are all played at once. Leave it empty."
        return
    if settings.pace is Pace.LIVE:
        yield f"Pace: a live event plays one round after the other, not all at once.{_ONE_AFTER_ANOTHER}"
    if settings.round_ends is not None:
        yield f"Rounds end: rounds that are all played at once have one deadline, Stage ends.{_ONE_AFTER_ANOTHER}"
    if settings.lists is not None and not settings.lists.for_season:
        yield f"Lists: where all rounds are played at once, lists are for the season.{_ONE_AFTER_ANOTHER}"
    if settings.match_places is MatchPlaces.PRIVATE:
        threads = "where all rounds are played at once, threads are public, one for each group"
        yield f"Match places: {threads}.{_ONE_AFTER_ANOTHER}"


def over_before(tx: ReadTransaction, start: datetime) -> Iterator[str]:
    """Yield that rounds which are all played at once would be over before they start."""
    try:
        ends = time_to_play.stage_ends(tx)
    except Invalid:
        return
    if ends is not None and ends <= start:
        yield "Stage ends: that is before the season starts. Choose a later time."


def _wrong_groups(tx: ReadTransaction) -> Iterator[str]:
    """Yield why a season can't start with the players it may have."""
    if wrong := wrong_groups(tx):
        yield wrong


def _variants(game: Game | None) -> tuple[Variant, ...]:
    return () if game is None else VARIANTS[game]


def _changed(tx: ReadTransaction) -> tuple[str, ...]:
    """Return the keys of what differs from the season it was copied from."""
    season = tx.season
    if season.copied_from is None:
        return ()
    earlier = seasons.by_number(tx.conn, tx.league.id, season.copied_from)
    if earlier is None:
        return ()
    now, then = chosen(season), chosen(earlier)
    keys = [key for key in SETTINGS if now.get(key) != then.get(key)]
    return (*(["format"] if season.format != earlier.format else []), *keys)


def version_of(season: SeasonRow) -> int:
    """Return a number that changes with everything a panel shows of a season."""
    closing = season.signups_close
    shown = [season.id, season.phase, season.format, chosen(season), closing and str(closing)]
    return int(hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:14], 16)


def require_current(season: SeasonRow, seen: int | None) -> None:
    """Raise Conflict where a panel shows an older state of a season."""
    if seen not in (None, version_of(season)):
        raise Conflict(
            "That panel is outdated: the settings have changed since. /season settings shows them as they are."
        )
